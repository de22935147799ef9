"""Seats in other places: around the table nothing but the setup tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from . import actions as act
from .position import Position


def permuted(position: Position, order: Sequence[int]) -> Position | None:
    """Return the position with what is seat *n*'s at ``order[n]``, if that keeps the order of turns."""
    n = len(order)
    if position.turn < 0 or any(order[(seat + 1) % n] != (order[seat] + 1) % n for seat in range(n)):
        return None

    def moved(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(values[(seat - order[0]) % n] for seat in range(n))

    def of(seat: int) -> int:
        return order[seat] if seat >= 0 else seat

    return replace(
        position, turn=of(position.turn), seat=of(position.seat), vp=moved(position.vp), places=moved(position.places),
        crew=moved(position.crew), cargo=moved(position.cargo), supply=moved(position.supply),
        settlers=tuple(map(of, position.settlers)), axes=moved(position.axes), won=moved(position.won),
        holder=of(position.holder), hands=moved(position.hands), victim=of(position.victim),
    )  # fmt: skip


def permuted_action(action: act.Action, order: Sequence[int]) -> act.Action:
    """Return the action; only a rune that hits somebody names a seat."""
    if isinstance(action, act.Play) and action.target >= 0:
        return replace(action, target=order[action.target])
    return action

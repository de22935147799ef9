"""What a seat may see: its own runes, of the others' only how many (FA-DRAW-03); order and treasures nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import actions as act
from .actions import SEATS
from .position import Position

if TYPE_CHECKING:
    from .game import FireAxeGame


def sees(game: FireAxeGame, position: Position, action: act.Action) -> tuple[int, ...]:
    """Return who learns an action: of a rune drawn its owner alone, of all else everybody."""
    return (position.seat,) if isinstance(action, act.Deal) else tuple(range(game.players))


def observe(game: FireAxeGame, position: Position, seat: int) -> dict[str, Any]:
    """Return the record in which numbers stand for hidden runes.

    That no Saga's place in the deck and no treasure's place is known to anybody is no secret of a seat's: the
    position itself holds neither.
    """
    record, me = game.record(position), SEATS[seat]
    shown = {name: game.law.hand_shown(name == me) for name in game.seats}
    record["hands"] = {name: ids if shown[name] else len(ids) for name, ids in record["hands"].items()}
    record["deck"] = len(record["deck"])
    return {"you": me, **record}

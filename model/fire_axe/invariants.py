"""The invariants of a Fire & Axe position that a single position shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Breach

from .position import Position

if TYPE_CHECKING:
    from .game import FireAxeGame

IDS: tuple[str, ...] = ()


def broken(game: FireAxeGame, position: Position) -> tuple[Breach, ...]:
    """Return each invariant the position breaks."""
    return ()

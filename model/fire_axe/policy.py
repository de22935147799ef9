"""How the sensible player of Fire & Axe judges actions, from a view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import actions as act

if TYPE_CHECKING:
    from .game import FireAxeGame


def appeal(game: FireAxeGame, view: Mapping[str, Any], actions: Sequence[act.Action]) -> Sequence[float]:
    """Return a worth for each action, in VP as far as that can be said."""
    return [0.0] * len(actions)

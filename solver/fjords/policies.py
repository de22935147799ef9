"""Policies that bring about what ordinary play seldom shows."""

from __future__ import annotations

from random import Random
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Picker, Rare, sensible, uniform


def lopsided(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Play so that only seat A ever has farms: supplies run out, and B is blocked from the beginning."""
    if view["phase"] == "farm" and view["you"] == "B":
        return actions[-1]
    return sensible(game, view, actions, random)


def farmless(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Play without farms, so that every round is tied at nothing."""
    return actions[-1] if view["phase"] == "farm" else uniform(game, view, actions, random)


def hoarding(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Leave open tiles lying until the pile is empty, and take one then."""
    kinds = {game.kind(action): action for action in actions}
    if view["phase"] == "choose":
        return kinds["open"] if "open" in kinds and not view["pile"] else kinds.get("draw", actions[0])
    return uniform(game, view, actions, random)


def policies() -> tuple[Picker, ...]:
    """Return every policy of the search, freshly."""
    return uniform, sensible, Rare(), lopsided, farmless, hoarding


def policy_for(varied: str, seed: int) -> Picker:
    """Return the policy that suits a ruling chosen otherwise than by default ("" for none)."""
    if varied == "R_LAST_OPEN":
        return hoarding
    if varied == "R_SUPPLY":
        return lopsided
    return (uniform, Rare(), sensible)[seed % 3] if not varied else (Rare(), uniform)[seed % 2]

"""Policies and boxes that bring about what ordinary play seldom shows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Picker, Rare, sensible, uniform

from .boxes import KINGDOMS, box, game_of

_COSTLY = ("hire", "delay", "buy", "hold")


def miser(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Never pay for anything: cubes gather on the Infamy Cards, and reserves run out."""
    free = tuple(action for action in actions if game.kind(action) not in _COSTLY)
    return uniform(game, view, free or actions, random)


def spender(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Pay for whatever can be paid for, routes before cards."""
    for kind in _COSTLY:
        costly = tuple(action for action in actions if game.kind(action) == kind)
        if costly:
            return uniform(game, view, costly, random)
    return uniform(game, view, actions, random)


def homebody(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Hire Heroes and leave them at home, so that they stand there without cubes a round later."""
    if view["phase"] == "hire":
        return actions[0]
    fewest = min((action.heroes for action in actions if game.kind(action) == "send"), default=0)
    stay = tuple(action for action in actions if game.kind(action) != "send" or action.heroes == fewest)
    return uniform(game, view, stay, random)


def late(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Keep the last suits until the reserve is empty, then hire Heroes where no cube of one's own stands."""
    if view["phase"] == "play":
        return actions[-1 if view["reserve"][view["you"]] == 0 else 0]
    if view["phase"] == "hire":
        return actions[0 if view["placed"] == 0 else -1]
    return uniform(game, view, actions, random)


def policies() -> tuple[Picker, ...]:
    """Return every policy of the search, freshly."""
    return uniform, sensible, Rare(), miser, spender, homebody


def policy_for(varied: str, seed: int) -> Picker:
    """Return the policy that suits a ruling chosen otherwise than by default ("" for none)."""
    if varied in ("R_PARTIAL", "R_HERO_ZERO", "R_BONUS_ZERO"):
        return (miser, spender)[seed % 2]
    if varied == "R_HERO_STAY":
        return homebody
    return uniform if varied else (spender, uniform, miser)[seed % 3]


def games() -> Iterator[AnyGame]:
    """Yield games with boxes for what the estimated box rules out or hardly shows.

    Cards that bring too few tokens, a Kingdom without neighbours, a short Trade Route deck.
    """
    bare = box(default=(2, 1), placing=10)
    yield game_of(bare, R_NO_CARD="end", R_HERO_ZERO="card_kingdom")
    yield game_of(bare, 3, R_NO_CARD="end", R_DECK_EMPTY="end", R_PARTIAL="all_or_nothing")
    yield game_of(bare, 4, R_NO_CARD="end", R_HERO_ZERO="card_kingdom")
    alone = box(symbols={kingdom: [(1, 0)] * 8 for kingdom in KINGDOMS[3:5]}, borders={KINGDOMS[4]: ()})
    for value in ("to_reserve", "to_infamy"):
        yield game_of(alone, 4, R_STUCK=value, R_HERO_STAY="may")
    few = {**box(), "complete": False}
    few["routes"] = few["routes"][:5]
    for value in ("sequential", "batch"):
        yield game_of(few, R_ROUTE_SHORT="take_one", R_ROUTE_BATCH=value)


def besides(game: AnyGame) -> Iterator[tuple[AnyGame, Picker]]:
    """Yield games that are watched besides, each with its policy."""
    for number, other in enumerate(games()):
        yield other, (spender, miser, late, homebody, homebody, spender, spender)[number]

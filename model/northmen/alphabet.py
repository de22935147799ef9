"""Every action somebody could try in Northmen, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import actions as act
from .position import Position, bits

if TYPE_CHECKING:
    from .game import NorthmenGame

_FEW = 10
"""The most pieces tried for a place that is not next in a march."""


def alphabet(game: NorthmenGame, position: Position) -> Iterator[act.Action]:
    """Yield each action once, in a fixed order.

    Cards: those of the seat's hand and of the row, one of each other sort of place, and all of the deck while
    chance takes from it.  Routes: all.  A march: to every place, Kingdoms too, up to one piece more than
    there are.  Purchases: up to one more than the seat can pay.
    """
    yield from (act.HIRE, act.NO_HIRE, act.DRAW, act.DELAY, act.NO_DELAY, act.DONE)
    tables = game.tables
    cards = _cards(position)
    drawn = position.deck if position.phase in ("deal", "drawn", "turn") else 0
    for card in bits(cards | drawn):
        yield tables.deals[card]
        yield tables.turns[card]
    for card in bits(cards):
        yield tables.plays[card]
        yield tables.takes[card]
        yield tables.holds[card]
    for route in bits(tables.all_routes):
        yield from (tables.routes[route], tables.completes[route], tables.withholds[route], tables.keeps[route])
    infamy = position.infamy[position.seat] if position.seat >= 0 else 0
    yield from (act.Buy(pairs) for pairs in range(1, infamy // 3 + 2))
    yield from _sends(game, position)


def _cards(position: Position) -> int:
    """Return the cards to try, as bits: what the seat can see to use, and one from wherever else cards lie."""
    own = position.hands[position.seat] if position.seat >= 0 else 0
    found = own | position.row
    for place in (position.deck, position.discard, *position.hands, *position.piles):
        found |= place & -place
    return found | (1 << position.card if position.card >= 0 else 0)


def _sends(game: NorthmenGame, position: Position) -> Iterator[act.Send]:
    kingdom, seat = position.kingdom, position.seat
    going = position.phase == "march"
    cubes = position.cubes[kingdom][seat] if going else 0
    heroes = position.heroes[kingdom][seat] if going else 0
    for place in range(game.tables.k + game.tables.r):
        most = cubes + 1 if place == game.tables.k + position.region else min(cubes + 1, _FEW)
        yield from (act.Send(place, sent, led) for sent in range(most + 1) for led in range(heroes + 2))

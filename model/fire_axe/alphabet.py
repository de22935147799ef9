"""Every action somebody could try in Fire & Axe, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import actions as act
from .position import Position, bits

if TYPE_CHECKING:
    from .game import FireAxeGame

_MOST_DICE = 4
"""One die more than ever may be thrown by choice."""


def alphabet(game: FireAxeGame, position: Position) -> Iterator[act.Action]:
    """Yield each action once, in a fixed order.

    All places, goods, Sagas and throws; of the runes those of the seat that decides, one of each other hand,
    of the deck and of the pile, while chance takes from the deck all of it; with each player and each good,
    whether the card asks for it or not.
    """
    tables = game.tables
    yield from tables.loads
    yield from tables.unloads
    yield from tables.leaves
    yield act.DRAW
    yield from tables.sails
    yield from tables.losses
    yield from tables.trades
    yield from (act.RAID, act.STOP)
    yield from tables.settles[:_MOST_DICE]
    yield from (act.CONVERT, act.WAIVE)
    yield from tables.collects
    yield from (act.DECLINE, act.PASS)
    for card in bits(_cards(position)):
        yield from (act.Discard(card, turn) for turn in (-1, 0, 1))
    for card in bits(_cards(position)):
        for target in range(-1, game.players):
            yield from (act.Play(card, turn, target, good) for good in range(-1, 3) for turn in (-1, 0, 1))
    yield from (act.WINTER, act.END)
    yield from _outcomes(game, position)


def _cards(position: Position) -> int:
    """Return the runes to try to use, as bits."""
    found = position.hands[position.seat] if position.seat >= 0 else 0
    for place in (position.deck, position.pile, *position.hands):
        found |= place & -place
    return found


def _outcomes(game: FireAxeGame, position: Position) -> Iterator[act.Action]:
    tables, cards = game.tables, _cards(position)
    yield from tables.flips
    runes = cards | (position.deck if position.phase == "deal" else 0)
    for rune in bits(runes | (position.hands[position.victim] if position.victim >= 0 else 0)):
        yield tables.deals[rune]
        yield tables.drops[rune]
    yield from tables.dies
    for count in {1, 2, 3, max(1, position.dice)}:
        yield from tables.dice(count)[0]
    values = sorted({*game.pack.treasures.small, *game.pack.treasures.large})
    yield from (act.Treasure(value) for value in values)

"""Other worlds: positions that a seat cannot tell from the one given, with all that is hidden drawn anew."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .position import Position, bits

if TYPE_CHECKING:
    from .game import FireAxeGame


def another(game: FireAxeGame, position: Position, seat: int, random: Random) -> Position:
    """Return a position that the seat cannot tell from this one: runes of other hands and of the deck change places."""
    others = [n for n in range(game.players) if n != seat]
    hidden = [*bits(position.deck), *(rune for n in others for rune in bits(position.hands[n]))]
    random.shuffle(hidden)
    hands = list(position.hands)
    for n in others:
        hands[n] = _take(hidden, position.hands[n].bit_count())
    return replace(position, hands=tuple(hands), deck=_take(hidden, len(hidden)))


def _take(pool: list[int], count: int) -> int:
    """Take so many numbers off the end of the pool; return them as bits."""
    return sum(1 << pool.pop() for _ in range(count))

"""A Rally Phase of round 1 by what it leaves on the Kingdoms, left to z3, and the game that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import z3

from lawspeaker.solver.asking import least

from .boxes import KINGDOMS, box, card
from .counts import CARDS, CUBES, GROUP, INFAMY, SUIT, SUITS, VALUES
from .staged import Direction

Table = Sequence[Sequence[int]]
"""Numbers by seat and Kingdom."""


class Rally:
    """Cubes and cards of each seat on each Kingdom in round 1; seat 0 leads and starts; nobody hires.

    Cubes fit cards of value 1 to 3, eight a suit, played in turn, so that the fifteenth token card can be
    the last.
    """

    def __init__(self, players: int) -> None:
        self.infamy, self.seats = INFAMY[players], range(players)
        self.cubes, self.cards = (
            [[z3.Int(f"{name}_{s}_{k}") for k in range(SUITS)] for s in self.seats] for name in ("cubes", "cards")
        )
        self.turns = z3.Sum([one for seat in self.cards for one in seat])

    def possible(self) -> list[Any]:
        """Say that the cards can have been played, each placing as many cubes as it has symbols."""
        said = []
        for cubes, cards, infamy in zip(self.cubes, self.cards, self.infamy, strict=True):
            for placed, number in zip(cubes, cards, strict=True):
                said += [number >= 0, placed >= VALUES[0] * number, placed <= VALUES[-1] * number]
            said.append(z3.Sum(cubes) <= CUBES - infamy)
        said += [z3.Sum([self.cards[s][k] for s in self.seats]) <= SUIT for k in range(SUITS)]
        had = [z3.Sum(cards) for cards in self.cards]
        said += [one >= two for one, two in pairwise(had)]
        return [*said, had[0] <= had[-1] + 1, self.turns >= GROUP, self.turns <= CARDS]

    def controls(self, seat: int, kingdom: int) -> Any:
        """Say that a seat controls a Kingdom: most cubes there, or tied and nearest to the Leader (SN-CTRL-01, 09)."""
        here = [self.cubes[s][kingdom] for s in self.seats]
        return z3.And(here[seat] > 0, *[self._beats(here, seat, s) for s in self.seats if s != seat])

    @staticmethod
    def _beats(cubes: Sequence[Any], one: int, two: int) -> Any:
        return cubes[one] >= cubes[two] if one < two else cubes[one] > cubes[two]

    def infamy_after(self) -> list[Any]:
        """Return everybody's Infamy after the Marching Phase if all cubes meet in one region."""
        marched = [z3.Sum([z3.If(self.controls(s, k), self.cubes[s][k], 0) for k in range(SUITS)]) for s in self.seats]
        infamy = []
        for s in self.seats:
            loses = z3.Or([self._beats(marched, other, s) for other in self.seats if other != s])
            infamy.append(self.infamy[s] + z3.Sum(self.cubes[s]) - z3.If(loses, 0, marched[s]))
        return infamy

    def least(self, asked: Any) -> End:
        """Return the least such phase: fewest turns, then fewest cubes and cards one after the other."""
        turns = z3.Int("turns")
        asked.add(turns == self.turns)
        terms = [one for group in (self.cubes, self.cards) for seat in group for one in seat]
        values = iter(least(asked, [turns, *terms], range(CARDS + 1))[1:])
        cubes, cards = ([[next(values) for _ in range(SUITS)] for _ in self.seats] for _ in range(2))
        return End.of(cubes, cards)


@dataclass(frozen=True)
class End:
    """The end of such a Rally Phase: a box, and the cards that each seat has played, in turn."""

    pack: Mapping[str, Any]
    piles: Sequence[Sequence[str]]

    @classmethod
    def of(cls, cubes: Table, cards: Table) -> End:
        """Return cards that bring just these cubes, all by ship; the last and fourteen others place a token."""
        symbols: dict[str, list[tuple[int, int]]] = {}
        piles: list[list[str]] = [[] for _ in cubes]
        for k, kingdom in enumerate(KINGDOMS):
            shown: list[tuple[int, int]] = []
            for pile, own, number in zip(piles, cubes, cards, strict=True):
                for n in range(number[k]):
                    each, over = divmod(own[k], number[k])
                    shown.append((0, each + (n < over)))
                    pile.append(card(kingdom, len(shown)))
            symbols[kingdom] = shown + [(0, 1)] * (SUIT - len(shown))
        order = list(_in_turn(piles))
        named = dict.fromkeys(order[-GROUP:], "Italy")
        return cls(box(symbols=symbols, named=named, only=True), piles)

    @property
    def order(self) -> list[str]:
        """The cards in the order played."""
        return list(_in_turn(self.piles))

    @property
    def direction(self) -> Direction:
        """How to play it: these cards in this order, all cubes to one region."""
        return Direction(self.order)


def _in_turn(piles: Sequence[Sequence[str]]) -> Iterator[str]:
    for turn in range(max(len(pile) for pile in piles)):
        yield from (pile[turn] for pile in piles if turn < len(pile))

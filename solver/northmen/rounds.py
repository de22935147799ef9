"""A Rally Phase by what it leaves on the Kingdoms, left to z3, and playing on from its last turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import z3

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.solver.asking import least

from .boxes import KINGDOMS, box, card, options, record, replayed
from .counts import CARDS, CUBES, GROUP, HERO_PRICE, HEROES, INFAMY, SUIT, SUITS

SEATS = "ABCD"


class Rally:
    """Cubes, cards and Heroes of each seat on each Kingdom in round 1; seat 0 leads and starts.

    Cubes fit cards of value 1 to 3, eight a suit, played in turn, so that the fifteenth token card can be
    the last; Heroes are paid from the Infamy at the start.
    """

    def __init__(self, players: int) -> None:
        self.infamy, self.seats = INFAMY[players], range(players)
        self.cubes, self.cards, self.heroes = (
            [[z3.Int(f"{name}_{s}_{k}") for k in range(SUITS)] for s in self.seats]
            for name in ("cubes", "cards", "heroes")
        )
        self.turns = z3.Sum([one for seat in self.cards for one in seat])

    def possible(self) -> list[Any]:
        """Say that the cards can have been played and paid for."""
        said = [amount >= 0 for group in (self.cubes, self.cards, self.heroes) for seat in group for amount in seat]
        for seat in self.seats:
            for kingdom in range(SUITS):
                cubes, cards = self.cubes[seat][kingdom], self.cards[seat][kingdom]
                said += [cubes >= cards, cubes <= 3 * cards]
                said.append(self.heroes[seat][kingdom] <= cards)  # one may be hired with each card
            hired = z3.Sum(self.heroes[seat])
            spent = HERO_PRICE * hired
            said += [hired <= HEROES, spent <= self.infamy[seat]]
            said.append(z3.Sum(self.cubes[seat]) <= CUBES - self.infamy[seat] + spent)
        said += [z3.Sum([self.cards[s][k] for s in self.seats]) <= SUIT for k in range(SUITS)]
        had = [z3.Sum(cards) for cards in self.cards]
        said += [one >= two for one, two in pairwise(had)]
        return [*said, had[0] <= had[-1] + 1, self.turns >= GROUP, self.turns <= CARDS]

    def beats(self, one: tuple[Any, Any], other: tuple[Any, Any], nearer: bool) -> Any:
        """Say that cubes and Heroes beat others: more pieces, more Heroes, nearer to the lead (SN-CTRL-01, 08, 09)."""
        pieces, theirs = one[0] + one[1], other[0] + other[1]
        return z3.Or(
            pieces > theirs, z3.And(pieces == theirs, z3.Or(one[1] > other[1], z3.And(one[1] == other[1], nearer)))
        )

    def controls(self, seat: int, kingdom: int) -> Any:
        """Say that a seat controls a Kingdom."""
        here = [(self.cubes[s][kingdom], self.heroes[s][kingdom]) for s in self.seats]
        others = [self.beats(here[seat], here[s], seat < s) for s in self.seats if s != seat]
        return z3.And(here[seat][0] + here[seat][1] > 0, *others)

    def infamy_after(self) -> list[Any]:
        """Return everybody's Infamy after the Marching Phase if all pieces meet in one region."""
        marched = []
        for s in self.seats:
            own = [self.controls(s, k) for k in range(SUITS)]
            groups = (self.cubes[s], self.heroes[s])
            marched.append(tuple(z3.Sum([z3.If(c, n, 0) for c, n in zip(own, of, strict=True)]) for of in groups))
        infamy = []
        for s in self.seats:
            loses = z3.Or([self.beats(marched[o], marched[s], o < s) for o in self.seats if o != s])
            left = self.infamy[s] - HERO_PRICE * z3.Sum(self.heroes[s])
            infamy.append(left + z3.Sum(self.cubes[s]) - z3.If(loses, 0, marched[s][0]))
        return infamy

    def least(self, asked: Any) -> End:
        """Return the least such phase: fewest turns, then fewest Heroes, cubes and cards one after the other."""
        turns = z3.Int("turns")
        asked.add(turns == self.turns)
        terms = [one for group in (self.heroes, self.cubes, self.cards) for seat in group for one in seat]
        values = iter(least(asked, [turns, *terms], range(CARDS + 1))[1:])
        heroes, cubes, cards = ([[next(values) for _ in range(SUITS)] for _ in self.seats] for _ in range(3))
        return End.of(cubes, heroes, cards)


Table = Sequence[Sequence[int]]
"""Numbers by seat and Kingdom."""


@dataclass(frozen=True)
class End:
    """The end of such a Rally Phase: a box, the piles, the pieces by Kingdom and seat, and who plays last."""

    pack: Mapping[str, Any]
    piles: Mapping[str, Sequence[str]]
    pieces: Mapping[str, Mapping[str, tuple[int, int]]]

    @classmethod
    def of(cls, cubes: Table, heroes: Table, cards: Table) -> End:
        """Return cards that bring just these cubes; the last card played and fourteen others place a token."""
        seats = SEATS[: len(cubes)]
        symbols: dict[str, list[tuple[int, int]]] = {}
        piles: dict[str, list[str]] = {seat: [] for seat in seats}
        for k, kingdom in enumerate(KINGDOMS):
            shown: list[tuple[int, int]] = []
            for s, seat in enumerate(seats):
                for n in range(cards[s][k]):
                    each, over = divmod(cubes[s][k], cards[s][k])
                    shown.append((0, each + (n < over)))
                    piles[seat].append(card(kingdom, len(shown)))
            symbols[kingdom] = shown + [(0, 1)] * (SUIT - len(shown))
        pieces = {k: {one: (cubes[s][n], heroes[s][n]) for s, one in enumerate(seats)} for n, k in enumerate(KINGDOMS)}
        last = piles[_mover(piles)][-1]
        others = [one for seat in seats for one in piles[seat] if one != last]
        named = dict.fromkeys([last, *others[: GROUP - 1]], "Italy")
        return cls(box(symbols=symbols, named=named, only=True), piles, pieces)

    @property
    def turns(self) -> int:
        """Turns of the phase."""
        return sum(len(pile) for pile in self.piles.values())

    @property
    def last(self) -> str:
        """The card that is played last."""
        return self.piles[_mover(self.piles)][-1]

    def pieces_of(self, seat: str) -> Iterator[tuple[int, int]]:
        """Yield cubes and Heroes of a seat, Kingdom by Kingdom."""
        for kingdom in KINGDOMS:
            yield self.pieces[kingdom][seat]

    def record(self) -> dict[str, Any]:
        """Return the record at the last turn: its card is still in hand, and it hires nobody any more."""
        seat = _mover(self.piles)
        one = next(c for c in self.pack["cards"] if c["id"] == self.last)
        before = {k: {s: list(v) for s, v in on.items()} for k, on in self.pieces.items()}
        before[one["kingdom"]][seat][0] -= one["soldiers"] + one["ships"]
        piles = {s: [c for c in pile if c != self.last] for s, pile in self.piles.items()}
        spent = {s: HERO_PRICE * sum(heroes for _, heroes in self.pieces_of(s)) for s in self.piles}
        infamy = {s: INFAMY[len(spent)][n] - spent[s] for n, s in enumerate(spent)}
        used = {c for pile in self.piles.values() for c in pile}
        hand = [self.last, *[c["id"] for c in self.pack["cards"] if c["id"] not in used][:5]]
        return record(self.pack, len(piles), seat=seat, piles=piles, hands={seat: hand}, kingdoms=before, infamy=infamy)

    def played(self, game: AnyGame) -> Any:
        """Return the position after the last turn, in the Marching Phase."""
        position = replayed(game, game.position(self.record()), [f"play {self.last}"])
        if game.record(position)["phase"] == "hire":
            position = replayed(game, position, ["nohire"])
        return position


def _mover(piles: Mapping[str, Sequence[str]]) -> str:
    """Return who had the last turn: the last of those with the most cards played."""
    most = max(len(pile) for pile in piles.values())
    return max(seat for seat, pile in piles.items() if len(pile) == most)


def quietly(game: AnyGame, position: Any, there: Callable[[dict[str, Any]], bool]) -> Any:
    """Play on until *there*: all pieces to Finland; nothing hired, delayed, completed, bought or held."""
    for _ in range(500):
        shown = game.record(position)
        if there(shown):
            return position
        position = replayed(game, position, [_quiet(shown, options(game, position))])
    raise AssertionError("it does not come to that")


def _quiet(shown: Mapping[str, Any], texts: Sequence[str]) -> str:
    if shown["phase"] == "march":
        most = max if shown["region"] == "Finland" else min
        return most(texts, key=lambda text: tuple(int(n) for n in text.split()[-1].split("+")))
    quiet = ("nohire", "nodelay", "withhold", "done", "draw")
    return next((text for text in texts if text.split()[0] in quiet), texts[0])

"""Hoards: a game made up for tests of what is hidden and of decisions in several parts.

Two seats.  Each is dealt a secret card (1 to 6).  Each in turn marches three men over three hills, hill by
hill: one compound decision (``march 1:2 3:1``; the march ends by itself when no man is left).  Then both
wager at the same time, each twice, together at most the card: two hidden commits (``wagers 1 0``), turned up
when all are in.  A hill with more men than the other's is three points; who wagered more gets the wager.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec

from lawspeaker.model.core.clauses import Catalogue, Clause
from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Effect, Game, Result, ScoreLine, facts
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room
from lawspeaker.model.core.law import Law, law_of, rule
from lawspeaker.model.core.loading import convert
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.rulings import Rulings

SEATS = ("A", "B")
CARDS = range(1, 7)
HILLS = MEN = 3
WAGERS = 2


@rule("HD-MARCH-01", without=True)
def men_left(left: int, number: int) -> bool:
    return number <= left


@rule("HD-WAGER-01", without=True)
def can_pay(card: int, wagered: int, number: int) -> bool:
    return wagered + number <= card


@rule("HD-END-01", without=0)
def hill_points(mine: int, other: int) -> int:
    return 3 if mine > other else 0


LAW = law_of(SimpleNamespace(men_left=men_left, can_pay=can_pay, hill_points=hill_points))
CATALOGUE = Catalogue(
    format="lawspeaker-clauses/1",
    game="hoards",
    title="Hoards",
    version=1,
    clauses=(
        Clause("HD-TURN-01", "Turns", "rule", "One after the other.", breach="{seat} is to act, with {what}",
               effect="{seat} acts"),
        Clause("HD-DEAL-01", "Cards", "rule", "Each card is there once.", breach="card {card} is gone"),
        Clause("HD-MARCH-01", "March", "rule", "No more men than there are.", breach="{left} men are left"),
        Clause("HD-WAGER-01", "Wagers", "rule", "Nobody wagers more than his card.", breach="the card is {card}"),
        Clause("HD-END-01", "End", "rule", "Hills and wagers score."),
    ),
)  # fmt: skip
PACK = Pack(format="hoards-pack/1", game="hoards", id="six", title="six cards")


class Position(msgspec.Struct, frozen=True):
    """Cards dealt so far, men sent to the hills so far and wagers so far, by seat."""

    cards: tuple[int, ...] = ()
    sent: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    wagers: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: list[int]
    sent: list[list[int]]
    wagers: list[list[int]]


Action = tuple[str, int]


def marched(sent: tuple[int, ...]) -> bool:
    return len(sent) == HILLS or sum(sent) >= MEN


def put(both: tuple[Any, Any], seat: int, own: Any) -> tuple[Any, Any]:
    return (own, both[1]) if seat == 0 else (both[0], own)


class Hoards(Game[Position, Action]):
    id = "hoards"
    seats = SEATS
    fields = ("cards", "sent", "wagers")
    invariants = ("HD-I1",)
    verbs = ("deal", "send", "wager")

    def __init__(self, pack: Pack = PACK, rulings: Rulings | None = None, law: Law = LAW) -> None:
        self.catalogue, self.pack, self.law = CATALOGUE, pack, law
        self.rulings = rulings or CATALOGUE.book.choose()

    def varied(self, *, pack: Any = None, rulings: Any = None, law: Any = None) -> Hoards:
        return type(self)(pack or self.pack, rulings or self.rulings, law or self.law)

    def start(self) -> Position:
        return Position()

    def turn(self, p: Position) -> tuple[str, int]:
        """What is to be done, by whom."""
        if len(p.cards) < len(SEATS):
            return "deal", CHANCE
        marching = [seat for seat in (0, 1) if not marched(p.sent[seat])]
        if marching:
            return "send", marching[0]
        wagering = [seat for seat in (0, 1) if len(p.wagers[seat]) < WAGERS]
        return ("wager", wagering[0]) if wagering else ("nothing", OVER)

    def actor(self, position: Position) -> int:
        return self.turn(position)[1]

    def legal(self, position: Position) -> tuple[Action, ...]:
        return tuple(a for a in self.alphabet(position) if not self.breaches(position, a))

    def odds(self, position: Position) -> tuple[Fraction, ...]:
        left = len(CARDS) - len(position.cards)
        return (Fraction(1, left),) * left

    def apply(self, p: Position, action: Action) -> Position:
        (verb, number), seat = action, self.actor(p)
        if verb == "deal":
            return Position((*p.cards, number), p.sent, p.wagers)
        if verb == "send":
            return Position(p.cards, put(p.sent, seat, (*p.sent[seat], number)), p.wagers)
        return Position(p.cards, p.sent, put(p.wagers, seat, (*p.wagers[seat], number)))

    def breaches(self, p: Position, action: Action, by: int | None = None) -> tuple[Breach, ...]:
        (verb, number), (what, actor) = action, self.turn(p)
        if verb != what or (by is not None and by != actor):
            return (Breach("HD-TURN-01", facts(seat=self.actor_name(p), what=what)),)
        if verb == "deal":
            return (Breach("HD-DEAL-01", facts(card=number)),) if number in p.cards else ()
        if verb == "send":
            left = MEN - sum(p.sent[actor])
            return () if self.law.men_left(left, number) else (Breach("HD-MARCH-01", facts(left=left)),)
        card = p.cards[actor]
        fits = self.law.can_pay(card, sum(p.wagers[actor]), number)
        return () if fits else (Breach("HD-WAGER-01", facts(card=card)),)

    def effects(self, p: Position, action: Action) -> tuple[Effect, ...]:
        return (Effect("HD-TURN-01", facts(seat=self.actor_name(p))),)

    def touched(self, p: Position, action: Action, after: Position) -> tuple[str, ...]:
        return ("HD-TURN-01",)

    def alphabet(self, position: Position) -> Iterable[Action]:
        yield from (("deal", n) for n in CARDS)
        yield from (("send", n) for n in range(MEN + 1))
        yield from (("wager", n) for n in range(CARDS[-1] + 1))

    def observe(self, p: Position, seat: int) -> dict[str, Any]:
        over = self.actor(p) == OVER
        return {
            "you": SEATS[seat],
            "card": p.cards[seat] if seat < len(p.cards) else None,
            "dealt": len(p.cards),
            "sent": [list(sent) for sent in p.sent],
            "wagers": [list(w) if over or n == seat else None for n, w in enumerate(p.wagers)],
            "turn": self.actor_name(p),
        }

    def result(self, p: Position) -> Result:
        scores, wagered = [0, 0], [sum(w) for w in p.wagers]
        for mine, other in ((0, 1), (1, 0)):
            for one, two in zip(p.sent[mine], p.sent[other], strict=False):
                scores[mine] += self.law.hill_points(one, two)
            scores[mine] += wagered[mine] if wagered[mine] > wagered[other] else 0
        lines = tuple(ScoreLine(seat, "in all", scores[seat], "HD-END-01") for seat in (0, 1))
        over = self.actor(p) == OVER
        return Result((scores[0], scores[1]), lines, tuple(s for s in (0, 1) if over and scores[s] == max(scores)))

    def appeal(self, view: Mapping[str, Any], actions: Sequence[Action]) -> Sequence[float]:
        return [float(number) for _, number in actions]

    def text(self, action: Action) -> str:
        return f"{action[0]} {action[1]}"

    def parse(self, text: str) -> Action:
        found = re.fullmatch(r"(deal|send|wager) ([0-9])", text)
        if not found:
            raise BadInput(f"{text!r} is no action", hint="deal N, send N, wager N")
        return found[1], int(found[2])

    def kind(self, action: Action) -> str:
        return action[0]

    def record(self, p: Position) -> dict[str, Any]:
        return {"cards": list(p.cards), "sent": [list(s) for s in p.sent], "wagers": [list(w) for w in p.wagers]}

    def position(self, record: Mapping[str, Any]) -> Position:
        r = convert(dict(record), Record, "position")
        if len(r.sent) != len(SEATS) or len(r.wagers) != len(SEATS):
            raise BadInput("needs exactly two seats", where="position")
        sent, wagers = [tuple(s) for s in r.sent], [tuple(w) for w in r.wagers]
        return Position(tuple(r.cards), (sent[0], sent[1]), (wagers[0], wagers[1]))

    def broken_invariants(self, p: Position) -> tuple[Breach, ...]:
        """Each position comes up by legal actions from the start."""
        again = Position()
        while again != p:
            verb, seat = self.turn(again)
            source = {"deal": p.cards, "send": p.sent[seat], "wager": p.wagers[seat]}.get(verb, ())
            done = {"deal": again.cards, "send": again.sent[seat], "wager": again.wagers[seat]}.get(verb, ())
            if len(source) <= len(done) or (verb, source[len(done)]) not in self.legal(again):
                return (Breach("HD-I1", facts(verb=verb)),)
            again = self.apply(again, (verb, source[len(done)]))
        return ()

    # -- hidden and compound --------------------------------------------------------------------

    def sees(self, position: Position, action: Action) -> tuple[int, ...]:
        if action[0] == "deal":
            return (len(position.cards),)
        return (self.actor(position),) if action[0] == "wager" else (0, 1)

    def worlds(self, p: Position, seat: int, random: Random) -> Position:
        other, over = 1 - seat, self.actor(p) == OVER
        if other >= len(p.cards):
            return p
        least = sum(p.wagers[other]) if over else 0
        own = p.cards[seat : seat + 1]
        card = random.choice([c for c in CARDS if c not in own and c >= least])
        wagers = p.wagers[other] if over else self.drawn_wagers(card, len(p.wagers[other]), random)
        return Position(put((*p.cards, 0)[:2], other, card)[: len(p.cards)], p.sent, put(p.wagers, other, wagers))

    def drawn_wagers(self, card: int, count: int, random: Random) -> tuple[int, ...]:
        found: list[int] = []
        while len(found) < count:
            found.append(random.choice([n for n in range(card + 1) if sum(found) + n <= card]))
        return tuple(found)

    def commits(self, position: Position) -> bool:
        return self.turn(position)[0] == "wager"

    def inside(self, position: Position) -> bool:
        verb, seat = self.turn(position)
        return bool({"send": position.sent, "wager": position.wagers}.get(verb, ((), ()))[seat]) if seat >= 0 else False

    def expand(self, position: Position, text: str) -> tuple[Action, ...] | None:
        word, _, rest = text.partition(" ")
        if word not in ("march", "wagers"):
            return None
        form = r"none|[1-3]:[1-3]( [1-3]:[1-3])*" if word == "march" else r"[0-9]( [0-9])*"
        if not re.fullmatch(form, rest):
            raise BadInput(f"cannot read {text!r}", hint="write march HILL:MEN ..., march none or wagers N N")
        if word == "wagers":
            return tuple(("wager", int(number)) for number in rest.split())
        pairs = [(int(pair[0]), int(pair[2])) for pair in rest.split()] if rest != "none" else []
        return tuple(self.marches(dict(pairs)))

    def marches(self, men: Mapping[int, int]) -> Iterator[Action]:
        sent = 0
        for hill in range(1, HILLS + 1):
            yield "send", men.get(hill, 0)
            sent += men.get(hill, 0)
            if sent >= MEN and hill >= max(men):
                return

    def compound(self, position: Position, actions: Sequence[Action]) -> str | None:
        before, after = position, position
        for action in actions:
            before, after = after, self.apply(after, action)
        if self.inside(position) or self.inside(after) or not (len(actions) == 1 or self.inside(before)):
            return None
        verb, numbers = actions[0][0], [number for _, number in actions]
        if verb == "wager":
            return " ".join(["wagers", *map(str, numbers)])
        return " ".join(["march", *([f"{h}:{n}" for h, n in enumerate(numbers, 1) if n] or ["none"])])


ROOM = Room(
    id="hoards", title="Hoards", catalogue=CATALOGUE, players=(2,), default_pack=Path("none"),
    load_pack=lambda path: PACK, read_pack=lambda value, where: convert(value, Pack, where), audit=lambda pack: (),
    build=lambda pack, rulings, players: Hoards(pack, rulings),
)  # fmt: skip


def faulty(**methods: Any) -> Hoards:
    """Return Hoards with methods replaced."""
    kind: Any = type("Faulty", (Hoards,), methods)
    made: Hoards = kind()
    return made

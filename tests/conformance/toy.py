"""Pebbles: a game made up for these tests.  Two seats, a track of eight cells, one die, nothing hidden.

On your turn the die falls (1 to 3); then walk exactly that far, take a pebble from your cell, or rest.
Who reaches the last cell ends the game and gets a bonus; each pebble is a point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.clauses import Catalogue, Clause
from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Effect, Game, Result, ScoreLine, facts
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room
from lawspeaker.model.core.law import Law, law_of, rule
from lawspeaker.model.core.loading import convert
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.rulings import Choice, Ruling, Rulings

LAST = 8
SEATS = ("A", "B")


@rule("PB-WALK-01", without=True)
def on_track(cell: int, roll: int) -> bool:
    return cell + roll <= LAST


@rule("PB-TAKE-01", without=True)
def pebble_here(cell: int, pebbles: tuple[int, ...]) -> bool:
    return cell in pebbles


@rule("PB-REST-01", without=True)
def may_rest(can_walk: bool, choice: str) -> bool:
    return choice == "free" or not can_walk


@rule("PB-END-01", without=0)
def bonus(choice: str) -> int:
    return 3 if choice == "three" else 5


@rule("PB-TAKE-02", without=lambda pebbles, cell: pebbles)
def pebbles_left(pebbles: tuple[int, ...], cell: int) -> tuple[int, ...]:
    return tuple(p for p in pebbles if p != cell)


@rule("PB-TURN-01", without=lambda seat: seat)
def next_seat(seat: int) -> int:
    return 1 - seat


RULES = SimpleNamespace(**{f.__name__: f for f in (on_track, pebble_here, may_rest, bonus, pebbles_left, next_seat)})
LAW = law_of(RULES)

CATALOGUE = Catalogue(
    format="lawspeaker-clauses/1",
    game="pebbles",
    title="Pebbles",
    version=1,
    clauses=(
        Clause("PB-TURN-01", "Turns", "rule", "Turns alternate.", effect="the turn passes to {seat}"),
        Clause("PB-ROLL-01", "Turns", "rule", "A turn begins with the die."),
        Clause("PB-WALK-01", "Walking", "rule", "Nobody walks off the track.",
               breach="from {cell} a walk of {steps} ends beyond " + str(LAST), effect="walks from {cell} to {to}"),
        Clause("PB-WALK-02", "Walking", "rule", "A walk is as long as the die says.", breach="the die shows {roll}"),
        Clause("PB-TAKE-01", "Pebbles", "rule", "A pebble is taken from one's own cell.",
               breach="no pebble lies on {cell}", effect="takes the pebble on {cell}"),
        Clause("PB-TAKE-02", "Pebbles", "rule", "A pebble taken is gone."),
        Clause("PB-REST-01", "Resting", "rule", "Resting.", breach="a walk of {roll} is possible", effect="rests"),
        Clause("PB-END-01", "End", "rule", "The first to arrive gets a bonus."),
    ),
    rulings=(
        Ruling("R_REST", "When may one rest?", "gap", ("PB-REST-01",),
               (Choice("free", "always"), Choice("forced", "only who cannot walk")), "the book is silent"),
        Ruling("R_BONUS", "How large is the bonus?", "contradiction", ("PB-END-01",),
               (Choice("three", "three"), Choice("five", "five")), "two figures"),
    ),
)  # fmt: skip


class PebblesPack(Pack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pebbles: tuple[int, ...] = (1, 2, 3, 4, 5, 6)


PACK = PebblesPack(format="pebbles-pack/1", game="pebbles", id="six", title="six pebbles")


class Position(msgspec.Struct, frozen=True):
    turn: int
    phase: Literal["roll", "act", "over"]
    seat: int
    roll: int
    cells: tuple[int, int]
    pebbles: tuple[int, ...]
    taken: tuple[int, int]
    first: int


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    turn: int
    phase: Literal["roll", "act", "over"]
    seat: Literal["A", "B"]
    roll: int
    cells: dict[str, int]
    pebbles: list[int]
    taken: dict[str, int]
    first: Literal["A", "B"] | None


Action = tuple[str, int]


class Pebbles(Game[Position, Action]):
    id = "pebbles"
    seats = SEATS
    fields = ("turn", "phase", "seat", "roll", "cells", "pebbles", "taken", "first")
    invariants = ("PB-I1", "PB-I2")

    def __init__(self, pack: Pack = PACK, rulings: Rulings | None = None, law: Law = LAW) -> None:
        self.catalogue, self.pack, self.law = CATALOGUE, pack, law
        self.rulings = rulings or CATALOGUE.book.choose()

    def varied(self, *, pack: Any = None, rulings: Any = None, law: Any = None) -> Pebbles:
        return type(self)(pack or self.pack, rulings or self.rulings, law or self.law)

    def start(self) -> Position:
        return Position(1, "roll", 0, 0, (0, 0), self.pack.pebbles, (0, 0), -1)

    def actor(self, position: Position) -> int:
        return {"roll": CHANCE, "over": OVER}.get(position.phase, position.seat)

    def legal(self, p: Position) -> tuple[Action, ...]:
        if p.phase == "roll":
            return tuple(("roll", n) for n in (1, 2, 3))
        if p.phase == "over":
            return ()
        cell = p.cells[p.seat]
        walk = self.law.on_track(cell, p.roll)
        found: list[Action] = [("walk", p.roll)] if walk else []
        if self.law.pebble_here(cell, p.pebbles):
            found.append(("take", 0))
        if self.law.may_rest(walk, self.rulings["R_REST"]):
            found.append(("rest", 0))
        return tuple(found)

    def odds(self, position: Position) -> tuple[Fraction, ...]:
        return (Fraction(1, 3),) * 3

    def apply(self, p: Position, action: Action) -> Position:
        kind, amount = action
        change = msgspec.structs.replace
        if kind == "roll":
            return change(p, phase="act", roll=amount)
        cells, taken, pebbles, first = list(p.cells), list(p.taken), p.pebbles, p.first
        if kind == "walk":
            cells[p.seat] += amount
        elif kind == "take":
            taken[p.seat] += 1
            pebbles = self.law.pebbles_left(pebbles, cells[p.seat])
        if cells[p.seat] >= LAST:
            first = p.seat
        over = first >= 0 or p.turn >= 40
        return Position(p.turn + 1, "over" if over else "roll", self.law.next_seat(p.seat), 0,
                        (cells[0], cells[1]), pebbles, (taken[0], taken[1]), first)  # fmt: skip

    def breaches(self, p: Position, action: Action, by: int | None = None) -> tuple[Breach, ...]:
        kind, amount = action
        actor = self.actor(p)
        if actor == OVER:
            return (Breach("PB-TURN-01", facts(seat="nobody")),)
        if (by is not None and by != actor) or (kind == "roll") != (actor == CHANCE):
            return (Breach("PB-TURN-01", facts(seat=self.actor_name(p))),)
        cell = p.cells[p.seat]
        found = []
        if kind == "walk":
            if amount != p.roll:
                found.append(Breach("PB-WALK-02", facts(roll=p.roll)))
            if not self.law.on_track(cell, amount):
                found.append(Breach("PB-WALK-01", facts(cell=cell, steps=amount)))
        elif kind == "take" and not self.law.pebble_here(cell, p.pebbles):
            found.append(Breach("PB-TAKE-01", facts(cell=cell)))
        elif kind == "rest" and not self.law.may_rest(self.law.on_track(cell, p.roll), self.rulings["R_REST"]):
            found.append(Breach("PB-REST-01", facts(roll=p.roll)))
        return tuple(found)

    def effects(self, p: Position, action: Action) -> tuple[Effect, ...]:
        cell, (kind, amount) = p.cells[p.seat], action
        if kind == "roll":
            return (Effect("PB-ROLL-01"),)
        clause = {"walk": "PB-WALK-01", "take": "PB-TAKE-01", "rest": "PB-REST-01"}[kind]
        turn = Effect("PB-TURN-01", facts(seat=SEATS[1 - p.seat]))
        extra = (Effect("PB-TAKE-02"),) if kind == "take" else ()
        return (Effect(clause, facts(cell=cell, to=cell + amount)), *extra, turn)

    def touched(self, p: Position, action: Action, after: Position) -> tuple[str, ...]:
        return tuple(e.clause for e in self.effects(p, action))

    def alphabet(self, position: Position) -> Iterable[Action]:
        yield from (("roll", n) for n in (1, 2, 3))
        yield from (("walk", n) for n in (1, 2, 3))
        yield from (("take", 0), ("rest", 0))

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        return {"you": SEATS[seat], **self.record(position)}

    def permuted(self, p: Position, order: Sequence[int]) -> Position | None:
        cells, taken = ((v[order[0]], v[order[1]]) for v in (p.cells, p.taken))
        first = order[p.first] if p.first >= 0 else -1
        return msgspec.structs.replace(p, seat=order[p.seat], cells=cells, taken=taken, first=first)

    def result(self, p: Position) -> Result:
        scores = [p.taken[s] + (self.law.bonus(self.rulings["R_BONUS"]) if p.first == s else 0) for s in (0, 1)]
        lines = tuple(ScoreLine(s, "in all", scores[s], "PB-END-01") for s in (0, 1))
        winners = tuple(s for s in (0, 1) if scores[s] == max(scores)) if p.phase == "over" else ()
        return Result((scores[0], scores[1]), lines, winners)

    def appeal(self, view: Mapping[str, Any], actions: Sequence[Action]) -> Sequence[float]:
        return [{"take": 3.0, "walk": 2.0}.get(kind, 1.0) for kind, _ in actions]

    def text(self, action: Action) -> str:
        kind, amount = action
        return f"{kind} {amount}" if kind in ("roll", "walk") else kind

    def parse(self, text: str) -> Action:
        kind, _, amount = text.partition(" ")
        if kind in ("roll", "walk") and amount in ("1", "2", "3"):
            return kind, int(amount)
        if text in ("take", "rest"):
            return text, 0
        raise BadInput(f"{text!r} is no action", hint="roll N, walk N, take, rest")

    def kind(self, action: Action) -> str:
        return action[0]

    def sees(self, position: Position, action: Action) -> tuple[int, ...]:
        return (0, 1)

    def record(self, p: Position) -> dict[str, Any]:
        return {
            "turn": p.turn, "phase": p.phase, "seat": SEATS[p.seat], "roll": p.roll,
            "cells": dict(zip(SEATS, p.cells, strict=True)), "pebbles": sorted(p.pebbles),
            "taken": dict(zip(SEATS, p.taken, strict=True)), "first": SEATS[p.first] if p.first >= 0 else None,
        }  # fmt: skip

    def position(self, record: Mapping[str, Any]) -> Position:
        r = convert(dict(record), Record, "position")
        if set(r.cells) != set(SEATS) or set(r.taken) != set(SEATS):
            raise BadInput("needs exactly the seats A and B", where="position")
        return Position(r.turn, r.phase, SEATS.index(r.seat), r.roll, (r.cells["A"], r.cells["B"]),
                        tuple(sorted(r.pebbles)), (r.taken["A"], r.taken["B"]),
                        SEATS.index(r.first) if r.first else -1)  # fmt: skip

    def broken_invariants(self, p: Position) -> tuple[Breach, ...]:
        found = []
        if not all(0 <= cell <= LAST for cell in p.cells):
            found.append(Breach("PB-I1", facts(cells=p.cells)))
        if len(set(p.pebbles)) != len(p.pebbles) or not set(p.pebbles) <= set(self.pack.pebbles):
            found.append(Breach("PB-I2", facts(pebbles=p.pebbles)))
        return tuple(found)


def _read_pack(value: Any, where: str) -> Pack:
    return convert(value, PebblesPack, where)


ROOM = Room(
    id="pebbles", title="Pebbles", catalogue=CATALOGUE, players=(2,), default_pack=Path("none"),
    load_pack=lambda path: PACK, read_pack=_read_pack, audit=lambda pack: (),
    build=lambda pack, rulings, players: Pebbles(pack, rulings),
)  # fmt: skip


def faulty(**functions: Any) -> Pebbles:
    """Return Pebbles with rule functions exchanged."""
    return Pebbles(law=LAW.replace(**functions))

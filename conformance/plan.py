"""What a layer is made of: budgets, sampled positions, and the plans that a subject is put through."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Picker, Rare, Step, sensible, uniform

from . import messages as m
from .match import UNKNOWN, Line, Op


class Budget(msgspec.Struct, frozen=True):
    """How much is done: games from the start, positions set up, nodes of perft, probes a position, calls to shrink."""

    name: str
    games: int
    positions: int
    follow: int
    perft: int
    probes: int
    others: int
    shrink: int
    judged: int
    edges: int = 300
    """Positions made to come close to thresholds."""


SMALL = Budget("small", games=1, positions=12, follow=4, perft=60, probes=8, others=4, shrink=400, judged=600)
DEFAULT = Budget(
    "default", games=4, positions=60, follow=6, perft=600, probes=12, others=16, shrink=3000, judged=1500, edges=2500
)
DEEP = Budget(
    "deep", games=40, positions=600, follow=10, perft=20_000, probes=24, others=100, shrink=20_000, judged=6000,
    edges=30_000,
)  # fmt: skip
BUDGETS = {budget.name: budget for budget in (SMALL, DEFAULT, DEEP)}


class Plan(msgspec.Struct, frozen=True):
    """One case: its id, what it claims, and the line to play.

    *online* plans are played with a policy as they go, since only the subject knows chance.
    """

    id: str
    title: str
    line: Line
    clauses: tuple[str, ...] = ()
    online: bool = False
    wrong: str = ""
    """Why it is not played: what the reference itself has wrong."""


class Sample(msgspec.Struct, frozen=True):
    """A position of a playout, with the steps that led there."""

    game: AnyGame
    steps: tuple[Step, ...]
    index: int

    @property
    def position(self) -> Any:
        """The position."""
        return self.steps[self.index].before

    def approach(self, setup: bool) -> Line:
        """Return the way there: set up, or played from the start."""
        if setup:
            return Line(self.game.record(self.position), ())
        return Line(None, tries(self.game, self.steps[: self.index]))

    def onward(self, count: int) -> tuple[Op, ...]:
        """Return the next steps of the playout as operations."""
        return tries(self.game, self.steps[self.index : self.index + count])


def tries(game: AnyGame, played: Iterable[Step]) -> tuple[Op, ...]:
    """Return steps of play as operations."""
    return tuple(Op("try", game.actor_name(s.before), game.text(s.action)) for s in played)


def policy(number: int) -> Picker:
    """Return the policy of game *number*: rare, sensible and uniform take turns."""
    return (Rare(), sensible, uniform)[number % 3]


class Placed(msgspec.Struct, frozen=True):
    """A position given by a file: its id, a little play from it, and how many sequences of each length there are."""

    id: str
    place: Sample
    nodes: tuple[int, ...] = ()
    beginning: bool = False


class Context(msgspec.Struct, frozen=True):
    """What the makers of plans need to know."""

    game: AnyGame
    caps: m.Capabilities
    mode: m.ChanceMode
    seed: int
    budget: Budget
    samples: tuple[Sample, ...]
    given: tuple[Placed, ...] = ()

    def random(self, *words: object) -> Random:
        """Return a generator for one place of the run."""
        return Random(" ".join(str(w) for w in (self.seed, *words)))


def until_chance(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """Return the operations up to the first outcome, which the subject draws for itself."""
    for n, op in enumerate(ops):
        if op.by == "chance":
            return (*ops[:n], Op("try", "chance", UNKNOWN))
    return ops


def on(c: Context, place: Sample, ops: tuple[Op, ...]) -> Line:
    """Return the way to a sampled position, then these operations."""
    way = place.approach(c.caps.setup)
    return Line(way.record, (*way.ops, *ops))

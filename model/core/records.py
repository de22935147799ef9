"""Plain result records and the events that carry them.

Whoever checks something (scenarios, properties, solver, referee, faults) returns or emits these;
whoever shows something (terminal, HTML, Markdown, JUnit, JSON) reads only these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

Verdict = Literal[
    "pass",
    "fail",
    "another reading",
    "not applicable",
    "expected failure",
    "unexpected pass",
    "no answer",
    "error",
]
GREEN: tuple[Verdict, ...] = ("pass", "expected failure", "not applicable", "another reading")

FindingKind = Literal["conflict", "gap", "split", "silent", "overridden", "vacuous", "restates", "refuted", "proven"]
Carried = Literal["none", "situation", "position", "game"]


class Stamp(msgspec.Struct, frozen=True):
    """What a result was computed with."""

    game: str
    catalogue: int
    pack: str
    pack_digest: str
    pack_provenance: str
    rulings: dict[str, str]
    seed: int = 0
    version: str = ""


class ClauseRow(msgspec.Struct, frozen=True, tag="clause"):
    """Coverage of one clause.  ``exercised`` counts steps at which its condition was true.

    ``decisive`` names what differs without it or its group of restatements ("" if nothing was seen to).
    """

    game: str
    clause: str
    heading: str
    kind: str
    text: str
    cited: tuple[str, ...] = ()
    exercised: int = 0
    decisive: str = ""
    unchecked: str = ""
    restates: tuple[str, ...] = ()


class ChoiceOutcome(msgspec.Struct, frozen=True):
    """How a scenario came out under one choice of rulings."""

    rulings: str
    verdict: Verdict
    said: str = ""


class ScenarioResult(msgspec.Struct, frozen=True, tag="scenario"):
    """One scenario, run under each choice it speaks about."""

    game: str
    id: str
    title: str
    clauses: tuple[str, ...]
    verdict: Verdict
    outcomes: tuple[ChoiceOutcome, ...]
    worked_example: bool = False
    finding: str = ""
    position: dict[str, Any] | None = None


class FindingRecord(msgspec.Struct, frozen=True, tag="finding"):
    """What the solver shows about the rulebook, with its core, its least witness, and its readings.

    ``situation`` is the least situation in the stated order; ``position`` a valid position that shows
    it; ``trace`` a complete game that reaches it.  ``bounds`` says how far a proof speaks.
    ``ours`` are clauses that the book lacks; ``texts`` says in words what those say that stand in no
    catalogue.
    """

    game: str
    id: str
    kind: FindingKind
    topic: str
    title: str
    core: tuple[str, ...]
    ours: tuple[str, ...] = ()
    ruling: str = ""
    readings: dict[str, str] = {}
    situation: dict[str, Any] = {}
    assumptions: tuple[str, ...] = ()
    carried: Carried = "none"
    position: dict[str, Any] | None = None
    trace: str = ""
    bounds: str = ""
    note: str = ""
    texts: dict[str, str] = {}


class TopicRow(msgspec.Struct, frozen=True, tag="topic"):
    """One solver topic or claim and how it ended; ``unknown`` is shown and never counted as proof."""

    game: str
    id: str
    question: str
    form: Literal["topic", "claim", "reachability"]
    verdict: Literal["closed", "open", "proven", "refuted", "witness", "unknown"]
    said: str = ""
    situations: int = 0
    monitored: int = 0
    milliseconds: int = 0


class CheckRow(msgspec.Struct, frozen=True, tag="check"):
    """One property, invariant, audit or monitor over play; ``times`` is how often it really ran."""

    game: str
    id: str
    title: str
    verdict: Verdict
    times: int = 0
    said: str = ""


class Difference(msgspec.Struct, frozen=True):
    """One place where subject and reference differ; ``only`` lists are for sets."""

    path: str
    reference: Any = None
    subject: Any = None
    only_reference: tuple[str, ...] = ()
    only_subject: tuple[str, ...] = ()


class CaseResult(msgspec.Struct, frozen=True, tag="case"):
    """One conformance check: which layer, its verdict and, unless it passed, everything to act on.

    ``trace`` is the shrunk trace as text, ``actions`` its number of actions, ``repeat`` the command
    that repeats it, ``blame`` one of book, model, harness, adapter, engine,
    adapter or engine, reference.
    """

    game: str
    layer: str
    id: str
    verdict: Verdict
    title: str = ""
    clauses: tuple[str, ...] = ()
    said: str = ""
    worked: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    trace: str = ""
    actions: int = 0
    calls: int = 0
    explained_by: str = ""
    repeat: str = ""
    blame: str = ""
    evidence: str = ""
    """On what the blame rests."""
    same_as: str = ""
    """``LAYER/ID`` of an earlier case that failed in the same way; empty for the first of its sort."""
    unshrunk: str = ""
    """Why it may not be as small as it could be; empty where nothing was left untried."""
    expected: str = ""
    """Why a failure is expected, as the file of expected failures says it."""


class FaultRow(msgspec.Struct, frozen=True, tag="fault"):
    """One faulty variant of a model and what became of it."""

    game: str
    id: str
    fault_class: str
    clause: str
    mechanical: bool
    what: str
    outcome: Literal["caught", "equivalent", "unreachable", "missed"]
    witness: str = ""
    layer: str = ""
    actions_to_catch: int = 0
    shrunk_length: int = 0
    calls: int = 0
    shrink_calls: int = 0
    parts: tuple[str, ...] = ()
    """The two faults planted together; none for a single one."""
    hides: tuple[str, ...] = ()
    """Those parts that no longer show where they show alone."""


class Started(msgspec.Struct, frozen=True, tag="started"):
    """A job has begun; ``total`` is 0 when its length is not known."""

    job: str
    game: str
    total: int = 0


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """A job goes on: *done* of its total."""

    job: str
    game: str
    done: int
    label: str = ""


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """A job has ended."""

    job: str
    game: str
    said: str = ""


class Conformed(msgspec.Struct, frozen=True, tag="conformed"):
    """One conformance run has ended: who was tested with how many players, and how much was compared.

    ``fingerprint`` has a line a ruling, ``texts`` the clauses that the run's cases name, in our own words.
    """

    game: str
    players: int
    subject: str
    level: int
    mode: str
    checked: int
    calls: int
    starts: int
    reference: str = ""
    not_compared: tuple[str, ...] = ()
    fingerprint: tuple[str, ...] = ()
    never_asked: tuple[str, ...] = ()
    texts: dict[str, str] = {}


class Stamped(msgspec.Struct, frozen=True, tag="stamp"):
    """What the records that follow were computed with."""

    stamp: Stamp


Record = ClauseRow | ScenarioResult | FindingRecord | TopicRow | CheckRow | CaseResult | FaultRow
Event = Started | Progress | Finished | Stamped | Conformed | Record
Emit = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Take an event and do nothing: the listener of a caller who wants only the return value."""

"""Synthetic records of every kind and verdict, as the parts of the harness would emit them."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from lawspeaker.model.core.records import (
    CaseResult,
    CheckRow,
    ChoiceOutcome,
    ClauseRow,
    Difference,
    Event,
    FaultRow,
    FindingKind,
    FindingRecord,
    Finished,
    Progress,
    ScenarioResult,
    Stamp,
    Stamped,
    Started,
    TopicRow,
    Verdict,
)
from lawspeaker.reports.events import Collected
from lawspeaker.reports.html import Frame, GamePage, TraceView

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
KINDS: tuple[FindingKind, ...] = get_args(FindingKind)


def _tile(name: str, sides: str, centre: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "sides": sides, "centre": centre, **more}


PACK: dict[str, Any] = {
    "id": "made-up",
    "provenance": "estimated",
    "slots": 1,
    "tiles": [
        _tile("S1", "FFMMSS", "F", start=True),
        _tile("S2", "SSFMMF", "M", start=True),
        _tile("S3", "MFFSSM", "M", start=True),
        _tile("T04", "FFFFSS", "F"),
        _tile("T05", "FSSFMM", "S", segments=[[0], [3]], land=[[0], [3, 4, 5]]),
        _tile("T06", "MMMMMM", "M"),
        _tile("T07", "FFFFFF", "F"),
        _tile("T08", "SFSFSF", "S"),
    ],
}

POSITION: dict[str, Any] = {
    "round": 2,
    "phase": "drawn",
    "starter": "A",
    "seat": "B",
    "pile": ["T07", "T08"],
    "open": ["T06"],
    "drawn": "T05",
    "set_aside": True,
    "told": False,
    "board": [[0, 0, "S1", 0], [1, -1, "S2", 0], [1, 0, "S3", 1], [2, -1, "T04", 2]],
    "last": [2, -1],
    "from_pile": True,
    "farms": {"A": ["0,0/0"], "B": ["1,-1/0"]},
    "fields": {"A": ["2,-1/0"], "B": ["1,-1/1"]},
    "placer": None,
    "first": None,
    "points": [[10, 9]],
}


def judged(game: str, n: int, verdict: Verdict) -> list[Event]:
    """A scenario, a check and a case of one verdict."""
    found: list[Event] = []
    slug = verdict.replace(" ", "-")
    said = "" if verdict == "pass" else f"because of {verdict}"
    outcomes = (ChoiceOutcome("", verdict, said), ChoiceOutcome("R_A=two", "pass"))
    found.append(
        ScenarioResult(
            game,
            f"s-{slug}",
            f"Scenario {verdict}",
            ("FD-TILE-02",),
            verdict,
            outcomes,
            worked_example=n < 2,
            finding="F-gap" if n == 1 else "",
            position=POSITION if n == 1 else None,
        )
    )
    found.append(CheckRow(game, f"k-{slug}", f"Check {verdict}", verdict, 10 * n + 1, said))
    found.append(
        CaseResult(
            game,
            "lockstep",
            f"c-{slug}",
            verdict,
            f"Case {verdict}",
            ("FD-TILE-03",),
            f"{said}\x00\x1b[31m",
            ("two contacts are needed", "one is there"),
            (Difference("$.legal", only_subject=("place T05 1,1 r0",)),),
            "fjords\nplace T05 1,1 r0\n",
            1,
            3,
            repeat="lawspeaker conform fjords -- x",
            blame="engine",
        )
    )
    return found


def finding_of(game: str, kind: FindingKind) -> FindingRecord:
    return FindingRecord(
        game,
        f"F-{kind}",
        kind,
        "who-starts",
        f"A finding of kind {kind}",
        ("FD-TILE-02", "FD-TILE-03"),
        ("O-ONE",),
        "R_A",
        {"one": "the first reading", "two": "the second <b>reading</b>"},
        {"place": "3,-1", "tiles": 4, "full": True},
        ("reachable",),
        "position" if kind in ("gap", "refuted") else "none",
        POSITION if kind in ("gap", "refuted") else None,
        bounds="up to 6 tiles",
        note="a note",
    )


def events_of(game: str = "fjords") -> list[Event]:
    """Every kind of record, each verdict at least once."""
    stamp = Stamp(game, 3, "made-up", "sha256:" + "ab" * 32, "estimated", {"R_A": "one", "R_B": "two"}, 7, "0.1")
    found: list[Event] = [
        Stamped(stamp),
        Started("scenarios", game, 8),
        Progress("scenarios", game, 4, "half"),
        ClauseRow(
            game, "FD-TILE-02", "Placing", "rule", "A new tile touches two sides.", ("rules", "S-1"), 1200, "legal set"
        ),
        ClauseRow(game, "FD-TILE-03", "Placing", "rule", "All land is <one> landmass & no more.", (), 0, ""),
        ClauseRow(game, "FD-TIP-01", "Advice", "advice", "Think ahead.", unchecked="advice", restates=("FD-TILE-02",)),
    ]
    found += [event for n, verdict in enumerate(VERDICTS) for event in judged(game, n, verdict)]
    found += [finding_of(game, kind) for kind in KINDS]
    forms = ("closed", "open", "proven", "refuted", "witness", "unknown")
    found += [TopicRow(game, f"q-{v}", f"Question {v}?", "claim", v, "", 12, 3) for v in forms]  # type: ignore[arg-type]
    outcomes = ("caught", "equivalent", "unreachable", "missed")
    found += [FaultRow(game, f"m-{o}", "skipped update", "FD-TILE-02", True, f"A {o} fault", o) for o in outcomes]  # type: ignore[arg-type]
    found.append(Finished("scenarios", game, "8 scenarios"))
    return found


@pytest.fixture
def events() -> list[Event]:
    return events_of()


@pytest.fixture
def collected() -> Collected:
    return Collected(events_of())


@pytest.fixture
def position() -> dict[str, Any]:
    return POSITION


@pytest.fixture
def pack() -> dict[str, Any]:
    return PACK


@pytest.fixture
def page() -> GamePage:
    after = {
        **POSITION,
        "drawn": None,
        "phase": "farm",
        "last": [0, 1],
        "board": sorted([*POSITION["board"], [0, 1, "T05", 0]]),
    }
    farmed = {**after, "phase": "choose", "last": None, "farms": {"A": ["0,0/0"], "B": ["0,1/0", "1,-1/0"]}}
    frames = (
        Frame("", "", (), POSITION),
        Frame("place T05 0,1 r0", "B", ("two sides touch, two are needed",), after),
        Frame("farm 0,1/0", "B", (), farmed),
    )
    ruling = {
        "id": "R_A",
        "question": "Which reading?",
        "kind": "ambiguity",
        "clauses": ["FD-TILE-02"],
        "choices": [{"value": "one", "means": "the first"}, {"value": "two", "means": "the second"}],
        "reason": "The first fits the examples.",
    }
    trace = TraceView("F-gap", "How it comes about", frames, "fjords trace\n")
    return GamePage("Fjords", PACK, {}, (ruling,), (trace, TraceView("play", "A </script> game", frames)))

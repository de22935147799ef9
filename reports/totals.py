"""What a run comes to: the totals of a game and the list of what is wrong, the same for all reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from lawspeaker.model.core.records import (
    GREEN,
    CaseResult,
    CheckRow,
    ClauseRow,
    FindingRecord,
    ScenarioResult,
    TopicRow,
    Verdict,
)

from .events import Collected, GameRecords

NEEDS_POSITION = ("conflict", "gap", "split")
"""Kinds of finding that count in the totals only once a valid position shows them."""


class Problem(msgspec.Struct, frozen=True):
    """One thing that is not as expected: in which job, its id, its verdict, one line of reason."""

    job: str
    id: str
    verdict: str
    reason: str
    clauses: tuple[str, ...] = ()


class Share(msgspec.Struct, frozen=True):
    """So many of so many."""

    of: int
    count: int

    def __str__(self) -> str:
        return f"{self.count}/{self.of}"


class Totals(msgspec.Struct, frozen=True):
    """The totals of one game.  Clause shares are over the normative clauses (kind ``rule``)."""

    game: str
    cited: Share
    exercised: Share
    decisive: Share
    examples: Share
    scenarios: Mapping[str, int]
    findings: Mapping[str, int]
    unplaced: int
    topics: Mapping[str, int]
    checks: Mapping[str, int]
    cases: Mapping[str, int]
    faults: Mapping[str, int]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether everything came out as expected."""
        return not self.problems


def exit_code(collected: Collected) -> int:
    """Return 0 if every game is as expected, 1 if something failed or nothing was checked."""
    totals = [totals_of(records) for records in collected]
    return 0 if totals and all(t.ok for t in totals) else 1


def totals_of(records: GameRecords) -> Totals:
    """Return the totals of a game."""
    rules = [row for row in records.clauses if row.kind == "rule"]
    examples = [s for s in records.scenarios if s.worked_example]
    unplaced = sum(1 for f in records.findings if not counts(f))
    return Totals(
        game=records.game,
        cited=Share(len(rules), sum(1 for row in rules if row.cited)),
        exercised=Share(len(rules), sum(1 for row in rules if row.exercised)),
        decisive=Share(len(rules), sum(1 for row in rules if row.decisive)),
        examples=Share(len(examples), sum(1 for s in examples if reproduced(s))),
        scenarios=_count(s.verdict for s in records.scenarios),
        findings=_count(f.kind for f in records.findings if counts(f)),
        unplaced=unplaced,
        topics=_count(t.verdict for t in records.topics),
        checks=_count(c.verdict for c in records.checks),
        cases=_count(c.verdict for c in records.cases),
        faults=_count(f.outcome for f in records.faults),
        problems=tuple(_problems(records)),
    )


def _count(words: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))


def counts(finding: FindingRecord) -> bool:
    """Whether a finding counts: one that speaks of play needs a valid position."""
    return finding.kind not in NEEDS_POSITION or finding.carried in ("position", "game")


def reproduced(scenario: ScenarioResult) -> bool:
    """Whether a worked example comes out under at least one choice of rulings."""
    return scenario.verdict == "pass" or any(o.verdict == "pass" for o in scenario.outcomes)


def green(verdict: Verdict) -> bool:
    """Whether a verdict is one that was expected."""
    return verdict in GREEN


def uncovered(row: ClauseRow) -> tuple[str, ...]:
    """Return the degrees of coverage that a normative clause lacks without a listed reason."""
    if row.kind != "rule" or row.unchecked:
        return ()
    degrees = {"cited": bool(row.cited), "exercised": row.exercised > 0, "decisive": bool(row.decisive)}
    return tuple(name for name, there in degrees.items() if not there)


def _problems(records: GameRecords) -> Iterator[Problem]:
    for row in records.clauses:
        if missing := uncovered(row):
            reason = f"never {', never '.join(missing)}, and no reason is listed"
            yield Problem("clauses", row.clause, "fail", reason, (row.clause,))
    for scenario in records.scenarios:
        if not green(scenario.verdict):
            yield Problem("scenarios", scenario.id, scenario.verdict, scenario_reason(scenario), scenario.clauses)
    for topic in records.topics:
        if topic.verdict == "open":
            yield Problem("topics", topic.id, "fail", topic.said or "has not exactly one answer everywhere")
    for check in records.checks:
        if reason := check_reason(check):
            yield Problem("checks", check.id, check.verdict, reason)
    for case in records.cases:
        if not green(case.verdict):
            yield Problem("conformance", case.id, case.verdict, case_reason(case), case.clauses)
    for job in records.unfinished:
        yield Problem("run", job, "error", "the job began and did not end")
    if not any((records.scenarios, records.topics, records.checks, records.cases, records.faults, records.clauses)):
        yield Problem("run", records.game, "error", "nothing was checked")


def scenario_reason(scenario: ScenarioResult) -> str:
    """Return in one line what made a scenario's verdict: first of all what is not as expected."""
    telling = [o for o in scenario.outcomes if not green(o.verdict)]
    telling = telling or [o for o in scenario.outcomes if o.verdict == scenario.verdict != "pass"]
    said = [f"{o.rulings or 'default'}: {o.said or o.verdict}" for o in telling]
    return first_line("; ".join(said) or scenario.title)


def check_reason(check: CheckRow) -> str:
    """Return in one line why a check is not as expected, "" if it is; one that never ran is not."""
    if not green(check.verdict):
        return first_line(check.said or check.title)
    if check.verdict == "pass" and check.times == 0:
        return "passed without having run once"
    return ""


def case_reason(case: CaseResult) -> str:
    """Return in one line why a conformance case is not as expected."""
    return first_line(case.said or case.title or case.verdict)


def topic_stands(topic: TopicRow) -> str:
    """Return what the verdict of a topic means, in words."""
    return {
        "closed": "one answer everywhere",
        "open": "not one answer everywhere",
        "proven": "holds within its bounds",
        "refuted": "does not hold",
        "witness": "can happen",
        "unknown": "not decided: neither proof nor refutation",
    }[topic.verdict]


def first_line(text: str, width: int = 160) -> str:
    """Return the first line of a text, cut at *width*."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    return line if len(line) <= width else line[: width - 1] + "…"

"""What the solver asks about Fjords: topics, claims, reachability, and how far witnesses were carried."""

from __future__ import annotations

from typing import Any

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.records import CheckRow, Emit, FindingRecord, Progress, TopicRow, ignore

MONITOR_SEEDS = (1,)
DEEP_SEEDS = tuple(range(1, 9))


def run(emit: Emit = ignore, deep: bool = False) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Ask everything about Fjords; return findings, rows of topics and claims, and checks.

    ``deep`` asks heavy claims anew and watches more games.  The caller emits what is returned;
    *emit* gets progress only.
    """
    from . import claims

    findings, rows, checks = topic_results(emit)
    for finding, row in claims.results(deep):
        emit(Progress("solver", "fjords", 0, f"claim {row.id}"))
        rows.append(row)
        if finding is not None:
            findings.append(finding)
    checks += watch(emit, DEEP_SEEDS if deep else MONITOR_SEEDS)
    monitored = {check.id.removeprefix("monitor-"): check.times for check in checks}
    return findings, [_monitored(row, monitored) for row in rows], checks


def topic_results(emit: Emit = ignore) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Analyse every topic, and replay the stored games that show its findings."""
    from lawspeaker.model.fjords.room import CATALOGUE
    from lawspeaker.solver.analysis import analyse

    from . import witnesses
    from .topics import topics

    findings: list[FindingRecord] = []
    rows: list[TopicRow] = []
    for number, topic in enumerate(topics().values()):
        emit(Progress("solver", "fjords", number, f"topic {topic.id}"))
        report = analyse(topic, CATALOGUE.book)
        rows.append(report.row)
        findings += report.findings
    replayed = dict((finding.id, (finding, row)) for finding, row in witnesses.replay_all(findings))
    carried = [replayed[f.id][0] if f.id in replayed else f for f in findings]
    return carried, rows, [row for _, row in replayed.values()]


def watch(emit: Emit, seeds: tuple[int, ...]) -> list[CheckRow]:
    """Run the equality monitors and the audits of abstractions over seeded games."""
    from lawspeaker.model.fjords.game import FjordsGame

    from . import audits, monitors

    game = make_game("fjords")
    assert isinstance(game, FjordsGame)
    emit(Progress("solver", "fjords", 0, "monitors"))
    return [*monitors.run_monitors(game, seeds), *audits.abstraction_rows(game, seeds)]


def packs() -> dict[str, dict[str, Any]]:
    """Return the packs of findings whose position needs its own, by finding id."""
    from . import claims

    return claims.packs()


def _monitored(row: TopicRow, times: dict[str, int]) -> TopicRow:
    from msgspec.structs import replace

    return replace(row, monitored=times.get(row.id, 0)) if row.form == "topic" else row

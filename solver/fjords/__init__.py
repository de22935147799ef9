"""What the solver asks about Fjords: topics, claims, reachability, and how far witnesses were carried."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.records import CheckRow, Emit, FindingRecord, Progress, TopicRow, ignore
from lawspeaker.solver.answers import Kept, Store, committed_file
from lawspeaker.solver.topics import Topic

from .costs import read_costs, with_cost
from .witnesses import FOLDER

MONITOR_SEEDS = (1,)
DEEP_SEEDS = tuple(range(1, 9))


def run(emit: Emit = ignore, deep: bool = False) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Ask everything about Fjords; return findings, rows of topics and claims, and checks.

    Topics and heavy claims are taken from the last run if nothing that they depend on has changed;
    ``deep`` asks them anew and watches more games.  The caller emits what is returned; *emit* gets
    progress only.
    """
    from . import claims

    store = Store("fjords")
    findings, rows, checks = topic_results(store, emit, deep)
    for finding, row in claims.results(store, deep):
        emit(Progress("solver", "fjords", 0, f"claim {row.id}"))
        rows.append(row)
        if finding is not None:
            findings.append(finding)
    store.save()
    known = read_costs(make_game("fjords"))
    findings = [with_cost(finding, known) for finding in findings]
    seeds, rounds = (DEEP_SEEDS, 3) if deep else (MONITOR_SEEDS, 1)
    checks += watch(emit, seeds, rounds, findings)
    monitored = {check.id.removeprefix("monitor-"): check.times for check in checks}
    return findings, [_monitored(row, monitored) for row in rows], checks


def topic_results(
    store: Store, emit: Emit = ignore, deep: bool = False
) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Analyse every topic (or take its kept analysis), and replay the stored games that show its findings."""
    from . import witnesses
    from .topics import topics

    findings: list[FindingRecord] = []
    rows: list[TopicRow] = []
    checks: list[CheckRow] = []
    for number, topic in enumerate(topics().values()):
        emit(Progress("solver", "fjords", number, f"topic {topic.id}"))
        kept = None if deep else store.get(f"topic {topic.id}")
        asked = kept or _analysed(topic)
        carried = list(witnesses.replay_all(asked.findings, same=kept is not None))
        findings += [finding for finding, _ in carried]
        checks += [check for _, check in carried if check is not None]
        rows.append(replace(asked.row, said=f"{asked.row.said} (stored)") if kept else asked.row)
        if kept is None:
            store.put(f"topic {topic.id}", Kept(tuple(finding for finding, _ in carried), asked.row))
    return findings, rows, checks


def _analysed(topic: Topic) -> Kept:
    from lawspeaker.model.fjords.room import CATALOGUE
    from lawspeaker.solver.analysis import analyse

    report = analyse(topic, CATALOGUE.book)
    return Kept(report.findings, report.row)


def refresh() -> None:
    """Ask every topic and heavy claim anew; write the answers and positions that are committed with the source."""
    from . import claims

    store = Store("fjords")
    topic_results(store, deep=True)
    for _ in claims.results(store, deep=True):
        pass
    store.save(committed_file("fjords"))
    claims.store_positions(FOLDER)


def watch(emit: Emit, seeds: tuple[int, ...], rounds: int, findings: Iterable[FindingRecord] = ()) -> list[CheckRow]:
    """Run the equality monitors and the audits of abstractions over seeded games."""
    from lawspeaker.model.fjords.game import FjordsGame

    from . import audits, monitors

    game = make_game("fjords")
    assert isinstance(game, FjordsGame)
    emit(Progress("solver", "fjords", 0, "monitors"))
    return [*monitors.run_monitors(game, seeds, rounds, findings), *audits.abstraction_rows(game, seeds)]


def packs() -> dict[str, dict[str, Any]]:
    """Return the packs of findings whose position needs its own, by finding id."""
    from . import claims

    return claims.packs()


def _monitored(row: TopicRow, times: dict[str, int]) -> TopicRow:
    return replace(row, monitored=times.get(row.id, 0)) if row.form == "topic" else row

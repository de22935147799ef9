"""Asking everything about a game: topics, claims, stored witnesses, monitors, audits."""

from __future__ import annotations

from msgspec.structs import replace

from lawspeaker.model.core.games import room
from lawspeaker.model.core.records import CheckRow, Emit, FindingRecord, Progress, TopicRow, ignore

from . import witnesses
from .analysis import analyse
from .answers import Kept, Store, committed_file
from .costs import FILE, read_costs, with_cost
from .frame import GameQuestions
from .topics import Topic
from .watching import WHOLE, run_monitors

MONITOR_SEEDS = (1,)
DEEP_SEEDS = tuple(range(1, 9))


def run(
    questions: GameQuestions, emit: Emit = ignore, deep: bool = False
) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Ask everything about a game; return findings, rows of topics and claims, and checks.

    Topics and heavy claims are taken from the last run if nothing that they depend on has changed;
    ``deep`` asks them anew and watches more games.  The caller emits what is returned; *emit* gets
    progress only.
    """
    store = Store(questions.game)
    findings, rows, checks = topic_results(questions, store, emit, deep)
    for finding, row in questions.results(store, deep):
        emit(Progress("solver", questions.game, 0, f"claim {row.id}"))
        rows.append(row)
        if finding is not None:
            findings.append(finding)
    store.save()
    known = read_costs(questions.make(), questions.folder / FILE)
    findings = [with_cost(finding, known) for finding in findings]
    seeds, rounds = (DEEP_SEEDS, WHOLE) if deep else (MONITOR_SEEDS, 1)
    emit(Progress("solver", questions.game, 0, "monitors"))
    game = questions.make()
    checks += [*run_monitors(questions, game, seeds, rounds, findings), *questions.audits(game, seeds)]
    monitored = {check.id.removeprefix("monitor-"): check.times for check in checks}
    return findings, [_monitored(row, monitored) for row in rows], checks


def topic_results(
    questions: GameQuestions, store: Store, emit: Emit = ignore, deep: bool = False
) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Analyse every topic (or take its kept analysis), and replay the stored games that show its findings."""
    findings: list[FindingRecord] = []
    rows: list[TopicRow] = []
    checks: list[CheckRow] = []
    for number, topic in enumerate(questions.topics().values()):
        emit(Progress("solver", questions.game, number, f"topic {topic.id}"))
        kept = None if deep else store.get(f"topic {topic.id}")
        asked = kept or _analysed(topic)
        carried = list(witnesses.replay_all(questions, asked.findings, same=kept is not None))
        findings += [finding for finding, _ in carried]
        checks += [check for _, check in carried if check is not None]
        rows.append(replace(asked.row, said=f"{asked.row.said} (stored)") if kept else asked.row)
        if kept is None:
            store.put(f"topic {topic.id}", Kept(tuple(finding for finding, _ in carried), asked.row))
    return findings, rows, checks


def _analysed(topic: Topic) -> Kept:
    report = analyse(topic, room(topic.game).catalogue.book)
    return Kept(report.findings, report.row)


def refresh(questions: GameQuestions) -> None:
    """Ask every topic and heavy claim anew; write the answers and positions that are committed with the source."""
    store = Store(questions.game)
    topic_results(questions, store, deep=True)
    for _ in questions.results(store, True):
        pass
    store.save(committed_file(questions.game))
    questions.store_positions(questions.folder)


def _monitored(row: TopicRow, times: dict[str, int]) -> TopicRow:
    return replace(row, monitored=times.get(row.id, 0)) if row.form == "topic" else row

"""Verifying a rulebook: which jobs there are, and how their records come together.

Each job is a plain function from a game's id to a list of events, so that jobs can run in processes of
their own; what they return does not depend on how many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec

from lawspeaker import __version__, solver
from lawspeaker.model.core.clauses import Clause
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import Rare, sensible
from lawspeaker.model.core.records import (
    CheckRow,
    ClauseRow,
    Emit,
    Event,
    FindingKind,
    Finished,
    Stamp,
    Stamped,
    Started,
    Verdict,
)
from lawspeaker.model.core.taking import take_text
from lawspeaker.properties.playouts import NEVER, PlayReport, merged, run_playouts, sweep
from lawspeaker.properties.repeat import repeatable
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import decisive, game_for, run_all
from lawspeaker.solver.topic_files import load_topics

ORDER: tuple[FindingKind, ...] = (
    "conflict", "gap", "split", "silent", "vacuous", "refuted", "proven", "overridden", "restates",
)  # fmt: skip
"""Findings as they are listed: what a publisher has to decide first, what needs no decision last."""


class Found(msgspec.Struct, frozen=True):
    """What a job found: its records, and how often each clause was at work in it."""

    events: tuple[Event, ...]
    exercised: dict[str, int] = {}


Job = Callable[[str, int], Found]


def stamp_of(game: AnyGame, seed: int) -> Stamp:
    """Return what results about *game* are computed with."""
    pack = game.pack
    return Stamp(
        game.id, game.catalogue.version, pack.id, pack.digest, pack.provenance, dict(game.rulings), seed, __version__
    )


def audit_job(game_id: str, seed: int) -> Found:
    """Check the game's own pack against what the text demands."""
    place = room(game_id)
    complaints = place.audit(place.load_pack(place.default_pack))
    said = "; ".join(f"{c.where}: {c.what} ({c.clause})" for c in complaints)
    verdict: Verdict = "fail" if complaints else "pass"
    return Found((CheckRow(game_id, "pack", "The default pack fits the rulebook", verdict, 1, said),))


def scenario_job(game_id: str, seed: int) -> Found:
    """Run every scenario, and count the clauses at work in its actions."""
    exercised: Counter[str] = Counter()
    for case in load_cases(game_id):
        for choice in case.choices:
            if choice.expect.unbuildable is not None:
                continue
            game = game_for(case, choice)
            position = game.start() if choice.record is None else game.position(choice.record)
            for tried in choice.when:
                try:
                    steps = take_text(game, position, tried.do)
                except BadInput:
                    break
                for step in steps:
                    exercised.update(set(game.touched(step.before, step.action, step.after)))
                position = steps[-1].after
    return Found(run_all(game_id), dict(exercised))


def play_job(game_id: str, seed: int) -> Found:
    """Play whole games for each number of players under the default rulings, with every check."""
    games = [make_game(game_id, players=count) for count in room(game_id).players]
    every = len(games)
    reports = []
    for n, game in enumerate(games):
        reports += [
            run_playouts(game, [seed + 3 * n], every=every),
            run_playouts(game, [seed + 3 * n + 1], policy=Rare(), every=every),
            run_playouts(game, [seed + 3 * n + 2], policy=sensible, every=2 * every),
        ]
    played = _played(merged(game_id, reports), "")
    return Found((*played.events, repeatable(games[-1], seeds=(seed,))), played.exercised)


def sweep_job(game_id: str, seed: int) -> Found:
    """Play a game under each single value of each ruling, with every check now and then."""
    choices = list(room(game_id).catalogue.book.singles())[1:]
    return _played(sweep(game_id, choices, seeds=(seed,), every=8), " (every value of every ruling)")


def _played(report: PlayReport, where: str) -> Found:
    return Found(tuple(_shown(row, where) for row in report.rows), dict(report.exercised))


def _shown(row: CheckRow, where: str) -> CheckRow:
    """Return a row as the report shows it; a sampled check that was not due in a run this short says so."""
    row = msgspec.structs.replace(row, id=row.id + ("@rulings" if where else ""), title=row.title + where)
    if row.times == 0 and row.said == NEVER:
        return msgspec.structs.replace(row, verdict="not applicable", said="sampled, and not due in a run this short")
    return row


def solver_job(game_id: str, seed: int) -> Found:
    """Ask the solver the game's topics and claims."""
    name = f"lawspeaker.solver.{game_id}"
    if find_spec(name) is None:
        return Found(())
    findings, topics, checks = import_module(name).run()
    shown = sorted(findings, key=lambda finding: ORDER.index(finding.kind))
    return Found((*shown, *topics, *checks))


JOBS: tuple[tuple[str, Job], ...] = (
    ("solver", solver_job),
    ("rulings", sweep_job),
    ("play", play_job),
    ("scenarios", scenario_job),
    ("pack", audit_job),
)


def verify(game_ids: tuple[str, ...], emit: Emit, *, seed: int = 0, processes: int = 2) -> None:
    """Run every job of every game and emit what they find, game by game in a fixed order."""
    for game_id in game_ids:
        _verify_game(game_id, emit, seed, processes)


def _verify_game(game_id: str, emit: Emit, seed: int, processes: int) -> None:
    emit(Stamped(stamp_of(make_game(game_id), seed)))
    for name, _ in JOBS:
        emit(Started(name, game_id))
    emit(Started("coverage", game_id))
    found, deciding = _work(game_id, emit, seed, processes)
    exercised: Counter[str] = Counter()
    for name, _ in JOBS:
        exercised.update(found[name].exercised)
        for event in found[name].events:
            emit(event)
    for row in coverage(game_id, exercised, deciding):
        emit(row)
    emit(Finished("coverage", game_id))


def _work(game_id: str, emit: Emit, seed: int, processes: int) -> tuple[dict[str, Found], dict[str, str]]:
    """Do the jobs, in processes of their own if there are several; say of each when it is done."""
    found: dict[str, Found] = {}
    if processes < 2:
        for name, job in JOBS:
            found[name] = job(game_id, seed)
            emit(Finished(name, game_id))
        return found, decisive(game_id)
    with ProcessPoolExecutor(processes) as pool:
        waiting: dict[Future[Found], str] = {pool.submit(job, game_id, seed): name for name, job in JOBS}
        judged = pool.submit(decisive, game_id)
        for future in as_completed(waiting):
            found[waiting[future]] = future.result()
            emit(Finished(waiting[future], game_id))
        return found, judged.result()


def coverage(game_id: str, exercised: Counter[str], deciding: dict[str, str]) -> Iterator[ClauseRow]:
    """Yield the coverage of each clause: who cites it, how often it was at work, what it decides."""
    game = make_game(game_id)
    catalogue = game.catalogue
    cited = citations(game)
    for clause in catalogue:
        yield ClauseRow(
            game_id, clause.id, clause.heading, clause.kind, clause.text, tuple(cited.get(clause.id, ())),
            exercised[clause.id], deciding.get(clause.id, ""), clause.unchecked or _definition(clause),
            clause.restates,
        )  # fmt: skip


def _definition(clause: Clause) -> str:
    return "a definition: it decides nothing by itself" if clause.kind == "definition" else ""


def citations(game: AnyGame) -> dict[str, list[str]]:
    """Return for each clause who names it: rules of the law, scenarios, topics of the solver."""
    found: dict[str, list[str]] = {}
    for name, entry in game.law.rules.items():
        for clause in entry.clauses:
            found.setdefault(clause, []).append(f"rule {name}")
    for case in load_cases(game.id):
        for clause in case.data.clauses:
            found.setdefault(clause, []).append(f"scenario {case.id}")
    for path in sorted((Path(solver.__path__[0]) / game.id).glob("*.yaml")):
        for topic in load_topics(path, game.catalogue).topics:
            for stated in topic.clauses:
                found.setdefault(stated.id, []).append(f"topic {topic.id}")
    return found

"""Speed of the work on Fjords: scenarios, lockstep over a pipe, the solver's topics."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from lawspeaker import solver
from lawspeaker.conformance.process import ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import steps
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import run
from lawspeaker.solver.analysis import analyse
from lawspeaker.solver.topic_files import load_topics


def test_scenarios(benchmark):
    cases = load_cases("fjords")[:20]
    results = benchmark(lambda: [run(case) for case in cases])
    assert {result.verdict for result in results} == {"pass"}


def test_clause_counters(benchmark):
    game = make_game("fjords")

    def counted():
        return Counter(game.touched(step.before, step.action, step.after) for step in steps(game, 3))

    assert any("FD-LAND-07" in clauses for clauses in benchmark(counted))


def test_lockstep_over_a_pipe(benchmark):
    command = [sys.executable, "-m", "lawspeaker", "serve", "fjords"]
    game = make_game("fjords")
    report = benchmark.pedantic(
        lambda: conform(game, lambda: ProcessSubject(command), seed=5, layers=("play",)), rounds=1, iterations=1
    )
    assert {case.verdict for case in report.cases} == {"pass"}


@pytest.mark.parametrize("path", sorted((Path(solver.__path__[0]) / "fjords").glob("*.yaml")), ids=lambda p: p.stem)
def test_topics(benchmark, path):
    def fresh():
        return [analyse(topic) for topic in load_topics(path, make_game("fjords").catalogue).topics]

    reports = benchmark.pedantic(fresh, rounds=1, iterations=1)
    assert all(report.row.verdict != "unknown" for report in reports)

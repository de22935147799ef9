"""Speed of the work: scenarios, lockstep over a pipe, the solver's topics."""

import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from lawspeaker import solver
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.compare import Expected
from lawspeaker.conformance.layers import tries
from lawspeaker.conformance.match import Line, Link, Match
from lawspeaker.conformance.process import ProcessSubject
from lawspeaker.model.core.games import game_ids, make_game
from lawspeaker.model.core.play import steps
from lawspeaker.scenarios.loader import load_cases
from lawspeaker.scenarios.runner import run
from lawspeaker.solver.analysis import analyse
from lawspeaker.solver.topic_files import load_topics

NOTHING = m.Capabilities()


def test_scenarios(benchmark):
    cases = load_cases("fjords")[:20]
    results = benchmark(lambda: [run(case) for case in cases])
    assert {result.verdict for result in results} == {"pass"}


def test_clause_counters(benchmark):
    game = make_game("fjords")

    def counted():
        return Counter(game.touched(step.before, step.action, step.after) for step in steps(game, 3))

    assert any("FD-LAND-07" in clauses for clauses in benchmark(counted))


def played(game, link, lines):
    """Play lines in lockstep; return the operations compared, and the seconds that this process worked."""
    began, checked = time.process_time(), 0
    for line in lines:
        match = Match(link.ask, game, link.hello.capabilities)
        match.play(line)
        checked += match.checked
    return checked, time.process_time() - began


def model_alone(game, lines):
    """Do what the model does in lockstep, and nothing else; return the seconds."""
    began = time.process_time()
    for line in lines:
        match = Match(Agreeing().ask, game, NOTHING)
        match.begin(line)
        for op in line.ops:
            now = match.positions[-1]
            after = Expected(game, game.apply(now.position, now.legal[op.text]))
            after.prepare(("legal", "digest"))
            match.positions.append(after)
    return time.process_time() - began


class Agreeing:
    def ask(self, message, meanwhile=None):
        return m.Report(0)


@pytest.mark.parametrize("game_id", game_ids())
def test_lockstep_over_a_pipe(benchmark, game_id):
    """Legal set and digest compared at every step of whole games; the target is 5,000 a second, of Fjords 3,000."""
    game = make_game(game_id)
    lines = [Line(None, tries(game, steps(game, seed))) for seed in range(4)]
    link = Link(lambda: ProcessSubject([sys.executable, "-m", "lawspeaker", "serve", game_id]), game_id)
    link.connect()
    try:
        checked, _ = played(game, link, lines)
        benchmark.pedantic(played, (game, link, lines), rounds=5, iterations=1)
        own = min(played(game, link, lines)[1] for _ in range(3)) - min(model_alone(game, lines) for _ in range(3))
    finally:
        link.close()
    assert checked > 1000
    rate = checked / benchmark.stats.stats.min if benchmark.stats else 0
    print(f"\n{game_id}: {rate:,.0f} checked actions a second; the referee's own share, pipe and waiting "
          f"included, {own / checked * 1e6:.0f} µs an action")  # fmt: skip


@pytest.mark.parametrize("path", sorted((Path(solver.__path__[0]) / "fjords").glob("*.yaml")), ids=lambda p: p.stem)
def test_topics(benchmark, path):
    def fresh():
        return [analyse(topic) for topic in load_topics(path, make_game("fjords").catalogue).topics]

    reports = benchmark.pedantic(fresh, rounds=1, iterations=1)
    assert all(report.row.verdict != "unknown" for report in reports)

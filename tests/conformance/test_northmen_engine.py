"""The second implementation of Northmen conforms, and the referee finds mistakes planted in it."""

import sys
from pathlib import Path

import pytest

from lawspeaker.conformance.layers import LAYERS, SMALL
from lawspeaker.conformance.process import ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.model.core.games import make_game

PLAYED = [layer for layer in LAYERS if layer != "scenarios"]  # these come from the caller
ENGINE = [sys.executable, str(Path(__file__).parents[2] / "conformance" / "examples" / "northmen" / "adapter.py")]
FAULTY = [sys.executable, str(Path(__file__).parent / "subjects" / "northmen_faulty.py")]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_engine_written_from_the_rulebook_conforms_in_every_layer(players):
    game = make_game("northmen", players=players)
    report = conform(game, lambda: ProcessSubject(ENGINE), budget=SMALL, seed=1, layers=PLAYED)
    assert [case.said for case in report.failures] == []
    assert report.exit_code == 0
    others = {case.layer: case.said for case in report.cases if case.verdict != "pass"}
    assert {case.verdict for case in report.cases} <= {"pass", "not applicable"}
    assert set(others) <= {"seats", "recorded"}  # it plays by the default reading, and no seats are alike here
    assert "unknown_value" in others.get("recorded", "unknown_value")
    assert {case.layer for case in report.cases} == {"handshake", *PLAYED}
    assert report.not_compared == ()
    assert report.checked > 900


@pytest.mark.parametrize(
    ("fault", "players", "clause"),
    [
        ("HeroesBreakNoTie", 3, "SN-BATTLE-08"),
        ("BeatenCubesGoToReserve", 2, "SN-CTRL-05"),
        ("FleetsGoInland", 2, "SN-MOVE-13"),
    ],
)
def test_a_mistake_in_it_is_found_and_its_clause_named(fault, players, clause):
    game = make_game("northmen", players=players)
    report = conform(game, lambda: ProcessSubject([*FAULTY, fault]), budget=SMALL, seed=1, layers=("setup", "play"))
    assert report.exit_code == 1
    assert {case.verdict for case in report.failures} == {"fail"}
    assert clause in {name for case in report.failures for name in case.clauses}
    assert {case.blame for case in report.failures} == {"engine"}

"""Proposed wordings are proved; slips in clauses are noticed, equivalent, or survive."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.model.core.errors import BadInput
from lawspeaker.solver.analysis import analyse
from lawspeaker.solver.errata import clause_mutation_score, erratum, reworded
from lawspeaker.solver.questions import situations
from lawspeaker.solver.topic_files import load_topics

DOCS = Path(__file__).parents[2] / "docs" / "examples"


def test_an_erratum_that_closes_a_gap_is_proved() -> None:
    file = load_topics(DOCS / "toll_bridge.yaml")
    topic = file.topic("start")
    better = reworded(topic, "TB-START-01", if_="True", then="answer == (red if red_age >= blue_age else blue)")
    found = erratum(topic, better, file.examples)
    assert found.gone == ("TB-F-start-gap-1",)
    assert (found.new, found.broken_examples) == ((), ())
    assert found.proved
    assert found.report.row.verdict == "closed"


def test_an_erratum_that_breaks_an_example_is_not_proved() -> None:
    file = load_topics(DOCS / "toll_bridge.yaml")
    topic = file.topic("start")
    worse = reworded(topic, "TB-START-01", if_="True", then="answer == blue")
    found = erratum(topic, worse, file.examples)
    assert found.gone == ("TB-F-start-gap-1",)
    assert found.broken_examples == ("TB-EX-01",)
    assert not found.proved


def test_an_erratum_that_mends_one_conflict_leaves_the_others() -> None:
    topic = load_topics(DOCS / "toll_bridge.yaml").topic("crossing")
    better = reworded(topic, "TB-MOVE-01", if_="season == summer and pays and not gate_shut")
    found = erratum(topic, better)
    assert found.gone == ("TB-F-crossing-conflict-1",)
    assert found.new == ()
    assert {r.kind for r in found.report.findings} >= {"conflict"}


def test_all_situations_catch_every_slip_that_changes_anything() -> None:
    topic = load_topics(DOCS / "hill_forts.yaml").topic("ruler")
    score = clause_mutation_score(topic, situations=situations(topic))
    caught, all_real = score.score
    assert caught == all_real > 20
    assert score.count("survived") == 0


def test_few_examples_let_slips_survive() -> None:
    file = load_topics(DOCS / "hill_forts.yaml")
    score = clause_mutation_score(file.topic("ruler"), file.examples)
    assert score.count("survived") > 0
    assert score.count("caught") > 0
    whats = {each.what for each in score.mutations if each.clause == "HF-RULE-01"}
    assert "deleted" in whats


def test_the_first_analysis_is_not_touched_by_an_erratum() -> None:
    topic = load_topics(DOCS / "toll_bridge.yaml").topic("start")
    before = analyse(topic)
    erratum(topic, reworded(topic, "TB-START-01", if_="False"))
    assert analyse(topic) == before


def test_a_prohibition_is_reworded_as_one() -> None:
    topic = load_topics(DOCS / "toll_bridge.yaml").topic("crossing")
    same = reworded(topic, "TB-MOVE-02", if_="season == winter and loaded", then="allowed")
    assert same == topic.clause("TB-MOVE-02")
    with pytest.raises(BadInput, match="TB-MOVE-02 if"):
        reworded(topic, "TB-MOVE-02", if_="lodaed")
    with pytest.raises(KeyError):
        reworded(topic, "TB-MOVE-99")

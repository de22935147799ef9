"""The topics of Fjords: closed under every choice of rulings, and finding what the book leaves open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker.model.core.formulas import FALSE
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import steps, uniform
from lawspeaker.model.fjords.room import CATALOGUE
from lawspeaker.solver import watching, witnesses
from lawspeaker.solver.analysis import analyse, is_witness
from lawspeaker.solver.errata import with_clause
from lawspeaker.solver.fjords import QUESTIONS
from lawspeaker.solver.fjords.seen import situations
from lawspeaker.solver.fjords.topics import idle_topics, topics


@pytest.mark.parametrize("topic_id", list(topics()))
def test_each_topic_leaves_exactly_one_answer_under_every_choice(topic_id: str) -> None:
    report = analyse(topics()[topic_id], CATALOGUE.book)
    assert report.row.verdict == "closed", report.row.said


@pytest.mark.parametrize(
    "topic_id", ["aside", "last_open", "first_field", "next_field", "order", "adjacency", "starter"]
)
def test_z3_and_enumeration_agree_on_small_topics(topic_id: str) -> None:
    topic = replace(topics()[topic_id], cache={})
    assert analyse(topic, cross_check=True).findings == analyse(topics()[topic_id]).findings


def test_every_ruling_that_changes_play_settles_some_finding() -> None:
    settled = {finding.ruling for topic in topics().values() for finding in analyse(topic).findings}
    assert {ruling.id for ruling in CATALOGUE.rulings} <= settled


@pytest.mark.parametrize(
    ("topic_id", "kind", "ruling", "core"),
    [
        ("last_open", "conflict", "R_LAST_OPEN", {"FD-OPEN-04", "FD-LAND-01"}),
        ("aside", "conflict", "R_PLAYABLE", {"FD-DISC-02", "FD-TILE-12"}),
        ("next_field", "conflict", "R_BLOCKED", {"FD-LAND-04", "FD-FIELD-07"}),
        ("adjacency", "conflict", "R_SEGMENT", {"FD-FIELD-03", "FD-FIELD-04"}),
        ("starter", "gap", "R_FIRST", set()),
        ("starter", "gap", "R_TIED_ROUND", set()),
        ("supply", "gap", "R_SUPPLY", set()),
        ("start_tiles", "gap", "R_START", set()),
        ("first_field", "split", "R_LAST_OPEN", {"FD-LAND-06", "FD-RULED-LAST"}),
        ("placement", "split", "R_LAND", {"FD-TILE-03"}),
    ],
)
def test_the_text_taken_literally_shows(topic_id: str, kind: str, ruling: str, core: set[str]) -> None:
    found = [f for f in analyse(topics()[topic_id]).findings if f.kind == kind and f.ruling == ruling]
    assert [set(f.core) for f in found] == [core]


def test_a_supposed_ruling_is_proven_to_be_none() -> None:
    report = analyse(idle_topics()["place"])
    assert [f.ruling for f in report.findings if f.kind == "proven"] == ["R_PLACE"]


def test_monitors_see_no_difference_between_clauses_and_model() -> None:
    rows = watching.run_monitors(QUESTIONS, make_game("fjords"), [3], rounds=1)
    assert {row.id: row.said for row in rows if row.verdict != "pass"} == {}
    assert all(row.times > 0 for row in rows)


def _watched(topic_id: str, clause_id: str) -> str:
    """Return what the monitors say of a topic from which a clause was taken away."""
    topic = topics()[topic_id]
    gone = with_clause(topic, replace(topic.clause(clause_id), condition=FALSE))
    questions = replace(QUESTIONS, topics=lambda: {**topics(), topic_id: gone})
    tally = watching.Tally()
    watching.watch(questions, make_game("fjords"), 5, uniform, tally)
    return tally.wrong.get(topic_id, "")


@pytest.mark.parametrize(
    ("topic_id", "clause_id"),
    [("first_field", "FD-LAND-05"), ("farm", "FD-FARM-04"), ("placement", "FD-TILE-01"), ("turn", "FD-OPEN-04"),
     ("next_field", "FD-RULED-SKIP"), ("field", "FD-FIELD-01"), ("winner", "FD-END-03")],
)  # fmt: skip
def test_monitors_notice_a_clause_that_is_gone(topic_id: str, clause_id: str) -> None:
    if clause_id == "FD-END-03":  # it restates FD-PLAY-06: alone it is missed by nobody
        assert _watched(topic_id, clause_id) == ""
    else:
        assert "the model says" in _watched(topic_id, clause_id)


def test_monitors_notice_a_model_that_plays_otherwise() -> None:
    game = make_game("fjords")
    other = game.varied(law=game.law.replace(first_field=lambda drawer, *rest: drawer))
    tally = watching.Tally()
    watching.watch(QUESTIONS, other, 5, uniform, tally)
    assert "first_field" in tally.wrong


# -- stored witnesses -------------------------------------------------------------------------------


def test_every_stored_witness_still_shows_its_finding() -> None:
    rows = witnesses.replay_stored(QUESTIONS)
    assert len(rows) >= 20
    assert {row.id: row.said for row in rows if row.verdict != "pass"} == {}


def test_a_stored_game_that_shows_something_else_is_refused(tmp_path: Path) -> None:
    findings = {f.id: f for f in analyse(topics()["last_open"]).findings}
    other = (QUESTIONS.folder / "FD-F-starter-gap-1.trace").read_text()
    (tmp_path / "FD-F-last_open-conflict-1.trace").write_text(other)
    ((_, row),) = witnesses.replay_all(QUESTIONS, [findings["FD-F-last_open-conflict-1"]], tmp_path)
    assert row is not None and row.verdict == "fail" and "does not show" in row.said


def test_search_finds_the_shortest_game_of_its_seeds(tmp_path: Path) -> None:
    finding = next(f for f in analyse(topics()["starter"]).findings if f.ruling == "R_FIRST")
    carried = witnesses.search(QUESTIONS, [finding], [1], [make_game("fjords")])
    witnesses.store(carried, tmp_path)
    again = witnesses.stored(QUESTIONS, finding, tmp_path)
    assert again is not None and is_witness(finding, topics()["starter"], again.situation)
    assert again.situation == carried[finding.id].situation


def test_situations_are_of_their_topics() -> None:
    game = make_game("fjords")
    for step in steps(game, 2):
        for topic_id, situation, answer in situations(game, step):
            topic = topics()[topic_id]
            assert answer in topic.answers
            assert all(situation[name] in topic.domain(name) for name in topic.situation)

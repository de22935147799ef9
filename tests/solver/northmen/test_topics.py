"""The topics of Northmen: closed under every choice of rulings, and finding what the book leaves open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker.model.core.formulas import FALSE
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import steps, uniform
from lawspeaker.model.northmen.room import CATALOGUE
from lawspeaker.solver import costs, watching, witnesses, wordings
from lawspeaker.solver.analysis import analyse, is_witness
from lawspeaker.solver.errata import with_clause
from lawspeaker.solver.examples import run_example
from lawspeaker.solver.northmen import QUESTIONS
from lawspeaker.solver.northmen.policies import games, homebody, miser, spender
from lawspeaker.solver.northmen.topics import examples, idle_topics, topics
from lawspeaker.solver.northmen.wordings import WORDINGS
from lawspeaker.solver.topics import Example


@pytest.mark.parametrize("topic_id", list(topics()))
def test_each_topic_leaves_exactly_one_answer_under_every_choice(topic_id: str) -> None:
    report = analyse(topics()[topic_id], CATALOGUE.book)
    assert report.row.verdict == "closed", report.row.said


SMALL = [
    "players", "no_card", "cubes", "hero", "token", "rally_end", "draw_or_end", "nothing_to_draw", "refill", "shown",
    "control_by_heroes", "closest", "control_later", "lost_pieces", "infamy_gained", "kingdom_turn", "delay",
    "move_order", "move", "stuck", "collect", "route", "kept_card", "third_round", "turns", "leftover", "winner",
]  # fmt: skip


@pytest.mark.parametrize("topic_id", SMALL)
def test_z3_and_enumeration_agree_on_small_topics(topic_id: str) -> None:
    topic = replace(topics()[topic_id], cache={})
    assert analyse(topic, cross_check=True).findings == analyse(topics()[topic_id]).findings


def test_every_ruling_that_changes_play_settles_some_finding() -> None:
    settled = {finding.ruling for topic in topics().values() for finding in analyse(topic).findings}
    assert {ruling.id for ruling in CATALOGUE.rulings} <= settled


def test_every_ruling_gives_different_answers_somewhere() -> None:
    split = {f.ruling for topic in topics().values() for f in analyse(topic).findings if f.kind == "split"}
    assert {ruling.id for ruling in CATALOGUE.rulings} == split


LITERAL = [
    ("no_card", "conflict", "R_NO_CARD", {"SN-RALLY-03"}),
    ("cubes", "conflict", "R_PARTIAL", {"SN-CARD-03", "SN-RALLY-08"}),
    ("draw_or_end", "conflict", "R_RALLY_END", {"SN-RALLY-02", "SN-RALLY-13"}),
    ("nothing_to_draw", "conflict", "R_DECK_EMPTY", {"SN-RALLY-16"}),
    ("refill", "conflict", "R_DECK_EMPTY", {"SN-RALLY-18"}),
    ("control", "conflict", "R_EMPTY_KINGDOM", {"SN-CTRL-07", "SN-CTRL-09"}),
    ("control_later", "conflict", "R_CONTROL_SPAN", {"SN-CTRL-07", "SN-CTRL-09"}),
    ("move", "conflict", "R_MUST_MOVE", {"SN-MOVE-09", "SN-DELAY-03"}),
    ("stuck", "conflict", "R_STUCK", {"SN-DELAY-03", "SN-MOVE-10"}),
    ("third_round", "conflict", "R_R3_PLAN", {"SN-ROUND-01", "SN-RESET-05"}),
    ("shown", "gap", "R_COVERED", set()),
    ("kept_card", "gap", "R_DISCARD", set()),
    ("winner", "gap", "R_FINAL_TIE", set()),
    ("hero", "split", "R_HERO_ZERO", {"SN-HERO-01", "SN-RALLY-09"}),
    ("token", "split", "R_BULGARIA", {"SN-CARD-06", "SN-PLUNDER-01", "SN-RALLY-11"}),
    ("token", "split", "R_MARK", {"SN-RALLY-14", "SN-RALLY-15"}),
    ("rally_end", "split", "R_FIFTEEN", {"SN-PLUNDER-02", "SN-RALLY-20"}),
    ("control", "split", "R_CLOCK", {"SN-CTRL-09"}),
    ("control_by_heroes", "split", "R_CLOCK", {"SN-CTRL-09"}),
    ("battle", "split", "R_CLOCK", {"SN-BATTLE-09"}),
    ("closest", "split", "R_CLOCK", {"SN-CTRL-09", "SN-BATTLE-09"}),
    ("move", "split", "R_BULGARIA", {"SN-MOVE-09", "SN-MOVE-10", "SN-MOVE-11", "SN-MOVE-12", "SN-DELAY-05"}),
    ("move", "split", "R_LANDLOCK", {"SN-MOVE-11", "SN-MOVE-12"}),
    ("move", "split", "R_HERO_STAY", {"SN-MOVE-12"}),
    ("collect", "split", "R_COLLECT", {"SN-PLUNDER-03", "SN-COLLECT-02", "SN-COLLECT-03"}),
    ("route", "split", "R_ROUTE_PIECE", {"SN-ROUTE-04", "SN-TRADE-01", "SN-TRADE-02", "SN-TRADE-03"}),
    ("route", "split", "R_ROUTE_ORIGIN", {"SN-ROUTE-04", "SN-TRADE-01", "SN-TRADE-02", "SN-TRADE-03"}),
    ("buy", "split", "R_ROUTE_BATCH", {"SN-PLAN-03"}),
    ("buy", "split", "R_ROUTE_SHORT", {"SN-RULED-ONE"}),
    ("bonus", "split", "R_BONUS_ZERO", {"SN-END-03"}),
]  # fmt: skip


@pytest.mark.parametrize(("topic_id", "kind", "ruling", "core"), LITERAL)
def test_the_text_taken_literally_shows(topic_id: str, kind: str, ruling: str, core: set[str]) -> None:
    found = [f for f in analyse(topics()[topic_id]).findings if f.kind == kind and f.ruling == ruling]
    assert [set(f.core) for f in found] == [core]


def test_no_conflict_or_gap_is_found_beyond_those() -> None:
    found = {
        (topic.id, f.kind, f.ruling)
        for topic in topics().values()
        for f in analyse(topic).findings
        if f.kind in ("conflict", "gap")
    }
    assert found == {(topic, kind, ruling) for topic, kind, ruling, _ in LITERAL if kind != "split"}


@pytest.mark.parametrize(
    ("topic_id", "own"),
    [("players", "SN-OURS-SEATS"), ("lost_pieces", "SN-OURS-STAY"), ("kingdom_turn", "SN-OURS-SKIP"),
     ("leftover", "SN-OURS-LEFTOVER"), ("bonus", "SN-OURS-NO-BONUS")],
)  # fmt: skip
def test_the_book_is_silent_where_a_clause_of_ours_decides(topic_id: str, own: str) -> None:
    assert [f.ours for f in analyse(topics()[topic_id]).findings if f.kind == "silent"] == [(own,)]


def test_the_literal_reading_gives_an_empty_kingdom_to_the_leader() -> None:
    finding = next(f for f in analyse(topics()["control"]).findings if f.kind == "conflict")
    assert not any(value for name, value in finding.situation.items() if name != "players")
    assert finding.readings == {"none": "nobody", "leader": "leader"}


def test_a_delayed_kingdom_is_never_delayed_again() -> None:
    report = analyse(topics()["delay"])
    assert [f.core for f in report.findings if f.kind == "vacuous"] == [("SN-DELAY-02",)]


def test_both_ways_to_count_clockwise_are_proven_the_same_for_two_players() -> None:
    report = analyse(idle_topics()["closest_of_two"])
    assert [f.ruling for f in report.findings if f.kind == "proven"] == ["R_CLOCK"]


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.id)
def test_each_worked_example_comes_out(example: Example) -> None:
    assert run_example(example).verdict == "pass"


# -- proposed wordings --------------------------------------------------------------------------------


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: wording.clauses[0])
def test_each_proposed_wording_leaves_nothing_of_its_ruling(wording: wordings.Wording) -> None:
    said = wordings.ask(wording, topics, examples()).said
    about = [f for f in analyse(topics()[wording.topic]).findings if f.ruling == wording.ruling]
    assert about and all(f.id in said for f in about)


def test_a_wording_that_opens_something_else_or_breaks_an_example_is_not_proven() -> None:
    gap = wordings.Wording("winner", ("SN-SCORE-02",), "The best score alone wins.", ("score == best_alone",))
    with pytest.raises(AssertionError, match="new"):
        wordings.ask(gap, topics)
    none = wordings.Wording("token", ("SN-RALLY-11", "SN-CARD-06", "SN-PLUNDER-01"), "Bulgaria is a Kingdom.",
                            ("named == region",), ruling="R_BULGARIA")  # fmt: skip
    assert "SN-F-token-split-1" in wordings.ask(none, topics).said
    with pytest.raises(AssertionError, match=r"broken \('SN-EX-01-token',\)"):
        wordings.ask(none, topics, examples())


# -- monitors -----------------------------------------------------------------------------------------


def test_monitors_see_no_difference_between_clauses_and_model() -> None:
    rows = watching.run_monitors(QUESTIONS, make_game("northmen", players=3), [3], rounds=1)
    assert {row.id: row.said for row in rows if row.verdict != "pass"} == {}
    assert len(rows) == len(topics()) and all(row.times > 0 for row in rows)


def _watched(topic_id: str, clause_id: str) -> str:
    """Return what the monitors say of a topic from which a clause was taken away."""
    topic = topics()[topic_id]
    gone = with_clause(topic, replace(topic.clause(clause_id), condition=FALSE))
    questions = replace(QUESTIONS, topics=lambda: {**topics(), topic_id: gone})
    tally = watching.Tally()
    for players in (3, 4):
        watching.watch(questions, make_game("northmen", players=players), 5, uniform, tally)
    return tally.wrong.get(topic_id, "")


NOTICED = [
    ("starting_infamy", "SN-SETUP-13"), ("no_card", "SN-RALLY-03"), ("cubes", "SN-RALLY-06"), ("hero", "SN-RALLY-09"),
    ("token", "SN-RALLY-14"), ("rally_end", "SN-RALLY-20"), ("draw", "SN-RALLY-17"), ("control", "SN-CTRL-08"),
    ("battle", "SN-BATTLE-02"), ("lost_pieces", "SN-CTRL-04"), ("kingdom_turn", "SN-MOVE-02"),
    ("move", "SN-MOVE-12"), ("march", "SN-MOVE-08"), ("collect", "SN-COLLECT-03"), ("kept_card", "SN-PLAN-06"),
    ("buy", "SN-PLAN-03"), ("third_round", "SN-RESET-05"), ("turns", "SN-PLAN-01"), ("bonus", "SN-END-02"),
    ("winner", "SN-SCORE-02"),
]  # fmt: skip
RESTATED = {"cubes", "hero", "rally_end", "collect", "third_round"}
"""Topics in which another clause says the same as the one taken away: alone it is missed by nobody."""


@pytest.mark.parametrize(("topic_id", "clause_id"), NOTICED)
def test_monitors_notice_a_clause_that_is_gone(topic_id: str, clause_id: str) -> None:
    said = _watched(topic_id, clause_id)
    assert said == "" if topic_id in RESTATED else "the model says" in said


@pytest.mark.parametrize(
    ("topic_id", "rule"),
    [("cubes", "cubes_placed"), ("token", "token_placed"), ("rally_end", "rally_over"), ("control", "controller"),
     ("battle", "battle_winner"), ("lost_pieces", "beaten"), ("infamy_gained", "taken_off"), ("delay", "may_delay"),
     ("collect", "collector"), ("route", "route_completed"), ("kept_card", "kept_hand"), ("buy", "may_buy"),
     ("bonus", "bonuses"), ("winner", "leaders"), ("next_leader", "next_leader"), ("turns", "next_in_rally"),
     ("move", "army_targets"), ("refill", "row_refilled")],
)  # fmt: skip
def test_monitors_notice_a_model_that_plays_without_a_rule(topic_id: str, rule: str) -> None:
    game = make_game("northmen", players=3)
    stated = game.law.rules[rule]
    other = game.varied(law=game.law.replace(**{rule: stated.without(frozenset(stated.clauses))}))
    tally = watching.Tally()
    watching.watch(QUESTIONS, other, 5, spender, tally)
    assert topic_id in tally.wrong


# -- stored witnesses -----------------------------------------------------------------------------------


def test_every_stored_witness_still_shows_its_finding() -> None:
    rows = witnesses.replay_stored(QUESTIONS)
    assert len(rows) >= 54
    assert {row.id: row.said for row in rows if row.verdict != "pass"} == {}


def test_a_stored_position_with_its_own_pack_carries_its_finding() -> None:
    finding = next(f for f in analyse(topics()["no_card"]).findings if f.kind == "conflict")
    ((carried, row),) = witnesses.replay_all(QUESTIONS, [finding])
    assert row is not None and row.verdict == "pass"
    assert carried.carried == "position" and carried.position is not None and not carried.trace
    assert finding.id in witnesses.packs(QUESTIONS)


def test_a_stored_position_that_shows_something_else_is_refused(tmp_path: Path) -> None:
    finding = next(f for f in analyse(topics()["stuck"]).findings if f.kind == "conflict")
    other = (QUESTIONS.folder / "SN-F-no_card-conflict-1.json").read_text()
    (tmp_path / f"{finding.id}.json").write_text(other)
    ((_, row),) = witnesses.replay_all(QUESTIONS, [finding], tmp_path)
    assert row is not None and row.verdict == "fail" and "does not show" in row.said


def test_search_finds_a_game_and_stores_what_can_be_replayed(tmp_path: Path) -> None:
    wanted = [f for f in analyse(topics()["stuck"]).findings if f.kind == "conflict"]
    carried = witnesses.search(QUESTIONS, wanted, [1, 2], [g for g in games() if len(g.seats) == 4], (homebody,))
    witnesses.store(carried, tmp_path)
    again = witnesses.stored(QUESTIONS, wanted[0], tmp_path)
    assert again is not None and is_witness(wanted[0], topics()["stuck"], again.situation)


def test_situations_are_of_their_topics() -> None:
    game = make_game("northmen", players=2)
    for policy in (miser, homebody):
        for step in steps(game, 2, policy):
            for topic_id, situation, answer in QUESTIONS.situations(game, step):
                topic = topics()[topic_id]
                assert answer in topic.answers
                assert all(situation[name] in topic.domain(name) for name in topic.situation)


# -- the cost of an ambiguity ---------------------------------------------------------------------------


def test_the_costs_of_every_ruling_are_stored_for_this_pack() -> None:
    known = costs.read_costs(make_game("northmen"), QUESTIONS.folder / costs.FILE)
    assert set(known) == {ruling.id for ruling in CATALOGUE.rulings}
    assert all("(4 players)" in words for words in known.values())
    assert "0.0 points" in known["R_R3_PLAN"]  # what is spent in the last Planning Phase wins nothing
    assert "the same in all" in known["R_STUCK"]  # the estimated map has no such Kingdom


def test_leads_are_those_over_the_best_of_the_others() -> None:
    game = make_game("northmen", players=4)
    other = game.varied(rulings=CATALOGUE.book.choose({"R_MARK": "enable"}))
    assert costs.side_by_side(game, game, 3) is None
    found = costs.side_by_side(game, other, 3)
    assert found is not None and found[0] > 35  # they are dealt the same

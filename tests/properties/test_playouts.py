"""Whole games under every check, and what the reports of playouts say."""

import pytest

from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import Rare, sensible
from lawspeaker.model.core.records import CheckRow
from lawspeaker.properties.playouts import NEVER, PlayReport, merged, run_playouts, sweep
from lawspeaker.properties.watching import Check

GAME = make_game("fjords")
BOOK = GAME.catalogue.book
KINDS = ("start", "draw", "deal", "place", "open", "aside", "farm", "nofarm", "field")
OFTEN = ("FD-TILE-01", "FD-TILE-07", "FD-TILE-08", "FD-TILE-10", "FD-OPEN-01", "FD-FARM-07", "FD-LAND-08", "FD-END-03")


def quiet(report: PlayReport) -> None:
    said = [row for row in report.rows if row.verdict not in ("pass", "not applicable") and row.said != NEVER]
    assert not said, report.said()


def test_whole_games_keep_every_check() -> None:
    report = run_playouts(GAME, range(2), expected=OFTEN, kinds=KINDS)
    quiet(report)
    assert report.games == 2
    assert report.steps > 600
    assert {row.id for row in report.rows} >= {"clauses-exercised", "kinds-played", "I25", "F-G10"}


@pytest.mark.parametrize("policy", [Rare(), sensible], ids=["rare", "sensible"])
def test_other_policies_keep_every_check(policy: object) -> None:
    quiet(run_playouts(GAME, [5], policy=policy, every=4))  # type: ignore[arg-type]


@pytest.mark.parametrize("rulings", list(BOOK.singles())[1:], ids=lambda r: r.text())
def test_each_value_of_each_ruling_keeps_every_check(rulings: object) -> None:
    quiet(run_playouts(GAME.varied(rulings=rulings), [1], every=8, limit=260))  # type: ignore[arg-type]


def test_a_sweep_adds_up_what_its_choices_showed() -> None:
    choices = list(BOOK.singles())[:3]
    whole = sweep("fjords", choices, every=50)
    parts = [run_playouts(GAME.varied(rulings=c), [n], every=50) for n, c in enumerate(choices)]
    assert whole == merged("fjords", parts)
    assert whole.games == 3
    assert whole.steps == sum(part.steps for part in parts)


def test_a_clause_or_kind_that_never_comes_up_fails() -> None:
    report = run_playouts(GAME, [0], [], limit=5, expected=["FD-END-03", "FD-COMP-05"], kinds=["draw", "field"])
    by_id = {row.id: row for row in report.rows}
    assert (by_id["clauses-exercised"].verdict, by_id["clauses-exercised"].said) == ("fail", "never: FD-END-03")
    assert (by_id["kinds-played"].verdict, by_id["kinds-played"].said) == ("fail", "never: field")
    assert not report.green


def test_a_check_that_never_ran_does_not_pass() -> None:
    seldom = Check("seldom", "is due far too seldom", lambda game: lambda moment: (), every=10_007)
    report = run_playouts(GAME, [1], [seldom], limit=5)
    assert report.rows[0] == CheckRow("fjords", "seldom", "is due far too seldom", "fail", 0, NEVER)
    ran = run_playouts(GAME, [0], [seldom], limit=5)
    assert merged("fjords", [report, ran]).rows[0].verdict == "pass"


def test_a_complaint_carries_what_repeats_it() -> None:
    angry = Check("angry", "complains of every farm", lambda game: lambda m: [game.text(m.action)] * m.after.set_aside)
    report = run_playouts(GAME, [4], [angry])
    (failure,) = report.failures
    assert failure.seed == 4
    assert failure.action == "aside"
    assert failure.position["drawn"] is not None
    assert f"seed 4, step {failure.step}" in report.rows[0].said
    again = run_playouts(GAME, [4], [angry])
    assert again == report


def test_a_check_claimed_for_other_rulings_is_not_applicable() -> None:
    held = Check("held", "only there", lambda game: lambda m: ["no"], holds={"R_BLOCKED": ("end",)})
    assert run_playouts(GAME, [0], [held], limit=3).rows[0].verdict == "not applicable"
    other = GAME.varied(rulings=BOOK.choose({"R_BLOCKED": "end"}))
    assert run_playouts(other, [0], [held], limit=3).rows[0].verdict == "fail"


@pytest.mark.deep
def test_each_pair_of_values_keeps_every_check() -> None:
    quiet(sweep("fjords", list(BOOK.pairs()), every=2, seeds=range(3)))


@pytest.mark.deep
def test_many_games_exercise_every_clause_with_an_effect() -> None:
    report = run_playouts(GAME, range(300), every=8)
    quiet(report)
    stated = {c.id for c in room("fjords").catalogue if c.kind == "rule" and c.effect}
    assert not {clause for clause in stated if not report.exercised[clause]} - {"FD-END-04", "FD-TILE-12", "FD-TILE-13"}

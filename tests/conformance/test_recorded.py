"""Recorded games: those shipped are what the module makes, and any folder of traces is replayed."""

import msgspec
import pytest

from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.recorded import HOME, choices, recorded
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game, room
from lawspeaker.model.core.play import steps
from lawspeaker.model.core.traces import trace_of, write_trace


def check(game, wrong=None, offered=FULL, **more):
    more = {"budget": msgspec.structs.replace(SMALL, shrink=0, judged=0), "layers": ("recorded",), **more}
    place = room(game.id)
    return conform(game, lambda: InProcessSubject(Session(wrong or game, place, offered=offered)), **more)


def verdicts(report):
    return {case.id: case.verdict for case in report.cases if case.layer == "recorded"}


@pytest.mark.parametrize("game_id", game_ids())
def test_each_number_of_players_has_games_in_which_every_choice_of_every_ruling_comes(game_id):
    for players in room(game_id).players:
        cases = recorded(make_game(game_id, players=players))
        assert [case.id for case in cases] == [f"{players}p-{n}" for n in range(len(choices(game_id)))]
        for ruling in room(game_id).catalogue.book.rulings:
            assert {case.rulings[ruling.id] for case in cases} == set(ruling.values)


def test_the_reference_passes_and_a_game_under_other_rulings_needs_options():
    game = make_game("fjords")
    assert verdicts(check(game)) == {"2p-0": "pass", "2p-1": "pass", "2p-2": "pass"}
    found = verdicts(check(game, offered=msgspec.structs.replace(FULL, options=False)))
    assert found == {"2p-0": "pass", "2p-1": "not applicable", "2p-2": "not applicable"}


def test_a_fault_that_only_another_ruling_shows_is_caught():
    """A subject that agrees to exactly two contacts, and plays at least two; only a recorded game asks for them."""
    game = make_game("fjords")
    wrong = game.varied(law=game.law.replace(touches_two=lambda contacts, two: contacts >= 2))
    assert not check(game, wrong, layers=("setup", "play", "refusals", "undo", "save", "two-ways", "seats")).failures
    found = verdicts(check(game, wrong))
    assert found["2p-0"] == "pass"
    assert found["2p-1"] == "fail"


def test_a_folder_of_ones_own_is_replayed_too(tmp_path):
    game = make_game("fjords")
    played = [step.action for step in steps(game, 9, limit=30)]
    text = write_trace(trace_of(game, played)).split("end:")[0]
    (tmp_path / "mine.trace").write_text(text + "# then: try A no such action\n# then: view A\n")
    assert verdicts(check(game, traces=tmp_path))["own-mine"] == "pass"
    report = check(game, game.varied(law=game.law.replace(next_player=lambda seat: seat)), traces=tmp_path)
    assert verdicts(report)["own-mine"] == "fail"


def test_a_folder_without_a_trace_or_with_a_broken_one_is_one_message(tmp_path):
    game = make_game("fjords")
    with pytest.raises(BadInput, match="no folder with files"):
        recorded(game, tmp_path)
    (tmp_path / "x.trace").write_text("lawspeaker-trace 1\nplayers: A B\n")
    with pytest.raises(BadInput):
        recorded(game, tmp_path)


def test_what_is_shipped_is_small():
    assert sum(path.stat().st_size for path in HOME.rglob("*.trace")) < 200_000

"""Fjords through the contract: whole games, ends, refusals, and the rounds in between."""

from typing import Any

import pytest

from lawspeaker.model.core.contract import CHANCE, OVER
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import playout, steps

GAME: Any = make_game("fjords")
BOOK = GAME.catalogue.book


def under(*words: str) -> Any:
    return GAME.varied(rulings=BOOK.parse(words))


def test_a_game_is_three_rounds_of_which_each_counts_its_fields() -> None:
    last, count = playout(GAME, 8)
    assert GAME.actor(last) == OVER
    assert GAME.legal(last) == ()
    assert len(last.points) == 3
    assert 300 < count < 700
    result = GAME.result(last)
    assert result.scores == tuple(sum(pair[seat] for pair in last.points) for seat in (0, 1))
    assert result.winners


def test_a_game_begins_with_a_fair_lot_unless_the_ruling_names_a_seat() -> None:
    start = GAME.start()
    assert GAME.actor(start) == CHANCE
    assert [GAME.text(action) for action in GAME.legal(start)] == ["start A", "start B"]
    assert sum(GAME.odds(start)) == 1
    first = under("R_FIRST=first_seat")
    assert first.actor_name(first.start()) == "A"


@pytest.mark.parametrize(("ruling", "due"), [("chance", None), ("same", "A"), ("other", "B")])
def test_after_a_tied_round_the_ruling_names_the_starter(ruling: str, due: str | None) -> None:
    """With no farms on either side a round is 0:0 as soon as discovery ends."""
    game = under(f"R_TIED_ROUND={ruling}", "R_FIRST=first_seat")
    position = game.start()
    while position.round == 1:
        actions = game.legal(position)
        words = [game.text(action) for action in actions]
        position = game.apply(position, actions[words.index("nofarm") if "nofarm" in words else 0])
    assert position.points == ((0, 0),)
    assert game.record(position)["starter"] == due
    assert game.actor_name(position) == (due or "chance")


def test_actions_of_another_phase_are_refused_with_a_clause() -> None:
    for step in steps(GAME, 2, limit=30):
        for text in ("start A", "nofarm", "stop", "silent", "field 0,0/0", "draw", "aside"):
            action = GAME.parse(text)
            if action not in GAME.legal(step.after):
                broken = GAME.breaches(step.after, action)
                assert broken
                assert all(breach.clause in GAME.catalogue for breach in broken)


def test_the_same_seed_gives_the_same_game_whatever_was_played_before() -> None:
    before = GAME.digest(playout(GAME, 21)[0])
    for seed in range(3):
        playout(GAME, seed)
    assert GAME.digest(playout(make_game("fjords"), 21)[0]) == before


@pytest.mark.parametrize(
    "text", ["", "pass", "place", "place T99 0,0 r1", "place T07 0,0", "farm 0,0", "field 0,0/x", "place T07 00,0 r1"]
)
def test_text_that_is_no_action_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        GAME.parse(text)


def test_a_record_with_a_mistake_is_bad_input_and_names_the_field() -> None:
    record = GAME.record(GAME.start())
    with pytest.raises(BadInput, match="pile"):
        GAME.position({**record, "pile": ["T00nothing"]})
    with pytest.raises(BadInput):
        GAME.position({key: value for key, value in record.items() if key != "round"})


def test_a_position_that_breaks_an_invariant_is_read_and_named() -> None:
    record = GAME.record(next(step.after for step in steps(GAME, 3) if step.after.phase == "choose"))
    broken = GAME.broken_invariants(GAME.position({**record, "pile": record["pile"][1:]}))
    assert [breach.clause for breach in broken] == ["I01"]

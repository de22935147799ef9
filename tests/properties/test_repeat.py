"""The same seed gives the same bytes in every process; what depends on hash order is noticed."""

from typing import Any

from lawspeaker.model.core.games import make_game
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.properties.repeat import digests, elsewhere, repeatable

GAME: Any = make_game("fjords")


def test_games_repeat_in_other_processes() -> None:
    row = repeatable(GAME, seeds=(1, 2, 3), hash_seeds=(4711,))
    assert row.verdict == "pass", row.said
    assert row.times == 6


def test_rulings_and_pack_go_with_the_request() -> None:
    other = GAME.varied(rulings=GAME.catalogue.book.choose({"R_LAND": "tile", "R_FIRST": "first_seat"}))
    assert elsewhere(other, [1], 1) == digests(other, [1]) != digests(GAME, [1])


def test_a_game_that_remembers_what_was_played_is_noticed() -> None:
    played = [0]

    def touched(self: Any, position: Any, action: Any, after: Any) -> Any:
        played[0] += 1
        return (f"FD-{played[0]}",)

    kind: Any = type("Faulty", (FjordsGame,), {"touched": touched})
    row = repeatable(kind(GAME.catalogue, GAME.pack, GAME.rulings, GAME.law), seeds=(1,), hash_seeds=())
    assert row.verdict == "fail"
    assert "again in this process" in row.said

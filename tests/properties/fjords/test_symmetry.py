"""Fjords and its images under symmetries are one game; two orders of independent turns are one position."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.games import make_game
from lawspeaker.model.fjords.pack import FjordsPack
from lawspeaker.properties.fjords.symmetry import Image, Symmetry, in_step, symmetries, transpositions
from lawspeaker.properties.fjords_packs import packs

GAME: AnyGame = make_game("fjords")
BOOK = GAME.catalogue.book


@pytest.mark.parametrize("symmetry", list(symmetries()), ids=repr)
def test_the_image_is_played_in_step(symmetry: Symmetry) -> None:
    assert list(in_step(GAME, symmetry, seed=11, every=6)) == []


@pytest.mark.parametrize("ruling", ["R_LAND=closed", "R_LAND=tile", "R_MULTI=tile", "R_TWO=exactly", "R_ORDER=duty"])
def test_symmetries_hold_under_other_readings(ruling: str) -> None:
    game = GAME.varied(rulings=BOOK.parse([ruling]))
    every = Symmetry(turn=4, mirror=True, swap=True, shuffle=2)
    assert list(in_step(game, every, seed=1, every=9, limit=220)) == []


@given(pack=packs(), symmetry=st.sampled_from(list(symmetries())), seed=st.integers(0, 99))
def test_symmetries_hold_for_any_box(pack: FjordsPack, symmetry: Symmetry, seed: int) -> None:
    assert list(in_step(GAME.varied(pack=pack), symmetry, seed, every=12, limit=160)) == []


def test_turning_six_sixths_and_mirroring_twice_change_nothing() -> None:
    assert isinstance(GAME.pack, FjordsPack)
    plain = GAME.record(GAME.start())
    for symmetry in (Symmetry(), Symmetry(turn=6)):
        assert Image(symmetry, GAME.pack).record(plain)["board"] == plain["board"]
    mirrored = Image(Symmetry(mirror=True), GAME.pack)
    back = Image(Symmetry(mirror=True), mirrored.pack)
    assert back.record(mirrored.record(plain)) == plain


def test_a_rule_that_favours_a_side_of_the_plane_is_noticed() -> None:
    """Matching that ignores the east side is no longer the same game when the plane is turned."""

    def blind(shown: Any, facing: Any) -> bool:
        return all(f in (0, s) for s, f in list(zip(shown, facing, strict=True))[1:])

    game = GAME.varied(law=GAME.law.replace(terrains_match=blind))
    assert list(in_step(game, Symmetry(turn=1), seed=0, every=3, limit=60))


def test_a_rule_that_favours_a_player_is_noticed() -> None:
    game = GAME.varied(law=GAME.law.replace(round_winner=lambda fields: 0))
    assert list(in_step(game, Symmetry(swap=True), seed=0, every=1))


def test_two_orders_of_a_players_turns_lead_to_one_position() -> None:
    pairs = [pair for seed in range(3) for pair in transpositions(GAME, seed)]
    assert all(one == two for one, two in pairs)
    phases = {one["phase"] for one, _ in pairs}
    assert phases >= {"choose", "land"}
    assert len(pairs) > 60

"""Every check over boxes that are drawn, not printed: any tiles and start regions that the book permits."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawspeaker.model.core.games import make_game
from lawspeaker.model.fjords.pack import FjordsPack
from lawspeaker.properties.fjords_packs import packs, small_packs
from lawspeaker.properties.playouts import NEVER, run_playouts

GAME: Any = make_game("fjords")
BOOK = GAME.catalogue.book
CHOICES = [*BOOK.singles(), *BOOK.pairs()]
FEW = max(5, settings().max_examples // 3)


def quiet(game: Any, seed: int, every: int, limit: int) -> None:
    report = run_playouts(game, [seed], every=every, limit=limit)
    said = [row for row in report.rows if row.verdict not in ("pass", "not applicable") and row.said != NEVER]
    assert not said, report.said()


@settings(max_examples=FEW)
@given(pack=packs(), choice=st.sampled_from(CHOICES), seed=st.integers(0, 999))
def test_any_box_under_any_pair_of_rulings_keeps_every_check(pack: FjordsPack, choice: Any, seed: int) -> None:
    quiet(GAME.varied(pack=pack, rulings=choice), seed, 8, 170)


@settings(max_examples=FEW)
@given(pack=small_packs(6), choice=st.sampled_from(CHOICES), seed=st.integers(0, 999))
def test_whole_games_with_small_boxes_keep_every_check(pack: FjordsPack, choice: Any, seed: int) -> None:
    quiet(GAME.varied(pack=pack, rulings=choice), seed, 2, 100_000)


@pytest.mark.deep
@given(pack=packs(), choice=st.sampled_from(CHOICES), seed=st.integers(0, 10**6))
def test_whole_games_with_any_box_keep_every_check(pack: FjordsPack, choice: Any, seed: int) -> None:
    quiet(GAME.varied(pack=pack, rulings=choice), seed, 2, 100_000)

"""The fast paths of Fjords against asking the law itself."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import steps
from lawspeaker.model.fjords.pack import FjordsPack
from lawspeaker.model.fjords.tables import Tables
from lawspeaker.properties.fjords_packs import packs

GAME: Any = make_game("fjords")


def asked(tables: Tables, facing: tuple[int, ...]) -> list[tuple[int, int]]:
    """Ask the law about every tile and turn, one by one."""
    return [
        (tile, turn)
        for tile, turns in enumerate(tables.shown)
        for turn in range(6)
        if tables.law.terrains_match(turns[turn], facing)
    ]


@given(data=st.data(), pack=packs())
def test_bit_sets_match_what_the_law_says_tile_by_tile(data: st.DataObject, pack: FjordsPack) -> None:
    tables = Tables(pack, GAME.rulings, GAME.law)
    size = 6 * pack.slots
    tile = data.draw(st.sampled_from(tables.shown))[data.draw(st.integers(0, 5))]
    sides = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    near = tuple(terrain if shown else 0 for terrain, shown in zip(tile, sides, strict=True))
    anything = tuple(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    for facing in (near, anything, (0,) * size):
        assert list(tables._matching(facing)) == asked(tables, facing)
    assert list(tables._matching(near)), "what a tile shows is matched by that tile at least"


def test_a_varied_rule_is_asked_itself() -> None:
    game = GAME.varied(law=GAME.law.replace(terrains_match=lambda shown, facing: False))
    assert list(game.tables._matching((0,) * 6)) == []


def test_the_spots_met_in_play_fit_as_the_law_says() -> None:
    patterns = {pattern for step in steps(GAME, 4, limit=140) for _, pattern in step.after.spots}
    assert len(patterns) > 60
    tables = GAME.tables
    for pattern in patterns:
        facing = tables.facing(pattern)
        fits = {(tile, turn) for tile in range(len(tables.tiles)) for turn in tables.fits(tile, pattern)}
        law, contacts = GAME.law, tables.contacts(facing)
        assert fits == {
            (tile, turn)
            for tile, turn in asked(tables, facing)
            if law.touches_two(contacts, "at_least")
            and law.joins_landmass(tables.parts[tile][turn], facing, "component")
            and law.areas_allowed(tables.shown[tile][turn], facing)
        }

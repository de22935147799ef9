"""The second reading of the map: what it is, and that it notices a model that reads the map otherwise."""

from typing import Any

import networkx as nx
import pytest
from msgspec.structs import replace

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.hexgrid import AXIAL_STEPS
from lawspeaker.model.core.play import steps
from lawspeaker.model.fjords.pack import read_pack
from lawspeaker.properties.fjords import graphs
from lawspeaker.properties.fjords.landscape import WAYS, Landscape, border_points
from lawspeaker.properties.playouts import run_playouts

GAME: Any = make_game("fjords")
BY_ID = {check.id: check for check in graphs.CHECKS}


def pack_of(*sides: str, slots: int = 1, **more: Any) -> Any:
    tiles = [{"id": f"T{n}", "sides": s, "centre": "F", **more} for n, s in enumerate(sides)]
    plain = {"format": "lawspeaker-pack/1", "game": "fjords", "id": "cut", "title": "cut", "complete": False}
    return read_pack({**plain, "tiles": tiles, "arrangements": [], "slots": slots}, "cut")


def test_the_ways_agree_with_the_grid_of_the_model() -> None:
    assert WAYS == AXIAL_STEPS


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_neighbours_share_exactly_the_points_of_one_side(slots: int) -> None:
    here = border_points((0, 0), slots)
    assert len(set(here)) == 6 * slots
    for side, way in enumerate(WAYS):
        shared = [n for n, point in enumerate(here) if point in border_points(way, slots)]
        assert shared == list(range(side * slots, side * slots + slots))
    assert not set(here) & set(border_points((2, 0), slots))


def test_terrain_that_differs_is_seen_whichever_way_a_tile_is_turned() -> None:
    pack = pack_of("FSSSSS", "SSSFSS")
    assert Landscape(pack, [(0, 0, "T0", 0), (1, 0, "T1", 0)]).clashes() == []
    assert len(Landscape(pack, [(0, 0, "T0", 0), (1, 0, "T1", 1)]).clashes()) == 1
    assert Landscape(pack, [(0, 0, "T0", 1), (1, -1, "T1", 1)]).clashes() == []


def test_a_ring_of_six_has_a_hole_and_the_sea_can_drown_it() -> None:
    pack = pack_of("SSSSSS")
    region = Landscape(pack, [(*way, "T0", 0) for way in WAYS])
    assert region.holes() == [[(0, 0)]]
    assert region.drowned() == [(0, 0)]
    assert Landscape(pack, [(*way, "T0", 0) for way in WAYS[:5]]).holes() == []


def test_segments_join_across_farmland_and_not_within_a_divided_tile() -> None:
    pack = pack_of("FSSFSS", segments=[[0], [3]], land=[[0], [3]])
    region = Landscape(pack, [(0, 0, "T0", 0), (1, 0, "T0", 0), (2, 0, "T0", 3)])
    parts = sorted(len(part) for part in nx.connected_components(region.segments()))
    assert parts == [1, 1, 2, 2]


def test_the_book_sets_no_bound_to_seas() -> None:
    """F-G14: regions with several seas come up in play, so nothing in the model restricts them."""
    *_, last = steps(GAME, 0, limit=150)
    region = Landscape(GAME.pack, GAME.record(last.after)["board"])
    assert nx.number_connected_components(region.seas()) > 1


LAWS: dict[str, dict[str, Any]] = {
    "F-G1": {"touches_two": lambda contacts, two: contacts >= 1},
    "F-G2": {"touches_two": lambda contacts, two: contacts >= 3},
    "F-G3": {"terrains_match": lambda shown, facing: True},
    "F-G4": {"joins_landmass": lambda parts, facing, land: True},
    "F-G5": {"joins_landmass": lambda parts, facing, land: True},
    "F-G8": {"farmland_meets": lambda terrain, beyond: True},
    "F-G9": {"field_reach": lambda near_own, anywhere, first: anywhere},
    "F-G10": {"farmland_meets": lambda terrain, beyond: True},
    "F-G11": {"farmland_meets": lambda terrain, beyond: terrain == 2},
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_that_reads_the_map_otherwise_is_noticed(name: str) -> None:
    dense = replace(BY_ID[name], every=1)
    game = GAME.varied(law=GAME.law.replace(**LAWS[name]))
    assert run_playouts(game, range(3), [dense]).rows[0].verdict in ("fail", "error")


def test_holes_that_the_model_does_not_count_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "holes", lambda laid: ())
    dense = replace(BY_ID["F-G6"], every=1)
    assert run_playouts(GAME, range(3), [dense]).rows[0].verdict == "fail"


def test_a_tile_laid_on_a_drowned_cell_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Landscape, "drowned", Landscape.open_cells)  # every open cell taken for a drowned one
    assert run_playouts(GAME, [0], [replace(BY_ID["F-G7"], every=1)]).rows[0].verdict == "fail"


@pytest.mark.parametrize("ruling", ["R_LAND=closed", "R_LAND=tile", "R_TWO=exactly", "R_START=line"])
def test_model_and_landscape_agree_on_every_place_under_other_readings(ruling: str) -> None:
    game = GAME.varied(rulings=GAME.catalogue.book.parse([ruling]))
    report = run_playouts(game, [2], [replace(BY_ID["F-G2"], every=3)], limit=200)
    assert report.rows[0].verdict == "pass", report.said()

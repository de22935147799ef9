"""The map of a box of Fire & Axe and its weather: distances, pieces, what is reached without a loss."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

import lawspeaker.model.core
from lawspeaker.model.fire_axe.maps import beside, clear_days, distances, parts, places_of, regions_of, safe_reach
from lawspeaker.model.fire_axe.pack import ZONES, FireAxePack, Zone, load_pack

PACKS = Path(lawspeaker.model.core.__file__).parent.parent / "fire_axe" / "packs"
ESTIMATED, FEW = load_pack(PACKS / "estimated.yaml"), load_pack(PACKS / "few.yaml")


def test_places_lie_side_by_side_both_ways_and_in_the_order_of_the_pack() -> None:
    near, places = beside(FEW), places_of(FEW)
    assert places == ("Norway", "Near Sea", "Far Sea", "Bo", "Vik", "Nes", "Isle", "Borg")
    assert near["Near Sea"] == ("Norway", "Far Sea", "Bo", "Vik")
    assert near["Vik"] == ("Near Sea", "Bo") and near["Norway"] == ("Near Sea",)


def test_distances_count_sails() -> None:
    assert distances(FEW, "Norway") == {
        "Norway": 0, "Near Sea": 1, "Far Sea": 2, "Bo": 2, "Vik": 2, "Nes": 3, "Isle": 3, "Borg": 3,
    }  # fmt: skip
    assert distances(FEW, "Bo")["Vik"] == 1 and distances(FEW, "Nes")["Isle"] == 2


def test_every_port_of_the_estimated_box_lies_within_four_sails_of_a_homeland() -> None:
    found = [distances(ESTIMATED, home.id) for home in ESTIMATED.homelands]
    assert [max(table.values()) for table in found] == [7, 5, 5]
    assert max(min(table[port.id] for table in found) for port in ESTIMATED.ports) == 4


def test_the_sea_is_in_one_piece_until_a_port_is_the_way() -> None:
    sea = {home.id for home in FEW.homelands} | {water.id for water in FEW.waters}
    assert parts(FEW, sea) == (("Norway", "Near Sea", "Far Sea"),)
    edges = (*(edge for edge in FEW.edges if edge != ("Near Sea", "Far Sea")), ("Vik", "Nes"))
    cut = msgspec.structs.replace(FEW, edges=edges)
    assert parts(cut, sea) == (("Norway", "Near Sea"), ("Far Sea",))
    assert parts(cut, set(places_of(cut))) == (places_of(cut),)
    assert parts(cut, set()) == ()


def test_regions_are_their_ports() -> None:
    assert regions_of(FEW) == {"Coast": ("Bo", "Vik", "Nes")}
    assert {len(ports) for ports in regions_of(ESTIMATED).values()} == {3}


# -- the weather ------------------------------------------------------------------------------------


def test_the_dial_shows_best_weather_under_blue_and_worst_under_red() -> None:
    assert clear_days(ESTIMATED.dial, "South") == {"North": 3, "East": 5, "South": 7, "West": 5}
    assert clear_days(ESTIMATED.dial, "West") == {"North": 4, "East": 4, "South": 6, "West": 6}
    beside_blue = msgspec.structs.replace(ESTIMATED.dial, red=1)
    assert clear_days(beside_blue, "South") == {"North": 4, "East": 5, "South": 7, "West": 4}
    beside_blue = msgspec.structs.replace(ESTIMATED.dial, red=3)
    assert clear_days(beside_blue, "South") == {"North": 4, "East": 4, "South": 7, "West": 5}


@pytest.mark.parametrize(
    ("blue", "ports"), [("North", "Bo Vik Nes Isle Borg"), ("East", "Bo Vik"), ("South", "Bo Vik Nes Isle Borg")]
)
def test_the_weather_says_which_ports_are_reached_without_a_loss(blue: Zone, ports: str) -> None:
    found = safe_reach(FEW, "Norway", clear_days(FEW.dial, blue))
    assert {place for place in found if place in {port.id for port in FEW.ports}} == set(ports.split())


def test_a_zone_is_entered_on_its_clear_days_only() -> None:
    """With one Clear Weather Day in the North the way through it is shut on the second Sail."""
    clear: dict[Zone, int] = {"North": 1, "East": 0, "South": 0, "West": 7}
    far = {"Norway": 0, "Near Sea": 1, "Far Sea": 2, "Nes": 3, "Isle": 3, "Borg": 3}
    assert safe_reach(FEW, "Norway", clear) == far
    assert safe_reach(FEW, "Norway", clear, days=2) == {"Norway": 0, "Near Sea": 1, "Far Sea": 2}
    assert safe_reach(FEW, "Norway", clear, days=0) == {"Norway": 0}
    assert safe_reach(FEW, "Norway", {**clear, "North": 0}) == {"Norway": 0}


@pytest.mark.parametrize("pack", [ESTIMATED, FEW], ids=["estimated", "few"])
def test_more_days_reach_no_less_and_never_faster_than_the_map_lets(pack: FireAxePack) -> None:
    for blue in ZONES:
        clear = clear_days(pack.dial, blue)  # type: ignore[arg-type]  # one of the zones
        for home in pack.homelands:
            tables = [safe_reach(pack, home.id, clear, days) for days in range(9)]
            assert all(fewer.items() <= more.items() for fewer, more in pairwise(tables))
            away = distances(pack, home.id)
            assert all(day >= away[place] for place, day in tables[-1].items())
            best = safe_reach(pack, home.id, dict.fromkeys(clear, 7))
            assert best == {place: sails for place, sails in away.items() if sails <= 7}

"""What follows from the map and cards of a box of Fire & Axe: figures of the shipped boxes, and how they move."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import lawspeaker.model.core
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.core.packs import Note
from lawspeaker.model.fire_axe.notes import notes
from lawspeaker.model.fire_axe.pack import FireAxePack, load_pack, read_pack
from lawspeaker.model.fire_axe.room import ROOM

PACKS = Path(lawspeaker.model.core.__file__).parent.parent / "fire_axe" / "packs"
PLAIN: dict[str, Any] = parse_yaml(read_text(PACKS / "estimated.yaml"), "estimated.yaml")
ESTIMATED, FEW = load_pack(PACKS / "estimated.yaml"), load_pack(PACKS / "few.yaml")
Change = Callable[[dict[str, Any]], object]


def pack_with(*changes: Change) -> FireAxePack:
    """Return the estimated pack with changes made to it."""
    plain = copy.deepcopy(PLAIN)
    for change in changes:
        change(plain)
    return read_pack(plain, "pack")


def put(kind: str, name: str, **fields: Any) -> Change:
    return lambda plain: next(one for one in plain[kind] if one["id"] == name).update(fields)


def edges(*without: str, more: tuple[tuple[str, str], ...] = ()) -> Change:
    """Take the edges away that join two places, or all of one place; then add some."""
    return lambda plain: plain.update(
        edges=[*(edge for edge in plain["edges"] if not set(without) <= set(edge)), *map(list, more)]
    )


def said(pack: FireAxePack, what: str) -> Note:
    return next(note for note in notes(pack) if note.what == what)


def told(pack: FireAxePack) -> set[str]:
    return {note.what for note in notes(pack)}


def test_the_notes_of_the_estimated_pack() -> None:
    assert said(ESTIMATED, "ports by Sails from the nearest Homeland") == Note(
        "ports by Sails from the nearest Homeland", "4", "8 at 2, 11 at 3, 6 at 4; a turn has 7 Days"
    )
    assert said(ESTIMATED, "ports reached without losses, best weather in the South") == Note(
        "ports reached without losses, best weather in the South", "22 of 25",
        "22 from Norway, 21 from Denmark, 21 from Sweden; North 3, East 5, South 7, West 5",
    )  # fmt: skip
    most = {"the Bloodied Axe": "45", "Settlements": "183", "Saga sets": "180"}
    assert {what: said(ESTIMATED, f"most for {what}").verdict for what in most} == most
    assert said(ESTIMATED, "a good used up for a port that needs it").verdict == "possible"
    assert said(FEW, "a good used up for a port that needs it").verdict == "never"


def test_what_is_no_matter_is_not_told() -> None:
    rare = {"ports out of reach in one turn", "towns that stand for ever", "pieces of the sea if ports are closed",
            "ports that dice exceed only after a trade"}  # fmt: skip
    assert not told(ESTIMATED) & rare
    assert not {what for what in told(ESTIMATED) if what.startswith("pieces of the zone")}


def test_values_that_a_die_exceeds_always_late_or_never_are_told() -> None:
    pack = pack_with(put("ports", "York", value=6), put("ports", "Riga", value=1), put("ports", "Cork", value=7))
    assert said(pack, "ports that dice exceed only after a trade") == Note(
        "ports that dice exceed only after a trade", "1", "York"
    )
    assert said(pack, "ports that every roll exceeds once a good is there").said == "Riga"
    assert said(pack, "towns that stand for ever").said == "Cork"
    assert "towns that stand for ever" not in told(pack_with(put("ports", "Riga", value=7)))


def test_ports_far_away_are_told() -> None:
    way = ("Middle Sea", *(f"Strait {n}" for n in range(5)), "Constantinople")
    straits = [{"id": name, "zone": "South"} for name in way[1:-1]]
    pack = pack_with(lambda p: p["waters"].extend(straits), edges("Constantinople", more=tuple(pairwise(way))))
    assert said(pack, "ports out of reach in one turn") == Note("ports out of reach in one turn", "1", "Constantinople")
    assert said(pack, "ports by Sails from the nearest Homeland").verdict == "9"


def test_pieces_of_the_sea_and_of_a_zone_are_told() -> None:
    pack = pack_with(edges("Norway", more=(("Norway", "Lofoten"),)))
    assert said(pack, "pieces of the sea if ports are closed").said.startswith("Norway; Denmark, Sweden, ")
    pack = pack_with(edges("North Sea", "Irish Sea", more=(("North Sea", "Bay of Biscay"),)))
    assert said(pack, "pieces of the zone West") == Note(
        "pieces of the zone West", "2", "Western Isles, North Sea; Irish Sea"
    )


@pytest.mark.parametrize(("count", "verdict"), [(5, "never"), (6, "possible")])
def test_a_good_can_be_used_up_where_ten_places_outside_a_region_take_it(count: int, verdict: str) -> None:
    """Five regions and so many independent ports; ten goods of a sort can be loaded while it is in demand."""
    regions = {"Iceland", "Northumbria", "Ireland", "Francia", "Courland"}
    alone = ["Faeroes", "Shetland", "Lofoten", "Gotland", "Paris", "Rome", "Constantinople"]
    away = {port["id"] for port in PLAIN["ports"] if port.get("region") not in regions} - set(alone[:count])

    def cut(plain: dict[str, Any]) -> None:
        plain.update(
            complete=False,
            ports=[port for port in plain["ports"] if port["id"] not in away],
            edges=[edge for edge in plain["edges"] if not set(edge) & away],
            sagas=[saga for saga in plain["sagas"] if not set(saga["ports"]) & away],
        )
        for size in ("small", "large"):
            towns = sum(port.get("town") == size for port in plain["ports"])
            plain["treasures"][size] = plain["treasures"][size][:towns]

    assert said(pack_with(cut), "a good used up for a port that needs it").verdict == verdict


def test_the_least_number_of_turns_hangs_on_ports_side_by_side() -> None:
    assert said(ESTIMATED, "ports").said == (
        "a turn without runes serves 8 at most, as some lie side by side, so it takes 4 turns or more"
    )
    assert said(pack_with(edges("Truso", "Riga")), "ports").said == (
        "a turn without runes serves 4 at most, as none lie side by side, so it takes 7 turns or more"
    )


@pytest.mark.parametrize("name", ["estimated", "peaceful", "few"])
def test_pack_check_has_notes_on_each_shipped_pack(name: str) -> None:
    pack = load_pack(PACKS / f"{name}.yaml")
    assert ROOM.notes(pack) == notes(pack) and len(notes(pack)) >= 9

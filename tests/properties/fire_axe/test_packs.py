"""Boxes of Fire & Axe that are drawn: they fit, and two readings of their maps and weather agree."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from typing import Any, get_args

import msgspec
import networkx as nx
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import lawspeaker.model.core
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.fire_axe import maps as own
from lawspeaker.model.fire_axe.notes import notes
from lawspeaker.model.fire_axe.pack import FireAxePack, RuneEffect, load_pack, read_pack
from lawspeaker.model.fire_axe.pack_audit import audit
from lawspeaker.model.fire_axe.room import ROOM
from lawspeaker.properties.fire_axe.maps import (
    CLAIMS,
    EXPECTED,
    GOODS,
    ZONES,
    against,
    clear_days,
    cut_points,
    dial_of,
    fillings,
    map_of,
    of_kind,
    reached,
    rivals,
    sagas_of,
    sea_of,
    served,
)
from lawspeaker.properties.fire_axe_packs import packs, small_packs
from lawspeaker.properties.playouts import NEVER, run_playouts

PACKS = Path(lawspeaker.model.core.__file__).parent.parent / "fire_axe" / "packs"
PLAIN: dict[str, Any] = parse_yaml(read_text(PACKS / "estimated.yaml"), "estimated.yaml")
ESTIMATED = load_pack(PACKS / "estimated.yaml")
READINGS = ("by_map", "via_water")
few = settings(max_examples=25, deadline=None, database=None, derandomize=True)
any_box = st.one_of(packs(), small_packs())


# -- what is drawn ---------------------------------------------------------------------------------


@few
@given(pack=packs())
def test_drawn_boxes_fit_the_rulebook_and_read_back(pack: FireAxePack) -> None:
    assert pack.complete and audit(pack) == () and list(against(pack)) == []
    assert read_pack(msgspec.to_builtins(pack), "drawn") == pack
    assert notes(pack)


@few
@given(data=st.data(), sagas=st.integers(4, 12), runes=st.integers(0, 8))
def test_small_boxes_fit_and_have_what_was_asked_for(data: st.DataObject, sagas: int, runes: int) -> None:
    pack = data.draw(small_packs(sagas, runes))
    assert (pack.complete, len(pack.sagas), len(pack.runes)) == (False, sagas, runes)
    assert audit(pack) == () and read_pack(msgspec.to_builtins(pack), "drawn") == pack


@settings(few, max_examples=6)
@given(pack=any_box)
def test_the_game_takes_drawn_boxes_under_every_ruling(pack: FireAxePack) -> None:
    place = ROOM
    for choice in place.catalogue.book.singles():
        assert place.build(pack, choice, 3).pack == pack


KINDS: dict[str, Callable[[FireAxePack], bool]] = {
    "no regions": lambda p: all(port.region is None for port in p.ports),
    "six regions": lambda p: len({port.region for port in p.ports} - {None}) == 6,
    "a region with and without towns": lambda p: any(
        len({port.town for port in p.ports if port.region == region}) > 1
        for region in {port.region for port in p.ports if port.region is not None}
    ),
    "a border port with a town": lambda p: any(q.town != "none" for q in p.ports if q.id in ("Faeroes", "Shetland")),
    "ports side by side": lambda p: any(set(edge) <= {port.id for port in p.ports} for edge in p.edges),
    "a port beside a Homeland": lambda p: any(
        set(edge) & {port.id for port in p.ports} and set(edge) & {home.id for home in p.homelands} for edge in p.edges
    ),
    "a port beside two waters of one zone": lambda p: any(
        sum(port.id in edge and "Sea" in edge[1] for edge in p.edges) == 2
        for port in p.ports if port.id not in ("Faeroes", "Shetland")
    ),
    "a zone in two pieces": lambda p: "zone in one piece" in {name for name, _ in against(p, EXPECTED)},
    "a sea with a ring": lambda p: not nx.is_forest(map_of(p).subgraph(of_kind(map_of(p), "water"))),
    "a value that dice exceed only after a trade": lambda p: any(port.value == p.die for port in p.ports),
    "another die": lambda p: p.die != 6,
    "red beside blue": lambda p: p.dial.red != 2,
    "weather that never lets a ship sail": lambda p: any(not numbers[2] for numbers in p.dial.numbers.values()),
    "runes without conflict": lambda p: not any(rune.conflict for rune in p.runes),
    "a rune without effect": lambda p: any(not rune.effects for rune in p.runes),
    "a rune on others' turns": lambda p: any(rune.whose == "any" for rune in p.runes),
    "a Saga of three ports": lambda p: any(len(saga.ports) == 3 for saga in p.sagas),
}  # fmt: skip


def test_boxes_of_every_kind_and_runes_of_every_effect_are_drawn() -> None:
    """What only some boxes have is found among those drawn: the strategy leaves none of it out."""
    seen: set[str] = set()
    effects: set[type] = set()

    @settings(few, max_examples=80, phases=[Phase.generate])
    @given(pack=packs())
    def look(pack: FireAxePack) -> None:
        seen.update(kind for kind, has in KINDS.items() if has(pack))
        effects.update(type(effect) for rune in pack.runes for effect in rune.effects)

    look()
    assert seen == set(KINDS)
    assert effects == set(get_args(RuneEffect))


# -- the map and the weather, twice ------------------------------------------------------------------


@few
@given(pack=any_box)
def test_two_readings_of_the_map_agree(pack: FireAxePack) -> None:
    graph = map_of(pack)
    for place, near in own.beside(pack).items():
        assert set(near) == set(graph[place])
        assert own.distances(pack, place) == nx.single_source_shortest_path_length(graph, place)
    sea = {tuple(sorted(part)) for part in nx.connected_components(sea_of(graph))}
    assert {tuple(sorted(part)) for part in own.parts(pack, of_kind(graph, "homeland", "water"))} == sea
    regions = {frozenset(group) for group in nx.connected_components(rivals(pack)) if len(group) > 1}
    assert regions == {frozenset(ports) for ports in own.regions_of(pack).values()}


@few
@given(pack=any_box)
def test_two_readings_of_the_weather_agree(pack: FireAxePack) -> None:
    graph = map_of(pack)
    for home, blue in product(pack.homelands, ZONES):
        clear = clear_days(pack, blue)
        assert own.clear_days(pack.dial, blue) == clear  # type: ignore[arg-type]  # a zone's name
        for days in (0, 1, 4, 7):
            assert own.safe_reach(pack, home.id, clear, days) == reached(graph, home.id, clear, days)  # type: ignore[arg-type]


@settings(few, max_examples=10)
@given(pack=any_box, ruling=st.sampled_from(READINGS))
def test_the_game_sails_on_the_same_map(pack: FireAxePack, ruling: str) -> None:
    place = ROOM
    game: Any = place.build(pack, place.catalogue.book.choose({"R_PORT_EDGES": ruling}), 2)
    graph, tables = map_of(pack, ruling), game.tables
    names = tables.names.places
    for n in range(1, len(names)):
        assert {names[to] for to in tables.neighbours[n]} == set(graph[names[n]])
    for n, blue in enumerate(tables.zones):
        assert dict(zip(tables.zones, tables.clear[n], strict=True)) == clear_days(pack, blue)


@settings(few, max_examples=8)
@given(pack=any_box, seed=st.integers(0, 999))
def test_drawn_boxes_can_be_played_and_keep_every_check(pack: FireAxePack, seed: int) -> None:
    game: Any = ROOM.build(ROOM.load_pack(ROOM.default_pack), ROOM.catalogue.book.choose(), 2)
    report = run_playouts(game.varied(pack=pack), [seed], every=8, limit=120)
    said = [row for row in report.rows if row.verdict not in ("pass", "not applicable") and row.said != NEVER]
    assert not said, report.said()


# -- the estimated map ---------------------------------------------------------------------------------


def test_the_estimated_map_has_all_that_is_claimed_and_expected() -> None:
    assert list(against(ESTIMATED)) == [] and list(against(ESTIMATED, EXPECTED)) == []
    graph = map_of(ESTIMATED)
    assert nx.eccentricity(graph, ["Norway", "Denmark", "Sweden"]) == {"Norway": 7, "Denmark": 5, "Sweden": 5}
    assert nx.diameter(graph) == 7
    assert cut_points(graph) == of_kind(graph, "water")
    assert clear_days(ESTIMATED, "South") == {"North": 3, "East": 5, "South": 7, "West": 5}


def test_every_place_of_the_dial_is_two_quarter_turns_away_at_most() -> None:
    assert nx.diameter(dial_of(ESTIMATED)) == 2
    assert sorted(dict(dial_of(ESTIMATED).degree).values()) == [2, 2, 2, 2]


@pytest.mark.parametrize("ruling", ["via_water", "by_map"])
def test_a_turn_serves_four_ports_from_a_port_and_three_from_a_homeland(ruling: str) -> None:
    graph = map_of(ESTIMATED, ruling)
    assert max(served(graph, home) for home in of_kind(graph, "homeland")) == 3
    assert max(served(graph, port) for port in of_kind(graph, "port")) == 4


def test_a_way_from_port_to_port_saves_a_sail() -> None:
    """Without such ways each further port takes two Sails (FA-G-12)."""
    pack = load_pack(PACKS / "few.yaml")
    found = {ruling: [served(map_of(pack, ruling), "Bo", days) for days in range(8)] for ruling in READINGS}
    assert found == {"via_water": [1, 1, 2, 2, 2, 3, 3, 4], "by_map": [1, 2, 2, 2, 3, 3, 4, 4]}


def test_a_region_has_34_fillings_and_each_can_be_completed() -> None:
    graph = rivals(ESTIMATED)
    region = ("Hvarf", "Horn", "Skalholt")
    ways = fillings(graph, region)
    assert len(ways) == 34 and len([way for way in ways if None not in way.values()]) == 6
    assert len(fillings(graph, ("Paris", "Rome", "Gotland"))) == (len(GOODS) + 1) ** 3


def test_the_graph_of_sagas_joins_each_to_its_ports() -> None:
    graph = sagas_of(ESTIMATED)
    assert set(graph[("saga", "S22")]) == {("port", "Cork"), ("port", "Dublin"), ("port", "Norwich")}
    assert ("saga", "S02") in graph[("port", "Cork")] and not graph[("port", "Gotland")]


# -- claims can fail -------------------------------------------------------------------------------------


def changed(change: Callable[[dict[str, Any]], object]) -> FireAxePack:
    plain = copy.deepcopy(PLAIN)
    change(plain)
    return read_pack(plain, "pack")


def put(kind: str, name: str, **fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda plain: next(one for one in plain[kind] if one["id"] == name).update(fields)


def edges(*without: str, more: tuple[tuple[str, str], ...] = ()) -> Callable[[dict[str, Any]], object]:
    """Take the edges away that join two places, or all of one place; then add some."""
    return lambda plain: plain.update(
        edges=[*(edge for edge in plain["edges"] if not set(without) <= set(edge)), *map(list, more)]
    )


def lame(plain: dict[str, Any]) -> None:
    """Take the town of York away, and its treasure."""
    put("ports", "York", town="none")(plain)
    plain["treasures"]["small"].pop()


def far(plain: dict[str, Any]) -> None:
    """Put five straits before Constantinople."""
    way = ["Middle Sea", *(f"Strait {n}" for n in range(5)), "Constantinople"]
    plain["waters"] += [{"id": name, "zone": "South"} for name in way[1:-1]]
    edges("Constantinople", more=tuple(pairwise(way)))(plain)


FAULTS: list[tuple[str, str, Callable[[dict[str, Any]], object]]] = [
    ("homelands", "Gautland", lambda p: (p["homelands"].append({"id": "Gautland", "zone": "East"}),
                                         p["edges"].append(["Gautland", "Baltic Sea"]))),
    ("water", "York", edges("York", more=(("York", "Lincoln"),))),
    ("zones", "East", lambda p: [one.update(zone="West") for one in p["waters"] if one["zone"] == "East"]),
    ("one zone", "York", put("ports", "York", zone="South")),
    ("one zone", "Faeroes", edges("Faeroes", "Denmark Strait")),
    ("one zone", "Shetland", put("ports", "Shetland", zone="North")),
    ("regions", "Gotland, Ladoga, Riga, Truso", put("ports", "Gotland", region="Courland")),
    ("regions", "a region of one port", put("ports", "Gotland", region="Gotland")),
    ("towns", "11 small towns, 3 large", lame),
    ("connected", "York", edges("York")),
    ("dial", "South", lambda p: p["dial"].update(start="West")),
    ("dial", "South", lambda p: p["dial"]["numbers"].update(South=[6, 6, 5])),
    ("goods", "Gotland, Ladoga, Riga, Truso", put("ports", "Gotland", region="Courland")),
    ("towns fall", "York", put("ports", "York", value=7)),
    ("zone in one piece", "West", edges("North Sea", "Irish Sea", more=(("North Sea", "Bay of Biscay"),))),
    ("open sea", "Norway", edges("Norway", more=(("Norway", "Lofoten"),))),
    ("no port in the way", "Lofoten", edges("Norway", more=(("Norway", "Lofoten"),))),
    ("within a turn", "Constantinople", far),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "what", "fault"), FAULTS)
def test_a_fault_of_the_map_speaks_against_its_claim(
    claim: str, what: str, fault: Callable[[dict[str, Any]], object]
) -> None:
    assert (claim, what) in set(against(changed(fault), CLAIMS + EXPECTED))


def test_a_raid_saga_of_ports_without_towns_speaks_against_its_claim() -> None:
    """No pack that can be read has one, so it is made by hand."""
    sagas = tuple(msgspec.structs.replace(s, ports=("Riga",)) if s.id == "S03" else s for s in ESTIMATED.sagas)
    assert list(against(msgspec.structs.replace(ESTIMATED, sagas=sagas))) == [("sagas", "S03")]


def test_every_claim_has_a_fault() -> None:
    assert {claim for claim, _, _ in FAULTS} | {"sagas"} == {claim.id for claim in CLAIMS + EXPECTED}


def test_every_clause_of_a_claim_stands_in_the_catalogue() -> None:
    clauses = {one["id"] for one in parse_yaml(read_text(PACKS.parent / "clauses.yaml"), "clauses")["clauses"]}
    assert {clause for claim in CLAIMS + EXPECTED for clause in claim.clauses} <= clauses

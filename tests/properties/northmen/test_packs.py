"""Boxes of Northmen that are drawn: they fit, and two readings of their maps and marches agree."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import lawspeaker.model.core
from lawspeaker.model.core.games import room
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.northmen.maps import Reach, march_possible, reach_of, stuck_kingdoms
from lawspeaker.model.northmen.notes import notes
from lawspeaker.model.northmen.pack import PLAYERS, NorthmenPack, audit, read_pack, sea_regions, token_cards
from lawspeaker.properties.northmen.landscape import (
    CLAIMS,
    LANDLOCKED,
    against,
    by_either,
    by_land,
    by_sea,
    map_of,
    march_flows,
)
from lawspeaker.properties.northmen_packs import packs, small_packs

ESTIMATED = Path(lawspeaker.model.core.__file__).parent.parent / "northmen" / "packs" / "estimated.yaml"
PLAIN: dict[str, Any] = parse_yaml(read_text(ESTIMATED), "estimated.yaml")
READINGS = list(product(("exhaustive", "examples"), ("neutral", "kingdom")))
few = settings(max_examples=40, deadline=None, database=None, derandomize=True)


def changed(kind: str, number: int, **fields: Any) -> NorthmenPack:
    plain = copy.deepcopy(PLAIN)
    plain[kind][number].update(fields)
    return read_pack(plain, "pack")


def regions_in(pack: NorthmenPack, mask: int) -> set[str]:
    return {region.id for n, region in enumerate(pack.regions) if mask >> n & 1}


def playable_under_every_reading(pack: NorthmenPack) -> bool:
    tokens = [
        token_cards(pack, n, m, b) for n, m, b in product(PLAYERS, ("suppress", "enable"), ("neutral", "kingdom"))
    ]
    return min(tokens) >= 15 and not any(stuck_kingdoms(pack, reach_of(pack, *reading)) for reading in READINGS)


# -- what is drawn ---------------------------------------------------------------------------------


@few
@given(pack=packs())
def test_drawn_boxes_fit_the_rulebook_and_read_back(pack: NorthmenPack) -> None:
    assert pack.complete and audit(pack) == () and list(against(pack)) == []
    assert read_pack(msgspec.to_builtins(pack), "drawn") == pack
    placing = [token_cards(pack, n, "suppress", "neutral") for n in PLAYERS]
    assert placing[0] > placing[1] > placing[2] >= 15
    assert all(note.verdict != "certain" for note in notes(pack))


@few
@given(pack=packs(any_reading=True))
def test_boxes_for_any_reading_can_be_played_under_each(pack: NorthmenPack) -> None:
    assert audit(pack) == () and playable_under_every_reading(pack)


@settings(few, max_examples=6)
@given(pack=packs(any_reading=True))
def test_the_game_takes_boxes_for_any_reading_under_every_ruling(pack: NorthmenPack) -> None:
    place = room("northmen")
    for choice, players in product(place.catalogue.book.singles(), PLAYERS):
        assert place.build(pack, choice, players).pack == pack


@settings(few, max_examples=20)
@given(pack=packs())
def test_the_game_takes_every_box_that_fits(pack: NorthmenPack) -> None:
    place = room("northmen")
    for players in PLAYERS:
        assert place.build(pack, place.catalogue.book.choose(), players).pack == pack


@few
@given(data=st.data(), cards=st.sampled_from((15, 21, 27, 40)))
def test_small_boxes_fit_and_can_be_played(data: st.DataObject, cards: int) -> None:
    pack = data.draw(small_packs(cards, 4))
    assert (pack.complete, len(pack.cards), len(pack.routes)) == (False, cards, 4)
    assert audit(pack) == () and playable_under_every_reading(pack)
    assert read_pack(msgspec.to_builtins(pack), "drawn") == pack


KINDS: dict[str, Callable[[NorthmenPack], bool]] = {
    "another region lies inland": lambda p: any(not r.sea for r in p.regions if r.id not in LANDLOCKED),
    "no other region lies inland": lambda p: all(r.sea for r in p.regions if r.id not in LANDLOCKED),
    "a Kingdom borders nothing": lambda p: any(not k.borders for k in p.kingdoms),
    "a Kingdom borders six regions": lambda p: any(len(k.borders) >= 6 for k in p.kingdoms),
    "Bulgaria is needed for fifteen tokens": lambda p: token_cards(p, 4, "suppress", "kingdom") < 15,
    "decks suffice with four": lambda p: token_cards(p, 4, "suppress", "neutral") > 41,
    "decks do not suffice with two": lambda p: token_cards(p, 2, "suppress", "neutral") <= 25,
    "exactly fifteen tokens with four": lambda p: token_cards(p, 4, "suppress", "neutral") == 15,
    "both symbols on a card": lambda p: any(c.soldiers and c.ships for c in p.cards),
    "a route stands twice": lambda p: len({(r.kingdom, r.region) for r in p.routes}) < 20,
    "a route is worth nothing": lambda p: any(not r.value for r in p.routes),
}


def test_boxes_of_every_kind_are_drawn() -> None:
    """What only some boxes have is found among those drawn: the strategy leaves none of it out."""
    seen: set[str] = set()

    @settings(few, max_examples=200, phases=[Phase.generate])
    @given(pack=packs())
    def look(pack: NorthmenPack) -> None:
        seen.update(kind for kind, has in KINDS.items() if has(pack))

    look()
    assert seen == set(KINDS)


# -- the map, twice --------------------------------------------------------------------------------


@few
@given(pack=st.one_of(packs(), small_packs()))
def test_the_graph_of_the_map_agrees_with_the_masks(pack: NorthmenPack) -> None:
    for landlock, bulgaria in READINGS:
        reach, graph = reach_of(pack, landlock, bulgaria), map_of(pack, landlock, bulgaria)
        for n, kingdom in enumerate(pack.kingdoms):
            land, sea, either = by_land(graph, kingdom.id), by_sea(graph), by_either(graph, kingdom.id)
            assert regions_in(pack, reach.armies[n]) == land
            assert regions_in(pack, reach.fleets[n]) == sea
            assert regions_in(pack, reach.heroes[n]) == either
            assert regions_in(pack, reach.armies_only(n)) == land - sea
            assert regions_in(pack, reach.fleets_only(n)) == sea - land
            assert reach.heroes[n] & ~reach.neutral == 0
        if bulgaria == "neutral":
            assert {pack.regions[n].id for n in sea_regions(pack, landlock)} == by_sea(graph)


def test_every_claim_about_the_map_can_fail() -> None:
    sea = {region["id"]: n for n, region in enumerate(PLAIN["regions"])}
    kingdom = {one["id"]: n for n, one in enumerate(PLAIN["kingdoms"])}
    short, dry = copy.deepcopy(PLAIN), copy.deepcopy(PLAIN)
    short.update(regions=short["regions"][:-1], cards=short["cards"][:14], routes=[])
    short["kingdoms"] = [{"id": "Picts", "borders": []}, *short["kingdoms"][:-1]]
    for one in short["kingdoms"]:
        one["borders"] = [region for region in one["borders"] if region != "Finland"]
    for card in short["cards"]:
        card.update(region=None, mark="none")
    for region in dry["regions"]:
        region["sea"] = False
    for one in dry["kingdoms"]:
        one["borders"] = []
    wrong = [read_pack(plain, "pack") for plain in (short, dry)] + [
        changed("kingdoms", kingdom["Magyars"], borders=["Poland", "Bohemia", "Holy Roman Empire"]),
        changed("kingdoms", kingdom["Danes"], borders=["Poland"]),
        changed("regions", sea["Poland"], sea=True),
        changed("cards", 0, kingdom="Rus"),
    ]
    failed = [{name for name, _ in against(pack)} for pack in wrong]
    assert failed[0] == {"two sides", "names", "coast", "chart", "tokens"}
    assert failed[1] == {"magyars", "coast", "empire", "landlocked", "soldiers", "reached", "sea", "routes"}
    assert failed[2:] == [{"magyars"}, {"empire"}, {"coast"}, set()]
    assert failed[0] | failed[1] == {claim.id for claim in CLAIMS}


@few
@given(pack=packs(), data=st.data())
def test_what_the_graphs_hold_against_a_box_the_audit_names_too(pack: NorthmenPack, data: st.DataObject) -> None:
    """After one change to a border, a coast or a card's region: no claim fails of which the audit is silent."""
    plain = msgspec.to_builtins(pack)
    one = data.draw(st.sampled_from(plain["kingdoms"] + plain["regions"] + plain["cards"]))
    if "borders" in one:
        one["borders"] = data.draw(st.lists(st.sampled_from([r.id for r in pack.regions]), unique=True, max_size=3))
    elif "sea" in one:
        one["sea"] = not one["sea"]
    else:
        one.update(region=None, mark="none")
    broken = read_pack(plain, "changed")
    named = {complaint.clause for complaint in audit(broken)}
    failed = {name for name, _ in against(broken)}
    for claim in CLAIMS:
        if claim.id in failed:
            assert named & set(claim.clauses), (claim.id, named)


# -- marches, twice --------------------------------------------------------------------------------

FOUR = ("Poland", "Bulgaria", "Finland", "Italy")


def little(borders: list[str]) -> NorthmenPack:
    """Return a map of one Kingdom and four regions, of which Poland lies inland."""
    return read_pack(
        {
            "format": "lawspeaker-pack/1",
            "game": "northmen",
            "id": "little",
            "title": "little",
            "complete": False,
            "kingdoms": [{"id": "Magyars", "borders": borders}],
            "regions": [{"id": name, "sea": name not in ("Poland", "Italy")} for name in FOUR],
        },
        "little",
    )


def both(pack: NorthmenPack, reach: Reach, reading: tuple[str, str], march: tuple[int, ...], heroes: Any) -> bool:
    soldiers, ships, *cubes = march
    closed = march_possible(reach, 0, soldiers, ships, cubes, heroes)
    graph = map_of(pack, *reading)
    sent, led = dict(zip(FOUR, cubes, strict=True)), dict(zip(FOUR, heroes, strict=True))
    assert march_flows(graph, "Magyars", soldiers, ships, sent, led) == closed, (march, heroes, reading)
    return closed


@pytest.mark.parametrize("reading", READINGS)
def test_the_closed_form_of_a_march_is_the_largest_flow(reading: tuple[str, str]) -> None:
    """All marches of up to two soldiers, two ships and two cubes to each of three kinds of region."""
    answers = set()
    for borders in ([], ["Poland"], ["Poland", "Bulgaria"], ["Bulgaria", "Finland"]):
        pack = little(borders)
        reach = reach_of(pack, *reading)
        for soldiers, ships in product(range(3), repeat=2):
            for cubes in product(range(3), repeat=3):
                answers.add(both(pack, reach, reading, (soldiers, ships, *cubes, 0), (0, 0, 0, 0)))
        for heroes in product(range(2), repeat=4):
            answers.add(both(pack, reach, reading, (1, 1, 1, 0, 1, 0), heroes))
    assert answers == {True, False}


@few
@given(pack=packs(), data=st.data())
def test_marches_on_drawn_maps_are_judged_alike(pack: NorthmenPack, data: st.DataObject) -> None:
    reading = data.draw(st.sampled_from(READINGS))
    number = data.draw(st.integers(0, 6))
    nine = st.lists(st.sampled_from((0, 0, 0, 1, 2)), min_size=9, max_size=9)
    cubes, heroes = data.draw(nine), data.draw(nine)
    soldiers, ships = data.draw(st.integers(0, 8)), data.draw(st.integers(0, 8))
    names = [region.id for region in pack.regions]
    flows = march_flows(
        map_of(pack, *reading),
        pack.kingdoms[number].id,
        soldiers,
        ships,
        dict(zip(names, cubes, strict=True)),
        dict(zip(names, heroes, strict=True)),
    )
    assert march_possible(reach_of(pack, *reading), number, soldiers, ships, cubes, heroes) == flows


def test_the_march_of_the_example_is_lawful_where_bulgaria_is_neutral() -> None:
    """Three Armies and a Hero to Poland, an Army to Bulgaria, two Fleets and a Hero to Finland (SN-MOVE-08)."""
    pack = read_pack(copy.deepcopy(PLAIN), "estimated")
    names = [region.id for region in pack.regions]
    cubes = [{"Poland": 3, "Bulgaria": 1, "Finland": 2}.get(name, 0) for name in names]
    heroes = [{"Poland": 1, "Finland": 1}.get(name, 0) for name in names]
    for landlock, bulgaria in READINGS:
        reach = reach_of(pack, landlock, bulgaria)
        assert march_possible(reach, 2, 4, 2, cubes, heroes) == (bulgaria == "neutral")
        assert not march_possible(reach, 2, 3, 3, [*cubes[:-1], cubes[-1] + 1], heroes)

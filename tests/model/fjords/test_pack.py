"""Packs of Fjords: the shipped one fits, generated ones fit, and each contradiction is named with its place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lawspeaker.model.fjords as fjords
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.hexgrid import STEPS, cell
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.fjords.pack import (
    FARMLAND,
    MOUNTAIN,
    SEA,
    FjordsPack,
    Tile,
    TileData,
    audit,
    facing_slot,
    load_pack,
    read_pack,
    tile_of,
    tiles_of,
    turned,
    turned_parts,
)
from lawspeaker.properties.fjords_packs import packs, small_packs

ESTIMATED = Path(fjords.__file__).parent / "packs" / "estimated.yaml"
PLAIN: dict[str, Any] = parse_yaml(read_text(ESTIMATED), "estimated.yaml")
Change = Callable[[dict[str, Any]], object]

few = settings(max_examples=40, deadline=None, database=None, derandomize=True)


def estimated() -> FjordsPack:
    return load_pack(ESTIMATED)


def changed(change: Change) -> dict[str, Any]:
    """Return the estimated pack as a plain value with one change made to it."""
    plain = copy.deepcopy(PLAIN)
    change(plain)
    return plain


def tile(plain: dict[str, Any], name: str) -> dict[str, Any]:
    return next(t for t in plain["tiles"] if t["id"] == name)


def arrangement(plain: dict[str, Any], name: str) -> dict[str, Any]:
    return next(a for a in plain["arrangements"] if a["name"] == name)


def lay(plain: dict[str, Any], name: str, *cells: tuple[int, int]) -> None:
    """Move the start tiles of an arrangement to other cells."""
    for laid, (q, r) in zip(arrangement(plain, name)["tiles"], cells, strict=True):
        laid.update(q=q, r=r)


def made(sides: str, centre: Any = "M", slots: int = 1, **parts: Any) -> Tile:
    return tile_of(TileData("T", sides, centre, **parts), 0, slots, "T")


# -- the shipped pack -----------------------------------------------------------------------------


def test_the_estimated_pack_fits_the_rulebook() -> None:
    assert audit(estimated()) == ()


def test_the_estimated_pack_says_that_it_is_estimated_and_where_each_figure_comes_from() -> None:
    pack = estimated()
    assert pack.provenance == "estimated"
    assert {source.provenance for source in pack.sources} == {"rulebook", "derived", "estimated"}
    bare = next(t.id for t in tiles_of(pack) if t.only_mountain)
    assert [t.id for t in pack.tiles if t.provenance != "estimated"] == [bare]


def test_the_estimated_pack_has_tiles_of_every_kind_the_rules_speak_of() -> None:
    pile = [t for t in tiles_of(estimated()) if not t.start]
    assert len(pile) == 37
    assert sum(len(t.segments) > 1 for t in pile) >= 5
    assert sum(len(t.land) > 1 for t in pile) >= 4
    kinds = [len({*t.border}) for t in pile]
    assert kinds.count(1) < kinds.count(3) and kinds.count(1) < kinds.count(2)
    assert all(set(t.border) != {SEA} for t in pile)


def test_start_tiles_show_some_water_and_mountain_and_much_farmland() -> None:
    for start in (t for t in tiles_of(estimated()) if t.start):
        assert {*start.border} == {SEA, MOUNTAIN, FARMLAND}
        assert start.border.count(FARMLAND) >= 3


def test_a_pack_that_is_written_and_read_again_is_the_same() -> None:
    pack = estimated()
    again = read_pack(msgspec.to_builtins(pack), "again")
    assert again == pack
    assert again.digest == pack.digest


def test_an_arrangement_that_the_pack_lacks_is_named_with_those_it_has() -> None:
    assert estimated().arrangement("bent").name == "bent"
    with pytest.raises(BadInput, match=r"no arrangement 'ring'.*triangle, line, bent"):
        estimated().arrangement("ring")


# -- contradictions with the rulebook: complaints -------------------------------------------------

COMPLAINTS: dict[str, tuple[Change, str, str, str]] = {
    "a tile too few": (lambda p: p["tiles"].remove(tile(p, "T05")), "FD-COMP-01", "tiles", "39 tiles"),
    "a fourth start tile": (
        lambda p: [
            tile(p, "T05").update(start=True),
            [a["tiles"].append({"tile": "T05", "q": 9, "r": 9, "turn": 0}) for a in p["arrangements"]],
        ],
        "FD-COMP-02",
        "tiles",
        "4 start tiles",
    ),
    "no tile of mountains": (lambda p: tile(p, "T37").update(centre="F"), "FD-FARM-05", "tiles", "none"),
    "two tiles of mountains": (
        lambda p: tile(p, "T05").update(sides="MMMMMM", centre="M"),
        "FD-FARM-05",
        "tiles",
        "T05, T37",
    ),
    "no farmland": (
        lambda p: tile(p, "T05").update(sides="MMMSSS", centre="M"),
        "FD-FARM-06",
        "T05",
        "no farmland",
    ),
    "no arrangement line": (
        lambda p: p["arrangements"].remove(arrangement(p, "line")),
        "FD-SETUP-03",
        "arrangements",
        "no arrangement line",
    ),
    "a line called bent": (
        lambda p: p.update(
            arrangements=[arrangement(p, "triangle"), {**arrangement(p, "line"), "name": "bent"}]
        ),
        "FD-SETUP-03",
        "arrangement bent",
        "lie line",
    ),
    "terrain that differs": (
        lambda p: arrangement(p, "triangle")["tiles"][0].update(turn=3),
        "FD-TILE-01",
        "arrangement triangle",
        "terrain differs on side",
    ),
    "tiles far apart": (
        lambda p: lay(p, "line", (-3, 0), (0, 0), (3, 0)),
        "FD-TILE-02",
        "arrangement line",
        "no empty cell",
    ),
    "tiles that do not touch": (
        lambda p: lay(p, "line", (-3, 0), (0, 0), (3, 0)),
        "FD-TILE-03",
        "arrangement line",
        "more than one landmass",
    ),
    "land that no side reaches": (
        lambda p: tile(p, "S1").update(land=[[0, 1, 2, 3, 4], []]),
        "FD-TILE-03",
        "arrangement bent",
        "more than one landmass",
    ),
}


@pytest.mark.parametrize("name", COMPLAINTS)
def test_what_contradicts_the_rulebook_gives_a_complaint_with_its_place(name: str) -> None:
    change, clause, where, what = COMPLAINTS[name]
    found = audit(read_pack(changed(change), "p"))
    assert [c for c in found if c.clause == clause and c.where == where and what in c.what], found


def test_counts_are_not_demanded_of_a_cut_of_a_box() -> None:
    plain = changed(
        lambda p: p.update(tiles=p["tiles"][:5], complete=False, arrangements=p["arrangements"][:1])
    )
    assert audit(read_pack(plain, "p")) == ()
    assert audit(read_pack({**plain, "complete": True}, "p")) != ()


# -- files that cannot be used: bad input ---------------------------------------------------------

REFUSED: dict[str, tuple[Change, str, str]] = {
    "unknown field": (lambda p: tile(p, "T05").update(colour="red"), "$.tiles[7]", "unknown field"),
    "another format": (lambda p: p.update(format="pack/9"), "$.format", "invalid enum value"),
    "slots": (lambda p: p.update(slots=5), "p", "5 slots"),
    "sides of another length": (lambda p: tile(p, "T05").update(sides="FFF"), "(T05)", "sides 'FFF'"),
    "sides of another terrain": (lambda p: tile(p, "T05").update(sides="FFFFFX"), "(T05)", "sides 'FFFFFX'"),
    "two slots, sides of one": (lambda p: p.update(slots=2), "(S1)", "12 letters"),
    "unknown centre": (
        lambda p: tile(p, "T05").update(centre="X"),
        "$.tiles[7].centre",
        "invalid enum value",
    ),
    "id twice": (lambda p: tile(p, "T05").update(id="T06"), "$.tiles[8] (T06)", "unique"),
    "empty id": (lambda p: tile(p, "T05").update(id=""), "$.tiles[7] ()", "unique"),
    "id with a space": (lambda p: tile(p, "T05").update(id="T 5"), "(T 5)", "letters and digits"),
    "id of foreign digits": (lambda p: tile(p, "T05").update(id="T²"), "(T²)", "letters and digits"),
    "segment left out": (
        lambda p: tile(p, "T05").update(segments=[[0, 1, 2]]),
        "(T05)",
        "sides are [0, 1, 2, 3]",
    ),
    "segment side twice": (
        lambda p: tile(p, "T05").update(segments=[[0, 1], [1, 2, 3]]),
        "(T05)",
        "exactly once",
    ),
    "segment on a mountain side": (
        lambda p: tile(p, "T05").update(segments=[[0, 1, 2, 3, 4]]),
        "(T05)",
        "do not cover each farmland side",
    ),
    "land left out": (lambda p: tile(p, "T05").update(land=[[0, 1]]), "(T05)", "do not cover each land side"),
    "segment over two lands": (
        lambda p: tile(p, "T05").update(land=[[0, 1], [2, 3, 4, 5]]),
        "(T05)",
        "lies in no single land part",
    ),
    "segment without land": (
        lambda p: tile(p, "T05").update(sides="SSSSSS", centre="S", segments=[[]]),
        "(T05)",
        "lies in no single land part",
    ),
    "farmland centre without segment": (
        lambda p: tile(p, "T05").update(sides="MMMMMM", segments=[]),
        "(T05)",
        "no segment is listed",
    ),
    "land centre without land": (
        lambda p: tile(p, "T05").update(sides="SSSSSS", centre="M", land=[]),
        "(T05)",
        "no land part is listed",
    ),
    "segments that cross": (
        lambda p: tile(p, "T05").update(sides="FFMFFM", segments=[[0, 3], [1, 4]]),
        "(T05)",
        "segments [0, 3] and [1, 4] cross",
    ),
    "lands that cross": (
        lambda p: tile(p, "T05").update(sides="MMSMMS", centre="S", land=[[0, 3], [1, 4]]),
        "(T05)",
        "land [0, 3] and [1, 4] cross",
    ),
    "too many segments": (
        lambda p: tile(p, "T01").update(segments=[[0, 1, 2, 3, 4, 5], *[[]] * 32]),
        "(T01)",
        "33 segments",
    ),
    "too many tiles": (
        lambda p: p["tiles"].extend({"id": f"X{n}", "sides": "FFFFFF", "centre": "F"} for n in range(30)),
        "$.tiles",
        "70 tiles",
    ),
    "arrangement twice": (
        lambda p: arrangement(p, "line").update(name="bent"),
        "arrangement bent",
        "stands twice",
    ),
    "start tile not laid": (
        lambda p: arrangement(p, "line")["tiles"].pop(),
        "arrangement line",
        "each start tile once",
    ),
    "pile tile laid": (
        lambda p: arrangement(p, "line")["tiles"][0].update(tile="T05"),
        "arrangement line",
        "each start tile once",
    ),
    "two on one cell": (lambda p: lay(p, "line", (0, 0), (0, 0), (1, 0)), "arrangement line", "one cell"),
    "turn": (lambda p: arrangement(p, "bent")["tiles"][1].update(turn=6), "arrangement bent", "turn 6 of S2"),
    "far off": (lambda p: lay(p, "bent", (0, 99), (0, 0), (1, 0)), "arrangement bent", "S1 lies too far"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_contradicts_itself_is_refused_with_its_place(name: str) -> None:
    change, where, what = REFUSED[name]
    with pytest.raises(BadInput) as caught:
        read_pack(changed(change), "p")
    assert where in caught.value.where
    assert what in str(caught.value)


@pytest.mark.parametrize("value", [None, [], "pack", 7, {"game": "fjords"}])
def test_what_is_no_pack_at_all_is_refused(value: Any) -> None:
    with pytest.raises(BadInput):
        read_pack(value, "p")


def test_a_broken_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "box.yaml"
    path.write_text("format: lawspeaker-pack/1\ntiles: [\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"box\.yaml, line 3"):
        load_pack(path)
    with pytest.raises(BadInput, match="cannot be read"):
        load_pack(tmp_path / "none.yaml")


# -- what a tile's border and centre say of its inside --------------------------------------------


@pytest.mark.parametrize(
    ("sides", "centre", "segments", "land"),
    [
        ("FFMFMS", "F", ((0, 1, 3),), ((0, 1, 2, 3, 4),)),
        ("FFMFMS", "M", ((0, 1), (3,)), ((0, 1, 2, 3, 4),)),
        ("FFSFMS", "S", ((0, 1), (3,)), ((0, 1), (3, 4))),
        ("FSMSSF", "S", ((0, 5),), ((0, 5), (2,))),
        ("FMFMMM", "S", ((0,), (2,)), ((0, 1, 2, 3, 4, 5),)),
        ("FFFFFF", "S", ((0, 1, 2, 3, 4, 5),), ((0, 1, 2, 3, 4, 5),)),
        ("MMMMMM", "F", ((),), ((0, 1, 2, 3, 4, 5),)),
        ("SSSSSS", "F", ((),), ((),)),
        ("SSSSSS", "M", (), ((),)),
        ("SSSSSS", "S", (), ()),
    ],
)
def test_parts_follow_from_border_and_centre(sides: str, centre: str, segments: Any, land: Any) -> None:
    one = made(sides, centre)
    assert one.segments == segments
    assert one.land == land


def test_listed_parts_replace_those_that_would_follow() -> None:
    one = made("FFMFMS", "M", segments=((3, 0), (1,), ()), land=((4, 3, 2, 1, 0),))
    assert one.segments == ((0, 3), (1,), ())
    assert one.land == ((0, 1, 2, 3, 4),)


def test_only_a_tile_without_any_farmland_or_sea_shows_mountains_only() -> None:
    assert made("MMMMMM").only_mountain
    assert not made("MMMMMM", "F").only_mountain
    assert not made("MMMMMM", "M", segments=((),)).only_mountain
    assert not made("MMMMMS").only_mountain
    assert not made("MMMMMM", "S").only_mountain


# -- turning and meeting --------------------------------------------------------------------------

two_slots = st.sampled_from((1, 2))


@st.composite
def tiles(draw: st.DrawFn) -> tuple[Tile, int]:
    pack = draw(small_packs(1))
    return draw(st.sampled_from(tiles_of(pack))), pack.slots


def test_a_turn_moves_each_side_one_further_counter_clockwise() -> None:
    assert turned(made("FMSSSS"), 1) == (SEA, FARMLAND, MOUNTAIN, SEA, SEA, SEA)
    assert turned(made("FFMSSSSSSSSS", slots=2), 1, 2)[:5] == (SEA, SEA, FARMLAND, FARMLAND, MOUNTAIN)
    assert turned_parts(((0, 5), (2,)), 1) == ((0, 1), (3,))


@few
@given(tiles(), st.integers(0, 5), st.integers(0, 5))
def test_turns_add_up_and_six_of_them_do_nothing(drawn: tuple[Tile, int], one: int, two: int) -> None:
    a_tile, slots = drawn
    after = msgspec.structs.replace(a_tile, border=turned(a_tile, one, slots))
    assert turned(after, two, slots) == turned(a_tile, (one + two) % 6, slots)
    assert turned(a_tile, 0, slots) == turned(a_tile, 6, slots) == a_tile.border
    for parts in (a_tile.segments, a_tile.land):
        twice = turned_parts(turned_parts(parts, one, slots), two, slots)
        assert twice == turned_parts(parts, (one + two) % 6, slots)
        assert turned_parts(parts, 0, slots) == parts


@few
@given(tiles(), st.integers(0, 5))
def test_parts_turn_with_the_border(drawn: tuple[Tile, int], turn: int) -> None:
    a_tile, slots = drawn
    border = turned(a_tile, turn, slots)
    segments = [slot for part in turned_parts(a_tile.segments, turn, slots) for slot in part]
    land = [slot for part in turned_parts(a_tile.land, turn, slots) for slot in part]
    assert sorted(segments) == [slot for slot, kind in enumerate(border) if kind == FARMLAND]
    assert sorted(land) == [slot for slot, kind in enumerate(border) if kind != SEA]
    for segment in a_tile.segments:
        assert any(set(segment) <= set(part) for part in a_tile.land)


@given(st.integers(1, 4), st.data())
def test_two_slots_that_face_each_other_agree_on_it(slots: int, data: st.DataObject) -> None:
    slot = data.draw(st.integers(0, 6 * slots - 1))
    side, other = facing_slot(slot, slots)
    back, again = facing_slot(other, slots)
    assert again == slot
    assert STEPS[side] + STEPS[back] == 0


# -- generated packs ------------------------------------------------------------------------------


def landmasses(pack: FjordsPack, name: str) -> int:
    """Count the landmasses of an arrangement with networkx, apart from the audit's own search."""
    graph: nx.Graph[Any] = nx.Graph()
    drawn = {t.id: t for t in tiles_of(pack)}
    for laid in pack.arrangement(name).tiles:
        for n, part in enumerate(turned_parts(drawn[laid.tile].land, laid.turn, pack.slots)):
            place = cell(laid.q, laid.r)
            graph.add_node((place, "part", n))
            for slot in part:
                side, other = facing_slot(slot, pack.slots)
                graph.add_edge((place, "part", n), (place, "slot", slot))
                graph.add_edge((place, "slot", slot), (place + STEPS[side], "slot", other))
    return nx.number_connected_components(graph)


@few
@given(packs())
def test_generated_packs_fit_the_rulebook(pack: FjordsPack) -> None:
    again = read_pack(msgspec.to_builtins(pack), "generated")
    assert again == pack
    assert audit(again) == ()
    assert all(landmasses(pack, name) == 1 for name in ("triangle", "line", "bent"))
    pile = [t for t in tiles_of(pack) if not t.start]
    assert sum(bool(t.segments) for t in pile) == 36


@few
@given(small_packs(3))
def test_generated_cuts_fit_the_rules_and_have_as_many_tiles_as_asked(pack: FjordsPack) -> None:
    assert not pack.complete
    assert [t.start for t in pack.tiles] == [True] * 3 + [False] * 3
    assert audit(read_pack(msgspec.to_builtins(pack), "generated")) == ()


def test_generation_reaches_each_kind_of_tile() -> None:
    seen: set[str] = set()

    @settings(max_examples=80, deadline=None, database=None, derandomize=True)
    @given(packs())
    def look(pack: FjordsPack) -> None:
        seen.add(f"{pack.slots} slots")
        for one in tiles_of(pack):
            seen.update(
                name
                for name, true in {
                    "several segments": len(one.segments) > 1,
                    "channel": len(one.land) > 1,
                    "interior farmland": () in one.segments,
                    "interior land": () in one.land,
                    "all farmland": set(one.border) == {FARMLAND},
                    "farmland that no side shows": one.segments == ((),),
                }.items()
                if true
            )

    look()
    assert seen == {
        "1 slots",
        "2 slots",
        "several segments",
        "channel",
        "interior farmland",
        "interior land",
        "all farmland",
        "farmland that no side shows",
    }


@few
@given(small_packs(1), st.integers(0, 2), st.integers(1, 5))
def test_audit_sees_what_networkx_sees_when_a_start_tile_is_turned(
    pack: FjordsPack, which: int, by: int
) -> None:
    plain = msgspec.to_builtins(pack)
    for one in plain["arrangements"]:
        one["tiles"][which]["turn"] = (one["tiles"][which]["turn"] + by) % 6
    turned_pack = read_pack(plain, "turned")
    found = {c.where for c in audit(turned_pack) if c.clause == "FD-TILE-03"}
    split = {f"arrangement {a.name}" for a in pack.arrangements if landmasses(turned_pack, a.name) > 1}
    assert found == split


# -- the guide ------------------------------------------------------------------------------------


def test_the_pack_in_the_guide_fits() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "packs.md").read_text(encoding="utf-8")
    pack = read_pack(parse_yaml(guide.split("```yaml\n")[1].split("```")[0], "guide"), "guide")
    assert audit(pack) == ()
    assert [(t.segments, t.land) for t in tiles_of(pack)[3:]] == [
        (((0, 1), (3,)), ((0, 1, 2, 3, 4, 5),)),
        (((0,), (3, 4)), ((0, 3, 4, 5),)),
    ]

"""Pictures: what stands in the SVG, where it stands, and films that store differences."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from math import dist, sqrt
from typing import Any

import pytest

from lawspeaker.model.core.hexgrid import AXIAL_STEPS
from lawspeaker.model.core.loading import convert
from lawspeaker.model.fjords.pack import TileData, tile_of
from lawspeaker.reports import fjords_picture  # noqa: F401
from lawspeaker.reports.drawing import can_draw, draw, film
from lawspeaker.reports.fjords_tiles import art, parts_of, turned
from lawspeaker.reports.svg_hex import APOTHEM, RADIUS, border_strip, centre_of, polar, runs, star

SVG = "{http://www.w3.org/2000/svg}"


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def _titles(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}title")]


def test_the_picture_names_every_tile_piece_and_score(position: dict[str, Any], pack: dict[str, Any]) -> None:
    svg = draw("fjords", position, pack, [(3, -1, "here")])
    titles = _titles(svg)
    assert "T04 on 2,-1, turned 2 sixths" in titles
    assert "S1 on 0,0, turned 0 sixths, start tile" in titles
    assert {"farm of A on 0,0/0", "farm of B on 1,-1/0", "field of A on 2,-1/0", "field of B on 1,-1/1"} <= set(titles)
    texts = _texts(svg)
    assert "here" in texts and "Face-down pile: 2" in texts
    assert "A: 1 farm, 1 field · 10 points" in texts
    assert any("estimated" in text for text in texts)


def test_the_estimated_note_is_only_there_for_estimated_tiles(position: dict[str, Any], pack: dict[str, Any]) -> None:
    printed = draw("fjords", position, {**pack, "provenance": "rulebook"})
    assert not any("estimated" in text for text in _texts(printed))


def test_pictures_are_the_same_bytes_each_time_and_share_no_ids(position: dict[str, Any], pack: dict[str, Any]) -> None:
    first, second = (draw("fjords", position, pack, uid=uid) for uid in ("a", "b"))
    assert first == draw("fjords", position, pack, uid="a")
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (first, second)]
    assert ids[0] and not ids[0] & ids[1]
    assert set(re.findall(r"(?:url\(|href=\")#([^)\"]+)", first)) <= ids[0]


def test_text_from_records_cannot_break_out(position: dict[str, Any], pack: dict[str, Any]) -> None:
    svg = draw("fjords", position, pack, [(3, -1, '"><script>x</script>')])
    assert "<script" not in svg
    ET.fromstring(svg)


def test_an_unknown_tile_is_drawn_blank_not_guessed(position: dict[str, Any], pack: dict[str, Any]) -> None:
    svg = draw("fjords", {**position, "board": [[0, 0, "X9", 0]], "drawn": None, "open": []}, pack, uid="u")
    found = next(g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("id") == "u-tile-X9-0")
    assert len(list(found)) == 1 and "dasharray" in ET.tostring(found, encoding="unicode")


def test_an_empty_table_can_be_drawn(pack: dict[str, Any]) -> None:
    ET.fromstring(draw("fjords", {"round": 1, "phase": "start", "board": []}, pack))


def test_neighbours_lie_across_their_side() -> None:
    for side, (q, r) in enumerate(AXIAL_STEPS):
        away = polar(60 * side, 2 * APOTHEM)
        assert dist(centre_of(q, r), away) < 1e-6


def _points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def test_land_reaches_its_own_sides_and_no_others() -> None:
    strip = _points(border_strip((-30, 30), 0.5, 1.0))
    assert max(x for x, _ in strip) == pytest.approx(APOTHEM, abs=0.1)
    assert min(x for x, _ in strip) > 0.3 * RADIUS
    island = _points(star([], 0.42, 1.0))
    assert max(sqrt(x * x + y * y) for x, y in island) < 0.6 * RADIUS
    west = _points(star([(150, 210)], 0.5, 1.0))
    assert min(x for x, _ in west) == pytest.approx(-APOTHEM, abs=0.1)
    assert max(x for x, _ in west) < 0.7 * RADIUS


def test_runs_go_round_the_corner() -> None:
    assert runs([0, 1, 5], 6) == [[5, 0, 1]]
    assert runs(range(6), 6) == [list(range(6))]
    assert runs([0, 2], 6) == [[0], [2]]


@pytest.mark.parametrize("centre", "SMF")
@pytest.mark.parametrize("sides", ["FSSFMM", "FFFFFF", "SSSSSS", "MMMMMM", "FSFSFS", "MFSSSF", "SSSFSS"])
@pytest.mark.parametrize("segments", [None, "apart"])
def test_parts_have_the_numbers_that_the_model_gives_them(sides: str, centre: str, segments: str | None) -> None:
    data: dict[str, Any] = {"id": "T", "sides": sides, "centre": centre}
    if segments:
        inner = [] if centre == "S" and sides == "SSSSSS" else [[]]  # farmland needs land to lie on
        data["segments"] = [[i] for i in reversed(range(6)) if sides[i] == "F"] + inner
    tile = tile_of(convert(data, TileData, "test"), 0, 1, "test")
    assert [tuple(p) for p in parts_of(data, "segments", 1)] == list(tile.segments)
    assert [tuple(p) for p in parts_of(data, "land", 1)] == list(tile.land)


def test_parts_follow_from_border_and_centre() -> None:
    tile = {"id": "T", "sides": "FSSFMM", "centre": "S"}
    assert parts_of(tile, "segments", 1) == [[0], [3]]
    assert parts_of(tile, "land", 1) == [[0, 3, 4, 5]]
    assert parts_of({**tile, "centre": "F"}, "segments", 1) == [[0, 3]]
    assert parts_of({**tile, "segments": [[3], [0], []]}, "segments", 1) == [[0], [3], []]
    assert turned([0, 5], 2, 1) == [1, 2]


def test_a_tile_shows_its_farmland_where_the_turn_puts_it() -> None:
    tile = {"id": "T", "sides": "FSSSSS", "centre": "S"}
    for turn in range(6):
        green = re.findall(r'<path d="([^"]+)" fill="url\(#§farm\)"', art(tile, turn, 1))
        assert len(green) == 1
        points = _points(green[0])
        x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
        assert dist((x, y), polar(60 * turn, sqrt(x * x + y * y))) < 6


def test_sides_with_several_slots_can_be_drawn() -> None:
    tile = {"id": "T", "sides": "FSFS" + "SSSSSSSS", "centre": "S"}
    green = re.findall(r'fill="url\(#§farm\)"', art(tile, 0, 2))
    assert len(green) == 2


def test_a_film_replays_to_exactly_the_pieces_of_each_picture(page, pack: dict[str, Any]) -> None:
    records = [frame.record for frame in page.traces[0].frames]
    shown = film("fjords", records, pack)
    pieces = {int(g.get("data-p", "")): g for g in ET.fromstring(shown.svg).iter(f"{SVG}g") if g.get("data-p")}
    visible: set[int] = set()
    for record, (on, off) in zip(records, shown.frames, strict=True):
        assert set(off) <= visible and not set(on) & visible
        visible = visible - set(off) | set(on)
        words = {t.text for n in visible for t in pieces[n].iter(f"{SVG}title")}
        assert words == set(_titles(draw("fjords", record, pack))[1:])
    assert {n for n, g in pieces.items() if g.get("style") is None} == set(shown.frames[0][0])


def test_a_film_needs_a_position_and_a_painter(position: dict[str, Any], pack: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        film("fjords", [], pack)
    assert can_draw("fjords") and not can_draw("chess")
    with pytest.raises(KeyError):
        draw("chess", position, pack)


def test_each_round_of_a_film_has_its_own_layout(position: dict[str, Any], pack: dict[str, Any]) -> None:
    wide = {**position, "round": 3, "board": [[q, 0, "T07", 0] for q in range(12)], "farms": {}, "fields": {}}
    shown = film("fjords", [position, {**position, "drawn": None}, wide], pack)
    assert shown.view_of == (0, 0, 1)
    assert float(shown.views[1].width) > float(shown.views[0].width)
    assert f'viewBox="0 0 {shown.views[0].width} {shown.views[0].height}"' in shown.svg
    for place in shown.views[0].places:
        assert f'data-place="{place}"' in shown.svg

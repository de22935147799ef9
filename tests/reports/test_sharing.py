"""Drawings that share shapes look as they did, and take a fraction of the room."""

import re
import xml.etree.ElementTree as ET

import msgspec
import pytest

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import steps
from lawspeaker.reports import fjords_picture, northmen_picture  # noqa: F401 (they register their painters)
from lawspeaker.reports.drawing import draw, film
from lawspeaker.reports.sharing import share

SVG = "{http://www.w3.org/2000/svg}"
PLACE = "<!--shapes-->"


def page_of(name, count=9):
    """Return a page with positions of one game, from its beginning to its end, and one film."""
    game = make_game(name)
    pack = msgspec.to_builtins(game.pack)
    records = [game.record(step.after) for step in steps(game, 4)]
    chosen = records[:: max(len(records) // count, 1)]
    drawings = [draw(name, record, pack, uid=f"d{n}") for n, record in enumerate(chosen)]
    drawings.append(film(name, records[:30], pack, uid="f1").svg)
    return f"<body>{PLACE}<p>5 &lt; 6 <svg></p>".replace("<svg>", "svg") + "<hr/>".join(drawings) + "</body>"


def plain(drawing, shapes):
    """Return a drawing as a tree of plain values in which each shape used stands at its place."""
    named = dict(shapes)
    for element in drawing.iter():
        if element.get("id"):
            named[element.get("id")] = element

    def tree(element, seen=()):
        attributes = {}
        for key, value in sorted(element.attrib.items()):
            reference = re.search(r"url\(#([^)]*)\)", value)
            attributes[key] = tree(named[reference[1]], seen) if reference else value
        target = attributes.pop("href", "").removeprefix("#")
        attributes.pop("id", None)
        if element.tag == f"{SVG}use" and target:
            assert target not in seen, "a shape that holds itself"
            used = tree(named[target], (*seen, target))
            return used if not attributes.keys() - {"href"} else ("use", attributes, used)
        if element.tag == f"{SVG}defs":
            return None
        inner = [found for child in element if (found := tree(child, seen)) is not None]
        return (element.tag, attributes, (element.text or "").strip(), inner)

    return tree(drawing)


def drawings(page):
    root = ET.fromstring(page)
    found = [svg for svg in root.iter(f"{SVG}svg") if svg.get("aria-labelledby")]
    pool = [svg for svg in root.iter() if svg.tag.endswith("svg") and svg.get("aria-hidden")]
    shapes = {element.get("id"): element for svg in pool for element in svg.iter() if element.get("id")}
    return found, shapes


def in_svg(page):
    """Give the drawing of shapes the name space that a page of HTML gives to it."""
    return page.replace('<svg aria-hidden="true"', '<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true"')


@pytest.mark.parametrize("name", ["fjords", "northmen"])
def test_a_page_looks_the_same_and_is_much_smaller(name):
    page = page_of(name)
    shared = share(page, PLACE)
    before, own = drawings(page.replace(PLACE, ""))
    after, shapes = drawings(in_svg(shared))
    assert own == {}
    assert shapes
    assert len(before) == len(after) >= 9
    for one, other in zip(before, after, strict=True):
        assert plain(one, {}) == plain(other, shapes)
    assert len(shared) < len(page) / 2


@pytest.mark.parametrize("name", ["fjords", "northmen"])
def test_what_is_used_is_there_once_and_what_a_script_looks_for_stays(name):
    page = page_of(name)
    shared = share(page, PLACE)
    ids = re.findall(r'<[a-zA-Z]+ id="(k[0-9]+)"', shared)
    used = re.findall(r'(?:href="#|url\(#)(k[0-9]+)', shared)
    assert len(ids) == len(set(ids))
    assert set(used) == set(ids)
    assert not re.search(r"[\x00-\x08]", shared)
    for mark in ("data-p=", "data-place="):
        assert shared.count(mark) == page.count(mark) > 0
    assert share(page, PLACE) == shared


def test_the_same_name_for_different_shapes_in_two_drawings_is_no_confusion():
    def drawing(uid, fill):
        group = f'<g id="{uid}-card"><rect width="50" height="48" rx="4" fill="{fill}" stroke="#3d3226"/></g>'
        use = f'<g transform="translate(5 5)"><use href="#{uid}-card"/><text>the same words in both drawings</text></g>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" aria-labelledby="{uid}-t {uid}-d"><defs>{group}</defs>'
            f"{use}{use}</svg>"
        )

    page = f"<body>{PLACE}{drawing('d1', 'red')}{drawing('d2', 'blue')}{drawing('d3', 'red')}</body>"
    after, shapes = drawings(in_svg(share(page, PLACE)))
    before, _ = drawings(page.replace(PLACE, ""))
    shown = [plain(svg, shapes) for svg in after]
    assert shown == [plain(svg, {}) for svg in before]
    assert "blue" in str(shown[1])
    assert "red" not in str(shown[1])


def test_a_page_without_drawings_stays_as_it_is():
    assert share(f"<p>{PLACE}nothing drawn</p>", PLACE) == "<p>nothing drawn</p>"

"""The painter of Northmen: map, Kingdom Chart, row and seats, from a position record or a seat's view alone.

A masked view has numbers in place of lists, or null; what is not seen is drawn face down or left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .drawing import Box, Mark, Piece, Record, Scene, register
from .northmen_cards import (
    ASKED,
    BEIGE,
    INK,
    LAND,
    SEA,
    SHAPES,
    Pack,
    badge,
    card_art,
    card_words,
    clock,
    colour,
    pieces,
    plunder,
)
from .northmen_map import PLATE, Atlas, lay_out
from .northmen_table import SIDE_WIDTH, seats_of, side_height, side_pieces
from .svg_text import at, box, cut, titled, visible, words, wrapped

PHASES = {
    "deal": ("Rally", "hands are being dealt"),
    "turn": ("Rally", "the row is being filled"),
    "routes": ("Setup", "Trade Routes are being dealt"),
    "play": ("Rally", "which card is played?"),
    "hire": ("Rally", "a Hero too?"),
    "draw": ("Rally", "which card is drawn?"),
    "drawn": ("Rally", "a face-down card is being drawn"),
    "delay": ("Marching", "is the move delayed?"),
    "march": ("Marching", "who goes where?"),
    "complete": ("Marching", "which Trade Routes are completed?"),
    "buy": ("Planning", "routes, cards to keep, or done?"),
    "buying": ("Planning", "Trade Routes are being drawn"),
    "keep": ("Planning", "which Trade Route is kept?"),
    "hold": ("Planning", "further cards to keep?"),
    "over": ("The end", "the game is over"),
}
RECEIVING = ("deal", "drawn", "routes", "buying")
HEAD_WIDTH = 994.0
LEGEND = 24
PAPER, BORDER, MOVING = "#faf6ea", "#9c8660", "#e07b00"
_CHART_STEP = 142
_LEFT, _UP = -PLATE[0] // 2, -PLATE[1] // 2


def paint(record: Record, pack_record: Record, marks: Sequence[Mark]) -> Scene:
    """Return the scene of a Northmen position or view; *marks* point at cells, which this game has not."""
    still = _still(json.dumps(dict(pack_record)))
    pack, atlas = still.pack, still.atlas
    seats = seats_of(record)
    shown = [
        *still.ground,
        *_marching(record, pack, atlas),
        *_plates(record, pack, atlas, seats),
        *_head(record, pack),
        *side_pieces(record, pack, seats),
    ]
    return Scene(
        title=visible(f"Saga of the Northmen, round {record.get('round', '?')}, {said_phase(record)}"),
        description=visible(_description(record, pack, seats)),
        board=Box(0, 0, atlas.width, atlas.height + LEGEND),
        side=(SIDE_WIDTH, side_height(len(seats))),
        head_width=HEAD_WIDTH,
        # a piece is known by what it looks like, so one key can never stand for two drawings
        pieces=tuple(Piece(f"{layer} {place} {svg}", layer, place, svg) for layer, place, svg in shown),
        definitions=still.definitions,
    )


class _Still(NamedTuple):
    """What is drawn of a pack whatever the position."""

    pack: Pack
    atlas: Atlas
    ground: tuple[tuple[int, str, str], ...]
    definitions: Mapping[str, str]


@lru_cache(maxsize=16)
def _still(text: str) -> _Still:
    """Remember what a pack (as JSON) looks like: a film asks for the same some hundred times."""
    pack = Pack(json.loads(text))
    atlas = lay_out(
        tuple((str(k["id"]), tuple(map(str, k.get("borders") or ()))) for k in pack.kingdoms),
        tuple(str(r["id"]) for r in pack.regions),
    )
    cards = {f"c{n:03}": f'<g id="§c{n}">{card_art(pack, name)}</g>' for name, n in pack.numbers.items()}
    return _Still(pack, atlas, tuple(_ground(pack, atlas)), {**SHAPES, **cards})


def said_phase(record: Record) -> str:
    """Return the phase in words, with the Kingdom it is about."""
    phase = str(record.get("phase", ""))
    part, question = PHASES.get(phase, ("", phase or "position"))
    kingdom, region = record.get("kingdom"), record.get("region")
    if part == "Marching" and kingdom:
        question = f"{kingdom} to {region}?" if phase == "march" and region else f"{kingdom}, {question}"
    return f"{part}: {question}" if part and phase != "over" else question


def _ground(pack: Pack, atlas: Atlas) -> Iterator[tuple[int, str, str]]:
    """What never changes: paper, borders, plates with names, legend."""
    out = box(0, 0, (atlas.width, atlas.height + LEGEND), 10, PAPER, "#c9bd9f")
    for a, b in atlas.borders:
        (x, y), (v, w) = atlas.at[a], atlas.at[b]
        line = f'<path d="M{x} {y}L{v} {w}" stroke="{BORDER}" stroke-width="4" stroke-linecap="round"/>'
        names = f"{pack.kingdoms[a]['id']} borders {pack.regions[b - len(pack.kingdoms)]['id']}"
        out += f"<g>{titled(names, line)}</g>"
    yield 0, "board", out + _legend(atlas.height + 13)
    for (x, y), kingdom in zip(atlas.at, pack.kingdoms, strict=False):
        yield 2, "board", at(x, y, _kingdom_plate(pack, kingdom))
    for (x, y), region in zip(atlas.at[len(pack.kingdoms) :], pack.regions, strict=True):
        yield 2, "board", at(x, y, _region_plate(region))


def _plate(fill: str, edge: str, wide: float) -> str:
    return box(_LEFT, _UP, PLATE, 9, fill, edge, wide)


def _name(name: str, x: int, room: int) -> str:
    if cut(name, room, 12) == name:
        return words(x, -17, name, 12, bold=True, fill=INK)
    lines = wrapped(name, room, 11)
    tops = (-21, -9) if len(lines) == 2 else (-17,)
    return "".join(words(x, y, line, 11, bold=True, fill=INK) for y, line in zip(tops, lines, strict=True))


def _kingdom_plate(pack: Pack, kingdom: Mapping[str, Any]) -> str:
    name = str(kingdom["id"])
    chart = pack.chart(name)
    out = _plate(pack.fill(name), "#6f675a", 1.2) + badge(chart, _LEFT + 14, -21) + _name(name, _LEFT + 25, 92)
    return titled(f"{name}, number {chart} of the chart", out)


def _region_plate(region: Mapping[str, Any]) -> str:
    name = str(region["id"])
    if not region.get("sea"):
        return titled(f"{name}, landlocked", _plate(BEIGE, LAND, 1.5) + _name(name, _LEFT + 8, 98))
    waves = f'<use href="#§wave" x="{_LEFT + 7}" y="-21"/><use href="#§wave" x="{_LEFT + 7}" y="-15"/>'
    return titled(f"{name}, on the sea", _plate(BEIGE, SEA, 3) + waves + _name(name, _LEFT + 26, 82))


def _legend(y: float) -> str:
    """Explain the signs of the map under it."""
    size = (22, 13)
    out = box(12, y - 9, size, 3, BEIGE, SEA, 2.5) + words(39, y + 2, "on the sea", 11, fill=INK)
    out += box(118, y - 9, size, 3, BEIGE, LAND, 1.5) + words(145, y + 2, "landlocked", 11, fill=INK)
    out += box(222, y - 9, size, 3, "#fff", colour("B"), 4) + words(251, y + 2, "controlled", 11, fill=INK)
    out += at(325, y - 9, pieces("B", 2, 1)) + words(379, y + 2, "cubes, Heroes", 11, fill=INK)
    out += at(483, y - 2, plunder(3, 9)) + words(498, y + 2, "plunder", 11, fill=INK)
    line = f'<path d="M555 {y - 2}H573" stroke="{BORDER}" stroke-width="4"/>'
    return out + line + words(578, y + 2, "land", 11, fill=INK)


def _marching(record: Record, pack: Pack, atlas: Atlas) -> Iterator[tuple[int, str, str]]:
    """The Kingdom that moves now, its borders, and the region asked about."""
    moving = pack.charted.get(str(record.get("kingdom")))
    if moving is not None:
        lines = [(atlas.at[a], atlas.at[b]) for a, b in atlas.borders if a == moving]
        data = "".join(f"M{x} {y}L{v} {w}" for (x, y), (v, w) in lines)
        if data:
            yield 1, "board", f'<path d="{data}" stroke="{MOVING}" stroke-width="7" stroke-linecap="round"/>'
        ring = titled(f"{record['kingdom']} moves now", _ring(MOVING, ""))
        yield 3, "board", at(*atlas.at[moving], ring)
    names = [str(region["id"]) for region in pack.regions]
    if record.get("region") in names:
        ring = titled(f"{record['region']} is asked about", _ring(ASKED, ' stroke-dasharray="8 4"'))
        yield 3, "board", at(*atlas.at[len(pack.kingdoms) + names.index(record["region"])], ring)


def _ring(edge: str, more: str) -> str:
    return (
        f'<rect x="{_LEFT - 6}" y="{_UP - 6}" width="{PLATE[0] + 12}" height="{PLATE[1] + 12}" rx="14" fill="none" '
        f'stroke="{edge}" stroke-width="4"{more}/>'
    )


def _plates(record: Record, pack: Pack, atlas: Atlas, seats: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """What lies on each place: control, pieces, Time Tokens, plunder."""
    control, times = record.get("control") or {}, record.get("times") or {}
    here = record.get("kingdoms") or {}
    for (x, y), kingdom in zip(atlas.at, pack.kingdoms, strict=False):
        name = str(kingdom["id"])
        owner = control.get(name)
        if owner:
            rim = titled(f"{name}: controlled by {owner}", _plate("none", colour(owner), 5))
            yield 4, "board", at(x, y, rim)
        yield from _standing(name, here.get(name), (x, y), seats)
        for seat in (seat for seat, delayed in sorted(times.items()) if delayed == name):
            yield 6, "board", at(x - _LEFT - 6, y + _UP + 4, titled(f"{name}: delayed by {seat}", clock(seat)))
    tokens, there = record.get("tokens") or {}, record.get("regions") or {}
    for (x, y), region in zip(atlas.at[len(pack.kingdoms) :], pack.regions, strict=True):
        name = str(region["id"])
        yield from _standing(name, there.get(name), (x, y), seats)
        if tokens.get(name):
            disc = titled(f"{name}: plunder {tokens[name]}", plunder(tokens[name]))
            yield 6, "board", at(x - _LEFT - 6, y + _UP + 5, disc)


def _standing(
    name: str, counts: Sequence[Sequence[int]] | None, where: tuple[int, int], seats: Sequence[str]
) -> Iterator[tuple[int, str, str]]:
    """The pieces of every seat that has some here, two side by side in two rows."""
    present = [(seat, c, h) for seat, (c, h) in zip(seats, counts or (), strict=False) if c or h]
    for n, (seat, cubes, heroes) in enumerate(present):
        x, y = where[0] + _LEFT + 7 + 58 * (n % 2), where[1] - 4 + 17 * (n // 2)
        title = f"{name}: {seat} has cubes {cubes}, Heroes {heroes}"
        yield 5, "board", at(x, y, titled(title, pieces(seat, cubes, heroes)))


def _head(record: Record, pack: Pack) -> Iterator[tuple[int, str, str]]:
    leader = f" · leader {record['leader']}" if record.get("leader") else ""
    said = f"Round {record.get('round', '?')} of 3{leader} · {said_phase(record)}"
    yield 0, "head", words(0, 13, cut(said, 705, 15), 15, bold=True)
    seat = record.get("seat")
    if seat and record.get("phase") not in ("over", "turn"):
        verb = "receives" if record.get("phase") in RECEIVING else "decides"
        square = box(718, -3, (20, 20), 4, colour(seat), "currentColor")
        letter = words(728, 12, seat, 13, bold=True, fill="#fff", anchor="middle")
        yield 0, "head", square + letter + words(744, 13, verb, 15, bold=True)
    notes = [f"as {record['you']} sees it"] if record.get("you") else []
    notes += ["estimated" if notes else "estimated components"] if pack.estimated else []
    if notes:
        style = ' font-style="italic" opacity=".8"'
        yield 0, "head", words(HEAD_WIDTH, 13, " · ".join(notes), 12, anchor="end", more=style)
    yield from _chart(record, pack)


def _chart(record: Record, pack: Pack) -> Iterator[tuple[int, str, str]]:
    """The Kingdom Chart: the Kingdoms in their order, each in its controller's rim, with Time Tokens."""
    control, times = record.get("control") or {}, record.get("times") or {}
    width = _CHART_STEP * len(pack.kingdoms) + 2
    yield 0, "head", box(-7, 19, (width, 40), 10, PAPER, "#c9bd9f")  # black rims must show on a dark page too
    for n, kingdom in enumerate(pack.kingdoms):
        name, x, wide = str(kingdom["id"]), _CHART_STEP * n, _CHART_STEP - 12
        plate = box(x, 27, (wide, 24), 6, pack.fill(name), "#6f675a")
        arrow = f'<path d="M{x - 9} 35L{x - 4} 39L{x - 9} 43" fill="none" stroke="{INK}" stroke-width="1.5"/>'
        label = badge(pack.chart(name), x + 14, 39) + words(x + 26, 43, cut(name, wide - 30, 12), 12, fill=INK)
        yield 1, "head", titled(f"chart {n + 1}: {name}", plate + (arrow if n else "") + label)
        if control.get(name):
            yield 2, "head", box(x, 27, (wide, 24), 6, "none", colour(control[name]), 4)
        if record.get("kingdom") == name:
            yield 3, "head", box(x - 4, 23, (wide + 8, 32), 9, "none", MOVING, 3)
        for seat in (seat for seat, delayed in sorted(times.items()) if delayed == name):
            yield 4, "head", at(x + wide - 14, 39, titled(f"{name}: delayed by {seat}", clock(seat)))


def _description(record: Record, pack: Pack, seats: Sequence[str]) -> str:
    """Say the position in words, for those who do not see it."""
    said = [f"Round {record.get('round', '?')}, {said_phase(record)}", f"leader {record.get('leader')}"]
    for kind in ("kingdoms", "regions"):
        for place, counts in (record.get(kind) or {}).items():
            there = [f"{seat} {c} cubes {h} Heroes" for seat, (c, h) in zip(seats, counts, strict=False) if c or h]
            owner = (record.get("control") or {}).get(place)
            there += [f"controlled by {owner}"] if owner else []
            plundered = (record.get("tokens") or {}).get(place, 0) if kind == "regions" else 0
            there += [f"{plundered} plunder"] if plundered else []
            if there:
                said.append(f"{place}: {', '.join(there)}")
    row = record.get("row") or []
    if row:
        said.append("face up " + ", ".join(card_words(pack, str(name)) for name in row))
    return "; ".join(said)


register("northmen", paint)

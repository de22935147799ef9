"""The painter of Fjords: region, pieces, tray and scores, from a position record alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from .drawing import Box, Mark, Piece, Record, Scene, register
from .fjords_tiles import DEFINITIONS, anchor, art, parts_of, turned
from .svg_hex import APOTHEM, RADIUS, centre_of, hexagon, number

COLOURS = {"A": ("#a3262a", "#fff"), "B": ("#274b9f", "#fff")}
PHASES = {
    "start": "who begins?",
    "choose": "discovery",
    "deal": "a tile is being drawn",
    "drawn": "discovery",
    "window": "set aside: does it fit?",
    "farm": "a farm?",
    "land": "land taking",
    "over": "the game is over",
}
BLANK = f'<path d="{hexagon(RADIUS - 0.8)}" fill="#d8d8d8" stroke="#555" stroke-dasharray="3 3"/>'
SIDE_WIDTH = 176.0
HEAD_WIDTH = 660.0
_SMALL = 0.6


class _Pack:
    """The tiles of a pack record by id."""

    def __init__(self, record: Record) -> None:
        self.slots = int(record.get("slots", 1))
        self._keys: dict[str, str] = {}
        self.estimated = record.get("provenance", "") == "estimated"
        self._tiles: dict[str, Mapping[str, Any]] = {str(tile["id"]): tile for tile in record["tiles"]}

    def key(self, name: str) -> str:
        """Return a tile's data as text, "" for an unknown one."""
        if name not in self._keys:
            data = self.tile(name)
            self._keys[name] = json.dumps(dict(data)) if data else ""
        return self._keys[name]

    def tile(self, name: str) -> Mapping[str, Any]:
        """Return a tile's data, empty for one that the pack has not (drawn blank, never guessed)."""
        return self._tiles.get(name, {})


def paint(record: Record, pack_record: Record, marks: Sequence[Mark]) -> Scene:
    """Return the scene of a Fjords position."""
    pack = _Pack(pack_record)
    board = record.get("board") or []
    pieces = [
        *_tiles(board, pack),
        *_last(record.get("last")),
        *_stands(record, pack),
        *_marks(marks, {(q, r) for q, r, *_ in board}),
        *_head(record, pack),
        *_tray(record),
    ]
    used = [(str(tile), int(turn)) for _, _, tile, turn in board]
    tray = [name for name in (record.get("drawn"), *(record.get("open") or [])) if name]
    used += [(str(name), 0) for name in tray]
    definitions = {**DEFINITIONS, **{_art_id(t, k): _definition(t, k, pack) for t, k in sorted(set(used))}}
    return Scene(
        title=f"Fjords, round {record.get('round', '?')}, {PHASES.get(record.get('phase', ''), 'position')}",
        description=_description(record),
        board=_extent([(q, r) for q, r, *_ in board] + [(q, r) for q, r, _ in marks]),
        side=(SIDE_WIDTH, _tray_height(record)) if tray or record.get("pile") else (0.0, 0.0),
        head_width=HEAD_WIDTH,
        pieces=tuple(pieces),
        definitions=definitions,
        chapter=str(record.get("round", "")),
    )


def _art_id(tile: str, turn: int) -> str:
    return f"tile-{tile}-{turn}"


@lru_cache(maxsize=1024)
def _art(tile: str, turn: int, slots: int) -> str:
    """Remember each tile's drawing: a film asks for the same few hundred times."""
    return art(json.loads(tile), turn, slots)


def _definition(tile: str, turn: int, pack: _Pack) -> str:
    key = pack.key(tile)
    svg = _art(key, turn, pack.slots) if key else BLANK
    return f'<g id="§{escape(_art_id(tile, turn))}">{svg}</g>'


def _extent(cells: Sequence[tuple[int, int]]) -> Box:
    points = [centre_of(q, r) for q, r in cells] or [(0.0, 0.0)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    edge = RADIUS + 6
    return Box(min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge)


def _at(q: int, r: int, svg: str, offset: tuple[float, float] = (0.0, 0.0)) -> str:
    x, y = centre_of(q, r)
    return f'<g transform="translate({number(x + offset[0])} {number(y + offset[1])})">{svg}</g>'


def _small(text: str, y: float, size: float, weight: int = 600) -> str:
    return (
        f'<text y="{number(y)}" text-anchor="middle" font-size="{number(size)}" font-weight="{weight}" '
        f'fill="#1d2429" stroke="#fff" stroke-width="2.4" stroke-opacity=".8" paint-order="stroke">'
        f"{escape(text)}</text>"
    )


def _use(tile: str, turn: int) -> str:
    return f'<use href="#§{escape(_art_id(tile, turn))}"/>'


def _tiles(board: Sequence[Sequence[Any]], pack: _Pack) -> Iterator[Piece]:
    for q, r, tile, turn in board:
        svg = _laid(q, r, tile, turn, bool(pack.tile(tile).get("start")))
        yield Piece(f"tile {q},{r} {tile} {turn}", 1, "board", svg)


@lru_cache(maxsize=4096)
def _laid(q: int, r: int, tile: str, turn: int, start: bool) -> str:
    words = f"{tile} on {q},{r}, turned {turn} sixths" + (", start tile" if start else "")
    svg = (
        f"<title>{escape(words)}</title>"
        + _use(tile, turn)
        + _small(tile, -RADIUS * 0.7, 8.5)
        + _small(f"{q},{r}", RADIUS * 0.8, 7.5, 400)
    )
    return _at(q, r, svg)


def _last(last: Sequence[int] | None) -> Iterator[Piece]:
    if last is None:
        return
    q, r = last
    ring = (
        f'<path d="{hexagon(RADIUS - 1)}" fill="none" stroke="#111" stroke-width="6" stroke-opacity=".5"/>'
        f'<path d="{hexagon(RADIUS - 1)}" fill="none" stroke="#ffd84a" stroke-width="3.4"/>'
    )
    yield Piece(f"last {q},{r}", 2, "board", _at(q, r, f"<title>the tile just placed</title>{ring}"))


def _stands(record: Record, pack: _Pack) -> Iterator[Piece]:
    """Farms and fields on their segments; several on one segment stand side by side."""
    tiles = {(q, r): (pack.tile(tile), turn) for q, r, tile, turn in record.get("board") or []}
    count: dict[str, int] = {}
    for kind, shape in (("farms", _house), ("fields", _disc)):
        for seat, places in sorted((record.get(kind) or {}).items()):
            for place in places:
                where = _segment_point(place, tiles, pack.slots)
                if where is None:
                    continue
                q, r, (x, y) = where
                nth = count.get(place, 0)
                count[place] = nth + 1
                words = f"<title>{kind[:-1]} of {escape(seat)} on {escape(place)}</title>"
                svg = _at(q, r, words + shape(seat), (x + 10 * nth, y + 4 * nth))
                yield Piece(f"{kind} {seat} {place} {nth}", 4, "board", svg)


def _segment_point(
    place: str, tiles: Mapping[tuple[int, int], tuple[Mapping[str, Any], int]], slots: int
) -> tuple[int, int, tuple[float, float]] | None:
    """Return cell and point of a segment written ``q,r/k``; None where there is no such tile."""
    cell, _, nth = place.partition("/")
    q, r = (int(word) for word in cell.split(","))
    if (q, r) not in tiles:
        return None
    tile, turn = tiles[(q, r)]
    if not tile:
        return q, r, (0.0, 0.0)
    parts = parts_of(tile, "segments", slots)
    part = turned(parts[int(nth)], turn, slots) if int(nth) < len(parts) else []
    joined = tile["centre"] == "F" and part == turned(max(parts, key=len, default=[]), turn, slots)
    return q, r, anchor(part, joined, slots)


def _house(seat: str) -> str:
    fill, ink = COLOURS.get(seat, ("#555", "#fff"))
    return (
        f'<path d="M-13 12V-2L0 -15L13 -2V12Z" fill="{fill}" stroke="#fff" stroke-width="3" stroke-linejoin="round" '
        'paint-order="stroke"/><path d="M-16 -.5L0 -16L16 -.5" fill="none" stroke="#241a12" stroke-width="2.4" '
        f'stroke-linecap="round" stroke-linejoin="round"/><text y="9" text-anchor="middle" font-size="13" '
        f'font-weight="700" fill="{ink}">{escape(seat)}</text>'
    )


def _disc(seat: str) -> str:
    fill, ink = COLOURS.get(seat, ("#555", "#fff"))
    return (
        f'<circle r="10.5" fill="{fill}" stroke="#fff" stroke-width="2.2"/><circle r="12" fill="none" '
        f'stroke="#241a12" stroke-width="1"/><text y="4" text-anchor="middle" font-size="11" font-weight="700" '
        f'fill="{ink}">{escape(seat)}</text>'
    )


def _marks(marks: Sequence[Mark], laid: set[tuple[int, int]]) -> Iterator[Piece]:
    for q, r, label in marks:
        fill = "none" if (q, r) in laid else "#e0218a"
        svg = (
            f'<path d="{hexagon(RADIUS - 3)}" fill="{fill}" fill-opacity=".12" stroke="#e0218a" stroke-width="3" '
            'stroke-dasharray="9 5" stroke-linejoin="round"/>'
        )
        if label:
            wide = 14 + 7.2 * len(label)
            svg += (
                f'<rect x="{number(-wide / 2)}" y="-10" width="{number(wide)}" height="20" rx="10" fill="#e0218a" '
                f'stroke="#fff" stroke-width="1.5"/><text y="4.3" text-anchor="middle" font-size="12" '
                f'font-weight="700" fill="#fff">{escape(label)}</text>'
            )
        yield Piece(f"mark {q},{r} {label}", 5, "board", _at(q, r, svg))


def _line(x: float, y: float, text: str, size: int = 15, weight: int = 400, fill: str = "") -> str:
    colour = f' fill="{fill}"' if fill else ""
    style = f'font-size="{size}" font-weight="{weight}"{colour}'
    return f'<text x="{number(x)}" y="{number(y)}" {style}>{escape(text)}</text>'


def _head(record: Record, pack: _Pack) -> Iterator[Piece]:
    said = f"Round {record.get('round', '?')} · {PHASES.get(record.get('phase', ''), record.get('phase', ''))}"
    seat = record.get("seat")
    if seat and record.get("phase") != "over":
        said += f" · {seat} on turn"
    yield Piece(f"status {said}", 0, "head", _line(0, 14, said, 18, 700))
    if pack.estimated:
        style = 'font-size="11" font-style="italic" opacity=".75"'
        note = f'<text y="55" {style}>tiles estimated, not those of the box</text>'
        yield Piece("estimated", 0, "head", note)
    points = record.get("points") or []
    for n, name in enumerate(COLOURS):
        rounds = " + ".join(str(pair[n]) for pair in points)
        total = f"{rounds} = {sum(p[n] for p in points)}" if len(points) > 1 else rounds
        farms, fields = (len((record.get(k) or {}).get(name, [])) for k in ("farms", "fields"))
        text = f"{_many(farms, 'farm')}, {_many(fields, 'field')}" + (f" · {total} points" if points else "")
        dot = f'<circle cx="8" cy="-5" r="7" fill="{COLOURS[name][0]}" stroke="currentColor" stroke-width=".8"/>'
        svg = f'<g transform="translate({330 * n} 38)">{dot}{_line(22, 0, f"{name}: {text}", 14)}</g>'
        yield Piece(f"seat {name} {text}", 0, "head", svg)


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _tray_height(record: Record) -> float:
    rows = (len(record.get("open") or []) + 1) // 2
    return 190 + 30 + rows * 2 * RADIUS * _SMALL + 8 * rows


def _tray(record: Record) -> Iterator[Piece]:
    pile = len(record.get("pile") or [])
    yield Piece(f"pile {pile}", 0, "side", _line(0, 12, f"Face-down pile: {pile}", 14, 600))
    drawn = record.get("drawn")
    if drawn:
        svg = _line(0, 40, "Drawn", 14, 600) + _tray_tile(drawn, 80, 112, 1.0)
        yield Piece(f"drawn {drawn}", 1, "side", svg)
    opened = record.get("open") or []
    if opened:
        yield Piece("open", 0, "side", _line(0, 200, "Open choices", 14, 600))
    for n, tile in enumerate(opened):
        x = 4 + APOTHEM * _SMALL + (n % 2) * (2 * APOTHEM * _SMALL + 10)
        y = 212 + RADIUS * _SMALL + (n // 2) * (2 * RADIUS * _SMALL + 6)
        yield Piece(f"open {n} {tile}", 1, "side", _tray_tile(tile, x, y, _SMALL))


def _tray_tile(tile: str, x: float, y: float, scale: float) -> str:
    label = _small(tile, -RADIUS * 0.6, 8.5 / scale)
    return (
        f'<g transform="translate({number(x)} {number(y)}) scale({scale})"><title>{escape(tile)}</title>'
        f"{_use(tile, 0)}{label}</g>"
    )


def _description(record: Record) -> str:
    """Say the position in words, for those who do not see it."""
    board = record.get("board") or []
    words = [f"{len(board)} tiles lie: " + ", ".join(f"{t} on {q},{r}" for q, r, t, _ in board)] if board else []
    for kind in ("farms", "fields"):
        for seat, places in sorted((record.get(kind) or {}).items()):
            if places:
                words.append(f"{kind} of {seat}: {' '.join(places)}")
    if record.get("drawn"):
        words.append(f"drawn: {record['drawn']}")
    if record.get("open"):
        words.append(f"open choices: {' '.join(record['open'])}")
    return "; ".join(words) or "An empty table."


register("fjords", paint)

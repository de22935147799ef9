"""How a tile of Fjords looks: sea, land with its coast, farmland segments, small signs of terrain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .svg_hex import (
    RADIUS,
    Arc,
    border_strip,
    hexagon,
    middle,
    number,
    path,
    phase_of,
    polar,
    run_arc,
    runs,
    star,
)

Parts = list[list[int]]
_NECK = ((-42, 0.2), (-24, 0.36), (-20, 0.55), (-20, 0.75), (20, 0.75), (20, 0.55), (24, 0.36), (42, 0.2))
"""Half a neck of land, as directions off its axis and shares of the radius."""

DEFINITIONS = {
    "clip": f'<clipPath id="§hex"><path d="{hexagon(RADIUS - 0.6)}"/></clipPath>',
    "sea": '<radialGradient id="§sea" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="62">'
    '<stop offset="0" stop-color="#5b9fc4"/><stop offset="1" stop-color="#83bddb"/></radialGradient>',
    "rock": '<radialGradient id="§rock" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="62">'
    '<stop offset="0" stop-color="#b3a697"/><stop offset="1" stop-color="#9b8d7e"/></radialGradient>',
    "farm": '<radialGradient id="§farm" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="62">'
    '<stop offset="0" stop-color="#b5cd6f"/><stop offset="1" stop-color="#96b957"/></radialGradient>',
    "furrow": '<pattern id="§furrow" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(28)"><path d="M0 3.5H7" stroke="#6f9440" stroke-width="1.1" '
    'opacity=".38"/></pattern>',
    "peak": '<g id="§peak"><path d="M-11 7L-2 -9L2 -4L5 -8L13 7Z" fill="#75695d"/>'
    '<path d="M-2 -9L2 -4L5 -8L13 7H4L1 1Z" fill="#5f554b"/>'
    '<path d="M-2 -9L-5.4 -3L-2.6 -4.2L-.6 -1.8L1 -5.2ZM5 -8L2.9 -5L5 -3.6L6.6 -5Z" fill="#fff"/></g>',
    "wave": '<path id="§wave" d="M-9 0q2.2 -3.4 4.5 0t4.5 0t4.5 0M-4 5q2.2 -3.4 4.5 0t4.5 0" fill="none" '
    'stroke="#fff" stroke-width="1.3" stroke-linecap="round" opacity=".75"/>',
}  # fmt: skip


def parts_of(tile: Mapping[str, Any], kind: str, slots: int) -> Parts:
    """Return the farmland ``segments`` or ``land`` parts of a tile in their order of numbers.

    Where the pack leaves them out they follow from the border: one part if the centre joins them, else
    one for each run of sides.
    """
    sides, centre = str(tile["sides"]), str(tile["centre"])
    terrain = "F" if kind == "segments" else "FM"
    given = tile.get(kind)
    members = [i for i, letter in enumerate(sides) if letter in terrain]
    if given is not None:
        parts = [sorted(part) for part in given]
    elif centre in terrain:
        parts = [members]
    else:
        parts = [sorted(run) for run in runs(members, 6 * slots)]
    return sorted(parts, key=lambda part: (part == [], part))


def turned(part: Sequence[int], turn: int, slots: int) -> list[int]:
    """Return the slots of the cell that a part reaches after *turn* sixths counter-clockwise."""
    return sorted((slot + turn * slots) % (6 * slots) for slot in part)


def art(tile: Mapping[str, Any], turn: int, slots: int) -> str:
    """Return the SVG of a tile round the origin, shown after *turn* sixths."""
    centre, sides = str(tile["centre"]), str(tile["sides"])
    phase = phase_of(str(tile["id"]))
    land = [turned(part, turn, slots) for part in parts_of(tile, "land", slots)]
    farmland = [turned(part, turn, slots) for part in parts_of(tile, "segments", slots)]
    rock = _shapes(land, centre in "FM", slots, phase, (0.5, 0.56))
    farms = _shapes(farmland, centre == "F", slots, phase + 1, (0.46, 0.5))
    shown = "".join(sides[(i - turn * slots) % len(sides)] for i in range(len(sides)))
    out = [f'<g clip-path="url(#§hex)"><path d="{hexagon()}" fill="url(#§sea)"/>']
    out += [f'<path d="{d}" fill="none" stroke="#f3e3b3" stroke-width="7" stroke-linejoin="round"/>' for d in rock]
    out += [f'<path d="{d}" fill="url(#§rock)"/>' for d in rock]
    out += [f'<path d="{d}" fill="none" stroke="#6d8f3e" stroke-width="2.4" stroke-linejoin="round"/>' for d in farms]
    out += [f'<path d="{d}" fill="url(#§farm)"/><path d="{d}" fill="url(#§furrow)"/>' for d in farms]
    free = not any(not part or len(runs(part, 6 * slots)) > 1 for part in land + farmland)
    out += _signs(shown, centre if free else "", slots)
    out.append("</g>")
    edge = 'fill="none" stroke="#33414a" stroke-opacity=".55" stroke-width="1.2"'
    out.append(f'<path d="{hexagon(RADIUS - 0.8)}" {edge}/>')
    if tile.get("start"):
        out.append(
            f'<path d="{hexagon(RADIUS - 4)}" fill="none" stroke="#4d3319" stroke-width="3" stroke-opacity=".85"/>'
            f'<path d="{hexagon(RADIUS - 4)}" fill="none" stroke="#f0cf7a" stroke-width="1" stroke-dasharray="5 4"/>'
        )
    return "".join(out)


def _shapes(parts: Parts, joined: bool, slots: int, phase: float, reach: tuple[float, float]) -> list[str]:
    """Return outlines of parts; *reach* is how far strips and islands come to the middle."""
    shapes = []
    middle_owner = max(parts, key=len, default=None) if joined else None
    for part in parts:
        arcs = [run_arc(run, slots) for run in runs(part, 6 * slots)]
        if not part or part is middle_owner or (len(arcs) > 1 and joined):
            shapes.append(star(arcs, reach[1] if part else 0.42, phase))
            continue
        shapes += [border_strip(arc, reach[0], phase) for arc in arcs]
        if len(arcs) > 1:
            shapes.append(_band(arcs))
    return shapes


def _band(arcs: Sequence[Arc]) -> str:
    """Return a neck of land through the middle that joins parts of the border."""
    points = []
    for start, end in arcs:
        direction = (start + end) / 2
        points += [polar(direction + off, RADIUS * away) for off, away in _NECK]
    return path(points)


def _signs(shown: str, centre: str, slots: int) -> list[str]:
    """Return peaks and waves in the middle of each run of mountain or sea."""
    out = []
    for letter, sign in (("M", "peak"), ("S", "wave")):
        members = [i for i, terrain in enumerate(shown) if terrain == letter]
        for run in runs(members, len(shown)):
            picked = run[slots // 2 :: slots] if len(run) >= slots else run[:1]
            for slot in picked:
                x, y = middle([slot], slots, RADIUS * 0.66)
                scale = 0.9 if letter == "M" else 0.8
                out.append(f'<use href="#§{sign}" transform="translate({number(x)} {number(y)}) scale({scale})"/>')
        if centre == letter:
            out.append(f'<use href="#§{sign}" transform="scale(1.2)"/>')
    return out


def anchor(part: Sequence[int], joined: bool, slots: int) -> tuple[float, float]:
    """Return where a piece on a segment stands."""
    if not part:
        return 0.0, 0.0
    x, y = middle(part, slots, RADIUS * (0.42 if joined else 0.62))
    if not joined and abs(x) + abs(y) < RADIUS * 0.3:
        return middle(part[:1], slots, RADIUS * 0.62)
    return x, y

"""Shapes of hexagons: corners, rings, organic outlines of terrain, as SVG path data.

Pointy-top hexagons of radius ``RADIUS``, y downwards as in SVG.  Directions are angles in degrees,
counter-clockwise from the east, so side d lies at 60 * d; it is bounded by the corners at 60 * d - 30
and 60 * d + 30.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, radians, sin, sqrt

RADIUS = 60.0
APOTHEM = RADIUS * sqrt(3) / 2
Point = tuple[float, float]
Arc = tuple[float, float]
"""A range of directions in degrees, from less to more; it may pass 360."""

_STEP = 5.0


def number(value: float) -> str:
    """Return a coordinate as short text with at most one decimal (and never ``-0``)."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def polar(direction: float, radius: float) -> Point:
    """Return the point in this direction at this distance from the middle of a tile."""
    angle = radians(direction)
    return radius * cos(angle), -radius * sin(angle)


def centre_of(q: int, r: int) -> Point:
    """Return the middle of the cell at axial coordinates (q, r)."""
    return RADIUS * sqrt(3) * (q + r / 2), RADIUS * 1.5 * r


def path(points: Iterable[Point]) -> str:
    """Return a closed path through the points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def hexagon(radius: float = RADIUS) -> str:
    """Return the path of a hexagon round the origin."""
    return path(polar(60 * k - 30, radius) for k in range(6))


def border_radius(direction: float) -> float:
    """Return how far the border of a hexagon is away in this direction."""
    off = (direction + 30) % 60 - 30
    return APOTHEM / cos(radians(off))


def slot_arc(slot: int, slots: int) -> Arc:
    """Return the directions that a slot covers."""
    width = 60 / slots
    start = -30 + slot * width
    return start, start + width


def runs(slots: Iterable[int], size: int) -> list[list[int]]:
    """Group slots of a ring of *size* into runs of neighbours, counter-clockwise."""
    members = set(slots)
    if len(members) == size:
        return [list(range(size))]
    found = []
    for first in sorted(members):
        if (first - 1) % size in members:
            continue
        run = [first]
        while (run[-1] + 1) % size in members:
            run.append((run[-1] + 1) % size)
        found.append(run)
    return found


def run_arc(run: Sequence[int], slots: int) -> Arc:
    """Return the directions that a run of slots covers."""
    start = slot_arc(run[0], slots)[0]
    return start, start + len(run) * 60 / slots


def _ease(direction: float, arc: Arc, reach: float) -> float:
    """Return 0 at the ends of *arc* and 1 well inside it, rising steeply and rounding off."""
    near = min(direction - arc[0], arc[1] - direction)
    share = max(0.0, min(1.0, near / min(reach, (arc[1] - arc[0]) / 2)))
    return sqrt(1 - (1 - share) ** 2)


def _wobble(direction: float, phase: float) -> float:
    return 1 + 0.05 * sin(3 * radians(direction) + phase) + 0.03 * sin(7 * radians(direction) + 2 * phase)


def _directions(arc: Arc) -> list[float]:
    """Directions along an arc: its ends, the corners of the hexagon within it, steps between."""
    start, end = arc
    inner = {round(start + k * _STEP, 3) for k in range(1, int((end - start) / _STEP) + 1)}
    return [start, *sorted(d for d in inner if start < d < end), end]


def border_strip(arc: Arc, depth: float, phase: float) -> str:
    """Return the path of land along part of the border, *depth* (0 to 1) being where it ends inside."""
    if arc[1] - arc[0] >= 360:
        return hexagon()
    outer = [polar(d, border_radius(d)) for d in _corner_directions(arc)]
    inner = []
    for direction in reversed(_directions(arc)):
        ease = _ease(direction, arc, 34)
        low = RADIUS * depth * _wobble(direction, phase)
        inner.append(polar(direction, border_radius(direction) * (1 - ease) + low * ease))
    return path([*outer, *inner[1:-1]])


def _corner_directions(arc: Arc) -> list[float]:
    corners = [60 * k - 30 for k in range(-6, 14)]
    return [arc[0], *(float(c) for c in corners if arc[0] < c < arc[1]), arc[1]]


def star(arcs: Sequence[Arc], core: float, phase: float) -> str:
    """Return the path of land that fills the middle and reaches the border in *arcs*.

    Between the arcs it keeps within *core* (0 to 1) of the radius; without arcs it is an island.
    """
    gaps = _gaps(arcs)
    if not gaps:
        return hexagon()
    points = []
    for step in range(round(360 / _STEP)):
        direction = step * _STEP - 30
        gap = next((g for g in gaps if _within(direction, g)), None)
        if gap is None:
            points.append(polar(direction, border_radius(direction)))
            continue
        turned = gap[0] + (direction - gap[0]) % 360
        ease = 1.0 if gap[1] - gap[0] >= 360 else _ease(turned, gap, 30)
        low = RADIUS * core * _wobble(direction, phase)
        points.append(polar(direction, border_radius(direction) * (1 - ease) + low * ease))
    return path(points)


def _gaps(arcs: Sequence[Arc]) -> list[Arc]:
    if not arcs:
        return [(-30.0, 330.0)]
    ordered = sorted(arcs)
    found = []
    for n, (_, end) in enumerate(ordered):
        start = ordered[(n + 1) % len(ordered)][0]
        width = (start - end) % 360
        if width > 1e-6 and not (len(ordered) == 1 and ordered[0][1] - ordered[0][0] >= 360):
            found.append((end, end + width))
    return found


def _within(direction: float, arc: Arc) -> bool:
    return arc[1] - arc[0] >= 360 or 0 < (direction - arc[0]) % 360 < arc[1] - arc[0]


def middle(slots: Iterable[int], per_side: int, radius: float) -> Point:
    """Return the mean of the points at *radius* in the directions of the slots."""
    points = []
    for slot in slots:
        start, end = slot_arc(slot, per_side)
        points.append(polar((start + end) / 2, radius))
    if not points:
        return 0.0, 0.0
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def phase_of(name: str) -> float:
    """Return a number that differs from tile to tile, so that no two coasts look stamped."""
    return sum(ord(letter) * (n + 3) for n, letter in enumerate(name)) % 628 / 100 % (2 * pi)

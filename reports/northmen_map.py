"""Where the Kingdoms and Neutral Regions of Northmen lie in a picture, computed from their names and borders.

No printed map is known to the painter: places get slots of a staggered grid, so that border lines are short,
cross each other seldom and run under no plate.  The search is the same for the same pack (integers, no chance).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import isqrt

import msgspec

Point = tuple[int, int]

PLATE = (124, 68)
"""Width and height of a place's plate."""
PITCH = (152, 116)
"""Distances between columns and between rows of plates."""
_CLEAR = 5
_UNDER, _CROSS, _OFF = 4000, 300, 3
"""What a line under a plate, a crossing and a step away from the compass cost, against a length of one."""
_STARTS = 24

_COMPASS: dict[str, Point] = {
    "Iceland": (0, 0), "Norwegians": (3, 0), "Norway": (3, 0), "Swedes": (4, 0), "Sweden": (4, 0), "Finland": (6, 0),
    "Scotland": (1, 1), "Scots": (1, 1), "Ireland": (0, 1), "Danes": (3, 1), "Denmark": (3, 1), "Baltic": (5, 1),
    "Lithuania": (5, 1), "Livonia": (5, 1), "Prussia": (5, 1), "Novgorod": (6, 1), "Rus": (6, 2),
    "England": (0, 2), "Saxons": (2, 2), "Frisia": (2, 2), "Poland": (4, 2), "Holy Roman Empire": (3, 2),
    "Normans": (1, 3), "Francia": (1, 3), "Brittany": (0, 3), "Burgundy": (2, 3), "Bavaria": (3, 3),
    "Magyars": (4, 3), "Khazaria": (6, 3), "Khazars": (6, 3), "Iberia": (0, 4), "Spain": (0, 4), "Aquitaine": (1, 4),
    "Italy": (3, 4), "Lombardy": (3, 3), "Sicily": (3, 4), "Bulgaria": (5, 4), "Byzantines": (6, 4), "Greece": (5, 4),
}  # fmt: skip
"""Half columns from the west and rows from the north that places of these names are drawn towards."""


class Atlas(msgspec.Struct, frozen=True):
    """A map laid out: size, the middle of each plate (Kingdoms, then regions), borders as pairs of places."""

    width: int
    height: int
    at: tuple[Point, ...]
    borders: tuple[tuple[int, int], ...]


def slots_for(count: int) -> list[Point]:
    """Return the middles of at least *count* plates in rows of three and four, each row half a column off."""
    found: list[Point] = []
    row = 0
    while len(found) < max(count, 1):
        shift = 1 - row % 2
        xs = [PITCH[0] * (2 * n + 1 + shift) // 2 for n in range(4 - shift)]
        found += [(x, PITCH[1] * (2 * row + 1) // 2) for x in xs]
        row += 1
    return found


@lru_cache(maxsize=64)
def lay_out(kingdoms: tuple[tuple[str, tuple[str, ...]], ...], regions: tuple[str, ...]) -> Atlas:
    """Return the map of Kingdoms (each with its borders) and regions; borders of unknown names are left out."""
    number = {name: len(kingdoms) + n for n, name in reversed(list(enumerate(regions)))}
    borders = tuple(
        (k, number[name]) for k, (_, near) in enumerate(kingdoms) for name in dict.fromkeys(near) if name in number
    )
    names = [name for name, _ in kingdoms] + list(regions)
    slots = slots_for(len(names))
    chosen = _Search(slots, names, borders).best()
    height = max(y for _, y in slots) + PITCH[1] // 2
    return Atlas(4 * PITCH[0], height, tuple(slots[n] for n in chosen), borders)


class _Search:
    """Which place lies on which slot: swaps of two slots as long as one makes the map better."""

    def __init__(self, slots: Sequence[Point], names: Sequence[str], borders: Sequence[tuple[int, int]]) -> None:
        self._borders = borders
        self._places = len(names)
        self._size = len(slots)
        self._length, self._under, self._crosses = _tables(slots)
        self._away = [_away(name, slots) for name in names]

    def best(self) -> list[int]:
        """Return the slot of each place."""
        found = [self._climbed(start) for start in _starts(self._size)]
        return min(found)[1][: self._places]

    def _climbed(self, at: list[int]) -> tuple[int, list[int]]:
        cost, better = self._cost(at), True
        while better:
            better = False
            for one in range(self._places):
                for other in range(one + 1, self._size):
                    at[one], at[other] = at[other], at[one]
                    tried = self._cost(at)
                    if tried < cost:
                        cost, better = tried, True
                    else:
                        at[one], at[other] = at[other], at[one]
        return cost, at

    def _cost(self, at: Sequence[int]) -> int:
        size = self._size
        lines = [at[a] * size + at[b] for a, b in self._borders]
        laid = sum(1 << slot for slot in at[: self._places])
        drawn = 0
        total = sum(away[slot] for away, slot in zip(self._away, at, strict=False))
        for line in lines:
            drawn |= 1 << line
            total += self._length[line] + _UNDER * (self._under[line] & laid).bit_count()
        return total + sum(_CROSS * (self._crosses[line] & drawn).bit_count() for line in lines) // 2


def _away(name: str, slots: Sequence[Point]) -> list[int]:
    """Return what each slot costs a place of this name."""
    if name not in _COMPASS:
        return [0] * len(slots)
    x, y = _COMPASS[name]
    want = (PITCH[0] * (x + 1) // 2, PITCH[1] * (2 * y + 1) // 2)
    return [_distance(slot, want) * _OFF // 2 for slot in slots]


def _starts(size: int) -> Iterator[list[int]]:
    """Yield different orders of the slots: each a walk with another stride, which meets every slot once."""
    yield list(range(size))
    for n in range(1, _STARTS):
        left, order, where = list(range(size)), [], 0
        while left:
            where = (where * (n + 2) + 3 * n + 1) % len(left)
            order.append(left.pop(where))
        yield order


def _tables(slots: Sequence[Point]) -> tuple[list[int], list[int], list[int]]:
    """Return for each line between two slots: length, slots whose plates it runs under, lines it crosses."""
    size = len(slots)
    lines = [(a, b) for a in range(size) for b in range(size)]
    length = [_distance(slots[a], slots[b]) for a, b in lines]
    under = [
        sum(1 << s for s in range(size) if s not in (a, b) and a != b and _runs_under(slots[a], slots[b], slots[s]))
        for a, b in lines
    ]
    crosses = [0] * len(lines)
    for n, (a, b) in enumerate(lines):
        for m in range(n):
            c, d = lines[m]
            if len({a, b, c, d}) == 4 and _cross(slots[a], slots[b], slots[c], slots[d]):
                crosses[n] |= 1 << m
                crosses[m] |= 1 << n
    return length, under, crosses


def _distance(one: Point, other: Point) -> int:
    return isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def _side(a: Point, b: Point, p: Point) -> int:
    """Return on which side of the line a to b the point lies: below 0, 0, above 0."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _runs_under(a: Point, b: Point, middle: Point) -> bool:
    """Whether the line a to b comes under (or too near) the plate round *middle*."""
    wide, high = PLATE[0] // 2 + _CLEAR, PLATE[1] // 2 + _CLEAR
    if min(a[0], b[0]) > middle[0] + wide or max(a[0], b[0]) < middle[0] - wide:
        return False
    if min(a[1], b[1]) > middle[1] + high or max(a[1], b[1]) < middle[1] - high:
        return False
    sides = [_side(a, b, (middle[0] + x, middle[1] + y)) for x in (-wide, wide) for y in (-high, high)]
    return min(sides) <= 0 <= max(sides)

"""Where the waters, Homelands and ports of Fire & Axe lie in a picture, computed from the pack alone.

No printed map is known to the painter.  Waters are tiles of a grid, the North above, the West to the left, so that
waters that meet lie side by side; each port and Homeland has a plate on the tile of its first water of its zone.
The search is the same for the same pack (integers, no chance).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import isqrt
from typing import Any

import msgspec

Point = tuple[int, int]

PLATE = (116, 46)
"""Width and height of the plate of a port or Homeland."""
GAP, HEAD, LANE = 7, 25, 36
"""Between plates; the head of a tile; between tiles."""
TILE = 2 * PLATE[0] + 3 * GAP
_STARTS = 16
_FAR, _CROSS, _PULL = 90, 12, 7
"""What a lane to no neighbouring tile, a crossing, and a row away from the own quarter cost."""
_QUARTERS = {"North": (1, 0), "South": (1, 2), "West": (0, 1), "East": (2, 1)}
"""Column and row that a zone is drawn towards: 0 first, 1 any, 2 last."""


class Atlas(msgspec.Struct, frozen=True):
    """A map laid out: size; corner and height of each tile; corner of each plate; what else lies side by side.

    ``lanes`` join tiles by number; ``links`` join places by name where no tile shows it.
    """

    width: int
    height: int
    waters: tuple[str, ...]
    tiles: tuple[tuple[int, int, int], ...]
    plates: Mapping[str, Point]
    lanes: tuple[tuple[int, int], ...]
    links: tuple[tuple[str, str], ...]

    def middle(self, place: str) -> Point | None:
        """Return where lines to a place end; None for one that the map has not."""
        if place in self.plates:
            x, y = self.plates[place]
            return x + PLATE[0] // 2, y + PLATE[1] // 2
        if place in self.waters:
            x, y, _ = self.tiles[self.waters.index(place)]
            return x + TILE // 2, y + HEAD // 2
        return None


def atlas_of(pack: Mapping[str, Any]) -> Atlas:
    """Return the map of a pack record; edges to unknown places are left out."""
    waters = tuple((str(w["id"]), str(w.get("zone", ""))) for w in pack.get("waters") or ())
    shores = tuple(
        (str(s["id"]), str(s.get("zone", ""))) for s in (*(pack.get("homelands") or ()), *(pack.get("ports") or ()))
    )
    edges = tuple((str(one), str(other)) for one, other in pack.get("edges") or ())
    return lay_out(waters, shores, edges)


@lru_cache(maxsize=32)
def lay_out(
    waters: tuple[tuple[str, str], ...], shores: tuple[tuple[str, str], ...], edges: tuple[tuple[str, str], ...]
) -> Atlas:
    """Return the map of waters and shores (ids with zones) that these edges join."""
    names = [name for name, _ in waters]
    home = {name: _water_of(name, zone, waters, edges) for name, zone in shores}
    if any(water is None for water in home.values()):
        names.append("")
    number = {name: n for n, name in enumerate(names)}
    aboard = [[s for s, water in home.items() if (water or "") == name] for name in names]
    lanes = tuple((number[a], number[b]) for a, b in edges if a in number and b in number)
    zones = [zone for _, zone in waters] + [""] * (len(names) - len(waters))
    columns = max(1, isqrt(len(names) + isqrt(len(names))))
    slots = _Search(zones, lanes, columns).best()
    rows = {name: slot // columns for name, slot in zip(names, slots, strict=True)}
    rows |= {shore: rows[water or ""] for shore, water in home.items()}
    for some in aboard:  # what also lies beside a tile above stands at the top, so that lines run under few plates
        some.sort(key=lambda shore: _leaning(shore, rows, edges))
    tiles, width, height = _tiles(slots, [len(some) for some in aboard], columns)
    plates = {
        shore: (x + GAP + (n % 2) * (PLATE[0] + GAP), y + HEAD + (n // 2) * (PLATE[1] + GAP))
        for (x, y, _), some in zip(tiles, aboard, strict=True)
        for n, shore in enumerate(some)
    }
    known = {*names, *home}
    shown = {frozenset((shore, water)) for shore, water in home.items()}
    links = tuple(
        (a, b) for a, b in edges
        if {a, b} <= known and frozenset((a, b)) not in shown and not (a in number and b in number)
    )  # fmt: skip
    return Atlas(width, height, tuple(names), tiles, plates, lanes, links)


def _water_of(shore: str, zone: str, waters: Sequence[tuple[str, str]], edges: Sequence[tuple[str, str]]) -> str | None:
    """Return the water on whose tile a shore is drawn: the first beside it of its own zone, else the first."""
    beside = {b if a == shore else a for a, b in edges if shore in (a, b)}
    near = [(name, its) for name, its in waters if name in beside]
    return next((name for name, its in near if its == zone), near[0][0] if near else None)


def _leaning(shore: str, rows: Mapping[str, int], edges: Sequence[tuple[str, str]]) -> int:
    """Return how far what a shore lies beside is further down than itself; negative: further up."""
    beside = [b if a == shore else a for a, b in edges if shore in (a, b)]
    return sum(rows[place] - rows[shore] for place in beside if place in rows)


def _tiles(
    slots: Sequence[int], counts: Sequence[int], columns: int
) -> tuple[tuple[tuple[int, int, int], ...], int, int]:
    """Return corner and height of each tile, and the size of all; a row is as high as its highest tile."""
    highs = [HEAD + -(-count // 2) * (PLATE[1] + GAP) + (GAP if count else 10) for count in counts]
    rows = max(slots, default=0) // columns + 1
    tall = [max((h for s, h in zip(slots, highs, strict=True) if s // columns == row), default=0)
            for row in range(rows)]  # fmt: skip
    tops = [LANE // 2 + sum(tall[:row]) + LANE * row for row in range(rows)]
    found = []
    for slot, high in zip(slots, highs, strict=True):
        row, column = divmod(slot, columns)
        found.append((LANE // 2 + column * (TILE + LANE), tops[row] + (tall[row] - high) // 2, high))
    return tuple(found), columns * (TILE + LANE), sum(tall) + LANE * rows


class _Search:
    """Which water lies on which slot: swaps of two slots as long as one makes the map better."""

    def __init__(self, zones: Sequence[str], lanes: Sequence[tuple[int, int]], columns: int) -> None:
        self._lanes, self._waters, self._columns = lanes, len(zones), columns
        self._rows = max(1, -(-len(zones) // columns))
        self._size = self._rows * columns
        self._away = [[self._pull(zone, slot) for slot in range(self._size)] for zone in zones]

    def best(self) -> list[int]:
        """Return the slot of each water."""
        if not self._waters:
            return []
        count = _STARTS if self._size <= 20 else 2
        return min(self._climbed(start) for start in _starts(self._size, count))[1][: self._waters]

    def _climbed(self, at: list[int]) -> tuple[int, list[int]]:
        cost, better = self._cost(at), True
        while better:
            better = False
            for one in range(self._waters):
                for other in range(one + 1, self._size):
                    at[one], at[other] = at[other], at[one]
                    tried = self._cost(at)
                    if tried < cost:
                        cost, better = tried, True
                    else:
                        at[one], at[other] = at[other], at[one]
        return cost, at

    def _pull(self, zone: str, slot: int) -> int:
        row, column = divmod(slot, self._columns)
        want = _QUARTERS.get(zone, (1, 1))
        return _PULL * (_off(column, want[0], self._columns) + _off(row, want[1], self._rows))

    def _cost(self, at: Sequence[int]) -> int:
        total = sum(away[slot] for away, slot in zip(self._away, at, strict=False))
        blocks = set()
        for a, b in self._lanes:
            (row, column), (r, c) = divmod(at[a], self._columns), divmod(at[b], self._columns)
            down, over = abs(row - r), abs(column - c)
            total += 10 * (down * down + over * over) + (_FAR if max(down, over) > 1 else 0)
            if down == over == 1:
                block = min(row, r), min(column, c)
                total += _CROSS if block in blocks else 0
                blocks.add(block)
        return total


def _off(at: int, want: int, count: int) -> int:
    return at if want == 0 else count - 1 - at if want == 2 else 0


def _starts(size: int, count: int) -> Iterator[list[int]]:
    """Yield different orders of the slots: each a walk with another stride, which meets every slot once."""
    yield list(range(size))
    for n in range(1, count):
        left, order, where = list(range(size)), [], 0
        while left:
            where = (where * (n + 2) + 3 * n + 1) % len(left)
            order.append(left.pop(where))
        yield order

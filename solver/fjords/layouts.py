"""Small symbolic regions of Fjords: laid cells and a tile whose sides are left to z3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import z3

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.hexgrid import AXIAL_STEPS
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.fjords.pack import FARMLAND, SEA, TERRAINS, read_pack
from lawspeaker.model.fjords.room import CATALOGUE, ROOM

Cell = tuple[int, int]
TRIANGLE: tuple[Cell, ...] = ((0, 0), (1, 0), (0, 1))


def beside(cell: Cell) -> tuple[Cell, ...]:
    """Return the six neighbours of a cell, by side."""
    return tuple((cell[0] + q, cell[1] + r) for q, r in AXIAL_STEPS)


def rim(cells: Sequence[Cell], contacts: int = 2) -> list[Cell]:
    """Return the empty cells that touch at least so many of *cells*, sorted."""
    count: dict[Cell, int] = {}
    for cell in cells:
        for other in beside(cell):
            count[other] = count.get(other, 0) + 1
    return sorted(c for c, n in count.items() if n >= contacts and c not in cells)


@cache
def layouts(extra: int) -> tuple[tuple[Cell, ...], ...]:
    """Return the triangle with *extra* tiles laid under rule 2, once for each shape up to symmetry."""
    if extra == 0:
        return (TRIANGLE,)
    found: dict[tuple[Cell, ...], tuple[Cell, ...]] = {}
    for smaller in layouts(extra - 1):
        for cell in rim(smaller):
            cells = (*smaller, cell)
            found.setdefault(shape(cells), cells)
    return tuple(found.values())


def shape(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the least of the twelve turned and mirrored copies of some cells, moved to the origin."""
    best: tuple[Cell, ...] = ()
    for mirrored in (False, True):
        copy = [(r, q) for q, r in cells] if mirrored else list(cells)
        for _ in range(6):
            copy = [(-r, q + r) for q, r in copy]
            q0, r0 = min(copy)
            moved = tuple(sorted((q - q0, r - r0) for q, r in copy))
            best = min(best, moved) if best else moved
    return best


class Symbolic:
    """A region whose tiles have one land part each, and a tile with up to two, all left to z3."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = tuple(cells)
        self.sides = {c: [z3.Int(f"side_{n}_{s}") for s in range(6)] for n, c in enumerate(cells)}
        self.tile = [z3.Int(f"tile_{s}") for s in range(6)]
        self.part = [z3.Int(f"part_{s}") for s in range(6)]
        self.spots = [(cell, turn) for cell in rim(cells) for turn in range(6)]

    def terms(self) -> list[Any]:
        """Return every unknown in the stated order: the tile first, then the region."""
        return [*self.tile, *self.part, *(side for sides in self.sides.values() for side in sides)]

    def well_formed(self) -> list[Any]:
        """Say that sides show terrain, laid tiles agree, and each joins one laid before by land.

        Every tile has one land part (its middle is land), the tile's parts are at most two.
        """
        every = [side for sides in (*self.sides.values(), self.tile) for side in sides]
        said = [z3.And(side >= SEA, side <= FARMLAND) for side in every]
        said += [z3.And(part >= 0, part <= 1) for part in self.part]
        for number, cell in enumerate(self.cells):
            joins = []
            for side, other in enumerate(beside(cell)):
                if other in self.cells[:number]:
                    own, their = self.sides[cell][side], self.sides[other][(side + 3) % 6]
                    said.append(own == their)
                    joins.append(own != SEA)
            if number:
                said.append(z3.Or(joins))
        return said

    def one_part(self) -> list[Any]:
        """Say that the tile has a single land part."""
        return [part == 0 for part in self.part]

    def channel(self) -> list[Any]:
        """Say that the tile has two land parts, each one run of its sides with sea on both sides of it."""
        runs = []
        for first in range(6):
            for second in range(6):
                for a in range(1, 5):
                    for b in range(1, 5):
                        one = [(first + n) % 6 for n in range(a)]
                        two = [(second + n) % 6 for n in range(b)]
                        hedge = {(first - 1) % 6, (first + a) % 6, (second - 1) % 6, (second + b) % 6}
                        if set(one) & set(two) or hedge & (set(one) | set(two)) or a + b > 4:
                            continue
                        runs.append(z3.And([self._shows(s, one, two) for s in range(6)]))
        return [z3.Or(runs)]

    def _shows(self, side: int, one: list[int], two: list[int]) -> Any:
        if side in one:
            return z3.And(self.tile[side] != SEA, self.part[side] == 0)
        if side in two:
            return z3.And(self.tile[side] != SEA, self.part[side] == 1)
        return z3.And(self.tile[side] == SEA, self.part[side] == 0)

    def contacts(self, spot: tuple[Cell, int]) -> Iterator[tuple[Any, Any, Any]]:
        """Yield (side of the tile, its part, side it faces) for each contact of a spot."""
        cell, turn = spot
        for side, other in enumerate(beside(cell)):
            if other in self.sides:
                own = (side - turn) % 6
                yield self.tile[own], self.part[own], self.sides[other][(side + 3) % 6]

    def agrees(self, spot: tuple[Cell, int]) -> Any:
        """Say that terrain agrees at a spot (rule 1; rule 2 holds at every spot)."""
        return z3.And([own == facing for own, _, facing in self.contacts(spot)])

    def touches_land(self, spot: tuple[Cell, int], part: int | None = None) -> Any:
        """Say that the tile (or one part of it) meets laid land at a spot."""
        met = [z3.And(f != SEA, True if part is None else p == part) for _, p, f in self.contacts(spot)]
        return z3.Or(met)

    def has_part(self, part: int) -> Any:
        """Say that some land side of the tile belongs to this part."""
        return z3.Or([z3.And(s != SEA, p == part) for s, p in zip(self.tile, self.part, strict=True)])

    def open_side(self, spot: tuple[Cell, int], part: int) -> Any:
        """Say that a land side of this part faces an empty cell at a spot."""
        cell, turn = spot
        free = [(side - turn) % 6 for side, other in enumerate(beside(cell)) if other not in self.sides]
        return z3.Or([z3.And(self.tile[s] != SEA, self.part[s] == part) for s in free])


class Concrete:
    """What z3 chose, as a small pack and the position in which the tile has just been drawn."""

    def __init__(self, region: Symbolic, values: Sequence[int]) -> None:
        sides, parts, laid = values[:6], values[6:12], values[12:]
        self.tile = "".join(TERRAINS[v] for v in sides)
        land: dict[int, list[int]] = {}
        for side, value in enumerate(sides):
            if value != SEA:
                land.setdefault(parts[side], []).append(side)
        self.pack = _pack(region.cells, laid, self.tile, [land[p] for p in sorted(land)])
        self.cells = region.cells

    def game(self, rulings: Rulings) -> AnyGame:
        """Return the game with this pack."""
        return ROOM.build(read_pack(self.pack, "witness"), rulings, 2)

    def record(self) -> dict[str, Any]:
        """Return the record of the position: everything laid, tile T in hand."""
        extra = [f"X{n}" for n in range(3, len(self.cells))]
        laid = [f"W{n + 1}" for n in range(3)] + extra
        board = sorted([*cell, tile, 0] for cell, tile in zip(self.cells, laid, strict=True))
        return {
            "round": 1, "phase": "drawn", "starter": "AB"[len(extra) % 2], "seat": "A",
            "pile": ["Z"], "open": [], "drawn": "T",
            "set_aside": False, "told": False, "board": board, "last": None, "from_pile": False,
            "farms": {"A": [], "B": []}, "fields": {"A": [], "B": []},
            "placer": "B" if extra else None, "first": None, "points": [],
        }  # fmt: skip


def _pack(cells: Sequence[Cell], laid: Sequence[int], tile: str, parts: list[list[int]]) -> dict[str, Any]:
    tiles: list[dict[str, Any]] = []
    for number in range(len(cells)):
        sides = "".join(TERRAINS[v] for v in laid[6 * number : 6 * number + 6])
        start = number < 3
        tiles.append({"id": f"W{number + 1}" if start else f"X{number}", "sides": sides, "centre": "M", "start": start})
    middle = "M" if len(parts) == 1 else "S"
    land = parts if parts else None
    tiles.append({"id": "T", "sides": tile, "centre": middle, **({"land": land} if land else {})})
    tiles.append({"id": "Z", "sides": "MMMMMM", "centre": "M"})
    lay = [{"tile": f"W{n + 1}", "q": c[0], "r": c[1], "turn": 0} for n, c in enumerate(cells[:3])]
    return {
        "format": "lawspeaker-pack/1", "game": "fjords", "id": "witness", "title": "a witness of the solver",
        "complete": False, "tiles": tiles, "arrangements": [{"name": "triangle", "tiles": lay}],
    }  # fmt: skip


def default_rulings(**chosen: str) -> Rulings:
    """Return the default rulings with these others."""
    return CATALOGUE.book.choose(chosen)

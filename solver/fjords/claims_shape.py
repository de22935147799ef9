"""Claims about shapes: why tiles are hexagons, and the smallest hole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import z3

from lawspeaker.solver.asking import Claim, Outcome, possible, require, solver

from .layouts import Cell, beside, rim, shape

Grid = Callable[[Cell], tuple[Cell, ...]]
NEEDED = 40
_WINDOW = 6
_LARGEST = 14


def squares(cell: Cell) -> tuple[Cell, ...]:
    """Return the four neighbours on the grid of squares."""
    x, y = cell
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def triangles(cell: Cell) -> tuple[Cell, ...]:
    """Return the three neighbours on the grid of triangles; x + y even points up."""
    x, y = cell
    return (x + 1, y), (x - 1, y), (x, y - 1) if (x + y) % 2 == 0 else (x, y + 1)


def closure(start: Iterable[Cell], grid: Grid, limit: int = NEEDED) -> frozenset[Cell]:
    """Return all cells that can ever be laid from *start* when each must touch two sides (FD-TILE-02).

    A cell that can be laid stays so, as contacts are never lost; so the order does not matter and
    this is the largest region.  Stops at *limit* cells.
    """
    laid = set(start)
    edge = {other for cell in laid for other in grid(cell)} - laid
    while len(laid) < limit:
        ready = sorted(cell for cell in edge if sum(other in laid for other in grid(cell)) >= 2)
        if not ready:
            break
        laid |= set(ready)
        edge = (edge | {other for cell in ready for other in grid(cell)}) - laid
    return frozenset(laid)


def _perimeter(sides: int) -> int:
    """Return by how much a tile with this many sides can lengthen the border, asked of z3."""
    contacts, grown = z3.Ints("contacts grown")
    said = [contacts >= 2, contacts <= sides, grown == sides - 2 * contacts]
    best = -sides
    while possible(solver(*said), grown > best):
        best += 1
    return best


def starts(grid: Grid) -> Iterator[tuple[Cell, ...]]:
    """Yield every three cells of the window of which each side can matter: all, up to moving."""
    window = [(x, y) for x in range(_WINDOW) for y in range(_WINDOW)]
    for three in combinations(window, 3):
        if min(x for x, _ in three) in (0, 1):
            yield three


def _too_small(grid: Grid, sides: int, name: str) -> Callable[[], Outcome]:
    def ask() -> Outcome:
        best, cases = 0, 0
        example: tuple[Cell, ...] = ()
        for three in starts(grid):
            cases += 1
            size = len(closure(three, grid))
            if size > best:
                best, example = size, three
        grows = _perimeter(sides)
        require(best < NEEDED and grows <= 0, "the region stays small and its border never grows")
        return Outcome(
            "proven", f"three {name} grow to at most {best} cells, so 37 tiles can never be placed",
            f"every three cells in a window of {_WINDOW} by {_WINDOW}, each grown to its end",
            f"z3: a tile changes the length of the border by at most {grows}, so the border never grows",
            {"start": [list(c) for c in example], "cells": best}, cases=cases,
        )  # fmt: skip

    return ask


def _hexagons() -> Outcome:
    grown = _perimeter(6)
    sizes = {}
    for name, start in _STARTS.items():
        sizes[name] = len(closure(start, beside))
        require(sizes[name] >= NEEDED, f"{name} reaches {NEEDED} cells")
    return Outcome(
        "witness", "hexagons: all 37 tiles can be placed from a triangle, a line or a bent row",
        f"grown until {NEEDED} cells", f"z3: a tile can lengthen the border by up to {grown}", dict(sizes), cases=3,
    )  # fmt: skip


_STARTS: dict[str, tuple[Cell, ...]] = {
    "triangle": ((0, 0), (1, 0), (0, 1)),
    "line": ((0, 0), (1, 0), (2, 0)),
    "bent": ((0, 0), (1, 0), (2, -1)),
}
_NAMES = {"triangle": "a triangle", "line": "a line", "bent": "a bent row"}


def encloses(cells: Iterable[Cell]) -> bool:
    """Say whether some empty cell is enclosed by these cells."""
    laid = set(cells)
    rows = [r for _, r in laid]
    columns = [q for q, _ in laid]
    left, right, top, bottom = min(columns) - 1, max(columns) + 1, min(rows) - 1, max(rows) + 1
    todo, outside = [(left, top)], {(left, top)}
    while todo:
        for q, r in beside(todo.pop()):
            if left <= q <= right and top <= r <= bottom and (q, r) not in laid and (q, r) not in outside:
                outside.add((q, r))
                todo.append((q, r))
    return len(outside) + len(laid) < (right - left + 1) * (bottom - top + 1)


def smallest_hole(start: tuple[Cell, ...], most: int) -> tuple[int, tuple[Cell, ...], int]:
    """Return the size of the smallest region with a hole, such a region, and how many were looked at.

    All regions that rule 2 allows are grown tile by tile, once for each shape up to symmetry.
    Raises AssertionError if there is none of at most *most* cells.
    """
    level, looked = {shape(start): start}, 0
    for size in range(len(start) + 1, most + 1):
        larger: dict[tuple[Cell, ...], tuple[Cell, ...]] = {}
        for cells in level.values():
            for cell in rim(cells):
                grown = (*cells, cell)
                key = shape(grown)
                if key not in larger:
                    looked += 1
                    if encloses(grown):
                        return size, grown, looked
                    larger[key] = grown
        level = larger
    raise AssertionError(f"no hole within {most} cells")


def _hole(name: str) -> Callable[[], Outcome]:
    def ask() -> Outcome:
        size, cells, looked = smallest_hole(_STARTS[name], _LARGEST)
        return Outcome(
            "witness", f"the smallest region with a hole has {size} tiles ({size - 3} placements) from {_NAMES[name]}",
            "every region under rule 2 up to symmetry, in order of size", "exhaustive search",
            {"cells": [list(c) for c in cells]}, cases=looked,
        )  # fmt: skip

    return ask


CLAIMS = (
    Claim("shape-squares", "could the tiles be squares", ("FD-TILE-02", "FD-COMP-01"),
          _too_small(squares, 4, "squares")),
    Claim("shape-triangles", "could the tiles be triangles", ("FD-TILE-02", "FD-COMP-01"),
          _too_small(triangles, 3, "triangles")),
    Claim("shape-hexagons", "could the tiles be hexagons", ("FD-TILE-02", "FD-COMP-01"), _hexagons),
    Claim("hole-from-triangle", "how small is the smallest hole from a triangle", ("FD-TILE-02", "FD-TILE-09"),
          _hole("triangle"), "R_START", deep=True),
    Claim("hole-from-line", "how small is the smallest hole from a line", ("FD-TILE-02", "FD-TILE-09"),
          _hole("line"), "R_START", deep=True),
    Claim("hole-from-bent", "how small is the smallest hole from a bent row", ("FD-TILE-02", "FD-TILE-09"),
          _hole("bent"), "R_START", deep=True),
)  # fmt: skip

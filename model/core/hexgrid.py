"""Axial coordinates on a grid of hexagons.

Sides are numbered counter-clockwise from the east: E, NE, NW, W, SW, SE.  A cell is one integer so
that neighbours are found by adding; ``cell(q, r)`` and ``axial(cell)`` convert, and integer order is
the order of (q, r).
"""

from __future__ import annotations

from functools import lru_cache

SIDES = ("E", "NE", "NW", "W", "SW", "SE")
AXIAL_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))

_SPAN = 256
_HALF = _SPAN // 2
STEPS = tuple(q * _SPAN + r for q, r in AXIAL_STEPS)
"""What to add to a cell to reach its neighbour across each side."""
LIMIT = _HALF - 2
"""Largest absolute coordinate that a cell may have."""


def cell(q: int, r: int) -> int:
    """Return the cell at axial coordinates (q, r)."""
    return (q + _HALF) * _SPAN + (r + _HALF)


@lru_cache(maxsize=_SPAN * _SPAN)
def axial(place: int) -> tuple[int, int]:
    """Return the axial coordinates of a cell."""
    q, r = divmod(place, _SPAN)
    return q - _HALF, r - _HALF


def cell_text(place: int) -> str:
    """Return a cell as ``q,r``."""
    q, r = axial(place)
    return f"{q},{r}"


def opposite(side: int) -> int:
    """Return the side of the neighbour that lies on this side."""
    return (side + 3) % 6


def distance(one: int, two: int) -> int:
    """Return the number of steps between two cells."""
    q1, r1 = axial(one)
    q2, r2 = axial(two)
    dq, dr = q1 - q2, r1 - r2
    return max(abs(dq), abs(dr), abs(dq + dr))

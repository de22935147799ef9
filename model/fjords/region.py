"""Questions about the whole region: landmasses, holes.  Slow and plain; used off the fast path."""

from __future__ import annotations

from lawspeaker.model.core.hexgrid import STEPS, axial, cell

from .tables import Laid, Tables

Node = tuple[int, int]  # cell and number of a land part of its tile


def land_nodes(board: tuple[Laid, ...], tables: Tables) -> dict[Node, set[Node]]:
    """Return the land parts of all laid tiles and which of them meet across a side."""
    owner: dict[tuple[int, int], Node] = {}
    graph: dict[Node, set[Node]] = {}
    for place, tile, turn in board:
        for n, part in enumerate(tables.parts[tile][turn]):
            graph[(place, n)] = set()
            owner.update(((place, slot), (place, n)) for slot in part)
    for (place, slot), node in owner.items():
        side, beyond = tables.faces[slot]
        other = owner.get((place + STEPS[side], beyond))
        if other is not None:
            graph[node].add(other)
            graph[other].add(node)
    return graph


def landmasses(board: tuple[Laid, ...], tables: Tables) -> tuple[tuple[Node, ...], ...]:
    """Return the landmasses of the region, each as its sorted land parts (FD-TILE-05)."""
    graph = land_nodes(board, tables)
    seen: set[Node] = set()
    found = []
    for first in sorted(graph):
        if first in seen:
            continue
        mass, todo = {first}, [first]
        while todo:
            for node in graph[todo.pop()]:
                if node not in mass:
                    mass.add(node)
                    todo.append(node)
        seen |= mass
        found.append(tuple(sorted(mass)))
    return tuple(found)


def holes(laid: set[int]) -> tuple[tuple[int, ...], ...]:
    """Return the holes: sets of empty cells that the region encloses, each sorted (FD-TILE-09)."""
    if not laid:
        return ()
    qs, rs = zip(*(axial(place) for place in laid), strict=True)
    bounds = range(min(qs) - 1, max(qs) + 2), range(min(rs) - 1, max(rs) + 2)
    empty = {cell(q, r) for q in bounds[0] for r in bounds[1]} - laid
    found = []
    while empty:
        first = min(empty)
        pool, todo = {first}, [first]
        while todo:
            here = todo.pop()
            for step in STEPS:
                if here + step in empty and here + step not in pool:
                    pool.add(here + step)
                    todo.append(here + step)
        empty -= pool
        if not any(_outside(place, bounds) for place in pool):
            found.append(tuple(sorted(pool)))
    return tuple(sorted(found))


def _outside(place: int, bounds: tuple[range, range]) -> bool:
    q, r = axial(place)
    return q in (bounds[0][0], bounds[0][-1]) or r in (bounds[1][0], bounds[1][-1])


def sealed(board: tuple[Laid, ...], tables: Tables, place: int, hole: str) -> tuple[int, bool]:
    """Return the number of landmasses, and whether one that touches *place* can never be joined.

    It can never be joined when none of its land sides faces an empty cell (R_LAND=closed); under
    R_HOLE=sea (*hole*) an enclosed empty cell counts as sea.
    """
    laid = {p for p, _, _ in board}
    closed = laid | {p for pool in holes(laid) for p in pool} if hole == "sea" else laid
    turns = {p: (tile, turn) for p, tile, turn in board}
    masses = landmasses(board, tables)
    for mass in masses:
        if not any(p == place for p, _ in mass):
            continue
        if not any(
            p + STEPS[tables.faces[slot][0]] not in closed
            for p, n in mass
            for slot in tables.parts[turns[p][0]][turns[p][1]][n]
        ):
            return len(masses), True
    return len(masses), False


def makes_hole(laid: set[int], place: int) -> bool:
    """Say whether laying a tile on *place* encloses an empty space that was open before."""
    before = {p for pool in holes(laid) for p in pool}
    return any(p not in before for pool in holes(laid | {place}) for p in pool)

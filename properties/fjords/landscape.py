"""A second, independent reading of a Fjords region: geometry from coordinates, graphs by networkx.

Nothing here comes from the model but the pack's plain data and a position's plain record.  Tiles meet
where pieces of their borders have the same place in the plane, worked out from the corners of the
hexagons; areas within a tile are components of a graph of its border.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Protocol, TypeAlias

import networkx as nx

Cell = tuple[int, int]
Point = tuple[int, int]
Node = tuple[Cell, int]
Graph: TypeAlias = "nx.Graph[Any]"  # of cells, land parts or segments


def _round(step: Cell) -> Cell:
    """Turn a step a sixth counter-clockwise."""
    q, r = step
    return q + r, -q


def _compass() -> tuple[Cell, ...]:
    found = [(1, 0)]
    while len(found) < 6:
        found.append(_round(found[-1]))
    return tuple(found)


WAYS = _compass()
"""The six neighbours, counter-clockwise from the east."""


def beside(cell: Cell) -> tuple[Cell, ...]:
    """Return the six cells beside a cell."""
    return tuple((cell[0] + q, cell[1] + r) for q, r in WAYS)


def border_points(cell: Cell, slots: int) -> list[Point]:
    """Return where in the plane each slot of a cell's border lies, counter-clockwise from the east.

    In units that keep everything whole: corners lie at three times the cell plus two neighbouring ways.
    """
    corners = []
    for side in range(6):
        (a, b), (c, d) = WAYS[side - 1], WAYS[side]
        corners.append((3 * cell[0] + a + c, 3 * cell[1] + b + d))
    found = []
    for side in range(6):
        (q1, r1), (q2, r2) = corners[side], corners[(side + 1) % 6]
        for n in range(slots):
            far, near = 2 * n + 1, 2 * slots - 2 * n - 1
            found.append((q1 * near + q2 * far, r1 * near + r2 * far))
    return found


class _TileLike(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def sides(self) -> str: ...
    @property
    def centre(self) -> str: ...
    @property
    def segments(self) -> tuple[tuple[int, ...], ...] | None: ...
    @property
    def land(self) -> tuple[tuple[int, ...], ...] | None: ...
    @property
    def start(self) -> bool: ...


class Face:
    """What a tile shows: terrain letters by slot, and which slots each farmland and land part reaches."""

    def __init__(self, tile: _TileLike) -> None:
        self.id, self.sides, self.start = tile.id, tile.sides, tile.start
        self.segments = _parts(tile, "F", tile.segments)
        self.land = _parts(tile, "FM", tile.land)


def _parts(tile: _TileLike, terrain: str, given: tuple[tuple[int, ...], ...] | None) -> list[list[int]]:
    """Return a tile's parts of some terrain: as given, else what hangs together by border or centre."""
    if given is None:
        size = len(tile.sides)
        graph: Graph = nx.Graph()
        members = [n for n in range(size) if tile.sides[n] in terrain]
        graph.add_nodes_from(members)
        graph.add_edges_from((n, (n + 1) % size) for n in members if (n + 1) % size in members)
        if tile.centre in terrain:
            graph.add_node("centre")
            graph.add_edges_from(("centre", n) for n in members)
        given = tuple(tuple(n for n in part if n != "centre") for part in nx.connected_components(graph))
    reaching = sorted(sorted(part) for part in given if part)
    return reaching + [[] for part in given if not part]


@cache
def faces_of(pack: Any) -> dict[str, Face]:
    """Return what each tile of a pack shows, by id."""
    return {tile.id: Face(tile) for tile in pack.tiles}


class Landscape:
    """The region of a record: laid tiles with what each piece of their borders shows and belongs to."""

    def __init__(self, pack: Any, board: Iterable[Any]) -> None:
        self.slots: int = pack.slots
        self.faces = faces_of(pack)
        self.laid: dict[Cell, tuple[str, int]] = {(q, r): (tile, turn) for q, r, tile, turn in board}
        self.meeting: dict[Point, list[tuple[Cell, int]]] = {}
        for cell, (_, turn) in self.laid.items():
            for point, slot in self.pieces(cell, turn):
                self.meeting.setdefault(point, []).append((cell, slot))

    def pieces(self, cell: Cell, turn: int) -> Iterator[tuple[Point, int]]:
        """Yield each border point of a cell with the slot of the unturned tile that lies there."""
        size = 6 * self.slots
        for n, point in enumerate(border_points(cell, self.slots)):
            yield point, (n - turn * self.slots) % size

    def shows(self, cell: Cell, slot: int) -> str:
        """Return the terrain that the tile on a cell shows at a slot of its own."""
        return self.faces[self.laid[cell][0]].sides[slot]

    def tiles(self) -> Graph:
        """T: the laid cells, joined where they are neighbours."""
        graph: Graph = nx.Graph()
        graph.add_nodes_from(self.laid)
        graph.add_edges_from((cell, other) for cell in self.laid for other in beside(cell) if other in self.laid)
        return graph

    def clashes(self) -> list[Point]:
        """Return each border point where two tiles show different terrain."""
        return [
            point for point, there in self.meeting.items() if len({self.shows(cell, slot) for cell, slot in there}) > 1
        ]

    def land(self) -> Graph:
        """L: the land parts, joined where land lies on both sides of a border point."""
        return self._areas("land", "FM")

    def segments(self) -> Graph:
        """S: the farmland segments, joined where farmland meets farmland."""
        return self._areas("segments", "F")

    def _areas(self, kind: str, terrain: str) -> Graph:
        graph: Graph = nx.Graph()
        owner: dict[tuple[Cell, int], Node] = {}
        for cell, (tile, _) in self.laid.items():
            for n, part in enumerate(getattr(self.faces[tile], kind)):
                graph.add_node((cell, n))
                owner.update({(cell, slot): (cell, n) for slot in part})
        for there in self.meeting.values():
            if len(there) == 2 and all(self.shows(*piece) in terrain for piece in there):
                graph.add_edge(owner[there[0]], owner[there[1]])
        return graph

    def seas(self) -> Graph:
        """The pieces of border that show sea, joined across and along borders; no rule restricts them."""
        size = 6 * self.slots
        graph: Graph = nx.Graph()
        for there in self.meeting.values():
            wet = [piece for piece in there if self.shows(*piece) == "S"]
            graph.add_nodes_from(wet)
            if len(wet) == 2:
                graph.add_edge(*wet)
        for cell, slot in list(graph):
            if (cell, (slot + 1) % size) in graph:
                graph.add_edge((cell, slot), (cell, (slot + 1) % size))
        return graph

    def holes(self) -> list[list[Cell]]:
        """Return the holes: finite components of the empty cells, each sorted."""
        if not self.laid:
            return []
        qs, rs = [q for q, _ in self.laid], [r for _, r in self.laid]
        box: Graph = nx.Graph()
        cells = [(q, r) for q in range(min(qs) - 2, max(qs) + 3) for r in range(min(rs) - 2, max(rs) + 3)]
        box.add_nodes_from(cell for cell in cells if cell not in self.laid)
        box.add_edges_from((cell, other) for cell in list(box) for other in beside(cell) if other in box)
        outside = nx.node_connected_component(box, (min(qs) - 2, min(rs) - 2))
        return sorted(sorted(part) for part in nx.connected_components(box) if not part & outside)

    def open_cells(self) -> list[Cell]:
        """Return the empty cells that touch at least two laid tiles, sorted."""
        around = {other for cell in self.laid for other in beside(cell)} - set(self.laid)
        return sorted(cell for cell in around if self.contacts(cell) >= 2)

    def contacts(self, cell: Cell) -> int:
        """Return how many laid tiles lie beside a cell."""
        return sum(other in self.laid for other in beside(cell))

    def drowned(self) -> list[Cell]:
        """Return the empty cells that face sea on all six sides."""
        return [
            cell
            for cell in self.open_cells()
            if all(
                any(self.shows(*piece) == "S" for piece in self.meeting.get(point, ()))
                for point in border_points(cell, self.slots)
            )
        ]

    def allows(self, tile: str, cell: Cell, turn: int, rulings: Mapping[str, str]) -> bool:
        """Say whether rules 1 to 3 allow a placement, as R_TWO, R_LAND and R_HOLE read them."""
        touching = self.contacts(cell)
        if cell in self.laid or touching < 2 or (rulings["R_TWO"] == "exactly" and touching > 2):
            return False
        face, meets = self.faces[tile], set()
        for point, slot in self.pieces(cell, turn):
            for piece in self.meeting.get(point, ()):
                if self.shows(*piece) != face.sides[slot]:
                    return False
                meets.add(slot)
        joined = [bool(meets & set(part)) for part in face.land]
        if rulings["R_LAND"] == "closed":
            return self._stays_open(tile, cell, turn, rulings["R_HOLE"])
        return all(joined) if rulings["R_LAND"] == "component" else any(joined)

    def _stays_open(self, tile: str, cell: Cell, turn: int, hole: str) -> bool:
        """Say whether, with the tile laid, no landmass that it is part of is cut off for ever."""
        after = Landscape.__new__(Landscape)
        after.slots, after.faces = self.slots, self.faces
        after.laid = {**self.laid, cell: (tile, turn)}
        after.meeting = {point: list(there) for point, there in self.meeting.items()}
        for point, slot in after.pieces(cell, turn):
            after.meeting.setdefault(point, []).append((cell, slot))
        masses = list(nx.connected_components(after.land()))
        if len(masses) < 2:
            return True
        shut = {c for pool in after.holes() for c in pool} if hole == "sea" else set()
        lands = (mass for mass in masses if any(where == cell for where, _ in mass))
        return all(after._has_shore(mass, shut) for mass in lands)

    def _has_shore(self, mass: set[Node], shut: set[Cell]) -> bool:
        """Say whether some land border of a landmass lies towards an empty cell that is not *shut*."""
        for cell, n in mass:
            tile, turn = self.laid[cell]
            part = self.faces[tile].land[n]
            for place, (_, slot) in enumerate(self.pieces(cell, turn)):
                other = beside(cell)[place // self.slots]
                if slot in part and other not in self.laid and other not in shut:
                    return True
        return False

    def placements(self, tile: str, rulings: Mapping[str, str]) -> list[tuple[Cell, int]]:
        """Return each (cell, turn) where rules 1 to 3 allow a tile, sorted."""
        return [
            (cell, turn) for cell in self.open_cells() for turn in range(6) if self.allows(tile, cell, turn, rulings)
        ]


def segment_name(node: Node) -> str:
    """Return a segment as records name it."""
    (q, r), n = node
    return f"{q},{r}/{n}"


def segment_node(name: str) -> Node:
    """Read a segment's name."""
    where, _, n = name.partition("/")
    q, _, r = where.partition(",")
    return (int(q), int(r)), int(n)

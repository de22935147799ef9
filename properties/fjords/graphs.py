"""F-G1 to F-G14: facts about the region, worked out by networkx and compared with the model along play.

Each check builds the ``Landscape`` of the record and asks the model the same question; an answer that
differs is a complaint.  The facts are numbered as in the reading of the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import networkx as nx

from lawspeaker.model.core.hexgrid import axial
from lawspeaker.model.fjords.actions import Open, Place, segment_text
from lawspeaker.model.fjords.position import bits
from lawspeaker.model.fjords.region import holes, landmasses
from lawspeaker.properties.watching import Check, Complaints, Moment, plainly

from .history import neighbourhood
from .landscape import Landscape, segment_name, segment_node


def landscape_of(moment: Moment) -> Landscape:
    """Return the landscape after a step; built once a step, whatever number of checks look at it."""
    if "landscape" not in moment.memo:
        moment.memo["landscape"] = Landscape(moment.game.pack, moment.record_after["board"])
    found: Landscape = moment.memo["landscape"]
    return found


def region_grows(moment: Moment) -> Complaints:
    """F-G1: the tiles are a connected piece of the lattice; each touched two when it was laid."""
    if not isinstance(moment.action, (Place, Open)):
        return
    cell, before = axial(moment.action.cell), Landscape(moment.game.pack, moment.record_before["board"])
    touching = before.contacts(cell)
    if touching < 2 or (moment.game.rulings["R_TWO"] == "exactly" and touching > 2):
        yield f"the tile on {cell} was laid beside {touching}"
    if not nx.is_connected(before.tiles()):
        yield "the tiles do not hang together"


def legal_places(moment: Moment) -> Complaints:
    """F-G2: the placements offered are those that the landscape allows, and on its open cells only."""
    game, position = moment.game, moment.after
    if position.phase not in ("choose", "drawn"):
        return
    region, rulings = landscape_of(moment), game.rulings
    for verb, kind, tiles in (("place", Place, [position.drawn]), ("open", Open, bits(position.open))):
        offered = {(a.tile, axial(a.cell), a.turn) for a in moment.legal_after if isinstance(a, kind)}
        ids = game.tables.ids  # type: ignore[attr-defined]
        mine = {(t, c, turn) for t in tiles if t >= 0 for c, turn in region.placements(ids[t], rulings)}
        if offered != mine and (verb == "place" or offered or _open_due(moment)):
            yield f"to {verb}, model {sorted(offered - mine)} and landscape {sorted(mine - offered)} only"


def _open_due(moment: Moment) -> bool:
    """Say whether open tiles must be on offer: at the start of a choice with face-down tiles left."""
    return moment.after.phase == "choose" and bool(moment.after.pile)


def edges_match(moment: Moment) -> Complaints:
    """F-G3: where tiles touch, the same terrain lies on both sides."""
    return (f"terrain differs at {point}" for point in landscape_of(moment).clashes())


def one_landmass(moment: Moment) -> Complaints:
    """F-G4: the land is connected; the model counts the same landmasses."""
    masses = _parts(landscape_of(moment).land())
    model = sorted(
        sorted((axial(place), n) for place, n in mass)
        for mass in landmasses(moment.after.board, moment.game.tables)  # type: ignore[attr-defined]
    )
    if masses != model:
        yield f"{len(masses)} landmasses by the landscape, {len(model)} by the model"
    if len(masses) > 1 and moment.game.rulings["R_LAND"] == "component":
        yield f"{len(masses)} landmasses"


def _parts(graph: Any) -> list[list[Any]]:
    return sorted(sorted(part) for part in nx.connected_components(graph))


def land_joins(moment: Moment) -> Complaints:
    """F-G5: each land part of a tile just laid meets land that lay before."""
    if not isinstance(moment.action, (Place, Open)):
        return
    cell = axial(moment.action.cell)
    land = neighbourhood(moment).land()
    for node in [node for node in land if node[0] == cell]:
        if not any(other[0] != cell for other in land[node]):
            yield f"land part {node[1]} of the tile on {cell} meets no land"


def same_holes(moment: Moment) -> Complaints:
    """F-G6: holes by the model's flood are the finite components of the empty cells."""
    mine = landscape_of(moment).holes()
    model = sorted(sorted(axial(p) for p in pool) for pool in holes({p for p, _, _ in moment.after.board}))
    if mine != model:
        yield f"holes {mine} by the landscape, {model} by the model"


def drowned_cells(moment: Moment) -> Complaints:
    """F-G7: no tile that shows land can be laid on a cell with sea on all six sides."""
    drowned = set(landscape_of(moment).drowned())
    for action in moment.legal_after:
        if isinstance(action, (Place, Open)) and axial(action.cell) in drowned:
            yield f"{moment.game.text(action)} fills a cell that the sea encloses"


def same_segments(moment: Moment) -> Complaints:
    """F-G8: the model's ground has the segments and adjacencies of the landscape."""
    ground = moment.after.ground
    if not ground.keys:
        return
    graph = landscape_of(moment).segments()
    mine = {segment_name(n): {segment_name(m) for m in graph[n]} for n in graph}
    names = [segment_text(key) for key in ground.keys]
    model = {name: {names[m] for m in bits(near)} for name, near in zip(names, ground.near, strict=True)}
    if mine != model:
        differ = sorted(n for n in mine.keys() | model.keys() if mine.get(n) != model.get(n))
        yield f"segments differ at {differ[:4]}"


class Ground:
    """Farms, fields and segments after a step, from its record; segments are nodes of networkx."""

    def __init__(self, moment: Moment) -> None:
        plain = moment.record_after
        self.graph = landscape_of(moment).segments()
        self.farms = {seat: {segment_node(s) for s in plain["farms"][seat]} for seat in plain["farms"]}
        self.fields = {seat: {segment_node(s) for s in plain["fields"][seat]} for seat in plain["fields"]}
        pieces = [*self.farms.values(), *self.fields.values()]
        self.empty = set(self.graph) - set().union(*pieces)

    def reach(self, seat: str) -> set[Any]:
        """Return the empty segments that a seat reaches from its pieces through empty ones."""
        mine = self.farms[seat] | self.fields[seat]
        part = self.graph.subgraph(self.empty | mine)
        edges = [edge for edge in part.edges if not (edge[0] in mine and edge[1] in mine)]
        open_graph: nx.Graph[Any] = nx.Graph(edges)
        found = set().union(*(nx.node_connected_component(open_graph, m) for m in mine if m in open_graph), set())
        return found & self.empty


def farms_reach(moment: Moment) -> Complaints:
    """F-G9: fields stand only in areas of farmland that hold a farm."""
    if not moment.after.ground.keys:
        return
    ground = Ground(moment)
    farms = set().union(*ground.farms.values())
    for area in nx.connected_components(ground.graph):
        if not area & farms and area & set().union(*ground.fields.values()):
            yield f"fields without a farm in the area of {segment_name(min(area))}"


def contested(moment: Moment) -> Complaints:
    """F-G10: the model's contested segments are those that both players, with fields left, reach."""
    game, position = moment.game, moment.after
    if position.phase != "land":
        return
    ground = Ground(moment)
    left = all(len(fields) < game.field_limit for fields in ground.fields.values())  # type: ignore[attr-defined]
    both = ground.reach("A") & ground.reach("B") if left else set()
    keys = position.ground.keys
    model = {segment_node(segment_text(keys[n])) for n in bits(game.contested(position))}  # type: ignore[attr-defined]
    if both != model:
        yield f"contested differ in {sorted(segment_name(n) for n in both ^ model)}"


def cuts(moment: Moment) -> Complaints:
    """F-G11: taking a segment splits the empty farmland exactly where it is an articulation point."""
    if moment.before.phase != "land" or moment.after.phase != "land":
        return
    plain = moment.record_before
    taken = {segment_node(s) for which in ("farms", "fields") for names in plain[which].values() for s in names}
    segments = landscape_of(moment).segments()
    empty = segments.subgraph(set(segments) - taken)
    node = segment_node(moment.game.text(moment.action).split()[1])
    before, after = (_components(p.ground.near, ~p.taken) for p in (moment.before, moment.after))
    if (after > before) != (node in set(nx.articulation_points(empty))):
        yield f"the model splits {before} empty areas into {after} at {segment_name(node)}"


def _components(near: tuple[int, ...], mask: int) -> int:
    """Count the components of the model's own bit sets within a mask."""
    left, count = mask & ((1 << len(near)) - 1), 0
    while left:
        count, edge = count + 1, left & -left
        left &= ~edge
        while edge:
            grown = 0
            for n in bits(edge):
                grown |= near[n]
            edge = grown & left
            left &= ~edge
    return count


Holds = dict[str, tuple[str, ...]]

PLAIN: Holds = {"R_SEGMENT": ("per_tile",)}
BOTH: Holds = {"R_SEGMENT": ("per_tile",), "R_MULTI": ("segment",)}

_FACTS: Iterable[tuple[str, Callable[..., Any], int, Holds]] = (
    ("F-G1", region_grows, 5, {}),
    ("F-G2", legal_places, 13, {}),
    ("F-G3", edges_match, 23, {}),
    ("F-G4", one_landmass, 23, {}),
    ("F-G5", land_joins, 9, {"R_LAND": ("component",)}),
    ("F-G6", same_holes, 23, {}),
    ("F-G7", drowned_cells, 23, {}),
    ("F-G8", same_segments, 13, PLAIN),
    ("F-G9", farms_reach, 13, PLAIN),
    ("F-G10", contested, 7, BOTH),
    ("F-G11", cuts, 7, BOTH),
)


def _fact(name: str, function: Callable[..., Any], every: int, holds: Holds) -> Check:
    title = (function.__doc__ or "").partition(": ")[2].partition("\n")[0].rstrip(".")
    return Check(name, title, plainly(function), every, holds=holds)


CHECKS: tuple[Check, ...] = tuple(_fact(*fact) for fact in _FACTS)
"""F-G12 and F-G13 (theorems T1 and T2) need the history of a round and stand there as I25 and I23.

F-G14, sea areas, bears no constraint in the book: ``Landscape.seas`` is there for audits.
"""

"""A second, independent reading of the map of Northmen: graphs by networkx from the pack's plain data.

Nothing here comes from the model.  Kingdoms and regions are nodes, borders are edges; the sea is one more
node, open to every Kingdom, beside each region on it.  Which assignments of a march are lawful is the
question of a largest flow from symbols to regions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import networkx as nx

Graph: TypeAlias = "nx.DiGraph[Any]"
SEA = ("the sea",)
"""The node of the sea: no place's id is a tuple."""
LANDLOCKED = frozenset({"Poland", "Holy Roman Empire"})
NAMED = ("Normans", "Norwegians", "Saxons", "Magyars", "Bulgaria", "Poland", "Holy Roman Empire", "Finland")


def map_of(pack: Any, landlock: str = "examples", bulgaria: str = "neutral") -> Graph:
    """Return the map as ways from Kingdoms to regions, by land or over the sea.

    The texts are values of R_LANDLOCK and R_BULGARIA; a Bulgaria that is a Kingdom is no place to go.
    """
    graph: Graph = nx.DiGraph()
    graph.add_node(SEA, kind="sea")
    closed = {"Bulgaria"} if bulgaria == "kingdom" else set()
    for region in pack.regions:
        graph.add_node(region.id, kind="region")
        wet = region.id not in LANDLOCKED if landlock == "exhaustive" else region.sea
        if wet and region.id not in closed:
            graph.add_edge(SEA, region.id)
    for kingdom in pack.kingdoms:
        graph.add_node(kingdom.id, kind="kingdom")
        graph.add_edge(kingdom.id, SEA)
        graph.add_edges_from((kingdom.id, region) for region in kingdom.borders if region not in closed)
    return graph


def by_land(graph: Graph, kingdom: str) -> set[str]:
    """Return the regions beside a Kingdom."""
    return set(graph.successors(kingdom)) - {SEA}


def by_sea(graph: Graph) -> set[str]:
    """Return the regions on the sea."""
    return set(graph.successors(SEA))


def by_either(graph: Graph, kingdom: str) -> set[str]:
    """Return the regions to which some way leads from a Kingdom."""
    return set(nx.descendants(graph, kingdom)) - {SEA}


# -- marches --------------------------------------------------------------------------------------


def march_flows(
    graph: Graph,
    kingdom: str,
    soldiers: int,
    ships: int,
    cubes: Mapping[str, int],
    heroes: Mapping[str, int],
) -> bool:
    """Say whether cubes and Heroes of a Kingdom can go as assigned, by the largest flow that its symbols carry.

    A soldier carries a cube to a region beside the Kingdom, a ship to one on the sea (SN-MOVE-09 to
    SN-MOVE-11, SN-MOVE-13); a Hero needs no symbol and takes either way (SN-MOVE-12).
    """
    flow: Graph = nx.DiGraph()
    flow.add_edge("source", "soldiers", capacity=soldiers)
    flow.add_edge("source", "ships", capacity=ships)
    flow.add_edge("source", "heroes", capacity=sum(heroes.values()))
    for region in by_land(graph, kingdom):
        flow.add_edge("soldiers", ("cubes", region))
    for region in by_sea(graph):
        flow.add_edge("ships", ("cubes", region))
    for region in by_either(graph, kingdom):
        flow.add_edge("heroes", ("heroes", region))
    for kind, pieces in (("cubes", cubes), ("heroes", heroes)):
        for region, number in pieces.items():
            flow.add_edge((kind, region), "sink", capacity=number)
    flow.add_node("sink")
    carried = int(nx.maximum_flow_value(flow, "source", "sink"))
    return carried == sum(cubes.values()) + sum(heroes.values())


# -- what a complete map has ------------------------------------------------------------------------


class MapClaim(NamedTuple):
    """Something that must hold of a complete pack: the clauses it rests on, and what speaks against it."""

    id: str
    title: str
    clauses: tuple[str, ...]
    against: Callable[[Any], list[str]]


def _sizes(pack: Any) -> list[str]:
    """Seven Kingdoms, nine regions, and every border between one and the other."""
    land: Graph = nx.DiGraph()
    kingdoms, regions = {k.id for k in pack.kingdoms}, {r.id for r in pack.regions}
    land.add_nodes_from(kingdoms | regions)
    land.add_edges_from((k.id, region) for k in pack.kingdoms for region in k.borders)
    found = [f"{a} - {b}" for a, b in land.edges if a not in kingdoms or b not in regions]
    if not nx.is_bipartite(land):
        found.append("a border inside a class")
    numbers = (len(kingdoms), len(regions), len(land))
    return found + ([] if numbers == (7, 9, 16) else [f"{len(kingdoms)} Kingdoms and {len(regions)} regions"])


def _names(pack: Any) -> list[str]:
    kinds = nx.get_node_attributes(map_of(pack), "kind")
    wanted = {name: "kingdom" if n < 4 else "region" for n, name in enumerate(NAMED)}
    return [name for name, kind in wanted.items() if kinds.get(name) != kind]


def _magyars(pack: Any) -> list[str]:
    graph = map_of(pack)
    return [region for region in ("Poland", "Bulgaria") if not graph.has_edge("Magyars", region)]


def _coast(pack: Any) -> list[str]:
    drawn, told = by_sea(map_of(pack)), by_sea(map_of(pack, "exhaustive"))
    found = sorted(drawn & LANDLOCKED) + ([] if "Finland" in drawn else ["Finland"])
    return found + ([] if len(told) == 7 else [f"{len(told)} regions on the sea"])


def _beside(pack: Any, region: str) -> list[str]:
    graph = map_of(pack)
    return [k.id for k in pack.kingdoms if graph.has_edge(k.id, region)]


def _empire(pack: Any) -> list[str]:
    near = _beside(pack, "Holy Roman Empire")
    return [] if len(near) >= 3 else near or ["none"]


def _landlocked(pack: Any) -> list[str]:
    wet = by_sea(map_of(pack))
    return [r.id for r in pack.regions if r.id not in wet and not _beside(pack, r.id)]


def _soldiers(pack: Any) -> list[str]:
    """Kingdoms from which a lone soldier's cube could not march, as a flow to any one region."""
    graph = map_of(pack)
    found = []
    for kingdom in pack.kingdoms:
        armed = any(card.soldiers for card in pack.cards if card.kingdom == kingdom.id)
        ways = (march_flows(graph, kingdom.id, 1, 0, {region.id: 1}, {}) for region in pack.regions)
        if armed and not any(ways):
            found.append(kingdom.id)
    return found


def _reached(pack: Any) -> list[str]:
    graph = map_of(pack)
    reached = set().union(*(by_either(graph, kingdom.id) for kingdom in pack.kingdoms))
    return [region.id for region in pack.regions if region.id not in reached]


def _sea(pack: Any) -> list[str]:
    return [] if by_sea(map_of(pack)) else ["no region on the sea"]


def _chart(pack: Any) -> list[str]:
    order = [kingdom.id for kingdom in pack.kingdoms]
    ends = [order[0], order[-1]] if order else []
    return ([] if ends == ["Normans", "Norwegians"] else ends) + ([] if len(set(order)) == len(order) else order)


def _tokens(pack: Any) -> list[str]:
    """Cards that place a token with 2, 3, 4 players: never more with more players, and 15 at least."""
    regions = {region.id for region in pack.regions}
    silent = {"none": (), "3-4": (3, 4), "4": (4,)}
    placing = [
        sum(card.region is not None and players not in silent[card.mark] for card in pack.cards)
        for players in (2, 3, 4)
    ]
    found = [card.id for card in pack.cards if card.region is not None and card.region not in regions]
    falling = placing == sorted(placing, reverse=True) and placing[-1] >= 15
    return found + ([] if falling else [f"{placing}"])


def _routes(pack: Any) -> list[str]:
    reached = set(_reached(pack))
    return [route.id for route in pack.routes if route.region in reached]


CLAIMS: tuple[MapClaim, ...] = (
    MapClaim("two sides", "Seven Kingdoms border nine regions", ("SN-MAP-01",), _sizes),
    MapClaim("names", "The places that the text names are there", ("SN-CHART-02", "SN-MOVE-13"), _names),
    MapClaim("magyars", "The Magyars border Poland and Bulgaria", ("SN-MOVE-09",), _magyars),
    MapClaim("coast", "The text's inland regions are inland, Finland is not", ("SN-MOVE-11", "SN-MOVE-13"), _coast),
    MapClaim("empire", "Three Kingdoms border the Holy Roman Empire", ("SN-MOVE-10", "SN-MOVE-13"), _empire),
    MapClaim("landlocked", "A Kingdom borders each inland region", ("SN-MOVE-13", "SN-COLLECT-02"), _landlocked),
    MapClaim("soldiers", "Armies can leave each Kingdom that has any", ("SN-DELAY-03", "SN-MOVE-09"), _soldiers),
    MapClaim("reached", "Some way leads to each region", ("SN-COLLECT-02",), _reached),
    MapClaim("sea", "Some region lies on the sea", ("SN-MOVE-11",), _sea),
    MapClaim("chart", "The chart runs from the Normans to the Norwegians", ("SN-CHART-02",), _chart),
    MapClaim("tokens", "Enough cards place a token", ("SN-RALLY-14", "SN-RALLY-15", "SN-RALLY-20"), _tokens),
    MapClaim("routes", "Each Trade Route can be completed", ("SN-TRADE-03",), _routes),
)
"""Claims about the map of a complete pack; each list of what speaks against one is empty if it holds."""


def against(pack: Any) -> Iterator[tuple[str, str]]:
    """Yield what speaks against a pack's map: the claim's id and the place, card or route."""
    for claim in CLAIMS:
        for what in claim.against(pack):
            yield claim.id, what

"""A second, independent reading of the map of Fire & Axe: graphs by networkx from the pack's plain data.

Nothing here comes from the model.  Homelands, waters and ports are nodes, places side by side are joined.  What
a ship reaches without a loss is reached in a graph of places and Days.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import networkx as nx

Graph: TypeAlias = "nx.Graph[Any]"
Ways: TypeAlias = "nx.DiGraph[Any]"
ZONES = ("North", "South", "East", "West")
HOMELANDS = ("Norway", "Sweden", "Denmark")
BORDER = ("Faeroes", "Shetland")
"""The ports that touch North and West and count as West."""
GOODS = ("Tusks", "Fish", "Furs")
DAYS = 7


def map_of(pack: Any, port_edges: str = "by_map") -> Graph:
    """Return the map; nodes have a kind and a zone.  Under R_PORT_EDGES ``via_water`` no two ports are joined."""
    graph: Graph = nx.Graph()
    for kind, places in (("homeland", pack.homelands), ("water", pack.waters), ("port", pack.ports)):
        for place in places:
            graph.add_node(place.id, kind=kind, zone=place.zone)
    ports = of_kind(graph, "port")
    graph.add_edges_from((a, b) for a, b in pack.edges if port_edges == "by_map" or not {a, b} <= ports)
    return graph


def of_kind(graph: Graph, *kinds: str) -> set[str]:
    """Return the places of these kinds: homeland, water, port."""
    return {place for place in graph if graph.nodes[place]["kind"] in kinds}


def sea_of(graph: Graph) -> Graph:
    """Return the map of Homelands and waters alone: ships in ports cannot close it."""
    return graph.subgraph(of_kind(graph, "homeland", "water"))


# -- the weather ----------------------------------------------------------------------------------


def dial_of(pack: Any) -> Graph:
    """Return the places of the dial cover, named by the zone under the blue hole, joined by quarter-turns."""
    graph: Graph = nx.Graph()
    nx.add_cycle(graph, pack.dial.order)
    return graph


def clear_days(pack: Any, blue: str) -> dict[str, int]:
    """Return the Clear Weather Days of each zone: best under the blue hole, worst under the red, else normal."""
    order = list(pack.dial.order)
    holes = ["best", "normal", "normal", "normal"]
    holes[pack.dial.red] = "worst"
    at = order.index(blue)
    turned = order[at:] + order[:at]
    numbers = {zone: dict(zip(("best", "normal", "worst"), pack.dial.numbers[zone], strict=True)) for zone in order}
    return {zone: numbers[zone][hole] for zone, hole in zip(turned, holes, strict=True)}


def voyages(graph: Graph, clear: dict[str, int], days: int = DAYS) -> Ways:
    """Return the Sails without a loss as ways from (place, Sails made) to (place beside it, one more)."""
    ways: Ways = nx.DiGraph()
    zone = dict(graph.nodes(data="zone"))
    for day in range(1, days + 1):
        ways.add_edges_from(((a, day - 1), (b, day)) for a in graph for b in graph[a] if clear[zone[b]] >= day)
    return ways


def reached(graph: Graph, start: str, clear: dict[str, int], days: int = DAYS) -> dict[str, int]:
    """Return the places that a ship can reach from one without a loss, and the fewest Sails to each."""
    ways = voyages(graph, clear, days)
    found = {start: 0}
    for place, sails in sorted(nx.descendants(ways, (start, 0)) if (start, 0) in ways else (), key=lambda x: x[1]):
        found.setdefault(place, sails)
    return found


# -- ports ------------------------------------------------------------------------------------------


def cut_points(graph: Graph) -> set[str]:
    """Return the places without which the map falls apart."""
    return set(nx.articulation_points(graph))


def served(graph: Graph, start: str, days: int = DAYS) -> int:
    """Return how many ports a ship can at most be in during a turn that begins in a place, that place included."""
    ports = of_kind(graph, "port")
    here = {(start, frozenset({start} & ports))}
    most = len({start} & ports)
    for _ in range(days):
        here = {(to, seen | {to} if to in ports else seen) for place, seen in here for to in graph[place]}
        most = max(most, *(len(seen) for _, seen in here))
    return most


def rivals(pack: Any) -> Graph:
    """Return the ports, joined where they may not hold the same good: those of one region."""
    graph: Graph = nx.Graph()
    graph.add_nodes_from(port.id for port in pack.ports)
    regions: dict[str, list[str]] = {}
    for port in pack.ports:
        if port.region is not None:
            regions.setdefault(port.region, []).append(port.id)
    for ports in regions.values():
        graph.add_edges_from((a, b) for a in ports for b in ports if a < b)
    return graph


def fillings(graph: Graph, ports: tuple[str, ...]) -> list[dict[str, str | None]]:
    """Return all ways to have goods, or none, in some ports so that no rivals have the same."""
    found = []
    for goods in product((None, *GOODS), repeat=len(ports)):
        filled = dict(zip(ports, goods, strict=True))
        if all(filled[a] is None or filled[a] != filled[b] for a, b in graph.subgraph(ports).edges):
            found.append(filled)
    return found


def sagas_of(pack: Any) -> Graph:
    """Return Sagas (as ``("saga", id)``) and ports, joined where the Saga names the port."""
    graph: Graph = nx.Graph()
    graph.add_nodes_from(("port", port.id) for port in pack.ports)
    graph.add_nodes_from(("saga", saga.id) for saga in pack.sagas)
    graph.add_edges_from((("saga", saga.id), ("port", name)) for saga in pack.sagas for name in saga.ports)
    return graph


# -- what a map has -----------------------------------------------------------------------------------


class MapClaim(NamedTuple):
    """Something that must hold of a complete pack: the clauses it rests on, and what speaks against it."""

    id: str
    title: str
    clauses: tuple[str, ...]
    against: Callable[[Any], list[str]]


def _homelands(pack: Any) -> list[str]:
    return sorted({home.id for home in pack.homelands} ^ set(HOMELANDS))


def _beside_water(pack: Any) -> list[str]:
    graph = map_of(pack)
    waters = of_kind(graph, "water")
    return [place for place in graph if place not in waters and not waters & set(graph[place])]


def _zones(pack: Any) -> list[str]:
    return [zone for zone in ZONES if all(water.zone != zone for water in pack.waters)]


def _one_zone(pack: Any) -> list[str]:
    graph = map_of(pack)
    zone, waters = dict(graph.nodes(data="zone")), of_kind(graph, "water")
    found = []
    for place in (p for p in graph if p not in waters):
        around = {zone[other] for other in graph[place] if other in waters}
        right = {"North", "West"} if place in BORDER else {zone[place]}
        if around and (around != right or (place in BORDER and zone[place] != "West")):
            found.append(place)
    return found + [name for name in BORDER if name not in graph]


def _regions(pack: Any) -> list[str]:
    groups = [group for group in nx.connected_components(rivals(pack)) if len(group) > 1]
    regions = {port.region for port in pack.ports} - {None}
    found = [port.id for port in pack.ports if port.region is not None and port.town == "large"]
    found += [", ".join(sorted(group)) for group in groups if len(group) != 3]
    return found + ([] if len(groups) == len(regions) else ["a region of one port"])


def _towns(pack: Any) -> list[str]:
    numbers = tuple(sum(port.town == size for port in pack.ports) for size in ("small", "large"))
    return [] if numbers == (12, 3) else [f"{numbers[0]} small towns, {numbers[1]} large"]


def _connected(pack: Any) -> list[str]:
    parts = sorted(nx.connected_components(map_of(pack)), key=len)
    return [place for part in parts[:-1] for place in sorted(part)]


def _dial(pack: Any) -> list[str]:
    dial = dial_of(pack)
    if set(dial) != set(ZONES) or nx.diameter(dial) != 2 or any(degree != 2 for _, degree in dial.degree):
        return ["the zones do not lie around the dial"]
    return [] if clear_days(pack, "South")["South"] == 7 and pack.dial.start == "South" else ["South"]


def _colours(pack: Any) -> list[str]:
    """Regions some partial filling of which leaves a port for which no good is allowed."""
    graph, found = rivals(pack), []
    for group in nx.connected_components(graph):
        ways = fillings(graph, tuple(sorted(group)))
        full = [way for way in ways if None not in way.values()]
        if not all(any(all(way[p] in (None, end[p]) for p in way) for end in full) for way in ways):
            found.append(", ".join(sorted(group)))
    return found


def _sagas(pack: Any) -> list[str]:
    graph, towns = sagas_of(pack), {("port", port.id) for port in pack.ports if port.town != "none"}
    bare = [saga.id for saga in pack.sagas if not graph[("saga", saga.id)]]
    return bare + [s.id for s in pack.sagas if s.type == "raid" and not towns & set(graph[("saga", s.id)])]


def _blocked(pack: Any) -> list[str]:
    """Towns that no roll can take, even with a good there: their regions cannot be settled."""
    return [port.id for port in pack.ports if port.town != "none" and port.value - 1 >= pack.die]


CLAIMS: tuple[MapClaim, ...] = (
    MapClaim("homelands", "The three Homelands are there", ("FA-COMP-01", "FA-COMP-09"), _homelands),
    MapClaim("water", "Each port and Homeland lies on water", ("FA-SAIL-05",), _beside_water),
    MapClaim("zones", "Each zone has water", ("FA-WEA-01",), _zones),
    MapClaim("one zone", "The water beside a place is of its zone", ("FA-WEA-02", "FA-WEA-03"), _one_zone),
    MapClaim("regions", "Regions are three ports, none of them large", ("FA-COMP-02", "FA-COMP-03"), _regions),
    MapClaim("towns", "There are twelve small towns and three large", ("FA-COMP-18",), _towns),
    MapClaim("connected", "All places hang together", ("FA-SAIL-01",), _connected),
    MapClaim("dial", "The zones lie around the dial, 7 in the South", ("FA-SETUP-04", "FA-RUNE-04"), _dial),
    MapClaim("goods", "A region can always be filled with goods", ("FA-TRADE-07",), _colours),
    MapClaim("sagas", "Sagas name ports, Raid Sagas one with a town", ("FA-SAGA-04",), _sagas),
    MapClaim("towns fall", "Each town can be taken", ("FA-RAID-04", "FA-SETTLE-08"), _blocked),
)
"""Claims about a complete pack (FA-G-01 to 17 of the design); each list of what speaks against one is empty if so."""


def _zone_parts(pack: Any) -> list[str]:
    graph = map_of(pack)
    waters = {zone: {w.id for w in pack.waters if w.zone == zone} for zone in ZONES}
    return [zone for zone, some in waters.items() if some and not nx.is_connected(graph.subgraph(some))]


def _open_sea(pack: Any) -> list[str]:
    parts = sorted(nx.connected_components(sea_of(map_of(pack))), key=len)
    return [place for part in parts[:-1] for place in sorted(part)]


def _cut_ports(pack: Any) -> list[str]:
    graph = map_of(pack)
    return sorted(cut_points(graph) & of_kind(graph, "port"))


def _far(pack: Any) -> list[str]:
    graph = map_of(pack)
    near = nx.multi_source_dijkstra_path_length(graph, {home.id for home in pack.homelands})
    return [port.id for port in pack.ports if near.get(port.id, DAYS + 1) > DAYS]


EXPECTED: tuple[MapClaim, ...] = (
    MapClaim("zone in one piece", "The water of each zone hangs together", ("FA-WEA-01",), _zone_parts),
    MapClaim("open sea", "Ships in ports cannot close the sea", ("FA-SAIL-07",), _open_sea),
    MapClaim("no port in the way", "No port is the only way to anywhere", ("FA-SAIL-07",), _cut_ports),
    MapClaim("within a turn", "Each port lies within seven Sails of a Homeland", ("FA-ACT-02",), _far),
)
"""What a real map surely has though the text does not say it; drawn maps need not."""


def against(pack: Any, claims: tuple[MapClaim, ...] = CLAIMS) -> Iterator[tuple[str, str]]:
    """Yield what speaks against a pack's map: the claim's id and the place, card or region."""
    for claim in claims:
        for what in claim.against(pack):
            yield claim.id, what

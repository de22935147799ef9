"""The map of a box of Fire & Axe as a graph: who lies beside whom, distances, what the weather lets a ship reach.

Plain searches without the model's tables, so that one can be compared with the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .pack import DialData, FireAxePack, HomeData, PortData, WaterData, Zone

WEEK = 7
"""Days of a turn (FA-ACT-02)."""


def beside(pack: FireAxePack) -> dict[str, tuple[str, ...]]:
    """Return the neighbours of each place by id, in the order of the pack."""
    places = places_of(pack)
    near: dict[str, list[str]] = {place: [] for place in places}
    for one, other in pack.edges:
        near[one].append(other)
        near[other].append(one)
    order = {place: n for n, place in enumerate(places)}
    return {place: tuple(sorted(ids, key=order.__getitem__)) for place, ids in near.items()}


def places_of(pack: FireAxePack) -> tuple[str, ...]:
    """Return the ids of Homelands, waters and ports."""
    return (*(h.id for h in pack.homelands), *(w.id for w in pack.waters), *(p.id for p in pack.ports))


def zones_of(pack: FireAxePack) -> dict[str, Zone]:
    """Return the zone that each place counts to."""
    places: tuple[HomeData | WaterData | PortData, ...] = (*pack.homelands, *pack.waters, *pack.ports)
    return {place.id: place.zone for place in places}


def distances(pack: FireAxePack, start: str) -> dict[str, int]:
    """Return the fewest Sails from a place to each place that can be reached."""
    near = beside(pack)
    found, edge = {start: 0}, [start]
    while edge:
        edge = [to for here in edge for to in near[here] if to not in found and found.setdefault(to, found[here] + 1)]
    return found


def parts(pack: FireAxePack, among: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Return the pieces into which some places fall if ships enter no others, in the order of the pack."""
    near, left, found = beside(pack), [place for place in places_of(pack) if place in among], []
    while left:
        piece, edge = {left[0]}, [left[0]]
        while edge:
            edge = list(dict.fromkeys(to for here in edge for to in near[here] if to in left and to not in piece))
            piece.update(edge)
        found.append(tuple(place for place in left if place in piece))
        left = [place for place in left if place not in piece]
    return tuple(found)


def clear_days(dial: DialData, blue: Zone) -> dict[Zone, int]:
    """Return the Clear Weather Days of each zone with the blue hole over one of them (FA-COMP-15, FA-WEA-04)."""
    at = dial.order.index(blue)
    return {zone: dial.numbers[zone][{0: 0, dial.red: 2}.get((n - at) % 4, 1)] for n, zone in enumerate(dial.order)}


def safe_reach(pack: FireAxePack, start: str, clear: Mapping[Zone, int], days: int = WEEK) -> dict[str, int]:
    """Return the places that can be reached in so many Days without a loss, and on which Sail at the earliest.

    Sail number *i* must not exceed the number of the zone entered (FA-WEA-05).
    """
    near, zone = beside(pack), zones_of(pack)
    found, here = {start: 0}, {start}
    for day in range(1, days + 1):
        here = {to for place in here for to in near[place] if clear[zone[to]] >= day}
        for place in here:
            found.setdefault(place, day)
    return found


def regions_of(pack: FireAxePack) -> dict[str, tuple[str, ...]]:
    """Return the ports of each region."""
    found: dict[str, tuple[str, ...]] = {}
    for port in pack.ports:
        if port.region is not None:
            found[port.region] = (*found.get(port.region, ()), port.id)
    return found

"""What in a well-formed box of Fire & Axe does not fit the rulebook.

A cut of a box need only not contradict the text in what it has; a complete one must have all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lawspeaker.model.core.packs import Complaint

from .maps import beside, distances, places_of, regions_of, zones_of
from .pack import ZONES, FireAxePack, HomeData, PortData

_BORDER = ("Faeroes", "Shetland")


def audit(pack: FireAxePack) -> tuple[Complaint, ...]:
    """Return what in a well-formed pack does not fit the rulebook."""
    return tuple(_complaints(pack))


def _complaints(pack: FireAxePack) -> Iterator[Complaint]:
    yield from _map(pack)
    yield from _zones(pack)
    yield from _values(pack)
    yield from _regions(pack)
    if pack.complete:
        yield from _counts(pack)
        yield from _names(pack)


def _on_water(pack: FireAxePack) -> tuple[HomeData | PortData, ...]:
    return (*pack.homelands, *pack.ports)


def _map(pack: FireAxePack) -> Iterator[Complaint]:
    """Ports and Homelands lie on water, and all places hang together (FA-SAIL-01, FA-SAIL-05)."""
    near, waters = beside(pack), {water.id for water in pack.waters}
    for place in _on_water(pack):
        if not waters & set(near[place.id]):
            yield Complaint("FA-SAIL-05", place.id, "lies beside no water space", "ships come and go by water")
    reached = distances(pack, pack.homelands[0].id)
    for one in places_of(pack):
        if one not in reached:
            yield Complaint("FA-SAIL-01", one, f"cannot be reached from {pack.homelands[0].id}", "the sea is one")


def _zones(pack: FireAxePack) -> Iterator[Complaint]:
    """A port or Homeland has the zone of the water beside it; two ports are told to count as West."""
    near, zone, waters = beside(pack), zones_of(pack), {water.id for water in pack.waters}
    for place in _on_water(pack):
        around = {zone[other] for other in near[place.id] if other in waters}
        if place.id in _BORDER:
            if zone[place.id] != "West" or around != {"North", "West"}:
                yield Complaint("FA-WEA-03", place.id, f"{zone[place.id]}, beside {', '.join(sorted(around))}",
                                "borders North and West and counts as West")  # fmt: skip
        elif around and around != {zone[place.id]}:
            yield Complaint("FA-WEA-02", place.id, f"{zone[place.id]}, beside {', '.join(sorted(around))}",
                            "the one zone of its water")  # fmt: skip
    if pack.dial.start != "South":
        yield Complaint("FA-SETUP-04", "dial", f"starts over {pack.dial.start}", "the blue hole starts over South")
    if pack.dial.numbers["South"][0] != 7:
        yield Complaint("FA-SETUP-04", "dial", f"South's best is {pack.dial.numbers['South'][0]}", "7")


def _values(pack: FireAxePack) -> Iterator[Complaint]:
    """No town stands for ever (its port would block its region), and a die can exceed each port's value."""
    for port in pack.ports:
        if port.value > pack.die:
            what = f"value {port.value}, no roll of a die with {pack.die} faces exceeds it even with a good there"
            yield Complaint("FA-RAID-04", port.id, what, f"{pack.die - 1} at most; {pack.die} works after a trade")


def _counts(pack: FireAxePack) -> Iterator[Complaint]:
    towns = Counter(port.town for port in pack.ports)
    eras = Counter(saga.era for saga in pack.sagas)
    conflicts = sum(rune.conflict for rune in pack.runes)
    for clause, name, number, right in (
        ("FA-COMP-01", "homelands", len(pack.homelands), (3,)),
        ("FA-COMP-18", "small towns", towns["small"], (12,)),
        ("FA-COMP-18", "large towns", towns["large"], (3,)),
        ("FA-COMP-07", "sagas", len(pack.sagas), (27,)),
        ("FA-SETUP-13", "conflict runes", conflicts, (9, 0)),
        ("FA-COMP-05", "runes without the conflict symbol", len(pack.runes) - conflicts, (24,)),
    ):
        if number not in right:
            yield Complaint(clause, name, f"{number} {name}", " or ".join(map(str, right)) + " in all")
    for era in (1, 2, 3):
        if eras[era] != 9:
            yield Complaint("FA-SETUP-06", f"Era {era}", f"{eras[era]} Sagas", "nine, so that six stay")


def _names(pack: FireAxePack) -> Iterator[Complaint]:
    homes, ports = {home.id for home in pack.homelands}, {port.id for port in pack.ports}
    for name in ("Norway", "Sweden", "Denmark"):
        if name not in homes:
            yield Complaint("FA-COMP-09", "homelands", f"no {name}", "the text names it")
    for name in _BORDER:
        if name not in ports:
            yield Complaint("FA-WEA-03", "ports", f"no {name}", "the text names it")
    zones = {water.zone for water in pack.waters}
    for zone in ZONES:
        if zone not in zones:
            yield Complaint("FA-WEA-01", "waters", f"none in the {zone}", "there are four zones")
    for home in homes - {saga.homeland for saga in pack.sagas}:
        yield Complaint("FA-COMP-09", home, "no Saga", "Sagas of each Homeland are compared at the end")


def _regions(pack: FireAxePack) -> Iterator[Complaint]:
    """A region has three ports (FA-COMP-02); a cut may leave some out, but has no more."""
    for region, ports in regions_of(pack).items():
        if len(ports) > 3 or (pack.complete and len(ports) < 3):
            yield Complaint("FA-COMP-02", region, f"{len(ports)} ports", "a region has exactly three")

"""What follows from the map and cards of a box: how far ports lie, what the weather lets a ship reach, what pays."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from lawspeaker.model.core.packs import Note

from .maps import WEEK, clear_days, distances, parts, regions_of, safe_reach
from .pack import GOODS_EACH, FireAxePack

_PORTS_SHOWN = 8


def notes(pack: FireAxePack) -> tuple[Note, ...]:
    """Return distances, pieces, weather, values, goods, and the most that bonuses can pay."""
    return (
        *_distances(pack), *_pieces(pack), *_weather(pack), *_values(pack), *_goods(pack), *_bounds(pack),
    )  # fmt: skip


def _distances(pack: FireAxePack) -> Iterator[Note]:
    nearest: dict[str, int] = {}
    for home in pack.homelands:
        for place, sails in distances(pack, home.id).items():
            nearest[place] = min(sails, nearest.get(place, sails))
    ports = {port.id: nearest.get(port.id, WEEK + 1) for port in pack.ports}
    most = max(ports.values())
    table = ", ".join(f"{sum(n == sails for n in ports.values())} at {sails}" for sails in sorted(set(ports.values())))
    yield Note("ports by Sails from the nearest Homeland", str(most), f"{table}; a turn has {WEEK} Days")
    late = [name for name, sails in ports.items() if sails > WEEK]
    if late:
        yield Note("ports out of reach in one turn", str(len(late)), ", ".join(late[:_PORTS_SHOWN]))


def _pieces(pack: FireAxePack) -> Iterator[Note]:
    """Say whether ships that stay in ports can close the sea (FA-SAIL-07), and which zones lie in several pieces."""
    sea = parts(pack, {*(home.id for home in pack.homelands), *(water.id for water in pack.waters)})
    if len(sea) > 1:
        said = "; ".join(", ".join(piece) for piece in sea)
        yield Note("pieces of the sea if ports are closed", str(len(sea)), said)
    for zone in pack.dial.order:
        pieces = parts(pack, {water.id for water in pack.waters if water.zone == zone})
        if len(pieces) > 1:
            said = "; ".join(", ".join(piece) for piece in pieces)
            yield Note(f"pieces of the zone {zone}", str(len(pieces)), said)


def _weather(pack: FireAxePack) -> Iterator[Note]:
    """Say for each place of the dial how many ports a ship can reach from a Homeland without a loss."""
    ports = {port.id for port in pack.ports}
    for blue in pack.dial.order:
        clear = clear_days(pack.dial, blue)
        reach = {home.id: len(ports & set(safe_reach(pack, home.id, clear))) for home in pack.homelands}
        said = ", ".join(f"{count} from {home}" for home, count in reach.items())
        days = ", ".join(f"{zone} {count}" for zone, count in clear.items())
        verdict = f"{max(reach.values())} of {len(ports)}"
        yield Note(f"ports reached without losses, best weather in the {blue}", verdict, f"{said}; {days}")


def _values(pack: FireAxePack) -> Iterator[Note]:
    after = [port.id for port in pack.ports if port.value == pack.die]
    if after:
        yield Note("ports that dice exceed only after a trade", str(len(after)), ", ".join(after))
    sure = [port.id for port in pack.ports if port.value <= 1]
    if sure:
        yield Note("ports that every roll exceeds once a good is there", str(len(sure)), ", ".join(sure))
    shut = [port.id for port in pack.ports if port.value > pack.die and port.town != "none"]
    if shut:
        yield Note("towns that stand for ever", str(len(shut)), ", ".join(shut))


def _goods(pack: FireAxePack) -> Iterator[Note]:
    """A good can be used up while a region still lacks it if regions but one and independent ports take all."""
    regions = len(regions_of(pack))
    alone = sum(port.region is None for port in pack.ports)
    taken = max(0, regions - 1) + alone
    can = taken >= GOODS_EACH - 1 and regions > 0
    said = f"{regions} regions and {alone} other ports; {taken} can hold one good, {GOODS_EACH} of each exist"
    yield Note("a good used up for a port that needs it", "possible" if can else "never", said)


def _bounds(pack: FireAxePack) -> Iterator[Note]:
    towns = sum(port.town != "none" for port in pack.ports)
    kept = sum(min(6, sum(saga.era == era for saga in pack.sagas)) for era in (1, 2, 3))
    groups = regions_of(pack)
    values = {port.id: port.value for port in pack.ports}
    tripled = sum(len(ports) * sum(values[port] for port in ports) for ports in groups.values())
    alone = sum(port.value for port in pack.ports if port.region is None)
    yield Note("most for the Bloodied Axe", str(3 * towns), f"one player takes all {towns} towns")
    yield Note("most for Settlements", str(tripled + alone), f"{tripled} in regions, {alone} in other ports")
    yield Note("most for Saga sets", str(10 * kept), f"{kept} Sagas in play")
    ports = {port.id for port in pack.ports}
    close = any(ports >= set(edge) for edge in pack.edges)
    most, why = (WEEK + 1, "as some lie side by side") if close else (WEEK // 2 + 1, "as none lie side by side")
    said = f"a turn without runes serves {most} at most, {why}, so it takes {ceil(len(ports) / most)} turns or more"
    yield Note("ports", str(len(ports)), said)

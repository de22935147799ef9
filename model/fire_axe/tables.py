"""What a game of Fire & Axe looks up: the pack by number, under rulings and a law, and all actions ready made.

Places are numbers: 0 the Wintering Zone, then Homelands, waters and ports in pack order; ports have numbers of
their own from 0, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial

from lawspeaker.model.core.law import Law
from lawspeaker.model.core.rulings import Rulings

from . import actions as act
from .pack import (
    GOODS,
    DrawRunes,
    DropRune,
    FireAxePack,
    GainGood,
    KillCrew,
    RobGood,
    RuneData,
    SetDemand,
    Where,
)
from .position import WINTERING, Ints

WINTERING_ZONE = "Wintering Zone"
TARGETED = (RobGood, KillCrew, DropRune)
CHANCY = (DrawRunes, DropRune)


class Tables:
    """A pack made ready for play; sets of ports, Sagas and runes are bits."""

    def __init__(self, pack: FireAxePack, rulings: Rulings, law: Law, players: int) -> None:
        self.pack, self.players = pack, players
        homes, waters, ports = len(pack.homelands), len(pack.waters), len(pack.ports)
        self.first_water, self.first_port = 1 + homes, 1 + homes + waters
        self.homes = tuple(range(1, 1 + homes))
        self.port_count, self.all_ports = ports, (1 << ports) - 1
        ids = (*(h.id for h in pack.homelands), *(w.id for w in pack.waters), *(p.id for p in pack.ports))
        self.names = act.names_of(
            (WINTERING_ZONE, *ids), tuple(s.id for s in pack.sagas), tuple(r.id for r in pack.runes)
        )
        self.zones: tuple[str, ...] = pack.dial.order
        self._read_map(pack, rulings, law)
        self._read_ports(pack)
        self._read_sagas(pack)
        self._read_runes(pack)
        self._make_actions(pack)

    def _read_map(self, pack: FireAxePack, rulings: Rulings, law: Law) -> None:
        place, size = self.names.place, len(self.names.places)
        edges = {frozenset((place[one], place[other])) for one, other in pack.edges}
        ruling, first = rulings["R_PORT_EDGES"], self.first_port

        def reaches(here: int, there: int) -> bool:
            both_ports = here >= first and there >= first
            return here != there and law.reaches(frozenset((here, there)) in edges, both_ports, ruling)

        on_map = range(1, size)
        self.neighbours = ((), *(tuple(to for to in on_map if reaches(here, to)) for here in on_map))
        zone_of = {z: n for n, z in enumerate(self.zones)}
        zones = (*(h.zone for h in pack.homelands), *(w.zone for w in pack.waters), *(p.zone for p in pack.ports))
        self.zone = (-1, *(zone_of[zone] for zone in zones))
        self.clear = tuple(
            tuple(
                law.clear_days(*pack.dial.numbers[z], (n - dial) % len(self.zones), pack.dial.red)  # type: ignore[index]
                for n, z in enumerate(self.zones)
            )
            for dial in range(len(self.zones))
        )
        """Clear Weather Days by where the blue hole is, then by zone."""

    def _read_ports(self, pack: FireAxePack) -> None:
        ports = len(pack.ports)
        self.value = tuple(port.value for port in pack.ports)
        regions: dict[str, int] = {}
        for n, port in enumerate(pack.ports):
            if port.region is not None:
                regions[port.region] = regions.get(port.region, 0) | 1 << n
        self.regions = tuple(regions.values())
        self.region = tuple(regions[p.region] if p.region is not None else 0 for p in pack.ports)
        """By port: all ports of its region, 0 for an independent one."""
        self.region_others = tuple(
            tuple(other for other in range(ports) if self.region[port] >> other & 1 and other != port)
            for port in range(ports)
        )
        """By port: the other ports of its region."""
        self.independent = sum(1 << n for n, mask in enumerate(self.region) if not mask)
        self.towns = sum(1 << n for n, port in enumerate(pack.ports) if port.town != "none")
        self.large = sum(1 << n for n, port in enumerate(pack.ports) if port.town == "large")

    def _read_sagas(self, pack: FireAxePack) -> None:
        port = {p.id: n for n, p in enumerate(pack.ports)}
        self.saga_ports = tuple(sum(1 << port[name] for name in saga.ports) for saga in pack.sagas)
        self.saga_task = tuple(saga.type for saga in pack.sagas)
        self.saga_vp = tuple(saga.vp for saga in pack.sagas)
        self.saga_era = tuple(saga.era for saga in pack.sagas)
        self.all_sagas = (1 << len(pack.sagas)) - 1
        self.era_sagas = tuple(sum(1 << n for n, saga in enumerate(pack.sagas) if saga.era == era) for era in (1, 2, 3))
        self.home_sagas = tuple(
            sum(1 << n for n, saga in enumerate(pack.sagas) if saga.homeland == home.id) for home in pack.homelands
        )

    def _read_runes(self, pack: FireAxePack) -> None:
        self.runes = pack.runes
        self.all_runes = (1 << len(pack.runes)) - 1
        self.hits = tuple(any(isinstance(effect, TARGETED) for effect in rune.effects) for rune in pack.runes)
        """By rune: whether it asks for another player."""
        self.asks = tuple(_asks_good(rune) for rune in pack.runes)
        """By rune: whether the player names a good."""

    def _make_actions(self, pack: FireAxePack) -> None:
        places, runes = range(len(self.names.places)), range(len(pack.runes))
        self.sails = tuple(act.Sail(place) for place in places)
        self.leaves = tuple(act.Leave(place) for place in places)
        self.loads = tuple(act.Load(item) for item in (-1, *range(len(GOODS))))
        self.losses = tuple(act.Lose(item) for item in (-1, *range(len(GOODS))))
        self.unloads = tuple(act.Unload(good) for good in range(len(GOODS)))
        self.trades = tuple(act.Trade(good) for good in range(len(GOODS)))
        self.settles = tuple(act.Settle(dice) for dice in range(1, 8))
        self.deals = tuple(act.Deal(rune) for rune in runes)
        self.drops = tuple(act.Drop(rune) for rune in runes)
        self.flips = tuple(act.Flip(saga) for saga in range(len(pack.sagas)))
        self.collects = tuple(act.Collect(saga) for saga in range(len(pack.sagas)))
        self.dies = tuple(act.Die(pips) for pips in range(1, pack.die + 1))
        self._dice = {count: _throws(pack.die, count) for count in (1, 2, 3)}

    def dice(self, count: int) -> tuple[tuple[act.Action, ...], tuple[Fraction, ...]]:
        """Return the ways in which so many dice can fall, ascending, and their probabilities."""
        if count not in self._dice:
            self._dice[count] = _throws(self.pack.die, count)
        return self._dice[count]

    def is_port(self, place: int) -> bool:
        """Say whether a place is a port."""
        return place >= self.first_port

    def is_home(self, place: int) -> bool:
        """Say whether a place is a Homeland."""
        return WINTERING < place < self.first_water

    def fits(self, where: Where, place: int) -> bool:
        """Say whether a ship at a place is where a rune's text wants it."""
        if where == "sea":
            return self.first_water <= place < self.first_port
        return where == "any" or (place >= self.first_port if where == "port" else place == WINTERING)


def _asks_good(rune: RuneData) -> bool:
    return any(
        isinstance(effect, RobGood) or (isinstance(effect, (SetDemand, GainGood)) and effect.good is None)
        for effect in rune.effects
    )


def _throws(faces: int, count: int) -> tuple[tuple[act.Action, ...], tuple[Fraction, ...]]:
    """Return the ascending throws of so many dice, and how likely each is."""
    throws = tuple(combinations_with_replacement(range(1, faces + 1), count))
    ways = (factorial(count) // _product(map(factorial, Counter(throw).values())) for throw in throws)
    return tuple(act.Dice(throw) for throw in throws), tuple(Fraction(n, faces**count) for n in ways)


def _product(numbers: Iterable[int]) -> int:
    result = 1
    for number in numbers:
        result *= number
    return result


def amounts(count: int, value: int = 0) -> Ints:
    """Return so many equal amounts."""
    return (value,) * count

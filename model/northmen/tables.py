"""What follows from pack, rulings, law and number of players, worked out once for a game."""

from __future__ import annotations

from lawspeaker.model.core.law import Law
from lawspeaker.model.core.rulings import Rulings

from . import actions as act
from .maps import Reach, mask
from .pack import BULGARIA, NorthmenPack, sea_regions
from .position import Ints

Room = tuple[int, int, int]
"""Armies, Fleets, and both together that a march has left."""


class Tables:
    """The pack by numbers: what each card does, where each Kingdom's pieces get, and ready-made actions."""

    def __init__(self, pack: NorthmenPack, rulings: Rulings, law: Law, players: int) -> None:
        self.pack, self.players = pack, players
        self.kingdoms = tuple(kingdom.id for kingdom in pack.kingdoms)
        self.regions = tuple(region.id for region in pack.regions)
        places = self.kingdoms + self.regions
        self.names = act.names_of(tuple(c.id for c in pack.cards), tuple(r.id for r in pack.routes), places)
        self.k, self.r = len(self.kingdoms), len(self.regions)
        self.reach = self._reach(pack, rulings, law)
        self._read_cards(pack, rulings, law)
        number = self.names.place
        self.route_kingdom = tuple(number[route.kingdom] for route in pack.routes)
        self.route_region = tuple(number[route.region] - self.k for route in pack.routes)
        self.route_value = tuple(route.value for route in pack.routes)
        self.all_cards = (1 << len(pack.cards)) - 1
        self.all_routes = (1 << len(pack.routes)) - 1
        self._make_actions()
        self._marches: dict[tuple[int, ...], tuple[act.Send, ...]] = {}

    def _reach(self, pack: NorthmenPack, rulings: Rulings, law: Law) -> Reach:
        numbers = {region: n for n, region in enumerate(self.regions)}
        bulgaria = "kingdom" if rulings["R_BULGARIA"] == "kingdom" else "region"
        kinds = {name: bulgaria if name == BULGARIA else "region" for name in numbers}
        open_ = mask(n for name, n in numbers.items() if law.march_target(kinds[name]))
        sea = mask(sea_regions(pack, rulings["R_LANDLOCK"]))
        everywhere = (1 << self.r) - 1
        fleets = law.fleet_targets(sea, everywhere) & open_
        armies = tuple(
            law.army_targets(mask(numbers[name] for name in kingdom.borders), everywhere) & open_
            for kingdom in pack.kingdoms
        )
        heroes = tuple(law.hero_targets(land, fleets) for land in armies)
        return Reach(armies, (fleets,) * self.k, heroes, open_)

    def _read_cards(self, pack: NorthmenPack, rulings: Rulings, law: Law) -> None:
        place = self.names.place
        self.suit = tuple(place[card.kingdom] for card in pack.cards)
        self.value = tuple(card.soldiers + card.ships for card in pack.cards)
        self.names_region = tuple(
            card.region is not None and not (card.region == BULGARIA and rulings["R_BULGARIA"] == "kingdom")
            for card in pack.cards
        )
        self.token = tuple(
            place[card.region] - self.k
            if card.region is not None and law.token_placed(named, card.mark, self.players, rulings["R_MARK"])
            else -1
            for card, named in zip(pack.cards, self.names_region, strict=True)
        )
        suits = [mask(n for n, card in enumerate(pack.cards) if place[card.kingdom] == k) for k in range(self.k)]
        self.suit_cards = tuple(suits)
        levels = (1, 2, 3)
        self._soldiers = [mask(n for n, card in enumerate(pack.cards) if card.soldiers >= level) for level in levels]
        self._ships = [mask(n for n, card in enumerate(pack.cards) if card.ships >= level) for level in levels]
        self.token_cards = mask(n for n, region in enumerate(self.token) if region >= 0)

    def _make_actions(self) -> None:
        cards, routes = range(len(self.names.cards)), range(len(self.names.routes))
        self.deals = tuple(act.Deal(n) for n in cards)
        self.turns = tuple(act.Turn(n) for n in cards)
        self.plays = tuple(act.Play(n) for n in cards)
        self.takes = tuple(act.Take(n) for n in cards)
        self.holds = tuple(act.Hold(n) for n in cards)
        self.routes = tuple(act.Route(n) for n in routes)
        self.completes = tuple(act.Complete(n) for n in routes)
        self.withholds = tuple(act.Withhold(n) for n in routes)
        self.keeps = tuple(act.Keep(n) for n in routes)

    def symbols(self, pile: int, kingdom: int) -> tuple[int, int]:
        """Return soldiers and ships on the cards of a pile that belong to a Kingdom's suit."""
        cards = pile & self.suit_cards[kingdom]
        one, two, three = self._soldiers
        soldiers = (cards & one).bit_count() + (cards & two).bit_count() + (cards & three).bit_count()
        one, two, three = self._ships
        return soldiers, (cards & one).bit_count() + (cards & two).bit_count() + (cards & three).bit_count()

    # -- how a march goes on ----------------------------------------------------------------------

    def sends(
        self, kingdom: int, region: int, cubes: int, heroes: int, room: Room, must: tuple[bool, bool]
    ) -> tuple[act.Send, ...]:
        """Return what may be sent to a region so that the rest can still be completed (SN-DELAY-03 to 05).

        *cubes* and *heroes* are what the Kingdom still has, *room* the symbols still free for Armies, Fleets and
        both together, *must* whether all cubes, all Heroes have to leave.
        """
        key = (kingdom, region, cubes, heroes, *room, *must)
        found = self._marches.get(key)
        if found is None:
            found = self._marches[key] = self._find_sends(kingdom, region, cubes, heroes, room, must)
        return found

    def _find_sends(
        self, kingdom: int, region: int, cubes: int, heroes: int, room: Room, must: tuple[bool, bool]
    ) -> tuple[act.Send, ...]:
        bit, later = 1 << region, -1 << (region + 1)
        most = self.most_cubes(kingdom, region, room)
        most_heroes = heroes if self.reach.heroes[kingdom] & bit else 0
        rest = self.reach.heroes[kingdom] & later
        found = []
        for sent in range(min(cubes, most) + 1):
            left = self.room_after(kingdom, region, sent, room)
            if must[0] and cubes - sent > self.capacity(kingdom, later, left):
                continue
            found += [
                act.Send(self.k + region, sent, led)
                for led in range(most_heroes + 1)
                if not must[1] or led == heroes or rest
            ]
        return tuple(found)

    def most_cubes(self, kingdom: int, region: int, room: Room) -> int:
        """Return how many cubes can go to a region with the symbols still free (SN-MOVE-09, 11)."""
        bit, (armies, fleets, both) = 1 << region, room
        by_land, by_sea = self.reach.armies[kingdom] & bit, self.reach.fleets[kingdom] & bit
        if by_land and by_sea:
            return both
        return min(both, armies) if by_land else min(both, fleets) if by_sea else 0

    def room_after(self, kingdom: int, region: int, sent: int, room: Room) -> Room:
        """Return the symbols free after sending cubes to a region."""
        bit, (armies, fleets, both) = 1 << region, room
        by_land, by_sea = self.reach.armies[kingdom] & bit, self.reach.fleets[kingdom] & bit
        if by_land and not by_sea:
            armies -= sent
        elif by_sea and not by_land:
            fleets -= sent
        return armies, fleets, both - sent

    def capacity(self, kingdom: int, regions: int, room: Room) -> int:
        """Return how many cubes can still go to some of these regions (bits)."""
        armies, fleets, both = room
        land, sea = self.reach.armies[kingdom] & regions, self.reach.fleets[kingdom] & regions
        if land & sea:
            return both
        return min(both, (armies if land else 0) + (fleets if sea else 0))


def amounts(count: int, value: int = 0) -> Ints:
    """Return the same amount for each of a number of seats, places or Kingdoms."""
    return (value,) * count

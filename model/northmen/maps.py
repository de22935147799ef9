"""Where the pieces of each Kingdom can go: the map of a pack under R_LANDLOCK and R_BULGARIA.

Sets of regions are bitmasks: bit *n* is region *n* in map order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from .pack import BULGARIA, NorthmenPack, sea_regions


class Reach(msgspec.Struct, frozen=True):
    """Which regions pieces reach, by number of the Kingdom they leave."""

    armies: tuple[int, ...]
    """Regions beside the Kingdom by land (SN-MOVE-09, SN-MOVE-10)."""
    fleets: tuple[int, ...]
    """Regions on the sea, the same from every Kingdom (SN-MOVE-11, SN-MOVE-13)."""
    heroes: tuple[int, ...]
    """Regions that either reaches (SN-MOVE-12)."""
    neutral: int
    """Regions to which pieces may go at all: without Bulgaria where that is a Kingdom (SN-DELAY-05)."""

    def armies_only(self, kingdom: int) -> int:
        """Return the regions that Armies of the Kingdom reach but Fleets do not."""
        return self.armies[kingdom] & ~self.fleets[kingdom]

    def fleets_only(self, kingdom: int) -> int:
        """Return the regions that Fleets of the Kingdom reach but Armies do not."""
        return self.fleets[kingdom] & ~self.armies[kingdom]


def reach_of(pack: NorthmenPack, landlock: str, bulgaria: str) -> Reach:
    """Return the reach of every Kingdom; the texts are values of R_LANDLOCK and R_BULGARIA."""
    numbers = {region.id: n for n, region in enumerate(pack.regions)}
    neutral = mask(n for name, n in numbers.items() if bulgaria != "kingdom" or name != BULGARIA)
    sea = mask(sea_regions(pack, landlock)) & neutral
    armies = tuple(mask(numbers[name] for name in kingdom.borders) & neutral for kingdom in pack.kingdoms)
    return Reach(armies, (sea,) * len(armies), tuple(land | sea for land in armies), neutral)


def mask(numbers: Iterable[int]) -> int:
    """Return the set of these numbers as a bitmask."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def march_possible(
    reach: Reach, kingdom: int, soldiers: int, ships: int, cubes: Sequence[int], heroes: Sequence[int]
) -> bool:
    """Say whether a Kingdom's pieces can go as assigned: so many cubes and Heroes to each region.

    Every cube needs a soldier or a ship of its own (SN-MOVE-09, SN-MOVE-11), a Hero needs neither
    (SN-MOVE-12).  With two kinds of symbols it is enough that no kind is short for the regions which only
    that kind reaches, and that both together suffice (Hall's condition).
    """
    land = sea = total = 0
    for region, (cube, hero) in enumerate(zip(cubes, heroes, strict=True)):
        bit = 1 << region
        if (cube or hero) and not reach.heroes[kingdom] & bit:
            return False
        land += cube if reach.armies_only(kingdom) & bit else 0
        sea += cube if reach.fleets_only(kingdom) & bit else 0
        total += cube
    return land <= soldiers and sea <= ships and total <= soldiers + ships


def stuck_kingdoms(pack: NorthmenPack, reach: Reach) -> tuple[str, ...]:
    """Return the Kingdoms from which some cubes could not leave (SN-DELAY-03, R_STUCK).

    Those are the ones with a soldier in the suit and no region beside them, or a ship and no region on
    the sea: that one card played alone puts a cube there that can go nowhere.
    """
    armed = {card.kingdom for card in pack.cards if card.soldiers}
    sailing = {card.kingdom for card in pack.cards if card.ships}
    return tuple(
        kingdom.id
        for n, kingdom in enumerate(pack.kingdoms)
        if (kingdom.id in armed and not reach.armies[n]) or (kingdom.id in sailing and not reach.fleets[n])
    )

"""The ground of land taking: where fields can stand and what is adjacent, as bit sets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

import msgspec

from lawspeaker.model.core.hexgrid import STEPS
from lawspeaker.model.core.law import Law

from .actions import SEGMENTS_PER_CELL, Field, segment_key
from .pack import FARMLAND, Tile, facing_slot, turned, turned_parts

Board = Iterable[tuple[int, int, int]]


class Ground(msgspec.Struct, frozen=True, gc=False):
    """Places for fields, each known by its (least) segment key; bit n stands for ``keys[n]``.

    ``near[n]`` are the places adjacent to place n; ``closes[n]`` the places that can take no piece
    once n has one; ``homes`` maps any segment's key to its place (sorted pairs).
    """

    keys: tuple[int, ...]
    near: tuple[int, ...]
    closes: tuple[int, ...]
    homes: tuple[tuple[int, int], ...]
    actions: tuple[Field, ...]

    def place(self, key: int) -> int:
        """Return the number of the place a segment belongs to, or -1 if there is no such segment."""
        at = bisect_left(self.homes, (key, -1))
        if at < len(self.homes) and self.homes[at][0] == key:
            return self.homes[at][1]
        return -1

    def numbered(self, key: int) -> int:
        """Return the number of the place that is called *key*, or -1."""
        at = bisect_left(self.keys, key)
        return at if at < len(self.keys) and self.keys[at] == key else -1


NO_GROUND = Ground((), (), (), (), ())


def segments_on(board: Board, tiles: tuple[Tile, ...], slots: int) -> dict[int, tuple[int, ...]]:
    """Return every farmland segment of the region: its key and the slots of its cell it reaches."""
    found: dict[int, tuple[int, ...]] = {}
    for place, tile, turn in board:
        for n, reach in enumerate(turned_parts(tiles[tile].segments, turn, slots)):
            found[segment_key(place, n)] = reach
    return found


def contacts_of(
    board: Board, segments: dict[int, tuple[int, ...]], tiles: tuple[Tile, ...], slots: int, law: Law
) -> dict[int, set[int]]:
    """Return which segments are adjacent: farmland meets across a side (FD-FIELD-03, FD-FIELD-04)."""
    shown = {place: turned(tiles[tile], turn, slots) for place, tile, turn in board}
    owner = {(key // SEGMENTS_PER_CELL, slot): key for key, reach in segments.items() for slot in reach}
    on_cell: dict[int, list[int]] = {}
    for key in segments:
        on_cell.setdefault(key // SEGMENTS_PER_CELL, []).append(key)
    found: dict[int, set[int]] = {key: set() for key in segments}
    for place, border in shown.items():
        for slot, terrain in enumerate(border):
            side, beyond_slot = facing_slot(slot, slots)
            beyond = place + STEPS[side]
            if beyond not in shown or not law.farmland_meets(terrain, shown[beyond][beyond_slot]):
                continue
            for key in _touching(owner, on_cell, place, slot):
                found[key].update(_touching(owner, on_cell, beyond, beyond_slot))
    return found


def _touching(
    owner: dict[tuple[int, int], int], on_cell: dict[int, list[int]], place: int, slot: int
) -> list[int]:
    key = owner.get((place, slot))
    return [key] if key is not None else on_cell.get(place, [])


def areas_of(contacts: dict[int, set[int]]) -> dict[int, int]:
    """Return for each segment the least key of the farmland area it belongs to."""
    area: dict[int, int] = {}
    for first in sorted(contacts):
        if first in area:
            continue
        todo = [first]
        area[first] = first
        while todo:
            for key in contacts[todo.pop()]:
                if key not in area:
                    area[key] = first
                    todo.append(key)
    return area


def ground_of(
    board: tuple[tuple[int, int, int], ...], tiles: tuple[Tile, ...], slots: int, law: Law,
    segment: str = "per_tile", multi: str = "segment",
) -> Ground:  # fmt: skip
    """Return the ground of a region under R_SEGMENT (*segment*) and R_MULTI (*multi*)."""
    segments = segments_on(board, tiles, slots)
    contacts = contacts_of(board, segments, tiles, slots, law)
    if segment == "area":
        homes = areas_of(contacts)
        contacts = _neighbouring_areas(segments, homes)
    else:
        homes = {key: key for key in segments}
    keys = tuple(sorted(set(homes.values())))
    number = {key: n for n, key in enumerate(keys)}
    cells_of: dict[int, set[int]] = {key: set() for key in keys}
    for key, home in homes.items():
        cells_of[home].add(key // SEGMENTS_PER_CELL)
    closes = []
    for key in keys:
        mates = [k for k in keys if cells_of[k] & cells_of[key]] if multi == "tile" else [key]
        closes.append(sum(1 << number[k] for k in mates))
    return Ground(
        keys,
        tuple(sum(1 << number[k] for k in sorted(contacts[key]) if k != key) for key in keys),
        tuple(closes),
        tuple(sorted((key, number[home]) for key, home in homes.items())),
        tuple(Field(key) for key in keys),
    )


def _neighbouring_areas(segments: dict[int, tuple[int, ...]], area: dict[int, int]) -> dict[int, set[int]]:
    """Areas are adjacent (R_SEGMENT=area) when they lie on one tile or on tiles that share a side."""
    on_cell: dict[int, set[int]] = {}
    for key in segments:
        on_cell.setdefault(key // SEGMENTS_PER_CELL, set()).add(area[key])
    found: dict[int, set[int]] = {key: set() for key in set(area.values())}
    for place, here in on_cell.items():
        around = here.union(*(on_cell.get(place + step, set()) for step in STEPS))
        for one in here:
            found[one] |= around - {one}
    return found


def contested_of(ground: Ground, fields: tuple[int, int], farms: tuple[int, int], taken: int) -> int:
    """Return the empty places that both seats can reach through empty places, as bits (FD-FIELD-06)."""
    both = ~taken
    reach = []
    for seat in (0, 1):
        found, edge = 0, fields[seat] | farms[seat]
        while edge:
            grown = 0
            while edge:
                low = edge & -edge
                grown |= ground.near[low.bit_length() - 1]
                edge ^= low
            edge = grown & both & ~found
            found |= edge
        reach.append(found)
    return reach[0] & reach[1]

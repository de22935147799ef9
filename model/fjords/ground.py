"""The ground of land taking: where fields can stand and what is adjacent, as bit sets."""

from __future__ import annotations

from bisect import bisect_left

import msgspec

from lawspeaker.model.core.hexgrid import STEPS

from .actions import SEGMENTS_PER_CELL, Field, segment_key
from .tables import Tables

Board = tuple[tuple[int, int, int], ...]


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


def contacts_of(board: Board, tables: Tables) -> dict[int, set[int]]:
    """Return every farmland segment with those adjacent to it: farmland meets across a side.

    FD-FIELD-03 and FD-FIELD-04; a law that lets other terrain meet joins all segments of both tiles.
    """
    laid = {place: (tables.shown[t][turn], tables.owners[t][turn]) for place, t, turn in board}
    counts = {place: len(tables.tiles[t].segments) for place, t, _ in board}
    found: dict[int, set[int]] = {segment_key(place, n): set() for place, count in counts.items() for n in range(count)}
    meets, faces, half = tables.meets, tables.faces, 3 * tables.slots
    for place, (border, owner) in laid.items():
        for slot in range(half):
            side, beyond_slot = faces[slot]
            beyond = place + STEPS[side]
            other = laid.get(beyond)
            if other is None or not meets[border[slot]][other[0][beyond_slot]]:
                continue
            theirs = _keys(beyond, other[1][beyond_slot], counts[beyond])
            for key in _keys(place, owner[slot], counts[place]):
                found[key].update(theirs)
                for their in theirs:
                    found[their].add(key)
    return found


def _keys(place: int, number: int, count: int) -> list[int]:
    return [segment_key(place, n) for n in ([number] if number >= 0 else range(count))]


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


def ground_of(board: Board, tables: Tables, segment: str = "per_tile", multi: str = "segment") -> Ground:
    """Return the ground of a region under R_SEGMENT (*segment*) and R_MULTI (*multi*)."""
    contacts = contacts_of(board, tables)
    if segment == "area":
        homes = areas_of(contacts)
        contacts = _neighbouring_areas(homes)
    else:
        homes = {key: key for key in contacts}
    keys = tuple(sorted(set(homes.values())))
    number = {key: n for n, key in enumerate(keys)}
    if multi == "tile":
        cells_of: dict[int, set[int]] = {key: set() for key in keys}
        for key, home in homes.items():
            cells_of[home].add(key // SEGMENTS_PER_CELL)
        mates = {key: [k for k in keys if cells_of[k] & cells_of[key]] for key in keys}
        closes = tuple(sum(1 << number[k] for k in mates[key]) for key in keys)
    else:
        closes = tuple(1 << n for n in range(len(keys)))
    return Ground(
        keys,
        tuple(sum(1 << number[k] for k in contacts[key] if k != key) for key in keys),
        closes,
        tuple(sorted((key, number[home]) for key, home in homes.items())),
        tuple(Field(key) for key in keys),
    )


def _neighbouring_areas(area: dict[int, int]) -> dict[int, set[int]]:
    """Areas are adjacent (R_SEGMENT=area) when they lie on one tile or on tiles that share a side."""
    on_cell: dict[int, set[int]] = {}
    for key in area:
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

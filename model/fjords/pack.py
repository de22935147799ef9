"""Tiles of Fjords: the pack file, its strict reading, and what the text demands of it.

A tile's border is a ring of slots, counter-clockwise from the east side: with one slot a side (the
usual case) ``sides`` has six letters, E, NE, NW, W, SW, SE.  A side that shows several terrains takes
several slots on every side of every tile (``slots`` of the pack).  What lies inside follows from the
terrain of the ``centre``, unless ``segments`` or ``land`` say otherwise.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.hexgrid import LIMIT, STEPS, cell, cell_text, distance, opposite
from lawspeaker.model.core.loading import convert, parse_yaml, read_text
from lawspeaker.model.core.packs import Complaint, Note, Pack, Provenance

EMPTY, SEA, MOUNTAIN, FARMLAND = range(4)
TERRAINS = ".SMF"
"""Letters of the terrains by number; a dot is an empty place."""
MAX_TILES = LIMIT // 2
"""More tiles than this could, laid in one line, leave the grid."""
MAX_AREAS = 32
"""Most segments or land parts of one tile; a segment's number on its tile stays below it."""
SHAPES = ("triangle", "line", "bent")
"""Names of the arrangements of three start tiles: the values of R_START."""

Terrain = Literal["S", "M", "F"]


class TileData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tile as a pack file has it.

    ``segments`` lists the farmland parts, ``land`` the parts of connected land, each as the slots
    it reaches; an empty list is a part that reaches no side.
    """

    id: str
    sides: str
    centre: Terrain
    segments: tuple[tuple[int, ...], ...] | None = None
    land: tuple[tuple[int, ...], ...] | None = None
    start: bool = False
    provenance: Provenance = "estimated"


class Laid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A start tile's place: axial cell and number of sixth turns, counter-clockwise."""

    tile: str
    q: int
    r: int
    turn: int


class Arrangement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the start tiles lie under one choice of the ruling R_START."""

    name: str
    tiles: tuple[Laid, ...]


class FjordsPack(Pack, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A box of Fjords: its tiles and the arrangements of its start tiles."""

    format: Literal["lawspeaker-pack/1"]
    game: Literal["fjords"]
    tiles: tuple[TileData, ...]
    arrangements: tuple[Arrangement, ...]
    slots: int = 1

    def arrangement(self, name: str) -> Arrangement:
        """Return the arrangement of this name; raises BadInput if the pack has none."""
        for one in self.arrangements:
            if one.name == name:
                return one
        known = ", ".join(a.name for a in self.arrangements)
        raise BadInput(f"no arrangement {name!r} of the start tiles", where=self.id, hint=f"it has {known}")


class Tile(msgspec.Struct, frozen=True):
    """A tile ready for play: terrain numbers by slot, farmland segments and land parts by slots."""

    number: int
    id: str
    border: tuple[int, ...]
    segments: tuple[tuple[int, ...], ...]
    land: tuple[tuple[int, ...], ...]
    start: bool
    only_mountain: bool


def read_pack(value: Any, where: str) -> FjordsPack:
    """Turn a plain value into a pack; raises BadInput with the path of the mistake."""
    pack = convert(value, FjordsPack, where)
    if not 1 <= pack.slots <= 4:
        raise BadInput(f"{pack.slots} slots a side", where=where, hint="1 to 4 are possible")
    if len(pack.tiles) > MAX_TILES:
        raise BadInput(f"{len(pack.tiles)} tiles", where=f"{where} $.tiles", hint=f"at most {MAX_TILES} fit the grid")
    known: set[str] = set()
    for number, data in enumerate(pack.tiles):
        place = f"{where} $.tiles[{number}] ({data.id})"
        if data.id in known or not (data.id.isalnum() and data.id.isascii()):
            raise BadInput("a tile's id must be unique, of letters and digits", where=place)
        known.add(data.id)
        tile_of(data, number, pack.slots, place)
    names: set[str] = set()
    for one in pack.arrangements:
        if one.name in names:
            raise BadInput("stands twice", where=f"{where} arrangement {one.name}")
        names.add(one.name)
        _check_arrangement(one, pack, f"{where} arrangement {one.name}")
    return pack


def load_pack(path: Path) -> FjordsPack:
    """Read a pack file; raises BadInput with the place of any mistake."""
    return read_pack(parse_yaml(read_text(path), str(path)), str(path))


def tiles_of(pack: FjordsPack) -> tuple[Tile, ...]:
    """Return the pack's tiles ready for play, in the pack's order."""
    return tuple(tile_of(data, n, pack.slots, data.id) for n, data in enumerate(pack.tiles))


def tile_of(data: TileData, number: int, slots: int, where: str) -> Tile:
    """Return one tile ready for play; raises BadInput where its parts contradict its border."""
    if len(data.sides) != 6 * slots or set(data.sides) - set("SMF"):
        raise BadInput(f"sides {data.sides!r}", where=where, hint=f"{6 * slots} letters of S, M, F are right")
    border = tuple(TERRAINS.index(letter) for letter in data.sides)
    farmland = {i for i, t in enumerate(border) if t == FARMLAND}
    land = {i for i, t in enumerate(border) if t != SEA}
    segments = data.segments if data.segments is not None else _runs(border, farmland, data.centre == "F")
    parts = data.land if data.land is not None else _runs(border, land, data.centre != "S")
    segments = tuple(sorted((tuple(sorted(s)) for s in segments), key=lambda s: (s == (), s)))
    parts = tuple(sorted((tuple(sorted(p)) for p in parts), key=lambda p: (p == (), p)))
    if data.centre == "F" and () not in segments and not farmland and data.segments is None:
        segments = (*segments, ())
    if data.centre != "S" and not land and data.land is None:
        parts = ((),)
    _check_partition(segments, farmland, where, "segments", "farmland")
    _check_partition(parts, land, where, "land", "land")
    _check_inside(segments, parts, data.centre, where)
    only_mountain = set(border) == {MOUNTAIN} and data.centre == "M" and not segments
    return Tile(number, data.id, border, segments, parts, data.start, only_mountain)


def _runs(border: tuple[int, ...], members: set[int], joined: bool) -> tuple[tuple[int, ...], ...]:
    """Group slots into parts: all in one when the centre joins them, else by runs round the border."""
    if not members:
        return ()
    if joined:
        return (tuple(sorted(members)),)
    size = len(border)
    starts = [i for i in sorted(members) if (i - 1) % size not in members] or [0]
    runs = []
    for first in starts:
        run = [first]
        while (run[-1] + 1) % size in members and (run[-1] + 1) % size != first:
            run.append((run[-1] + 1) % size)
        runs.append(tuple(sorted(run)))
    return tuple(runs)


def _check_partition(
    parts: tuple[tuple[int, ...], ...], members: set[int], where: str, name: str, terrain: str
) -> None:
    flat = [slot for part in parts for slot in part]
    if sorted(flat) != sorted(members):
        raise BadInput(
            f"{name} {[list(p) for p in parts]} do not cover each {terrain} side exactly once",
            where=where,
            hint=f"its {terrain} sides are {sorted(members)}",
        )


def _check_inside(
    segments: tuple[tuple[int, ...], ...], parts: tuple[tuple[int, ...], ...], centre: str, where: str
) -> None:
    for segment in segments:
        if not any(set(segment) <= set(part) for part in parts):
            raise BadInput(f"segment {list(segment)} lies in no single land part", where=where)
    if centre == "F" and not segments:
        raise BadInput("the centre is farmland, yet no segment is listed", where=where)
    if centre != "S" and not parts:
        raise BadInput("the centre is land, yet no land part is listed", where=where)
    for name, areas in (("segments", segments), ("land", parts)):
        if len(areas) > MAX_AREAS:
            raise BadInput(f"{len(areas)} {name}", where=where, hint=f"at most {MAX_AREAS} are possible")
        for one, two in combinations(areas, 2):
            if len({bisect(one, slot) % len(one) for slot in two if one}) > 1:
                raise BadInput(
                    f"{name} {list(one)} and {list(two)} cross",
                    where=where,
                    hint="two areas cannot pass through each other on a flat tile",
                )


def _check_arrangement(one: Arrangement, pack: FjordsPack, where: str) -> None:
    starts = {t.id for t in pack.tiles if t.start}
    if sorted(laid.tile for laid in one.tiles) != sorted(starts):
        raise BadInput("does not lay each start tile once", where=where, hint=f"start tiles are {sorted(starts)}")
    if len({(laid.q, laid.r) for laid in one.tiles}) != len(one.tiles):
        raise BadInput("lays two tiles on one cell", where=where)
    for laid in one.tiles:
        if not 0 <= laid.turn <= 5:
            raise BadInput(f"turn {laid.turn} of {laid.tile}", where=where, hint="0 to 5 sixths")
        if max(abs(laid.q), abs(laid.r)) > LIMIT // 2:
            raise BadInput(f"{laid.tile} lies too far from the middle", where=where)


def turned(tile: Tile, turn: int, slots: int = 1) -> tuple[int, ...]:
    """Return the terrain a tile shows at each slot of its cell after *turn* sixths."""
    shift = turn * slots
    size = len(tile.border)
    return tuple(tile.border[(i - shift) % size] for i in range(size))


def turned_parts(parts: tuple[tuple[int, ...], ...], turn: int, slots: int = 1) -> tuple[tuple[int, ...], ...]:
    """Return parts (segments or land) as the slots of the cell they reach after *turn* sixths."""
    return tuple(tuple(sorted((i + turn * slots) % (6 * slots) for i in part)) for part in parts)


def facing_slot(slot: int, slots: int) -> tuple[int, int]:
    """Return the side of a slot, and the slot of the neighbour there that touches it."""
    side, nth = divmod(slot, slots)
    return side, opposite(side) * slots + (slots - 1 - nth)


def audit(pack: FjordsPack) -> tuple[Complaint, ...]:
    """Return what in a well-formed pack does not fit the rulebook, or in arrangements the rules."""
    found = list(_audit_counts(pack)) if pack.complete else []
    for one in pack.arrangements:
        found.extend(_audit_arrangement(one, pack))
    if pack.complete:
        found.extend(c for one in pack.arrangements for c in _audit_shape(one))
        missing = set(SHAPES) - {a.name for a in pack.arrangements}
        found.extend(
            Complaint("FD-SETUP-03", "arrangements", f"no arrangement {name}", "R_START names it")
            for name in sorted(missing)
        )
    return tuple(found)


def _audit_counts(pack: FjordsPack) -> Iterator[Complaint]:
    tiles = tiles_of(pack)
    starts = [t for t in tiles if t.start]
    pile = [t for t in tiles if not t.start]
    if len(tiles) != 40:
        yield Complaint("FD-COMP-01", "tiles", f"{len(tiles)} tiles", "40 in all")
    if len(starts) != 3:
        yield Complaint("FD-COMP-02", "tiles", f"{len(starts)} start tiles", "3 of the 40")
    bare = [t for t in pile if t.only_mountain]
    if len(bare) != 1:
        names = ", ".join(t.id for t in bare) or "none"
        yield Complaint("FD-FARM-05", "tiles", f"tiles of mountains only: {names}", "exactly one")
    for tile in pile:
        if not tile.only_mountain and not tile.segments:
            yield Complaint(
                "FD-FARM-06",
                tile.id,
                "has no farmland, so it could never get a farm",
                "only the start tiles and the tile of mountains may lack farmland",
            )


def _audit_shape(one: Arrangement) -> Iterator[Complaint]:
    """Compare the shape of three laid tiles with the name of their arrangement."""
    if one.name not in SHAPES or len(one.tiles) != 3:
        return
    cells = [cell(a.q, a.r) for a in one.tiles]
    apart = sorted(distance(a, b) for a, b in combinations(cells, 2))
    straight = any(2 * b == a + c for a, b, c in permutations(cells))
    shape = "not connected"
    if apart[1] == 1:
        shape = "triangle" if apart[2] == 1 else "line" if straight else "bent"
    if shape != one.name:
        where = f"arrangement {one.name}"
        yield Complaint("FD-SETUP-03", where, f"the start tiles lie {shape}", f"a {one.name} is meant")


def _audit_arrangement(one: Arrangement, pack: FjordsPack) -> Iterator[Complaint]:
    tiles = {t.id: t for t in tiles_of(pack)}
    slots = pack.slots
    shown = {cell(a.q, a.r): turned(tiles[a.tile], a.turn, slots) for a in one.tiles}
    where = f"arrangement {one.name}"
    contacts: dict[int, int] = {}
    for place, border in shown.items():
        for side in range(6):
            other = shown.get(place + STEPS[side])
            contacts[place + STEPS[side]] = contacts.get(place + STEPS[side], 0) + 1
            if other is None or side >= 3:
                continue
            for nth in range(slots):
                slot = side * slots + nth
                if border[slot] != other[facing_slot(slot, slots)[1]]:
                    yield Complaint("FD-TILE-01", where, f"terrain differs on side {side} of {cell_text(place)}")
                    break
    if not any(n >= 2 and place not in shown for place, n in contacts.items()):
        yield Complaint("FD-TILE-02", where, "no empty cell touches two start tiles, so nothing can be placed")
    if not _one_landmass(one, tiles, slots):
        yield Complaint("FD-TILE-03", where, "the start tiles show more than one landmass")


def _one_landmass(one: Arrangement, tiles: dict[str, Tile], slots: int) -> bool:
    owner: dict[tuple[int, int], tuple[int, int]] = {}
    for laid in one.tiles:
        for n, part in enumerate(turned_parts(tiles[laid.tile].land, laid.turn, slots)):
            node = (cell(laid.q, laid.r), n)
            owner[(node[0], -1 - n)] = node
            owner.update({(node[0], slot): node for slot in part})
    nodes = set(owner.values())
    if not nodes:
        return True
    first = min(nodes)
    seen, todo = {first}, [first]
    while todo:
        node = todo.pop()
        for (place, slot), own in owner.items():
            if own != node or slot < 0:
                continue
            side, other = facing_slot(slot, slots)
            beyond = owner.get((place + STEPS[side], other))
            if beyond is not None and beyond not in seen:
                seen.add(beyond)
                todo.append(beyond)
    return seen == nodes


def notes(pack: FjordsPack) -> tuple[Note, ...]:
    """Return how many tiles there are, and of which kinds."""
    tiles = tiles_of(pack)
    start = sum(tile.start for tile in tiles)
    farms = sum(bool(tile.segments) for tile in tiles)
    divided = sum(len(tile.land) > 1 for tile in tiles)
    return (
        Note("tiles", str(len(tiles)), f"{start} start tiles, {len(tiles) - start} to draw"),
        Note("tiles with farmland", str(farms), "the others can bear no farm"),
        Note("tiles that divide land", str(divided), "on these the readings of R_LAND differ"),
    )

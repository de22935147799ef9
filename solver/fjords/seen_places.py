"""What a position shows of the topics about places: tiles on cells, farms and fields on segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import lru_cache

from msgspec.structs import replace

from lawspeaker.model.core.formulas import Value
from lawspeaker.model.core.hexgrid import STEPS, opposite
from lawspeaker.model.fjords import actions as act
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.model.fjords.ground import Ground, contested_of
from lawspeaker.model.fjords.pack import SEA
from lawspeaker.model.fjords.position import Position, bits
from lawspeaker.model.fjords.region import makes_hole, sealed
from lawspeaker.model.fjords.tables import Tables
from lawspeaker.solver.frame import Seen

_PER_CELL = act.SEGMENTS_PER_CELL
_SAMPLE = 7


# -- tiles on cells ----------------------------------------------------------------------------


def placements(game: FjordsGame, position: Position) -> Iterator[Seen]:
    """Yield the question of a placement for a fixed sample of the cells and turns for the drawn tile."""
    if len(position.board) % 4 != position.drawn % 4:
        return
    laid = {place for place, _, _ in position.board}
    rim = sorted({place + step for place in laid for step in STEPS} - laid)
    legal = set(game.places(position, position.drawn))
    tried = [(place, turn) for place in rim for turn in range(6)]
    start = (len(laid) * 5 + position.drawn) % _SAMPLE
    sample = tried[start :: 3 * _SAMPLE] + sorted(legal)[:2] + [(min(laid), 0), (min(laid) - 30, 0)]
    for spot in sample:
        yield "placement", placement(game, position, position.drawn, *spot), spot in legal


def placement(game: FjordsGame, position: Position, tile: int, place: int, turn: int) -> dict[str, Value]:
    """Return the situation of a placement, worked out from the tiles."""
    tables = game.tables
    laid = {p: tables.shown[t][n] for p, t, n in position.board}
    slots = tables.slots
    facing = [laid[place + STEPS[side]][back] if place + STEPS[side] in laid else 0 for side, back in tables.faces]
    contacts = sum(place + step in laid for step in STEPS)
    shown = tables.shown[tile][turn]
    agrees = all(f in (0, s) for s, f in zip(shown, facing, strict=True))
    joined = [any(facing[slot] not in (0, SEA) for slot in part) for part in tables.parts[tile][turn]]
    occupied = place in laid
    shut = {"nothing": False, "sea": False}
    one_mass = game.tables.land == "component" and all(joined)  # I06: no second landmass to seal
    if agrees and contacts and not occupied and not one_mass:
        after = tuple(sorted((*position.board, (place, tile, turn))))
        for hole in shut:
            masses, is_shut = sealed(after, tables, place, hole)
            shut[hole] = masses > 1 and is_shut
    assert len(facing) == 6 * slots
    return {
        "occupied": occupied, "contacts": contacts, "terrain_agrees": agrees,
        "parts_joined": "all" if all(joined) else "some" if any(joined) else "none",
        "sealed": shut["nothing"], "sealed_by_holes": shut["sea"],
        "leaves_hole": not occupied and _runs(laid, place) > 1 and makes_hole(set(laid), place),
    }  # fmt: skip


def _runs(laid: Mapping[int, object], place: int) -> int:
    """Count the runs of laid neighbours round a cell; only between two of them can a hole close."""
    beside = [place + step in laid for step in STEPS]
    return sum(beside[side] and not beside[side - 1] for side in range(6))


# -- segments ----------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def meetings(board: tuple[tuple[int, int, int], ...], tables: Tables) -> dict[int, frozenset[int]]:
    """Return every segment of the region with those whose farmland meets its own across a side."""
    at: dict[tuple[int, int], int] = {}
    found: dict[int, set[int]] = {}
    for place, tile, turn in board:
        for number, part in enumerate(tables.segments[tile][turn]):
            key = act.segment_key(place, number)
            found[key] = set()
            at.update({(place, slot): key for slot in part})
    slots = tables.slots
    for (place, slot), key in at.items():
        side, nth = divmod(slot, slots)
        beyond = at.get((place + STEPS[side], opposite(side) * slots + slots - 1 - nth))
        if beyond is not None:
            found[key].add(beyond)
    return {key: frozenset(others) for key, others in found.items()}


@lru_cache(maxsize=8)
def areas(board: tuple[tuple[int, int, int], ...], tables: Tables) -> dict[int, int]:
    """Return the farmland area of each segment, named by its least segment."""
    graph = meetings(board, tables)
    area: dict[int, int] = {}
    for first in sorted(graph):
        todo = [first] if first not in area else []
        while todo:
            key = todo.pop()
            if key not in area:
                area[key] = first
                todo += graph[key]
    return area


def farms(game: FjordsGame, position: Position, last: int, legal: Set[int]) -> Iterator[Seen]:
    """Yield the question of a farm for the tile just laid, an earlier one and a start tile."""
    tables, seat = game.tables, position.seat
    area = areas(position.board, tables)
    held = {area.get(key) for keys in position.farms for key in keys}
    tiles = {place: tables.tiles[tile] for place, tile, _ in position.board}
    older = sorted(p for p, tile in tiles.items() if p != last and not tile.start)
    start = sorted(p for p, tile in tiles.items() if tile.start)
    for place in [last, *older[:1], *start[:1]]:
        tile = tiles[place]
        for number in range(len(tile.segments) + 1):
            key = act.segment_key(place, number)
            yield "farm", {
                "tile": "just_placed" if place == last else "start_tile" if tile.start else "earlier",
                "farmland": number < len(tile.segments),
                "farms_placed": len(position.farms[seat]),
                "area_has_farm": key in area and area[key] in held,
            }, key in legal  # fmt: skip


def with_near(position: Position) -> Position:
    """Return a position with what pieces take and reach, worked out from farms and fields again."""
    ground = position.ground
    taken, near = 0, [0, 0]
    for seat in (0, 1):
        for n in {*bits(position.fields[seat]), *_farm_places(ground, position.farms[seat])}:
            taken |= ground.closes[n]
            near[seat] |= ground.near[n]
    return replace(position, taken=taken, near=(near[0], near[1]))


def _farm_places(ground: Ground, keys: tuple[int, ...]) -> list[int]:
    return [n for key in keys if (n := ground.place(key)) >= 0]


def fields(game: FjordsGame, position: Position) -> Iterator[Seen]:
    """Yield the questions of a field for each place, on a fixed sample of the decisions."""
    placed = position.fields[0].bit_count() + position.fields[1].bit_count()
    if placed == 0:
        yield from _adjacencies(game, position)
    if placed % 4 != 1 or position.fields[position.seat].bit_count() >= game.field_limit:
        return
    legal = {a.segment for a in game.legal(position) if isinstance(a, act.Field)}
    ground, seat = position.ground, position.seat
    masks = [sum({1 << n for n in _farm_places(ground, position.farms[s])}) for s in (0, 1)]
    able = all(own.bit_count() < game.field_limit for own in position.fields)
    contested = contested_of(ground, position.fields, (masks[0], masks[1]), position.taken) if able else 0
    for n, key in enumerate(ground.keys):
        if game.order == "duty" and contested and not contested >> n & 1:
            continue
        yield "field", _field(ground, position, masks, n), key in legal
    for n in bits(position.near[seat] & ~position.taken):
        kind = "contested" if contested >> n & 1 else "secured"
        yield "order", {"segment": kind, "contested_left": contested != 0}, ground.keys[n] in legal
    nowhere: dict[str, Value] = {
        "ground": "mountain_or_sea",
        "holds_piece": False,
        "tile_holds_piece": False,
        "cut_off": False,
    }
    none_near: dict[str, Value] = {
        "first": not position.fields[seat],
        "beside_own_farm": False,
        "beside_own_field": False,
    }
    stray = act.segment_key(position.board[0][0], _PER_CELL - 1)
    yield "field", {**nowhere, **none_near}, stray in legal


def _field(ground: Ground, position: Position, masks: list[int], n: int) -> dict[str, Value]:
    seat = position.seat
    pieces = position.fields[0] | position.fields[1] | masks[0] | masks[1]
    cells = _cells(ground)
    mine = position.fields[seat] | masks[seat]
    beside_farm, beside_field = ground.near[n] & masks[seat], ground.near[n] & position.fields[seat]
    around = {cell + step for cell in cells[n] for step in STEPS}
    own_around = any(cells[m] & around for m in bits(mine))
    return {
        "ground": "farmland",
        "holds_piece": bool(pieces >> n & 1),
        "tile_holds_piece": any(cells[m] & cells[n] for m in bits(pieces)),
        "first": position.fields[seat] == 0,
        "beside_own_farm": bool(beside_farm),
        "beside_own_field": bool(beside_field),
        "cut_off": own_around and not beside_farm and not beside_field,
    }


@lru_cache(maxsize=8)
def _cells(ground: Ground) -> tuple[frozenset[int], ...]:
    found: list[set[int]] = [set() for _ in ground.keys]
    for key, n in ground.homes:
        found[n].add(key // _PER_CELL)
    return tuple(frozenset(one) for one in found)


def _adjacencies(game: FjordsGame, position: Position) -> Iterator[Seen]:
    """Yield whether two places are adjacent, for those on one tile or on neighbours, and a few others."""
    ground = position.ground
    cells = _cells(ground)
    graph, area = meetings(position.board, game.tables), areas(position.board, game.tables)
    homes: list[list[int]] = [[] for _ in ground.keys]
    for key, n in ground.homes:
        homes[n].append(key)
    far = 0
    for one in range(len(ground.keys)):
        around = {cell + step for cell in cells[one] for step in STEPS}
        for two in range(one):
            on_one, touch = bool(cells[one] & cells[two]), bool(around & cells[two])
            far += not (on_one or touch)
            if far > 20 and not (on_one or touch):
                continue
            yield "adjacency", {
                "one_tile": on_one,
                "tiles_touch": touch,
                "farmland_meets": any(other in graph[key] for key in homes[one] for other in homes[two]),
                "one_area": area[homes[one][0]] == area[homes[two][0]],
            }, bool(ground.near[one] >> two & 1)  # fmt: skip

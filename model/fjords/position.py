"""The position of Fjords: an immutable value, and its record (canonical JSON values)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.hexgrid import axial, cell, cell_text
from lawspeaker.model.core.loading import convert

from .actions import SEATS, parse_segment, segment_text
from .ground import NO_GROUND, Ground

Phase = Literal["start", "choose", "deal", "drawn", "window", "farm", "land", "over"]
Pair = tuple[int, int]

FIELDS = (
    "round", "phase", "starter", "seat", "pile", "open", "drawn", "set_aside", "told", "board", "last",
    "from_pile", "farms", "fields", "placer", "first", "points",
)  # fmt: skip


class Position(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for what follows.

    ``pile`` and ``open`` are sets of tiles as bits.  ``board`` holds (cell, tile, turn) sorted by
    cell.  ``spots`` (empty cells beside the region with what they face), ``ground``, ``taken`` and
    ``near`` are derived from it and carried along because they are dear to compute; a property
    compares them with their recomputation.
    """

    round: int
    phase: Phase
    starter: int  # -1 until chance has named him
    seat: int  # whose turn it is; in a window the opponent acts
    pile: int
    open: int
    drawn: int  # tile number or -1
    set_aside: bool  # the player on turn has set a tile aside this turn
    told: bool  # the opponent has named a place for the drawn tile
    board: tuple[tuple[int, int, int], ...]
    spots: tuple[tuple[int, int], ...]
    last: int  # cell of the tile just placed while a farm may follow, or -1
    from_pile: bool  # while a farm may follow: that tile came from the pile
    farms: tuple[tuple[int, ...], tuple[int, ...]]  # segment keys, sorted
    placer: int  # who placed the last tile of this round, or -1
    first: int  # who places the first field, -1 during discovery
    ground: Ground
    fields: Pair  # segments of the ground as bits, by seat
    taken: int  # segments that can take no more pieces, as bits
    near: Pair  # segments adjacent to own pieces, as bits, by seat
    points: tuple[Pair, ...]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a record; see ``conformance/PROTOCOL.md`` for the meaning of each field."""

    round: int
    phase: Phase
    starter: Literal["A", "B"] | None
    seat: Literal["A", "B"] | None
    pile: list[str]
    open: list[str]
    drawn: str | None
    set_aside: bool
    told: bool
    board: list[tuple[int, int, str, int]]
    last: tuple[int, int] | None
    from_pile: bool
    farms: dict[str, list[str]]
    fields: dict[str, list[str]]
    placer: Literal["A", "B"] | None
    first: Literal["A", "B"] | None
    points: list[tuple[int, int]]


def exchanged(p: Position) -> Position:
    """Return the position with both seats exchanged."""

    def name(seat: int) -> int:
        return 1 - seat if seat >= 0 else seat

    return msgspec.structs.replace(
        p, starter=name(p.starter), seat=name(p.seat), placer=name(p.placer), first=name(p.first),
        farms=p.farms[::-1], fields=p.fields[::-1], near=p.near[::-1], points=tuple(pair[::-1] for pair in p.points),
    )  # fmt: skip


@lru_cache(maxsize=4096)  # a position differs in few sets from the one before
def bits(mask: int) -> tuple[int, ...]:
    """Return the numbers of the bits set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def to_record(position: Position, tile_ids: tuple[str, ...]) -> dict[str, Any]:
    """Return the position as plain JSON values, in the order of FIELDS."""
    name = _seat_name
    drawn, last = position.drawn, position.last
    return {
        "round": position.round,
        "phase": position.phase,
        "starter": name(position.starter),
        "seat": name(position.seat),
        "pile": [tile_ids[t] for t in bits(position.pile)],
        "open": [tile_ids[t] for t in bits(position.open)],
        "drawn": tile_ids[drawn] if drawn >= 0 else None,
        "set_aside": position.set_aside,
        "told": position.told,
        "board": [[*axial(place), tile_ids[tile], turn] for place, tile, turn in position.board],
        "last": list(axial(last)) if last >= 0 else None,
        "from_pile": position.from_pile,
        "farms": {s: [segment_text(k) for k in position.farms[i]] for i, s in enumerate(SEATS)},
        "fields": {
            s: [segment_text(position.ground.keys[b]) for b in bits(position.fields[i])] for i, s in enumerate(SEATS)
        },
        "placer": name(position.placer),
        "first": name(position.first),
        "points": [list(pair) for pair in position.points],
    }


def _seat_name(seat: int) -> str | None:
    return SEATS[seat] if seat >= 0 else None


def _seat_number(name: str | None) -> int:
    return SEATS.index(name) if name is not None else -1


def check_record(record: Mapping[str, Any]) -> Record:
    """Read a record's form strictly; raises BadInput with the path of the mistake."""
    checked = convert(dict(record), Record, "position")
    for field in ("farms", "fields"):
        if set(getattr(checked, field)) != set(SEATS):
            raise BadInput("needs exactly the seats A and B", where=f"position $.{field}")
    return checked


def bare_position(record: Record, numbers: Mapping[str, int]) -> tuple[Position, tuple[tuple[int, ...], ...]]:
    """Return the position without derived values, and the keys of the fields by seat.

    Raises BadInput for a tile that the pack has not, a cell laid twice, or a malformed segment.
    """
    board = []
    seen: set[int] = set()
    for n, (q, r, tile, turn) in enumerate(record.board):
        where = f"position $.board[{n}]"
        if max(abs(q), abs(r)) > 100 or not 0 <= turn <= 5:
            raise BadInput(f"{[q, r, tile, turn]}", where=where, hint="coordinates within 100, turn 0 to 5")
        place = cell(q, r)
        if place in seen:
            raise BadInput(f"cell {cell_text(place)} is laid twice", where=where)
        seen.add(place)
        board.append((place, _number(tile, numbers, where), turn))
    if record.last is not None and max(map(abs, record.last)) > 100:
        raise BadInput(f"{list(record.last)}", where="position $.last", hint="coordinates within 100")
    keys = [_segments(record, field) for field in ("farms", "fields")]
    position = Position(
        round=record.round, phase=record.phase, starter=_seat_number(record.starter),
        seat=_seat_number(record.seat), pile=_mask(record.pile, numbers, "pile"),
        open=_mask(record.open, numbers, "open"),
        drawn=_number(record.drawn, numbers, "position $.drawn") if record.drawn is not None else -1,
        set_aside=record.set_aside, told=record.told, board=tuple(sorted(board)), spots=(),
        last=cell(*record.last) if record.last is not None else -1, from_pile=record.from_pile,
        farms=(keys[0][0], keys[0][1]), placer=_seat_number(record.placer), first=_seat_number(record.first),
        ground=NO_GROUND, fields=(0, 0), taken=0, near=(0, 0), points=tuple(record.points),
    )  # fmt: skip
    return position, keys[1]


def _number(tile: str, numbers: Mapping[str, int], where: str) -> int:
    if tile not in numbers:
        raise BadInput(f"unknown tile {tile!r}", where=where, hint="tiles are named as in the pack")
    return numbers[tile]


def _mask(tiles: list[str], numbers: Mapping[str, int], field: str) -> int:
    mask = 0
    for n, tile in enumerate(tiles):
        bit = 1 << _number(tile, numbers, f"position $.{field}[{n}]")
        if mask & bit:
            raise BadInput(f"tile {tile} stands twice", where=f"position $.{field}[{n}]")
        mask |= bit
    return mask


def _segments(record: Record, field: str) -> tuple[tuple[int, ...], ...]:
    found = []
    for seat in SEATS:
        keys = []
        for n, words in enumerate(getattr(record, field)[seat]):
            try:
                keys.append(parse_segment(words))
            except BadInput as error:
                raise error.within(f"position $.{field}.{seat}[{n}]") from None
        if len(set(keys)) != len(keys):
            raise BadInput("a segment stands twice", where=f"position $.{field}.{seat}")
        found.append(tuple(sorted(keys)))
    return tuple(found)

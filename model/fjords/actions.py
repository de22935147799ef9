"""Actions of Fjords and their one canonical text each.

========================  =====================================================================
``start A``               chance: seat A begins (round 1, and after a tied round under R_TIED)
``draw``                  draw a face-down tile
``deal T07``              chance: the tile drawn is T07
``place T07 1,-1 r3``     place the drawn tile on cell 1,-1 after three sixth turns
``open T07 1,-1 r3``      place a tile from the open choices
``aside``                 set the drawn tile aside (subjective reading: say that it has no place)
``object 1,-1 r3``        the opponent names a place for the drawn tile
``silent``                the opponent says nothing
``stop``                  leave the open tiles after the last tile was set aside (R_LAST_OPEN)
``farm 1,-1/0``           put a farm on farmland segment 0 of the tile on 1,-1
``nofarm``                put no farm
``field 1,-1/0``          put a field on a segment
========================  =====================================================================
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.hexgrid import LIMIT, cell, cell_text

SEATS = ("A", "B")
SEGMENTS_PER_CELL = 32
"""Segment keys are ``cell * SEGMENTS_PER_CELL + number of the segment on its tile``."""


class Start(msgspec.Struct, frozen=True, gc=False, tag="start"):
    """Chance: the seat that begins the round."""

    seat: int


class Draw(msgspec.Struct, frozen=True, gc=False, tag="draw"):
    """Draw a face-down tile."""


class Deal(msgspec.Struct, frozen=True, gc=False, tag="deal"):
    """Chance: the number of the tile drawn."""

    tile: int


class Place(msgspec.Struct, frozen=True, gc=False, tag="place"):
    """Place the drawn tile."""

    tile: int
    cell: int
    turn: int


class Open(msgspec.Struct, frozen=True, gc=False, tag="open"):
    """Place a tile from the open choices."""

    tile: int
    cell: int
    turn: int


class Aside(msgspec.Struct, frozen=True, gc=False, tag="aside"):
    """Set the drawn tile aside."""


class Object(msgspec.Struct, frozen=True, gc=False, tag="object"):
    """The opponent names a place for the drawn tile (R_PLAYABLE=subjective)."""

    cell: int
    turn: int


class Silent(msgspec.Struct, frozen=True, gc=False, tag="silent"):
    """The opponent names no place."""


class Stop(msgspec.Struct, frozen=True, gc=False, tag="stop"):
    """Place no open tile after the last face-down tile was set aside."""


class Farm(msgspec.Struct, frozen=True, gc=False, tag="farm"):
    """Put a farm on a segment, given by its key."""

    segment: int


class NoFarm(msgspec.Struct, frozen=True, gc=False, tag="nofarm"):
    """Put no farm on the tile just placed."""


class Field(msgspec.Struct, frozen=True, gc=False, tag="field"):
    """Put a field on a segment, given by its key."""

    segment: int


Action = Start | Draw | Deal | Place | Open | Aside | Object | Silent | Stop | Farm | NoFarm | Field

DRAW, ASIDE, SILENT, STOP, NO_FARM = Draw(), Aside(), Silent(), Stop(), NoFarm()
_BARE: dict[str, Action] = {"draw": DRAW, "aside": ASIDE, "silent": SILENT, "stop": STOP, "nofarm": NO_FARM}
_BARE_TEXT = {type(action): text for text, action in _BARE.items()}

HINT = (
    "one of: draw, place TILE Q,R rN, open TILE Q,R rN, aside, object Q,R rN, silent, stop, "
    "farm Q,R/N, nofarm, field Q,R/N, start SEAT, deal TILE"
)
_NUMBER = r"(?:0|-?[1-9][0-9]{0,2})"
_PLACE = re.compile(rf"({_NUMBER}),({_NUMBER})(?: r([0-5])|/(0|[1-9][0-9]?))")


def segment_key(place: int, number: int) -> int:
    """Return the key of a tile's segment."""
    return place * SEGMENTS_PER_CELL + number


@lru_cache(maxsize=1 << 14)
def segment_text(key: int) -> str:
    """Return a segment as ``q,r/number``."""
    place, number = divmod(key, SEGMENTS_PER_CELL)
    return f"{cell_text(place)}/{number}"


def kind(action: Action) -> str:
    """Return the action's kind, one word."""
    return str(action.__struct_config__.tag)


def text(action: Action, tile_ids: tuple[str, ...]) -> str:
    """Return an action's canonical text."""
    bare = _BARE_TEXT.get(type(action))
    if bare is not None:
        return bare
    match action:
        case Start(seat):
            return f"start {SEATS[seat]}"
        case Deal(tile):
            return f"deal {tile_ids[tile]}"
        case Place(tile, place, turn) | Open(tile, place, turn):
            return f"{kind(action)} {tile_ids[tile]} {cell_text(place)} r{turn}"
        case Object(place, turn):
            return f"object {cell_text(place)} r{turn}"
        case Farm(segment) | Field(segment):
            return f"{kind(action)} {segment_text(segment)}"
    raise TypeError(f"no action: {action!r}")


def parse(words: str, numbers: Mapping[str, int]) -> Action:
    """Read an action's canonical text; *numbers* are the tiles by id.  Raises BadInput."""
    bare = _BARE.get(words)
    if bare is not None:
        return bare
    verb, _, rest = words.partition(" ")
    if verb == "start" and rest in SEATS:
        return Start(SEATS.index(rest))
    if verb == "deal":
        return Deal(_tile(rest, words, numbers))
    if verb in ("place", "open"):
        name, _, where = rest.partition(" ")
        place, turn, _ = _parse_place(where, words, turned=True)
        tile = _tile(name, words, numbers)
        return Place(tile, place, turn) if verb == "place" else Open(tile, place, turn)
    if verb == "object":
        place, turn, _ = _parse_place(rest, words, turned=True)
        return Object(place, turn)
    if verb in ("farm", "field"):
        place, _, number = _parse_place(rest, words, turned=False)
        key = segment_key(place, number)
        return Farm(key) if verb == "farm" else Field(key)
    raise BadInput(f"{words!r} is no action", hint=HINT)


def parse_cell(words: str) -> int:
    """Read ``q,r``; raises BadInput."""
    found = re.fullmatch(rf"({_NUMBER}),({_NUMBER})", words)
    if not found:
        raise BadInput(f"{words!r} is no cell", hint="write Q,R as in 1,-1")
    return _cell(found[1], found[2], words)


def parse_segment(words: str) -> int:
    """Read ``q,r/number`` into a segment key; raises BadInput."""
    place, _, number = _parse_place(words, words, turned=False)
    return segment_key(place, number)


def _tile(name: str, words: str, numbers: Mapping[str, int]) -> int:
    if name not in numbers:
        raise BadInput(f"unknown tile {name!r} in {words!r}", hint="tiles are named as in the pack")
    return numbers[name]


def _parse_place(where: str, words: str, *, turned: bool) -> tuple[int, int, int]:
    found = _PLACE.fullmatch(where)
    if not found or (found[3] is not None) != turned:
        raise BadInput(f"{words!r} is no action", hint=HINT)
    number = int(found[4] or 0)
    if number >= SEGMENTS_PER_CELL:
        raise BadInput(f"segment number {number} in {words!r}", hint=f"at most {SEGMENTS_PER_CELL - 1}")
    return _cell(found[1], found[2], words), int(found[3] or 0), number


def _cell(q: str, r: str, words: str) -> int:
    if max(abs(int(q)), abs(int(r))) > LIMIT:
        raise BadInput(f"cell {q},{r} in {words!r}", hint=f"coordinates reach from -{LIMIT} to {LIMIT}")
    return cell(int(q), int(r))

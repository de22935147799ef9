"""Every action somebody could try in Fjords, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lawspeaker.model.core.hexgrid import STEPS

from . import actions as act
from .position import Position, bits

if TYPE_CHECKING:
    from .game import FjordsGame


def alphabet(game: FjordsGame, position: Position) -> Iterator[act.Action]:
    """Yield each action once, in a fixed order.

    Tiles: the drawn one, the open ones, and one that lies elsewhere.  Cells: the region, the cells
    beside it and one ring more.  Segments: those of every tile in reach and one number beyond, which
    stands for what is no farmland; and a cell where nothing lies.
    """
    yield from (act.DRAW, act.ASIDE, act.SILENT, act.STOP, act.NO_FARM)
    yield from (act.Start(seat) for seat in (0, 1))
    yield from (act.Deal(tile.number) for tile in game.tables.tiles)
    cells = _cells(position)
    elsewhere = _elsewhere(game, position)
    for tile in sorted({position.drawn, elsewhere} - {-1}):
        yield from (act.Place(tile, place, turn) for place in cells for turn in range(6))
    for tile in (*bits(position.open), *([elsewhere] if elsewhere >= 0 else [])):
        yield from (act.Open(tile, place, turn) for place in cells for turn in range(6))
    if position.drawn >= 0:
        yield from (act.Object(place, turn) for place in cells for turn in range(6))
    for key in _segments(game, position, cells):
        yield act.Farm(key)
        yield act.Field(key)


def _cells(position: Position) -> tuple[int, ...]:
    laid = {place for place, _, _ in position.board}
    beside = {place + step for place in laid for step in STEPS} | laid
    return tuple(sorted({place + step for place in beside for step in STEPS} | beside))


def _elsewhere(game: FjordsGame, position: Position) -> int:
    """Return a tile that is neither drawn nor open: the first on the board, else in the pile, else -1."""
    here = position.open | (1 << position.drawn if position.drawn >= 0 else 0)
    others = [tile for _, tile, _ in position.board] + list(bits(position.pile))
    return next((tile for tile in others if not here >> tile & 1), -1)


def _segments(game: FjordsGame, position: Position, cells: tuple[int, ...]) -> Iterator[int]:
    tiles = {place: game.tables.tiles[tile] for place, tile, _ in position.board}
    for place in cells:
        if place in tiles:
            yield from (act.segment_key(place, n) for n in range(len(tiles[place].segments) + 1))
    yield act.segment_key(cells[0], 0)

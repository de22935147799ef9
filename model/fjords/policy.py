"""How the sensible player of Fjords judges actions, from a view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import actions as act
from .ground import ground_of

if TYPE_CHECKING:
    from .game import FjordsGame


def appeal(game: FjordsGame, view: Mapping[str, Any], actions: Sequence[act.Action]) -> Sequence[float]:
    """Return a worth for each action: farms on open farmland, fields that cut off and open up land."""
    if view["phase"] == "land":
        return _field_worth(game, view, actions)
    return [_discovery_worth(game, view, action) for action in actions]


def _discovery_worth(game: FjordsGame, view: Mapping[str, Any], action: act.Action) -> float:
    match action:
        case act.Farm(key):
            turns = {(q, r): tile for q, r, tile, _ in view["board"]}
            q, r = view["last"]
            segments = game.tables.tiles[game.tables.numbers[turns[(q, r)]]].segments
            number = key % act.SEGMENTS_PER_CELL
            reach = len(segments[number]) if number < len(segments) else 0
            eager = len(view["pile"]) < 9 * (4 - len(view["farms"][view["you"]]))
            return reach + (1.5 if eager else -2.5)
        case act.Aside() | act.Silent() | act.Stop():
            return -1.0
        case act.Open():
            return 0.5 if len(view["pile"]) <= 2 else 0.0
        case _:
            return 0.0


def _field_worth(game: FjordsGame, view: Mapping[str, Any], actions: Sequence[act.Action]) -> Sequence[float]:
    tables = game.tables
    board = tuple(sorted((game_cell(q, r), tables.numbers[tile], turn) for q, r, tile, turn in view["board"]))
    ground = ground_of(board, tables, game.segment, game.multi)
    mine = _near(ground, view, view["you"])
    theirs = _near(ground, view, next(s for s in act.SEATS if s != view["you"]))
    worth = []
    for action in actions:
        number = ground.numbered(action.segment) if isinstance(action, act.Field) else -1
        if number < 0:
            worth.append(0.0)
            continue
        contested = theirs >> number & 1
        worth.append(3.0 * contested + (ground.near[number] & ~mine).bit_count())
    return worth


def game_cell(q: int, r: int) -> int:
    """Return the cell of axial coordinates as a view has them."""
    return act.parse_cell(f"{q},{r}")


def _near(ground: Any, view: Mapping[str, Any], seat: str) -> int:
    near = 0
    for text in (*view["farms"][seat], *view["fields"][seat]):
        number = ground.place(act.parse_segment(text))
        if number >= 0:
            near |= ground.near[number]
    return near

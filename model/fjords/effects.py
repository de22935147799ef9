"""Which clauses are at work when a legal action is applied, and their worked facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Effect, Fact, facts
from lawspeaker.model.core.hexgrid import cell_text

from . import actions as act
from .position import Position
from .region import makes_hole
from .scoring import rounds_won

if TYPE_CHECKING:
    from .game import FjordsGame

_TILE = ("FD-PLAY-03", "FD-TILE-01", "FD-TILE-02", "FD-TILE-03", "FD-TILE-04", "FD-TILE-05", "FD-TILE-06")
_ENDED = ("FD-LAND-01", "FD-LAND-02", "FD-LAND-03", "FD-PLAY-02")
_TURN = ("FD-OPEN-05", "FD-OPEN-06", "FD-DISC-01")
_ROUND = ("FD-PLAY-05", "FD-SCORE-01", "FD-SCORE-02", "FD-SCORE-03", "FD-FIELD-08", "FD-FIELD-09")
_FIELD = ("FD-PLAY-04", "FD-FIELD-01", "FD-FIELD-02", "FD-FIELD-03", "FD-FIELD-04")


def touched(game: FjordsGame, position: Position, action: act.Action, after: Position) -> tuple[str, ...]:
    """Return the ids of the clauses whose condition was true in this step."""
    own = _OWN[type(action)](game, position, action)
    if after.phase == position.phase and after.round == position.round and position.phase == "land":
        return own + (("FD-LAND-04",) if after.seat != position.seat else ("FD-FIELD-07",))
    return own + _changes(position, action, after)


def _changes(position: Position, action: act.Action, after: Position) -> tuple[str, ...]:
    """Return the clauses of automatic steps: the turn passes, discovery or the round or the game ends."""
    found: tuple[str, ...] = ()
    if position.phase in ("drawn", "farm", "window", "choose") and after.phase in ("choose", "land", "start", "over"):
        if isinstance(action, (act.Place, act.Open, act.Farm, act.NoFarm)):
            found += _TURN
        if after.phase != "choose" or after.round != position.round:
            found += (*_ENDED, "FD-LAND-05" if _placed_last(position, action) else "FD-LAND-06")
    if len(after.points) > len(position.points):
        found += _ROUND
        if after.phase == "over":
            found += ("FD-PLAY-01", "FD-END-01", "FD-PLAY-06", "FD-END-02", "FD-END-03", *_tie(after))
        else:
            a, b = after.points[-1]
            found += ("FD-SCORE-04", "FD-SETUP-03", "FD-SETUP-01", "FD-FARM-01")
            found += ("FD-SCORE-05",) if a != b else ()
    return found


def _placed_last(position: Position, action: act.Action) -> bool:
    return isinstance(action, act.Place) or (isinstance(action, (act.Farm, act.NoFarm)) and position.from_pile)


def _tie(after: Position) -> tuple[str, ...]:
    totals = [sum(pair[seat] for pair in after.points) for seat in (0, 1)]
    if totals[0] != totals[1]:
        return ()
    return ("FD-END-04",) if 2 in rounds_won(after.points) else ("FD-END-05",)


def _placed(game: FjordsGame, position: Position, action: act.Place | act.Open) -> tuple[str, ...]:
    places = len(game.places(position, action.tile))
    found = _TILE + (("FD-TILE-07",) if places > 1 else ("FD-TILE-08",) if isinstance(action, act.Place) else ())
    pattern = dict(position.spots).get(action.cell, 0)
    if _arcs(game, pattern) > 1 and makes_hole({p for p, _, _ in position.board}, action.cell):
        found += ("FD-TILE-09",)
    if isinstance(action, act.Place):
        return (*found, "FD-DISC-02", "FD-TILE-13") if position.told else (*found, "FD-DISC-02")
    later = position.set_aside or position.drawn >= 0
    return (*found, "FD-OPEN-04" if later else "FD-OPEN-01")


def _arcs(game: FjordsGame, pattern: int) -> int:
    """Count the runs of laid neighbours round a cell; a hole can close only where there are two."""
    faced = [bool(t) for t in game.tables.facing(pattern)[:: game.tables.slots]]
    return sum(1 for side in range(6) if faced[side] and not faced[side - 1])


def _drawn(game: FjordsGame, position: Position, action: act.Draw) -> tuple[str, ...]:
    if position.set_aside:
        return "FD-DISC-02", "FD-DISC-03", "FD-TILE-11"
    if position.open and game.open_places(position):
        return "FD-DISC-02", "FD-OPEN-02", "FD-OPEN-03"
    return ("FD-DISC-02",)


def _set_aside(game: FjordsGame, position: Position, action: act.Aside) -> tuple[str, ...]:
    return ("FD-DISC-03", "FD-TILE-10") if not game.places(position, position.drawn) else ("FD-TILE-12",)


def _farmed(game: FjordsGame, position: Position, action: act.Farm) -> tuple[str, ...]:
    return "FD-DISC-04", "FD-FARM-01", "FD-FARM-02", "FD-FARM-03", "FD-FARM-04", "FD-FARM-06"


def _field(game: FjordsGame, position: Position, action: act.Field) -> tuple[str, ...]:
    return (*_FIELD, "FD-LAND-08" if position.fields[position.seat] else "FD-LAND-07")


def _constant(*clauses: str) -> Callable[..., tuple[str, ...]]:
    return lambda game, position, action: clauses


_OWN: dict[type, Callable[..., tuple[str, ...]]] = {
    act.Start: _constant("FD-SETUP-03", "FD-SETUP-01", "FD-FARM-01"),
    act.Draw: _drawn, act.Deal: _constant("FD-COMP-05"), act.Place: _placed, act.Open: _placed,
    act.Aside: _set_aside, act.Object: _constant("FD-TILE-12"), act.Silent: _constant("FD-TILE-12"),
    act.Stop: _constant("FD-OPEN-02"), act.Farm: _farmed,
    act.NoFarm: _constant("FD-FARM-02", "FD-FARM-07"), act.Field: _field,
}  # fmt: skip


def effects(game: FjordsGame, position: Position, action: act.Action) -> tuple[Effect, ...]:
    """Return each clause at work with the facts of the step."""
    after = game.apply(position, action)
    named = _facts(game, position, action, after)
    return tuple(Effect(clause, named) for clause in dict.fromkeys(touched(game, position, action, after)))


def _facts(game: FjordsGame, position: Position, action: act.Action, after: Position) -> tuple[Fact, ...]:
    actor = game.actor(position)
    found = facts(seat=act.SEATS[actor] if actor >= 0 else "chance", pile=after.pile.bit_count())
    match action:
        case act.Place(tile, place, turn) | act.Open(tile, place, turn):
            facing = game.tables.facing(dict(position.spots)[place])
            found += facts(
                tile=game.tables.ids[tile], cell=cell_text(place), turn=turn,
                contacts=game.tables.contacts(facing), places=len(game.places(position, tile)),
            )  # fmt: skip
        case act.Aside():
            found += facts(tile=game.tables.ids[position.drawn], places=len(game.places(position, position.drawn)))
        case act.Farm(key) | act.Field(key):
            found += facts(segment=act.segment_text(key))
        case act.Deal(tile):
            found += facts(tile=game.tables.ids[tile])
    if after.phase == "land":
        found += facts(first=act.SEATS[after.first], next=act.SEATS[after.seat])
    if len(after.points) > len(position.points):
        won = rounds_won(after.points)
        found += facts(
            round=position.round, points_a=after.points[-1][0], points_b=after.points[-1][1],
            total_a=sum(p[0] for p in after.points), total_b=sum(p[1] for p in after.points),
            won_a=won[0], won_b=won[1],
        )  # fmt: skip
    return found

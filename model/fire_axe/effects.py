"""Which clauses are at work when a legal action is applied, and their worked facts.

``touched`` runs at every step of a measured playout: an ordinary step costs a few look-ups that end in constants.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Effect

from . import actions as act
from . import sagas, tasks, worked
from .ending import ended
from .pack import Attack
from .position import Position, bits

if TYPE_CHECKING:
    from .game import FireAxeGame

Ids = tuple[str, ...]


@cache
def _ids(text: str) -> Ids:
    return tuple(f"FA-{word}" for word in text.split())


def touched(game: FireAxeGame, position: Position, action: act.Action, after: Position) -> Ids:
    """Return the ids of the clauses whose condition was true in this step, automatic steps included."""
    own = _OWN[type(action)](game, position, action, after)
    if after.won != position.won or after.face & ~position.face != 0 or after.discarded != position.discarded:
        own += _sagas(game, position, action, after)
    if after.turn == position.turn and after.phase != "over" and after.phase != "window":
        return own
    return tuple(dict.fromkeys(own + _passed(game, position, action, after)))


def effects(game: FireAxeGame, position: Position, action: act.Action) -> tuple[Effect, ...]:
    """Return each clause at work with the facts of the step."""
    after = game.apply(position, action)
    named = worked.facts_of(game, position, action, after)
    return tuple(Effect(clause, named) for clause in touched(game, position, action, after))


# -- chance -------------------------------------------------------------------------------------------


_SETUP = "SETUP-01 SETUP-02 SETUP-04 SETUP-05 SETUP-10 SETUP-11 SETUP-14 SETUP-15 SETUP-18 ERA-01 TURN-02 CREW-01"


def _flip(game: FireAxeGame, p: Position, action: act.Flip, after: Position) -> Ids:
    if p.turn >= 0:
        return _ids("SAGA-09 SETUP-07")
    if p.unseen == game.tables.all_sagas:
        return _ids("SETUP-06 SETUP-07 SETUP-09 " + _SETUP)
    return _ids("SETUP-07 SETUP-09")


def _deal(game: FireAxeGame, p: Position, action: act.Deal, after: Position) -> Ids:
    if p.turn < 0:
        return _ids("SETUP-12 SETUP-16 DRAW-03") if not any(p.hands) else _ids("SETUP-16 DRAW-03")
    if p.played < 0:
        return _ids("DRAW-02 DRAW-03 DRAW-07") if after.pile != p.pile else _ids("DRAW-02 DRAW-03")
    return _ids("DRAW-03 DRAW-04")


def _die(game: FireAxeGame, p: Position, action: act.Die, after: Position) -> Ids:
    port = tasks.port_of(game, p)
    found = _ids("RAID-02 RAID-03") if p.goods[port] >= 0 else _ids("RAID-02")
    found += _ids("RAID-13") if p.attack else ()
    if after.phase == "treasure":
        return found + _ids("RAID-04 RAID-06")
    found += _ids("RAID-04 RAID-07") if sum(after.supply) != sum(p.supply) else _ids("RAID-04")
    found += _ids("RAID-10") if p.rolls == 3 else ()
    return found + _ids("RAID-11 END-02 END-03 LOSS-07") if after.places != p.places else found


def _treasure(game: FireAxeGame, p: Position, action: act.Treasure, after: Position) -> Ids:
    return _ids("RAID-05 SETUP-03")


def _dice(game: FireAxeGame, p: Position, action: act.Dice, after: Position) -> Ids:
    good, failed = tasks.dice_count(game, p, action.pips)
    found = _ids("SETTLE-11 SETTLE-12") if p.goods[tasks.port_of(game, p)] >= 0 else _ids("SETTLE-11")
    found += _ids("RAID-13") if p.attack else ()
    found += _ids("SETTLE-13") if failed else ()
    found += _ids("SETTLE-14") if good else ()
    if after.phase == "convert":
        return found + _ids("SETTLE-16")
    if after.settlers != p.settlers:
        return found + _built(after, p)
    return found + _ids("SETTLE-17 END-02 END-03 LOSS-07") if after.places != p.places else found


def _built(after: Position, p: Position) -> Ids:
    found = _ids("SETTLE-01 SETTLE-02 SETTLE-15")
    return found + _ids("SETTLE-17 END-02 END-03 LOSS-07") if after.places != p.places else found


# -- Actions --------------------------------------------------------------------------------------------

_LOADED = {era: f"ACT-01 ACT-02 ACT-03 LOAD-01 LOAD-02 LOAD-03 LOAD-04 LOAD-06 LOAD-{10 + era}" for era in (1, 2, 3)}


def _load(game: FireAxeGame, p: Position, action: act.Load, after: Position) -> Ids:
    return _ids(_LOADED[p.era] + " ERA-04") if p.era > 1 else _ids(_LOADED[1])


def _leave(game: FireAxeGame, p: Position, action: act.Leave, after: Position) -> Ids:
    return _ids("LOAD-05 LOAD-07 LOAD-08 LOAD-09 LOAD-10")


def _draw(game: FireAxeGame, p: Position, action: act.Draw, after: Position) -> Ids:
    return _ids("ACT-01 ACT-02 ACT-03 DRAW-01 DRAW-02 DRAW-04 DRAW-05")


def _sail(game: FireAxeGame, p: Position, action: act.Sail, after: Position) -> Ids:
    seat, first = p.turn, game.tables.first_port
    found = _ids("ACT-01 ACT-02 ACT-03 SAIL-01 SAIL-02 SAIL-03")
    port = action.place >= first
    if port:
        found += (
            _ids("SAIL-04 SAIL-07 SETTLE-04 SETTLE-05")
            if p.settlers[action.place - first] >= 0
            else _ids("SAIL-04 SAIL-07")
        )
    elif action.place in p.places:
        found += _ids("SAIL-06")
    found += _ids("SAIL-05") if p.places[seat] >= first else ()
    if p.free:
        return found
    return found + _weather(game, p, after, action.place, port)


def _weather(game: FireAxeGame, p: Position, after: Position, place: int, port: bool) -> Ids:
    found = _ids("COMP-15 WEA-01 WEA-04 WEA-05") + (_ids("WEA-02") if port else ())
    sailing = p.sailed + game.sail_days
    over = game.law.excess(sailing, game.tables.clear[p.dial][game.tables.zone[place]])
    if not over:
        return found
    due = game.law.skulls(over, game.pack.losses)
    found += _ids("LOSS-02 WEA-06")
    found += _ids("LOSS-03") if p.covered and due else ()
    return found + _ids("LOSS-04 LOSS-05") if due - p.covered > 1 else found


def _lose(game: FireAxeGame, p: Position, action: act.Lose, after: Position) -> Ids:
    found = _ids("LOSS-01 LOSS-06 WEA-06")
    return found + _ids("LOSS-07 LOSS-08 END-02 END-03") if after.places != p.places else found


# -- Tasks ----------------------------------------------------------------------------------------------

_TASK = "TASK-01 TASK-03 TASK-04 TASK-06"


def _task(game: FireAxeGame, p: Position) -> Ids:
    found = _ids(_TASK + " TASK-05") if p.tasked else _ids(_TASK)
    return found + _ids("ACT-05") if p.prep + p.sailed >= p.days else found


def _trade(game: FireAxeGame, p: Position, action: act.Trade, after: Position) -> Ids:
    port = tasks.port_of(game, p)
    found = _task(game, p) + _ids("TRADE-01 TRADE-02 TRADE-05 TRADE-06")
    found += _ids("TRADE-03 TRADE-04") if action.good == p.demand else ()
    found += _ids("TRADE-09") if p.towns >> port & 1 or p.settlers[port] >= 0 else ()
    if not game.tables.region[port]:
        return found + _ids("TRADE-08 COMP-03")
    return found + _ids("TRADE-07 COMP-02") if tasks.region_goods(game, p, port) else found


def _raid(game: FireAxeGame, p: Position, action: act.Raid, after: Position) -> Ids:
    if p.phase == "raid":
        return _ids("RAID-08") if p.rolls == 1 else _ids("RAID-09")
    return _task(game, p) + _ids("RAID-01 RAID-02")


def _settle(game: FireAxeGame, p: Position, action: act.Settle, after: Position) -> Ids:
    found = _task(game, p) + _ids("SETTLE-01 SETTLE-03 SETTLE-06 SETTLE-10 SETTLE-11")
    found += _ids("SETTLE-07") if game.tables.towns >> tasks.port_of(game, p) & 1 else ()
    return found + _ids("SETTLE-08") if game.tables.region[tasks.port_of(game, p)] else found + _ids("SETTLE-09")


def _convert(game: FireAxeGame, p: Position, action: act.Convert, after: Position) -> Ids:
    return _ids("SETTLE-16") + _built(after, p)


# -- other activities -----------------------------------------------------------------------------------


def _rune(p: Position, turn: int) -> Ids:
    found = _ids("OTHER-01 RUNE-02 RUNE-03 RUNE-05 WEA-07") if turn else _ids("OTHER-01 RUNE-02 RUNE-03")
    return found + _ids("ACT-05") if p.prep + p.sailed >= p.days else found


def _discard(game: FireAxeGame, p: Position, action: act.Discard, after: Position) -> Ids:
    found = _rune(p, action.turn) + _ids("DRAW-06 RUNE-06 RUNE-08")
    return found + _ids("DRAW-07") if after.pile & ~(1 << action.rune) != p.pile else found


def _play(game: FireAxeGame, p: Position, action: act.Play, after: Position) -> Ids:
    rune = game.tables.runes[action.rune]
    found = _rune(p, action.turn) + _ids("RUNE-01 RUNE-07 RUNE-08")
    found += _ids("RUNE-04") if action.turn else ()
    found += _ids("RUNE-09") if rune.moment != "free" or rune.where != "any" else ()
    found += _ids("RAID-13") if any(isinstance(effect, Attack) for effect in rune.effects) else ()
    found += _ids("TRADE-03") if after.demand != p.demand else ()
    return found + _ids("CREW-01") if sum(after.supply) > sum(p.supply) else found


def _winter(game: FireAxeGame, p: Position, action: act.Winter, after: Position) -> Ids:
    found = _ids("OTHER-01 WINT-01 WINT-02 WINT-03 END-01 END-04 CREW-01")
    return found + _ids("WINT-04 ACT-05") if p.prep + p.sailed >= p.days else found


def _constant(text: str) -> Callable[..., Ids]:
    ids = _ids(text)
    return lambda game, p, action, after: ids


_OWN: dict[type, Callable[..., Ids]] = {
    act.Flip: _flip, act.Deal: _deal, act.Die: _die, act.Dice: _dice, act.Treasure: _treasure,
    act.Drop: _constant("RUNE-06"), act.Load: _load, act.Unload: _constant("LOAD-07"), act.Leave: _leave,
    act.Draw: _draw, act.Sail: _sail, act.Lose: _lose, act.Trade: _trade, act.Raid: _raid,
    act.Stop: _constant("RAID-12"), act.Settle: _settle, act.Convert: _convert, act.Waive: _constant("SETTLE-16"),
    act.Discard: _discard, act.Play: _play, act.Winter: _winter, act.End: _constant("TURN-05 END-01 END-05"),
    act.Collect: _constant("SAGA-02"), act.Decline: _constant("SAGA-02"), act.Pass: _constant("OURS-WINDOW"),
}  # fmt: skip


# -- what a step settles by itself -------------------------------------------------------------------------

_GOAL = {"trade": "SAGA-03", "raid": "SAGA-04", "settle": "SAGA-05"}


def _sagas(game: FireAxeGame, p: Position, action: act.Action, after: Position) -> Ids:
    """Return the clauses of Sagas completed, turned up or discarded."""
    found: Ids = ()
    if after.won != p.won:
        won = sum(after.won) - sum(p.won)
        found += _ids("SAGA-02 SAGA-06 SAGA-07 SAGA-08 COMP-09")
        found += _ids(" ".join(sorted({_GOAL[game.tables.saga_task[saga]] for saga in bits(won)})))
    if not isinstance(action, act.Flip):
        return found
    if after.discarded != p.discarded:
        found += _ids("SAGA-10")
    else:
        found += _ids("SAGA-01 SAGA-11") if sagas.begun(game, p, action.saga) else _ids("SAGA-01")
    if after.era != p.era:
        found += _ids(f"ERA-0{after.era} ERA-04 TURN-02")
    if after.holder != p.holder:
        found += _ids("FINAL-01 FINAL-02 SETUP-08")
    return found


def _passed(game: FireAxeGame, p: Position, action: act.Action, after: Position) -> Ids:
    """Return the clauses of a turn's end, of the next one's beginning, and of the end of the game."""
    if after.phase == "window" and after.turn == p.turn:
        return _ids("OURS-WINDOW")
    found: Ids = ()
    if p.turn < 0 and after.turn >= 0:
        return _ids("SETUP-17 TURN-01")
    turn_over = after.ended != "sagas" and after.ended != "crew"
    if turn_over:
        found += _ids("END-07")
        found += _ids("END-06 CREW-01") if p.chart_crew or any(p.chart_goods) else ()
    if after.placed != p.placed:
        found += _ids("FINAL-03 FINAL-05")
    if after.phase == "over":
        return found + ended(game, after)
    found += _ids("END-08 TURN-01")
    return found + _ids("CREW-02") if (after.turn - p.turn) % game.players != 1 else found

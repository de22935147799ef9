"""The law of Fire & Axe clause by clause: which clauses an attempted action would break, with facts.

Everything here is worked out from the position and the pack, not from the tables and lists of the fast path, so
that a mistake in those shows as a disagreement.  Tasks and runes are judged in ``breaches_tasks``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Fact, facts

from . import actions as act
from . import breaches_tasks as tasks
from .actions import SEATS
from .judging import Scene

if TYPE_CHECKING:
    from .game import FireAxeGame
    from .position import Position


def breaches(game: FireAxeGame, position: Position, action: act.Action, by: int | None) -> tuple[Breach, ...]:
    """Return each broken clause; empty exactly for a legal action of the right actor."""
    actor = game.actor(position)
    who = actor if by is None else by
    told = _told(game, position, action, who, actor)
    if actor == OVER:
        return (Breach("FA-FINAL-08", told),)
    if who != actor:
        return tuple(Breach(clause, told) for clause in _wrong_player(position, action, who, actor))
    if position.phase not in _PHASES[type(action)]:
        return tuple(Breach(clause, told) for clause in _wrong_moment(actor, position, action))
    scene = Scene(game, position)
    found = dict.fromkeys(_CHECKS[type(action)](scene, action))
    return tuple(Breach(clause, told + tasks.facts_of(scene, action)) for clause in found)


def _name(seat: int) -> str:
    return {CHANCE: "chance", OVER: "nobody"}.get(seat) or SEATS[seat]


def _told(game: FireAxeGame, position: Position, action: act.Action, by: int, actor: int) -> tuple[Fact, ...]:
    return facts(by=_name(by), turn=_name(actor), action=game.text(action), phase=position.phase)


def _wrong_player(position: Position, action: act.Action, by: int, actor: int) -> Iterator[str]:
    """Judge an attempt by somebody who is not to act."""
    if CHANCE in (actor, by):
        yield "FA-OURS-CHANCE"
        return
    yield "FA-OURS-WINDOW" if position.phase == "window" else "FA-TURN-01"
    if isinstance(action, (act.Discard, act.Play)):
        yield "FA-TURN-04"
    elif isinstance(action, act.Winter):
        yield "FA-WINT-01"
    elif isinstance(action, act.Collect):
        yield "FA-SAGA-02"


_ONLY = {
    act.Stop: "FA-RAID-12", act.Convert: "FA-SETTLE-15", act.Waive: "FA-SETTLE-16", act.Lose: "FA-WEA-05",
    act.Decline: "FA-SAGA-02", act.Pass: "FA-OURS-WINDOW",
}  # fmt: skip
"""Actions that belong to one moment, and the clause that says which."""


def _wrong_moment(actor: int, position: Position, action: act.Action) -> Iterator[str]:
    """Judge an action that is not possible in this phase at all."""
    if isinstance(action, act.OUTCOMES) or actor == CHANCE:
        yield "FA-OURS-CHANCE"
        return
    if type(action) in _ONLY:
        yield _ONLY[type(action)]
    if position.phase == "loss":
        yield "FA-WEA-06"
    elif position.phase == "window":
        yield "FA-OURS-WINDOW"
    elif position.phase != "main":
        yield "FA-OURS-ORDER"


# -- chance ---------------------------------------------------------------------------------------------


def _flip(s: Scene, action: act.Flip) -> Iterator[str]:
    era = s.law.next_era(s.p.left)
    if not s.p.unseen >> action.saga & 1:
        yield "FA-OURS-CHANCE"
    elif s.pack.sagas[action.saga].era != era + 1:
        yield "FA-SETUP-07"


def _chance(possible: bool) -> Iterator[str]:
    if not possible:
        yield "FA-OURS-CHANCE"


def _deal(s: Scene, action: act.Deal) -> Iterator[str]:
    yield from _chance(s.p.deck >> action.rune & 1 == 1)


def _die(s: Scene, action: act.Die) -> Iterator[str]:
    yield from _chance(1 <= action.pips <= s.pack.die)


def _dice(s: Scene, action: act.Dice) -> Iterator[str]:
    yield from _chance(len(action.pips) == s.p.dice and all(1 <= roll <= s.pack.die for roll in action.pips))


def _treasure(s: Scene, action: act.Treasure) -> Iterator[str]:
    large = s.port is not None and s.port.town == "large"
    yield from _chance(action.value in (s.p.large if large else s.p.small))


def _drop(s: Scene, action: act.Drop) -> Iterator[str]:
    yield from _chance(s.p.hands[s.p.victim] >> action.rune & 1 == 1)


# -- Actions ---------------------------------------------------------------------------------------------


def _days(s: Scene) -> Iterator[str]:
    """Judge whether a Day is left for an Action."""
    if not s.law.may_act(s.spent, s.p.days):
        yield from ("FA-ACT-02", "FA-ACT-04")


def _load(s: Scene, action: act.Load) -> Iterator[str]:
    if not s.law.may_load(s.wintering):
        yield "FA-LOAD-01"
    yield from _days(s)
    if s.slots <= 0:
        yield f"FA-LOAD-{10 + s.p.era}"
    count = s.p.supply[s.seat] if action.item < 0 else s.p.stock[action.item]
    if not s.law.in_stock(count):
        yield "FA-LOAD-04"
    left = s.p.days - s.spent - s.law.days_to_load()
    trap = s.ruling("R_LOAD_TRAP")
    fits = action.item < 0 or not s.wintering or s.slots <= 0
    if not fits and not s.law.may_load_good(s.crew, s.slots - 1, left, trap):
        yield "FA-LOAD-07"


def _unload(s: Scene, action: act.Unload) -> Iterator[str]:
    if s.ruling("R_LOAD_TRAP") != "jettison":
        yield "FA-TURN-04"
        return
    if not s.wintering:
        yield "FA-LOAD-01"
    if not s.p.cargo[s.seat][action.good] or not s.trapped:
        yield "FA-LOAD-07"


def _leave(s: Scene, action: act.Leave) -> Iterator[str]:
    homes = tuple(range(1, 1 + len(s.pack.homelands)))
    if not s.wintering or action.place not in s.law.homes_to_leave_for(homes):
        yield "FA-LOAD-08"
    if not s.wintering:
        return
    if s.spent + s.law.days_to_leave() > s.p.days:
        yield "FA-LOAD-09"
    loadable = s.slots > 0 and s.spent < s.p.days and (s.p.supply[s.seat] > 0 or any(s.p.stock))
    zero = s.ruling("R_ZERO_LOAD")
    if not s.law.may_leave(s.crew, s.items, s.p.prep, s.slots, loadable, zero):
        if s.crew:
            yield "FA-LOAD-08" if zero == "one_load" else "FA-LOAD-05"
        else:
            yield from ("FA-LOAD-07", "FA-LOSS-07")


def _draw(s: Scene, action: act.Draw) -> Iterator[str]:
    if not s.law.may_draw(s.at_home):
        yield "FA-DRAW-01"
    yield from _days(s)
    if s.p.hands[s.seat].bit_count() >= s.law.hand_limit():
        yield from ("FA-DRAW-04", "FA-DRAW-05")
    if not s.p.deck:
        yield "FA-DRAW-02"


def _sail(s: Scene, action: act.Sail) -> Iterator[str]:
    both = s.port is not None and s.port_at(action.place) is not None
    if s.wintering:
        yield "FA-LOAD-10"
    elif action.place == 0 or action.place == s.place:
        yield "FA-SAIL-03" if action.place == 0 else "FA-SAIL-01"
    elif not s.law.reaches(s.adjacent(action.place), both, s.ruling("R_PORT_EDGES")):
        yield "FA-SAIL-05" if both and s.adjacent(action.place) else "FA-SAIL-01"
    if not s.p.free:
        yield from _days(s)
    others = sum(1 for seat, place in enumerate(s.p.places) if place == action.place and seat != s.seat)
    if not s.law.may_enter(s.port_at(action.place) is not None, others):
        yield "FA-SAIL-07" if s.port_at(action.place) is not None else "FA-SAIL-06"


def _lose(s: Scene, action: act.Lose) -> Iterator[str]:
    aboard = s.crew if action.item < 0 else s.p.cargo[s.seat][action.item]
    if not aboard:
        yield "FA-LOSS-01"
    elif not s.law.may_lose(s.crew, s.p.cargo[s.seat])[action.item + 1]:
        yield "FA-LOSS-06"


# -- ending the turn ---------------------------------------------------------------------------------------


def _winter(s: Scene, action: act.Winter) -> Iterator[str]:
    if s.p.phase == "loss" and not s.law.may_interrupt("winter", s.ruling("R_LOSS_TIMING")):
        yield "FA-WEA-06"
    if not s.law.may_winter(s.crew):
        yield "FA-WINT-01"
    if not s.law.winters_from(s.wintering, s.port is not None):
        yield "FA-WINT-03"
    if s.wintering and s.ruling("R_WINTER_IN_WZ") == "forbidden":
        yield "FA-WINT-01"
    if not s.law.winters_after(s.spent, s.p.days):
        yield "FA-WINT-04"
    if not s.law.may_go_on(s.spent, s.p.days):
        yield "FA-ACT-05"


def _end(s: Scene, action: act.End) -> Iterator[str]:
    if not s.law.may_end():
        yield "FA-END-05"
    trap = s.ruling("R_LOAD_TRAP")
    if s.wintering and not s.law.may_end_wintering(s.crew, s.items, s.trapped, s.ruling("R_WZ_END"), trap):
        yield "FA-LOAD-08"
        if not s.crew:
            yield "FA-LOAD-07"


def _fine(s: Scene, action: act.Action) -> Iterator[str]:
    """Return nothing: in its phase this is always possible."""
    return iter(())


_MAIN, _RUNES = frozenset({"main"}), frozenset({"main", "raid", "loss", "window"})
_PHASES: dict[type, frozenset[str]] = {
    act.Flip: frozenset({"flip"}), act.Deal: frozenset({"deal"}), act.Die: frozenset({"die"}),
    act.Dice: frozenset({"dice"}), act.Treasure: frozenset({"treasure"}), act.Drop: frozenset({"drop"}),
    act.Load: _MAIN, act.Unload: _MAIN, act.Leave: _MAIN, act.Draw: _MAIN, act.Sail: _MAIN,
    act.Lose: frozenset({"loss"}), act.Trade: _MAIN, act.Raid: frozenset({"main", "raid"}),
    act.Stop: frozenset({"raid"}), act.Settle: _MAIN, act.Convert: frozenset({"convert"}),
    act.Waive: frozenset({"convert"}), act.Discard: _RUNES, act.Play: _RUNES,
    act.Winter: frozenset({"main", "loss"}), act.End: _MAIN, act.Collect: frozenset({"main", "collect"}),
    act.Decline: frozenset({"collect"}), act.Pass: frozenset({"window"}),
}  # fmt: skip
_CHECKS: dict[type, Callable[..., Iterator[str]]] = {
    act.Flip: _flip, act.Deal: _deal, act.Die: _die, act.Dice: _dice, act.Treasure: _treasure, act.Drop: _drop,
    act.Load: _load, act.Unload: _unload, act.Leave: _leave, act.Draw: _draw, act.Sail: _sail, act.Lose: _lose,
    act.Trade: tasks.trade, act.Raid: tasks.raid, act.Stop: tasks.stop, act.Settle: tasks.settle,
    act.Convert: _fine, act.Waive: _fine, act.Discard: tasks.discard, act.Play: tasks.play, act.Winter: _winter,
    act.End: _end, act.Collect: tasks.collect, act.Decline: _fine, act.Pass: _fine,
}  # fmt: skip

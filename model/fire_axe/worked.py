"""Worked facts of a step: what its effects are put into words with (see the head of ``clauses.yaml``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Fact, facts

from . import actions as act
from . import scoring, tasks, voyage
from .actions import SEATS
from .breaches_tasks import item_name
from .pack import GOODS
from .position import Position, bits

if TYPE_CHECKING:
    from .game import FireAxeGame


def facts_of(game: FireAxeGame, position: Position, action: act.Action, after: Position) -> tuple[Fact, ...]:
    """Return the facts of a legal action that leads to *after*, and of all it settles."""
    actor = game.actor(position)
    found = facts(seat=SEATS[actor] if actor >= 0 else "chance", action=game.text(action))
    return found + _own(game, position, action, after) + _settled(game, position, after)


def _own(game: FireAxeGame, p: Position, action: act.Action, after: Position) -> tuple[Fact, ...]:
    seat, names = p.turn, game.tables.names
    match action:
        case act.Load(item):
            return facts(what=item_name(item), aboard=p.crew[seat] + sum(p.cargo[seat]))
        case act.Unload(good):
            return facts(what=GOODS[good], aboard=p.crew[seat] + sum(p.cargo[seat]))
        case act.Leave(place):
            return facts(to=names.places[place])
        case act.Draw():
            return facts(hand=p.hands[seat].bit_count())
        case act.Deal():
            return facts(hand=p.hands[p.seat].bit_count())
        case act.Drop(rune):
            return facts(card=names.runes[rune], hand=p.hands[p.victim].bit_count())
        case act.Sail(place):
            return _sail(game, p, place)
        case act.Lose(item):
            return facts(what=item_name(item), covered=p.covered, due=voyage.losses_due(game, p))
        case act.Trade(good):
            port = tasks.port_of(game, p)
            paid = tasks.trade_pays(game, p, port, good)
            return facts(port=_port(game, p), good=GOODS[good], value=game.tables.value[port], paid=paid)
        case act.Die(pips):
            return _attack(game, p, after, (pips,), False)
        case act.Dice(pips_):
            return _attack(game, p, after, pips_, True)
        case act.Treasure(value):
            return facts(port=_port(game, p), paid=game.law.treasure_paid(value, p.doubled))
        case act.Raid() | act.Stop():
            return facts(port=_port(game, p), rolls=p.rolls, crew=p.crew[seat])
        case act.Settle(dice):
            return facts(port=_port(game, p), dice=dice, crew=p.crew[seat])
        case act.Convert() | act.Waive():
            return facts(port=_port(game, p), crew=p.crew[seat])
        case act.Discard(rune) | act.Play(rune):
            return facts(card=names.runes[rune], dial=game.tables.zones[after.dial])
        case act.Flip(saga):
            return facts(saga=names.sagas[saga], era=game.tables.saga_era[saga])
        case act.Winter() | act.End():
            return facts(place=names.places[p.places[seat]])
    return ()


def _port(game: FireAxeGame, p: Position) -> str:
    return game.tables.names.places[p.places[p.turn]]


def _sail(game: FireAxeGame, p: Position, place: int) -> tuple[Fact, ...]:
    zone = game.tables.zone[place]
    clear = game.tables.clear[p.dial][zone]
    sailing = p.sailed + (0 if p.free else game.sail_days)
    over = 0 if p.free else game.law.excess(sailing, clear)
    due = game.law.skulls(over, game.pack.losses) if over else 0
    return facts(
        to=game.tables.names.places[place], zone=game.tables.zones[zone], clear=clear, sailing=sailing, excess=over,
        losses=max(0, due - p.covered),
    )  # fmt: skip


def _attack(game: FireAxeGame, p: Position, after: Position, pips: tuple[int, ...], settling: bool) -> tuple[Fact, ...]:
    port = tasks.port_of(game, p)
    value = tasks.value_here(game, p, port, settling)
    lost = after.supply[p.turn] - p.supply[p.turn]
    return facts(
        port=_port(game, p), value=value, rolled=tuple(roll + p.attack for roll in pips), lost=lost,
        crew=p.crew[p.turn],
    )  # fmt: skip


def _settled(game: FireAxeGame, p: Position, after: Position) -> tuple[Fact, ...]:
    """Return the facts of Sagas completed and of the game's end."""
    found: tuple[Fact, ...] = ()
    if after.won != p.won:
        done = bits(sum(after.won) - sum(p.won))
        found += facts(
            sagas=tuple(game.tables.names.sagas[saga] for saga in done),
            saga_paid=sum(game.tables.saga_vp[saga] for saga in done),
        )
    if after.phase != "over":
        return found
    result = game.result(after)
    sets = scoring.saga_sets(game, after)
    return found + facts(
        scores=tuple(f"{SEATS[seat]} {score}" for seat, score in enumerate(result.scores)),
        axe=tuple(f"{SEATS[seat]} {count}" for seat, count in enumerate(after.axes)),
        settlements=tuple(f"{SEATS[n]} {paid}" for n, paid in enumerate(scoring.settlement_points(game, after))),
        saga_sets=tuple(
            f"{home.id}: " + ", ".join(f"{SEATS[n]} {paid}" for n, paid in enumerate(points))
            for home, points in zip(game.pack.homelands, sets, strict=True)
        ),
    )

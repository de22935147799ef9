"""The game of Fire & Axe: the contract's methods over the position, calling the law for every rule.

``turns`` has setup and the order of turns, ``voyage`` the Actions and the weather, ``tasks`` the Tasks,
``sagas`` the Sagas, ``runes`` the runes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from lawspeaker.model.core.clauses import Catalogue
from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Effect, Game, Result
from lawspeaker.model.core.law import Law
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.rulings import Rulings

from . import actions as act
from . import alphabet, breaches, effects, invariants, policy, runes, sagas, scoring, symmetry, turns, views, voyage
from . import tasks as in_port
from . import worlds as other_worlds
from .actions import SEATS, Action
from .pack import GOODS_EACH, FireAxePack
from .position import CHANCE_PHASES, FIELDS, Position, bits, from_record, to_record
from .tables import Tables


@cache
def even(count: int) -> tuple[Fraction, ...]:
    """Return equal probabilities for so many outcomes."""
    return (Fraction(1, count),) * count


class FireAxeGame(Game[Position, Action]):
    """Fire & Axe for two to five, under a pack, a complete choice of rulings, and a law."""

    id = "fire_axe"
    pack: FireAxePack
    fields = FIELDS
    invariants = invariants.IDS

    def __init__(self, catalogue: Catalogue, pack: FireAxePack, rulings: Rulings, law: Law, players: int) -> None:
        self.catalogue, self.pack, self.rulings, self.law = catalogue, pack, rulings, law
        self.players, self.seats = players, SEATS[:players]
        self.tables = Tables(pack, rulings, law, players)
        self.goods_each, self.crew_each = GOODS_EACH, int(law.crew_each())
        self.days, self.load_days = int(law.days_of_turn()), int(law.days_to_load())
        self.sail_days, self.task_days = int(law.days_to_sail()), int(law.days_to_task())
        self._read_rulings(rulings)
        self.asks_everywhere = law.may_trade is not law.rules["may_trade"].function
        self.discards = tuple(tuple(act.Discard(n, turn) for turn in law.dial_turns()) for n in range(len(pack.runes)))
        """By rune: the ways to discard it."""
        self._plays: dict[tuple[int, int, int], tuple[Action, ...]] = {}
        self._texts: dict[Action, str] = {}
        self._options: dict[str, Callable[[Position], tuple[Action, ...]]] = {
            "flip": lambda p: tuple([self.tables.flips[saga] for saga in bits(self.next_sagas(p))]),
            "deal": lambda p: tuple([self.tables.deals[rune] for rune in bits(p.deck)]),
            "drop": lambda p: tuple([self.tables.drops[rune] for rune in bits(p.hands[p.victim])]),
            "die": lambda p: self.tables.dies, "dice": lambda p: self.tables.dice(p.dice)[0],
            "treasure": lambda p: tuple([act.Treasure(value) for value in sorted(set(self.treasures(p)))]),
            "main": self._legal_main, "raid": self._legal_raid, "loss": self._legal_loss,
            "convert": lambda p: (act.CONVERT, act.WAIVE),
            "collect": lambda p: (*[self.tables.collects[saga] for saga in bits(p.offer)], act.DECLINE),
            "window": lambda p: (*self.rune_uses(p, p.seat), act.PASS), "over": lambda p: (),
        }  # fmt: skip
        self._moves: dict[type, Callable[[Position, Any], Position]] = {
            act.Flip: self.flip, act.Deal: self.deal, act.Die: self.die, act.Dice: self.throw,
            act.Treasure: self.treasure, act.Drop: self.drop, act.Load: self.load, act.Unload: self.unload,
            act.Leave: self.leave, act.Draw: self.draw, act.Sail: self.sail, act.Lose: self.lose,
            act.Trade: self.trade, act.Raid: self.raid, act.Stop: self.stop, act.Settle: self.settle,
            act.Convert: self.convert, act.Waive: self.waive, act.Discard: self.discard, act.Play: self.play,
            act.Winter: self.winter, act.End: lambda p, a: self.end_turn(p), act.Collect: self.collect_saga,
            act.Decline: self.decline, act.Pass: self.pass_,
        }  # fmt: skip

    def _read_rulings(self, rulings: Rulings) -> None:
        self.trap, self.wz_end, self.zero_load = rulings["R_LOAD_TRAP"], rulings["R_WZ_END"], rulings["R_ZERO_LOAD"]
        self.winter_there, self.slots_ruling = rulings["R_WINTER_IN_WZ"] == "allowed", rulings["R_SLOTS"]
        timing, law = rulings["R_LOSS_TIMING"], self.law
        self.interrupts, self.winter_interrupts = law.may_interrupt("rune", timing), law.may_interrupt("winter", timing)
        self.limbo, self.floor = rulings["R_LIMBO"] == "limbo", rulings["R_FLOOR"]
        self.trade_value, self.demand_ruling = rulings["R_TRADE_VALUE"], rulings["R_DEMAND_TOKEN"]
        self.third, self.between = rulings["R_RAID_THIRD"], rulings["R_RAID_RUNE"] == "between"
        self.waive_ruling, self.windows = rulings["R_WAIVE"], self.law.on_other_turns(rulings["R_RUNE_TURN"])
        self.collect, self.last_discarded = rulings["R_COLLECT"], rulings["R_LAST_DISCARDED"]
        self.era_on_discard, self.third_ends = rulings["R_ERA_ON_DISCARD"], rulings["R_THIRD_TOKEN"] == "at_placement"

    def varied(
        self, *, pack: Pack | None = None, rulings: Rulings | None = None, law: Law | None = None
    ) -> FireAxeGame:
        """Return the same game with another pack, choice of rulings, or law."""
        box = self.pack if pack is None else pack
        assert isinstance(box, FireAxePack)
        return type(self)(
            self.catalogue, box, self.rulings if rulings is None else rulings, law or self.law, self.players
        )

    def recast(self, kind: type[Any]) -> FireAxeGame:
        """Return the same game as an object of another class."""
        made: FireAxeGame = kind(self.catalogue, self.pack, self.rulings, self.law, self.players)
        return made

    # -- play ---------------------------------------------------------------------------------

    def start(self) -> Position:
        """Return the table as it is set up, before a Saga is turned up (FA-SETUP-01 to 18)."""
        return turns.start(self)

    def actor(self, position: Position) -> int:
        """Return who decides next: the seat of the position, chance, or over."""
        if position.phase in CHANCE_PHASES:
            return CHANCE
        return OVER if position.phase == "over" else position.seat

    def legal(self, position: Position) -> tuple[Action, ...]:
        """Return all legal actions, sorted by kind and number."""
        return self._options[position.phase](position)

    def odds(self, position: Position) -> tuple[Fraction, ...]:
        """Return the probabilities of what chance brings: shuffled cards, hidden treasures, dice."""
        if position.phase == "dice":
            return self.tables.dice(position.dice)[1]
        if position.phase == "treasure":
            hidden = self.treasures(position)
            return tuple(Fraction(hidden.count(value), len(hidden)) for value in sorted(set(hidden)))
        return even(len(self.legal(position)))

    def apply(self, position: Position, action: Action) -> Position:
        """Return the position after a legal action, automatic steps included."""
        return self._moves[type(action)](position, action)

    def plays(self, card: int, target: int, good: int) -> tuple[Action, ...]:
        """Return the ways to play a rune on a seat and with a good: with each turn of the dial (FA-RUNE-03)."""
        found = self._plays.get((card, target, good))
        if found is None:
            found = tuple(act.Play(card, turn, target, good) for turn in self.law.dial_turns())
            self._plays[card, target, good] = found
        return found

    def _legal_main(self, position: Position) -> tuple[Action, ...]:
        found = self.loads(position)
        found += self.leaves(position)
        if self.may_draw(position):
            found.append(act.DRAW)
        found += self.sails(position)
        found += self.tasks(position)
        found += self.collects(position)
        found += self.rune_uses(position, position.seat)
        if self.may_winter(position):
            found.append(act.WINTER)
        if self.may_end(position):
            found.append(act.END)
        return tuple(found)

    def _legal_raid(self, position: Position) -> tuple[Action, ...]:
        return (*self.raid_goes_on(position), *self.rune_uses(position, position.seat))

    def _legal_loss(self, position: Position) -> tuple[Action, ...]:
        found = [*self.lossy(position), *self.rune_uses(position, position.seat)]
        if self.winter_interrupts and self.may_winter(position):
            found.append(act.WINTER)
        return tuple(found)

    # -- what the rules say: functions told elsewhere, methods so that a variant can change one ---------------

    deal_runes, begin_turn, end_turn, wreck, open_window, pass_ = (
        turns.deal_runes, turns.begin, turns.end, turns.wreck, turns.open_window, turns.do_pass
    )  # fmt: skip
    loads, leaves, may_draw, sails, lossy = voyage.loads, voyage.leaves, voyage.may_draw, voyage.sails, voyage.lossy
    may_winter, may_end = voyage.may_winter, voyage.may_end
    load, unload, leave, draw, sail = voyage.load, voyage.unload, voyage.leave, voyage.draw, voyage.sail
    lose, winter, losses_due = voyage.lose, voyage.winter, voyage.losses_due
    tasks, raid_goes_on, treasures = in_port.tasks, in_port.raid_goes_on, in_port.treasures
    trade, raid, stop, die, treasure = in_port.trade, in_port.raid, in_port.stop, in_port.die, in_port.treasure
    settle, throw, convert, waive = in_port.settle, in_port.dice, in_port.convert, in_port.waive
    completing, refill, flip, settled = sagas.completing, sagas.refill, sagas.flip, sagas.settled
    next_sagas, collects, collect_saga, decline = sagas.next_sagas, sagas.collects, sagas.collect, sagas.decline
    rune_uses, discard, play, deal, drop = runes.uses, runes.discard, runes.play, runes.deal, runes.drop

    # -- the rest of the contract, told elsewhere ----------------------------------------------

    def breaches(self, position: Position, action: Action, by: int | None = None) -> tuple[Breach, ...]:
        """Return each clause the action would break; empty exactly for legal actions."""
        return breaches.breaches(self, position, action, by)

    def effects(self, position: Position, action: Action) -> tuple[Effect, ...]:
        """Return the clauses at work in a legal action, with their worked facts."""
        return effects.effects(self, position, action)

    def touched(self, position: Position, action: Action, after: Position) -> tuple[str, ...]:
        """Return the ids of ``effects``, fast."""
        return effects.touched(self, position, action, after)

    def alphabet(self, position: Position) -> Iterable[Action]:
        """Yield every action somebody could try."""
        return alphabet.alphabet(self, position)

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Return what the seat may see: its own runes, of the others' numbers only (FA-DRAW-03)."""
        return views.observe(self, position, seat)

    def sees(self, position: Position, action: Action) -> tuple[int, ...]:
        """Return who learns the action: a rune drawn is known to its owner alone (FA-DRAW-03)."""
        return views.sees(self, position, action)

    def worlds(self, position: Position, seat: int, random: Random) -> Position:
        """Return the position with everything drawn anew that the seat does not see."""
        return other_worlds.another(self, position, seat, random)

    def permuted(self, position: Position, order: Sequence[int]) -> Position | None:
        """Return the position with the seats moved on around the table; None for any other order, and in setup."""
        return symmetry.permuted(position, order)

    def permuted_action(self, action: Action, order: Sequence[int]) -> Action:
        """Return the action with the seat that it names moved as well."""
        return symmetry.permuted_action(action, order)

    def result(self, position: Position) -> Result:
        """Return scores with their breakdown, and the winners once the game is over."""
        return scoring.result(self, position)

    def appeal(self, view: Mapping[str, Any], actions: Sequence[Action]) -> Sequence[float]:
        """Return how good each action looks from a view."""
        return policy.appeal(self, view, actions)

    def text(self, action: Action) -> str:
        """Return the action's canonical text."""
        known = self._texts.get(action)
        if known is None:
            known = self._texts[action] = act.text(action, self.tables.names)
        return known

    def parse(self, text: str) -> Action:
        """Read an action's canonical text; raises BadInput."""
        return act.parse(text, self.tables.names)

    def kind(self, action: Action) -> str:
        """Return the action's kind."""
        return act.kind(action)

    def record(self, position: Position) -> dict[str, Any]:
        """Return the position as plain JSON values."""
        return to_record(position, self.tables.names, self.tables.first_port, self.tables.zones)

    def position(self, record: Mapping[str, Any]) -> Position:
        """Read a record; raises BadInput with the path of a malformed field."""
        return from_record(record, self.tables.names, self.tables.first_port, self.tables.zones, self.players)

    def broken_invariants(self, position: Position) -> tuple[Breach, ...]:
        """Return the invariants this position breaks; empty for a valid one."""
        return invariants.broken(self, position)

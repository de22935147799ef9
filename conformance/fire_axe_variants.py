"""Faulty variants of Fire & Axe made by hand: turns, voyages and Tasks.

Each class plays the game but for one thing, which its docstring tells.  ``fire_axe_endings`` has runes, Sagas
and the end, ``fire_axe_answers`` what a seat is shown and what answers for the game.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from lawspeaker.model.fire_axe import actions as act
from lawspeaker.model.fire_axe.actions import Action
from lawspeaker.model.fire_axe.game import FireAxeGame
from lawspeaker.model.fire_axe.position import WINTERING, Ints, Position, put
from lawspeaker.model.fire_axe.tables import Tables
from lawspeaker.model.fire_axe.turns import NONE
from lawspeaker.model.fire_axe.voyage import excess


def less(one: Ints, other: Ints) -> Ints:
    """Return the differences of two amounts of goods."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


# -- what is offered ----------------------------------------------------------------------------------


class Canary(FireAxeGame):
    """The canary: the last legal action is never offered.  It must be caught in every run."""

    def legal(self, position: Position) -> tuple[Action, ...]:
        """Leave out the last of several."""
        right = super().legal(position)
        return right[:-1] if len(right) > 1 else right


class LoadsAtHome(FireAxeGame):
    """A ship in a Homeland may load crew as well."""

    def loads(self, position: Position) -> list[Action]:
        """Offer it there."""
        if not self.tables.is_home(position.places[position.turn]):
            return super().loads(position)
        there = replace(position, places=put(position.places, position.turn, WINTERING))
        return [action for action in super().loads(there) if isinstance(action, act.Load) and action.item < 0]


class NoDrawAfterSail(FireAxeGame):
    """Whoever has sailed this turn may draw no rune any more."""

    def may_draw(self, position: Position) -> bool:
        """Look at the Sailing slider."""
        return super().may_draw(position) and not position.sailed


class LeavesFullOnly(FireAxeGame):
    """A ship with one crewmember and a free slot does not leave the Wintering Zone before a second item is loaded."""

    def leaves(self, position: Position) -> tuple[Action, ...]:
        """Wait for it while there are Days."""
        seat = position.turn
        alone = position.crew[seat] == 1 and position.cargo[seat] == NONE and position.prep < 3
        return () if alone else super().leaves(position)


class MostDiceOnly(FireAxeGame):
    """A settler always rolls as many dice as he may, where these are three."""

    def tasks(self, position: Position) -> list[Action]:
        """Leave out smaller throws."""
        right = super().tasks(position)
        throws = [a for a in right if isinstance(a, act.Settle)]
        return [a for a in right if a not in throws[:-1]] if len(throws) == 3 else right


class GoodsLostFirst(FireAxeGame):
    """Crew may be lost only when no goods are aboard."""

    def lossy(self, position: Position) -> list[Action]:
        """Spare crew."""
        right = super().lossy(position)
        return [a for a in right if isinstance(a, act.Lose) and a.item >= 0] or right


class SecondTaskAfterRaid(FireAxeGame):
    """After a raid that took the town another Task may follow in the same port."""

    def treasure(self, position: Position, action: act.Treasure) -> Position:
        """Forget that a Task was tried there."""
        after = super().treasure(position, action)
        if after.phase != "main" or after.turn != position.turn:
            return after
        port = position.places[position.turn] - self.tables.first_port
        return replace(after, tasked=after.tasked & ~(1 << port))


class WintersOverLosses(FireAxeGame):
    """A ship with three crew or more may winter while losses are due."""

    def _legal_loss(self, position: Position) -> tuple[Action, ...]:
        right = super()._legal_loss(position)
        return (*right, act.WINTER) if position.crew[position.turn] > 2 and act.WINTER not in right else right


class SailsOnFreely(FireAxeGame):
    """From port to water a ship may still sail when all Days are used."""

    def sails(self, position: Position) -> list[Action]:
        """Lend a Day there."""
        late = position.prep + position.sailed == position.days and position.places[position.turn] != WINTERING
        if not late or position.places[position.turn] < self.tables.first_port:
            return super().sails(position)
        return super().sails(replace(position, days=position.days + 1))


# -- what stays from turn to turn -----------------------------------------------------------------------


class _Stays(FireAxeGame):
    field = ""

    def end_turn(self, position: Position) -> Position:
        """Keep a field that begins anew each turn."""
        after = super().end_turn(position)
        return after if after.phase == "over" else replace(after, **{self.field: getattr(position, self.field)})


class TasksStay(_Stays):
    """The ports in which a Task was tried are still closed in the next player's turn."""

    field = "tasked"


class DaysStay(_Stays):
    """Extra Days are there in the next player's turn too."""

    field = "days"


class CoveredStays(_Stays):
    """Skulls covered in one turn are covered in the next."""

    field = "covered"


class SpareStays(_Stays):
    """Crew may still be spared after the turn."""

    field = "spare"


class ShelterStays(_Stays):
    """Shelter that was not needed stays for the next turn."""

    field = "shelter"


class AttackStays(FireAxeGame):
    """What a rune adds to an attack is added to all attacks of the turn."""

    def throw(self, position: Position, action: act.Dice) -> Position:
        """Keep it after settling."""
        return self._kept(position, super().throw(position, action))

    def treasure(self, position: Position, action: act.Treasure) -> Position:
        """Keep it after a raid."""
        return self._kept(position, super().treasure(position, action))

    def die(self, position: Position, action: act.Die) -> Position:
        """Keep it while the treasure is revealed."""
        return self._kept(position, super().die(position, action))

    def _kept(self, position: Position, after: Position) -> Position:
        return replace(after, attack=position.attack) if after.turn == position.turn and position.attack else after


class DoubledStays(FireAxeGame):
    """A rune that doubles a treasure doubles all of the turn."""

    def treasure(self, position: Position, action: act.Treasure) -> Position:
        """Keep it."""
        after = super().treasure(position, action)
        return replace(after, doubled=position.doubled) if after.turn == position.turn else after


# -- supply -----------------------------------------------------------------------------------------------


class WinteredGoodsLost(FireAxeGame):
    """The goods of a ship that winters are out of the game."""

    def winter(self, position: Position, action: act.Winter) -> Position:
        """Return none of them."""
        after = super().winter(position, action)
        return replace(after, stock=less(after.stock, position.cargo[position.turn]))


class WreckedCrewLost(FireAxeGame):
    """Crew lost in a raid that fails does not come back to the supply if none is left aboard."""

    def die(self, position: Position, action: act.Die) -> Position:
        """Lose the last one for good."""
        after, seat = super().die(position, action), position.turn
        if position.crew[seat] != 1 or after.places == position.places:
            return after
        return replace(after, supply=put(after.supply, seat, after.supply[seat] - 1))


class ChartToNext(FireAxeGame):
    """Crew on the Losses chart goes to the supply of the player to the left."""

    def end_turn(self, position: Position) -> Position:
        """Give it to somebody else."""
        after, seat = super().end_turn(position), position.turn
        other = (seat + 1) % self.players
        supply = put(after.supply, seat, after.supply[seat] - position.chart_crew)
        return replace(after, supply=put(supply, other, supply[other] + position.chart_crew))


class GoodsOfWreckKept(FireAxeGame):
    """A ship that loses its last crewmember to the weather keeps its goods."""

    def wreck(self, position: Position) -> Position:
        """Bring them to the Wintering Zone."""
        seat, goods = position.turn, position.cargo[position.turn]
        after = super().wreck(position)
        if position.phase != "loss" or after.phase == "over":
            return after
        cargo = (*after.cargo[:seat], goods, *after.cargo[seat + 1 :])
        return replace(after, cargo=cargo, stock=less(after.stock, goods))


# -- order ------------------------------------------------------------------------------------------------


class WreckedGoesOn(FireAxeGame):
    """Whoever loses the ship while settling begins another turn at once."""

    def wreck(self, position: Position) -> Position:
        """Give the turn back."""
        after = super().wreck(position)
        if position.tasked == 0 or position.phase != "main" or after.phase != "main":
            return after
        return replace(after, turn=position.turn, seat=position.turn)


class DealsBackwards(FireAxeGame):
    """The opening runes are dealt from the last seat to the first."""

    def deal_runes(self, position: Position) -> Position:
        """Go the other way round."""
        after = super().deal_runes(position)
        if after.phase != "deal":
            return after
        lacking = [seat for seat in range(self.players) if not position.hands[seat]]
        return replace(after, seat=lacking[-1])


class HolderSkipsDraw(FireAxeGame):
    """A token is placed when the holder's turn ends, not when it begins."""

    def begin_turn(self, position: Position, seat: int) -> Position:
        """Place none."""
        after = super().begin_turn(position, seat)
        return after if after.phase == "over" else replace(after, placed=position.placed)

    def end_turn(self, position: Position) -> Position:
        """Place it here."""
        here = position.turn == position.holder and position.placed < 3
        return super().end_turn(replace(position, placed=position.placed + 1) if here else position)


# -- weather and Tasks ------------------------------------------------------------------------------------


class WeatherOfZoneLeft(FireAxeGame):
    """Entering another zone costs nothing if the weather of the zone just left would cost nothing."""

    def sail(self, position: Position, action: act.Sail) -> Position:
        """Look back."""
        after = super().sail(position, action)
        old = self.tables.clear[position.dial][self.tables.zone[position.places[position.turn]]]
        if after.phase != "loss" or position.sailed + 1 > old:
            return after
        return self.open_window(replace(after, phase="main", shelter=position.shelter, covered=position.covered))


class LossesTogether(FireAxeGame):
    """Of the skulls of all columns those of the third and any further one are counted as one fewer."""

    def losses_due(self, position: Position) -> int:
        """Cut one off."""
        right = super().losses_due(position)
        return right - 1 if excess(self, position) >= 3 else right


class VictoryCostsToo(FireAxeGame):
    """The second roll of a raid costs a crewmember even if it takes the town, unless it is the last one."""

    def die(self, position: Position, action: act.Die) -> Position:
        """Lose one."""
        after, seat = super().die(position, action), position.turn
        if after.phase != "treasure" or position.rolls != 2 or after.crew[seat] < 2:
            return after
        supply = put(after.supply, seat, after.supply[seat] + 1)
        return replace(after, crew=put(after.crew, seat, after.crew[seat] - 1), supply=supply)


class LargeTownTwice(FireAxeGame):
    """A large town counts as two for the Bloodied Axe."""

    def die(self, position: Position, action: act.Die) -> Position:
        """Count it twice."""
        after, seat = super().die(position, action), position.turn
        port = position.places[seat] - self.tables.first_port
        large = after.phase == "treasure" and self.tables.large >> port & 1
        return replace(after, axes=put(after.axes, seat, after.axes[seat] + 1)) if large else after


class ConvertsUnasked(FireAxeGame):
    """Whether the last crewmember may stay aboard is judged before casualties: only who had one is asked."""

    def throw(self, position: Position, action: act.Dice) -> Position:
        """Answer for the others."""
        after = super().throw(position, action)
        if after.phase != "convert" or position.crew[position.turn] == 1:
            return after
        return self.convert(after, act.CONVERT)


class SparesRaidersOnly(FireAxeGame):
    """A rune that spares crew does so in raids alone."""

    def throw(self, position: Position, action: act.Dice) -> Position:
        """Leave it for later."""
        after = super().throw(replace(position, spare=0), action)
        return replace(after, spare=position.spare) if after.turn == position.turn else after


class TreasureToNext(FireAxeGame):
    """The treasure of a large town goes to the player with the fewest VP."""

    def treasure(self, position: Position, action: act.Treasure) -> Position:
        """Pay somebody else."""
        after, seat = super().treasure(position, action), position.turn
        if len(after.large) == len(position.large):
            return after
        poor = position.vp.index(min(position.vp))
        paid = action.value * (2 if position.doubled else 1)
        vp = put(after.vp, seat, after.vp[seat] - paid)
        return replace(after, vp=put(vp, poor, vp[poor] + paid))


# -- the map ------------------------------------------------------------------------------------------------


class _OtherTables(FireAxeGame):
    tables_kind: type[Tables] = Tables

    def __init__(self, catalogue: Any, pack: Any, rulings: Any, law: Any, players: int) -> None:
        super().__init__(catalogue, pack, rulings, law, players)
        self.tables = self.tables_kind(pack, rulings, law, players)


class _OneWayOut(Tables):
    def _read_map(self, pack: Any, rulings: Any, law: Any) -> None:
        super()._read_map(pack, rulings, law)
        first = self.first_port
        self.neighbours = tuple(
            near[:1] if here >= first and len(near) > 1 else near for here, near in enumerate(self.neighbours)
        )


class OneWayOut(_OtherTables):
    """From a port between two waters a ship sails to the first of them only."""

    tables_kind = _OneWayOut


class _HomesClosed(Tables):
    def _read_map(self, pack: Any, rulings: Any, law: Any) -> None:
        super()._read_map(pack, rulings, law)
        last = self.homes[-1]
        self.neighbours = tuple(tuple(to for to in near if to != last) for near in self.neighbours)


class HomeClosed(_OtherTables):
    """Nobody can sail into the last Homeland."""

    tables_kind = _HomesClosed


class _NoPair(Tables):
    def _read_ports(self, pack: Any) -> None:
        super()._read_ports(pack)
        self.region_others = tuple(others[1:] if len(others) > 1 else others for others in self.region_others)


class RegionOfTwo(_OtherTables):
    """Whether a good lies in a port's region already is looked up in one of the other two ports only."""

    tables_kind = _NoPair

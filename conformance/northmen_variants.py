"""Faulty variants of Northmen made by hand: mistakes that a change of one token in a rule does not make.

Each class plays Northmen but for one thing, which its docstring tells.  They stand here to be caught;
``northmen_answers`` has those whose fault is in what a seat is shown or in what answers for the game.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.actions import Action
from lawspeaker.model.northmen.game import NorthmenGame, add
from lawspeaker.model.northmen.maps import Reach
from lawspeaker.model.northmen.position import Ints, Position, bits, put
from lawspeaker.model.northmen.tables import Tables

# -- dealing and rally ------------------------------------------------------------------------------


class Canary(NorthmenGame):
    """The canary: the last legal action is never offered.  It must be caught in every run."""

    def legal(self, position: Position) -> tuple[Action, ...]:
        """Leave out the last of several."""
        right = super().legal(position)
        return right[:-1] if len(right) > 1 else right


class DealsFromA(NorthmenGame):
    """Cards are dealt from seat A on, whoever leads."""

    def dealing(self, position: Position) -> Position:
        """Give the next card to the first seat that lacks some."""
        after = super().dealing(position)
        if after.phase != "deal":
            return after
        lacking = [seat for seat, hand in enumerate(after.hands) if hand.bit_count() < self.hand_size]
        return replace(after, seat=lacking[0])


class HiresAgain(NorthmenGame):
    """After one Hero a second may be hired in the same turn."""

    def _hire(self, position: Position, action: act.Hire) -> Position:
        after = super()._hire(position, action)
        seat = position.seat
        if after.phase not in ("draw", "play") or after.infamy[seat] < 3 or not after.supply[seat]:
            return after
        back = {name: getattr(position, name) for name in ("phase", "seat", "card", "placed", "tokens", "group")}
        return replace(after, **back)


class OneHeroAKingdom(NorthmenGame):
    """A second Hero is not offered in a Kingdom where the player has one."""

    def _play(self, position: Position, action: act.Play) -> Position:
        after = super()._play(position, action)
        if after.phase == "hire" and after.heroes[self.tables.suit[action.card]][after.seat]:
            return self._token(after)
        return after


class HeroBesideCard(NorthmenGame):
    """A Hero goes to the first Kingdom in which the player has cubes."""

    def _hire(self, position: Position, action: act.Hire) -> Position:
        after, seat = super()._hire(position, action), position.seat
        here = self.tables.suit[position.card]
        first = next(k for k in range(self.tables.k) if position.cubes[k][seat])
        if after.phase not in ("draw", "play") or first == here:
            return after
        return replace(after, heroes=add(add(after.heroes, here, seat, -1), first, seat, 1))


class ThirtyFirstCube(NorthmenGame):
    """With an empty reserve a card still brings one cube, the thirty-first."""

    def _play(self, position: Position, action: act.Play) -> Position:
        seat, card = position.seat, action.card
        if position.reserve[seat]:
            return super()._play(position, action)
        after = super()._play(replace(position, reserve=put(position.reserve, seat, 1)), action)
        bare = after.phase not in ("hire", "draw", "play") or not self.tables.value[card]
        return super()._play(position, action) if bare else after


class PlacedStays(NorthmenGame):
    """How many cubes a card placed is still told in the next player's turn."""

    def _rally_turn(self, position: Position, seat: int) -> Position:
        after = super()._rally_turn(position, seat)
        return replace(after, placed=position.placed) if after.phase == "play" else after


class TopStays(NorthmenGame):
    """The last card of a round still shows when the next round begins."""

    def end_round(self, position: Position) -> Position:
        """Leave the tops as they were."""
        after = super().end_round(position)
        return replace(after, tops=position.tops) if after.phase != "over" else after


class RefillKeepsTurn(NorthmenGame):
    """After the row is refilled the turn passes two seats on."""

    def _turn(self, position: Position, action: act.Turn) -> Position:
        if position.card < 0:
            return super()._turn(position, action)
        return super()._turn(replace(position, seat=(position.seat + 1) % self.players), action)


class LastCardStays(NorthmenGame):
    """The last card of the deck is not turned up to fill the row."""

    def _take(self, position: Position, action: act.Take) -> Position:
        after = super()._take(position, action)
        return self._turn_over(after) if after.phase == "turn" and after.deck.bit_count() == 1 else after


class DrawnFromBelow(NorthmenGame):
    """A face-down card may be drawn only while two are left."""

    def _legal_draw(self, position: Position) -> tuple[Action, ...]:
        right = super()._legal_draw(position)
        return right[:-1] if position.deck.bit_count() == 1 and len(right) > 1 else right


class TokenElsewhere(NorthmenGame):
    """A token for a region that holds five already goes to the next region."""

    def _token(self, position: Position) -> Position:
        region = self.tables.token[position.card]
        after = super()._token(position)
        if region < 0 or position.tokens[region] < 5 or after.phase != "draw":
            return after
        other = (region + 1) % self.tables.r
        tokens = put(after.tokens, region, after.tokens[region] - 1)
        return replace(after, tokens=put(tokens, other, tokens[other] + 1))


# -- control and movement ---------------------------------------------------------------------------


class ControlInOrder(NorthmenGame):
    """Kingdoms are settled one by one: a tie goes to who has lost cubes in one settled before."""

    def begin_marching(self, position: Position) -> Position:
        """Settle each Kingdom with the Infamy that the ones before gave."""
        self._infamy = list(position.infamy)
        return super().begin_marching(position)

    def controller(self, position: Position, kingdom: int) -> int:
        """Break ties by what has become Infamy so far."""
        right = super().controller(position, kingdom)
        cubes, heroes = position.cubes[kingdom], position.heroes[kingdom]
        pieces = [c + h for c, h in zip(cubes, heroes, strict=True)]
        gained = getattr(self, "_infamy", list(position.infamy))
        tied = [seat for seat in range(self.players) if right >= 0 and pieces[seat] == pieces[right]]
        if len(tied) > 1:
            right = max(tied, key=lambda seat: gained[seat] - position.infamy[seat])
        for seat in range(self.players):
            gained[seat] += cubes[seat] if seat != right else 0
        return right


class SecondLoserStays(NorthmenGame):
    """Of several who lose a place only the first takes his pieces off."""

    def withdraw(self, position: Position, place: int, losers: list[int], fate: Any) -> Position:
        """Forget all losers but one."""
        there = [seat for seat in losers if position.cubes[place][seat] or position.heroes[place][seat]]
        return super().withdraw(position, place, there[:1], fate)


class BeatenToWinner(NorthmenGame):
    """Cubes beaten in a battle are the winner's Infamy."""

    def battles(self, position: Position) -> Position:
        """Give the Infamy of two who met to the one who won."""
        after, k = super().battles(position), self.tables.k
        infamy = list(after.infamy)
        for place in range(k, len(position.cubes)):
            for seat in range(self.players):
                lost = position.cubes[place][seat] - after.cubes[place][seat]
                winner = next((s for s in range(self.players) if after.cubes[place][s] or after.heroes[place][s]), seat)
                infamy[seat] -= lost
                infamy[winner] += lost
        return replace(after, infamy=tuple(infamy))


class DelayedBySeat(NorthmenGame):
    """Delayed Kingdoms march in the order of their owners' seats, the Leader's first."""

    def _own_order(self, position: Position) -> Ints:
        seats = [(position.leader + step) % self.players for step in range(self.players)]
        return tuple(position.times[seat] for seat in seats if position.times[seat] >= 0)

    def next_kingdom(self, position: Position, left: Ints) -> Position:
        """Begin the second pass in another order."""
        begins = position.second_pass and len(left) == self.tables.k
        return super().next_kingdom(position, self._own_order(position) if begins else left)

    def rest_of_pass(self, position: Position) -> Ints:
        """Go on in that order."""
        if not position.second_pass:
            return super().rest_of_pass(position)
        order = self._own_order(position)
        return order[order.index(position.kingdom) + 1 :]


class DelayForgets(NorthmenGame):
    """A delayed Kingdom loses its turn if it is the last of the chart."""

    def next_kingdom(self, position: Position, left: Ints) -> Position:
        """Leave it out of the second pass."""
        ends = position.second_pass and len(left) == self.tables.k
        return super().next_kingdom(position, left[:-1] if ends else left)


class AsksToDelayNothing(NorthmenGame):
    """Whoever controls a Kingdom is asked about a delay, even without Infamy; the answer yes changes nothing."""

    def may_delay(self, position: Position) -> bool:
        """Ask with four Infamy as well."""
        return super().may_delay(position) or (
            position.infamy[position.seat] == 4 and position.times[position.seat] < 0
        )

    def delay(self, position: Position, action: act.Delay) -> Position:
        """March at once."""
        if position.infamy[position.seat] >= 5:
            return super().delay(position, action)
        return self.no_delay(position, act.NO_DELAY)


class ArmiesCarried(NorthmenGame):
    """How many Armies a march has sent is not forgotten when it is over."""

    def next_region(self, position: Position, region: int) -> Position:
        """Keep the number while another Kingdom is to move."""
        after = super().next_region(position, region)
        return replace(after, armies=position.armies) if after.phase == "delay" else after

    def after_movement(self, position: Position) -> Position:
        """Forget it at last."""
        return super().after_movement(replace(position, armies=0))


class HeroNeedsSymbol(NorthmenGame):
    """A Hero stays out of regions to which no cube of his Kingdom goes in the same step."""

    def sends(self, position: Position) -> tuple[act.Send, ...]:
        """Leave out Heroes alone, unless nothing else is possible."""
        right = super().sends(position)
        return tuple(a for a in right if a.cubes or not a.heroes) or right


class ShipsOnLand(NorthmenGame):
    """In the second pass a ship may go as an Army too."""

    def room(self, position: Position) -> tuple[int, int, int]:
        """Count ships as soldiers there."""
        armies, fleets, both = super().room(position)
        return (armies + fleets, fleets, both) if position.second_pass else (armies, fleets, both)


class SoldiersAtSea(NorthmenGame):
    """A Kingdom with two soldiers or more and no ship left may send one Army over the sea."""

    def room(self, position: Position) -> tuple[int, int, int]:
        """Add a ship that no card shows."""
        armies, fleets, both = super().room(position)
        return armies, fleets + (fleets == 0 and armies > 1), both


class SomeMustGo(NorthmenGame):
    """A region may not be passed over while four cubes or more are at home."""

    def sends(self, position: Position) -> tuple[act.Send, ...]:
        """Leave out sending nothing."""
        right = super().sends(position)
        some = tuple(a for a in right if a.cubes or a.heroes)
        return some if len(some) > 3 and position.cubes[position.kingdom][position.seat] > 3 else right


class OriginsLost(NorthmenGame):
    """Where cubes came from is noted for the first region of a march only (R_ROUTE_ORIGIN=from_kingdom)."""

    def send(self, position: Position, action: act.Send) -> Position:
        """Forget later regions."""
        after = super().send(position, action)
        before = position.origins[position.kingdom]
        if before and any(after.origins):
            return replace(after, origins=put(after.origins, position.kingdom, before))
        return after


# -- the map ------------------------------------------------------------------------------------------


class _OtherTables(NorthmenGame):
    tables_kind: type[Tables] = Tables

    def __init__(self, catalogue: Any, pack: Any, rulings: Any, law: Any, players: int) -> None:
        super().__init__(catalogue, pack, rulings, law, players)
        self.tables = self.tables_kind(pack, rulings, law, players)


class _LandOnly(Tables):
    def _reach(self, pack: Any, rulings: Any, law: Any) -> Reach:
        right = super()._reach(pack, rulings, law)
        fleets = tuple(sea & ~land for sea, land in zip(right.fleets, right.armies, strict=True))
        return Reach(right.armies, fleets, right.heroes, right.neutral)


class FleetsAway(_OtherTables):
    """Fleets cannot go to sea regions that border their own Kingdom."""

    tables_kind = _LandOnly


class _ShipsTwice(Tables):
    def symbols(self, pile: int, kingdom: int) -> tuple[int, int]:
        soldiers, ships = super().symbols(pile, kingdom)
        cards = pile & self.suit_cards[kingdom]
        mixed = sum(1 for n in bits(cards) if self.pack.cards[n].soldiers and self.pack.cards[n].ships)
        return soldiers, ships + mixed


class ShipsTwice(_OtherTables):
    """Of a card with soldiers and ships the ships count one more."""

    tables_kind = _ShipsTwice


class _NoLast(Tables):
    def capacity(self, kingdom: int, regions: int, room: tuple[int, int, int]) -> int:
        return super().capacity(kingdom, regions & ~(1 << (self.r - 1)) or regions, room)


class LastRegionForgotten(_OtherTables):
    """Whether the rest of a march can be completed is reckoned without the last region of the map."""

    tables_kind = _NoLast

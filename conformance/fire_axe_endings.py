"""Faulty variants of Fire & Axe made by hand: runes, Sagas, Eras and the end.

Each class has one fault, which its docstring tells.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from lawspeaker.model.core.contract import Result
from lawspeaker.model.fire_axe import actions as act
from lawspeaker.model.fire_axe.game import FireAxeGame
from lawspeaker.model.fire_axe.pack import KillCrew, RobGood, RuneData, Wind
from lawspeaker.model.fire_axe.position import Position, bits, put
from lawspeaker.model.fire_axe.sagas import met, taken
from lawspeaker.model.fire_axe.turns import over
from lawspeaker.model.fire_axe.voyage import moved, slots_free

# -- runes --------------------------------------------------------------------------------------------


def _does(rune: RuneData, kind: type) -> bool:
    return any(isinstance(effect, kind) for effect in rune.effects)


class FourthRune(FireAxeGame):
    """A rune that draws two brings both, though the hand is full after the first."""

    def deal(self, position: Position, action: act.Deal) -> Position:
        """Draw on."""
        after, seat = super().deal(position, action), position.seat
        if position.played < 0 or position.drawing < 2 or after.phase == "deal" or not after.deck:
            return after
        pile = position.pile
        return replace(
            position, hands=after.hands, deck=position.deck & ~(1 << action.rune), pile=pile, seat=seat,
            drawing=position.drawing - 1,
        )  # fmt: skip


class LoserDrawsDial(FireAxeGame):
    """Whoever loses a rune blindly turns the dial a quarter clockwise."""

    def drop(self, position: Position, action: act.Drop) -> Position:
        """Turn it."""
        return super().drop(replace(position, dial=(position.dial + 1) % 4), action)


class RobberKeeps(FireAxeGame):
    """A good that a rune takes from another ship comes aboard the robber's."""

    def play(self, position: Position, action: act.Play) -> Position:
        """Load it if there is a slot."""
        after, seat = super().play(position, action), position.seat
        if not _does(self.tables.runes[action.rune], RobGood) or slots_free(self, after, seat) < 1:
            return after
        return moved(after, seat, action.good, 1)


class StrikesTheRobber(FireAxeGame):
    """A rune that kills crew on another ship costs the own ship one too, if two are aboard."""

    def play(self, position: Position, action: act.Play) -> Position:
        """Lose one."""
        after, seat = super().play(position, action), position.seat
        if not _does(self.tables.runes[action.rune], KillCrew) or after.crew[seat] < 2:
            return after
        crew = put(after.crew, seat, after.crew[seat] - 1)
        return replace(after, crew=crew, supply=put(after.supply, seat, after.supply[seat] + 1))


class DemandTokenLost(FireAxeGame):
    """The token that leaves the Goods in Demand space does not go back to the stock."""

    def play(self, position: Position, action: act.Play) -> Position:
        """Lose it."""
        after = super().play(position, action)
        old = position.demand
        if after.demand == old or not position.token:
            return after
        return replace(after, stock=put(after.stock, old, after.stock[old] - 1))


class WindOnce(FireAxeGame):
    """A rune that turns the dial does so instead of the quarter-turn that any rune allows."""

    def play(self, position: Position, action: act.Play) -> Position:
        """Drop the quarter-turn."""
        if _does(self.tables.runes[action.rune], Wind):
            return super().play(position, replace(action, turn=0))
        return super().play(position, action)


class DiscardBelow(FireAxeGame):
    """A rune that is discarded goes back into the deck."""

    def discard(self, position: Position, action: act.Discard) -> Position:
        """Put it there."""
        after, bit = super().discard(position, action), 1 << action.rune
        return replace(after, deck=after.deck | bit, pile=after.pile & ~bit)


class DiceForget(FireAxeGame):
    """Once the first roll of a raid has failed the rune that adds to it counts no more."""

    def die(self, position: Position, action: act.Die) -> Position:
        """Forget it."""
        after = super().die(position, action)
        return replace(after, attack=0) if after.phase == "raid" else after


# -- Sagas ----------------------------------------------------------------------------------------------


class OneSagaATime(FireAxeGame):
    """Of two Sagas completed by one Task the second stays where it is."""

    def completing(self, position: Position, port: int) -> Position:
        """Take one."""
        done = bits(met(self, position, position.face))
        if self.collect != "auto" or len(done) < 2:
            return super().completing(position, port)
        return self.refill(taken(self, position, 1 << done[0]))


class OwnDeedsOnly(FireAxeGame):
    """A Saga of settling is completed only if all its Settlements are the player's own."""

    def completing(self, position: Position, port: int) -> Position:
        """Leave the others."""
        done = met(self, position, position.face)
        if self.collect != "auto" or not done or not all(self._shared(position, saga) for saga in bits(done)):
            return super().completing(position, port)
        return self.settled(position)

    def _shared(self, position: Position, saga: int) -> bool:
        owners = {position.settlers[port] for port in bits(self.tables.saga_ports[saga])}
        return self.tables.saga_task[saga] == "settle" and owners != {position.turn}


class SagaPaidTwice(FireAxeGame):
    """Two Sagas completed by one Task pay their VP twice."""

    def completing(self, position: Position, port: int) -> Position:
        """Pay again."""
        after, done = super().completing(position, port), bits(met(self, position, position.face))
        if self.collect != "auto" or len(done) < 2:
            return after
        seat, more = position.turn, sum(self.tables.saga_vp[saga] for saga in done)
        return replace(after, vp=put(after.vp, seat, after.vp[seat] + more))


class EraStays(FireAxeGame):
    """A new Era begins with the turn after its first card came, for the number of slots."""

    def flip(self, position: Position, action: act.Flip) -> Position:
        """Keep the old Era where the third begins."""
        after = super().flip(position, action)
        return replace(after, era=2) if position.era == 2 and after.era == 3 and position.turn >= 0 else after


class DiscardedOnTop(FireAxeGame):
    """A Saga that is discarded when turned up is not replaced by another."""

    def flip(self, position: Position, action: act.Flip) -> Position:
        """Leave the space empty."""
        after = super().flip(position, action)
        if after.discarded == position.discarded or after.phase != "flip":
            return after
        return self.settled(after)


class TokensPassOn(FireAxeGame):
    """The Final Round tokens go to the player after the one who turned up the last Saga."""

    def flip(self, position: Position, action: act.Flip) -> Position:
        """Give them to the next."""
        after = super().flip(position, action)
        if after.holder == position.holder:
            return after
        return replace(after, holder=(after.holder + 1) % self.players)


# -- the end --------------------------------------------------------------------------------------------


class FinishesTheTurn(FireAxeGame):
    """When the last Saga is completed the turn is still played to its end."""

    def settled(self, position: Position) -> Position:
        """Go on."""
        after = super().settled(position)
        if after.phase != "over" or after.ended != "sagas":
            return after
        return replace(after, phase="main", seat=position.turn, ended="")

    def refill(self, position: Position) -> Position:
        """Go on."""
        after = super().refill(position)
        if after.phase != "over" or after.ended != "sagas":
            return after
        return replace(after, phase="main", seat=position.turn, ended="")

    def end_turn(self, position: Position) -> Position:
        """End it now."""
        if not position.face and not sum(position.left):
            return over(position, "sagas")
        return super().end_turn(position)


class AllCrewHome(FireAxeGame):
    """The game ends as soon as one player has no crew but Settlements."""

    def settled(self, position: Position) -> Position:
        """Look at each seat."""
        after = super().settled(position)
        if after.phase == "over" or not any(position.settlers.count(s) >= 15 for s in range(self.players)):
            return after
        return over(position, "crew")


def _rescored(right: Result, more: Sequence[int]) -> Result:
    """Return a result with points added, and the winners that follow."""
    scores = tuple(score + extra for score, extra in zip(right.scores, more, strict=True))
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return Result(scores, right.lines, winners if right.winners else (), right.reason)


class RunesPay(FireAxeGame):
    """Each rune left in hand pays a point at the end."""

    def result(self, position: Position) -> Result:
        """Pay for hands."""
        right = super().result(position)
        paid = [hand.bit_count() if position.phase == "over" else 0 for hand in position.hands]
        return _rescored(right, paid)


class AxeForSecond(FireAxeGame):
    """Who has second most towns gets a point for each."""

    def result(self, position: Position) -> Result:
        """Pay the second place too."""
        right, axes = super().result(position), position.axes
        second = max((n for n in axes if n < max(axes)), default=0)
        return _rescored(right, [n if n == second and position.phase == "over" else 0 for n in axes])


class FirstWins(FireAxeGame):
    """Of three or more who share the victory the one with most towns wins alone."""

    def result(self, position: Position) -> Result:
        """Break the tie."""
        right = super().result(position)
        if len(right.winners) < 3:
            return right
        best = max(position.axes[seat] for seat in right.winners)
        alone = tuple(seat for seat in right.winners if position.axes[seat] == best)
        return Result(right.scores, right.lines, alone, right.reason)


class CargoPays(FireAxeGame):
    """Goods still aboard pay a point each at the end, to who is last in turn order only."""

    def result(self, position: Position) -> Result:
        """Pay for cargo."""
        right = super().result(position)
        last = self.players - 1
        paid = [sum(position.cargo[seat]) if seat == last and position.phase == "over" else 0
                for seat in range(self.players)]  # fmt: skip
        return _rescored(right, paid)

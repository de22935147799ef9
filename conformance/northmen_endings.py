"""Faulty variants of Northmen made by hand: battles, plunder, Trade Routes, planning and the end.

Each class has one fault, which its docstring tells.
"""

from __future__ import annotations

from msgspec.structs import replace

from lawspeaker.model.core.contract import Result
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.actions import Action
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position, put

# -- battles, plunder, routes ------------------------------------------------------------------------


class BattlesInOrder(NorthmenGame):
    """Battles are fought one after the other: a tie goes to who has gained more Infamy in those before."""

    def battles(self, position: Position) -> Position:
        """Let each battle see what the ones before gave."""
        now = position
        for place in range(self.tables.k, len(position.cubes)):
            cubes, heroes = now.cubes[place], now.heroes[place]
            pieces = [c + h for c, h in zip(cubes, heroes, strict=True)]
            if sum(count > 0 for count in pieces) < 2:
                continue
            winner = self.law.battle_winner(cubes, heroes, now.leader, self.clock)
            gains = [now.infamy[seat] - position.infamy[seat] for seat in range(self.players)]
            tied = [seat for seat, count in enumerate(pieces) if count == max(pieces)]
            if len(tied) > 1 and len({gains[seat] for seat in tied}) > 1:
                winner = max(tied, key=lambda seat: gains[seat])
            losers = [seat for seat in range(self.players) if seat != winner]
            now = self.withdraw(now, place, losers, self.law.beaten)
        return now


class HeroesDoNotFight(NorthmenGame):
    """There is no battle where one of two has Heroes alone."""

    def battles(self, position: Position) -> Position:
        """Hide lone Heroes while the others fight."""
        k, heroes = self.tables.k, list(position.heroes)
        for place in range(k, len(heroes)):
            cubes = position.cubes[place]
            heroes[place] = tuple(h if c else 0 for c, h in zip(cubes, heroes[place], strict=True))
        after = super().battles(replace(position, heroes=tuple(heroes)))
        lone = [tuple(b - n for b, n in zip(*pair, strict=True)) for pair in zip(position.heroes, heroes, strict=True)]
        back = (tuple(a + b for a, b in zip(*pair, strict=True)) for pair in zip(after.heroes, lone, strict=True))
        return replace(after, heroes=tuple(back))


class NothingToFightFor(NorthmenGame):
    """There is no battle where no token lies."""

    def battles(self, position: Position) -> Position:
        """Put the pieces of other regions aside."""
        after, k = super().battles(position), self.tables.k
        now = position
        for place in range(k, len(position.cubes)):
            if position.tokens[place - k]:
                losers = [s for s in range(self.players) if not (after.cubes[place][s] or after.heroes[place][s])]
                now = self.withdraw(now, place, losers, self.law.beaten)
        return now


class OneTokenARegion(NorthmenGame):
    """Each cube carries off one token; the rest stays."""

    def collect(self, position: Position) -> Position:
        """Leave what the cubes cannot carry."""
        after, k = super().collect(position), self.tables.k
        tokens, taken = list(after.tokens), list(after.taken)
        for region, count in enumerate(position.tokens):
            here = position.cubes[k + region]
            left = count - max(here)
            if count and not after.tokens[region] and left > 0:
                tokens[region] = left
                taken[here.index(max(here))] -= left
        return replace(after, tokens=tuple(tokens), taken=tuple(taken))


class HeroTakesShare(NorthmenGame):
    """A Hero who came with cubes carries off a token of his own, from nowhere."""

    def collect(self, position: Position) -> Position:
        """Add a token for Heroes."""
        after, k = super().collect(position), self.tables.k
        taken = list(after.taken)
        for region, count in enumerate(position.tokens):
            for seat in range(self.players):
                if count and position.cubes[k + region][seat] and position.heroes[k + region][seat]:
                    taken[seat] += 1
        return replace(after, taken=tuple(taken))


class RevealedAtOnce(NorthmenGame):
    """A Trade Route that a player chooses to play lies open before the others have chosen."""

    def commit(self, position: Position, action: act.Complete | act.Withhold) -> Position:
        """Move it to the completed ones."""
        after = super().commit(position, action)
        if after.phase != "complete" or not isinstance(action, act.Complete):
            return after
        seat, bit = position.seat, 1 << action.route
        return replace(
            after, chosen=put(after.chosen, seat, after.chosen[seat] & ~bit),
            routes_done=put(after.routes_done, seat, after.routes_done[seat] | bit),
            route_hands=put(after.route_hands, seat, after.route_hands[seat] & ~bit),
        )  # fmt: skip


class AsksOfCompleted(NorthmenGame):
    """Only who has completed a Trade Route is asked about it, so that the number of questions tells."""

    def next_commitment(self, position: Position, seat: int, asked: int, after: int) -> Position:
        """Answer for the player where there is but one answer."""
        found = super().next_commitment(position, seat, asked, after)
        while found.phase == "complete" and len(self.commitments(found)) == 1:
            place = (found.seat - found.leader) % self.players
            found = super().next_commitment(found, found.seat, place, found.asked)
        return found


class ChoosesFromA(NorthmenGame):
    """Trade Routes are chosen from seat A on, whoever leads."""

    def after_movement(self, position: Position) -> Position:
        """Begin with seat A."""
        after = super().after_movement(position)
        if after.phase != "complete" or not after.route_hands[0]:
            return after
        return self.next_commitment(replace(after, seat=-1, asked=-1), 0, (0 - after.leader) % self.players, -1)


class ChosenStays(NorthmenGame):
    """Trade Routes that have been played are still noted as chosen in the Planning Phase."""

    def clean_up(self, position: Position) -> Position:
        """Keep the notes of seats with completed routes."""
        after = super().clean_up(position)
        return replace(after, chosen=position.routes_done) if after.phase == "buy" else after


class SecondPassStays(NorthmenGame):
    """That the second pass has begun is remembered when movement is over."""

    def after_movement(self, position: Position) -> Position:
        """Keep the mark where somebody delayed."""
        after = super().after_movement(position)
        return replace(after, second_pass=True) if after.phase == "complete" and max(position.times) >= 0 else after


class ThirdCubesLost(NorthmenGame):
    """Cubes of the third and fourth seat are not given back when regions are emptied."""

    def clean_up(self, position: Position) -> Position:
        """Return those of two seats only."""
        k = self.tables.k
        here = tuple(tuple(c if s < 2 else 0 for s, c in enumerate(place)) for place in position.cubes[k:])
        return super().clean_up(replace(position, cubes=(*position.cubes[:k], *here)))


# -- planning, the next round, the end -----------------------------------------------------------------


class BuysAfterHolding(NorthmenGame):
    """Routes may still be bought after a card was held."""

    def holds(self, position: Position) -> tuple[Action, ...]:
        """Offer purchases as well."""
        right = super().holds(position)
        more = tuple(act.Buy(pairs) for pairs in self.purchases(position)) if position.phase == "hold" else ()
        return (*more, *right)


class SkipsThePoor(NorthmenGame):
    """Who has no Infamy gets no planning turn and keeps his hand."""

    def done(self, position: Position, action: act.Done) -> Position:
        """Pass over seats with nothing to spend."""
        after = super().done(position, action)
        if after.phase == "buy" and not after.infamy[after.seat]:
            return super().done(replace(after, held=after.hands[after.seat]), act.DONE)
        return after


class HeldStays(NorthmenGame):
    """What one player held is still noted in the next one's turn."""

    def done(self, position: Position, action: act.Done) -> Position:
        """Keep the note."""
        after = super().done(position, action)
        return replace(after, held=position.held) if after.phase == "buy" else after


class BothKept(NorthmenGame):
    """Both routes of a purchase are kept once the player has four."""

    def keep(self, position: Position, action: act.Keep) -> Position:
        """Put none under the deck."""
        seat = position.seat
        after = super().keep(position, action)
        if after.phase == "keep" or position.route_hands[seat].bit_count() < 3:
            return after
        own = after.route_hands[seat] | position.drawn
        return replace(after, route_hands=put(after.route_hands, seat, own), route_bottom=position.route_bottom)


class OtherOnTop(NorthmenGame):
    """The route that is not kept goes to the top of those under the deck, not to their end."""

    def keep(self, position: Position, action: act.Keep) -> Position:
        """Put it before the others."""
        after = super().keep(position, action)
        count = len(after.route_bottom) - len(position.route_bottom)
        if count <= 0 or after.phase == "keep":
            return after
        return replace(after, route_bottom=(*after.route_bottom[-count:], *after.route_bottom[:-count]))


class RouteGone(NorthmenGame):
    """The route that is not kept is out of the game."""

    def keep(self, position: Position, action: act.Keep) -> Position:
        """Lose it."""
        return replace(super().keep(position, action), route_bottom=position.route_bottom)


class UnplacedReturn(NorthmenGame):
    """Tokens that stayed on the map go back to the group of the next round."""

    def end_round(self, position: Position) -> Position:
        """Clear the map."""
        after = super().end_round(position)
        return after if after.phase == "over" else replace(after, tokens=(0,) * self.tables.r)


class EndsWhenDecided(NorthmenGame):
    """The game ends after two rounds if one player has more than half of all plunder."""

    def end_round(self, position: Position) -> Position:
        """Look at what is taken."""
        if position.round == 2 and max(position.taken) > 22:
            return replace(position, phase="over", seat=-1)
        return super().end_round(position)


class BonusOfHand(NorthmenGame):
    """The bonus for Infamy counts Trade Routes still in hand as well."""

    def result(self, position: Position) -> Result:
        """Count every route."""
        right = super().result(position)
        if position.phase != "over":
            return right
        every = tuple(a | b for a, b in zip(position.routes_done, position.route_hands, strict=True))
        more = [b.bit_count() - a.bit_count() for a, b in zip(position.routes_done, every, strict=True)]
        scores = tuple(
            score + (extra if own == max(position.infamy) else 0)
            for score, extra, own in zip(right.scores, more, position.infamy, strict=True)
        )
        return Result(scores, right.lines, right.winners, right.reason)


class HandCostsPlunder(NorthmenGame):
    """Each Trade Route left in hand costs a point."""

    def result(self, position: Position) -> Result:
        """Take points off at the end."""
        right = super().result(position)
        if position.phase != "over":
            return right
        scores = tuple(s - hand.bit_count() for s, hand in zip(right.scores, position.route_hands, strict=True))
        return Result(scores, right.lines, right.winners, right.reason)

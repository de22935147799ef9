"""The Planning Phase, and what makes a new round or ends the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import actions as act
from .position import Position, bits, put

if TYPE_CHECKING:
    from .game import NorthmenGame


def begin(game: NorthmenGame, position: Position) -> Position:
    """Give the Leader the first planning turn, or go on where no planning follows (R_R3_PLAN)."""
    last = position.round >= game.law.rounds()
    if not game.law.has_planning(last, game.rulings["R_R3_PLAN"]):
        return game.end_round(position)
    return replace(position, phase="buy", seat=game.law.first_to_plan(position.leader, game.players))


# -- what may be done ---------------------------------------------------------------------------------


def offers(game: NorthmenGame, position: Position) -> tuple[act.Action, ...]:
    """Return the options of a planning turn that has not come to holding cards yet."""
    return (*(act.Buy(pairs) for pairs in game.purchases(position)), *game.holds(position))


def purchases(game: NorthmenGame, position: Position) -> list[int]:
    """Return how many pairs of Trade Routes can be bought now (SN-PLAN-03, R_ROUTE_BATCH, R_ROUTE_SHORT)."""
    infamy = position.infamy[position.seat]
    left = position.route_deck.bit_count() + len(position.route_bottom)
    if not game.law.room_for_route(position.route_hands[position.seat].bit_count()):
        return []
    most = max(1, infamy // max(1, game.law.route_price())) if game.batch else 1
    return [pairs for pairs in range(1, most + 1) if game.law.may_buy(infamy, pairs, left, game.short)]


def holds(game: NorthmenGame, position: Position) -> tuple[act.Action, ...]:
    """Return the cards that may be held, in card order after those held already, and the end of the turn."""
    seat, tables = position.seat, game.tables
    if not game.law.may_hold(position.infamy[seat]):
        return (act.DONE,)
    later = position.hands[seat] & (-1 << position.held.bit_length())
    return (*[tables.holds[card] for card in bits(later)], act.DONE)


def keeps(game: NorthmenGame, position: Position) -> tuple[act.Action, ...]:
    """Return which of the routes drawn may be kept next, so that as many as bought can be."""
    drawn = bits(position.drawn & (-1 << position.kept.bit_length()))
    spare = len(drawn) - (position.pairs - position.kept.bit_count())
    return tuple([game.tables.keeps[route] for route in drawn[: spare + 1]])


# -- what it does -------------------------------------------------------------------------------------


def pay(game: NorthmenGame, position: Position, price: int) -> Position:
    """Move spent cubes from the Infamy Card to the reserve (SN-RALLY-10)."""
    seat = position.seat
    return replace(
        position,
        infamy=put(position.infamy, seat, position.infamy[seat] - price),
        reserve=put(position.reserve, seat, position.reserve[seat] + game.law.back_to_reserve(price)),
    )


def buy(game: NorthmenGame, position: Position, action: act.Buy) -> Position:
    """Pay for pairs of Trade Routes and begin to draw (SN-PLAN-03)."""
    paid = game.pay(position, game.law.route_price() * action.pairs)
    return game.drawing(replace(paid, pairs=action.pairs))


def drawing(game: NorthmenGame, position: Position) -> Position:
    """Draw until there are two routes for each pair, or none is left."""
    left = position.route_deck != 0 or bool(position.route_bottom)
    full = position.drawn.bit_count() >= 2 * position.pairs
    return replace(position, phase="keep" if full or not left else "buying")


def keep(game: NorthmenGame, position: Position, action: act.Keep) -> Position:
    """Keep a route; the last one sends the others under the deck (SN-PLAN-03, 04)."""
    kept = position.kept | 1 << action.route
    if kept.bit_count() < position.pairs:
        return replace(position, kept=kept)
    seat, others = position.seat, position.drawn & ~kept
    deck, bottom = position.route_deck, position.route_bottom
    if game.law.goes_under():
        bottom = (*bottom, *((route, seat) for route in bits(others)))
    else:
        deck |= others
    after = replace(
        position, route_deck=deck, route_bottom=bottom, drawn=0, kept=0, pairs=0, phase="buy",
        route_hands=put(position.route_hands, seat, position.route_hands[seat] | kept),
    )  # fmt: skip
    if not game.law.may_do_both():
        return game.done(after, act.DONE)
    return replace(after, phase="hold") if game.batch else after


def hold(game: NorthmenGame, position: Position, action: act.Hold) -> Position:
    """Pay for a card to keep (SN-PLAN-06)."""
    paid = game.pay(position, game.law.hold_price())
    return replace(paid, phase="hold", held=position.held | 1 << action.card)


def done(game: NorthmenGame, position: Position, action: act.Done) -> Position:
    """Discard what is not held, and give the next planning turn (SN-PLAN-01, 07)."""
    seat, n = position.seat, game.players
    hand = position.hands[seat]
    kept = game.law.kept_hand(hand, position.held, game.rulings["R_DISCARD"])
    position = replace(
        position, hands=put(position.hands, seat, kept), discard=position.discard | (hand & ~kept), held=0
    )
    follower = game.law.next_to_plan(seat, n)
    if follower == game.law.first_to_plan(position.leader, n):
        return game.end_round(position)
    return replace(position, phase="buy", seat=follower)


# -- the next round -----------------------------------------------------------------------------------


def end_round(game: NorthmenGame, position: Position) -> Position:
    """Make the new deck, bring the next group of tokens, pass the Leader Token; or end the game."""
    law, n = game.law, game.players
    if position.round >= law.rounds():
        return replace(position, phase="over", seat=-1)
    played = 0
    for pile in position.piles:
        played |= pile
    deck = law.new_deck(position.deck, position.row, position.discard, played)
    return game.dealing(
        replace(
            position, round=position.round + 1, leader=law.next_leader(position.leader, n), seat=-1, deck=deck, row=0,
            piles=(0,) * n, tops=(-1,) * n, discard=0, group=law.group_size(),
            unplaced=position.unplaced + position.group,
        )
    )  # fmt: skip

"""Moments of a round, and pieces and cards as they lie when an action has been done but nothing followed yet."""

from __future__ import annotations

from msgspec.structs import replace

from lawspeaker.model.core.play import Step
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame, add
from lawspeaker.model.northmen.position import MARCHING, RALLY, Ints, Position, bits, put


def rallying(position: Position) -> bool:
    """Say whether a seat has its Rally turn here."""
    return position.phase in RALLY or (position.phase == "turn" and position.card >= 0)


def marching(position: Position) -> bool:
    """Say whether it is the Marching Phase."""
    return position.phase in MARCHING


def token_step(step: Step) -> bool:
    """Say whether the fourth step of a Rally turn, placing a token, was passed in this step."""
    kinds = (act.Hire, act.NoHire)
    return isinstance(step.action, kinds) or (isinstance(step.action, act.Play) and step.after.phase != "hire")


def played(step: Step) -> int:
    """Return the card of the Rally turn."""
    card: int = step.action.card if isinstance(step.action, act.Play) else step.before.card
    return card


def token_brought(step: Step) -> bool:
    """Say whether a token came onto the board in this step."""
    before: Position = step.before
    after: Position = step.after
    return sum(after.tokens) + sum(after.taken) > sum(before.tokens) + sum(before.taken)


def fifteen_placed(game: NorthmenGame, group: int, on_board: int) -> bool:
    """Say whether the tokens that end the Rally Phase have been placed (R_FIFTEEN)."""
    return group == 0 or (game.rulings["R_FIFTEEN"] == "board" and on_board >= 15)


def done(game: NorthmenGame, step: Step) -> Position:
    """Return the pieces after the action itself: cubes brought, a Hero hired, pieces sent, Infamy spent."""
    position: Position = step.before
    action = step.action
    seat = position.seat
    if isinstance(action, act.Play):
        return _with_cubes(game, step)
    if isinstance(action, act.Hire):
        supply = put(position.supply, seat, position.supply[seat] - 1)
        heroes = add(position.heroes, game.tables.suit[position.card], seat, 1)
        return replace(_paid(position, 3), heroes=heroes, supply=supply)
    if isinstance(action, act.Delay):
        return _paid(position, 5)
    if isinstance(action, act.Send):
        home = position.kingdom
        cubes = add(add(position.cubes, home, seat, -action.cubes), action.place, seat, action.cubes)
        heroes = add(add(position.heroes, home, seat, -action.heroes), action.place, seat, action.heroes)
        return replace(position, cubes=cubes, heroes=heroes)
    return position


def _paid(position: Position, price: int) -> Position:
    """Return the position with Infamy of the seat gone back to its reserve."""
    seat = position.seat
    infamy = put(position.infamy, seat, position.infamy[seat] - price)
    return replace(position, infamy=infamy, reserve=put(position.reserve, seat, position.reserve[seat] + price))


def _with_cubes(game: NorthmenGame, step: Step) -> Position:
    """Return the position with the cubes that a card has brought, as the reserve tells."""
    position: Position = step.before
    seat, kingdom = position.seat, game.tables.suit[step.action.card]
    brought = position.reserve[seat] - step.after.reserve[seat]
    reserve = put(position.reserve, seat, step.after.reserve[seat])
    return replace(position, cubes=add(position.cubes, kingdom, seat, brought), reserve=reserve)


def symbols(game: NorthmenGame, position: Position, seat: int, kingdom: int) -> tuple[int, int]:
    """Return soldiers and ships on the cards that a seat has played for a Kingdom this round."""
    cards = [game.tables.pack.cards[n] for n in bits(position.piles[seat])]
    own = [card for card in cards if card.kingdom == game.tables.kingdoms[kingdom]]
    return sum(card.soldiers for card in own), sum(card.ships for card in own)


def hand_sizes(position: Position) -> Ints:
    """Return how many Influence Cards each seat has in hand."""
    return tuple(hand.bit_count() for hand in position.hands)

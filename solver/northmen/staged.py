"""Games played as directed, so that what a claim shows is a position that play comes to.

Chance deals what the direction needs; seats play the cards of an order, hire where told, and are quiet
otherwise: every piece goes to one region, nothing is delayed, completed, bought or held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position

from .boxes import seated
from .counts import ROW

ROUND = ("deal", "turn", "routes", "play", "hire", "draw", "drawn")
"""Phases from the first deal of a round to the end of its Rally Phase."""
MOVING = ("delay", "march")
There = Callable[[Position], bool]


@dataclass(frozen=True)
class Direction:
    """How a game is to go: *order* is played card by card in every round, then the rest in the pack's order.

    A Hero is hired with each card of *hires*; *routes* go to the seats named; *target* is the region for
    every piece.
    """

    order: Sequence[str] = ()
    hires: Sequence[str] = ()
    routes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    target: str = "Finland"


class Stage:
    """One game under a direction."""

    def __init__(self, game: NorthmenGame, direction: Direction) -> None:
        names = game.tables.names
        rest = [one for one in names.cards if one not in direction.order]
        self.game, self.direction = game, direction
        self.rank = {names.card[one]: n for n, one in enumerate([*direction.order, *rest])}
        self.hires = {names.card[one] for one in direction.hires}
        self.target = names.place[direction.target]
        owners = {names.route[one]: seat for seat, ids in direction.routes.items() for one in ids}
        self.owner = {route: game.seats.index(seat) for route, seat in owners.items()}

    def choose(self, position: Position) -> Any:
        """Return the action that the direction takes."""
        return min(self.game.legal(position), key=lambda action: self._late(position, action))

    def _late(self, position: Position, action: Any) -> tuple[int, ...]:
        """Return how late an action comes in the direction's liking; the least is taken."""
        match action:
            case act.Deal(card) | act.Play(card) | act.Take(card):
                place = self.rank[card]
                turn = (position.seat - position.leader) % self.game.players
                return int(isinstance(action, act.Take)), int(place % self.game.players != turn), place
            case act.Turn(card):
                return (-self.rank[card],)
            case act.Route(route):
                owner = self.owner.get(route, -1)
                return 0 if owner == position.seat else 2 if owner >= 0 else 1, route
            case act.Send(place, cubes, heroes):
                return (-cubes, -heroes) if place == self.target else (cubes, heroes)
            case act.Hire():
                return (0 if position.card in self.hires else 2,)
        quiet = isinstance(action, (act.NoHire, act.Draw, act.NoDelay, act.Withhold, act.Done))
        return (0 if isinstance(action, act.Draw) else 1 if quiet else 3,)

    def until(self, there: There, position: Position | None = None) -> Position:
        """Play from a position (default: the beginning) until *there*; raises AssertionError if it never is.

        From the beginning it also looks that the position keeps the invariants of the game.
        """
        now = self.game.start() if position is None else position
        while not there(now):
            if now.phase == "over":
                raise AssertionError("the game ends before it comes to that")
            now = self.game.apply(now, self.choose(now))
        if position is None:
            seated(self.game, self.game.record(now))
        return now

    def turn(self, number: int) -> Position:
        """Return the position at the beginning of a Rally turn of round 1; turns count from 1."""
        return self.until(lambda p: p.phase == "play" and played(p) == number - 1)

    def moves(self, kingdom: str) -> Position:
        """Return the position at which a Kingdom has its turn to move in round 1 and something to decide."""
        number = self.game.tables.names.place[kingdom]
        return self.until(lambda p: p.phase in MOVING and p.kingdom == number)

    def marches(self, position: Position, first: bool = True) -> Iterator[Position]:
        """Yield what comes of every possible march of the Kingdom that is moving, none delayed."""
        kingdom, todo = position.kingdom, [position]
        while todo:
            now = todo.pop()
            if now.phase not in MOVING or now.kingdom != kingdom:
                yield now
                continue
            actions = [one for one in self.game.legal(now) if not isinstance(one, act.Delay)]
            todo += [self.game.apply(now, action) for action in actions]


def played(position: Position) -> int:
    """Return how many cards have been played this round."""
    return sum(pile.bit_count() for pile in position.piles)


def plain_cards(game: NorthmenGame) -> list[str]:
    """Return the cards that place no token."""
    names = game.tables.names.cards
    return [one for n, one in enumerate(names) if not game.tables.token_cards >> n & 1]


@dataclass(frozen=True)
class Course:
    """A Rally Phase as the model played it: its turns, and the first at which something ran short (0: none)."""

    turns: int
    short_row: int
    no_draw: int
    shown: Mapping[str, Any] | None
    """The record when the row was short for the first time."""


def worst_course(game: NorthmenGame) -> Course:
    """Play round 1 with the cards that place no token first, to the end of the Rally Phase."""
    stage = Stage(game, Direction(plain_cards(game)))
    position, short_row, no_draw, shown = game.start(), 0, 0, None
    while position.phase in ROUND:
        after = game.apply(position, stage.choose(position))
        turns, drew = played(after), position.phase in ("draw", "drawn", "turn")
        if turns and drew and after.phase not in ("drawn", "turn") and after.row.bit_count() < ROW and not short_row:
            short_row, shown = turns, game.record(after)
        if position.phase in ("play", "hire") and after.phase not in ("hire", "draw") and not no_draw:
            due = after.phase in ROUND or after.group > 0 or game.finish_turn
            no_draw = turns if due else 0
        position = after
    return Course(played(position), short_row, no_draw, shown)

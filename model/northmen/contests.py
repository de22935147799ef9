"""What a step settles by itself, told once more for effects: who meets whom in a place, and how it is decided.

A step that ends a phase runs through control, battles and plunder.  The board on which that happens is not
kept; it follows from the position before and the action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec.structs import replace

from . import actions as act
from . import march
from .position import Ints, Position, put

if TYPE_CHECKING:
    from .game import NorthmenGame

How = Literal["most", "heroes", "seat"]
"""What decides a contest: most pieces, Heroes among those tied, or nearness to the Leader."""


STAGE = {
    "deal": 0, "turn": 0, "routes": 0, "play": 0, "hire": 0, "draw": 0, "drawn": 0, "delay": 1, "march": 1,
    "complete": 2, "buy": 3, "buying": 3, "keep": 3, "hold": 3, "over": 4,
}  # fmt: skip
"""What stretch of a round a phase belongs to; between two of them steps are taken that ask nobody."""
RALLY, MARCH, COMPLETE, PLAN, OVER = range(5)


class Contest(NamedTuple):
    """Pieces of a place by seat, who wins there (-1: nobody), and by what."""

    place: int
    cubes: Ints
    heroes: Ints
    winner: int
    how: How

    def losers(self) -> list[int]:
        """Return the other seats that have pieces there."""
        return [seat for seat in self.present() if seat != self.winner]

    def present(self) -> list[int]:
        """Return the seats that have pieces there."""
        return [seat for seat, cubes in enumerate(self.cubes) if cubes or self.heroes[seat]]


def decided(cubes: Ints, heroes: Ints) -> How:
    """Return what decides between seats with so many cubes and Heroes (SN-CTRL-01, 08, 09; SN-BATTLE-02, 08, 09)."""
    if not any(heroes) and cubes.count(0) == len(cubes) - 1:
        return "most"
    sums = [c + h for c, h in zip(cubes, heroes, strict=True)]
    top = max(sums)
    if sums.count(top) == 1:
        return "most"
    led = [h for h, pieces in zip(heroes, sums, strict=True) if pieces == top]
    return "heroes" if led.count(max(led)) == 1 else "seat"


def crossed(position: Position, after: Position) -> list[int]:
    """Return the stretches of play that came to their end between two positions, in order."""
    first = 5 * position.round + STAGE[position.phase]
    return [stage % 5 for stage in range(first, 5 * after.round + STAGE[after.phase])]


def board(game: NorthmenGame, position: Position, action: act.Action) -> Position:
    """Return the position with what the action itself puts on the board or moves, before anything is settled."""
    if isinstance(action, act.Play):
        kingdom, seat = game.tables.suit[action.card], position.seat
        here = position.cubes[kingdom]
        count = placed(game, position, action.card)
        position = replace(
            position, cubes=march.at(position.cubes, kingdom, put(here, seat, here[seat] + count)),
            reserve=put(position.reserve, seat, position.reserve[seat] - count),
        )  # fmt: skip
        return _with_token(game, position, action.card)
    if isinstance(action, act.Hire):
        kingdom = game.tables.suit[position.card]
        here = position.heroes[kingdom]
        more = put(here, position.seat, here[position.seat] + 1)
        return _with_token(game, replace(position, heroes=march.at(position.heroes, kingdom, more)), position.card)
    if isinstance(action, act.NoHire):
        return _with_token(game, position, position.card)
    return _sent(position, action) if isinstance(action, act.Send) else position


def placed(game: NorthmenGame, position: Position, card: int) -> int:
    """Return how many cubes a card brings when it is played now (SN-RALLY-06 to 08)."""
    seat = position.seat
    own, lent = game.law.cubes_placed(
        game.tables.value[card], position.reserve[seat], position.infamy[seat], game.partial
    )
    return int(own + lent)


def _with_token(game: NorthmenGame, position: Position, card: int) -> Position:
    region = game.tables.token[card]
    if region < 0 or position.group <= 0:
        return position
    return replace(
        position, tokens=put(position.tokens, region, position.tokens[region] + 1),
        group=game.law.group_after_token(position.group),
    )  # fmt: skip


def _sent(position: Position, action: act.Send) -> Position:
    seat, kingdom, place = position.seat, position.kingdom, action.place

    def moved(amounts: tuple[Ints, ...], count: int) -> tuple[Ints, ...]:
        left = march.at(amounts, kingdom, put(amounts[kingdom], seat, amounts[kingdom][seat] - count))
        return march.at(left, place, put(left[place], seat, left[place][seat] + count))

    return replace(position, cubes=moved(position.cubes, action.cubes), heroes=moved(position.heroes, action.heroes))


def controls(game: NorthmenGame, position: Position) -> list[Contest]:
    """Return for each Kingdom, in chart order, who gets control of it now, and how."""
    found = []
    for kingdom in range(game.tables.k):
        cubes, heroes = position.cubes[kingdom], position.heroes[kingdom]
        winner = march.controller(game, position, kingdom)
        found.append(Contest(kingdom, cubes, heroes, winner, decided(cubes, heroes)))
    return found


def battles(game: NorthmenGame, position: Position) -> list[Contest]:
    """Return the battles, in map order (SN-BATTLE-01)."""
    found = []
    for place in range(game.tables.k, len(position.cubes)):
        contest = Contest(place, position.cubes[place], position.heroes[place], -1, "most")
        if len(contest.present()) > 1:
            winner = game.law.battle_winner(contest.cubes, contest.heroes, position.leader, game.clock)
            found.append(contest._replace(winner=winner, how=decided(contest.cubes, contest.heroes)))
    return found


def collected(game: NorthmenGame, before: Position, after: Position) -> list[tuple[int, int, int]]:
    """Return seat, region and number of tokens of each plunder taken between two positions (SN-COLLECT-02)."""
    ruling = game.rulings["R_COLLECT"]
    found = []
    for region, (was, rest) in enumerate(zip(before.tokens, after.tokens, strict=True)):
        if was > rest:
            place = game.tables.k + region
            found.append((game.law.collector(after.cubes[place], after.heroes[place], ruling), region, was - rest))
    return found

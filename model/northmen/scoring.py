"""Scores of Northmen: plunder, Trade Routes, the bonus for Infamy; and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Result, ScoreLine

from .position import Ints, Position, bits
from .rules_march import nearest

if TYPE_CHECKING:
    from .game import NorthmenGame


def route_points(game: NorthmenGame, position: Position, seat: int) -> int:
    """Return the plunder value of a seat's completed Trade Routes (SN-ROUTE-02)."""
    return sum(game.tables.route_value[route] for route in bits(position.routes_done[seat]))


def bonuses(game: NorthmenGame, position: Position) -> Ints:
    """Return each seat's bonus for Infamy, nothing before the end (SN-END-02, 03)."""
    if position.phase != "over":
        return (0,) * game.players
    routes = tuple(done.bit_count() for done in position.routes_done)
    bonus: Ints = game.law.bonuses(position.infamy, routes, game.rulings["R_BONUS_ZERO"])
    return bonus


def result(game: NorthmenGame, position: Position) -> Result:
    """Return scores with breakdown, and the winners once the game is over (SN-SCORE-01 to 03)."""
    n, law = game.players, game.law
    bonus = bonuses(game, position)
    routes = [route_points(game, position, seat) for seat in range(n)]
    scores = tuple(law.total(position.taken[seat], routes[seat], bonus[seat]) for seat in range(n))
    counted = [law.total(0, routes[seat], 0) for seat in range(n)]
    lines = []
    for seat in range(n):
        plunder = law.total(position.taken[seat], 0, 0)
        lines += [
            ScoreLine(seat, "plunder collected", plunder, "SN-SCORE-01"),
            ScoreLine(seat, "completed Trade Routes", counted[seat], "SN-ROUTE-02"),
            ScoreLine(seat, "bonus for Infamy", scores[seat] - plunder - counted[seat], "SN-END-02"),
        ]
    if position.phase != "over":
        return Result(scores, tuple(lines), ())
    return Result(scores, tuple(lines), *winners(game, position, scores))


def winners(game: NorthmenGame, position: Position, scores: Ints) -> tuple[tuple[int, ...], str]:
    """Return who wins and the clause that decided it (SN-SCORE-02, 03, R_FINAL_TIE)."""
    law = game.law
    tied = law.leaders(scores)
    if len(tied) == 1:
        return tuple(tied), "SN-SCORE-02"
    tied = law.tie_by_infamy(tied, position.infamy)
    if len(tied) == 1 or game.rulings["R_FINAL_TIE"] == "shared":
        return tuple(tied), "SN-SCORE-03"
    return (nearest(tied, position.leader, game.players, game.clock),), "SN-LEADER-02"

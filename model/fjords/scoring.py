"""The score of Fjords and its breakdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Result, ScoreLine

from .position import Position

if TYPE_CHECKING:
    from .game import FjordsGame


def rounds_won(points: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """Return how many rounds each seat won (FD-SCORE-01)."""
    return sum(a > b for a, b in points), sum(b > a for a, b in points)


def result(game: FjordsGame, position: Position) -> Result:
    """Return points by round, their sums, and the winners once the game is over."""
    law, points = game.law, position.points
    lines = tuple(
        ScoreLine(seat, f"fields in round {n}", pair[seat], "FD-SCORE-03")
        for seat in (0, 1)
        for n, pair in enumerate(points, 1)
    )
    totals = tuple(law.total(tuple(pair[seat] for pair in points)) for seat in (0, 1))
    if position.phase != "over":
        return Result(totals, lines, ())
    first = law.leaders(totals)
    if len(first) == 1:
        return Result(totals, lines, tuple(first), "FD-END-03")
    winner = law.tie_winner(rounds_won(points))
    if winner is not None:
        return Result(totals, lines, (winner,), "FD-END-04")
    return Result(totals, lines, tuple(law.shared_victory()), "FD-END-05")

"""Scores of Fire & Axe: VP on the way, the Bloodied Axe, Settlements, Saga sets; and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Result, ScoreLine

from .position import Ints, Position, bits

if TYPE_CHECKING:
    from .game import FireAxeGame


def settlement_points(game: FireAxeGame, position: Position) -> Ints:
    """Return what each seat's Settlements pay at the end (FA-SCORE-05 to 09, R_SCORE_VALUE)."""
    tables, law, ruling = game.tables, game.law, game.rulings["R_SCORE_VALUE"]
    settlers = position.settlers
    paid = [0] * game.players
    for port, seat in enumerate(settlers):
        if seat < 0:
            continue
        printed = tables.value[port]
        reduced = law.settle_value(printed, position.goods[port] >= 0, game.floor)
        group = tables.region[port]
        among = [settlers[n] for n in bits(group or tables.independent)]
        settled, own = sum(n >= 0 for n in among), among.count(seat)
        value = law.scoring_value(printed, reduced, ruling)
        paid[seat] += law.settlement_points(value, settled, own, not group)
    return tuple(paid)


def saga_sets(game: FireAxeGame, position: Position) -> tuple[Ints, ...]:
    """Return what the Sagas of each Homeland pay each seat (FA-SCORE-11 to 15)."""
    return tuple(
        game.law.saga_set(tuple([(won & mask).bit_count() for won in position.won])) for mask in game.tables.home_sagas
    )


def result(game: FireAxeGame, position: Position) -> Result:
    """Return scores with breakdown, and the winners once the game is over; bonuses are paid at the end only."""
    n, over = game.players, position.phase == "over"
    none = (0,) * n
    axe: Ints = game.law.axe_bonus(position.axes) if over else none
    built = settlement_points(game, position) if over else none
    sets = saga_sets(game, position) if over else ()
    lines: list[ScoreLine] = []
    scores = []
    for seat in range(n):
        own = [
            ScoreLine(seat, "VP on the way", position.vp[seat], "FA-SCORE-01"),
            ScoreLine(seat, "the Bloodied Axe", axe[seat], "FA-SCORE-04"),
            ScoreLine(seat, "Settlements", built[seat], "FA-SCORE-05"),
            ScoreLine(seat, "Saga sets", sum(points[seat] for points in sets), "FA-SCORE-11"),
        ]
        lines += own
        scores.append(sum(line.points for line in own))
    if not over:
        return Result(tuple(scores), tuple(lines), ())
    winners: Ints = game.law.winners(tuple(scores))
    return Result(tuple(scores), tuple(lines), winners, "FA-WIN-02" if len(winners) > 1 else "FA-WIN-01")

"""Which clauses settle the end of a game of Fire & Axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .position import Position, bits
from .turns import sits_out

if TYPE_CHECKING:
    from .game import FireAxeGame

Ids = tuple[str, ...]
_WHY = {"sagas": "FINAL-03 FINAL-04", "tokens": "FINAL-03 FINAL-06 FINAL-07 TURN-03", "crew": "CREW-04"}


def _ids(text: str) -> Ids:
    return tuple(f"FA-{word}" for word in text.split())


def ended(game: FireAxeGame, after: Position) -> Ids:
    """Return the clauses that ended the game and that scored it."""
    found = _ids(f"{_WHY[after.ended]} FINAL-08 SCORE-01 SCORE-02 SCORE-10 SCORE-16")
    if any(sits_out(game, after, seat) for seat in range(game.players)):
        found += _ids("CREW-03")
    if any(after.axes):
        found += _ids("SCORE-03 SCORE-04")
    found += _settled(game, after)
    for mask in game.tables.home_sagas:
        found += _set(tuple((won & mask).bit_count() for won in after.won))
    winners = game.result(after).winners
    return tuple(dict.fromkeys(found + _ids("WIN-01 WIN-02" if len(winners) > 1 else "WIN-01")))


def _settled(game: FireAxeGame, after: Position) -> Ids:
    found: Ids = ()
    for port, seat in enumerate(after.settlers):
        if seat < 0:
            continue
        group = game.tables.region[port]
        if not group:
            found += _ids("SCORE-05 SCORE-09")
            continue
        owners = [after.settlers[n] for n in bits(group) if after.settlers[n] >= 0]
        found += _ids("SCORE-05 " + {1: "", 2: "SCORE-06", 3: "SCORE-07"}[len(owners)])
        found += _ids("SCORE-08") if len(set(owners)) > 1 else ()
    return found


def _set(counts: tuple[int, ...]) -> Ids:
    """Return what the Sagas of one Homeland pay by."""
    most = max(counts)
    if not most:
        return ()
    found = _ids("SCORE-11 SCORE-12 SAGA-07")
    if counts.count(most) > 1:
        return found + _ids("SCORE-14")
    second = max((n for n in counts if n < most), default=0)
    if not second:
        return found
    return found + _ids("SCORE-13 SCORE-15" if counts.count(second) > 1 else "SCORE-13")

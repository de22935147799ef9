"""Setup, the order of turns, the Final Rounds, and windows in which others may use runes, of Fire & Axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import actions as act
from .position import WINTERING, Ended, Position, put

if TYPE_CHECKING:
    from .game import FireAxeGame

NONE = (0, 0, 0)
"""No good of any sort."""


def start(game: FireAxeGame) -> Position:
    """Return the table before the first Saga is turned up (FA-SETUP-01 to 18)."""
    n, t, law, pack = game.players, game.tables, game.law, game.pack
    each = (0,) * n
    stock, demand = law.first_demand((game.goods_each,) * 3)
    position = Position(
        phase="flip", turn=-1, seat=-1, vp=law.starting_points(n), places=(law.first_place(),) * n, crew=each,
        cargo=(NONE,) * n, supply=(game.crew_each,) * n, stock=stock, demand=demand, token=demand >= 0,
        goods=(-1,) * t.port_count, towns=t.towns, settlers=(-1,) * t.port_count, axes=each,
        small=tuple(sorted(pack.treasures.small)), large=tuple(sorted(pack.treasures.large)), unseen=t.all_sagas,
        left=tuple(law.sagas_kept(mask.bit_count()) for mask in t.era_sagas), face=0, won=each, discarded=0, era=1,
        second=False, holder=-1, placed=0, deck=t.all_runes, pile=0, hands=each,
        dial=t.zones.index(law.first_zone(pack.dial.start, t.zones)), prep=0, sailed=0, days=game.days, tasked=0,
        chart_crew=0, chart_goods=NONE, covered=0, rolls=0, dice=0, drawing=0, back="main", attack=0, spare=0,
        shelter=0, doubled=False, free=0, offer=0, played=-1, victim=-1, passes=-1, ended="",
    )  # fmt: skip
    return game.refill(position)


def deal_runes(game: FireAxeGame, position: Position) -> Position:
    """Go on with setup: a rune for each seat (FA-SETUP-16); then the first turn begins (FA-SETUP-17)."""
    if position.deck:
        for seat in range(game.players):
            if position.hands[seat].bit_count() < game.law.opening_runes():
                return replace(position, phase="deal", seat=seat)
    return game.begin_turn(position, game.law.first_seat(game.players))


def settlements(position: Position, seat: int) -> int:
    """Return how many Settlements a seat has."""
    return position.settlers.count(seat)


def sits_out(game: FireAxeGame, position: Position, seat: int) -> bool:
    """Say whether all crew of a seat are Settlements (FA-CREW-02)."""
    built = position.settlers.count(seat)
    return built > 0 and bool(game.law.sits_out(built, game.crew_each))


def begin(game: FireAxeGame, position: Position, seat: int) -> Position:
    """Begin the turn of a seat, or of the next that does not sit out; the holder of the tokens places one.

    R_HOLDER_OUT says what becomes of the tokens of a holder who sits out (FA-FINAL-05, FA-CREW-02),
    R_THIRD_TOKEN whether the third one ends the game when it is placed (FA-FINAL-06).
    """
    law, ruling = game.law, game.rulings["R_HOLDER_OUT"]
    holder, placed = position.holder, position.placed
    for _ in range(game.players + 1):
        out = sits_out(game, position, seat)
        if seat == holder and out and ruling == "pass_tokens":
            holder = _next_at_the_table(game, position, seat)
        elif seat == holder and (not out or ruling == "clock_runs"):
            placed += law.tokens_placed(placed)
            if law.clock_stops_at(placed) and (out or game.third_ends):
                return over(replace(position, holder=holder, placed=placed), "tokens")
        if not out:
            return open_window(
                game, replace(position, phase="main", turn=seat, seat=seat, holder=holder, placed=placed)
            )
        seat = law.next_seat(seat, game.players)
    return over(position, "crew")


def _next_at_the_table(game: FireAxeGame, position: Position, seat: int) -> int:
    for _ in range(game.players):
        seat = game.law.next_seat(seat, game.players)
        if not sits_out(game, position, seat):
            return seat
    return seat


def end(game: FireAxeGame, position: Position) -> Position:
    """End the turn: clear the Losses chart, set the sliders to 0, pass on (FA-END-06 to 08)."""
    law, seat = game.law, position.turn
    position = _cleared(game, position)
    if seat == position.holder and law.clock_stops_at(position.placed):
        return over(position, "tokens")
    return game.begin_turn(position, law.next_seat(seat, game.players))


def _cleared(game: FireAxeGame, position: Position) -> Position:
    seat, back = position.turn, game.law.chart_returns()
    crew, goods = position.chart_crew, position.chart_goods
    if back and (crew or goods != NONE):
        position = replace(
            position, supply=put(position.supply, seat, position.supply[seat] + crew), stock=plus(position.stock, goods)
        )
    return replace(
        position, prep=game.law.slider_after_turn(position.prep), sailed=game.law.slider_after_turn(position.sailed),
        days=game.days, tasked=0, chart_crew=0, chart_goods=NONE, covered=0, rolls=0, dice=0, attack=0, spare=0,
        shelter=0, doubled=False, free=0, offer=0, passes=-1, back="main",
    )  # fmt: skip


def plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sums of goods by sort."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def over(position: Position, why: Ended) -> Position:
    """End the game (FA-FINAL-04, FA-FINAL-06, FA-CREW-04)."""
    return replace(position, phase="over", seat=-1, ended=why)


def to_wintering(game: FireAxeGame, position: Position, kept: int) -> Position:
    """Move the ship on turn to the Wintering Zone: goods go back, and all crew but so many (FA-CREW-01)."""
    seat = position.turn
    return replace(
        position,
        places=put(position.places, seat, WINTERING),
        stock=plus(position.stock, position.cargo[seat]),
        cargo=(*position.cargo[:seat], NONE, *position.cargo[seat + 1 :]),
        supply=put(position.supply, seat, position.supply[seat] + position.crew[seat] - kept),
        crew=put(position.crew, seat, kept),
    )


def wreck(game: FireAxeGame, position: Position) -> Position:
    """The last crewmember is gone: the ship goes to the Wintering Zone and the turn ends (FA-END-02)."""
    return game.end_turn(to_wintering(game, position, 0))


# -- windows (R_RUNE_TURN=any) ---------------------------------------------------------------------------


def open_window(game: FireAxeGame, position: Position) -> Position:
    """After an Action, and as a turn begins, others may use runes, if R_RUNE_TURN lets them (FA-OURS-WINDOW)."""
    if not game.windows:
        return position
    return next_in_window(game, replace(position, phase="window", seat=position.turn, passes=0))


def next_in_window(game: FireAxeGame, position: Position) -> Position:
    """Ask the next seat clockwise that can use a rune; when all have passed in a row, the turn goes on."""
    seat, passes, n = position.seat, position.passes, game.players
    while passes < n - 1:
        seat = game.law.next_seat(seat, n)
        if seat == position.turn:
            continue
        if can_respond(game, position, seat):
            return replace(position, phase="window", seat=seat, passes=passes)
        passes += 1
    return replace(position, phase="main", seat=position.turn, passes=-1)


def can_respond(game: FireAxeGame, position: Position, seat: int) -> bool:
    """Say whether a seat that is not on turn could discard a rune."""
    return (
        position.hands[seat] != 0
        and game.law.may_use_runes(game.tables.is_home(position.places[seat]), True)
        and not sits_out(game, position, seat)
    )


def do_pass(game: FireAxeGame, position: Position, action: act.Pass) -> Position:
    """Use no rune: the next seat is asked."""
    return next_in_window(game, replace(position, passes=position.passes + 1))

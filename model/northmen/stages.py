"""What a position tells about how far a round has come, for the invariants: stage, turns, draws, marches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from lawspeaker.model.core.contract import Fact

from .position import MARCHING, PLANNING, RALLY, Position

if TYPE_CHECKING:
    from .game import NorthmenGame

Found = Iterator[tuple[Fact, ...]]
Stage = Literal["dealing", "rally", "marching", "planning", "over"]

HAND, ROW, ROUTES, GROUP, CUBES, HEROES, ROUNDS = 6, 3, 2, 15, 30, 3, 3
START = {2: (3, 6), 3: (3, 3, 3), 4: (5, 4, 3, 6)}
"""Starting Infamy by seat: seat A leads the first round (SN-SETUP-10 to 13)."""


class Table:
    """A position with what the checks of one look share; amounts by seat are tuples."""

    def __init__(self, game: NorthmenGame, position: Position) -> None:
        self.game, self.position, self.n = game, position, game.players
        self.cards, self.routes = len(game.tables.names.cards), len(game.tables.names.routes)
        self.dealt = self.cards >= HAND * self.n
        """Whether the cards suffice for full hands; a cut of a box may have fewer."""
        self.stage: Stage = stage_of(position)
        carries = position.round > 1
        self.old_cubes = carries and game.rulings["R_MUST_MOVE"] == "may"
        """Whether cubes of an earlier round may stand in a Kingdom."""
        self.old_heroes = carries and game.rulings["R_HERO_STAY"] == "may"

    def ruled(self, ruling: str, value: str) -> bool:
        """Say whether a ruling has this value."""
        return self.game.rulings[ruling] == value

    def chair(self, seat: int) -> int:
        """Return how many places clockwise from the Leader a seat is."""
        return (seat - self.position.leader) % self.n

    @cached_property
    def plays(self) -> tuple[int, ...]:
        """Cards that each seat has played this round."""
        return tuple(pile.bit_count() for pile in self.position.piles)

    @cached_property
    def turns(self) -> int:
        """Rally turns begun this round: one for each card played."""
        return sum(self.plays)

    def share(self, turns: int, seat: int) -> int:
        """Return how many of the first so many Rally turns are a seat's (SN-RALLY-01, 19)."""
        return (turns + self.n - 1 - self.chair(seat)) // self.n

    @cached_property
    def full(self) -> bool:
        """Whether the tokens of the Rally Phase lie on the board (SN-RALLY-20, R_FIFTEEN)."""
        position = self.position
        return position.group == 0 or (self.ruled("R_FIFTEEN", "board") and sum(position.tokens) >= GROUP)

    @cached_property
    def draws(self) -> tuple[int, ...]:
        """How many Rally turns may have ended with a drawn card by now; the first ones, while cards lasted."""
        most, turns, phase = self.cards - HAND * self.n, self.turns, self.position.phase
        if self.stage == "dealing" or turns == 0:
            return (0,)
        if self.stage == "rally":
            return (min(turns - (phase in ("hire", "draw", "drawn")), most),)
        finished, cut = min(turns, most), min(turns - 1, most)
        if self.ruled("R_RALLY_END", "finish_turn"):
            return (finished,)
        if self.position.group == 0:
            return (cut,)
        return (finished, cut) if self.ruled("R_FIFTEEN", "board") else (finished,)

    def hands_due(self, draws: int) -> tuple[int, ...]:
        """Return the size of each hand at the end of the Rally turns so far, if so many have drawn."""
        return tuple(HAND - self.plays[seat] + self.share(draws, seat) for seat in range(self.n))

    @cached_property
    def may_end_early(self) -> bool:
        """Whether a Rally Phase may end with tokens of its group left over."""
        few = self.game.tables.token_cards.bit_count() < GROUP
        return few or self.ruled("R_DECK_EMPTY", "end") or self.ruled("R_FIFTEEN", "board")

    @cached_property
    def placed_now(self) -> int:
        """Cards in the piles that have placed their token, as bits."""
        cards = 0
        for pile in self.position.piles:
            cards |= pile
        if self.position.phase == "hire":
            cards &= ~(1 << self.position.card)
        return cards & self.game.tables.token_cards

    def symbols(self, seat: int, kingdom: int) -> int:
        """Return the symbols on a seat's cards of a Kingdom's suit."""
        return sum(self.game.tables.symbols(self.position.piles[seat], kingdom))

    def sure(self, seat: int) -> bool:
        """Say whether a seat certainly placed a cube for each symbol in this Rally Phase.

        After a reserve ran out only Heroes (three at most) and a delay have refilled it, until regions are
        cleared; that cubes of earlier rounds or stuck ones (R_MUST_MOVE, R_STUCK) play no part is needed too.
        """
        if self.old_cubes or not self.ruled("R_STUCK", "map_constraint"):
            return False
        spare = 2 if self.ruled("R_PARTIAL", "all_or_nothing") else 0
        delay = 5 if self.position.times[seat] >= 0 else 0
        return self.position.reserve[seat] > spare + 3 * HEROES + delay

    def waits(self, kingdom: int) -> bool:
        """Say whether a Kingdom has not begun to march: its turn is to come, or it was delayed."""
        position = self.position
        if position.phase == "complete":
            return False
        if kingdom == position.kingdom:
            return position.phase == "delay"
        delayed = kingdom in position.times
        return delayed and kingdom > position.kingdom if position.second_pass else delayed or kingdom > position.kingdom

    @cached_property
    def waiting(self) -> tuple[int, ...]:
        """The Kingdoms that have not begun to march in this Marching Phase."""
        return tuple(k for k in range(self.game.tables.k) if self.waits(k))

    @cached_property
    def gone(self) -> tuple[int, ...]:
        """The Kingdoms that have marched, without the one that is marching."""
        marching = self.position.kingdom if self.position.phase == "march" else -1
        return tuple(k for k in range(self.game.tables.k) if k not in self.waiting and k != marching)

    def carried(self, seat: int, regions: int) -> int:
        """Return the most cubes of a seat that marches so far can have brought to some regions (bits)."""
        position, tables = self.position, self.game.tables
        total = 0
        for kingdom in self.gone:
            if position.control[kingdom] == seat:
                soldiers, ships = tables.symbols(position.piles[seat], kingdom)
                total += tables.capacity(kingdom, regions, (soldiers, ships, soldiers + ships))
        if position.phase == "march" and position.seat == seat:
            regions &= (1 << position.region) - 1
            land, sea = tables.reach.armies[position.kingdom], tables.reach.fleets[position.kingdom]
            total += position.armies if regions & land & ~sea else 0
            total += position.fleets if regions & sea & ~land else 0
            total += position.either if regions & land & sea else 0
        return total

    def led(self, seat: int, region: int) -> bool:
        """Say whether a march so far can have brought a Hero of a seat to a region."""
        position, reach = self.position, self.game.tables.reach.heroes
        marching = position.phase == "march" and position.led and position.seat == seat and region < position.region
        if marching and reach[position.kingdom] >> region & 1:
            return True
        return any(position.control[k] == seat and reach[k] >> region & 1 for k in self.gone)


def stage_of(position: Position) -> Stage:
    """Return the part of the round: ``turn`` fills the row in dealing and after a card was taken."""
    if position.phase == "turn":
        return "rally" if position.card >= 0 else "dealing"
    if position.phase in RALLY:
        return "rally"
    if position.phase in MARCHING:
        return "marching"
    if position.phase in PLANNING:
        return "planning"
    return "over" if position.phase == "over" else "dealing"

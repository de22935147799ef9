"""Reachability over an abstract Rally Phase: counters of cards and tokens, and whose turn it is.

The abstraction forgets which cards are where: whoever has a card may have any kind that is still
unplayed.  So what is proven of it holds of the game, if every step of the game is a step of it;
``audits`` checks that along play.  That the worst it allows does happen is shown by playing cards out
in the worst order (``worst_rally``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import z3

from lawspeaker.solver.asking import possible, require, solver

from .counts import CARDS, GROUP, HAND, ROW, deck_size

Moment = str
"""``play``, ``draw`` (a card is due), ``drawn`` (chance deals it), ``turn`` (for the row), ``over``, ``stuck``."""


@dataclass(frozen=True)
class Rules:
    """What the abstraction is taken under; values of R_RALLY_END, R_DECK_EMPTY and R_NO_CARD."""

    rally_end: str = "immediate"
    deck_empty: str = "shrink"
    no_card: str = "reject"


@dataclass(frozen=True)
class Rally:
    """A moment of a Rally Phase; *left* are the tokens still to place, the last two what is unplayed."""

    moment: Moment
    seat: int
    hands: tuple[int, ...]
    row: int
    deck: int
    left: int
    token_cards: int
    plain_cards: int

    @property
    def played(self) -> int:
        """Number of cards played in this phase, one a turn."""
        return CARDS - self.token_cards - self.plain_cards


def start(players: int, placing: int) -> Rally:
    """Return the first moment, the Leader being seat 0 and *placing* cards bringing a token."""
    hands = (HAND,) * players
    return Rally("play", 0, hands, ROW, deck_size(players), GROUP, placing, CARDS - placing)


def successors(now: Rally, rules: Rules) -> Iterator[Rally]:
    """Yield every next moment."""
    if now.moment == "play":
        if now.token_cards:
            yield _played(replace(now, token_cards=now.token_cards - 1, left=now.left - 1), rules)
        if now.plain_cards:
            yield _played(replace(now, plain_cards=now.plain_cards - 1), rules)
    elif now.moment == "draw":
        if now.deck:
            yield replace(now, moment="drawn")
        if now.row:
            yield _taken(replace(now, row=now.row - 1), rules)
    elif now.moment == "drawn":
        yield _next(replace(now, deck=now.deck - 1, hands=_one_more(now)), rules)
    elif now.moment == "turn":
        yield _next(replace(now, deck=now.deck - 1, row=now.row + 1), rules)


def _one_more(now: Rally, by: int = 1) -> tuple[int, ...]:
    return tuple(h + by if seat == now.seat else h for seat, h in enumerate(now.hands))


def _played(now: Rally, rules: Rules) -> Rally:
    """A card has been played and its token placed; what is next."""
    now = replace(now, hands=_one_more(now, -1))
    if now.left == 0 and rules.rally_end == "immediate":
        return replace(now, moment="over")
    if now.deck + now.row:
        return replace(now, moment="draw")
    return replace(now, moment="over") if rules.deck_empty == "end" else _next(now, rules)


def _taken(now: Rally, rules: Rules) -> Rally:
    now = replace(now, hands=_one_more(now))
    if now.deck:
        return replace(now, moment="turn")
    return replace(now, moment="over") if rules.deck_empty == "end" else _next(now, rules)


def _next(now: Rally, rules: Rules) -> Rally:
    """The turn is over: the phase ends, or the next seat has its turn, if it has a card."""
    if now.left == 0:
        return replace(now, moment="over")
    seat = (now.seat + 1) % len(now.hands)
    if now.hands[seat]:
        return replace(now, moment="play", seat=seat)
    return replace(now, moment="over" if rules.no_card == "end" else "stuck", seat=seat)


@cache
def reached(players: int, placing: int, rules: Rules) -> frozenset[Rally]:
    """Return every moment that can come about, by plain search."""
    first = start(players, placing)
    found, todo = {first}, [first]
    while todo:
        for then in successors(todo.pop(), rules):
            if then not in found:
                found.add(then)
                todo.append(then)
    return frozenset(found)


# -- the same, a whole turn at a time, for z3 ---------------------------------------------------------


class Symbols:
    """The unknowns of one moment at which a seat is to play; hands in turn order, the mover's first."""

    def __init__(self, name: str, players: int) -> None:
        self.players = players
        self.hands = [z3.Int(f"{name}_hand_{seat}") for seat in range(players)]
        self.row, self.deck = z3.Int(f"{name}_row"), z3.Int(f"{name}_deck")
        self.tokens, self.plain = z3.Int(f"{name}_tokens"), z3.Int(f"{name}_plain")

    @property
    def turns(self) -> Any:
        """Turns had so far: one card a turn."""
        return self.tokens + self.plain


def begins(now: Symbols) -> Any:
    """Say that a Rally Phase begins."""
    hands = [hand == HAND for hand in now.hands]
    return z3.And(*hands, now.row == ROW, now.deck == deck_size(now.players), now.tokens == 0, now.plain == 0)


def holds(now: Symbols, placing: Any) -> Any:
    """Return the invariant at the start of every Rally turn, whatever was played and drawn.

    All cards are somewhere; the row is full while there is a deck; hands are full while there is
    anything to draw, and after that the seats still to play in this circle have one card more.
    """
    hands, last = now.hands, now.hands[-1]
    drawn = deck_size(now.players) + ROW - now.turns
    steps = [one >= two for one, two in pairwise(hands)]
    return z3.And(
        now.tokens >= 0, now.tokens < GROUP, now.tokens <= placing, now.plain >= 0, now.plain <= CARDS - placing,
        last >= 0, hands[0] - last <= 1, *steps,
        z3.Sum(hands) + now.row + now.deck + now.turns == CARDS,
        now.row >= 0, now.row <= ROW, now.deck >= 0, z3.Implies(now.deck > 0, now.row == ROW),
        now.row + now.deck == z3.If(drawn > 0, drawn, 0),
        z3.Implies(now.row + now.deck > 0, z3.And(hands[0] == HAND, last == HAND)),
    )  # fmt: skip


def turn(now: Symbols, then: Symbols, placing: Any) -> Any:
    """A whole turn: a card that places a token or one that does not, then a draw if there is anything."""
    token = z3.And(now.tokens < placing, then.tokens == now.tokens + 1, then.plain == now.plain)
    other = z3.And(now.plain < CARDS - placing, then.tokens == now.tokens, then.plain == now.plain + 1)
    passed = [one == two for one, two in zip(then.hands, now.hands[1:], strict=False)]
    none = z3.And(now.row + now.deck == 0, then.row == 0, then.deck == 0, then.hands[-1] == now.hands[0] - 1)
    # a card of the row that is replaced from the deck leaves the same numbers as one drawn from the deck
    from_deck = z3.And(now.deck > 0, then.deck == now.deck - 1, then.row == now.row)
    last_ones = z3.And(now.deck == 0, now.row > 0, then.row == now.row - 1, then.deck == 0)
    drew = z3.And(z3.Or(from_deck, last_ones), then.hands[-1] == now.hands[0])
    return z3.And(now.hands[0] > 0, z3.Or(token, other), *passed, z3.Or(none, drew))


@cache
def inductive(players: int) -> bool:
    """Prove that ``holds`` is true at the start and kept by every turn after which the phase goes on."""
    now, then, placing = Symbols("now", players), Symbols("then", players), z3.Int("placing")
    cards = z3.And(placing >= 0, placing <= CARDS)
    require(not possible(solver(cards, begins(now), z3.Not(holds(now, placing)))), "it holds at the start")
    step = z3.And(holds(now, placing), turn(now, then, placing), then.tokens < GROUP)
    require(possible(solver(cards, step)), "there are turns at all")
    require(not possible(solver(cards, step, z3.Not(holds(then, placing)))), "each turn keeps it")
    return True


# -- played out ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A Rally Phase played out: its turns by seat, and the first turn at which something ran short (0: none)."""

    turns: tuple[int, ...]
    short_row: int
    no_draw: int
    ended: bool

    @property
    def total(self) -> int:
        """All turns."""
        return sum(self.turns)


def play_out(players: int, order: Iterable[bool], rally_end: str = "immediate") -> Played:
    """Play cards in this order (true: it places a token), with hands, row and deck dealt to make it so.

    Raises AssertionError if some card of the order cannot be in the hand of who has to play it.
    """
    cards = list(enumerate(order))
    plays = {seat: [card for card in cards if card[0] % players == seat] for seat in range(players)}
    hands = {seat: plays[seat][:HAND] for seat in plays}
    wanted = sorted(card for seat in plays for card in plays[seat][HAND:])
    deck, row = wanted[:-ROW], wanted[-ROW:]
    had, left, short_row, no_draw, number = [0] * players, GROUP, 0, 0, 0
    while True:
        seat = number % players
        if not hands[seat]:
            return Played(tuple(had), short_row, no_draw, ended=False)
        card = cards[number]
        require(card in hands[seat], "the order can be dealt")
        hands[seat].remove(card)
        had[seat], number, left = had[seat] + 1, number + 1, left - card[1]
        if left == 0 and rally_end == "immediate":
            return Played(tuple(had), short_row, no_draw, ended=True)
        if deck:
            hands[seat].append(deck.pop(0))
        elif row:
            hands[seat].append(row.pop(0))
            short_row = short_row or number
        else:
            no_draw = no_draw or number
        if left == 0:
            return Played(tuple(had), short_row, no_draw, ended=True)


def worst_rally(players: int, placing: int, rally_end: str = "immediate") -> Played:
    """Play out the cards that place no token first."""
    return play_out(players, [False] * (CARDS - placing) + [True] * placing, rally_end)

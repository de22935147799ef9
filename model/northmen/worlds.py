"""Other worlds: positions that a seat cannot tell from the one given, with all that is hidden drawn anew."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .position import Position, bits

if TYPE_CHECKING:
    from .game import NorthmenGame


def another(game: NorthmenGame, position: Position, seat: int, random: Random) -> Position:
    """Return a position that the seat cannot tell from this one.

    Cards of other hands, of the deck and of the discards change places, and so do Trade Routes of other
    hands, of the deck and those that others put under it or have just drawn.  Piles stay: each card was
    played face up, and the cubes on the board tell of it.
    """
    return _other_routes(game, _other_cards(game, position, seat, random), seat, random)


def _other_cards(game: NorthmenGame, position: Position, seat: int, random: Random) -> Position:
    others = [n for n in range(game.players) if n != seat]
    hidden = [*bits(position.deck), *bits(position.discard), *(c for n in others for c in bits(position.hands[n]))]
    random.shuffle(hidden)
    hands = list(position.hands)
    for n in others:
        hands[n] = _take(hidden, position.hands[n].bit_count())
    discard = _take(hidden, position.discard.bit_count())
    held = position.held
    if held and position.seat != seat:  # what is held lies in the hand, in any order that card order permits
        held = sum(1 << c for c in random.sample(bits(hands[position.seat]), held.bit_count()))
    return replace(position, hands=tuple(hands), discard=discard, deck=_take(hidden, len(hidden)), held=held)


def _other_routes(game: NorthmenGame, position: Position, seat: int, random: Random) -> Position:
    others = [n for n in range(game.players) if n != seat]
    buying = position.phase in ("buying", "keep") and position.seat != seat
    pool = [*bits(position.route_deck), *(r for n in others for r in bits(position.route_hands[n]))]
    pool += [route for route, owner in position.route_bottom if owner != seat]
    pool += bits(position.drawn) if buying else []
    random.shuffle(pool)
    hands = list(position.route_hands)
    for n in others:
        hands[n] = _take(pool, position.route_hands[n].bit_count())
    bottom = tuple((r, owner) if owner == seat else (pool.pop(), owner) for r, owner in position.route_bottom)
    drawn, kept = position.drawn, position.kept
    if buying:
        drawn = _take(pool, drawn.bit_count())
        kept = _first(drawn, kept.bit_count())
    after = replace(
        position, route_hands=tuple(hands), route_bottom=bottom, route_deck=_take(pool, len(pool)), drawn=drawn,
        kept=kept,
    )  # fmt: skip
    return _other_commitments(game, position, after, seat, random) if position.phase == "complete" else after


def _other_commitments(game: NorthmenGame, before: Position, after: Position, seat: int, random: Random) -> Position:
    """Draw anew what other seats have committed to: any of their routes that are completed and were asked about."""
    chosen, asked = list(before.chosen), before.asked
    for n in range(game.players):
        if n == seat:
            continue
        hand = bits(after.route_hands[n])
        count = len(hand) if chair(game, before, n) < chair(game, before, before.seat) else 0
        if n == before.seat:
            count = (before.route_hands[n] & ((1 << asked) - 1)).bit_count()
            asked = hand[count]
        able = [r for r in hand[:count] if game.completed(after, n, r)]
        chosen[n] = sum(1 << r for r in able if random.random() < 0.5)
    return replace(after, chosen=tuple(chosen), asked=asked)


def chair(game: NorthmenGame, position: Position, seat: int) -> int:
    """Return how many places clockwise from the Leader a seat is."""
    return (seat - position.leader) % game.players


def _take(pool: list[int], count: int) -> int:
    """Take so many numbers off the end of the pool; return them as bits."""
    return sum(1 << pool.pop() for _ in range(count))


def _first(mask: int, count: int) -> int:
    return sum(1 << n for n in bits(mask)[:count])

"""Finding piles of played cards that explain what a scenario gives: a small search over the cards of a pack.

Seats, Kingdoms, regions and cards are numbers; sets of cards are bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from lawspeaker.model.northmen.position import bits
from lawspeaker.model.northmen.tables import Tables

Ints = tuple[int, ...]
ANY = (0, 99)
"""A range that leaves an amount open."""


class Suit(msgspec.Struct, frozen=True):
    """What a seat has played of one suit: these cards and no other, or cards with so many symbols."""

    seat: int
    kingdom: int
    symbols: tuple[int, int] = ANY
    """Least and most symbols."""
    least: int = 0
    """Least number of cards."""
    cards: int | None = None
    """The very cards, where they are given."""
    among: int = 0
    """Cards that have to be among them."""


class Wish(msgspec.Struct, frozen=True):
    """What the piles must be like: each seat's suits that matter, and cards of no matter to fill up with."""

    base: Ints
    """Cards by seat that lie in the pile and belong to no suit named in *suits*."""
    suits: tuple[Suit, ...]
    barred: int
    """Cards that lie elsewhere."""
    fillers: int
    """Cards that any pile may have besides."""
    counts: Ints | None
    """Cards by seat; None: as few as do."""
    tokens: tuple[int, int]
    """Least and most cards that have placed a token."""
    regions: tuple[tuple[int, int], ...]
    """The same by region."""
    unplaced: int
    """A card that has not placed its token yet."""
    budget: Ints
    """Cubes by seat that may lie on the board."""
    fits: Callable[[int, int], bool]
    """Whether a seat's pile, fillers aside, explains what the seat has in the regions."""


def find(tables: Tables, wish: Wish) -> Ints | None:
    """Return piles by seat, the first in a fixed order that are as wished; None if none are found soon enough."""
    return _Search(tables, wish).walk(0, list(wish.base))


STEPS = 3000
"""Sets of cards that a search tries before it gives up."""


class _Search:
    def __init__(self, tables: Tables, wish: Wish) -> None:
        self.tables, self.wish, self.steps = tables, wish, 0
        last = {suit.seat: n for n, suit in enumerate(wish.suits)}
        self.closes = {n: seat for seat, n in last.items()}
        self.idle = [seat for seat in range(len(wish.base)) if seat not in last]
        self.later = self._later()

    def _later(self) -> list[tuple[int, int]]:
        """Return for each suit how few and how many cards the seat's suits after it can have."""
        found: list[tuple[int, int]] = []
        after: dict[int, tuple[int, int]] = {}
        for suit in reversed(self.wish.suits):
            few, many = after.get(suit.seat, (0, 0))
            found.insert(0, (few, many))
            numbers = [cards.bit_count() for cards in self._options(suit, 0)] or [0]
            after[suit.seat] = few + min(numbers), many + max(numbers)
        return found

    def _promising(self, step: int, piles: list[int]) -> bool:
        """Say whether numbers of cards can still come right."""
        wish = self.wish
        if wish.counts is None:
            return True
        seat, (few, many) = wish.suits[step].seat, self.later[step]
        missing = wish.counts[seat] - piles[seat].bit_count()
        idle = sum((pile & ~self.tables.token_cards).bit_count() for pile in piles)
        most = many + wish.fillers.bit_count()
        return few <= missing <= most and idle <= sum(wish.counts) - wish.tokens[0]

    def walk(self, step: int, piles: list[int]) -> Ints | None:
        """Choose the cards of one suit of one seat after the other, then fill up."""
        wish = self.wish
        if step == len(wish.suits):
            fitting = all(wish.fits(seat, piles[seat]) for seat in self.idle)
            return self._filled(piles) if fitting else None
        suit = wish.suits[step]
        used = wish.barred
        for pile in piles:
            used |= pile
        for cards in self._options(suit, used):
            self.steps += 1
            if self.steps > STEPS:
                return None
            pile = piles[suit.seat] | cards
            after = [*piles[: suit.seat], pile, *piles[suit.seat + 1 :]]
            if not self._promising(step, after) or (step in self.closes and not wish.fits(suit.seat, pile)):
                continue
            found = self.walk(step + 1, after)
            if found is not None:
                return found
        return None

    def _options(self, suit: Suit, used: int) -> Iterator[int]:
        if suit.cards is not None:
            if not suit.cards & used:
                yield suit.cards
            return
        sets = [(0, 0, 0)]
        for card in bits(self.tables.suit_cards[suit.kingdom] & ~used):
            sets += [(sum_ + self.tables.value[card], count + 1, mask | 1 << card) for sum_, count, mask in sets]
        least, most = suit.symbols
        for symbols, count, cards in sorted(sets):
            if least <= symbols <= most and count >= suit.least and not suit.among & ~cards:
                yield cards

    # -- cards that do not matter ---------------------------------------------------------------------

    def _filled(self, piles: list[int]) -> Ints | None:
        """Add fillers so that numbers of cards and of tokens are right."""
        wish, token = self.wish, self.tables.token
        used = wish.barred
        for pile in piles:
            used |= pile
        placed = [0] * self.tables.r
        for pile in piles:
            for card in bits(pile & self.tables.token_cards & ~wish.unplaced):
                placed[token[card]] += 1
        pool = sorted(bits(wish.fillers & ~used), key=lambda card: (self.tables.value[card], card))
        room = self._room(piles, sum(placed))
        chosen = self._chosen(pool, placed, room) if room is not None else None
        return self._dealt(piles, chosen) if chosen is not None else None

    def _room(self, piles: list[int], placed: int) -> int | None:
        """Return how many fillers are needed; None if there are too many cards already."""
        counts, (least, most) = self.wish.counts, self.wish.tokens
        if placed > most:
            return None
        if counts is None:
            return max(0, least - placed)
        missing = [count - pile.bit_count() for count, pile in zip(counts, piles, strict=True)]
        return sum(missing) if min(missing) >= 0 else None

    def _chosen(self, pool: list[int], placed: list[int], room: int) -> list[int] | None:
        """Return so many cards of the pool: for regions that lack tokens, then other token cards, then the rest."""
        token, (least, most) = self.tables.token, self.wish.tokens
        chosen: list[int] = []
        for goal in (0, 1):
            for card in pool:
                region = token[card]
                if region < 0 or card in chosen or len(chosen) == room or sum(placed) == most:
                    continue
                if placed[region] < self.wish.regions[region][goal]:
                    chosen.append(card)
                    placed[region] += 1
        short = any(have < due[0] for have, due in zip(placed, self.wish.regions, strict=True))
        over = any(have > due[1] for have, due in zip(placed, self.wish.regions, strict=True))
        chosen += [card for card in pool if token[card] < 0][: room - len(chosen)]
        return None if short or over or sum(placed) < least or len(chosen) < room else chosen

    def _dealt(self, piles: list[int], chosen: list[int]) -> Ints | None:
        """Give the fillers to the seats, large ones to those with most cubes to spare."""
        value, counts = self.tables.value, self.wish.counts
        cubes = [self.wish.budget[s] - sum(value[card] for card in bits(pile)) for s, pile in enumerate(piles)]
        after = list(piles)
        for card in sorted(chosen, key=lambda card: (-value[card], card)):
            open_ = [s for s, pile in enumerate(after) if counts is None or pile.bit_count() < counts[s]]
            seat = min(open_, key=lambda s: (-cubes[s], after[s].bit_count(), s))
            after[seat] |= 1 << card
            cubes[seat] -= value[card]
        enough = all(left >= 0 or after[s] == piles[s] for s, left in enumerate(cubes))
        return tuple(after) if enough else None

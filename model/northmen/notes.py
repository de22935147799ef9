"""What follows from the cards of a box: how long a Rally Phase lasts, and whether its deck suffices.

The rulebook gives neither which cards place a Plunder Token nor what happens when the Influence deck is
used up.  Both are exact questions once the cards are known; all here hold for a round of 15 tokens that
begins with full hands (R_FIFTEEN=group).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

from lawspeaker.model.core.packs import Note

from .pack import GROUP, HAND, PLAYERS, ROW, NorthmenPack, chart_number, token_cards

_ENDS = ("immediate", "finish_turn")
"""Values of R_RALLY_END: whether the player who places the last token still draws."""
_FINISHING = f"under R_RALLY_END={_ENDS[1]}"
_OTHER = tuple(product(("suppress", "enable"), ("neutral", "kingdom")))[1:]
"""Values of R_MARK and R_BULGARIA other than both defaults."""


def notes(pack: NorthmenPack) -> tuple[Note, ...]:
    """Return the numbers of the chart, and for each number of players what its cards lead to."""
    numbers = ", ".join(f"{kingdom.id} {chart_number(pack, kingdom.id)}" for kingdom in pack.kingdoms)
    chart = Note("Kingdom Chart", str(sum(card.value for card in pack.cards)), f"symbols in all; {numbers}")
    return (chart, *(note for players in PLAYERS for note in _notes_for(pack, players)))


def under_row(cards: int, players: int) -> int:
    """Return how many cards are under the row when a round begins; negative if there are too few to deal."""
    return cards - HAND * players - ROW


def longest_rally(cards: int, tokens: int) -> int | None:
    """Return the most turns of a Rally Phase, or None if it need not end.

    The last 15 cards played may all place a token; with fewer of these, all cards are played in vain.
    """
    return cards + GROUP - tokens if tokens >= GROUP else None


def tokens_for_shortage(players: int, left: int, ending: str) -> int:
    """Return up to how many cards may place tokens for some round to come to a draw with too few cards.

    *left* is 0 for a row that cannot be refilled, 3 for no card at all.  With D cards under the row that
    is the draw of turn D + left + 1; it comes if at most 14 of the cards played before the phase ends place
    a token (R_RALLY_END: under ``finish_turn`` the draw comes even when this turn's card is the fifteenth).
    """
    return GROUP - 2 + ROW + HAND * players - left + (ending == "finish_turn")


def chance_of_shortage(cards: int, tokens: int, players: int, left: int, ending: str) -> Fraction:
    """Return the probability that a round comes to such a draw when cards are played in random order.

    There must be cards enough to deal hands and row.
    """
    played = under_row(cards, players) + left + (ending == "immediate")
    ways = sum(comb(tokens, k) * comb(cards - tokens, played - k) for k in range(min(GROUP, played + 1)))
    return Fraction(ways, comb(cards, played))


def _notes_for(pack: NorthmenPack, players: int) -> Iterator[Note]:
    who, cards = f"{players} players", len(pack.cards)
    tokens = token_cards(pack, players, "suppress", "neutral")
    others = ", ".join(f"{token_cards(pack, players, m, b)} under {_names(m, b)}" for m, b in _OTHER)
    yield Note(f"{who}, cards that place a token", str(tokens), f"of {cards}; {others}")
    under = under_row(cards, players)
    if under < 0:
        yield Note(f"{who}, cards to deal", "missing", f"hands and row take {cards - under}, there are {cards}")
        return
    yield _stall(pack, players, who)
    for name, left in (("row short of a card", 0), ("no card to draw", ROW)):
        yield _shortage(f"{who}, {name}", cards, tokens, players, left)


def _stall(pack: NorthmenPack, players: int, who: str) -> Note:
    """Say whether all cards can be played before 15 tokens lie: exactly if fewer than 15 place one."""
    cards = len(pack.cards)
    longest = longest_rally(cards, token_cards(pack, players, "suppress", "neutral"))
    stalled = [_names(m, b) for m, b in _OTHER if token_cards(pack, players, m, b) < GROUP]
    more = f"; certain under {', '.join(stalled)}" if stalled else ""
    if longest is None:
        return Note(f"{who}, Rally Phase without end", "certain", f"nobody has a card on turn {cards + 1}{more}")
    return Note(f"{who}, Rally Phase without end", "never", f"at most {longest} turns{more}")


def _shortage(what: str, cards: int, tokens: int, players: int, left: int) -> Note:
    limits = [tokens_for_shortage(players, left, ending) for ending in _ENDS]
    said = f"{under_row(cards, players)} cards under the row; it takes {limits[0]} or fewer that place a token"
    said += f" ({limits[1]} {_FINISHING})"
    if tokens > limits[1]:
        return Note(what, "never", said)
    shares = [_permille(chance_of_shortage(cards, tokens, players, left, ending)) for ending in _ENDS]
    said += f"; {shares[0]} of rounds if cards are played in random order ({shares[1]} {_FINISHING})"
    return Note(what, "possible" if tokens <= limits[0] else _FINISHING, said)


def _permille(share: Fraction) -> str:
    """Return a share in permille, rounded half up; the least that is not zero is said as such."""
    rounded = (2000 * share.numerator + share.denominator) // (2 * share.denominator)
    return f"{rounded} permille" if rounded or not share else "under 1 permille"


def _names(mark: str, bulgaria: str) -> str:
    named = [f"R_MARK={mark}"] if mark != "suppress" else []
    return " and ".join(named + ([f"R_BULGARIA={bulgaria}"] if bulgaria != "neutral" else []))

"""Numbers of Northmen that the claims rest on, each with the clause that gives it; and counts of cards for z3.

They stand here a second time on purpose: the tests compare them with the model's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

PLAYERS = (2, 3, 4)  # SN-OURS-SEATS
SUITS, SUIT = 7, 8  # SN-CARD-01
CARDS = SUITS * SUIT  # SN-CONTENTS-02
HAND, ROW = 6, 3  # SN-SETUP-03, SN-SETUP-04
GROUP, ROUNDS = 15, 3  # SN-SETUP-08, SN-ROUND-01
CUBES, HEROES, ROUTES = 30, 3, 20  # SN-CONTENTS-05, SN-CONTENTS-06, SN-CONTENTS-04
REGIONS = 9  # SN-MAP-01
VALUES = (1, 2, 3)  # SN-CARD-02
INFAMY = {2: (3, 6), 3: (3, 3, 3), 4: (5, 4, 3, 6)}  # SN-SETUP-11 to 13
HERO_PRICE, DELAY_PRICE, PAIR_PRICE, HOLD_PRICE = 3, 5, 3, 1  # SN-HERO-01, SN-TIME-01, SN-PLAN-03, SN-PLAN-06
START_ROUTES = 2  # SN-SETUP-05


def deck_size(players: int) -> int:
    """Return the cards of the deck when a Rally Phase begins: hands and the row are dealt (SN-SETUP-04)."""
    return CARDS - HAND * players - ROW


def own_turns(seat: int, turns: int, players: int) -> int:
    """Return how many of the first *turns* Rally turns fall to the seat that is *seat* places after the Leader."""
    return (turns - seat + players - 1) // players


MARKS = ("none", "3-4", "4")


class CardCounts:
    """How many cards of each suit name no region, and how many name one, by mark: unknowns for z3.

    For all that depends on who places a token this is every distribution of the cards that the text
    permits: which region a card names, and its symbols, do not matter to it.
    """

    def __init__(self) -> None:
        self.plain = [z3.Int(f"plain_{k}") for k in range(SUITS)]
        self.naming = {mark: [z3.Int(f"named_{mark}_{k}") for k in range(SUITS)] for mark in MARKS}

    def terms(self) -> list[Any]:
        """Return all unknowns in a fixed order."""
        return [*self.plain, *(term for mark in MARKS for term in self.naming[mark])]

    def well_formed(self) -> list[Any]:
        """Say that no count is negative and each suit has eight cards."""
        said = [term >= 0 for term in self.terms()]
        for suit in range(SUITS):
            said.append(self.plain[suit] + z3.Sum([self.naming[mark][suit] for mark in MARKS]) == SUIT)
        return said

    def placing(self, players: int, mark_ruling: str = "suppress") -> Any:
        """Return the number of cards that place a token at this number of players (SN-RALLY-14, 15; R_MARK)."""
        marks = [mark for mark in MARKS if places(mark, players, mark_ruling)]
        return z3.Sum([term for mark in marks for term in self.naming[mark]])


def places(mark: str, players: int, mark_ruling: str) -> bool:
    """Say whether a card that names a region and has this mark places a token."""
    named = {"none": (), "3-4": (3, 4), "4": (4,)}[mark]
    if mark == "none":
        return True
    return (players in named) == (mark_ruling == "enable")


def between(terms: Sequence[Any], least: int, most: int) -> list[Any]:
    """Say that each term lies between two numbers."""
    return [z3.And(term >= least, term <= most) for term in terms]

"""What follows from the cards of a box: limits against the worst play, shares against a walk through the turns."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import lawspeaker.model.core
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.core.packs import Note
from lawspeaker.model.northmen.notes import (
    chance_of_shortage,
    longest_rally,
    notes,
    tokens_for_shortage,
    under_row,
)
from lawspeaker.model.northmen.pack import PLAYERS, NorthmenPack, chart_number, load_pack, read_pack

ESTIMATED = Path(lawspeaker.model.core.__file__).parent.parent / "northmen" / "packs" / "estimated.yaml"
PLAIN: dict[str, Any] = parse_yaml(read_text(ESTIMATED), "estimated.yaml")
Plain = dict[str, Any]
Change = Callable[[Plain], object]


def pack_with(*changes: Change) -> NorthmenPack:
    """Return the estimated pack with changes made to it."""
    plain = copy.deepcopy(PLAIN)
    for change in changes:
        change(plain)
    return read_pack(plain, "pack")


def named(count: int) -> Change:
    """Let just so many cards name a region."""

    def change(plain: Plain) -> None:
        for n, card in enumerate(plain["cards"]):
            card.update(region="Bulgaria" if n < count else None, mark="none")

    return change


def keep_cards(count: int) -> Change:
    return lambda plain: plain.update(cards=plain["cards"][:count], complete=False)


def test_the_chart_numbers_of_the_notes_are_sums_of_the_suits() -> None:
    pack = load_pack(ESTIMATED)
    numbers = [chart_number(pack, kingdom.id) for kingdom in pack.kingdoms]
    assert numbers == [16, 15, 15, 14, 15, 14, 16]
    assert notes(pack)[0] == Note(
        "Kingdom Chart",
        "105",
        "symbols in all; Normans 16, Rus 15, Magyars 15, Saxons 14, Danes 15, Byzantines 14, Norwegians 16",
    )


def said(pack: NorthmenPack, what: str) -> Note:
    return next(note for note in notes(pack) if note.what == what)


def test_the_notes_of_the_estimated_pack() -> None:
    pack = load_pack(ESTIMATED)
    placing = [said(pack, f"{n} players, cards that place a token").verdict for n in PLAYERS]
    assert placing == ["40", "34", "30"]
    assert said(pack, "4 players, Rally Phase without end") == Note(
        "4 players, Rally Phase without end", "never", "at most 41 turns"
    )
    short = said(pack, "4 players, row short of a card")
    assert short.verdict == "possible" and short.said == (
        "29 cards under the row; it takes 40 or fewer that place a token (41 under R_RALLY_END=finish_turn); "
        "199 permille of rounds if cards are played in random order (290 permille under R_RALLY_END=finish_turn)"
    )
    assert said(pack, "2 players, row short of a card") == Note(
        "2 players, row short of a card",
        "never",
        "41 cards under the row; it takes 28 or fewer that place a token (29 under R_RALLY_END=finish_turn)",
    )


def test_a_stall_is_certain_with_fourteen_and_the_notes_say_when() -> None:
    note = said(pack_with(named(14)), "2 players, Rally Phase without end")
    assert note.verdict == "certain" and note.said.startswith("nobody has a card on turn 57")
    assert "R_BULGARIA=kingdom" in note.said  # no card names another region than Bulgaria
    assert said(pack_with(named(15)), "2 players, Rally Phase without end").verdict == "never"


def test_other_readings_are_said_beside_the_default() -> None:
    assert said(load_pack(ESTIMATED), "4 players, cards that place a token").said == (
        "of 56; 26 under R_BULGARIA=kingdom, 40 under R_MARK=enable, 35 under R_MARK=enable and R_BULGARIA=kingdom"
    )
    poland: Change = lambda p: [c.update(region="Poland") for c in p["cards"][:15]]  # noqa: E731  # like the others
    assert said(pack_with(named(15), poland), "3 players, Rally Phase without end").said == "at most 56 turns"
    fewer: Change = lambda p: p["cards"][0].update(region="Bulgaria")  # noqa: E731  # likewise
    assert said(pack_with(named(15), poland, fewer), "3 players, Rally Phase without end").said == (
        "at most 56 turns; certain under R_BULGARIA=kingdom, R_MARK=enable and R_BULGARIA=kingdom"
    )


def test_between_the_limits_a_shortage_hangs_on_the_ruling() -> None:
    for count, verdict in ((28, "possible"), (29, "under R_RALLY_END=finish_turn"), (30, "never")):
        assert said(pack_with(named(count)), "2 players, row short of a card").verdict == verdict


def test_a_share_below_half_a_permille_is_not_said_to_be_none() -> None:
    assert "; under 1 permille of rounds" in said(load_pack(ESTIMATED), "3 players, row short of a card").said


class Rally:
    """A Rally Phase in which chance and players do their worst: cards without a token come and go first."""

    def __init__(self, cards: int, tokens: int, players: int) -> None:
        self.deck = [False] * (cards - tokens) + [True] * tokens
        dealt = [self.deck.pop(0) for _ in range(6 * players)]
        self.hands = [dealt[seat::players] for seat in range(players)]
        self.row = [self.deck.pop(0) for _ in range(3)]

    def shortages(self, ending: str) -> tuple[bool, bool, int | None]:
        """Play on; say whether the row fell short, whether no card was left, and on which turn it ended."""
        short = empty = False
        placed = 0
        for turn_number in range(1, 100):
            hand = self.hands[(turn_number - 1) % len(self.hands)]
            if not hand:
                return short, empty, None
            hand.sort(reverse=True)
            placed += hand.pop()
            if placed < 15 or ending == "finish_turn":
                empty |= not self.row
                if self.row:
                    hand.append(self.row.pop(0))
                    short |= not self.deck
                    self.row += [self.deck.pop(0)] if self.deck else []
            if placed >= 15:
                return short, empty, turn_number
        raise AssertionError("more turns than cards")


@pytest.mark.parametrize("ending", ["immediate", "finish_turn"])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_limits_are_those_of_the_worst_play(players: int, ending: str) -> None:
    for tokens in range(57):
        short, empty, turns = Rally(56, tokens, players).shortages(ending)
        assert turns == longest_rally(56, tokens)
        assert short == (tokens <= tokens_for_shortage(players, 0, ending)), tokens
        assert empty == (tokens <= tokens_for_shortage(players, 3, ending)), tokens


def test_the_limits_are_the_known_ones() -> None:
    assert [under_row(56, n) for n in PLAYERS] == [41, 35, 29]
    for left, ending, limits in (
        (0, "immediate", [28, 34, 40]),
        (0, "finish_turn", [29, 35, 41]),
        (3, "immediate", [25, 31, 37]),
        (3, "finish_turn", [26, 32, 38]),
    ):
        assert [tokens_for_shortage(n, left, ending) for n in PLAYERS] == limits


def walked(cards: int, tokens: int, players: int, left: int, ending: str) -> Fraction:
    """Return the same probability turn by turn: the next card played is any of those not yet played."""
    shares = {0: Fraction(1)}  # by tokens placed, for rounds that go on
    for played in range(cards):
        after: dict[int, Fraction] = {}
        drawing = Fraction(0)
        for placed, share in shares.items():
            chance = Fraction(tokens - placed, cards - played)
            for more, part in ((1, chance), (0, 1 - chance)):
                if part and placed + more < 15:
                    after[placed + more] = after.get(placed + more, Fraction(0)) + share * part
                if part and (placed + more < 15 or ending == "finish_turn"):
                    drawing += share * part
        if played + 1 == under_row(cards, players) + left + 1:
            return drawing
        shares = after
    return Fraction(0)


@pytest.mark.parametrize("ending", ["immediate", "finish_turn"])
def test_the_probability_is_that_of_a_walk_through_the_turns(ending: str) -> None:
    for players, left, tokens in product(PLAYERS, (0, 3), (0, 14, 15, 20, 24, 28, 30, 38, 56)):
        expected = walked(56, tokens, players, left, ending)
        assert chance_of_shortage(56, tokens, players, left, ending) == expected
        assert (expected > 0) == (tokens <= tokens_for_shortage(players, left, ending))


def test_the_probabilities_are_the_known_ones() -> None:
    found = [round(1000 * chance_of_shortage(56, tokens, 4, 0, "immediate")) for tokens in (30, 28, 24)]
    assert found == [199, 395, 813]


def test_a_box_of_few_cards_has_notes_too() -> None:
    pack = pack_with(keep_cards(27))
    assert said(pack, "4 players, row short of a card").said.startswith("0 cards under the row")
    assert said(pack_with(keep_cards(26)), "4 players, cards to deal") == Note(
        "4 players, cards to deal", "missing", "hands and row take 27, there are 26"
    )


def test_a_cut_without_cards_says_that_they_are_missing() -> None:
    found = [note.verdict for note in notes(pack_with(keep_cards(0))) if "cards to deal" in note.what]
    assert found == ["missing"] * 3

"""Packs of Northmen: the shipped one fits, and each contradiction is named with its clause and place."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import lawspeaker.model.core
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.core.packs import Note
from lawspeaker.model.northmen.maps import reach_of, stuck_kingdoms
from lawspeaker.model.northmen.notes import (
    chance_of_shortage,
    longest_rally,
    notes,
    tokens_for_shortage,
    under_row,
)
from lawspeaker.model.northmen.pack import (
    PLAYERS,
    CardData,
    NorthmenPack,
    audit,
    chart_number,
    load_pack,
    read_pack,
    sea_regions,
    token_card,
    token_cards,
)

NORTHMEN = Path(lawspeaker.model.core.__file__).parent.parent / "northmen"
ESTIMATED = NORTHMEN / "packs" / "estimated.yaml"
PLAIN: dict[str, Any] = parse_yaml(read_text(ESTIMATED), "estimated.yaml")
Plain = dict[str, Any]
Change = Callable[[Plain], object]
EMPIRE = "Holy Roman Empire"


def changed(*changes: Change) -> Plain:
    """Return the estimated pack as a plain value with changes made to it."""
    plain = copy.deepcopy(PLAIN)
    for change in changes:
        change(plain)
    return plain


def pack_with(*changes: Change) -> NorthmenPack:
    return read_pack(changed(*changes), "pack")


def put(kind: str, name: str, **fields: Any) -> Change:
    """Change fields of one kingdom, region, card or route."""
    return lambda plain: next(one for one in plain[kind] if one["id"] == name).update(fields)


def put_all(kind: str, ids: str, **fields: Any) -> Change:
    """Change fields of everything whose id begins with a text."""
    return lambda plain: [one.update(fields) for one in plain[kind] if one["id"].startswith(ids)]


def rename(old: str, new: str) -> Change:
    """Give a place another name, wherever it stands."""

    def change(plain: Plain) -> None:
        for one in (*plain["kingdoms"], *plain["regions"], *plain["cards"], *plain["routes"]):
            for field, value in one.items():
                if value == old:
                    one[field] = new
                elif field == "borders":
                    one[field] = [new if region == old else region for region in value]

    return change


def drop(kind: str, *names: str) -> Change:
    return lambda plain: plain.update({kind: [one for one in plain[kind] if one["id"] not in names]})


def turn(kind: str, one: int, other: int) -> Change:
    """Let two things in a list change places."""

    def change(plain: Plain) -> None:
        plain[kind][one], plain[kind][other] = plain[kind][other], plain[kind][one]

    return change


def named(count: int, *marks: str) -> Change:
    """Let just so many cards name a region, the first with these marks."""

    def change(plain: Plain) -> None:
        for n, card in enumerate(plain["cards"]):
            mark = marks[n] if n < len(marks) else "none"
            card.update(region="Bulgaria" if n < count else None, mark=mark)

    return change


def keep_cards(count: int) -> Change:
    return lambda plain: plain.update(cards=plain["cards"][:count], complete=False)


# -- the shipped pack -----------------------------------------------------------------------------


def test_the_estimated_pack_fits_the_rulebook() -> None:
    pack = load_pack(ESTIMATED)
    assert audit(pack) == ()
    assert (len(pack.kingdoms), len(pack.regions), len(pack.cards), len(pack.routes)) == (7, 9, 56, 20)
    assert {source.provenance for source in pack.sources} == {"rulebook", "derived", "estimated"}


@pytest.mark.parametrize("landlock", ["exhaustive", "examples"])
@pytest.mark.parametrize("bulgaria", ["neutral", "kingdom"])
def test_the_estimated_pack_can_be_played_under_every_reading(landlock: str, bulgaria: str) -> None:
    pack = load_pack(ESTIMATED)
    assert stuck_kingdoms(pack, reach_of(pack, landlock, bulgaria)) == ()
    assert all(token_cards(pack, n, m, bulgaria) >= 15 for n in PLAYERS for m in ("suppress", "enable"))


def test_the_estimated_pack_has_a_region_on_which_the_readings_of_the_coast_differ() -> None:
    pack = load_pack(ESTIMATED)
    told = {pack.regions[n].id for n in sea_regions(pack, "exhaustive")}
    drawn = {pack.regions[n].id for n in sea_regions(pack, "examples")}
    assert told - drawn == {"Bohemia"} and drawn < told


def test_the_chart_numbers_of_the_notes_are_sums_of_the_suits() -> None:
    pack = load_pack(ESTIMATED)
    numbers = [chart_number(pack, kingdom.id) for kingdom in pack.kingdoms]
    assert numbers == [16, 15, 15, 14, 15, 14, 16]
    assert notes(pack)[0] == Note(
        "Kingdom Chart",
        "105",
        "symbols in all; Normans 16, Rus 15, Magyars 15, Saxons 14, Danes 15, Byzantines 14, Norwegians 16",
    )


# -- reading --------------------------------------------------------------------------------------

UNREADABLE: list[tuple[Change, str, str]] = [
    (lambda p: p.update(kingdoms=[]), "0 kingdoms", "$.kingdoms"),
    (lambda p: p["kingdoms"].append({"id": "Picts", "borders": []}), "8 kingdoms", "$.kingdoms"),
    (lambda p: p.update(regions=[]), "0 regions", "$.regions"),
    (lambda p: p["regions"].append({"id": "Thule", "sea": True}), "10 regions", "$.regions"),
    (lambda p: p.update(cards=[dict(p["cards"][0], id=f"C{n}") for n in range(65)]), "65 cards", "$.cards"),
    (lambda p: p.update(routes=[dict(p["routes"][0], id=f"T{n}") for n in range(33)]), "33 routes", "$.routes"),
    (rename("Rus", "Danes"), "unique", "$.kingdoms[4] (Danes)"),
    (rename("Italy", "Rus"), "unique", "$.regions[6] (Rus)"),
    (rename("Italy", "North  Italy"), "unique", "$.regions[6]"),
    (rename("Italy", "Italy, North"), "unique", "$.regions[6]"),
    (rename("Italy", "Italy\n"), "unique", "$.regions[6]"),
    (rename("Italy", "I" * 41), "unique", "$.regions[6]"),
    (put("kingdoms", "Rus", borders=["Wales"]), "unknown region 'Wales'", "$.kingdoms[1] (Rus)"),
    (put("kingdoms", "Rus", borders=["Danes"]), "unknown region 'Danes'", "$.kingdoms[1] (Rus)"),
    (put("kingdoms", "Rus", borders=["Italy", "Italy"]), "twice", "$.kingdoms[1] (Rus)"),
    (put("cards", "NM2", id="NM1"), "must be unique", "$.cards[1] (NM1)"),
    (put("cards", "NM2", id="none"), "not `none`", "$.cards[1] (none)"),
    (put("cards", "NM2", id="NM-2"), "letters and digits", "$.cards[1] (NM-2)"),
    (put("cards", "NM2", kingdom="Italy"), "unknown kingdom 'Italy'", "$.cards[1] (NM2)"),
    (put("cards", "NM2", region="Rus"), "unknown region 'Rus'", "$.cards[1] (NM2)"),
    (put("cards", "NM2", soldiers=0, ships=0), "0 soldiers and 0 ships", "$.cards[1] (NM2)"),
    (put("cards", "NM2", soldiers=2, ships=2), "2 soldiers and 2 ships", "$.cards[1] (NM2)"),
    (put("cards", "NM2", soldiers=-1, ships=2), "-1 soldiers", "$.cards[1] (NM2)"),
    (put("cards", "NM2", soldiers=2, ships=-1), "-1 ships", "$.cards[1] (NM2)"),
    (put("cards", "NM2", mark="2"), "invalid enum value '2'", "$.cards[1].mark"),
    (put("routes", "T02", id="T01"), "must be unique", "$.routes[1] (T01)"),
    (put("routes", "T02", kingdom="Picts"), "unknown kingdom 'Picts'", "$.routes[1] (T02)"),
    (put("routes", "T02", region="Picts"), "unknown region 'Picts'", "$.routes[1] (T02)"),
    (put("routes", "T02", value=-1), "value -1", "$.routes[1] (T02)"),
    (put("routes", "T02", value=1000), "value 1000", "$.routes[1] (T02)"),
    (put("routes", "T02", value="3"), "expected `int`", "$.routes[1].value"),
    (put("regions", "Italy", colour="beige"), "unknown field `colour`", "$.regions[6]"),
    (lambda p: p.update(game="fjords"), "invalid enum value 'fjords'", "$.game"),
    (lambda p: p.update(format="lawspeaker-pack/9"), "invalid enum value", "$.format"),
]


@pytest.mark.parametrize("number", range(len(UNREADABLE)))
def test_a_mistake_is_one_message_with_its_place(number: int) -> None:
    change, what, where = UNREADABLE[number]
    with pytest.raises(BadInput) as refused:
        read_pack(changed(change), "box.yaml")
    assert what in str(refused.value.what)
    assert str(refused.value.where).startswith(f"box.yaml {where}")


def test_the_greatest_values_are_still_read() -> None:
    pack = pack_with(
        put("routes", "T02", value=999),
        put("routes", "T03", value=0),
        rename("Italy", "I" * 40),
        lambda p: p["cards"].extend(dict(p["cards"][0], id=f"C{n}") for n in range(8)),
        lambda p: p["routes"].extend(dict(p["routes"][0], id=f"R{n}") for n in range(12)),
    )
    assert (len(pack.cards), len(pack.routes), pack.routes[1].value) == (64, 32, 999)


def test_a_cut_may_lack_cards_and_routes() -> None:
    pack = pack_with(lambda p: [p.pop("cards"), p.pop("routes"), p.update(complete=False)])
    assert not pack.cards and not pack.routes and audit(pack) == ()
    assert [note.verdict for note in notes(pack) if "cards to deal" in note.what] == ["missing"] * 3


# -- the audit ------------------------------------------------------------------------------------

CONTRADICTING: list[tuple[list[Change], str, str]] = [
    ([drop("kingdoms", "Rus"), rename("Rus", "Danes")], "SN-MAP-01", "kingdoms"),
    ([rename("Ireland", "Italy"), lambda p: p["regions"].pop(0)], "SN-MAP-01", "regions"),
    ([drop("cards", "BY3")], "SN-CONTENTS-02", "cards"),
    ([drop("routes", "T01")], "SN-CONTENTS-04", "routes"),
    ([put("cards", "BY3", kingdom="Danes")], "SN-CARD-01", "Danes"),
    ([turn("kingdoms", 0, 1)], "SN-CHART-02", "kingdoms"),
    ([turn("kingdoms", 5, 6)], "SN-CHART-02", "kingdoms"),
    ([rename("Normans", "Picts")], "SN-CHART-02", "kingdoms"),
    ([rename("Norwegians", "Picts")], "SN-CHART-02", "kingdoms"),
    ([rename("Saxons", "Picts")], "SN-RALLY-09", "kingdoms"),
    ([rename("Magyars", "Picts")], "SN-MOVE-08", "kingdoms"),
    ([rename("Bulgaria", "Thrace")], "SN-RALLY-11", "regions"),
    ([rename("Poland", "Prussia")], "SN-MOVE-13", "regions"),
    ([rename(EMPIRE, "Bavaria")], "SN-MOVE-13", "regions"),
    ([rename("Finland", "Karelia")], "SN-MOVE-11", "regions"),
    ([put("regions", "Poland", sea=True)], "SN-MOVE-13", "Poland"),
    ([put("regions", EMPIRE, sea=True)], "SN-MOVE-13", EMPIRE),
    ([put("regions", "Finland", sea=False)], "SN-MOVE-11", "Finland"),
    ([put("kingdoms", "Magyars", borders=[EMPIRE, "Bohemia", "Bulgaria"])], "SN-MOVE-09", "Magyars"),
    ([put("kingdoms", "Magyars", borders=[EMPIRE, "Bohemia", "Poland"])], "SN-MOVE-09", "Magyars"),
    ([put("kingdoms", "Danes", borders=["Poland"])], "SN-MOVE-13", EMPIRE),
    ([put("kingdoms", "Saxons", borders=[])], "SN-DELAY-03", "Saxons"),
    ([put("kingdoms", "Magyars", borders=[EMPIRE, "Poland", "Bulgaria"])], "SN-COLLECT-02", "Bohemia"),
    ([put("kingdoms", "Magyars", borders=[EMPIRE, "Poland", "Bulgaria"])], "SN-TRADE-03", "T07"),
    (
        [put("kingdoms", "Normans", borders=[EMPIRE]), put_all("cards", "", ships=0, soldiers=1)],
        "SN-COLLECT-02",
        "Brittany",
    ),
    ([named(0)], "SN-CARD-05", "cards"),
    ([put_all("cards", "", mark="none")], "SN-RALLY-14", "cards"),
    ([put_all("cards", "", mark="none")], "SN-RALLY-15", "cards"),
    ([put("cards", "BY3", mark="3-4")], "SN-RALLY-14", "BY3"),
    ([put("cards", "BY3", mark="4")], "SN-RALLY-15", "BY3"),
    ([named(16, "3-4", "4")], "SN-RALLY-20", "cards"),
    ([put_all("cards", "MG", soldiers=0, ships=2)], "SN-MOVE-08", "Magyars"),
    ([put_all("cards", "MG", soldiers=2, ships=0)], "SN-MOVE-08", "Magyars"),
    ([drop("cards", "NM4", "NM5", "NM6", "NM7", "NM8")], "SN-CHART-04", "Normans"),
    ([put("cards", "SX3", region="Italy")], "SN-RALLY-09", "Saxons"),
    ([put("cards", "SX3", soldiers=3)], "SN-RALLY-09", "Saxons"),
    ([put_all("cards", "DN", soldiers=0, ships=1), put("cards", "DN1", soldiers=1)], "SN-BATTLE-02", EMPIRE),
]


@pytest.mark.parametrize("number", range(len(CONTRADICTING)))
def test_a_contradiction_is_named_with_clause_and_place(number: int) -> None:
    changes, clause, where = CONTRADICTING[number]
    found = {(complaint.clause, complaint.where) for complaint in audit(pack_with(*changes))}
    assert (clause, where) in found


@pytest.mark.parametrize(
    ("changes", "clauses"),
    [
        ([turn("kingdoms", 0, 1)], ["SN-CHART-02"]),
        ([put("regions", "Poland", sea=True)], ["SN-MOVE-13"]),
        ([put("cards", "SX3", region="Italy")], ["SN-RALLY-09"]),
        ([put("cards", "BY3", mark="4")], ["SN-RALLY-15"]),
        ([drop("routes", "T01")], ["SN-CONTENTS-04"]),
        ([put("kingdoms", "Saxons", borders=[])], ["SN-DELAY-03"]),
        ([drop("cards", "BY3")], ["SN-CONTENTS-02", "SN-CARD-01"]),
        ([put("kingdoms", "Danes", borders=["Poland"])], ["SN-MOVE-13", "SN-BATTLE-02"]),
    ],
)
def test_one_mistake_brings_no_other_complaints(changes: list[Change], clauses: list[str]) -> None:
    assert [complaint.clause for complaint in audit(pack_with(*changes))] == clauses


def test_every_clause_of_a_complaint_stands_in_the_catalogue() -> None:
    known = {clause["id"] for clause in parse_yaml(read_text(NORTHMEN / "clauses.yaml"), "clauses")["clauses"]}
    assert {clause for _, clause, _ in CONTRADICTING} <= known
    assert {c.clause for changes, _, _ in CONTRADICTING for c in audit(pack_with(*changes))} <= known


def test_fifteen_cards_that_place_a_token_are_enough_and_fourteen_are_not() -> None:
    few = [c for c in audit(pack_with(named(17, "3-4", "4"))) if c.clause == "SN-RALLY-20"]
    assert few == []
    fewer = [c.what for c in audit(pack_with(named(16, "3-4", "4"))) if c.clause == "SN-RALLY-20"]
    assert fewer == ["14 place a token with 4 players, so a Rally Phase need not end"]


def test_six_symbols_of_the_normans_are_enough_and_five_are_not() -> None:
    four = drop("cards", "NM5", "NM6", "NM7", "NM8")
    assert chart_number(pack_with(four), "Normans") == 6
    assert "SN-CHART-04" not in {c.clause for c in audit(pack_with(four))}
    assert "SN-CHART-04" in {c.clause for c in audit(pack_with(four, put("cards", "NM4", soldiers=1)))}


def with_soldiers(suit: str, count: int) -> list[Change]:
    """Give so many cards of a suit a soldier, the others a ship."""
    return [put("cards", f"{suit}{n}", soldiers=int(n <= count), ships=int(n > count)) for n in range(1, 9)]


@pytest.mark.parametrize(
    ("normans", "magyars", "danes", "fits"),
    [(2, 4, 3, True), (3, 4, 2, True), (1, 4, 3, False), (2, 4, 2, False), (3, 3, 3, False), (8, 8, 1, False)],
)
def test_each_of_three_players_needs_his_armies_for_the_battle(
    normans: int, magyars: int, danes: int, fits: bool
) -> None:
    suits = [*with_soldiers("NM", normans), *with_soldiers("MG", magyars), *with_soldiers("DN", danes)]
    found = [c.what for c in audit(pack_with(*suits)) if c.clause == "SN-BATTLE-02"]
    assert found == ([] if fits else [f"the Kingdoms beside it have {normans} + {magyars} + {danes} soldiers"])


def test_complaints_say_what_stands_there() -> None:
    def what(clause: str, *changes: Change) -> list[str]:
        return [c.what for c in audit(pack_with(*changes)) if c.clause == clause]

    assert what("SN-CHART-02", turn("kingdoms", 0, 1)) == ["Rus stand first"]
    assert what("SN-CHART-02", turn("kingdoms", 5, 6)) == ["Byzantines stand last"]
    nobody = [put("kingdoms", name, borders=["Poland", "Bulgaria"]) for name in ("Normans", "Magyars", "Danes")]
    assert what("SN-BATTLE-02", *nobody) == ["the Kingdoms beside it have no soldiers"]
    assert what("SN-MOVE-13", *nobody) == ["0 Kingdoms border it"]


def test_armies_for_the_battle_may_come_from_several_kingdoms_of_one_player() -> None:
    one = [put_all("cards", "DN", soldiers=0, ships=1), put("cards", "DN1", soldiers=1, ships=0)]
    assert "SN-BATTLE-02" in {c.clause for c in audit(pack_with(*one))}
    helped = put("kingdoms", "Byzantines", borders=["Italy", "Bulgaria", EMPIRE])
    assert audit(pack_with(*one, helped)) == ()


def test_of_a_cut_only_what_it_has_can_contradict() -> None:
    cut: Change = lambda p: p.update(complete=False)  # noqa: E731  # a change like the others
    assert audit(pack_with(cut, drop("cards", "BY3"), drop("routes", "T01"))) == ()
    wrong = pack_with(cut, turn("kingdoms", 0, 1), put("regions", "Finland", sea=False), put("cards", "BY3", mark="4"))
    assert [c.clause for c in audit(wrong)] == ["SN-CHART-02", "SN-MOVE-11", "SN-RALLY-15"]


# -- what the model asks ---------------------------------------------------------------------------


def test_when_a_card_places_a_token() -> None:
    def at(region: str | None, mark: Any, ruling: str, bulgaria: str = "neutral") -> list[bool]:
        return [token_card(CardData("C", "Rus", 1, 0, region, mark), n, ruling, bulgaria) for n in PLAYERS]

    for ruling, bulgaria in product(("suppress", "enable"), ("neutral", "kingdom")):
        assert at("Poland", "none", ruling, bulgaria) == [True, True, True]
        assert at(None, "none", ruling, bulgaria) == [False, False, False]
        assert at("Bulgaria", "none", ruling, bulgaria) == [bulgaria == "neutral"] * 3
    assert at("Poland", "3-4", "suppress") == [True, False, False]
    assert at("Poland", "4", "suppress") == [True, True, False]
    assert at("Poland", "3-4", "enable") == [False, True, True]
    assert at("Poland", "4", "enable") == [False, False, True]


def test_a_kingdom_is_stuck_without_a_way_for_its_soldiers_or_its_ships() -> None:
    def stuck(*changes: Change, landlock: str = "examples", bulgaria: str = "neutral") -> tuple[str, ...]:
        pack = pack_with(*changes)
        return stuck_kingdoms(pack, reach_of(pack, landlock, bulgaria))

    alone = put("kingdoms", "Saxons", borders=["Bulgaria"])
    assert stuck(alone) == () and stuck(alone, bulgaria="kingdom") == ("Saxons",)
    ships = [put("kingdoms", "Saxons", borders=[]), put_all("cards", "SX", soldiers=0, ships=1)]
    assert stuck(*ships) == ()
    inland: Change = lambda p: [region.update(sea=False) for region in p["regions"]]  # noqa: E731  # likewise
    landed = put_all("cards", "RU", soldiers=1, ships=0)
    assert "Rus" not in stuck(inland, landed) and "Danes" in stuck(inland, landed)
    assert stuck(inland, landlock="exhaustive") == ()


# -- how long a Rally Phase lasts --------------------------------------------------------------------


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


# -- the guide ------------------------------------------------------------------------------------


def test_the_pack_in_the_guide_fits() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "packs.md").read_text(encoding="utf-8")
    pack = read_pack(parse_yaml(guide.split("```yaml\n")[2].split("```")[0], "guide"), "guide")
    assert audit(pack) == ()
    assert [(card.value, card.region, card.mark) for card in pack.cards] == [
        (2, "Finland", "none"),
        (2, "Poland", "3-4"),
        (3, None, "none"),
    ]


def test_the_guide_names_every_clause_that_the_audit_names() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "packs.md").read_text(encoding="utf-8")
    assert {clause for _, clause, _ in CONTRADICTING} == set(re.findall(r"SN-[A-Z]+-[0-9]+", guide))

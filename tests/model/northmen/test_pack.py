"""Packs of Northmen: the shipped one fits, and each contradiction is named with its clause and place."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import lawspeaker.model.core
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.northmen.maps import reach_of, stuck_kingdoms
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

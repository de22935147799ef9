"""Packs of Fire & Axe: the shipped ones fit, and each contradiction is named with its clause and place."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import lawspeaker.model.core
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.fire_axe.pack import FireAxePack, RuneEffect, load_pack, read_pack
from lawspeaker.model.fire_axe.pack_audit import audit
from lawspeaker.model.fire_axe.room import ROOM

PACKS = Path(lawspeaker.model.core.__file__).parent.parent / "fire_axe" / "packs"
PLAIN: dict[str, Any] = parse_yaml(read_text(PACKS / "estimated.yaml"), "estimated.yaml")
Plain = dict[str, Any]
Change = Callable[[Plain], object]


def changed(*changes: Change) -> Plain:
    """Return the estimated pack as a plain value with changes made to it."""
    plain = copy.deepcopy(PLAIN)
    for change in changes:
        change(plain)
    return plain


def pack_with(*changes: Change) -> FireAxePack:
    return read_pack(changed(*changes), "pack")


def put(kind: str, name: str, **fields: Any) -> Change:
    """Change fields of one place or card."""
    return lambda plain: next(one for one in plain[kind] if one["id"] == name).update(fields)


def also(kind: str, **fields: Any) -> Change:
    """Add a place or card."""
    return lambda plain: plain[kind].append(fields)


def join(one: str, other: str) -> Change:
    return lambda plain: plain["edges"].append([one, other])


def part(*names: str) -> Change:
    """Leave out an edge, or all edges of a place."""
    return lambda plain: plain.update(edges=[edge for edge in plain["edges"] if not set(names) <= set(edge)])


def drop(kind: str, *names: str) -> Change:
    return lambda plain: plain.update({kind: [one for one in plain[kind] if one["id"] not in names]})


def dial(**fields: Any) -> Change:
    return lambda plain: plain["dial"].update(fields)


def numbers(zone: str, *three: int) -> Change:
    return lambda plain: plain["dial"]["numbers"].update({zone: list(three)})


def rename(kind: str, old: str, new: str) -> Change:
    """Give a place another name, wherever it stands."""

    def change(plain: Plain) -> None:
        put(kind, old, id=new)(plain)
        plain["edges"] = [[new if end == old else end for end in edge] for edge in plain["edges"]]
        for saga in plain["sagas"]:
            saga["ports"] = [new if port == old else port for port in saga["ports"]]
            saga["homeland"] = new if saga["homeland"] == old else saga["homeland"]

    return change


# -- the shipped packs ----------------------------------------------------------------------------


def test_the_estimated_pack_fits_the_rulebook() -> None:
    pack = load_pack(PACKS / "estimated.yaml")
    assert pack.complete and audit(pack) == ()
    assert (len(pack.sagas), len(pack.runes), sum(rune.conflict for rune in pack.runes)) == (27, 33, 9)
    assert Counter(port.town for port in pack.ports) == {"small": 12, "large": 3, "none": 10}
    assert Counter((saga.era, saga.homeland) for saga in pack.sagas) == dict.fromkeys(
        [(era, home.id) for era in (1, 2, 3) for home in pack.homelands], 3
    )
    assert {source.provenance for source in pack.sources} == {"rulebook", "derived", "estimated"}


def test_the_runes_of_the_estimated_pack_have_every_effect_moment_and_place() -> None:
    runes = load_pack(PACKS / "estimated.yaml").runes
    assert {type(effect) for rune in runes for effect in rune.effects} == set(get_args(RuneEffect))
    assert {rune.moment for rune in runes} == {"free", "raid", "loss"}
    assert {rune.where for rune in runes} == {"any", "sea", "port", "wintering"}
    assert {rune.whose for rune in runes} == {"own", "any"}


def test_the_peaceful_pack_is_the_estimated_one_without_the_runes_of_conflict() -> None:
    whole, peaceful = load_pack(PACKS / "estimated.yaml"), load_pack(PACKS / "peaceful.yaml")
    assert audit(peaceful) == () and len(peaceful.runes) == 24
    without = msgspec.structs.replace(
        whole, id=peaceful.id, title=peaceful.title, sources=peaceful.sources,
        runes=tuple(rune for rune in whole.runes if not rune.conflict),
    )  # fmt: skip
    assert peaceful == without


def test_the_few_pack_is_a_cut_with_every_sort_of_port_and_task() -> None:
    pack = load_pack(PACKS / "few.yaml")
    assert not pack.complete and audit(pack) == ()
    assert {port.town for port in pack.ports} == {"none", "small", "large"}
    assert {port.region is None for port in pack.ports} == {True, False}
    assert {saga.type for saga in pack.sagas} == {"trade", "raid", "settle"}
    assert {saga.era for saga in pack.sagas} == {1, 2, 3}


@pytest.mark.parametrize("name", ["estimated", "peaceful", "few"])
def test_the_game_takes_each_shipped_pack_at_each_number_of_players(name: str) -> None:
    place = ROOM
    pack = load_pack(PACKS / f"{name}.yaml")
    for players in place.players:
        assert place.build(pack, place.catalogue.book.choose(), players).pack == pack


# -- reading --------------------------------------------------------------------------------------

UNREADABLE: list[tuple[Change, str, str]] = [
    (lambda p: p.update(homelands=[]), "0 homelands", "$.homelands"),
    (lambda p: p.update(waters=[]), "0 waters", "$.waters"),
    (lambda p: p.update(ports=[]), "0 ports", "$.ports"),
    (lambda p: p.update(sagas=p["sagas"][:3]), "3 sagas", "$.sagas"),
    (lambda p: p.update(sagas=[dict(p["sagas"][0], id=f"S{n}") for n in range(61)]), "61 sagas", "$.sagas"),
    (lambda p: p.update(runes=[dict(p["runes"][0], id=f"R{n}") for n in range(61)]), "61 runes", "$.runes"),
    (lambda p: p.update(die=1), "1 faces", "$.die"),
    (lambda p: p.update(die=21), "21 faces", "$.die"),
    (put("ports", "York", id="Norway"), "unique", "$.ports[4] (Norway)"),
    (put("ports", "York", id="Wintering Zone"), "unique", "$.ports[4] (Wintering Zone)"),
    (put("ports", "York", id="York\n"), "unique", "$.ports[4]"),
    (put("waters", "Irish Sea", id="Irish  Sea"), "unique", "$.waters[4]"),
    (put("waters", "Irish Sea", id="I" * 41), "unique", "$.waters[4]"),
    (put("ports", "York", value=-1), "-1 is the value", "$.ports[4] (York)"),
    (put("ports", "York", value=21), "21 is the value", "$.ports[4] (York)"),
    (put("ports", "Paris", region="Francia"), "large port in a region", "$.ports[22] (Paris)"),
    (join("York", "Wales"), "unknown place 'Wales'", "$.edges[41]"),
    (join("York", "Wintering Zone"), "unknown place 'Wintering Zone'", "$.edges[41]"),
    (join("York", "York"), "themselves or twice", "$.edges[41]"),
    (join("Western Isles", "York"), "themselves or twice", "$.edges[41]"),
    (dial(order=["North", "East", "South", "East"]), "lacks a zone", "$.dial"),
    (dial(order=["North", "East", "South"]), "lacks a zone", "$.dial"),
    (lambda p: p["dial"]["numbers"].pop("West"), "lacks a zone", "$.dial"),
    (dial(red=0), "0 quarter-turns", "$.dial.red"),
    (dial(red=4), "4 quarter-turns", "$.dial.red"),
    (numbers("West", 4, 5, 6), "4, 5, 6", "$.dial.numbers.West"),
    (numbers("West", 4, 2, -1), "4, 2, -1", "$.dial.numbers.West"),
    (lambda p: p.update(losses=[0]), "no Losses chart", "$.losses"),
    (lambda p: p.update(losses=[1, 2]), "no Losses chart", "$.losses"),
    (lambda p: p.update(losses=[0, 2, 1]), "no Losses chart", "$.losses"),
    (lambda p: p.update(losses=[0, 61]), "no Losses chart", "$.losses"),
    (lambda p: p["treasures"].update(large=[6, 8]), "2 treasures", "$.treasures.large"),
    (lambda p: p["treasures"].update(large=[6, 8, 100]), "100", "$.treasures.large"),
    (put("ports", "York", town="none"), "12 treasures", "$.treasures.small"),
    (put("sagas", "S02", id="S01"), "must be unique", "$.sagas[1] (S01)"),
    (put("sagas", "S02", id="crew"), "no word of actions", "$.sagas[1] (crew)"),
    (put("sagas", "S02", era=4), "4 is the Era", "$.sagas[1] (S02)"),
    (put("sagas", "S02", vp=-1), "-1 VP", "$.sagas[1] (S02)"),
    (put("sagas", "S02", homeland="York"), "unknown homeland 'York'", "$.sagas[1] (S02)"),
    (put("sagas", "S02", ports=["Norway"]), "unknown port 'Norway'", "$.sagas[1] (S02)"),
    (put("sagas", "S02", ports=[]), "no port", "$.sagas[1] (S02)"),
    (put("sagas", "S02", ports=["Cork", "Cork"]), "twice", "$.sagas[1] (S02)"),
    (put("sagas", "S03", ports=["Riga"]), "met from the start", "$.sagas[2] (S03)"),
    (put("runes", "R02", id="R01"), "must be unique", "$.runes[1] (R01)"),
    *((put("runes", "R02", id=word), "no word of actions", f"$.runes[1] ({word})") for word in ("left", "Furs", "A")),
    (put("runes", "R02", id="R 2"), "letters and digits", "$.runes[1] (R 2)"),
    (put("runes", "R02", effects=[{"do": "good", "good": "Salt"}]), "unknown good 'Salt'", "$.runes[1] (R02)"),
    (put("runes", "R02", effects=[{"do": "wind", "quarters": 4}]), "4 quarter-turns", "$.runes[1] (R02)"),
    (put("runes", "R02", effects=[{"do": "days", "count": 0}]), "0 in `count`", "$.runes[1] (R02)"),
    (put("runes", "R02", effects=[{"do": "attack", "plus": 10}]), "10 in `plus`", "$.runes[1] (R02)"),
    (put("runes", "R02", effects=[{"do": "drop"}, {"do": "wind", "quarters": 1}]), "its end", "$.runes[1] (R02)"),
    (put("runes", "R02", effects=[{"do": "draw"}, {"do": "drop"}]), "before its end", "$.runes[1] (R02)"),
    *((put("runes", "R02", whose="any", effects=[{"do": do}]), "turn of somebody else", "$.runes[1] (R02)")
      for do in ("days", "shelter", "attack", "spare", "double", "sail")),
    (put("runes", "R02", whose="any", moment="raid"), "raid on any turn", "$.runes[1] (R02)"),
    (put("runes", "R02", whose="any", moment="loss"), "loss on any turn", "$.runes[1] (R02)"),
    (put("runes", "R02", effects=[{"do": "reroll"}]), "rolls again outside a raid", "$.runes[1] (R02)"),
    (put("runes", "R02", moment="raid", where="sea"), "never there then", "$.runes[1] (R02)"),
    (put("runes", "R02", moment="loss", where="wintering"), "never there then", "$.runes[1] (R02)"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said", "place"), UNREADABLE)
def test_what_cannot_be_read_is_named_with_its_place(change: Change, said: str, place: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)) as caught:
        pack_with(change)
    assert caught.value.where is not None and caught.value.where.startswith(f"pack {place}")
    assert caught.value.hint


MISSHAPEN: list[tuple[Change, str, str]] = [
    (put("waters", "Irish Sea", zone="Middle"), "Middle", "$.waters[4].zone"),
    (put("runes", "R02", effects=[{"do": "fly"}]), "invalid value 'fly'", "$.runes[1].effects[0].do"),
    (lambda p: p.update(dice=3), "unknown field `dice`", ""),
]


@pytest.mark.parametrize(("change", "said", "place"), MISSHAPEN)
def test_what_has_not_the_form_of_a_pack_is_named_with_its_place(change: Change, said: str, place: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)) as caught:
        pack_with(change)
    assert caught.value.where == f"pack {place}".strip()


def test_a_file_with_a_mistake_is_named(tmp_path: Path) -> None:
    file = tmp_path / "box.yaml"
    file.write_text(read_text(PACKS / "few.yaml").replace("die: 3", "die: 0"))
    with pytest.raises(BadInput) as caught:
        load_pack(file)
    assert caught.value.where == f"{file} $.die"


# -- what the text demands ------------------------------------------------------------------------

WRONG: list[tuple[tuple[Change, ...], str, str]] = [
    ((part("York"),), "FA-SAIL-05", "York"),
    ((part("Norway"),), "FA-SAIL-05", "Norway"),
    ((part("York"), join("York", "Lincoln")), "FA-SAIL-05", "York"),
    ((part("Baltic Sea", "North Sea"), part("Middle Sea", "Gulf of Finland")), "FA-SAIL-01", "Baltic Sea"),
    ((put("ports", "York", zone="East"),), "FA-WEA-02", "York"),
    ((put("homelands", "Norway", zone="South"),), "FA-WEA-02", "Norway"),
    ((join("York", "Baltic Sea"),), "FA-WEA-02", "York"),
    ((part("Faeroes", "Denmark Strait"),), "FA-WEA-03", "Faeroes"),
    ((put("ports", "Shetland", zone="North"),), "FA-WEA-03", "Shetland"),
    ((rename("ports", "Shetland", "Hjaltland"),), "FA-WEA-03", "ports"),
    ((dial(start="North"),), "FA-SETUP-04", "dial"),
    ((numbers("South", 6, 6, 5),), "FA-SETUP-04", "dial"),
    ((put("ports", "York", value=7),), "FA-RAID-04", "York"),
    ((lambda p: p.update(die=4),), "FA-RAID-04", "Paris"),
    ((put("ports", "Riga", region=None),), "FA-COMP-02", "Courland"),
    ((put("ports", "Gotland", region="Courland"),), "FA-COMP-02", "Courland"),
    ((put("ports", "York", town="none"), lambda p: p["treasures"]["small"].pop()), "FA-COMP-18", "small towns"),
    ((put("ports", "Gotland", town="large"), lambda p: p["treasures"]["large"].append(9)), "FA-COMP-18", "large towns"),
    ((drop("sagas", "S27"),), "FA-COMP-07", "sagas"),
    ((put("sagas", "S27", era=2),), "FA-SETUP-06", "Era 3"),
    ((drop("runes", "R01"),), "FA-SETUP-13", "conflict runes"),
    ((put("runes", "R33", conflict=True),), "FA-SETUP-13", "conflict runes"),
    ((drop("runes", "R33"),), "FA-COMP-05", "runes without the conflict symbol"),
    ((rename("homelands", "Norway", "Jutland"),), "FA-COMP-09", "homelands"),
    ((also("homelands", id="Gautland", zone="East"), join("Gautland", "Baltic Sea")), "FA-COMP-01", "homelands"),
    ((lambda p: [saga.update(homeland="Sweden") for saga in p["sagas"]],), "FA-COMP-09", "Norway"),
    ((lambda p: [water.update(zone="West") for water in p["waters"] if water["zone"] == "East"],),
     "FA-WEA-01", "waters"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "clause", "place"), WRONG)
def test_what_contradicts_the_text_is_named_with_its_clause(
    changes: tuple[Change, ...], clause: str, place: str
) -> None:
    found = audit(pack_with(*changes))
    assert (clause, place) in {(complaint.clause, complaint.where) for complaint in found}
    assert all(complaint.what for complaint in found)


def test_every_clause_of_a_complaint_is_in_the_catalogue() -> None:
    clauses = parse_yaml(read_text(PACKS.parent / "clauses.yaml"), "clauses")["clauses"]
    found = {complaint.clause for changes, _, _ in WRONG for complaint in audit(pack_with(*changes))}
    assert {clause for _, clause, _ in WRONG} <= found <= {clause["id"] for clause in clauses}


CUT: Change = lambda plain: plain.update(complete=False)  # noqa: E731  # a change like the others


@pytest.mark.parametrize(
    "change",
    [drop("sagas", "S27"), drop("runes", "R01", "R33"), put("ports", "Riga", region=None),
     rename("homelands", "Norway", "Jutland")],
)  # fmt: skip
def test_a_cut_need_not_have_everything(change: Change) -> None:
    assert audit(pack_with(change)) != ()
    assert audit(pack_with(change, CUT)) == ()


@pytest.mark.parametrize(("changes", "clause"), [
    ((part("York"),), "FA-SAIL-05"), ((put("ports", "York", zone="East"),), "FA-WEA-02"),
    ((put("ports", "Gotland", region="Courland"),), "FA-COMP-02"), ((put("ports", "York", value=7),), "FA-RAID-04"),
    ((dial(start="North"),), "FA-SETUP-04"),
])  # fmt: skip
def test_a_cut_must_not_contradict_the_text_either(changes: tuple[Change, ...], clause: str) -> None:
    assert clause in {complaint.clause for complaint in audit(pack_with(*changes, CUT))}

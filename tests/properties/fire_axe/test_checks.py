"""The checks of Fire & Axe hold in play, and each finds the fault it is for, planted in the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lawspeaker.model.core
from lawspeaker.model.fire_axe.pack import load_pack
from lawspeaker.model.fire_axe.room import ROOM
from lawspeaker.properties.checks import checks_of
from lawspeaker.properties.fire_axe.checks import CHECKS
from lawspeaker.properties.playouts import run_playouts

PACKS = Path(lawspeaker.model.core.__file__).parent.parent / "fire_axe" / "packs"
BOX = {name: load_pack(PACKS / f"{name}.yaml") for name in ("estimated", "few")}


def game(name: str, ruling: str = "", players: int = 2) -> Any:
    place = ROOM
    return place.build(BOX[name], place.catalogue.book.parse(ruling.split()), players)


def verdict(one: Any, name: str, limit: int = 300) -> str:
    report = run_playouts(one, range(3), [check for check in CHECKS if check.id == name], limit=limit)
    return next(row.verdict for row in report.rows if row.id == name)


@pytest.mark.parametrize("ruling", ["", "R_PORT_EDGES=via_water", "R_RUNE_TURN=any", "R_ZERO_LOAD=literal"])
@pytest.mark.parametrize("name", sorted(BOX))
def test_the_checks_hold_in_play(name: str, ruling: str) -> None:
    assert {verdict(game(name, ruling), check.id) for check in CHECKS} == {"pass"}


FAULTS: dict[str, tuple[str, str, Any]] = {
    "ships share a port": ("sailing", "may_enter", lambda port, others: True),
    "ports side by side are no way": ("sailing", "reaches", lambda near, both, ruling: near and not both),
    "a seventh Day is missing": ("sailing", "may_act", lambda spent, days: spent < days - 1),
    "a Clear Weather Day too many": ("weather", "excess", lambda sailing, clear: max(0, sailing - clear - 1)),
    "red counts as plain": ("weather", "clear_days", lambda best, normal, worst, quarters, red: normal),
    "a skull too few": ("weather", "skulls", lambda over, chart: max(0, chart[min(over, len(chart) - 1)] - 1)),
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_planted_fault_is_noticed(fault: str) -> None:
    check, rule, wrong = FAULTS[fault]
    one = game("few", players=5)
    assert verdict(one.varied(law=one.law.replace(**{rule: wrong})), check, 2000) == "fail"


def test_every_check_has_a_planted_fault_and_is_one_of_the_game() -> None:
    assert {check for check, _, _ in FAULTS.values()} == {check.id for check in CHECKS}
    assert checks_of(game("few"))[-len(CHECKS) :] == CHECKS

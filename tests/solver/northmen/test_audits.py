"""The audits of the claims' abstractions: play is within them, and whatever is not is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from lawspeaker.model.core.play import Rare, Step, steps
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.room import LAW
from lawspeaker.solver.northmen import audits, boxes, claims_supply, reach

BOX = boxes.northmen(boxes.box(placing=40))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_is_within_the_abstractions(players: int) -> None:
    rows = audits.abstraction_rows(boxes.northmen(boxes.box(placing=44), players), [2])
    assert {row.id for row in rows} == {
        "audit-abstract-rally", "audit-abstract-supplies", "audit-abstract-tokens", "audit-abstract-routes",
        "audit-abstract-forces",
    }  # fmt: skip
    for row in rows:
        assert row.verdict == "pass" and row.times > (20 if row.id == "audit-abstract-routes" else 500), row


def test_an_abstraction_that_forgets_a_step_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reach.successors

    def without_face_up(now: reach.Rally, rules: reach.Rules) -> Iterator[reach.Rally]:
        yield from (then for then in whole(now, rules) if then.moment != "turn")

    monkeypatch.setattr(audits, "successors", without_face_up)
    row = audits.abstraction_rows(BOX, [1])[0]
    assert row.verdict == "fail" and "take" in row.said


def test_an_event_that_is_missing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(claims_supply.EVENTS, "lose control", (1, 0, -1, 0))
    assert audits.abstraction_rows(BOX, [1])[1].verdict == "fail"


FAULTS: dict[str, tuple[Any, str]] = {
    "the row is not refilled": (LAW.without(["SN-RALLY-18"]), "rally"),
    "turns go the other way round": (LAW.replace(next_in_rally=lambda seat, players: (seat + 2) % players), "rally"),
    "spent cubes vanish": (LAW.without(["SN-RALLY-10"]), "supplies"),
    "beaten cubes go to the reserve": (LAW.without(["SN-BATTLE-06"]), "supplies"),
    "a Hero costs four": (LAW.replace(hero_price=lambda: 4), "supplies"),
    "tokens come from nowhere": (LAW.without(["SN-RALLY-12"]), "tokens"),
    "nothing": (LAW, "none"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_game_that_plays_otherwise_is_noticed(name: str) -> None:
    law, where = FAULTS[name]
    game = boxes.northmen(boxes.box(placing=40), 3).varied(law=law)
    audits_of: dict[str, Callable[[Step], bool | None]] = {
        "rally": audits.Rallies(game), "supplies": audits.Supplies(game),
        "tokens": lambda step: audits.tokens_kept(game, step), "routes": lambda step: audits.routes_kept(game, step),
        "forces": lambda step: audits.forces_fit(game, step),
    }  # fmt: skip
    played = list(steps(game, 1))
    found = {name for name, audit in audits_of.items() if any(audit(step) is False for step in played)}
    assert where in found or (where == "none" and not found)


def test_a_route_that_does_not_go_back_is_noticed() -> None:
    keeps = [step for step in steps(BOX, 2, Rare()) if isinstance(step.action, act.Keep)]
    assert keeps and all(audits.routes_kept(BOX, step) for step in keeps)
    lost = replace(keeps[0].after, route_bottom=keeps[0].after.route_bottom[:-1])
    assert audits.routes_kept(BOX, replace(keeps[0], after=lost)) is False


def test_more_cubes_than_symbols_are_noticed() -> None:
    plays = [step for step in steps(BOX, 2) if isinstance(step.action, act.Play) and audits.rallying(step.after)]
    after = plays[0].after
    kingdom = BOX.tables.suit[plays[0].action.card]
    here = tuple(cubes + 1 if cubes else 0 for cubes in after.cubes[kingdom])
    more = replace(after, cubes=(*after.cubes[:kingdom], here, *after.cubes[kingdom + 1 :]))
    assert audits.forces_fit(BOX, plays[0]) and audits.forces_fit(BOX, replace(plays[0], after=more)) is False


def test_a_rally_phase_that_begins_with_too_few_cards_is_noticed() -> None:
    begun = next(step for step in steps(BOX, 1) if audits.rallying(step.after))
    assert audits.Rallies(BOX)(begun) is True
    after = replace(begun.after, row=begun.after.row & (begun.after.row - 1))
    assert audits.Rallies(BOX)(replace(begun, after=after)) is False

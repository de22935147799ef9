"""Invariants over a history of Fjords: under which rulings they hold, and that they can break."""

from typing import Any

import pytest
from msgspec.structs import replace

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import steps
from lawspeaker.model.fjords import actions as act
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.properties.fjords.history import CHECKS
from lawspeaker.properties.fjords.landscape import Landscape
from lawspeaker.properties.playouts import run_playouts

GAME: Any = make_game("fjords")
BOOK = GAME.catalogue.book
BY_ID = {check.id: check for check in CHECKS}
REAL: Any = FjordsGame

# Ruling values that break an invariant, each seen to break it in play below.
BREAKS = [
    ("I09", "R_LAND", "closed"),
    ("I25", "R_BLOCKED", "end"),
    ("I26", "R_BLOCKED", "end"),
    ("I25", "R_MULTI", "tile"),
    ("I25", "R_SEGMENT", "area"),
    ("I30", "R_PLAYABLE", "subjective"),
    ("I30", "R_DRAWN", "switch"),
]


def verdict(game: Any, name: str, seeds: Any = range(3), **changes: Any) -> str:
    check = replace(BY_ID[name], **changes)
    return run_playouts(game, seeds, [check]).rows[0].verdict


@pytest.mark.parametrize(("name", "ruling", "value"), BREAKS)
def test_the_other_reading_breaks_it_and_the_catalogue_says_so(name: str, ruling: str, value: str) -> None:
    game = GAME.varied(rulings=BOOK.choose({ruling: value}))
    assert not BY_ID[name].applies(game.rulings)
    assert verdict(game, name, range(6), holds={}) == "fail"
    assert name in BOOK[ruling].changes_invariants


def test_every_restriction_of_a_claim_is_shown_to_be_needed_or_is_about_segments() -> None:
    shown = {(name, ruling) for name, ruling, _ in BREAKS}
    restricted = {(check.id, ruling) for check in CHECKS for ruling in check.holds}
    assert {pair for pair in restricted - shown if pair[1] != "R_SEGMENT"} == set()


def planted(**methods: Any) -> Any:
    kind: Any = type("Faulty", (FjordsGame,), methods)
    return kind(GAME.catalogue, GAME.pack, GAME.rulings, GAME.law)


def changed(**rules: Any) -> Any:
    return GAME.varied(law=GAME.law.replace(**rules))


def disown(self: Any, position: Any, action: Any) -> Any:
    seat = position.seat
    swapped = replace(position, seat=1 - seat)
    return replace(REAL._farm(self, swapped, action), seat=1 - seat)


def lose_a_tile(self: Any, position: Any, action: Any) -> Any:
    after = REAL._field(self, position, action)
    return replace(after, board=after.board[:-1]) if after.phase == "land" else after


def take_open(self: Any, position: Any, action: Any) -> Any:
    after = REAL._field(self, position, action)
    return replace(after, open=after.open & (after.open - 1)) if after.phase == "land" and after.open else after


def farm_in_land(self: Any, position: Any, action: Any) -> Any:
    after = REAL._field(self, position, action)
    return replace(after, farms=(after.farms[0][1:], after.farms[1])) if after.phase == "land" else after


def anywhere_when_blocked(self: Any, position: Any, seat: int) -> Any:
    free = ~position.taken & ((1 << len(position.ground.keys)) - 1)
    return REAL.field_mask(self, position, seat) or free


FAULTS: dict[str, Any] = {
    "I02": planted(_field=lose_a_tile),
    "I05": changed(touches_two=lambda contacts, two: contacts >= 1),
    "I07": planted(_field=lose_a_tile),
    "I09": changed(joins_landmass=lambda parts, facing, land: True),
    "I11": changed(one_tile_a_turn=lambda: False),
    "I12": planted(_farm=disown),
    "I15": planted(_field=farm_in_land),
    "I17": planted(_field=lose_a_tile),
    "I18": planted(_field=take_open),
    "I21": changed(field_reach=lambda near_own, anywhere, first: anywhere if first else near_own),
    "I22": changed(next_field_player=lambda seat: seat),
    "I23": planted(field_mask=anywhere_when_blocked),
    "I25": changed(land_taking_over=lambda can, mover, blocked, left: not left()),
    "I26": changed(land_taking_over=lambda can, mover, blocked, left: not all(can)),
    "I27": changed(round_points=lambda fields, farms: fields + farms),
    "I30": changed(may_set_aside=lambda places, told, playable: True),
    "I31": changed(next_starter=lambda winner: winner),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_breaks_it(name: str) -> None:
    assert verdict(FAULTS[name], name, range(4)) in ("fail", "error")


def test_more_placements_than_the_pile_had_are_noticed() -> None:
    game = planted(_place=lambda self, p, a: replace(REAL._place(self, p, a), pile=p.pile | 1 << a.tile))
    report = run_playouts(game, [0], [BY_ID["I29"]], limit=400)
    assert report.rows[0].verdict == "fail"


def test_a_pile_in_the_order_of_drawing_is_noticed() -> None:
    def observe(self: Any, position: Any, seat: int) -> Any:
        view = REAL.observe(self, position, seat)
        return {**view, "pile": view["pile"][::-1]}

    assert verdict(planted(observe=observe), "I32", [0]) == "fail"


def test_a_drowned_cell_that_is_filled_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Landscape, "drowned", Landscape.open_cells)  # every open cell taken for a drowned one
    assert verdict(GAME, "I10", [0]) == "fail"


def test_blocked_is_permanent_in_rounds_where_it_happens() -> None:
    """The theorem would be idle if nobody were ever blocked while the other goes on."""
    blocked = 0
    for step in steps(GAME, 0):
        if isinstance(step.action, act.Field) and step.after.phase == "land":
            blocked += step.after.seat == step.before.seat
    assert blocked > 0

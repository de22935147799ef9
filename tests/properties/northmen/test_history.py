"""Invariants over a history of Northmen: under which rulings they hold, and that each can break."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from lawspeaker.model.core.play import Rare, steps
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.pack import NorthmenPack
from lawspeaker.model.northmen.room import CATALOGUE, LAW, ROOM, build
from lawspeaker.properties.northmen.checks import CHECKS
from lawspeaker.properties.northmen.history import CHECKS as HISTORY
from lawspeaker.properties.northmen.reckoning import reckoned, stage
from lawspeaker.properties.playouts import run_playouts
from lawspeaker.properties.watching import Moment

BOOK = CATALOGUE.book
PACK: Any = ROOM.load_pack(ROOM.default_pack)
REAL: Any = NorthmenGame
BY_ID = {check.id: check for check in CHECKS}


def northmen(ruling: str = "", players: int = 3, pack: NorthmenPack = PACK) -> Any:
    return build(pack, BOOK.parse(ruling.split()), players)


def cut(cards: int, tokens: int) -> NorthmenPack:
    """So many cards, of which the first few place a token."""
    kept = [replace(c, mark="none", region="Finland" if n < tokens else None) for n, c in enumerate(PACK.cards[:cards])]
    pack: NorthmenPack = replace(PACK, complete=False, cards=tuple(kept))
    return pack


def stranded() -> NorthmenPack:
    """The first Kingdom of the chart has soldiers and borders no region."""
    first = PACK.kingdoms[0]
    cards = [replace(c, soldiers=2, ships=0) if c.kingdom == first.id else c for c in PACK.cards]
    kingdoms = (replace(first, borders=()), *PACK.kingdoms[1:])
    pack: NorthmenPack = replace(PACK, complete=False, kingdoms=kingdoms, cards=tuple(cards))
    return pack


def verdict(game: Any, name: str, seeds: Any = range(6), **changes: Any) -> str:
    check = replace(BY_ID[name], **changes)
    return run_playouts(game, seeds, [check], Rare()).rows[0].verdict


# -- the claims -------------------------------------------------------------------------------------------

# Ruling values that break an invariant, each seen to break it in play, with the box and players it takes.
BREAKS = [
    ("I10", "R_RALLY_END=finish_turn", PACK, 3),
    ("I11", "R_PARTIAL=all_or_nothing", PACK, 3),
    ("I16", "R_ROUTE_BATCH=batch", PACK, 3),
    ("I17", "R_STUCK=to_infamy", stranded(), 3),
    ("I18", "R_MUST_MOVE=may", PACK, 3),
    ("I18", "R_HERO_STAY=may", PACK, 3),
    ("I19", "R_STUCK=to_reserve", stranded(), 3),
    ("I23", "R_CLOCK=to_leader", PACK, 4),
    ("I24", "R_COLLECT=pieces", PACK, 4),
    ("I29", "R_NO_CARD=end", cut(56, 10), 3),
    ("I29", "R_DECK_EMPTY=end", cut(56, 16), 4),
    ("I29", "R_FIFTEEN=board", PACK, 3),
    ("I31", "R_NO_CARD=end", cut(14, 10), 2),
    ("I31", "R_DECK_EMPTY=end", cut(24, 16), 3),
    ("I31", "R_FIFTEEN=board", PACK, 3),
    ("I32", "R_ROUTE_BATCH=batch", PACK, 3),
    ("I33", "R_EMPTY_KINGDOM=leader", PACK, 3),
]


@pytest.mark.parametrize(("name", "ruling", "pack", "players"), BREAKS, ids=[f"{b[0]} {b[1]}" for b in BREAKS])
def test_the_other_reading_breaks_it_and_the_catalogue_says_so(
    name: str, ruling: str, pack: NorthmenPack, players: int
) -> None:
    game = northmen(ruling, players, pack)
    if name == "I11":  # with few cubes a reserve runs out soon
        game = game.varied(law=LAW.replace(cubes_each=lambda: 12))
    assert not BY_ID[name].applies(game.rulings)
    assert verdict(game, name, range(25), holds={}) == "fail"
    assert name in BOOK[ruling.split("=")[0]].changes_invariants


OTHERS = ["", "", "", *sorted({ruling for _, ruling, _, _ in BREAKS})]


def test_every_restriction_of_a_claim_is_shown_to_be_needed() -> None:
    shown = {(name, ruling.split("=")[0]) for name, ruling, _, _ in BREAKS}
    assert {(check.id, ruling) for check in CHECKS for ruling in check.holds} == shown


@pytest.mark.parametrize("number", range(len(OTHERS)), ids=lambda number: OTHERS[number] or "defaults")
def test_what_is_claimed_holds(number: int) -> None:
    game = northmen(OTHERS[number], 2 + number % 3)
    report = run_playouts(game, [number], CHECKS, Rare(), every=3)
    assert {row.id: row.said for row in report.rows if row.verdict in ("fail", "error")} == {}


@pytest.mark.parametrize("pack", [cut(56, 16), cut(24, 16), stranded()], ids=["few tokens", "few cards", "stranded"])
def test_it_holds_for_odd_boxes(pack: NorthmenPack) -> None:
    for ruling in ("R_STUCK=to_reserve", "R_STUCK=to_infamy R_PARTIAL=all_or_nothing R_MUST_MOVE=may"):
        report = run_playouts(northmen(ruling, 3, pack), range(2), CHECKS, Rare(), every=5)
        assert {row.id: row.said for row in report.rows if row.verdict in ("fail", "error")} == {}


def test_the_checks_have_names_of_their_own() -> None:
    assert len(BY_ID) == len(CHECKS)
    assert all(check.title for check in CHECKS)


# -- planted faults ---------------------------------------------------------------------------------------


def planted(ruling: str = "", **methods: Any) -> Any:
    kind: Any = type("Faulty", (NorthmenGame,), methods)
    return kind(CATALOGUE, PACK, BOOK.parse(ruling.split()), LAW, 3)


def changed(**rules: Any) -> Any:
    return northmen().varied(law=LAW.replace(**rules))


def send_loses_a_cube(self: Any, position: Any, action: Any) -> Any:
    after = REAL.apply(self, position, action)
    if isinstance(action, act.Send) and action.cubes and after.phase == "march":
        here = list(after.cubes[action.place])
        here[position.seat] -= 1
        cubes = (*after.cubes[: action.place], tuple(here), *after.cubes[action.place + 1 :])
        return replace(after, cubes=cubes)
    return after


def keep_brings_two(self: Any, position: Any, action: Any) -> Any:
    after = REAL.apply(self, position, action)
    if isinstance(action, act.Keep) and after.route_deck:
        low = after.route_deck & -after.route_deck
        hands = list(after.route_hands)
        hands[position.seat] |= low
        return replace(after, route_deck=after.route_deck & ~low, route_hands=tuple(hands))
    return after


def first_is_best(cubes: Any, heroes: Any, leader: int, clock: str) -> int:
    return next(n for n in range(len(cubes)) if cubes[n] or heroes[n])


def leader_takes_all(cubes: Any, heroes: Any, leader: int, clock: str, empty: str) -> int:
    return leader


def anyone(cubes: Any, heroes: Any, ruling: str) -> int:
    return 0


def always_over(group: int, on_board: int, ruling: str) -> bool:
    return group <= 3


FAULTS: dict[str, tuple[str, Any]] = {
    "cubes spent are gone": ("conservation", changed(back_to_reserve=lambda spent: 0)),
    "routes do not count": ("score", changed(total=lambda taken, routes, bonus: taken + bonus)),
    "all tied win": ("score", changed(tie_by_infamy=lambda tied, infamy: tied, total=lambda t, r, b: 0)),
    "armies swim": ("flows", changed(army_targets=lambda borders, regions: regions)),
    "ships stay in port": ("flows", changed(strength=lambda soldiers, ships: (soldiers + ships, 0))),
    "the row has a hole": ("I06", changed(row_refilled=lambda: False)),
    "five cards in hand": ("I07", changed(hand_size=lambda: 5)),
    "nobody draws": ("I08", changed(draws_card=lambda: False)),
    "tokens from anywhere": ("I09", changed(group_after_token=lambda group: group - 2)),
    "a Rally without end": ("I10", changed(rally_over=lambda group, on_board, ruling: False)),
    "a card, a cube": ("I11", changed(cubes_placed=lambda value, reserve, infamy, ruling: (1, 0))),
    "the Leader controls": ("I15", changed(controller=leader_takes_all)),
    "Heroes for two": ("I16", changed(hero_price=lambda: 2)),
    "losers get nothing": ("I17", changed(taken_off=lambda cubes, heroes: (0, cubes, heroes))),
    "the beaten get nothing": ("I17", changed(beaten=lambda cubes, heroes: (0, cubes, heroes))),
    "cubes stay at home": ("I18", changed(cubes_must_leave=lambda ruling: False)),
    "a cube drowns": ("I19", planted(apply=send_loses_a_cube)),
    "the first wins": ("I23", changed(battle_winner=first_is_best)),
    "A collects": ("I24", changed(collector=anyone)),
    "regions stay full": ("I25", changed(regions_cleared=lambda: False)),
    "Time Tokens stay": ("I25", changed(time_tokens_return=lambda: False)),
    "the chart backwards": ("I27", changed(chart_order=lambda kingdoms: tuple(reversed(range(kingdoms))))),
    "routes are lost": ("I28", changed(lasting=lambda done, controlled: 0)),
    "the Rally cut short": ("I29", changed(rally_over=always_over)),
    "no Leader follows": ("I30", changed(next_leader=lambda leader, players: leader)),
    "the row is not shuffled in": ("I30", changed(new_deck=lambda deck, row, discard, played: deck | discard | played)),
    "hands are kept": ("I30", changed(kept_hand=lambda hand, held, ruling: hand)),
    "nobody may stop": ("I31", changed(rally_over=lambda group, on_board, ruling: group <= 8)),
    "two routes for one": ("I32", planted(apply=keep_brings_two)),
    "the Leader enters": ("I33", changed(controller=leader_takes_all)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(fault: str) -> None:
    name, game = FAULTS[fault]
    assert verdict(game, name, range(12)) == "fail"


def test_every_check_over_a_history_has_a_planted_fault() -> None:
    assert {name for name, _ in FAULTS.values()} >= {check.id for check in HISTORY}


# -- the reckoning ----------------------------------------------------------------------------------------


def test_steps_that_end_a_march_are_reckoned_to_the_last_token() -> None:
    """Where battles were fought, somebody lost cubes and somebody took tokens in the very step."""
    game, fought, gained = northmen(), 0, 0
    for number, step in enumerate(steps(game, 5)):
        moment = Moment(game, number, step.before, step.actor, step.action, step.after)
        work = reckoned(moment)
        assert work.infamy == moment.record_after["infamy"]
        if stage(moment.record_before) == "moving" and stage(moment.record_after) == "routes":
            fought += sum(sum(map(any, rows)) > 1 for rows in work.fought.values())
            gained += sum(work.taken.values()) - sum(moment.record_before["taken"].values())
            assert work.tokens == moment.record_after["tokens"] and work.taken == moment.record_after["taken"]
    assert fought > 3 and gained > 10

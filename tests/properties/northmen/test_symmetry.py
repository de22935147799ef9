"""Northmen and its images are one game: seats moved around, another box, cards alike, orders of choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lawspeaker.model.core.play import Rare, steps
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.pack import NorthmenPack
from lawspeaker.model.northmen.room import CATALOGUE, LAW, ROOM, build
from lawspeaker.properties.northmen.checks import CHECKS
from lawspeaker.properties.northmen.symmetry import (
    RULED,
    commit_orders,
    image_of,
    in_step,
    marches,
    rotated,
    transpositions,
    twins,
)
from lawspeaker.properties.northmen_packs import packs, small_packs
from lawspeaker.properties.playouts import run_playouts

BOOK = CATALOGUE.book
PACK: Any = ROOM.load_pack(ROOM.default_pack)
REAL: Any = NorthmenGame
BY_ID = {check.id: check for check in CHECKS}
READINGS = [
    "",
    "R_BULGARIA=kingdom R_LANDLOCK=examples",
    "R_MUST_MOVE=may R_HERO_STAY=may R_CLOCK=to_leader",
    "R_ROUTE_ORIGIN=from_kingdom R_EMPTY_KINGDOM=leader R_DISCARD=only_if_hold",
    "R_CONTROL_SPAN=present_tie R_ROUTE_PIECE=pieces R_COLLECT=pieces R_FIFTEEN=board",
]


def northmen(ruling: str = "", players: int = 3, pack: NorthmenPack = PACK, **rules: Any) -> Any:
    return build(pack, BOOK.parse(ruling.split()), players).varied(law=LAW.replace(**rules))


def alike() -> NorthmenPack:
    """Every other card of a suit is like the one before it."""
    cards: list[Any] = []
    for number, card in enumerate(PACK.cards):
        cards.append(replace(cards[-1], id=card.id) if number % 2 else card)
    pack: NorthmenPack = replace(PACK, cards=tuple(cards), complete=False)
    return pack


def verdict(game: Any, name: str, every: int = 5, seeds: int = 2) -> str:
    return run_playouts(game, range(seeds), [replace(BY_ID[name], every=every)], Rare()).rows[0].verdict


# -- seats ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("ruling", READINGS)
def test_seats_can_be_moved_around_the_table(ruling: str, players: int) -> None:
    assert verdict(northmen(ruling, players), "rotation", every=11, seeds=1) == "pass"


def test_moved_once_around_a_record_is_itself() -> None:
    game = northmen(players=4)
    for number, step in enumerate(steps(game, 3)):
        if number % 25 == 0:
            plain = game.record(step.after)
            assert rotated(rotated(plain, 3), 1) == plain != rotated(plain, 1)


def test_a_rule_that_favours_a_seat_is_noticed() -> None:
    def first(cubes: Any, heroes: Any, leader: int, clock: str, empty: str) -> int:
        return next((n for n in range(len(cubes)) if cubes[n]), -1)

    assert verdict(northmen(controller=first), "rotation", every=1) == "fail"


def test_a_rule_that_favours_a_seat_at_the_end_is_noticed() -> None:
    def for_the_first(infamy: Any, routes: Any, ruling: str) -> Any:
        return (5, *(0,) * (len(infamy) - 1))

    assert verdict(northmen(bonuses=for_the_first), "rotation", every=1) == "fail"


def test_counting_the_other_way_round_is_no_symmetry() -> None:
    """A reflection turns the clock back: turns would pass the other way."""
    game = northmen(next_in_rally=lambda seat, players: (seat - 1) % players)
    assert verdict(game, "rotation") == "pass"


# -- cards alike --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruling", READINGS)
def test_cards_alike_can_change_places(ruling: str) -> None:
    game = northmen(ruling, pack=alike())
    assert len(twins(game)) == 28
    assert verdict(game, "equal-cards", every=29) == "pass"


def test_a_rule_that_favours_a_card_is_noticed() -> None:
    assert verdict(northmen(pack=alike(), playable=lambda hand: hand & -hand), "equal-cards") == "fail"


# -- another box --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruling", READINGS)
def test_an_image_of_the_box_is_played_in_step(ruling: str) -> None:
    number = READINGS.index(ruling)
    game = northmen(ruling, 2 + number % 3)
    assert list(in_step(game, image_of(PACK, number), seed=number, every=2)) == []


@given(pack=st.one_of(small_packs(), packs(any_reading=True)), seed=st.integers(0, 99))
def test_an_image_of_any_box_is_played_in_step(pack: NorthmenPack, seed: int) -> None:
    game = northmen(READINGS[seed % len(READINGS)], 2 + seed % 3, pack)
    assert list(in_step(game, image_of(pack, seed), seed, every=7, limit=300)) == []


def test_an_image_has_other_names_in_another_order() -> None:
    image = image_of(PACK, 1)
    assert len(set(image.names.values())) == len(image.names) == 7 + 9 + 56 + 20
    assert {old for old, new in image.names.items() if old == new} == set(RULED)
    order = [image.names[region.id] for region in PACK.regions]
    assert order != [region.id for region in image.pack.regions]
    assert [image.names[k.id] for k in PACK.kingdoms] == [k.id for k in image.pack.kingdoms]


def test_a_rule_that_favours_a_region_is_noticed() -> None:
    game = northmen(army_targets=lambda borders, regions: borders & -borders)
    assert list(in_step(game, image_of(PACK, 1), seed=0))


def march_starts(game: Any, seed: int, most: int = 4) -> Iterator[tuple[Any, Any]]:
    """Positions before and after a Kingdom with few pieces begins to march."""
    for step in steps(game, seed):
        after = step.after
        begins = after.phase == "march" and (step.before.kingdom != after.kingdom or step.before.phase != "march")
        if begins and sum(after.cubes[after.kingdom]) + sum(after.heroes[after.kingdom]) <= most:
            yield step.before, after


@pytest.mark.parametrize("ruling", READINGS)
def test_what_a_march_can_do_does_not_depend_on_the_order_of_regions(ruling: str) -> None:
    game = northmen(ruling)
    looked = 0
    for number, (_, start) in enumerate(march_starts(game, 4)):
        assert list(_other_marches(game, start, number)) == []
        looked += 1
    assert looked > 5


def _other_marches(game: Any, start: Any, number: int) -> Iterator[str]:
    image = image_of(game.pack, number)
    other = game.varied(pack=image.pack)
    plain = image.record(game.record(start))
    starts = [other.position({**plain, "region": region.id}) for region in image.pack.regions]
    first = next((p for p in starts if other.legal(p) and not other.broken_invariants(p)), None)
    if first is None:
        yield "nothing can be sent anywhere in the other order"
        return
    here, there = marches(game, start), marches(other, first)
    assert here is not None and there is not None
    renamed = {", ".join(sorted(_moved(part, image) for part in way.split(", ") if part)) for way in here}
    if renamed != {", ".join(sorted(part for part in way.split(", ") if part)) for way in there}:
        yield f"{len(here)} ways in one order, {len(there)} in the other"


def _moved(part: str, image: Any) -> str:
    place, _, pieces = part.rpartition(" ")
    return f"{image.names[place]} {pieces}"


def test_a_march_that_depends_on_the_order_of_regions_is_noticed() -> None:
    game = northmen(fleet_targets=lambda sea, regions: sea & (sea - 1))
    faults = [fault for n, (_, start) in enumerate(march_starts(game, 4)) for fault in _other_marches(game, start, n)]
    assert faults


# -- orders of choice ---------------------------------------------------------------------------------------


def commitments(game: Any, seeds: int = 12) -> Iterator[tuple[Any, dict[str, list[str]]]]:
    """Positions at which the first seat is asked about its routes, and what was chosen then."""
    for seed in range(seeds):
        start, texts = None, dict[str, list[str]]()
        for step in steps(game, seed, Rare()):
            if step.before.phase == "complete":
                if start is None:
                    start, texts = step.before, {seat: [] for seat in game.seats}
                texts[game.seats[step.actor]].append(game.text(step.action))
            if start is not None and step.after.phase != "complete":
                yield start, texts
                start = None


def in_other_orders(game: Any) -> list[int]:
    """How many different outcomes each round's commitments have, by who is asked first; only where some are made."""
    found = []
    for start, texts in commitments(game):
        if sum(text.startswith("complete") for chosen in texts.values() for text in chosen) > 1:
            outcomes = [repr(record) for record in commit_orders(game, start, texts)]
            found.append(len(set(outcomes)))
    return found


def test_who_is_asked_first_about_routes_makes_no_difference() -> None:
    counts = in_other_orders(northmen("R_R3_PLAN=skipped R_ROUTE_PIECE=pieces", 3))
    assert set(counts) == {1} and len(counts) > 3


def test_a_choice_that_depends_on_who_is_asked_first_is_noticed() -> None:
    def only_the_first(self: Any, position: Any, action: Any) -> Any:
        if isinstance(action, act.Complete) and position.seat != position.leader:
            action = act.Withhold(action.route)
        return REAL.apply(self, position, action)

    kind: Any = type("Faulty", (NorthmenGame,), {"apply": only_the_first})
    game = kind(CATALOGUE, PACK, BOOK.choose(), LAW, 3)
    assert max(in_other_orders(game)) > 1


@pytest.mark.parametrize("players", [2, 3])
def test_two_turns_of_a_seat_can_change_places(players: int) -> None:
    pairs = [pair for seed in range(8) for pair in transpositions(northmen(players=players), seed)]
    assert len(pairs) > 40
    assert [one for one, two in pairs if one != two] == []


def test_turns_that_depend_on_their_order_are_noticed() -> None:
    """With cubes for even reserves only it matters which card comes first."""

    def even(value: int, reserve: int, infamy: int, ruling: str) -> tuple[int, int]:
        return (min(value, reserve) if reserve % 2 else 1), 0

    game = northmen(cubes_placed=even)
    assert [one for seed in range(8) for one, two in transpositions(game, seed) if one != two]

"""The claims about Northmen: what they come to, against the model and other ways to work it out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import networkx
import pytest
import z3

from lawspeaker.model.core.games import make_game
from lawspeaker.model.northmen import maps
from lawspeaker.model.northmen import pack as packs
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.room import CATALOGUE, LAW
from lawspeaker.solver import answers, asking
from lawspeaker.solver.northmen import (
    boxes,
    claims,
    claims_contest,
    claims_data,
    claims_end,
    claims_march,
    claims_rally,
    claims_routes,
    claims_supply,
    counts,
    reach,
    rounds,
    staged,
)

EXPECTED = {
    "token-cards": "proven", "rally-deadlock": "witness", "rally-length": "proven", "row-short-immediate": "witness",
    "no-draw-immediate": "witness", "row-short-finish_turn": "witness", "no-draw-finish_turn": "witness",
    "deck-limits-by-search": "proven", "hands-level": "proven", "who-leads": "proven",
    "rally-before-any-turn": "witness", "one-winner": "proven", "empty-kingdom": "witness", "clocks-differ": "proven",
    "hero-alone-wins": "witness", "any-order": "proven", "must-move": "proven", "march-form": "proven",
    "march-once": "proven", "battle-of-three": "proven", "no-fleet-inland": "proven", "cubes-conserved": "proven",
    "reserve-short": "witness", "locked-out": "witness", "routes-dead": "proven", "route-deck-2": "witness",
    "route-deck-3": "witness", "route-deck-4": "witness", "last-spending": "proven", "final-tie": "witness",
    "bonus-at-nothing": "witness", "tokens-taken": "witness", "chart-exceeded": "witness", "example-moving": "proven",
    "example-moving-map": "proven", "example-tie": "proven", "example-battle": "proven", "example-hiring": "proven",
}  # fmt: skip
ALL = [pytest.param(one, id=one.id, marks=[pytest.mark.deep] * one.deep) for one in claims.CLAIMS]


@pytest.mark.parametrize("claim", ALL)
def test_each_claim_comes_out_and_says_how_far_it_speaks(claim: asking.Claim) -> None:
    finding, row, outcome = claims.asked(claim)
    assert row.verdict == EXPECTED[claim.id] and row.game == "northmen"
    assert finding is not None and finding.id == f"SN-C-{claim.id}" and finding.bounds
    assert outcome is not None and outcome.checked
    assert set(claim.core) <= {clause.id for clause in CATALOGUE}
    assert not claim.ruling or claim.ruling in {one.id for one in CATALOGUE.book.rulings}


def test_every_claim_is_expected_here() -> None:
    assert [claim.id for claim in claims.CLAIMS] == list(EXPECTED)


# -- the numbers are the model's -------------------------------------------------------------------------


@pytest.mark.parametrize("players", counts.PLAYERS)
def test_the_numbers_of_the_claims_are_those_of_the_model(players: int) -> None:
    game = make_game("northmen", players=players)
    start = game.start()
    assert start.infamy == counts.INFAMY[players]
    assert {own + left for own, left in zip(start.infamy, start.reserve, strict=True)} == {counts.CUBES}
    assert start.supply == (counts.HEROES,) * players and start.group == counts.GROUP
    assert (LAW.hand_size(), LAW.row_size(), LAW.rounds()) == (counts.HAND, counts.ROW, counts.ROUNDS)
    prices = LAW.hero_price(), LAW.delay_price(), LAW.route_price(), LAW.hold_price()
    assert prices == (counts.HERO_PRICE, counts.DELAY_PRICE, counts.PAIR_PRICE, counts.HOLD_PRICE)
    assert len(game.pack.cards) == counts.CARDS and len(game.pack.routes) == counts.ROUTES  # type: ignore[attr-defined]
    assert LAW.starting_routes() == counts.START_ROUTES


def test_marks_mean_what_they_mean_to_the_model() -> None:
    for mark, players, ruling in product(counts.MARKS, counts.PLAYERS, ("suppress", "enable")):
        card = packs.CardData("X", "Rus", 1, 0, "Italy", mark)  # type: ignore[arg-type]
        assert counts.places(mark, players, ruling) == packs.token_card(card, players, ruling, "neutral")


# -- the Rally Phase -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", counts.PLAYERS)
def test_the_limits_are_those_of_the_formulas(players: int) -> None:
    assert claims_rally.deadlock_limit(players) == 14
    for rally_end, more in (("immediate", 0), ("finish_turn", 1)):
        assert claims_rally.exhaustion_limit(players, rally_end, wholly=False) == 16 + 6 * players + more
        assert claims_rally.exhaustion_limit(players, rally_end, wholly=True) == 13 + 6 * players + more


def test_plain_search_finds_a_limit_that_z3_finds() -> None:
    assert claims_rally.found_by_search(4, 40, "immediate", wholly=False)
    assert not claims_rally.found_by_search(4, 41, "immediate", wholly=False)


def test_a_wrong_number_of_cards_breaks_the_induction(monkeypatch: pytest.MonkeyPatch) -> None:
    reach.inductive.cache_clear()
    monkeypatch.setattr(reach, "deck_size", lambda players: 52 - 6 * players)
    with pytest.raises(AssertionError, match="holds at the start"):
        reach.inductive(3)


def test_a_turn_that_does_not_pass_breaks_the_induction(monkeypatch: pytest.MonkeyPatch) -> None:
    reach.inductive.cache_clear()
    whole = reach.turn

    def stays(now: reach.Symbols, then: reach.Symbols, placing: object) -> object:
        same = [one == two for one, two in zip(now.hands[1:], then.hands[1:], strict=True)]
        spent = z3.And(now.row + now.deck == 0, then.row == 0, then.deck == 0, then.hands[0] == now.hands[0] - 1)
        other = z3.And(then.plain == now.plain + 1, then.tokens == now.tokens, *same, spent, now.hands[0] > 0)
        return z3.Or(whole(now, then, placing), other)

    monkeypatch.setattr(reach, "turn", stays)
    with pytest.raises(AssertionError, match="each turn keeps it"):
        reach.inductive(2)
    reach.inductive.cache_clear()


@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_the_cards_ends_within_the_proven_bounds(seed: int) -> None:
    random = Random(seed)
    players, placing = random.choice(counts.PLAYERS), random.randint(15, 45)
    order = [True] * placing + [False] * (56 - placing)
    random.shuffle(order)
    for rally_end in ("immediate", "finish_turn"):
        out = reach.play_out(players, order, rally_end)
        assert out.ended and 15 <= out.total <= 71 - placing
        worst = reach.worst_rally(players, placing, rally_end)
        assert worst.total >= out.total and bool(worst.short_row) >= bool(out.short_row)


def test_a_directed_game_takes_the_course_of_the_play_out() -> None:
    for players, placing in ((2, 20), (3, 30), (4, 37)):
        course = staged.worst_course(boxes.northmen(boxes.box(placing=placing), players))
        out = reach.worst_rally(players, placing)
        assert (course.turns, course.short_row, course.no_draw) == (out.total, out.short_row, out.no_draw)


# -- contests and marches -------------------------------------------------------------------------------------


def test_a_comparison_that_forgets_heroes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = claims_contest.winner
    monkeypatch.setattr(claims_contest, "winner", lambda cubes, heroes, *rest: whole(cubes, (0,) * len(cubes), *rest))
    with pytest.raises(AssertionError, match="control"):
        claims_contest._agree_with_the_rules(2)


def _flow(kinds: tuple[tuple[bool, bool], ...], soldiers: int, ships: int, cubes: tuple[int, ...]) -> bool:
    """Say by maximal flow whether so many cubes can go to each region."""
    graph: networkx.DiGraph[object] = networkx.DiGraph()
    graph.add_edge("from", "soldiers", capacity=soldiers)
    graph.add_edge("from", "ships", capacity=ships)
    for region, ((land, sea), number) in enumerate(zip(kinds, cubes, strict=True)):
        graph.add_edge(region, "to", capacity=number)
        graph.add_edge("soldiers", region, capacity=99 if land else 0)
        graph.add_edge("ships", region, capacity=99 if sea else 0)
    return bool(networkx.maximum_flow_value(graph, "from", "to") == sum(cubes))


def test_splits_tried_out_are_flows() -> None:
    random = Random(7)
    found = set()
    for _ in range(200):
        kinds = tuple(random.choice(claims_march.KINDS) for _ in range(4))
        cubes = tuple(random.randint(0, 3) for _ in range(4))
        soldiers, ships = random.randint(0, 5), random.randint(0, 5)
        splits = claims_march.splits_exist(kinds, soldiers, ships, cubes)
        assert splits == _flow(kinds, soldiers, ships, cubes)
        found.add(splits)
    assert found == {True, False}


def test_a_form_that_forgets_the_total_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = maps.march_possible

    def generous(reach_: object, kingdom: int, soldiers: int, ships: int, *rest: object) -> bool:
        return bool(whole(reach_, kingdom, soldiers + 1, ships, *rest))  # type: ignore[arg-type]

    monkeypatch.setattr(claims_march, "march_possible", generous)
    with pytest.raises(AssertionError, match="not confirmed"):
        list(claims_march._compared())


def test_a_question_that_offers_too_little_is_noticed() -> None:
    kinds = ((True, False), (False, True), (True, True))
    game = claims_march._small_game(kinds)
    asked = set(claims_march.paths(game, 3, 1, (2, 1)))
    assert asked == claims_march.marches(kinds, 3, 1, (2, 1), (True, True))
    assert asked < claims_march.marches(kinds, 3, 1, (2, 1), (True, False))


# -- supplies and routes -----------------------------------------------------------------------------------------


def test_an_event_that_loses_a_cube_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(claims_supply.EVENTS, "lose control", (0, 0, -1, 0))
    with pytest.raises(AssertionError, match="lose control breaks it"):
        claims_supply._conserved()


@pytest.mark.parametrize("reserve", range(10))
def test_the_first_short_turn_by_enumeration_of_all_values(reserve: int) -> None:
    def short(values: tuple[int, ...]) -> bool:
        before = sum(values[:-1])
        return before <= reserve < before + values[-1]

    turns = (n for n in range(1, 8) if any(short(values) for values in product(counts.VALUES, repeat=n)))
    assert claims_supply.first_short(reserve) == next(turns)


def _seating(players: int, random: Random) -> tuple[list[list[int]], list[list[int]]]:
    """Draw cubes and cards by seat and Kingdom that a Rally Phase of sixteen or so turns can leave."""
    each = 16 // players
    cards = [[0] * counts.SUITS for _ in range(players)]
    for seat in range(players):
        for _ in range(each):
            free = [k for k in range(4) if sum(one[k] for one in cards) < counts.SUIT]
            cards[seat][random.choice(free)] += 1
    cubes = [[sum(random.randint(1, 3) for _ in range(number)) for number in own] for own in cards]
    return cubes, cards


@pytest.mark.parametrize("seed", range(8))
def test_infamy_after_a_round_is_what_the_model_has(seed: int) -> None:
    random = Random(seed)
    players = counts.PLAYERS[seed % 3]
    cubes, cards = _seating(players, random)
    rally = rounds.Rally(players)
    fixed = zip(_flat(rally.cubes, rally.cards), _flat(cubes, cards), strict=True)
    asked = asking.solver(*rally.possible(), *(term == value for term, value in fixed))
    assert asking.possible(asked)
    model = asked.model()
    expected = tuple(model.eval(one, model_completion=True).as_long() for one in rally.infamy_after())
    end = rounds.End.of(cubes, cards)
    planning = staged.Stage(boxes.northmen(end.pack, players), end.direction).until(lambda p: p.phase == "buy")
    assert planning.infamy == expected


def _flat(*tables: Sequence[Sequence[Any]]) -> Iterator[Any]:
    for table in tables:
        for row in table:
            yield from row


@pytest.mark.parametrize(("players", "number"), [(2, 15), (3, 13), (4, 11)])
def test_purchases_until_the_deck_is_too_small(players: int, number: int) -> None:
    assert claims_routes.purchases_to_short(players) == number


# -- the end, and the examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_scores_left_to_z3_are_those_of_the_model(seed: int) -> None:
    random = Random(seed)
    players = counts.PLAYERS[seed % 3]
    taken, routes, infamy = ([random.randint(0, most) for _ in range(players)] for most in (3, 2, 2))
    for bonus_zero in ("pay", "nothing"):
        final = claims_end.Final(players)
        fixed = zip(final.taken + final.routes + final.infamy, taken + routes + infamy, strict=True)
        asked = asking.solver(*final.bounds(), *(term == value for term, value in fixed))
        assert asking.possible(asked)
        model = asked.model()
        scores, winners = claims_end.judged(taken, routes, infamy, R_BONUS_ZERO=bonus_zero)
        assert tuple(model.eval(one).as_long() for one in final.scores(bonus_zero)) == scores
        assert tuple(s for s in final.seats if z3.is_true(model.eval(final.wins(s, bonus_zero)))) == winners


@pytest.mark.parametrize("number", range(0, 46, 5))
def test_tokens_left_over_are_spread_as_play_leaves_them(number: int) -> None:
    spread = boxes.left_over(number, 3)
    assert sum(spread) == number
    rounds_of = dict(zip(boxes.LANDS, spread, strict=True))
    for land in set(boxes.TOKEN_LANDS):
        each = boxes.TOKEN_LANDS.count(land)
        assert rounds_of[land] == 0 or each <= rounds_of[land] <= 3 * each


def test_suits_in_which_two_players_can_have_three_cubes_each() -> None:
    assert (
        claims_data._two_threes((2, 6, 0)) and claims_data._two_threes((1, 6, 1)) and claims_data._two_threes((8, 0, 0))
    )
    assert not claims_data._two_threes((0, 8, 0)) and not claims_data._two_threes((1, 7, 0))


def test_the_claims_boxes_fit_the_rulebook_but_for_marks_and_examples() -> None:
    found = {complaint.clause for complaint in packs.audit(packs.read_pack(boxes.box(), "box"))}
    assert found <= {"SN-RALLY-09", "SN-RALLY-14", "SN-RALLY-15", "SN-MOVE-08"}


def test_an_invalid_record_is_no_witness() -> None:
    game = boxes.northmen(boxes.box())
    whole = game.record(staged.Stage(game, staged.Direction()).turn(3))
    whole["infamy"]["A"] += 1
    with pytest.raises(AssertionError, match=r"no valid position: .*I01"):
        boxes.seated(game, whole)


def test_a_direction_that_play_never_comes_to_is_said() -> None:
    game = boxes.northmen(boxes.box())
    with pytest.raises(AssertionError, match="the game ends before"):
        staged.Stage(game, staged.Direction()).until(lambda p: p.round == 4)


# -- stored positions and answers ------------------------------------------------------------------------------------

STORED = sorted(claims.FOLDER.glob("SN-C-*.json"))
LIGHT = [claim for claim in claims.CLAIMS if not claim.deep]


def _kept(path: Path) -> dict[str, object]:
    kept: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def test_positions_are_stored_for_every_claim_that_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = {f"SN-C-{claim.id}" for claim in claims.CLAIMS if claim.deep}
    monkeypatch.setattr(claims, "CLAIMS", LIGHT)
    claims.store_positions(tmp_path)
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.json")}
    assert {name: (claims.FOLDER / name).read_text(encoding="utf-8") for name in made} == made
    assert {path.stem for path in STORED} - deep == {Path(name).stem for name in made} and len(made) > 5
    assert claims.packs().keys() == {path.stem for path in STORED}


@pytest.mark.deep
def test_all_stored_positions_are_those_of_the_claims(tmp_path: Path) -> None:
    claims.store_positions(tmp_path)
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.json")}
    assert made == {path.name: path.read_text(encoding="utf-8") for path in STORED}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_position_is_valid_and_leaves_what_it_says(path: Path) -> None:
    kept = _kept(path)
    whole = kept["position"]
    assert isinstance(whole, dict)
    game = make_game("northmen", packs.read_pack(kept["pack"], path.name), players=len(whole["hands"]))
    assert isinstance(game, NorthmenGame)
    position = game.position(whole)
    assert not game.broken_invariants(position)
    assert [game.text(action) for action in game.legal(position)] == kept["legal"]


def test_heavy_answers_are_kept_and_used_for_the_same_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = asking.Outcome("proven", "so", "all of it", "by hand")
    claim = asking.Claim("heavy", "is it so", ("SN-RALLY-03",), lambda: outcome, deep=True)
    monkeypatch.setattr(claims, "CLAIMS", (claim,))
    store = answers.Store("northmen", tmp_path / "answers.json")
    ((finding, fresh),) = claims.results(store)
    store.save()
    ((again, kept),) = claims.results(answers.Store("northmen", tmp_path / "answers.json"))
    assert (kept.said, again) == (f"{fresh.said} (stored)", finding)

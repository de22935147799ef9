"""Effects of Northmen: counters and worked effects agree, every rule comes up, and cases worked by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from lawspeaker.model.core.contract import plain
from lawspeaker.model.core.play import Picker, Rare, Step, steps, uniform
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position
from lawspeaker.model.northmen.room import ROOM

PACK = ROOM.load_pack(ROOM.default_pack)
CATALOGUE = ROOM.catalogue
BOOK = CATALOGUE.book
RULES = {clause.id for clause in CATALOGUE.normative()}
WORDED = RULES | {clause.id for clause in CATALOGUE if clause.effect}


@cache
def northmen(players: int, *chosen: str) -> NorthmenGame:
    """The game with the estimated pack and rulings such as ``R_COLLECT=pieces``."""
    game = ROOM.build(PACK, BOOK.choose(dict(text.split("=") for text in chosen)), players)
    assert isinstance(game, NorthmenGame)
    return game


def hoarding(game: Any, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Play the largest card without a token and spend nothing: reserves run out, and rallies last."""
    tables = game.tables
    best = min(
        actions,
        key=lambda a: (
            (tables.token[a.card] >= 0, -tables.value[a.card])
            if isinstance(a, (act.Play, act.Take))
            else (isinstance(a, (act.Hire, act.Delay, act.Buy, act.Hold)), 0)
        ),
    )
    return uniform(game, view, actions, random) if isinstance(best, act.Send) else best


POLICIES: tuple[tuple[str, Picker, int], ...] = (
    ("uniform", uniform, 12),
    ("rare", Rare(), 4),
    ("hoarding", hoarding, 2),
)
"""Who plays, and how many games for each number of players."""


def played(players: int, policy: Picker, games: int, *chosen: str) -> Iterator[tuple[NorthmenGame, Step]]:
    game = northmen(players, *chosen)
    for seed in range(games):
        for step in steps(game, seed, policy):
            yield game, step


# -- counters and worked effects ----------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counters_name_what_the_worked_effects_name_in_words(players: int) -> None:
    looked = 0
    for _, policy, _ in POLICIES:
        for number, (game, step) in enumerate(played(players, policy, 1)):
            if number % 3 and step.before.phase == step.after.phase:
                continue
            looked += 1
            fast = game.touched(step.before, step.action, step.after)
            worked = game.effects(step.before, step.action)
            assert tuple(effect.clause for effect in worked) == fast
            assert len(set(fast)) == len(fast)
            for effect in worked:
                assert "{" not in game.words(effect)
    assert looked > 600


@pytest.mark.parametrize("rulings", list(BOOK.singles())[1:], ids=lambda r: r.text())
def test_each_value_of_each_ruling_keeps_counters_and_effects_the_same(rulings: Any) -> None:
    game = ROOM.build(PACK, rulings, 3)
    counts: Counter[str] = Counter()
    for step in steps(game, 7, Rare()):
        fast = game.touched(step.before, step.action, step.after)
        counts.update(fast)
        if step.before.phase != step.after.phase:
            worked = game.effects(step.before, step.action)
            assert tuple(effect.clause for effect in worked) == fast
            assert all(game.words(effect) for effect in worked)
    assert set(counts) <= set(WORDED)
    assert counts["SN-CTRL-07"] == 3 and counts["SN-END-01"] == 1


def test_every_rule_comes_up_under_default_rulings() -> None:
    seen = {
        clause
        for players in (2, 3, 4)
        for _, policy, games in POLICIES
        for game, step in played(players, policy, games)
        for clause in game.touched(step.before, step.action, step.after)
    }
    never = sorted(WORDED - seen)
    assert never == []
    assert seen <= WORDED


def test_clauses_of_numbers_of_players_keep_to_them() -> None:
    own = {
        players: {
            clause
            for game, step in played(players, uniform, 8)
            for clause in game.touched(step.before, step.action, step.after)
        }
        & {"SN-SETUP-11", "SN-SETUP-12", "SN-SETUP-13", "SN-RALLY-14", "SN-RALLY-15"}
        for players in (2, 3, 4)
    }
    assert own == {
        2: {"SN-SETUP-11"},
        3: {"SN-SETUP-12", "SN-RALLY-14"},
        4: {"SN-SETUP-13", "SN-RALLY-14", "SN-RALLY-15"},
    }


def test_what_comes_up_once_a_round_or_a_game_does() -> None:
    for players in (2, 3, 4):
        counts: Counter[str] = Counter()
        for game, step in played(players, uniform, 4):
            counts.update(game.touched(step.before, step.action, step.after))
        once = ("SN-SETUP-10", "SN-END-01", "SN-SCORE-01", "SN-ROUND-01", "SN-SETUP-06")
        assert {counts[clause] for clause in once} == {4}
        thrice = ("SN-CTRL-07", "SN-COLLECT-01", "SN-RALLY-20", "SN-ROUND-03", "SN-MOVE-15")
        assert {counts[clause] for clause in thrice} == {12}
        assert counts["SN-RESET-06"] == counts["SN-RESET-01"] == 8
        assert counts["SN-MARCH-03"] == 36
        assert counts["SN-PLUNDER-01"] == 4 * 45


# -- cases worked by hand -------------------------------------------------------------------------------


def dealt(game: NorthmenGame) -> Position:
    """The first turn of the Rally Phase; every card and route dealt is the first there is."""
    position = game.start()
    while position.phase != "play":
        position = game.apply(position, game.legal(position)[0])
    return position


def with_pieces(game: NorthmenGame, position: Position, **places: list[tuple[int, int]]) -> Position:
    """The position with cubes and Heroes by seat in some places (an underscore stands for a space)."""
    cubes, heroes = list(position.cubes), list(position.heroes)
    for name, pieces in places.items():
        place = game.tables.names.place[name.replace("_", " ")]
        cubes[place], heroes[place] = tuple(c for c, _ in pieces), tuple(h for _, h in pieces)
    return replace(position, cubes=tuple(cubes), heroes=tuple(heroes))


def to_play(game: NorthmenGame, card: str, **fields: Any) -> Position:
    """A position in which seat A can play this card, with no Infamy for a Hero unless given."""
    position, number = dealt(game), game.tables.names.card[card]
    nothing = (0,) * game.players
    return replace(
        position, deck=position.deck & ~(1 << number), hands=(1 << number, *position.hands[1:]),
        **{"infamy": nothing, **fields},
    )  # fmt: skip


def marching(game: NorthmenGame, kingdom: str, region: str, card: str, **fields: Any) -> Position:
    """A position in which seat A, with this card played, decides on the last region of a march."""
    numbers = game.tables.names
    position = dealt(game)
    control = tuple(0 if name == kingdom else -1 for name in game.tables.kingdoms)
    changes = {
        "phase": "march", "kingdom": numbers.place[kingdom], "region": numbers.place[region] - game.tables.k,
        "control": control, "piles": (1 << numbers.card[card], *(0,) * (game.players - 1)),
        "route_hands": (1, 2, 0, 0)[: game.players],
    }  # fmt: skip
    return replace(position, **{**changes, **fields})


def at_work(game: NorthmenGame, position: Position, text: str) -> tuple[set[str], dict[str, Any], Position]:
    """The clauses at work in an action, the facts of the step, and the position after it."""
    action = game.parse(text)
    assert action in game.legal(position)
    after = game.apply(position, action)
    worked = game.effects(position, action)
    found = {effect.clause for effect in worked}
    assert found == set(game.touched(position, action, after))
    return found, {fact.name: fact.value for fact in worked[0].facts}, after


def said(game: NorthmenGame, position: Position, text: str, clause: str) -> str:
    """The words for one clause at work in an action."""
    (effect,) = [e for e in game.effects(position, game.parse(text)) if e.clause == clause]
    return game.words(effect)


def test_a_tie_for_control_without_heroes_goes_to_the_leader_and_the_loser_gains_infamy() -> None:
    game = northmen(2)
    position = with_pieces(game, to_play(game, "SX3", group=1), Normans=[(3, 0), (3, 0)])
    found, facts, after = at_work(game, position, "play SX3")
    assert {"SN-CTRL-01", "SN-CTRL-03", "SN-CTRL-05", "SN-CTRL-09", "SN-LEADER-02", "SN-RALLY-13"} <= found
    assert not {"SN-CTRL-04", "SN-CTRL-08"} & found
    assert facts["controls"] == ("Normans to A by seat (A 3+0 : B 3+0)", "Saxons to A (A 2+0)")
    assert after.infamy == (0, 3)


def test_most_heroes_settle_a_tie_for_control_and_beaten_heroes_go_back() -> None:
    game = northmen(3)
    pieces = [(3, 1), (2, 2), (0, 1)]
    position = with_pieces(game, to_play(game, "SX3", group=1), Normans=pieces)
    found, facts, after = at_work(game, position, "play SX3")
    assert {"SN-CTRL-03", "SN-CTRL-04", "SN-CTRL-05", "SN-CTRL-08"} <= found
    assert not {"SN-CTRL-09", "SN-LEADER-02"} & found
    assert facts["controls"][0] == "Normans to B by Heroes (A 3+1 : B 2+2 : C 0+1)"
    assert after.control[0] == 1
    assert "Normans to B by Heroes" in said(game, position, "play SX3", "SN-CTRL-08")


def test_where_most_pieces_decide_no_tie_is_named_and_nobody_loses_what_he_has_not() -> None:
    game = northmen(2)
    found, facts, _ = at_work(game, to_play(game, "SX3", group=1), "play SX3")
    assert {"SN-CTRL-01", "SN-CTRL-02", "SN-CTRL-07", "SN-OURS-SKIP", "SN-MOVE-01", "SN-MOVE-07"} <= found
    assert not {"SN-CTRL-03", "SN-CTRL-04", "SN-CTRL-05", "SN-CTRL-08", "SN-CTRL-09", "SN-LEADER-02"} & found
    assert facts["controls"] == ("Saxons to A (A 2+0)",)


def test_an_empty_kingdom_is_a_tie_where_it_belongs_to_the_leader() -> None:
    game = northmen(2, "R_EMPTY_KINGDOM=leader")
    found, facts, _ = at_work(game, to_play(game, "SX3", group=1), "play SX3")
    assert {"SN-CTRL-09", "SN-LEADER-02"} <= found
    assert "SN-OURS-SKIP" not in found
    assert facts["controls"][0] == "Normans to A by seat (empty)"


@pytest.mark.parametrize(
    ("reserve", "infamy", "listed", "count"),
    [
        (2, 0, {"SN-RALLY-06", "SN-CARD-03", "SN-CUBE-01"}, 2),
        (1, 0, {"SN-RALLY-06", "SN-CARD-03", "SN-CUBE-01", "SN-RALLY-07"}, 1),
        (0, 0, {"SN-RALLY-07"}, 0),
        (0, 2, {"SN-RALLY-07", "SN-RALLY-08"}, 0),
    ],
)
def test_a_reserve_that_does_not_suffice_is_named(reserve: int, infamy: int, listed: set[str], count: int) -> None:
    game = northmen(2)
    position = to_play(game, "SX3", reserve=(reserve, 20), infamy=(infamy, 0))
    found, facts, _ = at_work(game, position, "play SX3")
    families = {"SN-RALLY-06", "SN-RALLY-07", "SN-RALLY-08", "SN-CARD-03", "SN-CUBE-01"}
    assert found & families == listed
    assert (facts["placed"], facts["value"], facts["infamy"]) == (count, 2, infamy)


@pytest.mark.parametrize(
    ("card", "players", "clause"),
    [
        ("NM2", 3, "SN-RALLY-14"),
        ("NM2", 2, "SN-RALLY-11"),
        ("RU3", 4, "SN-RALLY-15"),
        ("RU3", 3, "SN-RALLY-11"),
        ("NM7", 4, None),
    ],
)
def test_a_mark_is_named_only_where_it_holds_a_token_back(card: str, players: int, clause: str | None) -> None:
    game = northmen(players)
    found, facts, _ = at_work(game, to_play(game, card), f"play {card}")
    assert found & {"SN-RALLY-11", "SN-RALLY-14", "SN-RALLY-15"} == ({clause} if clause else set())
    assert (facts["region"] is None) == (clause != "SN-RALLY-11")


def test_a_hero_is_hired_before_the_token_is_placed() -> None:
    game = northmen(2)
    position = to_play(game, "SX3", infamy=(4, 0))
    played_only, _, hiring = at_work(game, position, "play SX3")
    assert not {"SN-RALLY-11", "SN-RALLY-09"} & played_only
    found, facts, after = at_work(game, hiring, "hire")
    assert {"SN-RALLY-09", "SN-HERO-01", "SN-INFAMY-02", "SN-RALLY-10", "SN-RALLY-11", "SN-RALLY-12"} <= found
    assert (facts["kingdom"], facts["region"], facts["group"], after.infamy[0]) == ("Saxons", "Bulgaria", 14, 1)
    refused, _, _ = at_work(game, hiring, "nohire")
    assert "SN-RALLY-09" in refused and not {"SN-INFAMY-02", "SN-RALLY-10"} & refused
    assert said(game, hiring, "hire", "SN-RALLY-12") == "the token comes from the group of round 1 (14 left)"


def test_a_card_is_covered_only_by_a_second_one() -> None:
    game = northmen(2)
    first, _, _ = at_work(game, to_play(game, "SX3"), "play SX3")
    second, _, _ = at_work(game, to_play(game, "SX3", tops=(0, -1), piles=(1, 0)), "play SX3")
    assert second - first == {"SN-RALLY-05"}


def test_three_colours_battle_and_heroes_settle_the_tie() -> None:
    game = northmen(3)
    tokens = tuple(2 if name in ("Holy Roman Empire", "Finland") else 0 for name in game.tables.regions)
    position = marching(game, "Danes", "Holy Roman Empire", "DN8", tokens=tokens)
    position = with_pieces(game, position, Danes=[(1, 0), (0, 0), (0, 0)], Holy_Roman_Empire=[(1, 0), (4, 0), (3, 1)])
    found, facts, after = at_work(game, position, "send Holy Roman Empire 1+0")
    battle = {clause for clause in found if clause.startswith("SN-BATTLE")}
    assert battle == {f"SN-BATTLE-0{n}" for n in (1, 2, 3, 4, 6, 8)}
    assert {"SN-COLLECT-01", "SN-COLLECT-02", "SN-COLLECT-03", "SN-PLUNDER-03"} <= found
    assert "SN-LEADER-02" not in found
    assert facts["battles"] == ("Holy Roman Empire to C by Heroes (A 2+0 : B 4+0 : C 3+1)",)
    assert facts["collected"] == ("C 2 in Holy Roman Empire",)
    assert after.infamy == (position.infamy[0] + 2, position.infamy[1] + 4, position.infamy[2])


def test_a_hero_without_cubes_wins_a_battle_and_leaves_the_tokens() -> None:
    game = northmen(2)
    tokens = tuple(3 if name == "Poland" else 0 for name in game.tables.regions)
    position = marching(game, "Danes", "Poland", "DN8", tokens=tokens)
    position = with_pieces(game, position, Danes=[(0, 1), (0, 0)], Poland=[(0, 0), (0, 1)])
    found, facts, after = at_work(game, position, "send Poland 0+1")
    assert {"SN-BATTLE-04", "SN-BATTLE-05", "SN-BATTLE-09", "SN-LEADER-02", "SN-COLLECT-03", "SN-MOVE-12"} <= found
    assert not {"SN-BATTLE-03", "SN-BATTLE-06", "SN-BATTLE-08", "SN-COLLECT-02", "SN-DELAY-03"} & found
    assert (facts["battles"], facts["collected"], after.tokens[5]) == (("Poland to A by seat (A 0+1 : B 0+1)",), (), 3)
    pieces = northmen(2, "R_COLLECT=pieces")
    found, facts, _ = at_work(pieces, position, "send Poland 0+1")
    assert "SN-COLLECT-03" not in found
    assert facts["collected"] == ("A 3 in Poland",)


@pytest.mark.parametrize(
    ("kingdom", "card", "region", "listed"),
    [
        ("Normans", "NM6", "Holy Roman Empire", {"SN-MOVE-09", "SN-MOVE-13"}),
        ("Normans", "NM4", "Holy Roman Empire", {"SN-MOVE-09"}),
        ("Normans", "NM6", "Italy", {"SN-MOVE-10", "SN-MOVE-11"}),
        ("Normans", "NM3", "Italy", {"SN-MOVE-11"}),
        ("Normans", "NM6", "Brittany", {"SN-MOVE-09", "SN-MOVE-11"}),
    ],
)
def test_a_march_names_the_pieces_that_can_go_there(kingdom: str, card: str, region: str, listed: set[str]) -> None:
    game = northmen(2)
    position = with_pieces(game, marching(game, kingdom, region, card), **{kingdom: [(1, 0), (0, 0)]})
    found, facts, _ = at_work(game, position, f"send {region} 1+0")
    assert found & {f"SN-MOVE-{n:02}" for n in range(9, 14)} == listed
    assert {"SN-DELAY-03", "SN-DELAY-04", "SN-DELAY-05", "SN-MOVE-08"} <= found
    soldiers, ships = {"NM6": (1, 1), "NM4": (2, 0), "NM3": (0, 2)}[card]
    assert (facts["armies_on_cards"], facts["fleets_on_cards"]) == (soldiers, ships)
    free = northmen(2, "R_MUST_MOVE=may")
    assert not {"SN-DELAY-03", "SN-DELAY-04"} & at_work(free, position, f"send {region} 1+0")[0]


def test_a_delayed_kingdom_is_marked_and_moves_in_the_second_pass() -> None:
    game = northmen(2)
    position = with_pieces(game, marching(game, "Danes", "Poland", "DN8"), Danes=[(2, 0), (0, 0)])
    position = replace(position, phase="delay", region=-1, infamy=(6, 0))
    found, facts, after = at_work(game, position, "delay")
    assert {"SN-MOVE-04", "SN-MOVE-06", "SN-TIME-02", "SN-TIME-03", "SN-DELAY-01", "SN-MOVE-15"} <= found
    assert (facts["kingdom"], after.infamy[0], after.second_pass) == ("Danes", 1, True)
    later, _, _ = at_work(game, after, "send Holy Roman Empire 1+0")
    assert "SN-DELAY-02" in later and not {"SN-MOVE-14", "SN-MOVE-15"} & later
    not_now, _, _ = at_work(game, position, "nodelay")
    assert {"SN-MOVE-03", "SN-TIME-01", "SN-MOVE-07"} <= not_now
    assert not {"SN-MOVE-04", "SN-MOVE-15", "SN-DELAY-01"} & not_now


def test_a_route_is_completed_or_only_asked_about() -> None:
    game = northmen(2)
    ask = replace(
        dealt(game), phase="complete", control=(0, -1, -1, -1, -1, -1, -1), asked=0, route_hands=(3, 4), times=(0, -1)
    )
    there = with_pieces(game, ask, Ireland=[(1, 0), (0, 0)])
    for text in ("complete T01", "withhold T01"):
        found, facts, _ = at_work(game, there, text)
        assert {"SN-TRADE-01", "SN-TRADE-03", "SN-ROUTE-03", "SN-ROUTE-04"} == found
        assert (facts["route"], facts["kingdom"], facts["region"]) == ("T01", "Normans", "Ireland")
    assert at_work(game, ask, "withhold T01")[0] == {"SN-TRADE-01", "SN-TRADE-02", "SN-ROUTE-03"}
    chosen = replace(there, seat=1, asked=2, chosen=(1, 0))
    found, _, after = at_work(game, chosen, "withhold T03")
    assert {"SN-TRADE-04", "SN-CLEAN-01", "SN-CLEAN-02", "SN-PLAN-01"} <= found
    assert after.routes_done == (1, 0)
    bare = replace(ask, seat=1, asked=2, times=(-1, -1))
    assert not {"SN-TRADE-04", "SN-CLEAN-01", "SN-CLEAN-02"} & at_work(game, bare, "withhold T03")[0]


def test_a_route_outlives_control_of_its_kingdom() -> None:
    game = northmen(2)
    position = with_pieces(game, marching(game, "Danes", "Poland", "DN8"), Danes=[(1, 0), (0, 0)])
    lost, kept = replace(position, routes_done=(4, 0)), replace(position, routes_done=(1 << 12, 0))
    assert "SN-TRADE-05" in at_work(game, lost, "send Poland 1+0")[0]
    assert "SN-TRADE-05" not in at_work(game, kept, "send Poland 1+0")[0]


def ending(game: NorthmenGame, **fields: Any) -> Position:
    """The last planning turn of the game; all plunder is taken."""
    last = game.law.rounds() - 1
    changes: dict[str, Any] = {
        "round": last + 1, "phase": "buy", "seat": (last + game.players - 1) % game.players,
        "leader": last % game.players, "group": 0,
    }  # fmt: skip
    return replace(dealt(game), **{**changes, **fields})


def test_the_bonus_and_the_scores_are_worked_out() -> None:
    game = northmen(2)
    position = ending(game, taken=(12, 20), routes_done=(3, 0), infamy=(5, 2))
    found, facts, _ = at_work(game, position, "done")
    assert {"SN-END-01", "SN-END-02", "SN-ROUTE-02", "SN-SCORE-01", "SN-SCORE-02", "SN-PLAN-07"} <= found
    assert not {"SN-END-03", "SN-SCORE-03", "SN-LEADER-02", "SN-OURS-LEFTOVER"} & found
    assert facts["scores"] == ("A 21 = 12 + 6 + 3", "B 20 = 20 + 0 + 0")
    assert (facts["infamies"], facts["bonuses"]) == (("A 5", "B 2"), ("A 3",))


def test_ties_at_the_end_are_named_as_they_are_broken() -> None:
    game = northmen(2)
    parted = ending(game, taken=(11, 10), infamy=(1, 2), tokens=(1, *(0,) * 8))
    found, facts, _ = at_work(game, parted, "done")
    assert "SN-SCORE-03" in found and "SN-OURS-LEFTOVER" in found and "SN-ROUTE-02" not in found
    assert facts["scores"] == ("A 11 = 11 + 0 + 0", "B 11 = 10 + 0 + 1")
    equal = ending(game, taken=(10, 10), infamy=(0, 0))
    found, facts, _ = at_work(game, equal, "done")
    assert "SN-END-03" in found and not {"SN-SCORE-03", "SN-LEADER-02"} & found
    assert plain(facts["bonuses"]) == "A 1, B 1"
    assert "SN-LEADER-02" in at_work(northmen(2, "R_FINAL_TIE=leader"), equal, "done")[0]
    assert not {"SN-END-02", "SN-END-03"} & at_work(northmen(2, "R_BONUS_ZERO=nothing"), equal, "done")[0]


def test_a_new_round_begins_after_all_have_planned() -> None:
    game = northmen(3)
    position = replace(ending(game), round=1, leader=0, seat=1)
    found, _, _ = at_work(game, position, "done")
    assert found == {"SN-PLAN-01", "SN-PLAN-02", "SN-PLAN-07"}
    found, facts, after = at_work(game, replace(position, seat=2), "done")
    assert {f"SN-RESET-0{n}" for n in (1, 2, 5, 6, 7)} | {"SN-ROUND-02", "SN-ROUND-03"} <= found
    assert "SN-PLAN-01" not in found
    assert (facts["leader_next"], after.phase) == ("B", "deal")


def test_purchases_and_holds_are_paid_for() -> None:
    game = northmen(2)
    position = replace(ending(game), infamy=(0, 7), seat=1, round=1, leader=0)
    found, _, after = at_work(game, position, "buy 1")
    assert found == {"SN-PLAN-02", "SN-PLAN-03", "SN-PLAN-05", "SN-INFAMY-02", "SN-RALLY-10"}
    first, second = (game.text(action) for action in game.legal(after)[:2])
    found, _, after = at_work(game, after, first)
    assert found == {"SN-PLAN-03", "SN-SETUP-07"}
    _, _, after = at_work(game, after, second)
    found, _, after = at_work(game, after, first.replace("route", "keep"))
    assert found == {"SN-PLAN-03", "SN-PLAN-04"}
    held = game.text(game.legal(after)[-2])
    found, facts, after = at_work(game, after, held)
    assert found == {"SN-PLAN-02", "SN-PLAN-06", "SN-INFAMY-02", "SN-RALLY-10"}
    assert (facts["infamy"], facts["card"], facts["held"]) == (4, held.removeprefix("hold "), ())
    keeping = northmen(2, "R_DISCARD=only_if_hold")
    assert "SN-PLAN-07" not in at_work(keeping, position, "done")[0]

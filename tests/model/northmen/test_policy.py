"""The sensible player of Northmen: it beats uniform play by far, plays from its view alone, and knows what is good."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from lawspeaker.model.core.canonical import canonical
from lawspeaker.model.core.contract import CHANCE, OVER
from lawspeaker.model.core.play import pick_outcome, playout, sensible, steps, uniform
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position
from lawspeaker.model.northmen.room import ROOM

PACK = ROOM.load_pack(ROOM.default_pack)
BOOK = ROOM.catalogue.book


@cache
def northmen(players: int) -> NorthmenGame:
    game = ROOM.build(PACK, BOOK.choose(), players)
    assert isinstance(game, NorthmenGame)
    return game


def against_uniform(game: NorthmenGame, seed: int, me: int) -> tuple[float, list[int]]:
    """Play one game, one seat sensibly; return its share of the victory, and its score first of all."""
    random, position = Random(seed), game.start()
    while (actor := game.actor(position)) != OVER:
        actions = game.legal(position)
        if actor == CHANCE:
            action = pick_outcome(game, position, actions, random)
        elif actor == me:
            action = sensible(game, game.observe(position, me), actions, random)
        else:
            action = uniform(game, None, actions, random)
        position = game.apply(position, action)
    result = game.result(position)
    scores = [result.scores[me], *(score for seat, score in enumerate(result.scores) if seat != me)]
    return (1 / len(result.winners) if me in result.winners else 0.0), scores


@pytest.mark.parametrize(("players", "least"), [(2, 35), (3, 30), (4, 25)])
def test_it_beats_uniform_play_from_every_seat(players: int, least: int) -> None:
    games = 12 * players // 2
    played = [against_uniform(northmen(players), seed, seed % players) for seed in range(games)]
    assert sum(won for won, _ in played) >= 0.9 * games
    assert sum(scores[0] for _, scores in played) >= least * games
    assert sum(scores[0] for _, scores in played) >= 2.5 * sum(max(scores[1:]) for _, scores in played)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_sensible_players_end_and_use_all_there_is(players: int) -> None:
    game, kinds = northmen(players), set()
    for seed in range(3):
        position, _ = playout(game, seed, sensible)
        assert game.actor(position) == OVER
        assert sum(position.taken) >= 30
    for step in steps(game, 0, sensible):
        if step.actor >= 0:
            kinds.add(game.kind(step.action))
    assert {"play", "hire", "take", "nodelay", "send", "complete", "withhold", "buy", "keep"} <= kinds


@pytest.mark.parametrize("rulings", list(BOOK.singles())[1:], ids=lambda r: r.text())
def test_it_plays_under_each_value_of_each_ruling(rulings: Any) -> None:
    game = ROOM.build(PACK, rulings, 2)
    position, _ = playout(game, 1, sensible)
    assert game.actor(position) == OVER


def test_it_needs_nothing_but_the_values_of_its_view() -> None:
    game, random, looked = northmen(3), Random(5), 0
    for number, step in enumerate(steps(game, 5, sensible)):
        if step.actor < 0 or number % 5:
            continue
        looked += 1
        view, actions = game.observe(step.before, step.actor), game.legal(step.before)
        before = canonical(view)
        worth = list(game.appeal(view, actions))
        assert len(worth) == len(actions)
        assert canonical(view) == before
        assert list(game.appeal(json.loads(before), actions)) == worth
        other = game.worlds(step.before, step.actor, random)
        assert list(game.appeal(game.observe(other, step.actor), actions)) == worth
    assert looked > 40


# -- what it knows --------------------------------------------------------------------------------------


def dealt(game: NorthmenGame, **fields: Any) -> Position:
    """The first turn of the Rally Phase with some fields changed."""
    position = game.start()
    while position.phase != "play":
        position = game.apply(position, game.legal(position)[0])
    return replace(position, **fields)


def board(game: NorthmenGame, **places: list[tuple[int, int]]) -> dict[str, Any]:
    """Fields for cubes and Heroes by seat in some places (an underscore stands for a space)."""
    nothing = (0,) * game.players
    here = {name.replace("_", " "): pieces for name, pieces in places.items()}
    return {
        field: tuple(
            tuple(pieces[part] for pieces in here[name]) if name in here else nothing
            for name in game.tables.names.places
        )
        for part, field in enumerate(("cubes", "heroes"))
    }  # fmt: skip


def lying(game: NorthmenGame, **tokens: int) -> dict[str, Any]:
    """The field for tokens in some regions."""
    return {"tokens": tuple(tokens.get(name.replace(" ", "_"), 0) for name in game.tables.regions)}


def choice(game: NorthmenGame, position: Position) -> str:
    """What it does there; ties are drawn from a fixed seed."""
    view = game.observe(position, position.seat)
    return game.text(sensible(game, view, game.legal(position), Random(0)))


def cards(game: NorthmenGame, *names: str) -> int:
    return sum(1 << game.tables.names.card[name] for name in names)


def test_a_card_goes_where_it_wins_a_kingdom_that_reaches_plunder() -> None:
    game = northmen(2)
    pieces = board(game, Magyars=[(1, 0), (2, 0)], Saxons=[(0, 0), (9, 0)])
    hand = (cards(game, "MG7", "SX8"), 0)
    position = dealt(game, hands=hand, group=4, **pieces, **lying(game, Poland=4, Bohemia=3))
    assert choice(game, position) == "play MG7"


@pytest.mark.parametrize(("route", "card"), [("T17", "BY8"), ("T11", "SX8")])
def test_a_card_goes_where_a_route_waits(route: str, card: str) -> None:
    game = northmen(2)
    waiting = 1 << game.tables.names.route[route]
    position = dealt(game, hands=(cards(game, "BY8", "SX8"), 0), route_hands=(waiting, 0), **board(game))
    assert choice(game, position) == f"play {card}"


def test_a_hero_is_hired_to_break_a_tie_and_not_where_nothing_is_to_be_won() -> None:
    game = northmen(2)
    card = game.tables.names.card["MG7"]
    fields = {"phase": "hire", "card": card, "placed": 3, "seat": 0, "group": 2, "infamy": (5, 0), "leader": 1}
    tokens = lying(game, Poland=5, Bohemia=4)
    tied = dealt(game, **fields, **board(game, Magyars=[(5, 0), (5, 0)]), **tokens)
    assert choice(game, tied) == "hire"
    sure = dealt(game, **fields, **board(game, Magyars=[(9, 0), (1, 0)]), **tokens)
    lost = dealt(game, **fields, **board(game, Magyars=[(3, 0), (12, 0)]), **tokens)
    assert choice(game, lost) == "nohire"
    assert choice(game, sure) == "nohire"


def marching(game: NorthmenGame, **fields: Any) -> Position:
    """Seat A moves the Danes, with three Armies, from the first region on that they border."""
    changes = {
        "phase": "march", "kingdom": 4, "region": 3, "control": (-1, -1, -1, -1, 0, -1, -1),
        "piles": (cards(game, "DN8"), 0), "infamy": (0, 0),
    }  # fmt: skip
    return dealt(game, **{**changes, **fields})


def march_of(game: NorthmenGame, position: Position) -> list[str]:
    texts = []
    while position.phase == "march":
        texts.append(choice(game, position))
        position = game.apply(position, game.parse(texts[-1]))
    return texts


def test_a_march_goes_where_tokens_lie_and_battles_can_be_won() -> None:
    game = northmen(2)
    tokens = lying(game, Holy_Roman_Empire=4, Poland=2)
    strong = board(game, Danes=[(1, 0), (0, 0)], Holy_Roman_Empire=[(0, 0), (7, 0)])
    sent = march_of(game, marching(game, **strong, **tokens))
    assert sent == ["send Holy Roman Empire 0+0", "send Poland 1+0"]
    weak = board(game, Danes=[(3, 0), (0, 0)], Holy_Roman_Empire=[(0, 0), (1, 0)])
    sent = march_of(game, marching(game, **weak, **tokens, leader=1))
    assert sent == ["send Holy Roman Empire 2+0", "send Poland 1+0"]


def test_cubes_to_spare_lose_a_battle_and_become_infamy() -> None:
    game = northmen(2)
    pieces = board(game, Danes=[(3, 0), (0, 0)], Holy_Roman_Empire=[(0, 0), (7, 0)])
    sent = march_of(game, marching(game, **pieces, **lying(game, Holy_Roman_Empire=4, Poland=2)))
    assert sent == ["send Holy Roman Empire 2+0", "send Poland 1+0"]


def test_a_march_serves_a_route_where_nothing_else_lies() -> None:
    game = northmen(2)
    route = game.tables.names.route["T13"]
    position = marching(game, route_hands=(1 << route, 0), **board(game, Danes=[(1, 0), (0, 0)]), **lying(game))
    assert march_of(game, position) == ["send Holy Roman Empire 0+0", "send Poland 1+0"]


def test_a_delay_needs_much_to_gain() -> None:
    game = northmen(2)
    fields = {"phase": "delay", "region": -1, "infamy": (9, 0), "control": (-1, -1, -1, -1, 0, 1, 1)}
    small = board(game, Danes=[(2, 0), (0, 0)], Byzantines=[(0, 0), (3, 0)])
    assert choice(game, marching(game, **{**fields, **small})) == "nodelay"
    large = board(game, Danes=[(9, 0), (0, 0)], Byzantines=[(0, 0), (6, 0)], Norwegians=[(0, 0), (6, 0)])
    assert choice(game, marching(game, **{**fields, **large})) == "delay"


def test_a_completed_route_is_always_played() -> None:
    game = northmen(2)
    fields = {"phase": "complete", "asked": 0, "route_hands": (1, 2), "control": (0, -1, -1, -1, -1, -1, -1)}
    assert choice(game, dealt(game, **fields, **board(game, Ireland=[(1, 0), (0, 0)]))) == "complete T01"


def test_planning_spends_what_can_still_pay_and_keeps_some_infamy() -> None:
    game = northmen(2)
    hand = (cards(game, "NM1", "NM7"), 0)
    rich = dealt(game, phase="buy", hands=hand, infamy=(8, 0))
    assert choice(game, rich) == "buy 1"
    assert choice(game, replace(rich, infamy=(4, 0))) == "hold NM7"
    assert choice(game, replace(rich, infamy=(2, 0))) == "done"
    assert choice(game, replace(rich, round=3)) == "done"
    worth = {route: game.tables.route_value[game.tables.names.route[route]] for route in ("T16", "T17")}
    assert worth == {"T16": 2, "T17": 6}
    drawn = sum(1 << game.tables.names.route[route] for route in worth)
    assert choice(game, replace(rich, phase="keep", drawn=drawn, pairs=1)) == "keep T17"

"""The layer of thresholds: positions around what the rules compare, found in the rules themselves."""

import os
import subprocess
import sys

import msgspec
import pytest

from lawspeaker.conformance import messages as m
from lawspeaker.conformance.layers import LAYERS, SMALL, Context, plans, sample
from lawspeaker.conformance.match import Diverged, Match
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.conformance.triples import edges
from lawspeaker.conformance.watched import Watch, watched
from lawspeaker.model.core.games import game_ids, make_game
from lawspeaker.model.core.play import Rare, steps

BUDGET = msgspec.structs.replace(SMALL, edges=700)


def bonus_of_one(infamy, routes, ruling):
    top = infamy.index(max(infamy))
    return tuple(1 + done if n == top else 0 for n, done in enumerate(routes))


def nobody(won):
    return None


FAULTS = [
    ("fjords", {"tie_winner": nobody}, "FD-END-04-tie_winner-1", 3),
    ("northmen", {"bonuses": bonus_of_one}, "SN-END-02-bonuses-0", 6),
]


def caught(game, wrong, seed):
    """Return the layer and id of each plan at which a subject that plays *wrong* is found out."""
    context = Context(game, FULL, "dictated", seed, BUDGET, sample(game, seed, BUDGET.positions))
    for layer in LAYERS:
        for plan in plans(layer, context) if layer not in ("scenarios", "pack", "recorded") else ():
            session = InProcessSubject(Session(wrong))
            session.ask(m.Hello((m.PROTOCOL,), "test", game.id))
            try:
                Match(session.ask, game, FULL).play(plan.line)
            except Diverged:
                yield layer, plan.id


@pytest.mark.parametrize(("game_id", "rules", "case", "seed"), FAULTS)
def test_a_fault_at_a_tie_is_caught_by_this_layer_alone(game_id, rules, case, seed):
    game = make_game(game_id)
    found = set(caught(game, game.varied(law=game.law.replace(**rules)), seed))
    assert {layer for layer, _ in found} == {"thresholds"}
    assert ("thresholds", case) in found


@pytest.mark.parametrize("game_id", game_ids())
def test_a_watched_game_is_played_like_the_game(game_id):
    game, watch = make_game(game_id), Watch()
    other = watched(game, watch)
    for step in steps(game, 2, Rare(), limit=400):
        assert other.legal(step.before) == game.legal(step.before)
        assert other.apply(step.before, step.action) == step.after
    assert len({mark.site.rule for mark in watch.take()}) > 3


def test_positions_one_below_at_and_one_above_are_made_where_play_has_none():
    game = make_game("fjords")
    played = {mark.off for edge in edges(game, 0, 0) for mark in edge.marks if mark.site.rule == "round_winner"}
    made = {mark.off for edge in edges(game, 0, 700) for mark in edge.marks if mark.site.rule == "round_winner"}
    assert 0 not in played
    assert {0, 1} <= made
    assert not any(game.broken_invariants(edge.position) for edge in edges(game, 0, 700))


def test_the_same_seed_makes_the_same_positions_whatever_the_order_of_hashes():
    code = (
        "from lawspeaker.conformance.triples import edges; from lawspeaker.model.core.games import make_game\n"
        "game = make_game('northmen')\n"
        "for edge in edges(game, 5, 200): print(game.digest(edge.position), edge.action, sorted(edge.marks))"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) > 30


@pytest.mark.parametrize("offered", [FULL, msgspec.structs.replace(FULL, legal=False)])
def test_each_plan_names_its_clause_and_is_right_of_the_reference(offered):
    game = make_game("northmen")
    context = Context(game, offered, "dictated", 0, SMALL, sample(game, 0, 4))
    found = list(plans("thresholds", context))
    assert len(found) > 10
    for plan in found:
        assert plan.clauses[0] in game.catalogue
        assert plan.id.startswith(plan.clauses[0])
        session = InProcessSubject(Session(game, offered=offered))
        session.ask(m.Hello((m.PROTOCOL,), "test", "northmen"))
        Match(session.ask, game, offered).play(plan.line)

"""Whole games of ours against two peers, interleaved in one run; only ratios are meaningful.

``pytest tests/benchmarks --benchmark-enable -s`` prints the ratios with their spread.
"""

import statistics
import time
from collections import Counter
from random import Random

import pytest

from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import playout, steps

ROUNDS = 9
# a comparison takes long and only means something on a quiet machine
pytestmark = pytest.mark.deep


def ours(game, seed):
    return sum(playout(game, seed * 100 + n)[1] for n in range(8))


def gin_rummy(spiel_game, seed):
    random, count = Random(seed), 0
    for _ in range(8):
        state = spiel_game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
            count += 1
    return count


def chess_moves(chess, seed):
    random, board = Random(seed), chess.Board()
    for _ in range(300):
        moves = list(board.legal_moves)
        if not moves:
            board = chess.Board()
            moves = list(board.legal_moves)
        board.push(moves[int(random.random() * len(moves))])
    return 300


def rate(task, *args):
    begin = time.perf_counter()
    count = task(*args)
    return count / (time.perf_counter() - begin)


def spread(values):
    return f"{statistics.median(values):.2f} (from {min(values):.2f} to {max(values):.2f})"


TARGETS = {"fjords": (1.0, 4.0), "northmen": (1.5, 5.0)}
"""Least ratios of whole games to OpenSpiel's gin rummy and to python-chess."""


@pytest.mark.parametrize(("name", "players"), [("fjords", 2), ("northmen", 2), ("northmen", 3), ("northmen", 4)])
def test_playouts_against_peers(name, players):
    pyspiel = pytest.importorskip("pyspiel", reason="install the extra 'peers' to compare speeds")
    chess = pytest.importorskip("chess", reason="install the extra 'peers' to compare speeds")
    game, gin = make_game(name, players=players), pyspiel.load_game("gin_rummy")
    for seed in range(20):  # both sides run warm
        ours(game, 1000 + seed)
    gin_rummy(gin, 0)
    to_gin, to_chess, decided = [], [], []
    for seed in range(ROUNDS):
        mine, theirs, moves = rate(ours, game, seed), rate(gin_rummy, gin, seed), rate(chess_moves, chess, seed)
        to_gin.append(mine / theirs)
        to_chess.append(mine / moves)
        decided.append(decisions(game, seed))
    print(f"\n{name} for {players}: {spread(to_gin)} times OpenSpiel gin rummy, {spread(to_chess)} times python-chess")
    print(f"of its actions {spread(decided)} are decisions of players, the rest outcomes of chance")
    assert statistics.median(to_gin) >= TARGETS[name][0]
    assert statistics.median(to_chess) >= TARGETS[name][1]


def decisions(game, seed):
    actors = [step.actor for step in steps(game, seed * 100)]
    return sum(actor >= 0 for actor in actors) / len(actors)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_counters_cost_no_more_than_half(name):
    game = make_game(name)

    def counted(seed):
        seen = Counter()
        count = 0
        for n in range(8):
            for step in steps(game, seed * 100 + n):
                seen[game.touched(step.before, step.action, step.after)] += 1
                count += 1
        return count

    for seed in range(10):
        ours(game, 1000 + seed)
    ratios = [rate(counted, seed) / rate(ours, game, seed) for seed in range(ROUNDS)]
    print(f"\n{name} with clause counters: {spread(ratios)} of the bare rate")
    assert statistics.median(ratios) >= 0.5

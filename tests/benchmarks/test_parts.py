"""Speed of the parts, by pytest-benchmark: run with ``--benchmark-enable``; disabled runs check that they work."""

from random import Random

import pytest

from lawspeaker.model.core.games import game_ids, make_game
from lawspeaker.model.core.play import perft, playout, steps


@pytest.fixture(scope="module", params=game_ids())
def game(request):
    return make_game(request.param)


@pytest.fixture(scope="module")
def positions(game):
    found = [step.before for seed in range(4) for step in steps(game, seed)]
    return Random(1).sample(found, 200)


def test_playout(benchmark, game):
    last, count = benchmark(playout, game, 7)
    assert game.result(last).winners and count > 100


def test_legal(benchmark, game, positions):
    counts = benchmark(lambda: [len(game.legal(position)) for position in positions])
    assert all(counts)


def test_apply(benchmark, game, positions):
    pairs = [(position, game.legal(position)[-1]) for position in positions]
    after = benchmark(lambda: [game.apply(position, action) for position, action in pairs])
    assert all(new != old for new, (old, _) in zip(after, pairs, strict=True))


def test_breaches_of_one_action(benchmark, game, positions):
    pairs = [(position, game.legal(position)[0]) for position in positions[:20]]
    found = benchmark(lambda: [game.breaches(position, action) for position, action in pairs])
    assert not any(found)


def test_perft(benchmark, game, positions):
    shallow = next(p for p in positions if 2 <= len(game.legal(p)) <= 40)
    assert benchmark(perft, game, shallow, 2) >= len(game.legal(shallow))


def test_record_and_digest(benchmark, game, positions):
    digests = benchmark(lambda: {game.digest(position) for position in positions})
    assert len(digests) == len({positions_key(game, p) for p in positions})


def positions_key(game, position):
    return repr(game.record(position))

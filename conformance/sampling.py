"""Play weighted towards what is rare, and positions drawn from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.play import Step, pick_outcome, steps

from .plan import Sample, policy

_LOOKED = 6
"""So many actions are weighed at a decision, drawn so that each kind comes as often as another."""
_STEPS = 2000


class Seen:
    """How often each kind of action was taken and each clause was at work in the play so far."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.clauses: Counter[str] = Counter()

    def count(self, game: AnyGame, step: Step) -> None:
        """Count a step."""
        self.kinds[game.kind(step.action)] += 1
        self.clauses.update(game.touched(step.before, step.action, step.after))

    def rarity(self, game: AnyGame, step: Step) -> float:
        """Return how rare a step is: 1 for a kind or a clause never seen, less for what came often."""
        clauses = game.touched(step.before, step.action, step.after)
        times = min((self.clauses[clause] for clause in clauses), default=self.kinds[game.kind(step.action)])
        return (1 / (1 + times) + 1 / (1 + self.kinds[game.kind(step.action)])) ** 2


def weighted(game: AnyGame, seed: int, seen: Seen, limit: int = _STEPS) -> Iterator[Step]:
    """Play a game by what is rare in *seen*, which counts along: kinds of action, and clauses at work."""
    random, position = Random(f"weighted {seed}"), game.start()
    for _ in range(limit):
        actor = game.actor(position)
        if actor == OVER:
            return
        actions = game.legal(position)
        if actor == CHANCE:
            action = pick_outcome(game, position, actions, random)
            step = Step(position, actor, action, game.apply(position, action))
        else:
            drawn = [Step(position, actor, a, game.apply(position, a)) for a in _candidates(game, actions, random)]
            step = random.choices(drawn, [seen.rarity(game, one) for one in drawn])[0]
        seen.count(game, step)
        yield step
        position = step.after


def _candidates(game: AnyGame, actions: tuple[Any, ...], random: Random) -> list[Any]:
    """Return some of the actions, the kinds taking turns."""
    if len(actions) <= _LOOKED:
        return list(actions)
    queues: dict[str, list[Any]] = defaultdict(list)
    for action in actions:
        queues[game.kind(action)].append(action)
    found: list[Any] = []
    for queue in queues.values():
        found += random.sample(queue, min(len(queue), max(_LOOKED // len(queues), 1)))
    return found


def game_of(game: AnyGame, seed: int, number: int, seen: Seen, limit: int) -> tuple[Step, ...]:
    """Return game *number* of a run: the policies take turns, then comes one weighted towards what was rare in them."""
    if number % 4 == 3:
        return tuple(weighted(game, seed, seen, limit))
    played = tuple(steps(game, seed, policy(number % 4), limit=limit))
    for step in played:
        seen.count(game, step)
    return played


@lru_cache(maxsize=8)
def sample(game: AnyGame, seed: int, count: int) -> tuple[Sample, ...]:
    """Draw positions from seeded playouts, so that rare kinds of action and rare clauses come first."""
    random, seen = Random(f"sample {seed}"), Seen()
    buckets: dict[Any, list[Sample]] = defaultdict(list)
    for n in (0, 1, 2, 3, 7):
        played = game_of(game, seed * 31 + n, n, seen, _STEPS)
        for index, step in enumerate(played):
            key = (game.kind(step.action), game.touched(step.before, step.action, step.after))
            buckets[key].append(Sample(game, played, index))
    queues = sorted(buckets.items(), key=lambda item: (_rarest(seen, item[0]), len(item[1]), item[0]))
    for _, queue in queues:
        random.shuffle(queue)
    found: list[Sample] = []
    while len(found) < count and any(queue for _, queue in queues):
        for _, queue in queues:
            if queue and len(found) < count:
                found.append(queue.pop())
    return tuple(found)


def _rarest(seen: Seen, key: tuple[str, tuple[str, ...]]) -> int:
    kind, clauses = key
    return min((seen.clauses[clause] for clause in clauses), default=seen.kinds[kind])

"""Positions drawn from seeded play."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from random import Random
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import steps

from .plan import Sample, policy


@lru_cache(maxsize=8)
def sample(game: AnyGame, seed: int, count: int) -> tuple[Sample, ...]:
    """Draw positions from seeded playouts, weighted to rare kinds of action and rare clauses."""
    random = Random(f"sample {seed}")
    buckets: dict[Any, list[Sample]] = defaultdict(list)
    for n in range(3):
        played = tuple(steps(game, seed * 31 + n, policy(n), limit=2000))
        for index, step in enumerate(played):
            key = (game.kind(step.action), game.touched(step.before, step.action, step.after))
            buckets[key].append(Sample(game, played, index))
    queues = sorted(buckets.items(), key=lambda item: (len(item[1]), item[0]))
    for _, queue in queues:
        random.shuffle(queue)
    found: list[Sample] = []
    while len(found) < count and any(queue for _, queue in queues):
        for _, queue in queues:
            if queue and len(found) < count:
                found.append(queue.pop())
    return tuple(found)

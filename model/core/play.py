"""Seeded play: policies, playouts, perft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec

from .contract import CHANCE, OVER, AnyGame

Picker = Callable[[AnyGame, Any, tuple[Any, ...], Random], Any]
"""A policy: takes game, view, legal actions and a generator, returns one of the actions."""


def pick_outcome(game: AnyGame, position: Any, outcomes: tuple[Any, ...], random: Random) -> Any:
    """Draw an outcome of chance by its probability."""
    odds = game.odds(position)
    if odds.count(odds[0]) == len(odds):
        return outcomes[int(random.random() * len(outcomes))]
    return random.choices(outcomes, [float(p) for p in odds])[0]


def uniform(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Pick any action with equal probability (it never looks at the view)."""
    return actions[int(random.random() * len(actions))]


def sensible(game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
    """Pick the action that looks best to the game's own ``appeal``; ties are drawn."""
    worth = game.appeal(view, actions)
    best = max(worth)
    return random.choice([a for a, w in zip(actions, worth, strict=True) if w == best])


class Rare:
    """Pick action kinds seldom seen so far; one instance keeps its own counts, from a fresh start."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def __call__(self, game: AnyGame, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
        """Pick with a weight that falls with how often the action's kind was picked."""
        kinds = [game.kind(a) for a in actions]
        here = Counter(kinds)
        weights = [1.0 / ((1 + self.seen[k]) * here[k]) for k in kinds]
        chosen = random.choices(range(len(actions)), weights)[0]
        self.seen[kinds[chosen]] += 1
        return actions[chosen]


class Step(msgspec.Struct, frozen=True):
    """One step of play: the position before, who acted, the action, the position after."""

    before: Any
    actor: int
    action: Any
    after: Any


def steps(
    game: AnyGame,
    seed: int,
    policy: Picker = uniform,
    start: Any = None,
    limit: int = 100_000,
) -> Iterator[Step]:
    """Play from *start* (default: the beginning) and yield each step until the end or *limit*."""
    random = Random(seed)
    looks = policy is not uniform
    position = game.start() if start is None else start
    for _ in range(limit):
        actor = game.actor(position)
        if actor == OVER:
            return
        actions = game.legal(position)
        if actor == CHANCE:
            action = pick_outcome(game, position, actions, random)
        else:
            view = game.observe(position, actor) if looks else None
            action = policy(game, view, actions, random)
        after = game.apply(position, action)
        yield Step(position, actor, action, after)
        position = after


def playout(game: AnyGame, seed: int, policy: Picker = uniform, limit: int = 100_000) -> tuple[Any, int]:
    """Play a game to its end; return the last position and the number of actions.

    The bare loop of ``steps``, kept apart because speed is measured with it.
    """
    random = Random(seed)
    draw = random.random
    position, count = game.start(), 0
    actor, legal, apply = game.actor, game.legal, game.apply
    bare = policy is uniform
    while count < limit:
        who = actor(position)
        if who == OVER:
            break
        actions = legal(position)
        if who == CHANCE:
            action = pick_outcome(game, position, actions, random)
        elif bare:
            action = actions[int(draw() * len(actions))]
        else:
            action = policy(game, game.observe(position, who), actions, random)
        position = apply(position, action)
        count += 1
    return position, count


def perft(game: AnyGame, position: Any, depth: int, *, chance: bool = True, compound: bool = True) -> int:
    """Count the sequences of *depth* decisions and outcomes.

    With ``chance`` false, only the first outcome of each chance position is followed and chance
    costs no depth: the count of player decisions under a scripted chance.  With ``compound`` true, a
    whole compound decision costs one, so that the count does not depend on how it is cut into parts;
    false counts each part (``inside`` is false throughout in a game without such decisions).
    """
    return _perft(game, position, depth, chance, compound and game.has_compounds())


def _perft(game: AnyGame, position: Any, depth: int, chance: bool, whole: bool) -> int:
    actor = game.actor(position)
    if actor == CHANCE and not chance:
        return _perft(game, game.apply(position, game.legal(position)[0]), depth, chance, whole)
    if depth == 0 or actor == OVER:
        return 1
    if whole:
        return sum(_perft(game, after, depth - 1, chance, whole) for _, after in _decisions(game, position))
    actions = game.legal(position)
    if depth == 1 and chance:
        return len(actions)
    return sum(_perft(game, game.apply(position, a), depth - 1, chance, whole) for a in actions)


def _decisions(game: AnyGame, position: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each whole decision from here, as its series of actions, and the position after it."""
    for action in game.legal(position):
        after = game.apply(position, action)
        if game.inside(after):
            yield from (((action, *rest), last) for rest, last in _decisions(game, after))
        else:
            yield (action,), after


def divide(game: AnyGame, position: Any, depth: int, *, chance: bool = True, compound: bool = True) -> dict[str, int]:
    """Return the perft count below each first decision, by its text (the compound one where there is one)."""
    whole = compound and game.has_compounds()
    firsts = _decisions(game, position) if whole else (((a,), game.apply(position, a)) for a in game.legal(position))
    counts: dict[str, int] = {}
    for actions, after in firsts:
        text = (game.compound(position, actions) if whole else None) or ", ".join(game.text(a) for a in actions)
        counts[text] = _perft(game, after, depth - 1, chance, whole)
    return counts

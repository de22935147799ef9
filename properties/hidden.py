"""Checks of what is hidden and of decisions in several parts: two worlds, commits, compound texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame, Breach, Game
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.taking import Taken, compound_at

from .watching import Complaints, Moment, Watch

TRIED = 12
"""How many actions of the alphabet each seat tries in both worlds at a sampled step."""
ALTERNATIVES = 3
"""How many other choices a commit is compared with."""


def seen(moment: Moment) -> Complaints:
    """Seats that see an action exist, each once; a player sees its own; a game that hides has other worlds."""
    game, actor = moment.game, moment.actor
    seats, text = game.sees(moment.before, moment.action), game.text(moment.action)
    if list(seats) != sorted(set(seats) & set(range(len(game.seats)))):
        yield f"seats {seats} see {text}"
    if actor >= 0 and actor not in seats:
        yield f"{game.seats[actor]} does not see {text}, which it does itself"
    if len(seats) < len(game.seats) and type(game).worlds is Game.worlds:
        yield f"{text} is hidden from a seat, but the game knows no other world"


# -- two worlds -----------------------------------------------------------------------------------------


def two_worlds(moment: Moment) -> Complaints:
    """A world that differs only in what is hidden from a seat looks the same to it: view, legal list, refusals.

    Two seats look at each sampled step: the one to act, and one drawn.
    """
    game, random = moment.game, Random(moment.bytes_after)
    for seat in sorted({random.randrange(len(game.seats)), max(game.actor(moment.after), 0)}):
        yield from _same_now(moment, seat, game.worlds(moment.after, seat, random), random)
        yield from _same_next(moment, seat, game.worlds(moment.before, seat, random))
        yield from _same_hidden(moment, seat, random)


def _same_now(moment: Moment, seat: int, world: Any, random: Random) -> Iterator[str]:
    """Compare the position after the step with another world."""
    game, here, name = moment.game, moment.after, moment.game.seats[seat]
    if world is here:
        return
    yield from (f"another world for {name} breaks {b.clause}" for b in game.broken_invariants(world))
    yield from _alike(game, seat, here, world, "in another world")
    if game.actor(here) == seat and moment.legal_after != game.legal(world):
        yield f"the legal list of {name} depends on what is hidden from it"
    tried = list(game.alphabet(here))
    stride = max(1, len(tried) // TRIED)
    some = [*islice(tried, random.randrange(stride), None, stride), *islice(moment.legal_after, 2)]
    for action in some:
        one, two = game.breaches(here, action, seat), game.breaches(world, action, seat)
        if one != two:  # what it is told are the breaches in words
            told = f"{_refusal(game, one)}, {_refusal(game, two)}"
            yield f"what {name} is told of {game.text(action)} depends on what is hidden: {told}"


def _refusal(game: AnyGame, broken: tuple[Breach, ...]) -> str:
    """Return what a seat is told: the breaches in words."""
    return "; ".join(f"{b.clause}: {game.words(b)}" for b in broken) or "legal"


def _alike(game: AnyGame, seat: int, one: Any, two: Any, when: str) -> Iterator[str]:
    """Complain where a seat can tell two positions apart: by who is next, or by its view."""
    if game.actor(one) != game.actor(two):
        either = f"{game.actor_name(one)} or {game.actor_name(two)}"
        yield f"{either} is next {when}: so {game.seats[seat]} can tell"
    seen_one, seen_two = game.observe(one, seat), game.observe(two, seat)
    if seen_one != seen_two:
        fields = ", ".join(name for name in seen_one if seen_one[name] != seen_two.get(name)) or "its fields"
        yield f"the view of {game.seats[seat]} differs {when}: {fields}"


def _same_next(moment: Moment, seat: int, world: Any) -> Iterator[str]:
    """Take the same action in another world of the position before: it looks the same afterwards."""
    game, action = moment.game, moment.action
    if world is moment.before or action not in game.legal(world):
        return
    if (seat in game.sees(moment.before, action)) != (seat in game.sees(world, action)):
        yield f"whether {game.seats[seat]} sees {game.text(action)} depends on what is hidden from it"
    if game.reveals(moment.before, action) or game.reveals(world, action):
        return
    after = game.apply(world, action)
    when = f"after {game.text(action)} in another world (and `reveals` does not say that it shows something)"
    yield from _alike(game, seat, moment.after, after, when)


def _same_hidden(moment: Moment, seat: int, random: Random) -> Iterator[str]:
    """Take another action that the seat does not see either: it cannot tell which of them was taken."""
    game, before = moment.game, moment.before
    if seat in game.sees(before, moment.action) or game.reveals(before, moment.action):
        return
    others = [a for a in game.legal(before) if seat not in game.sees(before, a) and not game.reveals(before, a)]
    for action in random.sample(others, min(2, len(others))):
        after = game.apply(before, action)
        yield from _alike(game, seat, moment.after, after, f"after {game.text(action)}, hidden from it")


# -- commits --------------------------------------------------------------------------------------------


def commits(moment: Moment) -> Complaints:
    """A commit is seen by its seat alone, and who is asked later sees and may do the same whatever it is."""
    game, before = moment.game, moment.before
    if moment.actor < 0 or not game.commits(before):
        if game.commits(before):
            yield f"{game.actor_name(before)} is asked to commit"
        return
    legal = game.legal(before)
    yield from (
        f"{game.text(action)} is a commit that others see"
        for action in legal
        if tuple(game.sees(before, action)) != (moment.actor,)
    )
    here = _next_to_commit(game, moment.actor, moment.after, 0)
    offset = moment.number % max(1, len(legal) // ALTERNATIVES)
    for number, action in enumerate(islice(legal, offset, None, max(1, len(legal) // ALTERNATIVES))):
        there = _next_to_commit(game, moment.actor, game.apply(before, action), 1 + number)
        yield from _independent(game, here, there, game.text(action))


def _next_to_commit(game: AnyGame, seat: int, position: Any, choice: int) -> Any:
    """Return the position at which the next seat is asked to commit, None if there is none."""
    while game.commits(position) and game.actor(position) == seat:
        actions = game.legal(position)
        position = game.apply(position, actions[choice % len(actions)])
    return position if game.commits(position) else None


def _independent(game: AnyGame, here: Any, there: Any, text: str) -> Iterator[str]:
    if here is None or there is None:
        if here is not there:
            yield f"whether others commit depends on {text}"
        return
    seat = game.actor(here)
    if game.actor(there) != seat:
        yield f"who commits next depends on {text}"
        return
    if game.legal(here) != game.legal(there):
        yield f"what {game.seats[seat]} may commit depends on {text}"
    yield from _alike(game, seat, here, there, f"after {text}, committed before")


# -- compound decisions ---------------------------------------------------------------------------------


def compounds(game: AnyGame) -> Watch:
    """Each whole compound decision has one text, which stands for its actions and is no action itself."""
    series: list[Taken] = []

    def watch(moment: Moment) -> Complaints:
        if not game.inside(moment.before):
            series.clear()
        if series or not game.inside(moment.before):  # not when watching began in the middle of one
            series.append(Taken(moment.before, moment.action, moment.after))
        if game.inside(moment.after):
            yield from _going_on(game, moment, series)
        elif series and moment.actor >= 0:
            yield from _finished(game, series)

    return watch


def _going_on(game: AnyGame, moment: Moment, series: list[Taken]) -> Iterator[str]:
    if not game.has_compounds():
        yield "a decision goes on with another, but the game has no compound texts"
    if game.actor(moment.after) != moment.actor or moment.actor in (CHANCE, OVER):
        yield f"{game.actor_name(moment.after)} goes on with what {game.actor_name(moment.before)} began"
    if series and game.compound(series[0].before, [step.action for step in series]) is not None:
        yield f"there is a compound text before the last part, after {game.text(moment.action)}"


def _finished(game: AnyGame, series: list[Taken]) -> Iterator[str]:
    start, actions = series[0].before, tuple(step.action for step in series)
    _, text = compound_at(game, series)
    if not text:
        if len(series) > 1:
            yield f"{', '.join(map(game.text, actions))} is a whole compound decision without a text"
        return
    if game.expand(start, text) != actions:
        yield f"{text!r} does not stand for {', '.join(map(game.text, actions))}"
    if game.expand(start, game.text(actions[0])) is not None:
        yield f"{game.text(actions[0])!r} is an action, and is read as a compound text"
    try:
        game.parse(text)
    except BadInput:
        return
    yield f"{text!r} is a compound text, and is read as an action"

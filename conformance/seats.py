"""Plans of seats: the same play by other seats, where the game is the same for them, must be answered alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from lawspeaker.model.core.contract import AnyGame

from .match import Line, Op
from .plan import Context, Plan, Sample, until_chance


def orders(game: AnyGame, position: Any) -> tuple[tuple[int, ...], ...]:
    """Return the orders of the seats, but for the one they have, under which the game is the same here.

    An order that would make a position which breaks an invariant, or acts for the wrong seat, is none.
    """
    found = []
    for order in list(permutations(range(len(game.seats))))[1:]:
        image = game.permuted(position, order)
        if image is not None and not game.broken_invariants(image):
            found.append(order)
    return tuple(found)


def seats(c: Context) -> Iterator[Plan]:
    """Yield play from sampled positions, and then the same by other seats from the position with these exchanged."""
    for n, place in enumerate(c.samples[: c.budget.others]):
        found = orders(c.game, place.position)
        if not found:
            continue
        order = found[n % len(found)]
        ops = tuple(_played(c, place, tuple(range(len(order)))))
        again = tuple(_played(c, place, order))
        moved = ", ".join(f"{c.game.seats[here]} as {c.game.seats[there]}" for here, there in enumerate(order))
        record = c.game.record(c.game.permuted(place.position, order))
        line = Line(c.game.record(place.position), (*ops, Op("setup", record=record), *again))
        if c.mode == "scripted":  # a script lasts from one beginning to the next
            line = Line(record, again)
        yield Plan(str(n), f"answers the same to the same play by other seats ({moved})", line)


def _played(c: Context, place: Sample, order: Sequence[int]) -> Iterator[Op]:
    """Yield a little of the play, and each seat's look before and after, with the seats in that order.

    The actions and who takes them are those of the play itself, carried over: nothing is asked of the image.
    """
    game = c.game
    looks = tuple(Op("view", game.seats[seat]) for seat in order) if c.caps.view else ()
    yield from looks
    tried = []
    for step in place.steps[place.index : place.index + c.budget.follow]:
        by = game.seats[order[step.actor]] if step.actor >= 0 else game.actor_name(step.before)
        tried.append(Op("try", by, game.text(game.permuted_action(step.action, order))))
    yield from until_chance(tuple(tried)) if c.mode == "reported" else tried
    yield from looks

"""Plans of play: on from positions, whole games, trees of legal actions, back and forth, two ways to the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.model.core.contract import OVER
from lawspeaker.model.core.play import steps

from .match import Line, Op
from .plan import Context, Placed, Plan, on, policy, tries, until_chance
from .sampling import Seen, game_of


def setup(c: Context) -> Iterator[Plan]:
    """Yield play on from each position given and each one sampled."""
    for given in c.given:
        if not given.beginning:
            ops = given.place.onward(c.budget.follow)
            if c.mode == "reported":
                ops = until_chance(ops)
            yield Plan(f"at-{given.id}", f"plays on from the position {given.id}", on(c, given.place, ops))
    for n, place in enumerate(c.samples):
        ops = place.onward(c.budget.follow)
        if c.mode == "reported":
            ops = until_chance(ops)
        yield Plan(str(n), f"plays on from a position set up ({len(ops)} steps)", on(c, place, ops))


def play(c: Context) -> Iterator[Plan]:
    """Yield whole games, every fourth weighted towards what was rare in those before."""
    seen = Seen()
    for n in range(c.budget.games):
        if c.mode == "reported":
            yield Plan(str(n), "plays a whole game, drawing for itself", Line(None, ()), online=True)
            continue
        ops = tries(c.game, game_of(c.game, c.seed * 101 + n, n, seen, 5000))
        yield Plan(str(n), f"plays a whole game ({len(ops)} steps)", Line(None, ops))


def perft(c: Context) -> Iterator[Plan]:
    """Yield walks through trees of legal actions, from the beginning and from positions."""
    for given in c.given:
        if given.beginning or c.caps.setup:
            yield _counted(c, given)
    starts = [None, *(place for place in c.samples if c.caps.setup)][:4]
    for n, place in enumerate(starts):
        line = Line(None, ()) if place is None else place.approach(True)
        position = c.game.start() if place is None else place.position
        depth, ops, _ = _deepest(c, position)
        if ops:
            title = f"has the same tree of legal actions to depth {depth} ({len(ops)} operations)"
            yield Plan(str(n), title, Line(line.record, ops))


def _counted(c: Context, given: Placed) -> Plan:
    """Return the walk through the tree of a given position, or what the reference counts otherwise than was given."""
    depth, ops, counts = _deepest(c, given.place.position)
    line = Line(None, ops) if given.beginning else Line(c.game.record(given.place.position), ops)
    listed = ", ".join(map(str, counts))
    title = f"has the same tree of legal actions from {given.id} to depth {depth} ({listed} sequences)"
    shown = list(zip(given.nodes, counts, strict=False))
    wrong = next((n for n, (right, found) in enumerate(shown, 1) if right != found), 0)
    said = f"from {given.id} the reference counts {counts[wrong - 1]} sequences of {wrong}" if wrong else ""
    return Plan(f"at-{given.id}", title, line, wrong=said and f"{said}, not {given.nodes[wrong - 1]} as was given")


def _deepest(c: Context, position: Any) -> tuple[int, tuple[Op, ...], tuple[int, ...]]:
    """Return the depth that the budget allows, the walk through the tree, and how many sequences of each length it has.

    Where the game ends early there is no longer sequence.
    """
    depth, best = 1, tuple[Op, ...]()
    counts = [len(c.game.legal(position))]
    for deeper in range(2, 12):
        ops: list[Op] = []
        leaves = _expand(c, position, deeper - 1, ops)
        if leaves is None or len(ops) == len(best):
            break
        depth, best = deeper, tuple(ops)
        counts.append(leaves)
    return depth, best, tuple(counts)


def _expand(c: Context, position: Any, depth: int, ops: list[Op]) -> int | None:
    """Append the walk through the tree; the last ply is compared by the list alone.

    Returns how many sequences there are, None if the walk is too long.
    """
    legal = c.game.legal(position)
    if depth == 0 or c.game.actor(position) == OVER:
        return len(legal)
    back = Op("undo", count=1) if c.caps.undo else Op("setup", record=c.game.record(position))
    leaves = 0
    for action in legal:
        if len(ops) > 2 * c.budget.perft:
            return None
        ops.append(Op("try", c.game.actor_name(position), c.game.text(action)))
        below = _expand(c, c.game.apply(position, action), depth - 1, ops)
        if below is None:
            return None
        leaves += below
        ops.append(back)
    return leaves


def views(c: Context) -> Iterator[Plan]:
    """Yield each seat's look at sampled positions."""
    for n, place in enumerate(c.samples[: c.budget.others]):
        looks = tuple(Op("view", seat) for seat in c.game.seats)
        yield Plan(str(n), "shows each seat what it may see", on(c, place, looks))


def undo(c: Context) -> Iterator[Plan]:
    """Yield steps that are taken back and taken again."""
    for n, place in enumerate(c.samples[: c.budget.others]):
        onward = place.onward(4)
        if c.mode == "reported":
            onward = tuple(op for op in until_chance(onward) if op.by != "chance")
        if onward:
            ops = (*onward, Op("undo", count=len(onward)), onward[0], Op("undo", count=1), *onward)
            yield Plan(str(n), f"takes back {len(onward)} steps and goes on", on(c, place, ops))


def save(c: Context) -> Iterator[Plan]:
    """Yield games saved, played on, loaded and played on again."""
    for n, place in enumerate(c.samples[: c.budget.others]):
        onward = place.onward(3)
        if c.mode == "reported":
            onward = tuple(op for op in until_chance(onward) if op.by != "chance")
        ops = (Op("save"), *onward, Op("load"), *onward)
        yield Plan(str(n), "saves, plays on, loads, and plays the same again", on(c, place, ops))


def two_ways(c: Context) -> Iterator[Plan]:
    """Yield play in which the subject's own state is set up again and again."""
    for n in range(max(c.budget.others // 4, 1)):
        if c.mode != "dictated":
            return
        played = tries(c.game, steps(c.game, c.seed * 211 + n, policy(n), limit=60 + 40 * n))
        ops: list[Op] = []
        for count, op in enumerate(played):
            ops.append(op)
            if count % 10 == 9:
                ops.append(Op("again"))
        yield Plan(str(n), "comes to the same by play and by setting up its own state", Line(None, tuple(ops)))


# -- compound decisions ---------------------------------------------------------------------------

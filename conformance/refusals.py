"""Plans of refusals: what breaks a clause, comes out of turn, is no action or no position must change nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from lawspeaker.model.core.contract import CHANCE

from . import messages as m
from .match import Line, Op, valid
from .plan import Context, Plan, Sample, on
from .shrink import at_path, list_paths


def refusals(c: Context) -> Iterator[Plan]:
    """Yield tries that must be refused, and positions that are none."""
    for n, place in enumerate(c.samples[: max(c.budget.others * 2, 8)]):
        probes = _probes(c, place.position, n)
        if c.caps.setup and (bad := _doubled(c, place, n)):
            line = Line(c.game.record(place.position), (Op("setup", record=bad),))
            yield Plan(f"setup-{n}", "refuses to set up a position that breaks an invariant", line)
        if probes:
            title = f"refuses {len(probes)} actions that break a clause, and nothing changes"
            yield Plan(str(n), title, on(c, place, probes))


def _doubled(c: Context, place: Sample, number: int) -> dict[str, Any] | None:
    """Return the record with one piece standing twice in a list, None if that breaks nothing."""
    record: dict[str, Any] = msgspec.json.decode(m.encode(c.game.record(place.position)))
    paths = list_paths(record)
    if not paths:
        return None
    random = c.random("doubled", number)
    entries = at_path(record, random.choice(paths))
    entries.append(random.choice(entries))
    return record if valid(c.game, record) is None else None


def _probes(c: Context, position: Any, number: int) -> tuple[Op, ...]:
    """Return illegal tries: each set of broken clauses once before any comes twice, then misuse of the turn."""
    game, random = c.game, c.random("probe", number)
    actor = game.actor(position)
    by = game.actor_name(position) if actor >= 0 else game.seats[0]
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    if actor != CHANCE or c.mode == "dictated":
        for action in game.alphabet(position):
            broken = game.breaches(position, action, None if actor == CHANCE else game.seat(by))
            if broken:
                groups[tuple(b.clause for b in broken)].append(game.text(action))
    queues = [groups[key] for key in sorted(groups)]
    for queue in queues:
        random.shuffle(queue)
    chosen: list[Op] = []
    while len(chosen) < c.budget.probes and any(queues):
        name = "chance" if actor == CHANCE else by
        chosen += [Op("try", name, queue.pop()) for queue in queues if queue]
    return (*chosen[: c.budget.probes], *_misuse(c, position))


def _misuse(c: Context, position: Any) -> Iterator[Op]:
    game = c.game
    actor = game.actor(position)
    legal = game.legal(position)
    if actor >= 0:
        others = [seat for n, seat in enumerate(game.seats) if n != actor]
        yield from (Op("try", seat, game.text(legal[0])) for seat in others[:1])
    yield Op("try", game.seats[max(actor, 0)], "no such action")

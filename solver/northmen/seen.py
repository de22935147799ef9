"""What a step of play shows of each topic of Northmen: the situation, and what the model answers there.

Everything that can be is worked out here from cards and pieces again, not taken from the values that
the model carries along.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Step
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.solver.frame import Seen

from . import seen_contest, seen_march, seen_planning, seen_rally
from .moments import marching, rallying


def situations(game: AnyGame, step: Step) -> Iterator[Seen]:
    """Yield (topic id, situation, the model's answer) for a decision and for what followed by itself."""
    assert isinstance(game, NorthmenGame)
    before, after = step.before, step.after
    yield from seen_rally.setup(game, step)
    if rallying(before) or before.phase in ("deal", "turn", "routes"):
        yield from seen_rally.turns(game, step)
    if rallying(before):
        yield from seen_rally.rally(game, step)
    if not marching(before) and marching(after):
        yield from seen_contest.controls(game, step)
    if marching(before) or marching(after):
        yield from seen_march.march(game, step)
    yield from seen_planning.planning(game, step)

"""What a check is, and what it looks at: one step of play with what is worked out about it on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from lawspeaker.model.core.canonical import canonical
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.rulings import Rulings


class Moment:
    """One step of play: ``before``, who acted, the ``action``, ``after``; ``number`` counts from 0.

    Records and the legal list are worked out once, when a check first asks for them; ``memo`` is where
    checks of one game share what they work out.
    """

    def __init__(self, game: AnyGame, number: int, before: Any, actor: int, action: Any, after: Any) -> None:
        self.game, self.number = game, number
        self.before, self.actor, self.action, self.after = before, actor, action, after
        self.memo: dict[str, Any] = {}

    @cached_property
    def record_before(self) -> dict[str, Any]:
        """The record of the position before the step."""
        return self.game.record(self.before)

    @cached_property
    def record_after(self) -> dict[str, Any]:
        """The record of the position after the step."""
        return self.game.record(self.after)

    @cached_property
    def bytes_after(self) -> bytes:
        """The canonical bytes of the record after the step."""
        return canonical(self.record_after)

    @cached_property
    def legal_after(self) -> tuple[Any, ...]:
        """The legal actions after the step."""
        return self.game.legal(self.after)


Complaints = Iterable[str]
Watch = Callable[[Moment], Complaints]


class Check(msgspec.Struct, frozen=True):
    """One thing that must hold at each step of play.

    ``watch`` gives a fresh watcher for one run of play; a watcher takes each moment it is due for and
    yields complaints, none where all is well.  A check with ``history`` is due at every step, another
    at every ``every``-th.  ``holds`` names the ruling values under which it is claimed (all, if empty).
    """

    id: str
    title: str
    watch: Callable[[AnyGame], Watch]
    every: int = 1
    history: bool = False
    from_start: bool = False
    holds: Mapping[str, tuple[str, ...]] = {}

    def applies(self, rulings: Rulings) -> bool:
        """Say whether the check is claimed under a choice of rulings."""
        return all(rulings[name] in values for name, values in self.holds.items())

    def due(self, number: int, thin: int = 1) -> bool:
        """Say whether the check is due at a step; ``thin`` stretches the interval of dear checks."""
        if self.history or self.every == 1:
            return True
        return number % (self.every * thin) == 0


def plainly(function: Callable[[Moment], Complaints]) -> Callable[[AnyGame], Watch]:
    """Make the ``watch`` of a check that needs no memory of earlier steps."""
    return lambda game: function

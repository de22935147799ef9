"""How often a subject was really asked about each clause: what it took or refused, and the clauses that decided it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from lawspeaker.model.core.clauses import Catalogue
from lawspeaker.model.core.contract import CHANCE, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.taking import Taken


class Asked:
    """Counts by clause: steps compared in which it was at work, and tries it forbids that were to be refused."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def took(self, game: AnyGame, steps: Iterable[Taken]) -> None:
        """Count the clauses at work in steps that both sides took and agreed on."""
        for step in steps:
            self.counts.update(game.touched(step.before, step.action, step.after))

    def refused(self, game: AnyGame, position: Any, by: str, text: str) -> None:
        """Count the clauses that a try breaks which both sides refused; a text that is no action breaks none."""
        try:
            action = game.parse(text)
        except BadInput:
            return
        seat = game.seat(by) if by in game.seats else CHANCE if by == "chance" else None
        self.counts.update({breach.clause for breach in game.breaches(position, action, seat)})

    def table(self, catalogue: Catalogue) -> dict[str, int]:
        """Return the count of every clause of a catalogue that is a rule, and of every other that was counted."""
        rules = {clause.id for clause in catalogue.normative()}
        return {clause.id: self.counts[clause.id] for clause in catalogue.clauses
                if clause.id in rules or self.counts[clause.id]}  # fmt: skip


def never(table: dict[str, int]) -> tuple[str, ...]:
    """Return the clauses that were never asked about."""
    return tuple(clause for clause, times in table.items() if not times)

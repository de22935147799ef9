"""Carrying the witnesses of Fjords' findings into whole games; see ``solver.witnesses``."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker.solver import witnesses

from . import QUESTIONS
from .policies import hoarding


def carry_all(seeds: Iterable[int] = (1, 2), last_seeds: Iterable[int] = range(1, 60)) -> None:
    """Search all findings of all topics anew and store the games; takes minutes.

    What needs the last tile set aside and an open one taken is rare and gets more seeds.
    """
    findings = witnesses.all_findings(QUESTIONS)
    found = witnesses.search(QUESTIONS, findings, seeds)
    game = QUESTIONS.make()
    last = game.varied(rulings=game.catalogue.book.choose({"R_LAST_OPEN": "play_B"}))
    rare = [finding for finding in findings if finding.id not in found and finding.ruling == "R_LAST_OPEN"]
    found |= witnesses.search(QUESTIONS, rare, last_seeds, (last,), (hoarding,))
    witnesses.replace_stored(found, QUESTIONS.folder)

"""Carrying the witnesses of Northmen's findings into whole games; see ``solver.witnesses``."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker.solver import witnesses

from . import QUESTIONS
from .policies import games, homebody, late, miser, spender


def carry_all(seeds: Iterable[int] = (1,), rare_seeds: Iterable[int] = range(1, 9)) -> None:
    """Search all findings of all topics anew and store the games; takes minutes.

    What no game with the estimated box shows is looked for with boxes made for it.
    """
    findings = witnesses.all_findings(QUESTIONS)
    found = witnesses.search(QUESTIONS, findings, seeds, players=(spender, miser, homebody))
    rare = [finding for finding in findings if finding.id not in found]
    found |= witnesses.search(QUESTIONS, rare, rare_seeds, tuple(games()), (spender, miser, homebody, late))
    witnesses.replace_stored(found, QUESTIONS.folder)

"""What the solver asks about Northmen: topics, claims, reachability, and how far witnesses were carried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.model.core.records import CheckRow, Emit, FindingRecord, TopicRow, ignore
from lawspeaker.solver import running
from lawspeaker.solver.answers import Store, results_of
from lawspeaker.solver.frame import GameQuestions
from lawspeaker.solver.witnesses import packs as stored_packs

from . import audits, claims, policies, seen, wordings
from .topics import topics


def _results(store: Store, deep: bool) -> Iterator[tuple[FindingRecord | None, TopicRow]]:
    yield from claims.results(store, deep)
    yield from results_of(wordings.CLAIMS, claims.asked, store, deep)


QUESTIONS = GameQuestions(
    game="northmen",
    topics=topics,
    situations=seen.situations,
    policies=policies.policies,
    policy_for=policies.policy_for,
    besides=policies.besides,
    results=_results,
    store_positions=claims.store_positions,
    audits=audits.abstraction_rows,
    players=(2, 3, 4),
)


def run(emit: Emit = ignore, deep: bool = False) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Ask everything about Northmen; see ``solver.running.run``."""
    return running.run(QUESTIONS, emit, deep)


def refresh() -> None:
    """Ask every topic and heavy claim anew; see ``solver.running.refresh``."""
    running.refresh(QUESTIONS)


def packs() -> dict[str, dict[str, Any]]:
    """Return the packs of findings whose position needs its own, by finding id."""
    return {**claims.packs(), **stored_packs(QUESTIONS)}

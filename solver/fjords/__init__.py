"""What the solver asks about Fjords: topics, claims, reachability, and how far witnesses were carried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Picker
from lawspeaker.model.core.records import CheckRow, Emit, FindingRecord, TopicRow, ignore
from lawspeaker.solver import running
from lawspeaker.solver.frame import GameQuestions

from . import audits, claims, policies, seen
from .topics import topics


def _besides(game: AnyGame) -> Iterator[tuple[AnyGame, Picker]]:
    """Three tied rounds: a shared victory."""
    yield game, policies.farmless


QUESTIONS = GameQuestions(
    game="fjords",
    topics=topics,
    situations=seen.situations,
    policies=policies.policies,
    policy_for=policies.policy_for,
    besides=_besides,
    results=claims.results,
    store_positions=claims.store_positions,
    audits=audits.abstraction_rows,
)


def run(emit: Emit = ignore, deep: bool = False) -> tuple[list[FindingRecord], list[TopicRow], list[CheckRow]]:
    """Ask everything about Fjords; see ``solver.running.run``."""
    return running.run(QUESTIONS, emit, deep)


def refresh() -> None:
    """Ask every topic and heavy claim anew; see ``solver.running.refresh``."""
    running.refresh(QUESTIONS)


def packs() -> dict[str, dict[str, Any]]:
    """Return the packs of findings whose position needs its own, by finding id."""
    return claims.packs()

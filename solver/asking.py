"""What all claims share: asking z3 within limits, the least model, and the record of what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import z3

from lawspeaker.model.core.records import Carried, FindingRecord, TopicRow

RESOURCES = 60_000_000
"""Steps after which z3 gives up; its answer is then *unknown*, which is no proof."""


class GaveUp(Exception):  # the name says what happened
    """z3 came to no answer within its limit."""


@dataclass(frozen=True)
class Outcome:
    """What a claim's question came to.

    ``checked`` says in words how the model, the replay or the enumeration confirmed it; a claim that
    was not confirmed raises AssertionError before it gets here.
    """

    verdict: Literal["proven", "refuted", "witness"]
    said: str
    bounds: str
    checked: str
    situation: Mapping[str, Any] = field(default_factory=dict)
    position: Mapping[str, Any] | None = None
    pack: Mapping[str, Any] | None = None
    cases: int = 0


@dataclass(frozen=True)
class Claim:
    """A statement asked over a bounded structure; ``ask`` answers it, checks included."""

    id: str
    question: str
    core: tuple[str, ...]
    ask: Callable[[], Outcome]
    ruling: str = ""
    form: Literal["claim", "reachability"] = "claim"
    deep: bool = False


def solver(*terms: Any) -> Any:
    """Return a fresh solver with the limit and these terms."""
    made = z3.Solver()
    made.set("rlimit", RESOURCES)
    made.add(*terms)
    return made


def possible(asked: Any, *more: Any) -> bool:
    """Return whether the solver finds a model; raises GaveUp for *unknown*."""
    answer = asked.check(*more)
    if answer == z3.unknown:
        raise GaveUp(asked.reason_unknown())
    return bool(answer == z3.sat)


def least(asked: Any, terms: Sequence[Any], values: Iterable[int]) -> list[int]:
    """Return the least model: each term in turn takes the first value that leaves a model.

    So the witness does not depend on which model z3 happens to find.  The solver must have one.
    """
    found: list[int] = []
    order = tuple(values)
    for term in terms:
        value = next(v for v in order if possible(asked, term == v))
        asked.add(term == value)
        found.append(value)
    return found


def require(truth: bool, what: str) -> None:
    """Stop with AssertionError if a result was not confirmed; never left out by ``python -O``."""
    if not truth:
        raise AssertionError(f"a claim's result is not confirmed: {what}")


def records(claim: Claim, outcome: Outcome, game_id: str, prefix: str) -> tuple[FindingRecord, TopicRow]:
    """Return the finding and the row of a claim; *prefix* stands before the finding's id ("FD")."""
    carried: Carried = "position" if outcome.position else "situation" if outcome.situation else "none"
    finding = FindingRecord(
        game=game_id,
        id=f"{prefix}-C-{claim.id}",
        kind="refuted" if outcome.verdict == "refuted" else "proven",
        topic=claim.id,
        title=claim.question,
        core=claim.core,
        ruling=claim.ruling,
        situation=dict(outcome.situation),
        carried=carried,
        position=dict(outcome.position) if outcome.position else None,
        bounds=outcome.bounds,
        note=f"{outcome.said}; {outcome.checked}",
    )
    row = TopicRow(
        game=game_id,
        id=claim.id,
        question=claim.question,
        form=claim.form,
        verdict=outcome.verdict,
        said=outcome.said,
        situations=outcome.cases,
    )
    return finding, row


Answer = tuple[FindingRecord | None, TopicRow, Outcome | None]
"""What asking a claim gives: its finding, its row, its outcome (finding and outcome None: z3 gave up)."""


def answer(claim: Claim, game_id: str, prefix: str) -> Answer:
    """Ask a claim of a game; *prefix* stands before the finding's id.

    A claim whose answer is not confirmed raises AssertionError.
    """
    try:
        outcome = claim.ask()
    except GaveUp as error:
        said = f"z3 gave up: {error}"
        return None, TopicRow(game_id, claim.id, claim.question, claim.form, "unknown", said), None
    finding, row = records(claim, outcome, game_id, prefix)
    return finding, row, outcome

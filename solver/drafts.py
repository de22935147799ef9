"""Findings before they have a number, and how they become records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lawspeaker.model.core.formula_read import evaluate
from lawspeaker.model.core.formulas import Node, Value
from lawspeaker.model.core.records import FindingKind, FindingRecord

from .systems import system
from .topics import AN_ANSWER, AN_ANSWER_SAYS, Topic, answer_words


@dataclass(frozen=True)
class Draft:
    """A finding without its id.  ``query`` is true exactly in the situations that show it."""

    kind: FindingKind
    title: str
    core: tuple[str, ...]
    witness: Mapping[str, Value] | None = None
    query: Node | None = None
    ruling: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    note: str = ""


def finding(topic: Topic, draft: Draft, number: int) -> FindingRecord:
    """Return the record of a draft."""
    witness = draft.witness
    own = {clause.id: clause.text for clause in topic.clauses if clause.source == "ours"} | {AN_ANSWER: AN_ANSWER_SAYS}
    situation = {name: witness[name] for name in topic.situation} if witness is not None else {}
    proof = f"all situations of the topic ({topic.size} before assumptions), all choices of rulings"
    return FindingRecord(
        game=topic.game,
        id=f"{topic.prefix}-F-{topic.id}-{draft.kind}-{number}",
        kind=draft.kind,
        topic=topic.id,
        title=draft.title,
        core=tuple(one for one in draft.core if one not in own),
        ours=tuple(one for one in draft.core if one in own),
        ruling=draft.ruling,
        readings=dict(draft.readings),
        situation=situation,
        assumptions=draft.assumptions,
        carried="none" if witness is None else "situation",
        bounds=proof if witness is None else "",
        note=draft.note,
        texts={one: own[one] for one in draft.core if own.get(one)},
    )


def readings_of(topic: Topic, ruling: str, witness: Mapping[str, Value]) -> dict[str, str]:
    """What each value of a ruling says in the witness; the other rulings stay as in the witness."""
    if not ruling:
        return {}
    law = system(topic, "ruled")
    values = next(r.values for r in topic.rulings if r.id == ruling)
    said = {}
    for value in values:
        env = {**witness, ruling: value}
        said[value] = answer_words(topic, tuple(a for a in topic.answers if evaluate(law.holds(a), env)))
    return said


def assumption_ids(topic: Topic) -> tuple[str, ...]:
    """The assumptions that any witness of the topic satisfies."""
    return tuple(assumption.id for assumption in topic.assumptions)

"""The two analyses of a topic: the text taken literally, and under every choice of rulings.

Findings come out of questions to the solver only; nothing is listed by hand.  What stays open (a
gap or a conflict under some choice of rulings, a ruling that closes nothing) makes the row *open*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.formulas import Node, Value
from lawspeaker.model.core.records import FindingRecord, TopicRow
from lawspeaker.model.core.rulings import RulingBook

from . import literal, ruled
from .drafts import Draft, finding
from .monitors import findable
from .questions import ENUMERABLE, Asker, UnknownError, situations
from .topics import Topic


@dataclass(frozen=True)
class TopicReport:
    """A topic's row and its findings; ``open`` says in words what is not closed."""

    row: TopicRow
    findings: tuple[FindingRecord, ...]
    open: tuple[str, ...]
    questions: int = 0


def analyse(topic: Topic, book: RulingBook | None = None, *, cross_check: bool = False) -> TopicReport:
    """Analyse a topic literally and under every choice of its rulings.

    *book*, where given, has to know the topic's rulings with the same values (BadInput if not).
    With *cross_check* each question is also answered by enumeration where the domain has at most
    ``ENUMERABLE`` points, and RuntimeError is raised if that disagrees with z3.
    """
    if book is not None:
        _same_rulings(topic, book)
    key = ("report", cross_check)
    if key not in topic.cache:
        topic.cache[key] = _analyse(topic, Asker(topic, cross_check))
    report: TopicReport = topic.cache[key]
    return report


def _same_rulings(topic: Topic, book: RulingBook) -> None:
    for ruling in topic.rulings:
        if book[ruling.id].values != ruling.values:
            raise BadInput(f"{ruling.id} has other values in the book of rulings", where=f"topic {topic.id}")


def _analyse(topic: Topic, asker: Asker) -> TopicReport:
    drafts: list[Draft] = []
    still_open: list[str] = []
    unknown = ""
    try:
        drafts += literal.drafts(topic, asker)
        more, still_open = ruled.drafts(topic, asker, drafts)
        drafts += more
    except UnknownError as error:
        unknown = str(error)
    findings = _numbered(topic, drafts)
    count = sum(1 for _ in situations(topic)) if topic.size <= ENUMERABLE else 0
    row = TopicRow(
        game=topic.game,
        id=topic.id,
        question=topic.question,
        form="topic",
        verdict="unknown" if unknown else "open" if still_open else "closed",
        said=unknown or "; ".join(still_open) or _closed_words(topic, findings),
        situations=count,
    )
    return TopicReport(row, findings, tuple(still_open), asker.questions)


def _closed_words(topic: Topic, findings: tuple[FindingRecord, ...]) -> str:
    choices = len(topic.choices)
    return (
        f"exactly one answer under {'each of ' if choices > 1 else ''}{choices} choice{'s' * (choices > 1)} of rulings"
    )


def _numbered(topic: Topic, drafts: list[Draft]) -> tuple[FindingRecord, ...]:
    """Give each draft its id; the question behind each id is kept for ``is_witness``."""
    numbers: dict[str, int] = {}
    records = []
    queries: dict[str, Node] = topic.cache.setdefault("findings", {})
    for draft in drafts:
        numbers[draft.kind] = numbers.get(draft.kind, 0) + 1
        record = finding(topic, draft, numbers[draft.kind])
        if draft.query is not None:
            queries[record.id] = draft.query
        records.append(record)
    return tuple(records)


def is_witness(finding: FindingRecord, topic: Topic, situation: Mapping[str, Value]) -> bool:
    """Return whether a situation (of the finding's topic) shows this finding.

    False for findings that are proofs and have no witness.  Raises BadInput for a finding of
    another topic.
    """
    if finding.topic != topic.id:
        raise BadInput(f"finding {finding.id} is about topic {finding.topic}", where=f"topic {topic.id}")
    if "findings" not in topic.cache:
        analyse(topic)
    query = topic.cache["findings"].get(finding.id)
    return query is not None and findable(topic, finding.id, query, situation)

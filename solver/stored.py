"""Reports of topics kept in files, by the digest of all they depend on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import z3

from lawspeaker.model.core.canonical import digest
from lawspeaker.model.core.formulas import text
from lawspeaker.model.core.records import FindingRecord, TopicRow

from .analysis import TopicReport, analyse
from .topics import Topic, TopicClause

ANALYSIS = 1
"""Rises whenever the analysis itself would say something else of the same topic."""


class _Stored(msgspec.Struct, frozen=True):
    digest: str
    row: TopicRow
    findings: tuple[FindingRecord, ...]
    open: tuple[str, ...]
    questions: int


def topic_digest(topic: Topic) -> str:
    """Return the digest of everything that an analysis of the topic depends on, z3's version included."""
    content: dict[str, Any] = {
        "analysis": ANALYSIS,
        "z3": z3.get_version_string(),
        "topic": [topic.game, topic.id, topic.question, topic.form],
        "types": [[name, repr(kind)] for name, kind in topic.scope.variables.items()],
        "helpers": [[name, text(body)] for name, body in topic.scope.helpers.items()],
        "assumptions": [[a.id, text(a.formula), text(a.when), a.invariant] for a in topic.assumptions],
        "clauses": [_clause(clause) for clause in topic.clauses],
        "exceptions": [[e.special, e.general, e.why] for e in topic.exceptions],
        "rulings": [[ruling.id, ruling.question, list(ruling.values)] for ruling in topic.rulings],
    }
    return digest(content)


def _clause(clause: TopicClause) -> list[Any]:
    formulas = [text(clause.condition), text(clause.demand)]
    yields = [[each.to, text(each.when)] for each in clause.yields]
    return [clause.id, clause.mode, clause.source, clause.ruling, clause.text, formulas, yields]


def analyse_stored(topic: Topic, folder: Path) -> TopicReport:
    """Return the topic's report from *folder* if it is there and still true, else analyse and keep it.

    A file that cannot be read is as good as none; a report with unknowns is never kept.
    """
    path = folder / f"{topic.game or 'topics'}-{topic.id}.json"
    wanted = topic_digest(topic)
    try:
        stored = msgspec.json.decode(path.read_bytes(), type=_Stored)
    except (OSError, msgspec.MsgspecError):
        stored = None
    if stored is not None and stored.digest == wanted:
        return TopicReport(stored.row, stored.findings, stored.open, stored.questions)
    report = analyse(topic)
    if report.row.verdict != "unknown":
        folder.mkdir(parents=True, exist_ok=True)
        kept = _Stored(wanted, report.row, report.findings, report.open, report.questions)
        path.write_bytes(msgspec.json.encode(kept))
    return report

"""The summary and the findings as Markdown, for a repository or a mail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawspeaker.model.core.records import FindingRecord, Stamp

from .events import Collected, GameRecords
from .terminal import count_words, finding_words, verdict_words
from .totals import Totals, counts, topic_stands, totals_of


def summary(collected: Collected) -> str:
    """Return the totals of every game, what is not as expected, and what each was computed with."""
    lines = ["# Lawspeaker: results", ""]
    for records in collected:
        lines += _game(records, totals_of(records))
    if len(lines) == 2:
        lines.append("No game was checked.")
    return "\n".join(lines).rstrip() + "\n"


def _game(records: GameRecords, totals: Totals) -> Iterator[str]:
    yield f"## {_text(records.game)}: {verdict_words(totals)}"
    yield ""
    yield from (f"- {line}" for line in stamp_lines(records.stamp))
    yield ""
    yield "| | |"
    yield "|---|---|"
    for label, words in (
        ("clauses cited", str(totals.cited)),
        ("clauses exercised", str(totals.exercised)),
        ("clauses decisive", str(totals.decisive)),
        ("examples reproduced", str(totals.examples)),
        ("scenarios", count_words(totals.scenarios)),
        ("findings", finding_words(totals)),
        ("topics and claims", count_words(totals.topics)),
        ("checks", count_words(totals.checks)),
        ("conformance", count_words(totals.cases)),
        ("faults", count_words(totals.faults)),
    ):
        if words:
            yield f"| {label} | {_text(words)} |"
    yield ""
    if totals.problems:
        yield "### Not as expected"
        yield ""
        for problem in totals.problems:
            yield f"- **{_text(problem.id)}** ({_text(problem.job)}, {problem.verdict}): {_text(problem.reason)}"
        yield ""


def stamp_lines(stamp: Stamp | None) -> Iterator[str]:
    """Yield what results were computed with, line by line."""
    if stamp is None:
        yield "computed with: not said"
        return
    yield f"catalogue version {stamp.catalogue}" + (f", lawspeaker {stamp.version}" if stamp.version else "")
    yield f"pack {_text(stamp.pack)} ({stamp.pack_provenance}), {stamp.pack_digest}"
    yield f"seed {stamp.seed}"
    if stamp.rulings:
        yield "rulings: " + " ".join(f"{_text(name)}={_text(value)}" for name, value in stamp.rulings.items())


def findings(collected: Collected) -> str:
    """Return all findings with cores in words, readings, situation, bounds, and the topics' verdicts."""
    lines = ["# Findings", ""]
    for records in collected:
        words = {row.clause: row.text for row in records.clauses}
        lines += [f"## {_text(records.game)}", ""]
        for finding in records.findings:
            lines += _finding(finding, words)
        lines += list(_topics(records))
    return "\n".join(lines).rstrip() + "\n"


def _finding(finding: FindingRecord, words: Mapping[str, str]) -> Iterator[str]:
    yield f"### {_text(finding.id)}: {finding.kind}. {_text(finding.title)}"
    yield ""
    if not counts(finding):
        yield "*Not counted: no valid position shows it yet.*"
        yield ""
    words = {**words, **finding.texts}
    for clause in finding.core:
        ours = " (ours)" if clause in finding.ours else ""
        yield f"- {_text(clause)}{ours}: {_text(words.get(clause, 'no text'))}"
    for clause in finding.ours:
        if clause not in finding.core:
            yield f"- {_text(clause)} (ours): {_text(words.get(clause, 'no text'))}"
    if finding.ruling:
        yield f"- ruling {_text(finding.ruling)}"
    for name, reading in finding.readings.items():
        yield f"  - {_text(name)}: {_text(reading)}"
    if finding.situation:
        yield "- least situation: " + ", ".join(f"{_text(k)} = {_text(v)}" for k, v in finding.situation.items())
    yield f"- carried to: {finding.carried}"
    if finding.bounds:
        yield f"- bounds: {_text(finding.bounds)}"
    if finding.assumptions:
        yield f"- rests on: {_text(', '.join(finding.assumptions))}"
    if finding.note:
        yield f"- {_text(finding.note)}"
    yield ""


def _topics(records: GameRecords) -> Iterator[str]:
    if not records.topics:
        return
    yield "| topic or claim | question | verdict | |"
    yield "|---|---|---|---|"
    for topic in records.topics:
        said = topic.said or topic_stands(topic)
        yield f"| {_text(topic.id)} | {_text(topic.question)} | {topic.verdict} | {_text(said)} |"
    yield ""


def _text(value: object) -> str:
    """Return a value as one line in which nothing is Markdown by accident."""
    text = " ".join(str(value).split())
    for sign in "\\`*|<[":
        text = text.replace(sign, "\\" + sign)
    return text

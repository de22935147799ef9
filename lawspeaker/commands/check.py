"""Check a file of clauses, topics and examples alone, without any model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.formula_words import english
from lawspeaker.model.core.games import game_ids, room
from lawspeaker.model.core.records import FindingRecord, ScenarioResult
from lawspeaker.solver.analysis import TopicReport, analyse
from lawspeaker.solver.examples import run_example
from lawspeaker.solver.topic_files import load_topics, names_catalogue
from lawspeaker.solver.topics import Topic, TopicFile, situation_words

APPENDIX = ("overridden", "restates", "proven")
"""Kinds of findings that are no fault of the book; listed apart."""


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result records as JSON.")
@click.option("--cross-check", is_flag=True, help="Answer every question by enumeration as well.")
@click.option("--formulas", is_flag=True, help="Also print each clause's formula in words.")
def command(file: Path, as_json: bool, cross_check: bool, formulas: bool) -> None:
    """Check a FILE of clauses, topics and examples: conflicts, gaps, silences, readings.

    Exit code 0 if every topic is closed and every example holds, 1 if not, 2 for a file that
    cannot be used.
    """
    try:
        topics = _load(file)
        reports = [analyse(topic, cross_check=cross_check) for topic in topics.topics]
        examples = [run_example(example) for example in topics.examples]
    except BadInput as error:
        raise _usage(error) from None
    if as_json:
        click.echo(_json(topics, reports, examples))
    else:
        _show(Console(highlight=False), topics, reports, examples, formulas)
    closed = all(report.row.verdict == "closed" for report in reports)
    held = all(result.verdict == "pass" for result in examples)
    raise SystemExit(0 if closed and held else 1)


def _usage(error: BadInput) -> click.ClickException:
    """Wrong input as click shows it: one message and exit code 2."""
    return _WrongInput(str(error))


class _WrongInput(click.ClickException):
    exit_code = 2


def _load(file: Path) -> TopicFile:
    """Read the file; clauses that it does not bring come from the catalogue of its game."""
    game = names_catalogue(file)
    catalogue = room(game).catalogue if game in game_ids() else None
    return load_topics(file, catalogue)


def _json(topics: TopicFile, reports: list[TopicReport], examples: list[ScenarioResult]) -> str:
    plain: dict[str, Any] = {
        "format": "lawspeaker-check/1",
        "game": topics.game,
        "topics": [{**msgspec.to_builtins(report.row), "open": list(report.open)} for report in reports],
        "findings": [msgspec.to_builtins(record) for report in reports for record in report.findings],
        "examples": [msgspec.to_builtins(result) for result in examples],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False)


def _show(
    console: Console,
    topics: TopicFile,
    reports: list[TopicReport],
    examples: list[ScenarioResult],
    formulas: bool,
) -> None:
    console.print(f"[bold]{escape(topics.title)}[/bold]")
    console.print(_topic_table(reports))
    for topic, report in zip(topics.topics, reports, strict=True):
        if formulas:
            _show_formulas(console, topic)
        for record in report.findings:
            if record.kind not in APPENDIX:
                _show_finding(console, topics, record)
        _show_appendix(console, report)
    if examples:
        console.print(_example_table(examples))
    _show_summary(console, reports, examples)


def _topic_table(reports: list[TopicReport]) -> Table:
    table = Table("topic", "question", "verdict", "situations", "findings", "said")
    for report in reports:
        row = report.row
        faults = sum(1 for record in report.findings if record.kind not in APPENDIX)
        colour = "green" if row.verdict == "closed" else "red"
        cells = (row.id, row.question, "", str(row.situations or "many"), str(faults), row.said)
        shown = [escape(cell) for cell in cells]
        shown[2] = f"[{colour}]{row.verdict}[/{colour}]"
        table.add_row(*shown)
    return table


def _show_formulas(console: Console, topic: Topic) -> None:
    console.print(f"\n[bold]{escape(topic.question)}[/bold]")
    for clause in topic.clauses:
        words = f"{clause.id} ({clause.source}): if {english(clause.condition)}: {english(clause.demand)}"
        console.print(f"  {escape(words)}", soft_wrap=True)


def _show_finding(console: Console, topics: TopicFile, record: FindingRecord) -> None:
    console.print(f"\n[bold]{record.id}[/bold]  [yellow]{record.kind}[/yellow]  {escape(record.title)}", soft_wrap=True)
    topic = topics.topic(record.topic)
    words = {clause.id: clause.text for clause in topic.clauses}
    for one in (*record.core, *record.ours):
        said = words.get(one) or ("one of the answers is right" if one.startswith("ours:") else "")
        mark = " (ours)" if one in record.ours else ""
        console.print(f"  clause     {escape(one)}{mark}: {escape(said)}", soft_wrap=True)
    if record.carried != "none":
        console.print(f"  situation  {escape(situation_words(record.situation))}", soft_wrap=True)
    for value, answer in record.readings.items():
        console.print(f"  reading    {escape(f'{record.ruling}={value}')}: {escape(answer)}", soft_wrap=True)
    for label, text in (("rests on", ", ".join(record.assumptions)), ("bounds", record.bounds), ("note", record.note)):
        if text:
            console.print(f"  {label:<10} {escape(text)}", soft_wrap=True)


def _show_appendix(console: Console, report: TopicReport) -> None:
    for record in report.findings:
        if record.kind in APPENDIX:
            core = " + ".join((*record.core, *record.ours))
            note = f" ({record.note})" if record.note else ""
            line = f"{record.kind}: {record.title} [{core}]{note}"
            console.print(f"\n  [dim]{escape(line)}[/dim]", soft_wrap=True)


def _example_table(examples: list[ScenarioResult]) -> Table:
    table = Table("example", "title", "result", "said")
    for result in examples:
        colour = "green" if result.verdict == "pass" else "red"
        told = dict.fromkeys(_outcome_words(o.rulings, o.said) for o in result.outcomes if o.verdict == result.verdict)
        said = "; ".join(told) or "nothing could be checked: no valid situation agrees with what is given"
        table.add_row(escape(result.id), escape(result.title), f"[{colour}]{result.verdict}[/{colour}]", escape(said))
    return table


def _outcome_words(rulings: str, said: str) -> str:
    return f"{rulings}: {said}" if rulings else said


def _show_summary(console: Console, reports: list[TopicReport], examples: list[ScenarioResult]) -> None:
    closed = sum(1 for report in reports if report.row.verdict == "closed")
    held = sum(1 for result in examples if result.verdict == "pass")
    findings = sum(1 for report in reports for record in report.findings if record.kind not in APPENDIX)
    console.print(
        f"\n{closed} of {len(reports)} topics closed, {findings} findings, {held} of {len(examples)} examples hold"
    )

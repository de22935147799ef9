"""Conformance as Markdown, for a repository, a pull request or a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lawspeaker.model.core.records import CaseResult

from .conform_runs import (
    Run,
    Runs,
    Traces,
    blame_words,
    difference_lines,
    name_of,
    reading_words,
    run_lines,
    standing,
    visible,
)
from .terminal import count_words

_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#|!~&@]|^[-+=]|:(?=[/\w]))")


def conform_markdown(runs: Runs, traces: Traces | None = None) -> str:
    """Return the runs as a Markdown document; whatever a subject said stands in it as text."""
    lines = ["# Conformance", ""]
    for run in runs.all():
        lines += _run(run, traces or Traces())
    if len(lines) == 2:
        lines.append("Nothing was run.")
    return "\n".join(lines).rstrip() + "\n"


def _run(run: Run, traces: Traces) -> Iterator[str]:
    yield f"## {text(run.title)}: {text(_verdict(run))}"
    yield ""
    if run.end or run.stamp:
        yield from (f"- {text(line)}" for line in run_lines(run))
        yield ""
    yield "| layer | cases | not checked |"
    yield "|---|---|---|"
    for layer, cases in run.layers().items():
        counts: dict[str, int] = {}
        for case in cases:
            counts[standing(case)] = counts.get(standing(case), 0) + 1
        why = next((case.said for case in cases if case.verdict == "not applicable"), "")
        yield f"| {text(layer)} | {text(count_words(counts))} | {text(why)} |"
    yield ""
    for case in run.telling:
        yield from _case(run, case, traces)
    if run.end and run.end.fingerprint:
        yield "### Which readings it follows"
        yield ""
        yield from (f"- {text(line)}" for line in run.end.fingerprint)
        yield ""


def _verdict(run: Run) -> str:
    if run.problems:
        return f"{len(run.problems)} not as expected"
    return "as expected" if run.end is None or run.end.checked else "nothing could be checked"


def _case(run: Run, case: CaseResult, traces: Traces) -> Iterator[str]:
    yield f"### {text(standing(case))}: {text(name_of(case))}"
    yield ""
    yield from (f"{text(line)}\n" for line in (case.title, case.said) if line)
    if case.expected:
        yield f"Expected: {text(case.expected)}\n"
    if case.same_as:
        yield f"It failed in the same way as {text(case.same_as)}.\n"
    texts = run.end.texts if run.end else {}
    yield from (f"- clause **{text(c)}**: {text(texts.get(c, ''))}".removesuffix(": ") for c in case.clauses)
    yield from (f"- worked: {text(line)}" for line in case.worked)
    yield from (f"- {text(line)}" for line in difference_lines(case))
    for word, said in (("", reading_words(case)), ("blame: ", blame_words(case)), ("", case.unshrunk)):
        if said:
            yield f"- {word}{text(said)}"
    yield ""
    path = traces.of(run, case)
    if path:
        yield f"Trace of {case.actions} actions: {code(path)}\n"
    elif case.trace:
        yield from (fenced(case.trace), "")
    if case.repeat:
        yield from ("Repeat it:\n", fenced(case.repeat), "")


def text(words: str) -> str:
    """Return a text that means only itself in Markdown, on one line."""
    return _MARKUP.sub(r"\\\1", visible(words).replace("\n", " "))


def code(words: str) -> str:
    """Return a text as code within a line."""
    shown = visible(words).replace("\n", " ")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return f"{ticks} {shown} {ticks}" if "`" in shown else f"`{shown}`"


def fenced(words: str) -> str:
    """Return a text as a block of code that it cannot leave."""
    shown = visible(words).rstrip("\n")
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return f"{ticks}text\n{shown}\n{ticks}"

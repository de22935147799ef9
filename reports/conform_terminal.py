"""Conformance for the terminal: what is not as it should be, case by case, then a table of the layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lawspeaker.model.core.records import CaseResult

from .conform_runs import (
    Run,
    Runs,
    Traces,
    blame_words,
    difference_lines,
    name_of,
    reading_words,
    standing,
    visible,
)

_FAILED = ("fail", "error", "unexpected pass")
_DIFFERENCES, _WORKED, _ALIKE = 12, 8, 5


def show_runs(runs: Runs, console: Console, traces: Traces | None = None) -> None:
    """Print the runs; nothing that a subject said can steer the terminal or mark up the text."""
    every = runs.all()
    for run in every:
        if len(every) > 1:
            _say(console, f"{run.title}\n")
        _show(run, console, traces or Traces())


def _show(run: Run, console: Console, traces: Traces) -> None:
    alike: dict[str, list[str]] = {}
    for case in run.cases:
        if case.same_as:
            alike.setdefault(case.same_as, []).append(name_of(case))
    for case in run.telling:
        if not case.same_as:
            _say(console, "\n".join(case_lines(run, case, traces, alike.get(name_of(case), []))) + "\n")
    console.print(_table(run))
    if run.end is None:
        return
    for line in run.end.fingerprint:
        _say(console, line)
    if run.end.not_compared:
        _say(console, f"position fields not compared, as not reported: {', '.join(run.end.not_compared)}")
    subject = run.end.subject or "subject"
    against = f" against {run.end.reference}" if run.end.reference else ""
    _say(console, f"{subject}{against}: {run.end.checked} operations compared, {len(run.problems)} failures")


def _say(console: Console, words: str) -> None:
    console.print(visible(words), markup=False, highlight=False, soft_wrap=True, emoji=False)


def case_lines(run: Run, case: CaseResult, traces: Traces, alike: list[str]) -> Iterator[str]:
    """Yield all there is to say about one case, line by line; *alike* failed in the same way."""
    yield f"{standing(case)}: {name_of(case)}: {case.title}"
    yield f"  {case.said}"
    if case.expected:
        yield f"  expected: {case.expected}"
    texts = run.end.texts if run.end else {}
    yield from (f"  clause {clause}: {texts[clause]}" if texts.get(clause) else f"  clause {clause}"
                for clause in case.clauses)  # fmt: skip
    differences = list(difference_lines(case))
    yield from (f"  {line}" for line in differences[:_DIFFERENCES])
    if len(differences) > _DIFFERENCES:
        yield f"  and {len(differences) - _DIFFERENCES} lines more of what differs"
    yield from (f"  {words}" for words in case.worked[:_WORKED])
    yield from (f"  {words}" for words in (reading_words(case),) if words)
    yield from (f"  blame: {words}" for words in (blame_words(case),) if words)
    path = traces.of(run, case)
    if path:
        yield f"  trace: {path}"
    elif case.trace:
        yield from ("", *(f"    {line}" for line in case.trace.rstrip().splitlines()), "")
    yield from (f"  {words}" for words in (case.unshrunk,) if words)
    if alike:
        more = f" and {len(alike) - _ALIKE} more" if len(alike) > _ALIKE else ""
        yield f"  {len(alike)} more failed in the same way: {', '.join(alike[:_ALIKE])}{more}"
    if case.repeat:
        yield f"  repeat: {case.repeat}"


def _table(run: Run) -> Table:
    columns = ("layer", "pass", "fail", "another reading", "expected failure", "no answer", "not applicable")
    table = Table(*columns, box=None)
    for layer, cases in run.layers().items():
        counts: Counter[str] = Counter(case.verdict for case in cases)
        failed = sum(counts[verdict] for verdict in _FAILED)
        rest = [failed, counts["another reading"], counts["expected failure"], counts["no answer"]]
        why = next((case.said for case in cases if case.verdict == "not applicable"), "")
        skipped = counts["not applicable"]
        shown = f"{skipped}: {why}" if skipped else "."
        table.add_row(escape(layer), str(counts["pass"]), *(str(n or ".") for n in rest), escape(visible(shown)))
    return table

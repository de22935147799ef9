"""The terminal: progress while working (on stderr), and a short table at the end (on stdout)."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn
from rich.table import Table

from lawspeaker.model.core import records

from .events import Collected
from .totals import Problem, Totals, totals_of

SHOWN = 30
"""How many problems of one game are listed; the rest is counted."""


class TerminalProgress:
    """A listener that shows how far each job is; where stderr is no terminal, one line a job.

    Used as a context manager round the work.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._tasks: dict[tuple[str, str], TaskID] = {}
        self._progress: Progress | None = None
        if self._console.is_terminal:
            self._progress = Progress(
                SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=30),
                MofNCompleteColumn(), TextColumn("{task.fields[label]}"), console=self._console, transient=True,
            )  # fmt: skip

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, event: records.Event) -> None:
        """Show one event."""
        match event:
            case records.Started():
                self._start(event)
            case records.Progress():
                self._advance(event)
            case records.Finished():
                self._finish(event)
            case _:
                pass

    def _start(self, event: records.Started) -> None:
        if self._progress is not None:
            name = escape(f"{event.game} {event.job}")
            total = event.total or None
            self._tasks[event.game, event.job] = self._progress.add_task(name, total=total, label="")

    def _advance(self, event: records.Progress) -> None:
        task = self._tasks.get((event.game, event.job))
        if self._progress is not None and task is not None:
            self._progress.update(task, completed=event.done, label=escape(event.label))

    def _finish(self, event: records.Finished) -> None:
        task = self._tasks.pop((event.game, event.job), None)
        if self._progress is not None and task is not None:
            self._progress.remove_task(task)
        said = f": {event.said}" if event.said else ""
        self._console.print(f"{event.game} {event.job}{said}", markup=False, highlight=False, soft_wrap=True)


def show_totals(collected: Collected, console: Console | None = None) -> None:
    """Print the final table, and below it what is not as expected with one line of reason each."""
    console = console or Console()
    every = [totals_of(game) for game in collected]
    if not every:
        console.print("No game was checked.")
        return
    console.print(totals_table(every))
    for totals in every:
        for line in problem_lines(totals):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def totals_table(every: list[Totals]) -> Table:
    """Return the final table: one column a game."""
    table = Table(title=None, show_edge=False, pad_edge=False)
    table.add_column("", style="bold")
    for totals in every:
        table.add_column(totals.game)
    for label, cells in _rows(every):
        if any(cells):
            table.add_row(label, *cells)
    table.add_section()
    table.add_row("verdict", *[verdict_words(t, marked=True) for t in every])
    return table


def _rows(every: list[Totals]) -> list[tuple[str, list[str]]]:
    return [
        ("clauses cited", [str(t.cited) for t in every]),
        ("clauses exercised", [str(t.exercised) for t in every]),
        ("clauses decisive", [str(t.decisive) for t in every]),
        ("examples reproduced", [str(t.examples) if t.examples.of else "none in the book" for t in every]),
        ("scenarios", [count_words(t.scenarios) for t in every]),
        ("findings", [finding_words(t) for t in every]),
        ("topics and claims", [count_words(t.topics) for t in every]),
        ("checks", [count_words(t.checks) for t in every]),
        ("conformance", [count_words(t.cases) for t in every]),
        ("faults", [count_words(t.faults) for t in every]),
    ]


def count_words(counts: Mapping[str, int]) -> str:
    """Return counts as text: ``12 pass, 1 fail``, the greatest first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {word}" for word, count in ordered)


def finding_words(totals: Totals) -> str:
    """Return the findings by kind, those without a position apart."""
    words = count_words(totals.findings)
    if totals.unplaced:
        extra = f"{totals.unplaced} not counted: no position"
        return f"{words} ({extra})" if words else extra
    return words


def verdict_words(totals: Totals, *, marked: bool = False) -> str:
    """Return the verdict on a game, with rich's colours if *marked*."""
    if totals.ok:
        return "[green]as expected[/]" if marked else "as expected"
    text = f"{len(totals.problems)} not as expected"
    return f"[red]{text}[/]" if marked else text


def problem_lines(totals: Totals) -> list[str]:
    """Return the problems of a game, a line each; after SHOWN of them only their number."""
    lines = [_problem_line(totals.game, problem) for problem in totals.problems[:SHOWN]]
    more = len(totals.problems) - SHOWN
    return [*lines, f"{totals.game}: and {more} more"] if more > 0 else lines


def _problem_line(game: str, problem: Problem) -> str:
    clauses = f" [{', '.join(problem.clauses)}]" if problem.clauses and problem.clauses != (problem.id,) else ""
    return f"{game} {problem.job} {problem.id}: {problem.verdict}: {problem.reason}{clauses}"

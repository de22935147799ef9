"""Where the results of `conform` go: one event stream, and a file for each format that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from lawspeaker import __version__
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.report import Report
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, room
from lawspeaker.model.core.records import CaseResult, Conformed, Emit, Event
from lawspeaker.reports.conform_html import conform_html
from lawspeaker.reports.conform_junit import conform_junit
from lawspeaker.reports.conform_markdown import conform_markdown
from lawspeaker.reports.conform_runs import Runs, Traces, cleaned, trace_files
from lawspeaker.reports.conform_sarif import conform_sarif
from lawspeaker.reports.events import Bus, ReportWriter
from lawspeaker.reports.files import write_whole

FORMAT = "lawspeaker-conformance/2"

_FILES = {
    "json": "the whole report as JSON, for `lawspeaker diff`",
    "html": "a page",
    "markdown": "Markdown",
    "junit": "JUnit XML",
    "sarif": "SARIF 2.1.0, for code scanning",
    "jsonl": "the events as JSON lines, as they come",
}


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name the files to write."""
    command = click.option(
        "--traces", metavar="FOLDER", help="Write the trace of each failure to a file in this folder; default: none."
    )(command)
    for name, said in reversed(_FILES.items()):
        command = click.option(f"--{name}", f"{name}_path", metavar="FILE", help=f"Write {said}.")(command)
    return command


class Output:
    """The files of one invocation, and the events they are made of."""

    def __init__(self, options: dict[str, Any], argv: Sequence[str]) -> None:
        self.paths = {name: options[f"{name}_path"] for name in _FILES if options[f"{name}_path"]}
        self.folder: str = options["traces"] or ""
        self.argv = argv
        self.runs = Runs()
        self.bus = Bus()
        self.traces = Traces()

    def refuse_wrong_paths(self) -> None:
        """Raise BadInput before anything is run where a file could not be written, or two would be one."""
        seen: dict[Path, str] = {}
        for name, path in self.paths.items():
            place = Path(path).resolve()
            if not place.parent.is_dir():
                raise BadInput("its folder does not exist", where=path)
            if place.is_dir():
                raise BadInput("is a folder", where=path, hint=f"--{name} takes a file")
            if place in seen:
                raise BadInput(f"is named by --{seen[place]} and --{name}", where=path, hint="name two files")
            seen[place] = name
        if self.folder and Path(self.folder).exists() and not Path(self.folder).is_dir():
            raise BadInput("is no folder", where=self.folder, hint="--traces takes a folder")

    def listen(self, stack: ExitStack, *others: Emit) -> Emit:
        """Let everybody who writes hear the events until *stack* is left; return whom to tell them."""
        self.bus.add(self.runs)
        for other in others:
            self.bus.add(other)
        if "jsonl" in self.paths:
            writer = stack.enter_context(ReportWriter(Path(self.paths["jsonl"]), version=__version__))
            self.bus.add(_Clean(writer))
        return self.bus.emit

    def write(self, reports: Sequence[Report], stale: Sequence[CaseResult]) -> None:
        """Write the files that are made when all is known; raises BadInput where one cannot be."""
        every = self.runs.all()
        self.traces = Traces(self.folder.rstrip("/") or self.folder, trace_files(every)) if self.folder else Traces()
        for run in every:
            for case in run.cases:
                name = self.traces.of(run, case)
                if name:
                    write_whole(Path(name), case.trace)
        makers: dict[str, Callable[[], str]] = {
            "html": lambda: conform_html(self.runs, self.traces, version=__version__),
            "markdown": lambda: conform_markdown(self.runs, self.traces),
            "junit": lambda: conform_junit(self.runs, self.traces),
            "sarif": lambda: conform_sarif(self.runs, self.traces, place=_place(self.argv), version=__version__),
            "json": lambda: as_json(reports, stale),
        }
        for name, make in makers.items():
            if name in self.paths:
                write_whole(Path(self.paths[name]), make())

    def complain(self) -> bool:
        """Say which writers failed; whether there were any."""
        for failure in self.bus.failures:
            click.echo(f"lawspeaker: a report failed ({failure.listener}): {failure.error}", err=True)
        return bool(self.bus.failures)


class _Clean:
    """Hands events on without characters that no file can hold."""

    def __init__(self, listener: Emit) -> None:
        self.listener = listener

    def __call__(self, event: Event) -> None:
        self.listener(cleaned(event))


def _place(argv: Sequence[str]) -> str:
    """Return the file of the repository that the program is in, as far as its command line tells."""
    for word in argv:
        path = Path(word)
        if not path.is_absolute() and ".." not in path.parts and path.is_file():
            return path.as_posix()
    return "conformance"


def as_json(reports: Sequence[Report], stale: Sequence[CaseResult] = ()) -> str:
    """Return the whole of an invocation as one JSON document (`lawspeaker-conformance/2`)."""
    plain: dict[str, Any] = {"format": FORMAT, "reports": list(reports)}
    if stale:
        plain["stale"] = list(stale)
    return m.encode(cleaned(plain)).decode() + "\n"


def ended(report: Report) -> Conformed:
    """Return the event that ends a run."""
    named = {clause for case in report.cases for clause in case.clauses}
    game = report.stamp.game
    known = room(game).catalogue if game in game_ids() else None
    texts = {clause: known[clause].text for clause in sorted(named) if known and clause in known}
    return Conformed(
        game, report.players, report.subject, report.level, report.mode, report.checked, report.calls, report.starts,
        report.reference, report.not_compared, _fingerprint(report), report.never_asked, texts,
    )  # fmt: skip


def _fingerprint(report: Report) -> tuple[str, ...]:
    """Return what is worth saying of the fingerprint: choices that were not told, and how many were."""
    lines = [
        row.words
        for row in report.fingerprint
        if row.fits != (row.told,) and not (row.echoed and len(row.fits) > 1)
    ]
    agreed = sum(row.echoed and len(row.fits) > 1 for row in report.fingerprint)
    if agreed:
        lines.append(f"{agreed} rulings: it was told what to follow and agreed; nothing that it did speaks against it")
    return tuple(lines)

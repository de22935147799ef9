"""The one event stream: a bus, a listener that collects, and report files (JSON lines).

A report file starts with a header line and ends with a footer line that counts the events and holds
their digest.  A file without footer is an unfinished run: its events are real, but nothing may be
concluded from what is missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import (
    CaseResult,
    CheckRow,
    ClauseRow,
    Conformed,
    Emit,
    Event,
    FaultRow,
    FindingRecord,
    Finished,
    Progress,
    ScenarioResult,
    Stamp,
    Stamped,
    Started,
    TopicRow,
)

FORMAT = "lawspeaker-report/1"


class ListenerFailure(msgspec.Struct, frozen=True):
    """A listener that raised: its name, the event it was given, and the error."""

    listener: str
    event: Event
    error: Exception


class Bus:
    """Hands each event to every listener; one that fails is remembered and does not stop the others."""

    def __init__(self, *listeners: Emit) -> None:
        self._listeners = list(listeners)
        self.failures: list[ListenerFailure] = []

    def add(self, listener: Emit) -> None:
        """Let *listener* hear every event from now on."""
        self._listeners.append(listener)

    def emit(self, event: Event) -> None:
        """Hand *event* to every listener, in the order in which they were added."""
        for listener in self._listeners:
            try:
                listener(event)
            except Exception as error:  # a broken report must not cost the results of the others
                name = getattr(listener, "__qualname__", type(listener).__name__)
                self.failures.append(ListenerFailure(name, event, error))

    __call__ = emit


class GameRecords:
    """All that was said about one game, in the order of arrival."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.stamps: list[Stamp] = []
        self.clauses: list[ClauseRow] = []
        self.scenarios: list[ScenarioResult] = []
        self.findings: list[FindingRecord] = []
        self.topics: list[TopicRow] = []
        self.checks: list[CheckRow] = []
        self.cases: list[CaseResult] = []
        self.faults: list[FaultRow] = []
        self.started: list[str] = []
        self.finished: dict[str, str] = {}

    @property
    def stamp(self) -> Stamp | None:
        """The first stamp: what the run was made with (later ones differ in rulings or pack)."""
        return self.stamps[0] if self.stamps else None

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The jobs that began and never ended."""
        return tuple(job for job in self.started if job not in self.finished)

    def take(self, event: Event) -> None:
        """Sort *event* into its list."""
        match event:
            case Stamped():
                if event.stamp not in self.stamps:
                    self.stamps.append(event.stamp)
            case Started():
                if event.job not in self.started:
                    self.started.append(event.job)
                self.finished.pop(event.job, None)
            case Finished():
                self.finished[event.job] = event.said
            case Progress() | Conformed():
                pass
            case ClauseRow():
                _take_clause(self.clauses, event)
            case ScenarioResult():
                self.scenarios.append(event)
            case FindingRecord():
                self.findings.append(event)
            case TopicRow():
                self.topics.append(event)
            case CheckRow():
                self.checks.append(event)
            case CaseResult():
                self.cases.append(event)
            case FaultRow():
                self.faults.append(event)


def _take_clause(rows: list[ClauseRow], row: ClauseRow) -> None:
    """Keep the newest row of a clause, in the place of the first."""
    for n, old in enumerate(rows):
        if old.clause == row.clause:
            rows[n] = row
            return
    rows.append(row)


class Collected:
    """A listener that gathers the records of each game; all pages and tables are made from it."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.games: dict[str, GameRecords] = {}
        for event in events:
            self(event)

    def __call__(self, event: Event) -> None:
        """Take one event."""
        self.game(event.stamp.game if isinstance(event, Stamped) else event.game).take(event)

    def __iter__(self) -> Iterator[GameRecords]:
        return iter(self.games.values())

    def game(self, name: str) -> GameRecords:
        """Return the records of a game, empty ones if nothing was said about it yet."""
        return self.games.setdefault(name, GameRecords(name))


class ReportWriter:
    """A listener that writes each event to a report file at once, and the footer when closed in order.

    Used as a context manager; when left by an error the footer stays out, so that the file says of
    itself that the run did not finish.  Progress is not written: it is of no use later and would make
    the file depend on timing.  Raises BadInput where the file cannot be written.
    """

    def __init__(self, path: Path, *, version: str = "") -> None:
        self.path = path
        self._count = 0
        self._hash = hashlib.sha256()
        self._file: TextIO = _opened(path)
        self._line(json.dumps({"format": FORMAT, "version": version}))

    def __call__(self, event: Event) -> None:
        """Write one event."""
        if isinstance(event, Progress):
            return
        line = msgspec.json.encode(event).decode()
        self._hash.update(line.encode() + b"\n")
        self._count += 1
        self._line(line)

    def _line(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()

    def close(self, *, finished: bool = True) -> None:
        """Close the file, with the footer if the run *finished*."""
        if self._file.closed:
            return
        if finished:
            footer = {"events": self._count, "digest": "sha256:" + self._hash.hexdigest()}
            self._line(json.dumps({"footer": footer}))
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(finished=kind is None)


def _opened(path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(path)) from None


class Report(msgspec.Struct, frozen=True):
    """A report file read back; ``finished`` is false where the run was cut off."""

    version: str
    events: tuple[Event, ...]
    finished: bool

    def collected(self) -> Collected:
        """Return the records of the file, by game."""
        return Collected(self.events)


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: str


class _FooterBody(msgspec.Struct, forbid_unknown_fields=True):
    events: int
    digest: str


class _Footer(msgspec.Struct, forbid_unknown_fields=True):
    footer: _FooterBody


_KINDS: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        Started, Progress, Finished, Stamped, ClauseRow, ScenarioResult, FindingRecord, TopicRow,
        CheckRow, CaseResult, FaultRow, Conformed,
    )
}  # fmt: skip


def read_report(path: Path) -> Report:
    """Read a report file strictly.

    Raises BadInput with the line of the mistake: unknown format, a line that is no event, an unknown
    field, anything after the footer, or a footer that does not fit the events before it.
    """
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read: {error}", where=str(path)) from None
    lines = content.split("\n")
    torn = lines.pop() != ""  # a run killed while writing leaves half a line, and no footer
    if not lines:
        raise BadInput("is no report", where=str(path), hint=f"its first line names the format {FORMAT}")
    header = _header(lines[0], path)
    events: list[Event] = []
    hashed = hashlib.sha256()
    for number, line in enumerate(lines[1:], 2):
        where = f"{path} line {number}"
        if line.startswith('{"footer"'):
            _check_footer(line, len(events), hashed.hexdigest(), where)
            if number != len(lines) or torn:
                raise BadInput("something follows the footer", where=where)
            return Report(header.version, tuple(events), finished=True)
        events.append(_event(line, where))
        hashed.update(line.encode() + b"\n")
    return Report(header.version, tuple(events), finished=False)


def _header(line: str, path: Path) -> _Header:
    where = f"{path} line 1"
    try:
        header = msgspec.json.decode(line, type=_Header)
    except msgspec.MsgspecError as error:
        raise BadInput(f"no report header: {error}", where=where, hint=f"the format is {FORMAT}") from None
    if header.format != FORMAT:
        raise BadInput(f"unknown format {header.format!r}", where=where, hint=f"this version reads {FORMAT}")
    return header


def _event(line: str, where: str) -> Event:
    try:
        raw: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
        kind = _KINDS[str(raw.get("type"))]
        event: Event = msgspec.json.decode(line, type=kind)  # type: ignore[assignment]
    except KeyError:
        hint = f"known are {', '.join(_KINDS)}"
        raise BadInput(f"unknown event {raw.get('type')!r}", where=where, hint=hint) from None
    except msgspec.MsgspecError as error:
        raise BadInput(f"no event: {error}", where=where) from None
    unknown = sorted(set(raw) - set(kind.__struct_fields__) - {"type"})
    if unknown:
        raise BadInput(f"unknown fields {', '.join(unknown)}", where=where)
    return event


def _check_footer(line: str, count: int, digest: str, where: str) -> None:
    try:
        footer = msgspec.json.decode(line, type=_Footer).footer
    except msgspec.MsgspecError as error:
        raise BadInput(f"no footer: {error}", where=where) from None
    if footer.events != count:
        raise BadInput(f"the footer counts {footer.events} events, the file has {count}", where=where)
    if footer.digest != f"sha256:{digest}":
        raise BadInput("the events are not those that the footer was made for", where=where)

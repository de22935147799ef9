"""The one event stream of `conform` by runs, and the words that all of its writers share.

A subject may say anything, so texts of its cases are shown with control characters as escapes; what each
format needs beside that (markup, markdown) is the writer's own business.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from lawspeaker.model.core.records import (
    GREEN,
    CaseResult,
    Conformed,
    Difference,
    Event,
    Finished,
    Stamp,
    Stamped,
    Started,
)

T = TypeVar("T")

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ANSWERS = {
    "timeout": "timeout", "total": "timeout", "crash": "crash", "half_line": "crash", "given_up": "crash",
    "not run": "not run",
}  # fmt: skip
_LONGEST = 300
"""Characters of one value in a line for people; the JSON lines have all of it."""
_LISTED = 20


class Run(msgspec.Struct):
    """One run of the referee, with so many players; ``end`` is None where it did not come to its end."""

    game: str
    stamp: Stamp | None = None
    cases: list[CaseResult] = []
    end: Conformed | None = None

    @property
    def players(self) -> int:
        """How many played, 0 where it is not known."""
        return self.end.players if self.end else 0

    @property
    def title(self) -> str:
        """What stands above the run."""
        return f"{self.game}, {self.players} players" if self.players else self.game

    @property
    def problems(self) -> list[CaseResult]:
        """The cases that are not as expected."""
        return [case for case in self.cases if case.verdict not in GREEN]

    @property
    def telling(self) -> list[CaseResult]:
        """The cases that a reader wants to see whole: all but those that passed or did not apply."""
        return [case for case in self.cases if case.verdict not in ("pass", "not applicable")]

    @property
    def counts(self) -> dict[str, int]:
        """How many cases have each verdict, by its name."""
        return dict(sorted(Counter(case.verdict for case in self.cases).items()))

    def layers(self) -> dict[str, list[CaseResult]]:
        """Return the cases by layer, in the order of arrival."""
        found: dict[str, list[CaseResult]] = {}
        for case in self.cases:
            found.setdefault(case.layer, []).append(case)
        return found


class Runs:
    """A listener that sorts the events of `conform` into its runs; every writer renders from it."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.runs: list[Run] = []
        self.late: list[CaseResult] = []
        for event in events:
            self(event)

    def __call__(self, event: Event) -> None:
        """Take one event; a case that comes when no run is open is one of the whole invocation."""
        match cleaned(event):
            case Started(job="conform", game=game):
                self.runs.append(Run(game))
            case Stamped(stamp=stamp) if self._open:
                self.runs[-1].stamp = stamp
            case CaseResult() as case:
                (self.runs[-1].cases if self._open else self.late).append(case)
            case Conformed() as end if self._open:
                self.runs[-1].end = end
            case Finished() | _:
                pass

    @property
    def _open(self) -> bool:
        return bool(self.runs) and self.runs[-1].end is None

    def all(self) -> list[Run]:
        """Return the runs, and what concerns them all as a last one."""
        whole = [Run(self.late[0].game, cases=list(self.late))] if self.late else []
        return [*self.runs, *whole]


def cleaned(value: T) -> T:
    """Return plain values or records with lone surrogates, which no file can hold, as escapes."""
    found: Any = value
    if isinstance(value, str):
        found = _SURROGATE.sub(_escape, value) if _SURROGATE.search(value) else value
    elif isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        found = msgspec.structs.replace(value, **{name: cleaned(part) for name, part in fields.items()})
    elif isinstance(value, (tuple, list)):
        found = type(value)(cleaned(part) for part in value)
    elif isinstance(value, dict):
        found = {cleaned(key): cleaned(part) for key, part in value.items()}
    return found  # type: ignore[no-any-return]  # each branch keeps the type


def visible(text: str) -> str:
    """Return a text with control characters, and those that turn the direction of writing, as escapes."""
    return _CONTROL.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def name_of(case: CaseResult) -> str:
    """Return ``LAYER/ID``."""
    return f"{case.layer}/{case.id}"


def standing(case: CaseResult) -> str:
    """Return the verdict in words; of no answer also how it failed: timeout, crash, protocol error, not run."""
    if case.verdict != "no answer":
        return case.verdict
    return f"no answer ({answer_kind(case)})"


def answer_kind(case: CaseResult) -> str:
    """Return in which way a case got no answer."""
    return _ANSWERS.get(case.said.partition(":")[0], "protocol error")


def difference_lines(case: CaseResult) -> Iterator[str]:
    """Yield the differences in both directions: what each side has and the other has not."""
    for found in case.differences:
        if found.only_reference or found.only_subject:
            yield f"{found.path}: only the reference has {_listed(found.only_reference)}"
            yield f"{found.path}: only the subject has {_listed(found.only_subject)}"
        else:
            yield f"{found.path}: the reference has {plain(found.reference)}"
            yield f"{found.path}: the subject has {plain(found.subject)}"


def sides(found: Difference) -> tuple[str, str]:
    """Return what the reference and the subject have, as two texts."""
    if found.only_reference or found.only_subject:
        return f"only here: {_listed(found.only_reference)}", f"only here: {_listed(found.only_subject)}"
    return plain(found.reference), plain(found.subject)


def _listed(texts: tuple[str, ...]) -> str:
    more = f" and {len(texts) - _LISTED} more" if len(texts) > _LISTED else ""
    return ", ".join(map(plain, texts[:_LISTED])) + more if texts else "nothing"


def plain(value: Any) -> str:
    """Return any plain value on one line, cut where it is very long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    text = visible(text).replace("\n", "\\n")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"


def blame_words(case: CaseResult) -> str:
    """Return whose fault it is and on what that rests; empty where nobody is blamed."""
    return case.blame + (f": {case.evidence}" if case.evidence else "") if case.blame else ""


def reading_words(case: CaseResult) -> str:
    """Return whether another reading of the book explains a difference; empty where there is none."""
    if case.explained_by:
        return f"right under another reading: {case.explained_by}"
    if case.verdict in ("fail", "expected failure") and case.differences:
        return "no other reading of the book is known to explain it"
    return ""


def trace_files(runs: Iterable[Run]) -> dict[tuple[int, str], str]:
    """Return a file name for each trace, by number of players and ``LAYER/ID``; no two are alike.

    Names are made of letters, digits, ``-`` and ``_`` only, whatever the case is called.
    """
    found: dict[tuple[int, str], str] = {}
    taken: set[str] = set()
    for run in runs:
        for case in run.cases:
            key = (run.players, name_of(case))
            if not case.trace or key in found:
                continue
            stem = re.sub(r"[^A-Za-z0-9_-]+", "-", f"{run.players}p-{name_of(case)}")[:100]
            name, n = f"{stem}.trace", 1
            while name.lower() in taken:
                n += 1
                name = f"{stem}-{n}.trace"
            taken.add(name.lower())
            found[key] = name
    return found


class Traces(msgspec.Struct, frozen=True):
    """Where the traces of a report lie, as it names them: a folder ("" where none are written), and file names."""

    folder: str = ""
    files: dict[tuple[int, str], str] = {}

    def of(self, run: Run, case: CaseResult) -> str:
        """Return the path of a case's trace; empty where it has none."""
        name = self.files.get((run.players, name_of(case)), "") if case.trace else ""
        return f"{self.folder}/{name}" if name and self.folder else name


def run_lines(run: Run) -> Iterator[str]:
    """Yield what a run was made with and how much it compared, line by line."""
    stamp, end = run.stamp, run.end
    if stamp is not None:
        rulings = " ".join(f"{name}={value}" for name, value in stamp.rulings.items()) or "none"
        yield f"catalogue version {stamp.catalogue}, pack {stamp.pack} ({stamp.pack_provenance}), {stamp.pack_digest}"
        yield f"seed {stamp.seed}, rulings {rulings}"
    if end is None:
        yield "the run did not come to its end"
        return
    against = f" against {end.reference}" if end.reference else ""
    yield f"{end.subject or 'subject'}{against}, level {end.level}, chance {end.mode}"
    yield f"{end.checked} operations compared, {end.calls} messages, started {end.starts} times"
    if end.not_compared:
        yield f"position fields not compared, as not reported: {', '.join(end.not_compared)}"
    if end.never_asked:
        yield f"clauses about which it was never asked: {', '.join(end.never_asked)}"

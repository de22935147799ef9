"""Failures that are expected: a file says which, each with its reason, and nothing in it may be stale.

    format: lawspeaker-expected/1
    failures:
      - case: scenarios/FD-*
        players: [2]
        reason: the end of a round is not built yet
        issue: https://example.org/issues/12

``case`` is ``LAYER/ID``; ``*``, ``?`` and ``[...]`` are patterns.  Every case that an entry matches has to fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import convert, parse_yaml, read_text
from lawspeaker.model.core.records import CaseResult

_EXCUSED = ("fail", "no answer", "error")
_OURS = ("harness", "reference")
"""What these did wrong says nothing about the subject, so it is no failure that could be expected of it."""
NOT_RUN = "not run:"
"""How a case that was never begun says so."""


def as_it_is(case: CaseResult) -> CaseResult:
    """Return a case as it is: nothing is expected to fail."""
    return case


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One expected failure; without ``players`` it holds with any number of them."""

    case: str
    reason: str
    players: tuple[int, ...] = ()
    issue: str = ""

    @property
    def why(self) -> str:
        """The reason, with the issue where one is named."""
        return self.reason + (f" ({self.issue})" if self.issue else "")

    def fits(self, case: CaseResult, players: int) -> bool:
        """Whether the entry is about a case."""
        return (not self.players or players in self.players) and fnmatchcase(f"{case.layer}/{case.id}", self.case)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["lawspeaker-expected/1"]
    failures: tuple[Entry, ...]


def read_expected(path: Path) -> tuple[Entry, ...]:
    """Read a file of expected failures; raises BadInput with the place of the mistake, as for a lacking reason."""
    entries = convert(parse_yaml(read_text(path), str(path)), _File, str(path)).failures
    seen: set[tuple[str, tuple[int, ...]]] = set()
    for n, entry in enumerate(entries):
        where = f"{path} $.failures[{n}]"
        if not entry.reason.strip():
            raise BadInput(f"{entry.case!r} has an empty reason", where=where, hint="say why this failure is expected")
        layer, slash, name = entry.case.partition("/")
        if not (layer and slash and name):
            raise BadInput(f"{entry.case!r} is no case", where=where, hint="write LAYER/ID, as the report has it")
        if (entry.case, entry.players) in seen:
            raise BadInput(f"{entry.case!r} stands twice", where=where)
        seen.add((entry.case, entry.players))
    return entries


class Expected:
    """The expected failures of one invocation, and what became of each of them."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.entries = tuple(entries)
        self._failed: set[int] = set()
        self._others: dict[int, list[str]] = {}

    def judge(self, case: CaseResult, players: int) -> CaseResult:
        """Return a case as it stands with what is expected: a failure excused, or a pass that is none.

        What never ran stays as it is, and so does what is the harness's or the reference's own fault.
        """
        if case.verdict == "not applicable" or case.said.startswith(NOT_RUN) or case.blame in _OURS:
            return case
        found = [n for n, entry in enumerate(self.entries) if entry.fits(case, players)]
        if not found:
            return case
        why = self.entries[found[0]].why
        if case.verdict in _EXCUSED:
            self._failed.update(found)
            return msgspec.structs.replace(case, verdict="expected failure", expected=why)
        for n in found:
            self._others.setdefault(n, []).append(f"{case.layer}/{case.id}")
        if case.verdict == "pass":
            said = f"it passes, and was expected to fail: {why}"
            return msgspec.structs.replace(case, verdict="unexpected pass", said=said, expected=why)
        return case

    def stale(
        self, game: str, layers: Sequence[str] = (), case: str = "", players: Sequence[int] = ()
    ) -> tuple[CaseResult, ...]:
        """Return a failed case for each entry of which nothing failed, out of those that were to run.

        *layers*, *case* and *players* are what the invocation was narrowed to; entries beyond are passed over.
        """
        found = []
        for n, entry in enumerate(self.entries):
            if n in self._failed or not _within(entry, layers, case, players):
                continue
            others = self._others.get(n, [])
            said = "nothing that ran is matched by it"
            if others:
                more = f" and {len(others) - 3} more" if len(others) > 3 else ""
                said = f"nothing that it matches fails any more: {', '.join(others[:3])}{more}"
            title = f"the expected failure {entry.case} still fails"
            said += "; take it out of the file"
            found.append(CaseResult(game, "expected", entry.case, "fail", title, said=said, expected=entry.why))
        return tuple(found)


def _within(entry: Entry, layers: Sequence[str], case: str, players: Sequence[int]) -> bool:
    if case and not fnmatchcase(case, entry.case):
        return False
    if layers and not any(fnmatchcase(layer, entry.case.partition("/")[0]) for layer in layers):
        return False
    return not (players and entry.players) or bool(set(players) & set(entry.players))

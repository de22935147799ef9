"""What changed between two reports of `conform`: failures that are new, fixed or other ones, and what is checked.

A case is known by number of players, layer and id.  What an old report checked and a new one did not, because
it does not apply, got no answer or is not there, is *newly untested*: never a thing that was fixed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import read_text
from lawspeaker.model.core.records import CaseResult

from .report import Report

FORMAT = "lawspeaker-conformance/2"
Kind = Literal["new failure", "newly untested", "changed reason", "fixed", "newly tested"]
KINDS: tuple[Kind, ...] = ("new failure", "newly untested", "changed reason", "fixed", "newly tested")
WORSE: tuple[Kind, ...] = ("new failure", "newly untested")
_HINT = "write one with: lawspeaker conform GAME --json FILE -- CMD"
_UNTESTED = ("not applicable", "no answer", "absent")
_FAILED = ("fail", "error", "unexpected pass", "expected failure")
_BEST = ("fail", "error", "unexpected pass", "no answer", "expected failure", "another reading", "pass")
"""Of several results of one case (a layer may begin again) the first of these counts."""


class ReportFile(msgspec.Struct, frozen=True):
    """A file of `conform --json`."""

    format: str
    reports: tuple[Report, ...]
    stale: tuple[CaseResult, ...] = ()


class Change(msgspec.Struct, frozen=True):
    """One case that is not as it was; ``old`` and ``new`` are verdicts, ``absent`` where there was no such case."""

    kind: Kind
    players: int
    case: str
    old: str
    new: str
    said: str

    @property
    def words(self) -> str:
        """The change on one line."""
        players = f" with {self.players} players" if self.players else ""
        return f"{self.kind}: {self.case}{players}: {self.old} -> {self.new}" + (f": {self.said}" if self.said else "")


class Comparison(msgspec.Struct, frozen=True):
    """All changes between two reports, and in what else they differ (``notes``)."""

    notes: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def worse(self) -> bool:
        """Whether something fails, or is not checked, that was well before."""
        return any(change.kind in WORSE for change in self.changes)


def read_file(path: Path) -> ReportFile:
    """Read a report; raises BadInput for a file that is none, or of another format."""
    where, data = str(path), read_text(path)
    try:
        head = msgspec.json.decode(data)
        found = head.get("format") if isinstance(head, dict) else None
        if found is None:
            raise BadInput("is no report of `conform`", where=where, hint=_HINT)
        if found != FORMAT:
            raise BadInput(f"has format {found!r}, not {FORMAT}", where=where, hint=_HINT)
        read = msgspec.convert(head, ReportFile, strict=True)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError) as error:
        raise BadInput(f"is no report of `conform` ({error})", where=where, hint=_HINT) from None
    if not read.reports:
        raise BadInput("has no run in it", where=where, hint=_HINT)
    return read


def compared(old: ReportFile, new: ReportFile) -> Comparison:
    """Compare two reports."""
    before, after = _cases(old), _cases(new)
    keys = list(dict.fromkeys([*before, *after]))
    changes = [change for key in keys for change in _change(key, before.get(key), after.get(key), new)]
    changes.sort(key=lambda change: KINDS.index(change.kind))
    return Comparison(tuple(_notes(old, new)), tuple(changes))


Key = tuple[int, str]


def _cases(file: ReportFile) -> dict[Key, CaseResult]:
    found: dict[Key, CaseResult] = {}
    for n, report in enumerate(file.reports):
        players = report.players or n
        for case in report.cases:
            if case.id == "all" and case.verdict in _UNTESTED:
                continue  # says why a whole layer did not run; its cases are then absent
            key = (players, f"{case.layer}/{case.id}")
            if key not in found or _weight(case) < _weight(found[key]):
                found[key] = case
    for case in file.stale:
        found[0, f"{case.layer}/{case.id}"] = case
    return found


def _weight(case: CaseResult) -> int:
    return _BEST.index(case.verdict) if case.verdict in _BEST else len(_BEST)


def _change(key: Key, old: CaseResult | None, new: CaseResult | None, file: ReportFile) -> Iterator[Change]:
    was: str = old.verdict if old else "absent"
    now: str = new.verdict if new else "absent"
    said = (new.said or new.title) if new else ""
    kind: Kind | None = None
    if key[1].startswith("expected/"):  # an entry that is stale is there or not: nothing to be tested
        kind = "new failure" if old is None else "fixed" if new is None else None
    elif was in _UNTESTED and now in _UNTESTED:
        kind = "newly untested" if was != "no answer" and now == "no answer" else None
    elif now in _UNTESTED:
        kind, said = "newly untested", said or _why_absent(key, file)
    elif now in _FAILED and was not in _FAILED:
        kind = "new failure"
    elif was in _FAILED and now not in _FAILED:
        kind = "fixed"
    elif was in _UNTESTED:
        kind = "newly tested"
    elif old and new and _reason(old) != _reason(new):
        kind = "changed reason"
    if kind:
        yield Change(kind, key[0], key[1], was, now, said)


def _reason(case: CaseResult) -> tuple[object, ...]:
    """Return what of a case counts as its reason; a pass has none, however many messages it took."""
    if case.verdict == "pass":
        return ("pass",)
    paths = tuple(sorted(found.path for found in case.differences))
    return (case.verdict, case.clauses, case.said, paths, case.explained_by, case.blame, case.expected)


def _why_absent(key: Key, file: ReportFile) -> str:
    layer = key[1].partition("/")[0]
    runs = [r for n, r in enumerate(file.reports) if (r.players or n) == key[0]]
    if not runs:
        return "there is no run with so many players"
    for case in runs[0].cases:
        if case.layer == layer and case.id == "all" and case.verdict in _UNTESTED:
            return case.said
    failed = next((c for c in runs[0].cases if c.layer == layer and c.verdict in ("fail", "error", "no answer")), None)
    return f"not in the new report; its layer ended with {layer}/{failed.id}" if failed else "not in the new report"


def _notes(old: ReportFile, new: ReportFile) -> Iterator[str]:
    """Yield in what the runs differ, beside the subject, so that their cases may not be the same."""
    one, two = old.reports[0].stamp, new.reports[0].stamp
    for name, was, now in (
        ("game", one.game, two.game),
        ("catalogue version", one.catalogue, two.catalogue),
        ("pack", f"{one.pack} {one.pack_digest}", f"{two.pack} {two.pack_digest}"),
        ("seed", one.seed, two.seed),
        ("rulings", _words(one.rulings), _words(two.rulings)),
        ("reference", old.reports[0].reference or "the model", new.reports[0].reference or "the model"),
    ):
        if was != now:
            yield f"another {name}: {was}, then {now}; cases of the same name need not be the same"


def _words(rulings: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(rulings.items())) or "none"

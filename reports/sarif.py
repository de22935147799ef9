"""SARIF 2.1.0: failures and findings at the clauses they break, for code scanning.

Hosts refuse a whole file for one result without a physical location, so every result points at a line
of the game's clause file (line 1 where the caller does not know better).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from .events import Collected, GameRecords
from .totals import NEEDS_POSITION, counts, first_line, totals_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Place(msgspec.Struct, frozen=True):
    """Where a game's clauses are written: the file relative to the repository, and lines by clause."""

    file: str
    lines: Mapping[str, int] = {}


class _Result(msgspec.Struct, frozen=True):
    rule: str
    level: str
    text: str
    key: str
    clauses: tuple[str, ...] = ()


def sarif(collected: Collected, places: Mapping[str, Place] | None = None, *, version: str = "") -> str:
    """Return the results as a SARIF document, a run for each game.

    *places* says where each game's clauses are written (default ``model/<game>/clauses.yaml``).
    """
    places = places or {}
    runs = [
        _run(records, places.get(records.game, Place(f"model/{records.game}/clauses.yaml")), version)
        for records in collected
    ]
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": runs}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _run(records: GameRecords, place: Place, version: str) -> dict[str, Any]:
    results = list(_results(records))
    texts = {row.clause: row.text for row in records.clauses}
    ids = list(dict.fromkeys([*texts, *(result.rule for result in results)]))
    number = {rule: n for n, rule in enumerate(ids)}
    driver: dict[str, Any] = {"name": "lawspeaker", "rules": [_rule(i, texts.get(i, i), records.game) for i in ids]}
    if version:
        driver["version"] = version
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"lawspeaker/{records.game}/"},
        "results": [_result(result, number, place) for result in results],
        "columnKind": "unicodeCodePoints",
    }


def _results(records: GameRecords) -> Iterator[_Result]:
    for problem in totals_of(records).problems:
        rule = problem.clauses[0] if problem.clauses else f"lawspeaker-{problem.job}"
        text = f"{problem.id}: {problem.verdict}: {problem.reason}"
        yield _Result(rule, "error", text, f"{problem.job}/{problem.id}", problem.clauses)
    for finding in records.findings:
        if finding.kind in ("proven", "restates", "overridden"):
            continue
        rule = next(iter(finding.core), "lawspeaker-finding")
        level = "warning" if finding.kind in NEEDS_POSITION and counts(finding) else "note"
        text = f"{finding.id}: {finding.kind}: {finding.title}"
        yield _Result(rule, level, text, f"finding/{finding.id}", finding.core)


def _rule(rule: str, text: str, game: str) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": first_line(text) or rule},
        "help": {"text": f"{text or rule} (see the page of {game} in the report, clause {rule})"},
    }


def _result(result: _Result, number: Mapping[str, int], place: Place) -> dict[str, Any]:
    spots = result.clauses or (result.rule,)
    return {
        "ruleId": result.rule,
        "ruleIndex": number[result.rule],
        "level": result.level,
        "message": {"text": result.text},
        "locations": [_location(place, spots[0])],
        "relatedLocations": [{"id": n, **_location(place, spot)} for n, spot in enumerate(spots[1:], 1)],
        "partialFingerprints": {"lawspeaker/v1": hashlib.sha256(result.key.encode()).hexdigest()[:32]},
    }


def _location(place: Place, clause: str) -> dict[str, Any]:
    line = max(1, place.lines.get(clause, 1))
    return {"physicalLocation": {"artifactLocation": {"uri": place.file}, "region": {"startLine": line}}}

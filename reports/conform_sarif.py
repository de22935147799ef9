"""Conformance as SARIF 2.1.0, as code scanning hosts take it: a result for each case not as expected.

Hosts refuse a whole file for one result without a place in the repository: a result points at its trace
where traces are written, else at the file named for the program.  Expected failures are results too, with
an accepted suppression that carries the reason, so that a host shows them as closed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

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
from .sarif import SCHEMA
from .totals import first_line

_SHOWN = ("fail", "error", "no answer", "unexpected pass", "another reading", "expected failure")
_LEVELS = {"another reading": "note", "expected failure": "note"}
_LONGEST = 4000
"""Characters of one message; hosts cut or refuse longer ones."""


def conform_sarif(runs: Runs, traces: Traces | None = None, *, place: str = "conformance", version: str = "") -> str:
    """Return the runs as a SARIF document; *place* is a file of the repository for results without a trace."""
    found = [(run, case) for run in runs.all() for case in run.cases if case.verdict in _SHOWN]
    ids = list(dict.fromkeys(_rule_of(case) for _, case in found))
    texts = {clause: said for run in runs.runs if run.end for clause, said in run.end.texts.items()}
    driver: dict[str, Any] = {"name": "lawspeaker", "rules": [_rule(rule, texts.get(rule, "")) for rule in ids]}
    if version:
        driver["version"] = version
    game = next((run.game for run in runs.all()), "none")
    results = [_result(run, case, ids, traces or Traces(), place) for run, case in found]
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "automationDetails": {"id": f"lawspeaker-conform/{visible(game)}/"},
                "results": results,
                "columnKind": "unicodeCodePoints",
            }
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _rule_of(case: CaseResult) -> str:
    return visible(case.clauses[0] if case.clauses else f"lawspeaker-{case.layer}")


def _rule(rule: str, said: str) -> dict[str, Any]:
    words = visible(said) or rule
    return {"id": rule, "shortDescription": {"text": first_line(words) or rule}, "help": {"text": words}}


def _result(run: Run, case: CaseResult, ids: list[str], traces: Traces, place: str) -> dict[str, Any]:
    rule = _rule_of(case)
    key = f"{run.game}/{run.players}/{name_of(case)}"
    uri = quote(traces.of(run, case) or place, safe="/-_.~")
    where = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}}
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": ids.index(rule),
        "level": _LEVELS.get(case.verdict, "error"),
        "message": {"text": _message(run, case)},
        "locations": [where],
        "partialFingerprints": {"lawspeakerConform/v1": hashlib.sha256(visible(key).encode()).hexdigest()[:32]},
    }
    if case.verdict == "expected failure":
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": visible(case.expected) or "expected"}
        ]
    return result


def _message(run: Run, case: CaseResult) -> str:
    words = visible("\n".join(_lines(run, case)))
    return words if len(words) <= _LONGEST else words[: _LONGEST - 3] + "..."


def _lines(run: Run, case: CaseResult) -> Iterator[str]:
    players = f" with {run.players} players" if run.players else ""
    yield f"{standing(case)}: {name_of(case)}{players}: {case.said or case.title}"
    yield from (f"clause {clause}" for clause in case.clauses[1:])
    yield from case.worked
    yield from difference_lines(case)
    yield from filter(None, (reading_words(case),))
    yield from (f"blame: {words}" for words in (blame_words(case),) if words)
    yield from (f"repeat: {words}" for words in (case.repeat,) if words)

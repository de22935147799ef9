"""JUnit XML: a suite for each job of each game, as continuous integration reads it.

Not applicable becomes *skipped* with its reason, no answer and error become *error*, everything else
that is not as expected becomes *failure*.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # only written here, never parsed
from collections.abc import Iterator

import msgspec

from lawspeaker.model.core.records import CaseResult, ChoiceOutcome, ScenarioResult, Verdict

from .events import Collected, GameRecords
from .totals import case_reason, check_reason, first_line, green, scenario_reason, totals_of

_UNFIT = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Case(msgspec.Struct, frozen=True):
    name: str
    verdict: Verdict
    reason: str = ""
    detail: str = ""


def junit(collected: Collected) -> str:
    """Return the results as a JUnit XML document."""
    root = ET.Element("testsuites", name="lawspeaker")
    for records in collected:
        for job, cases in _suites(records):
            _add_suite(root, records, job, cases)
    for sum_of in ("tests", "failures", "errors", "skipped"):
        root.set(sum_of, str(sum(int(suite.get(sum_of, "0")) for suite in root)))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suites(records: GameRecords) -> Iterator[tuple[str, list[_Case]]]:
    problems = totals_of(records).problems
    jobs = {
        "clauses": list(_clauses(records)),
        "scenarios": [_Case(s.id, s.verdict, scenario_reason(s), _outcomes(s)) for s in records.scenarios],
        "topics": list(_topics(records)),
        "checks": [
            _Case(c.id, "fail" if green(c.verdict) and check_reason(c) else c.verdict, check_reason(c) or c.said)
            for c in records.checks
        ],
        "conformance": [_Case(f"{c.layer}/{c.id}", c.verdict, case_reason(c), _detail(c)) for c in records.cases],
        "run": [_Case(p.id, "error", p.reason) for p in problems if p.job == "run"],
    }
    yield from ((job, cases) for job, cases in jobs.items() if cases)


def _clauses(records: GameRecords) -> Iterator[_Case]:
    lacking = {p.id: p.reason for p in totals_of(records).problems if p.job == "clauses"}
    for row in records.clauses:
        if row.clause in lacking:
            yield _Case(row.clause, "fail", lacking[row.clause], row.text)
        elif row.unchecked:
            yield _Case(row.clause, "not applicable", row.unchecked)
        else:
            yield _Case(row.clause, "pass")


def _topics(records: GameRecords) -> Iterator[_Case]:
    for topic in records.topics:
        if topic.verdict == "open":
            yield _Case(topic.id, "fail", first_line(topic.said or topic.question), topic.said)
        elif topic.verdict == "unknown":
            yield _Case(topic.id, "not applicable", f"not decided: {first_line(topic.said)}")
        else:
            yield _Case(topic.id, "pass")


def _outcomes(scenario: ScenarioResult) -> str:
    def line(outcome: ChoiceOutcome) -> str:
        return f"{outcome.rulings or 'default'}: {outcome.verdict} {outcome.said}".rstrip()

    return "\n".join([scenario.title, *map(line, scenario.outcomes)])


def _detail(case: CaseResult) -> str:
    lines = [case.title, case.said, *case.worked]
    lines += [f"{d.path}: reference {d.reference!r}, subject {d.subject!r}" for d in case.differences]
    if case.repeat:
        lines.append(f"repeat: {case.repeat}")
    return "\n".join([line for line in lines if line] + ([case.trace] if case.trace else []))


def _add_suite(root: ET.Element, records: GameRecords, job: str, cases: list[_Case]) -> None:
    suite = ET.SubElement(root, "testsuite", name=_fit(f"{records.game}.{job}"))
    count = {"failure": 0, "error": 0, "skipped": 0}
    for case in cases:
        element = ET.SubElement(suite, "testcase", classname=_fit(f"{records.game}.{job}"), name=_fit(case.name))
        kind = _kind(case.verdict)
        if kind:
            count[kind] += 1
            note = ET.SubElement(element, kind, message=_fit(case.reason or case.verdict))
            if kind != "skipped":
                note.set("type", case.verdict)
                note.text = _fit(case.detail or case.reason)
        elif case.verdict != "pass":
            ET.SubElement(element, "system-out").text = _fit(f"{case.verdict}: {case.reason}")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(count["failure"]))
    suite.set("errors", str(count["error"]))
    suite.set("skipped", str(count["skipped"]))


def _kind(verdict: Verdict) -> str:
    """Return the JUnit element for a verdict, "" where the test case stands alone."""
    if verdict in ("no answer", "error"):
        return "error"
    if verdict == "not applicable":
        return "skipped"
    return "" if green(verdict) else "failure"


def _fit(text: str) -> str:
    """Replace characters that XML cannot hold by their escape (a subject may print anything)."""
    return _UNFIT.sub(lambda found: f"\\x{ord(found.group()):02x}", text)

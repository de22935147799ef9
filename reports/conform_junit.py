"""Conformance as JUnit XML: a suite for each run and layer.

*failure* is a difference or an unexpected pass, *error* no answer (its type says which) or a fault of ours,
*skipped* what does not apply and what is expected to fail, with the reason.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # only written here, never parsed
from collections import Counter

from lawspeaker.model.core.records import CaseResult

from .conform_runs import (
    Run,
    Runs,
    Traces,
    answer_kind,
    blame_words,
    difference_lines,
    reading_words,
    visible,
)

_UNFIT = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def conform_junit(runs: Runs, traces: Traces | None = None) -> str:
    """Return the runs as a JUnit XML document."""
    root = ET.Element("testsuites", name="lawspeaker conform")
    sums: Counter[str] = Counter()
    for run in runs.all():
        for layer, cases in run.layers().items():
            sums.update(_suite(root, run, layer, cases, traces or Traces()))
    _count(root, sums)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, run: Run, layer: str, cases: list[CaseResult], traces: Traces) -> Counter[str]:
    players = f".{run.players}p" if run.players else ""
    name = _fit(f"{run.game}.conformance{players}.{layer}")
    suite = ET.SubElement(root, "testsuite", name=name)
    counts = Counter(tests=len(cases))
    for case in cases:
        counts.update(filter(None, (_case(suite, name, run, case, traces),)))
    _count(suite, counts)
    return counts


def _count(element: ET.Element, counts: Counter[str]) -> None:
    for word in ("tests", "failures", "errors", "skipped"):
        element.set(word, str(counts[word]))


def _case(suite: ET.Element, name: str, run: Run, case: CaseResult, traces: Traces) -> str:
    """Add one case; return which count it goes into, if any but that of all."""
    element = ET.SubElement(suite, "testcase", classname=name, name=_fit(case.id))
    said = _fit(case.said or case.title or case.verdict)
    detail = _fit(_detail(run, case, traces))
    match case.verdict:
        case "pass":
            return ""
        case "not applicable":
            ET.SubElement(element, "skipped", message=said)
            return "skipped"
        case "expected failure":
            ET.SubElement(element, "skipped", message=_fit(f"expected failure: {case.expected}"))
            ET.SubElement(element, "system-out").text = detail
            return "skipped"
        case "another reading":
            ET.SubElement(element, "system-out").text = _fit(f"another reading: {case.explained_by}\n") + detail
            return ""
        case "no answer" | "error":
            kind = answer_kind(case) if case.verdict == "no answer" else case.verdict
            ET.SubElement(element, "error", message=said, type=kind).text = detail
            return "errors"
        case _:
            ET.SubElement(element, "failure", message=said, type=case.verdict).text = detail
            return "failures"


def _detail(run: Run, case: CaseResult, traces: Traces) -> str:
    lines = [case.title, case.said]
    lines += [f"clause {clause}" for clause in case.clauses]
    lines += [*case.worked, *difference_lines(case), reading_words(case)]
    lines += [f"blame: {words}" for words in (blame_words(case),) if words]
    lines += [f"expected: {case.expected}"] if case.expected else []
    path = traces.of(run, case)
    lines += [f"trace: {path}"] if path else [case.trace]
    lines += [f"repeat: {case.repeat}"] if case.repeat else []
    return "\n".join(line for line in lines if line)


def _fit(text: str) -> str:
    return _UNFIT.sub(lambda found: f"\\x{ord(found.group()):02x}", visible(text))

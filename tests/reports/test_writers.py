"""Markdown, JUnit XML and SARIF, each with every verdict."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from lawspeaker.model.core.records import CheckRow
from lawspeaker.reports.events import Collected
from lawspeaker.reports.junit import junit
from lawspeaker.reports.markdown import findings, summary
from lawspeaker.reports.sarif import Place, sarif

KIND_OF = {
    "pass": None, "another reading": None, "expected failure": None, "not applicable": "skipped",
    "fail": "failure", "unexpected pass": "failure", "no answer": "error", "error": "error",
}  # fmt: skip


def _suite(text: str, name: str) -> ET.Element:
    found = ET.fromstring(text).find(f"testsuite[@name='{name}']")
    assert found is not None
    return found


@pytest.mark.parametrize(("job", "prefix"), [("scenarios", "s-"), ("checks", "k-"), ("conformance", "lockstep/c-")])
@pytest.mark.parametrize("verdict", KIND_OF)
def test_junit_has_the_right_element_for_each_verdict(
    collected: Collected, job: str, prefix: str, verdict: str
) -> None:
    suite = _suite(junit(collected), f"fjords.{job}")
    case = suite.find(f"testcase[@name='{prefix}{verdict.replace(' ', '-')}']")
    assert case is not None
    kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
    wanted = KIND_OF[verdict]
    assert kinds == ([wanted] if wanted else [])
    if wanted:
        assert f"because of {verdict}" in str(case[0].get("message"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("skipped")) == (
        "8",
        "2",
        "2",
        "1",
    )


def test_junit_escapes_characters_that_xml_cannot_hold(collected: Collected) -> None:
    text = junit(collected)
    assert "\x1b" not in text and "\x00" not in text
    assert "\\x00\\x1b[31m" in text
    root = ET.fromstring(junit(Collected([CheckRow("g", "k\ud800", "t", "fail", 1, "a\uffffb\x08")])))
    assert "a\\xffffb\\x08" in ET.tostring(root, encoding="unicode")


def test_junit_totals_are_the_sums_of_the_suites(collected: Collected) -> None:
    root = ET.fromstring(junit(collected))
    for name in ("tests", "failures", "errors", "skipped"):
        assert int(root.get(name, "")) == sum(int(suite.get(name, "")) for suite in root)
    clauses = _suite(junit(collected), "fjords.clauses")
    assert [case[0].tag if len(case) else "pass" for case in clauses] == ["pass", "failure", "skipped"]
    topics = _suite(junit(collected), "fjords.topics")
    assert (topics.get("failures"), topics.get("skipped")) == ("1", "1")


def test_junit_shows_a_run_without_checks_as_error() -> None:
    collected = Collected()
    collected.game("g")
    assert ET.fromstring(junit(collected)).get("errors") == "1"


def test_markdown_lists_each_verdict_that_is_not_expected(collected: Collected) -> None:
    text = summary(collected)
    for verdict, kind in KIND_OF.items():
        assert (f"because of {verdict}" in text) == (kind in ("failure", "error"))
        assert f"1 {verdict}" in text
    assert "pack made-up (estimated), sha256:ab" in text
    assert "R_A=one R_B=two" in text


def test_markdown_shows_findings_with_words_readings_and_bounds(collected: Collected) -> None:
    text = findings(collected)
    assert text.count("### F-") == 9
    assert "FD-TILE-03: All land is \\<one> landmass" in text
    assert text.count("Not counted") == 2
    assert "two: the second \\<b>reading\\</b>" in text
    assert "bounds: up to 6 tiles" in text
    assert "| q-unknown | Question unknown? | unknown |" in text


def test_every_sarif_result_has_rule_level_and_a_physical_line(collected: Collected) -> None:
    place = Place("rules/clauses.yaml", {"FD-TILE-02": 17})
    run = json.loads(sarif(collected, {"fjords": place}, version="0.1"))["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    prints = [result["partialFingerprints"]["lawspeaker/v1"] for result in run["results"]]
    assert len(prints) == len(set(prints)) == len(run["results"])
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        spot = result["locations"][0]["physicalLocation"]
        assert spot["artifactLocation"]["uri"] == "rules/clauses.yaml"
        assert spot["region"]["startLine"] == (17 if result["ruleId"] == "FD-TILE-02" else 1)


def test_sarif_results_are_the_failures_and_the_findings_about_the_book(collected: Collected) -> None:
    run = json.loads(sarif(collected))["runs"][0]
    words = " ".join(result["message"]["text"] for result in run["results"])
    for verdict, kind in KIND_OF.items():
        slug = verdict.replace(" ", "-")
        assert (f"s-{slug}: " in words) == (f"c-{slug}: " in words) == (kind in ("failure", "error"))
    levels = {r["message"]["text"].split(":")[0]: r["level"] for r in run["results"]}
    assert levels["F-gap"] == "warning" and levels["F-conflict"] == "note" and "F-proven" not in levels
    assert run["automationDetails"]["id"] == "lawspeaker/fjords/"

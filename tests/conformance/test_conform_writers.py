"""Every writer of `conform` reads one event stream, shows every verdict, and holds what a subject says as text."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import msgspec
import pytest
from rich.console import Console

from lawspeaker.model.core.records import (
    CaseResult,
    Conformed,
    Difference,
    Finished,
    Progress,
    Stamp,
    Stamped,
    Started,
)
from lawspeaker.reports import schema
from lawspeaker.reports.conform_html import conform_html
from lawspeaker.reports.conform_junit import conform_junit
from lawspeaker.reports.conform_markdown import conform_markdown
from lawspeaker.reports.conform_runs import Runs, Traces, cleaned, trace_files
from lawspeaker.reports.conform_sarif import conform_sarif
from lawspeaker.reports.conform_terminal import show_runs
from lawspeaker.reports.events import ReportWriter, read_report

ROOT = Path(__file__).resolve().parents[2]
DIFFERENCES = (
    Difference("legal", only_reference=("walk 1",), only_subject=("walk 2", "take")),
    Difference("state.turn", 1, 2),
)
WHOLE = {
    "title": "plays on",
    "clauses": ("PB-WALK-01", "PB-TAKE-01"),
    "said": "differs in legal",
    "worked": ("walk 1: PB-WALK-01: by one",),
    "differences": DIFFERENCES,
    "trace": "lawspeaker-trace 1\n1 A walk 1\n",
    "actions": 1,
    "repeat": "lawspeaker conform pebbles --case play/a -- prog",
    "blame": "engine",
    "evidence": "the state is not what the rules give",
}
VERDICTS = (
    ("pass", "ok", {}),
    ("fail", "a", WHOLE),
    ("another reading", "b", {**WHOLE, "explained_by": "R_BONUS=two", "blame": "book"}),
    ("not applicable", "c", {"said": "undo not offered"}),
    ("expected failure", "d", {**WHOLE, "expected": "not built yet (issue 7)"}),
    ("unexpected pass", "e", {"said": "it passes, and was expected to fail: old"}),
    ("no answer", "f", {"said": "timeout: nothing for 2 s"}),
    ("no answer", "g", {"said": "crash: the process ended"}),
    ("no answer", "h", {"said": "bad_shape: step is missing"}),
    ("no answer", "i", {"said": "not run: it failed before"}),
    ("error", "j", {"said": "a bug of ours", "blame": "harness"}),
)
STANDINGS = (
    "another reading", "expected failure", "unexpected pass", "no answer (timeout)", "no answer (crash)",
    "no answer (protocol error)", "no answer (not run)", "error",
)  # fmt: skip


def stream(cases, players=2):
    yield Started("conform", "pebbles")
    yield Stamped(Stamp("pebbles", 1, "six", "sha256:1", "estimated", {"R_BONUS": "one"}, 5))
    for case in cases:
        yield case
        yield Progress("conform", "pebbles", 3)
    yield Finished("conform", "pebbles")
    yield Conformed("pebbles", players, "prog 1", 2, "dictated", 9, 20, 1, "", ("seed",), ("R_BONUS: follows two",),
                    ("PB-END-01",), {"PB-WALK-01": "One walks by the roll."})  # fmt: skip


def every_verdict():
    cases = [CaseResult("pebbles", "play", name, verdict, **more) for verdict, name, more in VERDICTS]
    late = CaseResult("pebbles", "expected", "play/*", "fail", "still fails", said="nothing is matched", expected="x")
    return [*stream(cases), late]


def terminal(runs, traces=None):
    console = Console(record=True, width=200, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123 - kept open by it
    show_runs(runs, console, traces)
    console.file.close()
    return console.export_text()


PEOPLE = {
    "terminal": lambda runs, traces: terminal(runs, traces),
    "html": lambda runs, traces: re.sub(r"\s+", " ", seen(conform_html(runs, traces))),
    "markdown": lambda runs, traces: re.sub(r"\\([^\w\s]|_)", r"\1", conform_markdown(runs, traces)),
}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.texts, self.tags, self.quiet = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.quiet += tag in ("script", "style")

    def handle_endtag(self, tag):
        self.quiet -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.quiet:
            self.texts.append(data)


def page(text):
    parsed = Page()
    parsed.feed(text)
    return parsed


def seen(text):
    return " ".join(page(text).texts)


@pytest.mark.parametrize("writer", sorted(PEOPLE))
def test_people_see_every_verdict_and_all_about_a_failure(writer):
    runs = Runs(every_verdict())
    traces = Traces("out/traces", trace_files(runs.all()))
    shown = PEOPLE[writer](runs, traces)
    for words in STANDINGS:
        assert words in shown, words
    for words in (
        "PB-WALK-01", "One walks by the roll.", "walk 1: PB-WALK-01: by one", "walk 2, take",
        "the state is not what the rules give", "right under another reading: R_BONUS=two", "no other reading",
        "lawspeaker conform pebbles --case play/a -- prog", "out/traces/2p-play-a.trace", "not built yet (issue 7)",
        "R_BONUS: follows two", "undo not offered", "nothing is matched",
    ):  # fmt: skip
        assert words in shown, words


def test_junit_tells_each_verdict_apart():
    root = ET.fromstring(conform_junit(Runs(every_verdict())))
    cases = {case.get("name"): case for case in root.iter("testcase")}
    told = {name: [(child.tag, child.get("type")) for child in case] for name, case in cases.items()}
    assert told == {
        "ok": [], "a": [("failure", "fail")], "b": [("system-out", None)], "c": [("skipped", None)],
        "d": [("skipped", None), ("system-out", None)], "e": [("failure", "unexpected pass")],
        "f": [("error", "timeout")], "g": [("error", "crash")], "h": [("error", "protocol error")],
        "i": [("error", "not run")], "j": [("error", "error")], "play/*": [("failure", "fail")],
    }  # fmt: skip
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "12", "failures": "3", "errors": "5", "skipped": "2",
    }  # fmt: skip
    text = cases["a"][0].text
    for words in ("clause PB-TAKE-01", "only the subject has walk 2, take", "the reference has 1", "1 A walk 1",
                  "blame: engine", "repeat: lawspeaker"):  # fmt: skip
        assert words in text
    assert "not built yet" in cases["d"][0].get("message")


def test_sarif_has_a_place_a_rule_and_a_fingerprint_for_each_result():
    runs = Runs(every_verdict())
    document = json.loads(conform_sarif(runs, Traces("t", trace_files(runs.all())), place="my engine.py"))
    (run,) = document["runs"]
    assert document["version"] == "2.1.0"
    rules = run["tool"]["driver"]["rules"]
    results = run["results"]
    assert len(results) == 10  # all but those that passed or do not apply
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert len({r["partialFingerprints"]["lawspeakerConform/v1"] for r in results}) == len(results)
    for result in results:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] in ("my%20engine.py", *(f"t/2p-play-{x}.trace" for x in "abd"))
        assert place["region"]["startLine"] >= 1
        assert result["message"]["text"]
    levels = {r["message"]["text"].split(":")[0]: r["level"] for r in results}
    assert (levels["fail"], levels["another reading"], levels["no answer (crash)"]) == ("error", "note", "error")
    (excused,) = [r for r in results if r.get("suppressions")]
    assert excused["suppressions"][0]["justification"] == "not built yet (issue 7)"


def test_json_lines_fit_the_schema_that_is_kept_and_read_back(tmp_path):
    path = tmp_path / "r.jsonl"
    with ReportWriter(path, version="1") as writer:
        for event in every_verdict():
            writer(event)
    checker = jsonschema.Draft202012Validator(json.loads(schema.FILE.read_text()))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        checker.validate(line)
    assert not checker.is_valid({**lines[2], "verdict": "perhaps"})
    assert not checker.is_valid({**lines[2], "colour": "red"})
    kept = [event for event in every_verdict() if not isinstance(event, Progress)]
    assert list(read_report(path).events) == kept


def test_the_schema_that_is_kept_is_that_of_the_types():
    assert schema.FILE.read_text() == schema.text(), "write it anew: make protocol"


# -- text that tries to break out ---------------------------------------------------------------------

HOSTILE = (
    "<script>alert(1)</script>", "</pre></code><img src=x onerror=y>", "]]><x/>", "&amp;", "```\n# heading\n```",
    "[link](http://example.org)", "| cell | <b>", "[red]rich[/red]", "\x1b[2J\x07\x00\r", "\ud800\udfff",
    "\u202egnp.exe", "\u2028", "{{ 7 * 7 }}", '"\'\\', "../../up", "\ufffe",
)  # fmt: skip


def hostile(text):
    return CaseResult(
        "pebbles", "play", text, "fail", text, (text,), text, (text,),
        (Difference(text, text, {text: text}), Difference("legal", only_subject=(text,))), text, 1,
        explained_by=text, repeat=text, blame=text, evidence=text, unshrunk=text, expected=text,
    )  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_no_text_breaks_out_of_any_format(text, tmp_path):
    events = list(stream([hostile(text)]))
    events[-1] = msgspec.structs.replace(events[-1], subject=text, fingerprint=(text,), texts={text: text})
    runs = Runs(events)
    shown = conform_html(runs)
    plain = conform_html(Runs(stream([hostile("x")])))
    assert page(shown).tags == page(plain).tags
    root = ET.fromstring(conform_junit(runs))
    assert [element.tag for element in root.iter()] == ["testsuites", "testsuite", "testcase", "failure"]
    assert len(json.loads(conform_sarif(runs))["runs"][0]["results"]) == 1
    marked = conform_markdown(runs)
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", marked, flags=re.S | re.M)
    assert next(line for line in outside.splitlines() if line.startswith("#")) == "# Conformance"
    assert len(re.findall(r"(?m)^#", outside)) == 4
    assert not re.search(r"(?<!\\)[<\[]", outside)
    printed = terminal(runs)
    for written in (shown, marked, conform_junit(runs), conform_sarif(runs), printed):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u202e]", written)
        written.encode()
    if text.startswith("[red]"):
        assert text in printed
    with ReportWriter(tmp_path / "r.jsonl") as writer:
        for event in events:
            writer(cleaned(event))
    assert read_report(tmp_path / "r.jsonl").finished


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_trace_lies_in_its_folder_whatever_its_case_is_called(text):
    files = trace_files(Runs(stream([hostile(text), hostile(text + "?"), hostile(text.upper() + "!")])).all())
    assert len({name.lower() for name in files.values()}) == len(files) >= 2
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+\.trace", name) for name in files.values())


def test_a_run_that_did_not_end_says_so():
    cut = Runs(list(stream([CaseResult("pebbles", "play", "ok", "pass")]))[:-1])
    assert "did not come to its end" in conform_html(cut)
    assert "did not come to its end" in conform_markdown(cut)


# -- the same bytes -----------------------------------------------------------------------------------


def running(folder, hash_seed, *narrow):
    """Start `conform` against the reference by another reading, with every writer."""
    folder.mkdir()
    words = [sys.executable, "-m", "lawspeaker", "conform", "fjords", "--budget", "small", "--seed", "3", *narrow]
    words += [word for option, name in NAMES.items() for word in (f"--{option}", name)]
    words += ["--traces", "traces", "--", sys.executable, "-m", "lawspeaker", "serve", "fjords"]
    words += ["--only", "legal,result,setup,state", "--ruling", "R_TWO=exactly"]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.Popen(words, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


NAMES = {"json": "r.json", "html": "r.html", "markdown": "r.md", "junit": "r.xml", "sarif": "r.sarif", "jsonl": "r.l"}


def written(folder, process):
    said, complained = process.communicate(timeout=100)
    assert process.returncode == 0, said + complained
    found = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    assert set(found) >= set(NAMES.values())
    return {**found, "stdout": said}


@pytest.mark.parametrize(
    "narrow", [("--case", "setup/3"), pytest.param((), marks=pytest.mark.deep)], ids=["one case", "all layers"]
)
def test_the_same_seed_writes_the_same_bytes(tmp_path, narrow):
    folders = [tmp_path / name for name in ("one", "two")]
    both = [running(folder, str(n), *narrow) for n, folder in enumerate(folders, 1)]
    one, two = (written(folder, process) for folder, process in zip(folders, both, strict=True))
    assert sorted(one) == sorted(two)
    assert narrow or any(name.endswith(".trace") for name in one)
    assert [name for name in one if one[name] != two[name]] == []

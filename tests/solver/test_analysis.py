"""The two analyses: each kind of finding where it is, none where it is not, and what stays open."""

from __future__ import annotations

import textwrap
import timeit
from pathlib import Path

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.formula_parse import parse
from lawspeaker.model.core.records import FindingRecord
from lawspeaker.solver import questions
from lawspeaker.solver.analysis import TopicReport, analyse, is_witness
from lawspeaker.solver.examples import run_example
from lawspeaker.solver.monitors import answers, checked, conditions_true
from lawspeaker.solver.questions import Asker, situations
from lawspeaker.solver.systems import system
from lawspeaker.solver.topic_files import load_topics
from lawspeaker.solver.topics import Topic, TopicFile, situation_words

DOCS = Path(__file__).parents[2] / "docs" / "examples"

HEAD = """
format: lawspeaker-topics/1
game: toy
clauses:
  - {id: T-1, text: one}
  - {id: T-2, text: two}
  - {id: T-3, text: three}
rulings:
  - {id: R_X, question: which, kind: gap, clauses: [], reason: why,
     choices: [{value: left, means: l}, {value: right, means: r}]}
  - {id: R_Y, question: what, kind: ambiguity, clauses: [], reason: why,
     choices: [{value: few, means: f}, {value: lots, means: l}]}
topics:
"""


def load(tmp_path: Path, topics: str) -> TopicFile:
    path = tmp_path / "topics.yaml"
    path.write_text(HEAD + textwrap.indent(textwrap.dedent(topics), "  "), encoding="utf-8")
    return load_topics(path)


def topic_of(tmp_path: Path, body: str, form: str = "answer", situation: str = "{n: {int: [0, 9]}, p: bool}") -> Topic:
    answer = "\n  answer: [a, b, none_at_all]" if form == "answer" else ""
    head = f"- id: t\n  question: who\n  form: {form}\n  situation: {situation}{answer}\n"
    return load(tmp_path, head + textwrap.indent(textwrap.dedent(body), "  ")).topics[0]


def report_of(topic: Topic) -> TopicReport:
    return analyse(topic, cross_check=True)


def kinds(report: TopicReport) -> list[str]:
    return [record.kind for record in report.findings]


def only(report: TopicReport, kind: str) -> FindingRecord:
    found = [record for record in report.findings if record.kind == kind]
    assert len(found) == 1, found
    return found[0]


CLOSED = """
clauses:
  - {id: T-1, mode: obliges, if: p, then: answer == a}
  - {id: T-2, mode: obliges, if: not p, then: answer == b}
"""


def test_a_topic_with_one_answer_everywhere_is_closed_without_findings(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, CLOSED))
    assert report.row.verdict == "closed"
    assert report.findings == ()
    assert report.row.situations == 20


def test_conflict_has_its_smallest_core_and_its_least_witness(tmp_path: Path) -> None:
    topic = topic_of(tmp_path, """
        clauses:
          - {id: T-1, mode: obliges, if: n >= 3, then: answer == a}
          - {id: T-2, mode: forbids, if: n <= 5 and p, then: answer == a}
          - {id: T-3, mode: obliges, if: n < 3, then: answer == b}
    """)  # fmt: skip
    report = report_of(topic)
    record = only(report, "conflict")
    assert (record.core, record.ours) == (("T-1", "T-2"), ("ours:an-answer",))
    assert record.texts == {"ours:an-answer": "The question has an answer."}
    assert record.situation == {"n": 3, "p": True}
    assert (record.id, record.carried, record.ruling) == ("T-F-t-conflict-1", "situation", "")
    assert report.row.verdict == "open"
    assert is_witness(record, topic, {"n": 5, "p": True})
    assert not is_witness(record, topic, {"n": 6, "p": True})
    assert not is_witness(record, topic, {"n": 5, "p": False})


SETTLED = """
clauses:
  - {id: T-1, mode: obliges, then: answer == a, yields: {to: T-2, when: R_X == right}}
  - {id: T-2, mode: obliges, if: p, then: answer == b, yields: {to: T-1, when: R_X == left}}
  - {id: T-3, mode: obliges, if: p and n < 20, then: answer == b, yields: {to: T-1, when: R_X == left}}
rulings: [R_X]
"""


def test_a_ruling_settles_a_conflict_and_its_cores_are_one_finding(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, SETTLED))
    record = only(report, "conflict")
    assert record.ruling == "R_X"
    assert record.core == ("T-1", "T-2")
    assert "2 cores" in record.note
    assert "T-1 + T-3" in record.note
    assert record.readings == {"left": "a", "right": "b"}
    assert only(report, "split").readings == {"left": "a", "right": "b"}
    assert report.row.verdict == "closed"


def test_a_yield_under_one_value_only_leaves_the_topic_open(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, """
        clauses:
          - {id: T-1, mode: obliges, then: answer == a, yields: {to: T-2, when: R_X == right}}
          - {id: T-2, mode: obliges, if: p, then: answer == b}
        rulings: [R_X]
    """))  # fmt: skip
    assert report.row.verdict == "open"
    assert "no answer is left under R_X=left" in report.row.said
    assert only(report, "conflict").ruling == ""


def test_declared_exceptions_are_overridden_and_no_conflict(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, """
        clauses:
          - {id: T-1, mode: obliges, then: answer == a}
          - {id: T-2, mode: obliges, if: p, then: answer == b}
        exceptions: [{special: T-2, general: T-1, why: it says instead}]
    """))  # fmt: skip
    assert kinds(report) == ["overridden"]
    assert "it says instead" in report.findings[0].note
    assert report.row.verdict == "closed"


def test_an_exception_that_settles_only_part_leaves_the_rest_a_conflict(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, """
        clauses:
          - {id: T-1, mode: obliges, then: answer == a}
          - {id: T-2, mode: obliges, if: p and n > 4, then: answer == b}
          - {id: T-3, mode: obliges, if: p and n > 6, then: answer == b}
        exceptions: [{special: T-3, general: T-1, why: it says instead}]
    """))  # fmt: skip
    assert only(report, "conflict").situation == {"n": 5, "p": True}
    assert only(report, "overridden").core == ("T-1", "T-3")


GAP = """
clauses:
  - {id: T-1, mode: obliges, if: n > 0, then: answer == a}
  - {id: T-FIX, mode: obliges, if: n == 0, then: "answer == (a if R_X == left else b)", source: ruling, ruling: R_X}
rulings: [R_X]
"""


def test_gap_closed_by_a_ruling(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, GAP))
    record = only(report, "gap")
    assert record.ruling == "R_X"
    assert record.situation == {"n": 0, "p": False}
    assert record.readings == {"left": "a", "right": "b"}
    assert report.row.verdict == "closed"


def test_gap_without_a_ruling_is_open(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, "clauses:\n  - {id: T-1, mode: obliges, if: n > 0, then: answer == a}\n"))
    assert kinds(report) == ["gap"]
    assert report.findings[0].note == "no ruling of the topic settles it"
    assert report.row.verdict == "open"


def test_gap_that_a_ruling_closes_in_part_stays_open(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, GAP.replace("if: n == 0,", "if: n == 0 and not p,")))
    assert [r.ruling for r in report.findings if r.kind == "gap"] == ["R_X", ""]
    assert report.row.verdict == "open"


def test_a_ruling_whose_values_never_differ_is_proven_none_and_open(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, CLOSED + "rulings: [R_X]\n"))
    record = only(report, "proven")
    assert record.ruling == "R_X"
    assert record.carried == "none"
    assert "20" in record.bounds
    assert report.row.verdict == "open"
    assert "R_X is no ruling" in report.row.said


READING = """
clauses:
  - {id: T-1, mode: obliges, if: "n >= 2 if R_Y == few else n >= 4", then: answer == a, readings: R_Y}
  - {id: T-2, mode: obliges, if: n <= 2, then: answer == b}
  - {id: T-OURS, mode: obliges, if: "not (n >= 2 if R_Y == few else n >= 4) and n > 2", then: answer == b, source: ours,
     readings: R_Y}
rulings: [R_Y]
"""


def test_a_conflict_under_one_reading_says_so(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, READING))
    record = only(report, "conflict")
    assert record.note.startswith("arises only under R_Y=few")
    assert record.situation == {"n": 2, "p": False}
    assert only(report, "split").situation == {"n": 2, "p": False}
    assert report.row.verdict == "open"


def test_what_only_our_clause_decides_is_silent(tmp_path: Path) -> None:
    topic = topic_of(tmp_path, """
        clauses:
          - {id: T-1, mode: permits, if: n > 3}
          - {id: T-2, mode: forbids, if: p}
          - {id: T-OURS, mode: forbids, if: not permitted, source: ours, text: silence forbids}
        exceptions: [{special: T-2, general: T-1, why: unless}]
    """, "allowed")  # fmt: skip
    report = report_of(topic)
    record = only(report, "silent")
    assert record.ours == ("T-OURS",)
    assert record.texts == {"T-OURS": "silence forbids"}
    assert record.situation == {"n": 0, "p": False}
    assert report.row.verdict == "closed"
    assert answers(topic, {"n": 4, "p": False}, {}) == (True,)
    assert answers(topic, {"n": 4, "p": True}, {}) == (False,)
    assert answers(topic, {"n": 0, "p": False}, {}) == (False,)


def test_a_permission_does_not_clash_with_silence_but_with_a_prohibition(tmp_path: Path) -> None:
    silent = "  - {id: T-OURS, mode: forbids, if: not permitted, source: ours}\n"
    permits = "clauses:\n  - {id: T-1, mode: permits, if: n > 3}\n"
    assert "conflict" not in kinds(report_of(topic_of(tmp_path, permits + silent, "allowed")))
    clash = permits + "  - {id: T-2, mode: forbids, if: n > 5}\n" + silent
    record = only(report_of(topic_of(tmp_path, clash, "allowed")), "conflict")
    assert (record.core, record.ours) == (("T-1", "T-2"), ())


def test_a_permission_of_ours_is_none_of_the_book(tmp_path: Path) -> None:
    body = """
        clauses:
          - {id: T-1, mode: permits, if: n > 3}
          - {id: T-OURS-1, mode: permits, if: p, source: ours}
          - {id: T-OURS-2, mode: forbids, if: not permitted, source: ours}
    """
    record = only(report_of(topic_of(tmp_path, body, "allowed")), "conflict")
    assert (record.core, record.ours) == ((), ("T-OURS-1", "T-OURS-2"))
    assert record.situation == {"n": 0, "p": True}


def test_assumptions_bound_the_situations_and_are_named(tmp_path: Path) -> None:
    body = """
        assumptions:
          - {id: I-P, formula: 'implies(n > 4, p)', invariant: I03}
          - {id: I-Q, formula: n < 9, invariant: I04}
        clauses:
          - {id: T-1, mode: obliges, then: answer == a}
          - {id: T-2, mode: obliges, if: n > 4 and not p, then: answer == b}
    """
    report = report_of(topic_of(tmp_path, body))
    record = only(report, "vacuous")
    assert record.core == ("T-2",)
    assert record.assumptions == ("I-P",)
    assert report.row.situations == 14
    assert report.row.verdict == "closed"


def test_an_assumption_holds_for_the_ruling_values_it_names(tmp_path: Path) -> None:
    topic = topic_of(
        tmp_path, GAP.replace("rulings:", "assumptions:\n  - {id: I, formula: n > 0, when: R_X == right}\nrulings:")
    )
    report = report_of(topic)
    assert report.row.situations == 20
    assert only(report, "gap").ruling == "R_X"
    # where both values are valid, R_X changes nothing any more
    assert only(report, "proven").ruling == "R_X"


def test_restated_clauses_name_what_implies_them(tmp_path: Path) -> None:
    report = report_of(topic_of(tmp_path, """
        clauses:
          - {id: T-1, mode: obliges, if: p, then: answer == a}
          - {id: T-2, mode: obliges, if: not p, then: answer == a}
          - {id: T-3, mode: forbids, if: n > 2, then: answer == b}
    """))  # fmt: skip
    assert [r.core for r in report.findings if r.kind == "restates"] == [("T-3", "T-1", "T-2")]


def test_an_unknown_is_shown_and_never_a_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "RESOURCES", 1)
    body = CLOSED.replace("if: p,", "if: n % 7 > 3 or p,")
    report = analyse(topic_of(tmp_path, body, situation="{n: {int: [0, 5000]}, p: bool, m: {int: [0, 999]}}"))
    assert report.row.verdict == "unknown"


def test_a_model_that_does_not_hold_in_python_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topic = topic_of(tmp_path, GAP)
    monkeypatch.setattr(questions, "to_z3", lambda node, names: z3.BoolVal(True))
    with pytest.raises(RuntimeError, match="does not hold in Python"):
        Asker(topic).least(parse("n > 5", topic.scope))


def test_enumeration_notices_a_wrong_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topic = topic_of(tmp_path, GAP)
    monkeypatch.setattr(questions, "to_z3", lambda node, names: z3.BoolVal(False))
    with pytest.raises(RuntimeError, match="enumeration"):
        Asker(topic, cross_check=True).least(system(topic, "excepted").many())


CONDITIONS = st.sampled_from(
    ["p", "not p", "n < 2", "n >= 1 and p", "n == 2 or p", "R_Y == few", "R_Y == few and n > 0"]
)
DEMANDS = st.sampled_from(["answer == a", "answer == b", "answer != a", "answer in (a, none_at_all)"])


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["obliges", "forbids"]), CONDITIONS, DEMANDS), min_size=1, max_size=5))
def test_z3_and_enumeration_agree_on_drawn_topics(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[str, str, str]]
) -> None:
    lines = [
        f"  - {{id: T-O{i}, mode: {mode}, if: {c}, then: '{d}', source: ours{', readings: R_Y' * ('R_Y' in c)}}}"
        for i, (mode, c, d) in enumerate(parts)
    ]
    body = "clauses:\n" + "\n".join(lines) + "\nrulings: [R_Y]\n"
    path = tmp_path_factory.mktemp("drawn")
    topic = topic_of(path, body, situation="{n: {int: [0, 2]}, p: bool}")
    with_enumeration = analyse(topic, cross_check=True)
    alone = analyse(topic_of(path, body, situation="{n: {int: [0, 2]}, p: bool}"))
    assert with_enumeration.findings == alone.findings
    counts = [
        (len(answers(topic, situation, choice)), len(answers(topic, situation, choice)) == 1)
        for situation in situations(topic)
        for choice in topic.choices
    ]
    no_ruling = any("no ruling here" in said for said in with_enumeration.open)
    assert (with_enumeration.row.verdict == "closed") == (all(one for _, one in counts) and not no_ruling)


def test_answers_are_fast_and_conditions_are_told(tmp_path: Path) -> None:
    topic = topic_of(tmp_path, SETTLED)
    situation = {"n": 1, "p": True}
    assert answers(topic, situation, {"R_X": "left"}) == ("a",)
    assert answers(topic, situation, {"R_X": "right", "R_OTHER": "x"}) == ("b",)
    assert conditions_true(topic, situation, {"R_X": "left"}) == ("T-1", "T-2", "T-3")
    assert conditions_true(topic, {"n": 1, "p": False}, {"R_X": "left"}) == ("T-1",)
    best = min(timeit.repeat(lambda: answers(topic, situation, {"R_X": "left"}), number=1000, repeat=5)) / 1000
    assert best < 60e-6


def test_a_situation_from_outside_is_checked(tmp_path: Path) -> None:
    topic = topic_of(tmp_path, CLOSED)
    assert checked(topic, {"p": True, "n": 3}) == {"n": 3, "p": True}
    for wrong in ({"n": 3}, {"n": 3, "p": True, "q": 1}, {"n": 10, "p": True}, {"n": True, "p": True}):
        with pytest.raises(BadInput):
            checked(topic, wrong)


def test_reports_are_the_same_every_time() -> None:
    first, second = (
        [analyse(topic).findings for topic in load_topics(DOCS / "toll_bridge.yaml").topics] for _ in range(2)
    )
    assert first == second


def test_the_closed_example_is_closed_and_the_literal_winner_of_nothing_is_found() -> None:
    file = load_topics(DOCS / "hill_forts.yaml")
    report = report_of(file.topics[0])
    record = only(report, "conflict")
    assert record.core == ("HF-RULE-03",)
    assert record.ours == ("HF-OURS-PRESENT", "ours:an-answer")
    assert situation_words(record.situation).startswith("red pieces is 0; blue pieces is 0")
    assert report.row.verdict == "closed"
    assert all(run_example(example).verdict == "pass" for example in file.examples)


def test_the_faulty_example_shows_its_faults() -> None:
    crossing, start = (report_of(topic) for topic in load_topics(DOCS / "toll_bridge.yaml").topics)
    assert kinds(crossing) == ["conflict", "conflict", "conflict", "silent", "overridden"]
    assert kinds(start) == ["gap"]
    assert (crossing.row.verdict, start.row.verdict) == ("open", "open")

"""Topic files are read strictly; ``lawspeaker check`` ends as promised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawspeaker.commands.check import command
from lawspeaker.model.core.clauses import Catalogue, Clause
from lawspeaker.model.core.errors import BadInput
from lawspeaker.solver.topic_files import load_topics

DOCS = Path(__file__).parents[2] / "docs" / "examples"

GOOD = """
format: lawspeaker-topics/1
game: toy
clauses:
  - {id: T-1, text: one}
  - {id: T-2, text: two}
rulings:
  - {id: R_X, question: which, kind: gap, clauses: [], reason: why,
     choices: [{value: left, means: l}, {value: right, means: r}]}
topics:
  - id: t
    question: who
    form: answer
    situation: {n: {int: [0, 3]}, p: bool, who: [a, b]}
    answer: [a, b]
    define: {high: n > 1}
    clauses:
      - {id: T-1, mode: obliges, if: high, then: answer == who}
      - {id: T-2, mode: obliges, if: not high, then: "answer == (a if R_X == left else b)", readings: R_X}
    rulings: [R_X]
examples:
  - {id: E-1, topic: t, given: {n: 2, who: b}, expect: b}
  - {id: E-2, topic: t, given: {n: 0}, expect: {R_X=left: a, otherwise: b}}
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "topics.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    file = load_topics(write(tmp_path, GOOD))
    assert [topic.id for topic in file.topics] == ["t"]
    assert file.topics[0].size == 16
    assert [example.id for example in file.examples] == ["E-1", "E-2"]


WRONG = [
    ("if: high", "if: hihg", "did you mean high"),
    ("if: high", "if: n", "yes or no is needed"),
    ("if: high", "if: answer == a", "speaks of the answer"),
    ("answer == who", "answer == c", "unknown name 'c'"),
    ("mode: obliges, if: high", "mode: permits, if: high", "form allowed"),
    (", then: answer == who", "", "has no 'then'"),
    ("{id: T-1, mode", "{id: T-9, mode", "not in the catalogue"),
    ("{id: T-1, mode: obliges", "{id: T-2, mode: obliges", "stands twice"),
    (", readings: R_X", "", "its formulas name R_X"),
    ("readings: R_X", "readings: R_Y", "its formulas name R_X"),
    ("rulings: [R_X]", "rulings: [R_Z]", "unknown ruling 'R_Z'"),
    ("{int: [0, 3]}", "{int: [3, 0]}", "is no type"),
    ("{int: [0, 3]}", "{int: [0, 1000000000000]}", "more than 100000 values"),
    ("who: [a, b]", "who: [a, no]", "quote names"),
    ("who: [a, b]", "who: [a, a]", "stands twice"),
    ("p: bool", "p: boolean", "is no type"),
    ("p: bool", "R_P: bool", "cannot be a variable's name"),
    ("p: bool", "answer: bool", "not part of the situation"),
    ("    answer: [a, b]\n", "", "has no answers"),
    ("- id: t\n", "- id: ../t\n", "is no id"),
    ("form: answer", "form: allowed", "leave answer out"),
    ("question: who", "question: who\n    qestion: why", "unknown field"),
    ("lawspeaker-topics/1", "lawspeaker-topics/9", "invalid enum value"),
    ("define: {high", "define: {p", "is taken"),
    ("topic: t, given: {n: 2", "topic: u, given: {n: 2", "unknown topic 'u'"),
    ("given: {n: 2", "given: {n: 7", "not among the values"),
    ("given: {n: 2", "given: {n: true", "not among the values"),
    ("given: {n: 2", "given: {m: 2", "unknown 'm'"),
    ("expect: b}", "expect: c}", "not among the values"),
    ("R_X=left: a", "R_X=up: a", "unknown value 'up'"),
    ("then: answer == who}", "then: answer == who, yields: {to: T-7, when: R_X == left}}", "unknown clause 'T-7'"),
    ("then: answer == who}", "then: answer == who, yields: {to: T-2, when: p}}", "speaks of the situation"),
    ("then: answer == who}", "then: answer == who, yields: {to: T-2, when: 1 == 1}}", "yields under no ruling"),
    ("then: answer == who}", "then: answer == who, source: ruling}", "which ruling adds it"),
    ("then: answer == who}", "then: answer == who, ruling: R_X}", "use readings"),
    ("examples:", "    exceptions: [{special: T-1, general: T-1, why: x}]\nexamples:", "its own exception"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(BadInput) as caught:
        load_topics(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_clauses_may_come_from_a_catalogue(tmp_path: Path) -> None:
    inline = GOOD[GOOD.index("clauses:") : GOOD.index("rulings:")]
    path = write(tmp_path, GOOD.replace(inline, ""))
    with pytest.raises(BadInput, match="has no clauses"):
        load_topics(path)
    clauses = tuple(Clause(id=name, heading="", kind="rule", text=name) for name in ("T-1", "T-2"))
    book = Catalogue(format="lawspeaker-clauses/1", game="toy", title="", version=1, clauses=clauses)
    assert load_topics(path, book).topics[0].clauses[0].text == "T-1"


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_check_ends_with_0_when_all_is_closed() -> None:
    code, said = run(str(DOCS / "hill_forts.yaml"), "--formulas")
    assert code == 0
    assert "HF-F-ruler-conflict-1" in said
    assert "red pieces is 0; blue pieces is 0" in said
    assert "R_EMPTY=dealer: red" in said
    assert "1 of 1 topics closed" in said


def test_check_ends_with_1_when_something_is_open() -> None:
    code, said = run(str(DOCS / "toll_bridge.yaml"))
    assert code == 1
    assert "0 of 2 topics closed" in said


def test_check_ends_with_1_when_an_example_fails(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace("given: {n: 2, who: b}, expect: b", "given: {n: 2, who: b}, expect: a"))
    code, said = run(str(path), "--json")
    assert code == 1
    outcomes = json.loads(said)["examples"][0]["outcomes"]
    assert {outcome["said"] for outcome in outcomes} == {"expected a; the clauses say: b"}
    assert run(str(path))[0] == 1


def test_an_example_without_a_valid_situation_fails(tmp_path: Path) -> None:
    text = GOOD.replace("    define:", "    assumptions: [{id: I, formula: n < 2}]\n    define:")
    code, said = run(str(write(tmp_path, text)), "--json")
    assert code == 1
    verdicts = {result["id"]: result["verdict"] for result in json.loads(said)["examples"]}
    assert verdicts == {"E-1": "fail", "E-2": "pass"}


def test_check_ends_with_2_and_one_message_for_wrong_input(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.yaml", write(tmp_path, GOOD.replace("if: high", "if: hihg"))):
        code, said = run(str(path))
        assert code == 2
        assert said.startswith("Error: ")
        assert str(path) in said
        assert "Traceback" not in said


def test_json_holds_the_records(tmp_path: Path) -> None:
    code, said = run(str(write(tmp_path, GOOD)), "--json", "--cross-check")
    assert code == 0
    plain = json.loads(said)
    assert plain["topics"][0]["verdict"] == "closed"
    assert [record["kind"] for record in plain["findings"]] == ["split"]
    assert plain["findings"][0]["readings"] == {"left": "a", "right": "b"}

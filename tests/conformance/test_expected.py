"""Expected failures are excused with their reason, and nothing stale is left standing."""

import pytest
from toy import ROOM, Pebbles, faulty

from lawspeaker.conformance.expected import Entry, Expected, read_expected
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import CaseResult

GOOD = "format: lawspeaker-expected/1\nfailures:\n"


def case(verdict, name="one", said="", blame="engine"):
    return CaseResult("pebbles", "play", name, verdict, said=said, blame=blame)


def test_a_file_reads_into_its_entries(tmp_path):
    file = tmp_path / "e.yaml"
    file.write_text(GOOD + "  - {case: play/*, players: [2, 3], reason: not built, issue: 'https://example.org/7'}\n")
    (entry,) = read_expected(file)
    assert entry == Entry("play/*", "not built", (2, 3), "https://example.org/7")
    assert entry.why == "not built (https://example.org/7)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + "  - {case: play/one}\n", "missing required field `reason`"),
        (GOOD + "  - {case: play/one, reason: ' '}\n", "empty reason"),
        (GOOD + "  - {case: one, reason: x}\n", "is no case"),
        (GOOD + "  - {case: play/one, reason: x}\n  - {case: play/one, reason: y}\n", "stands twice"),
        (GOOD + "  - {case: play/one, reason: x, why: y}\n", "unknown field"),
        ("format: lawspeaker-expected/9\nfailures: []\n", "format"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path, text, said):
    file = tmp_path / "e.yaml"
    file.write_text(text)
    with pytest.raises(BadInput, match=said) as caught:
        read_expected(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("verdict", ["fail", "no answer", "error"])
def test_a_failure_that_is_expected_carries_its_reason(verdict):
    expected = Expected([Entry("play/o*", "known")])
    judged = expected.judge(case(verdict), 2)
    assert (judged.verdict, judged.expected) == ("expected failure", "known")
    assert expected.stale("pebbles") == ()


def test_a_pass_that_was_to_fail_is_unexpected_and_its_entry_stale():
    expected = Expected([Entry("play/one", "known")])
    judged = expected.judge(case("pass"), 2)
    assert judged.verdict == "unexpected pass"
    assert "known" in judged.said
    assert "fails any more: play/one" in expected.stale("pebbles")[0].said


@pytest.mark.parametrize(
    "other",
    [case("not applicable"), case("no answer", said="not run: it crashed"), case("error", blame="harness"),
     case("fail", "two"), case("error", blame="reference")],
)  # fmt: skip
def test_what_is_no_failure_of_the_subject_is_not_excused(other):
    expected = Expected([Entry("play/one", "known")])
    assert expected.judge(other, 2) == other
    assert "nothing that ran" in expected.stale("pebbles")[0].said


def test_another_reading_is_no_failure_that_was_expected():
    expected = Expected([Entry("play/one", "known")])
    assert expected.judge(case("another reading"), 2).verdict == "another reading"
    assert expected.stale("pebbles")[0].verdict == "fail"


def test_an_entry_holds_for_its_numbers_of_players():
    expected = Expected([Entry("play/one", "known", (3,))])
    assert expected.judge(case("fail"), 2).verdict == "fail"
    assert expected.judge(case("fail"), 3).verdict == "expected failure"


def test_entries_beyond_what_was_to_run_are_passed_over():
    expected = Expected([Entry("play/one", "known", (3,))])
    assert expected.stale("pebbles", layers=("setup",)) == ()
    assert expected.stale("pebbles", case="play/two") == ()
    assert expected.stale("pebbles", players=(2,)) == ()
    assert len(expected.stale("pebbles", ("play",), "play/one", (3,))) == 1


def run(*entries, subject, layer="play"):
    expected = Expected(entries)
    return conform(
        Pebbles(), lambda: InProcessSubject(Session(subject, ROOM)), budget=SMALL, seed=1, layers=(layer,),
        expect=lambda found: expected.judge(found, 2),
    )  # fmt: skip


def test_a_layer_goes_on_after_a_failure_that_was_expected():
    wrong = faulty(next_seat=lambda seat: seat)
    stopped = run(subject=wrong, layer="setup")
    excused = run(Entry("setup/*", "not built"), subject=wrong, layer="setup")
    assert stopped.exit_code == 1
    assert {c.verdict for c in excused.cases if c.layer == "setup"} >= {"expected failure"}
    assert len(excused.cases) > len(stopped.cases)


def test_a_pass_that_was_to_fail_fails_the_run():
    report = run(Entry("play/*", "no bonus yet"), subject=Pebbles())
    assert report.exit_code == 1
    assert {c.verdict for c in report.failures} == {"unexpected pass"}

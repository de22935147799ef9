"""The exit code of a whole invocation: what could not run is never green."""

import pytest

from lawspeaker.conformance.outcome import outcome
from lawspeaker.conformance.report import Report
from lawspeaker.model.core.records import CaseResult, Stamp

STAMP = Stamp("pebbles", 1, "six", "sha256:1", "estimated", {})


def report(*cases, checked=5, players=2):
    return Report(STAMP, "s", 1, "dictated", cases, (), (), checked, 9, 1, players=players)


def case(verdict, layer="play", name="one", **more):
    return CaseResult("pebbles", layer, name, verdict, **more)


GOOD = report(case("pass"))
NOTHING = report(case("not applicable", "handshake", "all", said="does not take 3 players"), checked=0, players=3)


@pytest.mark.parametrize(
    ("reports", "code"),
    [
        ([GOOD], 0),
        ([report(case("another reading"), case("expected failure"), case("not applicable", "undo"))], 0),
        ([report(case("fail"))], 1),
        ([report(case("pass"), case("no answer", said="crash: gone"))], 1),
        ([report(case("unexpected pass"))], 1),
        ([report(case("error", blame="reference"))], 4),
        ([NOTHING], 3),
        ([report(case("no answer", "handshake"), checked=0)], 3),
        ([GOOD, NOTHING], 0),
        ([GOOD, report(case("no answer", "handshake"), checked=0, players=3)], 1),
        ([GOOD, report(case("error", blame="reference"), checked=0)], 4),
        ([], 3),
    ],
)
def test_the_code_is_that_of_the_worst(reports, code):
    assert outcome(reports)[0] == code


def test_what_was_named_has_to_be_checked():
    reports = [report(case("pass"), case("not applicable", "undo", "all", said="undo not offered"))]
    assert outcome(reports, layers=("play",)) == (0, ())
    code, (said,) = outcome(reports, layers=("play", "undo"))
    assert (code, said) == (3, "layer undo was asked for and checked nothing: undo not offered")
    code, (said,) = outcome([GOOD, NOTHING], players=(2, 3))
    assert (code, said) == (3, "3 players were asked for and nothing was checked: does not take 3 players")
    assert outcome([report(case("fail"))], layers=("undo",))[0] == 1
    stopped = report(case("pass"), case("no answer", "undo", "all", said="not run: it crashed"))
    assert "not run: it crashed" in outcome([stopped], layers=("undo",))[1][0]


def test_a_stale_entry_fails_the_run():
    assert outcome([GOOD], [case("fail", "expected")])[0] == 1

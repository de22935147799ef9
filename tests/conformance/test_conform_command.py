"""Traces of failures, and the command ``lawspeaker conform``."""

import sys

import msgspec
import pytest
from click.testing import CliRunner
from toy import ROOM, Pebbles, faulty

from lawspeaker.commands import conform as conform_command
from lawspeaker.conformance.explain import op_text, read_op, trace_text
from lawspeaker.conformance.layers import tries
from lawspeaker.conformance.match import Line, Op
from lawspeaker.conformance.process import Limits
from lawspeaker.conformance.referee import replay
from lawspeaker.conformance.session import Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.play import steps

# -- traces of failures -------------------------------------------------------------------------------


def test_operations_read_back():
    for text in ("try A walk 1", "view B", "undo 3", "save", "load", "again", 'setup {"turn":1}'):
        assert op_text(read_op(text)) == text
    with pytest.raises(BadInput):
        read_op("dance")


def test_a_trace_tells_a_line_and_what_is_no_legal_action_follows():
    game = Pebbles()
    ops = (Op("try", "chance", "roll 1"), Op("try", "A", "take"), Op("undo", count=1))
    text = trace_text(game, Line(None, ops))
    assert "1 chance roll 1 (seen by all)\n# then: try A take\n# then: undo 1\n" in text


def test_a_line_can_be_replayed():
    ops = tries(Pebbles(), steps(Pebbles(), 4))
    good = replay(Pebbles(), lambda: InProcessSubject(Session(Pebbles(), ROOM)), Line(None, ops))
    assert good.exit_code == 0
    bad = replay(Pebbles(), lambda: InProcessSubject(Session(faulty(bonus=lambda c: 0))), Line(None, ops), repeat="R")
    assert bad.failures[0].repeat == "R"


# -- the command --------------------------------------------------------------------------------------

SERVE = [sys.executable, "-m", "lawspeaker", "serve", "fjords"]


def invoke(*words):
    return CliRunner().invoke(conform_command.command, words, standalone_mode=False)


def test_the_command_checks_fjords_and_writes_its_reports(tmp_path):
    json_file, junit_file = tmp_path / "r.json", tmp_path / "r.xml"
    words = ["fjords", "--budget", "small", "--layer", "setup", "--layer", "undo", "--json", str(json_file)]
    result = invoke(*words, "--junit", str(junit_file), "--", *SERVE)
    assert result.return_value == 0, result.output
    assert "0 failures" in result.output
    data = msgspec.json.decode(json_file.read_bytes())
    assert data["format"] == "lawspeaker-conformance/2"
    assert "<testsuites" in junit_file.read_text()


def test_the_command_shows_a_difference_that_its_trace_repeats(tmp_path):
    other = [*SERVE, "--only", "legal,result,setup,digest,state", "--ruling", "R_TWO=exactly"]
    file = tmp_path / "r.json"
    words = ["fjords", "--budget", "small", "--layer", "setup", "--seed", "3", "--json", str(file), "--", *other]
    result = invoke(*words)
    assert "another reading: setup/" in result.output
    assert "R_TWO: follows exactly" in result.output
    cases = msgspec.json.decode(file.read_bytes())["reports"][0]["cases"]
    trace = tmp_path / "t.trace"
    trace.write_text(next(case["trace"] for case in cases if case["explained_by"] == "R_TWO=exactly"))
    again = invoke("fjords", "--replay", str(trace), "--", *other)
    assert "right under another reading: R_TWO=exactly" in again.output


def test_a_repeated_case_has_the_limits_of_its_run():
    assert conform_command._flags("my pack", Limits(work=0.5, total=1, memory=4000)) == (
        "--pack 'my pack' --timeout 0.5 --total 1 --memory 4000"
    )
    assert conform_command._flags(None, Limits()) == ""


def test_wrong_use_is_refused(tmp_path):
    with pytest.raises(BadInput, match="cannot be started"):
        raise invoke("fjords", "--layer", "play", "--", "/nothing/here").exception
    assert "no command" in str(invoke("fjords").exception)
    with pytest.raises(BadInput, match="folder"):
        raise invoke("fjords", "--json", str(tmp_path / "no" / "r.json"), "--", "true").exception


def test_a_layer_that_was_named_and_checks_nothing_is_not_green(tmp_path):
    level_0 = [*SERVE, "--only", "legal"]
    words = ("fjords", "--budget", "small", "--layer", "perft", "--layer", "play")
    result = invoke(*words, "--", *level_0)
    assert result.return_value == 3, result.output
    assert "layer perft was asked for and checked nothing: neither undo nor setup offered" in result.output


def test_expected_failures_that_are_none_fail_the_run(tmp_path):
    file = tmp_path / "e.yaml"
    entries = "[{case: setup/0, reason: it never set up}, {case: setup/there, reason: beyond this case}]"
    file.write_text(f"format: lawspeaker-expected/1\nfailures: {entries}\n")
    words = ["fjords", "--budget", "small", "--case", "setup/0", "--expected", str(file)]
    result = invoke(*words, "--", *SERVE)
    assert result.return_value == 1, result.output
    assert "unexpected pass: setup/0" in result.output
    assert "nothing that it matches fails any more: setup/0" in result.output
    assert "setup/there" not in result.output
    file.write_text("format: lawspeaker-expected/1\nfailures: [{case: play/one}]\n")
    with pytest.raises(BadInput, match="reason"):
        raise invoke(*words, "--", *SERVE).exception
    assert "--expected" in str(invoke(*words, "--replay", "t.trace", "--", *SERVE).exception)


def test_two_reports_are_never_one_file(tmp_path):
    same = str(tmp_path / "r")
    with pytest.raises(BadInput, match="named by --html and --sarif"):
        raise invoke("fjords", "--html", same, "--sarif", same, "--", "true").exception
    with pytest.raises(BadInput, match="is a folder"):
        raise invoke("fjords", "--html", str(tmp_path), "--", "true").exception

"""Whatever a subject does, the run ends within its limits with a clear verdict, and nothing is left behind."""

import json
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy import Pebbles

from lawspeaker.conformance import messages as m
from lawspeaker.conformance.checkup import ADVICE, examine
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.subjects import Crash, ProtocolError, SubjectFailure, Timeout
from lawspeaker.model.core.errors import BadInput

BAD = Path(__file__).parent / "subjects" / "bad.py"
LIMITS = Limits(start=20.0, handshake=20.0, work=0.4, close=0.05)

FAILURES = {
    "hangs": (Timeout, "timeout", "engine"),
    "ignores_sigterm": (Timeout, "timeout", "engine"),
    "half_line_then_hang": (Timeout, "timeout", "engine"),
    "flood_stderr": (None, "", ""),
    "crlf": (None, "", ""),
    "exits": (Crash, "crash", "engine"),
    "killed": (Crash, "crash", "engine"),
    "closes_output": (Crash, "crash", "engine"),
    "half_line_then_exit": (Crash, "half_line", "engine"),
    "garbage": (ProtocolError, "not_json", "adapter"),
    "not_utf8": (ProtocolError, "invalid_utf8", "adapter"),
    "nan": (ProtocolError, "not_a_number", "adapter"),
    "float": (ProtocolError, "not_whole", "adapter"),
    "duplicate": (ProtocolError, "duplicate_key", "adapter"),
    "nested": (ProtocolError, "too_deep", "adapter"),
    "wrong_id": (ProtocolError, "wrong_id", "adapter"),
    "text_id": (ProtocolError, "wrong_id", "adapter"),
    "no_jsonrpc": (ProtocolError, "not_jsonrpc", "adapter"),
    "both": (ProtocolError, "not_jsonrpc", "adapter"),
    "unknown_field": (ProtocolError, "bad_shape", "adapter"),
    "gigabyte_line": (ProtocolError, "line_too_long", "adapter"),
    "flood": (ProtocolError, "flood", "adapter"),
}


def subject(kind: str, *more: str, limits: Limits = LIMITS) -> ProcessSubject:
    return ProcessSubject([sys.executable, "-S", "-E", str(BAD), kind, *more], limits)


def start(found: ProcessSubject) -> None:
    found.ask(m.Hello((1,), "test", "pebbles"))
    found.ask(m.Start(("A", "B")))


def gone(pid: int) -> bool:
    """Whether a process has ended (a zombie that nobody has reaped counts as ended)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("kind", sorted(FAILURES))
def test_each_misbehaviour_has_its_own_verdict_and_leaves_no_process(kind):
    failure, word, blame = FAILURES[kind]
    found = subject(kind)
    try:
        start(found)
        if failure is None:
            assert isinstance(found.ask(m.Step(1, "chance", "roll 1")), m.Report)
        else:
            with pytest.raises(SubjectFailure) as caught:
                found.ask(m.Step(1, "chance", "roll 1"))
            assert (type(caught.value), caught.value.kind, caught.value.blame) == (failure, word, blame)
    finally:
        found.close()
    assert gone(found.process.pid)


def test_answers_that_are_slow_but_in_time_end_at_the_limit_for_all():
    found = subject("slow", limits=Limits(work=20.0, total=0.7, close=0.05))
    try:
        with pytest.raises(Timeout, match=r"more than 0\.7 s in all"):
            for _ in range(20):
                found.ask(m.Hello((1,), "test", "pebbles"))
        assert 2 <= found.number < 6
    finally:
        found.close()


def test_memory_of_the_subject_can_be_limited():
    found = ProcessSubject([sys.executable, "-c", "x = bytearray(1 << 30)"], Limits(memory=256, close=0.05))
    try:
        with pytest.raises(Crash, match="MemoryError"):
            found.ask(m.Hello((1,), "test", "pebbles"))
    finally:
        found.close()


def test_a_second_answer_is_noticed_at_the_next_question():
    found = subject("twice")
    try:
        start(found)
        found.ask(m.Step(1, "chance", "roll 1"))
        with pytest.raises(ProtocolError, match="second or late answer to question 3") as caught:
            found.ask(m.Step(2, "A", "rest"))
        assert caught.value.kind == "two_answers"
    finally:
        found.close()


def test_a_second_answer_ends_a_run_in_a_verdict():
    report = conform(Pebbles(), lambda: subject("twice"), budget=SMALL, layers=("play",), seed=1)
    assert [(c.verdict, c.said.split(":")[0]) for c in report.failures] == [("no answer", "two_answers")]


def test_words_after_the_end_are_noticed():
    report = conform(Pebbles(), lambda: subject("chatty_bye"), budget=SMALL, layers=("undo",), seed=1)
    assert [(c.id, c.said.split(":")[0]) for c in report.failures] == [("bye", "two_answers")]


def test_a_late_answer_is_a_timeout_and_the_subject_is_started_anew():
    report = conform(Pebbles(), lambda: subject("late"), budget=SMALL, layers=("play", "refusals"), seed=1)
    verdicts = [(c.layer, c.verdict, c.said.split(":")[0]) for c in report.cases]
    assert verdicts == [
        ("handshake", "pass", "bad late, level 1"),
        ("play", "no answer", "timeout"),
        ("refusals", "no answer", "timeout"),
    ]
    assert report.starts >= 2
    assert report.exit_code == 1


def test_the_exit_code_and_the_last_words_are_in_the_verdict():
    found = subject("exits")
    try:
        start(found)
        with pytest.raises(Crash, match=r"exit code 3.*out of pebbles"):
            found.ask(m.Step(1, "chance", "roll 1"))
    finally:
        found.close()


def test_a_signal_is_named():
    found = subject("killed")
    try:
        start(found)
        with pytest.raises(Crash, match="SIGKILL"):
            found.ask(m.Step(1, "chance", "roll 1"))
    finally:
        found.close()


def test_children_of_the_subject_end_with_it(tmp_path):
    note = tmp_path / "pid"
    found = subject("grandchild", str(note))
    try:
        start(found)
        with pytest.raises(Timeout):
            found.ask(m.Step(1, "chance", "roll 1"))
    finally:
        found.close()
    pid = int(note.read_text())
    deadline = time.monotonic() + 5
    while not gone(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert gone(pid)


def test_a_gigabyte_on_one_line_does_not_end_up_in_memory():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = subject("gigabyte_line")
    try:
        start(found)
        with pytest.raises(ProtocolError):
            found.ask(m.Step(1, "chance", "roll 1"))
        assert len(found.buffer) <= m.LINE_LIMIT + (1 << 16)
    finally:
        found.close()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB


def test_standard_error_is_kept_within_its_limit():
    found = subject("flood_stderr")
    try:
        start(found)
        found.ask(m.Step(1, "chance", "roll 1"))
        assert 0 < len(found.errors) <= LIMITS.stderr
    finally:
        found.close()


def test_a_long_message_does_not_block_on_a_subject_that_reads_nothing():
    found = ProcessSubject([sys.executable, "-c", "import time; time.sleep(60)"], Limits(start=0.5, close=0.1))
    began = time.monotonic()
    try:
        with pytest.raises(Timeout, match="flush"):
            found.ask(m.Hello((1,), "x" * 900_000, "pebbles"))
    finally:
        found.close()
    assert time.monotonic() - began < 5


def test_no_descriptor_is_left_open():
    count = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        found = subject("honest")
        start(found)
        found.close()
        found.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == count


def test_what_cannot_be_started_is_bad_input(tmp_path):
    with pytest.raises(BadInput, match="cannot be started"):
        ProcessSubject([str(tmp_path / "nothing_here")])
    with pytest.raises(BadInput, match="no command"):
        ProcessSubject([])


@pytest.mark.parametrize(
    ("kind", "word"), [("garbage", "not_json"), ("exits", "crash"), ("lacks_legal", "missing"), ("wrong_step", "step")]
)
def test_a_run_ends_with_a_report_that_says_whose_fault(kind, word):
    report = conform(Pebbles(), lambda: subject(kind), budget=SMALL, layers=("play",), seed=1)
    case = report.cases[-1]
    assert (case.verdict, case.said.split(":")[0]) == ("no answer", word)
    assert case.blame in ("engine", "adapter")
    assert case.trace.startswith("lawspeaker-trace 1")
    assert "--case play/0" in case.repeat
    assert report.exit_code == 1


def test_an_error_in_place_of_an_answer_is_a_failure_of_the_engine():
    report = conform(Pebbles(), lambda: subject("internal_error"), budget=SMALL, layers=("play",), seed=1)
    assert (report.cases[-1].verdict, report.cases[-1].blame) == ("fail", "engine")
    assert "internal" in report.cases[-1].said


def test_three_failures_stop_the_run_and_the_rest_is_not_green():
    layers = ("play", "play", "play", "refusals", "undo")
    report = conform(Pebbles(), lambda: subject("exits"), budget=SMALL, seed=1, layers=layers)
    rest = [c for c in report.cases if c.layer in ("refusals", "undo")]
    assert [c.verdict for c in rest] == ["no answer", "no answer"]
    assert "three" not in rest[0].said and "3 times" in rest[0].said
    assert report.starts <= 4


def test_a_silent_subject_gives_nothing_checked():
    limits = Limits(start=0.4, close=0.1)
    report = conform(Pebbles(), lambda: subject("silent_hello", limits=limits), budget=SMALL)
    assert report.exit_code == 3
    assert "flush" in report.cases[0].said


def test_doctor_gives_advice_for_every_kind_of_failure():
    kinds = {word for failure, word, _ in FAILURES.values() if failure} | {"two_answers", "missing", "step"}
    assert kinds <= ADVICE.keys()


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("Error: no module 'x'\n    at here\n\nNode 20", "says: Error: no module 'x'"),
        ("Traceback\nKeyError: 'a'", "ends: KeyError: 'a'"),
        ("cannot open x", "ends: cannot open x"),
    ],
)
def test_a_crash_is_told_with_the_line_that_names_the_error(last, said):
    program = "import sys; sys.exit(sys.argv[1])"
    signs = examine(Pebbles(), lambda: ProcessSubject([sys.executable, "-c", program, last], LIMITS))
    assert said in signs[-1].said


RUNS = BAD.with_name("hostile_runs.py")
TABLES = Path(__file__).parents[2] / "docs" / "hostile.md"
RESTARTS = 12
"""More often than this no subject is started in one run, whatever it does."""


@pytest.fixture(scope="module")
def documented():
    """Each kind with what docs/hostile.md says comes of it: outcome, whose fault, exit code."""
    rows = re.findall(r"^\| `(\S+)` \|[^|\n]+\|([^|\n]+)\|([^|\n]*)\| (\d) \|$", TABLES.read_text(), re.MULTILINE)
    return {kind: (outcome.strip(), fault.strip(), int(code)) for kind, outcome, fault, code in rows}


def measure(documented):
    """Return what the referee made of each kind, all run in one process of their own."""
    done = subprocess.run([sys.executable, str(RUNS), *documented], capture_output=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return json.loads(done.stdout)


def outcome_of(run):
    """Say what came of a run in the words of docs/hostile.md."""
    if not run["bad"]:
        return ("passes" if run["exit_code"] == 0 else "nothing checked"), "", run["exit_code"]
    _, verdict, said, blame = run["bad"][0]
    if verdict == "no answer":
        return f"no answer: {said.split(':')[0]}", blame, run["exit_code"]
    assert verdict in ("fail", "another reading"), run
    assert blame
    return "differs", "", run["exit_code"]


def check_each_kind_ends_as_the_tables_say(documented, measured):
    assert {kind: outcome_of(run) for kind, run in measured["runs"].items()} == documented


def test_every_kind_that_is_played_is_documented(documented):
    words = set(re.findall(r'^    "(\w+)": |KIND == "(\w+)"', BAD.read_text(), re.MULTILINE))
    played = {one or other for one, other in words}
    assert played <= {kind.partition("@")[0] for kind in documented}
    methods = set(m.METHODS)
    assert {kind.partition("@")[2] for kind in documented if kind.startswith("hangs@")} == methods
    ends = {kind.partition("@")[2] or "step" for kind in documented if re.fullmatch(r"exits(@\w+)?", kind)}
    assert ends == methods


def check_no_kind_leaves_a_process_or_takes_much_memory(measured):
    assert {kind: run["left"] for kind, run in measured["runs"].items() if run["left"]} == {}
    assert measured["open"] == 0
    assert 0 < measured["peak"] <= 300 << 10  # KiB


def check_no_kind_runs_on_and_on_or_fills_the_report(measured):
    for kind, run in measured["runs"].items():
        assert run["starts"] <= RESTARTS, kind
        assert run["seconds"] < 60, kind
        assert run["length"] < 200_000, kind
        assert run["printable"], kind


def check_what_was_finished_before_a_failure_stays_in_the_report(measured):
    runs = measured["runs"]
    for kind in ("hangs@bye", "exits@bye", "exits@load", "hangs@view", "saves_too_much@save"):
        assert {"handshake/hello", "perft/0", "setup/0", "play/0"} <= set(runs[kind]["passed"]), kind
    early = [kind for kind, run in runs.items() if "handshake/hello" not in run["passed"]]
    assert {runs[kind]["exit_code"] for kind in early} == {3}


def check_children_that_outlive_a_subject_are_found_whatever_they_take_off(measured):
    for kind in ("child_in_own_session", "child_of_a_child", "child_without_mark", "orphan"):
        assert measured["runs"][kind]["ended"] >= 3, kind


def check_a_restart_plays_to_the_same_point_and_tells_what_came_of_it(measured):
    words = {
        "exits": "played again it fails at the same place (crash)",
        "changed": "started again it says another hello",
        "flips_after_crash": "played again it answers, but otherwise than the reference",
        "flaky": "started anew and played to the same point it answered and went on",
    }
    for kind, said in words.items():
        assert any(said in bad[2] for bad in measured["runs"][kind]["bad"][:2]), kind
    flaky = measured["runs"]["flaky"]
    assert (len(flaky["bad"]), flaky["starts"]) == (1, 2)
    assert len(flaky["passed"]) > 3


def test_the_referee_stands_every_kind(documented):
    measured = measure(documented)  # once, as it takes long
    check_each_kind_ends_as_the_tables_say(documented, measured)
    check_no_kind_leaves_a_process_or_takes_much_memory(measured)
    check_no_kind_runs_on_and_on_or_fills_the_report(measured)
    check_what_was_finished_before_a_failure_stays_in_the_report(measured)
    check_children_that_outlive_a_subject_are_found_whatever_they_take_off(measured)
    check_a_restart_plays_to_the_same_point_and_tells_what_came_of_it(measured)


def test_a_child_is_known_although_the_subject_ends_with_its_input(tmp_path):
    found = subject("child_without_mark", str(tmp_path / "pid"))
    try:
        start(found)
        found.ask(m.Step(1, "chance", "roll 1"))
    finally:
        found.close()
    assert found.left_behind == 1
    assert gone(int((tmp_path / "pid").read_text()))


def test_an_answer_just_before_the_end_counts():
    found = subject("exits_after")
    try:
        start(found)
        assert isinstance(found.ask(m.Step(1, "chance", "roll 1")), m.Report)
        with pytest.raises(Crash, match="exit code 4"):
            found.ask(m.Step(2, "A", "rest"))
    finally:
        found.close()


def test_doctor_says_what_to_do():
    signs = examine(Pebbles(), lambda: subject("garbage"))
    assert not signs[-1].well
    assert "standard error" in signs[-1].advice
    assert all(sign.well for sign in examine(Pebbles(), lambda: subject("honest")))

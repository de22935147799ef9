"""Two reports are compared: nothing that is worse is passed over, and no file is taken for a report."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from lawspeaker.commands import diff
from lawspeaker.conformance.difference import FORMAT, ReportFile, compared, read_file
from lawspeaker.conformance.report import Report
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import CaseResult, Difference, Stamp

STAMP = Stamp("pebbles", 1, "six", "sha256:1", "estimated", {"R_A": "x"})


def file(*cases, stamp=STAMP, players=2, stale=()):
    report = Report(stamp, "subject", 1, "dictated", cases, (), (), 5, 9, 1, players=players)
    return ReportFile(FORMAT, (report,), tuple(stale))


def case(verdict, name="one", layer="play", **more):
    return CaseResult("pebbles", layer, name, verdict, **more)


def kinds(old, new):
    return [(c.kind, c.case) for c in compared(old, new).changes]


@pytest.mark.parametrize(
    ("old", "new", "kind", "worse"),
    [
        ("pass", "fail", "new failure", True),
        ("pass", "error", "new failure", True),
        ("pass", "unexpected pass", "new failure", True),
        ("pass", "expected failure", "new failure", True),
        ("not applicable", "fail", "new failure", True),
        ("pass", "no answer", "newly untested", True),
        ("fail", "no answer", "newly untested", True),
        ("pass", "not applicable", "newly untested", True),
        ("not applicable", "no answer", "newly untested", True),
        ("fail", "pass", "fixed", False),
        ("expected failure", "pass", "fixed", False),
        ("fail", "expected failure", "changed reason", False),
        ("pass", "another reading", "changed reason", False),
        ("no answer", "pass", "newly tested", False),
        ("not applicable", "pass", "newly tested", False),
    ],
)
def test_each_change_has_its_kind(old, new, kind, worse):
    found = compared(file(case(old)), file(case(new)))
    assert [c.kind for c in found.changes] == [kind]
    assert found.worse is worse


def test_nothing_changed():
    same = file(case("pass"), case("fail", "two", said="x"), case("not applicable", "all", "undo"))
    assert compared(same, same).changes == ()
    assert kinds(file(case("pass", calls=3)), file(case("pass", calls=9))) == []


def test_another_clause_or_place_of_a_failure_is_a_changed_reason():
    one = case("fail", clauses=("PB-1",), differences=(Difference("state.turn", 1, 2),))
    for more in ({"clauses": ("PB-2",)}, {"differences": (Difference("legal"),)}):
        two = msgspec.structs.replace(one, **more)
        assert kinds(file(one), file(two)) == [("changed reason", "play/one")]


def test_a_case_that_is_gone_is_untested_and_never_fixed():
    found = compared(file(case("fail", "1", "undo")), file(case("not applicable", "all", "undo", said="not offered")))
    (change,) = found.changes
    assert (change.kind, change.new, change.said) == ("newly untested", "absent", "not offered")
    ended = compared(file(case("pass", "1"), case("pass", "2")), file(case("fail", "1")))
    assert [c.kind for c in ended.changes] == ["new failure", "newly untested"]
    assert "play/1" in ended.changes[1].said


def test_runs_are_matched_by_number_of_players():
    assert kinds(file(case("pass")), file(case("pass"), players=3)) == [
        ("newly untested", "play/one"),
        ("newly tested", "play/one"),
    ]


def test_of_a_case_that_ran_twice_the_worse_counts():
    assert kinds(file(case("pass")), file(case("another reading"), case("pass"))) == [("changed reason", "play/one")]


def test_a_stale_entry_is_a_new_failure():
    stale = (case("fail", "play/*", "expected"),)
    assert kinds(file(case("pass")), file(case("pass"), stale=stale)) == [("new failure", "expected/play/*")]
    assert kinds(file(case("pass"), stale=stale), file(case("pass"))) == [("fixed", "expected/play/*")]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("game", "chess", "another game: pebbles, then chess"),
        ("catalogue", 2, "another catalogue version: 1, then 2"),
        ("pack_digest", "sha256:2", "another pack: six sha256:1, then six sha256:2"),
        ("seed", 7, "another seed: 0, then 7"),
        ("rulings", {"R_A": "y"}, "another rulings: R_A=x, then R_A=y"),
    ],
)
def test_what_was_not_made_alike_is_said_and_compared_all_the_same(field, value, said):
    other = file(case("fail"), stamp=msgspec.structs.replace(STAMP, **{field: value}))
    found = compared(file(case("pass")), other)
    assert found.notes[0].startswith(said)
    assert found.worse


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(msgspec.json.encode(content) if not isinstance(content, bytes) else content)
    return str(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<html>", "no report"),
        (b"[]", "no report"),
        (b"{}", "no report"),
        (b'{"format":"lawspeaker-conformance/1","reports":[]}', "lawspeaker-conformance/1"),
        (b'{"format":"lawspeaker-conformance/2","reports":[]}', "no run"),
        (b'{"format":"lawspeaker-conformance/2","reports":[{}]}', "no report"),
        (b"[" * 100_000, "no report"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, content, said):
    path = written(tmp_path, "r.json", content)
    with pytest.raises(BadInput, match=said) as caught:
        read_file(Path(path))
    assert path in str(caught.value)


def test_the_command_prints_and_its_code_says_whether_it_is_worse(tmp_path):
    old = written(tmp_path, "old.json", file(case("pass"), case("fail", "two")))
    new = written(tmp_path, "new.json", file(case("fail", said="\x1b[31m\nx"), case("pass", "two")))
    worse = CliRunner().invoke(diff.command, [old, new], standalone_mode=False)
    assert worse.return_value == 1
    assert worse.output.splitlines() == [
        "new failure: play/one with 2 players: pass -> fail: \\x1b[31m x",
        "fixed: play/two with 2 players: fail -> pass",
        "worse: 1 new failure, 1 fixed",
    ]
    same = CliRunner().invoke(diff.command, [old, old, "--json"], standalone_mode=False)
    assert same.return_value == 0
    assert msgspec.json.decode(same.output)["changes"] == []

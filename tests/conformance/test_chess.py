"""Two chess programs that know nothing of each other, set against each other: any two engines can be compared.

python-chess plays the reference and chess.js the subject, and the other way round; published counts of move
sequences say that both are right.  A rule broken in either is found and shrunk to a position.
"""

import importlib.util
import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawspeaker.commands import conform as conform_command

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "conformance" / "examples" / "chess"
POSITIONS = str(FOLDER / "positions.yaml")
PYTHON = [sys.executable, str(FOLDER / "python_chess.py")]
FAULTY = [sys.executable, str(HERE / "subjects" / "chess_faulty.py")]
NODE = ["node", str(FOLDER / "chessjs" / "adapter.js")]
CHECKED = {"perft", "setup", "play", "refusals", "views", "undo", "save", "two-ways"}

REASON = ""
if importlib.util.find_spec("chess") is None:
    REASON = "python-chess is not installed: try `make peers`"
elif shutil.which("node") is None:
    REASON = "Node.js is not installed"
elif not (FOLDER / "chessjs" / "node_modules" / "chess.js").is_dir():
    REASON = "`npm ci` not done: try `make clients`"
plays = pytest.mark.skipif(bool(REASON), reason=REASON)


def conform(report, reference, *words):
    """Run the command with a small budget; return its exit code, what it printed, and the cases of its report."""
    words = ("chess", "--reference", shlex.join(reference), "--positions", POSITIONS, "--budget", "small",
             "--json", str(report), *words)  # fmt: skip
    result = CliRunner().invoke(conform_command.command, words, standalone_mode=False)
    assert report.exists(), result.output
    cases = [case for part in json.loads(report.read_text())["reports"] for case in part["cases"]]
    return result.return_value, result.output, cases


@plays
@pytest.mark.parametrize(("reference", "subject"), [(PYTHON, NODE), (NODE, PYTHON)], ids=["python", "javascript"])
def test_two_independent_engines_agree_and_count_what_is_published(tmp_path, reference, subject):
    code, output, cases = conform(tmp_path / "r.json", reference, "--", *subject)
    assert code == 0, output
    passed = [case for case in cases if case["verdict"] == "pass"]
    assert {case["layer"] for case in passed} >= CHECKED
    counted = [case["title"] for case in passed if case["layer"] == "perft" and "at-" in case["id"]]
    assert len(counted) == 6
    assert any("48, 2039" in title for title in counted), counted


@plays
def test_a_reference_that_counts_otherwise_than_is_published_is_at_fault(tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(Path(POSITIONS).read_text().replace("[20, 400,", "[20, 401,"))
    words = ("chess", "--reference", shlex.join(PYTHON), "--positions", str(wrong), "--layer", "perft",
             "--budget", "small", "--", *NODE)  # fmt: skip
    result = CliRunner().invoke(conform_command.command, words, standalone_mode=False)
    assert result.return_value not in (0, None), result.output
    assert "401" in result.output
    assert "400" in result.output


@plays
def test_programs_that_end_a_game_at_different_moments_differ_there_and_nowhere_else(tmp_path):
    late = tmp_path / "late.yaml"
    late.write_text(
        "format: lawspeaker-positions/1\ngame: chess\npositions:\n"
        '  - {id: late, record: {fen: "8/8/4k3/8/8/3RK3/8/8 w - - 97 80"}}\n'
    )
    words = ("chess", "--reference", shlex.join(PYTHON), "--positions", str(late), "--budget", "small",
             "--json", str(tmp_path / "r.json"), "--", *NODE, "--fifty")  # fmt: skip
    result = CliRunner().invoke(conform_command.command, words, standalone_mode=False)
    assert result.return_value == 1, result.output
    (report,) = json.loads((tmp_path / "r.json").read_text())["reports"]
    failed = [case for case in report["cases"] if case["verdict"] == "fail"]
    assert failed
    clocks = {int(n) for case in failed for n in re.findall(r'"fen":"[^"]* (\d+) \d+"', case["trace"])}
    assert clocks
    assert min(clocks) >= 99, "fifty moves of each without a capture or a pawn's move, and not before"


@plays
@pytest.mark.parametrize(
    ("fault", "shows"),
    [
        ("en-passant", r"start: .* [wb] \S+ [a-h][36] "),
        ("castling", r"start: .*"),
        ("promotion", r"start: .*[pP]"),
    ],
)
def test_a_rule_broken_in_one_is_caught_and_shrunk_to_a_position(tmp_path, fault, shows):
    code, output, cases = conform(tmp_path / "r.json", NODE, "--", *FAULTY, fault)
    assert code == 1, output
    failed = [case for case in cases if case["verdict"] == "fail"]
    assert failed
    for case in failed:
        assert re.search(shows, case["trace"]), case["trace"]
        assert len(re.findall(r"^(?:\d+ |# then: )", case["trace"], re.M)) <= 1, case["trace"]
    if fault == "castling":
        assert re.search(r"only the subject has .*e[18][cg][18]", output), output
    if fault == "promotion":
        assert re.search(r"only the reference has .*[a-h][12][a-h][18][nbr]", output), output


def test_the_package_is_pinned_and_no_address_is_kept():
    wanted = json.loads((FOLDER / "chessjs" / "package.json").read_text())["dependencies"]
    lock = json.loads((FOLDER / "chessjs" / "package-lock.json").read_text())
    assert wanted == {"chess.js": lock["packages"]["node_modules/chess.js"]["version"]}
    assert "resolved" not in lock["packages"]["node_modules/chess.js"]
    assert "integrity" in lock["packages"]["node_modules/chess.js"]

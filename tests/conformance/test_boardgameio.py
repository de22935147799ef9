"""Fjords as an outsider wrote it, in JavaScript on boardgame.io, behind the protocol; mistakes in it are caught."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawspeaker.commands import conform as conform_command

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "conformance" / "examples" / "fjords-boardgameio"
ADAPTER = str(FOLDER / "adapter.js")
FAULTY = HERE / "subjects" / "boardgameio_fault.js"
LIBRARIES = ("boardgame.io", "js-yaml")

MISSING = [name for name in LIBRARIES if not (FOLDER / "node_modules" / name).is_dir()]
plays = pytest.mark.skipif(
    shutil.which("node") is None or bool(MISSING),
    reason="Node.js is not installed" if shutil.which("node") is None else "`npm ci` not done: try `make clients`",
)


def conform(report, *words):
    """Run the command with a small budget; return its exit code, what it printed, and the cases of its report."""
    words = ("fjords", "--budget", "small", "--json", str(report), *words)
    result = CliRunner().invoke(conform_command.command, words, standalone_mode=False)
    assert report.exists(), result.output
    cases = [case for part in json.loads(report.read_text())["reports"] for case in part["cases"]]
    return result.return_value, result.output, cases


@plays
def test_the_game_conforms_in_every_layer(tmp_path):
    code, output, cases = conform(tmp_path / "r.json", "--", "node", ADAPTER)
    assert code == 0, output
    passed = {case["layer"] for case in cases if case["verdict"] == "pass"}
    assert passed >= {"scenarios", "perft", "setup", "play", "refusals", "views", "undo", "save", "two-ways"}
    assert {case["verdict"] for case in cases} <= {"pass", "not applicable"}
    # It follows the default reading only and says so; what another reading alone decides is not asked of it.
    refused = [case for case in cases if case["verdict"] == "not applicable"]
    assert all("unknown_value" in case["said"] for case in refused)


@plays
@pytest.mark.parametrize(
    ("fault", "layer", "action"),
    [("aside", "refusals", "aside"), ("skip", "play", "field"), ("winner", "setup", "field")],
)
def test_a_planted_mistake_is_caught_and_shrunk_to_one_action(tmp_path, monkeypatch, fault, layer, action):
    monkeypatch.setenv("FJORDS_FAULT", fault)
    code, output, cases = conform(tmp_path / "r.json", "--layer", layer, "--", "node", "-r", str(FAULTY), ADAPTER)
    assert code == 1, output
    failed = [case for case in cases if case["verdict"] == "fail"]
    assert [case["layer"] for case in failed] == [layer], "the layer ends at its first difference"
    trace = failed[0]["trace"]
    assert "\nstart: {" in trace, "a position"
    assert len(re.findall(rf"^(?:\d+ [AB]|# then: try [AB]) {action}\b.*", trace, re.M)) == 1
    assert len(re.findall(r"^(?:\d+ |# then: )", trace, re.M)) == 1, trace


def test_versions_are_exact_and_no_address_is_kept():
    wanted = json.loads((FOLDER / "package.json").read_text())["dependencies"]
    lock = json.loads((FOLDER / "package-lock.json").read_text())
    assert set(wanted) == set(LIBRARIES)
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    assert lock["packages"][""]["dependencies"] == wanted
    locked = {path: package for path, package in lock["packages"].items() if path}
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [path for path, package in locked.items() if "resolved" in package or "integrity" not in package] == []

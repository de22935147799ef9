"""``lawspeaker verify`` from outside: what it writes, what it says, what it refuses."""

import json
import re
import subprocess
import sys

import pytest


def run(*words, cwd):
    return subprocess.run(
        [sys.executable, "-m", "lawspeaker", "verify", *words], capture_output=True, text=True, cwd=cwd, check=False
    )


@pytest.fixture(scope="module")
def verified(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verify")
    done = run("fjords", "--out", "out", cwd=folder)
    return done, folder / "out"


def test_fjords_is_as_expected(verified):
    done, _ = verified
    assert done.returncode == 0, done.stdout + done.stderr
    assert "examples reproduced │ 2/2" in done.stdout
    for degree in ("cited", "exercised", "decisive"):
        found = re.search(rf"clauses {degree}\s+│ (\d+)/(\d+)", done.stdout)
        assert found and found[1] == found[2] == "58"


def test_every_report_is_written_and_asks_for_nothing_outside(verified):
    _, out = verified
    names = {path.name for path in out.iterdir()}
    assert {"index.html", "fjords.html", "report.jsonl"} <= names
    assert {"summary.md", "findings.md", "junit.xml", "report.sarif"} <= names
    for page in ("index.html", "fjords.html"):
        assert not re.findall(r"(?:src|href)=[\"']?https?:", (out / page).read_text())


def test_the_report_file_holds_findings_with_positions(verified):
    _, out = verified
    events = [json.loads(line) for line in (out / "report.jsonl").read_text().splitlines()]
    kinds = {event.get("type") for event in events if isinstance(event, dict)}
    text = (out / "report.jsonl").read_text()
    assert kinds and "R_LAST_OPEN" in text and '"carried":"game"' in text.replace(" ", "")


def test_an_unknown_game_is_one_message(tmp_path):
    done = run("chess", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "unknown game 'chess'" in done.stderr
    assert not (tmp_path / "reports").exists()


def test_a_folder_that_is_no_report_is_not_overwritten(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.html").write_text("my own page")
    done = run("fjords", "--out", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "out" / "index.html").read_text() == "my own page"
    assert "Traceback" not in done.stderr

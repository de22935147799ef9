"""The guide shows the example adapters as they are and what the commands print; its adapters earn their verdicts."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawspeaker.commands import conform as conform_command
from lawspeaker.commands.doctor import command as doctor_command
from lawspeaker.model.core.games import make_game

ROOT = Path(__file__).resolve().parents[2]
MINIMAL = ROOT / "conformance" / "examples" / "minimal"
GUIDE = (ROOT / "docs" / "conformance-guide.md").read_text(encoding="utf-8")
PAGE = (ROOT / "conformance" / "PROTOCOL.md").read_text(encoding="utf-8")
LAYERS = ("--layer", "play", "--layer", "refusals")
INTERPRETERS = [
    pytest.param(sys.executable, "adapter.py", id="python"),
    pytest.param(
        "node", "adapter.js", id="node",
        marks=pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed"),
    ),
]  # fmt: skip


@pytest.fixture(autouse=True)
def buffered(monkeypatch):
    """What is not flushed stays in the buffer, as it does for most readers of the guide."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


def doctor(*words):
    done = CliRunner().invoke(doctor_command, ["--game", "fjords", *words], standalone_mode=False)
    return done.return_value, done.stdout


def conform(*words):
    done = CliRunner().invoke(conform_command.command, ["fjords", "--budget", "small", *words], standalone_mode=False)
    return done.return_value, done.stdout


def shown(output):
    """Return an output as it stands in the guide."""
    return "".join(f"    {line}".rstrip() + "\n" for line in output.splitlines())


def changed(folder, file, old, new):
    """Copy the example with one change; return its adapter."""
    shutil.copytree(MINIMAL, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return str(folder / "adapter.py")


@pytest.mark.parametrize(
    ("language", "file", "comments"), [("python", "adapter.py", 2), ("javascript", "adapter.js", 0)]
)
def test_the_code_of_the_guide_is_the_example(language, file, comments):
    block = re.search(rf"```{language}\n(.*?)```", GUIDE, re.S)
    assert block and block[1] == (MINIMAL / file).read_text(encoding="utf-8").split("\n", comments)[comments]
    assert len(block[1].splitlines()) <= 90


@pytest.mark.parametrize(("program", "file"), INTERPRETERS)
def test_the_outputs_of_the_guide_are_what_the_commands_print(program, file):
    code, output = doctor("--", program, str(MINIMAL / file))
    assert code == 0
    assert shown(output) in GUIDE
    code, output = conform(*LAYERS, "--", program, str(MINIMAL / file))
    assert code == 0
    assert shown(output) in GUIDE


def test_the_unflushed_adapter_of_the_guide_is_found(tmp_path):
    adapter = changed(tmp_path, "adapter.py", ", flush=True", "")
    code, output = doctor("--timeout", "1", "--start-timeout", "1", "--", sys.executable, adapter)
    assert code == 1
    assert "Flush standard output" in output
    assert shown(output) in GUIDE


def test_the_failure_of_the_guide_is_what_is_reported(tmp_path):
    adapter = changed(tmp_path, "engine.py", "sum(map(bool, beside)) < 2", "sum(map(bool, beside)) < 1")
    code, output = conform("--layer", "play", "--", sys.executable, adapter)
    assert code == 1
    head = output.split("\n    lawspeaker-trace", 1)[0].rstrip("\n") + "\n"
    assert "FD-TILE-02" in head
    assert shown(head) in GUIDE


def test_every_word_of_the_guide_that_is_a_file_exists():
    named = re.findall(r"`((?:conformance|tests|docs)/[\w./-]+)`", GUIDE)
    assert len(named) >= 3
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("game", [make_game("fjords"), make_game("northmen", players=2)], ids=lambda game: game.id)
def test_the_record_on_the_protocol_page_is_a_position_of_the_game(game):
    records = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.S)]
    record = next(found for found in records if list(found) == list(game.fields))
    position = game.position(record)
    assert game.record(position) == record
    assert game.broken_invariants(position) == ()
    assert game.legal(position)

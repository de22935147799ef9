"""The command line as a whole: help, exit codes, one message for bad input."""

import os
import subprocess
import sys
import types
from pathlib import Path

import click
import pytest

from lawspeaker import __version__, cli, commands
from lawspeaker.cli import main


@pytest.fixture
def extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A second folder of subcommands."""
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    return tmp_path


def command_that(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(cli, "import_module", lambda name: types.SimpleNamespace(command=command))


def test_help_lists_every_command_and_imports_none(capsys: pytest.CaptureFixture[str]) -> None:
    code = (
        "import sys; from lawspeaker.cli import main; code = main(['--help']); "
        "print(sorted(m for m in sys.modules if m.startswith('lawspeaker.commands.') or m == 'z3'), code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[] 0\n")
    for name, summary in cli.command_summaries().items():
        assert name in done.stdout and summary.split()[0] in done.stdout


def test_a_broken_command_takes_no_other_down(extra: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (extra / "torn.py").write_text('"""Cannot be imported."""\nimport no_such_library\ncommand = 1\n')
    (extra / "worse.py").write_text("def (")
    (extra / "helper.py").write_text('"""No command here."""\n')
    assert main(["--help"]) == 0
    listed = capsys.readouterr().out
    assert "torn" in listed and "worse" in listed and "helper" not in listed
    assert main(["perft", "--help"]) == 0


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"lawspeaker {__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sing"], "unknown command 'sing'; known are "),
        (["perft"], "Missing argument 'GAME'; see lawspeaker perft --help"),
        (["perft", "fjords"], "Missing option '--depth'; see lawspeaker perft --help"),
        (["perft", "fjords", "--depth", "deep"], "'deep' is not a valid integer range"),
        (["perft", "chess", "--depth", "1"], "unknown game 'chess'; known are fjords"),
        (["perft", "fjords", "--depth", "1", "--ruling", "R_X=1"], "unknown ruling 'R_X'; known are "),
        (["trace", "show", "no.trace"], "no.trace: cannot be read (No such file or directory)"),
        (["pack", "check", "no.yaml"], "no.yaml: cannot be read"),
        (["trace", "play", "fjords", "--seed", "1", "--policy", "lucky"], "'lucky' is not one of"),
    ],
)
def test_wrong_use_is_one_message_and_exit_code_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("lawspeaker: ") and said in err and err.count("\n") == 1


def test_an_interruption_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    command_that(monkeypatch, KeyboardInterrupt())
    assert main(["perft"]) == 130


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    command_that(monkeypatch, ZeroDivisionError("ours"))
    with pytest.raises(ZeroDivisionError):
        main(["perft"])


@pytest.mark.parametrize(("stop", "code"), [(SystemExit(1), 1), (SystemExit(0), 0), (SystemExit("x"), 2)])
def test_a_command_may_stop_with_a_code(monkeypatch: pytest.MonkeyPatch, stop: SystemExit, code: int) -> None:
    command_that(monkeypatch, stop)
    assert main(["perft"]) == code


def test_a_reader_that_leaves_early_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "lawspeaker", "--help"], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 1

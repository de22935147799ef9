"""trace, perft and explain on a game with hidden and compound decisions, through the command line."""

import sys
from pathlib import Path

import hoards
import pytest

from lawspeaker.cli import main
from lawspeaker.model.core import games

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _hoards_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "game_ids", lambda: ("hoards",))
    monkeypatch.setitem(sys.modules, "lawspeaker.model.hoards.room", hoards)


def run(capsys: Capture, *words: str) -> str:
    code = main(list(words))
    found = capsys.readouterr()
    assert code == 0, found.err
    return found.out


def played(capsys: Capture, tmp_path: Path, *more: str) -> Path:
    path = tmp_path / "game.trace"
    path.write_text(run(capsys, "trace", "play", "hoards", "--seed", "1", *more))
    return path


def test_show_prints_whole_decisions_in_one_line_if_asked(capsys: Capture, tmp_path: Path) -> None:
    path = played(capsys, tmp_path)
    shown = [
        line
        for line in run(capsys, "trace", "show", "--compound", str(path)).splitlines()
        if line[:4].strip().isdigit()
    ]
    assert [line.split()[2] for line in shown] == ["deal", "deal", "march", "march", "wagers", "wagers"]
    assert run(capsys, "trace", "show", str(path)).count(" send ") > 0


def test_a_compact_trace_is_shown_as_it_is_written_and_counts_steps_by_line(capsys: Capture, tmp_path: Path) -> None:
    path = played(capsys, tmp_path, "--compound")
    assert " 6 B: wagers " in run(capsys, "trace", "show", str(path))
    assert "1  20\n" in run(capsys, "perft", "hoards", "--depth", "1", "--position", f"{path}:3")
    assert "1  4\n" in run(capsys, "perft", "hoards", "--depth", "1", "--position", f"{path}:3", "--parts")


def test_a_compact_trace_for_a_seat_hides_commits(capsys: Capture, tmp_path: Path) -> None:
    path = played(capsys, tmp_path)
    masked = run(capsys, "trace", "show", "--compound", "--seat", "B", str(path))
    assert "3 A march " in masked and "5 A ? (seen by A)\n6 A ? (seen by A)\n7 B wagers " in masked
    path.write_text(masked)
    assert run(capsys, "trace", "show", str(path)) == masked
    for old, new, said in (("A ?", "A wager 1", "is shown to a seat"), ("", "", "is masked, so its compound")):
        path.write_text(masked.replace(old, new, 1) if old else masked)
        assert main(["trace", "show", str(path), *([] if old else ["--compound"])]) == 2
        assert said in capsys.readouterr().err

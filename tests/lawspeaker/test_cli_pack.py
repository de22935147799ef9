"""What `pack check` says besides its verdict, and that each game has a word to say."""

from pathlib import Path

import pytest

from lawspeaker.cli import main
from lawspeaker.model.core.games import game_ids, no_notes, room
from lawspeaker.model.core.packs import Note

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("game", game_ids())
def test_what_follows_from_a_pack_stands_below_the_verdict(game: str, capsys: Capture) -> None:
    place = room(game)
    assert main(["pack", "check", str(place.default_pack)]) == 0
    verdict, *lines = capsys.readouterr().out.splitlines()
    notes = place.notes(place.load_pack(place.default_pack))
    assert notes and verdict.endswith("fits the rulebook")
    assert lines == [f"  {note.what}: {note.verdict}" + (f"; {note.said}" if note.said else "") for note in notes]


def test_it_stands_there_for_a_pack_that_does_not_fit_too(capsys: Capture, tmp_path: Path) -> None:
    text = room("fjords").default_pack.read_text(encoding="utf-8")
    path = tmp_path / "pack.yaml"
    path.write_text("\n".join(line for line in text.splitlines() if "id: T36" not in line), encoding="utf-8")
    assert main(["pack", "check", str(path)]) == 1
    out = capsys.readouterr().out
    assert "does not fit the rulebook: 1 complaints\n  tiles: 39; 3 start tiles, 36 to draw\n" in out


def test_the_notes_of_fjords_are_counts() -> None:
    place = room("fjords")
    assert place.notes(place.load_pack(place.default_pack)) == (
        Note("tiles", "40", "3 start tiles, 37 to draw"),
        Note("tiles with farmland", "39", "the others can bear no farm"),
        Note("tiles that divide land", "6", "on these the readings of R_LAND differ"),
    )


def test_a_game_without_notes_says_none() -> None:
    place = room("fjords")
    assert no_notes(place.load_pack(place.default_pack)) == ()

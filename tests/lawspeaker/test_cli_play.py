"""explain, trace, playout, perft and pack check, on Fjords, through the command line."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lawspeaker.cli import main
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.traces import read_trace, replay

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def game_file(tmp_path: Path, capsys: Capture) -> Path:
    path = tmp_path / "game.trace"
    assert main(["trace", "play", "fjords", "--seed", "3", "-o", str(path)]) == 0
    capsys.readouterr()
    return path


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def refused(capsys: Capture, *words: str) -> str:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("lawspeaker: ") and err.count("\n") == 1
    return err


# -- trace ----------------------------------------------------------------------------------------------


def test_the_same_seed_prints_the_same_game(capsys: Capture, game_file: Path) -> None:
    code, out, _ = run(capsys, "trace", "play", "fjords", "--seed", "3")
    assert code == 0 and out == game_file.read_text()
    for policy in ("uniform", "rare"):
        first = run(capsys, "trace", "play", "fjords", "--seed", "3", "--policy", policy)
        assert first == run(capsys, "trace", "play", "fjords", "--seed", "3", "--policy", policy)
        assert first[1] != out


def test_a_file_is_never_overwritten_unasked(capsys: Capture, game_file: Path) -> None:
    before = game_file.read_text()
    words = ["trace", "play", "fjords", "--seed", "4", "-o", str(game_file)]
    assert "exists already; name another file, or add --force" in refused(capsys, *words)
    assert game_file.read_text() == before
    assert run(capsys, *words, "--force")[0] == 0
    assert game_file.read_text() != before
    assert "cannot be written" in refused(capsys, *words[:-1], str(game_file.parent / "no" / "file"))


def test_show_replays_and_ends_with_the_score(capsys: Capture, game_file: Path) -> None:
    code, out, _ = run(capsys, "trace", "show", str(game_file))
    trace = read_trace(game_file.read_text())
    assert code == 0 and trace.end
    assert all(f"{n:4} {e.actor}: {e.action}\n" in out for n, e in enumerate(trace.entries, 1))
    scores = ", ".join(f"{s} {p}" for s, p in zip(trace.players, trace.end.scores, strict=True))
    assert out.splitlines()[-1].startswith(f"{scores}; won by ")


def test_a_changed_trace_is_refused_with_its_line(capsys: Capture, game_file: Path) -> None:
    lines = game_file.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if " place " in line)
    number, actor, verb, tile, _, turn = lines[at].split()
    lines[at] = f"{number} {actor} {verb} {tile} 40,40 {turn}"
    game_file.write_text("\n".join(lines))
    said = refused(capsys, "trace", "show", str(game_file))
    assert f"{game_file}, line {at + 1}, action {number}: " in said and "is not legal: FD-" in said


def test_a_trace_for_a_seat_is_masked(capsys: Capture, game_file: Path) -> None:
    code, out, _ = run(capsys, "trace", "show", str(game_file), "--seat", "B")
    assert code == 0 and read_trace(out).masked == "B"
    masked = game_file.parent / "masked.trace"
    masked.write_text(out)
    assert run(capsys, "trace", "show", str(masked)) == (0, out, "")
    assert "is masked for B" in refused(capsys, "trace", "show", str(masked), "--seat", "A")
    assert "cannot be replayed" in refused(capsys, "explain", "fjords", str(masked), "draw")
    assert "unknown seat 'Q'" in refused(capsys, "trace", "show", str(game_file), "--seat", "Q")


# -- explain --------------------------------------------------------------------------------------------


def first_of(path: Path, verb: str) -> int:
    """The number of actions before the first one with this verb."""
    return next(n for n, e in enumerate(read_trace(path.read_text()).entries) if e.action.split()[0] == verb)


def test_explain_says_each_broken_clause_in_words(capsys: Capture, game_file: Path) -> None:
    step = first_of(game_file, "place")
    code, out, _ = run(capsys, "explain", "fjords", f"{game_file}:{step}", "field 0,0/0")
    assert code == 0
    assert "field 0,0/0 by" in out.splitlines()[0] and "is not legal; it breaks" in out.splitlines()[0]
    assert "FD-" in out.splitlines()[1] and ": " in out.splitlines()[1]


def test_explain_as_json_agrees_with_the_model(capsys: Capture, game_file: Path) -> None:
    trace = read_trace(game_file.read_text())
    game = make_game("fjords")
    step = first_of(game_file, "place")
    position = replay(trace, game)[step]
    tried = [trace.entries[step].action, "draw", "nofarm", "field 0,0/0", "aside"]
    for text in tried:
        for by in game.seats:
            words = ("explain", "fjords", f"{game_file}:{step}", text, "--by", by, "--json")
            code, out, _ = run(capsys, *words)
            said: dict[str, Any] = json.loads(out)
            broken = game.breaches(position, game.parse(text), game.seat(by))
            assert code == 0
            assert [b["clause"] for b in said["breaches"]] == [b.clause for b in broken]
            assert said["legal"] == (not broken)
            assert bool(said["effects"]) == (not broken)


def test_explain_shows_the_computation_of_a_legal_action(capsys: Capture, game_file: Path) -> None:
    step = first_of(game_file, "place")
    text = read_trace(game_file.read_text()).entries[step].action
    code, out, _ = run(capsys, "explain", "fjords", f"{game_file}:{step}", text)
    assert code == 0 and "is legal." in out and "  1. FD-" in out and "  Next: " in out


def test_explain_reads_a_record_and_rulings_change_the_answer(capsys: Capture, game_file: Path) -> None:
    game = make_game("fjords")
    position = replay(read_trace(game_file.read_text()), game)[first_of(game_file, "place")]
    path = game_file.parent / "position.json"
    path.write_text(json.dumps(game.record(position)))
    objective = run(capsys, "explain", "fjords", str(path), "aside", "--json")
    subjective = run(capsys, "explain", "fjords", str(path), "aside", "--ruling", "R_PLAYABLE=subjective", "--json")
    assert not json.loads(objective[1])["legal"]
    assert json.loads(subjective[1])["legal"]
    assert json.loads(subjective[1])["rulings"]["R_PLAYABLE"] == "subjective"


def test_explain_refuses_bad_input_in_one_message(capsys: Capture, game_file: Path) -> None:
    file = str(game_file)
    assert "'jump' is no action; one of: draw" in refused(capsys, "explain", "fjords", file, "jump")
    assert "unknown seat 'C'; seats are A, B" in refused(capsys, "explain", "fjords", file, "draw", "--by", "C")
    assert "has no step 9999" in refused(capsys, "explain", "fjords", f"{file}:9999", "draw")
    assert "unknown game 'chess'" in refused(capsys, "explain", "chess", file, "draw")
    assert "cannot be read" in refused(capsys, "explain", "fjords", "nowhere.json", "draw")
    other = game_file.parent / "position.yaml"
    for content in ("[1, 2]", "a: [", "{}", "colour: red", "round: many"):
        other.write_text(content)
        assert str(other) in refused(capsys, "explain", "fjords", str(other), "draw")
    assert "is no trace, so it has no steps" in refused(capsys, "explain", "fjords", f"{other}:3", "draw")


def test_explain_refuses_a_contradictory_position(capsys: Capture, game_file: Path) -> None:
    game = make_game("fjords")
    record = game.record(replay(read_trace(game_file.read_text()), game)[12])
    assert record["board"]
    record["board"] = [*record["board"], record["board"][0]]
    path = game_file.parent / "position.json"
    path.write_text(json.dumps(record))
    assert str(path) in refused(capsys, "explain", "fjords", str(path), "draw")


# -- perft and playout --------------------------------------------------------------------------------------


def test_perft_counts_what_the_model_offers(capsys: Capture, game_file: Path) -> None:
    game = make_game("fjords")
    here = replay(read_trace(game_file.read_text()), game)[3]
    two = sum(len(game.legal(game.apply(here, a))) for a in game.legal(here))
    code, out, _ = run(capsys, "perft", "fjords", "--depth", "2", "--position", f"{game_file}:3")
    assert code == 0
    assert out.split("\n") == ["0  1", f"1  {len(game.legal(here))}", f"2  {two}", ""]
    divided = run(capsys, "perft", "fjords", "--depth", "2", "--position", f"{game_file}:3", "--divide")[1]
    lines = divided.splitlines()
    assert lines[-1] == f"2  {two}"
    assert [line.rpartition(": ")[0] for line in lines[:-1]] == [game.text(a) for a in game.legal(here)]


def test_playouts_print_one_line_a_seed(capsys: Capture) -> None:
    code, out, _ = run(capsys, "playout", "fjords", "--games", "3", "--seed", "10")
    assert code == 0
    assert [line.split("  ")[0] for line in out.splitlines()] == ["seed 10", "seed 11", "seed 12"]
    assert all("won by nobody" not in line and "sha256:" in line for line in out.splitlines())
    assert out == run(capsys, "playout", "fjords", "--games", "3", "--seed", "10")[1]


# -- packs ----------------------------------------------------------------------------------------------------


def test_the_pack_we_ship_fits(capsys: Capture) -> None:
    code, out, _ = run(capsys, "pack", "check", str(room("fjords").default_pack))
    assert code == 0 and "fits the rulebook" in out


def test_a_pack_that_lacks_a_tile_does_not_fit_and_says_why(capsys: Capture, tmp_path: Path) -> None:
    pack = make_game("fjords").pack
    plain = msgspec.to_builtins(pack)
    plain["tiles"] = [t for t in plain["tiles"] if t["start"]] + [t for t in plain["tiles"] if not t["start"]][1:]
    path = tmp_path / "pack.json"
    path.write_text(json.dumps(plain))
    code, out, _ = run(capsys, "pack", "check", str(path))
    assert code == 1 and "FD-COMP-01" in out and "does not fit the rulebook" in out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", "does not say which game it is for"),
        ("game: chess", "unknown game 'chess'; known are fjords"),
        ("game: fjords", "missing required field"),
        ("game: [", "did not find expected"),
        ("game: fjords\ngame: fjords", "key 'game' stands twice"),
    ],
)
def test_an_unreadable_pack_is_one_message(capsys: Capture, tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "pack.yaml"
    path.write_text(content)
    assert said in refused(capsys, "pack", "check", str(path))


def test_a_name_that_no_file_can_have_is_refused(capsys: Capture) -> None:
    for name in ("a" * 5000, "a" * 5000 + ":3", "a:" + "9" * 5000):
        assert "File name too long" in refused(capsys, "explain", "fjords", name, "draw")


def test_rulings_for_a_trace_are_read_as_anywhere(capsys: Capture, game_file: Path) -> None:
    at = f"{game_file}:1"
    code, out, _ = run(capsys, "explain", "fjords", at, "draw", "--ruling", " R_TWO = exactly")
    assert code == 0 and "rulings: R_TWO=exactly" in out
    words = ["--ruling", "R_TWO=exactly", "--ruling", "R_TWO=at_least"]
    assert "R_TWO is chosen twice" in refused(capsys, "explain", "fjords", at, "draw", *words)

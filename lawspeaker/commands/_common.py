"""What several subcommands need: reading a game, a position, and writing without overwriting by accident."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.loading import parse_yaml, read_text
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.play import Picker, Rare, sensible, uniform
from lawspeaker.model.core.traces import after_lines, game_for, is_trace, read_trace, valid_position

Command = TypeVar("Command", bound=Callable[..., Any])

POLICIES = ("uniform", "rare", "sensible")


def policy_named(name: str) -> Picker:
    """Return a policy by name; a new instance where the policy keeps counts."""
    if name == "rare":
        return Rare()
    return sensible if name == "sensible" else uniform


def read_pack(game: str, path: str | None) -> Pack | None:
    """Load a pack file of *game*, or None where no file is named."""
    return room(game).load_pack(Path(path)) if path else None


def game_from(name: str, rulings: Sequence[str], pack: str | None, players: int | None = None) -> AnyGame:
    """Build a game from the words of the command line: id, ``R_NAME=value`` words, pack file, number of players."""
    return make_game(name, read_pack(name, pack), room(name).catalogue.book.parse(list(rulings)), players)


def position_from(
    game_id: str, place: str, rulings: Sequence[str], pack: str | None, players: int | None = None
) -> tuple[AnyGame, Any]:
    """Return a game and a position read from a file: a record (JSON or YAML) or a trace, or ``FILE:STEP``.

    A trace brings its own rulings and players; *rulings* change them.  Without a step it is the trace's last
    position.
    """
    room(game_id)  # an unknown game is the first thing to say
    path, step = _file_and_step(place)
    text = read_text(path)
    if is_trace(text):
        return _from_trace(game_id, text, path, step, rulings, pack)
    if step is not None:
        raise BadInput("is no trace, so it has no steps", where=str(path))
    game = game_from(game_id, rulings, pack, players)
    return game, valid_position(game, parse_yaml(text, str(path)), str(path))


def _file_and_step(place: str) -> tuple[Path, int | None]:
    name, colon, step = place.rpartition(":")
    numbered = colon and step.isascii() and step.isdigit() and len(step) < 10
    if numbered and not os.path.exists(place):  # noqa: PTH110 - Path.exists raises for names too long for a file
        return Path(name), int(step)
    return Path(place), None


def _from_trace(
    game_id: str, text: str, path: Path, step: int | None, words: Sequence[str], pack: str | None
) -> tuple[AnyGame, Any]:
    trace = read_trace(text, str(path))
    if trace.game != game_id:
        raise BadInput(f"is a trace of {trace.game}", where=str(path), hint=f"say {trace.game} instead of {game_id}")
    game = game_for(trace, read_pack(game_id, pack))
    positions = after_lines(trace, game)
    last = len(positions) - 1
    if step is not None and step > last:
        raise BadInput(f"has no step {step}", where=str(path), hint=f"its steps are 0 (the start) to {last}")
    record = game.record(positions[last if step is None else step])
    if words:
        book = room(game_id).catalogue.book
        game = game.varied(rulings=book.choose({**game.rulings, **book.named(words)}))
    return game, valid_position(game, record, str(path))


def write_new(path: str, text: str, force: bool) -> None:
    """Write a file; an existing one is refused unless *force*.  Raises BadInput when it cannot be written."""
    try:
        with Path(path).open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise BadInput("exists already", where=path, hint="name another file, or add --force") from None
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", where=path) from None


def as_json(value: Any) -> str:
    """Return plain values as indented JSON with sorted keys."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)


ruling_option = click.option("--ruling", "rulings", multiple=True, metavar="R=v", help="Choose a value of a ruling.")
players_option = click.option(
    "--players", type=click.IntRange(min=1), metavar="N", help="How many play; default: the fewest that can."
)


def limit_options(**seconds: float) -> Callable[[Command], Command]:
    """Return the options that limit a program's answers; *seconds* are the defaults by the names in ``Limits``."""
    words = {
        "start": ("--start-timeout", 0.1, "Seconds for its first answer."),
        "handshake": ("--handshake-timeout", 0.1, "Seconds for options and bye."),
        "work": ("--timeout", 0.1, "Seconds for any other answer."),
        "total": ("--total", 1.0, "Seconds for all answers."),
    }

    def add(command: Command) -> Command:
        for name, (option, least, said) in reversed(words.items()):
            kind = click.FloatRange(min=least)
            command = click.option(option, name, type=kind, default=seconds[name], show_default=True, help=said)(
                command
            )
        return command

    return add


pack_option = click.option("--pack", metavar="FILE", help="Component data; default: the game's own pack.")

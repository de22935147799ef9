"""What `conform` plays against: the model of a game, or a foreign program that plays the reference."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from lawspeaker.commands._common import game_from, read_pack
from lawspeaker.conformance.foreign import ForeignGame, foreign_game
from lawspeaker.conformance.positions import Given, read_positions
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, room
from lawspeaker.scenarios.runner import as_cases

AT_FAULT = 4
"""The exit code of a run in which the reference itself did wrong."""

reference_option = click.option(
    "--reference", metavar="'CMD ARGS'", help="Another program plays the reference; GAME is then any id it plays."
)
positions_option = click.option("--positions", metavar="FILE", help="Play from these positions too, and count them.")


def players_of(game: str, reference: str | None, counts: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of players to play with; raises BadInput for one that the game is not for."""
    if reference and game not in game_ids():
        return tuple(dict.fromkeys(counts)) or (2,)
    possible = room(game).players
    for count in counts:
        if count not in possible:
            raise BadInput(f"{game} is not for {count} players", hint=f"it takes {', '.join(map(str, possible))}")
    return tuple(dict.fromkeys(counts)) or possible


@contextmanager
def reference_game(game: str, options: dict[str, Any], limits: Limits, players: int | None) -> Iterator[AnyGame]:
    """Give the game that decides: the model's, or that of the program named, which is ended afterwards.

    Raises BadInput for what cannot be used, and ReferenceFailure for a program that does wrong.
    """
    if not options["reference"]:
        yield game_from(game, options["rulings"], options["pack"], players)
        return
    if game not in game_ids() and (options["rulings"] or options["pack"]):
        raise BadInput(f"{game} has no rulings and no pack here", hint="give these to the programs themselves")
    argv = _words(options["reference"])
    known = game in game_ids()
    found = foreign_game(
        lambda: ProcessSubject(argv, limits),
        game,
        players=players,
        pack=read_pack(game, options["pack"]) if known else None,
        rulings=room(game).catalogue.book.parse(list(options["rulings"])) if known else None,
    )
    try:
        yield found
    finally:
        found.reference.close()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise BadInput(f"{command!r} is no command ({error})", where="--reference") from None


def cases_for(game: AnyGame) -> list[dict[str, Any]]:
    """Return the scenarios of a game of ours; for a foreign reference those with its number of players."""
    if not isinstance(game, ForeignGame):
        return as_cases(game.id)
    if game.id not in game_ids():
        return []
    return [case for case in as_cases(game.id) if case.get("players") in (None, len(game.seats))]


def given_positions(game: str, path: str | None) -> tuple[Given, ...]:
    """Return the positions of a file; none where no file is named."""
    return read_positions(Path(path), game) if path else ()


def reference_flags(options: dict[str, Any]) -> str:
    """Return the options about the reference as a command line repeats them."""
    names = ("reference", "positions")
    return " ".join(f"--{name} {shlex.quote(options[name])}" for name in names if options[name])

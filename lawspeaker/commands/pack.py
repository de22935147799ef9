"""Check a file with component data against what the rulebook says about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import room
from lawspeaker.model.core.loading import parse_yaml, read_text


@click.group()
def command() -> None:
    """Work with packs: files with a game's component data."""


@command.command()
@click.argument("file")
def check(file: str) -> int:
    """Say precisely what in FILE does not fit the rulebook, and what follows from what is in it.

    Exit code 0: it fits; 1: it does not; 2: it cannot be read as a pack.
    """
    place = room(_game_of(file))
    pack = place.load_pack(Path(file))
    complaints = place.audit(pack)
    for complaint in complaints:
        hint = f"; {complaint.hint}" if complaint.hint else ""
        click.echo(f"{complaint.clause}  {complaint.where}: {complaint.what}{hint}")
    verdict = f"does not fit the rulebook: {len(complaints)} complaints" if complaints else "fits the rulebook"
    click.echo(f"{pack.id} ({pack.title}; {place.title}, {pack.provenance}, {pack.digest[:19]}...) {verdict}")
    for note in place.notes(pack):
        said = f"; {note.said}" if note.said else ""
        click.echo(f"  {note.what}: {note.verdict}{said}")
    return 1 if complaints else 0


def _game_of(file: str) -> str:
    content: Any = parse_yaml(read_text(Path(file)), file)
    game = content.get("game") if isinstance(content, dict) else None
    if not isinstance(game, str):
        raise BadInput("does not say which game it is for", where=file, hint="a pack has a line `game: NAME`")
    return game

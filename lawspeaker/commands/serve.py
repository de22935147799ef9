"""Answer the conformance protocol on standard input and output: the reference as a program."""

from __future__ import annotations

import sys

import click
import msgspec

from lawspeaker import __version__
from lawspeaker.commands._common import game_from, pack_option, players_option, ruling_option
from lawspeaker.conformance.server import serve
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.model.core.games import room


@click.command()
@click.argument("game")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="For outcomes it draws itself.")
@click.option("--only", metavar="LIST", help="Offer only these capabilities, as in legal,result.")
@click.option("--chance", default="dictated,scripted,reported", show_default=True, help="Ways of chance to offer.")
@players_option
@ruling_option
@pack_option
def command(
    game: str,
    seed: int,
    only: str | None,
    chance: str,
    players: int | None,
    rulings: tuple[str, ...],
    pack: str | None,
) -> None:
    """Serve the reference of GAME until `bye` or the end of input."""
    played = game_from(game, rulings, pack, players)
    modes = tuple(word for word in chance.split(",") if word)
    known = ("dictated", "scripted", "reported")
    if not modes or not set(modes) <= set(known):
        raise click.UsageError(f"--chance takes {', '.join(known)}")
    offered = msgspec.structs.replace(FULL, chance=modes)
    if only is not None:
        names = {word for word in only.split(",") if word}
        flags = {name for name in FULL.__struct_fields__ if getattr(FULL, name) is True}
        if not names <= flags:
            raise click.UsageError(f"--only takes {', '.join(sorted(flags))}")
        offered = msgspec.structs.replace(offered, **{name: name in names for name in flags})
    session = Session(played, room(game), offered=offered, version=__version__, seed=seed)
    serve(session, sys.stdin.buffer, sys.stdout.buffer)

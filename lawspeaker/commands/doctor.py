"""Say in plain words what is wrong with an adapter: the protocol only, no rules."""

from __future__ import annotations

import click

from lawspeaker.conformance.checkup import examine
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.model.core.games import game_ids, make_game


@click.command()
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD [ARGS]...")
@click.option("--game", default=None, metavar="GAME", help="The game to ask for; default: the first there is.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="Seconds an answer.")
def command(argv: tuple[str, ...], game: str | None, timeout: float) -> int:
    """Start the program CMD, go through the protocol with it, and say what to mend."""
    if not argv:
        raise click.UsageError("no command given; write it after --, as in: -- python3 my_engine.py")
    played = make_game(game or game_ids()[0])
    limits = Limits(start=timeout, handshake=timeout, work=timeout)
    signs = examine(played, lambda: ProcessSubject(argv, limits))
    for sign in signs:
        click.echo(f"{'well ' if sign.well else 'WRONG'} {sign.what}{': ' + sign.said if sign.said else ''}")
        if sign.advice:
            click.echo(f"      {sign.advice}")
    ill = sum(not sign.well for sign in signs)
    click.echo(f"{len(signs)} things looked at, {ill} wrong" if ill else f"{len(signs)} things looked at, all well")
    return 1 if ill else 0

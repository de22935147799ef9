"""Say in plain words what is wrong with an adapter: the protocol only, no rules."""

from __future__ import annotations

import click

from lawspeaker.commands._common import limit_options
from lawspeaker.conformance.advice import FAULTS
from lawspeaker.conformance.checkup import examine
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.model.core.games import game_ids, make_game


@click.command()
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD [ARGS]...")
@click.option("--game", default=None, metavar="GAME", help="The game to ask for; default: the first there is.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; default: the fewest that can.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Which game is played.")
@limit_options(start=10.0, handshake=5.0, work=5.0, total=300.0)
def command(argv: tuple[str, ...], game: str | None, players: int | None, seed: int, **seconds: float) -> int:
    """Start the program CMD, play one game with it, and say what to mend and whose fault it is.

    Only legal actions are taken, and nothing is compared with the rules: that is what `lawspeaker conform` does.
    """
    if not argv:
        raise click.UsageError("no command given; write it after --, as in: -- python3 my_engine.py")
    played = make_game(game or game_ids()[0], players=players)
    limits = Limits(**seconds)  # type: ignore[arg-type]
    signs = examine(played, lambda: ProcessSubject(argv, limits), seed)
    for sign in signs:
        click.echo(f"{'well ' if sign.well else 'WRONG'} {sign.what}{': ' + sign.said if sign.said else ''}")
        if not sign.well:
            click.echo(f"      {FAULTS.get(sign.fault, sign.fault)}. {sign.advice}")
    ill = sum(not sign.well for sign in signs)
    click.echo(f"{len(signs)} things looked at, {ill} wrong" if ill else f"{len(signs)} things looked at, all well")
    return 1 if ill else 0

"""Count the action sequences of each length from a position."""

from __future__ import annotations

import click

from lawspeaker.commands._common import game_from, pack_option, players_option, position_from, ruling_option
from lawspeaker.model.core.play import divide, perft


@click.command()
@click.argument("game")
@click.option("--depth", type=click.IntRange(min=0), required=True, help="Longest sequences to count.")
@click.option("--position", metavar="FILE[:STEP]", help="A position's record or a trace; default: the beginning.")
@click.option("--divide", "divided", is_flag=True, help="Count below each first action.")
@click.option("--scripted", is_flag=True, help="Follow the first outcome of chance only; it costs no depth.")
@click.option("--parts", is_flag=True, help="Count each part of a compound decision, not the whole.")
@players_option
@ruling_option
@pack_option
def command(
    game: str,
    depth: int,
    position: str | None,
    divided: bool,
    scripted: bool,
    parts: bool,
    players: int | None,
    rulings: tuple[str, ...],
    pack: str | None,
) -> None:
    """Count the action sequences of GAME; two implementations that agree on these rarely differ in rules."""
    if position is None:
        played = game_from(game, rulings, pack, players)
        here = played.start()
    else:
        played, here = position_from(game, position, rulings, pack, players)
    if divided and depth:
        counts = divide(played, here, depth, chance=not scripted, compound=not parts)
        for text, count in counts.items():
            click.echo(f"{text}: {count}")
        click.echo(f"{depth}  {sum(counts.values())}")
        return
    for length in range(depth + 1):
        click.echo(f"{length}  {perft(played, here, length, chance=not scripted, compound=not parts)}")

"""Play whole games by seed and print how they ended."""

from __future__ import annotations

import click

from lawspeaker.commands._common import (
    POLICIES,
    game_from,
    pack_option,
    players_option,
    policy_named,
    ruling_option,
)
from lawspeaker.model.core.play import playout


@click.command()
@click.argument("game")
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many games.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the first game.")
@click.option("--policy", type=click.Choice(POLICIES), default="uniform", show_default=True, help="Who plays.")
@players_option
@ruling_option
@pack_option
def command(
    game: str, games: int, seed: int, policy: str, players: int | None, rulings: tuple[str, ...], pack: str | None
) -> None:
    """Play GAME to its end, one game a seed, and print actions, scores, winners and the last digest."""
    played = game_from(game, rulings, pack, players)
    for number in range(seed, seed + games):
        last, actions = playout(played, number, policy_named(policy))
        result = played.result(last)
        scores = " ".join(f"{seat}={score}" for seat, score in zip(played.seats, result.scores, strict=True))
        winners = " ".join(played.seats[seat] for seat in result.winners)
        click.echo(f"seed {number}  actions {actions}  {scores}  won by {winners or 'nobody'}  {played.digest(last)}")

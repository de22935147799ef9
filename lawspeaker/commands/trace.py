"""Record a game as a text file that replays identically everywhere, and show such files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lawspeaker.commands._common import (
    POLICIES,
    game_from,
    pack_option,
    policy_named,
    read_pack,
    ruling_option,
    write_new,
)
from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import read_text
from lawspeaker.model.core.traces import (
    Trace,
    actions_of,
    game_for,
    mask,
    read_trace,
    record_playout,
    replay,
    write_trace,
)


@click.group()
def command() -> None:
    """Record and show traces: games as text."""


@command.command()
@click.argument("game")
@click.option("--seed", type=click.IntRange(min=0), required=True, help="The same seed gives the same game.")
@click.option("--policy", type=click.Choice(POLICIES), default="sensible", show_default=True, help="Who plays.")
@ruling_option
@pack_option
@click.option("--seat", metavar="SEAT", help="Only what this seat may see.")
@click.option("-o", "--output", metavar="FILE", help="Write here instead of printing.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def play(
    game: str,
    seed: int,
    policy: str,
    rulings: tuple[str, ...],
    pack: str | None,
    seat: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Play GAME to its end by a seed and print its trace."""
    played = game_from(game, rulings, pack)
    trace = record_playout(played, seed, policy_named(policy))
    if seat is not None:
        trace = mask(trace, _seat(played, seat), played)
    if output is None:
        click.echo(write_trace(trace), nl=False)
    else:
        write_new(output, write_trace(trace), force)
        click.echo(f"{output}: {len(trace.entries)} actions", err=True)


@command.command()
@click.argument("file")
@pack_option
@click.option("--seat", metavar="SEAT", help="Print the trace as this seat may see it.")
def show(file: str, pack: str | None, seat: str | None) -> None:
    """Replay the trace in FILE and print each action with the clauses at work, then the score.

    A trace that is masked for a seat cannot be replayed and is printed as it is.
    """
    trace = read_trace(read_text(Path(file)), file)
    game = game_for(trace, read_pack(trace.game, pack))
    if trace.masked:
        if seat not in (None, trace.masked):
            raise BadInput(f"is masked for {trace.masked}, so it cannot be shown to {seat}", where=file)
        click.echo(write_trace(trace), nl=False)
        return
    if seat is not None:
        click.echo(write_trace(mask(trace, _seat(game, seat), game)), nl=False)
        return
    for line in shown(trace, game, replay(trace, game)):
        click.echo(line)


def _seat(game: AnyGame, name: str) -> int:
    if name not in game.seats:
        raise BadInput(f"unknown seat {name!r}", where="--seat", hint=f"seats are {', '.join(game.seats)}")
    return game.seat(name)


def shown(trace: Trace, game: AnyGame, positions: list[Any]) -> list[str]:
    """Return a replayed trace as lines: each action with what it did, the scores line by line, the end."""
    lines = [f"{trace.game}, catalogue {trace.catalogue}, pack {trace.pack} ({game.pack.provenance})"]
    for number, action in enumerate(actions_of(trace, game), 1):
        entry = trace.entries[number - 1]
        lines.append(f"{number:4} {entry.actor}: {entry.action}")
        effects = game.effects(positions[number - 1], action)
        lines += [f"       {effect.clause}: {game.words(effect)}" for effect in effects]
    result = game.result(positions[-1])
    lines += [f"{game.seats[s.seat]}: {s.points:3} {s.label} ({s.clause})" for s in result.lines]
    scores = ", ".join(f"{seat} {score}" for seat, score in zip(game.seats, result.scores, strict=True))
    winners = ", ".join(game.seats[w] for w in result.winners)
    end = f"won by {winners}" if winners else f"not over, {game.actor_name(positions[-1])} next"
    lines.append(f"{scores}; {end}")
    return lines

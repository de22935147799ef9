"""Record a game as a text file that replays identically everywhere, and show such files."""

from __future__ import annotations

from pathlib import Path

import click

from lawspeaker.commands._common import (
    POLICIES,
    game_from,
    pack_option,
    players_option,
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
    check_masked,
    compacted,
    game_for,
    line_steps,
    mask,
    read_trace,
    record_playout,
    write_trace,
)

compound_option = click.option("--compound", is_flag=True, help="Each whole compound decision in one line.")


@click.group()
def command() -> None:
    """Record and show traces: games as text."""


@command.command()
@click.argument("game")
@click.option("--seed", type=click.IntRange(min=0), required=True, help="The same seed gives the same game.")
@click.option("--policy", type=click.Choice(POLICIES), default="sensible", show_default=True, help="Who plays.")
@players_option
@ruling_option
@pack_option
@click.option("--seat", metavar="SEAT", help="Only what this seat may see.")
@compound_option
@click.option("-o", "--output", metavar="FILE", help="Write here instead of printing.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def play(
    game: str,
    seed: int,
    policy: str,
    players: int | None,
    rulings: tuple[str, ...],
    pack: str | None,
    seat: str | None,
    compound: bool,
    output: str | None,
    force: bool,
) -> None:
    """Play GAME to its end by a seed and print its trace."""
    played = game_from(game, rulings, pack, players)
    trace = record_playout(played, seed, policy_named(policy))
    if compound:
        trace = compacted(trace, played)
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
@compound_option
def show(file: str, pack: str | None, seat: str | None, compound: bool) -> None:
    """Replay the trace in FILE and print each action with the clauses at work, then the score.

    A trace that is masked for a seat cannot be replayed: what can be checked of it is, and it is printed as
    it is.
    """
    trace = read_trace(read_text(Path(file)), file)
    game = game_for(trace, read_pack(trace.game, pack))
    if trace.masked:
        if seat not in (None, trace.masked):
            raise BadInput(f"is masked for {trace.masked}, so it cannot be shown to {seat}", where=file)
        if compound:
            hint = "mask a trace that is written so: trace show --compound --seat"
            raise BadInput("is masked, so its compound decisions are not known", where=file, hint=hint)
        check_masked(trace, game)
        click.echo(write_trace(trace), nl=False)
        return
    if compound:
        trace = compacted(trace, game)
    if seat is not None:
        click.echo(write_trace(mask(trace, _seat(game, seat), game)), nl=False)
        return
    for line in shown(trace, game):
        click.echo(line)


def _seat(game: AnyGame, name: str) -> int:
    if name not in game.seats:
        raise BadInput(f"unknown seat {name!r}", where="--seat", hint=f"seats are {', '.join(game.seats)}")
    return game.seat(name)


def shown(trace: Trace, game: AnyGame) -> list[str]:
    """Return a trace, replayed, as lines: each entry with what it did, the scores line by line, the end."""
    lines = [f"{trace.game}, catalogue {trace.catalogue}, pack {trace.pack} ({game.pack.provenance})"]
    last, taken = line_steps(trace, game)
    for number, (entry, steps) in enumerate(zip(trace.entries, taken, strict=True), 1):
        lines.append(f"{number:4} {entry.actor}: {entry.action}")
        effects = [effect for step in steps for effect in game.effects(step.before, step.action)]
        lines += [f"       {effect.clause}: {game.words(effect)}" for effect in effects]
        last = steps[-1].after
    result = game.result(last)
    lines += [f"{game.seats[s.seat]}: {s.points:3} {s.label} ({s.clause})" for s in result.lines]
    scores = ", ".join(f"{seat} {score}" for seat, score in zip(game.seats, result.scores, strict=True))
    winners = ", ".join(game.seats[w] for w in result.winners)
    end = f"won by {winners}" if winners else f"not over, {game.actor_name(last)} next"
    lines.append(f"{scores}; {end}")
    return lines

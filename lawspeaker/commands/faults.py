"""Plant faults in a game's model and see which the conformance checks catch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from lawspeaker.commands._common import as_json
from lawspeaker.conformance import fjords_faults, northmen_faults
from lawspeaker.conformance.faults import Fault, Suite, draw, players_of, quantile, run
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.records import Event, FaultRow, Progress

OUTCOMES = ("caught", "equivalent", "unreachable", "missed")
GAMES: dict[str, Any] = {"fjords": fjords_faults, "northmen": northmen_faults}
"""The modules with the faults of each game that has some."""


@click.command()
@click.argument("game")
@click.option("--seed", default=0, show_default=True, help="Seed of the drawn mutants and of all play.")
@click.option("--count", default=70, show_default=True, type=click.IntRange(0), help="Mechanical mutants to draw.")
@click.option("--only", "ids", multiple=True, metavar="ID", help="Examine only these faults.")
@click.option("--witnesses", type=click.Path(path_type=Path), help="Write each witness into this folder.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def command(game: str, seed: int, count: int, ids: tuple[str, ...], witnesses: Path | None, json_: bool) -> int:
    """Play faulty copies of GAME against it, and show what was caught, by what, and what was missed.

    All variants made by hand take part, and COUNT mechanical mutants, drawn by the seed before any
    check is run.  They are played with each number of players that the game is for.

    Exit code 0 if no fault was missed, 1 otherwise.
    """
    numbers = room(game).players
    if game not in GAMES:
        raise BadInput(f"no faults are written down for {game}", hint=f"there are some for {', '.join(GAMES)}")
    planted = GAMES[game]
    faults = _chosen(planted, ids) if ids else (*planted.by_hand(), *draw(planted.mechanical(), seed, count))
    suites = [Suite(make_game(game, players=n), seed, planted.fixtures) for n in numbers]
    rows = run(faults, suites, planted.DOMAINS, emit=_progress(len(faults)))
    if witnesses is not None:
        _write(witnesses, rows)
    if json_:
        click.echo(as_json([msgspec.to_builtins(row) for row in rows]))
    else:
        click.echo("\n".join(table(rows, numbers)))
    return 1 if any(row.outcome == "missed" for row in rows) else 0


def _chosen(planted: Any, ids: Sequence[str]) -> tuple[Fault, ...]:
    known: dict[str, Fault] = {f.id: f for f in (*planted.by_hand(), *planted.mechanical())}
    for name in ids:
        if name not in known:
            raise BadInput(f"unknown fault {name!r}", hint="--count 1000 --json names them all")
    return tuple(known[name] for name in ids)


def _progress(total: int) -> Callable[[Event], None]:
    def show(event: Event) -> None:
        if isinstance(event, Progress) and sys.stderr.isatty():
            click.echo(f"\r{event.done}/{total} {event.label:<30}", err=True, nl=event.done == total)

    return show


def _write(folder: Path, rows: Iterable[FaultRow]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in rows:
            if row.witness:
                (folder / f"{row.id}.trace").write_text(row.witness, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", where=str(folder)) from None


# -- the table --------------------------------------------------------------------------------------


def table(rows: Sequence[FaultRow], numbers: Sequence[int]) -> list[str]:
    """Return the report of a run as lines of text; *numbers* of players were tried, fewest first."""
    return [*_by_class(rows), "", *_by_layer(rows), *_by_players(rows, numbers), "", *_figures(rows), *_survivors(rows)]


def _by_class(rows: Sequence[FaultRow]) -> list[str]:
    lines = [f"{'class':6}{'faults':>8}" + "".join(f"{outcome:>13}" for outcome in OUTCOMES)]
    for name in (*sorted({row.fault_class for row in rows}), "all"):
        these = [row for row in rows if name in (row.fault_class, "all")]
        counts = [sum(row.outcome == outcome for row in these) for outcome in OUTCOMES]
        lines.append(f"{name:6}{len(these):>8}" + "".join(f"{count:>13}" for count in counts))
    for mechanical, word in ((True, "mech."), (False, "hand")):
        these = [row for row in rows if row.mechanical == mechanical]
        counts = [sum(row.outcome == outcome for row in these) for outcome in OUTCOMES]
        lines.append(f"{word:6}{len(these):>8}" + "".join(f"{count:>13}" for count in counts))
    return lines


def _by_layer(rows: Sequence[FaultRow]) -> list[str]:
    layers = [row.layer for row in rows if row.outcome == "caught"]
    return [f"caught by {layer:24}{layers.count(layer):>5}" for layer in dict.fromkeys(sorted(layers))]


def _by_players(rows: Sequence[FaultRow], numbers: Sequence[int]) -> list[str]:
    """Count by the first number of players that showed a fault; nothing for a game with one number."""
    if len(numbers) < 2:
        return []
    shown = [players_of(row, numbers[0]) for row in rows if row.outcome == "caught"]
    return [f"caught with {number} players{shown.count(number):>20}" for number in numbers]


def _figures(rows: Sequence[FaultRow]) -> list[str]:
    caught = [row for row in rows if row.outcome == "caught"]
    able = [row for row in rows if row.outcome in ("caught", "missed")]
    sizes, lengths = [r.actions_to_catch for r in caught], [r.shrunk_length for r in caught]
    return [
        f"{len(caught)} of {len(able)} faults that can show were caught",
        f"operations until caught: median {quantile(sizes, 50)}, 95th percentile {quantile(sizes, 95)}",
        f"actions after shrinking: median {quantile(lengths, 50)}, 95th percentile {quantile(lengths, 95)}",
    ]


def _survivors(rows: Sequence[FaultRow]) -> list[str]:
    lines = []
    for outcome in OUTCOMES[1:]:
        lines += [f"{row.outcome}: {row.id} [{row.fault_class}] {row.what}" for row in rows if row.outcome == outcome]
    return ["", *lines] if lines else []

"""Plant faults in a game's model and see which the conformance checks catch."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from lawspeaker.commands._common import as_json
from lawspeaker.conformance.fault_runs import OUTCOMES, Job, players_of, quantile, run
from lawspeaker.conformance.faults import SEARCHED
from lawspeaker.conformance.planted import chosen, fault_named, module_of
from lawspeaker.conformance.selftest import self_test, unnoticed
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.records import Event, FaultRow, Progress

DEEP_SEARCHED = 10
"""Playouts under each choice of rulings in the deep search."""


@click.command()
@click.argument("game")
@click.option("--seed", default=0, show_default=True, help="Seed of the drawn mutants and pairs, and of all play.")
@click.option("--count", type=click.IntRange(0), help="Mechanical mutants to draw; default: as many as by hand.")
@click.option("--pairs", default=16, show_default=True, type=click.IntRange(0), help="Faults of second order to draw.")
@click.option(
    "--deep", is_flag=True, help=f"Search {DEEP_SEARCHED} playouts under each choice of rulings, not {SEARCHED}."
)
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes; default: one a core, at most 8.")
@click.option("--only", "ids", multiple=True, metavar="ID", help="Examine only these faults; ONE+TWO are planted both.")
@click.option("--harness", is_flag=True, help="Check the checks instead: each answer of the game is falsified once.")
@click.option("--witnesses", type=click.Path(path_type=Path), help="Write each witness into this folder.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def command(game: str, json_: bool, **options: Any) -> int:
    """Play faulty copies of GAME against it, and show what was caught, by what, and what was missed.

    All variants made by hand take part, and COUNT mechanical mutants, drawn by the seed before any
    check is run, and PAIRS of two faults planted together.  They are played with each number of players
    that the game is for.  What is printed is the same for any number of processes.

    Exit code 0 if no fault was missed (with --harness: no false answer taken), 1 otherwise.
    """
    if options["harness"]:
        return _harness(game, options["seed"])
    planted, numbers = module_of(game), room(game).players
    seed = options["seed"]
    if options["ids"]:
        names = tuple(fault_named(game, name).id for name in dict.fromkeys(options["ids"]))
    else:
        names = tuple(fault.id for fault in chosen(game, seed, options["count"], options["pairs"]))
    job = Job(planted.__name__, game, seed, DEEP_SEARCHED if options["deep"] else SEARCHED)
    jobs = min(options["jobs"] or min(os.cpu_count() or 1, 8), len(names) or 1)
    rows = run(names, job, jobs=jobs, emit=_progress(len(names)))
    if options["witnesses"] is not None:
        _write(options["witnesses"], rows)
    if json_:
        click.echo(as_json([msgspec.to_builtins(row) for row in rows]))
    else:
        click.echo("\n".join(table(rows, numbers)))
    return 1 if any(row.outcome == "missed" for row in rows) else 0


def _harness(game: str, seed: int) -> int:
    """Check the harness on a game, and say which false answers it took."""
    rows = self_test(make_game(game), room(game), seed=seed)
    for row in unnoticed(rows):
        click.echo(f"{row.verdict}: {row.id}: {row.title}: {row.said}")
    false = sum(row.times for row in rows if ": " in row.id)
    held = len(rows) - len(unnoticed(rows))
    click.echo(f"{held} of {len(rows)} checks of the harness hold; {false} false answers were given")
    return 1 if unnoticed(rows) else 0


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
        lines.append(_counted(name, [row for row in rows if name in (row.fault_class, "all")]))
    sorts = {
        "hand": [row for row in rows if not row.parts and not row.mechanical],
        "mech.": [row for row in rows if not row.parts and row.mechanical],
        "pairs": [row for row in rows if row.parts],
    }
    return [*lines, *(_counted(name, these) for name, these in sorts.items() if these)]


def _counted(name: str, rows: Sequence[FaultRow]) -> str:
    counts = [sum(row.outcome == outcome for row in rows) for outcome in OUTCOMES]
    return f"{name:6}{len(rows):>8}" + "".join(f"{count:>13}" for count in counts)


def _by_layer(rows: Sequence[FaultRow]) -> list[str]:
    """Count the caught by class and layer, with any number of players."""
    caught = [(row.fault_class, _layer(row)) for row in rows if row.outcome == "caught"]
    layers = sorted({layer for _, layer in caught})
    lines = [f"{'caught':6}" + "".join(f"{layer:>{_width(layer)}}" for layer in layers)]
    for name in (*sorted({name for name, _ in caught}), "all"):
        counts = [sum(layer == at and name in (one, "all") for one, at in caught) for layer in layers]
        lines.append(
            f"{name:6}" + "".join(f"{n or '.':>{_width(at)}}" for n, at in zip(counts, layers, strict=True))
        )
    return lines


def _layer(row: FaultRow) -> str:
    """Return the layer that caught a fault, as the head of a column: without players; the longer search is one."""
    name, _, more = row.layer.partition(", ")
    return f"{name}*" if "longer" in more or "other ruling" in more else name


def _width(layer: str) -> int:
    return max(7, len(layer) + 2)


def _by_players(rows: Sequence[FaultRow], numbers: Sequence[int]) -> list[str]:
    """Count by the first number of players that showed a fault; nothing for a game with one number."""
    if len(numbers) < 2:
        return []
    shown = [players_of(row, numbers[0]) for row in rows if row.outcome == "caught"]
    return [f"caught with {number} players{shown.count(number):>20}" for number in numbers]


def _figures(rows: Sequence[FaultRow]) -> list[str]:
    caught = [row for row in rows if row.outcome == "caught"]
    able = len([row for row in rows if row.outcome in ("caught", "missed")])
    early = [row for row in caught if not _layer(row).endswith("*")]
    figures = {
        "operations until caught": [row.actions_to_catch for row in caught],
        "calls until caught": [row.calls for row in caught],
        "calls to shrink": [row.shrink_calls for row in caught],
        "actions after shrinking": [row.shrunk_length for row in caught],
    }
    return [
        f"{len(caught)} of {able} faults that can show were caught"
        + (f" ({100 * len(caught) / able:.1f} %), {len(early)} of them by the layers alone; * is the longer search"
           if able else ""),
        *(f"{name}: median {quantile(n, 50)}, 95th percentile {quantile(n, 95)}" for name, n in figures.items()),
        *_of_pairs(rows),
    ]  # fmt: skip


def _of_pairs(rows: Sequence[FaultRow]) -> list[str]:
    """Say of pairs how often one fault hides the other where that shows alone."""
    pairs = [row for row in rows if row.parts]
    if not pairs:
        return []
    hiding = [row for row in pairs if row.hides]
    return [f"in {len(hiding)} of {len(pairs)} pairs one fault hides the other where that shows alone"] + [
        f"  {row.id}: hides {', '.join(row.hides)}" for row in hiding
    ]


def _survivors(rows: Sequence[FaultRow]) -> list[str]:
    lines = []
    for outcome in OUTCOMES[1:]:
        lines += [f"{row.outcome}: {row.id} [{row.fault_class}] {row.what}" for row in rows if row.outcome == outcome]
    return ["", *lines] if lines else []

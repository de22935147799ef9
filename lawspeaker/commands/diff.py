"""Compare two reports of `conform`: what is worse, better, or no longer checked."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from lawspeaker.commands._common import as_json
from lawspeaker.conformance.difference import KINDS, Comparison, compared, read_file
from lawspeaker.reports.conform_runs import visible

SHOWN = 200
"""So many changes of one kind are listed; the rest is counted."""


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--json", "plain", is_flag=True, help="Print the changes as JSON.")
def command(old: str, new: str, plain: bool) -> int:
    """Compare the reports OLD and NEW, written by `lawspeaker conform --json`.

    Exit codes: 0 nothing is worse, 1 something is (a new failure, or a case no longer tested), 2 wrong use.
    """
    found = compared(read_file(Path(old)), read_file(Path(new)))
    if plain:
        counts = {kind: sum(change.kind == kind for change in found.changes) for kind in KINDS}
        click.echo(as_json({"worse": found.worse, "counts": counts, **msgspec.to_builtins(found)}))
    else:
        _show(found)
    return int(found.worse)


def _show(found: Comparison) -> None:
    for note in found.notes:
        click.echo(visible(note))
    for kind in KINDS:
        changes = [change for change in found.changes if change.kind == kind]
        for change in changes[:SHOWN]:
            click.echo(visible(change.words).replace("\n", " "))
        if len(changes) > SHOWN:
            click.echo(f"{kind}: and {len(changes) - SHOWN} more")
    counts = [(kind, sum(change.kind == kind for change in found.changes)) for kind in KINDS]
    said = ", ".join(f"{count} {kind}" for kind, count in counts if count)
    click.echo(f"{'worse' if found.worse else 'not worse'}: {said or 'nothing changed'}")

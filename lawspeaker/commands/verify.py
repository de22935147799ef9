"""Check everything about a game's rulebook that fits in a short time, and write reports."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import msgspec

from lawspeaker import __version__
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game, room
from lawspeaker.model.core.play import sensible
from lawspeaker.model.core.records import FindingRecord
from lawspeaker.model.core.traces import actions_of, game_for, read_trace, record_playout, write_trace
from lawspeaker.reports.events import Bus, Collected, ReportWriter
from lawspeaker.reports.files import write_whole
from lawspeaker.reports.frames import frames_of, pack_record
from lawspeaker.reports.html import GamePage, TraceView, page_name, refuse_foreign, write_site
from lawspeaker.reports.junit import junit
from lawspeaker.reports.markdown import findings, summary
from lawspeaker.reports.sarif import sarif
from lawspeaker.reports.terminal import TerminalProgress, show_totals
from lawspeaker.reports.totals import exit_code
from lawspeaker.verification import verify

SHOWN_TRACES = 8
"""How many witnesses of findings become steppers on a game's page, besides a game played for show."""


@click.command("verify")
@click.argument("games", nargs=-1)
@click.option("--seed", type=int, default=0, show_default=True, help="Decides all play.")
@click.option("--out", default="reports/out", show_default=True, metavar="DIR", help="Where reports are written.")
@click.option("--processes", type=click.IntRange(1, 64), help="Default: one a core, at most 8.")
def command(games: tuple[str, ...], seed: int, out: str, processes: int | None) -> None:
    """Verify the rulebooks of GAMES (default: every game there is) and write reports.

    Exit code 0 when everything is as expected, 1 when something failed, 2 for wrong use.
    """
    chosen = games or game_ids()
    for name in chosen:
        room(name)
    folder = Path(out)
    refuse_foreign(folder, ["index.html", *map(page_name, chosen)])
    collected = Collected()
    bus = Bus(collected)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ReportWriter(folder / "report.jsonl", version=__version__) as writer, TerminalProgress() as progress:
            bus.add(writer)
            bus.add(progress)
            verify(tuple(chosen), bus, seed=seed, processes=processes or min(os.cpu_count() or 1, 8))
        write_reports(collected, folder, seed)
    except OSError as error:
        raise BadInput(f"reports cannot be written ({error})", where=out, hint="name a folder with --out") from None
    for failure in bus.failures:
        click.echo(f"lawspeaker: a report failed ({failure.listener}): {failure.error}", err=True)
    show_totals(collected)
    click.echo(f"report: {folder / 'index.html'}")
    raise SystemExit(1 if bus.failures else exit_code(collected))


def write_reports(collected: Collected, folder: Path, seed: int) -> None:
    """Write the site, and the same records as Markdown, JUnit XML and SARIF beside it."""
    texts = {
        "summary.md": summary(collected),
        "findings.md": findings(collected),
        "junit.xml": junit(collected),
        "report.sarif": sarif(collected, version=__version__),
    }
    for name, text in texts.items():
        write_whole(folder / name, text)
    pages = {records.game: page_of(records.game, records.findings, seed) for records in collected}
    write_site(collected, folder, pages, version=__version__)


def page_of(game_id: str, found: list[FindingRecord], seed: int) -> GamePage:
    """Return what a game's page shows beside the records: its pack, rulings and traces to step through."""
    game = make_game(game_id)
    shown = record_playout(game, seed, sensible)
    traces = [_view("playout", f"A game played by the sensible policy (seed {seed})", write_trace(shown))]
    witnesses = [f for f in found if f.trace][:SHOWN_TRACES]
    traces += [_view(f.id, f.title, f.trace) for f in witnesses]
    rulings: Any = msgspec.to_builtins(game.catalogue.rulings)
    packs: dict[str, Any] = import_module(f"lawspeaker.solver.{game_id}").packs() if found else {}
    return GamePage(room(game_id).title, pack_record(game.pack), packs, tuple(rulings), tuple(traces))


def _view(name: str, title: str, text: str) -> TraceView:
    trace = read_trace(text, name)
    game = game_for(trace)
    actions = actions_of(trace, game)
    start = game.position(msgspec.json.decode(trace.start)) if trace.start else None
    return TraceView(name, title, frames_of(game, actions, start), text)

"""Test an implementation of a game, in any language, against the reference."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from lawspeaker.commands._common import game_from, pack_option, read_pack, ruling_option
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.explain import read_line
from lawspeaker.conformance.layers import BUDGETS, LAYERS
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import Report, conform, replay
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import room
from lawspeaker.model.core.loading import read_text
from lawspeaker.model.core.records import CaseResult, Event
from lawspeaker.reports.events import Bus, Collected
from lawspeaker.reports.junit import junit
from lawspeaker.reports.terminal import TerminalProgress
from lawspeaker.scenarios.runner import as_cases

_QUIET = ("pass", "not applicable")


@click.command()
@click.argument("game")
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD [ARGS]...")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same checks.")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="default", show_default=True)
@click.option(
    "--players",
    "counts",
    multiple=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Play with so many; default: every number that the game is for.",
)
@ruling_option
@pack_option
@click.option("--layer", "layers", multiple=True, type=click.Choice(LAYERS), help="Run only these layers.")
@click.option("--case", default="", metavar="LAYER/ID", help="Run one case only.")
@click.option("--replay", "trace", metavar="TRACE", help="Play this trace on both sides and nothing else.")
@click.option("--json", "json_path", metavar="FILE", help="Write the whole report as JSON.")
@click.option("--junit", "junit_path", metavar="FILE", help="Write the cases as JUnit XML.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="Seconds an answer.")
@click.option("--total", type=click.FloatRange(min=1), default=1800.0, show_default=True, help="Seconds in all.")
@click.option("--memory", type=click.IntRange(min=0), default=0, help="Address space of the program in MiB.")
def command(game: str, argv: tuple[str, ...], json_path: str | None, junit_path: str | None, **options: Any) -> int:
    """Test the program CMD against the reference of GAME.

    Exit codes: 0 all as it should be, 1 something failed, 2 wrong use, 3 nothing could be checked.
    """
    if not argv:
        raise click.UsageError("no command given; write it after --, as in: -- python3 my_engine.py")
    for path in (json_path, junit_path):
        if path and not Path(path).resolve().parent.is_dir():
            raise BadInput("its folder does not exist", where=path)
    timeout = options["timeout"]
    limits = Limits(start=max(20.0, timeout), work=timeout, total=options["total"], memory=options["memory"])
    collected = Collected()
    with TerminalProgress() as progress:
        reports = _run_all(game, argv, limits, Bus(collected, progress).emit, options)
    for count, report in reports.items():
        if len(reports) > 1:
            click.echo(f"with {count} players\n")
        _show(report)
    if json_path:
        plain = {"format": "lawspeaker-conformance/2", "reports": list(reports.values())}
        _write(json_path, m.encode(plain).decode() + "\n")
    if junit_path:
        _write(junit_path, junit(collected))
    codes = [report.exit_code for report in reports.values()]
    return 1 if 1 in codes else min(codes)


def _run_all(
    game: str, argv: tuple[str, ...], limits: Limits, emit: Callable[[Event], None], options: dict[str, Any]
) -> dict[int, Report]:
    """Run the referee for each number of players; scenarios, which have players of their own, the first time."""
    possible = room(game).players
    counts = tuple(dict.fromkeys(options["counts"])) or possible
    if options["trace"]:
        return {0: _run(game, argv, limits, emit, options, None)}
    for count in counts:
        if count not in possible:
            raise BadInput(f"{game} is not for {count} players", hint=f"it takes {', '.join(map(str, possible))}")
    reports: dict[int, Report] = {}
    for count in counts:
        layers = options["layers"] or LAYERS
        these = layers if not reports else tuple(name for name in layers if name != "scenarios")
        reports[count] = _run(game, argv, limits, emit, {**options, "layers": these}, count)
    return reports


def _run(
    game: str,
    argv: tuple[str, ...],
    limits: Limits,
    emit: Callable[[Event], None],
    options: dict[str, Any],
    players: int | None,
) -> Report:
    def start() -> ProcessSubject:
        return ProcessSubject(argv, limits)

    budget, pack = BUDGETS[options["budget"]], options["pack"]
    shown = shlex.join(argv)
    if options["trace"]:
        played, line = read_line(read_text(Path(options["trace"])), options["trace"], read_pack(game, pack))
        if played.id != game:
            raise BadInput(f"is a trace of {played.id}", where=options["trace"], hint=f"say {played.id}, not {game}")
        words = ["lawspeaker", "conform", game, "--replay", shlex.quote(options["trace"]), _flags(pack, limits)]
        repeat = " ".join(word for word in (*words, "--", shown) if word)
        return replay(played, start, line, budget=budget, emit=emit, repeat=repeat)
    layers, case, several = options["layers"], options["case"], len(room(game).players) > 1
    wanted = "scenarios" in layers and (not case or case.startswith("scenarios/"))
    return conform(
        game_from(game, options["rulings"], pack, players),
        start,
        seed=options["seed"],
        budget=budget,
        scenarios=as_cases(game) if wanted else (),
        layers=layers,
        emit=emit,
        command=shown,
        case=case,
        flags=" ".join(filter(None, (f"--players {players}" if several else "", _flags(pack, limits)))),
        ask_players=several,
    )


def _flags(pack: str | None, limits: Limits) -> str:
    """Return the options that a repeated case needs beside seed, budget and rulings."""
    usual, words = Limits(), [f"--pack {shlex.quote(pack)}"] if pack else []
    if limits.work != usual.work:
        words.append(f"--timeout {limits.work:g}")
    if limits.total != usual.total:
        words.append(f"--total {limits.total:g}")
    if limits.memory:
        words.append(f"--memory {limits.memory}")
    return " ".join(words)


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", where=path) from None


def _show(report: Report) -> None:
    for case in report.cases:
        if case.verdict not in _QUIET:
            click.echo("\n".join(_lines(case)) + "\n")
    console = Console(highlight=False)
    console.print(_table(report))
    followed = [f for f in report.fingerprint if f.fits != (f.told,)]
    for row in followed:
        fits = " or ".join(row.fits) if row.fits else "none of its values"
        sort = "cannot be told apart here" if len(row.fits) > 1 else f"asked for {row.told}"
        click.echo(f"{row.ruling}: follows {fits} ({sort})")
    if report.not_compared:
        click.echo(f"position fields not compared, as not reported: {', '.join(report.not_compared)}")
    click.echo(f"{report.subject or 'subject'}: {report.checked} operations compared, {len(report.failures)} failures")
    if not report.checked:
        click.echo("nothing could be checked; `lawspeaker doctor -- CMD` looks at the adapter alone")


def _lines(case: CaseResult) -> list[str]:
    lines = [f"{case.verdict}: {case.layer}/{case.id}: {case.title}", f"  {case.said}"]
    if case.explained_by:
        lines.append(f"  right under another reading: {case.explained_by}")
    for d in case.differences[:6]:
        if d.only_reference or d.only_subject:
            lines.append(f"  {d.path}: only the reference has {_some(d.only_reference)}")
            lines.append(f"  {' ' * len(d.path)}  only the subject has {_some(d.only_subject)}")
        else:
            lines.append(f"  {d.path}: reference {_brief(d.reference)}, subject {_brief(d.subject)}")
    lines += [f"  {words}" for words in case.worked[:8]]
    if case.trace:
        lines += ["", *(f"    {line}" for line in case.trace.rstrip().splitlines()), ""]
    if case.blame:
        lines.append(f"  blame: {case.blame}")
    if case.repeat:
        lines.append(f"  repeat: {case.repeat}")
    return lines


def _some(texts: tuple[str, ...]) -> str:
    more = f" and {len(texts) - 5} more" if len(texts) > 5 else ""
    return ", ".join(texts[:5]) + more if texts else "nothing"


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else m.encode(value).decode()
    return text if len(text) <= 100 else text[:100] + "..."


def _table(report: Report) -> Table:
    table = Table("layer", "pass", "fail", "another reading", "no answer", "not applicable", box=None)
    counts = Counter((case.layer, case.verdict) for case in report.cases)
    for layer in dict.fromkeys(case.layer for case in report.cases):
        failed = counts[layer, "fail"] + counts[layer, "error"]
        rest = [counts[layer, v] for v in ("another reading", "no answer")]
        why = next((c.said for c in report.cases if c.layer == layer and c.verdict == "not applicable"), "")
        skipped = counts[layer, "not applicable"]
        shown = f"{skipped}: {why}" if skipped else "."
        table.add_row(layer, str(counts[layer, "pass"]), *(str(n or ".") for n in (failed, *rest)), shown)
    return table

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

from lawspeaker.commands._common import limit_options, pack_option, read_pack, ruling_option
from lawspeaker.commands._reference import (
    AT_FAULT,
    cases_for,
    given_positions,
    players_of,
    positions_option,
    reference_flags,
    reference_game,
    reference_option,
)
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.explain import read_line
from lawspeaker.conformance.layers import BUDGETS, LAYERS
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import Report, conform, replay
from lawspeaker.conformance.reference import ReferenceFailure
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import read_text
from lawspeaker.model.core.records import CaseResult, Event
from lawspeaker.reports.events import Bus, Collected
from lawspeaker.reports.junit import junit
from lawspeaker.reports.terminal import TerminalProgress

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
@reference_option
@positions_option
@click.option("--layer", "layers", multiple=True, type=click.Choice(LAYERS), help="Run only these layers.")
@click.option("--case", default="", metavar="LAYER/ID", help="Run one case only.")
@click.option("--replay", "trace", metavar="TRACE", help="Play this trace on both sides and nothing else.")
@click.option("--json", "json_path", metavar="FILE", help="Write the whole report as JSON.")
@click.option("--junit", "junit_path", metavar="FILE", help="Write the cases as JUnit XML.")
@limit_options(start=20.0, handshake=10.0, work=10.0, total=1800.0)
@click.option("--memory", type=click.IntRange(min=0), default=0, help="Address space of the program in MiB.")
def command(game: str, argv: tuple[str, ...], json_path: str | None, junit_path: str | None, **options: Any) -> int:
    """Test the program CMD against the reference of GAME, or against another program.

    Exit codes: 0 all as it should be, 1 something failed, 2 wrong use, 3 nothing could be checked,
    4 the program that plays the reference is at fault.
    """
    if not argv:
        raise click.UsageError("no command given; write it after --, as in: -- python3 my_engine.py")
    for path in (json_path, junit_path):
        if path and not Path(path).resolve().parent.is_dir():
            raise BadInput("its folder does not exist", where=path)
    limits = Limits(**{name: options[name] for name in ("start", "handshake", "work", "total", "memory")})
    collected = Collected()
    try:
        with TerminalProgress() as progress:
            reports = _run_all(game, argv, limits, Bus(collected, progress).emit, options)
    except ReferenceFailure as failure:  # before there was anything to report
        click.echo(f"lawspeaker: the reference is at fault: {failure}", err=True)
        return AT_FAULT
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
    return next((code for code in (AT_FAULT, 1) if code in codes), min(codes))


def _run_all(
    game: str, argv: tuple[str, ...], limits: Limits, emit: Callable[[Event], None], options: dict[str, Any]
) -> dict[int, Report]:
    """Run the referee for each number of players; scenarios, which have players of their own, the first time."""
    counts = players_of(game, options["reference"], options["counts"])
    if options["trace"]:
        return {0: _run(game, argv, limits, emit, options, counts[0] if options["reference"] else None)}
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
        return _replay(game, start, shown, limits, emit, options, players)
    layers, case = options["layers"], options["case"]
    several = len(players_of(game, options["reference"], ())) > 1 or bool(options["reference"] and options["counts"])
    wanted = "scenarios" in layers and (not case or case.startswith("scenarios/"))
    flags = (f"--players {players}" if several else "", _flags(pack, limits), reference_flags(options))
    with reference_game(game, options, limits, players) as played:
        return conform(
            played,
            start,
            seed=options["seed"],
            budget=budget,
            scenarios=cases_for(played) if wanted else (),
            layers=layers,
            emit=emit,
            command=shown,
            case=case,
            flags=" ".join(filter(None, flags)),
            ask_players=several,
            positions=given_positions(game, options["positions"]),
        )


def _replay(
    game: str,
    start: Callable[[], ProcessSubject],
    shown: str,
    limits: Limits,
    emit: Callable[[Event], None],
    options: dict[str, Any],
    players: int | None,
) -> Report:
    """Play the trace that is named, on both sides."""
    pack = options["pack"]
    with reference_game(game, options, limits, players) as against:
        box = read_pack(game, pack) if pack else None
        played, line = read_line(read_text(Path(options["trace"])), options["trace"], box, against)
        if played.id != game:
            raise BadInput(f"is a trace of {played.id}", where=options["trace"], hint=f"say {played.id}, not {game}")
        words = ["lawspeaker", "conform", game, "--replay", shlex.quote(options["trace"]), _flags(pack, limits)]
        repeat = " ".join(word for word in (*words, reference_flags(options), "--", shown) if word)
        return replay(played, start, line, budget=BUDGETS[options["budget"]], emit=emit, repeat=repeat)


def _flags(pack: str | None, limits: Limits) -> str:
    """Return the options that a repeated case needs beside seed, budget and rulings."""
    usual, words = Limits(), [f"--pack {shlex.quote(pack)}"] if pack else []
    for name, word in (
        ("start", "start-timeout"),
        ("handshake", "handshake-timeout"),
        ("work", "timeout"),
        ("total", "total"),
    ):
        if getattr(limits, name) != getattr(usual, name):
            words.append(f"--{word} {getattr(limits, name):g}")
    if limits.memory:
        words.append(f"--memory {limits.memory}")
    return " ".join(words)


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", where=path) from None


def _show(report: Report) -> None:
    alike = {cause.cases[0]: cause.cases[1:] for cause in report.causes}
    for case in report.cases:
        if case.verdict not in _QUIET and not case.same_as:
            click.echo("\n".join(_lines(case, alike.get(f"{case.layer}/{case.id}", ()))) + "\n")
    console = Console(highlight=False)
    console.print(_table(report))
    for row in report.fingerprint:
        if row.fits != (row.told,) and not (row.echoed and len(row.fits) > 1):
            click.echo(row.words)
    agreed = sum(row.echoed and len(row.fits) > 1 for row in report.fingerprint)
    if agreed:
        click.echo(f"{agreed} rulings: it was told what to follow and agreed; nothing that it did speaks against it")
    if report.not_compared:
        click.echo(f"position fields not compared, as not reported: {', '.join(report.not_compared)}")
    sides = f"{report.subject or 'subject'} against {report.reference}" if report.reference else report.subject
    click.echo(f"{sides or 'subject'}: {report.checked} operations compared, {len(report.failures)} failures")
    if not report.checked:
        click.echo("nothing could be checked; `lawspeaker doctor -- CMD` looks at the adapter alone")


def _lines(case: CaseResult, alike: tuple[str, ...] = ()) -> list[str]:
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
        lines.append(f"  blame: {case.blame}" + (f" ({case.evidence})" if case.evidence else ""))
    if case.unshrunk:
        lines.append(f"  {case.unshrunk}")
    if alike:
        lines.append(f"  {len(alike)} more failed in the same way: {_some(alike)}")
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

"""Test an implementation of a game, in any language, against the reference."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from lawspeaker.commands._common import limit_options, pack_option, read_pack, ruling_option
from lawspeaker.commands._conform_output import Output, ended, output_options
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
from lawspeaker.conformance.expected import Expected, read_expected
from lawspeaker.conformance.explain import read_line
from lawspeaker.conformance.layers import BUDGETS, LAYERS
from lawspeaker.conformance.outcome import outcome
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import Report, conform, replay
from lawspeaker.conformance.reference import ReferenceFailure
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import read_text
from lawspeaker.model.core.records import Event
from lawspeaker.reports.conform_terminal import show_runs
from lawspeaker.reports.terminal import TerminalProgress

_CODES = """\b
Exit codes; the first that fits, from above:
  2  wrong use, or a file that cannot be used
  4  the program that plays the reference is at fault
  3  nothing at all could be compared
  1  something failed: a difference, a question without answer,
     or a failure was expected that is none
  3  a --layer, or a number of --players, that was named checked nothing
  0  all as it should be, as expected, or right under another reading
"""


@click.command(epilog=_CODES)
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
@click.option("--recorded", metavar="FOLDER", help="Replay the traces of a folder too, besides those that are shipped.")
@click.option("--layer", "layers", multiple=True, type=click.Choice(LAYERS), help="Run only these layers.")
@click.option("--case", default="", metavar="LAYER/ID", help="Run one case only.")
@click.option("--replay", "trace", metavar="TRACE", help="Play this trace on both sides and nothing else.")
@click.option("--expected", metavar="FILE", help="Failures that are expected, with reasons (docs/conform-output.md).")
@output_options
@limit_options(start=20.0, handshake=10.0, work=10.0, total=1800.0)
@click.option("--memory", type=click.IntRange(min=0), default=0, help="Address space of the program in MiB.")
def command(game: str, argv: tuple[str, ...], **options: Any) -> int:
    """Test the program CMD against the reference of GAME, or against another program."""
    if not argv:
        raise click.UsageError("no command given; write it after --, as in: -- python3 my_engine.py")
    if options["trace"] and options["expected"]:
        raise click.UsageError("--expected is about the cases of a run, and --replay plays none of them")
    output = Output(options, argv)
    output.refuse_wrong_paths()
    expected = Expected(read_expected(Path(options["expected"])) if options["expected"] else ())
    limits = Limits(**{name: options[name] for name in ("start", "handshake", "work", "total", "memory")})
    try:
        with ExitStack() as stack:
            emit = output.listen(stack, stack.enter_context(TerminalProgress()))
            reports = list(_run_all(game, argv, limits, emit, {**options, "judge": expected.judge}).values())
            stale = expected.stale(game, options["layers"], options["case"], options["counts"])
            for case in stale:
                emit(case)
    except ReferenceFailure as failure:  # before there was anything to report
        click.echo(f"lawspeaker: the reference is at fault: {failure}", err=True)
        return AT_FAULT
    output.write(reports, stale)
    show_runs(output.runs, Console(highlight=False), output.traces)
    named = () if options["trace"] else options["layers"]
    code, reasons = outcome(reports, stale, layers=named, players=options["counts"])
    for reason in reasons:
        click.echo(reason)
    return code or int(output.complain())


def _run_all(
    game: str, argv: tuple[str, ...], limits: Limits, emit: Callable[[Event], None], options: dict[str, Any]
) -> dict[int, Report]:
    """Run the referee for each number of players; scenarios, which have players of their own, the first time."""
    counts = players_of(game, options["reference"], options["counts"])
    if options["trace"]:
        report = _run(game, argv, limits, emit, options, counts[0] if options["reference"] else None)
        emit(ended(report))
        return {0: report}
    reports: dict[int, Report] = {}
    for count in counts:
        layers = options["layers"] or LAYERS
        these = layers if not reports else tuple(name for name in layers if name != "scenarios")
        reports[count] = _run(game, argv, limits, emit, {**options, "layers": these}, count)
        emit(ended(reports[count]))
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
    recorded = options["recorded"]
    again = f"--recorded {shlex.quote(recorded)}" if recorded else ""
    flags = (f"--players {players}" if several else "", _flags(pack, limits), reference_flags(options), again)
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
            traces=Path(recorded) if recorded else None,
            positions=given_positions(game, options["positions"]),
            expect=lambda case: options["judge"](case, len(played.seats)),
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

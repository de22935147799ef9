"""The exit code of a whole invocation of `conform`, and why it is not 0 where no case says so."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.model.core.records import CaseResult

from .expected import NOT_RUN
from .report import Report

OK, FAILED, UNCHECKED, AT_FAULT = 0, 1, 3, 4


def outcome(
    reports: Sequence[Report],
    stale: Sequence[CaseResult] = (),
    *,
    layers: Sequence[str] = (),
    players: Sequence[int] = (),
) -> tuple[int, tuple[str, ...]]:
    """Return exit code and reasons; *layers* and *players* are those that were named by hand.

    4 the reference is at fault; 1 something failed, which includes a question without answer and an expected
    failure that is none; 3 nothing could be checked at all, or nothing in a layer or with a number of players
    that was asked for by name; else 0.  The first that fits counts, in this order, except that a run in which
    nothing at all was compared is 3, whatever went wrong before.
    """
    if any(report.exit_code == AT_FAULT for report in reports):
        return AT_FAULT, ()
    if not any(report.checked for report in reports):
        return UNCHECKED, ("nothing could be checked; `lawspeaker doctor -- CMD` looks at the adapter alone",)
    missed = [*_layers_missed(reports, layers), *_players_missed(reports, players)]
    if stale or any(report.failures for report in reports):
        return FAILED, tuple(missed)
    return (UNCHECKED if missed else OK), tuple(missed)


def _layers_missed(reports: Sequence[Report], layers: Sequence[str]) -> list[str]:
    found = []
    for layer in dict.fromkeys(layers):
        cases = [case for report in reports for case in report.cases if case.layer == layer]
        if not any(_ran(case) for case in cases):
            why = cases[0].said if cases else "it has no such case"
            found.append(f"layer {layer} was asked for and checked nothing: {why}")
    return found


def _players_missed(reports: Sequence[Report], players: Sequence[int]) -> list[str]:
    found = []
    for report in reports:
        if report.players in players and not report.checked:
            why = next((case.said for case in report.cases if not _ran(case)), "no operation was compared")
            found.append(f"{report.players} players were asked for and nothing was checked: {why}")
    return found


def _ran(case: CaseResult) -> bool:
    return case.verdict != "not applicable" and not case.said.startswith(NOT_RUN)

"""Totals, what is not as expected, the exit code, and the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from lawspeaker.model.core.records import CheckRow, ClauseRow, Event, Finished, Progress, Started, TopicRow, Verdict
from lawspeaker.reports.events import Collected
from lawspeaker.reports.terminal import TerminalProgress, problem_lines, show_totals
from lawspeaker.reports.totals import exit_code, totals_of


def _printed(collected: Collected) -> str:
    out = io.StringIO()
    show_totals(collected, Console(file=out, width=200))
    return out.getvalue()


def test_clause_shares_are_over_the_rules_only(collected: Collected) -> None:
    totals = totals_of(collected.game("fjords"))
    assert [str(s) for s in (totals.cited, totals.exercised, totals.decisive)] == ["1/2", "1/2", "1/2"]


def test_a_rule_never_exercised_fails_unless_a_reason_is_listed() -> None:
    bare = ClauseRow("g", "G-1", "h", "rule", "t", ("x",), 0, "y")
    excused = ClauseRow("g", "G-1", "h", "rule", "t", unchecked="only a box can show it")
    assert [p.reason for p in totals_of(Collected([bare]).game("g")).problems] == [
        "never exercised, and no reason is listed"
    ]
    assert totals_of(Collected([excused]).game("g")).ok


def test_findings_without_a_position_are_not_counted(collected: Collected) -> None:
    totals = totals_of(collected.game("fjords"))
    assert totals.findings["gap"] == 1
    assert "conflict" not in totals.findings and "split" not in totals.findings
    assert totals.unplaced == 2
    assert totals.findings["proven"] == 1


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        ("pass", 0), ("expected failure", 0), ("not applicable", 0), ("another reading", 0),
        ("fail", 1), ("unexpected pass", 1), ("no answer", 1), ("error", 1),
    ],
)  # fmt: skip
def test_only_expected_verdicts_exit_with_zero(verdict: Verdict, code: int) -> None:
    assert exit_code(Collected([CheckRow("g", "k", "title", verdict, 3, "said")])) == code


def test_what_checked_nothing_is_not_green() -> None:
    assert exit_code(Collected()) == 1
    assert exit_code(Collected([Started("play", "g"), Finished("play", "g")])) == 1


def test_a_check_that_never_ran_and_a_job_that_never_ended_are_not_green() -> None:
    assert exit_code(Collected([CheckRow("g", "k", "t", "pass", 0)])) == 1
    assert exit_code(Collected([CheckRow("g", "k", "t", "pass", 1), Started("play", "g")])) == 1


def test_an_unknown_claim_is_shown_and_neither_proof_nor_failure() -> None:
    collected = Collected([TopicRow("g", "q", "Can it?", "claim", "unknown")])
    assert exit_code(collected) == 0
    assert "1 unknown" in _printed(collected)


def test_the_table_says_everything_and_lists_what_failed(collected: Collected) -> None:
    text = _printed(collected)
    for words in (
        "clauses cited",
        "1/2",
        "examples reproduced",
        "2/2",
        "1 no answer",
        "1 missed",
        "14 not as expected",
    ):
        assert words in text
    assert "fjords scenarios s-fail: fail: default: because of fail [FD-TILE-02]" in text


def test_a_long_list_of_failures_is_cut_and_counted() -> None:
    rows = [CheckRow("g", f"k{n}", "t", "fail", 1, "why") for n in range(50)]
    lines = problem_lines(totals_of(Collected(rows).game("g")))
    assert len(lines) == 31 and lines[-1] == "g: and 20 more"


def test_without_a_terminal_progress_is_one_line_a_job(events: list[Event]) -> None:
    out = io.StringIO()
    with TerminalProgress(Console(file=out, width=30)) as progress:
        for event in events:
            progress(event)
    assert out.getvalue() == "fjords scenarios: 8 scenarios\n"


def test_on_a_terminal_the_running_job_is_shown() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100)
    with TerminalProgress(console) as progress:
        progress(Started("play", "g", 10))
        progress(Progress("play", "g", 4, "game [4]"))
        assert progress._progress is not None
        progress._progress.refresh()
        assert "4/10" in out.getvalue() and "game [4]" in out.getvalue()
        progress(Finished("play", "g", "done"))
    assert "g play: done" in out.getvalue()

"""The bus, the collector, and report files."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import ClauseRow, Event, Progress, Stamped, Started
from lawspeaker.reports.events import Bus, Collected, ReportWriter, read_report


def test_a_failing_listener_does_not_stop_the_others(events: list[Event]) -> None:
    heard: list[Event] = []

    def broken(event: Event) -> None:
        raise OSError("disk full")

    bus = Bus(broken)
    bus.add(heard.append)
    for event in events:
        bus.emit(event)
    assert heard == events
    assert len(bus.failures) == len(events)
    assert "broken" in bus.failures[0].listener
    assert isinstance(bus.failures[0].error, OSError)


def test_records_are_gathered_by_game(events: list[Event]) -> None:
    collected = Collected(events)
    collected(Started("play", "northmen"))
    assert list(collected.games) == ["fjords", "northmen"]
    fjords = collected.game("fjords")
    assert len(fjords.clauses) == 3
    assert len(fjords.scenarios) == len(fjords.checks) == len(fjords.cases) == 8
    assert len(fjords.findings) == 9
    assert fjords.stamp is not None and fjords.stamp.seed == 7
    assert fjords.unfinished == ()
    assert collected.game("northmen").unfinished == ("play",)


def test_a_later_row_of_a_clause_replaces_the_earlier_in_its_place() -> None:
    def row(clause: str, times: int) -> ClauseRow:
        return ClauseRow("g", clause, "h", "rule", "t", (), times)

    collected = Collected([row("A", 0), row("B", 0), row("A", 5)])
    assert [(r.clause, r.exercised) for r in collected.game("g").clauses] == [("A", 5), ("B", 0)]


def test_a_report_file_reads_back_as_written_without_progress(tmp_path: Path, events: list[Event]) -> None:
    path = tmp_path / "deep" / "report.jsonl"
    with ReportWriter(path, version="0.1") as writer:
        for event in events:
            writer(event)
    report = read_report(path)
    assert report.finished and report.version == "0.1"
    assert list(report.events) == [event for event in events if not isinstance(event, Progress)]
    assert len(report.collected().game("fjords").findings) == 9


def test_a_run_that_raises_leaves_an_unfinished_report(tmp_path: Path, events: list[Event]) -> None:
    path = tmp_path / "r.jsonl"
    with pytest.raises(RuntimeError), ReportWriter(path) as writer:
        writer(events[0])
        raise RuntimeError("killed")
    report = read_report(path)
    assert not report.finished
    assert report.events == (events[0],)


def test_half_a_line_at_the_end_is_an_unfinished_report(tmp_path: Path, events: list[Event]) -> None:
    path = tmp_path / "r.jsonl"
    with ReportWriter(path) as writer:
        for event in events[:3]:
            writer(event)
    whole = path.read_text()
    path.write_text(whole[: whole.index('{"footer"') - 20])
    report = read_report(path)
    assert not report.finished
    assert report.events == (events[0],)
    assert isinstance(report.events[0], Stamped)


def _lines(tmp_path: Path, events: list[Event]) -> tuple[Path, list[str]]:
    path = tmp_path / "r.jsonl"
    with ReportWriter(path) as writer:
        for event in events:
            writer(event)
    return path, path.read_text().splitlines()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: [], "is no report"),
        (lambda lines: ["{}", *lines[1:]], "no report header"),
        (lambda lines: [lines[0].replace("report/1", "report/9"), *lines[1:]], "unknown format"),
        (lambda lines: [lines[0], "nonsense", *lines[1:]], "line 2: no event"),
        (lambda lines: [lines[0], '{"type":"dream"}', *lines[1:]], "unknown event 'dream'"),
        (lambda lines: [lines[0], lines[2].replace('"job"', '"jab":1,"job"'), *lines[1:]], "unknown fields jab"),
        (lambda lines: [*lines[:2], *lines[3:]], "the footer counts"),
        (lambda lines: [lines[0], lines[1].replace("fjords", "fiords"), *lines[2:]], "not those that the footer"),
        (lambda lines: [*lines, lines[1]], "something follows the footer"),
        (lambda lines: [*lines[:-1], '{"footer": 3}'], "no footer"),
    ],
)
def test_a_damaged_report_is_refused_with_its_line(tmp_path: Path, events: list[Event], change, says: str) -> None:
    path, lines = _lines(tmp_path, events)
    path.write_text("".join(line + "\n" for line in change(lines)))
    with pytest.raises(BadInput, match=says) as caught:
        read_report(path)
    assert str(path) in str(caught.value)


def test_a_missing_report_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_report(tmp_path / "none.jsonl")

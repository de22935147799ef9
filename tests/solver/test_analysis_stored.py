"""Stored reports are used while they are true, and never after."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.solver import stored
from lawspeaker.solver.analysis import is_witness
from lawspeaker.solver.errata import reworded, with_clause
from lawspeaker.solver.stored import analyse_stored, topic_digest
from lawspeaker.solver.topic_files import load_topics
from lawspeaker.solver.topics import Topic

DOCS = Path(__file__).parents[2] / "docs" / "examples"


def start() -> Topic:
    return load_topics(DOCS / "toll_bridge.yaml").topic("start")


def forbid_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(topic: Topic) -> None:
        raise AssertionError("analysed again")

    monkeypatch.setattr(stored, "analyse", refuse)


def test_a_report_is_read_back_and_its_findings_can_still_be_witnessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = analyse_stored(start(), tmp_path)
    forbid_analysis(monkeypatch)
    topic = start()
    assert analyse_stored(topic, tmp_path) == first
    assert is_witness(first.findings[0], topic, {"red_age": 9, "blue_age": 9})
    assert not is_witness(first.findings[0], topic, {"red_age": 9, "blue_age": 8})


def test_a_changed_topic_is_analysed_again(tmp_path: Path) -> None:
    topic = start()
    analyse_stored(topic, tmp_path)
    changed = with_clause(topic, reworded(topic, "TB-START-01", if_="True"))
    assert topic_digest(changed) != topic_digest(topic)
    assert analyse_stored(changed, tmp_path).findings == ()
    assert [record.kind for record in analyse_stored(topic, tmp_path).findings] == ["gap"]


def test_a_broken_file_is_as_good_as_none(tmp_path: Path) -> None:
    first = analyse_stored(start(), tmp_path)
    for path in tmp_path.iterdir():
        path.write_text("{", encoding="utf-8")
    assert analyse_stored(start(), tmp_path) == first

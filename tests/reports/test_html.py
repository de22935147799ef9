"""The HTML site: self-contained, complete, escaped, written whole or not at all."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import steps
from lawspeaker.model.core.records import CheckRow, Event, FindingRecord
from lawspeaker.reports import html as html_module
from lawspeaker.reports.events import Collected
from lawspeaker.reports.files import write_whole
from lawspeaker.reports.frames import frames_of, pack_record
from lawspeaker.reports.html import GamePage, TraceView, marks_of, render_site, write_site

VOID = {"meta", "input", "br", "link", "img", "hr"}


class _Outline(HTMLParser):
    """Checks that elements nest, and gathers ids, links, text and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.data: list[str] = []
        self._json = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        for name in ("href", "src", "xlink:href"):
            if given.get(name):
                self.links.append(str(given[name]))
        self._json = given.get("type") == "application/json"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            if self._json:
                self.data.append(data)
        elif not self.open or self.open[-1] != "style":
            self.words.append(data)


def _outline(text: str) -> _Outline:
    outline = _Outline()
    outline.feed(text)
    outline.close()
    assert outline.open == []
    return outline


@pytest.fixture
def site(collected: Collected, page: GamePage) -> dict[str, str]:
    return render_site(collected, {"fjords": page}, version="0.1")


def test_pages_nest_have_no_double_ids_and_no_dead_links(site: dict[str, str]) -> None:
    for text in site.values():
        outline = _outline(text)
        assert len(outline.ids) == len(set(outline.ids))
        for link in outline.links:
            assert link[1:] in outline.ids if link.startswith("#") else link in site, link


def test_nothing_is_asked_of_any_other_machine(site: dict[str, str]) -> None:
    for text in site.values():
        assert "default-src 'none'" in text
        outside = [found for found in re.findall(r"https?://[^\"'\s<]+", text) if "www.w3.org/2000/svg" not in found]
        assert outside == []


def test_the_page_shows_every_record(site: dict[str, str], events: list[Event]) -> None:
    words = " ".join(_outline(site["fjords.html"]).words)
    for event in events:
        for name in ("id", "clause", "title", "question", "what", "bounds"):
            value = getattr(event, name, None)
            if isinstance(value, str) and value:
                assert value in words, value
    assert "never cited, never exercised, never decisive, and no reason is listed" in words
    assert "components estimated" in words
    assert "sha256:" + "ab" * 32 in words
    assert "The first fits the examples." in words


def test_what_records_say_is_text_never_markup(site: dict[str, str]) -> None:
    text = site["fjords.html"]
    assert "<b>reading</b>" not in text and "&lt;b&gt;reading" in text
    assert "A </script> game" not in text
    assert "\x00" not in text and "\x1b" not in text and "\\x1b[31m" in text


def test_a_finding_is_drawn_with_its_cell_marked(site: dict[str, str]) -> None:
    article = site["fjords.html"].split('id="f-F-gap"')[1].split("</article>")[0]
    assert "<svg" in article and ">place</text>" in article
    other = site["fjords.html"].split('id="f-F-conflict"')[1].split("</article>")[0]
    assert "<svg" not in other and "Not counted" in other
    assert marks_of({"cell": "3,-1/2", "n": 4, "said": "no"}) == ((3, -1, "cell"),)


def test_the_stepper_carries_each_step_and_only_differences(site: dict[str, str]) -> None:
    data = [json.loads(text) for text in _outline(site["fjords.html"]).data]
    assert len(data) == 2
    steps_of = data[0]["steps"]
    assert [(s["by"], s["action"]) for s in steps_of] == [("", ""), ("B", "place T05 0,1 r0"), ("B", "farm 0,1/0")]
    assert steps_of[1]["words"] == ["two sides touch, two are needed"]
    assert len(data[0]["frames"]) == 3
    assert len(data[0]["frames"][2][0]) < len(data[0]["frames"][0][0])


def test_the_same_records_give_the_same_bytes(collected: Collected, page: GamePage, site: dict[str, str]) -> None:
    assert render_site(collected, {"fjords": page}, version="0.1") == site


def test_a_position_that_cannot_be_drawn_costs_only_its_picture() -> None:
    broken = FindingRecord("fjords", "F", "gap", "t", "title", (), carried="position", position={"board": [[1]]})
    text = render_site(Collected([broken]), {"fjords": GamePage(pack={"tiles": []})})["fjords.html"]
    assert "cannot be drawn" in text
    without = render_site(Collected([broken]))["fjords.html"]
    assert "no picture" in without


def test_the_site_replaces_an_older_one_and_keeps_other_reports(tmp_path: Path, collected: Collected) -> None:
    out = tmp_path / "reports" / "out"
    assert write_site(collected, out) == out / "index.html"
    (out / "report.jsonl").write_text("kept")
    (out / "old_game.html").write_bytes((out / "fjords.html").read_bytes())
    (out / "mine.html").write_text("my own page")
    write_site(Collected([CheckRow("northmen", "k", "t", "pass", 1)]), out)
    assert sorted(p.name for p in out.iterdir()) == ["index.html", "mine.html", "northmen.html", "report.jsonl"]
    assert [p.name for p in out.parent.iterdir()] == ["out"]


def test_when_rendering_fails_the_older_site_stays(
    tmp_path: Path, collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_site(collected, out)
    before = {p.name: p.read_bytes() for p in out.iterdir()}

    def fails(*args: Any, **more: Any) -> dict[str, str]:
        raise RuntimeError("no")

    monkeypatch.setattr(html_module, "render_site", fails)
    with pytest.raises(RuntimeError):
        write_site(collected, out)
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_page_of_somebody_else_is_not_overwritten(tmp_path: Path, collected: Collected) -> None:
    (tmp_path / "index.html").write_text("ten years of work")
    with pytest.raises(BadInput, match="nothing was overwritten"):
        write_site(collected, tmp_path)
    assert [p.read_text() for p in tmp_path.iterdir()] == ["ten years of work"]
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="is no folder"):
        write_site(collected, tmp_path / "file")


def test_a_file_is_written_whole_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "summary.md"
    write_whole(path, "one")
    write_whole(path, "two")
    assert path.read_text() == "two"
    assert [p.name for p in path.parent.iterdir()] == ["summary.md"]
    with pytest.raises(BadInput, match="cannot be written"):
        write_whole(path / "below" / "a-file", "three")


def test_a_real_game_can_be_stepped_through(collected: Collected) -> None:
    place = room("fjords")
    game = make_game("fjords")
    actions = [step.action for step, _ in zip(steps(game, 3), range(30), strict=False)]
    frames = frames_of(game, actions)
    pack = pack_record(place.load_pack(place.default_pack))
    text = render_site(collected, {"fjords": GamePage(pack=pack, traces=(TraceView("g", "Game", frames),))})
    data = json.loads(_outline(text["fjords.html"]).data[0])
    assert len(data["steps"]) == 31 == len(data["frames"])
    assert data["steps"][1]["by"] == "chance" and data["steps"][1]["action"].startswith("start ")

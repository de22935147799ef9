"""The HTML site: an index of all games and a page for each, self-contained, readable from a file."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import msgspec
from markupsafe import Markup

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import CaseResult, ClauseRow, FindingRecord, ScenarioResult

from . import fire_axe_picture, fjords_picture, northmen_picture  # noqa: F401 (they register their painters)
from .drawing import Mark, can_draw, draw, film
from .events import Collected, GameRecords
from .sharing import share
from .terminal import count_words, finding_words, verdict_words
from .totals import Totals, check_reason, counts, green, reproduced, topic_stands, totals_of, uncovered

HERE = Path(__file__).parent
PackRecord = Mapping[str, Any]
_MARK = b'<meta name="generator" content="lawspeaker">'
_SHAPES = "<!--shapes-->"
"""Where a page keeps the shapes that its drawings share."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_CELL = re.compile(r"(-?\d+),(-?\d+)(?:/\d+)?")


class Frame(msgspec.Struct, frozen=True):
    """One step of a trace: what was done by whom, what it did in words, and the position after it.

    The first frame is the start: its ``action`` is "".
    """

    action: str
    by: str
    words: tuple[str, ...]
    record: dict[str, Any]


class TraceView(msgspec.Struct, frozen=True):
    """A trace to step through; one whose id is a finding's is shown with that finding."""

    id: str
    title: str
    frames: tuple[Frame, ...]
    text: str = ""
    pack: dict[str, Any] | None = None


class GamePage(msgspec.Struct, frozen=True):
    """What a game's page shows beside the records, all plain values.

    ``pack`` draws the positions, ``packs`` those of single findings, scenarios and cases by their id;
    ``rulings`` are ruling records (id, question, choices, reason); ``traces`` become steppers.
    """

    title: str = ""
    pack: dict[str, Any] | None = None
    packs: dict[str, dict[str, Any]] = {}
    rulings: tuple[dict[str, Any], ...] = ()
    traces: tuple[TraceView, ...] = ()


class _Shown(NamedTuple):
    """A game as the templates see it."""

    records: GameRecords
    totals: Totals
    title: str
    file: str


_GOOD = {"pass", "closed", "proven", "caught", "witness"}
_BAD = {"fail", "error", "no answer", "unexpected pass", "open", "missed"}
_ODD = {"another reading", "expected failure", "unknown", "conflict", "gap", "split", "silent", "refuted", "vacuous"}


def write_site(
    collected: Collected, out_dir: Path, pages: Mapping[str, GamePage] | None = None, *, version: str = ""
) -> Path:
    """Write the site into *out_dir* and return the path of its index.

    Everything is written to a folder beside it first and then put in place, so that a reader never
    meets half a site.  Pages of a former site are replaced, whatever else lies there is kept.  Raises
    BadInput where a page would replace a file that is not of this program, or nothing can be written.
    """
    files = render_site(collected, pages, version=version)
    refuse_foreign(out_dir, files)
    try:
        out_dir.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{out_dir.name}-", dir=out_dir.parent))
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(out_dir)) from None
    try:
        for name, text in files.items():
            (fresh / name).write_text(text, encoding="utf-8", newline="\n")
        fresh.chmod(0o755)
        _replace(out_dir, fresh)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return out_dir / "index.html"


def refuse_foreign(out_dir: Path, names: Iterable[str]) -> None:
    """Raise BadInput where writing pages of these *names* into *out_dir* would lose somebody else's file."""
    hint = "name another folder; nothing was overwritten"
    if out_dir.exists() and not out_dir.is_dir():
        raise BadInput("is no folder", where=str(out_dir), hint=hint)
    for name in names:
        if (out_dir / name).exists() and not _is_ours(out_dir / name):
            raise BadInput("is no page of this program", where=str(out_dir / name), hint=hint)


def _is_ours(path: Path) -> bool:
    """Whether a file is a page that this program wrote."""
    if path.suffix != ".html" or not path.is_file():
        return False
    return _MARK in path.read_bytes()[:1000]


def _replace(out_dir: Path, fresh: Path) -> None:
    """Put *fresh* in the place of *out_dir*; what is no page of a former site moves along."""
    if not out_dir.is_dir():
        fresh.rename(out_dir)
        return
    for old in sorted(out_dir.iterdir()):
        if not _is_ours(old):
            shutil.move(str(old), str(fresh / old.name))
    former = fresh.with_name(fresh.name + "-former")
    out_dir.rename(former)
    fresh.rename(out_dir)
    shutil.rmtree(former)


def render_site(
    collected: Collected, pages: Mapping[str, GamePage] | None = None, *, version: str = ""
) -> dict[str, str]:
    """Return the site's files by name; the same records give the same bytes."""
    pages = pages or {}
    environment = _environment()
    shared: dict[str, Any] = {
        "css": Markup((HERE / "static" / "site.css").read_text(encoding="utf-8")),
        "js": Markup((HERE / "static" / "site.js").read_text(encoding="utf-8")),
        "version": version,
    }
    games = [
        _Shown(records, totals_of(records), _title(records, pages), page_name(records.game)) for records in collected
    ]
    files = {"index.html": environment.get_template("index.html.j2").render(games=games, **shared)}
    for game in games:
        page = _PageData(game.records, pages.get(game.records.game, GamePage()))
        text = environment.get_template("game.html.j2").render(
            game=game, page=page, records=game.records, totals=game.totals, **shared
        )
        files[game.file] = share(text, _SHAPES)
    return files


def page_name(game: str) -> str:
    """Return the file name of a game's page."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", game) + ".html"


def _title(records: GameRecords, pages: Mapping[str, GamePage]) -> str:
    page = pages.get(records.game)
    return (page.title if page else "") or records.game.replace("_", " ").title()


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,
    )
    environment.filters.update(
        counts=count_words, slug=slug, green=green, value=_value, tone=tone, uncovered=uncovered,
        stands=topic_stands, check_reason=check_reason, reproduced=reproduced, counted=counts,
    )  # fmt: skip
    environment.globals.update(finding_words=finding_words, verdict_words=verdict_words)
    return environment


def _visible(value: Any) -> Any:
    """Show control characters (a subject may print anything) as escapes; a page cannot hold them."""
    if isinstance(value, str) and not isinstance(value, Markup) and _CONTROL.search(value):
        return _CONTROL.sub(lambda found: f"\\x{ord(found.group()):02x}", value)
    return value


def slug(text: str) -> str:
    """Return a text as an anchor."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text)


def _value(value: Any) -> str:
    """Return a plain value for reading."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def tone(word: str) -> str:
    """Return the tone in which a verdict is shown: good, bad, odd or dull."""
    for name, words in (("good", _GOOD), ("bad", _BAD), ("odd", _ODD)):
        if word in words:
            return name
    return "dull"


class _PageData:
    """What the template of a game asks for: clause texts, pictures, steppers."""

    def __init__(self, records: GameRecords, page: GamePage) -> None:
        self._records = records
        self._page = page
        self._texts = {row.clause: row.text for row in records.clauses}
        self._drawn = 0
        self.rulings = page.rulings
        self.traces = page.traces

    @property
    def estimated(self) -> bool:
        """Whether the components shown are estimated."""
        stamp = self._records.stamp
        in_pack = bool(self._page.pack) and self._page.pack.get("provenance") == "estimated"  # type: ignore[union-attr]
        return in_pack or (stamp is not None and stamp.pack_provenance == "estimated")

    def text(self, clause: str) -> str:
        """Return a clause in our own words."""
        return self._texts.get(clause, "")

    def has(self, clause: str) -> bool:
        """Whether the clause stands in the coverage table."""
        return clause in self._texts

    def has_ruling(self, ruling: str) -> bool:
        """Whether the ruling is explained on the page."""
        return any(known.get("id") == ruling for known in self.rulings)

    def clause_groups(self) -> list[tuple[str, list[ClauseRow]]]:
        """Return the clauses under their headings, in catalogue order."""
        groups: dict[str, list[ClauseRow]] = {}
        for row in self._records.clauses:
            groups.setdefault(row.heading, []).append(row)
        return list(groups.items())

    def trace_of(self, finding: FindingRecord) -> TraceView | None:
        """Return the stepper that belongs to a finding."""
        return next((t for t in self.traces if t.id == finding.id), None)

    def other_traces(self) -> list[TraceView]:
        """Return the steppers that belong to no finding."""
        known = {finding.id for finding in self._records.findings}
        return [trace for trace in self.traces if trace.id not in known]

    def picture(self, item: FindingRecord | ScenarioResult) -> Markup:
        """Return the drawn position of a finding or scenario, "" without one, or why it cannot be drawn."""
        if item.position is None:
            return Markup("")
        pack = self._page.packs.get(item.id, self._page.pack)
        if pack is None or not can_draw(item.game):
            return Markup('<p class="quiet">There is no picture of this position.</p>')
        marks = marks_of(item.situation) if isinstance(item, FindingRecord) else ()
        self._drawn += 1
        try:
            svg = draw(item.game, item.position, pack, marks, uid=f"d{self._drawn}")
        except (KeyError, ValueError, IndexError, TypeError) as error:
            return Markup('<p class="quiet">The position cannot be drawn: {}</p>').format(repr(error))
        return Markup('<figure class="drawn">{}</figure>').format(Markup(svg))

    def stepper(self, trace: TraceView) -> Markup:
        """Return a stepper's board and its data for the script."""
        pack = trace.pack or self._page.pack
        if not trace.frames:
            return Markup('<p class="quiet">The trace has no steps.</p>')
        steps = [{"action": f.action, "by": f.by, "words": list(f.words)} for f in trace.frames]
        svg = ""
        film_data: dict[str, Any] = {"frames": [], "views": [], "view": []}
        if pack is not None and can_draw(self._records.game):
            self._drawn += 1
            shown = film(self._records.game, [f.record for f in trace.frames], pack, uid=f"d{self._drawn}")
            svg = shown.svg
            film_data = {"frames": shown.frames, "views": msgspec.to_builtins(shown.views), "view": shown.view_of}
        data = {"steps": steps, **film_data}
        return Markup('<figure class="drawn">{}</figure><script type="application/json">{}</script>').format(
            Markup(svg), Markup(_json(data))
        )

    def case_clauses(self, case: CaseResult) -> list[tuple[str, str]]:
        """Return a case's clauses with their texts."""
        return [(clause, self.text(clause)) for clause in case.clauses]


def _json(value: Any) -> str:
    """Return JSON that can stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def marks_of(situation: Mapping[str, Any]) -> Sequence[Mark]:
    """Return the cells that a situation names, each marked with the name it has there."""
    found = []
    for name, value in situation.items():
        match = _CELL.fullmatch(value) if isinstance(value, str) else None
        if match:
            found.append((int(match[1]), int(match[2]), name.replace("_", " ")))
    return tuple(found)

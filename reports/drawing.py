"""Pictures of positions as SVG: one of a single position, or a film of many that stores differences.

A game registers a *painter*, which turns a position record into a scene: named pieces in a fixed
order.  A picture is all pieces of one scene; a film is every piece that any of its frames shows,
drawn once, with what appears and disappears from frame to frame.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

import msgspec

from lawspeaker.model.core.canonical import canonical

from .svg_hex import number

Record = Mapping[str, Any]
Mark = tuple[int, int, str]
"""A cell to point at: axial coordinates and a short label."""

_PREFIXED = re.compile('(id="|#)§')
MARGIN = 26.0
HEAD = 64.0


class Box(msgspec.Struct, frozen=True):
    """A rectangle of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def joined(self, other: Box) -> Box:
        """Return the least box round both."""
        return Box(
            min(self.left, other.left), min(self.top, other.top),
            max(self.right, other.right), max(self.bottom, other.bottom),
        )  # fmt: skip


class Piece(msgspec.Struct, frozen=True):
    """One thing that is there or not: its key, its layer (low ones first), where, and its SVG.

    Places: ``head`` (a strip above), ``board``, ``side`` (a tray beside the board).  The same key
    must always have the same SVG.
    """

    key: str
    layer: int
    place: str
    svg: str


class Scene(msgspec.Struct, frozen=True):
    """A position as a painter sees it: pieces, shared definitions by id, extent, title and words.

    ``chapter`` is the part of a game whose pictures share one layout (a round, a map).
    ``§`` after ``id="`` or ``#`` in the SVG of pieces and definitions stands for a prefix that differs
    between pictures, so that several of them can stand in one page.
    """

    title: str
    description: str
    board: Box
    side: tuple[float, float]
    head_width: float
    pieces: tuple[Piece, ...]
    definitions: Mapping[str, str]
    chapter: str = ""


Painter = Callable[[Record, Record, Sequence[Mark]], Scene]
"""Takes a position record, a pack record and marks; returns the scene."""

_PAINTERS: dict[str, Painter] = {}


def register(game: str, painter: Painter) -> None:
    """Let *painter* draw the positions of *game*."""
    _PAINTERS[game] = painter


def can_draw(game: str) -> bool:
    """Whether there is a painter for the game."""
    return game in _PAINTERS


class View(msgspec.Struct, frozen=True):
    """How a drawing is laid out: its size, and the SVG transform of each place."""

    width: str
    height: str
    places: Mapping[str, str]


class Film(msgspec.Struct, frozen=True):
    """Many positions in one SVG: pieces carry ``data-p`` numbers, frames say what they switch.

    ``frames[n]`` is (numbers that appear, numbers that disappear) against frame n - 1; before frame
    0 nothing is shown.  ``views[view_of[n]]`` is the layout of frame n; ``svg`` shows frame 0.
    """

    svg: str
    frames: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    views: tuple[View, ...]
    view_of: tuple[int, ...]


def draw(game: str, record: Record, pack: Record, mark: Sequence[Mark] = (), uid: str = "") -> str:
    """Return a position as one SVG element.

    *record* and *pack* are plain JSON values; *mark* are cells to point at; *uid* is a prefix for ids,
    by default a digest of what is drawn.  Raises KeyError for a game without painter.
    """
    scene = _PAINTERS[game](record, pack, mark)
    pieces = sorted(scene.pieces, key=lambda p: p.layer)
    prefix = uid or "p" + hashlib.sha256(canonical([record, list(mark)])).hexdigest()[:8]
    return _assemble([scene], _view([scene]), [(None, p) for p in pieces], scene.description, prefix)


def film(game: str, records: Sequence[Record], pack: Record, uid: str = "film") -> Film:
    """Return positions as a film; raises KeyError for a game without painter, ValueError for no record."""
    if not records:
        raise ValueError("a film needs at least one position")
    scenes = [_PAINTERS[game](record, pack, ()) for record in records]
    every: dict[str, Piece] = {}
    for scene in scenes:
        for piece in scene.pieces:
            every.setdefault(piece.key, piece)
    ordered = sorted(every.values(), key=lambda p: p.layer)
    numbers = {piece.key: n for n, piece in enumerate(ordered)}
    frames = []
    before: set[int] = set()
    for scene in scenes:
        now = {numbers[p.key] for p in scene.pieces}
        frames.append((tuple(sorted(now - before)), tuple(sorted(before - now))))
        before = now
    chapters = [tuple(group) for _, group in groupby(scenes, lambda scene: scene.chapter)]
    views = tuple(_view(chapter) for chapter in chapters)
    words = "A game position by position; the buttons and arrow keys move through it."
    svg = _assemble(scenes, views[0], list(enumerate(ordered)), words, uid, frozenset(frames[0][0]))
    return Film(svg, tuple(frames), views, tuple(n for n, chapter in enumerate(chapters) for _ in chapter))


def _view(scenes: Sequence[Scene]) -> View:
    """Lay out a drawing that has room for all these scenes."""
    board = scenes[0].board
    for scene in scenes[1:]:
        board = board.joined(scene.board)
    side = (max(s.side[0] for s in scenes), max(s.side[1] for s in scenes))
    wide, high = board.right - board.left, board.bottom - board.top
    gap = MARGIN if side[0] else 0.0
    body = max(wide, max(s.head_width for s in scenes) - gap - side[0])
    drop = max(0.0, (side[1] - high) / 2)
    origins = {
        "head": (MARGIN, MARGIN),
        "board": (MARGIN - board.left + (body - wide) / 2, MARGIN + HEAD - board.top + drop),
        "side": (MARGIN + body + gap, MARGIN + HEAD),
    }
    return View(
        number(2 * MARGIN + body + gap + side[0]),
        number(2 * MARGIN + HEAD + max(high, side[1])),
        {place: f"translate({number(x)} {number(y)})" for place, (x, y) in origins.items()},
    )


def _assemble(
    scenes: Sequence[Scene],
    view: View,
    pieces: Sequence[tuple[int | None, Piece]],
    words: str,
    uid: str,
    shown: frozenset[int] = frozenset(),
) -> str:
    definitions = {key: text for scene in scenes for key, text in scene.definitions.items()}
    parts = [
        _opening(view, uid),
        f'<title id="{uid}-t">{escape(scenes[0].title)}</title><desc id="{uid}-d">{escape(words)}</desc>',
        "<defs>",
        *(definitions[key] for key in sorted(definitions)),
        "</defs>",
    ]
    for place, moved in view.places.items():
        parts.append(f'<g data-place="{place}" transform="{moved}">')
        parts.extend(_piece(n, p, n in shown) for n, p in pieces if p.place == place)
        parts.append("</g>")
    parts.append("</svg>")
    return _PREFIXED.sub(rf"\g<1>{uid}-", "".join(parts))


def _opening(view: View, uid: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{uid}-t {uid}-d" '
        f'viewBox="0 0 {view.width} {view.height}" width="{view.width}" height="{view.height}" '
        'font-family="system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif" fill="currentColor">'
    )


def _piece(n: int | None, piece: Piece, shown: bool) -> str:
    if n is None:
        return f"<g>{piece.svg}</g>"
    hidden = "" if shown else ' style="display:none"'
    return f'<g data-p="{n}"{hidden}>{piece.svg}</g>'

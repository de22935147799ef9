"""Text and boxes of pictures: escaped, cut to the room they have, moved to their place."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from .svg_hex import number

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_WIDE = 0.66
"""Width of a letter as a share of its size, in a wide font."""


def visible(text: Any) -> str:
    """Return any text with characters that XML cannot hold replaced."""
    return _CONTROL.sub("�", str(text))


def clean(text: Any) -> str:
    """Return any text as it may stand in XML: escaped, control characters replaced."""
    return escape(visible(text))


def cut(text: Any, room: float, size: float) -> str:
    """Return as much of a text as fits into *room* at a font *size*, with an ellipsis where it was cut."""
    said = str(text)
    most = max(1, int(room / (size * _WIDE)))
    return said if len(said) <= most else said[: most - 1].rstrip() + "…"


def wrapped(name: str, room: float, size: float) -> list[str]:
    """Return a name on one line, or on two where one is too short for it."""
    if cut(name, room, size) == name or " " not in name:
        return [cut(name, room, size)]
    words = name.split(" ")
    splits = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    first, second = min(splits, key=lambda pair: max(len(pair[0]), len(pair[1])))
    return [cut(first, room, size), cut(second, room, size)]


def short(name: Any, room: float, size: float) -> str:
    """Return a place's name for a narrow room: whole, or the initials of several words, or cut."""
    said = str(name)
    if cut(said, room, size) == said:
        return said
    words = said.split()
    return "".join(word[0] for word in words) if len(words) > 2 else cut(said, room, size)


def words(
    x: float,
    y: float,
    text: Any,
    size: int,
    *,
    bold: bool = False,
    fill: str = "",
    anchor: str = "",
    more: str = "",
) -> str:
    """Return a line of text; without *fill* it has the colour of the page's text."""
    style = (' font-weight="700"' if bold else "") + (f' fill="{fill}"' if fill else "")
    style += (f' text-anchor="{anchor}"' if anchor else "") + more
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{size}"{style}>{clean(text)}</text>'


def box(x: float, y: float, size: tuple[float, float], round_by: float, fill: str, edge: str, wide: float = 1) -> str:
    """Return a rectangle with round corners, *size* being width and height."""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(size[0])}" height="{number(size[1])}" '
        f'rx="{number(round_by)}" fill="{fill}" stroke="{edge}" stroke-width="{number(wide)}"/>'
    )


def at(x: float, y: float, svg: str) -> str:
    """Return SVG moved to a point."""
    return f'<g transform="translate({number(x)} {number(y)})">{svg}</g>'


def titled(title: str, svg: str) -> str:
    """Return SVG with words that show when pointed at."""
    return f"<title>{clean(title)}</title>{svg}"

"""Small pictures of Northmen: pieces, cards, trade routes, tokens, and text that fits its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .drawing import Record
from .svg_hex import number
from .svg_text import at, cut, short, titled, words

SEATS = {"A": "#b3262b", "B": "#2455b0", "C": "#2a7d41", "D": "#25292c"}
"""Red, blue, green and black: the colours of the four seats."""
KINGDOMS = ("#f3b9a2", "#f6d78c", "#d6e39b", "#a9dcc4", "#aad4f0", "#cdbff0", "#f1bcdb")
BEIGE, INK, SEA, LAND, GOLD, ASKED = "#efe3c2", "#1d2429", "#3fa3c8", "#a18b63", "#f5c518", "#d4147a"
CARD = (50, 48)
CHIP = 17

SHAPES = {
    "soldier": '<path id="§soldier" d="M4 0L7.6 1.2V4.6Q7.4 8 4 9.8Q.6 8 .4 4.6V1.2Z" fill="#4a4f55"/>',
    "ship": '<path id="§ship" d="M5 0H6V1L9.4 5.6H6V6.6H11L9.4 9.8H1.8L0 6.6H5Z" fill="#24618f"/>',
    "wave": '<path id="§wave" d="M0 0q2.5 -4 5 0t5 0t5 0" fill="none" stroke="#2b93bb" stroke-width="1.7" '
    'stroke-linecap="round"/>',
    "back": f'<g id="§back"><rect width="{CARD[0]}" height="{CARD[1]}" rx="4" fill="#7c6a54" stroke="#3d3226"/>'
    f'<rect x="4" y="4" width="{CARD[0] - 8}" height="{CARD[1] - 8}" rx="2" fill="none" stroke="#d9c7a3" '
    'stroke-dasharray="3 2"/><text x="25" y="30" text-anchor="middle" font-size="17" font-weight="700" '
    'fill="#efe3c2">?</text></g>',
    "routeback": f'<g id="§routeback"><rect width="26" height="{CHIP}" rx="4" fill="#7c6a54" stroke="#3d3226"/>'
    '<text x="13" y="13" text-anchor="middle" font-size="12" font-weight="700" fill="#efe3c2">?</text></g>',
}


class Pack:
    """What a painter looks up in a pack record: places by chart and map order, cards and routes by id."""

    def __init__(self, record: Record) -> None:
        self.estimated = record.get("provenance", "") == "estimated"
        self.kingdoms: list[Mapping[str, Any]] = list(record.get("kingdoms") or [])
        self.regions: list[Mapping[str, Any]] = list(record.get("regions") or [])
        self.cards: dict[str, Mapping[str, Any]] = {str(card["id"]): card for card in record.get("cards") or []}
        self.routes: dict[str, Mapping[str, Any]] = {str(route["id"]): route for route in record.get("routes") or []}
        self.charted = {str(kingdom["id"]): n for n, kingdom in enumerate(self.kingdoms)}
        self.numbers = {name: n for n, name in enumerate(self.cards)}

    def fill(self, kingdom: Any) -> str:
        """Return a Kingdom's colour, grey for one that the pack has not."""
        n = self.charted.get(str(kingdom))
        return "#ddd" if n is None else KINGDOMS[n % len(KINGDOMS)]

    def chart(self, kingdom: Any) -> str:
        """Return a Kingdom's number in the chart as text, "?" for an unknown one."""
        n = self.charted.get(str(kingdom))
        return "?" if n is None else str(n + 1)


def narrow(x: float, y: float, name: str, room: int) -> str:
    """Return a place's name round *x*, pressed together if it is a little too long, shortened if much."""
    said = name if len(name) <= 9 else short(name, room * 1.2, 11)
    pressed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if len(said) > 7 else ""
    return words(x, y, said, 11, fill=INK, anchor="middle", more=pressed)


def colour(seat: Any) -> str:
    """Return a seat's colour, grey for an unknown seat."""
    return SEATS.get(str(seat), "#777")


def pieces(seat: str, cubes: int, heroes: int) -> str:
    """Return cubes and heroes of a seat at the origin: a square and a pawn, each with its count."""
    fill, out, x = colour(seat), "", 0
    if cubes:
        out += f'<rect y=".5" width="13" height="13" fill="{fill}" stroke="#fff"/>'
        out += words(15, 11.5, cubes, 12, bold=True, fill=INK)
        x = 15 + 8 * len(str(cubes)) + 3
    if heroes:
        out += at(x, 0, hero(fill)) + words(x + 12, 11.5, heroes, 12, bold=True, fill=INK)
    return out


def hero(fill: str) -> str:
    """Return a hero of this colour, 11 wide and 14 high."""
    return (
        f'<path d="M5.5 0A3.2 3.2 0 0 1 7.6 5.6L10.6 13.4H.4L3.4 5.6A3.2 3.2 0 0 1 5.5 0Z" fill="{fill}" '
        'stroke="#fff" stroke-width=".8"/>'
    )


def plunder(count: int, radius: float = 11) -> str:
    """Return a yellow disc with the number of Plunder Tokens, round the origin."""
    disc = f'<circle r="{number(radius)}" fill="{GOLD}" stroke="#6d5300" stroke-width="1.5"/>'
    return disc + words(0, 4.3, count, 12, bold=True, fill=INK, anchor="middle")


def clock(seat: str) -> str:
    """Return a seat's Time Token round the origin."""
    return (
        f'<circle r="9.5" fill="#fff" stroke="{colour(seat)}" stroke-width="4"/>'
        f'<path d="M0 -5V0L4 2" fill="none" stroke="{INK}" stroke-width="1.6" stroke-linecap="round"/>'
    )


def crown() -> str:
    """Return the Leader's token, 18 wide and 13 high."""
    return f'<path d="M0 2L5 7L9 0L13 7L18 2L16 13H2Z" fill="{GOLD}" stroke="#6d5300" stroke-linejoin="round"/>'


def badge(text: str, x: float, y: float) -> str:
    """Return a small white disc with a Kingdom's number in the chart."""
    disc = f'<circle cx="{number(x)}" cy="{number(y)}" r="7.5" fill="#fff" stroke="#555" stroke-width=".8"/>'
    return disc + words(x, y + 4, text, 11, bold=True, fill=INK, anchor="middle")


def card_words(pack: Pack, name: str) -> str:
    """Say a card in words."""
    card = pack.cards.get(name)
    if card is None:
        return f"{name}: not in the pack"
    said = f"{name}: {card.get('kingdom')}, soldiers {card.get('soldiers', 0)}, ships {card.get('ships', 0)}"
    said += f", {card['region']}" if card.get("region") else ", no region"
    mark = card.get("mark", "none")
    return said if mark == "none" else f"{said} (mark {mark})"


def card_art(pack: Pack, name: str) -> str:
    """Return a card of the size CARD at the origin; one that the pack has not is blank."""
    card = pack.cards.get(name, {})
    wide, high = CARD
    kingdom = card.get("kingdom")
    out = f'<rect width="{wide}" height="{high}" rx="4" fill="#fffdf6"/>'
    out += f'<path d="M0 4Q0 0 4 0H{wide - 4}Q{wide} 0 {wide} 4V17H0Z" fill="{pack.fill(kingdom)}"/>'
    out += f'<rect width="{wide}" height="{high}" rx="4" fill="none" stroke="#4b4438"/>'
    if card:
        out += words(4, 13, pack.chart(kingdom), 11, fill="#6b5f4c")
    out += words(wide / 2 + 5, 13, cut(name, wide - 14, 11), 11, bold=True, fill=INK, anchor="middle")
    x = 4
    for shape, count, step in (("soldier", card.get("soldiers", 0), 10), ("ship", card.get("ships", 0), 12)):
        out += "".join(f'<use href="#§{shape}" x="{x + step * n}" y="20.5"/>' for n in range(int(count)))
        x += step * int(count)
    mark = {"3-4": "3+", "4": "4"}.get(str(card.get("mark")), "")
    if mark:
        out += words(wide - 2, 31, mark, 11, bold=True, fill="#a3262a", anchor="end")
    if card.get("region"):
        out += narrow(wide / 2, 44, str(card["region"]), wide - 5)
    return titled(card_words(pack, name), out)


def chip(pack: Pack, name: str, *, strong: bool = False) -> str:
    """Return a played card as a strip of its Kingdom's colour, 36 wide; *strong* for the one on top."""
    edge = f'stroke="{INK}" stroke-width="1.8"' if strong else 'stroke="#8d8371"'
    kingdom = pack.cards.get(name, {}).get("kingdom")
    box = f'<rect width="36" height="{CHIP}" rx="4" fill="{pack.fill(kingdom)}" {edge}/>'
    label = words(18, 12.8, cut(name, 36, 11), 11, bold=strong, fill=INK, anchor="middle")
    return titled(card_words(pack, name), box + label)


def route_words(pack: Pack, name: str) -> str:
    """Say a Trade Route in words."""
    route = pack.routes.get(name)
    if route is None:
        return f"{name}: not in the pack"
    return f"{name}: {route.get('kingdom')} to {route.get('region')}, worth {route.get('value')}"


def route_chip(pack: Pack, name: str, state: str, *, full: bool) -> tuple[int, str]:
    """Return width and SVG of a route; *state* is "", "done", "chosen" or "asked"; *full* names the region."""
    route = pack.routes.get(name, {})
    said = cut(name, 26, 11) + (f" {short(route.get('region', '?'), 56, 11)}" if full else "")
    value = str(route.get("value", "?"))
    wide = 26 + round(7.3 * len(said)) + 8 * len(value)
    fill, edge = {
        "done": ("#cfe8c9", '#2a7d41" stroke-width="1.6'),
        "chosen": ("#fff3c4", '#8d6b00" stroke-width="1.6'),
        "asked": ("#ffe1f0", f'{ASKED}" stroke-width="2.2'),
    }.get(state, ("#fffdf6", "#8d8371"))
    out = f'<rect width="{wide}" height="{CHIP}" rx="4" fill="{fill}" stroke="{edge}"/>'
    kingdom = route.get("kingdom")
    out += f'<rect x="1.5" y="1.5" width="14" height="{CHIP - 3}" rx="3" fill="{pack.fill(kingdom)}"/>'
    out += words(8.5, 12.8, pack.chart(kingdom), 11, bold=True, fill=INK, anchor="middle")
    out += words(19, 12.8, said, 11, fill=INK)
    out += words(wide - 4, 12.8, value, 11, bold=True, fill="#8a5a00", anchor="end")
    title = route_words(pack, name) + (f" ({state})" if state else "")
    return wide, titled(title, out)

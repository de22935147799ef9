"""Small pictures of Fire & Axe: pawns, goods, towns, Settlements, Sagas, runes, and what a pack says of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .drawing import Record
from .svg_hex import number
from .svg_text import at, box, cut, titled, words

SEATS = {"A": "#b3262b", "B": "#2455b0", "C": "#2a7d41", "D": "#25292c", "E": "#b3700c"}
"""Red, blue, green, black and amber: the colours of the five seats."""
GOODS = ("Tusks", "Fish", "Furs")
GOOD_FILLS = {"Tusks": "#f7f1dc", "Fish": "#9cc7e0", "Furs": "#a9713f"}
ZONES = {"North": "#8fb2d9", "East": "#8ecbc4", "South": "#b5e0ee", "West": "#6f9fc8"}
HOMES = ("#4f79c4", "#c45b5b", "#4f9a68", "#8a6bb0", "#b08a3c")
"""Colours of Homelands that are none of the three printed ones."""
PRINTED = {"Norway": "#4f79c4", "Sweden": "#c45b5b", "Denmark": "#4f9a68"}
REGIONS = ("#e58a6f", "#e8b23a", "#a6bf4b", "#4bb08c", "#58a5d8", "#9a86d6", "#d97fb4", "#8c8c5a")
INK, PAPER, GOLD, ASKED, GREY = "#1d2429", "#faf6ea", "#f5c518", "#d4147a", "#9a958a"
CHIP = (36, 18)
TASKS = {"trade": "Trade", "raid": "Raid", "settle": "Settle"}
SHAPES = {
    "runeback": f'<g id="§runeback"><rect width="{CHIP[0]}" height="{CHIP[1]}" rx="4" fill="#5d6470" '
    'stroke="#2d3138"/><path d="M14 4V14M14 4L22 9M14 9L22 14" fill="none" stroke="#d8dce3" stroke-width="1.6"/></g>',
    "small": '<path id="§small" d="M1 14V7L5 3L9 7V14Z" fill="#8c5a2b" stroke="#4a2d12"/>',
    "large": '<path id="§large" d="M0 14V4H3V6H5V1H10V6H12V4H15V14Z" fill="#7a4a8c" stroke="#3d2148"/>',
    "axe": '<path id="§axe" d="M9 1L3 13M9 2Q15 1 14 8L8 5Z" fill="#9aa3ad" stroke="#3c434a" stroke-width="1.4"/>',
}


class Pack:
    """What a painter looks up in a pack record: places, Sagas and runes by id."""

    def __init__(self, record: Record) -> None:
        self.estimated = record.get("provenance", "") == "estimated"
        self.homelands = [str(home["id"]) for home in record.get("homelands") or ()]
        self.ports: dict[str, Mapping[str, Any]] = {str(p["id"]): p for p in record.get("ports") or ()}
        self.waters: dict[str, str] = {str(w["id"]): str(w.get("zone", "")) for w in record.get("waters") or ()}
        self.sagas: dict[str, Mapping[str, Any]] = {str(s["id"]): s for s in record.get("sagas") or ()}
        self.runes: dict[str, Mapping[str, Any]] = {str(r["id"]): r for r in record.get("runes") or ()}
        regions = dict.fromkeys(str(p["region"]) for p in self.ports.values() if p.get("region"))
        self.regions = {name: REGIONS[n % len(REGIONS)] for n, name in enumerate(regions)}
        self.losses = [int(n) for n in record.get("losses") or ()]
        self.dial: Mapping[str, Any] = record.get("dial") or {}

    def home(self, name: Any) -> str:
        """Return a Homeland's colour, grey for one that the pack has not."""
        said = str(name)
        if said in PRINTED or said not in self.homelands:
            return PRINTED.get(said, GREY)
        return HOMES[self.homelands.index(said) % len(HOMES)]

    def clear(self, blue: Any) -> dict[str, tuple[int, str]]:
        """Return of each zone the Clear Weather Days, and whether the hole is best, worst or normal."""
        order = [str(zone) for zone in self.dial.get("order") or ()]
        if str(blue) not in order:
            return {}
        found = {}
        for n, zone in enumerate(order):
            quarters = (n - order.index(str(blue))) % len(order)
            which = 0 if quarters == 0 else 2 if quarters == self.dial.get("red", 2) else 1
            found[zone] = (self.dial["numbers"][zone][which], ("best", "normal", "worst")[which])
        return found


def colour(seat: Any) -> str:
    """Return a seat's colour, grey for an unknown seat."""
    return SEATS.get(str(seat), "#777")


def ship(seat: str) -> str:
    """Return a seat's ship, 17 wide and 16 high."""
    hull = f'<path d="M0 9H17L14 15H4Z" fill="{colour(seat)}" stroke="#fff" stroke-width=".9"/>'
    sail = f'<path d="M3 0H14V8H3Z" fill="{colour(seat)}" stroke="#fff" stroke-width=".9"/>'
    return sail + hull + words(8.5, 7.4, seat, 8, bold=True, fill="#fff", anchor="middle")


def crew(fill: str) -> str:
    """Return a crewmember of this colour, 11 wide and 14 high."""
    return (
        f'<path d="M5.5 0A3.2 3.2 0 0 1 7.6 5.6L10.6 13.4H.4L3.4 5.6A3.2 3.2 0 0 1 5.5 0Z" fill="{fill}" '
        'stroke="#fff" stroke-width=".8"/>'
    )


def good(name: Any, radius: float = 7.5) -> str:
    """Return a goods token round the origin, with the first letters of its name."""
    said = str(name)
    disc = f'<circle r="{number(radius)}" fill="{GOOD_FILLS.get(said, "#ddd")}" stroke="#4a3a22"/>'
    return disc + words(0, 3.6, said[:2], 9, bold=True, fill=INK, anchor="middle")


def settlement(seat: str) -> str:
    """Return a Settlement of a seat: a flag, 15 wide and 15 high."""
    flag = f'<path d="M2 1H15V10H2Z" fill="{colour(seat)}" stroke="#fff" stroke-width=".7"/>'
    return f'<path d="M2 0V15" stroke="{INK}" stroke-width="1.6"/>' + flag + words(
        8.5, 8.6, seat, 8, bold=True, fill="#fff", anchor="middle"
    )  # fmt: skip


def counted(art: str, count: Any, room: float) -> str:
    """Return a small picture with a number beside it, *room* to the right."""
    return art + words(room, 12, count, 12, bold=True)


def saga_words(pack: Pack, name: str) -> str:
    """Say a Saga in words."""
    saga = pack.sagas.get(name)
    if saga is None:
        return f"{name}: not in the pack"
    ports = ", ".join(str(port) for port in saga.get("ports") or ())
    task = TASKS.get(str(saga.get("type")), str(saga.get("type")))
    return f"{name}: {saga.get('homeland')}, Era {saga.get('era')}, {task} {ports}, {saga.get('vp', 0)} VP"


def saga_card(pack: Pack, name: str, size: tuple[int, int], done: frozenset[str]) -> str:
    """Return a Saga as a card; *done* are those of its ports where it is done already."""
    saga, wide = pack.sagas.get(name, {}), size[0]
    fill = pack.home(saga.get("homeland"))
    out = box(0, 0, size, 5, "#fffdf6", "#4b4438")
    out += f'<path d="M0 5Q0 0 5 0H{wide - 5}Q{wide} 0 {wide} 5V18H0Z" fill="{fill}"/>'
    out += words(5, 13, cut(name, 40, 11), 11, bold=True, fill="#fff")
    out += words(wide - 5, 13, f"Era {saga.get('era', '?')}", 11, fill="#fff", anchor="end")
    task = TASKS.get(str(saga.get("type")), str(saga.get("type", "?")))
    out += words(5, 32, task, 11, bold=True, fill=INK)
    out += words(wide - 5, 32, f"{saga.get('vp', 0)} VP", 11, bold=True, fill="#8a5a00", anchor="end")
    ports = [str(port) for port in saga.get("ports") or ()]
    for n, port in enumerate(ports[:3]):
        more = f" +{len(ports) - 3}" if n == 2 and len(ports) > 3 else ""
        mark = "✓ " if port in done else ""
        out += words(5, 45 + 13 * n, mark + cut(port, wide - 30, 11) + more, 11, fill="#2a7d41" if mark else INK)
    return titled(saga_words(pack, name), out)


def saga_chip(pack: Pack, name: str) -> str:
    """Return a Saga won, as a strip of its Homeland's colour."""
    fill = pack.home(pack.sagas.get(name, {}).get("homeland"))
    strip = box(0, 0, CHIP, 4, fill, "#4b4438")
    return titled(saga_words(pack, name), strip + words(18, 13, cut(name, 36, 11), 11, fill="#fff", anchor="middle"))


def rune_words(pack: Pack, name: str) -> str:
    """Say a rune in words: when and where, and its effects as the pack tells them."""
    rune = pack.runes.get(name)
    if rune is None:
        return f"{name}: not in the pack"
    when = [f"{key} {rune[key]}" for key in ("moment", "where", "whose") if rune.get(key)]
    said = [" ".join(f"{value}" if key == "do" else f"{key} {value}" for key, value in effect.items())
            for effect in rune.get("effects") or ()]  # fmt: skip
    conflict = ["conflict"] if rune.get("conflict") else []
    return f"{name}: {'; '.join([*conflict, *when, *said])}"


def rune_chip(pack: Pack, name: str, *, strong: bool = False) -> str:
    """Return a rune that is seen; red for one with the conflict symbol."""
    conflict = pack.runes.get(name, {}).get("conflict")
    fill = "#f3c9c4" if conflict else "#e3e6ea"
    wide = 2.4 if strong else 1
    edge = "#a3262a" if conflict else "#5d6470"
    label = words(18, 13, cut(name, 36, 11), 11, bold=strong, fill=INK, anchor="middle")
    return titled(rune_words(pack, name), box(0, 0, CHIP, 4, fill, edge, wide) + label)


def token(count: int) -> str:
    """Return a Final Round token round the origin."""
    disc = f'<circle r="8" fill="{GOLD}" stroke="#6d5300" stroke-width="1.5"/>'
    return disc + words(0, 4, count, 11, bold=True, fill=INK, anchor="middle")


def hole(days: int, kind: str) -> str:
    """Return a hole of the dial cover round the origin: blue for the best weather, red for the worst."""
    edge = {"best": "#1f5fd0", "worst": "#c8202a"}.get(kind, "#8d8371")
    disc = f'<circle r="13" fill="#fff" stroke="{edge}" stroke-width="{4 if kind != "normal" else 2}"/>'
    return disc + words(0, 5, days, 14, bold=True, fill=INK, anchor="middle")


def slot(inside: str, *, open_: bool = True) -> str:
    """Return a slot of a ship with what lies in it, 20 square."""
    line = "" if open_ else ' stroke-dasharray="2 3"'
    opacity = ".6" if open_ else ".3"
    square = f'<rect width="20" height="20" rx="3" fill="none" stroke="currentColor" stroke-opacity="{opacity}"{line}/>'
    return square + inside


def placed(art: str, x: float, y: float, title: str) -> str:
    """Return a small picture at its place, with words that show when pointed at."""
    return at(x, y, titled(title, art))

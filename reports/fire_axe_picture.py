"""The painter of Fire & Axe: map, Wintering Zone, what lies beside it and seats, from a position or a view alone.

A view has numbers in place of what is hidden; what is not seen is drawn face down or left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .drawing import Box, Mark, Piece, Record, Scene, register
from .fire_axe_map import GAP, HEAD, PLATE, TILE, Atlas, atlas_of
from .fire_axe_parts import (
    ASKED,
    GREY,
    INK,
    PAPER,
    SHAPES,
    ZONES,
    Pack,
    colour,
    good,
    placed,
    settlement,
    ship,
)
from .fire_axe_table import SIDE_WIDTH, of_seat, seats_of, side_height, side_pieces
from .svg_text import at, box, cut, titled, visible, words

PHASES = {
    "flip": "a Saga is being turned up",
    "deal": "a rune is being drawn",
    "die": "the die of a raid is rolling",
    "dice": "the dice of a settling are rolling",
    "treasure": "a treasure is being revealed",
    "drop": "a rune is being lost",
    "main": "which Action, Task or rune?",
    "raid": "roll again, or break off?",
    "loss": "what is lost to the weather?",
    "convert": "does the crewmember settle?",
    "collect": "is a Saga taken?",
    "window": "a rune on another's turn?",
    "over": "the game is over",
}
CHANCE = ("flip", "deal", "die", "dice", "treasure", "drop")
WINTERING, STRIP, LEGEND = "Wintering Zone", 46, 26
_ERAS = {1: "First", 2: "Second", 3: "Third"}
_LANE, _LINK = "#4f7fa8", "#3b4650"
Part = tuple[int, str, str]


def paint(record: Record, pack_record: Record, marks: Sequence[Mark]) -> Scene:
    """Return the scene of a Fire & Axe position or view; *marks* point at cells, which this game has not."""
    still = _still(json.dumps(dict(pack_record)))
    pack, atlas = still.pack, still.atlas
    seats = seats_of(record)
    head = max(atlas.width, 560) + 26.0 + SIDE_WIDTH
    shown = [
        *still.ground,
        *_shores(record, pack, atlas),
        *_ships(record, atlas, seats),
        *_head(record, pack, head),
        *side_pieces(record, pack, seats),
    ]
    return Scene(
        title=visible(f"Fire & Axe, {_era(record)}, {said_phase(record)}"),
        description=visible(_description(record, seats)),
        board=Box(0, 0, max(atlas.width, 560), atlas.height + STRIP + LEGEND),
        side=(SIDE_WIDTH, side_height(len(seats))),
        head_width=head,
        # a piece is known by what it looks like, so one key can never stand for two drawings
        pieces=tuple(Piece(f"{layer} {place} {svg}", layer, place, svg) for layer, place, svg in shown),
        definitions=SHAPES,
    )


class _Still(NamedTuple):
    """What is drawn of a pack whatever the position."""

    pack: Pack
    atlas: Atlas
    ground: tuple[Part, ...]


@lru_cache(maxsize=16)
def _still(text: str) -> _Still:
    """Remember what a pack (as JSON) looks like: a film asks for the same some hundred times."""
    record = json.loads(text)
    pack, atlas = Pack(record), atlas_of(record)
    return _Still(pack, atlas, tuple(_ground(pack, atlas)))


def said_phase(record: Record) -> str:
    """Return the phase in words."""
    phase = str(record.get("phase", ""))
    return PHASES.get(phase, phase or "position")


def _era(record: Record) -> str:
    return f"{_ERAS.get(record.get('era', 0), '?')} Era"


# -- what never changes -----------------------------------------------------------------------------


def _ground(pack: Pack, atlas: Atlas) -> Iterator[Part]:
    """Paper, lanes, tiles of waters, links, plates of Homelands and ports, the Wintering Zone, the legend."""
    wide = max(atlas.width, 560)
    out = box(0, 0, (wide, atlas.height + STRIP + LEGEND), 10, PAPER, "#c9bd9f")
    for a, b in atlas.lanes:
        (x, y), (v, w) = _heart(atlas, a), _heart(atlas, b)
        line = f'<path d="M{x} {y}L{v} {w}" stroke="{_LANE}" stroke-width="9" stroke-linecap="round"/>'
        out += f"<g>{titled(f'{atlas.waters[a]} meets {atlas.waters[b]}', line)}</g>"
    yield 0, "board", out
    for (x, y, high), water in zip(atlas.tiles, atlas.waters, strict=True):
        yield 1, "board", at(x, y, _tile(pack, water, high))
    for one, other in atlas.links:
        yield 2, "board", f"<g>{titled(f'{one} lies beside {other}', _link(atlas, one, other))}</g>"
    for name, (x, y) in atlas.plates.items():
        plate = _port(pack, name) if name in pack.ports else _homeland(pack, name)
        yield 3, "board", at(x, y, plate)
    yield 1, "board", at(0, atlas.height, _wintering(wide) + _legend(STRIP + 11))


def _heart(atlas: Atlas, water: int) -> tuple[int, int]:
    x, y, high = atlas.tiles[water]
    return x + TILE // 2, y + high // 2


def _tile(pack: Pack, water: str, high: int) -> str:
    zone = pack.waters.get(water, "")
    out = box(0, 0, (TILE, high), 10, ZONES.get(zone, "#ccc"), "#33577a", 1.5)
    name = cut(water or "on no water", 150, 13)
    out += words(9, 17, name, 13, bold=True, fill=INK)
    after = 15 + round(8.4 * len(name))
    out += words(after, 17, zone, 11, fill="#27415c") if zone and after < 120 else ""
    return titled(f"{water}, {zone}" if water else "on no water", out)


def _link(atlas: Atlas, one: str, other: str) -> str:
    """Return a line from a plate to another, or to the nearest point of a tile."""
    if one not in atlas.plates:
        one, other = other, one
    (x, y), (v, w) = atlas.middle(one) or (0, 0), atlas.middle(other) or (0, 0)
    if other in atlas.waters:
        left, top, high = atlas.tiles[atlas.waters.index(other)]
        v, w = min(max(x, left + 14), left + TILE - 14), min(max(y, top + 4), top + high - 4)
    style = f'stroke="{_LINK}" stroke-width="2.5" stroke-dasharray="6 4" fill="none"'
    return f'<path d="M{x} {y}L{v} {w}" {style}/><circle cx="{v}" cy="{w}" r="4" fill="{_LINK}"/>'


def _plate_name(name: str, x: int, room: int) -> str:
    said = cut(name, room * 1.55, 12)
    pressed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if len(said) * 7.4 > room else ""
    return words(x, 16, said, 12, bold=True, fill=INK, more=pressed)


def _port(pack: Pack, name: str) -> str:
    """Return the plate of a port: its value in the colour of its region, its name."""
    port = pack.ports[name]
    region, large = port.get("region"), port.get("town") == "large"
    fill = pack.regions.get(str(region), GREY)
    out = box(0, 0, PLATE, 7, "#fffaf0", "#3a2a4a" if large else fill, 3 if large else 2)
    out += f'<path d="M0 7Q0 0 7 0V{PLATE[1]}Q0 {PLATE[1]} 0 {PLATE[1] - 7}Z" fill="{fill}"/>'
    out += f'<circle cx="17" cy="12" r="9" fill="{fill}" stroke="#fff" stroke-width="1.2"/>'
    out += words(17, 16.4, port.get("value", "?"), 12, bold=True, fill="#fff", anchor="middle")
    said = f"region {region}" if region else "large, independent" if large else "independent"
    return titled(f"{name}: port of value {port.get('value')}, {said}, {port.get('zone')}",
                  out + _plate_name(name, 30, 78))  # fmt: skip


def _homeland(pack: Pack, name: str) -> str:
    fill = pack.home(name)
    out = box(0, 0, PLATE, 14, fill, "#fff", 2)
    label = words(9, 16, cut(name, 98, 12), 12, bold=True, fill="#fff")
    return titled(f"{name}: Homeland", out + label)


def _wintering(wide: int) -> str:
    out = box(8, 0, (wide - 16, STRIP - 8), 8, "#dfe6ee", "#6b7683", 1.5)
    return titled(WINTERING, out + words(20, 24, WINTERING, 13, bold=True, fill=INK))


def _legend(y: int) -> str:
    """Explain the signs of the map."""
    marks: tuple[tuple[str, str, int], ...] = (
        ('<use href="#§small"/>', "town", 15), ('<use href="#§large"/>', "large town", 20),
        (settlement("B"), "Settlement", 20), (at(8, 7, good("Fish")), "good", 20), (ship("B"), "ship", 21),
        (_tried(), "tried this turn", 18), (_named("#4f79c4"), "a Saga names it", 16),
    )  # fmt: skip
    out, x = "", 16
    for art, text, room in marks:
        out += at(x, y - 11, art) + words(x + room, y + 1, text, 11, fill=INK)
        x += room + 6 * len(text) + 16
    return out


def _tried() -> str:
    """Return the mark of a port in which a Task was tried this turn."""
    ring = f'<circle cx="8" cy="8" r="6.5" fill="#fff" stroke="{ASKED}" stroke-width="1.6"/>'
    return ring + f'<path d="M5 8L7.4 10.6L11.4 5.4" fill="none" stroke="{ASKED}" stroke-width="1.8"/>'


def _named(fill: str) -> str:
    """Return the mark of a port that a Saga names."""
    return f'<path d="M8 1L14 7L8 13L2 7Z" fill="{fill}" stroke="#fff" stroke-width="1"/>'


# -- what changes -----------------------------------------------------------------------------------


def _shores(record: Record, pack: Pack, atlas: Atlas) -> Iterator[Part]:
    """What lies in the ports: good, town, Settlement, the mark of a Task tried, and of Sagas that name them."""
    towns, tasked = set(record.get("towns") or ()), set(record.get("tasked") or ())
    goods, settlers = record.get("goods") or {}, record.get("settlers") or {}
    named = _named_by(record, pack)
    for port, (x, y) in atlas.plates.items():
        if port not in pack.ports:
            continue
        low = y + 25
        if port in towns:
            size = "large" if pack.ports[port].get("town") == "large" else "small"
            yield 4, "board", placed(f'<use href="#§{size}"/>', x + 11, low + 2, f"{port}: {size} town")
        if settlers.get(port):
            seat = str(settlers[port])
            yield 4, "board", placed(settlement(seat), x + 11, low + 1, f"{port}: Settlement of {seat}")
        if goods.get(port):
            yield 4, "board", placed(good(goods[port]), x + 40, low + 9, f"{port}: {goods[port]}")
        if port in tasked:
            yield 4, "board", placed(_tried(), x + 52, low + 1, f"{port}: a Task was tried this turn")
        for n, (saga, fill) in enumerate(named.get(port, [])[:2]):
            yield 4, "board", placed(_named(fill), x + 98 - 13 * n, low + 3, f"{port}: named by {saga}")


def _named_by(record: Record, pack: Pack) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for saga in map(str, record.get("face") or ()):
        card = pack.sagas.get(saga, {})
        for port in map(str, card.get("ports") or ()):
            found.setdefault(port, []).append((saga, pack.home(card.get("homeland"))))
    return found


def _ships(record: Record, atlas: Atlas, seats: Sequence[str]) -> Iterator[Part]:
    """Each ship where it is, and a ring round the place of the ship on turn."""
    places = record.get("places") or {}
    here: dict[str, list[str]] = {}
    for seat in seats:
        if places.get(seat):
            here.setdefault(str(places[seat]), []).append(seat)
    for place, there in here.items():
        for n, seat in enumerate(there):
            spot = _berth(atlas, place, n)
            if spot is not None:
                yield 6, "board", placed(ship(seat), *spot, f"{place}: ship of {seat}")
    turn = record.get("turn")
    if turn and record.get("phase") != "over":
        yield from _ring(atlas, str(places.get(turn)), str(turn))


def _berth(atlas: Atlas, place: str, n: int) -> tuple[int, int] | None:
    """Return where the *n*-th ship at a place lies; None where the map has no such place."""
    if place == WINTERING:
        return 150 + 22 * n, atlas.height + 11
    if place in atlas.plates:
        x, y = atlas.plates[place]
        return x + 72 - 19 * n if n < 4 else x + 91, y + 26
    if place in atlas.waters:
        x, y, _ = atlas.tiles[atlas.waters.index(place)]
        return x + TILE - 21 - 19 * n, y + 4
    return None


def _ring(atlas: Atlas, place: str, seat: str) -> Iterator[Part]:
    title = f"{seat} is on turn at {place}"
    edge = f'fill="none" stroke="{ASKED}" stroke-width="3" stroke-dasharray="7 4"'
    if place in atlas.plates:
        x, y = atlas.plates[place]
        ring = f'<rect x="-3" y="-3" width="{PLATE[0] + 6}" height="{PLATE[1] + 6}" rx="9" {edge}/>'
        yield 5, "board", placed(ring, x, y, title)
    elif place in atlas.waters:
        x, y, _ = atlas.tiles[atlas.waters.index(place)]
        ring = f'<rect x="3" y="2" width="{TILE - 6}" height="{HEAD - GAP + 2}" rx="8" {edge}/>'
        yield 5, "board", placed(ring, x, y, title)
    elif place == WINTERING:
        ring = f'<rect x="11" y="3" width="{max(atlas.width, 560) - 22}" height="{STRIP - 14}" rx="7" {edge}/>'
        yield 5, "board", placed(ring, 0, atlas.height, title)


def _head(record: Record, pack: Pack, wide: float) -> Iterator[Part]:
    turn = f" · turn of {record['turn']}" if record.get("turn") else " · setup"
    said = f"{_era(record)}{turn if record.get('phase') != 'over' else ''} · {said_phase(record)}"
    yield 0, "head", words(0, 13, cut(said, 640, 15), 15, bold=True)
    seat = record.get("seat")
    if seat and record.get("phase") != "over":
        verb = "receives" if record.get("phase") in CHANCE else "decides"
        square = box(652, -3, (20, 20), 4, colour(seat), "currentColor")
        letter = words(662, 12, seat, 13, bold=True, fill="#fff", anchor="middle")
        yield 0, "head", square + letter + words(678, 13, verb, 15, bold=True)
    notes = [f"as {record['you']} sees it"] if record.get("you") else []
    notes += ["estimated" if notes else "estimated components"] if pack.estimated else []
    if notes:
        style = ' font-style="italic" opacity=".8"'
        yield 0, "head", words(wide, 13, " · ".join(notes), 12, anchor="end", more=style)
    yield 0, "head", words(0, 34, _final(record), 12)
    boons = _boons(record)
    if boons:
        yield 0, "head", words(0, 52, cut("This turn: " + ", ".join(boons), wide - 10, 12), 12, bold=True)


def _final(record: Record) -> str:
    """Say how far the Final Rounds have come."""
    left = sum(record.get("left") or ())
    if record.get("holder"):
        return f"Final Rounds: {record['holder']} holds the tokens, {record.get('placed', 0)} of 3 placed"
    return f"{left} Sagas are face down" + (", ended by " + str(record["ended"]) if record.get("ended") else "")


def _boons(record: Record) -> list[str]:
    """Return what earlier steps left for this turn, in words."""
    found = [f"{record['days']} Days"] if record.get("days") not in (None, 7) else []
    for field, text in (("attack", "attack +{}"), ("spare", "{} spared"), ("shelter", "shelter {}"),
                        ("free", "{} free Sails"), ("rolls", "raid roll {}"), ("dice", "{} dice thrown"),
                        ("drawing", "{} runes to draw")):  # fmt: skip
        if record.get(field):
            found.append(text.format(record[field]))
    found += ["treasure doubled"] if record.get("doubled") else []
    found += [f"{record['victim']} loses a rune"] if record.get("victim") else []
    offer = record.get("offer") or []
    return found + ([f"offered {', '.join(map(str, offer))}"] if offer else [])


def _description(record: Record, seats: Sequence[str]) -> str:
    """Say the position in words, for those who do not see it."""
    said = [f"{_era(record)}, turn of {record.get('turn')}, {said_phase(record)}"]
    for seat in seats:
        goods = of_seat(record, "cargo", seat) or (0, 0, 0)
        crewed = of_seat(record, "crew", seat)
        place, points = of_seat(record, "places", seat), of_seat(record, "vp", seat)
        said.append(f"{seat} at {place} with {crewed} crew and {sum(goods)} goods, {points} VP")
    settlers: Mapping[str, Any] = record.get("settlers") or {}
    there = [f"{port} {seat}" for port, seat in settlers.items() if seat]
    said += ["towns in " + ", ".join(map(str, record["towns"]))] if record.get("towns") else []
    said += ["Settlements: " + ", ".join(there)] if there else []
    goods_in = [f"{port} {name}" for port, name in (record.get("goods") or {}).items() if name]
    said += ["goods in " + ", ".join(goods_in)] if goods_in else []
    return "; ".join(said)


register("fire_axe", paint)

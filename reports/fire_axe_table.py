"""What lies beside the map of Fire & Axe: dial, Days track, Losses chart, Sagas, stock, runes, and each seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .drawing import Record
from .fire_axe_parts import (
    ASKED,
    CHIP,
    GOODS,
    INK,
    PAPER,
    ZONES,
    Pack,
    colour,
    counted,
    crew,
    good,
    hole,
    placed,
    rune_chip,
    saga_card,
    saga_chip,
    settlement,
    slot,
    token,
)
from .svg_hex import number
from .svg_text import at, box, cut, titled, words

Part = tuple[int, str, str]
"""Layer, place and SVG of a piece."""

SIDE_WIDTH = 404.0
SHARED = 312
_BLOCK = 80
_TRACK, _ROOM = 132, 268
"""Where Days track and Losses chart begin, and their width."""
_CARD = (130, 78)
_DIAL = 50
_AT = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Where the zones of the dial lie, clockwise from the top."""
_SKULLS = 5
"""So many skulls of a column are drawn; more are counted."""


def seats_of(record: Record) -> list[str]:
    """Return the seats of a record, clockwise: those that have an entry of their own in its tables."""
    tables = (record.get(field) for field in ("vp", "places", "crew", "cargo", "supply", "hands", "won"))
    return sorted({str(seat) for table in tables if isinstance(table, dict) for seat in table})


def side_height(seats: int) -> float:
    """Return the height of everything beside the map."""
    return SHARED + seats * _BLOCK


def of_seat(record: Record, field: str, seat: str) -> Any:
    """Return a seat's entry in one of the record's tables, None without one."""
    table = record.get(field)
    return table.get(seat) if isinstance(table, dict) else None


def listed(value: Any) -> list[str]:
    """Return the ids of a list; nothing for a number or null that stands in its place."""
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []


def count_of(value: Any) -> int | None:
    """Return how many there are: of a list, or the number that stands for it; None if that is hidden too."""
    if isinstance(value, bool) or value is None:
        return None
    return value if isinstance(value, int) else len(value)


def side_pieces(record: Record, pack: Pack, seats: Sequence[str]) -> Iterator[Part]:
    """Yield the pieces beside the map."""
    yield from _dial(record, pack)
    yield from _days(record)
    yield from _losses(record, pack)
    yield from _sagas(record, pack)
    yield from _stock(record)
    yield from _runes(record, pack)
    for n, seat in enumerate(seats):
        yield from _seat(record, pack, seat, SHARED + n * _BLOCK)


# -- dial, Days, losses -------------------------------------------------------------------------------


def _dial(record: Record, pack: Pack) -> Iterator[Part]:
    """The dial: a quarter for each zone, clockwise, with its Clear Weather Days."""
    clear = pack.clear(record.get("dial"))
    order = [str(zone) for zone in pack.dial.get("order") or ()]
    out = f'<circle cx="{_DIAL}" cy="58" r="{_DIAL}" fill="{PAPER}" stroke="#8d8371" stroke-width="2"/>'
    for zone, (x, y) in zip(order, _AT, strict=False):
        a, b, c, d = x - y, y + x, x + y, y - x  # the corners of a quarter turned by an eighth
        r = 34
        path = f"M{_DIAL} 58L{_DIAL + a * r} {58 + b * r}A48 48 0 0 0 {_DIAL + c * r} {58 + d * r}Z"
        out += f'<path d="{path}" fill="{ZONES.get(zone, "#ccc")}" stroke="{PAPER}" stroke-width="2"/>'
    yield 0, "side", words(0, 4, "Clear Weather Days", 11, bold=True) + out
    for zone, (x, y) in zip(order, _AT, strict=False):
        days, kind = clear.get(zone, (None, ""))
        if days is None:
            continue
        where = (_DIAL + 25 * x, 58 + 25 * y)
        letter = words(where[0] + 19 * x, where[1] + 4 + 19 * y, zone[:1], 10, fill=INK, anchor="middle")
        title = f"{zone}: {days} Clear Weather Days, {kind} weather"
        yield 1, "side", placed(hole(days, kind), *where, title) + letter


def _days(record: Record) -> Iterator[Part]:
    """The Days track with both sliders."""
    prep, sailed, days = (int(record.get(f) or 0) for f in ("prep", "sailed", "days"))
    last = max(days, 7)
    step = min(26.0, _ROOM / (last + 1))
    out = ""
    for n in range(last + 1):
        out += box(_TRACK + step * n, 22, (step - 2, 20), 3, "#e9e2d0", "#8d8371")
        out += words(_TRACK + step * n + step / 2 - 1, 36, n, 11, fill=INK, anchor="middle")
    yield 0, "side", out
    said = f"Days used {prep + sailed} of {days}: {prep} + {sailed}"
    yield 0, "side", words(_TRACK, 4, said, 11, bold=True)
    for name, at_day, top, fill in (("Preparation", prep, 12, "#8c5a2b"), ("Sailing", sailed, 44, "#1f5fd0")):
        x = _TRACK + step * at_day + step / 2 - 1
        tip = f"M{number(x - 6)} {top}H{number(x + 6)}L{number(x)} {top + 9}Z" if top < 20 else (
            f"M{number(x - 6)} {top + 9}H{number(x + 6)}L{number(x)} {top}Z"
        )  # fmt: skip
        path = f'<path d="{tip}" fill="{fill}" stroke="#fff" stroke-width=".8"/>'
        yield 1, "side", f"<g>{titled(f'{name} slider at {at_day}', path)}</g>"


def _losses(record: Record, pack: Pack) -> Iterator[Part]:
    """The Losses chart: new skulls of each column, those covered filled, and what lies on it."""
    covered = int(record.get("covered") or 0)
    columns = max(len(pack.losses) - 1, 1)
    step = min(40.0, (_ROOM - 44) / columns)
    yield 0, "side", words(_TRACK, 70, "Losses", 11, bold=True)
    before = 0
    for n, total in enumerate(pack.losses[1:], 1):
        x, new = _TRACK + 44 + step * (n - 1), total - before
        out = words(x + step / 2, 70, f"+{n}", 11, anchor="middle") if step > 16 or n % 2 else ""
        for skull in range(min(new, _SKULLS)):
            out += at(x + step / 2, 79 + 8.5 * skull, _skull(before + skull < covered))
        more = f" ×{new}" if new > _SKULLS else ""
        out += words(x + step / 2, 79 + 8.5 * _SKULLS, more.strip(), 10, anchor="middle") if more else ""
        yield 1, "side", f"<g>{titled(f'{n} Days over: {total} skulls, {min(covered, total)} covered', out)}</g>"
        before = total
    goods = record.get("chart_goods") or ()
    lying = [f"{record['chart_crew']} crew"] if record.get("chart_crew") else []
    lying += [f"{count} {name}" for name, count in zip(GOODS, goods, strict=False) if count]
    if lying:
        yield 1, "side", words(_TRACK, 122, cut("on the chart: " + ", ".join(lying), _ROOM, 11), 11)


def _skull(covered: bool) -> str:
    fill = "#c8202a" if covered else "#fff"
    return f'<circle r="3.7" fill="{fill}" stroke="#5a4a42" stroke-width="1.1"/>'


# -- Sagas, stock, runes ------------------------------------------------------------------------------


def _sagas(record: Record, pack: Pack) -> Iterator[Part]:
    """The Saga spaces, the pile by Era, what was discarded, the Final Round tokens."""
    y = 132
    face = listed(record.get("face"))
    step = min(_CARD[0] + 6, (SIDE_WIDTH - _CARD[0]) / max(len(face) - 1, 1))
    for n in range(3 if len(face) < 3 else 0):
        empty = 'fill="none" stroke="currentColor" stroke-opacity=".35" stroke-dasharray="4 3"'
        yield 0, "side", f'<rect x="{(_CARD[0] + 6) * n}" y="{y}" width="{_CARD[0]}" height="{_CARD[1]}" {empty}/>'
    for n, name in enumerate(face):
        yield 1 + n, "side", at(step * n, y, saga_card(pack, name, _CARD, _done(record, pack, name)))
    left = list(record.get("left") or ())
    eras = " · ".join(f"{'I' * era} {count}" for era, count in enumerate(left, 1))
    yield 0, "side", words(0, y + 94, f"Face down by Era: {eras or 'hidden'}", 11, bold=True)
    gone = listed(record.get("discarded"))
    if gone:
        yield 0, "side", words(0, y + 109, cut("Discarded " + " ".join(gone), 300, 11), 11)
    holder, down = record.get("holder"), int(record.get("placed") or 0)
    for n in range(3):
        state = "placed" if n < down else f"held by {holder}" if holder else "under the Sagas"
        disc = token(n + 1) if n < down or holder else f'<g opacity=".35">{token(n + 1)}</g>'
        x, low = (SIDE_WIDTH - 60 + 22 * n, y + 91) if n < down or not holder else (SIDE_WIDTH - 60 + 22 * n, y + 105)
        yield 1, "side", placed(disc, x, low, f"Final Round token {n + 1}: {state}")


def _done(record: Record, pack: Pack, name: str) -> frozenset[str]:
    """Return those ports of a Saga where what it asks for is done."""
    saga = pack.sagas.get(name, {})
    ports = [str(port) for port in saga.get("ports") or ()]
    goods, settlers = record.get("goods") or {}, record.get("settlers") or {}
    towns = set(record.get("towns") or ())
    done = {
        "trade": {port for port in ports if goods.get(port)},
        "raid": {port for port in ports if port not in towns},
        "settle": {port for port in ports if settlers.get(port)},
    }
    return frozenset(done.get(str(saga.get("type")), ()))


def _stock(record: Record) -> Iterator[Part]:
    """The stock of goods and the good in demand."""
    y = 264
    yield 0, "side", words(0, y + 4, "Stock", 11, bold=True)
    for n, (name, count) in enumerate(zip(GOODS, record.get("stock") or (), strict=False)):
        x = 40 + 46 * n
        yield 1, "side", placed(good(name), x + 8, y, f"stock: {count} {name}") + words(x + 20, y + 4, count, 12)
    demand = record.get("demand")
    yield 0, "side", words(181, y + 4, "In demand", 11, bold=True)
    if demand:
        yield 1, "side", placed(good(demand), 261, y, f"in demand: {demand}") + words(273, y + 4, demand, 12)
    small, large = (list(record.get(size) or ()) for size in ("small", "large"))
    title = f"treasures: small {' '.join(map(str, small))}; large {' '.join(map(str, large))}"
    said = words(SIDE_WIDTH, y + 4, f"{len(small)} + {len(large)} treasures", 11, anchor="end")
    yield 0, "side", f"<g>{titled(title, said)}</g>"


def _runes(record: Record, pack: Pack) -> Iterator[Part]:
    """The rune deck, the rune being played, the pile."""
    y = 282
    deck, pile = count_of(record.get("deck")), listed(record.get("pile"))
    yield 0, "side", words(0, y + 13, f"Runes {'hidden' if deck is None else deck}", 11, bold=True)
    parts = []
    if record.get("played"):
        parts.append((CHIP[0], rune_chip(pack, str(record["played"]), strong=True)))
    yield 0, "side", words(66, y + 13, f"pile {len(pile)}", 11)
    parts += [(CHIP[0], rune_chip(pack, name)) for name in pile]
    yield from _flow(parts, 112, y)


def _flow(parts: Iterable[tuple[int, str]], x: float, y: float) -> Iterator[Part]:
    """Lay parts of given widths side by side; what has no room is counted."""
    waiting = list(parts)
    for n, (wide, svg) in enumerate(waiting):
        room = SIDE_WIDTH - (0 if n == len(waiting) - 1 else 28)
        if x + wide > room:
            yield 1, "side", words(x, y + 13, f"+{len(waiting) - n}", 11, bold=True)
            return
        yield 1, "side", at(x, y, svg)
        x += wide + 3


# -- seats --------------------------------------------------------------------------------------------


def _seat(record: Record, pack: Pack, seat: str, y: float) -> Iterator[Part]:
    """A seat's block: its numbers, its ship with slots and its hand, the Sagas it won."""
    deciding = record.get("seat") == seat and record.get("phase") != "over"
    edge = f'"{ASKED}" stroke-width="2.5"' if deciding else '"currentColor" stroke-opacity=".3"'
    tint = f'fill="{colour(seat)}" fill-opacity=".1"' if deciding else 'fill="none"'
    block = f'<rect x="-5" y="{y}" width="{SIDE_WIDTH + 10:g}" height="{_BLOCK - 5}" rx="8" {tint} stroke={edge}/>'
    yield 0, "side", block
    yield from _numbers(record, seat, y + 4)
    yield from _load(record, seat, y + 27)
    yield from _hand(record, pack, seat, y + 28)
    won = listed(of_seat(record, "won", seat))
    yield 0, "side", words(0, y + 66, "Sagas", 11)
    yield from _flow([(CHIP[0], saga_chip(pack, name)) for name in won], 40, y + 53)


def _numbers(record: Record, seat: str, y: float) -> Iterator[Part]:
    square = box(0, y, (19, 18), 4, colour(seat), "currentColor")
    yield 1, "side", square + words(9.5, y + 14, seat, 13, bold=True, fill="#fff", anchor="middle")
    points = of_seat(record, "vp", seat)
    if points is not None:
        yield 1, "side", words(27, y + 14, f"{points} VP", 13, bold=True)
    settled = sum(owner == seat for owner in (record.get("settlers") or {}).values())
    marks = (
        ("towns taken", of_seat(record, "axes", seat), '<use href="#§axe"/>', 18),
        ("Settlements", settled, settlement(seat), 19),
        ("crew in the supply", of_seat(record, "supply", seat), crew(colour(seat)), 15),
    )
    for n, (text, count, art, room) in enumerate(marks):
        if count is not None:
            yield 1, "side", placed(counted(art, count, room), 96 + 46 * n, y + 1, f"{seat}: {count} {text}")
    place = of_seat(record, "places", seat)
    said = (f"{cut(place, 130, 11)}" if place else "") + (" · you" if record.get("you") == seat else "")
    yield 1, "side", words(SIDE_WIDTH, y + 13, said, 11, bold=record.get("turn") == seat, anchor="end")


def _load(record: Record, seat: str, y: float) -> Iterator[Part]:
    """The slots of a ship: crew, then goods, then empty ones; closed ones are dashed."""
    aboard = [("crew", crew(colour(seat)), 4.5, 3)] * int(of_seat(record, "crew", seat) or 0)
    for name, count in zip(GOODS, of_seat(record, "cargo", seat) or (), strict=False):
        aboard += [(name, good(name), 10, 10)] * int(count)
    opened = 4 + int(record.get("era") or 1)
    for n in range(max(7, len(aboard))):
        if n < len(aboard):
            name, art, dx, dy = aboard[n]
            yield 1, "side", placed(slot(at(dx, dy, art)), 22 * n, y, f"{seat}: {name} aboard")
        else:
            state = "free slot" if n < opened else "slot of a later Era"
            yield 1, "side", placed(slot("", open_=n < opened), 22 * n, y, f"{seat}: {state}")


def _hand(record: Record, pack: Pack, seat: str, y: float) -> Iterator[Part]:
    hand = of_seat(record, "hands", seat)
    names, count = listed(hand), count_of(hand)
    yield 0, "side", words(172, y + 13, "Runes" if count is not None else "Runes hidden", 11)
    back = '<use href="#§runeback"/>'
    parts = [(CHIP[0], rune_chip(pack, name)) for name in names] or [(CHIP[0], back)] * (count or 0)
    yield from _flow(parts, 212, y + 0.5)

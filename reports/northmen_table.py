"""What lies beside the map of Northmen: row, deck and group of tokens, and a block for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .drawing import Record
from .northmen_cards import ASKED, CARD, Pack, card_art, chip, colour, crown, plunder, route_chip
from .svg_text import at, box, titled, words

Part = tuple[int, str, str]
"""Layer, place and SVG of a piece."""

SIDE_WIDTH = 360.0
SHARED = 90
_BLOCK = 124
_ROW = 21
_HAND = 6
_STEP = CARD[0] + 1
_PER_ROW = 8
_CELLS = (
    ("infamy", "Infamy", 46, 46), ("reserve", "Reserve", 117, 52), ("heroes", "Heroes", 195, 46),
    ("taken", "Plunder", 257, 50),
)  # fmt: skip
"""Of each number of a seat: field, word, where the word begins, how far on the number stands."""
_EMPTY = (
    f'<rect width="{CARD[0]}" height="{CARD[1]}" rx="4" fill="none" stroke="currentColor" stroke-opacity=".35" '
    'stroke-dasharray="4 3"/>'
)


def seats_of(record: Record) -> list[str]:
    """Return the seats of a record, clockwise: those that have an entry of their own in its tables."""
    tables = (record.get(field) for field in ("infamy", "reserve", "heroes", "taken", "tops", "hands"))
    return sorted({str(seat) for table in tables if isinstance(table, dict) for seat in table})


def _rows(seats: int) -> int:
    """Return how many rows of played cards a seat has: the fewer seats, the more of them one plays."""
    return 1 if seats > 3 else 2


def side_height(seats: int) -> float:
    """Return the height of everything beside the map."""
    return SHARED + seats * _block(seats)


def _block(seats: int) -> int:
    return _BLOCK + _ROW * (_rows(seats) - 1)


def listed(value: Any) -> list[str]:
    """Return the ids of a list; nothing for a number or null that stands in its place."""
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []


def counted(value: Any) -> int | None:
    """Return how many there are: of a list, or the number that stands for it; None if that is hidden too."""
    if isinstance(value, bool) or value is None:
        return None
    return value if isinstance(value, int) else len(value)


def of_seat(record: Record, field: str, seat: str) -> Any:
    """Return a seat's entry in one of the record's tables, None without one."""
    table = record.get(field)
    return table.get(seat) if isinstance(table, dict) else None


def use_card(pack: Pack, name: str) -> str:
    """Return a card: a shared drawing, or a blank of its own where the pack has it not."""
    n = pack.numbers.get(name)
    return card_art(pack, name) if n is None else f'<use href="#§c{n}"/>'


def side_pieces(record: Record, pack: Pack, seats: Sequence[str]) -> Iterator[Part]:
    """Yield the pieces beside the map."""
    yield from _shared(record, pack)
    yield from _now(record, pack)
    for n, seat in enumerate(seats):
        y = SHARED + n * _block(len(seats))
        yield from _seat(record, pack, seat, y, len(seats))


def _number(value: Any) -> str:
    count = counted(value)
    return "hidden" if count is None else str(count)


def _shared(record: Record, pack: Pack) -> Iterator[Part]:
    """The row, the deck, the discard, the routes not drawn, the tokens still to place."""
    yield 0, "side", words(0, 10, "Face up", 11, bold=True)
    for n, name in enumerate(listed(record.get("row"))):
        yield 1, "side", at(_STEP * n, 15, use_card(pack, name))
    yield 0, "side", words(166, 27, f"Deck {_number(record.get('deck'))}", 12, bold=True)
    yield 0, "side", words(166, 43, f"Discard {_number(record.get('discard'))}", 12)
    under = counted(record.get("route_bottom"))
    routes = f"Routes {_number(record.get('route_deck'))}" + (f" + {under} under" if under else "")
    yield 0, "side", words(166, 59, routes, 12)
    group = record.get("group")
    if group is not None:
        yield 1, "side", at(334, 26, plunder(group, 13))
        yield 0, "side", words(SIDE_WIDTH, 53, "to place", 11, anchor="end")
    if record.get("unplaced"):
        yield 0, "side", words(SIDE_WIDTH, 66, f"left over {record['unplaced']}", 11, anchor="end")


def _now(record: Record, pack: Pack) -> Iterator[Part]:
    """One line for what is under way: the card being played, pieces sent, routes drawn, cards paid for."""
    x = 0.0
    for text, shown in _under_way(record, pack):
        written = 7.4 * len(text) + 3 if text else 0
        wide, art = shown or (0, "")
        if x + written + wide > SIDE_WIDTH + 5:
            yield 0, "side", words(x, 80, "…", 12, bold=True)
            return
        label = words(x, 80, text, 11, bold=True) if text else ""
        yield 0, "side", label + (at(x + written, 67, art) if shown else "")
        x += written + wide + 5


def _under_way(record: Record, pack: Pack) -> Iterator[tuple[str, tuple[int, str] | None]]:
    if record.get("card"):
        yield "Being played", (36, chip(pack, str(record["card"]), strong=True))
        yield f"cubes placed {record.get('placed') or 0}", None
    if record.get("phase") == "march":
        yield f"Armies sent {record.get('armies') or 0}, Fleets sent {record.get('fleets') or 0}", None
    if record.get("second_pass") and record.get("phase") in ("march", "delay"):
        yield "second pass", None
    if record.get("asked"):
        yield "Complete?", route_chip(pack, str(record["asked"]), "asked", full=True)
    for field, text in (("drawn", "Drawn"), ("kept", "Kept")):
        yield from _routes_under_way(record.get(field), text, pack)
    held = record.get("held")
    if counted(held):
        names = listed(held)
        yield f"Paid for {'' if names else counted(held)}".strip(), None
        yield from (("", (36, chip(pack, name, strong=True))) for name in names)


def _routes_under_way(value: Any, text: str, pack: Pack) -> Iterator[tuple[str, tuple[int, str] | None]]:
    names = listed(value)
    if not counted(value):
        return
    yield (text if names else f"{text} {counted(value)}"), None
    yield from (("", route_chip(pack, name, "", full=len(names) < 3)) for name in names)


def _seat(record: Record, pack: Pack, seat: str, y: float, seats: int) -> Iterator[Part]:
    """A seat's block: its numbers, its hand and the top of its pile, cards played, Trade Routes."""
    deciding = record.get("seat") == seat and record.get("phase") not in ("over", "turn")
    edge = f'"{ASKED}" stroke-width="2.5"' if deciding else '"currentColor" stroke-opacity=".3"'
    tint = f'fill="{colour(seat)}" fill-opacity=".1"' if deciding else 'fill="none"'
    block = f'<rect x="-5" y="{y}" width="370" height="{_block(seats) - 5}" rx="8" {tint} stroke={edge}/>'
    yield 0, "side", block
    yield from _numbers(record, seat, y + 4)
    yield from _hand(record, pack, seat, y + 26)
    yield from _played(record, pack, seat, y + 78, _rows(seats))
    yield from _routes(record, pack, seat, y + 78 + _ROW * _rows(seats))


def _numbers(record: Record, seat: str, y: float) -> Iterator[Part]:
    square = box(0, y, (19, 18), 4, colour(seat), "currentColor")
    yield 1, "side", square + words(9.5, y + 14, seat, 13, bold=True, fill="#fff", anchor="middle")
    if record.get("leader") == seat:
        yield 1, "side", at(24, y + 2, titled(f"{seat} is the Leader", crown()))
    if record.get("you") == seat:
        yield 1, "side", words(SIDE_WIDTH, y + 13, "you", 11, bold=True, anchor="end")
    for field, text, x, room in _CELLS:
        value = of_seat(record, field, seat)
        if value is not None:
            yield 1, "side", words(x, y + 13, text, 11) + words(x + room, y + 13, value, 12, bold=True)


def _hand(record: Record, pack: Pack, seat: str, y: float) -> Iterator[Part]:
    hand = of_seat(record, "hands", seat)
    names, count = listed(hand), counted(hand) or 0
    step = _STEP if count <= _HAND else (_HAND - 1) * _STEP / (count - 1)
    for n in range(count):
        art = use_card(pack, names[n]) if names else '<use href="#§back"/>'
        yield 1 + n, "side", at(step * n, y, art)
    top = of_seat(record, "tops", seat)
    shown = use_card(pack, str(top)) if top else _EMPTY
    frame = box(-1.5, -1.5, (CARD[0] + 3, CARD[1] + 3), 5, "none", "currentColor", 2) if top else ""
    yield 1, "side", at(309, y, titled(f"top of {seat}'s pile", shown + frame))


def _flow(parts: Iterable[tuple[int, str]], y: float, rows: int) -> Iterator[Part]:
    """Lay parts of given widths side by side in rows; what has no room is counted."""
    x, row = 52.0, 0
    waiting = list(parts)
    for n, (wide, svg) in enumerate(waiting):
        last = row == rows - 1
        if not last and x + wide > SIDE_WIDTH:
            x, row = 52.0, row + 1
            last = row == rows - 1
        room = SIDE_WIDTH - (0 if n == len(waiting) - 1 or not last else 28)
        if x + wide > room:
            yield 1, "side", words(x, y + _ROW * row + 13, f"+{len(waiting) - n}", 11, bold=True)
            return
        yield 1, "side", at(x, y + _ROW * row, svg)
        x += wide + 3


def _played(record: Record, pack: Pack, seat: str, y: float, rows: int) -> Iterator[Part]:
    """The cards played this round that are seen, the one on top first."""
    top = of_seat(record, "tops", seat)
    names = [name for name in listed(of_seat(record, "piles", seat)) if name != top]
    yield 0, "side", words(0, y + 13, "Played", 11)
    shown = [(36, chip(pack, str(top), strong=True))] if top else []
    yield from _flow([*shown, *((36, chip(pack, name)) for name in names)], y, rows)


def _routes(record: Record, pack: Pack, seat: str, y: float) -> Iterator[Part]:
    """Trade Routes: those done first, then those in hand, or as many backs as are hidden."""
    done, hand = listed(of_seat(record, "routes_done", seat)), of_seat(record, "route_hands", seat)
    chosen = listed(of_seat(record, "chosen", seat))
    states = dict.fromkeys(done, "done")
    for name in [*listed(hand), *chosen]:
        states.setdefault(name, "chosen" if name in chosen else "")
    asked = str(record.get("asked"))
    if asked in states and record.get("seat") == seat:
        states[asked] = "asked"
    hidden = 0 if listed(hand) else counted(hand) or 0
    full = [route_chip(pack, name, state, full=True) for name, state in states.items()]
    backs = [(26, '<use href="#§routeback"/>')] * hidden
    room = SIDE_WIDTH - 52 - 29 * hidden
    if sum(wide + 3 for wide, _ in full) > room:
        full = [route_chip(pack, name, state, full=False) for name, state in states.items()]
    yield 0, "side", words(0, y + 13, "Routes", 11)
    yield from _flow([*full, *backs], y, 1)

"""The position of Northmen: an immutable value, and its record (canonical JSON values)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import convert

from .actions import SEATS, Names

Phase = Literal[
    "deal", "turn", "routes", "play", "hire", "draw", "drawn", "delay", "march", "complete", "buy", "buying", "keep",
    "hold", "over",
]  # fmt: skip
CHANCE_PHASES = frozenset({"deal", "turn", "routes", "drawn", "buying"})
RALLY = frozenset({"play", "hire", "draw", "drawn"})
"""Phases of the Rally Phase in which a seat has its turn; ``turn`` belongs to it while a card is being played."""
MARCHING = frozenset({"delay", "march", "complete"})
PLANNING = frozenset({"buy", "buying", "keep", "hold"})
Ints = tuple[int, ...]

FIELDS = (
    "round", "phase", "leader", "seat", "deck", "row", "hands", "piles", "tops", "discard", "kingdoms", "regions",
    "tokens", "reserve", "infamy", "heroes", "taken", "group", "unplaced", "card", "placed", "control", "times",
    "kingdom", "second_pass", "region", "armies", "fleets", "either", "led", "origins", "route_deck", "route_bottom",
    "route_hands", "routes_done", "chosen", "asked", "drawn", "kept", "pairs", "held",
)  # fmt: skip


class Position(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for what follows.

    Amounts by seat, place, region or Kingdom are tuples; places are Kingdoms, then regions.  Sets of
    cards and routes are bits.  -1 stands for no card, seat, Kingdom, region or route.
    """

    round: int
    phase: Phase
    leader: int
    seat: int  # who decides, or receives what chance deals; -1 if nobody
    deck: int
    row: int
    hands: Ints
    piles: Ints  # cards played this round
    tops: Ints  # the card that shows on each pile
    discard: int
    cubes: tuple[Ints, ...]  # by place, then seat
    heroes: tuple[Ints, ...]
    tokens: Ints  # by region
    reserve: Ints
    infamy: Ints
    supply: Ints  # Heroes not on the board
    taken: Ints
    group: int  # tokens of the round's group that are not on the board yet
    unplaced: int  # tokens of earlier groups that never came on the board
    card: int  # the card that is being played
    placed: int  # cubes that it placed
    control: Ints  # by Kingdom, from step 1 to step 7 of the Marching Phase
    times: Ints  # the Kingdom with the seat's Time Token
    kingdom: int  # whose turn it is
    second_pass: bool
    region: int  # the region that is next in a march
    armies: int  # cubes sent in this march to where only Armies get
    fleets: int  # ... only Fleets
    either: int  # ... both
    led: int  # Heroes sent in this march
    origins: Ints  # by Kingdom: regions that got cubes from it (R_ROUTE_ORIGIN=from_kingdom), as bits
    route_deck: int
    route_bottom: tuple[tuple[int, int], ...]  # routes put under the deck and by whom, topmost first
    route_hands: Ints
    routes_done: Ints
    chosen: Ints  # routes that a seat has committed to play, not shown yet
    asked: int  # the route a seat is asked about
    drawn: int
    kept: int
    pairs: int  # pairs bought in this purchase
    held: int


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a record; see ``conformance/PROTOCOL.md`` for the meaning of each field."""

    round: int
    phase: Phase
    leader: str
    seat: str | None
    deck: list[str]
    row: list[str]
    hands: dict[str, list[str]]
    piles: dict[str, list[str]]
    tops: dict[str, str | None]
    discard: list[str]
    kingdoms: dict[str, list[tuple[int, int]]]
    regions: dict[str, list[tuple[int, int]]]
    tokens: dict[str, int]
    reserve: dict[str, int]
    infamy: dict[str, int]
    heroes: dict[str, int]
    taken: dict[str, int]
    group: int
    unplaced: int
    card: str | None
    placed: int
    control: dict[str, str | None]
    times: dict[str, str | None]
    kingdom: str | None
    second_pass: bool
    region: str | None
    armies: int
    fleets: int
    either: int
    led: int
    origins: dict[str, list[str]]
    route_deck: list[str]
    route_bottom: list[tuple[str, str]]
    route_hands: dict[str, list[str]]
    routes_done: dict[str, list[str]]
    chosen: dict[str, list[str]]
    asked: str | None
    drawn: list[str]
    kept: list[str]
    pairs: int
    held: list[str]


def bits(mask: int) -> tuple[int, ...]:
    """Return the numbers of the bits set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def put(amounts: Ints, index: int, value: int) -> Ints:
    """Return the amounts with one of them changed."""
    return (*amounts[:index], value, *amounts[index + 1 :])


def listed(mask: int, ids: Sequence[str]) -> list[str]:
    """Return the ids of a set, in pack order."""
    return [ids[n] for n in bits(mask)]


def to_record(p: Position, names: Names, kingdoms: int) -> dict[str, Any]:
    """Return the position as plain JSON values, in the order of FIELDS."""
    seats = SEATS[: len(p.hands)]
    cards, routes, regions, places = names.card_list, names.route_list, names.place_list, names.places
    pieces = [list(map(list, zip(*both, strict=True))) for both in zip(p.cubes, p.heroes, strict=True)]
    return {
        "round": p.round,
        "phase": p.phase,
        "leader": SEATS[p.leader],
        "seat": _name(p.seat, SEATS),
        "deck": cards(p.deck),
        "row": cards(p.row),
        "hands": {seat: cards(mask) for seat, mask in zip(seats, p.hands, strict=True)},
        "piles": {seat: cards(mask) for seat, mask in zip(seats, p.piles, strict=True)},
        "tops": {seat: _name(card, names.cards) for seat, card in zip(seats, p.tops, strict=True)},
        "discard": cards(p.discard),
        "kingdoms": dict(zip(places[:kingdoms], pieces[:kingdoms], strict=True)),
        "regions": dict(zip(places[kingdoms:], pieces[kingdoms:], strict=True)),
        "tokens": dict(zip(places[kingdoms:], p.tokens, strict=True)),
        "reserve": dict(zip(seats, p.reserve, strict=True)),
        "infamy": dict(zip(seats, p.infamy, strict=True)),
        "heroes": dict(zip(seats, p.supply, strict=True)),
        "taken": dict(zip(seats, p.taken, strict=True)),
        "group": p.group,
        "unplaced": p.unplaced,
        "card": _name(p.card, names.cards),
        "placed": p.placed,
        "control": {places[n]: _name(seat, SEATS) for n, seat in enumerate(p.control)},
        "times": {seat: _name(kingdom, places) for seat, kingdom in zip(seats, p.times, strict=True)},
        "kingdom": _name(p.kingdom, places),
        "second_pass": p.second_pass,
        "region": places[kingdoms + p.region] if p.region >= 0 else None,
        "armies": p.armies,
        "fleets": p.fleets,
        "either": p.either,
        "led": p.led,
        "origins": {places[n]: regions(mask << kingdoms) for n, mask in enumerate(p.origins)},
        "route_deck": routes(p.route_deck),
        "route_bottom": [[names.routes[route], SEATS[seat]] for route, seat in p.route_bottom],
        "route_hands": {seat: routes(mask) for seat, mask in zip(seats, p.route_hands, strict=True)},
        "routes_done": {seat: routes(mask) for seat, mask in zip(seats, p.routes_done, strict=True)},
        "chosen": {seat: routes(mask) for seat, mask in zip(seats, p.chosen, strict=True)},
        "asked": _name(p.asked, names.routes),
        "drawn": routes(p.drawn),
        "kept": routes(p.kept),
        "pairs": p.pairs,
        "held": cards(p.held),
    }


def _name(number: int, ids: Sequence[str]) -> str | None:
    return ids[number] if number >= 0 else None


# -- reading ------------------------------------------------------------------------------------------


def from_record(record: Mapping[str, Any], names: Names, kingdoms: int, players: int) -> Position:
    """Read a record strictly; raises BadInput with the path of a mistake."""
    return _Reader(convert(dict(record), Record, "position"), names, kingdoms, players).position()


AMOUNT = range(1000)
"""What an amount in a record may be; a position with more than there are pieces is read, and then refused."""


class _Reader:
    """Turns the names of a well-formed record into numbers."""

    def __init__(self, record: Record, names: Names, kingdoms: int, players: int) -> None:
        self.record, self.names, self.seats = record, names, SEATS[:players]
        self.kingdoms, self.regions = names.places[:kingdoms], names.places[kingdoms:]

    def position(self) -> Position:
        r = self.record
        board = [self._pieces(field, ids) for field, ids in (("kingdoms", self.kingdoms), ("regions", self.regions))]
        return Position(
            round=self._amount(r.round, "round"), phase=r.phase, leader=self._seat(r.leader, "leader"),
            seat=self._seat(r.seat, "seat"), deck=self._cards(r.deck, "deck"), row=self._cards(r.row, "row"),
            hands=self._sets("hands", self.names.card), piles=self._sets("piles", self.names.card),
            tops=self._each("tops", lambda v, where: self._number(v, self.names.card, where)),
            discard=self._cards(r.discard, "discard"), cubes=(*board[0][0], *board[1][0]),
            heroes=(*board[0][1], *board[1][1]), tokens=self._by("tokens", self.regions, self._amount),
            reserve=self._each("reserve", self._amount), infamy=self._each("infamy", self._amount),
            supply=self._each("heroes", self._amount), taken=self._each("taken", self._amount),
            group=self._amount(r.group, "group"), unplaced=self._amount(r.unplaced, "unplaced"),
            card=self._number(r.card, self.names.card, "card"), placed=self._amount(r.placed, "placed"),
            control=self._by("control", self.kingdoms, self._seat),
            times=self._each("times", self._kingdom), kingdom=self._kingdom(r.kingdom, "kingdom"),
            second_pass=r.second_pass, region=self._region(r.region, "region"),
            armies=self._amount(r.armies, "armies"), fleets=self._amount(r.fleets, "fleets"),
            either=self._amount(r.either, "either"), led=self._amount(r.led, "led"),
            origins=self._by("origins", self.kingdoms, self._regions),
            route_deck=self._routes(r.route_deck, "route_deck"), route_bottom=self._bottom(),
            route_hands=self._sets("route_hands", self.names.route),
            routes_done=self._sets("routes_done", self.names.route), chosen=self._sets("chosen", self.names.route),
            asked=self._number(r.asked, self.names.route, "asked"), drawn=self._routes(r.drawn, "drawn"),
            kept=self._routes(r.kept, "kept"), pairs=self._amount(r.pairs, "pairs"), held=self._cards(r.held, "held"),
        )  # fmt: skip

    def _amount(self, value: int, where: str) -> int:
        if value not in AMOUNT:
            raise BadInput(f"{value}", where=f"position $.{where}", hint=f"0 to {AMOUNT[-1]}")
        return value

    def _seat(self, name: str | None, where: str) -> int:
        if name is not None and name not in self.seats:
            raise BadInput(
                f"unknown seat {name!r}", where=f"position $.{where}", hint=f"the seats are {', '.join(self.seats)}"
            )
        return self.seats.index(name) if name is not None else -1

    def _number(self, name: str | None, numbers: Mapping[str, int], where: str) -> int:
        if name is None:
            return -1
        if name not in numbers:
            raise BadInput(f"unknown {name!r}", where=f"position $.{where}", hint="things are named as in the pack")
        return numbers[name]

    def _kingdom(self, name: str | None, where: str) -> int:
        return self._number(name, {k: n for n, k in enumerate(self.kingdoms)}, where)

    def _region(self, name: str | None, where: str) -> int:
        return self._number(name, {k: n for n, k in enumerate(self.regions)}, where)

    def _regions(self, names: list[str], where: str) -> int:
        return self._set(names, {k: n for n, k in enumerate(self.regions)}, where)

    def _set(self, names: list[str], numbers: Mapping[str, int], where: str) -> int:
        mask = 0
        for n, name in enumerate(names):
            bit = 1 << self._number(name, numbers, f"{where}[{n}]")
            if mask & bit:
                raise BadInput(f"{name} stands twice", where=f"position $.{where}[{n}]")
            mask |= bit
        return mask

    def _cards(self, names: list[str], where: str) -> int:
        return self._set(names, self.names.card, where)

    def _routes(self, names: list[str], where: str) -> int:
        return self._set(names, self.names.route, where)

    def _by(self, field: str, keys: Sequence[str], read: Callable[[Any, str], int]) -> Ints:
        given = getattr(self.record, field)
        if set(given) != set(keys):
            raise BadInput(f"needs exactly {', '.join(keys)}", where=f"position $.{field}")
        return tuple(read(given[key], f"{field}.{key}") for key in keys)

    def _each(self, field: str, read: Callable[[Any, str], int]) -> Ints:
        return self._by(field, self.seats, read)

    def _sets(self, field: str, numbers: Mapping[str, int]) -> Ints:
        return self._by(field, self.seats, lambda names, where: self._set(names, numbers, where))

    def _pieces(self, field: str, keys: Sequence[str]) -> tuple[list[Ints], list[Ints]]:
        given = getattr(self.record, field)
        if set(given) != set(keys):
            raise BadInput(f"needs exactly {', '.join(keys)}", where=f"position $.{field}")
        cubes, heroes = [], []
        for key in keys:
            where = f"{field}.{key}"
            if len(given[key]) != len(self.seats):
                hint = f"[cubes, heroes] for each of {', '.join(self.seats)}"
                raise BadInput(f"{len(given[key])} pairs", where=f"position $.{where}", hint=hint)
            cubes.append(tuple(self._amount(c, where) for c, _ in given[key]))
            heroes.append(tuple(self._amount(h, where) for _, h in given[key]))
        return cubes, heroes

    def _bottom(self) -> tuple[tuple[int, int], ...]:
        found = []
        for n, (route, seat) in enumerate(self.record.route_bottom):
            where = f"route_bottom[{n}]"
            found.append((self._number(route, self.names.route, where), self._seat(seat, where)))
        return tuple(found)

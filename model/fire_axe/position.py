"""The position of Fire & Axe: an immutable value, and its record (canonical JSON values).

Decks are sets: the next card is any of those that lie face down, with equal chances, and so are the treasures
under the towns.  Nobody knows more about either, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.loading import convert
from lawspeaker.model.core.reading import RecordReader

from .actions import SEATS, Names
from .pack import GOODS

Phase = Literal[
    "flip", "deal", "die", "dice", "treasure", "drop", "main", "raid", "loss", "convert", "collect", "window", "over"
]
Back = Literal["main", "raid", "loss", "window"]
Ended = Literal["", "sagas", "tokens", "crew"]
CHANCE_PHASES = frozenset({"flip", "deal", "die", "dice", "treasure", "drop"})
WINTERING = 0
"""Number of the place where ships load; Homelands, waters and ports follow."""
Ints = tuple[int, ...]

FIELDS = (
    "phase", "turn", "seat", "vp", "places", "crew", "cargo", "supply", "stock", "demand", "token", "goods", "towns",
    "settlers", "axes", "small", "large", "unseen", "left", "face", "won", "discarded", "era", "second", "holder",
    "placed", "deck", "pile", "hands", "dial", "prep", "sailed", "days", "tasked", "chart_crew", "chart_goods",
    "covered", "rolls", "dice", "drawing", "back", "attack", "spare", "shelter", "doubled", "free", "offer",
    "played", "victim", "passes", "ended",
)  # fmt: skip


class Position(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for what follows.

    Amounts by seat, good or port are tuples; goods stand in the order Tusks, Fish, Furs.  Sets of ports, Sagas
    and runes are bits.  -1 stands for no seat, good, or Saga.
    """

    phase: Phase
    turn: int  # whose turn it is; -1 during setup
    seat: int  # who decides, or gets what chance deals; -1 if nobody
    vp: Ints
    places: Ints  # where each ship is
    crew: Ints  # aboard
    cargo: tuple[Ints, ...]  # goods aboard, by seat
    supply: Ints  # crew at home
    stock: Ints  # goods
    demand: int  # the good in demand
    token: bool  # whether a goods token lies on the Goods in Demand space
    goods: Ints  # the good in each port
    towns: int  # ports with a town
    settlers: Ints  # whose Settlement is in each port
    axes: Ints  # town figurines taken
    small: Ints  # values of the treasures still under small towns, ascending
    large: Ints
    unseen: int  # Sagas never turned up, those removed at setup among them
    left: Ints  # Sagas in the draw pile, by Era
    face: int  # Sagas in the Saga spaces
    won: Ints
    discarded: int  # Sagas that were met when turned up
    era: int
    second: bool  # whether the Second Era ever began
    holder: int  # who has the Final Round tokens
    placed: int  # Final Round tokens placed
    deck: int  # runes
    pile: int
    hands: Ints
    dial: int  # the zone under the blue hole, as a number in dial order
    prep: int
    sailed: int
    days: int  # Days that this turn has
    tasked: int  # ports in which a Task was tried this turn
    chart_crew: int  # on the Losses chart
    chart_goods: Ints
    covered: int  # skulls covered this turn
    rolls: int  # rolls made in a raid that goes on
    dice: int  # dice to be thrown in a settling
    drawing: int  # runes that an effect has yet to draw
    back: Back  # the phase to which an outcome of chance that a rune asked for leads back
    attack: int  # what each die of the next attack counts more
    spare: int  # failed dice of this turn that cost no crewmember
    shelter: int  # losses of this turn that cost nothing
    doubled: bool  # the next treasure pays twice
    free: int  # Sails of this turn that move no slider
    offer: int  # Sagas that may be collected just now
    played: int  # the rune whose effect goes on, not yet on the pile
    victim: int  # who loses a rune blindly
    passes: int  # seats in a row that used no rune in the window; -1 while there is none
    ended: Ended


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a record; see ``conformance/PROTOCOL.md`` for the meaning of each field."""

    phase: Phase
    turn: str | None
    seat: str | None
    vp: dict[str, int]
    places: dict[str, str]
    crew: dict[str, int]
    cargo: dict[str, list[int]]
    supply: dict[str, int]
    stock: list[int]
    demand: str | None
    token: bool
    goods: dict[str, str | None]
    towns: list[str]
    settlers: dict[str, str | None]
    axes: dict[str, int]
    small: list[int]
    large: list[int]
    unseen: list[str]
    left: list[int]
    face: list[str]
    won: dict[str, list[str]]
    discarded: list[str]
    era: Literal[1, 2, 3]
    second: bool
    holder: str | None
    placed: int
    deck: list[str]
    pile: list[str]
    hands: dict[str, list[str]]
    dial: Literal["North", "South", "East", "West"]
    prep: int
    sailed: int
    days: int
    tasked: list[str]
    chart_crew: int
    chart_goods: list[int]
    covered: int
    rolls: int
    dice: int
    drawing: int
    back: Back
    attack: int
    spare: int
    shelter: int
    doubled: bool
    free: int
    offer: list[str]
    played: str | None
    victim: str | None
    passes: int | None
    ended: Ended


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


def aboard(p: Position, seat: int) -> int:
    """Return how many crew and goods a ship carries."""
    return p.crew[seat] + sum(p.cargo[seat])


def _listed(mask: int, ids: Sequence[str]) -> list[str]:
    return [ids[n] for n in bits(mask)]


def _name(number: int, ids: Sequence[str]) -> str | None:
    return ids[number] if number >= 0 else None


def to_record(p: Position, names: Names, ports: int, zones: Sequence[str]) -> dict[str, Any]:
    """Return the position as plain JSON values, in the order of FIELDS; *ports* is the number of the first port."""
    seats, places = SEATS[: len(p.vp)], names.places[ports:]

    def each(values: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(seats, values, strict=True))

    def cards(values: Sequence[int], ids: Sequence[str]) -> dict[str, list[str]]:
        return {seat: _listed(mask, ids) for seat, mask in zip(seats, values, strict=True)}

    return {
        "phase": p.phase,
        "turn": _name(p.turn, SEATS), "seat": _name(p.seat, SEATS), "vp": each(p.vp),
        "places": each([names.places[place] for place in p.places]), "crew": each(p.crew),
        "cargo": {seat: list(goods) for seat, goods in zip(seats, p.cargo, strict=True)},
        "supply": each(p.supply), "stock": list(p.stock), "demand": _name(p.demand, GOODS), "token": p.token,
        "goods": {port: _name(good, GOODS) for port, good in zip(places, p.goods, strict=True)},
        "towns": _listed(p.towns, places),
        "settlers": {port: _name(seat, SEATS) for port, seat in zip(places, p.settlers, strict=True)},
        "axes": each(p.axes), "small": list(p.small), "large": list(p.large),
        "unseen": _listed(p.unseen, names.sagas), "left": list(p.left), "face": _listed(p.face, names.sagas),
        "won": cards(p.won, names.sagas), "discarded": _listed(p.discarded, names.sagas), "era": p.era,
        "second": p.second, "holder": _name(p.holder, SEATS), "placed": p.placed,
        "deck": _listed(p.deck, names.runes), "pile": _listed(p.pile, names.runes),
        "hands": cards(p.hands, names.runes), "dial": zones[p.dial], "prep": p.prep, "sailed": p.sailed,
        "days": p.days, "tasked": _listed(p.tasked, places), "chart_crew": p.chart_crew,
        "chart_goods": list(p.chart_goods), "covered": p.covered, "rolls": p.rolls, "dice": p.dice,
        "drawing": p.drawing, "back": p.back, "attack": p.attack, "spare": p.spare, "shelter": p.shelter,
        "doubled": p.doubled, "free": p.free, "offer": _listed(p.offer, names.sagas),
        "played": _name(p.played, names.runes), "victim": _name(p.victim, SEATS),
        "passes": None if p.passes < 0 else p.passes,
        "ended": p.ended,
    }  # fmt: skip


def from_record(record: Mapping[str, Any], names: Names, ports: int, zones: Sequence[str], players: int) -> Position:
    """Read a record; raises BadInput with the path of a malformed field."""
    given = convert(dict(record), Record, "position")
    r = RecordReader(SEATS[:players])
    places = names.places[ports:]
    port = {name: n for n, name in enumerate(places)}
    good = {name: n for n, name in enumerate(GOODS)}
    amount, counted = r.amount, r.counted

    def sets(field: str, numbers: Mapping[str, int]) -> Any:
        return r.each(getattr(given, field), lambda ids, where: r.bits(ids, numbers, where), field)

    def amounts(field: str) -> Any:
        return r.each(getattr(given, field), amount, field)

    return Position(
        phase=given.phase, turn=r.seat(given.turn, "turn"), seat=r.seat(given.seat, "seat"), vp=amounts("vp"),
        places=r.each(given.places, lambda name, where: r.number(name, names.place, where), "places"),
        crew=amounts("crew"), cargo=r.each(given.cargo, lambda g, where: counted(g, len(GOODS), where), "cargo"),
        supply=amounts("supply"), stock=counted(given.stock, len(GOODS), "stock"),
        demand=r.number(given.demand, good, "demand"), token=given.token,
        goods=r.by(given.goods, places, lambda name, where: r.number(name, good, where), "goods"),
        towns=r.bits(given.towns, port, "towns"), settlers=r.by(given.settlers, places, r.seat, "settlers"),
        axes=amounts("axes"), small=tuple(sorted(counted(given.small, len(given.small), "small"))),
        large=tuple(sorted(counted(given.large, len(given.large), "large"))),
        unseen=r.bits(given.unseen, names.saga, "unseen"), left=counted(given.left, 3, "left"),
        face=r.bits(given.face, names.saga, "face"), won=sets("won", names.saga),
        discarded=r.bits(given.discarded, names.saga, "discarded"), era=given.era, second=given.second,
        holder=r.seat(given.holder, "holder"), placed=amount(given.placed, "placed"),
        deck=r.bits(given.deck, names.rune, "deck"), pile=r.bits(given.pile, names.rune, "pile"),
        hands=sets("hands", names.rune), dial=list(zones).index(given.dial), prep=amount(given.prep, "prep"),
        sailed=amount(given.sailed, "sailed"), days=amount(given.days, "days"),
        tasked=r.bits(given.tasked, port, "tasked"), chart_crew=amount(given.chart_crew, "chart_crew"),
        chart_goods=counted(given.chart_goods, len(GOODS), "chart_goods"), covered=amount(given.covered, "covered"),
        rolls=amount(given.rolls, "rolls"), dice=amount(given.dice, "dice"), drawing=amount(given.drawing, "drawing"),
        back=given.back, attack=amount(given.attack, "attack"),
        spare=amount(given.spare, "spare"), shelter=amount(given.shelter, "shelter"), doubled=given.doubled,
        free=amount(given.free, "free"), offer=r.bits(given.offer, names.saga, "offer"),
        played=r.number(given.played, names.rune, "played"), victim=r.seat(given.victim, "victim"),
        passes=-1 if given.passes is None else amount(given.passes, "passes"), ended=given.ended,
    )  # fmt: skip

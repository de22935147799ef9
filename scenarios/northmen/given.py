"""The fields of a Northmen position that a scenario gives, read strictly, as numbers where that helps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import convert
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import MARCHING, PLANNING, RALLY, Record

Ints = tuple[int, ...]
Pieces = dict[int, list[tuple[int, int]]]
"""Cubes and Heroes of each seat, by number of the Kingdom or region."""

_FORM = msgspec.defstruct(
    "Fields",
    [(field.name, field.type | msgspec.UnsetType, msgspec.UNSET) for field in msgspec.structs.fields(Record)],
    forbid_unknown_fields=True,
)  # fmt: skip


class Given:
    """What is given, and what follows from it at once: round, phase, Leader, whose turn it is."""

    def __init__(self, game: NorthmenGame, fields: Mapping[str, Any]) -> None:
        self.game, self.tables, self.n = game, game.tables, game.players
        self.fields = dict(fields)
        convert(self.fields, _FORM, "position")
        self.round: int = fields.get("round", 1)
        if not 1 <= self.round <= 3:
            raise BadInput(f"round {self.round}", where="$.round", hint="1, 2 or 3")
        named = fields.get("leader", game.seats[(self.round - 1) % self.n])
        self.leader = self.seat_number(named, "$.leader")
        self.phase: str = fields.get("phase", self._phase())

    def _phase(self) -> str:
        marks = {"card": "hire", "region": "march", "kingdom": "delay", "asked": "complete", "held": "hold"}
        return next((phase for field, phase in marks.items() if self.fields.get(field)), "play")

    @cached_property
    def stage(self) -> str:
        """The part of the round: dealing, rally, marching, planning, over."""
        if self.phase == "turn":
            return "rally" if self.fields.get("card") else "dealing"
        parts = (("rally", RALLY), ("marching", MARCHING), ("planning", PLANNING), ("over", ("over",)))
        return next((name for name, phases in parts if self.phase in phases), "dealing")

    @cached_property
    def dealt(self) -> bool:
        """Whether the cards of the pack suffice for full hands; else hands hold what is given."""
        return len(self.tables.names.cards) >= self.game.hand_size * self.n

    def chair(self, seat: int) -> int:
        """Return how many places clockwise from the Leader a seat is."""
        return (seat - self.leader) % self.n

    def ruled(self, ruling: str, value: str) -> bool:
        """Say whether a ruling has this value."""
        return self.game.rulings[ruling] == value

    # -- names ------------------------------------------------------------------------------------------

    def seat_number(self, name: str, where: str) -> int:
        """Return the number of a seat; raises BadInput for a name that is none."""
        if name not in self.game.seats:
            raise BadInput(f"unknown seat {name!r}", where=where, hint=f"the seats are {', '.join(self.game.seats)}")
        return self.game.seat(name)

    def number(self, name: str, known: Mapping[str, int], where: str) -> int:
        """Return the number of a card, route or place; raises BadInput for a name that is none."""
        if name not in known:
            raise BadInput(f"unknown {name!r}", where=where, hint="things are named as in the pack")
        return known[name]

    def cards(self, names: Iterable[str], where: str) -> int:
        """Return cards as bits."""
        return sum({1 << self.number(name, self.tables.names.card, where) for name in names})

    def routes(self, names: Iterable[str], where: str) -> int:
        """Return routes as bits."""
        return sum({1 << self.number(name, self.tables.names.route, where) for name in names})

    def kingdom(self, name: str, where: str) -> int:
        """Return the number of a Kingdom."""
        return self.number(name, {k: n for n, k in enumerate(self.tables.kingdoms)}, where)

    def region(self, name: str, where: str) -> int:
        """Return the number of a region."""
        return self.number(name, {k: n for n, k in enumerate(self.tables.regions)}, where)

    # -- fields ------------------------------------------------------------------------------------------

    def one(self, field: str, read: Any) -> int:
        """Return a named thing as a number, -1 if none is given."""
        name = self.fields.get(field)
        return -1 if name is None else int(read(name, f"$.{field}"))

    def by_seat(self, field: str) -> dict[int, Any]:
        """Return a field by number of the seat, for the seats that are given."""
        return {self.seat_number(name, f"$.{field}"): value for name, value in self.fields.get(field, {}).items()}

    def card_sets(self, field: str) -> dict[int, int]:
        """Return sets of cards by seat, for the seats that are given."""
        return {seat: self.cards(ids, f"$.{field}") for seat, ids in self.by_seat(field).items()}

    def pieces(self, field: str) -> Pieces:
        """Return cubes and Heroes by place, for the places that are given."""
        read = self.kingdom if field == "kingdoms" else self.region
        found: Pieces = {}
        for name, value in self.fields.get(field, {}).items():
            if len(value) != self.n:
                raise BadInput(f"{len(value)} pairs", where=f"$.{field}.{name}", hint="[cubes, heroes] for each seat")
            found[read(name, f"$.{field}")] = [(cubes, heroes) for cubes, heroes in value]
        return found

    @cached_property
    def tokens(self) -> dict[int, int]:
        """Tokens by region, where given."""
        return {self.region(name, "$.tokens"): count for name, count in self.fields.get("tokens", {}).items()}

    @cached_property
    def control(self) -> dict[int, int]:
        """Who controls a Kingdom, -1 for nobody, where given."""
        found = {}
        for name, owner in self.fields.get("control", {}).items():
            seat = -1 if owner is None else self.seat_number(owner, f"$.control.{name}")
            found[self.kingdom(name, "$.control")] = seat
        return found

    @cached_property
    def times(self) -> dict[int, int]:
        """Kingdoms with Time Tokens by seat, -1 for none, where given."""
        return {
            seat: -1 if name is None else self.kingdom(name, "$.times") for seat, name in self.by_seat("times").items()
        }

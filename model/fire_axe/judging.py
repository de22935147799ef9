"""A position as those who judge actions and put effects into words look at it: the ship on turn and where it is."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from .pack import PortData
from .position import Position

if TYPE_CHECKING:
    from .game import FireAxeGame


class Scene:
    """The ship on turn, its place and load, read off the position and the pack."""

    def __init__(self, game: FireAxeGame, position: Position) -> None:
        self.game, self.p, self.pack, self.law = game, position, game.pack, game.law
        self.seat = position.turn
        self.place = position.places[self.seat]
        self.crew, self.items = position.crew[self.seat], position.crew[self.seat] + sum(position.cargo[self.seat])
        self.spent = position.prep + position.sailed
        self.wintering = self.place == 0
        self.at_home = 0 < self.place <= len(self.pack.homelands)
        self.number = self.place - 1 - len(self.pack.homelands) - len(self.pack.waters)
        """The number of the port, negative elsewhere."""

    def ruling(self, name: str) -> str:
        """Return the choice of a ruling."""
        return self.game.rulings[name]

    @cached_property
    def capacity(self) -> int:
        """Slots of a ship in this Era."""
        size: int = self.law.capacity(self.p.era, self.p.second, self.ruling("R_SLOTS"))
        return size

    @property
    def slots(self) -> int:
        """Slots that are free."""
        return self.capacity - self.items

    @property
    def trapped(self) -> bool:
        """Whether the ship has no crew and can get none this turn."""
        return bool(self.law.trapped(self.crew, self.slots, self.p.days - self.spent))

    @cached_property
    def port(self) -> PortData | None:
        """The port that the ship is in."""
        return self.port_at(self.place)

    def port_at(self, place: int) -> PortData | None:
        """Return the port with this number as a place."""
        number = place - 1 - len(self.pack.homelands) - len(self.pack.waters)
        return self.pack.ports[number] if number >= 0 else None

    def place_name(self, place: int) -> str:
        """Return the id of a place."""
        return self.game.tables.names.places[place]

    def adjacent(self, place: int) -> bool:
        """Say whether a place lies beside the ship's on the map."""
        pair = {self.place_name(self.place), self.place_name(place)}
        return any({one, other} == pair for one, other in self.pack.edges)

    @cached_property
    def region(self) -> tuple[int, ...]:
        """The other ports of the port's region, by number."""
        if self.port is None or self.port.region is None:
            return ()
        return tuple(n for n, p in enumerate(self.pack.ports) if p.region == self.port.region and n != self.number)

    @cached_property
    def independent(self) -> tuple[int, ...]:
        """The other independent ports, if this is one."""
        if self.port is None or self.port.region is not None:
            return ()
        return tuple(n for n, p in enumerate(self.pack.ports) if p.region is None and n != self.number)

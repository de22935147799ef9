"""What the checks of one look at a Fire & Axe position share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Fact

from .pack import Attack, FreeSail
from .position import Position, bits
from .sagas import met

if TYPE_CHECKING:
    from .game import FireAxeGame

Found = Iterator[tuple[Fact, ...]]
CREW, HAND = 15, 3


class Table:
    """A position with what the checks of one look share; sets of ports and Sagas are bits."""

    def __init__(self, game: FireAxeGame, position: Position) -> None:
        self.game, self.position, self.n = game, position, game.players

    def ruled(self, ruling: str, value: str) -> bool:
        """Say whether a ruling has this value."""
        return self.game.rulings[ruling] == value

    @cached_property
    def capacity(self) -> int:
        """Slots of a ship in this Era."""
        p = self.position
        size: int = self.game.law.capacity(p.era, p.second, self.game.slots_ruling)
        return size

    @cached_property
    def port(self) -> int:
        """The port of the ship on turn; negative if it is in none."""
        p = self.position
        return p.places[p.turn] - self.game.tables.first_port if p.turn >= 0 else -1

    def met(self, sagas: int) -> int:
        """Return those Sagas that are met."""
        return met(self.game, self.position, sagas)

    def port_names(self, ports: int) -> tuple[str, ...]:
        """Return the ids of ports."""
        tables = self.game.tables
        return tuple(tables.names.places[tables.first_port + port] for port in bits(ports))

    def saga_names(self, sagas: int) -> tuple[str, ...]:
        """Return the ids of Sagas."""
        return tuple(self.game.tables.names.sagas[saga] for saga in bits(sagas))

    @cached_property
    def free_sails(self) -> tuple[FreeSail, ...]:
        """The effects of the pack that move a ship without moving a slider."""
        return tuple(e for rune in self.game.tables.runes for e in rune.effects if isinstance(e, FreeSail))

    @cached_property
    def most_attack(self) -> int:
        """The most that runes of the pack add to a die."""
        return sum(e.plus for rune in self.game.tables.runes for e in rune.effects if isinstance(e, Attack))

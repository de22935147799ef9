"""Turning the names of a well-formed record into numbers and sets, with one message for what cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import BadInput

AMOUNT = range(1000)
"""What an amount in a record may be; a position with more than there are pieces is read, and then refused."""


class RecordReader:
    """Reads parts of a position's record; every method raises BadInput with the path of what is wrong."""

    def __init__(self, seats: Sequence[str]) -> None:
        self.seats = tuple(seats)
        self._seat = {name: n for n, name in enumerate(self.seats)}

    def amount(self, value: int, where: str) -> int:
        """Return an amount, which is 0 to 999."""
        if value not in AMOUNT:
            raise BadInput(f"{value}", where=f"position $.{where}", hint=f"0 to {AMOUNT[-1]}")
        return value

    def seat(self, name: str | None, where: str) -> int:
        """Return a seat by number, -1 for none."""
        if name is not None and name not in self._seat:
            hint = f"the seats are {', '.join(self.seats)}"
            raise BadInput(f"unknown seat {name!r}", where=f"position $.{where}", hint=hint)
        return self._seat[name] if name is not None else -1

    def number(self, name: str | None, numbers: Mapping[str, int], where: str) -> int:
        """Return a thing by number, -1 for none."""
        if name is None:
            return -1
        if name not in numbers:
            raise BadInput(f"unknown {name!r}", where=f"position $.{where}", hint="things are named as in the pack")
        return numbers[name]

    def bits(self, names: Sequence[str], numbers: Mapping[str, int], where: str) -> int:
        """Return a set of things as bits; none may stand twice."""
        mask = 0
        for n, name in enumerate(names):
            bit = 1 << self.number(name, numbers, f"{where}[{n}]")
            if mask & bit:
                raise BadInput(f"{name} stands twice", where=f"position $.{where}[{n}]")
            mask |= bit
        return mask

    def by(self, given: Mapping[str, Any], keys: Sequence[str], read: Callable[[Any, str], Any], where: str) -> Any:
        """Return what *read* makes of each of the values, in the order of the *keys*, which must all be there."""
        if set(given) != set(keys):
            raise BadInput(f"needs exactly {', '.join(keys)}", where=f"position $.{where}")
        return tuple(read(given[key], f"{where}.{key}") for key in keys)

    def each(self, given: Mapping[str, Any], read: Callable[[Any, str], Any], where: str) -> Any:
        """Return what *read* makes of each seat's value, by seat."""
        return self.by(given, self.seats, read, where)

    def counted(self, given: Sequence[int], length: int, where: str) -> tuple[int, ...]:
        """Return so many amounts."""
        if len(given) != length:
            raise BadInput(f"{len(given)} amounts", where=f"position $.{where}", hint=f"{length} are needed")
        return tuple(self.amount(value, f"{where}[{n}]") for n, value in enumerate(given))

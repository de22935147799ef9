"""Rulings: named choices where a rulebook contradicts itself, is ambiguous, or is silent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType

import msgspec

from .errors import BadInput


class Choice(msgspec.Struct, frozen=True):
    """One value of a ruling and what it means at the table."""

    value: str
    means: str


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named choice: its question, the clauses it touches, its values (default first), the reason."""

    id: str
    question: str
    kind: str  # gap, ambiguity, contradiction
    clauses: tuple[str, ...]
    choices: tuple[Choice, ...]
    reason: str
    changes_invariants: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        """The value taken where nobody chooses."""
        return self.choices[0].value

    @property
    def values(self) -> tuple[str, ...]:
        """All values, default first."""
        return tuple(choice.value for choice in self.choices)


class RulingBook(msgspec.Struct, frozen=True):
    """All rulings of one game, in catalogue order."""

    rulings: tuple[Ruling, ...]

    def __getitem__(self, name: str) -> Ruling:
        for ruling in self.rulings:
            if ruling.id == name:
                return ruling
        known = ", ".join(r.id for r in self.rulings)
        raise BadInput(f"unknown ruling {name!r}", where="rulings", hint=f"known are {known}")

    def choose(self, chosen: Mapping[str, str] | None = None) -> Rulings:
        """Return a complete choice: *chosen*, and the default everywhere else.

        Raises BadInput for an unknown ruling or value.
        """
        chosen = chosen or {}
        for name, value in chosen.items():
            if value not in self[name].values:
                raise BadInput(
                    f"unknown value {value!r} of {name}",
                    where="rulings",
                    hint=f"its values are {', '.join(self[name].values)}",
                )
        return Rulings({r.id: chosen.get(r.id, r.default) for r in self.rulings})

    def parse(self, words: Iterable[str]) -> Rulings:
        """Read choices written ``R_NAME=value``; see ``choose``."""
        return self.choose(self.named(words))

    def named(self, words: Iterable[str]) -> dict[str, str]:
        """Return only the choices that *words* name; raises BadInput for one that is wrong or named twice."""
        chosen: dict[str, str] = {}
        for word in words:
            name, equals, value = (part.strip() for part in word.partition("="))
            if not equals:
                raise BadInput(f"{word!r} is no ruling", where="rulings", hint="write R_NAME=value")
            if name in chosen:
                raise BadInput(f"{name} is chosen twice", where="rulings", hint="choose one value of each ruling")
            chosen[name] = value
        self.choose(chosen)
        return chosen

    def singles(self) -> Iterator[Rulings]:
        """Yield the default choice, then each other value of each ruling alone."""
        yield self.choose()
        for ruling in self.rulings:
            for value in ruling.values[1:]:
                yield self.choose({ruling.id: value})

    def pairs(self) -> Iterator[Rulings]:
        """Yield each pair of non-default values of two different rulings, all else default."""
        for one, two in combinations(self.rulings, 2):
            for first in one.values[1:]:
                for second in two.values[1:]:
                    yield self.choose({one.id: first, two.id: second})


class Rulings(Mapping[str, str]):
    """A complete, immutable choice of values; keys are ruling ids in catalogue order."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = MappingProxyType(dict(values))

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rulings) and dict(self) == dict(other)

    def __repr__(self) -> str:
        return f"Rulings({self.text()})"

    def text(self) -> str:
        """All choices as ``R_NAME=value`` words."""
        return " ".join(f"{name}={value}" for name, value in self.items())

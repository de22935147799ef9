"""The clause catalogue: every normative statement of a rulebook, in our own words, with a stable id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from .errors import BadInput
from .loading import load_yaml
from .rulings import Ruling, RulingBook

Kind = Literal["rule", "definition", "component", "advice", "variant", "ours"]


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One statement: id, heading it stands under, kind, own words, and what it only says again.

    ``breach`` puts a broken clause into words and ``effect`` an applied one; both are templates
    over the facts' names (``str.format``).  ``unchecked`` is the reason why a clause needs no
    coverage (a component that only a box can show, advice).
    """

    id: str
    heading: str
    kind: Kind
    text: str
    restates: tuple[str, ...] = ()
    breach: str = ""
    effect: str = ""
    unchecked: str = ""


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All clauses and rulings of one rulebook; ``version`` rises when a statement or default changes."""

    format: Literal["lawspeaker-clauses/1"]
    game: str
    title: str
    version: int
    clauses: tuple[Clause, ...]
    rulings: tuple[Ruling, ...] = ()

    def __getitem__(self, clause_id: str) -> Clause:
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        raise BadInput(f"unknown clause {clause_id!r}", where=f"{self.game} catalogue")

    def __contains__(self, clause_id: object) -> bool:
        return any(clause.id == clause_id for clause in self.clauses)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    @property
    def book(self) -> RulingBook:
        """The rulings as a book to choose from."""
        return RulingBook(self.rulings)

    def normative(self) -> tuple[Clause, ...]:
        """The clauses that oblige, forbid, permit or define play (kind ``rule``)."""
        return tuple(clause for clause in self.clauses if clause.kind == "rule")

    def group(self, clause_id: str) -> frozenset[str]:
        """The clause with every other that says the same thing (linked by ``restates``)."""
        found = {clause_id}
        while True:
            more = {
                c.id
                for c in self.clauses
                if c.id in found or found & set(c.restates)
            } | {r for c in self.clauses if c.id in found for r in c.restates}
            if more <= found:
                return frozenset(found)
            found |= more


def load_catalogue(path: Path) -> Catalogue:
    """Read a catalogue file; raises BadInput with the place of any mistake."""
    catalogue = load_yaml(path, Catalogue)
    seen: set[str] = set()
    for clause in catalogue.clauses:
        if clause.id in seen:
            raise BadInput(f"clause {clause.id} stands twice", where=str(path))
        seen.add(clause.id)
    for clause in catalogue.clauses:
        for other in clause.restates:
            if other not in seen:
                raise BadInput(f"{clause.id} restates unknown clause {other}", where=str(path))
    for ruling in catalogue.rulings:
        for other in ruling.clauses:
            if other not in seen:
                raise BadInput(f"{ruling.id} names unknown clause {other}", where=str(path))
    return catalogue

"""Packs: component data apart from the rules, with the provenance of every figure."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .canonical import digest

Provenance = Literal["rulebook", "derived", "estimated"]


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a figure of a pack comes from."""

    figure: str
    provenance: Provenance
    note: str = ""


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all packs have; each game extends it with its own components.

    ``complete`` is false for a cut of a box made for one scenario; counts are then not demanded.
    """

    format: str
    game: str
    id: str
    title: str
    complete: bool = True
    provenance: Provenance = "estimated"
    sources: tuple[Source, ...] = ()

    @property
    def digest(self) -> str:
        """The digest of the pack's canonical form."""
        plain: Any = msgspec.to_builtins(self)
        return digest(plain)


class Complaint(msgspec.Struct, frozen=True):
    """What does not fit in a pack: the clause or format rule, where, what, and what would be right."""

    clause: str
    where: str
    what: str
    hint: str = ""


class Note(msgspec.Struct, frozen=True):
    """What can be worked out of a pack and is worth knowing, though it is no mistake.

    ``what`` is looked at, ``verdict`` is one word or number, ``said`` are the figures behind it.
    """

    what: str
    verdict: str
    said: str = ""

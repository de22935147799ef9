"""What a conformance run found, as plain records."""

from __future__ import annotations

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.records import CaseResult, Stamp

from .asked import never
from .fingerprint import Followed

FAILED = ("fail", "no answer", "error", "unexpected pass")


def stamp_of(game: AnyGame, seed: int) -> Stamp:
    """Return what a run with a game and a seed is made with."""
    pack = game.pack
    return Stamp(
        game.id, game.catalogue.version, pack.id, pack.digest, pack.provenance, dict(game.rulings), seed
    )  # fmt: skip


class Cause(msgspec.Struct, frozen=True):
    """Failures of one sort: the first of them, and ``LAYER/ID`` of all that failed in the same way."""

    first: CaseResult
    cases: tuple[str, ...]


class Report(msgspec.Struct, frozen=True):
    """What a run found.  ``checked`` counts compared operations, ``calls`` the messages sent."""

    stamp: Stamp
    subject: str
    level: int
    mode: str
    cases: tuple[CaseResult, ...]
    fingerprint: tuple[Followed, ...]
    not_compared: tuple[str, ...]
    checked: int
    calls: int
    starts: int
    reference: str = ""
    """The name of a foreign reference; empty where the reference is the model."""
    asked: dict[str, int] = {}
    """How often the subject was asked about each clause (see ``asked``); empty with a foreign reference."""
    players: int = 0
    """How many play; 0 in a report of an older version."""

    @property
    def never_asked(self) -> tuple[str, ...]:
        """The clauses that are rules and about which the subject was never asked."""
        return never(self.asked)

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        """The cases that are not as they should be."""
        return tuple(c for c in self.cases if c.verdict in FAILED)

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The failures, those of one sort together."""
        alike: dict[str, list[CaseResult]] = {}
        for case in self.failures:
            alike.setdefault(case.same_as or f"{case.layer}/{case.id}", []).append(case)
        return tuple(Cause(found[0], tuple(f"{c.layer}/{c.id}" for c in found)) for found in alike.values())

    @property
    def exit_code(self) -> int:
        """0 all as expected, 1 something failed, 3 nothing could be checked, 4 the reference is at fault."""
        if any(c.blame == "reference" for c in self.cases):
            return 4
        if not self.checked:
            return 3
        return 1 if self.failures else 0

"""The form of a scenario file: what is given, what is done, and what must then be so.

A file holds ``cases``, a list.  ``given`` sets the table, ``when`` lists actions in canonical text,
``then`` says what must be so after them.  ``per choice`` says what differs under other rulings: its
keys are ``R_NAME=value`` words, its values are laid over ``then`` (and may bring a ``when`` of their own).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.packs import Pack

FORMAT = "lawspeaker-scenarios/1"


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record in which a key that nobody knows is a mistake."""


class Try(Strict, frozen=True):
    """An action and who takes it; without ``by`` it is whoever is next."""

    do: str
    by: str = ""


class Refusal(Strict, frozen=True):
    """An action that must be refused: exactly these clauses are broken, with at least these facts."""

    do: str
    clauses: tuple[str, ...]
    by: str = ""
    facts: dict[str, Any] = {}


class Line(Strict, frozen=True):
    """One line of a score's breakdown."""

    seat: str
    label: str
    points: int
    clause: str


class Score(Strict, frozen=True):
    """What the result must be: sums by seat, and where given every line of the breakdown."""

    sums: dict[str, int]
    lines: tuple[Line, ...] | None = None


class Expect(Strict, frozen=True):
    """What must be so after the actions; what is not mentioned is not looked at.

    ``legal`` is the exact set, ``kinds`` the exact set of kinds of action among it, ``count`` its size.
    ``position`` and ``view`` name fields of the record (mappings may be partial, lists are exact).
    ``unreadable`` are texts that are no action at all; ``invariants`` those that the given position
    breaks; ``complaints`` the clauses the audit finds broken in the pack.  ``unbuildable`` are words of the
    message with which a game is refused whose pack breaks what the rulings demand: then nothing is played.
    """

    legal: tuple[str, ...] | None = None
    legal_includes: tuple[str, ...] | None = None
    legal_excludes: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    count: int | None = None
    refused: tuple[Refusal, ...] | None = None
    unreadable: tuple[str, ...] | None = None
    position: dict[str, Any] | None = None
    view: dict[str, dict[str, Any]] | None = None
    actor: str | None = None
    score: Score | None = None
    winners: tuple[str, ...] | None = None
    reason: str | None = None
    invariants: tuple[str, ...] | None = None
    complaints: tuple[str, ...] | None = None
    unbuildable: str | None = None


class Variant(Expect, frozen=True):
    """An expectation under another choice of rulings, with actions of its own where they must differ."""

    when: tuple[str | Try, ...] | None = None


class Given(Strict, frozen=True):
    """The table: a pack (``default``, the name of a pack file of the game, or the pack itself), rulings, position.

    ``position`` has the fields that matter, the game fills in the rest; ``start`` is the beginning of a game.
    """

    pack: str | dict[str, Any] = "default"
    players: int | None = None
    rulings: dict[str, str] = {}
    position: dict[str, Any] | None = None
    start: bool = False


class CaseData(Strict, frozen=True):
    """One case as its file has it."""

    id: str
    title: str
    heading: str
    clauses: tuple[str, ...]
    given: Given
    then: dict[str, Any]
    when: tuple[str | Try, ...] = ()
    per_choice: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict, name="per choice")
    worked_example: bool = False
    finding: str = ""


class File(Strict, frozen=True):
    """A scenario file."""

    format: Literal["lawspeaker-scenarios/1"]
    game: str
    cases: tuple[CaseData, ...]


class Choice(msgspec.Struct, frozen=True):
    """A case under one complete choice of rulings, ready to run.

    ``words`` are the choices that matter (empty: the case's own), ``record`` is the complete position
    from which it starts, None for the beginning of a game.
    """

    words: str
    rulings: Mapping[str, str]
    record: dict[str, Any] | None
    when: tuple[Try, ...]
    expect: Expect


class Case(msgspec.Struct, frozen=True):
    """A checked case: its data, where it stands, its pack, and each choice of rulings it speaks about."""

    data: CaseData
    where: str
    pack: Pack
    choices: tuple[Choice, ...]

    @property
    def id(self) -> str:
        """The id, never used twice."""
        return self.data.id

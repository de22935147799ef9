"""Faults of second order: two planted together, so that one may hide the other.

Ends of the game and rules on several ways are where single faults teach least: a trigger that is missing
shows at once, but not where a second one is wrong too.  Most pairs therefore begin with one of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput

from .faults import Fault
from .session import Session

PAIRED = "+"
"""Stands between the ids of the two faults of a pair."""
FIRST = ("END", "PATH")
"""The classes of which the first fault of three pairs in four is."""
_TRIES = 200


def draw_pairs(faults: Sequence[Fault], seed: int, count: int) -> tuple[Fault, ...]:
    """Draw so many pairs of faults by seed, before any check has run; fewer where there are not so many.

    The second fault is of the same part of the book or of the same class as the first in every other pair,
    since those two have most to do with each other.
    """
    random = Random(f"pairs {seed}")
    found: dict[str, Fault] = {}
    for _ in range(_TRIES * count):
        n = len(found)
        if n == count:
            break
        wanted = FIRST[n % 2] if n % 4 < 3 else ""
        firsts = [f for f in faults if f.fault_class == wanted] or list(faults)
        one = random.choice(firsts)
        near = [f for f in faults if _chapter(f) == _chapter(one) or f.fault_class == one.fault_class]
        two = random.choice(near if n % 2 else list(faults))
        if fit(one, two) and _name(two, one) not in found:
            pair = together(one, two)
            found.setdefault(pair.id, pair)
    return tuple(found.values())


def _chapter(fault: Fault) -> str:
    return fault.clause.rpartition("-")[0]


def _name(one: Fault, two: Fault) -> str:
    return f"{one.id}{PAIRED}{two.id}"


def fit(one: Fault, two: Fault) -> bool:
    """Say whether two faults can be planted together: neither may put the other's change out."""
    if one.id == two.id or one.parts or two.parts:
        return False
    if one.session is not Session and two.session is not Session:
        return False
    return not one.changes & two.changes


def together(one: Fault, two: Fault) -> Fault:
    """Return both faults as one, of the class of the first."""

    def build(game: AnyGame) -> AnyGame:
        return two.build(one.build(game))

    session = one.session if one.session is not Session else two.session
    return Fault(
        _name(one, two), f"{one.operator}{PAIRED}{two.operator}", one.fault_class, one.clause,
        f"{one.what}; {two.what}", build, session, one.mechanical and two.mechanical, parts=(one, two),
    )  # fmt: skip


def named(known: Mapping[str, Fault], name: str) -> Fault:
    """Return a fault, or a pair of them, by its id; raises BadInput."""
    parts = name.split(PAIRED)
    for part in parts:
        if part not in known:
            raise BadInput(f"unknown fault {part!r}", hint="--count 1000 --json names them all")
    if len(parts) == 1:
        return known[name]
    one, two = known[parts[0]], known[parts[1]]
    if len(parts) != 2 or not fit(one, two):
        raise BadInput(f"the faults {name!r} cannot be planted together", hint="two that change different things")
    return together(one, two)

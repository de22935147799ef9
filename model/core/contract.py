"""The contract every game keeps: pure functions over an immutable position.

A ``Game`` is one rulebook made playable: a pack (component data), a complete choice of rulings, a
number of players and a law (the table of rule functions).  It holds no state of play; every method
is a function of its arguments.  Everything else in this project (properties, scenarios, referee,
reports) sees games through this class only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Generic, TypeVar

import msgspec

from .canonical import digest
from .clauses import Catalogue
from .law import Law
from .packs import Pack
from .rulings import Rulings

P = TypeVar("P")
A = TypeVar("A")

CHANCE = -1
"""What ``actor`` returns when an outcome of chance is next."""
OVER = -2
"""What ``actor`` returns when the game has ended."""

Value = str | int | bool | None | tuple[Any, ...]


class Fact(msgspec.Struct, frozen=True):
    """A named value that a breach or an effect rests on; cells and segments are their texts."""

    name: str
    value: Value


class Breach(msgspec.Struct, frozen=True):
    """A broken clause (or invariant) with its facts."""

    clause: str
    facts: tuple[Fact, ...] = ()

    def fact(self, name: str) -> Value:
        """Return the value of the fact called *name*; raises KeyError if there is none."""
        return {f.name: f.value for f in self.facts}[name]


class Effect(msgspec.Struct, frozen=True):
    """A clause whose condition was true when an action was applied, with its facts."""

    clause: str
    facts: tuple[Fact, ...] = ()


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of a score's breakdown: seat index, what for, points, and the clause it rests on."""

    seat: int
    label: str
    points: int
    clause: str


class Result(msgspec.Struct, frozen=True):
    """Scores by seat index, their breakdown, and the winners (empty until the game is over)."""

    scores: tuple[int, ...]
    lines: tuple[ScoreLine, ...]
    winners: tuple[int, ...]
    reason: str = ""


def facts(**values: Value) -> tuple[Fact, ...]:
    """Return facts in the order written."""
    return tuple(Fact(name, value) for name, value in values.items())


class Game(ABC, Generic[P, A]):
    """One game made playable.  ``P`` is its position, ``A`` its action; both are immutable."""

    id: str
    catalogue: Catalogue
    pack: Pack
    rulings: Rulings
    law: Law
    seats: tuple[str, ...]
    """Names of the seats, by index; these names stand in records, traces and messages."""
    fields: tuple[str, ...]
    """Names of the top-level fields of a position's record, in order."""
    invariants: tuple[str, ...]
    """Ids of the invariants that ``broken_invariants`` can name."""

    # -- play ---------------------------------------------------------------------------------

    @abstractmethod
    def start(self) -> P:
        """Return the position from which a game begins."""

    @abstractmethod
    def actor(self, position: P) -> int:
        """Return the seat index whose decision is next, or ``CHANCE``, or ``OVER``."""

    @abstractmethod
    def legal(self, position: P) -> tuple[A, ...]:
        """Return all legal actions in canonical order; outcomes at chance; empty when over."""

    @abstractmethod
    def odds(self, position: P) -> tuple[Fraction, ...]:
        """Return the probabilities of ``legal(position)`` at a chance position, in its order."""

    @abstractmethod
    def apply(self, position: P, action: A) -> P:
        """Return the position after a legal *action*; undefined for an illegal one."""

    @abstractmethod
    def breaches(self, position: P, action: A, by: int | None = None) -> tuple[Breach, ...]:
        """Return each clause that *action*, tried by seat *by* (default: the actor), would break.

        Empty exactly for the legal actions.  Works from the bare position, not from caches.
        """

    @abstractmethod
    def effects(self, position: P, action: A) -> tuple[Effect, ...]:
        """Return the clauses at work in applying a legal *action*, with their worked facts."""

    @abstractmethod
    def touched(self, position: P, action: A, after: P) -> tuple[str, ...]:
        """Return the ids of ``effects``, fast; *after* is ``apply(position, action)``.

        For counters: the tuple is one of a few constants wherever possible.
        """

    @abstractmethod
    def alphabet(self, position: P) -> Iterable[A]:
        """Yield every action somebody could try here, legal or not, in a fixed order, each once."""

    @abstractmethod
    def observe(self, position: P, seat: int) -> dict[str, Any]:
        """Return what the seat may see, as a record; the same for worlds that differ in secrets."""

    @abstractmethod
    def result(self, position: P) -> Result:
        """Return scores with breakdown, and the winners once the game is over."""

    @abstractmethod
    def appeal(self, view: Mapping[str, Any], actions: Sequence[A]) -> Sequence[float]:
        """Return how good each action looks to the *sensible* policy, from a view alone."""

    # -- text and records -----------------------------------------------------------------------

    @abstractmethod
    def text(self, action: A) -> str:
        """Return the one canonical text of an action."""

    @abstractmethod
    def parse(self, text: str) -> A:
        """Read an action's canonical text; raises BadInput saying what would be right."""

    @abstractmethod
    def kind(self, action: A) -> str:
        """Return the action's kind, one word, for coverage."""

    @abstractmethod
    def sees(self, position: P, action: A) -> tuple[int, ...]:
        """Return the seats, ascending, that learn which *action* is applied to *position*.

        Of an outcome of chance this may be anybody or nobody.  A player's action is seen by all seats
        unless the game hides it (a commit, a secret choice); the seat that acts always sees its own.
        That something was done, and by whom, every seat learns all the same.
        """

    @abstractmethod
    def record(self, position: P) -> dict[str, Any]:
        """Return the position as plain JSON values, sorted so that equal positions are equal."""

    @abstractmethod
    def position(self, record: Mapping[str, Any]) -> P:
        """Read a record; raises BadInput with the path of a malformed field.

        A well-formed record that breaks an invariant is read; ``broken_invariants`` names which.
        """

    @abstractmethod
    def broken_invariants(self, position: P) -> tuple[Breach, ...]:
        """Return the invariants (and clauses) this position breaks; empty for a valid one."""

    @abstractmethod
    def varied(self, *, pack: Pack | None = None, rulings: Rulings | None = None, law: Law | None = None) -> Game[P, A]:
        """Return the same game with another pack, choice of rulings, or law."""

    # -- hidden and compound decisions (a game without them changes nothing here) ---------------------

    def worlds(self, position: P, seat: int, random: Random) -> P:
        """Return another position that *seat* cannot tell from this one: what is hidden from it is drawn anew.

        Every such position can come up, and breaks no invariant.  By default nothing is hidden, and
        it is the position itself.
        """
        return position

    def commits(self, position: P) -> bool:
        """Tell whether the decision here is one seat's part of a simultaneous choice.

        The seats are asked one after the other, in an order of the game's own, each for all its parts
        in a row, but none learns what another chose, nor what it could choose from, until all have.
        """
        return False

    def reveals(self, position: P, action: A) -> bool:
        """Tell whether a legal *action* shows a seat what was hidden from it and is not named by the action.

        By default the last of simultaneous choices does, as all are turned up then.  A game in which other
        things come to light (covered cards, say, when they come to be counted) names these steps too.
        """
        return self.commits(position) and not self.commits(self.apply(position, action))

    def inside(self, position: P) -> bool:
        """Tell whether the decision here goes on with a compound decision that the same seat began before.

        For example the next region of one march.  False at the first part of a compound decision, at
        every decision that is not part of one, at chance and when the game is over.
        """
        return False

    def expand(self, position: P, text: str) -> tuple[A, ...] | None:
        """Read a compound text as the series of actions that it stands for here; None if it is no such text.

        A compound text is one line for a whole compound decision; ``parse`` never reads it as an action,
        and this never reads an action's text.  Whether a text is one is the same at every position, also
        where it cannot be meant.  Raises BadInput if it begins like one and is malformed, not canonical,
        or stands for no series that is possible here.
        """
        return None

    def compound(self, position: P, actions: Sequence[A]) -> str | None:
        """Return the compound text of *actions*, a legal series of the actor's from *position* on.

        None if they are not one whole compound decision, from its first part to its last.
        """
        return None

    # -- symmetry (a game without one changes nothing here) --------------------------------------------

    def permuted(self, position: P, order: Sequence[int]) -> P | None:
        """Return the position with the seats in other places: what belonged to seat *n* belongs to ``order[n]``.

        Everything goes along, also who is next and in which order turns pass, so that play from there is the
        same play by other seats, with the actions that ``permuted_action`` gives.  None where the game is not
        the same for the seats so ordered; by default it never is.
        """
        return None

    def permuted_action(self, action: A, order: Sequence[int]) -> A:
        """Return what *action* is after ``permuted``; by default no action names a seat, and it is the same."""
        return action

    def has_compounds(self) -> bool:
        """Tell whether this game has compound texts: whether it says how to write them."""
        return type(self).compound is not Game.compound

    def recast(self, kind: type[Any]) -> Game[P, A]:
        """Return the same game as an object of another class: a variant that overrides a method."""
        made: Game[P, A] = kind(self.catalogue, self.pack, self.rulings, self.law)
        return made

    # -- shared ---------------------------------------------------------------------------------

    def digest(self, position: P) -> str:
        """Return the digest of the position's canonical record."""
        return digest(self.record(position))

    def seat(self, name: str) -> int:
        """Return the index of a seat by name; raises ValueError for an unknown one."""
        return self.seats.index(name)

    def actor_name(self, position: P) -> str:
        """Return the actor as text: a seat's name, ``chance`` or ``over``."""
        actor = self.actor(position)
        return {CHANCE: "chance", OVER: "over"}.get(actor) or self.seats[actor]

    def words(self, item: Breach | Effect) -> str:
        """Put a breach or an effect into words with the catalogue's template and its facts."""
        if item.clause not in self.catalogue:
            named = ", ".join(f"{f.name} {plain(f.value)}" for f in item.facts)
            return f"{item.clause}: {named}" if named else item.clause
        clause = self.catalogue[item.clause]
        template = (clause.breach if isinstance(item, Breach) else clause.effect) or clause.text
        return template.format_map({f.name: plain(f.value) for f in item.facts})


def plain(value: Value) -> str:
    """Return a fact's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ", ".join(plain(item) for item in value) or "none"
    return str(value)


AnyGame = Game[Any, Any]

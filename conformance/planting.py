"""How faults are planted in a game: a rule or a method changed by a mutant, a ruling ignored, a class put in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Step

from .faults import Fault, Site
from .match import Op
from .mutation import Mutation, mutations
from .session import Session

Build = Callable[[AnyGame], AnyGame]


def mechanical_faults(
    game: AnyGame, rule_classes: Mapping[str, str], methods: Mapping[str, tuple[str, str]]
) -> tuple[Fault, ...]:
    """Return every mechanical mutant of the labelled rules and of the listed methods of a game's class.

    *rule_classes* gives the class of fault by a rule's name, *methods* the clause and the class by a
    method's name.
    """
    found = [
        _law_fault(name, n, entry.clauses[0], rule_classes.get(name, "LEG+"), mutation, entry.function)
        for name, entry in game.law.rules.items()
        for n, mutation in enumerate(mutations(entry.function))
    ]
    for name, (clause, fault_class) in methods.items():
        made = mutations(getattr(type(game), name), updates=True)
        found += [_method_fault(type(game), name, n, clause, fault_class, one) for n, one in enumerate(made)]
    return tuple(found)


def _law_fault(
    rule: str, number: int, clause: str, fault_class: str, mutation: Mutation, right: Callable[..., Any]
) -> Fault:
    return Fault(
        f"{rule}-{number:02}", mutation.operator, fault_class, clause, f"{rule}: {mutation.what}",
        with_rule(rule, mutation.function), mechanical=True, site=Site(rule, right, mutation.function),
    )  # fmt: skip


def _method_fault(
    kind: type[Any], method: str, number: int, clause: str, fault_class: str, mutation: Mutation
) -> Fault:
    faulty = type(kind.__name__, (kind,), {method: mutation.function})
    site = Site(method, getattr(kind, method), mutation.function, method=True)
    return Fault(
        f"{method.strip('_')}-m{number:02}", mutation.operator, fault_class, clause, f"{method}: {mutation.what}",
        as_kind(faulty), mechanical=True, site=site,
    )  # fmt: skip


@dataclass(frozen=True)
class WithRule:
    """Makes a game with one rule changed."""

    name: str
    function: Callable[..., Any]

    def __call__(self, game: AnyGame) -> AnyGame:
        """Return the game with it."""
        return game.varied(law=game.law.replace(**{self.name: self.function}))

    @property
    def changes(self) -> frozenset[str]:
        """What another fault must leave alone to be planted beside this one."""
        return frozenset({f"rule {self.name}"})


@dataclass(frozen=True)
class AsKind:
    """Makes a game of another class; where one has been put in already, of both."""

    kind: type[Any]

    def __call__(self, game: AnyGame) -> AnyGame:
        """Return the game as such an object."""
        now = type(game)
        both = self.kind if issubclass(self.kind, now) else type(self.kind.__name__, (self.kind, now), {})
        return game.recast(both)

    @property
    def changes(self) -> frozenset[str]:
        """What another fault must leave alone to be planted beside this one."""
        return frozenset(name for name in vars(self.kind) if not name.startswith("__"))


def with_rule(name: str, function: Callable[..., Any]) -> Build:
    """Return what makes a game with one rule changed."""
    return WithRule(name, function)


def as_kind(kind: type[Any]) -> Build:
    """Return what makes a game of another class."""
    return AsKind(kind)


def plays_by(**stubborn: str) -> Build:
    """Return what makes a game that follows other rulings than it was told, and whatever it is told later."""

    def build(game: AnyGame) -> AnyGame:
        def varied(self: Any, *, pack: Any = None, rulings: Any = None, law: Any = None) -> AnyGame:
            told = self.catalogue.book.choose({**(rulings or self.rulings), **stubborn})
            made: AnyGame = type(game).varied(self, pack=pack, rulings=told, law=law)
            return made

        told = game.catalogue.book.choose({**game.rulings, **stubborn})
        return game.varied(rulings=told).recast(type("Deaf", (type(game),), {"varied": varied}))

    return build


def unchanged(game: AnyGame) -> AnyGame:
    """Return the game as it is: the fault is in what answers for it."""
    return game.varied()


def kind_faults(kinds: Iterable[tuple[str, str, str, type[Any]]]) -> Iterator[Fault]:
    """Yield a fault for each (operator, class of fault, clause, class of game); docstrings say what is wrong."""
    return (Fault(slug(k), code, name, clause, said(k), as_kind(k)) for code, name, clause, k in kinds)


def session_faults(kinds: Iterable[tuple[str, str, str, type[Session]]]) -> Iterator[Fault]:
    """Yield a fault for each class of session that answers wrongly for a right game."""
    return (Fault(slug(k), code, name, clause, said(k), unchanged, k) for code, name, clause, k in kinds)


def slug(kind: type) -> str:
    """Return a class's name as an id: ``FarmBeside`` is ``farm-beside``."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).strip("-")


def said(kind: type) -> str:
    """Return what is wrong, from the docstring."""
    text = (kind.__doc__ or "").strip().rstrip(".")
    return text[:1].lower() + text[1:]


def ops(game: AnyGame, played: Iterable[Step]) -> tuple[Op, ...]:
    """Return steps of play as attempts to make through the protocol."""
    return tuple(Op("try", game.actor_name(s.before), game.text(s.action)) for s in played)

"""The clauses of a topic as constraints: as they stand, with exceptions, and under rulings.

*flat* takes book and own clauses as they stand; *excepted* lets a general clause give way where a
declared exception holds (the literal analysis); *ruled* adds what rulings add and lets clauses yield.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from lawspeaker.model.core.formula_read import conjoin, disjoin, negation, simplify
from lawspeaker.model.core.formulas import (
    FALSE,
    TRUE,
    And,
    Compare,
    Const,
    Count,
    Implies,
    Node,
    Not,
    Value,
    conjunction,
    disjunction,
    substitute,
)

from .topics import Topic, TopicClause

Kind = Literal["flat", "excepted", "ruled"]


@dataclass(frozen=True, eq=False)
class System:
    """Clauses with the conditions under which they apply in one kind of analysis."""

    topic: Topic
    clauses: tuple[TopicClause, ...]
    conditions: tuple[Node, ...]
    said: dict[tuple[int, Value], Node] = field(default_factory=dict, repr=False)

    def indices(self, *sources: str) -> tuple[int, ...]:
        """The places of the clauses from these sources."""
        return tuple(i for i, clause in enumerate(self.clauses) if clause.source in sources)

    def holds(self, answer: Value, places: Iterable[int] | None = None) -> Node:
        """That this answer satisfies the clauses (all, or those at *places*)."""
        chosen = range(len(self.clauses)) if places is None else places
        return conjoin([self.says(place, answer) for place in chosen])

    def says(self, place: int, answer: Value) -> Node:
        """One clause's constraint upon this answer (worked out once; the condition knows no answer)."""
        key = (place, answer)
        if key not in self.said:
            demand = simplify(substitute(self.clauses[place].demand, {self.topic.answer: answer}))
            self.said[key] = implication(self.conditions[place], demand)
        return self.said[key]

    def none(self, places: Iterable[int] | None = None) -> Node:
        """That no answer satisfies the clauses."""
        chosen = None if places is None else tuple(places)
        return negation(disjoin([self.holds(answer, chosen) for answer in self.topic.answers]))

    def many(self, places: Iterable[int] | None = None) -> Node:
        """That two answers or more satisfy the clauses."""
        return Compare(">=", self._number(places), Const(2))

    def one(self, places: Iterable[int] | None = None) -> Node:
        """That exactly one answer satisfies the clauses."""
        return Compare("==", self._number(places), Const(1))

    def _number(self, places: Iterable[int] | None) -> Node:
        chosen = None if places is None else tuple(places)
        return Count(tuple(self.holds(answer, chosen) for answer in self.topic.answers))


def implication(condition: Node, demand: Node) -> Node:
    """Return that where *condition* holds *demand* is true; both are simplified already."""
    if condition == FALSE or demand == TRUE:
        return TRUE
    if condition == TRUE:
        return demand
    return Not(condition) if demand == FALSE else Implies(condition, demand)


def valid(topic: Topic, leave_out: Iterable[str] = ()) -> Node:
    """That a situation satisfies the topic's assumptions, those ruled out by their ``when`` aside."""
    skipped = frozenset(leave_out)
    key = ("valid", skipped)
    if key not in topic.cache:
        topic.cache[key] = _valid(topic, skipped)
    found: Node = topic.cache[key]
    return found


def _valid(topic: Topic, skipped: frozenset[str]) -> Node:
    kept = [Implies(a.when, a.formula) for a in topic.assumptions if a.id not in skipped]
    return simplify(conjunction(kept))


def system(topic: Topic, kind: Kind) -> System:
    """Return the topic's clauses as this kind of analysis sees them (computed once)."""
    key = ("system", kind)
    if key not in topic.cache:
        topic.cache[key] = _build(topic, kind)
    found: System = topic.cache[key]
    return found


def _build(topic: Topic, kind: Kind) -> System:
    clauses = tuple(c for c in topic.clauses if kind == "ruled" or c.source != "ruling")
    conditions = tuple(_condition(topic, clause, kind) for clause in clauses)
    silence = _silence(topic, clauses, conditions)
    return System(topic, clauses, tuple(simplify(substitute(c, silence)) for c in conditions))


def _condition(topic: Topic, clause: TopicClause, kind: Kind) -> Node:
    """The clause's own condition, less where it gives way."""
    parts: list[Node] = [clause.condition]
    if kind != "flat":
        for each in topic.exceptions:
            special = topic.clause(each.special)
            if each.general == clause.id and (kind == "ruled" or special.source != "ruling"):
                parts.append(Not(special.condition))
    if kind == "ruled":
        parts += [Not(And((each.when, topic.clause(each.to).condition))) for each in clause.yields]
    return simplify(conjunction(parts))


def _silence(topic: Topic, clauses: tuple[TopicClause, ...], conditions: tuple[Node, ...]) -> dict[str, Value | Node]:
    """What ``permitted`` and ``forbidden`` mean: that a clause not ours says yes, or no."""
    if topic.form != "allowed":
        return {}
    meaning: dict[str, Value | Node] = {}
    for name, refused in (("permitted", False), ("forbidden", True)):
        if name in topic.scope.variables:
            continue
        said = [
            And((condition, Not(substitute(clause.demand, {"allowed": refused}))))
            for clause, condition in zip(clauses, conditions, strict=True)
            if clause.source != "ours"
        ]
        meaning[name] = simplify(disjunction(said))
    return meaning

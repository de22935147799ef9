"""Topics: one question of a rulebook, its situation, its answers, and the clauses that speak about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Literal

from lawspeaker.model.core.formula_words import name_words, value_words
from lawspeaker.model.core.formulas import Node, Scope, Type, Value
from lawspeaker.model.core.rulings import Ruling

Mode = Literal["obliges", "forbids", "permits", "defines"]
Source = Literal["book", "ours", "ruling"]
Form = Literal["answer", "allowed"]
AN_ANSWER = "ours:an-answer"
AN_ANSWER_SAYS = "The question has an answer."
"""The clause of our own that every topic of form *answer* has: that one of the answers is right."""


@dataclass(frozen=True)
class Yield:
    """Where *when* (a choice of rulings) is true and *to*'s condition holds, the clause gives way."""

    to: str
    when: Node


@dataclass(frozen=True)
class TopicClause:
    """A clause as a formula: where *condition* holds, *demand* (over the answer) has to be true."""

    id: str
    mode: Mode
    condition: Node
    demand: Node
    source: Source
    yields: tuple[Yield, ...] = ()
    readings: tuple[str, ...] = ()
    ruling: str = ""
    text: str = ""


@dataclass(frozen=True)
class Assumption:
    """What restricts situations to those that can be reached, with the invariant that checks it."""

    id: str
    formula: Node
    when: Node
    invariant: str = ""


@dataclass(frozen=True)
class DeclaredException:
    """An exception that the text marks itself: where *special*'s condition holds, *general* does not apply."""

    special: str
    general: str
    why: str


@dataclass(frozen=True, eq=False)
class Topic:
    """One question.  ``scope`` holds the situation, the answer and the rulings, each with its type."""

    game: str
    id: str
    question: str
    form: Form
    situation: Mapping[str, Type]
    answers: tuple[Value, ...]
    scope: Scope
    assumptions: tuple[Assumption, ...]
    clauses: tuple[TopicClause, ...]
    exceptions: tuple[DeclaredException, ...]
    rulings: tuple[Ruling, ...]
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def answer(self) -> str:
        """The name of the answer's variable."""
        return "answer" if self.form == "answer" else "allowed"

    @cached_property
    def prefix(self) -> str:
        """What the ids of the findings begin with: the prefix of the clause ids."""
        return self.clauses[0].id.partition("-")[0]

    @cached_property
    def size(self) -> int:
        """How many situations there are, valid or not."""
        count = 1
        for kind in self.situation.values():
            count *= len(kind.domain)
        return count

    @cached_property
    def ruling_names(self) -> tuple[str, ...]:
        """The rulings that matter to the topic, in its order."""
        return tuple(ruling.id for ruling in self.rulings)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables of the situation and the rulings: the stated order of witnesses."""
        return (*self.situation, *self.ruling_names)

    @cached_property
    def choices(self) -> tuple[dict[str, str], ...]:
        """Every complete choice of the topic's rulings, defaults first."""
        domains = [ruling.values for ruling in self.rulings]
        return tuple(dict(zip(self.ruling_names, values, strict=True)) for values in product(*domains))

    def clause(self, clause_id: str) -> TopicClause:
        """Return a clause by id; raises KeyError."""
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        raise KeyError(clause_id)

    def domain(self, name: str) -> tuple[Value, ...]:
        """All values of a variable or ruling in the stated order."""
        kind = self.scope.variables.get(name) or self.scope.rulings[name]
        return tuple(kind.domain)


@dataclass(frozen=True)
class Example:
    """An example: in each valid situation that agrees with *given*, each choice gives what is expected.

    ``expected`` pairs a choice of some rulings with the answer; the first pair that fits counts.
    """

    id: str
    topic: Topic
    given: Mapping[str, Value]
    expected: tuple[tuple[Mapping[str, str], Value], ...]
    title: str = ""


@dataclass(frozen=True)
class TopicFile:
    """A file of topics with its clauses (own words by id), rulings and examples."""

    game: str
    title: str
    clauses: Mapping[str, str]
    topics: tuple[Topic, ...]
    examples: tuple[Example, ...]

    def topic(self, topic_id: str) -> Topic:
        """Return a topic by id; raises KeyError."""
        for topic in self.topics:
            if topic.id == topic_id:
                return topic
        raise KeyError(topic_id)


def answer_words(topic: Topic, answers: tuple[Value, ...]) -> str:
    """Return what the clauses leave in words: an answer, several, or that there is none."""
    if not answers:
        return "no answer is left"
    return " or ".join(value_words(answer) for answer in answers)


def situation_words(situation: Mapping[str, Value]) -> str:
    """Return a situation in words, e.g. ``drawer is A; last placed: no``."""
    parts = []
    for name, value in situation.items():
        link = ":" if isinstance(value, bool) else " is"
        parts.append(f"{name_words(name)}{link} {value_words(value)}")
    return "; ".join(parts) or "every situation"

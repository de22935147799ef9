"""Proposed wordings: clauses in other words are put in the place of the old ones, and the topic is analysed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from lawspeaker.model.core.formulas import FALSE

from .asking import Claim, Outcome, require
from .errata import erratum, reworded
from .topics import Example, Topic


@dataclass(frozen=True)
class Wording:
    """One or more clauses of a topic in other words, and what these say as formulas.

    Conditions (one for all clauses, or one for each) and demand are written as in a topic file; where
    there are none, the clauses keep their own.
    """

    topic: str
    clauses: tuple[str, ...]
    words: str
    conditions: tuple[str, ...] = ()
    demand: str | None = None
    ruling: str = ""
    """The ruling that the words make superfluous: what it adds is then left out."""


def ask(wording: Wording, topics: Callable[[], Mapping[str, Topic]], examples: Iterable[Example] = ()) -> Outcome:
    """Return the outcome: what is gone.  AssertionError if anything new comes up or an example breaks."""
    topic = topics()[wording.topic]
    new = [
        replace(clause, condition=FALSE)
        for clause in topic.clauses
        if wording.ruling and clause.ruling == wording.ruling
    ]
    for number, clause_id in enumerate(wording.clauses):
        condition = wording.conditions[number % len(wording.conditions)] if wording.conditions else None
        new.append(reworded(topic, clause_id, if_=condition, then=wording.demand))
    result = erratum(topic, new, examples)
    said = f"gone {result.gone}, new {result.new}, broken {result.broken_examples}"
    require(result.proved, f"{', '.join(wording.clauses)}: {said}")
    return Outcome(
        "proven", f"“{wording.words}” leaves nothing of {', '.join(result.gone)}",
        f"every situation of topic {topic.id} ({topic.size} before assumptions)",
        "the topic was analysed again and shows nothing new", cases=topic.size,
    )  # fmt: skip


def claims_of(
    wordings: Iterable[Wording],
    topics: Callable[[], Mapping[str, Topic]],
    examples: Iterable[Example] = (),
    deep: bool = False,
) -> tuple[Claim, ...]:
    """Return the claims that these wordings mend what they are for, named after their first clause."""
    held = tuple(examples)
    return tuple(
        Claim(
            f"wording-{wording.clauses[0].lower()}",
            f"would other words for {' and '.join(wording.clauses)} settle what comes of "
            f"{'it' if len(wording.clauses) == 1 else 'them'} in topic {wording.topic}",
            wording.clauses,
            partial(ask, wording, topics, held),
            ruling=wording.ruling,
            deep=deep,
        )
        for wording in wordings
    )

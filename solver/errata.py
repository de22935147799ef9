"""Proposed wordings, proved: which findings go, which examples break; and what no check would notice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from lawspeaker.model.core.formula_mutate import mutants
from lawspeaker.model.core.formula_parse import parse
from lawspeaker.model.core.formulas import FALSE, Iff, Node, Not, Value, conjunction
from lawspeaker.model.core.records import FindingRecord

from .analysis import TopicReport, analyse
from .examples import run_example
from .monitors import answers, is_valid
from .questions import Asker
from .systems import system
from .topics import Example, Topic, TopicClause

BOOK_FAULTS = ("conflict", "gap", "silent", "split")


@dataclass(frozen=True)
class Erratum:
    """What a proposed wording does.  It is *proved* if something is gone, nothing is new, nothing breaks."""

    report: TopicReport
    gone: tuple[str, ...]
    new: tuple[str, ...]
    broken_examples: tuple[str, ...]

    @property
    def proved(self) -> bool:
        """Whether the wording mends and does no harm."""
        return bool(self.gone) and not self.new and not self.broken_examples


def with_clause(topic: Topic, clause: TopicClause) -> Topic:
    """Return the topic with *clause* in the place of the one with its id; KeyError if there is none."""
    topic.clause(clause.id)
    changed = tuple(clause if old.id == clause.id else old for old in topic.clauses)
    return replace(topic, clauses=changed, cache={})


def reworded(topic: Topic, clause_id: str, *, if_: str | None = None, then: str | None = None) -> TopicClause:
    """Return a clause with another condition or demand, written as in a topic file.

    Raises KeyError for an unknown clause, BadInput for a wrong formula.
    """
    clause = topic.clause(clause_id)
    condition, demand = clause.condition, clause.demand
    if if_ is not None:
        condition = parse(if_, topic.scope, where=f"{clause_id} if")
    if then is not None:
        stated = parse(then, topic.scope, where=f"{clause_id} then")
        demand = Not(stated) if clause.mode == "forbids" else stated
    return replace(clause, condition=condition, demand=demand)


def erratum(
    topic: Topic, replacement: TopicClause | Iterable[TopicClause], examples: Iterable[Example] = ()
) -> Erratum:
    """Put a proposed wording in the place of a clause, or of several, and analyse the topic again.

    Conflicts, gaps, silences and splits of the text count; an example counts as broken only if it
    held before.  Raises KeyError if the topic has no clause of that id.
    """
    revised = topic
    for clause in (replacement,) if isinstance(replacement, TopicClause) else replacement:
        revised = with_clause(revised, clause)
    before, after = analyse(topic), analyse(revised)
    old, new = _questions(before), _questions(after)
    broken = tuple(
        example.id
        for example in examples
        if example.topic.id == topic.id
        and run_example(example, topic).verdict == "pass"
        and run_example(example, revised).verdict != "pass"
    )
    return Erratum(
        report=after,
        gone=tuple(record.id for key, record in old.items() if key not in new),
        new=tuple(record.id for key, record in new.items() if key not in old),
        broken_examples=broken,
    )


def _questions(report: TopicReport) -> dict[tuple[str, str], FindingRecord]:
    """The findings about the book by what they are about: the ruling that answers them, else the core."""
    found: dict[tuple[str, str], FindingRecord] = {}
    for record in report.findings:
        if record.kind in BOOK_FAULTS:
            found.setdefault((record.kind, record.ruling or " ".join((*record.core, *record.ours))), record)
    return found


# -- the clause mutation score ----------------------------------------------------------------------


@dataclass(frozen=True)
class Mutation:
    """One slip in one clause, and whether the checks notice it."""

    clause: str
    what: str
    outcome: str  # caught, equivalent, survived


@dataclass(frozen=True)
class MutationScore:
    """All slips of a topic's clauses; survivors are text that nothing tests."""

    mutations: tuple[Mutation, ...]

    def count(self, outcome: str) -> int:
        """How many slips ended so."""
        return sum(1 for each in self.mutations if each.outcome == outcome)

    @property
    def score(self) -> tuple[int, int]:
        """Caught, out of those that change anything."""
        return self.count("caught"), len(self.mutations) - self.count("equivalent")


def clause_mutation_score(
    topic: Topic, examples: Iterable[Example] = (), situations: Iterable[Mapping[str, Value]] = ()
) -> MutationScore:
    """Delete, negate, weaken each clause, and see whether examples and situations notice.

    An example notices if it held and no longer does; a situation (seen in play, say) if under some
    choice of rulings the answers differ from those of the unchanged clauses.  What nothing notices
    is *equivalent* if it is proven to change no answer in any valid situation.
    """
    held = [e for e in examples if e.topic.id == topic.id and run_example(e, topic).verdict == "pass"]
    seen = [dict(situation) for situation in situations]
    mutations = []
    for clause in topic.clauses:
        for what, mutant in clause_mutants(clause):
            changed = with_clause(topic, mutant)
            mutations.append(Mutation(clause.id, what, _outcome(topic, changed, held, seen)))
    return MutationScore(tuple(mutations))


def clause_mutants(clause: TopicClause) -> Iterator[tuple[str, TopicClause]]:
    """Yield the clause with one slip: deleted, or a slip in its condition or in its demand."""
    yield "deleted", replace(clause, condition=FALSE)
    for what, node in mutants(clause.condition):
        yield f"if: {what}", replace(clause, condition=node)
    for what, node in mutants(clause.demand):
        yield f"then: {what}", replace(clause, demand=node)


def _outcome(topic: Topic, changed: Topic, held: list[Example], seen: list[dict[str, Value]]) -> str:
    if any(run_example(example, changed).verdict != "pass" for example in held):
        return "caught"
    for situation in seen:
        for choice in topic.choices:
            if is_valid(topic, situation, choice) and (
                answers(topic, situation, choice) != answers(changed, situation, choice)
            ):
                return "caught"
    return "equivalent" if Asker(topic).never(_changes(topic, changed)) else "survived"


def _changes(topic: Topic, changed: Topic) -> Node:
    """That the two versions leave different answers."""
    old, new = system(topic, "ruled"), system(changed, "ruled")
    return Not(conjunction([Iff(old.holds(answer), new.holds(answer)) for answer in topic.answers]))

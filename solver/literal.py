"""The literal analysis: the text as it stands, no ruling applied, readings left open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from lawspeaker.model.core.formula_read import simplify
from lawspeaker.model.core.formulas import (
    FALSE,
    TRUE,
    And,
    Node,
    Not,
    conjunction,
    disjunction,
    rulings,
    substitute,
)

from .drafts import Draft, assumption_ids, readings_of
from .questions import Asker, Witness
from .systems import System, system, valid
from .topics import AN_ANSWER, Topic, TopicClause


def drafts(topic: Topic, asker: Asker) -> list[Draft]:
    """All findings of the literal analysis, in the order of the kinds.  Raises UnknownError."""
    flat, excepted = system(topic, "flat"), system(topic, "excepted")
    cores = asker.cores(excepted)
    vacuous = list(_vacuous(topic, asker))
    return [
        *_conflicts(topic, asker, excepted, cores),
        *_gaps(topic, asker, excepted),
        *_silent(topic, asker, excepted),
        *_overridden(topic, asker, flat, excepted),
        *vacuous,
        *_restates(topic, asker, excepted, {draft.core[0] for draft in vacuous}),
    ]


# -- conflicts --------------------------------------------------------------------------------------


def _conflicts(topic: Topic, asker: Asker, law: System, cores: Iterable[tuple[int, ...]]) -> Iterator[Draft]:
    """One finding for each group of cores that one ruling settles, or that share a least witness."""
    groups: dict[tuple[str, str], list[tuple[int, ...]]] = {}
    for core in cores:
        ruling = _settling(topic, asker, law, core)
        least = "" if ruling else str(asker.least(law.none(core)))
        groups.setdefault((ruling, least), []).append(core)
    for (ruling, _), group in groups.items():
        query = disjunction([law.none(core) for core in group])
        witness = asker.least(query)
        if witness is None:
            raise RuntimeError(f"topic {topic.id}: cores without a witness")
        names = [law.clauses[place].id for place in group[0]]
        also = [" + ".join(law.clauses[place].id for place in core) for core in group[1:]]
        notes = [f"seen through {len(group)} cores, also {'; '.join(also)}"] if also else []
        yield Draft(
            kind="conflict",
            title=f"{topic.question}: these clauses leave no answer",
            core=(*names, *_an_answer(topic)),
            witness=witness,
            query=query,
            ruling=ruling,
            readings=readings_of(topic, ruling, witness),
            assumptions=assumption_ids(topic),
            note="; ".join([*notes, *asker.only_under(query), *_no_ruling(ruling)]),
        )


def _an_answer(topic: Topic) -> tuple[str, ...]:
    """That there is an answer at all is a clause of ours; that an option is allowed or not is logic."""
    return (AN_ANSWER,) if topic.form == "answer" else ()


def _no_ruling(ruling: str) -> list[str]:
    return [] if ruling else ["no ruling of the topic settles it"]


def _settling(topic: Topic, asker: Asker, law: System, core: tuple[int, ...]) -> str:
    """The ruling that settles a core: by it some clause of the core gives way, and then none is left."""
    final = system(topic, "ruled")
    places = [final.clauses.index(law.clauses[place]) for place in core]
    ids = {law.clauses[place].id for place in core}
    if not asker.never(final.none(places)):
        return ""
    inside = [y.when for p in places for y in final.clauses[p].yields if y.to in ids]
    outside = [y.when for p in places for y in final.clauses[p].yields]
    for whens in (inside, outside):
        named = {name for when in whens for name in rulings(when)}
        for name in topic.ruling_names:
            if name in named:
                return name
    return ""


def _overridden(topic: Topic, asker: Asker, flat: System, law: System) -> Iterator[Draft]:
    """Cores of the bare clauses that the text's own exceptions settle."""
    if not topic.exceptions:
        return
    for core in asker.cores(flat):
        if not asker.never(law.none(core)):
            continue
        ids = [flat.clauses[place].id for place in core]
        query = flat.none(core)
        general = [e for e in topic.exceptions if e.general in ids]
        within = [e for e in general if e.special in ids] or general
        why = [f"{e.special} overrides {e.general}: {e.why}" for e in within]
        yield Draft(
            kind="overridden",
            title=f"{topic.question}: settled by an exception that the text marks",
            core=(*ids, *_an_answer(topic)),
            witness=asker.least(query),
            query=query,
            assumptions=assumption_ids(topic),
            note="; ".join(why),
        )


# -- gaps and silence -------------------------------------------------------------------------------


def _gaps(topic: Topic, asker: Asker, law: System) -> Iterator[Draft]:
    """Where two answers satisfy all clauses: one finding for each ruling that adds what is missing."""
    left: Node = simplify(law.many())
    regions = _regions(topic)
    while (witness := asker.least(left)) is not None:
        ruling = next((name for name, region in regions.items() if _true_in(region, witness)), "")
        region = regions.get(ruling, conjunction([Not(region) for region in regions.values()]))
        query = And((left, region))
        yield Draft(
            kind="gap",
            title=f"{topic.question}: the clauses leave more than one answer",
            core=tuple(c.id for c in _speaking(law, witness)),
            witness=witness,
            query=query,
            ruling=ruling,
            readings=readings_of(topic, ruling, witness),
            assumptions=assumption_ids(topic),
            note="; ".join([*asker.only_under(query), *_no_ruling(ruling)]),
        )
        left = simplify(And((left, Not(region))))


def _regions(topic: Topic) -> dict[str, Node]:
    """For each ruling where the clauses that it adds apply, under one of its values."""
    regions: dict[str, Node] = {}
    for ruling in topic.rulings:
        added = [c.condition for c in topic.clauses if c.source == "ruling" and c.ruling == ruling.id]
        if added:
            values = [substitute(part, {ruling.id: value}) for part in added for value in ruling.values]
            regions[ruling.id] = simplify(disjunction(values))
    return regions


def _true_in(node: Node, witness: Witness) -> bool:
    return simplify(substitute(node, dict(witness))) == TRUE


def _speaking(law: System, witness: Witness) -> Iterator[TopicClause]:
    """The clauses that say something in the witness, and yet not enough."""
    for place, clause in enumerate(law.clauses):
        values = {simplify(substitute(law.says(place, a), dict(witness))) for a in law.topic.answers}
        if FALSE in values:
            yield clause


def _silent(topic: Topic, asker: Asker, law: System) -> Iterator[Draft]:
    """What only a clause of ours decides."""
    everything = law.indices("book", "ours")
    for place in law.indices("ours"):
        rest = tuple(one for one in everything if one != place)
        query = And((law.many(rest), law.one(everything)))
        witness = asker.least(query)
        if witness is not None:
            yield Draft(
                kind="silent",
                title=f"{topic.question}: the book is silent, {law.clauses[place].id} decides",
                core=(law.clauses[place].id,),
                witness=witness,
                query=query,
                assumptions=assumption_ids(topic),
                note=law.clauses[place].text,
            )


# -- idle clauses -----------------------------------------------------------------------------------


def _vacuous(topic: Topic, asker: Asker) -> Iterator[Draft]:
    for clause in topic.clauses:
        if clause.source != "ours" and asker.never(clause.condition):
            yield Draft(
                kind="vacuous",
                title=f"{topic.question}: the condition of {clause.id} never holds",
                core=(clause.id,),
                assumptions=_needed(topic, asker, clause.condition),
            )


def _needed(topic: Topic, asker: Asker, query: Node) -> tuple[str, ...]:
    """A smallest set of assumptions under which *query* is still proven never to hold."""
    kept = [assumption.id for assumption in topic.assumptions]
    for one in reversed(list(kept)):
        without = [a.id for a in topic.assumptions if a.id not in kept or a.id == one]
        if asker.never(And((valid(topic, without), query)), everywhere=True):
            kept.remove(one)
    return tuple(kept)


def _restates(topic: Topic, asker: Asker, law: System, idle: Collection[str]) -> Iterator[Draft]:
    """Clauses of the book that the others imply, each with a smallest set that does."""
    book = [place for place in law.indices("book") if law.clauses[place].id not in idle]
    for place, others in asker.implied(law, book).items():
        yield Draft(
            kind="restates",
            title=f"{topic.question}: {law.clauses[place].id} follows from the others",
            core=tuple(law.clauses[p].id for p in (place, *others)),
            assumptions=_needed(topic, asker, asker.denial(law, place, others)),
            note="" if others else "it restricts nothing here",
        )

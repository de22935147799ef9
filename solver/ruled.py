"""The ruled analysis: exactly one answer in every valid situation under every choice of rulings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lawspeaker.model.core.formula_read import conjoin, disjoin, simplify
from lawspeaker.model.core.formulas import And, Iff, Node, Not, disjunction, rulings, substitute
from lawspeaker.model.core.rulings import Ruling

from .drafts import Draft, assumption_ids, readings_of
from .questions import Asker
from .systems import System, system, valid
from .topics import AN_ANSWER, Topic


def drafts(topic: Topic, asker: Asker, found: list[Draft]) -> tuple[list[Draft], list[str]]:
    """Findings of the ruled analysis, and in words what is open.  Raises UnknownError."""
    law = system(topic, "ruled")
    still_open, more = _unsettled(topic, asker, law, found)
    for ruling in topic.rulings:
        draft = _split(topic, asker, law, ruling)
        if draft.kind == "split" or len(ruling.values) > 1:
            more.append(draft)
        if draft.kind == "proven" and len(ruling.values) > 1:
            still_open.append(f"{ruling.id} is no ruling here: its values never differ")
        elif draft.kind == "proven" and not any(each.ruling == ruling.id for each in found):
            still_open.append(f"{ruling.id} closes nothing")
    return more, still_open


def _unsettled(topic: Topic, asker: Asker, law: System, found: list[Draft]) -> tuple[list[str], list[Draft]]:
    """Situations without an answer, or with two, although every ruling is chosen."""
    still_open: list[str] = []
    more: list[Draft] = []
    for kind, query, said in (
        ("conflict", law.none(), "no answer is left"),
        ("gap", law.many(), "more than one answer is left"),
    ):
        witness = asker.least(query)
        if witness is None:
            continue
        choice = " ".join(f"{name}={witness[name]}" for name in topic.ruling_names)
        still_open.append(f"{said}{' under ' + choice if choice else ''}")
        known = [d.query for d in found if d.kind == kind and not d.ruling and d.query is not None]
        if asker.never(And((query, Not(disjunction(known))))):
            continue
        core = [c.id for c in law.clauses] if kind == "gap" else _core(asker, law)
        more.append(
            Draft(
                kind="conflict" if kind == "conflict" else "gap",
                title=f"{topic.question}: {said} although all rulings are chosen",
                core=tuple(core),
                witness=witness,
                query=simplify(query),
                assumptions=assumption_ids(topic),
                note=f"open under {choice}" if choice else "open",
            )
        )
    return still_open, more


def _core(asker: Asker, law: System) -> list[str]:
    """The first smallest set of ruled clauses that leaves no answer."""
    core = asker.cores(law)[0]
    own = [AN_ANSWER] if law.topic.form == "answer" else []
    return [*(law.clauses[place].id for place in core), *own]


def _split(topic: Topic, asker: Asker, law: System, ruling: Ruling) -> Draft:
    """Where two values of a ruling give different answers, or the proof that they never do."""
    pairs = list(combinations(ruling.values, 2))
    query = disjoin([_differ(topic, law, ruling.id, one, two) for one, two in pairs])
    witness = asker.least(query, everywhere=True)
    if witness is None:
        return Draft(
            kind="proven",
            title=f"{topic.question}: the values of {ruling.id} never differ",
            core=_touched(topic, ruling.id),
            ruling=ruling.id,
            assumptions=assumption_ids(topic),
        )
    same = [
        f"{one} and {two} never differ here"
        for one, two in pairs
        if asker.never(_differ(topic, law, ruling.id, one, two), everywhere=True)
    ]
    return Draft(
        kind="split",
        title=f"{topic.question}: {ruling.question}",
        core=_touched(topic, ruling.id),
        witness=witness,
        query=query,
        ruling=ruling.id,
        readings=readings_of(topic, ruling.id, witness),
        assumptions=assumption_ids(topic),
        note="; ".join([*asker.only_under(query, everywhere=True), *same]),
    )


def _differ(topic: Topic, law: System, ruling: str, one: str, two: str) -> Node:
    """That the situation is valid under both values and they leave different answers."""
    (valid_one, *left), (valid_two, *right) = (_under(topic, law, ruling, value) for value in (one, two))
    differ = [Not(Iff(a, b)) for a, b in zip(left, right, strict=True) if a != b]
    return conjoin([valid_one, valid_two, disjoin(differ)])


def _under(topic: Topic, law: System, ruling: str, value: str) -> tuple[Node, ...]:
    """Under one value of a ruling: that the situation is valid, and that each answer holds (worked out once)."""
    key = ("under", ruling, value)
    if key not in topic.cache:
        nodes = (valid(topic), *(law.holds(answer) for answer in topic.answers))
        topic.cache[key] = tuple(simplify(substitute(node, {ruling: value})) for node in nodes)
    found: tuple[Node, ...] = topic.cache[key]
    return found


def _touched(topic: Topic, ruling: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_speaking_of(topic, ruling)))


def _speaking_of(topic: Topic, ruling: str) -> Iterator[str]:
    """The clauses that a ruling adds, reads, or makes give way."""
    for clause in topic.clauses:
        yielding = [each for each in clause.yields if ruling in rulings(each.when)]
        if clause.ruling == ruling or ruling in clause.readings or yielding:
            yield clause.id
            yield from (each.to for each in yielding)

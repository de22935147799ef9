"""What the ruled clauses of a topic leave, compiled: for equality monitors and coverage in play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.formula_read import compile_python, compile_source, python_source, simplify
from lawspeaker.model.core.formulas import And, Node, Value

from .systems import system, valid
from .topics import Topic


def answers(topic: Topic, situation: Mapping[str, Value], rulings: Mapping[str, str]) -> tuple[Value, ...]:
    """Return the answers that satisfy all clauses of the topic under these rulings.

    *rulings* gives at least the topic's.  A closed topic leaves exactly one in a valid situation.
    """
    found: tuple[Value, ...] = _compiled(topic, "answers")(*_values(topic, situation, rulings))
    return found


def conditions_true(topic: Topic, situation: Mapping[str, Value], rulings: Mapping[str, str]) -> tuple[str, ...]:
    """Return the clauses whose own condition holds, whether or not they give way; for coverage."""
    found: tuple[str, ...] = _compiled(topic, "conditions")(*_values(topic, situation, rulings))
    return found


def is_valid(topic: Topic, situation: Mapping[str, Value], rulings: Mapping[str, str]) -> bool:
    """Return whether a situation satisfies the topic's assumptions under these rulings."""
    return bool(_compiled(topic, "valid")(*_values(topic, situation, rulings)))


def _values(topic: Topic, situation: Mapping[str, Value], rulings: Mapping[str, str]) -> list[Value]:
    return [*[situation[name] for name in topic.situation], *[rulings[name] for name in topic.ruling_names]]


def checked(topic: Topic, situation: Mapping[str, Any]) -> dict[str, Value]:
    """Return a situation as the topic knows it, in its order.

    Raises BadInput for a missing or unknown variable or a value that it cannot have.
    """
    where = f"topic {topic.id}"
    if unknown := sorted(set(situation) - set(topic.situation)):
        raise BadInput(f"unknown {unknown[0]!r}", where=where, hint=f"it has {', '.join(topic.situation)}")
    if missing := [name for name in topic.situation if name not in situation]:
        raise BadInput(f"{missing[0]} is missing", where=where)
    for name in topic.situation:
        if not any(type(situation[name]) is type(v) and situation[name] == v for v in topic.domain(name)):
            raise BadInput(f"{name} cannot be {situation[name]!r}", where=where)
    return {name: situation[name] for name in topic.situation}


def _compiled(topic: Topic, what: str) -> Callable[..., Any]:
    """The function of situation and rulings, made once: to compile costs more than to run a thousand times."""
    function: Callable[..., Any] | None = topic.cache.get(what)
    if function is None:
        function = topic.cache[what] = _compile(topic, what)
    return function


def _compile(topic: Topic, what: str) -> Callable[..., Any]:
    law = system(topic, "ruled")
    if what == "valid":
        cases: list[tuple[Value, Node]] = [(True, valid(topic))]
    elif what == "answers":
        cases = [(answer, law.holds(answer)) for answer in topic.answers]
    else:
        cases = [(clause.id, _own_condition(topic, clause.id)) for clause in law.clauses]
    parts = [f"*(({value!r},) if {python_source(node)} else ()), " for value, node in cases]
    return compile_source(f"({''.join(parts)})", topic.names, [node for _, node in cases])


def _own_condition(topic: Topic, clause_id: str) -> Node:
    """The condition as written; silence, which is defined by the other clauses, as it applies."""
    clause = topic.clause(clause_id)
    if clause.source != "ours":
        return clause.condition
    law = system(topic, "ruled")
    return law.conditions[[c.id for c in law.clauses].index(clause_id)]


def findable(topic: Topic, name: str, query: Node, situation: Mapping[str, Value]) -> bool:
    """Return whether *query* holds in a valid situation under some choice of rulings.

    The compiled test is kept under *name*: to hash a formula costs more than to run it.
    """
    key = ("query", name)
    test: Callable[..., Any] | None = topic.cache.get(key)
    if test is None:
        test = topic.cache[key] = compile_python(simplify(And((valid(topic), query))), topic.names)
    values = [situation[each] for each in topic.situation]
    return any(test(*values, *choice.values()) for choice in topic.choices)

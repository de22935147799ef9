"""Formulas read into faulty ones: each small slip of a pen that a check ought to notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from .formulas import (
    TRUE,
    And,
    Compare,
    Const,
    Count,
    If,
    Iff,
    Implies,
    In,
    Max,
    Min,
    Named,
    Node,
    Not,
    Or,
    conjunction,
    disjunction,
    text,
)

_STRICTNESS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_BOOLEAN = (Not, And, Or, Implies, Iff, Compare, In)


def mutants(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield each formula one slip away, with a description; each formula once, in a fixed order.

    Slips: a part of a conjunction or disjunction deleted, *and* for *or*, a condition dropped, a
    statement negated, a comparison made strict or lenient, a constant one off, *min* for *max*,
    branches exchanged.  Named helpers are left whole: they belong to no single clause.
    """
    seen = {node}
    for description, mutant in _everywhere(node):
        if mutant not in seen:
            seen.add(mutant)
            yield description, mutant


def _everywhere(node: Node) -> Iterator[tuple[str, Node]]:
    yield from _here(node)
    if isinstance(node, Named):
        return
    for item in fields(node):  # type: ignore[arg-type]
        value: Any = getattr(node, item.name)
        if isinstance(value, Node):
            for description, part in _everywhere(value):
                yield description, replace(node, **{item.name: part})  # type: ignore[type-var]
        elif isinstance(value, tuple) and value and isinstance(value[0], Node):
            for place, old in enumerate(value):
                for description, part in _everywhere(old):
                    whole = (*value[:place], part, *value[place + 1 :])
                    yield description, replace(node, **{item.name: whole})  # type: ignore[type-var]


def _here(node: Node) -> Iterator[tuple[str, Node]]:
    """The slips at the root of this formula."""
    yield from _junctions(node)
    yield from _relations(node)
    if isinstance(node, Not):
        yield f"negation dropped from {text(node)}", node.arg
    elif isinstance(node, _BOOLEAN):
        yield f"{text(node)} negated", Not(node)


def _junctions(node: Node) -> Iterator[tuple[str, Node]]:
    if isinstance(node, (And, Or)) and len(node.args) > 1:
        join = conjunction if isinstance(node, And) else disjunction
        for place, part in enumerate(node.args):
            yield f"{text(part)} deleted", join((*node.args[:place], *node.args[place + 1 :]))
        if isinstance(node, And):
            yield f"'and' made 'or' in {text(node)}", Or(node.args)
        else:
            yield f"'or' made 'and' in {text(node)}", And(node.args)
    elif isinstance(node, Implies):
        yield f"condition {text(node.left)} dropped", node.right
        yield f"{text(node)} weakened to nothing", TRUE
    elif isinstance(node, Iff):
        yield f"{text(node)} weakened to one direction", Implies(node.left, node.right)
    elif isinstance(node, Count) and len(node.args) > 1:
        for place, part in enumerate(node.args):
            yield f"{text(part)} not counted", Count((*node.args[:place], *node.args[place + 1 :]))


def _relations(node: Node) -> Iterator[tuple[str, Node]]:
    if isinstance(node, Compare):
        if node.op in ("<", "<=", ">", ">="):
            yield f"{node.op} made {_STRICTNESS[node.op]} in {text(node)}", replace(node, op=_STRICTNESS[node.op])
    elif isinstance(node, Const) and type(node.value) is int:
        yield f"{node.value} made {node.value + 1}", Const(node.value + 1)
        yield f"{node.value} made {node.value - 1}", Const(node.value - 1)
    elif isinstance(node, In) and len(node.values) > 1:
        for value in node.values:
            yield f"{value} left out of {text(node)}", replace(node, values=tuple(v for v in node.values if v != value))
    elif isinstance(node, Min):
        yield f"min made max in {text(node)}", Max(node.args)
    elif isinstance(node, Max):
        yield f"max made min in {text(node)}", Min(node.args)
    elif isinstance(node, If):
        yield f"branches exchanged in {text(node)}", If(node.cond, node.other, node.then)

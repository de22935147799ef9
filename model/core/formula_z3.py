"""Formulas read into z3.  Named values become whole numbers by one table for the whole scope.

One table (and not one z3 sort a variable) lets ``answer == drawer`` be asked although the answer has
a value more than the drawer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import z3

from .formulas import (
    Abs,
    Add,
    And,
    BoolType,
    Compare,
    Const,
    Count,
    Div,
    EnumType,
    If,
    Iff,
    Implies,
    In,
    IntType,
    Max,
    Min,
    Mod,
    Mul,
    Named,
    Neg,
    Node,
    Not,
    Or,
    Ruling,
    Scope,
    Sub,
    Type,
    Value,
    Var,
    children,
)


class Z3Names:
    """The z3 variables of a scope, and the table of its named values."""

    def __init__(self, scope: Scope) -> None:
        self.types: Mapping[str, Type] = {**scope.variables, **scope.rulings}
        self.read: dict[int, tuple[Node, Any]] = {}
        """What was read already, by identity; the node is kept so that its identity stays its own."""
        self.codes = {symbol: code for code, symbol in enumerate(scope.symbols)}
        self.terms = {
            name: z3.Bool(name) if isinstance(kind, BoolType) else z3.Int(name) for name, kind in self.types.items()
        }

    def term(self, value: Value) -> Any:
        """The z3 term of a value."""
        if isinstance(value, bool):
            return z3.BoolVal(value)
        return z3.IntVal(value if isinstance(value, int) else self.codes[value])

    def bounds(self, name: str) -> Any:
        """The z3 term that says that the variable has one of its values."""
        kind, term = self.types[name], self.terms[name]
        if isinstance(kind, IntType):
            return z3.And(term >= kind.low, term <= kind.high)
        if isinstance(kind, EnumType):
            return z3.Or([term == self.codes[value] for value in kind.values])
        return z3.BoolVal(True)


def to_z3(node: Node, names: Z3Names) -> Any:
    """Return the formula as a z3 term over the variables of *names*."""
    known = names.read.get(id(node))
    if known is None:
        known = names.read[id(node)] = (node, _read(node, names))
    return known[1]


def _read(node: Node, names: Z3Names) -> Any:
    match node:
        case Const(value):
            return names.term(value)
        case Var(name) | Ruling(name):
            return names.terms[name]
        case Named(_, body):
            return to_z3(body, names)
        case In(arg, values):
            term = to_z3(arg, names)
            return z3.Or([term == names.term(value) for value in values])
    return _applied(node, [to_z3(part, names) for part in children(node)])


def _applied(node: Node, parts: list[Any]) -> Any:
    match node:
        case Not():
            return z3.Not(parts[0])
        case And():
            return z3.And(parts)
        case Or():
            return z3.Or(parts)
        case Implies():
            return z3.Implies(parts[0], parts[1])
        case Iff():
            return parts[0] == parts[1]
        case Compare(op, _, _):
            return _compared(op, parts[0], parts[1])
        case If():
            return z3.If(parts[0], parts[1], parts[2])
        case Count():
            return z3.Sum([z3.If(part, 1, 0) for part in parts])
    return _number(node, parts)


def _compared(op: str, left: Any, right: Any) -> Any:
    match op:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left >= right


def _number(node: Node, parts: list[Any]) -> Any:
    match node:
        case Add():
            return parts[0] + parts[1]
        case Sub():
            return parts[0] - parts[1]
        case Neg():
            return -parts[0]
        case Mul(factor, _):
            return factor * parts[0]
        case Div(_, divisor):
            return parts[0] / z3.IntVal(divisor)  # rounds down, as the divisor is positive
        case Mod(_, divisor):
            return parts[0] % z3.IntVal(divisor)
        case Abs():
            return z3.If(parts[0] >= 0, parts[0], -parts[0])
        case Min() | Max():
            return _extreme(parts, isinstance(node, Min))
    raise TypeError(f"unknown node {type(node).__name__}")


def _extreme(parts: list[Any], least: bool) -> Any:
    result = parts[0]
    for part in parts[1:]:
        result = z3.If(part <= result if least else part >= result, part, result)
    return result

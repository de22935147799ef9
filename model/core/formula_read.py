"""Readers of formulas that give values: interpreted, compiled to Python source, and simplified."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .formulas import (
    FALSE,
    TRUE,
    Abs,
    Add,
    And,
    Compare,
    Const,
    Count,
    Div,
    If,
    Iff,
    Implies,
    In,
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
    Sub,
    Value,
    Var,
    children,
    conjunction,
    disjunction,
    rebuilt,
)

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def evaluate(node: Node, env: Mapping[str, Value]) -> Value:
    """Return the value of a formula; *env* gives the variables and the rulings by name.

    Raises KeyError for a name that *env* does not give.
    """
    match node:
        case Const(value):
            return value
        case Var(name) | Ruling(name):
            return env[name]
        case Named(_, body):
            return evaluate(body, env)
        case And(args):
            return all(evaluate(part, env) for part in args)
        case Or(args):
            return any(evaluate(part, env) for part in args)
        case Implies(left, right):
            return not evaluate(left, env) or bool(evaluate(right, env))
        case If(cond, then, other):
            return evaluate(then if evaluate(cond, env) else other, env)
    return _applied(node, [evaluate(part, env) for part in children(node)])


def _applied(node: Node, parts: list[Any]) -> Value:
    """The value of a strict node from the values of its parts."""
    match node:
        case Not():
            return not parts[0]
        case Iff():
            return bool(parts[0] == parts[1])
        case Compare(op, _, _):
            return _ORDER[op](parts[0], parts[1])
        case In(_, values):
            return parts[0] in values
        case Count():
            return sum(bool(part) for part in parts)
    return _number(node, parts)


def _number(node: Node, parts: list[int]) -> int:
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
            return parts[0] // divisor
        case Mod(_, divisor):
            return parts[0] % divisor
        case Abs():
            return abs(parts[0])
        case Min():
            return min(parts)
        case Max():
            return max(parts)
    raise TypeError(f"unknown node {type(node).__name__}")


# -- compiled -------------------------------------------------------------------------------------


def python_source(node: Node) -> str:
    """Return the formula as a Python expression over the names ``v_NAME``."""
    match node:
        case Const(value):
            return repr(value) if not isinstance(value, int) or value >= 0 else f"({value})"
        case Var(name) | Ruling(name):
            return f"v_{name}"
        case Named(_, body):
            return python_source(body)
        case Not(arg):
            return f"(not {python_source(arg)})"
        case And(args) | Or(args):
            word = " and " if isinstance(node, And) else " or "
            return "(" + word.join(python_source(part) for part in args) + ")" if args else str(word == " and ")
        case Implies(left, right):
            return f"(not {python_source(left)} or {python_source(right)})"
        case If(cond, then, other):
            return f"({python_source(then)} if {python_source(cond)} else {python_source(other)})"
        case In(arg, values):
            return f"({python_source(arg)} in {values!r})"
        case Count(args):
            return "(" + " + ".join(["0", *(python_source(part) for part in args)]) + ")"
    return _infix_source(node, [python_source(part) for part in children(node)])


def _infix_source(node: Node, parts: list[str]) -> str:
    match node:
        case Iff():
            return f"({parts[0]} == {parts[1]})"
        case Compare(op, _, _):
            return f"({parts[0]} {op} {parts[1]})"
        case Add() | Sub():
            return f"({parts[0]} {'+' if isinstance(node, Add) else '-'} {parts[1]})"
        case Neg():
            return f"(-{parts[0]})"
        case Mul(factor, _):
            return f"({factor} * {parts[0]})"
        case Div(_, divisor) | Mod(_, divisor):
            return f"({parts[0]} {'//' if isinstance(node, Div) else '%'} {divisor})"
        case Abs():
            return f"abs({parts[0]})"
        case Min() | Max():
            name = "min" if isinstance(node, Min) else "max"
            return f"{name}({', '.join(parts)})" if len(parts) > 1 else parts[0]
    raise TypeError(f"unknown node {type(node).__name__}")


def compile_python(node: Node, names: Sequence[str]) -> Callable[..., Any]:
    """Return the formula as a Python function of these names, in this order.

    Raises KeyError if the formula uses a name that is not among *names*.
    """
    return compile_source(python_source(node), names, [node])


def compile_tuple(nodes: Sequence[Node], names: Sequence[str]) -> Callable[..., tuple[Any, ...]]:
    """Return one function that gives the values of all *nodes*; faster than one call for each."""
    body = "".join(python_source(node) + ", " for node in nodes)
    return compile_source(f"({body})", names, nodes)


def compile_source(body: str, names: Sequence[str], nodes: Sequence[Node]) -> Callable[..., Any]:
    """Return a function of *names* with this body, which uses only what *nodes* use."""
    for node in nodes:
        for name in sorted(_names(node) - set(names)):
            raise KeyError(name)
    space: dict[str, Any] = {"__builtins__": {}, "min": min, "max": max, "abs": abs}
    # the source is made of checked nodes only: names are identifiers, constants are repr() of plain values
    exec(compile(f"def f({', '.join('v_' + n for n in names)}):\n return {body}", "<formula>", "exec"), space)
    function: Callable[..., Any] = space["f"]
    return function


def _names(node: Node) -> set[str]:
    own = {node.name} if isinstance(node, (Var, Ruling)) else set()
    return own.union(*(_names(part) for part in children(node)))


# -- simplified -----------------------------------------------------------------------------------


def simplify(node: Node) -> Node:
    """Return an equivalent formula in which what is already decided is worked out."""
    if isinstance(node, Named):
        body = simplify(node.body)
        return body if isinstance(body, Const) else Named(node.name, body)
    node = rebuilt(node, simplify)
    parts = list(children(node))
    if parts and all(isinstance(part, Const) for part in parts):
        return Const(evaluate(node, {}))
    match node:
        case And(args):
            return _junction(args, FALSE, TRUE)
        case Or(args):
            return _junction(args, TRUE, FALSE)
        case Not(Not(arg)):
            return arg
        case Implies(left, right):
            return _implication(left, right)
        case If(Const(value), then, other):
            return then if value else other
    return node


def conjoin(parts: Sequence[Node]) -> Node:
    """Return one formula that says all of *parts*, which are simplified already."""
    return _junction(tuple(parts), FALSE, TRUE)


def disjoin(parts: Sequence[Node]) -> Node:
    """Return one formula that says some of *parts*, which are simplified already."""
    return _junction(tuple(parts), TRUE, FALSE)


def negation(part: Node) -> Node:
    """Return the formula that denies *part*, which is simplified already."""
    if isinstance(part, Const):
        return FALSE if part == TRUE else TRUE
    return part.arg if isinstance(part, Not) else Not(part)


def _junction(args: tuple[Node, ...], decisive: Node, idle: Node) -> Node:
    if any(part == decisive for part in args):
        return decisive
    left = [part for part in dict.fromkeys(args) if part != idle]
    return conjunction(left) if decisive == FALSE else disjunction(left)


def _implication(left: Node, right: Node) -> Node:
    if left == FALSE or right == TRUE:
        return TRUE
    if left == TRUE:
        return right
    return Not(left) if right == FALSE else Implies(left, right)

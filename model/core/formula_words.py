"""Formulas read into English, for findings and reports."""

from __future__ import annotations

from .formulas import (
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
)

_RELATION = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most",
    ">": "is more than", ">=": "is at least",
}  # fmt: skip


def value_words(value: Value) -> str:
    """Return a value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else value.replace("_", " ")


def name_words(name: str) -> str:
    """Return a variable's name in words; a ruling's stays as it is."""
    return name if name.startswith("R_") else name.replace("_", " ")


def english(node: Node) -> str:
    """Return the formula as an English phrase; brackets wherever grouping could be doubted."""
    match node:
        case Const(value):
            return {True: "always", False: "never"}[value] if isinstance(value, bool) else value_words(value)
        case Var(name) | Ruling(name) | Named(name, _):
            return name_words(name)
        case Not(Var() | Named() as arg):
            return f"not {english(arg)}"
        case Not(In(arg, values)):
            return f"{_part(arg)} is none of {_listed(values)}"
        case Not(arg):
            return f"it is not so that {_part(arg)}"
        case And(args):
            return " and ".join(_part(part) for part in args)
        case Or(args):
            return " or ".join(_part(part) for part in args)
        case Implies(left, right):
            return f"if {_part(left)}, then {_part(right)}"
        case Iff(left, right):
            return f"{_part(left)} exactly if {_part(right)}"
        case Compare(op, left, Const(bool(value))) if op in ("==", "!="):
            return english(left if value == (op == "==") else Not(left))
        case Compare(op, left, right):
            return f"{_part(left)} {_RELATION[op]} {_part(right)}"
        case In(arg, values):
            return f"{_part(arg)} is one of {_listed(values)}"
        case If(cond, then, other):
            return f"{_part(then)} if {_part(cond)}, else {_part(other)}"
    return _number_words(node, [_part(part) for part in children(node)])


def _number_words(node: Node, parts: list[str]) -> str:
    match node:
        case Add():
            return f"{parts[0]} plus {parts[1]}"
        case Sub():
            return f"{parts[0]} minus {parts[1]}"
        case Neg():
            return f"minus {parts[0]}"
        case Mul(factor, _):
            return f"{factor} times {parts[0]}"
        case Div(_, divisor):
            return f"{parts[0]} divided by {divisor}, rounded down"
        case Mod(_, divisor):
            return f"the remainder of {parts[0]} divided by {divisor}"
        case Abs():
            return f"the size of {parts[0]}"
        case Min() | Max():
            return f"the {'least' if isinstance(node, Min) else 'greatest'} of {', '.join(parts)}"
        case Count():
            return f"the number of true ones among: {'; '.join(parts)};"
    raise TypeError(f"unknown node {type(node).__name__}")


def _part(node: Node) -> str:
    """A part in words, in brackets if it consists of more than one statement or operation."""
    simple = (Const, Var, Ruling, Named)
    plain_not = isinstance(node, Not) and isinstance(node.arg, simple)
    plain_relation = isinstance(node, (Compare, In)) and all(isinstance(part, simple) for part in children(node))
    return english(node) if isinstance(node, simple) or plain_not or plain_relation else f"({english(node)})"


def _listed(values: tuple[Value, ...]) -> str:
    return ", ".join(value_words(value) for value in values)

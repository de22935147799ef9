"""The types of formulas: what each node demands of its parts and what it gives."""

from __future__ import annotations

from .errors import BadInput
from .formulas import (
    BOOL,
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
    text,
)


def type_words(kind: Type) -> str:
    """Return a type in words, for messages."""
    if isinstance(kind, BoolType):
        return "yes or no"
    if isinstance(kind, IntType):
        return f"a number ({kind.low} to {kind.high})"
    return f"one of {', '.join(kind.values)}"


def value_type(value: Value) -> Type:
    """Return the narrowest type of a value."""
    if isinstance(value, bool):
        return BOOL
    return IntType(value, value) if isinstance(value, int) else EnumType((value,))


def type_of(node: Node, scope: Scope) -> Type:
    """Return the type of a formula's value; raises BadInput where parts do not fit together."""
    match node:
        case Const(value):
            return value_type(value)
        case Var(name):
            return _known(scope.variables.get(name), name)
        case Ruling(name):
            return _known(scope.rulings.get(name), name)
        case Named(_, body):
            return type_of(body, scope)
        case Not() | And() | Or() | Implies() | Iff():
            _all_bool(node, scope)
            return BOOL
        case Count(args):
            _all_bool(node, scope)
            return IntType(0, len(args))
        case Compare(op, left, right):
            _comparable(op, left, right, scope)
            return BOOL
        case In(arg, values):
            for value in values:
                _comparable("==", arg, Const(value), scope)
            return BOOL
        case If(cond, then, other):
            _bool(cond, scope)
            return _joined(then, other, scope)
    return _number_type(node, scope)


def _known(kind: Type | None, name: str) -> Type:
    if kind is None:
        raise BadInput(f"unknown name {name!r}")
    return kind


def _all_bool(node: Node, scope: Scope) -> None:
    match node:
        case Not(arg):
            _bool(arg, scope)
        case And(args) | Or(args) | Count(args):
            for part in args:
                _bool(part, scope)
        case Implies(left, right) | Iff(left, right):
            _bool(left, scope)
            _bool(right, scope)


def _bool(node: Node, scope: Scope) -> None:
    kind = type_of(node, scope)
    if not isinstance(kind, BoolType):
        raise BadInput(f"{text(node)!r} is {type_words(kind)}", hint="yes or no is needed here, e.g. a comparison")


def _int(node: Node, scope: Scope) -> IntType:
    kind = type_of(node, scope)
    if not isinstance(kind, IntType):
        raise BadInput(f"{text(node)!r} is {type_words(kind)}", hint="a number is needed here")
    return kind


def _comparable(op: str, left: Node, right: Node, scope: Scope) -> None:
    """Both sides of one kind; orders between numbers only; a named value has to be possible."""
    one, two = type_of(left, scope), type_of(right, scope)
    if type(one) is not type(two):
        raise BadInput(
            f"{text(left)!r} is {type_words(one)}, {text(right)!r} is {type_words(two)}",
            hint="compare values of one kind",
        )
    if op not in ("==", "!=") and not isinstance(one, IntType):
        raise BadInput(f"{text(left)!r} has no order", hint="only == and != fit here")
    if isinstance(one, EnumType) and isinstance(two, EnumType) and not set(one.values) & set(two.values):
        raise BadInput(
            f"{text(left)!r} and {text(right)!r} can never be equal",
            hint=f"the values are {', '.join(one.values)} and {', '.join(two.values)}",
        )


def _joined(then: Node, other: Node, scope: Scope) -> Type:
    one, two = type_of(then, scope), type_of(other, scope)
    if isinstance(one, IntType) and isinstance(two, IntType):
        return IntType(min(one.low, two.low), max(one.high, two.high))
    if isinstance(one, EnumType) and isinstance(two, EnumType):
        return EnumType(tuple(dict.fromkeys((*one.values, *two.values))))
    if type(one) is not type(two):
        raise BadInput(f"{text(then)!r} and {text(other)!r} differ in kind", hint="both branches of one kind")
    return one


def _number_type(node: Node, scope: Scope) -> IntType:
    match node:
        case Add(left, right):
            one, two = _int(left, scope), _int(right, scope)
            return IntType(one.low + two.low, one.high + two.high)
        case Sub(left, right):
            one, two = _int(left, scope), _int(right, scope)
            return IntType(one.low - two.high, one.high - two.low)
        case Min(args) | Max(args):
            kinds = [_int(part, scope) for part in args]
            pick = min if isinstance(node, Min) else max
            return IntType(pick(k.low for k in kinds), pick(k.high for k in kinds))
        case Neg(arg) | Mul(_, arg) | Div(arg, _) | Mod(arg, _) | Abs(arg):
            return _unary_type(node, _int(arg, scope))
    raise TypeError(f"unknown node {type(node).__name__}")


def _unary_type(node: Node, arg: IntType) -> IntType:
    match node:
        case Neg():
            return IntType(-arg.high, -arg.low)
        case Mul(factor, _):
            ends = (factor * arg.low, factor * arg.high)
            return IntType(min(ends), max(ends))
        case Div(_, divisor):
            return IntType(arg.low // divisor, arg.high // divisor)
        case Mod(_, divisor):
            return IntType(0, divisor - 1)
    low = 0 if arg.low <= 0 <= arg.high else min(abs(arg.low), abs(arg.high))
    return IntType(low, max(abs(arg.low), abs(arg.high)))

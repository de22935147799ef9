"""Formulas as data: small typed expression trees, written once and read by several readers.

A formula is never a Python value that behaves like one: ``bool(node)`` and ``x in node`` raise,
because ``and``, ``or`` and ``not`` over symbolic values pick a side without a word.  The readers are
functions: ``text`` here, and ``evaluate``, ``compile_python``, ``to_z3``, ``english`` and ``mutants``
in the modules ``formula_*`` beside this one.  ``formula_parse.parse`` turns text into a formula.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .errors import BadInput

Value = bool | int | str


@dataclass(frozen=True, slots=True)
class BoolType:
    """Yes or no; no comes first in the stated order."""

    @property
    def domain(self) -> tuple[Value, ...]:
        """All values in the stated order."""
        return (False, True)


@dataclass(frozen=True, slots=True)
class IntType:
    """Whole numbers from *low* to *high*, both included."""

    low: int
    high: int

    @property
    def domain(self) -> range:
        """All values in the stated order."""
        return range(self.low, self.high + 1)


@dataclass(frozen=True, slots=True)
class EnumType:
    """Named values, in the stated order."""

    values: tuple[str, ...]

    @property
    def domain(self) -> tuple[Value, ...]:
        """All values in the stated order."""
        return self.values


Type = BoolType | IntType | EnumType
BOOL = BoolType()


class Node:
    """One node of a formula.  Nodes are immutable and compare by structure."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise TypeError("a formula has no truth value of its own; use evaluate, or the nodes And, Or, Not")

    def __contains__(self, item: object) -> bool:
        raise TypeError("'in' does not look into a formula; use the node In")


@dataclass(frozen=True, slots=True)
class Const(Node):
    """A fixed value: a bool, a whole number or a named value."""

    value: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value).__name__, self.value))


@dataclass(frozen=True, slots=True)
class Var(Node):
    """A variable of the situation, or the answer."""

    name: str


@dataclass(frozen=True, slots=True)
class Ruling(Node):
    """The value chosen for a ruling."""

    name: str


@dataclass(frozen=True, slots=True)
class Named(Node):
    """A helper expression under its name; it means its body."""

    name: str
    body: Node


@dataclass(frozen=True, slots=True)
class Not(Node):
    """True if *arg* is false."""

    arg: Node


@dataclass(frozen=True, slots=True)
class And(Node):
    """True if all *args* are."""

    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """True if some of *args* is."""

    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Implies(Node):
    """True unless *left* is true and *right* false."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Iff(Node):
    """True if both sides have the same truth value."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """``==`` and ``!=`` between values of one type, and the four orders between whole numbers."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Add(Node):
    """Sum of two whole numbers."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Sub(Node):
    """Difference of two whole numbers."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Neg(Node):
    """The number with the other sign."""

    arg: Node


@dataclass(frozen=True, slots=True)
class Mul(Node):
    """A number times a constant."""

    factor: int
    arg: Node


@dataclass(frozen=True, slots=True)
class Div(Node):
    """Division by a positive constant, rounded down (so that Python and z3 agree)."""

    arg: Node
    divisor: int


@dataclass(frozen=True, slots=True)
class Mod(Node):
    """Remainder of the division by a positive constant; never negative."""

    arg: Node
    divisor: int


@dataclass(frozen=True, slots=True)
class Abs(Node):
    """The number without its sign."""

    arg: Node


@dataclass(frozen=True, slots=True)
class Min(Node):
    """The least of *args*."""

    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Max(Node):
    """The greatest of *args*."""

    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Count(Node):
    """How many of *args* are true."""

    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """*then* where *cond* is true, else *other*."""

    cond: Node
    then: Node
    other: Node


@dataclass(frozen=True, slots=True)
class In(Node):
    """True if *arg* is one of these constants."""

    arg: Node
    values: tuple[Value, ...]


TRUE, FALSE = Const(True), Const(False)


@dataclass(frozen=True)
class Scope:
    """The names a formula may use: variables, rulings (both typed), and named helper expressions."""

    variables: Mapping[str, Type]
    rulings: Mapping[str, EnumType] = field(default_factory=dict)
    helpers: Mapping[str, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (*self.variables, *self.helpers):
            if not name.isidentifier() or keyword.iskeyword(name) or name in RESERVED or name[:2] == "R_":
                raise BadInput(f"{name!r} cannot be a variable's name", hint="use letters, digits and _")
        for name, kind in self.variables.items():
            if not kind.domain:
                raise BadInput(f"variable {name} has no value", hint="give at least one")

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every named value of any variable or ruling, each once, in the order of appearance."""
        kinds = (*self.variables.values(), *self.rulings.values())
        return tuple(dict.fromkeys(v for kind in kinds if isinstance(kind, EnumType) for v in kind.values))

    def with_helper(self, name: str, body: Node) -> Scope:
        """Return the scope with one more named helper; raises BadInput if the name is taken."""
        if name in self.variables or name in self.helpers or name in self.symbols:
            raise BadInput(f"the name {name!r} is taken")
        return replace(self, helpers={**self.helpers, name: body})


RESERVED = frozenset({"implies", "iff", "min", "max", "count", "abs", "true", "false"})


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly below, in order."""
    for value in parts(node):
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, Node))


def parts(node: Node) -> list[Any]:
    """Return the values of the node's fields, in order."""
    return [getattr(node, name) for name in type(node).__match_args__]  # type: ignore[attr-defined]


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return the node with *change* applied to each node directly below."""
    old = parts(node)
    new: list[Any] = []
    for value in old:
        if isinstance(value, Node):
            new.append(change(value))
        elif isinstance(value, tuple) and value and isinstance(value[0], Node):
            new.append(tuple([change(part) for part in value]))
        else:
            new.append(value)
    if all(_same(one, two) for one, two in zip(old, new, strict=True)):
        return node
    return type(node)(*new)


def _same(old: Any, new: Any) -> bool:
    """Whether nothing was changed, by identity: cheap, and a false no only costs a copy."""
    if isinstance(old, tuple) and len(old) == len(new):
        return all(one is two for one, two in zip(old, new, strict=True))
    return old is new


def substitute(node: Node, values: Mapping[str, Value | Node]) -> Node:
    """Return the formula with variables and rulings of these names replaced.

    A named helper in which something is replaced is replaced by its body.
    """
    if isinstance(node, (Var, Ruling)):
        if node.name not in values:
            return node
        value = values[node.name]
        return value if isinstance(value, Node) else Const(value)
    if isinstance(node, Named):
        body = substitute(node.body, values)
        return node if body == node.body else body
    return rebuilt(node, lambda part: substitute(part, values))


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, helpers' bodies included."""
    yield node
    for part in children(node):
        yield from walk(part)


def variables(node: Node) -> tuple[str, ...]:
    """Return the names of the variables in the formula, sorted."""
    return tuple(sorted({part.name for part in walk(node) if isinstance(part, Var)}))


def rulings(node: Node) -> tuple[str, ...]:
    """Return the names of the rulings in the formula, sorted."""
    return tuple(sorted({part.name for part in walk(node) if isinstance(part, Ruling)}))


def conjunction(parts: Sequence[Node]) -> Node:
    """Return one formula that says all of *parts* (true if there are none)."""
    return parts[0] if len(parts) == 1 else And(tuple(parts)) if parts else TRUE


def disjunction(parts: Sequence[Node]) -> Node:
    """Return one formula that says some of *parts* (false if there are none)."""
    return parts[0] if len(parts) == 1 else Or(tuple(parts)) if parts else FALSE


# -- text -----------------------------------------------------------------------------------------

_CALLS: dict[type[Node], str] = {
    Implies: "implies", Iff: "iff", Min: "min", Max: "max", Count: "count", Abs: "abs",
}  # fmt: skip
_INFIX: dict[type[Node], tuple[int, str]] = {Add: (6, "+"), Sub: (6, "-"), Div: (7, "//"), Mod: (7, "%")}


def text(node: Node) -> str:
    """Return the formula as text that ``parse`` reads back to an equal formula."""
    return _text(node)[1]


def _text(node: Node) -> tuple[int, str]:
    """The binding strength (Python's order, loosest 1) and the text."""
    match node:
        case Const(value):
            return (9 if not isinstance(value, int) or value >= 0 else 8), repr(value)
        case Var(name) | Ruling(name) | Named(name, _):
            return 9, name
        case Not(arg):
            return 4, f"not {_at(arg, 4)}"
        case And(args) | Or(args):
            own, word = (3, " and ") if isinstance(node, And) else (2, " or ")
            return own, word.join(_at(part, own + 1) for part in args)
        case Compare(op, left, right):
            return 5, f"{_at(left, 6)} {op} {_at(right, 6)}"
        case In(arg, values):
            listed = ", ".join(repr(v) for v in values) + ("," if len(values) == 1 else "")
            return 5, f"{_at(arg, 6)} in ({listed})"
        case Neg(arg):
            return 8, f"-{_at(arg, 8)}"
        case Mul(factor, arg):
            return 7, f"{factor} * {_at(arg, 8)}"
        case Div(arg, divisor) | Mod(arg, divisor):
            return 7, f"{_at(arg, 7)} {_INFIX[type(node)][1]} {divisor}"
        case Add(left, right) | Sub(left, right):
            return 6, f"{_at(left, 6)} {_INFIX[type(node)][1]} {_at(right, 7)}"
        case If(cond, then, other):
            return 1, f"{_at(then, 2)} if {_at(cond, 2)} else {_at(other, 1)}"
    return 9, f"{_CALLS[type(node)]}({', '.join(text(part) for part in children(node))})"


def _at(node: Node, strength: int) -> str:
    """The text, in brackets where it binds less than its place demands."""
    own, written = _text(node)
    return written if own >= strength else f"({written})"

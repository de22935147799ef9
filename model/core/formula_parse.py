"""From text to formula: Python's expression syntax, read with ``ast``, type-checked, never evaluated."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable

from .errors import BadInput
from .formula_types import type_of, type_words
from .formulas import (
    BOOL,
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
    Scope,
    Sub,
    Type,
    Value,
    Var,
    conjunction,
)

_ORDERS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_MANY: dict[str, Callable[[tuple[Node, ...]], Node]] = {"min": Min, "max": Max, "count": Count}
_TWO: dict[str, Callable[[Node, Node], Node]] = {"implies": Implies, "iff": Iff}
_MAX_LENGTH, _MAX_DEPTH = 4000, 60
_SYNTAX = "a formula has and, or, not, comparisons, + - * // %, 'x if c else y', implies, iff, min, max, count, abs, in"


def parse(text: str, scope: Scope, expect: Type | None = BOOL, where: str = "formula") -> Node:
    """Read a formula.  *expect* is the kind of its value (``BOOL``; None: any).

    Raises BadInput with *where* and the column of the mistake, and what would be right.
    """
    if len(text) > _MAX_LENGTH:
        raise BadInput(f"formula of {len(text)} characters", where=where, hint=f"at most {_MAX_LENGTH}; use define")
    try:
        tree = ast.parse(text.strip().replace("\n", " "), mode="eval")
    except SyntaxError as error:
        place = f"{where}, column {error.offset or 1}"
        raise BadInput(f"not a formula: {text.strip()!r} ({error.msg})", where=place, hint=_SYNTAX) from None
    except (ValueError, RecursionError, MemoryError):
        raise BadInput("not a formula", where=where, hint=_SYNTAX) from None
    node = _Reader(scope, where).read(tree.body)
    if expect is not None and type(kind := type_of(node, scope)) is not type(expect):
        hint = f"{type_words(expect)} is needed here"
        raise BadInput(f"{text.strip()!r} is {type_words(kind)}", where=where, hint=hint)
    return node


class _Reader:
    """Turns ast nodes into formula nodes within one scope."""

    def __init__(self, scope: Scope, where: str) -> None:
        self.scope, self.where, self.depth = scope, where, 0

    def wrong(self, at: ast.AST, what: str, hint: str = _SYNTAX) -> BadInput:
        """The complaint about *at*, with its column."""
        return BadInput(what, where=f"{self.where}, column {getattr(at, 'col_offset', 0) + 1}", hint=hint)

    def read(self, tree: ast.expr) -> Node:
        """Read one expression and check its type at once, so that a mistake has its place."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.wrong(tree, "nested too deeply", "name parts of it under define")
        reader = getattr(self, f"_{type(tree).__name__.lower()}", None)
        if reader is None:
            raise self.wrong(tree, f"{ast.unparse(tree)!r} cannot stand in a formula")
        node: Node = reader(tree)
        try:
            type_of(node, self.scope)
        except BadInput as error:
            raise self.wrong(tree, error.what, error.hint) from None
        self.depth -= 1
        return node

    def _constant(self, tree: ast.Constant) -> Node:
        if isinstance(tree.value, str) and tree.value not in self.scope.symbols:
            raise self._unknown(tree, tree.value, self.scope.symbols, "value")
        if not isinstance(tree.value, (bool, int, str)):
            raise self.wrong(tree, f"{tree.value!r} cannot stand in a formula", "whole numbers, True, False, names")
        return Const(tree.value)

    def _name(self, tree: ast.Name) -> Node:
        name, scope = tree.id, self.scope
        if name in scope.variables:
            return Var(name)
        if name in scope.helpers:
            return Named(name, scope.helpers[name])
        if name in scope.rulings:
            return Ruling(name)
        if name in ("true", "false"):
            return Const(name == "true")
        if name in scope.symbols:
            return Const(name)
        known = (*scope.variables, *scope.helpers, *scope.rulings, *scope.symbols)
        raise self._unknown(tree, name, known, "name")

    def _unknown(self, tree: ast.AST, name: str, known: tuple[str, ...], what: str) -> BadInput:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known) or 'none'}"
        return self.wrong(tree, f"unknown {what} {name!r}", hint)

    def _boolop(self, tree: ast.BoolOp) -> Node:
        args = tuple(self.read(part) for part in tree.values)
        return And(args) if isinstance(tree.op, ast.And) else Or(args)

    def _unaryop(self, tree: ast.UnaryOp) -> Node:
        arg = self.read(tree.operand)
        if isinstance(tree.op, ast.Not):
            return Not(arg)
        if isinstance(tree.op, ast.USub):
            number = isinstance(arg, Const) and type(arg.value) is int
            return Const(-arg.value) if number else Neg(arg)  # type: ignore[attr-defined]
        raise self.wrong(tree, f"{ast.unparse(tree)!r} cannot stand in a formula")

    def _binop(self, tree: ast.BinOp) -> Node:
        left, right = self.read(tree.left), self.read(tree.right)
        match tree.op:
            case ast.Add():
                return Add(left, right)
            case ast.Sub():
                return Sub(left, right)
            case ast.Mult():
                return self._product(tree, left, right)
            case ast.FloorDiv() | ast.Mod():
                if not isinstance(right, Const) or type(right.value) is not int or right.value < 1:
                    raise self.wrong(tree, "division by something else than a positive number", "write x // 2")
                return (Div if isinstance(tree.op, ast.FloorDiv) else Mod)(left, right.value)
        raise self.wrong(tree, f"{ast.unparse(tree)!r} cannot stand in a formula")

    def _product(self, tree: ast.BinOp, left: Node, right: Node) -> Node:
        for factor, other in ((left, right), (right, left)):
            if isinstance(factor, Const) and type(factor.value) is int:
                return Mul(factor.value, other)
        raise self.wrong(tree, "a product of two variables", "one side has to be a number")

    def _compare(self, tree: ast.Compare) -> Node:
        """A comparison or a chain of them; a chain is the conjunction of its links."""
        links: list[Node] = []
        left = tree.left
        for op, right in zip(tree.ops, tree.comparators, strict=True):
            links.append(self._link(tree, op, left, right))
            left = right
        return conjunction(links)

    def _link(self, tree: ast.Compare, op: ast.cmpop, left: ast.expr, right: ast.expr) -> Node:
        if isinstance(op, (ast.In, ast.NotIn)):
            member = In(self.read(left), self._members(right))
            return member if isinstance(op, ast.In) else Not(member)
        if type(op) not in _ORDERS:
            raise self.wrong(tree, f"{ast.unparse(tree)!r} cannot stand in a formula")
        return Compare(_ORDERS[type(op)], self.read(left), self.read(right))

    def _members(self, tree: ast.expr) -> tuple[Value, ...]:
        if not isinstance(tree, (ast.Tuple, ast.List, ast.Set)) or not tree.elts:
            raise self.wrong(tree, "'in' needs values in brackets", "write x in (a, b)")
        parts = [self.read(part) for part in tree.elts]
        for part, at in zip(parts, tree.elts, strict=True):
            if not isinstance(part, Const):
                raise self.wrong(at, f"{ast.unparse(at)!r} is no constant", "write x == a or x == b")
        return tuple(part.value for part in parts if isinstance(part, Const))

    def _ifexp(self, tree: ast.IfExp) -> Node:
        return If(self.read(tree.test), self.read(tree.body), self.read(tree.orelse))

    def _call(self, tree: ast.Call) -> Node:
        name = tree.func.id if isinstance(tree.func, ast.Name) else ast.unparse(tree.func)
        args = () if tree.keywords else tuple(self.read(part) for part in tree.args)
        if name in _TWO and len(args) == 2:
            return _TWO[name](*args)
        if name in _MANY and args:
            return _MANY[name](args)
        if name == "abs" and len(args) == 1:
            return Abs(args[0])
        if name in {*_TWO, *_MANY, "abs"}:
            raise self.wrong(tree, f"{name} with {len(args)} parts", "implies(a, b), iff(a, b), min(a, b, ...), abs(a)")
        raise self.wrong(tree, f"unknown function {name!r}", "there are implies, iff, min, max, count, abs")

"""A law that tells what its rules compare: every comparison of amounts, every largest and smallest of several.

A rule function is compiled anew from its own source, with each comparison and each ``max``, ``min`` and ``any``
noted as it is worked out.  So the thresholds and ties of a game are found in its rules and not listed by hand.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame

NEAR = 100
"""Differences are told apart up to this size; what is further off counts as that far."""
_ORDERED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: lambda a, b: a < b, ast.LtE: lambda a, b: a <= b, ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b, ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b,
}  # fmt: skip


class Site(msgspec.Struct, frozen=True, order=True):
    """A place in a rule at which amounts are compared: the rule's name, its number there, its words."""

    rule: str
    number: int
    words: str


class Mark(msgspec.Struct, frozen=True, order=True):
    """How a comparison stood: at which site, which of several amounts (0 where there are two), how far it was off."""

    site: Site
    which: int
    off: int


class Watch:
    """Collects the marks of what the rules of a watched game compare."""

    def __init__(self) -> None:
        self.marks: set[Mark] = set()

    def take(self) -> frozenset[Mark]:
        """Return the marks since the last time."""
        found, self.marks = frozenset(self.marks), set()
        return found

    def compare(self, site: Site, kind: type[ast.cmpop], left: Any, right: Any) -> bool:
        """Compare two values, and note by how much they differ if they are amounts."""
        if type(left) is int and type(right) is int:
            self.note(site, 0, left - right)
        return _ORDERED[kind](left, right)

    def best(self, site: Site, pick: Callable[..., Any], *values: Any, **more: Any) -> Any:
        """Pick the largest or smallest, and note for each amount how far it is from the best of the others."""
        amounts = list(values[0]) if len(values) == 1 else list(values)
        if len(amounts) > 1:
            key = more.get("key", lambda value: value)
            keys = [key(value) for value in amounts]
            if all(type(value) is int for value in keys):
                for n, value in enumerate(keys):
                    self.note(site, n, value - pick(keys[:n] + keys[n + 1 :]))
        return pick(amounts, **more)

    def some(self, site: Site, values: Iterable[Any]) -> bool:
        """Tell whether any is true, and note how many more than one are."""
        found = [bool(value) for value in values]
        self.note(site, 0, sum(found) - 1)
        return any(found)

    def note(self, site: Site, which: int, off: int) -> None:
        """Keep a mark."""
        self.marks.add(Mark(site, which, max(-NEAR, min(NEAR, off))))


def watched(game: AnyGame, watch: Watch) -> AnyGame:
    """Return the same game with a law that tells *watch* what it compares.

    A rule whose source cannot be had stays as it is.
    """
    functions: dict[str, Callable[..., Any]] = {}
    for name in game.law.rules:
        function = getattr(game.law, name)
        if isinstance(function, FunctionType) and function.__name__ == name:
            made = _Rule(name, watch).made(function)
            if made is not None:
                functions[name] = made
    return game.varied(law=game.law.replace(**functions)) if functions else game


class _Rule(ast.NodeTransformer):
    """Turns a rule, and what it calls of its own module, into watched functions."""

    def __init__(self, rule: str, watch: Watch) -> None:
        self.rule, self.watch = rule, watch
        self.sites: list[Site] = []
        self.done: dict[FunctionType, Callable[..., Any] | None] = {}
        self.kinds = tuple(_ORDERED)

    def made(self, function: FunctionType) -> Callable[..., Any] | None:
        """Return the watched function; None if its source cannot be had or it is no plain function."""
        if function not in self.done:
            self.done[function] = None  # one that calls itself calls the unwatched one
            self.done[function] = self._made(function)
        return self.done[function]

    def _made(self, function: FunctionType) -> Callable[..., Any] | None:
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError):
            return None
        definition = tree.body[0]
        if not isinstance(definition, ast.FunctionDef):
            return None
        definition.decorator_list = []
        namespace = dict(vars(sys.modules[function.__module__]))
        for name in function.__code__.co_names:
            helper = namespace.get(name)
            if isinstance(helper, FunctionType) and helper.__module__.rpartition(".")[0] == _home(function):
                namespace[name] = self.made(helper) or helper
        module = ast.fix_missing_locations(ast.Module([self.visit(definition)], []))
        flags = __future__.annotations.compiler_flag
        namespace |= {"__watch": self.watch, "__sites": self.sites, "__kinds": self.kinds}
        exec(compile(module, "<watched>", "exec", flags, dont_inherit=True), namespace)  # our own source
        made: Callable[..., Any] = namespace[function.__name__]
        return made

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Watch a comparison of two; one of more than two stays."""
        site = self._site(node)
        self.generic_visit(node)
        if len(node.ops) != 1 or type(node.ops[0]) not in _ORDERED:
            return node
        kind = _item("__kinds", self.kinds.index(type(node.ops[0])))
        return _call("compare", [site, kind, node.left, node.comparators[0]], [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Watch the largest, the smallest, and whether there is any."""
        site = self._site(node)
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("max", "min") and not any(isinstance(a, ast.Starred) for a in node.args):
            return _call("best", [site, node.func, *node.args], node.keywords)
        return _call("some", [site, *node.args], []) if name == "any" else node

    def _site(self, node: ast.expr) -> ast.expr:
        words = " ".join(ast.unparse(node).split())
        self.sites.append(Site(self.rule, len(self.sites), words))
        return _item("__sites", len(self.sites) - 1)


def _home(function: FunctionType) -> str:
    return function.__module__.rpartition(".")[0]


def _item(name: str, number: int) -> ast.expr:
    return ast.Subscript(ast.Name(name, ast.Load()), ast.Constant(number), ast.Load())


def _call(method: str, arguments: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name("__watch", ast.Load()), method, ast.Load()), arguments, keywords)

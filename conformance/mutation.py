"""Small mechanical changes of a function's source: the mutants of rule functions and of methods.

Operators carry the codes of the catalogue of rule faults (M01 to M81), so that a rate of detection
speaks about faults that are known to happen.  Loops with ``while`` are left alone: a mutant that never
returns proves nothing.
"""

from __future__ import annotations
import __future__

import ast
import copy
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Edit = tuple[str, str, ast.AST]
"""An operator's code, what it does in words, and the node that takes a place."""

_STRICT: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt,
}  # fmt: skip
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_CALLS = {"any": ("M40", "all"), "all": ("M40", "any"), "max": ("M36", "min"), "min": ("M36", "max"),
          "sum": ("M36", "max")}  # fmt: skip


@dataclass(frozen=True)
class Mutation:
    """One change of one function: its operator's code, the change in words, and the changed function."""

    operator: str
    what: str
    line: int
    function: Callable[..., Any]


UPDATING = frozenset({"M01", "M03", "M04", "M05", "M08", "M09", "M48", "M59", "M63", "M64"})
"""The operators that suit methods which make a new state or a list."""


def mutations(function: Callable[..., Any], *, updates: bool = False) -> list[Mutation]:
    """Return every mutant of a function, in the order of its source, none twice.

    ``updates`` also drops statements and single fields from calls of ``replace``, and swaps arguments
    of the law, but leaves constants alone; that suits methods that make a new state.  Raises OSError
    where the source cannot be had.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef))
    _bare(definition)
    seen, found = {ast.dump(definition)}, []
    for number, node in enumerate(_places(definition)):
        for code, what, changed in _edits(node, updates):
            if updates and code not in UPDATING:
                continue
            mutant = _with(definition, number, changed)
            form = ast.dump(mutant)
            if form in seen:
                continue
            seen.add(form)
            found.append(Mutation(code, what, getattr(node, "lineno", 0), _compiled(mutant, function)))
    return found


def _bare(definition: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Take away decorators and docstring: a mutant of either is none."""
    definition.decorator_list = []
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:]


def _places(definition: ast.AST) -> list[ast.AST]:
    """Return the nodes of the body that may change, in a fixed order."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = list(reversed(getattr(definition, "body", [])))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.While) or (isinstance(node, ast.keyword) and node.arg == "strict"):
            continue
        found.append(node)
        children = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Subscript):  # another index mostly crashes, and tells nothing about a rule
            children = [node.value]
        elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):  # 1 - seat, 1 << n
            children = [node.right]
        todo += reversed(children)
    return found


def _with(definition: ast.AST, number: int, changed: ast.AST) -> ast.AST:
    """Return a copy of the definition in which the node of this number is another."""
    mutant = copy.deepcopy(definition)
    target = _places(mutant)[number]

    class Swap(ast.NodeTransformer):
        """Puts the changed node where the target stood."""

        def visit(self, node: ast.AST) -> ast.AST:
            """Replace the target; go on below any other node."""
            return copy.deepcopy(changed) if node is target else self.generic_visit(node)

    return ast.fix_missing_locations(Swap().visit(mutant))


def _compiled(definition: ast.AST, function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a changed definition in the namespace of the function's own module."""
    module = ast.Module([definition], [])  # type: ignore[list-item]
    flags = __future__.annotations.compiler_flag
    namespace = dict(vars(sys.modules[function.__module__]))
    exec(compile(module, "<mutant>", "exec", flags, dont_inherit=True), namespace)  # our own source
    made: Callable[..., Any] = namespace[function.__name__]
    return made


# -- operators --------------------------------------------------------------------------------------


def _edits(node: ast.AST, updates: bool) -> Iterator[Edit]:
    """Yield every change of one node."""
    for edit in _EDITS.get(type(node), ()):
        yield from edit(node)
    if updates:
        for edit in _UPDATES.get(type(node), ()):
            yield from edit(node)


def _words(node: ast.AST) -> str:
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= 60 else text[:57] + "..."


def _bool_op(node: ast.BoolOp) -> Iterator[Edit]:
    word = "and" if isinstance(node.op, ast.And) else "or"
    code = "M01" if word == "and" else "M05"
    for n, value in enumerate(node.values):
        rest = [v for m, v in enumerate(node.values) if m != n]
        left: ast.expr = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        yield code, f"drops '{_words(value)}' from '{_words(node)}'", left
    other = ast.Or() if word == "and" else ast.And()
    yield ("M01" if word == "and" else "M04"), f"'{word}' turned into its opposite in '{_words(node)}'", ast.BoolOp(
        other, node.values
    )


def _compare(node: ast.Compare) -> Iterator[Edit]:
    for n, op in enumerate(node.ops):
        for table, code in ((_STRICT, "M48"), (_TURNED, "M71")):
            if type(op) in table:
                ops = [table[type(op)]() if m == n else o for m, o in enumerate(node.ops)]
                changed = ast.Compare(node.left, ops, node.comparators)
                yield code, f"'{_words(node)}' becomes '{_words(changed)}'", changed


def _constant(node: ast.Constant) -> Iterator[Edit]:
    if isinstance(node.value, bool):
        yield "M71", f"{node.value} becomes {not node.value}", ast.Constant(not node.value)
    elif isinstance(node.value, int):
        for step in (1, -1):
            yield "M69", f"{node.value} becomes {node.value + step}", ast.Constant(node.value + step)


def _unary(node: ast.UnaryOp) -> Iterator[Edit]:
    if isinstance(node.op, (ast.Not, ast.Invert)):
        yield "M71", f"'{_words(node)}' without its negation", node.operand


def _binary(node: ast.BinOp) -> Iterator[Edit]:
    if isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Constant) and node.left.value == 1:
        yield "M64", f"'{_words(node)}' becomes '{_words(node.right)}'", node.right
    elif isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        code = "M03" if isinstance(node.op, ast.BitAnd) else "M08"
        yield code, f"'{_words(node)}' becomes '{_words(node.left)}'", node.left


def _either(node: ast.IfExp) -> Iterator[Edit]:
    yield "M71", f"the branches of '{_words(node)}' swapped", ast.IfExp(node.test, node.orelse, node.body)


def _if(node: ast.If) -> Iterator[Edit]:
    turned = ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    yield "M71", f"the condition '{_words(node.test)}' negated", turned
    if not node.orelse:
        yield "M59", f"the case '{_words(node.test)}' dropped", ast.Pass()


def _call(node: ast.Call) -> Iterator[Edit]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in _CALLS and len(node.args) == 1 and not node.keywords:
        code, other = _CALLS[name]
        yield code, f"{name} becomes {other} in '{_words(node)}'", ast.Call(ast.Name(other, ast.Load()), node.args, [])


def _return(node: ast.Return) -> Iterator[Edit]:
    if isinstance(node.value, (ast.BoolOp, ast.Compare, ast.Call)) and _is_truth(node.value):
        yield "M71", f"'{_words(node.value)}' negated", ast.Return(ast.UnaryOp(ast.Not(), node.value))
    if isinstance(node.value, ast.Name) and node.value.id in ("seat", "drawer", "winner"):
        other = ast.BinOp(ast.Constant(1), ast.Sub(), node.value)
        yield "M61", f"returns '{_words(other)}' instead of '{node.value.id}'", ast.Return(other)


def _is_truth(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("any", "all", "bool")
    return True


def _tuple(node: ast.Tuple) -> Iterator[Edit]:
    if len(node.elts) > 1 and all(isinstance(e, ast.Constant) for e in node.elts) and isinstance(node.ctx, ast.Load):
        for n in range(len(node.elts)):
            left = ast.Tuple([e for m, e in enumerate(node.elts) if m != n], ast.Load())
            yield "M60", f"'{_words(node)}' becomes '{_words(left)}'", left


def _replace(node: ast.Call) -> Iterator[Edit]:
    if not (isinstance(node.func, ast.Name) and node.func.id == "replace"):
        return
    for n, keyword in enumerate(node.keywords):
        rest = [k for m, k in enumerate(node.keywords) if m != n]
        yield "M09", f"does not set {keyword.arg} to '{_words(keyword.value)}'", ast.Call(node.func, node.args, rest)


def _arguments(node: ast.Call) -> Iterator[Edit]:
    if len(node.args) >= 2 and ".law." in ast.unparse(node.func):
        for n in range(len(node.args) - 1):
            swapped = list(node.args)
            swapped[n], swapped[n + 1] = swapped[n + 1], swapped[n]
            yield "M63", f"two arguments swapped in '{_words(node)}'", ast.Call(node.func, swapped, node.keywords)


def _statement(node: ast.stmt) -> Iterator[Edit]:
    yield "M08", f"drops '{_words(node)}'", ast.Pass()


_EDITS: dict[type, tuple[Callable[[Any], Iterator[Edit]], ...]] = {
    ast.BoolOp: (_bool_op,), ast.Compare: (_compare,), ast.Constant: (_constant,), ast.UnaryOp: (_unary,),
    ast.BinOp: (_binary,), ast.IfExp: (_either,), ast.If: (_if,), ast.Call: (_call,), ast.Return: (_return,),
    ast.Tuple: (_tuple,),
}  # fmt: skip
_UPDATES: dict[type, tuple[Callable[[Any], Iterator[Edit]], ...]] = {
    ast.Call: (_replace, _arguments), ast.AugAssign: (_statement,), ast.Expr: (_statement,),
}  # fmt: skip

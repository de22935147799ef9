"""Formulas: the text is read strictly, and the five readers agree."""

from __future__ import annotations

import itertools
import timeit

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from lawspeaker.model.core import formulas as f
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.formula_mutate import mutants
from lawspeaker.model.core.formula_parse import parse
from lawspeaker.model.core.formula_read import compile_python, compile_tuple, evaluate, simplify
from lawspeaker.model.core.formula_types import type_of
from lawspeaker.model.core.formula_words import english
from lawspeaker.model.core.formula_z3 import Z3Names, to_z3

SCOPE = f.Scope(
    {
        "p": f.BOOL,
        "q": f.BOOL,
        "n": f.IntType(-3, 4),
        "m": f.IntType(0, 5),
        "who": f.EnumType(("A", "B")),
        "answer": f.EnumType(("A", "B", "nobody")),
    },
    {"R_X": f.EnumType(("end", "go"))},
)
NAMES = (*SCOPE.variables, *SCOPE.rulings)


def named_values() -> st.SearchStrategy[f.Node]:
    return st.sampled_from([f.Var("who"), f.Var("answer"), f.Const("A"), f.Const("B")])


def numbers(depth: int) -> st.SearchStrategy[f.Node]:
    leaves = st.one_of(st.sampled_from([f.Var("n"), f.Var("m")]), st.integers(-3, 5).map(f.Const))
    if depth == 0:
        return leaves
    one = st.deferred(lambda: numbers(depth - 1))
    listed = st.lists(one, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        leaves,
        st.builds(f.Add, one, one),
        st.builds(f.Sub, one, one),
        one.filter(lambda x: not isinstance(x, f.Const)).map(f.Neg),
        st.builds(f.Mul, st.integers(-2, 3), one),
        st.builds(f.Div, one, st.integers(1, 4)),
        st.builds(f.Mod, one, st.integers(1, 4)),
        one.map(f.Abs),
        listed.map(f.Min),
        listed.map(f.Max),
        st.builds(f.If, truths(depth - 1), one, one),
        st.lists(truths(depth - 1), min_size=1, max_size=3).map(tuple).map(f.Count),
    )


def truths(depth: int) -> st.SearchStrategy[f.Node]:
    leaves = st.sampled_from([f.Var("p"), f.Var("q"), f.Const(True), f.Const(False)])
    if depth == 0:
        return leaves
    one = st.deferred(lambda: truths(depth - 1))
    pair = st.lists(one, min_size=2, max_size=3).map(tuple)
    order = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    equal = st.sampled_from(["==", "!="])
    return st.one_of(
        leaves,
        one.map(f.Not),
        pair.map(f.And),
        pair.map(f.Or),
        st.builds(f.Implies, one, one),
        st.builds(f.Iff, one, one),
        st.builds(f.Compare, order, numbers(depth - 1), numbers(depth - 1)),
        st.builds(f.Compare, equal, st.sampled_from([f.Var("who"), f.Var("answer")]), named_values()),
        st.builds(f.Compare, equal, st.just(f.Ruling("R_X")), st.sampled_from([f.Const("end"), f.Const("go")])),
        st.builds(f.Compare, equal, one, one),
        st.builds(f.In, numbers(depth - 1), st.lists(st.integers(-2, 3), min_size=1, max_size=3).map(tuple)),
        st.builds(f.In, st.just(f.Var("answer")), st.sampled_from([("A",), ("B", "nobody")])),
    )


ENVS = st.fixed_dictionaries(
    {name: st.sampled_from(list(kind.domain)) for name, kind in {**SCOPE.variables, **SCOPE.rulings}.items()}
)


@settings(max_examples=80, deadline=None)
@given(truths(3), ENVS)
def test_readers_agree(node: f.Node, env: dict[str, f.Value]) -> None:
    wanted = evaluate(node, env)
    assert isinstance(wanted, bool)
    assert compile_python(node, NAMES)(*(env[n] for n in NAMES)) is wanted
    assert evaluate(simplify(node), env) is wanted
    names = Z3Names(SCOPE)
    pairs = [(names.terms[n], names.term(v)) for n, v in env.items()]
    assert z3.is_true(z3.simplify(z3.substitute(to_z3(node, names), *pairs))) is wanted


@settings(max_examples=80, deadline=None)
@given(numbers(3), ENVS)
def test_numbers_agree_and_stay_within_their_type(node: f.Node, env: dict[str, f.Value]) -> None:
    wanted = evaluate(node, env)
    assert compile_python(node, NAMES)(*(env[n] for n in NAMES)) == wanted
    names = Z3Names(SCOPE)
    pairs = [(names.terms[n], names.term(v)) for n, v in env.items()]
    assert z3.simplify(z3.substitute(to_z3(node, names), *pairs)).as_long() == wanted
    kind = type_of(node, SCOPE)
    assert isinstance(kind, f.IntType)
    assert isinstance(wanted, int)
    assert kind.low <= wanted <= kind.high


@settings(max_examples=80, deadline=None)
@given(truths(3))
def test_text_reads_back(node: f.Node) -> None:
    assert parse(f.text(node), SCOPE) == node


EACH_KIND = [
    "n - (m - 1)", "n - (m + 1)", "n + (m - 1)", "n - m - 1", "2 * (n + 1)", "-2 * n", "-(-n)", "-(n + 1)",
    "n % 3", "(n + 1) % 2", "n // 2 % 3", "2 * n // 3", "2 * (n // 3)", "(n - m) // 4", "abs(n - 2)",
    "min(n, m, 1)", "max(n, m - 1)", "count(p, q, n > 0)", "n if p else m if q else 0", "(n if p else m) + 1",
]  # fmt: skip


@pytest.mark.parametrize("written", EACH_KIND)
def test_each_kind_of_number_agrees_everywhere_and_reads_back(written: str) -> None:
    node = parse(written, SCOPE, None)
    assert parse(f.text(node), SCOPE, None) == node
    run, names = compile_python(node, NAMES), Z3Names(SCOPE)
    term = to_z3(node, names)
    for n, m, p, q in itertools.product(range(-3, 5), (0, 1, 5), (False, True), (False, True)):
        env: dict[str, f.Value] = {"p": p, "q": q, "n": n, "m": m, "who": "A", "answer": "A", "R_X": "go"}
        wanted = eval(written, {"count": lambda *parts: sum(parts)}, env)  # Python itself is the oracle
        assert evaluate(node, env) == wanted == run(*env.values())
        pairs = [(names.terms[name], names.term(value)) for name, value in env.items()]
        assert z3.simplify(z3.substitute(term, *pairs)).as_long() == wanted


@settings(max_examples=40, deadline=None)
@given(truths(2))
def test_mutants_differ_stay_typed_and_have_english(node: f.Node) -> None:
    found = list(mutants(node))
    assert len({mutant for _, mutant in found}) == len(found)
    for description, mutant in found:
        assert mutant != node
        assert isinstance(type_of(mutant, SCOPE), f.BoolType)
        assert description
        assert english(mutant)


def test_mutants_are_the_slips_named() -> None:
    found = {f.text(mutant) for _, mutant in mutants(parse("p and n < 2", SCOPE))}
    assert found == {"p", "n < 2", "p or n < 2", "not (p and n < 2)", "p and n <= 2", "p and not n < 2",
                     "p and n < 3", "p and n < 1"}  # fmt: skip


def test_truth_of_a_formula_cannot_be_asked() -> None:
    node = f.Var("p")
    with pytest.raises(TypeError, match="evaluate"):
        bool(node)
    with pytest.raises(TypeError, match="In"):
        assert "p" in node
    with pytest.raises(TypeError):
        assert not (node and f.Var("q"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p and", "not a formula"),
        ("p & q", "cannot stand in a formula"),
        ("__import__('os')", "unknown value"),
        ("p.real", "cannot stand in a formula"),
        ("pp", "did you mean p"),
        ("n == A", "compare values of one kind"),
        ("who == nobody", "can never be equal"),
        ("who == 'C'", "unknown value 'C'"),
        ("who < A", "only == and != fit"),
        ("n * m > 1", "one side has to be a number"),
        ("n // 0 == 1", "positive number"),
        ("n / 2 == 1", "cannot stand in a formula"),
        ("n + 1", "yes or no is needed"),
        ("not n", "yes or no is needed"),
        ("1.5 < n", "whole numbers"),
        ("implies(p)", "implies with 1 parts"),
        ("n in (m, 1)", "is no constant"),
        ("(lambda: p)()", "unknown function"),
        ("(p if p else n) == n", "differ in kind"),
        ("not " * 100 + "p", "nested too deeply"),
        ("p or " * 2000 + "p", "characters"),
    ],
)
def test_wrong_text_is_refused_with_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text, SCOPE, where="here")
    assert said in str(caught.value)
    assert str(caught.value).startswith("here")


def test_chains_bare_names_and_floor_division() -> None:
    assert parse("0 <= n < m", SCOPE) == parse("0 <= n and n < m", SCOPE)
    assert evaluate(parse("0 <= n < m", SCOPE), {"n": 1, "m": 2}) is True
    assert evaluate(parse("n // 2 == -2 and n % 2 == 1", SCOPE), {"n": -3}) is True
    assert evaluate(parse("answer == (B if p else who)", SCOPE), {"answer": "B", "p": True, "who": "A"}) is True


def test_helpers_mean_their_bodies() -> None:
    scope = SCOPE.with_helper("rich", parse("n > 2", SCOPE))
    node = parse("rich and p", scope)
    assert f.text(node) == "rich and p"
    assert english(node) == "rich and p"
    assert evaluate(node, {"n": 3, "p": True}) is True
    assert compile_python(node, ("n", "p"))(2, True) is False
    with pytest.raises(BadInput, match="taken"):
        scope.with_helper("rich", f.TRUE)


def test_english_is_unambiguous() -> None:
    assert english(parse("p and (q or n >= 2)", SCOPE)) == "p and (q or n is at least 2)"
    assert english(parse("implies(p, answer == who)", SCOPE)) == "if p, then answer is who"


def test_sixteen_compiled_clauses_take_microseconds() -> None:
    texts = [f"implies(p and n < {i}, answer == who)" for i in range(8)] + [f"not (q and m > {i})" for i in range(8)]
    nodes = [parse(text, SCOPE) for text in texts]
    run = compile_tuple(nodes, NAMES)
    args = (True, False, 1, 2, "A", "A", "end")
    assert run(*args) == tuple(evaluate(n, dict(zip(NAMES, args, strict=True))) for n in nodes)
    best = min(timeit.repeat(lambda: run(*args), number=2000, repeat=5)) / 2000
    assert best < 20e-6

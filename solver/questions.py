"""Questions about a topic, put to z3 and, where the domain is small, to plain enumeration.

Every question has a fresh solver with a resource limit; ``unknown`` raises and is never taken for a
proof; every model is evaluated again in Python.  The witness is the least one in the stated order
(variables as written, then rulings; values as written), found by fixing variables one after another,
so that it does not depend on the solver's version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import z3

from lawspeaker.model.core.formula_read import compile_python, compile_tuple, evaluate, simplify
from lawspeaker.model.core.formula_z3 import Z3Names, to_z3
from lawspeaker.model.core.formulas import (
    FALSE,
    And,
    Compare,
    Const,
    Node,
    Not,
    Ruling,
    Value,
    disjunction,
    rulings,
    substitute,
)

from .systems import System, valid
from .topics import Topic

ENUMERABLE = 200_000
"""The largest domain that is enumerated as well."""
RESOURCES = 20_000_000
"""z3's limit a question.  It counts steps, not time, so that no clock can change a verdict."""

Witness = dict[str, Value]


class UnknownError(Exception):
    """The solver gave up within its limits."""


class Asker:
    """Asks about one topic; with *cross_check* enumeration has to agree wherever it is feasible."""

    def __init__(self, topic: Topic, cross_check: bool = False) -> None:
        self.topic = topic
        self.names = Z3Names(topic.scope)
        self.bounds = [self.names.bounds(name) for name in topic.names]
        self.questions = 0
        self.domains = [topic.domain(name) for name in topic.names]
        size = topic.size * len(topic.choices)
        self.enumerates = cross_check and size <= ENUMERABLE

    # -- one question ---------------------------------------------------------------------------

    def least(self, query: Node, everywhere: bool = False) -> Witness | None:
        """Return the least valid situation (with rulings) in which *query* is true, or None: proven.

        With *everywhere* the assumptions are not demanded.  Raises UnknownError.
        """
        whole = self._whole(query, everywhere)
        witness = None if whole == FALSE else self._witness(whole, least=True)
        if self.enumerates and (found := self.least_by_enumeration(whole)) != witness:
            raise RuntimeError(f"topic {self.topic.id}: z3 says {witness}, enumeration says {found}")
        return witness

    def never(self, query: Node, everywhere: bool = False) -> bool:
        """Return whether *query* is proven false in every valid situation.  Raises UnknownError."""
        whole = self._whole(query, everywhere)
        proven = whole == FALSE or self._witness(whole, least=False) is None
        if self.enumerates and (self.least_by_enumeration(whole) is None) != proven:
            raise RuntimeError(f"topic {self.topic.id}: z3 and enumeration disagree whether it can be")
        return proven

    def only_under(self, query: Node, everywhere: bool = False) -> list[str]:
        """Return under which readings *query* can be true, in words; nothing if under all.

        Raises UnknownError.
        """
        used = rulings(simplify(query))
        names = [name for name in self.topic.ruling_names if name in used]
        arises = []
        for values in product(*(self.topic.domain(name) for name in names)):
            choice = [Compare("==", Ruling(n), Const(v)) for n, v in zip(names, values, strict=True)]
            if not self.never(And((query, *choice)), everywhere):
                arises.append(dict(zip(names, values, strict=True)))
        words = [" ".join(f"{name}={value}" for name, value in case.items()) for case in self._telling(arises)]
        return [f"arises only under {' or '.join(words)}"] if any(words) else []

    def _telling(self, cases: list[dict[str, Value]]) -> list[dict[str, Value]]:
        """The cases without the rulings that make no difference to whether they are among them."""
        for name in self.topic.ruling_names:
            short = [{n: v for n, v in case.items() if n != name} for case in cases]
            full = all({**case, name: value} in cases for case in short for value in self.topic.domain(name))
            if cases and name in cases[0] and full:
                cases = [case for place, case in enumerate(short) if case not in short[:place]]
        return cases

    def _whole(self, query: Node, everywhere: bool) -> Node:
        if everywhere or query == FALSE:
            return query
        return And((valid(self.topic), query))

    def _witness(self, whole: Node, least: bool) -> Witness | None:
        """A model in Python's values, evaluated again in Python; None: there is none."""
        solver = self._solver(to_z3(whole, self.names))
        if not self._check(solver):
            return None
        model = solver.model()
        witness: Witness = {}
        for name, domain in zip(self.topic.names, self.domains, strict=True):
            if least:
                model, place = self._lowered(solver, model, name, domain)
                solver.add(self.names.terms[name] == self.names.term(domain[place]))
            else:
                place = self._place(model, self.names.terms[name], domain)
            witness[name] = domain[place]
        if evaluate(whole, witness) is not True:
            raise RuntimeError(f"z3's model of topic {self.topic.id} does not hold in Python: {witness}")
        return witness

    def _solver(self, *terms: Any) -> Any:
        solver = z3.SimpleSolver()  # five times faster than the default for questions of this size
        solver.set("rlimit", RESOURCES)
        solver.add(*self.bounds, *terms)
        return solver

    def _check(self, solver: Any, *assumptions: Any) -> bool:
        self.questions += 1
        answer = solver.check(*assumptions)
        if answer == z3.unknown:
            raise UnknownError(f"topic {self.topic.id}: {solver.reason_unknown()}")
        return bool(answer == z3.sat)

    def _lowered(self, solver: Any, model: Any, name: str, domain: Sequence[Value]) -> tuple[Any, int]:
        """Bisect for the first value of *name* that is possible, starting from a model."""
        term = self.names.terms[name]
        low, best = 0, self._place(model, term, domain)
        while low < best:
            middle = (low + best) // 2
            solver.push()
            solver.add(z3.Or([term == self.names.term(value) for value in domain[low : middle + 1]]))
            if self._check(solver):
                model = solver.model()
                best = self._place(model, term, domain)
            else:
                low = middle + 1
            solver.pop()
        return model, best

    def _place(self, model: Any, term: Any, domain: Sequence[Value]) -> int:
        found = model.eval(term, model_completion=True)
        for place, value in enumerate(domain):
            if z3.eq(found, self.names.term(value)):
                return place
        raise RuntimeError(f"z3 gives {term} the value {found}, which it cannot have")

    # -- implication ----------------------------------------------------------------------------

    def implied(self, law: System, places: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Return each clause at *places* that others there imply, with a smallest set that does.

        Implied means: in every valid situation each answer that satisfies the others satisfies it.
        """
        ask = self._implication(law, places)
        found: dict[int, tuple[int, ...]] = {}
        for place in places:
            others = [one for one in places if one != place]
            if not ask(place, others):
                continue
            for one in reversed(list(others)):
                rest = [other for other in others if other != one]
                if ask(place, rest):
                    others = rest
            found[place] = tuple(others)
        return found

    def _implication(self, law: System, places: Sequence[int]) -> Callable[[int, Sequence[int]], bool]:
        """A question to one solver: does the second follow?  Sets are chosen by assumption."""
        solver = self._solver(to_z3(valid(self.topic), self.names))
        says = {place: z3.Bool(f"says{place}") for place in places}
        denied = {place: z3.Bool(f"denied{place}") for place in places}
        case = z3.Int("case")
        for number, answer in enumerate(self.topic.answers):
            for place in places:
                term = to_z3(law.says(place, answer), self.names)
                solver.add(z3.Implies(z3.And(case == number, says[place]), term))
                solver.add(z3.Implies(z3.And(case == number, denied[place]), z3.Not(term)))
        solver.add(case >= 0, case < len(self.topic.answers))

        def ask(place: int, others: Sequence[int]) -> bool:
            follows = not self._check(solver, denied[place], *(says[one] for one in others))
            if self.enumerates and (self.least_by_enumeration(self.denial(law, place, others)) is None) != follows:
                raise RuntimeError(f"topic {self.topic.id}: z3 and enumeration disagree on an implication")
            return follows

        return ask

    def denial(self, law: System, place: int, others: Sequence[int]) -> Node:
        """That the situation is valid and some answer satisfies the others, but not the clause at *place*."""
        cases = [And((law.holds(a, others), Not(law.says(place, a)))) for a in self.topic.answers]
        return And((valid(self.topic), disjunction(cases)))

    # -- by enumeration -------------------------------------------------------------------------

    def least_by_enumeration(self, whole: Node) -> Witness | None:
        """Return the first of all situations, in the stated order, in which *whole* is true."""
        test = compile_python(whole, self.topic.names)
        for values in product(*self.domains):
            if test(*values):
                return dict(zip(self.topic.names, values, strict=True))
        return None

    # -- cores ----------------------------------------------------------------------------------

    def cores(self, law: System) -> tuple[tuple[int, ...], ...]:
        """Return every smallest set of clauses (by place) that leaves no answer somewhere.

        Each found set is shrunk, then all its supersets are excluded, until nothing is left: as no
        smallest set contains another, none can be missed.  Raises UnknownError.
        """
        selected = [z3.Bool(f"clause{place}") for place in range(len(law.clauses))]
        solver = self._solver(to_z3(valid(self.topic), self.names))
        for answer in self.topic.answers:
            broken = [to_z3(Not(law.says(place, answer)), self.names) for place in range(len(selected))]
            solver.add(z3.Or([z3.And(one, no) for one, no in zip(selected, broken, strict=True)]))
        found: list[tuple[int, ...]] = []
        while self._check(solver):
            core = self._shrunk(solver, selected)
            found.append(core)
            solver.add(z3.Or([z3.Not(selected[place]) for place in core]))
        result = tuple(sorted(found, key=lambda core: (len(core), core)))
        if self.enumerates and (other := self.cores_by_enumeration(law)) != result:
            raise RuntimeError(f"topic {self.topic.id}: z3 finds cores {result}, enumeration {other}")
        return result

    def _shrunk(self, solver: Any, selected: list[Any]) -> tuple[int, ...]:
        """A smallest set within the one that the solver has just found."""
        model = solver.model()
        core = [i for i, one in enumerate(selected) if z3.is_true(model.eval(one, model_completion=True))]
        for place in reversed(list(core)):
            rest = [one for one in core if one != place]
            if self._check(solver, *(c if i in rest else z3.Not(c) for i, c in enumerate(selected))):
                core = rest
        return tuple(core)

    def cores_by_enumeration(self, law: System) -> tuple[tuple[int, ...], ...]:
        """The same from all situations: the smallest sets that hold a broken clause for each answer."""
        found: set[int] = set()
        for pattern in sorted(self._patterns(law)):
            cores = {0}
            for broken in pattern:
                bits = [1 << place for place in range(len(law.clauses)) if broken >> place & 1]
                cores = _minimal({core if core & broken else core | bit for core in cores for bit in bits})
            found |= cores
        sets = [tuple(p for p in range(len(law.clauses)) if core >> p & 1) for core in _minimal(found)]
        return tuple(sorted(sets, key=lambda core: (len(core), core)))

    def _patterns(self, law: System) -> set[tuple[int, ...]]:
        """For each valid situation the clauses that each answer breaks, as bits; without doubles."""
        count = len(law.clauses)
        says = [law.says(place, answer) for answer in self.topic.answers for place in range(count)]
        test = compile_tuple([valid(self.topic), *says], self.topic.names)
        flags = {test(*values)[1:] for values in product(*self.domains) if test(*values)[0]}
        return {tuple(_bits(flag[start : start + count]) for start in range(0, len(flag), count)) for flag in flags}


def _minimal(sets: set[int]) -> set[int]:
    """The sets (as bits) that contain no other."""
    return {one for one in sets if not any(other & one == other and other != one for other in sets)}


def _bits(holds: Iterable[bool]) -> int:
    return sum(1 << place for place, true in enumerate(holds) if not true)


def situations(topic: Topic) -> Iterator[Witness]:
    """Yield every situation that is valid under some choice of rulings, in the stated order."""
    names = tuple(topic.situation)
    nodes = dict.fromkeys(chosen(valid(topic), choice) for choice in topic.choices)
    tests = [compile_python(node, names) for node in nodes]
    for values in product(*(topic.domain(name) for name in names)):
        if any(test(*values) for test in tests):
            yield dict(zip(names, values, strict=True))


def chosen(node: Node, choice: Mapping[str, str]) -> Node:
    """Return a formula with these rulings chosen and worked out."""
    return simplify(substitute(node, dict(choice)))

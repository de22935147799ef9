"""Reading topic files: strict YAML into topics whose formulas are parsed and type-checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from lawspeaker.model.core.clauses import Catalogue
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.formula_parse import parse
from lawspeaker.model.core.formulas import (
    BOOL,
    EnumType,
    IntType,
    Node,
    Not,
    Scope,
    Type,
    Value,
    Var,
    rulings,
    variables,
)
from lawspeaker.model.core.loading import load_yaml
from lawspeaker.model.core.rulings import Ruling, RulingBook

from .topics import (
    Assumption,
    DeclaredException,
    Example,
    Form,
    Mode,
    Source,
    Topic,
    TopicClause,
    TopicFile,
    Yield,
)

T = TypeVar("T")
_WIDEST = 100_000
"""The most values that a number may have: domains are listed, one by one."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class _InlineClause(_Strict, frozen=True, kw_only=True):
    id: str
    heading: str = ""
    text: str


class _Yield(_Strict, frozen=True, kw_only=True):
    to: str
    when: str


class _Clause(_Strict, frozen=True, kw_only=True):
    id: str
    mode: Mode
    if_: str | bool = msgspec.field(name="if", default=True)
    then: str | bool | None = None
    source: Source = "book"
    yields: _Yield | tuple[_Yield, ...] = ()
    readings: str | tuple[str, ...] = ()
    ruling: str = ""
    text: str = ""


class _Assumption(_Strict, frozen=True, kw_only=True):
    id: str
    formula: str
    invariant: str = ""
    when: str | bool = True


class _Exception(_Strict, frozen=True, kw_only=True):
    special: str
    general: str
    why: str


class _Topic(_Strict, frozen=True, kw_only=True):
    id: str
    question: str
    form: Form
    situation: dict[str, str | list[Any] | dict[str, list[int]]]
    answer: list[Any] | dict[str, list[int]] | None = None
    assumptions: tuple[_Assumption, ...] = ()
    define: dict[str, str | bool | int] = {}
    clauses: tuple[_Clause, ...]
    exceptions: tuple[_Exception, ...] = ()
    rulings: tuple[str, ...] = ()


class _Example(_Strict, frozen=True, kw_only=True):
    id: str
    topic: str
    given: dict[str, Any] = {}
    expect: Any
    title: str = ""


class _File(_Strict, frozen=True, kw_only=True):
    format: Literal["lawspeaker-topics/1"]
    game: str = ""
    title: str = ""
    clauses: tuple[_InlineClause, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    topics: tuple[_Topic, ...]
    examples: tuple[_Example, ...] = ()


def load_topics(path: Path, catalogue: Catalogue | None = None) -> TopicFile:
    """Read a topic file.

    Clauses and rulings come from the file itself, or from *catalogue* where the file has none.
    Raises BadInput with the place of the mistake and what would be right.
    """
    return read_topics(load_yaml(path, _File), str(path), catalogue)


def names_catalogue(path: Path) -> str:
    """Return the game whose catalogue the file needs, or "" if it brings its own clauses."""
    file = load_yaml(path, _File)
    return "" if file.clauses else file.game


def read_topics(file: _File, where: str, catalogue: Catalogue | None) -> TopicFile:
    """Check a decoded file and build its topics."""
    clauses, book = _law_of(file, where, catalogue)
    _unique((topic.id for topic in file.topics), f"{where}, topics")
    for name in (file.game, *(topic.id for topic in file.topics)):
        if not re.fullmatch(r"[\w.-]*", name):
            raise BadInput(f"{name!r} is no id", where=where, hint="use letters, digits, '_', '-' and '.'")
    topics = tuple(
        _TopicReader(raw, file.game, clauses, book, f"{where}, topic {raw.id}").topic() for raw in file.topics
    )
    if not topics:
        raise BadInput("has no topics", where=where)
    _unique((example.id for example in file.examples), f"{where}, examples")
    examples = tuple(_example(raw, topics, f"{where}, example {raw.id}") for raw in file.examples)
    return TopicFile(file.game, file.title or file.game, clauses, topics, examples)


def _law_of(file: _File, where: str, catalogue: Catalogue | None) -> tuple[dict[str, str], RulingBook]:
    """The clauses (own words by id) and the rulings a file speaks about."""
    if file.clauses:
        _unique((clause.id for clause in file.clauses), f"{where}, clauses")
        clauses = {clause.id: clause.text for clause in file.clauses}
    elif catalogue is not None:
        if file.game != catalogue.game:
            raise BadInput(f"game {file.game!r} is not {catalogue.game!r}", where=where)
        clauses = {clause.id: clause.text for clause in catalogue}
    else:
        raise BadInput("has no clauses", where=where, hint="give them under 'clauses:' as id, heading, text")
    chosen = file.rulings or (catalogue.rulings if catalogue is not None else ())
    _unique((ruling.id for ruling in chosen), f"{where}, rulings")
    for ruling in chosen:
        if not ruling.id.startswith("R_") or not ruling.id.isidentifier() or not ruling.choices:
            hint = "a ruling is named R_NAME and has at least one choice"
            raise BadInput(f"ruling {ruling.id!r} does not fit", where=where, hint=hint)
        _unique(ruling.values, f"{where}, ruling {ruling.id}")
    return clauses, RulingBook(chosen)


def _unique(ids: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            raise BadInput(f"{one} stands twice", where=where)
        seen.add(one)


def _type(raw: Any, where: str) -> Type:
    """Read the type of a variable: ``bool``, ``{int: [low, high]}`` or a list of named values."""
    hint = "write bool, {int: [low, high]} or a list of names"
    if raw == "bool":
        return BOOL
    if isinstance(raw, dict) and list(raw) == ["int"] and len(raw["int"]) == 2 and raw["int"][0] <= raw["int"][1]:
        if raw["int"][1] - raw["int"][0] >= _WIDEST:
            said = f"{raw!r} has more than {_WIDEST} values"
            raise BadInput(said, where=where, hint="each value is listed; a narrower range shows the same")
        return IntType(*raw["int"])
    if not isinstance(raw, (list, tuple)) or not raw:
        raise BadInput(f"{raw!r} is no type", where=where, hint=hint)
    for value in raw:
        if not isinstance(value, str):
            hint = "quote names that YAML reads otherwise, e.g. 'no', 'on', '1'"
            raise BadInput(f"{value!r} is no name", where=where, hint=hint)
    _unique(raw, where)
    return EnumType(tuple(raw))


class _TopicReader:
    """Builds one topic from its decoded form."""

    def __init__(self, raw: _Topic, game: str, words: Mapping[str, str], book: RulingBook, where: str) -> None:
        self.raw, self.game, self.words, self.where = raw, game, words, where
        self.rulings = tuple(self._within(where, book, name) for name in raw.rulings)
        _unique(raw.rulings, f"{where}, rulings")
        self.situation = {name: _type(kind, f"{where}, situation {name}") for name, kind in raw.situation.items()}
        self.answer_type = self._answer_type()
        self.scope = self._scope()

    @staticmethod
    def _within(where: str, book: RulingBook, name: str) -> Ruling:
        try:
            return book[name]
        except BadInput as error:
            raise error.within(where) from None

    def _answer_type(self) -> Type:
        raw = self.raw
        if raw.form == "allowed":
            if raw.answer is not None:
                raise BadInput("has answers", where=self.where, hint="form allowed asks yes or no; leave answer out")
            return BOOL
        if raw.answer is None:
            raise BadInput("has no answers", where=self.where, hint="write answer: [A, B, nobody]")
        return _type(raw.answer, f"{self.where}, answer")

    def _scope(self) -> Scope:
        name = "answer" if self.raw.form == "answer" else "allowed"
        if name in self.situation:
            raise BadInput(f"{name!r} is the answer, not part of the situation", where=self.where)
        try:
            scope = Scope({**self.situation, name: self.answer_type}, {r.id: EnumType(r.values) for r in self.rulings})
            for helper, written in self.raw.define.items():
                where = f"define {helper}"
                scope = scope.with_helper(helper, parse(str(written), scope, None, where))
        except BadInput as error:
            raise error.within(self.where) from None
        return scope

    def topic(self) -> Topic:
        """Build the topic; raises BadInput for what does not fit together."""
        raw = self.raw
        _unique((clause.id for clause in raw.clauses), f"{self.where}, clauses")
        if not raw.clauses:
            raise BadInput("has no clauses", where=self.where)
        ids = {clause.id for clause in raw.clauses}
        exceptions = tuple(self._exception(each, ids) for each in raw.exceptions)
        return Topic(
            game=self.game,
            id=raw.id,
            question=raw.question,
            form=raw.form,
            situation=self.situation,
            answers=tuple(self.answer_type.domain),
            scope=self.scope,
            assumptions=tuple(self._assumption(each) for each in raw.assumptions),
            clauses=tuple(self._clause(each, ids) for each in raw.clauses),
            exceptions=exceptions,
            rulings=self.rulings,
        )

    def _formula(self, written: str | bool, where: str, scope: Scope | None = None) -> Node:
        return parse(str(written), scope or self.scope, BOOL, f"{self.where}, {where}")

    def _no_answer(self, node: Node, where: str) -> Node:
        if set(variables(node)) & {"answer", "allowed"}:
            hint = "conditions and assumptions speak of the situation only"
            raise BadInput("speaks of the answer", where=f"{self.where}, {where}", hint=hint)
        return node

    def _only_rulings(self, written: str | bool, where: str) -> Node:
        node = self._formula(written, where)
        if variables(node):
            hint = "it may name rulings only, e.g. R_X == 'value'"
            raise BadInput("speaks of the situation", where=f"{self.where}, {where}", hint=hint)
        return node

    def _assumption(self, raw: _Assumption) -> Assumption:
        where = f"assumption {raw.id}"
        formula = self._no_answer(self._formula(raw.formula, where), where)
        return Assumption(raw.id, formula, self._only_rulings(raw.when, f"{where} when"), raw.invariant)

    def _exception(self, raw: _Exception, ids: set[str]) -> DeclaredException:
        for one in (raw.special, raw.general):
            self._known(one, ids, "exceptions")
        if raw.special == raw.general:
            raise BadInput(f"{raw.special} is its own exception", where=self.where)
        return DeclaredException(raw.special, raw.general, raw.why)

    def _known(self, clause_id: str, ids: set[str], where: str) -> None:
        if clause_id not in ids:
            hint = f"the topic's clauses are {', '.join(sorted(ids))}"
            raise BadInput(f"unknown clause {clause_id!r}", where=f"{self.where}, {where}", hint=hint)

    def _clause(self, raw: _Clause, ids: set[str]) -> TopicClause:
        where = f"clause {raw.id}"
        if raw.source == "book" and raw.id not in self.words:
            hint = "add it to the clauses, or mark it source: ours or ruling"
            raise BadInput(f"clause {raw.id!r} is not in the catalogue", where=self.where, hint=hint)
        condition = self._condition(raw, where)
        clause = TopicClause(
            id=raw.id,
            mode=raw.mode,
            condition=condition,
            demand=self._demand(raw, where),
            source=raw.source,
            yields=tuple(self._yield(each, raw.id, ids) for each in _many(raw.yields)),
            readings=_names(raw.readings),
            ruling=raw.ruling,
            text=raw.text or self.words.get(raw.id, ""),
        )
        self._check_rulings(clause, where)
        return clause

    def _condition(self, raw: _Clause, where: str) -> Node:
        """The condition; ``permitted`` and ``forbidden`` are known to our own clauses about silence."""
        scope = self.scope
        if raw.source == "ours" and self.raw.form == "allowed":
            more = {name: BOOL for name in ("permitted", "forbidden") if name not in scope.variables}
            scope = Scope({**scope.variables, **more}, scope.rulings, scope.helpers)
        return self._no_answer(self._formula(raw.if_, f"{where} if", scope), f"{where} if")

    def _demand(self, raw: _Clause, where: str) -> Node:
        """What the answer has to satisfy where the condition holds."""
        place = f"{self.where}, {where}"
        if self.raw.form == "answer" and raw.mode == "permits":
            raise BadInput("a permission", where=place, hint="a permission belongs to a topic of form allowed")
        if raw.then is not None:
            stated = self._formula(raw.then, f"{where} then")
        elif self.raw.form == "allowed" and raw.mode != "defines":
            stated = Var("allowed")
        else:
            raise BadInput("has no 'then'", where=place, hint="say what the answer has to be")
        return Not(stated) if raw.mode == "forbids" else stated

    def _yield(self, raw: _Yield, clause_id: str, ids: set[str]) -> Yield:
        where = f"clause {clause_id} yields"
        self._known(raw.to, ids, where)
        if raw.to == clause_id:
            raise BadInput(f"{clause_id} yields to itself", where=self.where)
        when = self._only_rulings(raw.when, f"{where} when")
        if not rulings(when):
            hint = "name the ruling that decides it; what the text itself decides is an exception"
            raise BadInput("yields under no ruling", where=f"{self.where}, {where}", hint=hint)
        return Yield(raw.to, when)

    def _check_rulings(self, clause: TopicClause, where: str) -> None:
        place = f"{self.where}, {where}"
        used = set(rulings(clause.condition)) | set(rulings(clause.demand))
        if clause.source == "ruling":
            if clause.ruling not in {r.id for r in self.rulings}:
                hint = "write ruling: R_NAME, one of the topic's rulings"
                raise BadInput("does not say which ruling adds it", where=place, hint=hint)
        elif clause.ruling:
            raise BadInput("names a ruling", where=place, hint="only clauses with source: ruling do; use readings")
        elif used != set(clause.readings):
            hint = f"its formulas name {', '.join(sorted(used)) or 'none'}"
            raise BadInput(f"readings are {', '.join(clause.readings) or 'none'}", where=place, hint=hint)


def _many(value: _Yield | tuple[_Yield, ...]) -> tuple[_Yield, ...]:
    return (value,) if isinstance(value, _Yield) else value


def _names(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


# -- examples -------------------------------------------------------------------------------------


def _example(raw: _Example, topics: tuple[Topic, ...], where: str) -> Example:
    topic = next((topic for topic in topics if topic.id == raw.topic), None)
    if topic is None:
        hint = f"known are {', '.join(t.id for t in topics)}"
        raise BadInput(f"unknown topic {raw.topic!r}", where=where, hint=hint)
    for name, value in raw.given.items():
        if name not in topic.situation:
            hint = f"the situation has {', '.join(topic.situation)}"
            raise BadInput(f"unknown {name!r}", where=where, hint=hint)
        _member(value, tuple(topic.situation[name].domain), f"{where}, {name}")
    expect = raw.expect if isinstance(raw.expect, dict) else {"any": raw.expect}
    pairs = tuple(_expectation(topic, words, value, where) for words, value in expect.items())
    return Example(raw.id, topic, raw.given, pairs, raw.title)


def _expectation(topic: Topic, words: Any, value: Any, where: str) -> tuple[dict[str, str], Value]:
    _member(value, topic.answers, f"{where}, expect")
    book, chosen = RulingBook(topic.rulings), {}
    for word in () if words in ("any", "otherwise") else str(words).split():
        name, _, choice = word.partition("=")
        try:
            book.parse([word])
        except BadInput as error:
            raise error.within(f"{where}, expect") from None
        chosen[name] = choice
    return chosen, value


def _member(value: Any, domain: tuple[Value, ...], where: str) -> None:
    if not any(type(value) is type(one) and value == one for one in domain):
        shown = f"{domain[0]} to {domain[-1]}" if len(domain) > 12 else ", ".join(str(v) for v in domain)
        raise BadInput(f"{value!r} is not among the values", where=where, hint=f"they are {shown}")

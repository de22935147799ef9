"""Running scenarios: each under every choice of rulings it speaks about, and without each clause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from lawspeaker.model.core.contract import CHANCE, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room, make_game, room
from lawspeaker.model.core.records import (
    ChoiceOutcome,
    Emit,
    Finished,
    Progress,
    ScenarioResult,
    Started,
    Verdict,
    ignore,
)
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.taking import take_compound, take_text

from .checks import problems
from .format import Case, Choice, Expect
from .loader import built, load_cases, plain_pack

JOB = "scenarios"


def run(case: Case, game: AnyGame | None = None) -> ScenarioResult:
    """Run a case under each choice it speaks about, on *game* (its law may be another than the book's).

    The case brings its own pack and rulings; without *game* it is the game as it stands.

    A case with a ``finding`` is expected to fail under every choice: it is an *unexpected pass* if it
    passes under one.  The position shown is the one given, or the last where a game was begun.
    """
    results = [_outcome(case, choice, game) for choice in case.choices]
    outcomes = tuple(outcome for outcome, _ in results)
    data = case.data
    return ScenarioResult(
        game=case.pack.game, id=data.id, title=data.title, clauses=data.clauses,
        verdict=_verdict(outcomes, data.finding), outcomes=outcomes, worked_example=data.worked_example,
        finding=data.finding, position=case.choices[0].record or results[0][1],
    )  # fmt: skip


def _verdict(outcomes: Sequence[ChoiceOutcome], finding: str) -> Verdict:
    verdicts = {outcome.verdict for outcome in outcomes}
    if finding:
        return "expected failure" if verdicts == {"fail"} else "error" if "error" in verdicts else "unexpected pass"
    return "error" if "error" in verdicts else "fail" if "fail" in verdicts else "pass"


def game_for(case: Case, choice: Choice, game: AnyGame | None = None) -> AnyGame:
    """Build the game a case is played with under one choice, as a variant of *game* where that is given."""
    rulings, players = Rulings(choice.rulings), case.data.given.players
    if game is None:
        return built(case.pack.game, case.pack, rulings, players)
    if players in (None, len(game.seats)):
        return game.varied(pack=case.pack, rulings=rulings)
    return built(case.pack.game, case.pack, rulings, players).varied(law=game.law)


def _outcome(case: Case, choice: Choice, base: AnyGame | None) -> tuple[ChoiceOutcome, dict[str, Any] | None]:
    wanted = choice.expect.unbuildable  # a demand on the pack, whatever the law of *base*
    try:
        game = game_for(case, choice, base if wanted is None else None)
    except BadInput as error:
        if wanted is not None and wanted in str(error):
            return ChoiceOutcome(choice.words, "pass"), None
        about_it = any(other.expect.unbuildable is not None for other in case.choices)
        return ChoiceOutcome(choice.words, "fail" if about_it else "error", f"cannot be built: {error}"), None
    if wanted is not None:
        return ChoiceOutcome(choice.words, "fail", f"can be built, not refused with {wanted!r}"), None
    try:
        start = game.start() if choice.record is None else game.position(choice.record)
        after, refused = _play(game, start, choice)
        said = refused or problems(game, start, after, choice.expect)
    except BadInput as error:
        return ChoiceOutcome(choice.words, "error", str(error)), None
    return ChoiceOutcome(choice.words, "fail" if said else "pass", "; ".join(said)), game.record(after)


def _play(game: AnyGame, start: Any, choice: Choice) -> tuple[Any, list[str]]:
    """Take the actions; stop at the first that is refused and say why."""
    position = start
    for n, step in enumerate(choice.when, 1):
        try:
            taken = take_compound(game, position, step.do) if step.by in ("", game.actor_name(position)) else None
        except BadInput as error:
            return position, [f"action {n} ({step.do}) is refused: {error}"]
        if taken is not None:
            position = taken[-1].after
            continue
        action = game.parse(step.do)
        broken = game.breaches(position, action, _seat(game, step.by))
        if broken:
            why = "; ".join(f"{b.clause}: {game.words(b)}" for b in broken)
            return position, [f"action {n} ({step.do}) is refused: {why}"]
        position = game.apply(position, action)
    return position, []


def _seat(game: AnyGame, name: str) -> int | None:
    if not name:
        return None
    return CHANCE if name == "chance" else game.seat(name)


def run_all(
    game_id: str,
    emit: Emit = ignore,
    *,
    rulings: Iterable[str] = (),
    ids: Iterable[str] = (),
    folder: Path | None = None,
) -> tuple[ScenarioResult, ...]:
    """Run a game's scenarios and emit each result as it comes.

    *ids* selects cases by id or by the beginning of one (``fjords.farm``), *rulings* (``R_NAME=value``)
    those choices that agree with them.  Raises BadInput for an unknown game, ruling or id, or a bad file.
    """
    cases = _selected(load_cases(game_id, folder), tuple(ids), _chosen(room(game_id), tuple(rulings)))
    emit(Started(JOB, game_id, len(cases)))
    results = []
    for done, case in enumerate(cases, 1):
        result = run(case)
        results.append(result)
        emit(result)
        emit(Progress(JOB, game_id, done, case.id))
    failed = sum(r.verdict not in ("pass", "expected failure") for r in results)
    emit(Finished(JOB, game_id, f"{len(results)} cases, {failed} not as expected"))
    return tuple(results)


def _chosen(place: Room, words: tuple[str, ...]) -> dict[str, str]:
    complete = place.catalogue.book.parse(words)
    return {name: complete[name] for name in (word.partition("=")[0].strip() for word in words)}


def _selected(cases: tuple[Case, ...], ids: tuple[str, ...], chosen: dict[str, str]) -> tuple[Case, ...]:
    for name in ids:
        if not any(_named(case.id, name) for case in cases):
            raise BadInput(f"unknown scenario {name!r}", hint="give an id or its family, such as fjords.farm")
    found = []
    for case in cases:
        if ids and not any(_named(case.id, name) for name in ids):
            continue
        choices = tuple(c for c in case.choices if all(c.rulings[name] == v for name, v in chosen.items()))
        if choices:
            found.append(Case(case.data, case.where, case.pack, choices))
    return tuple(found)


def _named(case_id: str, name: str) -> bool:
    return case_id == name or case_id.startswith(f"{name}.")


def decisive(game_id: str, cases: tuple[Case, ...] | None = None) -> dict[str, str]:
    """Return for each normative clause a case that comes out otherwise without it, "" where none does.

    The clause is dropped alone; where nothing notices, with its group of restatements.  Cases that
    cite the clause are run first.
    """
    catalogue = room(game_id).catalogue
    known = load_cases(game_id) if cases is None else cases
    if not known:
        return {clause.id: "" for clause in catalogue.normative()}
    judge = _Judge(make_game(game_id, known[0].pack))
    found: dict[str, str] = {}
    for clause in catalogue.normative():
        group = catalogue.group(clause.id)
        ranked = sorted(known, key=lambda case: _distance(case, clause.id, group))
        drops = dict.fromkeys((frozenset({clause.id}), group))
        found[clause.id] = next(filter(None, (judge.first(drop, ranked) for drop in drops)), "")
    return found


def _distance(case: Case, clause: str, group: frozenset[str]) -> int:
    """Say how far a case is from a clause: 0 cites it, 1 cites a restatement, 2 neither."""
    cited = set(case.data.clauses)
    return 0 if clause in cited else 1 if group & cited else 2


class _Judge:
    """Runs cases without some clauses and compares with how they come out under the whole book."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.usual: dict[str, Verdict] = {}

    def first(self, dropped: frozenset[str], cases: Sequence[Case]) -> str:
        """Return the first case whose verdict changes without *dropped*, or ""."""
        stated = sorted(dropped & self.game.law.stated())
        if not stated:
            return ""
        without = self.game.varied(law=self.game.law.without(stated))
        return next((case.id for case in cases if run(case, without).verdict != self._usual(case)), "")

    def _usual(self, case: Case) -> Verdict:
        if case.id not in self.usual:
            self.usual[case.id] = run(case).verdict
        return self.usual[case.id]


def told_apart(game_id: str, cases: tuple[Case, ...] | None = None) -> dict[str, str]:
    """Return for each ruling and ordered pair of its values a case that tells them apart, "" where none does.

    Keys read ``R_NAME=value not other``: the case expects something under *value* that fails when only
    that ruling is changed to *other*.
    """
    known = load_cases(game_id) if cases is None else cases
    found: dict[str, str] = {}
    for ruling in room(game_id).catalogue.rulings:
        ranked = sorted(known, key=lambda case: not _speaks_of(case, ruling.id))
        for value, other in permutations(ruling.values, 2):
            hits = (case.id for case in ranked if _differs(case, ruling.id, value, other))
            found[f"{ruling.id}={value} not {other}"] = next(hits, "")
    return found


def _speaks_of(case: Case, ruling: str) -> bool:
    return ruling in case.data.given.rulings or any(ruling in choice.words for choice in case.choices)


def _differs(case: Case, ruling: str, value: str, other: str) -> bool:
    """Say whether a choice with *value* passes, and fails when only *ruling* is *other*."""
    for choice in case.choices:
        if choice.rulings[ruling] == value:
            changed = Choice(choice.words, {**choice.rulings, ruling: other}, choice.record, choice.when, choice.expect)
            if [_outcome(case, c, None)[0].verdict for c in (choice, changed)] == ["pass", "fail"]:
                return True
    return False


def as_cases(game_id: str) -> list[dict[str, Any]]:
    """Return every case under every choice as plain data, for a referee that drives somebody's program.

    Each has ``id``, ``title``, ``clauses``, ``pack`` (plain, None for the default pack), ``players``, ``rulings``
    (in full), ``record`` (None for the beginning of a game), ``actions`` as (by, text), and ``expect``
    with any of ``legal`` (the exact set), ``includes``, ``excludes``, ``refused`` (each with ``do``, ``by``,
    where "" is whoever is next, and ``clauses``), ``state`` and ``views`` (partial), ``actor``, ``result``.
    Cases that are expected to fail, and those about packs alone, are left out.
    """
    return [
        _plain(case, choice)
        for case in load_cases(game_id)
        if not case.data.finding
        for choice in case.choices
        if _expected(choice.expect)
    ]


def _plain(case: Case, choice: Choice) -> dict[str, Any]:
    game = game_for(case, choice)
    position = game.start() if choice.record is None else game.position(choice.record)
    actions = []
    for step in choice.when:
        by = step.by or game.actor_name(position)
        for taken in take_text(game, position, step.do):
            actions.append((by, game.text(taken.action)))
            position = taken.after
    return {
        "id": f"{case.id} {choice.words}".strip(),
        "title": case.data.title,
        "clauses": list(case.data.clauses),
        "pack": None if case.data.given.pack == "default" else plain_pack(case.pack),
        "players": len(game.seats),
        "rulings": dict(choice.rulings),
        "record": choice.record,
        "actions": actions,
        "expect": _expected(choice.expect),
    }


def _expected(expect: Expect) -> dict[str, Any]:
    """Return what a program can be asked about; empty if there is nothing."""
    if (expect.invariants, expect.complaints, expect.unbuildable) != (None, None, None):
        return {}
    found: dict[str, Any] = {}
    names = {"legal": "legal", "legal_includes": "includes", "legal_excludes": "excludes"}
    for field, name in names.items():
        if getattr(expect, field) is not None:
            found[name] = list(getattr(expect, field))
    if expect.refused is not None:
        found["refused"] = [{"do": r.do, "by": r.by, "clauses": list(r.clauses)} for r in expect.refused]
    if expect.position is not None:
        found["state"] = dict(expect.position)
    if expect.view is not None:
        found["views"] = dict(expect.view)
    if expect.actor is not None:
        found["actor"] = expect.actor
    if expect.score is not None or expect.winners is not None:
        sums = dict(expect.score.sums) if expect.score is not None else None
        found["result"] = {"scores": sums, "winners": list(expect.winners) if expect.winners is not None else None}
    return found

"""Strict reading of scenario files: whatever nobody knows is refused with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room, make_game, room
from lawspeaker.model.core.loading import convert, load_yaml
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.taking import is_compound

from .format import Case, CaseData, Choice, Expect, File, Given, Try, Variant

Fill = Callable[[AnyGame, Mapping[str, Any]], dict[str, Any]]
_HERE = Path(__file__).parent


def load_cases(game_id: str, folder: Path | None = None) -> tuple[Case, ...]:
    """Read all cases of a game, by file name and then as written; *folder* replaces the game's own.

    Raises BadInput for an unknown game, and with path and place for any mistake in a file.
    """
    place = room(game_id)
    home = folder if folder is not None else _HERE / game_id
    cases: list[Case] = []
    seen: dict[str, str] = {}
    packs: dict[str, Pack] = {}
    for path in sorted(home.glob("*.yaml")):
        for case in read_file(path, place, packs):
            if case.id in seen:
                raise BadInput(f"id {case.id} stands in {seen[case.id]} already", where=case.where)
            seen[case.id] = case.where
            cases.append(case)
    return tuple(cases)


def read_file(path: Path, place: Room, packs: dict[str, Pack] | None = None) -> tuple[Case, ...]:
    """Read one scenario file of a game; *packs* remembers packs read before.  Raises BadInput."""
    file = load_yaml(path, File)
    if file.game != place.id:
        raise BadInput(f"is for {file.game}", where=f"{path} $.game", hint=f"{place.id} is right here")
    store = {} if packs is None else packs
    return tuple(
        _read_case(data, f"{path} $.cases[{n}] ({data.id})", path.parent, place, store)
        for n, data in enumerate(file.cases)
    )


def _read_case(data: CaseData, where: str, folder: Path, place: Room, packs: dict[str, Pack]) -> Case:
    if not re.fullmatch(rf"{place.id}\.[a-z0-9_]+\.[0-9]+", data.id):
        raise BadInput(f"id {data.id!r}", where=where, hint=f"write {place.id}.FAMILY.NUMBER")
    _check_clauses(data.clauses, place, f"{where} $.clauses")
    if data.given.start == (data.given.position is not None):
        raise BadInput("needs either a position or start: true", where=f"{where} $.given")
    pack = _read_pack(data.given, f"{where} $.given.pack", folder, place, packs)
    base = (data.when, data.then, convert(data.then, Expect, f"{where} $.then"))
    choices = [_read_choice("", {}, base, data, pack, place, where)]
    for words, variant in data.per_choice.items():
        at = f"{where} $.per choice[{words}]"
        read = convert(variant, Variant, at)
        merged = {k: v for k, v in (data.then | variant).items() if k != "when"}
        expect = convert(merged, Expect, at)
        when = data.when if read.when is None else read.when
        choices.append(_read_choice(words, _words(words, at), (when, merged, expect), data, pack, place, where))
    return Case(data, where, pack, tuple(choices))


def _words(words: str, where: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise BadInput(f"{word!r} is no ruling", where=where, hint="write R_NAME=value")
        found[name] = value
    if not found:
        raise BadInput("names no ruling", where=where, hint="write R_NAME=value")
    return found


def _read_choice(
    words: str,
    changed: Mapping[str, str],
    what: tuple[tuple[str | Try, ...], Mapping[str, Any], Expect],
    data: CaseData,
    pack: Pack,
    place: Room,
    where: str,
) -> Choice:
    when, _, expect = what
    at = f"{where} $.per choice[{words}]" if words else where
    try:
        rulings = place.catalogue.book.choose({**data.given.rulings, **changed})
    except BadInput as error:
        raise error.within(at if words else f"{where} $.given") from None
    if expect.unbuildable is not None:
        return Choice(words, dict(rulings), None, (), expect)
    game = _game(place, pack, rulings, data.given, where)
    record = None if data.given.start else _read_position(game, data.given, expect, f"{where} $.given.position")
    steps = tuple(Try(step) if isinstance(step, str) else step for step in when)
    for n, step in enumerate(steps):
        _check_try(game, step.do, step.by, f"{at} $.when[{n}]")
    _check_expect(game, expect, place, f"{at} $.then")
    return Choice(words, dict(rulings), record, steps, expect)


@lru_cache(maxsize=256)
def built(game_id: str, pack: Pack, rulings: Rulings, players: int | None) -> AnyGame:
    """Build a game, or return the one built before from the same; raises BadInput.

    Many cases share a pack and rulings, and what a game is built from cannot change.
    """
    return make_game(game_id, pack, rulings, players)


def _game(place: Room, pack: Pack, rulings: Rulings, given: Given, where: str) -> AnyGame:
    try:
        return built(place.id, pack, rulings, given.players)
    except BadInput as error:
        raise error.within(f"{where} $.given") from None


def _read_pack(given: Given, where: str, folder: Path, place: Room, packs: dict[str, Pack]) -> Pack:
    if not isinstance(given.pack, str):
        return place.read_pack(given.pack, where)
    if given.pack not in packs:
        path = place.default_pack if given.pack == "default" else folder / "packs" / f"{given.pack}.yaml"
        if not path.exists() and given.pack != "default":
            raise BadInput(f"no pack {given.pack!r}", where=where, hint=f"default, or a file in {folder.name}/packs")
        packs[given.pack] = place.load_pack(path)
    return packs[given.pack]


def filler(game_id: str) -> Fill:
    """Return the function of a game that completes a position of which only some fields are given."""
    found: Fill = import_module(f"{__package__}.{game_id}.fill").fill
    return found


def _read_position(game: AnyGame, given: Given, expect: Expect, where: str) -> dict[str, Any]:
    """Return the completed record; one that breaks an invariant must be meant to."""
    unknown = sorted(set(given.position or {}) - set(game.fields))
    if unknown:
        raise BadInput(f"unknown field {unknown[0]!r}", where=where, hint=f"fields are {', '.join(game.fields)}")
    try:
        record = filler(game.id)(game, given.position or {})
        position = game.position(record)
    except BadInput as error:
        raise error.within(where) from None
    broken = game.broken_invariants(position)
    if broken and expect.invariants is None:
        said = "; ".join(game.words(b) for b in broken)
        raise BadInput(f"is no valid position: {said}", where=where, hint="or expect these invariants broken")
    return record


def _check_clauses(clauses: tuple[str, ...], place: Room, where: str) -> None:
    for n, clause in enumerate(clauses):
        if clause not in place.catalogue:
            raise BadInput(f"unknown clause {clause!r}", where=f"{where}[{n}]", hint="see the game's clauses.yaml")


def _check_try(game: AnyGame, text: str, by: str, where: str) -> None:
    if is_compound(game, text):  # its parts are read when it is done: they depend on the position
        return _check_seat(game, by or "chance", where)
    try:
        action = game.parse(text)
    except BadInput as error:
        raise error.within(where) from None
    if game.text(action) != text:
        raise BadInput(f"{text!r} is not canonical", where=where, hint=f"write {game.text(action)!r}")
    return _check_seat(game, by or "chance", where)


def _check_seat(game: AnyGame, name: str, where: str, more: tuple[str, ...] = ("chance", "over")) -> None:
    if name not in (*game.seats, *more):
        raise BadInput(f"unknown seat {name!r}", where=where, hint=f"seats are {', '.join(game.seats)}")


def _check_expect(game: AnyGame, expect: Expect, place: Room, where: str) -> None:
    if expect == Expect():
        raise BadInput("expects nothing", where=where)
    for field in ("legal", "legal_includes", "legal_excludes"):
        for n, text in enumerate(getattr(expect, field) or ()):
            _check_try(game, text, "", f"{where}.{field}[{n}]")
    for n, refusal in enumerate(expect.refused or ()):
        at = f"{where}.refused[{n}]"
        _check_try(game, refusal.do, refusal.by, at)
        _check_clauses(refusal.clauses, place, f"{at}.clauses")
    for field in set(expect.position or {}) - set(game.fields):
        raise BadInput(f"unknown field {field!r}", where=f"{where}.position", hint=", ".join(game.fields))
    for name in expect.invariants or ():
        if name not in game.invariants:
            raise BadInput(f"unknown invariant {name!r}", where=f"{where}.invariants", hint=", ".join(game.invariants))
    if expect.actor is not None:
        _check_seat(game, expect.actor, f"{where}.actor")
    score = expect.score
    for name in (*(expect.view or {}), *(expect.winners or ()), *(score.sums if score is not None else ())):
        _check_seat(game, name, where, ())


def plain_pack(pack: Pack) -> Any:
    """Return a pack as plain values, as ``read_pack`` takes them."""
    return msgspec.to_builtins(pack)

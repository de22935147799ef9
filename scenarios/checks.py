"""What a scenario expects against what the game says: each check names what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from lawspeaker.model.core.contract import CHANCE, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import room

from .format import Expect, Refusal

Check = Callable[[AnyGame, Any, Any, Expect], Iterable[str]]


def problems(game: AnyGame, start: Any, after: Any, expect: Expect) -> list[str]:
    """Return in words whatever is not as expected; *start* is the given position, *after* the last."""
    return [said for check in _CHECKS for said in check(game, start, after, expect)]


def _legal(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    actions = game.legal(after)
    texts = {game.text(a) for a in actions}
    if expect.legal is not None and texts != set(expect.legal):
        yield from _sets("legal", set(expect.legal), texts)
    missing = sorted(set(expect.legal_includes or ()) - texts)
    surplus = sorted(set(expect.legal_excludes or ()) & texts)
    if missing:
        yield f"should be legal: {', '.join(missing)}"
    if surplus:
        yield f"should not be legal: {', '.join(surplus)}"
    if expect.kinds is not None and {game.kind(a) for a in actions} != set(expect.kinds):
        yield from _sets("kinds of legal actions", set(expect.kinds), {game.kind(a) for a in actions})
    if expect.count is not None and len(actions) != expect.count:
        yield f"{len(actions)} legal actions, expected {expect.count}"


def _sets(what: str, expected: set[str], found: set[str]) -> Iterator[str]:
    parts = [f"{word} {', '.join(sorted(some))}" for word, some in
             (("missing", expected - found), ("not expected", found - expected)) if some]  # fmt: skip
    yield f"{what}: {'; '.join(parts)}"


def _breaches(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    """Legal actions have no breach, and what is expected illegal is refused by clause and fact."""
    for text in (*(expect.legal or ()), *(expect.legal_includes or ())):
        broken = game.breaches(after, game.parse(text))
        if broken:
            yield f"{text} should break nothing but breaks {', '.join(b.clause for b in broken)}"
    for text in expect.legal_excludes or ():
        if not game.breaches(after, game.parse(text)):
            yield f"{text} should break a clause"
    for refusal in expect.refused or ():
        yield from _refusal(game, after, refusal)


def _refusal(game: AnyGame, after: Any, refusal: Refusal) -> Iterator[str]:
    seat = None if not refusal.by else CHANCE if refusal.by == "chance" else game.seat(refusal.by)
    action = game.parse(refusal.do)
    broken = game.breaches(after, action, seat)
    if {b.clause for b in broken} != set(refusal.clauses):
        yield from _sets(f"clauses broken by {refusal.do}", set(refusal.clauses), {b.clause for b in broken})
    if seat in (None, game.actor(after)) and action in game.legal(after):
        yield f"{refusal.do} is listed as legal"
    named = {(f.name, _plain(f.value)) for b in broken for f in b.facts}
    for name, value in refusal.facts.items():
        if (name, _plain(value)) not in named:
            had = sorted(str(v) for n, v in named if n == name)
            yield f"fact {name} of {refusal.do} is {', '.join(had) or 'missing'}, expected {value}"


def _plain(value: Any) -> Any:
    return tuple(_plain(item) for item in value) if isinstance(value, (list, tuple)) else value


def _unreadable(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    for text in expect.unreadable or ():
        try:
            game.parse(text)
        except BadInput:
            continue
        yield f"{text!r} should be no action"


def _position(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    yield from _differences("", expect.position or {}, game.record(after))
    for seat, fields in (expect.view or {}).items():
        yield from _differences(f"view of {seat}: ", fields, game.observe(after, game.seat(seat)))


def _differences(path: str, expected: Any, found: Any) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            yield from _differences(f"{path}{key} ", value, found.get(key, "missing"))
    elif _plain(expected) != _plain(found):
        yield f"{path}is {found}, expected {expected}"


def _actor(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    if expect.actor is not None and game.actor_name(after) != expect.actor:
        yield f"next is {game.actor_name(after)}, expected {expect.actor}"


def _result(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    result = game.result(after)
    if expect.score is not None:
        found = dict(zip(game.seats, result.scores, strict=True))
        yield from _differences("score ", expect.score.sums, found)
        lines = [(game.seats[x.seat], x.label, x.points, x.clause) for x in result.lines]
        wanted = expect.score.lines
        if wanted is not None and [(x.seat, x.label, x.points, x.clause) for x in wanted] != lines:
            yield f"breakdown is {lines}"
    winners = tuple(game.seats[s] for s in result.winners)
    if expect.winners is not None and winners != expect.winners:
        yield f"winners are {', '.join(winners) or 'none'}, expected {', '.join(expect.winners) or 'none'}"
    if expect.reason is not None and result.reason != expect.reason:
        yield f"the win rests on {result.reason or 'nothing'}, expected {expect.reason}"


def _invariants(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    if expect.invariants is not None:
        found = {b.clause for b in game.broken_invariants(start)}
        if found != set(expect.invariants):
            yield from _sets("broken invariants", set(expect.invariants), found)


def _complaints(game: AnyGame, start: Any, after: Any, expect: Expect) -> Iterator[str]:
    if expect.complaints is not None:
        found = {c.clause for c in room(game.id).audit(game.pack)}
        if found != set(expect.complaints):
            yield from _sets("complaints of the audit", set(expect.complaints), found)


_CHECKS: tuple[Check, ...] = (
    _legal, _breaches, _unreadable, _position, _actor, _result, _invariants, _complaints,
)  # fmt: skip

"""Explaining a divergence: the clauses at work, the worked computation, other readings, the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from lawspeaker.model.core.canonical import canonical
from lawspeaker.model.core.contract import AnyGame, Breach, Effect
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.records import Difference
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.traces import (
    Entry,
    compound_entry,
    entry_of,
    game_for,
    read_trace,
    trace_of,
    write_trace,
)
from lawspeaker.model.core.traces import replay as replay_trace

from . import messages as m
from .compare import compound_parts
from .foreign import traced_game
from .match import Divergence, Line, Op, judge

_SHOWN = 6
THEN = "# then: "
"""How an operation that is no legal action stands in a trace."""


class Observed(msgspec.Struct, frozen=True):
    """A line that was played, and all that the subject replied."""

    line: Line
    replies: tuple[m.Reply, ...]


class Explanation(msgspec.Struct, frozen=True):
    """Clauses concerned, and the computation in words, line by line."""

    clauses: tuple[str, ...]
    worked: tuple[str, ...]


def explain(game: AnyGame, divergence: Divergence) -> Explanation:
    """Say which clauses a divergence is about, from the breaches and effects of the actions concerned."""
    found: list[tuple[str, Breach | Effect]] = []
    op = divergence.line.ops[-1] if divergence.line.ops else None
    if op is not None and op.kind == "try" and divergence.before is not None:
        found += _of_action(game, divergence.before, op.text, op.by)
    place = divergence.after if divergence.after is not None else divergence.before
    for difference in divergence.differences:
        if difference.path == "legal" and place is not None:
            listed = [*difference.only_reference[:_SHOWN], *difference.only_subject[:_SHOWN]]
            first = _of_listed(game, place, listed)
            found = first + found
    bearing = _bearing(game, divergence, [item.clause for _, item in found if isinstance(item, Effect)])
    if bearing:  # what the differing fields rest on first, and of the other effects none
        found = [pair for pair in found if isinstance(pair[1], Breach) or pair[1].clause in bearing]
    worked = list(dict.fromkeys(f"{text}: {item.clause}: {_words(game, item)}" for text, item in found))
    clauses = list(dict.fromkeys(item.clause for _, item in found))
    if any(d.path.startswith("result") for d in divergence.differences) and place is not None:
        wrong = {seat for d in divergence.differences if d.path == "result.scores" for seat in _wrong_seats(d)}
        lines = [x for x in game.result(place).lines if not wrong or game.seats[x.seat] in wrong]
        clauses += [line.clause for line in lines if line.clause not in clauses]
        worked += [f"{game.seats[x.seat]}: {x.label}: {x.points} ({x.clause})" for x in lines]
    return Explanation(tuple(dict.fromkeys(clauses)), tuple(worked))


def _of_listed(game: AnyGame, position: Any, texts: Iterable[str]) -> list[tuple[str, Breach | Effect]]:
    """Return what bears on actions: each one's breaches, and the effects of one legal action of each kind."""
    found, kinds = list[tuple[str, Breach | Effect]](), set()
    for text in texts:
        items = list(_of_action(game, position, text, None))
        kind = text.partition(" ")[0]
        if kind in kinds and not any(isinstance(item, Breach) for _, item in items):
            continue
        kinds.add(kind)
        found += items
    return found


def _wrong_seats(found: Difference) -> set[str]:
    one, two = found.reference, found.subject
    if not isinstance(one, dict) or not isinstance(two, dict):
        return set()
    return {seat for seat in one if one[seat] != two.get(seat)}


def _bearing(game: AnyGame, divergence: Divergence, clauses: Iterable[str]) -> frozenset[str]:
    """Return those of an action's clauses without which what differs would be otherwise; empty if none is found.

    The action is applied under the law without the clause, and the differing fields are looked at.
    """
    op = divergence.line.ops[-1] if divergence.line.ops else None
    paths = [d.path.split(".")[1] for d in divergence.differences if d.path.startswith("state.")]
    if op is None or op.kind != "try" or divergence.before is None or divergence.after is None or not paths:
        return frozenset()
    right, stated, found = game.record(divergence.after), game.law.stated(), set()
    for clause in dict.fromkeys(clauses):
        if clause not in stated:
            continue
        try:
            without = game.varied(law=game.law.without([clause]))
            after = without.apply(divergence.before, without.parse(op.text))
            shown = without.record(after)
        except Exception:  # a law with a hole may raise anything: then the clause bears on everything
            found.add(clause)
            continue
        if any(shown.get(name) != right.get(name) for name in paths):
            found.add(clause)
    return frozenset(found)


def cause_of(divergence: Divergence, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """Return what failures of one sort have in common: what is done, what differs how, and the clause.

    Of lists of actions the first words count, on which side they stand.
    """
    op = divergence.line.ops[-1] if divergence.line.ops else None
    found = [divergence.kind, f"{op.kind} {op.text.partition(' ')[0]}" if op else "", *clauses[:1]]
    for d in sorted(divergence.differences, key=lambda d: d.path):
        sides = ((d.only_reference, "-"), (d.only_subject, "+")) if d.path == "legal" else ()
        words = sorted({side + text.partition(" ")[0] for texts, side in sides for text in texts})
        found.append(" ".join((".".join(d.path.split(".")[:2]), *words)))
    return tuple(found)


def in_words(divergence: Divergence) -> str:
    """Put a divergence into one sentence."""
    op = divergence.line.ops[-1] if divergence.line.ops else None
    if divergence.kind == "accepted" and op:
        return f"accepted {op.text!r} by {op.by}, which is illegal"
    if divergence.kind == "refused" and op:
        return f"refused {op.text!r} by {op.by}, which is legal: {divergence.differences[0].subject}"
    parts = ", ".join(d.path for d in divergence.differences[:4])
    after = f" after {op.text!r}" if op and op.kind == "try" else f" after {op.kind}" if op else ""
    return f"differs in {parts}{after or ' at the beginning'} ({divergence.kind})"


def _of_action(game: AnyGame, position: Any, text: str, by: str | None) -> Iterator[tuple[str, Breach | Effect]]:
    parts = compound_parts(game, position, game.actor_name(position) if by is None else by, text)
    for step in parts:
        yield from ((f"{text}: {game.text(step.action)}", item) for item in game.effects(step.before, step.action))
    try:
        action = game.parse(text)
    except BadInput:
        return
    seat = game.seat(by) if by in game.seats else None
    broken = game.breaches(position, action, seat)
    items: tuple[Breach | Effect, ...] = broken or game.effects(position, action)
    for item in items:
        yield text, item


def _words(game: AnyGame, item: Breach | Effect) -> str:
    try:
        return game.words(item)
    except (KeyError, IndexError):  # a template may ask for facts that this item has not
        return ", ".join(f"{f.name} {f.value}" for f in item.facts)


class Varieties:
    """One game under other rulings, each built once: building its tables may cost more than judging."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.built: dict[Rulings, AnyGame] = {game.rulings: game}

    def __call__(self, rulings: Rulings) -> AnyGame:
        """Return the game under these rulings; raises BadInput where its pack does not serve them."""
        if rulings not in self.built:
            self.built[rulings] = self.game.varied(rulings=rulings)
        return self.built[rulings]


@lru_cache(maxsize=4)
def varieties(game: AnyGame) -> Varieties:
    """Return the varieties of a game, kept for the next run with the same one."""
    return Varieties(game)


def other_readings(game: AnyGame) -> Iterator[Rulings]:
    """Yield the choices that differ from the game's in one ruling, then those that differ in two."""
    book = game.catalogue.book
    singles = [(r.id, v) for r in book.rulings for v in r.values if v != game.rulings[r.id]]
    for name, value in singles:
        yield book.choose({**game.rulings, name: value})
    for n, (name, value) in enumerate(singles):
        for other, second in singles[n + 1 :]:
            if other != name:
                yield book.choose({**game.rulings, name: value, other: second})


def changed(old: Rulings, new: Rulings) -> str:
    """Return the choices in which *new* differs from *old*, as ``R_NAME=value`` words."""
    return " ".join(f"{name}={value}" for name, value in new.items() if old[name] != value)


def explaining(
    game: AnyGame,
    caps: m.Capabilities,
    mode: m.ChanceMode,
    divergences: Iterable[Divergence],
    observed: Iterable[Observed],
    vary: Callable[[Rulings], AnyGame] | None = None,
) -> tuple[Rulings | None, str]:
    """Return the choice under which everything the subject said is right, or None.

    The text names a choice that explains the divergence alone but not the rest ("" if there is none).
    """
    wholes, near = list(divergences), ""
    rest = list(observed)
    for rulings in other_readings(game):
        try:
            varied = vary(rulings) if vary else game.varied(rulings=rulings)
        except BadInput:  # a pack made for one case need not serve every ruling
            continue
        if not all(judge(varied, caps, mode, d.line, d.replies) for d in wholes):
            continue
        if all(judge(varied, caps, mode, o.line, o.replies) for o in rest):
            return rulings, ""
        near = near or changed(game.rulings, rulings)
    return None, near


def least_change(
    vary: Callable[[Rulings], AnyGame],
    caps: m.Capabilities,
    mode: m.ChanceMode,
    divergences: Iterable[Divergence],
    reading: Rulings,
) -> Rulings:
    """Return the reading with each choice put back to its default without which it still explains divergences."""
    wholes, least = list(divergences), reading
    for ruling in vary(reading).catalogue.book.rulings:
        tried = Rulings({**least, ruling.id: ruling.default})
        try:
            if tried != least and all(judge(vary(tried), caps, mode, d.line, d.replies) for d in wholes):
                least = tried
        except BadInput:  # the pack does not serve every ruling
            continue
    return least


def trace_text(game: AnyGame, line: Line) -> str:
    """Return a line as a trace; what is no legal action follows as ``# then:`` lines.

    ``read_line`` reads both back.
    """
    position = start = None if line.record is None else game.position(line.record)
    position = game.start() if position is None else position
    entries: list[Entry] = []
    rest = list(line.ops)
    while rest and rest[0].kind == "try":
        entry, position = _entry(game, position, rest[0])
        if entry is None:
            break
        entries.append(entry)
        rest.pop(0)
    text = write_trace(msgspec.structs.replace(trace_of(game, (), start), entries=tuple(entries), end=None))
    return text + "".join(f"{THEN}{op_text(op)}\n" for op in rest)


def _entry(game: AnyGame, position: Any, op: Op) -> tuple[Entry | None, Any]:
    """Return the line of a trace for what is tried, and the position after it; None if it is not legal."""
    parts = compound_parts(game, position, op.by, op.text)
    if parts:
        return compound_entry(game, parts, op.text), parts[-1].after
    found = {game.text(a): a for a in game.legal(position)} if op.by == game.actor_name(position) else {}
    if op.text not in found:
        return None, position
    action = found[op.text]
    return entry_of(game, position, action), game.apply(position, action)


def read_line(text: str, where: str, pack: Pack | None = None, against: AnyGame | None = None) -> tuple[AnyGame, Line]:
    """Read a trace, with its ``# then:`` lines, into the game it names and a line to play.

    *against* is the game that decides, where it may be a foreign reference's.  Raises BadInput with the
    line of any mistake.
    """
    trace = read_trace(text, where)
    if trace.masked:
        raise BadInput(f"masked for {trace.masked}, so it cannot be replayed", where=where)
    game = game_for(trace, pack) if against is None else traced_game(against, trace, pack)
    replay_trace(trace, game)
    ops = [Op("try", entry.actor, entry.action) for entry in trace.entries]
    for number, words in enumerate(text.splitlines(), 1):
        if words.startswith(THEN):
            try:
                ops.append(read_op(words.removeprefix(THEN)))
            except (BadInput, m.CodecError) as error:
                raise BadInput(str(error), where=f"{where}, line {number}") from None
    record = m.decode_line(trace.start.encode()) if trace.start else None
    return game, Line(record, tuple(ops))


def op_text(op: Op) -> str:
    """Return an operation as one line of text."""
    if op.kind == "try":
        return f"try {op.by} {op.text}"
    if op.kind == "setup":
        return f"setup {canonical(op.record).decode()}"
    return {"view": f"view {op.by}", "undo": f"undo {op.count}"}.get(op.kind, op.kind)


def read_op(text: str) -> Op:
    """Read ``op_text`` back; raises BadInput."""
    kind, _, rest = text.strip().partition(" ")
    if kind == "try":
        by, _, action = rest.partition(" ")
        return Op("try", by, action)
    if kind == "view":
        return Op("view", rest)
    if kind == "undo" and rest.isdigit():
        return Op("undo", count=int(rest))
    if kind == "setup":
        record = m.decode_line(rest.encode())
        return Op("setup", record=record)
    if kind in ("save", "load", "again"):
        return Op(kind)  # type: ignore[arg-type]
    known = "try BY ACTION, view SEAT, undo N, save, load, again, setup RECORD"
    raise BadInput(f"{text!r} is no operation", hint=known)

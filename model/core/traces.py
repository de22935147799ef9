"""Traces: a game's start and its actions as text that a person can read and mail.

::

    lawspeaker-trace 1
    game: fjords
    catalogue: 1
    pack: retail-estimated sha256:0c1f...
    players: A B
    ruling: R_TWO=at_least
    start: {"...": "a position's canonical record, where play does not begin at the beginning"}

    1 chance start A (seen by all)
    2 A draw
    3 chance deal T07 (seen by A)
    end: sha256:77ab... A=12 B=10

Every ruling stands there in full, so a trace says the same under any later default.  An outcome of
chance says who sees it, and so does an action that not all seats see.  A whole compound decision may
stand in one line, as its compound text; the numbers count lines.

A trace *masked* for one seat has a line ``masked: B``; what the seat does not see is ``?`` (who did it
still stands there), a start is what the seat sees of it (``view:``), and there is no digest at the
end.  Blank lines and lines that begin with ``#`` mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from .canonical import canonical
from .clauses import Catalogue
from .contract import CHANCE, OVER, AnyGame
from .errors import BadInput
from .games import make_game, room
from .packs import Pack
from .play import Picker, steps, uniform
from .rulings import Rulings
from .taking import Taken, compound_at, refuse_illegal, take, take_compound
from .trace_form import FORMAT, UNSEEN, End, Entry, Trace, end_text, is_trace, read_trace, seen_text, write_trace

__all__ = [
    "FORMAT", "UNSEEN", "End", "Entry", "Trace", "actions_of", "after_lines", "check_masked", "compacted",
    "compound_entry", "entry_of", "expanded", "game_for", "is_trace", "line_steps", "mask", "read_trace",
    "record_playout", "refuse_illegal", "replay", "trace_of", "valid_position", "write_trace",
]  # fmt: skip

# -- making -------------------------------------------------------------------------------------------


def trace_of(game: AnyGame, actions: Iterable[Any], start: Any = None) -> Trace:
    """Return the trace of legal *actions* from *start* (default: the game's own beginning).

    Raises BadInput at the first action that is not legal.
    """
    position = game.start() if start is None else start
    entries = []
    for number, action in enumerate(actions, 1):
        refuse_illegal(game, position, action, f"action {number}")
        entries.append(entry_of(game, position, action))
        position = game.apply(position, action)
    return _assemble(game, tuple(entries), start, position)


def record_playout(
    game: AnyGame, seed: int, policy: Picker = uniform, start: Any = None, limit: int = 100_000
) -> Trace:
    """Play a game by *seed* and *policy* to its end (or *limit* actions) and return its trace."""
    entries = []
    position = game.start() if start is None else start
    for step in steps(game, seed, policy, start, limit):
        entries.append(entry_of(game, step.before, step.action))
        position = step.after
    return _assemble(game, tuple(entries), start, position)


def entry_of(game: AnyGame, position: Any, action: Any) -> Entry:
    """Return the line of a trace for an action that is applied to *position*."""
    seen = tuple(game.seats[seat] for seat in sorted(game.sees(position, action)))
    open_to_all = game.actor(position) != CHANCE and seen == tuple(game.seats)
    return Entry(game.actor_name(position), game.text(action), () if open_to_all else seen)


def compound_entry(game: AnyGame, taken: Sequence[Taken], text: str) -> Entry:
    """Return the line of a trace for a whole compound decision: seen by those who see every part."""
    parts = [entry_of(game, step.before, step.action) for step in taken]
    if not any(part.seen for part in parts):
        return Entry(parts[0].actor, text)
    return Entry(parts[0].actor, text, tuple(s for s in game.seats if all(part.visible(s) for part in parts)))


def _assemble(game: AnyGame, entries: tuple[Entry, ...], start: Any, last: Any) -> Trace:
    return Trace(
        game=game.id,
        catalogue=game.catalogue.version,
        pack=game.pack.id,
        pack_digest=game.pack.digest,
        players=tuple(game.seats),
        rulings=tuple(game.rulings.items()),
        entries=entries,
        start="" if start is None else canonical(game.record(start)).decode(),
        end=End(game.digest(last), game.result(last).scores),
    )


# -- using --------------------------------------------------------------------------------------------


def game_for(trace: Trace, pack: Pack | None = None) -> AnyGame:
    """Build the game a trace was made with.

    *pack* defaults to the game's default pack.  Raises BadInput when game, catalogue version, pack,
    seats or rulings are not those that the trace names.
    """
    place = room(trace.game)
    if trace.catalogue != place.catalogue.version:
        raise BadInput(
            f"made with version {trace.catalogue} of the {trace.game} catalogue",
            where=trace.place,
            hint=f"this is version {place.catalogue.version}",
        )
    chosen = pack if pack is not None else place.load_pack(place.default_pack)
    if chosen.digest != trace.pack_digest:
        raise BadInput(
            f"made with pack {trace.pack} {trace.pack_digest[:19]}..., not {chosen.id} {chosen.digest[:19]}...",
            where=trace.place,
            hint="give its pack file",
        )
    game = make_game(trace.game, chosen, _rulings_for(trace, place.catalogue), len(trace.players))
    if tuple(game.seats) != trace.players:
        hint = f"its seats are {' '.join(game.seats)}"
        raise BadInput(f"unknown players {' '.join(trace.players)}", where=trace.place, hint=hint)
    return game


def _rulings_for(trace: Trace, catalogue: Catalogue) -> Rulings:
    missing = [r.id for r in catalogue.rulings if r.id not in dict(trace.rulings)]
    if missing:
        raise BadInput(f"does not say {', '.join(missing)}", where=trace.place, hint="a trace names every ruling")
    try:
        return catalogue.book.choose(dict(trace.rulings))
    except BadInput as error:
        raise error.within(trace.place) from None


def replay(trace: Trace, game: AnyGame) -> list[Any]:
    """Return the positions of a trace: the start, and one after each action (each part of a compound one).

    Raises BadInput for a masked trace, a start that breaks an invariant, the first action that is not
    legal (with the broken clauses in words), and an end that is not the one stated.
    """
    start, lines = line_steps(trace, game)
    return [start, *(step.after for line in lines for step in line)]


def after_lines(trace: Trace, game: AnyGame) -> list[Any]:
    """Return the positions of a trace by line: the start, and one after each entry; raises like ``replay``."""
    start, lines = line_steps(trace, game)
    return [start, *(line[-1].after for line in lines)]


def line_steps(trace: Trace, game: AnyGame) -> tuple[Any, list[tuple[Taken, ...]]]:
    """Return the start, and for each line what was taken, part by part; raises BadInput like ``replay``."""
    if trace.masked:
        raise BadInput(f"masked for {trace.masked}, so it cannot be replayed", where=trace.place)
    start = position = _begin(trace, game)
    lines = []
    for number, entry in enumerate(trace.entries, 1):
        lines.append(_take_line(game, position, entry, trace.where(number)))
        position = lines[-1][-1].after
    _check_end(trace, game, position)
    return start, lines


def actions_of(trace: Trace, game: AnyGame) -> list[Any]:
    """Return the actions of a trace, those of compound decisions one by one.

    They are read but not checked, unless there is a compound text: what that stands for depends on the
    position, so the trace is replayed.  Raises BadInput for an action that does not parse.
    """
    try:
        return [_read_action(game, entry, trace.where(n)) for n, entry in enumerate(trace.entries, 1)]
    except BadInput:
        if not game.has_compounds():
            raise
    return [step.action for line in line_steps(trace, game)[1] for step in line]


def compacted(trace: Trace, game: AnyGame) -> Trace:
    """Return the trace with each whole compound decision as one entry; raises BadInput like ``replay``."""
    taken = [step for line in line_steps(trace, game)[1] for step in line]
    entries, at = [], 0
    while at < len(taken):
        end, text = compound_at(game, taken, at)
        single = entry_of(game, taken[at].before, taken[at].action)
        entries.append(compound_entry(game, taken[at:end], text) if text else single)
        at = end
    return msgspec.structs.replace(trace, entries=tuple(entries), lines=())


def expanded(trace: Trace, game: AnyGame) -> Trace:
    """Return the trace with each part of a compound decision as an entry; raises BadInput like ``replay``."""
    entries = [entry_of(game, s.before, s.action) for line in line_steps(trace, game)[1] for s in line]
    return msgspec.structs.replace(trace, entries=tuple(entries), lines=())


def _take_line(game: AnyGame, position: Any, entry: Entry, where: str) -> tuple[Taken, ...]:
    """Take what a line says, one action or a compound decision; raises BadInput if it cannot be."""
    actor, action = game.actor_name(position), None
    try:
        action = _read_action(game, entry, where)
    except BadInput:
        if not (game.has_compounds() and _begins_compound(game, entry.action)):
            raise
    if entry.actor != actor:
        hint = "the game is over" if game.actor(position) == OVER else f"{actor} is next"
        raise BadInput(f"{entry.action!r} by {entry.actor}", where=where, hint=hint)
    if action is None:
        taken = take_compound(game, position, entry.action, where) or ()
        if not taken:
            raise BadInput(f"{entry.action!r} is neither an action nor a compound decision here", where=where)
        right = compound_entry(game, taken, entry.action)
    else:
        taken = (take(game, position, action, where),)
        right = entry_of(game, position, action)
    if right != entry:
        said = seen_text(right, tuple(game.seats)) or " nothing behind it: all see it"
        raise BadInput(f"{entry.action!r} says wrongly who sees it", where=where, hint=f"write{said}")
    return taken


def _begin(trace: Trace, game: AnyGame) -> Any:
    if not trace.start:
        return game.start()
    where = f"{trace.place}, start" if trace.place else "start"
    return valid_position(game, msgspec.json.decode(trace.start), where)


def valid_position(game: AnyGame, record: Any, where: str) -> Any:
    """Read a position's record; raises BadInput if it is malformed or breaks an invariant."""
    if not isinstance(record, dict):
        raise BadInput("is no record of a position", where=where, hint=f"its fields are {', '.join(game.fields)}")
    try:
        position = game.position(record)
    except BadInput as error:
        raise error.within(where) from None
    broken = game.broken_invariants(position)
    if broken:
        said = "; ".join(f"{b.clause}: {game.words(b)}" for b in broken)
        raise BadInput(f"is no valid position: {said}", where=where)
    return position


def _read_action(game: AnyGame, entry: Entry, where: str) -> Any:
    try:
        action = game.parse(entry.action)
    except BadInput as error:
        raise error.within(where) from None
    if game.text(action) != entry.action:
        raise BadInput(f"{entry.action!r} is not canonical", where=where, hint=f"write {game.text(action)!r}")
    return action


def _check_end(trace: Trace, game: AnyGame, position: Any) -> None:
    if trace.end is None:
        return
    found = End(game.digest(position), game.result(position).scores)
    if found != trace.end:
        hint = f"replayed, it is {end_text(found, trace.players)!r}"
        raise BadInput("does not end as it says", where=trace.place, hint=hint)


# -- masked for a seat --------------------------------------------------------------------------------


def mask(trace: Trace, seat: int, game: AnyGame) -> Trace:
    """Return what a seat may see of a trace: what it does not see becomes ``?``; who acted stays.

    A compound decision of which it does not see every part is masked part by part.  A start becomes
    the seat's view of it.  The end loses its digest (a digest tells secrets by trial), and the scores
    stay only if the game is over.  Raises BadInput like ``replay``.
    """
    start, lines = line_steps(trace, game)
    name, entries = game.seats[seat], list[Entry]()
    for entry, line in zip(trace.entries, lines, strict=True):
        parts = [entry] if entry.visible(name) else [entry_of(game, s.before, s.action) for s in line]
        entries += [p if p.visible(name) else msgspec.structs.replace(p, action=UNSEEN) for p in parts]
    over = game.actor(lines[-1][-1].after if lines else start) == OVER
    return msgspec.structs.replace(
        trace,
        entries=tuple(entries),
        lines=(),
        masked=name,
        start=canonical(game.observe(start, seat)).decode() if trace.start else "",
        end=End("", trace.end.scores) if trace.end and over else None,
    )


def check_masked(trace: Trace, game: AnyGame) -> int:
    """Check what can be checked of a masked trace; return how many lines could be replayed.

    Every line: what is ``?`` is hidden from the seat, what is shown is seen by it and reads as an
    action.  Up to the first ``?`` the position is known (if play begins at the game's beginning), so
    there the actions are replayed; if that is to the end, the scores are checked.  What is possible
    behind a ``?`` is not searched for.  Raises BadInput for the first mistake.
    """
    if not trace.masked:
        raise BadInput("is not masked", where=trace.place, hint="replay it")
    for number, entry in enumerate(trace.entries, 1):
        _check_shown(trace, game, entry, trace.where(number))
    if trace.end and trace.end.digest:
        raise BadInput("has a digest at its end, which tells secrets by trial", where=trace.place, hint="leave it out")
    if trace.start:
        _check_view(trace, game)
        return 0
    position = game.start()
    for number, entry in enumerate(trace.entries, 1):
        if entry.action == UNSEEN:
            return number - 1
        position = _take_line(game, position, entry, trace.where(number))[-1].after
    over = game.actor(position) == OVER
    found = End("", game.result(position).scores) if over else None
    if trace.end != found:
        hint = f"replayed, it is {end_text(found, trace.players)!r}" if found else "the game is not over: no end"
        raise BadInput("does not end as it says", where=trace.place, hint=hint)
    return len(trace.entries)


def _check_shown(trace: Trace, game: AnyGame, entry: Entry, where: str) -> None:
    visible = entry.visible(trace.masked)
    if visible == (entry.action == UNSEEN):
        said = "hidden from a seat that sees it" if visible else "shown to a seat that does not see it"
        raise BadInput(f"{entry.action!r} is {said}", where=where, hint=f"it is masked for {trace.masked}")
    if not visible:
        return
    try:
        _read_action(game, entry, where)
    except BadInput:
        if not (game.has_compounds() and _begins_compound(game, entry.action)):
            raise


def _begins_compound(game: AnyGame, text: str) -> bool:
    """Tell whether a text is meant as a compound one, whatever it stands for at the position unknown."""
    try:
        return game.expand(game.start(), text) is not None
    except BadInput:
        return True


def _check_view(trace: Trace, game: AnyGame) -> None:
    view = msgspec.json.decode(trace.start)
    names = game.observe(game.start(), game.seat(trace.masked)).keys()
    if view.keys() != names:
        where = f"{trace.place}, view" if trace.place else "view"
        raise BadInput("is no view of this game", where=where, hint=f"its fields are {', '.join(names)}")

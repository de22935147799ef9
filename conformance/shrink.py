"""Making a divergence small: a position and one action where positions can be set up, else a short game.

Every candidate is a *valid* continuation: lines are not merely dropped, the game is replayed by the
reference and repaired where an action no longer fits.  The number of calls to the subject is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from lawspeaker.model.core.contract import OVER, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game, room
from lawspeaker.model.core.play import steps, uniform

from . import messages as m
from .compare import Expected, compound_parts
from .match import Diverged, Divergence, Line, Link, Match, Op, valid
from .subjects import SubjectFailure

_SUFFIXES = (1, 2, 3, 4, 5, 6, 8, 13, 21, 34)
_INSERTIONS = 3
_STARTS = 12
"""So many games for fewer players are tried in search of the same difference."""


def walk(game: AnyGame, line: Line) -> list[Any]:
    """Return the reference's position before each operation of a line, and the last one after all.

    Raises BadInput for a line that goes back behind its beginning.
    """
    stack = [game.start() if line.record is None else game.position(line.record)]
    saved = stack[:]
    found = [stack[-1]]
    for op in line.ops:
        if op.kind == "try":
            after = _after(game, stack[-1], op)
            if after is not None:
                stack.append(after)
        elif op.kind == "undo":
            if op.count >= len(stack):
                raise BadInput("undo behind the beginning", where="line")
            del stack[-op.count :]
        elif op.kind == "setup" and (position := valid(game, op.record or {})) is not None:
            stack = [position]
        elif op.kind == "save":
            saved = stack[-1:]
        elif op.kind == "load":
            stack = saved[:]
        elif op.kind == "again":
            stack = stack[-1:]
        found.append(stack[-1])
    return found


def self_contained(ops: tuple[Op, ...]) -> bool:
    """Whether no operation goes back behind the first: to a save not made, or to steps not taken."""
    saved, taken = False, 0
    for op in ops:
        saved = saved or op.kind == "save"
        if (op.kind == "load" and not saved) or (op.kind == "undo" and op.count > taken):
            return False
        taken += 1 if op.kind == "try" else -op.count
    return True


def _after(game: AnyGame, position: Any, op: Op) -> Any:
    """Return the position after an action or a compound decision tried, None if it is not legal."""
    return Expected(game, position).after(op.by, op.text)


def in_parts(game: AnyGame, line: Line) -> Line:
    """Return a line with each part of a compound decision as an operation, for subjects that take no other."""
    ops, sizes = list[Op](), list[int]()
    for op, position in zip(line.ops, walk(game, line), strict=False):
        parts = compound_parts(game, position, op.by, op.text) if op.kind == "try" else ()
        if op.kind == "undo":
            undone = sum(sizes[-op.count :])
            del sizes[-op.count :]
            op = Op("undo", count=undone)
        elif op.kind == "try" and (parts or _after(game, position, op) is not None):
            sizes.append(max(len(parts), 1))
        elif op.kind in ("setup", "load", "again"):
            sizes.clear()
        ops += [Op("try", op.by, game.text(step.action)) for step in parts] or [op]
    return Line(line.record, tuple(ops))


class Shrinker:
    """Shrinks divergences of one subject; ``calls`` counts what it asked, at most about *limit*."""

    def __init__(
        self, link: Link, game: AnyGame, caps: m.Capabilities, mode: m.ChanceMode, *, limit: int, seed: int = 0
    ) -> None:
        self.link, self.game, self.caps, self.mode = link, game, caps, mode
        self.limit, self.seed = limit, seed
        self.first = link.calls

    @property
    def calls(self) -> int:
        """Calls made so far."""
        return self.link.calls - self.first

    @property
    def spent(self) -> bool:
        """Whether the bound has been reached."""
        return self.calls >= self.limit

    @property
    def unshrunk(self) -> str:
        """Why a result may not be as small as it could be; empty where the bound was not reached."""
        if self.limit <= 0:
            return "not made smaller: enough failures of this layer were"
        return f"making it smaller ended at its limit of {self.limit} calls" if self.spent else ""

    def reproduce(self, line: Line) -> Divergence | None:
        """Play a line on both sides again; None if they agree, or if the subject fails to answer."""
        match = Match(self.link.ask, self.game, self.caps, self.mode)
        try:
            match.play(line)
        except Diverged as diverged:
            return diverged.divergence
        except (SubjectFailure, BadInput):
            return None
        return None

    def shrink(self, divergence: Divergence) -> Divergence:
        """Return the smallest divergence of the same sort that was found; it is of ``self.game``.

        That game has fewer players than before where a smaller start shows it too.
        """
        best = divergence
        if self.caps.setup:
            best = self._set_up(best)
        if best.line.record is None and len(best.line.ops) > 1 and self.mode != "reported":
            best = self._shorter(self._fewest_players(best))
        while best.line.record is not None and not self.spent:
            before = best
            best = self._fewer_actions(self._fewer_counted(self._fewer_pieces(best)))
            if best is before:
                break
        return best

    # -- position and few actions ---------------------------------------------------------------

    def _set_up(self, best: Divergence) -> Divergence:
        before = walk(self.game, best.line)
        for line in self._suffixes(best, before):
            if self.spent:
                break
            if line.record is not None and len(line.ops) >= len(best.line.ops) and best.line.record is not None:
                continue
            found = self.reproduce(line)
            if found and alike(found, best):
                return found
        return best

    def _suffixes(self, best: Divergence, before: list[Any]) -> Iterator[Line]:
        ops = best.line.ops
        if best.after is not None and best.kind not in ("view", "accepted", "refused"):
            yield Line(self.game.record(best.after), ())
        for count in _SUFFIXES:
            if count <= len(ops) and self_contained(ops[len(ops) - count :]):
                yield Line(self.game.record(before[len(ops) - count]), ops[len(ops) - count :])

    def _fewer_pieces(self, best: Divergence) -> Divergence:
        """Take away entries of the record's lists as long as it stays valid and the difference stays."""
        assert best.line.record is not None
        for path in list_paths(best.line.record):
            size = max(len(at_path(best.line.record, path)) // 2, 1)
            while size >= 1:
                start = 0
                while start < len(at_path(best.line.record, path)) and not self.spent:
                    smaller = self._without(best, path, start, size)
                    if smaller is None:
                        start += size
                    else:
                        best = smaller
                size //= 2
        return best

    def _fewer_counted(self, best: Divergence) -> Divergence:
        """Take away pieces that are counted inside lists: to where a seat's others are, or for good."""
        assert best.line.record is not None
        for path in counted(best.line.record):
            assert best.line.record is not None
            held = leaf(best.line.record, path)
            tried = dict.fromkeys((held, 1)) if held > 0 else ()
            for amount in tried:
                while not self.spent and (smaller := self._taken_away(best, path, amount)) is not None:
                    best = smaller
        return best

    def _taken_away(self, best: Divergence, path: tuple[Any, ...], amount: int) -> Divergence | None:
        assert best.line.record is not None
        if leaf(best.line.record, path) < amount:
            return None
        for sink in (None, *supplies(best.line.record)):
            record = msgspec.json.decode(m.encode(best.line.record))
            add(record, path, -amount)
            if sink is not None:
                add(record, sink, amount)
            found = self._as_before(best, record)
            if found is not None:
                return found
        return None

    def _fewer_actions(self, best: Divergence) -> Divergence:
        """Set up after the first action, or leave any one out, as long as the difference stays."""
        again = True
        while again and len(best.line.ops) > 1 and not self.spent:
            again = False
            ops, before = best.line.ops, walk(self.game, best.line)
            lines = [Line(self.game.record(before[1]), ops[1:])] if self_contained(ops[1:]) else []
            lines += [Line(best.line.record, ops[:n] + ops[n + 1 :]) for n in range(len(ops) - 1)]
            for line in lines:
                try:
                    same = self._tried(line)[-1:] == [] or self._fits(line)
                except BadInput:
                    continue
                found = self.reproduce(line) if same and not self.spent else None
                if found and alike(found, best) and len(found.line.ops) < len(ops):
                    best, again = found, True
                    break
        return best

    def _fits(self, line: Line) -> bool:
        """Whether every action but the last is legal where it is tried."""
        return all(after is not None for after in self._tried(line)[:-1])

    def _without(self, best: Divergence, path: tuple[str, ...], start: int, size: int) -> Divergence | None:
        assert best.line.record is not None
        record = msgspec.json.decode(m.encode(best.line.record))
        entries = at_path(record, path)
        del entries[start : start + size]
        return self._as_before(best, record)

    def _as_before(self, best: Divergence, record: dict[str, Any]) -> Divergence | None:
        """Return the divergence from another record, None if that is not valid or shows another one or none."""
        try:
            position = self.game.position(record)
            if self.game.broken_invariants(position) or self.game.actor(position) == OVER:
                return None
        except (BadInput, KeyError, IndexError, ValueError):
            return None
        line = Line(self.game.record(position), best.line.ops)
        try:
            if not self._same_status(best.line, line):
                return None
        except BadInput:  # where an action is no longer accepted, there is nothing to take back
            return None
        found = self.reproduce(line)
        return found if found and alike(found, best) else None

    def _same_status(self, one: Line, two: Line) -> bool:
        """Whether each action is legal in one line exactly where it is in the other."""
        return [x is None for x in self._tried(one)] == [x is None for x in self._tried(two)]

    def _tried(self, line: Line) -> list[Any]:
        before = walk(self.game, line)
        return [_after(self.game, p, op) for p, op in zip(before, line.ops, strict=False) if op.kind == "try"]

    # -- a smaller start ------------------------------------------------------------------------

    def _fewest_players(self, best: Divergence) -> Divergence:
        """Look for the same sort of difference in games for fewer players, the fewest first.

        Those are passed over that the subject does not take.
        """
        here = self.game
        counts = room(here.id).players if here.id in game_ids() else ()
        for count in sorted(n for n in counts if n < len(here.seats)):
            self.game = make_game(here.id, here.pack, here.rulings, count).varied(law=here.law)
            found = self._first_found(best, len(best.line.ops)) if self._takes(self.game) else None
            if found is not None:
                return found
        self.game = here
        return best

    def _takes(self, game: AnyGame) -> bool:
        try:
            reply = self.link.ask(m.Start(tuple(game.seats), self.mode, (), ()))
        except SubjectFailure:
            return False
        return isinstance(reply, m.Report) and reply.accepted

    def _first_found(self, best: Divergence, limit: int) -> Divergence | None:
        for n in range(_STARTS):
            if self.spent:
                return None
            found = self.reproduce(Line(None, tuple(_tries(self.game, self.seed * 1013 + n, limit))))
            if found and alike(found, best):
                return found
        return None

    # -- a shorter game -------------------------------------------------------------------------

    def _shorter(self, best: Divergence) -> Divergence:
        best = self._cut(best)
        best = self._search(best)
        while not self.spent:
            before, best = best, self._cut(best)
            if len(best.line.ops) == len(before.line.ops):
                break
        return best

    def _cut(self, best: Divergence) -> Divergence:
        size = len(best.line.ops) // 2
        while size >= 1 and not self.spent:
            start = 0
            while start < len(best.line.ops) - 1 and not self.spent:
                found = self._without_chunk(best, start, size)
                if found is None:
                    start += size
                else:
                    best = found
            size //= 2
        return best

    def _without_chunk(self, best: Divergence, start: int, size: int) -> Divergence | None:
        ops = best.line.ops
        if any(op.kind != "try" for op in ops):
            return None
        legal = self._tried(best.line)[-1] is not None
        kept = repair(self.game, ops[:start] + ops[min(start + size, len(ops) - 1) : -1], ops[-1], legal)
        if kept is None or len(kept) >= len(ops):
            return None
        found = self.reproduce(Line(None, kept))
        return found if found and alike(found, best) and len(found.line.ops) < len(ops) else None

    def _search(self, best: Divergence) -> Divergence:
        """Look for the same sort of difference in short games of other seeds."""
        for n in range(1000):
            limit = len(best.line.ops) - 1
            if self.spent or limit < 1:
                break
            script = tuple(_tries(self.game, self.seed * 1009 + n, limit))
            found = self.reproduce(Line(None, script))
            if found and alike(found, best) and len(found.line.ops) < len(best.line.ops):
                best = found
        return best


def _tries(game: AnyGame, seed: int, limit: int) -> Iterator[Op]:
    for step in steps(game, seed, uniform, limit=limit):
        yield Op("try", game.actor_name(step.before), game.text(step.action))


def repair(game: AnyGame, ops: tuple[Op, ...], last: Op, legal: bool) -> tuple[Op, ...] | None:
    """Return a valid game from the start that keeps as many of *ops* as fit and ends with *last*.

    An action that does not fit is left out; where somebody else or chance must act first, the first
    legal action is put in.  None if *last* would not be legal there (or, *legal* being false, would be).
    """
    position, kept = game.start(), []
    for op in (*ops, last):
        for _ in range(_INSERTIONS):
            if game.actor(position) == OVER or op.by == game.actor_name(position):
                break
            first = game.legal(position)[0]
            kept.append(Op("try", game.actor_name(position), game.text(first)))
            position = game.apply(position, first)
        after = None if game.actor(position) == OVER else _after(game, position, op)
        if op is last:
            return (*kept, last) if (after is not None) == legal else None
        if after is not None:
            kept.append(op)
            position = after
    return None


def alike(one: Divergence, two: Divergence) -> bool:
    """Whether two divergences are of the same sort: the same parts of the report differ.

    A set-up that shows what a step showed counts as the same sort.
    """
    return bool(_sort(one) & _sort(two))


def _sort(divergence: Divergence) -> set[str]:
    return {".".join(d.path.split(".")[:2]) for d in divergence.differences}


def counted(record: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all whole numbers inside lists of a record."""
    found: list[tuple[Any, ...]] = []
    items = sorted(record.items()) if isinstance(record, dict) else list(enumerate(record))
    for name, value in items:
        if isinstance(value, (dict, list, tuple)):
            found += counted(value, (*prefix, name))
        elif type(value) is int and isinstance(record, (list, tuple)):
            found.append((*prefix, name))
    return found


def supplies(record: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the paths of whole numbers that stand by a name in a field, as a seat's supply does."""
    return [
        (field, name)
        for field, value in sorted(record.items())
        if isinstance(value, dict)
        for name, number in sorted(value.items())
        if type(number) is int
    ]


def leaf(record: Any, path: tuple[Any, ...]) -> int:
    """Return the number at a path of ``counted`` or ``supplies``."""
    for name in path:
        record = record[name]
    return int(record)


def add(record: Any, path: tuple[Any, ...], amount: int) -> None:
    """Add to the number at a path."""
    for name in path[:-1]:
        record = record[name]
    record[path[-1]] += amount


def list_paths(record: dict[str, Any], prefix: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the paths of all lists with entries in a record, in sorted order."""
    found: list[tuple[str, ...]] = []
    for name in sorted(record):
        value = record[name]
        if isinstance(value, dict):
            found += list_paths(value, (*prefix, name))
        elif isinstance(value, list) and value:
            found.append((*prefix, name))
    return found


def at_path(record: dict[str, Any], path: tuple[str, ...]) -> list[Any]:
    """Return the list at a path of ``list_paths``."""
    value: Any = record
    for name in path:
        value = value[name]
    assert isinstance(value, list)
    return value

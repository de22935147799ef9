"""Plans of thresholds: positions one below, at and one above what a clause compares, and at each tie.

What is compared the rules themselves tell (``watched``).  Positions come from play; where it has no position
that close, amounts and things are moved about in one that comes near, within the invariants, as long as that
brings something new.  The answers are the reference's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.play import Step, steps

from . import messages as m
from .match import Line, Op, valid
from .plan import Context, Plan, policy
from .watched import Mark, Site, Watch, watched

_GAMES = 5
_STEPS = 1500
_ACTIONS = 3
"""So many legal actions are taken at a position that was made, each to see what it makes the rules compare."""
_CHANGES = 2
"""At most so many changes are made to a position at once."""


class Edge(msgspec.Struct, frozen=True):
    """A position close to a threshold, and the action that makes the rules compare (None: the list of them does)."""

    position: Any
    action: Any
    marks: frozenset[Mark]


def thresholds(c: Context) -> Iterator[Plan]:
    """Yield for each comparison in a rule the positions around it, with what is done there."""
    sites: dict[Site, dict[tuple[int, int], Edge]] = defaultdict(dict)
    for edge in edges(c.game, c.seed, c.budget.edges):
        for mark in sorted(edge.marks):
            if abs(mark.off) <= 1 and _askable(c, edge):
                sites[mark.site].setdefault((mark.which, mark.off), edge)
    for site in sorted(sites):
        found = [edge for _, edge in sorted(sites[site].items(), key=lambda item: item[0])]
        clauses = c.game.law.rules[site.rule].clauses
        offs = sorted({off for _, off in sites[site]})
        title = f"answers right around {site.words!r} ({', '.join(_OFF[off] for off in offs)}), {' '.join(clauses)}"
        first, *rest = (_asked(c, edge) for edge in dict.fromkeys(found))
        ops = (*first.ops, *(op for line in rest for op in (Op("setup", record=line.record), *line.ops)))
        yield Plan(f"{clauses[0]}-{site.rule}-{site.number}", title, Line(first.record, ops), clauses)


_OFF = {-1: "one below", 0: "at it", 1: "one above"}


def _askable(c: Context, edge: Edge) -> bool:
    return c.mode == "dictated" or edge.action is None or c.game.actor(edge.position) != CHANCE


def _asked(c: Context, edge: Edge) -> Line:
    """Return the position set up, and the action; where the subject lists nothing, some legal ones and some not."""
    game = c.game
    record = msgspec.json.decode(m.encode(game.record(edge.position)))
    if edge.action is not None:
        return Line(record, (Op("try", game.actor_name(edge.position), game.text(edge.action)),))
    if c.caps.legal or game.actor(edge.position) < 0:
        return Line(record, ())
    legal = set(game.legal(edge.position))
    wrong = [action for action in game.alphabet(edge.position) if action not in legal]
    by, chosen = game.actor_name(edge.position), c.random("edge", m.encode(record)).sample(wrong, min(len(wrong), 6))
    tried = [Op("try", by, game.text(action)) for action in chosen]
    return Line(record, (*tried, Op("try", by, game.text(game.legal(edge.position)[0]))))


@lru_cache(maxsize=8)
def edges(game: AnyGame, seed: int, tries: int) -> tuple[Edge, ...]:
    """Return positions of play and made from it, each with something that no other before it has; the same by seed."""
    search = _Search(game, Random(f"edges {seed}"))
    if search.watched is game:  # a game whose rules cannot be watched
        return ()
    for n in range(_GAMES):
        for step in steps(game, seed * 631 + n, policy(n), limit=_STEPS):
            search.played(step)
    for _ in range(tries):
        search.vary()
    return tuple(search.found)


class _Search:
    """Positions found so far, how close each comparison was brought, and the changes that kept a position valid."""

    def __init__(self, game: AnyGame, random: Random) -> None:
        self.game, self.random, self.watch = game, random, Watch()
        self.watched = watched(game, self.watch)
        self.watch.take()
        self.found: list[Edge] = []
        self.closest: dict[tuple[Site, int], dict[int, tuple[int, int]]] = defaultdict(dict)
        """By comparison and by side (below, at, above): how far off, and the number of the position."""
        self.open: list[tuple[Site, int]] = []
        self.held: list[tuple[_Change, ...]] = []
        self.tried: Counter[tuple[Site, int]] = Counter()

    def played(self, step: Step) -> None:
        """Look at a step of play."""
        self._look(step.before, (step.action,))

    def vary(self) -> None:
        """Change a position near a threshold that has not been met on every side; keep what comes closer."""
        if not self.open:
            return
        random = self.random
        goal = min(random.choices(self.open, k=3), key=self.tried.__getitem__)
        self.tried[goal] += 1
        far, number = random.choice(list(self.closest[goal].values()))
        position = self.found[number].position
        plain: dict[str, Any] = self.game.record(position)
        if self.held and random.random() < 0.6:
            changes = tuple(change.again(random, far) for change in random.choice(self.held))
        else:
            changes = tuple(_change(plain, random, far) for _ in range(random.randint(1, _CHANGES)))
        record: dict[str, Any] = msgspec.json.decode(m.encode(plain))
        for change in changes:
            if not change.make(record):
                return
        made = valid(self.game, record)
        if made is None or made == position or self.game.actor(made) == OVER:
            return
        self.held = [*self.held[-199:], changes]
        legal, first = self.game.legal(made), self.found[number].action
        others = random.sample(legal, min(len(legal), _ACTIONS))
        self._look(made, ((first,) if first in legal else ()) + tuple(others))

    def _look(self, position: Any, actions: Iterable[Any]) -> None:
        """Keep the position if its list, or one of these actions, brings a comparison closer than any before."""
        game = self.watched
        game.legal(position)
        self._keep(position, None)
        for action in dict.fromkeys(actions):
            after = game.apply(position, action)
            if game.actor(after) == OVER:
                game.result(after)
            self._keep(position, action)

    def _keep(self, position: Any, action: Any) -> None:
        number, closer = len(self.found), set[Mark]()
        for mark in sorted(self.watch.take()):  # a set has no order of its own
            sides, side = self.closest[mark.site, mark.which], (mark.off > 0) - (mark.off < 0)
            if side not in sides or abs(mark.off) < sides[side][0]:
                sides[side] = abs(mark.off), number
                closer.add(mark)
        if closer:
            self.found.append(Edge(position, action, frozenset(closer)))
            self.open = [g for g, sides in self.closest.items() if len(sides) < 3 or max(sides.values())[0] > 1]


# -- changing a record ------------------------------------------------------------------------------

_Path = tuple[str | int, ...]


class _Change(msgspec.Struct, frozen=True):
    """Some of an amount more at one place and as much less at another (none: nowhere), or a thing from list to list."""

    more: _Path
    less: _Path | None
    by: int
    """0 for a thing that goes from the list *less* to the list *more*."""
    pick: int = 0

    def make(self, record: dict[str, Any]) -> bool:
        """Change the record; false where it has no such place, or an amount would be less than nothing."""
        try:
            return self._moved(record) if self.by == 0 else self._shifted(record)
        except (LookupError, TypeError):
            return False

    def again(self, random: Random, far: int) -> _Change:
        """Return the same change by another amount, or of another thing."""
        if self.by == 0:
            return msgspec.structs.replace(self, pick=random.randrange(100))
        return msgspec.structs.replace(self, by=_amount(random, far))

    def _shifted(self, record: dict[str, Any]) -> bool:
        for path, by in ((self.more, self.by), (self.less, -self.by)):
            if path is None:
                continue
            holder = _at(record, path[:-1])
            if type(holder[path[-1]]) is not int or holder[path[-1]] + by < 0:
                return False
            holder[path[-1]] += by
        return True

    def _moved(self, record: dict[str, Any]) -> bool:
        source, target = _at(record, self.less or ()), _at(record, self.more)
        if not isinstance(source, list) or not isinstance(target, list) or not source:
            return False
        target.append(source.pop(self.pick % len(source)))
        return True


def _change(record: dict[str, Any], random: Random, far: int) -> _Change:
    """Return a change, by one or a few or by about as much as a comparison is *far* off."""
    amounts, lists = _places(record)
    if lists and (not amounts or random.random() < 0.25):
        filled = [path for path in lists if _at(record, path)] or lists
        return _Change(random.choice(lists), random.choice(filled), 0, random.randrange(100))
    more, less = _some(amounts, random), None
    if random.random() < 0.8:
        less = _some([path for path in amounts if path[-1] == more[-1]] if random.random() < 0.5 else amounts, random)
    return _Change(more, less, _amount(random, far))


def _amount(random: Random, far: int) -> int:
    return random.choice((1, 2, max(far, 1), far + 1)) * random.choice((1, 1, -1))


def _some(paths: list[_Path], random: Random) -> _Path:
    """Draw a path, each field of the record as often as another."""
    name = random.choice(sorted({str(path[0]) for path in paths}))
    return random.choice([path for path in paths if path[0] == name])


def _places(record: dict[str, Any]) -> tuple[list[_Path], list[_Path]]:
    """Return the paths of all amounts in a record, and of all lists of names."""
    amounts: list[_Path] = []
    lists: list[_Path] = []
    todo: list[tuple[_Path, Any]] = [((), record)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, dict):
            todo += [((*path, name), value[name]) for name in sorted(value)]
        elif isinstance(value, list) and value and not all(isinstance(item, str) for item in value):
            todo += [((*path, n), item) for n, item in enumerate(value)]
        elif isinstance(value, list):
            lists.append(path)
        elif type(value) is int:
            amounts.append(path)
    return amounts, lists


def _at(record: Any, path: _Path) -> Any:
    for step in path:
        record = record[step]
    return record

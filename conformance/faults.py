"""Faulty variants of a model, played against it: which does the harness catch, by which layer, how soon.

A fault is caught when a comparison of the protocol fails, never by a timeout.  A game for several numbers
of players has a suite for each: all of them run their layers, fewest players first, then all search longer:
under each other value of each ruling, then under every pair of them.  What survives is sorted in
``fault_runs``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.play import Step, steps, uniform
from lawspeaker.model.core.rulings import Rulings

from .layers import Budget, Context, plans, policy, sample
from .match import Diverged, Divergence, Line, Link, Match, Op
from .session import FULL, Session
from .subjects import InProcessSubject, ProtocolError, SubjectFailure

LAYERS = ("setup", "fixtures", "play", "refusals", "views", "undo", "save", "two-ways", "perft", "compound")
"""The referee's layers in the order used here, and the crafted positions of the game (*fixtures*).

The last has nothing to play in a game without compound texts.
"""
BUDGET = Budget("faults", games=3, positions=60, follow=6, perft=120, probes=8, others=16, shrink=80, judged=0)
SEARCHED = 2
"""Playouts under each choice of rulings in the longer search."""
_LIMIT = 1000


@dataclass(frozen=True)
class Site:
    """The one function that a fault changed: a rule of the law by name, or a method of the game's class."""

    name: str
    right: Callable[..., Any]
    wrong: Callable[..., Any]
    method: bool = False


@dataclass(frozen=True)
class Fault:
    """One planted fault.

    ``operator`` is its code in the catalogue of faults, ``build`` makes the faulty game from the right
    one, ``session`` is what answers for it.
    """

    id: str
    operator: str
    fault_class: str
    clause: str
    what: str
    build: Callable[[AnyGame], AnyGame]
    session: type[Session] = Session
    mechanical: bool = False
    site: Site | None = None
    parts: tuple[Fault, ...] = ()
    """The two faults of one of second order, planted together."""

    @property
    def changes(self) -> frozenset[str]:
        """What is changed, by name, so far as it is known: two faults that share one cannot be planted together."""
        found: frozenset[str] = getattr(self.build, "changes", frozenset())
        return found

    def link(self, game: AnyGame) -> Link:
        """Return a connection to the faulty copy of *game*."""
        return Link(lambda: InProcessSubject(self.session(self.build(game), name=self.id)), game.id)


Fixtures = Callable[[AnyGame, int, int], Iterable[Line]]
"""Gives crafted positions with what is done there, for a game, a seed and a number of playouts."""


def draw(pool: Sequence[Fault], seed: int, count: int) -> tuple[Fault, ...]:
    """Draw *count* faults, the classes taking turns, before any check has run; in the pool's order."""
    random = Random(f"faults {seed}")
    queues: dict[str, list[Fault]] = {}
    for fault in pool:
        queues.setdefault(fault.fault_class, []).append(fault)
    for name in sorted(queues):
        random.shuffle(queues[name])
    chosen: set[str] = set()
    while len(chosen) < count and any(queues.values()):
        for name in sorted(queues):
            if queues[name] and len(chosen) < count:
                chosen.add(queues[name].pop().id)
    return tuple(fault for fault in pool if fault.id in chosen)


# -- the play that every fault goes through ---------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """The reference's side of some play: what a faulty copy has to follow.

    ``start`` is a position that was set up, or None for the game's own beginning.
    """

    game: AnyGame
    start: Any
    actions: tuple[Any, ...]
    actors: tuple[int, ...]
    legal: tuple[tuple[Any, ...], ...]
    positions: tuple[Any, ...]
    end: Any

    def line(self, count: int) -> Line:
        """Return the first *count* steps as a line to play through the protocol."""
        position, found = self.game.start() if self.start is None else self.start, []
        for action in self.actions[:count]:
            found.append(Op("try", self.game.actor_name(position), self.game.text(action)))
            position = self.game.apply(position, action)
        return Line(None if self.start is None else self.game.record(self.start), tuple(found))


@dataclass
class Suite:
    """The checks, worked out once for all faults of a game."""

    game: AnyGame
    seed: int
    fixtures: Fixtures
    layers: tuple[str, ...] = LAYERS
    searched: int = SEARCHED
    readings: bool = True
    """Whether the longer search goes through the other rulings too."""
    _lines: dict[str, tuple[Line, ...]] = field(default_factory=dict)
    watched: dict[Site, tuple[int, int]] = field(default_factory=dict)
    """For what was searched to the end: how often a changed function was asked, and how often it differed."""
    _ways: list[Way] = field(default_factory=list)
    _more: Iterator[Way] | None = None
    _context: Context | None = None

    def lines(self, layer: str) -> tuple[Line, ...]:
        """Return what is played in a layer under the game's own rulings."""
        if layer not in self._lines:
            self._lines[layer] = tuple(self._make(layer))
        return self._lines[layer]

    def _make(self, layer: str) -> Iterator[Line]:
        if layer == "fixtures":
            yield from self.fixtures(self.game, self.seed, 4)
            return
        if self._context is None:
            places = sample(self.game, self.seed, BUDGET.positions)
            self._context = Context(self.game, FULL, "dictated", self.seed, BUDGET, places)
        if layer != "compound" or self.game.has_compounds():
            yield from (plan.line for plan in plans(layer, self._context))

    def games(self) -> Iterator[tuple[AnyGame, bool]]:
        """Yield the game under its own rulings and with each other value of each ruling; then, marked, with pairs."""
        yield self.game, False
        if not self.readings:
            return
        singles, pairs = other_choices(self.game), paired_choices(self.game)
        for rulings, paired in (*((r, False) for r in singles), *((r, True) for r in pairs)):
            try:
                yield self.game.varied(rulings=rulings), paired
            except BadInput:  # a pack need not serve every reading
                continue

    def ways(self) -> Iterator[Way]:
        """Yield playouts and crafted positions under each choice of rulings, worked out when first asked for."""
        yield from self._ways
        self._more = self._walk() if self._more is None else self._more
        for way in self._more:
            self._ways.append(way)
            yield way

    def crafted(self) -> Iterator[Way]:
        """Yield the crafted positions of the game's own rulings, which the layers have played already."""
        return (_along(self.game, line) for line in self.lines("fixtures"))

    def _walk(self) -> Iterator[Way]:
        seed = self.seed * 7919 + 100
        for game, paired in self.games():
            yield from (_way(game, seed + n) for n in range(1 if paired else self.searched))
            if game is not self.game and not paired:
                yield from (_along(game, line) for line in self.fixtures(game, seed, 1))


Suites = Suite | Sequence[Suite]
"""The checks of a game for one number of players, or for several, fewest first."""


def in_turn(suites: Suites) -> Sequence[Suite]:
    """Return the suites, one or several, as a sequence."""
    return (suites,) if isinstance(suites, Suite) else suites


def other_choices(game: AnyGame) -> Iterator[Rulings]:
    """Yield the game's rulings with one of them changed."""
    for ruling in game.catalogue.book.rulings:
        for value in ruling.values:
            if value != game.rulings[ruling.id]:
                yield game.catalogue.book.choose({**game.rulings, ruling.id: value})


def paired_choices(game: AnyGame) -> Iterator[Rulings]:
    """Yield a few choices of rulings in which every two other values of two rulings come together once."""
    book = game.catalogue.book
    others = {r.id: [value for value in r.values if value != game.rulings[r.id]] for r in book.rulings}
    left = [((one, a), (two, b)) for one, two in combinations(others, 2) for a in others[one] for b in others[two]]
    while left:
        chosen: dict[str, str] = {}
        for pair in left:
            if all(chosen.get(name, value) == value for name, value in pair):
                chosen.update(pair)
        left = [pair for pair in left if any(chosen.get(name) != value for name, value in pair)]
        yield book.choose({**game.rulings, **chosen})


def _way(game: AnyGame, seed: int) -> Way:
    return _walked(game, None, list(steps(game, seed, uniform if seed % 2 else policy(0), limit=_LIMIT)))


def _along(game: AnyGame, line: Line) -> Way:
    start = position = game.position(line.record or {})
    played = []
    for op in line.ops:
        legal = {game.text(action): action for action in game.legal(position)} if op.kind == "try" else {}
        if op.text in legal and op.by == game.actor_name(position):
            after = game.apply(position, legal[op.text])
            played.append(Step(position, game.actor(position), legal[op.text], after))
            position = after
    return _walked(game, start, played)


def _walked(game: AnyGame, start: Any, played: list[Step]) -> Way:
    return Way(
        game,
        start,
        tuple(s.action for s in played),
        tuple(s.actor for s in played),
        tuple(game.legal(s.before) for s in played),
        tuple(s.before for s in played),
        played[-1].after if played else start,
    )


# -- catching ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Catch:
    """How a fault was caught: by which layer, after how many compared operations, in how many calls."""

    layer: str
    checked: int
    calls: int
    game: AnyGame
    divergence: Divergence


def catch(fault: Fault, suites: Suites, *, longer: bool = True) -> Catch | None:
    """Play the layers against a faulty copy until the first difference; then, perhaps, search longer.

    First come all layers of every suite, then the longer searches.
    """
    every = in_turn(suites)
    checked = calls = 0
    for suite in every:
        link = fault.link(suite.game)
        for layer in suite.layers:
            found, more = first_difference(link, suite.game, suite.lines(layer))
            checked += more
            if found is not None:
                return Catch(_among(every, suite, layer), checked, calls + link.calls, suite.game, found)
        calls += link.calls
    for suite in every if longer else ():
        caught, more = _search(fault, suite, checked, calls)
        checked += more
        if caught is not None:
            return dataclasses.replace(caught, layer=_among(every, suite, caught.layer))
    return None


def _among(every: Sequence[Suite], suite: Suite, layer: str) -> str:
    """Return a layer's name with the number of players, where that is not the fewest."""
    return layer if suite is every[0] else f"{layer}, {len(suite.game.seats)} players"


def first_difference(link: Link, game: AnyGame, lines: Iterable[Line]) -> tuple[Divergence | None, int]:
    """Play lines up to the first difference; also return how many operations were compared.

    An answer that breaks the protocol is a difference; none in time, or a dead subject, is not.
    """
    checked = 0
    if link.hello is None:
        link.connect()
    for line in lines:
        match = Match(link.ask, game, FULL, "dictated")
        try:
            match.play(line)
        except Diverged as diverged:
            return diverged.divergence, checked + match.checked + 1
        except ProtocolError as error:
            broken = Line(match.record, tuple(match.ops))
            return Divergence(broken, error.kind, None, None, (), (), error.said), checked + match.checked + 1
        except SubjectFailure:
            pass
        checked += match.checked
    return None, checked


def _search(fault: Fault, suite: Suite, checked: int, calls: int) -> tuple[Catch | None, int]:
    """Search a suite's longer play; also return how many steps were looked at."""
    built: dict[int, AnyGame] = {}
    looked, watch = 0, None if fault.site is None else Watch(fault.site)
    for way in suite.ways():
        if watch is not None and not watch.follow(way):  # where the changed function never differs nothing else does
            looked += len(way.actions)
            continue
        if id(way.game) not in built:
            built[id(way.game)] = fault.build(way.game)
        count = parts_at(way, built[id(way.game)])
        looked += len(way.actions) if count is None else count
        if count is None:
            continue
        link = fault.link(way.game)
        found, _ = first_difference(link, way.game, [way.line(count)])
        if found is not None:
            return Catch(_reading(suite, way), checked + looked, calls + link.calls, way.game, found), looked
    if watch is not None:
        suite.watched[watch.site] = watch.asked, watch.differed
    return None, looked


def _reading(suite: Suite, way: Way) -> str:
    layer = "play" if way.start is None else "fixtures"
    return f"{layer}, longer" if dict(way.game.rulings) == dict(suite.game.rulings) else f"{layer}, other ruling"


def parts_at(way: Way, faulty: AnyGame) -> int | None:
    """Return after how many steps a faulty game parts from the way; None if it follows to the end.

    A quick look at the objects: what it finds is confirmed through the protocol.
    """
    try:
        position = faulty.start() if way.start is None else way.start
        for n, action in enumerate(way.actions):
            if faulty.actor(position) != way.actors[n] or faulty.legal(position) != way.legal[n]:
                return n
            right = way.positions[n]  # equal objects have equal records; others may have, too
            if position != right and faulty.record(position) != way.game.record(right):
                return n
            position = faulty.apply(position, action)
        same = faulty.record(position) == way.game.record(way.end) and faulty.actor(position) == way.game.actor(way.end)
        return None if same and faulty.result(position) == way.game.result(way.end) else len(way.actions)
    except Exception:  # a faulty game may raise anything; where it does is where the protocol will show it
        return len(way.actions)


# -- what a changed function does -------------------------------------------------------------------


class Watch:
    """Follows ways with the right game; counts how often the changed function was asked and how often it differed."""

    def __init__(self, site: Site) -> None:
        self.site, self.asked, self.differed = site, 0, 0
        self.games: dict[int, tuple[AnyGame, AnyGame, bool]] = {}

    def _both(self, *inputs: Any, **named: Any) -> Any:
        right = self.site.right(*inputs, **named)
        self.asked += 1
        self.differed += outcome(self.site.wrong, inputs, named) != (True, right)
        return right

    def follow(self, way: Way) -> bool:
        """Follow a way to its end; say whether the function differed on it, or when its game was built."""
        before = self.differed
        if id(way.game) not in self.games:  # the right game is kept too, so that its id stays its own
            game = _watched(way.game, self.site, self._both)
            self.games[id(way.game)] = way.game, game, self.differed > before
        _, game, built = self.games[id(way.game)]
        before = self.differed
        position = game.start() if way.start is None else way.start
        for action in way.actions:
            game.legal(position)
            position = game.apply(position, action)
        game.legal(position)
        game.result(position)
        return built or self.differed > before


def _watched(game: AnyGame, site: Site, both: Callable[..., Any]) -> AnyGame:
    if not site.method:
        return game.varied(law=game.law.replace(**{site.name: both}))
    kind = type(game)

    def method(self: AnyGame, *inputs: Any, **named: Any) -> Any:
        return both(self, *inputs, **named)

    watching = type(kind.__name__, (kind,), {site.name: method})
    return game.recast(watching)


def outcome(function: Callable[..., Any], inputs: tuple[Any, ...], named: Mapping[str, Any] = {}) -> Any:
    """Return what a function gives, or which error it raises."""
    try:
        return True, function(*inputs, **named)
    except Exception as error:  # a mutant may raise anything
        return False, type(error).__name__

"""Faulty variants of a model, played against it: which does the harness catch, by which layer, how soon.

A fault is caught when a comparison of the protocol fails, never by a timeout.  A game for several numbers
of players has a suite for each: all of them run their layers, fewest players first, then all search longer.
The survivors of all suites are sorted: *equivalent* (its outputs are the same over the whole domain of the
changed rule, by enumeration), *unreachable* (never once different in the play searched), else *missed*.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.play import Step, steps, uniform
from lawspeaker.model.core.records import Emit, FaultRow, Finished, Progress, Started, ignore
from lawspeaker.model.core.rulings import Rulings

from .explain import read_line, trace_text
from .layers import Budget, Context, plans, policy, sample
from .match import Diverged, Divergence, Line, Link, Match, Op
from .session import FULL, Session
from .shrink import Shrinker, walk
from .subjects import InProcessSubject, ProtocolError, SubjectFailure

LAYERS = ("setup", "fixtures", "play", "refusals", "views", "undo", "save", "two-ways", "perft", "compound")
"""The referee's layers in the order used here, and the crafted positions of the game (*fixtures*).

The last has nothing to play in a game without compound texts.
"""
BUDGET = Budget("faults", games=3, positions=60, follow=6, perft=120, probes=8, others=16, shrink=80, judged=0)
SEARCHED = 2
"""Playouts under each choice of rulings in the longer search."""
_LIMIT = 3000
_PLAYERS = re.compile(r", (\d+) players$")


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

    def link(self, game: AnyGame) -> Link:
        """Return a connection to the faulty copy of *game*."""
        return Link(lambda: InProcessSubject(self.session(self.build(game), name=self.id)), game.id)


Fixtures = Callable[[AnyGame, int, int], Iterable[Line]]
"""Gives crafted positions with what is done there, for a game, a seed and a number of playouts."""
Domains = Mapping[str, Callable[[], Iterable[tuple[Any, ...]]]]
"""For a rule by name: every input it can have."""


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
    _ways: list[Way] | None = None
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

    @property
    def games(self) -> list[AnyGame]:
        """The game under its own rulings, then with each other value of each ruling."""
        others = other_choices(self.game) if self.readings else ()
        return [self.game, *(self.game.varied(rulings=r) for r in others)]

    @property
    def ways(self) -> list[Way]:
        """Playouts and crafted positions under each choice of rulings, for the longer search."""
        if self._ways is None:
            seed, games = self.seed * 7919 + 100, self.games
            self._ways = [_way(game, seed + n) for game in games for n in range(self.searched)]
            self._ways += [_along(game, line) for game in games[1:] for line in self.fixtures(game, seed, 1)]
        return self._ways


Suites = Suite | Sequence[Suite]
"""The checks of a game for one number of players, or for several, fewest first."""


def _every(suites: Suites) -> Sequence[Suite]:
    return (suites,) if isinstance(suites, Suite) else suites


def other_choices(game: AnyGame) -> Iterator[Rulings]:
    """Yield the game's rulings with one of them changed."""
    for ruling in game.catalogue.book.rulings:
        for value in ruling.values:
            if value != game.rulings[ruling.id]:
                yield game.catalogue.book.choose({**game.rulings, ruling.id: value})


def _way(game: AnyGame, seed: int) -> Way:
    return _walked(game, None, list(steps(game, seed, uniform if seed % 2 else policy(0), limit=_LIMIT)))


def _along(game: AnyGame, line: Line) -> Way:
    start = position = game.position(line.record or {})
    played = []
    for op in line.ops:
        if op.kind != "try":
            continue
        action = game.parse(op.text)
        after = game.apply(position, action)
        played.append(Step(position, game.actor(position), action, after))
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
    every = _every(suites)
    checked = calls = 0
    for suite in every:
        link = fault.link(suite.game)
        for layer in suite.layers:
            found, more = _first(link, suite.game, suite.lines(layer))
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


def players_of(row: FaultRow, fewest: int) -> int:
    """Return with how many players a fault was caught, told by the layer of its row."""
    found = _PLAYERS.search(row.layer)
    return int(found[1]) if found else fewest


def _first(link: Link, game: AnyGame, lines: Iterable[Line]) -> tuple[Divergence | None, int]:
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
    looked = 0
    for way in suite.ways:
        if id(way.game) not in built:
            built[id(way.game)] = fault.build(way.game)
        count = parts_at(way, built[id(way.game)])
        looked += len(way.actions) if count is None else count
        if count is None:
            continue
        link = fault.link(way.game)
        found, _ = _first(link, way.game, [way.line(count)])
        if found is not None:
            return Catch(_reading(suite, way), checked + looked, calls + link.calls, way.game, found), looked
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


# -- survivors --------------------------------------------------------------------------------------


def equivalent(site: Site, domains: Domains) -> int:
    """Return over how many inputs, which are all there are, a changed rule is the same; 0 if it is not so."""
    if site.method or site.name not in domains:
        return 0
    count = 0
    for inputs in domains[site.name]():
        count += 1
        if _outcome(site.right, inputs) != _outcome(site.wrong, inputs):
            return 0
    return count


def differing(site: Site, suite: Suite) -> tuple[int, int]:
    """Return how often the changed function was asked in the play searched, and how often it differed."""
    asked = differed = 0

    def both(*inputs: Any, **named: Any) -> Any:
        nonlocal asked, differed
        right = site.right(*inputs, **named)
        asked += 1
        differed += _outcome(site.wrong, inputs, named) != (True, right)
        return right

    for game in suite.games:
        watched = _watched(game, site, both)
        for n in range(suite.searched):
            for _ in steps(watched, suite.seed * 7919 + 100 + n, uniform, limit=_LIMIT):
                pass
    return asked, differed


def _watched(game: AnyGame, site: Site, both: Callable[..., Any]) -> AnyGame:
    if not site.method:
        return game.varied(law=game.law.replace(**{site.name: both}))
    kind = type(game)

    def method(self: AnyGame, *inputs: Any, **named: Any) -> Any:
        return both(self, *inputs, **named)

    watching = type(kind.__name__, (kind,), {site.name: method})
    return game.recast(watching)


def _outcome(function: Callable[..., Any], inputs: tuple[Any, ...], named: Mapping[str, Any] = {}) -> Any:
    try:
        return True, function(*inputs, **named)
    except Exception as error:  # a mutant may raise anything
        return False, type(error).__name__


# -- rows -------------------------------------------------------------------------------------------


def examine(fault: Fault, suites: Suites, domains: Domains, *, longer: bool = True) -> FaultRow:
    """Check one fault and say what became of it, with a witness if it was caught."""
    every = _every(suites)
    caught = catch(fault, every, longer=longer)
    if caught is None:
        return _survivor(fault, every, domains)
    small = _shrunk(fault, caught, every[0].seed)
    row = _row(fault, "caught")
    return msgspec.structs.replace(
        row,
        witness=trace_text(caught.game, small),
        layer=caught.layer,
        actions_to_catch=caught.checked,
        shrunk_length=len(small.ops),
        calls=caught.calls,
    )


def _shrunk(fault: Fault, caught: Catch, seed: int) -> Line:
    """Return a line as short as the referee's shrinker makes it, on which the fault still shows."""
    link = fault.link(caught.game)
    link.connect()
    line = caught.divergence.line
    if not caught.divergence.differences:  # the protocol was broken: set up just before, if it shows there too
        before = walk(caught.game, line)
        short = Line(caught.game.record(before[len(line.ops) - 1]), line.ops[-1:])
        return short if line.ops and _first(link, caught.game, [short])[0] is not None else line
    shrinker = Shrinker(link, caught.game, FULL, "dictated", limit=BUDGET.shrink, seed=seed)
    return shrinker.shrink(caught.divergence).line


def _row(fault: Fault, outcome: Any, said: str = "") -> FaultRow:
    what = f"{fault.operator}: {fault.what}" + (f" ({said})" if said else "")
    return FaultRow(
        "", fault.id, fault.fault_class, fault.clause, fault.mechanical, what, outcome,
    )  # fmt: skip


def _survivor(fault: Fault, every: Sequence[Suite], domains: Domains) -> FaultRow:
    if fault.site is None:
        return _row(fault, "missed")
    count = equivalent(fault.site, domains)
    if count:
        return _row(fault, "equivalent", f"the same for all {count} inputs")
    counts = [differing(fault.site, suite) for suite in every]
    asked, differed = (sum(numbers) for numbers in zip(*counts, strict=True))
    if not differed:
        games = sum(len(suite.games) * suite.searched for suite in every)
        return _row(fault, "unreachable", f"asked {asked} times in {games} games under every ruling, always the same")
    return _row(fault, "missed", f"differs in {differed} of {asked} calls, but nothing else does")


def run(
    faults: Sequence[Fault], suites: Suites, domains: Domains, *, emit: Emit = ignore, longer: bool = True
) -> tuple[FaultRow, ...]:
    """Examine every fault in order; rows are emitted as they come."""
    every = _every(suites)
    game = every[0].game.id
    emit(Started("faults", game, len(faults)))
    rows = []
    for n, fault in enumerate(faults, 1):
        row = msgspec.structs.replace(examine(fault, every, domains, longer=longer), game=game)
        rows.append(row)
        emit(row)
        emit(Progress("faults", game, n, fault.id))
    counts = {o: sum(r.outcome == o for r in rows) for o in ("caught", "equivalent", "unreachable", "missed")}
    emit(Finished("faults", game, ", ".join(f"{count} {outcome}" for outcome, count in counts.items())))
    return tuple(rows)


def witnessed(fault: Fault, witness: str, game: AnyGame) -> bool:
    """Say whether a stored witness still tells the fault from the game, and the game from itself not.

    Raises BadInput for a witness that cannot be read or that the game itself does not keep.
    """
    named, line = read_line(witness, f"witness of {fault.id}", game.pack)
    right = Link(lambda: InProcessSubject(Session(named)), named.id)
    found, _ = _first(right, named, [line])
    if found is not None:
        raise BadInput("the game parts from itself on it", where=f"witness of {fault.id}")
    return _first(fault.link(named), named, [line])[0] is not None


def quantile(values: Sequence[int], percent: int) -> int:
    """Return the value that *percent* of the values do not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, -(-len(ordered) * percent // 100) - 1)] if ordered else 0

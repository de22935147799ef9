"""What became of each fault: caught with a witness that was made short, equivalent, unreachable or missed.

Survivors are *equivalent* if their outputs are the same over the whole domain of the changed rule, by
enumeration; *unreachable* if the changed function was never once different in all the play searched, crafted
positions included; else *missed*.  One of second order survives excused only if both of its parts do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from importlib import import_module
from typing import Any, Literal, Protocol

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.records import Emit, FaultRow, Finished, Progress, Started, ignore

from .explain import read_line, trace_text
from .faults import (
    BUDGET,
    Catch,
    Fault,
    Fixtures,
    Site,
    Suite,
    Suites,
    Watch,
    catch,
    first_difference,
    in_turn,
    outcome,
)
from .match import Line, Link
from .second_order import PAIRED, named
from .session import FULL, Session
from .shrink import Shrinker, walk
from .subjects import InProcessSubject

Outcome = Literal["caught", "equivalent", "unreachable", "missed"]
_PLAYERS = re.compile(r", (\d+) players$")
Domains = Mapping[str, Callable[[], Iterable[tuple[Any, ...]]]]
"""For a rule by name: every input it can have."""
Reasons = Mapping[str, str]
"""For a mutant by what is wrong with it: why it cannot differ."""
_NONE: Reasons = {}
OUTCOMES: tuple[Outcome, ...] = ("caught", "equivalent", "unreachable", "missed")


# -- survivors --------------------------------------------------------------------------------------


def equivalent(site: Site, domains: Domains) -> int:
    """Return over how many inputs, which are all there are, a changed rule is the same; 0 if it is not so."""
    if site.method or site.name not in domains:
        return 0
    count = 0
    for inputs in domains[site.name]():
        count += 1
        if outcome(site.right, inputs) != outcome(site.wrong, inputs):
            return 0
    return count


def differing(site: Site, suite: Suite) -> tuple[int, int]:
    """Return how often the changed function was asked in the play searched, and how often it differed."""
    asked, differed = suite.watched.get(site, (0, 0))
    watch = Watch(site)
    for way in (*suite.crafted(), *(suite.ways() if site not in suite.watched else ())):
        watch.follow(way)
    return asked + watch.asked, differed + watch.differed


# -- rows -------------------------------------------------------------------------------------------


def examine(
    fault: Fault, suites: Suites, domains: Domains, *, longer: bool = True, reasons: Reasons = _NONE
) -> FaultRow:
    """Check one fault and say what became of it, with a witness if it was caught.

    *reasons* say of mutants, by what is wrong with them, why they cannot differ; they are added to what was counted.
    """
    every = in_turn(suites)
    caught = catch(fault, every, longer=longer)
    if caught is None:
        return _survivor(fault, every, domains, reasons)
    small, shrinking = _shrunk(fault, caught, every[0].seed)
    row = _row(fault, "caught")
    return msgspec.structs.replace(
        row,
        witness=trace_text(caught.game, small),
        layer=caught.layer,
        actions_to_catch=caught.checked,
        shrunk_length=len(small.ops),
        calls=caught.calls,
        shrink_calls=shrinking,
    )


def _shrunk(fault: Fault, caught: Catch, seed: int) -> tuple[Line, int]:
    """Return a line as short as the referee's shrinker makes it, on which the fault still shows, and its calls."""
    link = fault.link(caught.game)
    link.connect()
    line = caught.divergence.line
    if not caught.divergence.differences:  # the protocol was broken: set up just before, if it shows there too
        before = walk(caught.game, line)
        short = Line(caught.game.record(before[len(line.ops) - 1]), line.ops[-1:])
        shows = bool(line.ops) and first_difference(link, caught.game, [short])[0] is not None
        return short if shows else line, link.calls
    shrinker = Shrinker(link, caught.game, FULL, "dictated", limit=BUDGET.shrink, seed=seed)
    return shrinker.shrink(caught.divergence).line, shrinker.calls


def _row(fault: Fault, outcome: Outcome, said: str = "") -> FaultRow:
    what = f"{fault.operator}: {fault.what}" + (f" ({said})" if said else "")
    parts = tuple(part.id for part in fault.parts)
    return FaultRow(
        "", fault.id, fault.fault_class, fault.clause, fault.mechanical, what, outcome, parts=parts,
    )  # fmt: skip


def _survivor(fault: Fault, every: Sequence[Suite], domains: Domains, reasons: Reasons) -> FaultRow:
    if fault.parts:
        alone = [_survivor(part, every, domains, reasons) for part in fault.parts]
        outcomes = {row.outcome for row in alone}
        outcome: Outcome = next(one for one in ("missed", "unreachable", "equivalent") if one in outcomes)
        return _row(fault, outcome, f"alone: {', '.join(row.outcome for row in alone)}")
    if fault.site is None:
        return _row(fault, "missed")
    count = equivalent(fault.site, domains)
    if count:
        return _row(fault, "equivalent", f"the same for all {count} inputs")
    counts = [differing(fault.site, suite) for suite in every]
    asked, differed = (sum(numbers) for numbers in zip(*counts, strict=True))
    if differed:
        return _row(fault, "missed", f"differs in {differed} of {asked} calls, but nothing else does")
    plays = sum(1 for suite in every for _ in (*suite.crafted(), *suite.ways()))
    said = f"asked {asked} times in {plays} plays under every ruling and pair of them, always the same"
    reason = reasons.get(fault.what)
    return _row(fault, "unreachable", f"{said}; {reason}" if reason else said)


class Planted(Protocol):
    """A game's module of faults."""

    fixtures: Fixtures
    DOMAINS: Domains
    REASONS: Reasons

    def by_hand(self) -> tuple[Fault, ...]:
        """Return the variants made by hand."""

    def mechanical(self) -> tuple[Fault, ...]:
        """Return every mechanical mutant."""


class Job(msgspec.Struct, frozen=True):
    """What a process needs in order to examine faults by their ids."""

    module: str
    game: str
    seed: int
    searched: int


class _Bench:
    """The faults and suites of one job."""

    def __init__(self, job: Job) -> None:
        self.planted: Planted = import_module(job.module)
        self.known = {fault.id: fault for fault in (*self.planted.by_hand(), *self.planted.mechanical())}
        games = [make_game(job.game, players=n) for n in room(job.game).players]
        self.suites = [Suite(game, job.seed, self.planted.fixtures, searched=job.searched) for game in games]

    def examine(self, name: str, witnesses: Mapping[str, str]) -> FaultRow:
        """Examine a fault, or two of them planted together; *witnesses* are those of the parts."""
        fault = named(self.known, name)
        row = examine(fault, self.suites, self.planted.DOMAINS, reasons=self.planted.REASONS)
        game = self.suites[0].game
        hidden = tuple(n for n, text in witnesses.items() if text and not witnessed(fault, text, game))
        return msgspec.structs.replace(row, game=game.id, hides=hidden if row.outcome == "caught" else ())


_benches: list[_Bench] = []
"""The one bench of a process that examines faults; empty in any other."""


def _begin(job: Job) -> None:
    _benches[:] = [_Bench(job)]


def _at_bench(name: str, witnesses: Mapping[str, str]) -> FaultRow:
    return _benches[0].examine(name, witnesses)


def run(names: Sequence[str], job: Job, *, jobs: int = 1, emit: Emit = ignore) -> tuple[FaultRow, ...]:
    """Examine faults by their ids in so many processes: first the single ones, then those of second order.

    Rows are emitted as they come, in that order, and are the same for any number of processes.
    Raises BadInput for an unknown id.
    """
    emit(Started("faults", job.game, len(names)))
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(job,)) if jobs > 1 else _Here(job) as pool:
        rows = _rows(names, pool, job.game, emit)
    counts = {o: sum(r.outcome == o for r in rows.values()) for o in OUTCOMES}
    emit(Finished("faults", job.game, ", ".join(f"{count} {outcome}" for outcome, count in counts.items())))
    return tuple(rows.values())


class _Here(Executor):
    """Does what it is given at once, in this process."""

    def __init__(self, job: Job) -> None:
        _begin(job)

    def map(self, fn: Callable[..., Any], *iterables: Iterable[Any], **more: Any) -> Iterator[Any]:
        """Apply the function as the results are asked for."""
        return map(fn, *iterables)


def _rows(names: Sequence[str], pool: Executor, game: str, emit: Emit) -> dict[str, FaultRow]:
    rows: dict[str, FaultRow] = {}
    for batch in ([n for n in names if PAIRED not in n], [n for n in names if PAIRED in n]):
        alone = [{part: rows[part].witness for part in n.split(PAIRED) if part in rows} for n in batch]
        known = [found if PAIRED in n else {} for n, found in zip(batch, alone, strict=True)]
        for row in pool.map(_at_bench, batch, known):
            rows[row.id] = row
            emit(row)
            emit(Progress("faults", game, len(rows), row.id))
    return rows


def witnessed(fault: Fault, witness: str, game: AnyGame) -> bool:
    """Say whether a stored witness still tells the fault from the game, and the game from itself not.

    Raises BadInput for a witness that cannot be read or that the game itself does not keep.
    """
    named, line = read_line(witness, f"witness of {fault.id}", game.pack)
    right = Link(lambda: InProcessSubject(Session(named)), named.id)
    found, _ = first_difference(right, named, [line])
    if found is not None:
        raise BadInput("the game parts from itself on it", where=f"witness of {fault.id}")
    return first_difference(fault.link(named), named, [line])[0] is not None


def quantile(values: Sequence[int], percent: int) -> int:
    """Return the value that *percent* of the values do not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, -(-len(ordered) * percent // 100) - 1)] if ordered else 0


def players_of(row: FaultRow, fewest: int) -> int:
    """Return with how many players a fault was caught, told by the layer of its row."""
    found = _PLAYERS.search(row.layer)
    return int(found[1]) if found else fewest

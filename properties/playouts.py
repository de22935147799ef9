"""Breadth: seeded whole games in a plain loop, with every check and a count of clauses at work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.play import Picker, pick_outcome, uniform
from lawspeaker.model.core.records import CheckRow, Verdict
from lawspeaker.model.core.rulings import Rulings

from .checks import checks_of
from .watching import Check, Moment, Watch

ENDLESS = 100_000
NEVER = "never ran: too few steps"


class Failure(msgspec.Struct, frozen=True):
    """One complaint, with all that is needed to see it again."""

    check: str
    said: str
    seed: int
    step: int
    action: str
    rulings: str
    pack: str
    position: dict[str, Any]
    """The record of the position before the step."""


class PlayReport(msgspec.Struct, frozen=True):
    """What playouts showed: a row a check, steps by clause and by action kind, the first complaints."""

    rows: tuple[CheckRow, ...]
    exercised: Counter[str]
    kinds: Counter[str]
    steps: int
    games: int
    failures: tuple[Failure, ...] = ()

    @property
    def green(self) -> bool:
        """Whether no check failed."""
        return all(row.verdict in ("pass", "not applicable") for row in self.rows)

    def said(self) -> str:
        """Return the failures as text, one a line; empty if there are none."""
        return "\n".join(f"{row.id}: {row.said}" for row in self.rows if row.verdict not in ("pass", "not applicable"))


class _Tally:
    """The running account of one ``run_playouts``."""

    def __init__(self, game: AnyGame, checks: Sequence[Check], thin: int) -> None:
        self.game, self.thin = game, thin
        self.checks = checks
        self.claimed = [check for check in checks if check.applies(game.rulings)]
        self.times: Counter[str] = Counter()
        self.faults: dict[str, tuple[Verdict, Failure]] = {}
        self.sets: Counter[tuple[str, ...]] = Counter()
        self.types: Counter[str] = Counter()
        self.steps = self.games = 0
        self.watchers: list[tuple[Check, Watch]] = []

    def begin(self) -> None:
        self.games += 1
        self.watchers = [(check, check.watch(self.game)) for check in self.claimed]

    @property
    def spent(self) -> bool:
        """Whether nothing is left to look for: every claimed check has failed, or play itself has."""
        return "playout" in self.faults or (bool(self.claimed) and all(c.id in self.faults for c in self.claimed))

    def see(self, moment: Moment, seed: int) -> None:
        """Give a moment to every check that is due; an exception of the model is a fault of that check."""
        for check, watch in self.watchers:
            if check.id in self.faults or not check.due(moment.number + 101 * seed, self.thin):
                continue
            self.times[check.id] += 1
            verdict: Verdict = "fail"
            try:
                said = next(iter(watch(moment)), None)
            except Exception as error:  # whatever the model raises here is what we are looking for
                verdict, said = "error", f"{type(error).__name__}: {error}"
            if said is not None:
                self.blame(check.id, verdict, said, moment, seed)

    def blame(self, check: str, verdict: Verdict, said: str, moment: Moment, seed: int) -> None:
        game = self.game
        action = "no action" if moment.action is None else game.text(moment.action)
        failure = Failure(
            check, said, seed, moment.number, action, game.rulings.text(), game.pack.id,
            game.record(moment.before),
        )  # fmt: skip
        self.faults.setdefault(check, (verdict, failure))

    def row(self, check: Check) -> CheckRow:
        name = self.game.id
        if not check.applies(self.game.rulings):
            held = ", ".join(f"{r} in {'/'.join(v)}" for r, v in check.holds.items())
            return CheckRow(name, check.id, check.title, "not applicable", 0, f"claimed for {held}")
        times = self.times[check.id]
        if check.id in self.faults:
            verdict, found = self.faults[check.id]
            where = f"seed {found.seed}, step {found.step}, {found.action}, pack {found.pack}"
            return CheckRow(name, check.id, check.title, verdict, times, f"{found.said} ({where}; {found.rulings})")
        if times == 0:
            return CheckRow(name, check.id, check.title, "fail", 0, NEVER)
        return CheckRow(name, check.id, check.title, "pass", times)

    def report(self, expected: Iterable[str], kinds: Iterable[str]) -> PlayReport:
        exercised: Counter[str] = Counter()
        for clauses, count in self.sets.items():
            for clause in set(clauses):
                exercised[clause] += count
        rows = [self.row(check) for check in self.checks]
        rows += _seen("clauses-exercised", "Each expected clause was at work", self.game.id, expected, exercised)
        rows += _seen("kinds-played", "Each expected kind of action was played", self.game.id, kinds, self.types)
        failures = tuple(failure for _, failure in self.faults.values())
        broken = self.faults.get("playout")
        if broken:
            rows.append(
                CheckRow(self.game.id, "playout", "Play goes on to the end", "error", self.steps, broken[1].said)
            )
        return PlayReport(tuple(rows), exercised, self.types, self.steps, self.games, failures)


def _seen(name: str, title: str, game: str, wanted: Iterable[str], counts: Counter[str]) -> list[CheckRow]:
    """Return the row that fails for each wanted name with a zero count; none if nothing is wanted."""
    names = sorted(set(wanted))
    if not names:
        return []
    zero = [one for one in names if not counts[one]]
    said = f"never: {', '.join(zero)}" if zero else ""
    return [CheckRow(game, name, title, "fail" if zero else "pass", len(names) - len(zero), said)]


def run_playouts(
    game: AnyGame,
    seeds: Iterable[int],
    checks: Sequence[Check] | None = None,
    policy: Picker = uniform,
    every: int = 1,
    *,
    limit: int = ENDLESS,
    expected: Iterable[str] = (),
    kinds: Iterable[str] = (),
) -> PlayReport:
    """Play a whole game for each seed and give every step to the checks.

    *checks* default to all there are for the game; *every* stretches the intervals of the sampled
    ones; *limit* cuts games short, and without it a game that does not end fails.  *expected* are
    clauses and *kinds* kinds of action that must come up: a zero count fails.
    """
    tally = _Tally(game, checks_of(game) if checks is None else checks, every)
    for seed in seeds:
        if tally.spent:
            break
        tally.begin()
        _play(tally, seed, policy, limit)
    return tally.report(expected, kinds)


def _play(tally: _Tally, seed: int, policy: Picker, limit: int) -> None:
    game, random = tally.game, Random(seed)
    position, looks = game.start(), policy is not uniform
    for number in range(limit):
        action, actor = None, game.actor(position)
        if actor == OVER:
            return
        try:
            actions = game.legal(position)
            if actor == CHANCE:
                action = pick_outcome(game, position, actions, random)
            else:
                view = game.observe(position, actor) if looks else None
                action = policy(game, view, actions, random)
            after = game.apply(position, action)
            tally.sets[game.touched(position, action, after)] += 1
        except Exception as error:  # a model that raises has failed the check "playout"
            moment = Moment(game, number, position, actor, action, position)
            tally.blame("playout", "error", f"{type(error).__name__}: {error}", moment, seed)
            return
        tally.types[game.kind(action)] += 1
        tally.steps += 1
        tally.see(Moment(game, number, position, actor, action, after), seed)
        position = after
    if limit == ENDLESS:
        last = Moment(game, limit, position, actor, action, position)
        tally.blame("playout", "error", f"no end after {limit} steps", last, seed)


def sweep(
    game_id: str,
    choices: Iterable[Rulings] | None = None,
    packs: Sequence[Pack] | None = None,
    seeds: Sequence[int] = (0,),
    every: int = 4,
    policy: Picker = uniform,
) -> PlayReport:
    """Run playouts under each choice of rulings and each pack; return one report over all.

    *choices* default to each single value and each pair of values of the game's rulings, *packs* to
    the game's own.  Choice n is played with the seeds raised by n, and packs and numbers of players
    take turns, so that a sweep costs as much as its choices.
    """
    book = room(game_id).catalogue.book
    choices = [*book.singles(), *book.pairs()] if choices is None else list(choices)
    boxes: list[Pack | None] = list(packs) if packs else [None]
    games = [make_game(game_id, box, players=count) for box in boxes for count in room(game_id).players]
    reports = [
        run_playouts(games[n % len(games)].varied(rulings=choice), [n + s for s in seeds], policy=policy, every=every)
        for n, choice in enumerate(choices)
    ]
    return merged(game_id, reports)


def merged(game_id: str, reports: Sequence[PlayReport]) -> PlayReport:
    """Add reports up: a row a check, with the first failure and the sum of times."""
    rows: dict[str, CheckRow] = {}
    for row in (row for report in reports for row in report.rows):
        known = rows.get(row.id, row)
        if row is known:
            rows[row.id] = row
            continue
        worse = row if _badness(row) > _badness(known) else known
        rows[row.id] = msgspec.structs.replace(worse, times=known.times + row.times)
    exercised: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for report in reports:
        exercised.update(report.exercised)
        kinds.update(report.kinds)
    return PlayReport(
        tuple(rows.values()), exercised, kinds, sum(r.steps for r in reports), sum(r.games for r in reports),
        tuple(failure for report in reports for failure in report.failures),
    )  # fmt: skip


def _badness(row: CheckRow) -> int:
    """Return how much a row says: one that never ran says nothing beside one that ran elsewhere."""
    if row.times == 0 and row.said == NEVER:
        return 1
    return {"not applicable": 0, "pass": 2, "fail": 3}.get(row.verdict, 4)

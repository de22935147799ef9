"""Directed cases: positions and actions at which the choices of a ruling differ, and what each choice makes of them.

They come from the scenarios and from searched play.  What a subject does there tells which choice it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import msgspec

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game
from lawspeaker.model.core.play import Step, sensible, steps, uniform
from lawspeaker.model.core.rulings import Rulings

from . import messages as m
from .compare import Expected
from .match import Op
from .scenario_cases import ScenarioCase

Frame = Mapping[str, Any]
"""What is seen at one moment, by name: ``actor``, ``legal/...``, ``state/...``; what is absent is none of it."""
_ENDS = 400
"""So many steps of a game are looked through; a longer one is left."""
_CRAFTED = 12
"""So many actions are taken from a crafted position at most."""
_TRIED = 3
"""So many legal actions of a position are tried when play is searched, besides the one that was played."""


class Probe(msgspec.Struct, frozen=True):
    """A position (None: the beginning of a game), what is done there, and which seats then look."""

    id: str
    players: int
    record: dict[str, Any] | None
    ops: tuple[Op, ...]
    look: bool = False

    @property
    def key(self) -> bytes:
        """What is asked, as bytes: equal for equal questions."""
        return m.encode((self.players, self.record, self.ops, self.look))

    @property
    def script(self) -> tuple[str, ...]:
        """The outcomes of chance in it."""
        return tuple(op.text for op in self.ops if op.by == "chance")


class Family:
    """One game for each number of players under each choice of rulings, built once."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.built: dict[tuple[int, Rulings], AnyGame | None] = {}

    def __call__(self, players: int, rulings: Rulings) -> AnyGame | None:
        """Return the game; None where the pack does not serve these rulings."""
        key = players, rulings
        if key not in self.built:
            try:
                self.built[key] = self._build(players, rulings)
            except BadInput:
                self.built[key] = None
        return self.built[key]

    def _build(self, players: int, rulings: Rulings) -> AnyGame:
        game = self.game
        if players == len(game.seats) or game.id not in game_ids():
            return game if rulings == game.rulings else game.varied(rulings=rulings)
        return make_game(game.id, game.pack, rulings, players).varied(law=game.law)


def other(rulings: Rulings, **values: str) -> Rulings:
    """Return a choice with some values changed."""
    return Rulings({**rulings, **values})


# -- what is seen -----------------------------------------------------------------------------------


def foretold(game: AnyGame | None, probe: Probe, caps: m.Capabilities) -> tuple[Frame, ...] | None:
    """Return what a subject that plays *game* shows at each moment of a probe; None if it cannot be set up."""
    if game is None:
        return None
    position = _opened(game, probe)
    if position is None or (probe.record is not None and game.broken_invariants(position)):
        return None
    frames = [_frame(game, position, caps)]
    for op in probe.ops:
        after = Expected(game, position).after(op.by, op.text)
        if after is None:
            return (*frames, {"accepted": False})
        position = after
        frames.append(_frame(game, position, caps))
    if probe.look and caps.view:
        frames += [flat("view", game.observe(position, n)) for n in range(len(game.seats))]
    return tuple(frames)


def _frame(game: AnyGame, position: Any, caps: m.Capabilities) -> Frame:
    now = Expected(game, position)
    listed = caps.legal and (now.actor != CHANCE or caps.outcomes)
    over = caps.result and now.actor == OVER
    result = game.result(position) if over else None
    outcome = None
    if result is not None:
        scores = dict(zip(game.seats, result.scores, strict=True))
        outcome = m.Outcome(scores, tuple(game.seats[seat] for seat in result.winners))
    reply = m.Report(0, actor=now.actor_name, legal=tuple(now.legal) if listed else None,
                     state=now.record if caps.state else None, result=outcome)  # fmt: skip
    return seen(reply, caps)


def seen(reply: m.Report, caps: m.Capabilities) -> Frame:
    """Return a report as a frame, in the fields that the subject reports."""
    found: dict[str, Any] = {"accepted": reply.accepted}
    if reply.actor is not None:
        found["actor"] = reply.actor
        if reply.actor != "chance" or caps.outcomes:
            found |= {f"legal/{text}": True for text in reply.legal or ()}
    state = reply.state or {}
    found |= flat("state", {k: v for k, v in state.items() if caps.fields is None or k in caps.fields})
    if reply.result is not None:
        found |= {f"result/{seat}": points for seat, points in reply.result.scores.items()}
        found |= {f"winner/{seat}": True for seat in reply.result.winners}
    return found


def flat(path: str, value: Any) -> dict[str, Any]:
    """Return a record as one value for each scalar, and one for each entry of a list."""
    if isinstance(value, Mapping):
        found: dict[str, Any] = {}
        for name, inner in value.items():
            found |= flat(f"{path}/{name}", inner)
        return found
    if isinstance(value, (list, tuple)) and all(type(item) is int for item in value):
        return {path: tuple(value)}
    if isinstance(value, (list, tuple)):
        return {f"{path}/{m.encode(item).decode()}": True for item in value}
    return {path: value}


def unlike(one: Frame, two: Frame) -> frozenset[str]:
    """Return the names under which two frames differ; absent is like none and like false."""
    names = one.keys() | two.keys()
    return frozenset(name for name in names if (one.get(name) or None) != (two.get(name) or None))


def differ(one: tuple[Frame, ...], two: tuple[Frame, ...]) -> bool:
    """Whether two rows of frames differ anywhere."""
    return len(one) != len(two) or any(unlike(a, b) for a, b in zip(one, two, strict=True))


def _may_part(games: Sequence[AnyGame], probe: Probe) -> bool:
    """Whether games may foretell different things for a probe: quick, without records; never wrongly no."""
    places = [_opened(game, probe) for game in games]
    both = [(game, place) for game, place in zip(games, places, strict=True) if place is not None]
    if len(both) < 2:
        return False
    for op in (*probe.ops, None):
        (game, place), *rest = both
        actor, legal = game.actor(place), game.legal(place)
        if any(p != place or g.actor(p) != actor or g.legal(p) != legal for g, p in rest):
            return True
        if actor == OVER:
            return any(g.result(p) != game.result(place) for g, p in rest)
        if op is None:
            break
        action = next((a for a in legal if game.text(a) == op.text), None) if op.by == game.actor_name(place) else None
        if action is None:
            break
        both = [(g, g.apply(p, action)) for g, p in both]
    (game, place), *rest = both
    looks = range(len(game.seats)) if probe.look else ()
    return any(g.observe(p, seat) != game.observe(place, seat) for g, p in rest for seat in looks)


def _opened(game: AnyGame, probe: Probe) -> Any:
    """Return the position with which a probe begins in a game, None if it cannot be set up there."""
    try:
        return game.start() if probe.record is None else game.position(probe.record)
    except (BadInput, LookupError, ValueError):  # a record made under other rulings need not be readable here
        return None


# -- where choices differ ---------------------------------------------------------------------------


class Search:
    """Finds probes for one subject: what it offers says what of a probe can be seen and done.

    *looked* bounds how many positions of play are looked at for one ruling.
    """

    def __init__(
        self,
        family: Family,
        caps: m.Capabilities,
        mode: m.ChanceMode,
        cases: Sequence[ScenarioCase],
        seed: int,
        looked: int = 1200,
    ) -> None:
        self.family, self.caps, self.mode, self.seed = family, caps, mode, seed
        self.cases, self.looked = cases, looked
        self.games, self.left = 4, looked
        self.made: dict[Rulings, tuple[Probe, ...]] = {}

    def probes(self, ruling: str, rulings: Rulings, count: int) -> tuple[Probe, ...]:
        """Return probes at which the values of a ruling differ, all else as in *rulings*.

        Each two values are told apart by up to *count* of them, as far as any are found.
        """
        sources: tuple[Callable[[], Iterable[Probe]], ...] = (
            lambda: (Probe("the beginning", len(self.family.game.seats), None, ()),),
            lambda: self._from_cases(ruling),
            lambda: self._crafted(rulings),
            lambda: self._from_play(ruling, rulings),
        )
        found: list[Probe] = []
        self.left = self.looked
        values = [v for v in self.family.game.catalogue.book[ruling].values if self._served(ruling, v, rulings)]
        lacking = dict.fromkeys(combinations(values, 2), count)
        for source in sources:
            for probe in source() if lacking else ():
                told = self._told_apart(ruling, rulings, probe)
                helps = [pair for pair in lacking if told and told[pair[0]] != told[pair[1]]]
                found += [probe] if helps else []
                lacking = {pair: n - (pair in helps) for pair, n in lacking.items() if n > (pair in helps)}
                if not lacking:
                    break
        return tuple(found)

    def _served(self, ruling: str, value: str, rulings: Rulings) -> bool:
        return self.family(len(self.family.game.seats), other(rulings, **{ruling: value})) is not None

    def _told_apart(self, ruling: str, rulings: Rulings, probe: Probe) -> dict[str, int]:
        """Return a class for each value, such that values of one class foretell the same; empty if all do."""
        if self.mode == "reported" and probe.script:
            return {}
        games = {v: self.family(probe.players, other(rulings, **{ruling: v}))
                 for v in self.family.game.catalogue.book[ruling].values}  # fmt: skip
        if not _may_part([game for game in games.values() if game is not None], probe):
            return {}
        classes: list[tuple[Frame, ...]] = []
        found: dict[str, int] = {}
        for value, game in games.items():
            told = foretold(game, probe, self.caps)
            alike = next((n for n, one in enumerate(classes) if told is not None and not differ(one, told)), -1)
            if told is not None and alike < 0:
                classes.append(told)
                alike = len(classes) - 1
            found[value] = alike
        if len(classes) < 2:
            return {}
        return {value: n if n >= 0 else 0 for value, n in found.items()}

    # -- from scenarios -------------------------------------------------------------------------

    def _from_cases(self, ruling: str) -> Iterator[Probe]:
        """Yield the scenarios with choices of this ruling, then those that share a clause with it."""
        clauses = set(self.family.game.catalogue.book[ruling].clauses)
        usable = [c for c in self.cases if c.pack is None and (c.record is None or self.caps.setup)]
        chosen: dict[str, set[str]] = {}
        for case in self.cases:
            chosen.setdefault(case.id.split(" ")[0], set()).add(case.rulings.get(ruling, ""))
        first = [c for c in usable if len(chosen[c.id.split(" ")[0]]) > 1]
        near = [c for c in usable if c not in first and clauses & set(c.clauses)]
        done = set()
        for case in (*first, *near):
            for probe in self._of_case(case):
                if probe.key not in done:
                    done.add(probe.key)
                    yield probe

    def _of_case(self, case: ScenarioCase) -> Iterator[Probe]:
        players = case.players or len(self.family.game.seats)
        done = tuple(Op("try", by, text) for by, text in case.actions)
        yield Probe(case.id, players, case.record, done)
        if self.caps.view:
            yield Probe(case.id, players, case.record, done, look=True)
        tried = [(p.by or case.expect.actor, p.do) for p in case.expect.refused]
        tried += [(case.expect.actor, text) for text in (*case.expect.excludes, *case.expect.includes)]
        for by, text in tried:
            if by:
                yield Probe(f"{case.id}, {text}", players, case.record, (*done, Op("try", by, text)))

    # -- crafted positions ----------------------------------------------------------------------

    def _crafted(self, rulings: Rulings) -> tuple[Probe, ...]:
        """Return the positions at the edges of the rules that a game has for its faults, with some play from each."""
        if rulings not in self.made:
            self.made[rulings] = self._craft(rulings)
        return self.made[rulings]

    def _craft(self, rulings: Rulings) -> tuple[Probe, ...]:
        game = self.family(len(self.family.game.seats), rulings)
        name = f"{__package__}.{self.family.game.id}_faults"
        if not self.caps.setup or game is None or game.id not in game_ids() or find_spec(name) is None:
            return ()
        lines = import_module(name).fixtures(game, self.seed, 1)
        players = len(game.seats)
        found = [(line.record, tuple(op for op in line.ops if op.kind == "try")) for line in lines]
        return tuple(
            Probe(f"crafted position {n}", players, record, ops[:_CRAFTED])
            for n, (record, ops) in enumerate(found, 1)
            if record is not None
        )

    # -- from play ------------------------------------------------------------------------------

    def _from_play(self, ruling: str, rulings: Rulings) -> Iterator[Probe]:
        """Play under each value and yield the places at which the values part."""
        players = len(self.family.game.seats)
        games = {}
        for value in self.family.game.catalogue.book[ruling].values:
            game = self.family(players, other(rulings, **{ruling: value}))
            if game is not None:
                games[value] = game
        for n in range(self.games if len(games) > 1 else 0):
            for game in games.values() if self.left > 0 else ():
                picker = sensible if n % 2 == 0 else uniform
                played = tuple(steps(game, self.seed * 503 + n, picker, limit=_ENDS))
                yield from self._parting(game, [g for g in games.values() if g is not game], played)

    def _parting(self, game: AnyGame, others: list[AnyGame], played: tuple[Step, ...]) -> Iterator[Probe]:
        for number, step in enumerate(played):
            if self.left <= 0:
                return
            self.left -= 1
            texts = self._parts_here(game, others, step)
            if texts is None:
                continue
            before = tuple(Op("try", game.actor_name(s.before), game.text(s.action)) for s in played[:number])
            record = game.record(step.before) if self.caps.setup else None
            name = f"step {number + 1} of play"
            by = game.actor_name(step.before)
            for tail in ((), *((Op("try", by, text),) for text in texts)):
                yield Probe(name, len(game.seats), record, tail if self.caps.setup else (*before, *tail))

    def _parts_here(self, game: AnyGame, others: list[AnyGame], step: Step) -> tuple[str, ...] | None:
        """Return actions that games take differently here ((): they list others); None where all is the same."""
        position = step.before
        legal = game.legal(position)
        for two in others:
            if two.actor(position) != game.actor(position):
                return ()
            theirs = two.legal(position)
            if theirs != legal:
                odd = sorted({game.text(a) for a in legal} ^ {game.text(a) for a in theirs})
                return tuple(odd[:_TRIED])
            for action in dict.fromkeys((step.action, *legal[:_TRIED])):
                if two.apply(position, action) != game.apply(position, action):
                    return (game.text(action),)
        return None

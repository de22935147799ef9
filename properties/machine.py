"""Depth: one hypothesis state machine for every game; it finds a fault and shrinks the way to it.

From the start of a game shrinking takes minutes; so each run begins at a position reached by a seeded
playout of drawn length and goes on for at most ``STEPS`` steps, with the same list of checks as the
playouts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from lawspeaker.model.core.canonical import canonical
from lawspeaker.model.core.contract import OVER, AnyGame
from lawspeaker.model.core.play import steps

from .checks import checks_of
from .watching import Check, Moment, Watch

STEPS = 60


class GameMachine(RuleBasedStateMachine):
    """Play, refuse, save and load, undo and look; ``machine_for`` makes one for given games.

    ``counts`` adds up the kinds of actions played and the rules run over all examples, because
    hypothesis passes silently over a rule whose precondition is never true.
    """

    games: tuple[AnyGame, ...] = ()
    checks: Callable[[AnyGame], Sequence[Check]] = staticmethod(checks_of)
    counts: ClassVar[Counter[str]] = Counter()
    trails: ClassVar[dict[tuple[int, int], list[Any]]] = {}
    memory: ClassVar[dict[tuple[int, Any], list[Any]]] = {}
    depth = 450

    def __init__(self) -> None:
        super().__init__()
        self.game: AnyGame = self.games[0]
        self.position: Any = None
        self.past: list[Any] = []
        self.played = 0
        self.watchers: list[tuple[Check, Watch]] = []

    @initialize(data=st.data(), seed=st.integers(0, 30))
    def set_up(self, data: st.DataObject, seed: int) -> None:
        """Begin at a position of a seeded playout, the start included."""
        self.game = data.draw(st.sampled_from(self.games), label="game")
        wanted = data.draw(st.just(0) | st.integers(0, self.depth), label="depth")
        trail = self._trail(seed)
        self.position = trail[min(wanted, len(trail) - 1)]
        self.played = wanted + seed  # checks are due by number, and are to be due at different places
        self._watch_anew()

    def _trail(self, seed: int) -> list[Any]:
        """Return the positions of a seeded playout, remembered: shrinking sets up again and again.

        It stops before the end, and where a faulty model raises, so that the rules run into that.
        """
        key = (id(self.game), seed)
        if key not in self.trails:
            found = [self.game.start()]
            try:
                for step in steps(self.game, seed, limit=self.depth):
                    if self.game.actor(step.after) != OVER:
                        found.append(step.after)
            except Exception as error:
                note(f"the playout of seed {seed} raised {error!r}")
            self.trails[key] = found
        return self.trails[key]

    def _watch_anew(self) -> None:
        """Give every check a fresh watcher: after undo the history that it saw is not the one played."""
        claimed = [check for check in type(self).checks(self.game) if check.applies(self.game.rulings)]
        self.watchers = [(check, check.watch(self.game)) for check in claimed if not check.history or self.joins(check)]

    @staticmethod
    def joins(check: Check) -> bool:
        """Say whether a check with a history can join play in the middle."""
        return not check.from_start

    @precondition(lambda self: self.game.actor(self.position) != OVER)
    @rule(index=st.integers(0, 10_000))
    def play(self, index: int) -> None:
        """Play one of the legal actions and ask every check that is due."""
        self._play(index)

    @precondition(lambda self: self.game.actor(self.position) != OVER)
    @rule(indexes=st.lists(st.integers(0, 10_000), min_size=2, max_size=6))
    def play_on(self, indexes: list[int]) -> None:
        """Play several actions, so that a run gets somewhere."""
        for index in indexes:
            if self.game.actor(self.position) != OVER:
                self._play(index)

    def _pick(self, actions: Sequence[Any], index: int) -> Any:
        """Return an action by index: the kind first, so that a kind with few actions comes up too."""
        kinds = [self.game.kind(action) for action in actions]
        present = sorted(set(kinds))
        nth, kind = divmod(index, len(present))
        alike = [action for action, own in zip(actions, kinds, strict=True) if own == present[kind]]
        return alike[nth % len(alike)]

    def _play(self, index: int) -> None:
        game, before = self.game, self.position
        actions = game.legal(before)
        assert actions, f"nothing is legal for {game.actor_name(before)}"
        action = self._pick(actions, index)
        note(f"{game.actor_name(before)}: {game.text(action)}")
        after = game.apply(before, action)
        moment = Moment(game, self.played, before, game.actor(before), action, after)
        self.played += 1
        self.counts[game.kind(action)] += 1
        self.past.append(before)
        self.position = after
        for check, watch in self.watchers:
            if check.due(moment.number):
                said = next(iter(watch(moment)), None)
                assert said is None, f"{check.id}: {said}"

    @precondition(lambda self: self.position is not None)
    @rule(index=st.integers(0, 10_000))
    def refuse(self, index: int) -> None:
        """Try an action of the alphabet that is not legal: it breaks a clause, and nothing changes."""
        game, position = self.game, self.position
        refused = self._refused()
        if not refused:
            return
        action = refused[index % len(refused)]
        then = canonical(game.record(position))
        broken = game.breaches(position, action)
        assert broken, f"{game.text(action)} breaks no clause but is not offered"
        assert all(game.words(breach) for breach in broken)
        assert canonical(game.record(position)) == then, f"refusing {game.text(action)} changed the position"
        self.counts["(refuse)"] += 1

    def _refused(self) -> list[Any]:
        """Return the actions of the alphabet that are not legal, remembered for the positions come back to."""
        key = (id(self.game), self.position)
        if key not in self.memory:
            offered = set(self.game.legal(self.position))
            self.memory[key] = [a for a in self.game.alphabet(self.position) if a not in offered]
        return self.memory[key]

    @rule()
    def save_and_load(self) -> None:
        """Go on from the position read back from its record: equal, with the same legal actions."""
        again = self.game.position(self.game.record(self.position))
        assert again == self.position
        assert self.game.legal(again) == self.game.legal(self.position)
        self.position = again
        self.counts["(load)"] += 1

    @precondition(lambda self: self.past)
    @rule(back=st.integers(1, 5))
    def undo(self, back: int) -> None:
        """Take back up to five steps; the same actions are legal there as when it was left."""
        for _ in range(min(back, len(self.past))):
            self.position = self.past.pop()
        assert self.game.broken_invariants(self.position) == ()
        self._watch_anew()
        self.counts["(undo)"] += 1

    @rule()
    def look(self) -> None:
        """Look from each seat; a view is canonical, and looking changes nothing."""
        then = hash(self.position)
        for seat in range(len(self.game.seats)):
            canonical(self.game.observe(self.position, seat))
        self.game.result(self.position)
        assert hash(self.position) == then
        self.counts["(look)"] += 1


def machine_for(
    games: Sequence[AnyGame], depth: int = 450, checks: Callable[[AnyGame], Sequence[Check]] = checks_of
) -> type[GameMachine]:
    """Return a machine class for these games with counts of its own.

    *depth* is how many actions of a playout a run may start after.  Run it with hypothesis'
    ``run_state_machine_as_test(cls, settings=...)``; afterwards ``cls.counts`` has what was played.
    """
    members: dict[str, Any] = {"games": tuple(games), "depth": depth, "checks": staticmethod(checks)}
    members |= {"counts": Counter(), "trails": {}, "memory": {}}
    return type("GameMachineHere", (GameMachine,), members)

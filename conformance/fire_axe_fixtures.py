"""Crafted positions of Fire & Axe at the edges of its rules, each with some steps of play.

Some stand as eager play leaves them; more are made up whole (``fire_axe_tables``): a board, Sagas, runes and
ships that fit together.  Of many that were tried those are kept which bring a clause, an end or a place of a
secret that is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Step, steps
from lawspeaker.model.fire_axe import actions as act
from lawspeaker.model.fire_axe.game import FireAxeGame
from lawspeaker.model.fire_axe.position import Position, put

from .fire_axe_players import Eager, Reckless
from .fire_axe_tables import last_turns, tables
from .match import Line, Op
from .planting import ops

Played = tuple[Step, ...]
_GAME = 700
"""So many steps of a game are looked through."""
_AHEAD = 14
"""So many steps are played from a position that was made up."""


class Kept:
    """What has been yielded so far: sorts seen, and how much is tried in each playout."""

    def __init__(self, games: int) -> None:
        self.seen: set[Any] = set()
        self.tables, self.ends = (90, 60) if games > 1 else (25, 16)

    def new(self, sorts: Iterable[Any]) -> bool:
        """Say whether something of these sorts has not been seen yet; from now on it has."""
        before = len(self.seen)
        self.seen.update(sorts)
        return len(self.seen) > before


def fixtures(game: AnyGame, seed: int, games: int = 4) -> Iterator[Line]:
    """Yield crafted positions from so many playouts, with what is done there."""
    assert isinstance(game, FireAxeGame)
    kept = Kept(games)
    for n in range(games):
        random = Random(f"fire_axe fixtures {seed} {n}")
        played = tuple(steps(game, seed * 977 + n, Eager() if n % 2 else Reckless(), limit=_GAME))
        yield from _as_played(game, played, kept)
        yield from _made_up(game, random, kept)
        yield from _endings(game, random, kept)
        if games > 1:
            yield from _misuse(game, played, kept)


# -- as play leaves them ------------------------------------------------------------------------------


def _as_played(game: FireAxeGame, played: Played, kept: Kept) -> Iterator[Line]:
    """Yield where clauses are at work together that were not before, with what is played there."""
    for at, step in enumerate(played):
        if kept.new([("played", game.touched(step.before, step.action, step.after))]):
            yield Line(game.record(step.before), ops(game, played[at : at + 4]))


# -- made up ------------------------------------------------------------------------------------------


def _made_up(game: FireAxeGame, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield boards of all sorts with some steps of play, as far as these bring something new."""
    for n, position in enumerate(tables(game, random, kept.tables)):
        player = Reckless() if n % 2 else Eager()
        played = tuple(steps(game, random.randrange(1 << 30), player, position, _AHEAD))
        new = [index for index, step in enumerate(played) if kept.new(_sorts(game, step))]
        if new:
            looks = tuple(Op("view", seat) for seat in game.seats)
            yield Line(game.record(position), (*ops(game, played[: new[-1] + 1]), *looks))


def _sorts(game: FireAxeGame, step: Step) -> Iterator[Any]:
    """Yield what is noteworthy in a step: clauses, what a rune did where, how far a number is from its edge."""
    p, action = step.before, step.action
    yield "clauses", game.touched(p, action, step.after)
    if isinstance(action, act.Play):
        yield "rune", action.rune, p.phase, action.turn, action.target >= 0
    if isinstance(action, (act.Die, act.Dice)):
        yield "roll", p.phase, p.rolls, p.dice, p.attack, p.spare, step.after.phase, p.crew[p.turn]
    if isinstance(action, act.Sail):
        yield "sail", p.dial, game.tables.zone[action.place], p.sailed, step.after.phase
    if isinstance(action, act.Lose):
        yield "lose", action.item < 0, p.covered, step.after.phase, p.crew[p.turn] > 1
    if isinstance(action, act.Flip):
        yield "flip", step.after.phase, step.after.face.bit_count(), step.after.era, step.after.holder >= 0
    if step.after.turn != p.turn:
        yield "turn", step.after.turn, step.after.turn == step.after.holder, step.after.placed, p.chart_crew > 0


# -- the end ------------------------------------------------------------------------------------------


def _endings(game: FireAxeGame, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield last turns with ties of every sort: for the axe, for sets of Sagas, in regions, in the score."""
    for n, position in enumerate(last_turns(game, random, kept.ends)):
        action = act.END if act.END in game.legal(position) else None
        if action is None:
            continue
        level = _levelled(game, position, random) if n % 3 else position
        if game.broken_invariants(level):
            continue
        over = game.apply(level, action)
        if over.phase == "over" and kept.new(_tied(game, over)):
            yield Line(game.record(level), ops(game, [Step(level, game.actor(level), action, over)]))


def _levelled(game: FireAxeGame, p: Position, random: Random) -> Position:
    """Return the position with VP added so that some seats end with the same score, most of all or not."""
    scores = game.result(game.apply(p, act.END)).scores
    tied = random.sample(range(game.players), random.randint(2, game.players))
    level = max(scores) if random.random() < 0.8 else max(scores[seat] for seat in tied)
    vp = p.vp
    for seat in tied:
        vp = put(vp, seat, vp[seat] + max(0, level - scores[seat]))
    return replace(p, vp=vp)


def _tied(game: FireAxeGame, over: Position) -> Iterator[Any]:
    """Yield how the seats stand against each other at the end, in each thing that pays."""
    result = game.result(over)
    yield "winners", result.winners
    yield "axes", _standing(over.axes)
    for mask in game.tables.home_sagas:
        yield "sagas", _standing(tuple((won & mask).bit_count() for won in over.won))
    for mask in game.tables.regions:
        owners = [over.settlers[n] for n in range(game.tables.port_count) if mask >> n & 1 and over.settlers[n] >= 0]
        goods = sum(over.goods[n] >= 0 for n in range(game.tables.port_count) if mask >> n & 1)
        yield "region", len(owners), len(set(owners)), goods
    alone = [seat for n, seat in enumerate(over.settlers) if seat >= 0 and not game.tables.region[n]]
    yield "independent", len(alone), len(set(alone))


def _standing(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many seats share each place: ``(2, 1)`` is two first and one after them."""
    return tuple(counts.count(value) for value in sorted(set(counts), reverse=True))


# -- what is refused, stored and loaded -------------------------------------------------------------------


def _misuse(game: FireAxeGame, played: Played, kept: Kept) -> Iterator[Line]:
    """Yield tries that must be refused, and games stored and loaded, once for each sort of position."""
    for at, step in enumerate(played):
        p = step.before
        if p.seat >= 0 and kept.new([("refused", *_berth(game, p))]):
            yield Line(game.record(p), _refused(game, p))
        if game.actor(p) >= 0 and kept.new([("stored", *fact) for fact in _noted(p)]):
            onward = ops(game, played[at : at + 3])
            yield Line(game.record(p), (Op("save"), *onward, Op("load"), *onward))


def _berth(game: FireAxeGame, p: Position) -> tuple[Any, ...]:
    """Return where a position stands: its phase, the ship of the seat that decides, whether it has runes and cargo."""
    place = p.places[p.seat]
    where = "port" if game.tables.is_port(place) else "home" if game.tables.is_home(place) else place == 0
    return p.phase, where, p.hands[p.seat] != 0, any(p.cargo[p.seat])


def _noted(p: Position) -> Iterator[tuple[Any, ...]]:
    """Yield which of the fields that do not always count are set."""
    fields = ("tasked", "covered", "chart_crew", "rolls", "attack", "spare", "shelter", "doubled", "free", "placed")
    yield from ((name, p.phase) for name in fields if getattr(p, name))
    if any(p.chart_goods):
        yield "chart_goods", p.phase
    if p.days > 7:
        yield "days", p.phase
    if p.rolls > 1:
        yield "rolls", p.rolls, p.phase


def _refused(game: FireAxeGame, p: Position) -> tuple[Op, ...]:
    """Return tries by the seat of a position: of each kind one for each set of clauses that it would break."""
    first: dict[Any, str] = {}
    for action in game.alphabet(p):
        broken = tuple(breach.clause for breach in game.breaches(p, action, p.seat))
        if broken:
            first.setdefault((game.kind(action), broken), game.text(action))
    return tuple(Op("try", game.seats[p.seat], words) for words in first.values())

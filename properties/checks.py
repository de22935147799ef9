"""The list of checks that hold for every game; seeded playouts and the state machine share it.

What only one game has (its invariants over a history, its independent map) stands in a package of the
game's name below this one, whose module ``checks`` has ``CHECKS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any

from lawspeaker.model.core.canonical import canonical
from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame, Breach, Effect

from . import hidden
from .watching import Check, Complaints, Moment, Watch, plainly

TRIED = 48
"""How many actions of the alphabet are tried at a sampled step; the sample moves from step to step."""


def checks_of(game: AnyGame) -> tuple[Check, ...]:
    """Return all checks for a game: the general ones, then its own."""
    name = f"lawspeaker.properties.{game.id}"
    if find_spec(name) is None:
        return CHECKS
    own: tuple[Check, ...] = import_module(f"{name}.checks").CHECKS
    return CHECKS + own


def invariants(moment: Moment) -> Complaints:
    """No invariant of the position is broken."""
    return (moment.game.words(breach) for breach in moment.game.broken_invariants(moment.after))


def record(moment: Moment) -> Complaints:
    """A position survives its record, with everything derived that it carries along."""
    game, plain = moment.game, moment.record_after
    again = game.position(plain)
    if again != moment.after:
        yield f"read back from its record the position is another in {differing(again, moment.after)}"
    if game.record(again) != plain:
        yield "the record of the position read back is another"
    if tuple(plain) != game.fields:
        yield f"the record has the fields {tuple(plain)}"


def differing(one: Any, two: Any) -> str:
    """Return the names of the attributes in which two positions differ."""
    names = getattr(one, "__struct_fields__", ())
    return ", ".join(n for n in names if getattr(one, n) != getattr(two, n)) or "value"


def untouched(game: AnyGame) -> Watch:
    """Nothing changes a position: its hash and record are the same before and after it was played from."""
    kept: list[tuple[int, bytes | None]] = []

    def watch(moment: Moment) -> Complaints:
        if kept:
            number, then = kept.pop()
            if hash(moment.before) != number:
                yield "the position played from changed its hash"
            if then is not None and canonical(moment.game.record(moment.before)) != then:
                yield "the position played from changed its record"
        now = moment.bytes_after if moment.number % 5 == 0 else None
        kept.append((hash(moment.after), now))

    return watch


def repeats(moment: Moment) -> Complaints:
    """Applying the same action to the same position gives an equal position."""
    if moment.game.apply(moment.before, moment.action) != moment.after:
        yield "the same action led to another position"


def legal(moment: Moment) -> Complaints:
    """The legal list has each action once; it is empty exactly when the game is over."""
    actions, actor = moment.legal_after, moment.game.actor(moment.after)
    if len(set(actions)) != len(actions):
        yield "an action stands twice in the legal list"
    if (actor == OVER) != (not actions):
        yield f"{len(actions)} legal actions where the actor is {moment.game.actor_name(moment.after)}"
    if actor not in (OVER, CHANCE) and not 0 <= actor < len(moment.game.seats):
        yield f"the actor is {actor}"


def texts(moment: Moment) -> Complaints:
    """Each legal action has one canonical text, its own, which parses back."""
    game, actions = moment.game, moment.legal_after
    words = [game.text(action) for action in actions]
    if len(set(words)) != len(words):
        yield "two legal actions have the same text"
    for action, text in zip(actions, words, strict=True):
        if game.parse(text) != action:
            yield f"{text!r} parses to another action"


def law(game: AnyGame) -> Watch:
    """An action is legal exactly when it breaks no clause: of the alphabet, a sample that moves on."""
    turn = [0]

    def watch(moment: Moment) -> Complaints:
        yield from compare(moment, turn[0], TRIED)
        turn[0] += 1

    return watch


def law_in_full(moment: Moment) -> Complaints:
    """An action is legal exactly when it breaks no clause: the whole alphabet, each action in it once."""
    actions = list(moment.game.alphabet(moment.after))
    if len(set(actions)) != len(actions):
        yield "an action stands twice in the alphabet"
    missing = set(moment.legal_after) - set(actions)
    yield from (f"{moment.game.text(a)} is legal and not in the alphabet" for a in missing)
    yield from compare(moment, 0, len(actions))


def compare(moment: Moment, offset: int, most: int) -> Iterator[str]:
    """Compare the legal list with the law: about *most* actions of the alphabet, and of the legal ones."""
    game, position = moment.game, moment.after
    offered = set(moment.legal_after)
    tried, worded = list(game.alphabet(position)), set[Any]()
    stride = max(1, len(tried) // most)
    for action in islice(tried, offset % stride, None, stride):
        broken = game.breaches(position, action)
        yield from _judged(game, action, broken, action in offered, worded)
    few = max(1, len(moment.legal_after) // 5)
    for action in islice(moment.legal_after, offset % few, None, few):
        yield from _judged(game, action, game.breaches(position, action), True, worded)


def _judged(game: AnyGame, action: Any, broken: tuple[Breach, ...], offered: bool, worded: set[Any]) -> Iterator[str]:
    """Compare one action; *worded* are the shapes of breaches already put into words at this step."""
    if offered and broken:
        yield f"{game.text(action)} is offered but breaks {', '.join(b.clause for b in broken)}"
    if not offered and not broken:
        yield f"{game.text(action)} breaks no clause but is not offered"
    for breach in broken:
        shape = (breach.clause, *(fact.name for fact in breach.facts))
        if shape not in worded:
            worded.add(shape)
            yield from _worded(game, breach)
    if game.parse(game.text(action)) != action:
        yield f"{game.text(action)!r} parses to another action"


def _worded(game: AnyGame, item: Breach | Effect) -> Iterator[str]:
    """Complain about a clause that the catalogue lacks, or whose template lacks a fact."""
    if item.clause not in game.catalogue:
        yield f"{item.clause} is not in the catalogue"
        return
    try:
        game.words(item)
    except (KeyError, IndexError, ValueError) as error:
        yield f"the words of {item.clause} do not format: {error!r}"


def others(moment: Moment) -> Complaints:
    """What is legal for the actor is refused to every other seat, and to chance."""
    game, position = moment.game, moment.after
    actor = game.actor(position)
    for by in (CHANCE, *range(len(game.seats))):
        for action in moment.legal_after[:3] if by != actor else ():
            if not game.breaches(position, action, by):
                yield f"{game.text(action)} is allowed to {by}, though {game.actor_name(position)} is to act"


def effects(moment: Moment) -> Complaints:
    """The fast counters name the same clauses as the worked effects, all of the catalogue, in words."""
    game = moment.game
    fast = set(game.touched(moment.before, moment.action, moment.after))
    worked = game.effects(moment.before, moment.action)
    if {effect.clause for effect in worked} != fast:
        yield f"effects and touched differ in {sorted({e.clause for e in worked} ^ fast)}"
    yield from (fault for effect in worked for fault in _worded(game, effect))


def odds(moment: Moment) -> Complaints:
    """At chance each outcome has a positive probability; together they are one; seats that see it exist."""
    game, position = moment.game, moment.after
    if game.actor(position) != CHANCE:
        return
    chances = game.odds(position)
    if len(chances) != len(moment.legal_after) or sum(chances) != 1 or min(chances) <= 0:
        yield f"odds {chances} for {len(moment.legal_after)} outcomes"
    for outcome in moment.legal_after[:1]:
        if not set(game.sees(position, outcome)) <= set(range(len(game.seats))):
            yield f"seats {game.sees(position, outcome)} see {game.text(outcome)}"


def views(moment: Moment) -> Complaints:
    """Each seat has a view, a canonical record that depends on the position alone."""
    game = moment.game
    for seat in range(len(game.seats)):
        view = game.observe(moment.after, seat)
        if canonical(view) != canonical(game.observe(game.position(moment.record_after), seat)):
            yield f"the view of {game.seats[seat]} depends on more than the position"


def result(moment: Moment) -> Complaints:
    """Scores are the sums of their lines; there are winners exactly when the game is over; clauses exist."""
    game = moment.game
    found = game.result(moment.after)
    sums = [sum(line.points for line in found.lines if line.seat == n) for n in range(len(game.seats))]
    if tuple(sums) != found.scores:
        yield f"scores {found.scores} but lines sum to {sums}"
    if bool(found.winners) != (game.actor(moment.after) == OVER):
        yield f"winners {found.winners} while {game.actor_name(moment.after)} is to act"
    if len(set(found.winners)) != len(found.winners) or not set(found.winners) <= set(range(len(game.seats))):
        yield f"winners {found.winners}"
    cited = {line.clause for line in found.lines} | ({found.reason} - {""})
    yield from (f"the result cites {clause}" for clause in sorted(cited) if clause not in game.catalogue)


def _check(name: str, function: Callable[..., Any], every: int, *, memory: bool = False) -> Check:
    title = (function.__doc__ or "").partition("\n")[0].rstrip(".")
    return Check(name, title, function if memory else plainly(function), every, history=memory and every == 1)


# Intervals share no factor with the four steps of a usual turn, or some phases would never be looked at.
CHECKS: tuple[Check, ...] = (
    _check("invariants", invariants, 3),
    _check("record", record, 5),
    _check("untouched", untouched, 1, memory=True),
    _check("repeats", repeats, 7),
    _check("legal-list", legal, 1),
    _check("texts", texts, 7),
    _check("legal-law", law, 33, memory=True),
    _check("legal-law-full", law_in_full, 307),
    _check("other-seats", others, 19),
    _check("effects", effects, 3),
    _check("odds", odds, 5),
    _check("views", views, 21),
    _check("result", result, 5),
    _check("seen", hidden.seen, 3),
    _check("two-worlds", hidden.two_worlds, 29),
    _check("commits", hidden.commits, 7),
    _check("compounds", hidden.compounds, 1, memory=True),
)
"""The checks of every game, cheapest places first; see ``watching.Check`` for when each is due."""

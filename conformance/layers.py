"""The layers of a conformance run: which lines are played, and what a subject must offer for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile, zip_longest
from random import Random
from typing import Any

import msgspec

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.play import Picker, Rare, Step, sensible, steps, uniform
from lawspeaker.model.core.taking import Taken, compound_at, take_compound

from . import messages as m
from .match import UNKNOWN, Line, Op, valid
from .shrink import at_path, list_paths

LAYERS = ("scenarios", "perft", "setup", "play", "refusals", "views", "undo", "save", "two-ways", "compound")
"""All layers in the order in which they run."""
_NEAR = 60
"""So many steps after a sampled position a compound decision may begin."""
_WRONG = 3
"""So many compound decisions that fail are tried before each one that does not."""
_DRAWN = 6
"""So many other decisions are drawn at the position of each, to be tried where they fail."""


class Budget(msgspec.Struct, frozen=True):
    """How much is done: games from the start, positions set up, nodes of perft, probes a position, calls to shrink."""

    name: str
    games: int
    positions: int
    follow: int
    perft: int
    probes: int
    others: int
    shrink: int
    judged: int


SMALL = Budget("small", games=1, positions=12, follow=4, perft=60, probes=8, others=4, shrink=400, judged=600)
DEFAULT = Budget("default", games=4, positions=60, follow=6, perft=600, probes=12, others=16, shrink=3000, judged=1500)
DEEP = Budget(
    "deep", games=40, positions=600, follow=10, perft=20_000, probes=24, others=100, shrink=20_000, judged=6000
)
BUDGETS = {budget.name: budget for budget in (SMALL, DEFAULT, DEEP)}


class Plan(msgspec.Struct, frozen=True):
    """One case: its id, what it claims, and the line to play.

    *online* plans are played with a policy as they go, since only the subject knows chance.
    """

    id: str
    title: str
    line: Line
    clauses: tuple[str, ...] = ()
    online: bool = False
    wrong: str = ""
    """Why it is not played: what the reference itself has wrong."""


class Sample(msgspec.Struct, frozen=True):
    """A position of a playout, with the steps that led there."""

    game: AnyGame
    steps: tuple[Step, ...]
    index: int

    @property
    def position(self) -> Any:
        """The position."""
        return self.steps[self.index].before

    def approach(self, setup: bool) -> Line:
        """Return the way there: set up, or played from the start."""
        if setup:
            return Line(self.game.record(self.position), ())
        return Line(None, tries(self.game, self.steps[: self.index]))

    def onward(self, count: int) -> tuple[Op, ...]:
        """Return the next steps of the playout as operations."""
        return tries(self.game, self.steps[self.index : self.index + count])


def tries(game: AnyGame, played: Iterable[Step]) -> tuple[Op, ...]:
    """Return steps of play as operations."""
    return tuple(Op("try", game.actor_name(s.before), game.text(s.action)) for s in played)


def policy(number: int) -> Picker:
    """Return the policy of game *number*: rare, sensible and uniform take turns."""
    return (Rare(), sensible, uniform)[number % 3]


@lru_cache(maxsize=8)
def sample(game: AnyGame, seed: int, count: int) -> tuple[Sample, ...]:
    """Draw positions from seeded playouts, weighted to rare kinds of action and rare clauses."""
    random = Random(f"sample {seed}")
    buckets: dict[Any, list[Sample]] = defaultdict(list)
    for n in range(3):
        played = tuple(steps(game, seed * 31 + n, policy(n), limit=2000))
        for index, step in enumerate(played):
            key = (game.kind(step.action), game.touched(step.before, step.action, step.after))
            buckets[key].append(Sample(game, played, index))
    queues = sorted(buckets.items(), key=lambda item: (len(item[1]), item[0]))
    for _, queue in queues:
        random.shuffle(queue)
    found: list[Sample] = []
    while len(found) < count and any(queue for _, queue in queues):
        for _, queue in queues:
            if queue and len(found) < count:
                found.append(queue.pop())
    return tuple(found)


class Placed(msgspec.Struct, frozen=True):
    """A position given by a file: its id, a little play from it, and how many sequences of each length there are."""

    id: str
    place: Sample
    nodes: tuple[int, ...] = ()
    beginning: bool = False


class Context(msgspec.Struct, frozen=True):
    """What the makers of plans need to know."""

    game: AnyGame
    caps: m.Capabilities
    mode: m.ChanceMode
    seed: int
    budget: Budget
    samples: tuple[Sample, ...]
    given: tuple[Placed, ...] = ()

    def random(self, *words: object) -> Random:
        """Return a generator for one place of the run."""
        return Random(" ".join(str(w) for w in (self.seed, *words)))


def lacking(layer: str, caps: m.Capabilities, mode: m.ChanceMode) -> str:
    """Return what a subject lacks for a layer; empty if it applies."""
    needs: dict[str, tuple[str, ...]] = {
        "setup": ("setup",), "views": ("view",), "undo": ("undo",), "save": ("save",), "two-ways": ("state", "setup"),
        "compound": ("compound",), "perft": ("legal",),
    }  # fmt: skip
    missing = [name for name in needs.get(layer, ()) if not getattr(caps, name)]
    if missing:
        return f"{' and '.join(missing)} not offered"
    if layer == "perft" and not (caps.undo or caps.setup):
        return "neither undo nor setup offered"
    if layer == "perft" and mode != "dictated":
        return "dictated chance not offered"
    if layer == "two-ways" and caps.fields is not None:
        return "only part of the state is reported"
    if layer not in ("play", "scenarios") and mode == "reported" and not caps.setup:
        return "chance is only reported and setup not offered, so no position can be reached at will"
    return ""


def layers_for(game: AnyGame, layers: Sequence[str]) -> tuple[str, ...]:
    """Return the layers to run: of all there are, without the one for compound texts where a game has none."""
    if tuple(layers) != LAYERS or game.has_compounds():
        return tuple(layers)
    return tuple(layer for layer in layers if layer != "compound")


# -- plans by layer -------------------------------------------------------------------------------


def plans(layer: str, context: Context) -> Iterator[Plan]:
    """Yield the plans of a layer (scenarios come from outside and are not among them)."""
    yield from _MAKERS[layer](context)


def _setup(c: Context) -> Iterator[Plan]:
    for given in c.given:
        if not given.beginning:
            ops = given.place.onward(c.budget.follow)
            if c.mode == "reported":
                ops = _until_chance(ops)
            yield Plan(f"at-{given.id}", f"plays on from the position {given.id}", _on(c, given.place, ops))
    for n, place in enumerate(c.samples):
        ops = place.onward(c.budget.follow)
        if c.mode == "reported":
            ops = _until_chance(ops)
        yield Plan(str(n), f"plays on from a position set up ({len(ops)} steps)", _on(c, place, ops))


def _until_chance(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """Return the operations up to the first outcome, which the subject draws for itself."""
    for n, op in enumerate(ops):
        if op.by == "chance":
            return (*ops[:n], Op("try", "chance", UNKNOWN))
    return ops


def _on(c: Context, place: Sample, ops: tuple[Op, ...]) -> Line:
    way = place.approach(c.caps.setup)
    return Line(way.record, (*way.ops, *ops))


def _play(c: Context) -> Iterator[Plan]:
    for n in range(c.budget.games):
        if c.mode == "reported":
            yield Plan(str(n), "plays a whole game, drawing for itself", Line(None, ()), online=True)
            continue
        ops = tries(c.game, steps(c.game, c.seed * 101 + n, policy(n), limit=5000))
        yield Plan(str(n), f"plays a whole game ({len(ops)} steps)", Line(None, ops))


def _perft(c: Context) -> Iterator[Plan]:
    for given in c.given:
        if given.beginning or c.caps.setup:
            yield _counted(c, given)
    starts = [None, *(place for place in c.samples if c.caps.setup)][:4]
    for n, place in enumerate(starts):
        line = Line(None, ()) if place is None else place.approach(True)
        position = c.game.start() if place is None else place.position
        depth, ops, _ = _deepest(c, position)
        if ops:
            title = f"has the same tree of legal actions to depth {depth} ({len(ops)} operations)"
            yield Plan(str(n), title, Line(line.record, ops))


def _counted(c: Context, given: Placed) -> Plan:
    """Return the walk through the tree of a given position, or what the reference counts otherwise than was given."""
    depth, ops, counts = _deepest(c, given.place.position)
    line = Line(None, ops) if given.beginning else Line(c.game.record(given.place.position), ops)
    listed = ", ".join(map(str, counts))
    title = f"has the same tree of legal actions from {given.id} to depth {depth} ({listed} sequences)"
    shown = list(zip(given.nodes, counts, strict=False))
    wrong = next((n for n, (right, found) in enumerate(shown, 1) if right != found), 0)
    said = f"from {given.id} the reference counts {counts[wrong - 1]} sequences of {wrong}" if wrong else ""
    return Plan(f"at-{given.id}", title, line, wrong=said and f"{said}, not {given.nodes[wrong - 1]} as was given")


def _deepest(c: Context, position: Any) -> tuple[int, tuple[Op, ...], tuple[int, ...]]:
    """Return the depth that the budget allows, the walk through the tree, and how many sequences of each length it has.

    Where the game ends early there is no longer sequence.
    """
    depth, best = 1, tuple[Op, ...]()
    counts = [len(c.game.legal(position))]
    for deeper in range(2, 12):
        ops: list[Op] = []
        leaves = _expand(c, position, deeper - 1, ops)
        if leaves is None or len(ops) == len(best):
            break
        depth, best = deeper, tuple(ops)
        counts.append(leaves)
    return depth, best, tuple(counts)


def _expand(c: Context, position: Any, depth: int, ops: list[Op]) -> int | None:
    """Append the walk through the tree; the last ply is compared by the list alone.

    Returns how many sequences there are, None if the walk is too long.
    """
    legal = c.game.legal(position)
    if depth == 0 or c.game.actor(position) == OVER:
        return len(legal)
    back = Op("undo", count=1) if c.caps.undo else Op("setup", record=c.game.record(position))
    leaves = 0
    for action in legal:
        if len(ops) > 2 * c.budget.perft:
            return None
        ops.append(Op("try", c.game.actor_name(position), c.game.text(action)))
        below = _expand(c, c.game.apply(position, action), depth - 1, ops)
        if below is None:
            return None
        leaves += below
        ops.append(back)
    return leaves


def _refusals(c: Context) -> Iterator[Plan]:
    for n, place in enumerate(c.samples[: max(c.budget.others * 2, 8)]):
        probes = _probes(c, place.position, n)
        if c.caps.setup and (bad := _doubled(c, place, n)):
            line = Line(c.game.record(place.position), (Op("setup", record=bad),))
            yield Plan(f"setup-{n}", "refuses to set up a position that breaks an invariant", line)
        if probes:
            title = f"refuses {len(probes)} actions that break a clause, and nothing changes"
            yield Plan(str(n), title, _on(c, place, probes))


def _doubled(c: Context, place: Sample, number: int) -> dict[str, Any] | None:
    """Return the record with one piece standing twice in a list, None if that breaks nothing."""
    record: dict[str, Any] = msgspec.json.decode(m.encode(c.game.record(place.position)))
    paths = list_paths(record)
    if not paths:
        return None
    random = c.random("doubled", number)
    entries = at_path(record, random.choice(paths))
    entries.append(random.choice(entries))
    return record if valid(c.game, record) is None else None


def _probes(c: Context, position: Any, number: int) -> tuple[Op, ...]:
    """Return illegal tries: each set of broken clauses once before any comes twice, then misuse of the turn."""
    game, random = c.game, c.random("probe", number)
    actor = game.actor(position)
    by = game.actor_name(position) if actor >= 0 else game.seats[0]
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    if actor != CHANCE or c.mode == "dictated":
        for action in game.alphabet(position):
            broken = game.breaches(position, action, None if actor == CHANCE else game.seat(by))
            if broken:
                groups[tuple(b.clause for b in broken)].append(game.text(action))
    queues = [groups[key] for key in sorted(groups)]
    for queue in queues:
        random.shuffle(queue)
    chosen: list[Op] = []
    while len(chosen) < c.budget.probes and any(queues):
        name = "chance" if actor == CHANCE else by
        chosen += [Op("try", name, queue.pop()) for queue in queues if queue]
    return (*chosen[: c.budget.probes], *_misuse(c, position))


def _misuse(c: Context, position: Any) -> Iterator[Op]:
    game = c.game
    actor = game.actor(position)
    legal = game.legal(position)
    if actor >= 0:
        others = [seat for n, seat in enumerate(game.seats) if n != actor]
        yield from (Op("try", seat, game.text(legal[0])) for seat in others[:1])
    yield Op("try", game.seats[max(actor, 0)], "no such action")


def _views(c: Context) -> Iterator[Plan]:
    for n, place in enumerate(c.samples[: c.budget.others]):
        looks = tuple(Op("view", seat) for seat in c.game.seats)
        yield Plan(str(n), "shows each seat what it may see", _on(c, place, looks))


def _undo(c: Context) -> Iterator[Plan]:
    for n, place in enumerate(c.samples[: c.budget.others]):
        onward = place.onward(4)
        if c.mode == "reported":
            onward = tuple(op for op in _until_chance(onward) if op.by != "chance")
        if onward:
            ops = (*onward, Op("undo", count=len(onward)), onward[0], Op("undo", count=1), *onward)
            yield Plan(str(n), f"takes back {len(onward)} steps and goes on", _on(c, place, ops))


def _save(c: Context) -> Iterator[Plan]:
    for n, place in enumerate(c.samples[: c.budget.others]):
        onward = place.onward(3)
        if c.mode == "reported":
            onward = tuple(op for op in _until_chance(onward) if op.by != "chance")
        ops = (Op("save"), *onward, Op("load"), *onward)
        yield Plan(str(n), "saves, plays on, loads, and plays the same again", _on(c, place, ops))


def _two_ways(c: Context) -> Iterator[Plan]:
    for n in range(max(c.budget.others // 4, 1)):
        if c.mode != "dictated":
            return
        played = tries(c.game, steps(c.game, c.seed * 211 + n, policy(n), limit=60 + 40 * n))
        ops: list[Op] = []
        for count, op in enumerate(played):
            ops.append(op)
            if count % 10 == 9:
                ops.append(Op("again"))
        yield Plan(str(n), "comes to the same by play and by setting up its own state", Line(None, tuple(ops)))


# -- compound decisions ---------------------------------------------------------------------------


class Whole(msgspec.Struct, frozen=True):
    """A whole compound decision of a playout: where it begins, its parts, its text."""

    place: Sample
    parts: tuple[Taken, ...]
    text: str


def _compound(c: Context) -> Iterator[Plan]:
    """Take whole decisions in one step: the same as part by part, undone as one, refused as one."""
    found = _wholes(c)
    texts = sorted({text for whole in found for text in _others_like(c, whole)})
    for n, whole in enumerate(found):
        by = c.game.actor_name(whole.place.position)
        one = Op("try", by, whole.text)
        ops = [*_wrong_wholes(c.game, whole, texts), one]
        if c.caps.undo:
            parts = tuple(Op("try", by, c.game.text(step.action)) for step in whole.parts)
            ops += [Op("undo", count=1), *parts, Op("undo", count=len(parts)), one]
        onward = Sample(c.game, whole.place.steps, whole.place.index + len(whole.parts)).onward(2)
        ops += _until_chance(onward) if c.mode == "reported" else onward
        title = f"takes {whole.text!r} in one step, as its {len(whole.parts)} parts do"
        yield Plan(str(n), title, _on(c, whole.place, tuple(ops)))


def _wholes(c: Context) -> tuple[Whole, ...]:
    """Return compound decisions near the samples, up to the budget.

    Each first word and number of parts comes once before any comes twice, each word's longest first.
    """
    groups: dict[tuple[str, int], list[Whole]] = defaultdict(list)
    texts = set()
    for place in c.samples:
        taken = [Taken(s.before, s.action, s.after) for s in place.steps[place.index : place.index + _NEAR]]
        at = 0
        while at < len(taken):
            end, text = compound_at(c.game, taken, at)
            if text and text not in texts:
                texts.add(text)
                here = Sample(c.game, place.steps, place.index + at)
                groups[(text.split(" ")[0], end - at)].append(Whole(here, tuple(taken[at:end]), text))
                break
            at = end

    def rank(key: tuple[str, int]) -> tuple[int, str]:
        return sum(word == key[0] and parts > key[1] for word, parts in groups), key[0]

    queues = [groups[key] for key in sorted(groups, key=rank)]
    ranked = [whole for row in zip_longest(*queues) for whole in row if whole is not None]
    return tuple(ranked[: max(c.budget.others, 1)])


def _others_like(c: Context, whole: Whole) -> Iterator[str]:
    """Yield the text of a decision and of some others possible at its position, drawn part by part."""
    yield whole.text
    game, random = c.game, c.random("others like", whole.text)
    for _ in range(_DRAWN):
        taken = list[Taken]()
        while not taken or (game.inside(taken[-1].after) and len(taken) < _NEAR):
            before = taken[-1].after if taken else whole.place.position
            action = random.choice(game.legal(before))
            taken.append(Taken(before, action, game.apply(before, action)))
        _, text = compound_at(game, taken)
        if text:
            yield text


def _wrong_wholes(game: AnyGame, whole: Whole, texts: Iterable[str]) -> tuple[Op, ...]:
    """Return the decision tried by a wrong seat, and others that fail here.

    Those come first that fail late, then those that begin most like the one that does not.
    """
    position, by = whole.place.position, game.actor_name(whole.place.position)
    late: list[tuple[int, int, str]] = []
    for text in texts:
        try:
            take_compound(game, position, text)
        except BadInput as error:
            part = error.where.rpartition("part ")[2]
            alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, whole.text, strict=False)))
            late.append((-int(part) if part.isdigit() else 0, -alike, text))
    tried = [Op("try", by, text) for _, _, text in sorted(late)[:_WRONG]]
    seat = next((seat for seat in game.seats if seat != by), None)
    return (*tried, *([Op("try", seat, whole.text)] if seat else ()))


_MAKERS = {
    "setup": _setup, "play": _play, "perft": _perft, "refusals": _refusals,
    "views": _views, "undo": _undo, "save": _save, "two-ways": _two_ways, "compound": _compound,
}  # fmt: skip

"""Crafted positions of Northmen at the edges of its rules, each with some steps of play.

They are made from positions of play by moving pieces, Infamy, routes or plunder, so that all invariants
still hold.  What a position is kept for is its *sort*; of many that were tried those are kept which
bring a sort that is new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Rare, Step, steps
from lawspeaker.model.core.taking import Taken, compound_at
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.contests import board
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import RALLY, Position, bits, put

from .match import Line, Op
from .planting import ops

Played = tuple[Step, ...]


class Thrifty(Rare):
    """Plays cards that bring no token first, so that decks and rows run out; delays and buys when it can."""

    def __call__(self, game: Any, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
        """Pick what spares tokens, else what Rare would."""
        if view["phase"] == "play":
            spared = tuple(a for a in actions if game.tables.token[a.card] < 0)
            return random.choice(spared or actions)
        if view["phase"] == "draw" and isinstance(actions[-1], act.Draw):
            return actions[-1]
        return super().__call__(game, view, actions, random)


class Keen(Rare):
    """Delays, plays completed routes, and otherwise does what is rare."""

    def __call__(self, game: Any, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
        """Pick the option that leads further."""
        wanted = [a for a in actions if isinstance(a, (act.Delay, act.Complete))]
        return wanted[0] if wanted else super().__call__(game, view, actions, random)


class Kept:
    """What has been yielded so far: sorts seen, and how many tries and lines there may be in each playout."""

    def __init__(self, games: int) -> None:
        self.seen: set[Any] = set()
        self.tried = 160 if games > 1 else 24
        self.most = 8 if games > 1 else 2

    def new(self, sorts: Iterable[Any]) -> bool:
        """Say whether something of these sorts has not been seen yet; from now on it has."""
        before = len(self.seen)
        self.seen.update(sorts)
        return len(self.seen) > before


def fixtures(game: AnyGame, seed: int, games: int = 4) -> Iterator[Line]:
    """Yield crafted positions from so many playouts, with what is done there; a few of each kind from one playout."""
    assert isinstance(game, NorthmenGame)
    kept = Kept(games)
    for n in range(games):
        random = Random(f"northmen fixtures {seed} {n}")
        played = tuple(steps(game, seed * 977 + n, Thrifty() if (n + seed) % 2 else Rare(), limit=3000))
        for make in (_running_out, _control, _purses, _marching, _battles, _planning, _ends):
            yield from make(game, played, random, kept)
        if games > 1:
            yield from _misuse(game, played, kept)


def _line(game: NorthmenGame, position: Position, first: act.Action | None, seed: int, limit: int) -> Line:
    """Return a position with *first* and some steps that follow it, and a look of every seat at the end."""
    found: list[Step] = []
    if first is not None:
        found.append(Step(position, game.actor(position), first, game.apply(position, first)))
    found += steps(game, seed, Keen(), found[-1].after if found else position, limit)
    looks = tuple(Op("view", seat) for seat in game.seats)
    return Line(game.record(position), (*ops(game, found), *looks))


def _new(
    game: NorthmenGame, tried: Iterable[Position], sorts: Callable[[Position], frozenset[Any]], kept: Kept
) -> Iterator[Position]:
    """Yield the valid positions that bring a new sort, as many as there may be."""
    left = kept.most
    for position in tried:
        if left and not game.broken_invariants(position) and kept.new(sorts(position)):
            left -= 1
            yield position


def _purse(position: Position, infamy: tuple[int, ...]) -> Position:
    """Return the position with other Infamy, the cubes of which come from the reserves."""
    both = [a + b for a, b in zip(position.infamy, position.reserve, strict=True)]
    own = tuple(min(want, all_) for want, all_ in zip(infamy, both, strict=True))
    return replace(position, infamy=own, reserve=tuple(b - a for a, b in zip(own, both, strict=True)))


# -- as play leaves them ------------------------------------------------------------------------------


def _running_out(game: NorthmenGame, played: Played, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield where deck, row, reserve or Heroes are at their last, and what is played there."""
    for at, step in enumerate(played):
        sort = _scarce(game, step.before)
        if sort and kept.new([(*sort, game.kind(step.action))]):
            yield Line(game.record(step.before), ops(game, played[at : at + 4]))


def _scarce(game: NorthmenGame, p: Position) -> Any:
    if p.phase in RALLY and p.deck.bit_count() <= 1:
        return "deck", p.phase, p.deck.bit_count(), p.row.bit_count()
    if p.phase in ("play", "hire") and (p.reserve[p.seat] <= 2 or not p.supply[p.seat]):
        return "reserve", p.phase, p.reserve[p.seat], p.supply[p.seat]
    if p.phase in ("play", "hire", "draw") and p.group <= 2:
        return "group", p.phase, p.group
    if p.phase in ("buy", "hold", "keep") and p.seat == (p.leader - 1) % game.players:
        return "last planner", p.phase, p.round
    return ("second pass", p.kingdom) if p.second_pass else None


# -- rally and control ----------------------------------------------------------------------------------


def _control(game: NorthmenGame, played: Played, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield the ends of Rally Phases with ties of two, three and four in Kingdoms, by Heroes or not."""
    for step in played:
        p = step.before
        if p.phase not in RALLY or step.after.phase in (*RALLY, "turn") or p.round == 1:
            continue
        tried = (_standoff(game, p, random) for _ in range(kept.tried))
        for n, position in enumerate(_new(game, tried, lambda q: _ties(q, range(game.tables.k)), kept)):
            yield _line(game, position, step.action, n, 30 if n < 2 else 4)


def _standoff(game: NorthmenGame, p: Position, random: Random) -> Position:
    """Return the position with other pieces in Kingdoms: as many for several seats; the rest is Infamy."""
    t, n = game.tables, game.players
    cubes, heroes = list(p.cubes), list(p.heroes)
    left = [3] * n
    for kingdom in range(t.k):
        level = random.randint(0, 4)
        own = [min(sum(t.symbols(p.piles[seat], kingdom)), level) for seat in range(n)]
        led = [0] * n
        for seat in range(n):
            spare = min((p.piles[seat] & t.suit_cards[kingdom]).bit_count(), left[seat], own[seat])
            led[seat] = random.choice((0, 0, 1, 2)) if spare > 1 else random.choice((0, spare))
            left[seat] -= led[seat]
            if led[seat] < own[seat] and random.random() < 0.7:
                own[seat] -= led[seat]
        cubes[kingdom], heroes[kingdom] = tuple(own), tuple(led)
    total = [sum(place[seat] for place in cubes) for seat in range(n)]
    return replace(
        p, cubes=tuple(cubes), heroes=tuple(heroes), infamy=tuple(30 - count for count in total), reserve=(0,) * n,
        supply=tuple(left),
    )  # fmt: skip


def _ties(p: Position, places: range) -> frozenset[Any]:
    """Return how pieces stand against each other: who is tied for most, by Heroes too, and where from the Leader."""
    found: set[Any] = set()
    for place in places:
        cubes, heroes = p.cubes[place], p.heroes[place]
        pieces = [c + h for c, h in zip(cubes, heroes, strict=True)]
        tied = [seat for seat, count in enumerate(pieces) if count and count == max(pieces)]
        led = [heroes[seat] for seat in tied]
        first = tuple(seat for seat in tied if heroes[seat] == max(led))
        others = sum(1 for seat, count in enumerate(pieces) if count and seat not in tied)
        if len(tied) > 1 or others > 1:
            found.add((tuple(tied) if len(first) > 1 else len(tied), first, others, any(led)))
        if tied and not cubes[tied[0]]:
            found.add(("heroes alone", len(tied), others))
    return frozenset(found)


def _purses(game: NorthmenGame, played: Played, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield Rally turns with two to four Infamy, or with 0 to 2 cubes in reserve, and Heroes or none left."""
    turns = [s for s in played if s.before.phase == "play" and s.before.round > 1]
    for number, step in enumerate(random.sample(turns, min(len(turns), kept.most))):
        p, seat = step.before, step.before.seat
        own = p.infamy[seat] + p.reserve[seat]
        want = (2, 3, 4, own, own - 1, own - 2)[number % 6]
        position = _purse(p, (*p.infamy[:seat], want, *p.infamy[seat + 1 :]))
        if number % 2:
            position = _led(game, position, seat, number % 4)
        if not game.broken_invariants(position):
            card = max(bits(p.hands[seat]), key=lambda c: game.tables.value[c])
            yield _line(game, position, game.tables.plays[card], number, 3)


def _led(game: NorthmenGame, p: Position, seat: int, count: int) -> Position:
    """Return the position with so many of the seat's Heroes on the board, in Kingdoms where they may be."""
    heroes, left = [list(place) for place in p.heroes], 3
    for kingdom in range(game.tables.k):
        cards = (p.piles[seat] & game.tables.suit_cards[kingdom]).bit_count()
        heroes[kingdom][seat] = min(cards, p.cubes[kingdom][seat], left if count == 3 else min(left, 1))
        left -= heroes[kingdom][seat]
    supply = (*p.supply[:seat], left, *p.supply[seat + 1 :])
    return replace(p, heroes=tuple(tuple(place) for place in heroes), supply=supply)


# -- marching -------------------------------------------------------------------------------------------


def _marching(game: NorthmenGame, played: Played, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield marches with Infamy at the price of a delay, for every seat."""
    marches = [s.before for s in played if s.before.phase in ("march", "delay") and not s.before.second_pass]
    for number, p in enumerate(random.sample(marches, min(len(marches), kept.most))):
        position = _purse(p, tuple(random.choice((4, 5, 5, 6)) for _ in game.seats))
        if not game.broken_invariants(position):
            yield _line(game, position, None, number, 5)


class Clash(Rare):
    """Marches to a few regions where others are to come as well, with about as many pieces as they."""

    def __init__(self, game: NorthmenGame, random: Random) -> None:
        super().__init__()
        self.regions = game.tables.regions
        meeting = random.sample(self.regions, random.randint(2, 4))
        self.level = {name: random.randint(1, 3) for name in meeting}

    def __call__(self, game: Any, view: Any, actions: tuple[Any, ...], random: Random) -> Any:
        """Pick what comes nearest to the number of pieces aimed at."""
        if view["phase"] != "march":
            return random.choice(actions)
        here = sum(view["regions"][view["region"]][game.seats.index(view["you"])])
        want = self.level.get(view["region"], 0) - here
        best = min(abs(a.cubes + a.heroes - want) for a in actions)
        return random.choice([a for a in actions if abs(a.cubes + a.heroes - want) == best])


def _battles(game: NorthmenGame, played: Played, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield last steps of movement with ties of two to four in regions, Heroes alone, and routes completed."""
    regions = range(game.tables.k, game.tables.k + game.tables.r)
    for step in played:
        if step.before.phase not in RALLY or step.after.phase in (*RALLY, "turn"):
            continue
        last = {
            s.before: s.action for s in (_clash(game, step, random) for _ in range(kept.tried // 4)) if s is not None
        }

        def sorts(p: Position, last: dict[Position, Any] = last) -> frozenset[Any]:
            return _ties(board(game, p, last[p]), regions)

        for n, position in enumerate(_new(game, last, sorts, kept)):
            dealt = _with_routes(game, position, last[position], random)
            yield _line(game, dealt, last[position], n, 8)


def _clash(game: NorthmenGame, step: Step, random: Random) -> Step | None:
    """March from the end of a Rally Phase on, and return the last step of movement."""
    start = step.before
    other = _standoff(game, start, random)
    if start.round > 1 and not game.broken_invariants(other):
        start = other
    found: Step | None = None
    after = game.apply(start, step.action)
    for later in steps(game, random.randrange(1 << 30), Clash(game, random), after, 300):
        if later.before.phase not in ("delay", "march"):
            break
        found = later
    return found if found is not None and found.before.phase == "march" else None


def _with_routes(game: NorthmenGame, p: Position, action: act.Action, random: Random) -> Position:
    """Return the position with Trade Routes dealt anew, so that many of them will be completed."""
    best, most = p, -1
    for _ in range(20):
        position = _redealt(p, random)
        after = game.apply(position, action)
        done = 0
        if after.phase == "complete":
            done = sum(game.completed(after, s, r) for s in range(game.players) for r in bits(after.route_hands[s]))
        if done > most and not game.broken_invariants(position):
            best, most = position, done
    return best


def _redealt(p: Position, random: Random) -> Position:
    """Return the position with routes of hands and deck mixed."""
    pool = [*bits(p.route_deck), *(r for hand in p.route_hands for r in bits(hand))]
    random.shuffle(pool)
    hands = [sum(1 << pool.pop() for _ in bits(hand)) for hand in p.route_hands]
    return replace(p, route_hands=tuple(hands), route_deck=sum(1 << r for r in pool))


# -- planning and the end -------------------------------------------------------------------------------


def _planning(game: NorthmenGame, played: Played, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield beginnings of planning with 0 to 7 Infamy, and with 0 to 4 routes left to buy."""
    for step in played:
        p = step.after
        if p.phase != "buy" or step.before.phase in ("buy", "hold", "keep"):
            continue
        for number in range(max(4, kept.most // 2)):
            position = _purse(p, tuple(random.randint(0, 7) if number else 7 for _ in game.seats))
            if number and p.round > 1:
                position = _sold_out(game, position, number - 1, random)
            if not game.broken_invariants(position):
                yield _line(game, position, None, number, 12)


def _sold_out(game: NorthmenGame, p: Position, left: int, random: Random) -> Position:
    """Return the position with so many routes left, all of them put under the deck by somebody."""
    pool = [*bits(p.route_deck), *(route for route, _ in p.route_bottom)]
    random.shuffle(pool)
    bottom = tuple((pool.pop(), random.randrange(game.players)) for _ in range(min(left, len(pool))))
    hands = list(p.route_hands)
    for n, route in enumerate(pool):
        hands[n % game.players] |= 1 << route
    return replace(p, route_deck=0, route_bottom=bottom, route_hands=tuple(hands))


def _ends(game: NorthmenGame, played: Played, random: Random, kept: Kept) -> Iterator[Line]:
    """Yield last decisions of the game that leave equal scores, and equal Infamy, to every set of seats.

    Before them those of earlier rounds, with all plunder in one seat's hands: no game is over for that.
    """
    for step in played:
        if step.after.round == 3 > step.before.round and step.before.phase in ("buy", "hold"):
            rich = replace(step.before, taken=(sum(step.before.taken), *(0 for _ in range(game.players - 1))))
            if not game.broken_invariants(rich):
                yield _line(game, rich, step.action, 0, 1)
    last = played[-1]
    if last.after.phase != "over" or last.before.phase not in ("buy", "hold", "complete"):
        return
    action = act.DONE if last.before.phase != "complete" else last.action
    seats = range(game.players)
    wanted = [(tied, equal) for size in (*range(2, game.players + 1), 1) for tied in combinations(seats, size)
              for equal in (True, False)]  # fmt: skip
    for tied, equal in wanted:
        for _ in range(60):
            position = _level(game, _unplayed(last.before, random), action, tied, equal, random)
            if position is not None and not game.broken_invariants(position):
                if kept.new([("end", tied, equal)]):
                    yield _line(game, position, action, 0, 0)
                break


def _unplayed(p: Position, random: Random) -> Position:
    """Return the position with some of the completed Trade Routes still in hand, and plunder left on the map."""
    done = tuple(sum(1 << r for r in bits(routes) if random.random() < 0.6) for routes in p.routes_done)
    hands = tuple(a | b & ~c for a, b, c in zip(p.route_hands, p.routes_done, done, strict=True))
    region, seat, more = random.randrange(len(p.tokens)), p.taken.index(max(p.taken)), random.randint(0, 3)
    return replace(
        p, routes_done=done, route_hands=hands, tokens=put(p.tokens, region, p.tokens[region] + more),
        taken=put(p.taken, seat, p.taken[seat] - more),
    )  # fmt: skip


def _level(
    game: NorthmenGame, p: Position, action: act.Action, tied: tuple[int, ...], equal: bool, random: Random
) -> Position | None:
    """Return the position with plunder shared so that these seats have the same score, the others less."""
    high = random.choice((0, 3, 5) if equal else (3, 5))
    others = (random.randint(0, high - (s in tied and high > 0)) for s in range(game.players))
    infamy = tuple(high if s in tied and (equal or s == tied[-1]) else low for s, low in enumerate(others))
    p = _purse(p, infamy)
    over = game.apply(p, action)
    if over.phase != "over":
        return None
    total = sum(p.taken)
    bare = [score - taken for score, taken in zip(game.result(over).scores, over.taken, strict=True)]
    for level in range(total + 10, -1, -1):
        needed = [max(0, level - bare[s]) if s in tied else 0 for s in range(game.players)]
        rest = total - sum(needed)
        room = [0 if s in tied else max(0, level - 1 - bare[s]) for s in range(game.players)]
        if rest < 0 or sum(room) < rest or any(bare[s] > level for s in tied):
            continue
        for seat in range(game.players):
            more = min(room[seat], rest)
            needed[seat] += more
            rest -= more
        return replace(p, taken=tuple(needed))
    return None


# -- what is refused, stored and loaded -------------------------------------------------------------------


def _misuse(game: NorthmenGame, played: Played, kept: Kept) -> Iterator[Line]:
    """Yield tries that must be refused, and games stored and loaded, once for each sort of position."""
    for at, step in enumerate(played):
        p = step.before
        if p.seat >= 0 and kept.new([("refused", p.phase, p.infamy[p.seat] >= 3)]):
            yield Line(game.record(p), _refused(game, p))
        if game.actor(p) >= 0 and kept.new([("stored", *fact) for fact in _noted(p)]):
            onward = ops(game, played[at : at + 3])
            yield Line(game.record(p), (Op("save"), *onward, Op("load"), *onward))
        if (words := _out_of_order(game, played, at)) and kept.new([("order", words.split()[0])]):
            yield Line(game.record(p), (Op("try", game.actor_name(p), words),))


def _noted(p: Position) -> Iterator[tuple[Any, ...]]:
    """Yield which of the fields that belong to one phase alone are set."""
    fields = ("placed", "times", "armies", "fleets", "either", "led", "second_pass", "chosen", "kept", "held")
    for name in fields:
        value = getattr(p, name)
        if (any(n > 0 for n in value) if name == "chosen" else max(value) >= 0) if isinstance(value, tuple) else value:
            yield name, p.phase
    if p.route_bottom != tuple(sorted(p.route_bottom)):
        yield "route_bottom", p.phase


def _refused(game: NorthmenGame, p: Position) -> tuple[Op, ...]:
    """Return an illegal try of each kind of action by the seat of a position."""
    first = {game.kind(a): game.text(a) for a in game.alphabet(p) if game.breaches(p, a, p.seat)}
    return tuple(Op("try", game.seats[p.seat], words) for words in first.values())


def _out_of_order(game: NorthmenGame, played: Played, at: int) -> str:
    """Return a whole decision that begins here with its parts the other way round; empty if there is none."""
    if game.actor(played[at].before) < 0:
        return ""
    _, text = compound_at(game, [Taken(s.before, s.action, s.after) for s in played[at : at + 20]], 0)
    head, mark, parts = (text or "").partition(": " if (text or "").startswith("march") else " ")
    between = ", " if mark == ": " else " "
    turned = between.join(reversed(parts.split(between)))
    return head + mark + turned if turned != parts else ""

"""Positions of Fire & Axe made up whole: a board, Sagas, runes and ships that fit together by construction.

Towns are taken, ports traded with and settled by chance; then Sagas are turned up in the order of their Eras, of
which those met by the board were won or discarded, until three lie open.  So a board on which much was done
comes with a late Era.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.fire_axe import actions as act
from lawspeaker.model.fire_axe.game import FireAxeGame
from lawspeaker.model.fire_axe.pack import GOODS_EACH
from lawspeaker.model.fire_axe.position import WINTERING, Position, bits
from lawspeaker.model.fire_axe.sagas import met

Ints = tuple[int, ...]
_CREW = 15


def tables(game: FireAxeGame, random: Random, count: int) -> Iterator[Position]:
    """Yield so many tries at a position in which the seat on turn decides, as far as they keep the invariants."""
    for _ in range(count):
        position = made_up(game, random, random.choice((0.1, 0.4, 0.7, 0.9)))
        if position is not None and not game.broken_invariants(position):
            yield position


def last_turns(game: FireAxeGame, random: Random, count: int) -> Iterator[Position]:
    """Yield so many tries at a last turn that can be declared over."""
    for _ in range(count):
        p = made_up(game, random, random.choice((0.7, 0.85, 0.95)), last=True)
        if p is None or p.holder < 0 or game.rulings["R_THIRD_TOKEN"] != "full_turn":
            continue
        position = replace(p, turn=p.holder, seat=p.holder, placed=3)
        if not game.broken_invariants(position) and act.END in game.legal(position):
            yield position


def made_up(game: FireAxeGame, random: Random, done: float, *, last: bool = False) -> Position | None:
    """Return a position of the phase ``main``; *done* is how much of the board is done, *last* opens all Sagas."""
    n, t = game.players, game.tables
    towns = sum(1 << port for port in bits(t.towns) if random.random() > done)
    if random.random() < 0.1:
        towns = t.towns
    taken = (t.towns & ~towns).bit_count()
    goods = _goods(game, random, done)
    turn = random.randrange(n)
    start = game.start()
    position = replace(
        start, phase="main", turn=turn, seat=turn, towns=towns, axes=_shared(random, taken, n), goods=goods,
        small=_left(random, start.small, (towns & ~t.large).bit_count()),
        large=_left(random, start.large, (towns & t.large).bit_count()),
        settlers=_settlers(game, random, towns, done), dial=random.randrange(4),
    )  # fmt: skip
    position = _with_runes(game, _with_sagas(game, position, random, last), random)
    manned = _with_ships(game, position, random)
    return None if manned is None else _paid(game, manned, random)


def _shared(random: Random, count: int, n: int) -> Ints:
    """Return so many things shared out; equal shares are as likely as others."""
    if random.random() < 0.4:
        few = random.sample(range(n), random.randint(1, n))
        return tuple(count // len(few) + (few.index(s) < count % len(few)) if s in few else 0 for s in range(n))
    seats = [random.randrange(n) for _ in range(count)]
    return tuple(seats.count(seat) for seat in range(n))


def _left(random: Random, values: Ints, count: int) -> Ints:
    return tuple(sorted(random.sample(values, count)))


def _goods(game: FireAxeGame, random: Random, done: float) -> Ints:
    """Return goods in ports, none twice in a region; in one of three boards one good is in most of them."""
    found = [-1] * game.tables.port_count
    favourite = random.randrange(3) if random.random() < 0.3 else -1
    for port in random.sample(range(len(found)), len(found)):
        if random.random() > done:
            continue
        near = {found[other] for other in game.tables.region_others[port]}
        free = [good for good in range(3) if good not in near and found.count(good) < GOODS_EACH - 1]
        if free:
            found[port] = favourite if favourite in free else random.choice(free)
    return tuple(found)


def _settlers(game: FireAxeGame, random: Random, towns: int, done: float) -> Ints:
    """Return whose Settlements stand where they may; one seat may have nearly all its crew there."""
    n, found = game.players, [-1] * game.tables.port_count
    landlord = random.randrange(n) if random.random() < 0.3 else -1
    for port in random.sample(range(len(found)), len(found)):
        if random.random() > done or towns & (game.tables.region[port] | 1 << port):
            continue
        seat = landlord if landlord >= 0 and random.random() < 0.85 else random.randrange(n)
        if found.count(seat) < (_CREW if random.random() < 0.5 else _CREW - 2):
            found[port] = seat
    return tuple(found)


def _with_sagas(game: FireAxeGame, p: Position, random: Random, last: bool) -> Position:
    """Return the position with Sagas turned up until three lie open that are not met, or (*last*) all of them."""
    t, n = game.tables, game.players
    unseen, left, face, discarded, won = p.unseen, list(p.left), 0, 0, [0] * n
    most = random.choice((1, 2, 3)) if last else 3
    while sum(left) and (face.bit_count() < 3 or last):
        era = next(e for e in range(3) if left[e])
        pool = bits(unseen & t.era_sagas[era])
        done = [saga for saga in pool if met(game, p, 1 << saga)]
        open_ = [saga for saga in pool if saga not in done]
        room = face.bit_count() < most
        saga = random.choice(done if done and (not room or not open_ or random.random() < 0.8) else open_ or pool)
        unseen &= ~(1 << saga)
        left[era] -= 1
        if saga not in done:
            face |= 1 << saga
        elif random.random() < 0.25:
            discarded |= 1 << saga
        else:
            won[random.randrange(n)] |= 1 << saga
    placed = face | sum(won)
    counting = placed | (discarded if game.rulings["R_ERA_ON_DISCARD"] == "yes" else 0)
    holder = random.randrange(n) if not sum(left) else -1
    return replace(
        p, unseen=unseen, left=tuple(left), face=face, discarded=discarded, won=tuple(won), holder=holder,
        placed=random.choice((0, 1, 2, 2)) if holder >= 0 else 0,
        era=max([1, *(t.saga_era[saga] for saga in bits(counting))]),
        second=any(t.saga_era[saga] == 2 for saga in bits(counting)),
    )  # fmt: skip


def _with_runes(game: FireAxeGame, p: Position, random: Random) -> Position:
    """Return the position with runes in hands and on the pile; the deck may be at its last."""
    pool = list(bits(game.tables.all_runes))
    random.shuffle(pool)
    hands = tuple(sum(1 << pool.pop() for _ in range(min(random.randint(0, 3), len(pool)))) for _ in p.hands)
    count = len(pool) if random.random() < 0.5 else random.choice((1, 1, 2, 5))
    deck = sum(1 << rune for rune in pool[:count])
    return replace(p, hands=hands, deck=deck, pile=sum(1 << rune for rune in pool[count:]))


def _with_ships(game: FireAxeGame, p: Position, random: Random) -> Position | None:
    """Return the position with ships where they may be, their loads, and the Days used; None if crew is lacking."""
    n = game.players
    places: list[int] = []
    crew: list[int] = []
    cargo: list[Ints] = []
    supply: list[int] = []
    stock = [GOODS_EACH - p.goods.count(good) for good in range(3)]
    demand = random.choice([good for good in range(3) if stock[good]])
    stock[demand] -= 1
    size = int(game.law.capacity(p.era, p.second, game.slots_ruling))
    for seat in range(n):
        own = _CREW - p.settlers.count(seat)
        place = _berth(game, random, places) if own else WINTERING
        resting = place == WINTERING
        most = min(own, size)
        aboard = 0 if not own else random.choice((0, 1)) if resting else random.choice((1, 1, 2, 3, most))
        aboard = min(aboard, most)
        load = [0, 0, 0]
        for _ in range(0 if resting else random.randint(0, size - aboard)):
            good = random.randrange(3)
            if stock[good]:
                load[good] += 1
                stock[good] -= 1
        places.append(place)
        crew.append(aboard)
        cargo.append(tuple(load))
        supply.append(own - aboard)
    if p.settlers.count(p.turn) >= _CREW:
        return None
    at_sea = places[p.turn] != WINTERING
    prep = random.randint(0, 4) if at_sea else 0
    sailed = random.randint(0, 7 - prep) if at_sea else 0
    extra: dict[str, Any] = {} if random.random() < 0.6 or not at_sea else _boons(random)
    return replace(
        p, places=tuple(places), crew=tuple(crew), cargo=tuple(cargo), supply=tuple(supply), stock=tuple(stock),
        demand=demand, token=True, prep=prep, sailed=sailed, **extra,
    )  # fmt: skip


def _boons(random: Random) -> dict[str, Any]:
    """Return what runes played earlier this turn have left."""
    every: tuple[dict[str, Any], ...] = (
        {"days": 8}, {"attack": 1}, {"attack": 2}, {"spare": 1}, {"spare": 2}, {"shelter": 1}, {"doubled": True},
        {"free": 1},
    )  # fmt: skip
    return random.choice(every) | random.choice(every)


def _berth(game: FireAxeGame, random: Random, taken: list[int]) -> int:
    """Return a place for a ship: half of them are ports, free ones."""
    t = game.tables
    if random.random() < 0.5:
        ports = [t.first_port + n for n in range(t.port_count) if t.first_port + n not in taken]
        return random.choice(ports) if ports else WINTERING
    return random.choice((WINTERING, random.choice(t.homes), random.randrange(t.first_water, t.first_port)))


def _paid(game: FireAxeGame, p: Position, random: Random) -> Position:
    """Return the position with VP as they must have been paid, and some more."""
    n, t, box = game.players, game.tables, game.pack.treasures
    total = sum(box.small) - sum(p.small) + sum(box.large) - sum(p.large)
    for port, good in enumerate(p.goods):
        if good >= 0:
            reduced = game.law.raid_value(t.value[port], True, game.floor)
            total += game.law.trade_price(t.value[port], reduced, game.trade_value)
    total += sum(t.saga_vp[saga] for won in p.won for saga in bits(won))
    shares = _shared(random, total, n)
    return replace(p, vp=tuple(seat + 1 + share + random.randint(0, 3) for seat, share in enumerate(shares)))

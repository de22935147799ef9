"""The law of Fire & Axe, continued: Tasks, Sagas and runes judged clause by clause, and the facts of an attempt."""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.model.core.contract import Fact, facts

from . import actions as act
from . import pack as box
from .actions import SEATS
from .judging import Scene
from .pack import GOODS, RuneData

# -- Tasks ------------------------------------------------------------------------------------------------


def _task(s: Scene) -> Iterator[str]:
    """Judge what all Tasks need: a port, not tried in before this turn."""
    if s.port is None or not s.law.may_do_tasks(True):
        yield "FA-TASK-01"
        if s.at_home:
            yield "FA-TASK-02"
        return
    if not s.law.may_try(s.p.tasked >> s.number & 1 == 1, s.p.tasked != 0):
        yield "FA-TASK-06" if s.p.tasked >> s.number & 1 else "FA-TASK-05"
    if not s.law.may_go_on(s.spent, s.p.days):
        yield "FA-ACT-05"
    if s.spent + s.law.days_to_task() > s.p.days:
        yield "FA-TASK-04"


def trade(s: Scene, action: act.Trade) -> Iterator[str]:
    """Judge a trade: the good is aboard, the port takes it."""
    yield from _task(s)
    if not s.p.cargo[s.seat][action.good]:
        yield "FA-TRADE-01"
    if s.port is None:
        return
    there = s.p.goods[s.number]
    others = tuple(s.p.goods[n] for n in s.region if s.p.goods[n] >= 0)
    everywhere = tuple(s.p.goods[n] for n in s.independent if s.p.goods[n] >= 0)
    alone = s.port.region is None
    if s.law.may_trade(there, action.good, others, alone, everywhere):
        return
    if there >= 0:
        yield from ("FA-TRADE-05", "FA-TRADE-06")
    if action.good in others:
        yield "FA-TRADE-07"
    elif there < 0:
        yield "FA-TRADE-08"


def raid(s: Scene, action: act.Raid) -> Iterator[str]:
    """Judge a raid's first roll, or the next one."""
    if s.p.phase == "raid":
        if not s.law.may_roll_again(s.p.rolls, s.crew):
            yield "FA-RAID-09" if s.p.rolls == 2 else "FA-RAID-08"
        return
    yield from _task(s)
    if s.port is None:
        return
    town = s.p.towns >> s.number & 1 == 1
    if not s.law.may_raid(town, s.crew):
        if not town:
            yield "FA-RAID-01"
        if not s.crew:
            yield "FA-LOSS-07"


def stop(s: Scene, action: act.Stop) -> Iterator[str]:
    """Judge breaking a raid off."""
    if not s.law.may_break_off():
        yield "FA-RAID-12"


def settle(s: Scene, action: act.Settle) -> Iterator[str]:
    """Judge settling: the port is open to it, and the dice are as many as the crew allows."""
    yield from _task(s)
    fewest, most = s.law.settle_dice(s.crew)
    if not max(1, fewest) <= action.dice <= most:
        yield "FA-SETTLE-10"
    if s.port is None:
        return
    town, settled = s.p.towns >> s.number & 1 == 1, s.p.settlers[s.number] >= 0
    near, far = (sum(s.p.towns >> n & 1 for n in ports) for ports in (s.region, s.independent))
    if s.law.may_settle(town, near, far, settled):
        return
    if settled:
        yield "FA-SETTLE-03"
    if town:
        yield from ("FA-SETTLE-06", "FA-SETTLE-01")
    if near:
        yield "FA-SETTLE-08"
    if far and not (settled or town or near):
        yield "FA-SETTLE-09"


_GOAL = {"trade": "FA-SAGA-03", "raid": "FA-SAGA-04", "settle": "FA-SAGA-05"}


def collect(s: Scene, action: act.Collect) -> Iterator[str]:
    """Judge taking a Saga: it lies face up, is completed, and is this seat's to take (R_COLLECT)."""
    saga = s.pack.sagas[action.saga]
    if not s.p.face >> action.saga & 1:
        yield "FA-SAGA-01"
        return
    goods = sum(1 << n for n, good in enumerate(s.p.goods) if good >= 0)
    settled = sum(1 << n for n, seat in enumerate(s.p.settlers) if seat >= 0)
    numbers = {port.id: n for n, port in enumerate(s.pack.ports)}
    named = sum(1 << numbers[port] for port in saga.ports)
    if not s.law.saga_met(saga.type, named, goods, s.p.towns, settled):
        yield _GOAL[saga.type]
        return
    may = s.p.offer >> action.saga & 1 if s.p.phase == "collect" else s.ruling("R_COLLECT") == "may_state"
    if not may:
        yield "FA-SAGA-08"


# -- runes ------------------------------------------------------------------------------------------------


def _rune(s: Scene, card: int, turn: int, discarding: bool) -> Iterator[str]:
    """Judge what every use of a rune needs: the card in hand, no Homeland, a quarter-turn at most."""
    seat = s.p.seat
    if not s.p.hands[seat] >> card & 1:
        yield "FA-RUNE-06" if discarding else "FA-RUNE-01"
    place = s.p.places[seat]
    if not s.law.may_use_runes(0 < place <= len(s.pack.homelands), discarding):
        yield "FA-RUNE-02"
        if discarding:
            yield "FA-DRAW-06"
    if turn not in s.law.dial_turns():
        yield "FA-RUNE-03"
    if not s.law.may_go_on(s.spent, s.p.days):
        yield "FA-ACT-05"


def _interrupts(s: Scene) -> Iterator[str]:
    """Judge a rune in between what the card itself does not break into."""
    if s.p.phase == "loss" and not s.law.may_interrupt("rune", s.ruling("R_LOSS_TIMING")):
        yield "FA-WEA-06"
    if s.p.phase == "raid" and s.ruling("R_RAID_RUNE") == "barred":
        yield "FA-OURS-ORDER"


def discard(s: Scene, action: act.Discard) -> Iterator[str]:
    """Judge discarding a rune."""
    yield from _rune(s, action.rune, action.turn, True)
    yield from _interrupts(s)


def play(s: Scene, action: act.Play) -> Iterator[str]:
    """Judge playing a rune: its times and places, whom it hits, which good it names."""
    yield from _rune(s, action.rune, action.turn, False)
    rune, seat = s.pack.runes[action.rune], s.p.seat
    if rune.moment == "free":
        yield from _interrupts(s)
    stage = "free" if rune.moment == "free" else s.p.phase
    printed = _stands(s, rune.where, s.p.places[seat]) and (rune.whose == "any" or seat == s.p.turn)
    if not s.law.right_moment(rune.moment, stage, printed):
        yield "FA-RUNE-09"
    if not _aims(s, rune, action):
        yield "FA-RUNE-07"


def _stands(s: Scene, where: str, place: int) -> bool:
    port = s.port_at(place) is not None
    return {"any": True, "wintering": place == 0, "port": port}.get(where, place > len(s.pack.homelands) and not port)


def _aims(s: Scene, rune: RuneData, action: act.Play) -> bool:
    """Say whether the card is played on somebody, and for a good, exactly if it asks for that, and rightly."""
    hits = any(isinstance(effect, (box.RobGood, box.KillCrew, box.DropRune)) for effect in rune.effects)
    asks = any(
        isinstance(effect, box.RobGood) or (isinstance(effect, (box.SetDemand, box.GainGood)) and effect.good is None)
        for effect in rune.effects
    )
    if (action.target >= 0) != hits or (action.good >= 0) != asks or action.target == s.p.seat:
        return False
    if (
        hits
        and s.p.settlers.count(action.target)
        and s.law.sits_out(s.p.settlers.count(action.target), s.law.crew_each())
    ):
        return False
    return all(_hits_right(s, effect, action) for effect in rune.effects)


def _hits_right(s: Scene, effect: box.RuneEffect, action: act.Play) -> bool:
    p, target, good = s.p, action.target, action.good
    if isinstance(effect, box.RobGood):
        return p.cargo[target][good] > 0 and _stands(s, effect.where, p.places[target])
    if isinstance(effect, box.KillCrew):
        return p.crew[target] > 1 and _stands(s, effect.where, p.places[target])
    if isinstance(effect, box.DropRune):
        return p.hands[target] != 0
    if isinstance(effect, box.GainGood) and effect.good is None:
        return _takes_good(s, p.seat, good)
    return True


def _takes_good(s: Scene, seat: int, good: int) -> bool:
    """Say whether a ship has room for a good that is in stock, and in the Wintering Zone then still for crew."""
    slots = s.capacity - s.p.crew[seat] - sum(s.p.cargo[seat])
    if slots <= 0 or not s.law.in_stock(s.p.stock[good]):
        return False
    days = s.p.days - s.spent if seat == s.p.turn else 1
    trap = s.ruling("R_LOAD_TRAP")
    return s.p.places[seat] != 0 or bool(s.law.may_load_good(s.p.crew[seat], slots - 1, days, trap))


# -- facts of an attempt ------------------------------------------------------------------------------------


def item_name(item: int) -> str:
    """Return a good's name, or crew."""
    return act.CREW if item < 0 else GOODS[item]


def good_name(good: int) -> str | None:
    """Return the name of a good, None for none."""
    return GOODS[good] if good >= 0 else None


def facts_of(s: Scene, action: act.Action) -> tuple[Fact, ...]:
    """Return what an attempt's breach is put into words with, beside who, when and what."""
    match action:
        case act.Load(item):
            return _cargo_facts(s, item)
        case act.Unload(good):
            return _cargo_facts(s, good)
        case act.Leave():
            return facts(crew=s.crew, loaded=s.p.prep)
        case act.Draw():
            return facts(place=s.place_name(s.place), hand=s.p.hands[s.seat].bit_count(), days=s.spent)
        case act.Sail(place):
            holder = [SEATS[n] for n, at in enumerate(s.p.places) if at == place and n != s.seat]
            to = s.place_name(place)
            return facts(place=s.place_name(s.place), to=to, days=s.spent, holder=tuple(holder))
        case act.Lose(item):
            return facts(what=item_name(item), crew=s.crew)
        case act.Trade(good):
            there = good_name(s.p.goods[s.number]) if s.port else None
            near = tuple(GOODS[s.p.goods[n]] for n in s.region if s.p.goods[n] >= 0)
            return facts(port=s.place_name(s.place), good=GOODS[good], there=there, region_goods=near)
        case act.Raid() | act.Stop():
            return facts(port=s.place_name(s.place), town=_town(s), rolls=s.p.rolls, crew=s.crew)
        case act.Settle(dice):
            return _settle_facts(s, dice)
        case act.Convert() | act.Waive():
            return facts(port=s.place_name(s.place), crew=s.crew)
        case act.Discard() | act.Play():
            return _rune_facts(s, action)
        case act.Winter() | act.End():
            return facts(place=s.place_name(s.place), crew=s.crew)
        case act.Collect(saga):
            return facts(saga=s.pack.sagas[saga].id)
    return ()


def _town(s: Scene) -> bool:
    return s.port is not None and s.p.towns >> s.number & 1 == 1


def _cargo_facts(s: Scene, item: int) -> tuple[Fact, ...]:
    return facts(
        what=item_name(item), aboard=s.items, capacity=s.capacity, crew=s.crew,
        days=s.spent, supply=s.p.supply[s.seat], stock=s.p.stock[item] if item >= 0 else s.p.supply[s.seat],
    )  # fmt: skip


def _settle_facts(s: Scene, dice: int) -> tuple[Fact, ...]:
    settler = s.p.settlers[s.number] if s.port else -1
    near = tuple(s.pack.ports[n].id for n in s.region if s.p.towns >> n & 1)
    return facts(
        port=s.place_name(s.place), town=_town(s), region_towns=near,
        settler=SEATS[settler] if settler >= 0 else None, dice=dice, crew=s.crew,
    )  # fmt: skip


def _rune_facts(s: Scene, action: act.Discard | act.Play) -> tuple[Fact, ...]:
    rune, seat = s.pack.runes[action.rune], s.p.seat
    return facts(card=rune.id, place=s.place_name(s.p.places[seat]), hand=s.p.hands[seat].bit_count(), when=rune.moment)

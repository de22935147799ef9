"""The invariants of a Fire & Axe position that a single position shows (ids after the reading's list).

Those of phases and turns (I35 and on) stand in ``automaton``.  The ones that need a history (10, 23, 26, 28, 31,
32, 34 to 36, 39, 40) are checked along play by ``properties``.  Each holds under every choice of rulings; where a
ruling changes it, the check says how.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Breach, facts

from . import automaton
from .actions import SEATS
from .pack import GOODS, GOODS_EACH
from .position import WINTERING, bits
from .stages import CREW, HAND, Found, Table
from .tasks import value_here

if TYPE_CHECKING:
    from .game import FireAxeGame
    from .position import Position


def broken(game: FireAxeGame, position: Position) -> tuple[Breach, ...]:
    """Return each invariant the position breaks, by id, with its facts.

    Where fields stand that do not belong to the phase, no more is said: the rest would follow from that.
    """
    table = Table(game, position)
    first = tuple(Breach("I35", breach) for breach in automaton.phase_fields(table))
    if first:
        return first
    return tuple(Breach(name, breach) for name, check in _CHECKS.items() for breach in check(table))


# -- pieces are all there ---------------------------------------------------------------------------------


def _crew(t: Table) -> Found:
    """I01: supply, ship, Losses chart and Settlements make fifteen crew for each seat."""
    p = t.position
    for seat in range(t.n):
        total = p.supply[seat] + p.crew[seat] + p.settlers.count(seat)
        total += p.chart_crew if seat == p.turn else 0
        if total != CREW:
            yield facts(seat=SEATS[seat], crew=total)


def _goods(t: Table) -> Found:
    """I02: stock, ships, ports, Losses chart and the token in demand make eleven of each good."""
    p = t.position
    for good, name in enumerate(GOODS):
        total = p.stock[good] + sum(cargo[good] for cargo in p.cargo) + p.goods.count(good)
        total += p.chart_goods[good] + (p.token and p.demand == good)
        if total != GOODS_EACH:
            yield facts(good=name, tokens=total)
    if p.token and p.demand < 0:
        yield facts(token=True, demand=None)
    if (p.demand < 0 and not t.ruled("R_DEMAND_TOKEN", "none")) or (
        p.demand >= 0 and not p.token and not t.ruled("R_DEMAND_TOKEN", "change_anyway")
    ):
        yield facts(demand=p.demand, token=p.token)


def _load(t: Table) -> Found:
    """I03: no ship carries more than its slots in this Era."""
    p = t.position
    for seat in range(t.n):
        aboard = p.crew[seat] + sum(p.cargo[seat])
        if aboard > t.capacity:
            yield facts(seat=SEATS[seat], aboard=aboard, capacity=t.capacity)


def _manned(t: Table) -> Found:
    """I04: a ship outside the Wintering Zone has crew; under R_ZERO_LOAD=literal an empty one may have none."""
    p = t.position
    for seat in range(t.n):
        if p.places[seat] == WINTERING or p.crew[seat]:
            continue
        if not t.ruled("R_ZERO_LOAD", "literal"):
            yield facts(seat=SEATS[seat], crew=0)


def _at_rest(t: Table) -> Found:
    """I05: who is not on turn and winters has at most one crewmember and no goods.

    Not so under R_WZ_END=free, or where R_LOAD_TRAP lets a ship be trapped; runes used on others' turns may
    load more.
    """
    p = t.position
    if not t.ruled("R_WZ_END", "must_leave") or not t.ruled("R_LOAD_TRAP", "guard") or t.game.windows:
        return
    for seat in range(t.n):
        if seat != p.turn and p.places[seat] == WINTERING and (p.crew[seat] > 1 or any(p.cargo[seat])):
            yield facts(seat=SEATS[seat], crew=p.crew[seat], goods=sum(p.cargo[seat]))


def _guarded(t: Table) -> Found:
    """I46: under R_LOAD_TRAP=guard a ship without crew in the Wintering Zone keeps a slot for one, and a Day."""
    p = t.position
    if not t.ruled("R_LOAD_TRAP", "guard") or p.phase == "over":
        return
    for seat in range(t.n):
        if p.places[seat] != WINTERING or p.crew[seat] or p.supply[seat] == 0:
            continue
        full = sum(p.cargo[seat]) >= t.capacity
        late = seat == p.turn and p.phase == "main" and p.prep + p.sailed >= p.days
        if full or (late and not p.tasked):
            yield facts(seat=SEATS[seat], goods=sum(p.cargo[seat]), days=p.prep + p.sailed)


def _ports_hold_one(t: Table) -> Found:
    """I06: no two ships are in one port."""
    p = t.position
    here = Counter(place for place in p.places if place >= t.game.tables.first_port)
    yield from (facts(port=t.game.tables.names.places[place]) for place, count in here.items() if count > 1)


def _days(t: Table) -> Found:
    """I07: no more Days are used than the turn has, seven at least."""
    p = t.position
    if p.days < t.game.days or p.prep + p.sailed > p.days:
        yield facts(days=p.days, prep=p.prep, sailed=p.sailed)


def _chart(t: Table) -> Found:
    """I25: what lies on the Losses chart covers skulls of this turn, no more than there are, after a Sail."""
    p = t.position
    lying = p.chart_crew + sum(p.chart_goods)
    limbo = t.ruled("R_LIMBO", "limbo")
    if p.covered > max(t.game.pack.losses) or lying > p.covered or (lying and not limbo):
        yield facts(covered=p.covered, lying=lying)
    if p.covered and not p.sailed:
        yield facts(covered=p.covered, sailed=p.sailed)


# -- ports -------------------------------------------------------------------------------------------------


def _regions(t: Table) -> Found:
    """I09: ports of one region hold different goods."""
    p = t.position
    for mask in t.game.tables.regions:
        goods = [p.goods[n] for n in bits(mask) if p.goods[n] >= 0]
        if len(set(goods)) < len(goods):
            yield facts(ports=t.port_names(mask))


def _towns(t: Table) -> Found:
    """I11: each town stands where it was put or was taken by somebody; as many treasures are hidden as stand."""
    p, tables = t.position, t.game.tables
    if p.towns & ~tables.towns:
        yield facts(towns=t.port_names(p.towns & ~tables.towns))
    if sum(p.axes) != (tables.towns & ~p.towns).bit_count():
        yield facts(axes=sum(p.axes), taken=(tables.towns & ~p.towns).bit_count())
    box = t.game.pack.treasures
    for name, mask, left, all_ in (
        ("small", tables.towns & ~tables.large, p.small, box.small), ("large", tables.large, p.large, box.large)
    ):  # fmt: skip
        just_taken = p.phase == "treasure" and mask >> t.port & 1
        if len(left) != (p.towns & mask).bit_count() + just_taken or Counter(left) - Counter(all_):
            yield facts(size=name, treasures=left, standing=(p.towns & mask).bit_count())


def _settled(t: Table) -> Found:
    """I12, I13: a settled port has no town, and none stands in its region."""
    p, tables = t.position, t.game.tables
    for port, seat in enumerate(p.settlers):
        if seat >= 0 and p.towns & (tables.region[port] | 1 << port):
            yield facts(port=tables.names.places[tables.first_port + port], seat=SEATS[seat])


def _tried(t: Table) -> Found:
    """I27: where a Task was tried this turn the ship was: in the Wintering Zone only if its crew was lost there.

    Each further port costs a Sail at least.
    """
    p = t.position
    if not p.tasked or p.turn < 0:
        return
    if p.places[p.turn] == WINTERING and p.phase not in ("flip", "collect", "over"):
        yield facts(tried=t.port_names(p.tasked), place="Wintering Zone")
    sails = p.sailed + sum(effect.count for effect in t.free_sails)
    if p.tasked.bit_count() > sails + 1:
        yield facts(tried=t.port_names(p.tasked), sailed=p.sailed)


# -- Sagas and Eras ------------------------------------------------------------------------------------------


def _sagas(t: Table) -> Found:
    """I14, I20: each Saga is face up, won, discarded, or unseen; of each Era so many are left as were not seen."""
    p, tables = t.position, t.game.tables
    yield from _partition((p.unseen, p.face, p.discarded, *p.won), tables.names.sagas)
    for era, mask in enumerate(tables.era_sagas):
        seen = (mask & ~p.unseen).bit_count()
        kept = t.game.law.sagas_kept(mask.bit_count())
        if p.left[era] != kept - seen:
            yield facts(era=era + 1, left=p.left[era], seen=seen, kept=kept)


def _partition(sets: tuple[int, ...], ids: tuple[str, ...]) -> Found:
    seen = twice = 0
    for one in sets:
        twice |= seen & one
        seen |= one
    if twice:
        yield facts(twice=tuple(ids[n] for n in bits(twice)))
    missing = ~seen & ((1 << len(ids)) - 1)
    if missing:
        yield facts(missing=tuple(ids[n] for n in bits(missing)))


def _spaces(t: Table) -> Found:
    """I15: three Sagas lie face up while there is a pile; fewer only while one is turned up."""
    p = t.position
    face, left = p.face.bit_count(), sum(p.left)
    filling = p.phase == "flip"
    if face > 3 or (filling and (face == 3 or not left)) or (not filling and left and face < 3):
        yield facts(phase=p.phase, face=face, left=left)


def _not_met(t: Table) -> Found:
    """I16: no Saga that lies face up is met (R_COLLECT=auto); those won or discarded are."""
    p = t.position
    if t.game.collect == "auto" and p.phase != "treasure" and t.met(p.face):
        yield facts(met=t.saga_names(t.met(p.face)))
    gone = p.discarded | sum(p.won)
    if gone & ~t.met(gone):
        yield facts(not_met=t.saga_names(gone & ~t.met(gone)))


def _holder(t: Table) -> Found:
    """I17: somebody holds the tokens once no Saga is face down; under R_LAST_DISCARDED=never perhaps nobody."""
    p = t.position
    revealed = sum(p.left) == 0
    if p.holder >= 0 and not revealed:
        yield facts(holder=SEATS[p.holder], left=sum(p.left))
    if p.holder < 0 and revealed and t.ruled("R_LAST_DISCARDED", "revealed"):
        yield facts(holder=None, left=0)


def _eras(t: Table) -> Found:
    """I18, I19: the Era is that of the latest card in play, the pile is sorted by Era."""
    p, tables = t.position, t.game.tables
    placed = p.face | sum(p.won)
    counting = placed | p.discarded if t.ruled("R_ERA_ON_DISCARD", "yes") else placed
    era = max([1, *(tables.saga_era[saga] for saga in bits(counting))])
    second = any(tables.saga_era[saga] == 2 for saga in bits(counting))
    if (p.era, p.second) != (era, second):
        yield facts(era=p.era, second=p.second, cards=era)
    for n in (0, 1):
        later = tables.era_sagas[n + 1] | (tables.era_sagas[2] if n == 0 else 0)
        if p.left[n] and later & ~p.unseen:
            yield facts(left=p.left[n], era=n + 1, seen=t.saga_names(later & ~p.unseen))


def _runes(t: Table) -> Found:
    """I21: deck, pile, hands and the rune being played hold each rune once; a deck used up is made anew."""
    p = t.position
    played = 1 << p.played if p.played >= 0 else 0
    yield from _partition((p.deck, p.pile, *p.hands, played), t.game.tables.names.runes)
    if not p.deck and p.pile:
        yield facts(deck=0, pile=p.pile.bit_count())


def _hands(t: Table) -> Found:
    """I22: no hand holds more than three runes."""
    for seat, hand in enumerate(t.position.hands):
        if hand.bit_count() > HAND:
            yield facts(seat=SEATS[seat], hand=hand.bit_count())


# -- points, tokens, sitting out -----------------------------------------------------------------------------


def _points(t: Table) -> Found:
    """I29: all VP together are at least what starts, trades, treasures and Sagas have paid."""
    p, game = t.position, t.game
    trades = sum(
        game.law.trade_price(value, game.law.raid_value(value, True, game.floor), game.trade_value)
        for value, good in zip(game.tables.value, p.goods, strict=True)
        if good >= 0
    )
    box = game.pack.treasures
    found = sum(box.small) - sum(p.small) + sum(box.large) - sum(p.large)
    least = t.n * (t.n + 1) // 2 + trades + found
    least += sum(game.tables.saga_vp[saga] for won in p.won for saga in bits(won))
    if sum(p.vp) < least or min(p.vp) < 1:
        yield facts(vp=p.vp, least=least)


def _tokens(t: Table) -> Found:
    """I30: at most three tokens are placed, by a holder; with the third that turn is the last."""
    p = t.position
    if p.placed > 3 or (p.placed and p.holder < 0):
        yield facts(placed=p.placed, holder=None if p.holder < 0 else SEATS[p.holder])
    if p.placed == 3 and p.phase != "over" and (p.turn != p.holder or t.game.third_ends):
        yield facts(placed=3, turn=SEATS[p.turn])


def _out(t: Table) -> Found:
    """I33: who has fifteen Settlements has no ship at sea, and no turn."""
    p = t.position
    for seat in range(t.n):
        if p.settlers.count(seat) < CREW:
            continue
        if p.places[seat] != WINTERING or any(p.cargo[seat]):
            yield facts(seat=SEATS[seat], place=t.game.tables.names.places[p.places[seat]])
        if seat == p.turn and p.phase not in ("flip", "collect", "over"):
            yield facts(seat=SEATS[seat], turn=SEATS[p.turn])


def _attacked(t: Table) -> Found:
    """I37: an attack goes on in a port that it was tried in; the crew is there to make a Settlement."""
    p = t.position
    if p.phase not in ("die", "raid", "treasure", "dice", "convert"):
        return
    port, crew = t.port, p.crew[p.turn]
    if port < 0 or not p.tasked >> port & 1 or (crew < 1 and p.phase != "treasure"):
        yield facts(phase=p.phase, port=port, crew=crew)
        return
    town = p.towns >> port & 1
    if town != (p.phase in ("die", "raid")):
        yield facts(phase=p.phase, town=bool(town))
    if p.phase in ("dice", "convert") and (p.settlers[port] >= 0 or p.towns & t.game.tables.region[port]):
        yield facts(phase=p.phase, settled=p.settlers[port] >= 0)
    if p.phase == "dice" and not 1 <= p.dice <= min(3, crew):
        yield facts(dice=p.dice, crew=crew)
    if p.phase == "convert" and crew > 1 and t.ruled("R_WAIVE", "only_if_crewless"):
        yield facts(phase=p.phase, crew=crew)
    if p.phase == "convert" and value_here(t.game, p, port, True) >= t.game.pack.die + t.most_attack:
        yield facts(phase=p.phase, value=value_here(t.game, p, port, True))


def _ended(t: Table) -> Found:
    """I45: the game is over exactly for the reason that it names."""
    p = t.position
    empty = p.face == 0 and sum(p.left) == 0
    all_out = all(p.settlers.count(seat) >= CREW for seat in range(t.n))
    going_on = p.phase not in ("over", "flip", "treasure")
    if going_on and p.turn >= 0 and (empty or all_out):
        yield facts(phase=p.phase, face=0)
    reasons = {"": True, "sagas": empty, "crew": all_out, "tokens": p.placed == 3}
    if not reasons[p.ended]:
        yield facts(ended=p.ended)


_CHECKS: dict[str, Callable[[Table], Found]] = {
    "I01": _crew, "I02": _goods, "I03": _load, "I04": _manned, "I05": _at_rest, "I06": _ports_hold_one, "I07": _days,
    "I08": automaton.setup, "I09": _regions, "I11": _towns, "I12": _settled, "I14": _sagas, "I15": _spaces,
    "I16": _not_met, "I17": _holder, "I18": _eras, "I21": _runes, "I22": _hands, "I25": _chart, "I27": _tried,
    "I29": _points, "I30": _tokens, "I33": _out, "I37": _attacked, "I38": automaton.losses, "I42": automaton.window,
    "I44": automaton.offered, "I45": _ended, "I46": _guarded,
}  # fmt: skip
IDS = (*_CHECKS, "I35")

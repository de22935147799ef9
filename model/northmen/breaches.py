"""The law of Northmen clause by clause: which clauses an attempted action would break, with facts.

Everything here is worked out from the position and the pack, not from the tables of the fast path, so
that a mistake in those shows as a disagreement.  Whoever tries an action reads the answer; so it names
only what lies open and the seat's own cards, and a seat that is not to act learns who is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Fact, Value, facts

from . import actions as act
from .actions import SEATS
from .pack import BULGARIA, INLAND
from .position import MARCHING, PLANNING, RALLY, Position, bits

if TYPE_CHECKING:
    from .game import NorthmenGame

Breaches = Iterator[Breach]


def breaches(game: NorthmenGame, position: Position, action: act.Action, by: int | None) -> tuple[Breach, ...]:
    """Return each broken clause; empty exactly for a legal action of the right actor."""
    actor = game.actor(position)
    who = actor if by is None else by
    if actor == OVER:
        told = facts(action=game.text(action), phase="over")
        return Breach("SN-ROUND-01", told), Breach("SN-END-01", told)
    if who != actor:
        return tuple(_wrong_player(game, position, action, who))
    if position.phase not in _PHASES[type(action)]:
        return tuple(_wrong_moment(game, position, action))
    return tuple(_CHECKS[type(action)](game, position, action))


def _name(seat: int) -> str:
    return "chance" if seat == CHANCE else SEATS[seat]


def _tried(game: NorthmenGame, position: Position, action: act.Action, **more: Value) -> tuple[Fact, ...]:
    """Return the facts that every attempt has: what was tried, and when."""
    return facts(action=game.text(action), phase=position.phase, **more)


# -- who acts ---------------------------------------------------------------------------------------


def _wrong_player(game: NorthmenGame, position: Position, action: act.Action, by: int) -> Breaches:
    """Judge an attempt by somebody who is not to act: it says who is, and nothing of the action itself."""
    actor = game.actor(position)
    told = _tried(game, position, action, by=_name(by), turn=_name(actor))
    if CHANCE in (actor, by):
        yield Breach("SN-OURS-CHANCE", told)
    elif position.phase in RALLY:
        yield from (Breach(clause, told) for clause in _rally_turn(game, position, by))
    elif position.phase == "complete":
        yield Breach("SN-TRADE-01", told)
    elif position.phase in PLANNING:
        yield Breach("SN-PLAN-01", told)
    else:
        told += facts(kingdom=game.tables.pack.kingdoms[position.kingdom].id)
        yield Breach("SN-MOVE-02", told)
        if by in position.control and isinstance(action, (act.Send, act.Delay, act.NoDelay)):
            yield from (Breach(clause, told) for clause in ("SN-MOVE-01", "SN-CHART-02"))


def _rally_turn(game: NorthmenGame, position: Position, by: int) -> Iterator[str]:
    """Name what says that it is not this seat's Rally turn: the Leader begins, turns pass to the left."""
    yield "SN-RALLY-01"
    if all(top < 0 for top in position.tops):
        yield "SN-LEADER-01"
    elif (by + 1) % game.players == position.seat:
        yield "SN-RALLY-19"


# -- when -------------------------------------------------------------------------------------------


def _wrong_moment(game: NorthmenGame, position: Position, action: act.Action) -> Breaches:
    """Judge an action that is not possible in this phase at all."""
    kind, told = type(action), _tried(game, position, action)
    if kind in _OUTCOMES or game.actor(position) == CHANCE:
        yield Breach("SN-OURS-CHANCE", told)
        return
    part = next(part for part in (RALLY, MARCHING, PLANNING) if position.phase in part)
    if not part & _PHASES[kind]:
        yield Breach("SN-ROUND-02", told)
        if part is MARCHING and kind in _OF_HAND:
            yield Breach("SN-MARCH-01", told)
    elif part is RALLY:
        yield Breach("SN-RALLY-02", told)
        if kind is act.Hire and position.card >= 0:
            yield from _hire(game, position, act.HIRE)
    elif part is MARCHING:
        yield from _wrong_step(game, position, action)
    else:
        yield from _wrong_in_planning(game, position, action)
    if kind in (act.Complete, act.Withhold):
        yield Breach("SN-ROUTE-03", told)


def _wrong_step(game: NorthmenGame, position: Position, action: act.Action) -> Breaches:
    told = _tried(game, position, action)
    if position.phase == "march" and isinstance(action, (act.Delay, act.NoDelay)):
        yield Breach("SN-DELAY-02" if position.second_pass else "SN-MOVE-03", told)
        if isinstance(action, act.Delay):
            yield from _delay(game, position, action)
    else:
        yield Breach("SN-MARCH-03", told)


def _wrong_in_planning(game: NorthmenGame, position: Position, action: act.Action) -> Breaches:
    if isinstance(action, act.Keep):
        yield from _keep(game, position, action)
    elif isinstance(action, act.Buy) and position.held:
        yield Breach("SN-OURS-ORDER", _tried(game, position, action))
    else:
        yield Breach("SN-PLAN-02", _tried(game, position, action))


# -- chance -------------------------------------------------------------------------------------------


def _card_outcome(game: NorthmenGame, position: Position, action: act.Deal | act.Turn) -> Breaches:
    if not position.deck >> action.card & 1:
        yield Breach("SN-OURS-CHANCE", _tried(game, position, action))


def _route_outcome(game: NorthmenGame, position: Position, action: act.Route) -> Breaches:
    """Judge which route comes: any of the shuffled deck; after these, what was put under it, in order."""
    possible = bits(position.route_deck) or tuple(route for route, _ in position.route_bottom[:1])
    if action.route not in possible:
        yield Breach("SN-OURS-CHANCE", _tried(game, position, action))


# -- rally --------------------------------------------------------------------------------------------


def _play(game: NorthmenGame, position: Position, action: act.Play) -> Breaches:
    if not game.law.playable(position.hands[position.seat]) >> action.card & 1:
        yield Breach("SN-RALLY-03", facts(by=_name(position.seat), card=game.tables.pack.cards[action.card].id))


def _hire(game: NorthmenGame, position: Position, action: act.Hire) -> Breaches:
    """Judge hiring by its conditions: the price, a Hero in the supply, cubes just placed."""
    seat, law, ruling = position.seat, game.law, game.rulings["R_HERO_ZERO"]
    infamy, supply, placed = position.infamy[seat], position.supply[seat], position.placed
    if law.may_hire(infamy, supply, placed, ruling):
        return
    told = facts(
        by=_name(seat), kingdom=game.tables.pack.cards[position.card].kingdom, price=law.hero_price(), infamy=infamy,
        heroes=supply, cubes=placed,
    )  # fmt: skip
    short, bare = infamy < law.hero_price(), placed == 0 and ruling == "needs_cube"
    if supply == 0:
        yield Breach("SN-SETUP-02", told)
    if bare:
        yield Breach("SN-HERO-01", told)
    if short or not (bare or supply == 0):
        yield Breach("SN-RALLY-09", told)


def _take(game: NorthmenGame, position: Position, action: act.Take) -> Breaches:
    row, _ = game.law.sources(position.row, position.deck != 0)
    if not row >> action.card & 1:
        lying = tuple(game.tables.pack.cards[card].id for card in bits(position.row))
        yield Breach("SN-RALLY-17", facts(card=game.tables.pack.cards[action.card].id, row=lying))


def _draw(game: NorthmenGame, position: Position, action: act.Draw) -> Breaches:
    _, deck = game.law.sources(position.row, position.deck != 0)
    if not deck:
        yield Breach("SN-RALLY-16", facts(deck=position.deck.bit_count()))


# -- marching -----------------------------------------------------------------------------------------


def _delay(game: NorthmenGame, position: Position, action: act.Delay) -> Breaches:
    seat, law = position.seat, game.law
    infamy, free = position.infamy[seat], position.times[seat] < 0
    if law.may_delay(infamy, free):
        return
    told = facts(
        by=_name(seat), kingdom=game.tables.pack.kingdoms[position.kingdom].id, price=law.delay_price(), infamy=infamy
    )
    if not free:
        yield Breach("SN-MOVE-06", told)
    if free or infamy < law.delay_price():
        yield from (Breach(clause, told) for clause in ("SN-MOVE-04", "SN-TIME-01"))


class Forces:
    """What the Kingdom that marches has, and where it gets: counted from its cards and the map."""

    def __init__(self, game: NorthmenGame, position: Position) -> None:
        pack, law, seat, number = game.tables.pack, game.law, position.seat, position.kingdom
        self.kingdom = pack.kingdoms[number]
        self.cubes, self.heroes = position.cubes[number][seat], position.heroes[number][seat]
        counting = bits(law.cards_that_count(position.piles[seat], position.hands[seat]))
        cards = [pack.cards[card] for card in counting if pack.cards[card].kingdom == self.kingdom.id]
        self.soldiers, self.ships = law.strength(sum(c.soldiers for c in cards), sum(c.ships for c in cards))
        self.sent = position.armies, position.fleets, position.either
        names = [region.id for region in pack.regions]
        shut = {BULGARIA} if game.rulings["R_BULGARIA"] == "kingdom" and not law.march_target("kingdom") else set()
        drawn = game.rulings["R_LANDLOCK"] == "examples"
        self.open = _set(names, lambda n: n not in shut)
        self.beside = _set(names, lambda n: n in self.kingdom.borders)
        coast = {region.id for region in pack.regions if region.sea} if drawn else set(names) - set(INLAND)
        self.coast = _set(names, lambda n: n in coast)
        everywhere = (1 << len(names)) - 1
        self.land = law.army_targets(self.beside, everywhere) & self.open
        self.sea = law.fleet_targets(self.coast, everywhere) & self.open
        self.walk = law.hero_targets(self.land, self.sea)
        self.must_cubes = law.cubes_must_leave(game.rulings["R_MUST_MOVE"])
        self.must_heroes = game.rulings["R_HERO_STAY"] == "must"

    def free(self) -> tuple[int, int, int]:
        """Return the symbols that further cubes can use: as Armies, as Fleets, and in all."""
        armies, fleets, either = self.sent
        left = self.soldiers + self.ships - armies - fleets - either
        return min(self.soldiers - armies, left), min(self.ships - fleets, left), left

    def rest(self, region: int, cubes: int) -> int:
        """Return how many more cubes could go to later regions once these have gone; -1 if these cannot.

        Tries each way to share soldiers and ships among the cubes that went where both get.
        """
        armies, fleets, either = self.sent
        by_land, by_sea = self.land >> region & 1, self.sea >> region & 1
        armies += cubes if by_land and not by_sea else 0
        fleets += cubes if by_sea and not by_land else 0
        either += cubes if by_land and by_sea else 0
        later = region + 1
        best = -1
        for marched in range(either + 1):
            soldiers, ships = self.soldiers - armies - marched, self.ships - fleets - (either - marched)
            if soldiers >= 0 and ships >= 0:
                room = (soldiers if self.land >> later else 0) + (ships if self.sea >> later else 0)
                best = max(best, room)
        return best


def _set(names: list[str], holds: Callable[[str], bool]) -> int:
    return sum(1 << n for n, name in enumerate(names) if holds(name))


@lru_cache(maxsize=1)
def forces(game: NorthmenGame, position: Position) -> Forces:
    """Return the forces of a march; those last asked for are remembered."""
    return Forces(game, position)


def _send(game: NorthmenGame, position: Position, action: act.Send) -> Breaches:
    """Judge what is sent to a place: is it this one's turn, is it a region, do cubes and Heroes get there."""
    host, kingdoms = forces(game, position), len(game.tables.pack.kingdoms)
    region = action.place - kingdoms
    place = game.tables.pack.regions[region] if region >= 0 else game.tables.pack.kingdoms[action.place]
    told = facts(
        kingdom=host.kingdom.id, region=place.id, cubes=action.cubes, heroes=action.heroes, by=_name(position.seat),
        here=(host.cubes, host.heroes), soldiers=max(0, host.free()[0]), ships=max(0, host.free()[1]),
    )  # fmt: skip
    if region != position.region:
        asked = game.tables.pack.regions[position.region].id
        yield Breach("SN-OURS-ORDER", _tried(game, position, action, next=asked))
    shut = not host.open >> region & 1 if region >= 0 else not game.law.march_target("kingdom")
    if shut and (action.cubes or action.heroes):
        yield Breach("SN-DELAY-05", told)
    elif region >= 0:
        yield from _sent(host, region, region == position.region, action, told)


def _sent(host: Forces, region: int, due: bool, action: act.Send, told: tuple[Fact, ...]) -> Breaches:
    """Judge what goes to a region: does it get there, and if the region is due, can the rest leave too."""
    found = [*_cubes_sent(host, region, action.cubes, told), *_heroes_sent(host, region, action.heroes, told)]
    yield from found
    if due and not found:
        yield from _rest_leaves(host, region, action, told)


def _cubes_sent(host: Forces, region: int, cubes: int, told: tuple[Fact, ...]) -> Breaches:
    """Judge the cubes: they are there, and each has a soldier or a ship that gets to the region."""
    if cubes > host.cubes:
        yield Breach("SN-CUBE-02", told)
    by_land, by_sea = host.land >> region & 1, host.sea >> region & 1
    soldiers, ships, both = host.free()
    reach = both if by_land and by_sea else soldiers if by_land else ships if by_sea else 0
    if cubes <= max(0, reach):
        return
    if by_land or host.beside >> region & 1:
        yield Breach("SN-MOVE-09", told)
    elif soldiers > 0 or not by_sea:
        yield Breach("SN-MOVE-10", told)
    if by_sea or host.coast >> region & 1:
        yield Breach("SN-MOVE-11", told)
    elif ships > 0 or not by_land:
        yield Breach("SN-MOVE-13", told)


def _heroes_sent(host: Forces, region: int, heroes: int, told: tuple[Fact, ...]) -> Breaches:
    if heroes > (host.heroes if host.walk >> region & 1 else 0):
        yield Breach("SN-MOVE-12", told)


def _rest_leaves(host: Forces, region: int, action: act.Send, told: tuple[Fact, ...]) -> Breaches:
    """Judge whether all that is left could still leave the Kingdom, to regions later on the map."""
    cubes = host.must_cubes and host.cubes - action.cubes > host.rest(region, action.cubes)
    heroes = host.must_heroes and host.heroes > action.heroes and not host.walk >> (region + 1)
    if cubes:
        yield Breach("SN-DELAY-03", told)
    if cubes or heroes:
        yield Breach("SN-DELAY-04", told)


def _asked(game: NorthmenGame, position: Position, action: act.Complete | act.Withhold) -> Breaches:
    """Judge whether the seat is asked about this route: its own routes come one by one, in card order."""
    if action.route != position.asked:
        told = _tried(game, position, action, asked=game.tables.pack.routes[position.asked].id)
        yield Breach("SN-OURS-ORDER", told)


def _complete(game: NorthmenGame, position: Position, action: act.Complete) -> Breaches:
    """Judge completing a route: its Kingdom controlled, cubes in its region."""
    yield from _asked(game, position, action)
    pack, seat, route = game.tables.pack, position.seat, game.tables.pack.routes[action.route]
    kingdom = next(n for n, k in enumerate(pack.kingdoms) if k.id == route.kingdom)
    region = next(n for n, r in enumerate(pack.regions) if r.id == route.region)
    cubes, heroes = (pieces[len(pack.kingdoms) + region][seat] for pieces in (position.cubes, position.heroes))
    holder = _holder(game, position, kingdom)
    sent = position.control[kingdom] == seat and bool(position.origins[kingdom] >> region & 1)
    piece, origin = game.rulings["R_ROUTE_PIECE"], game.rulings["R_ROUTE_ORIGIN"]
    if game.law.route_completed(holder == seat, cubes, heroes, sent, piece, origin):
        return
    told = facts(
        route=route.id, kingdom=route.kingdom, region=route.region, by=_name(seat),
        control=_name(holder) if holder >= 0 else None, cubes=cubes, heroes=heroes,
    )  # fmt: skip
    yield from (Breach(clause, told) for clause in ("SN-TRADE-02", "SN-TRADE-03", "SN-ROUTE-04"))


def _holder(game: NorthmenGame, position: Position, kingdom: int) -> int:
    """Return who controls a Kingdom in step 6, -1 for nobody (R_CONTROL_SPAN)."""
    span = game.rulings["R_CONTROL_SPAN"]
    if span == "frozen":
        return position.control[kingdom]
    cubes, heroes = position.cubes[kingdom], position.heroes[kingdom]
    empty = "leader" if span == "present_tie" else "none"
    return int(game.law.controller(cubes, heroes, position.leader, game.rulings["R_CLOCK"], empty))


# -- planning -----------------------------------------------------------------------------------------


def _buy(game: NorthmenGame, position: Position, action: act.Buy) -> Breaches:
    seat, law = position.seat, game.law
    infamy, left = position.infamy[seat], position.route_deck.bit_count() + len(position.route_bottom)
    told = facts(
        by=_name(seat), price=law.route_price(), infamy=infamy, deck=left, pairs=action.pairs,
        routes=position.route_hands[seat].bit_count(),
    )  # fmt: skip
    if action.pairs > 1 and game.rulings["R_ROUTE_BATCH"] == "sequential":
        yield Breach("SN-OURS-ORDER", _tried(game, position, action))
    if not law.may_buy(infamy, action.pairs, left, game.rulings["R_ROUTE_SHORT"]):
        yield Breach("SN-PLAN-03", told)
    if not law.room_for_route(position.route_hands[seat].bit_count()):
        yield Breach("SN-PLAN-05", told)


def _keep(game: NorthmenGame, position: Position, action: act.Keep) -> Breaches:
    """Judge keeping one of the routes drawn: in card order, and so that as many as bought can be kept."""
    if not position.drawn >> action.route & 1:
        yield Breach("SN-PLAN-04", facts(route=game.tables.pack.routes[action.route].id, by=_name(position.seat)))
        return
    later = [route for route in bits(position.drawn) if route > action.route]
    due = position.pairs - position.kept.bit_count()
    if any(route >= action.route for route in bits(position.kept)) or len(later) < due - 1:
        yield Breach("SN-OURS-ORDER", _tried(game, position, action))


def _hold(game: NorthmenGame, position: Position, action: act.Hold) -> Breaches:
    seat, law = position.seat, game.law
    infamy = position.infamy[seat]
    if not law.may_hold(infamy) or not position.hands[seat] >> action.card & 1:
        card = game.tables.pack.cards[action.card].id
        yield Breach("SN-PLAN-06", facts(by=_name(seat), card=card, price=law.hold_price(), infamy=infamy))
    elif any(card >= action.card for card in bits(position.held)):
        yield Breach("SN-OURS-ORDER", _tried(game, position, action))


def _free(game: NorthmenGame, position: Position, action: act.Action) -> Breaches:
    """Judge what is free to whoever is asked: to hire nobody, not to delay, to end the own turn."""
    return iter(())


_PHASES: dict[type, frozenset[str]] = {
    act.Deal: frozenset({"deal", "drawn"}), act.Turn: frozenset({"turn"}), act.Route: frozenset({"routes", "buying"}),
    act.Play: frozenset({"play"}), act.Hire: frozenset({"hire"}), act.NoHire: frozenset({"hire"}),
    act.Take: frozenset({"draw"}), act.Draw: frozenset({"draw"}), act.Delay: frozenset({"delay"}),
    act.NoDelay: frozenset({"delay"}), act.Send: frozenset({"march"}), act.Complete: frozenset({"complete"}),
    act.Withhold: frozenset({"complete"}), act.Buy: frozenset({"buy"}), act.Keep: frozenset({"keep"}),
    act.Hold: frozenset({"buy", "hold"}), act.Done: frozenset({"buy", "hold"}),
}  # fmt: skip
"""When each kind of action is possible."""
_OUTCOMES = (act.Deal, act.Turn, act.Route)
_OF_HAND = (act.Play, act.Take, act.Draw, act.Hold)
_CHECKS: dict[type, Callable[..., Breaches]] = {
    act.Deal: _card_outcome, act.Turn: _card_outcome, act.Route: _route_outcome, act.Play: _play, act.Hire: _hire,
    act.NoHire: _free, act.Take: _take, act.Draw: _draw, act.Delay: _delay, act.NoDelay: _free, act.Send: _send,
    act.Complete: _complete, act.Withhold: _asked, act.Buy: _buy, act.Keep: _keep, act.Hold: _hold, act.Done: _free,
}  # fmt: skip

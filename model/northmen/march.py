"""The Marching Phase: control, movement region by region, battles, plunder, Trade Routes, clean-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import actions as act
from .position import Ints, Position, bits, put
from .tables import Room

if TYPE_CHECKING:
    from .game import NorthmenGame

# -- step 1: control --------------------------------------------------------------------------------


def begin(game: NorthmenGame, position: Position) -> Position:
    """Begin the Marching Phase: settle control of each Kingdom, then let the first one move."""
    control = tuple(game.controller(position, kingdom) for kingdom in range(game.tables.k))
    position = replace(
        position, seat=-1, card=-1, placed=0, control=control, origins=(0,) * game.tables.k, second_pass=False
    )
    for kingdom, winner in enumerate(control):
        stays = game.law.controller_stays()
        losers = [
            seat
            for seat in range(game.players)
            if (seat != winner and game.law.leaves_kingdom()) or (seat == winner and not stays)
        ]
        position = game.withdraw(position, kingdom, losers, game.law.taken_off)
    return game.next_kingdom(position, game.law.chart_order(game.tables.k))


def controller(game: NorthmenGame, position: Position, kingdom: int) -> int:
    """Return who has most in a Kingdom now, -1 for nobody (SN-CTRL-01, 08, 09)."""
    seat: int = game.law.controller(
        position.cubes[kingdom], position.heroes[kingdom], position.leader, game.clock, game.empty_kingdom
    )
    return seat


def withdraw(
    game: NorthmenGame,
    position: Position,
    place: int,
    losers: list[int],
    fate: Callable[[int, int], tuple[int, int, int]],
) -> Position:
    """Take the losers' pieces off a place: cubes become Infamy, Heroes go back to the supply."""
    cubes, heroes = position.cubes[place], position.heroes[place]
    losers = [seat for seat in losers if cubes[seat] or heroes[seat]]
    if not losers:
        return position
    infamy, reserve, supply = list(position.infamy), list(position.reserve), list(position.supply)
    for seat in losers:
        points, back, unused = fate(cubes[seat], heroes[seat])
        infamy[seat] += points
        reserve[seat] += back
        supply[seat] += unused
        cubes, heroes = put(cubes, seat, 0), put(heroes, seat, 0)
    return replace(
        position, cubes=at(position.cubes, place, cubes), heroes=at(position.heroes, place, heroes),
        infamy=tuple(infamy), reserve=tuple(reserve), supply=tuple(supply),
    )  # fmt: skip


def at(amounts: tuple[Ints, ...], place: int, value: Ints) -> tuple[Ints, ...]:
    """Return amounts by place with those of one place changed."""
    return (*amounts[:place], value, *amounts[place + 1 :])


# -- steps 2 and 3: movement ------------------------------------------------------------------------


def next_kingdom(game: NorthmenGame, position: Position, left: Ints) -> Position:
    """Let the first of the Kingdoms *left* (in order) have its turn; after the last come battles."""
    for kingdom in left:
        if position.control[kingdom] < 0:
            continue
        here = replace(position, kingdom=kingdom, seat=game.law.mover(position.control[kingdom], position.leader))
        if position.second_pass:
            if kingdom not in position.times or not game.law.delayed_marches():
                continue
        elif game.may_delay(here):
            return replace(here, phase="delay")
        moving = game.begin_march(here)
        if moving.phase == "march":
            return moving
        position = moving
    if not position.second_pass:
        order = game.law.delayed_order(game.tables.k)
        return game.next_kingdom(replace(position, second_pass=True), order)
    return game.after_movement(position)


def may_delay(game: NorthmenGame, position: Position) -> bool:
    """Say whether the mover may delay the Kingdom whose turn it is (SN-MOVE-03, 04, 06)."""
    seat = position.seat
    return bool(game.law.may_delay(position.infamy[seat], position.times[seat] < 0))


def rest(game: NorthmenGame, position: Position) -> Ints:
    """Return the Kingdoms whose turn is still to come in this pass."""
    order: Ints = (game.law.delayed_order if position.second_pass else game.law.chart_order)(game.tables.k)
    return order[order.index(position.kingdom) + 1 :]


def march(game: NorthmenGame, position: Position) -> Position:
    """Begin a Kingdom's march; the phase is ``march`` if there is something to decide."""
    position = game.free_the_stuck(replace(position, phase="delay", armies=0, fleets=0, either=0, led=0))
    return game.next_region(position, 0)


def pieces(position: Position) -> tuple[int, int]:
    """Return cubes and Heroes of the mover that are still in the Kingdom."""
    return position.cubes[position.kingdom][position.seat], position.heroes[position.kingdom][position.seat]


def room(game: NorthmenGame, position: Position) -> Room:
    """Return the symbols still free for Armies, Fleets, and both together."""
    soldiers, ships = game.strength(position)
    armies, fleets = position.armies, position.fleets
    return soldiers - armies, ships - fleets, soldiers + ships - armies - fleets - position.either


def strength(game: NorthmenGame, position: Position) -> tuple[int, int]:
    """Return Armies and Fleets of the Kingdom that moves, after the cards its mover has played (SN-MOVE-07, 08)."""
    cards = game.law.cards_that_count(position.piles[position.seat], position.hands[position.seat])
    symbols: tuple[int, int] = game.law.strength(*game.tables.symbols(cards, position.kingdom))
    return symbols


def next_region(game: NorthmenGame, position: Position, region: int) -> Position:
    """Ask about the first region from *region* on to which something can go; else the march is over."""
    cubes, heroes = pieces(position)
    if cubes or heroes:
        tables, kingdom, free = game.tables, position.kingdom, game.room(position)
        for number in range(region, tables.r):
            options = tables.sends(kingdom, number, cubes, heroes, free, game.must)
            if len(options) > 1 or (options and (options[0].cubes or options[0].heroes)):
                return replace(position, phase="march", region=number)
    return replace(position, phase="delay", region=-1, armies=0, fleets=0, either=0, led=0)


def free_the_stuck(game: NorthmenGame, position: Position) -> Position:
    """Take off pieces that must leave a Kingdom and cannot (R_STUCK); none where the map is as the text wants it."""
    kingdom, seat = position.kingdom, position.seat
    cubes, heroes = pieces(position)
    everywhere = (1 << game.tables.r) - 1
    stuck = max(0, cubes - game.tables.capacity(kingdom, everywhere, game.room(position))) if game.must[0] else 0
    lost = heroes if game.must[1] and not game.tables.reach.heroes[kingdom] else 0
    if not stuck and not lost:
        return position
    fate = "infamy" if game.rulings["R_STUCK"] == "to_infamy" else "reserve"
    purse = position.infamy if fate == "infamy" else position.reserve
    filled = {fate: put(purse, seat, purse[seat] + stuck)}
    return replace(
        position, **filled, supply=put(position.supply, seat, position.supply[seat] + lost),
        cubes=at(position.cubes, kingdom, put(position.cubes[kingdom], seat, cubes - stuck)),
        heroes=at(position.heroes, kingdom, put(position.heroes[kingdom], seat, heroes - lost)),
    )  # fmt: skip


def sends(game: NorthmenGame, position: Position) -> tuple[act.Send, ...]:
    """Return what may be sent to the region asked about."""
    cubes, heroes = pieces(position)
    return game.tables.sends(position.kingdom, position.region, cubes, heroes, game.room(position), game.must)


def delay(game: NorthmenGame, position: Position, action: act.Delay) -> Position:
    """Put the Time Token on the Kingdom and pay; its turn comes in the second pass (SN-MOVE-04, 05)."""
    seat, price = position.seat, game.law.delay_price()
    after = replace(
        position,
        infamy=put(position.infamy, seat, position.infamy[seat] - price),
        reserve=put(position.reserve, seat, position.reserve[seat] + game.law.back_to_reserve(price)),
        times=put(position.times, seat, position.kingdom),
    )
    if not game.law.delayed_waits():
        return game.no_delay(after, act.NO_DELAY)
    return game.next_kingdom(replace(after, kingdom=-1, seat=-1), game.rest_of_pass(position))


def no_delay(game: NorthmenGame, position: Position, action: act.NoDelay) -> Position:
    """Let the Kingdom march now."""
    left = game.rest_of_pass(position)
    moving = game.begin_march(position)
    return moving if moving.phase == "march" else game.next_kingdom(moving, left)


def send(game: NorthmenGame, position: Position, action: act.Send) -> Position:
    """Move the pieces, and ask about the next region or the next Kingdom (SN-MOVE-09 to 15)."""
    kingdom, seat, tables = position.kingdom, position.seat, game.tables
    left = game.rest_of_pass(position)
    region, sent, led = position.region, action.cubes, action.heroes
    if sent or led:
        cubes, heroes = pieces(position)
        bit = 1 << region
        by_land, by_sea = tables.reach.armies[kingdom] & bit, tables.reach.fleets[kingdom] & bit
        here = position.cubes[action.place]
        position = replace(
            position,
            cubes=at(
                at(position.cubes, kingdom, put(position.cubes[kingdom], seat, cubes - sent)),
                action.place, put(here, seat, here[seat] + sent),
            ),
            armies=position.armies + (sent if by_land and not by_sea else 0),
            fleets=position.fleets + (sent if by_sea and not by_land else 0),
            either=position.either + (sent if by_land and by_sea else 0),
        )  # fmt: skip
        if led:
            there = position.heroes[action.place]
            position = replace(
                position,
                heroes=at(
                    at(position.heroes, kingdom, put(position.heroes[kingdom], seat, heroes - led)),
                    action.place, put(there, seat, there[seat] + led),
                ),
                led=position.led + led,
            )  # fmt: skip
        if sent and game.keeps_origins:
            position = replace(position, origins=put(position.origins, kingdom, position.origins[kingdom] | bit))
    moving = game.next_region(position, region + 1)
    return moving if moving.phase == "march" else game.next_kingdom(moving, left)


# -- steps 4 to 7 -----------------------------------------------------------------------------------


def after_movement(game: NorthmenGame, position: Position) -> Position:
    """Fight battles, collect plunder, and ask about Trade Routes."""
    position = replace(position, kingdom=-1, seat=-1, second_pass=False)
    if game.law.battles_come_first():
        position = game.collect(game.battles(position))
    else:
        position = game.battles(game.collect(position))
    position = game.keep_routes(position)
    if not game.law.routes_played():
        return game.clean_up(position)
    return game.next_commitment(replace(position, phase="complete"), position.leader, 0, -1)


def battles(game: NorthmenGame, position: Position) -> Position:
    """Resolve each region that holds two or more colours (SN-BATTLE-01 to 09)."""
    law = game.law
    for place in range(game.tables.k, len(position.cubes)):
        cubes, heroes = position.cubes[place], position.heroes[place]
        present = [seat for seat in range(game.players) if cubes[seat] or heroes[seat]]
        if len(present) < 2 or not law.battle_fought(len(present)):
            continue
        winner = law.battle_winner(cubes, heroes, position.leader, game.clock)
        losers = [seat for seat in present if (seat != winner and law.loser_leaves())]
        losers += [] if law.winner_stays() else [winner]
        position = game.withdraw(position, place, losers, law.beaten)
    return position


def collect(game: NorthmenGame, position: Position) -> Position:
    """Give the tokens of each region to who alone still has cubes there (SN-COLLECT-01 to 03)."""
    tokens, taken, lost = list(position.tokens), list(position.taken), 0
    for region, count in enumerate(tokens):
        if not count:
            continue
        place = game.tables.k + region
        seat = game.law.collector(position.cubes[place], position.heroes[place], game.rulings["R_COLLECT"])
        if seat >= 0:
            taken[seat] += count
            tokens[region] = 0
        else:
            tokens[region] = game.law.tokens_left(count)
            lost += count - tokens[region]
    return replace(position, tokens=tuple(tokens), taken=tuple(taken), unplaced=position.unplaced + lost)


def in_control(game: NorthmenGame, position: Position, kingdom: int) -> int:
    """Return who controls a Kingdom in step 6, as R_CONTROL_SPAN says (SN-TRADE-03, SN-CTRL-01)."""
    span = game.rulings["R_CONTROL_SPAN"]
    if span == "frozen":
        return position.control[kingdom]
    empty = "leader" if span == "present_tie" else "none"
    seat: int = game.law.controller(
        position.cubes[kingdom], position.heroes[kingdom], position.leader, game.clock, empty
    )
    return seat


def keep_routes(game: NorthmenGame, position: Position) -> Position:
    """Let played Trade Routes last, whoever controls their Kingdoms now (SN-TRADE-05)."""
    if not any(position.routes_done):
        return position
    done = []
    for seat, routes in enumerate(position.routes_done):
        held = sum(1 << n for n in bits(routes) if game.in_control(position, game.tables.route_kingdom[n]) == seat)
        done.append(game.law.lasting(routes, held))
    lost = sum(before & ~after for before, after in zip(position.routes_done, done, strict=True))
    return replace(position, routes_done=tuple(done), route_deck=position.route_deck | lost)


def completed(game: NorthmenGame, position: Position, seat: int, route: int) -> bool:
    """Say whether a seat has completed a Trade Route (SN-TRADE-02, 03)."""
    tables = game.tables
    kingdom, region = tables.route_kingdom[route], tables.route_region[route]
    place = tables.k + region
    sent = position.control[kingdom] == seat and bool(position.origins[kingdom] >> region & 1)
    return bool(
        game.law.route_completed(
            game.in_control(position, kingdom) == seat, position.cubes[place][seat], position.heroes[place][seat],
            sent, game.rulings["R_ROUTE_PIECE"], game.rulings["R_ROUTE_ORIGIN"],
        )
    )  # fmt: skip


def commitments(game: NorthmenGame, position: Position) -> tuple[act.Action, ...]:
    """Return the options for the Trade Route a seat is asked about."""
    tables, route = game.tables, position.asked
    if game.completed(position, position.seat, route):
        return tables.completes[route], tables.withholds[route]
    return (tables.withholds[route],)


def next_commitment(game: NorthmenGame, position: Position, seat: int, asked: int, after: int) -> Position:
    """Ask about the next route of a hand, then the next seat clockwise; *asked* seats are done.  Then reveal."""
    while asked < game.players:
        later = position.route_hands[seat] & (-1 << (after + 1))
        if later:
            return replace(position, seat=seat, asked=(later & -later).bit_length() - 1)
        seat, asked, after = (seat + 1) % game.players, asked + 1, -1
    done = tuple(old | new for old, new in zip(position.routes_done, position.chosen, strict=True))
    hands = tuple(old & ~new for old, new in zip(position.route_hands, position.chosen, strict=True))
    position = replace(position, seat=-1, asked=-1, routes_done=done, route_hands=hands, chosen=(0,) * game.players)
    return game.clean_up(position)


def commit(game: NorthmenGame, position: Position, action: act.Complete | act.Withhold) -> Position:
    """Note a commitment, and ask about the next Trade Route (SN-TRADE-01)."""
    seat = position.seat
    if isinstance(action, act.Complete):
        position = replace(position, chosen=put(position.chosen, seat, position.chosen[seat] | 1 << action.route))
    return game.next_commitment(position, seat, (seat - position.leader) % game.players, action.route)


def clean_up(game: NorthmenGame, position: Position) -> Position:
    """Empty the regions, take back Time Tokens (SN-CLEAN-01, 02), and go on to planning."""
    k, n, law = game.tables.k, game.players, game.law
    nothing = (0,) * n
    if law.regions_cleared():
        here = position.cubes[k:]
        reserve = tuple(own + sum(place[seat] for place in here) for seat, own in enumerate(position.reserve))
        back = position.heroes[k:]
        supply = tuple(own + sum(place[seat] for place in back) for seat, own in enumerate(position.supply))
        position = replace(
            position, reserve=reserve, supply=supply, cubes=(*position.cubes[:k], *(nothing,) * len(here)),
            heroes=(*position.heroes[:k], *(nothing,) * len(here)),
        )  # fmt: skip
    times = (-1,) * n if law.time_tokens_return() else position.times
    position = replace(position, times=times, control=(-1,) * k, origins=(0,) * k)
    return game.begin_planning(position)

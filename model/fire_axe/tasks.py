"""Tasks of Fire & Axe: Trade, Raid, Settle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import actions as act
from .position import Position, bits, put
from .turns import to_wintering
from .voyage import spent

if TYPE_CHECKING:
    from .game import FireAxeGame


def port_of(game: FireAxeGame, position: Position) -> int:
    """Return the number of the port that the ship on turn is in; negative elsewhere."""
    return position.places[position.turn] - game.tables.first_port


def value_here(game: FireAxeGame, position: Position, port: int, settling: bool) -> int:
    """Return a port's value to a raider or settler: one less with a good (FA-RAID-03, FA-SETTLE-12)."""
    worth = game.law.settle_value if settling else game.law.raid_value
    value: int = worth(game.tables.value[port], position.goods[port] >= 0, game.floor)
    return value


def region_goods(game: FireAxeGame, position: Position, port: int) -> tuple[int, ...]:
    """Return the goods in the other ports of a port's region."""
    return tuple([position.goods[n] for n in game.tables.region_others[port] if position.goods[n] >= 0])


def independent_goods(game: FireAxeGame, position: Position, port: int) -> tuple[int, ...]:
    """Return the goods in all other independent ports, which do not matter (FA-TRADE-08)."""
    return tuple([position.goods[n] for n in bits(game.tables.independent) if n != port and position.goods[n] >= 0])


def may_try(game: FireAxeGame, position: Position, port: int) -> bool:
    """Say whether the seat on turn may try a Task in this port now (FA-TASK-01 to 06)."""
    law, used = game.law, spent(position)
    return (
        law.may_try(position.tasked >> port & 1 == 1, position.tasked != 0)
        and law.may_go_on(used, position.days)
        and used + game.task_days <= position.days
    )


def tasks(game: FireAxeGame, position: Position) -> list[act.Action]:
    """Return the Tasks possible here."""
    port, law = port_of(game, position), game.law
    if not law.may_do_tasks(port >= 0) or port < 0 or not may_try(game, position, port):
        return []
    seat, tables = position.turn, game.tables
    cargo = position.cargo[seat]
    found: list[act.Action] = [
        tables.trades[good] for good in range(3) if cargo[good] and may_trade(game, position, port, good)
    ]
    town, crew = position.towns >> port & 1 == 1, position.crew[seat]
    if law.may_raid(town, crew):
        found.append(act.RAID)
    if may_settle(game, position, port):
        few, most = law.settle_dice(crew)
        found += tables.settles[max(few, 1) - 1 : most]
    return found


def may_trade(game: FireAxeGame, position: Position, port: int, good: int) -> bool:
    """Say whether a good may lie in a port (FA-TRADE-05 to 08)."""
    there, alone = position.goods[port], not game.tables.region[port]
    everywhere = independent_goods(game, position, port) if alone and there < 0 and game.asks_everywhere else ()
    return bool(game.law.may_trade(there, good, () if alone else region_goods(game, position, port), alone, everywhere))


def may_settle(game: FireAxeGame, position: Position, port: int) -> bool:
    """Say whether a port is open to settlers (FA-SETTLE-03, 06, 08, 09)."""
    tables, towns = game.tables, position.towns
    others = (towns & tables.region[port] & ~(1 << port)).bit_count()
    alone = (towns & tables.independent & ~(1 << port)).bit_count() if not tables.region[port] else 0
    return bool(game.law.may_settle(towns >> port & 1 == 1, others, alone, position.settlers[port] >= 0))


# -- trade ---------------------------------------------------------------------------------------------


def trade_pays(game: FireAxeGame, position: Position, port: int, good: int) -> int:
    """Return the VP for a trade (FA-TRADE-02, 04); R_TRADE_VALUE says whether the good just placed counts."""
    printed = game.tables.value[port]
    reduced = game.law.raid_value(printed, True, game.floor)
    paid: int = game.law.trade_price(printed, reduced, game.trade_value)
    return paid + int(game.law.demand_bonus(good, position.demand))


def trade(game: FireAxeGame, position: Position, action: act.Trade) -> Position:
    """Put a good into the port for VP (FA-TRADE-01, 02)."""
    seat, port, good = position.turn, port_of(game, position), action.good
    cargo = put(position.cargo[seat], good, position.cargo[seat][good] - 1)
    after = replace(
        position,
        vp=put(position.vp, seat, position.vp[seat] + trade_pays(game, position, port, good)),
        cargo=(*position.cargo[:seat], cargo, *position.cargo[seat + 1 :]),
        goods=put(position.goods, port, good),
        tasked=position.tasked | 1 << port,
        prep=position.prep + game.task_days,
    )
    return game.completing(after, port)


# -- raid ----------------------------------------------------------------------------------------------


def raid(game: FireAxeGame, position: Position, action: act.Raid) -> Position:
    """Roll a die against the town (FA-RAID-02); the first roll uses up the port's Task (FA-TASK-06)."""
    first = position.phase == "main"
    return replace(
        position,
        phase="die",
        rolls=position.rolls + 1,
        tasked=position.tasked | 1 << port_of(game, position),
        prep=position.prep + (game.task_days if first else 0),
    )


def raid_goes_on(game: FireAxeGame, position: Position) -> list[act.Action]:
    """Return what is possible between two rolls of a raid."""
    again = game.law.may_roll_again(position.rolls, position.crew[position.turn])
    found: list[act.Action] = [act.RAID] if again else []
    return [*found, act.STOP] if game.law.may_break_off() else found


def raid_over(position: Position) -> Position:
    """Return to the turn after an attack."""
    return replace(position, phase="main", rolls=0, attack=0, dice=0)


def stop(game: FireAxeGame, position: Position, action: act.Stop) -> Position:
    """Break the raid off (FA-RAID-12)."""
    return raid_over(position)


def die(game: FireAxeGame, position: Position, action: act.Die) -> Position:
    """The die of a raid falls: the town is taken (FA-RAID-05, 06), or a crewmember is lost (FA-RAID-07)."""
    seat, port, law = position.turn, port_of(game, position), game.law
    if law.raid_succeeds(action.pips + position.attack, value_here(game, position, port, False)):
        return replace(
            position,
            phase="treasure",
            towns=position.towns & ~(1 << port),
            axes=put(position.axes, seat, position.axes[seat] + law.towns_kept()),
            rolls=0,
            attack=0,
        )
    lost = law.crew_lost(position.rolls, game.third)
    spare = position.spare
    if lost and spare:
        lost, spare = 0, spare - 1
    crew = position.crew[seat] - lost
    after = replace(
        position,
        spare=spare,
        crew=put(position.crew, seat, crew),
        supply=put(position.supply, seat, position.supply[seat] + lost),
    )
    if law.wrecked(crew, "raid"):
        return game.wreck(after)
    return replace(after, phase="raid") if law.may_roll_again(position.rolls, crew) else raid_over(after)


def treasures(game: FireAxeGame, position: Position) -> tuple[int, ...]:
    """Return the values that may lie under the town just taken, ascending, each as often as it may."""
    large = game.tables.large >> port_of(game, position) & 1
    return position.large if large else position.small


def treasure(game: FireAxeGame, position: Position, action: act.Treasure) -> Position:
    """The town's treasure is revealed and paid (FA-RAID-05)."""
    seat, port = position.turn, port_of(game, position)
    rest = list(treasures(game, position))
    rest.remove(action.value)
    paid = game.law.treasure_paid(action.value, position.doubled)
    large = game.tables.large >> port & 1
    after = replace(
        position,
        phase="main",
        vp=put(position.vp, seat, position.vp[seat] + paid),
        small=position.small if large else tuple(rest),
        large=tuple(rest) if large else position.large,
        doubled=False,
    )
    return game.completing(after, port)


# -- settle --------------------------------------------------------------------------------------------


def settle(game: FireAxeGame, position: Position, action: act.Settle) -> Position:
    """Roll dice to settle the port (FA-SETTLE-10, 11)."""
    return replace(
        position,
        phase="dice",
        dice=action.dice,
        tasked=position.tasked | 1 << port_of(game, position),
        prep=position.prep + game.task_days,
    )


def dice_count(game: FireAxeGame, position: Position, pips: tuple[int, ...]) -> tuple[int, int]:
    """Return how many of these dice succeed, and how many fail (FA-SETTLE-11, 13)."""
    value = value_here(game, position, port_of(game, position), True)
    good = sum(bool(game.law.die_settles(roll + position.attack, value)) for roll in pips)
    return good, len(pips) - good


def dice(game: FireAxeGame, position: Position, action: act.Dice) -> Position:
    """The dice of a settling fall: first casualties, then success or not (FA-SETTLE-13, 14)."""
    seat, law = position.turn, game.law
    successes, failed = dice_count(game, position, action.pips)
    lost = law.settlers_lost(failed)
    spared = min(position.spare, lost)
    lost -= spared
    crew = position.crew[seat] - lost
    after = replace(
        position,
        phase="main",
        dice=0,
        attack=0,
        spare=position.spare - spared,
        crew=put(position.crew, seat, crew),
        supply=put(position.supply, seat, position.supply[seat] + lost),
    )
    if crew and law.settlement_made(successes):
        if law.may_waive(crew, game.waive_ruling):
            return replace(after, phase="convert")
        return game.convert(after, act.CONVERT)
    return game.wreck(after) if law.wrecked(crew, "settle") else after


def convert(game: FireAxeGame, position: Position, action: act.Convert) -> Position:
    """A crewmember becomes the port's Settlement (FA-SETTLE-15); a ship left without crew is lost (FA-SETTLE-17)."""
    seat, port = position.turn, port_of(game, position)
    crew = position.crew[seat] - 1
    after = replace(
        position, phase="main", crew=put(position.crew, seat, crew), settlers=put(position.settlers, port, seat)
    )
    if game.law.wrecked(crew, "settle"):
        after = to_wintering(game, after, 0)
    return game.completing(after, port)


def waive(game: FireAxeGame, position: Position, action: act.Waive) -> Position:
    """Do without the Settlement (FA-SETTLE-16)."""
    return replace(position, phase="main")

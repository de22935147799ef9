"""Actions of Fire & Axe: loading, leaving, drawing runes, sailing, and the losses that weather brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import actions as act
from .position import WINTERING, Position, put
from .turns import NONE, open_window, to_wintering

if TYPE_CHECKING:
    from .game import FireAxeGame


def spent(position: Position) -> int:
    """Return the Days used: both sliders together (FA-ACT-04)."""
    return position.prep + position.sailed


def slots_free(game: FireAxeGame, position: Position, seat: int) -> int:
    """Return how many more crew and goods a ship can take (FA-LOAD-11 to 13)."""
    size: int = game.law.capacity(position.era, position.second, game.slots_ruling)
    return size - position.crew[seat] - sum(position.cargo[seat])


def trapped(game: FireAxeGame, position: Position) -> bool:
    """Say whether the ship on turn waits in the Wintering Zone without crew and can get none this turn."""
    seat = position.turn
    return bool(
        game.law.trapped(position.crew[seat], slots_free(game, position, seat), position.days - spent(position))
    )


def may_gain_good(game: FireAxeGame, position: Position, seat: int, good: int, days: int) -> bool:
    """Say whether a good fits aboard, and in the Wintering Zone leaves a way for crew; *days* are those left then."""
    slots = slots_free(game, position, seat)
    if slots <= 0 or not game.law.in_stock(position.stock[good]):
        return False
    wintering = position.places[seat] == WINTERING
    return not wintering or game.law.may_load_good(position.crew[seat], slots - 1, days, game.trap)


def loads(game: FireAxeGame, position: Position) -> list[act.Action]:
    """Return the ways to load and unload."""
    seat, law = position.turn, game.law
    found: list[act.Action] = []
    if not law.may_load(position.places[seat] == WINTERING):
        return found
    if law.may_act(spent(position), position.days) and slots_free(game, position, seat) > 0:
        if law.in_stock(position.supply[seat]):
            found.append(game.tables.loads[0])
        left = position.days - spent(position) - game.load_days
        found += [game.tables.loads[good + 1] for good in range(3) if may_gain_good(game, position, seat, good, left)]
    if game.trap == "jettison" and position.places[seat] == WINTERING and trapped(game, position):
        found += [game.tables.unloads[good] for good in range(3) if position.cargo[seat][good]]
    return found


def load(game: FireAxeGame, position: Position, action: act.Load) -> Position:
    """Bring one crewmember or good aboard for a Day (FA-LOAD-02, 03)."""
    seat, prep = position.turn, position.prep + game.load_days
    if action.item < 0:
        after = replace(
            position,
            prep=prep,
            crew=put(position.crew, seat, position.crew[seat] + 1),
            supply=put(position.supply, seat, position.supply[seat] - 1),
        )
    else:
        after = moved(replace(position, prep=prep), seat, action.item, 1)
    return open_window(game, after)


def moved(position: Position, seat: int, good: int, count: int) -> Position:
    """Move goods between stock and ship: aboard if the count is positive, back if negative."""
    cargo = put(position.cargo[seat], good, position.cargo[seat][good] + count)
    return replace(
        position,
        cargo=(*position.cargo[:seat], cargo, *position.cargo[seat + 1 :]),
        stock=put(position.stock, good, position.stock[good] - count),
    )


def unload(game: FireAxeGame, position: Position, action: act.Unload) -> Position:
    """Put a good back so that crew can come aboard (R_LOAD_TRAP=jettison)."""
    return moved(position, position.turn, action.good, -1)


def leaves(game: FireAxeGame, position: Position) -> tuple[act.Action, ...]:
    """Return the ways to leave the Wintering Zone (FA-LOAD-08)."""
    seat, law = position.turn, game.law
    if position.places[seat] != WINTERING:
        return ()
    if spent(position) + law.days_to_leave() > position.days:
        return ()
    crew, items = position.crew[seat], position.crew[seat] + sum(position.cargo[seat])
    slots = slots_free(game, position, seat)
    if not law.may_leave(crew, items, position.prep, slots, loadable(position, slots), game.zero_load):
        return ()
    return tuple([game.tables.leaves[home] for home in law.homes_to_leave_for(game.tables.homes)])


def loadable(position: Position, slots: int) -> bool:
    """Say whether the ship on turn could load anything at all: a Day, a slot, and something to load."""
    some = position.supply[position.turn] > 0 or any(position.stock)
    return some and slots > 0 and spent(position) < position.days


def leave(game: FireAxeGame, position: Position, action: act.Leave) -> Position:
    """Go to a Homeland; that is no Action (FA-LOAD-09)."""
    return replace(
        position,
        places=put(position.places, position.turn, action.place),
        prep=position.prep + game.law.days_to_leave(),
    )


def may_draw(game: FireAxeGame, position: Position) -> bool:
    """Say whether the seat on turn may draw a rune (FA-DRAW-01, 04, 05)."""
    seat, law = position.turn, game.law
    return (
        position.deck != 0
        and law.may_draw(game.tables.is_home(position.places[seat]))
        and law.may_act(spent(position), position.days)
        and position.hands[seat].bit_count() < law.hand_limit()
    )


def draw(game: FireAxeGame, position: Position, action: act.Draw) -> Position:
    """Draw a rune for a Day (FA-DRAW-02)."""
    return replace(position, phase="deal", prep=position.prep + game.law.days_to_draw(), drawing=0, back="main")


# -- sailing -------------------------------------------------------------------------------------------


def sails(game: FireAxeGame, position: Position) -> list[act.Action]:
    """Return the places to sail to."""
    seat, law, tables = position.turn, game.law, game.tables
    place = position.places[seat]
    if place == WINTERING or not (position.free or law.may_act(spent(position), position.days)):
        return []
    first, places = tables.first_port, position.places
    return [tables.sails[to] for to in tables.neighbours[place] if law.may_enter(to >= first, places.count(to))]


def sail(game: FireAxeGame, position: Position, action: act.Sail) -> Position:
    """Sail to an adjacent place; then the weather is tested (FA-SAIL-01, 02, FA-WEA-05, 06)."""
    places = put(position.places, position.turn, action.place)
    if position.free:
        return open_window(game, replace(position, places=places, free=position.free - 1))
    after = replace(
        position,
        places=places,
        sailed=position.sailed + game.sail_days,
        covered=game.law.covered_before(position.covered),
    )
    return losses(game, after)


def excess(game: FireAxeGame, position: Position) -> int:
    """Return by how much the Sailing slider exceeds the number of the zone that the ship on turn is in."""
    clear = game.tables.clear[position.dial][game.tables.zone[position.places[position.turn]]]
    beyond: int = game.law.excess(position.sailed, clear)
    return beyond


def losses_due(game: FireAxeGame, position: Position) -> int:
    """Return how many skulls have to be covered after the last Sail, those covered before included."""
    beyond = excess(game, position)
    if not beyond:
        return 0
    due: int = game.law.skulls(beyond, game.pack.losses)
    return due


def sheltered(game: FireAxeGame, position: Position) -> Position:
    """Cover skulls at no cost as far as shelter goes."""
    count = min(position.shelter, game.losses_due(position) - position.covered)
    if count <= 0:
        return position
    return replace(position, shelter=position.shelter - count, covered=position.covered + count)


def losses(game: FireAxeGame, position: Position) -> Position:
    """Ask for the next loss while skulls are to be covered and anything is aboard; then the Sail is over."""
    position = sheltered(game, position)
    seat = position.turn
    if game.losses_due(position) > position.covered and (position.crew[seat] or position.cargo[seat] != NONE):
        return replace(position, phase="loss", seat=seat)
    return open_window(game, replace(position, phase="main", seat=seat))


def lossy(game: FireAxeGame, position: Position) -> list[act.Action]:
    """Return what may be lost (FA-LOSS-06)."""
    seat = position.turn
    may = game.law.may_lose(position.crew[seat], position.cargo[seat])
    return [action for action, allowed in zip(game.tables.losses, may, strict=True) if allowed]


def lose(game: FireAxeGame, position: Position, action: act.Lose) -> Position:
    """Cover the next skull (FA-LOSS-01); R_LIMBO says whether what covers it is back in the supply at once."""
    seat, limbo, covered = position.turn, game.limbo, position.covered + 1
    if action.item >= 0:
        good = action.item
        after = moved(replace(position, covered=covered), seat, good, -1)
        if limbo:
            after = replace(
                after, stock=position.stock, chart_goods=put(position.chart_goods, good, position.chart_goods[good] + 1)
            )
        return losses(game, after)
    crew = position.crew[seat] - 1
    after = replace(
        position,
        covered=covered,
        crew=put(position.crew, seat, crew),
        supply=position.supply if limbo else put(position.supply, seat, position.supply[seat] + 1),
        chart_crew=position.chart_crew + limbo,
    )
    if game.law.wrecked(crew, "loss"):
        return game.wreck(after)
    return losses(game, after)


# -- wintering -------------------------------------------------------------------------------------------


def may_winter(game: FireAxeGame, position: Position) -> bool:
    """Say whether the seat on turn may move to the Wintering Zone (FA-WINT-01, 03, 04, R_WINTER_IN_WZ)."""
    seat, law = position.turn, game.law
    place, used = position.places[seat], spent(position)
    return (
        law.may_winter(position.crew[seat])
        and law.winters_from(place == WINTERING, game.tables.is_port(place))
        and law.winters_after(used, position.days)
        and law.may_go_on(used, position.days)
        and (place != WINTERING or game.winter_there)
    )


def winter(game: FireAxeGame, position: Position, action: act.Winter) -> Position:
    """Move to the Wintering Zone with one crewmember; the turn ends (FA-WINT-01)."""
    return game.end_turn(to_wintering(game, position, game.law.crew_kept(position.crew[position.turn])))


def may_end(game: FireAxeGame, position: Position) -> bool:
    """Say whether the turn may be declared over (FA-END-05); in the Wintering Zone see R_WZ_END, R_LOAD_TRAP."""
    seat, law = position.turn, game.law
    if not law.may_end():
        return False
    if position.places[seat] != WINTERING:
        return True
    items = position.crew[seat] + sum(position.cargo[seat])
    stuck = trapped(game, position)
    return bool(law.may_end_wintering(position.crew[seat], items, stuck, game.wz_end, game.trap))

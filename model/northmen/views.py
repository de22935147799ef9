"""What a seat may see: its own cards and routes, of the others' only how many (SN-SETUP-07, SN-RALLY-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import actions as act
from .actions import SEATS
from .position import Position, listed

if TYPE_CHECKING:
    from .game import NorthmenGame

_OWN = (act.Complete, act.Withhold, act.Keep, act.Hold)


def sees(game: NorthmenGame, position: Position, action: act.Action) -> tuple[int, ...]:
    """Return who learns an action: what is dealt to a hand, kept, held or committed, its owner alone."""
    if isinstance(action, (act.Deal, act.Route, *_OWN)):
        return (position.seat,)
    return tuple(range(game.players))


def observe(game: NorthmenGame, position: Position, seat: int) -> dict[str, Any]:
    """Return the record in which numbers stand for what is hidden, and null for what may not even be counted."""
    record = game.record(position)
    me = SEATS[seat]
    mine = position.seat == seat
    for field in ("hands", "route_hands"):
        shown = {name: game.law.hand_shown(name == me) for name in game.seats}
        record[field] = {name: ids if shown[name] else len(ids) for name, ids in record[field].items()}
    if not game.law.played_routes_show():
        record["routes_done"] = {name: ids if name == me else len(ids) for name, ids in record["routes_done"].items()}
    for field in ("deck", "discard", "route_deck"):
        record[field] = len(record[field])
    record["piles"] = {
        name: ids if name == me else listed(public_cards(game, position, n), game.tables.names.cards)
        for n, (name, ids) in enumerate(record["piles"].items())
    }
    record["route_bottom"] = [[route if owner == me else None, owner] for route, owner in record["route_bottom"]]
    record["chosen"] = {name: ids if name == me else None for name, ids in record["chosen"].items()}
    record["asked"] = record["asked"] if mine else None
    for field in ("drawn", "kept", "held"):
        record[field] = record[field] if mine else len(record[field])
    return {"you": me, **record}


def public_cards(game: NorthmenGame, position: Position, owner: int) -> int:
    """Return the cards of a pile that others may look at (SN-RALLY-04, 05, SN-MOVE-07, R_COVERED).

    The one on top, and those of each Kingdom of his that has begun to move this round.
    """
    pile = position.piles[owner]
    if game.rulings["R_COVERED"] == "history":
        return pile
    shown: int = game.law.pile_shown(pile, 1 << position.tops[owner] if position.tops[owner] >= 0 else 0)
    for kingdom in revealed(game, position):
        if position.control[kingdom] == owner:
            shown |= game.tables.suit_cards[kingdom]
    return pile & shown


def revealed(game: NorthmenGame, position: Position) -> list[int]:
    """Return the Kingdoms that have begun to move in this Marching Phase (SN-MOVE-07)."""
    if position.phase not in ("delay", "march", "complete"):
        return []
    order = game.law.chart_order(game.tables.k)
    marked = set(position.times)
    if position.phase == "complete":
        return [k for k in order if position.control[k] >= 0]
    if position.second_pass:
        again = game.law.delayed_order(game.tables.k)
        gone = set(again[: again.index(position.kingdom) + 1])
        return [k for k in order if position.control[k] >= 0 and (k not in marked or k in gone)]
    gone = set(order[: order.index(position.kingdom) + (position.phase == "march")])
    return [k for k in order if k in gone and position.control[k] >= 0 and k not in marked]

"""All checks of Northmen beside the general ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx

from lawspeaker.properties.watching import Check, Complaints, Moment, plainly

from . import history, symmetry
from .landscape import Graph, by_either, by_land, by_sea, map_of

CUBES, HEROES, TOKENS = 30, 3, 45


def conservation(moment: Moment) -> Complaints:
    """Each card and route of the box is in one place; each colour has its cubes and Heroes, the table its tokens."""
    plain, pack = moment.record_after, moment.game.pack
    cards = Counter([*plain["deck"], *plain["row"], *plain["discard"]])
    for field in ("hands", "piles"):
        cards.update(name for names in plain[field].values() for name in names)
    routes = Counter([*plain["route_deck"], *plain["drawn"], *(name for name, _ in plain["route_bottom"])])
    for field in ("route_hands", "routes_done"):
        routes.update(name for names in plain[field].values() for name in names)
    for what, found, box in (("cards", cards, pack.cards), ("routes", routes, pack.routes)):  # type: ignore[attr-defined]
        if found != Counter(one.id for one in box):
            yield f"{what} missing or twice: {sorted((found - Counter(o.id for o in box)).keys())}"
    boards = (plain["kingdoms"], plain["regions"])
    for index, seat in enumerate(plain["hands"]):
        here = [sum(rows[index][kind] for board in boards for rows in board.values()) for kind in (0, 1)]
        if (
            here[0] + plain["reserve"][seat] + plain["infamy"][seat] != CUBES
            or here[1] + plain["heroes"][seat] != HEROES
        ):
            yield f"{seat} has {here} cubes and Heroes on the board, {plain['reserve'][seat]} in reserve"
    on_map = sum(plain["tokens"].values()) + sum(plain["taken"].values())
    if on_map + plain["group"] + plain["unplaced"] + 15 * (3 - plain["round"]) != TOKENS:
        yield f"{on_map} tokens on the map or taken in round {plain['round']}"


def score(moment: Moment) -> Complaints:
    """The final score is plunder, values of completed routes and the bonus for Infamy; most points win."""
    plain, game = moment.record_after, moment.game
    if plain["phase"] != "over":
        return
    values = {route.id: route.value for route in game.pack.routes}  # type: ignore[attr-defined]
    most = max(plain["infamy"].values())
    points = {}
    for seat, done in plain["routes_done"].items():
        richest = plain["infamy"][seat] == most and (most > 0 or game.rulings["R_BONUS_ZERO"] == "pay")
        bonus = 1 + len(done) if richest else 0
        points[seat] = plain["taken"][seat] + sum(values[name] for name in done) + bonus
    found = game.result(moment.after)
    if found.scores != tuple(points.values()):
        yield f"scores {found.scores}, not {tuple(points.values())}"
    best = max((points[seat], plain["infamy"][seat]) for seat in points)
    tied = [n for n, seat in enumerate(points) if (points[seat], plain["infamy"][seat]) == best]
    if len(tied) > 1 and game.rulings["R_FINAL_TIE"] == "leader":
        leader, sign = game.seats.index(plain["leader"]), 1 if game.rulings["R_CLOCK"] == "from_leader" else -1
        tied = [min(tied, key=lambda seat: sign * (seat - leader) % len(game.seats))]
    if list(found.winners) != tied:
        yield f"winners {found.winners}, not {tied}"


# -- marches, as flows ------------------------------------------------------------------------------------


def flows(moment: Moment) -> Complaints:
    """What a march offers for a region is what leaves a flow for all the rest."""
    plain = moment.record_after
    if plain["phase"] == "march":
        due, offered = set(lawful(moment.game, plain)), {moment.game.text(action) for action in moment.legal_after}
        if due != offered:
            yield f"to {plain['region']}: {sorted(due ^ offered)[:4]} in one only of {len(due)} and {len(offered)}"


def lawful(game: Any, plain: dict[str, Any]) -> Iterator[str]:
    """Yield the texts of what may be sent to the region asked about, from a record in phase march."""
    rulings = game.rulings
    graph = map_of(game.pack, rulings["R_LANDLOCK"], rulings["R_BULGARIA"])
    seat = list(plain["hands"]).index(plain["seat"])
    cubes, heroes = plain["kingdoms"][plain["kingdom"]][seat]
    order = [region.id for region in game.pack.regions]
    later = set(order[order.index(plain["region"]) + 1 :])
    reached = by_either(graph, plain["kingdom"])
    for sent in range(cubes + 1):
        rest = cubes - sent if rulings["R_MUST_MOVE"] == "must" else 0
        if not _flows(game, graph, plain, sent, rest, later):
            continue
        for led in range(heroes + 1):
            left = heroes - led if rulings["R_HERO_STAY"] == "must" else 0
            if (not led or plain["region"] in reached) and (not left or reached & later):
                yield f"send {plain['region']} {sent}+{led}"


def _flows(game: Any, graph: Graph, plain: dict[str, Any], sent: int, rest: int, later: set[str]) -> bool:
    """Say whether the Kingdom's symbols carry what was sent before, *sent* cubes now and *rest* later."""
    cards = {card.id: card for card in game.pack.cards}
    played = [cards[name] for name in plain["piles"][plain["seat"]] if cards[name].kingdom == plain["kingdom"]]
    land, sea = by_land(graph, plain["kingdom"]), by_sea(graph)
    flow: Graph = nx.DiGraph()
    flow.add_edge("source", "soldiers", capacity=sum(card.soldiers for card in played))
    flow.add_edge("source", "ships", capacity=sum(card.ships for card in played))
    goals = {
        "armies": (True, False, plain["armies"]), "fleets": (False, True, plain["fleets"]),
        "either": (True, True, plain["either"]), "now": (plain["region"] in land, plain["region"] in sea, sent),
        "later": (bool(land & later), bool(sea & later), rest),
    }  # fmt: skip
    for goal, (by_foot, by_ship, amount) in goals.items():
        flow.add_edge(goal, "sink", capacity=amount)
        flow.add_edges_from([("soldiers", goal)] if by_foot else [])
        flow.add_edges_from([("ships", goal)] if by_ship else [])
    return bool(nx.maximum_flow_value(flow, "source", "sink") == sum(amount for _, _, amount in goals.values()))


def _check(name: str, function: Callable[[Moment], Complaints], every: int) -> Check:
    return Check(name, (function.__doc__ or "").partition("\n")[0].rstrip("."), plainly(function), every)


CHECKS: tuple[Check, ...] = (
    _check("conservation", conservation, 5),
    _check("score", score, 1),
    *history.CHECKS,
    _check("flows", flows, 3),
    _check("rotation", symmetry.rotation, 23),
    _check("equal-cards", symmetry.equal_cards, 41),
)

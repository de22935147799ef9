"""How the sensible player of Northmen judges actions, from a view alone.

Cards go where they win Kingdoms whose forces reach plunder and Trade Routes.  A march is planned as a whole:
pieces win what lies there, and cubes not needed for that lose a battle and are Infamy (SN-BATTLE-06).  Infamy
buys routes while they can still be completed, and is kept for the bonus at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING, Any

from . import actions as act
from .rules_march import nearest

if TYPE_CHECKING:
    from .game import NorthmenGame

_INFAMY = (0.0, 0.32, 0.28, 0.15)
"""What a point of Infamy is worth in plunder, by round: two routes are chosen from for three."""
_ROUTE_HOPE = 0.6
"""What part of a route's value control of its Kingdom is worth before the march."""


def appeal(game: NorthmenGame, view: Mapping[str, Any], actions: Sequence[act.Action]) -> Sequence[float]:
    """Return a worth for each action, in points of plunder as far as that can be said."""
    if len(actions) == 1:
        return (0.0,)
    phase = view["phase"]
    if phase in ("play", "draw", "hire"):
        return _rally_worth(_Rally(game, view), view, actions)
    if phase == "march":
        return _march_worth(_March(game, view), actions)
    if phase == "delay":
        return [_delay_worth(game, view) if isinstance(action, act.Delay) else 0.0 for action in actions]
    return [_planning_worth(game, view, action) for action in actions]


@lru_cache(maxsize=4096)
def chance(margin: float, doubt: float) -> float:
    """Return how likely it is to stay ahead with this margin of pieces, in doubt about so many to come."""
    return 1.0 / (1.0 + exp(-margin / doubt))


def best_of(lying: list[tuple[int, int]], reach: int) -> float:
    """Return what a piece may bring that can go to these regions (bits): the best two of the tokens there count.

    *lying* are the numbers of tokens that lie in regions, the largest first.
    """
    if not reach:
        return 0.0
    found = [count for count, region in lying if reach >> region & 1][:2]
    return 0.6 + 0.175 * sum(found)


# -- rally --------------------------------------------------------------------------------------------


class _Rally:
    """What matters of a view in the Rally Phase, by number."""

    def __init__(self, game: NorthmenGame, view: Mapping[str, Any]) -> None:
        self.tables = tables = game.tables
        me, leader = game.seats.index(view["you"]), game.seats.index(view["leader"])
        self.me = view["you"]
        self.mine: list[int] = []
        self.rival: list[int] = []
        self.tied: list[float] = []
        order = [
            (seat - leader if game.clock == "from_leader" else leader - seat) % game.players
            for seat in range(game.players)
        ]
        for name in tables.kingdoms:
            pieces = view["kingdoms"][name]
            sums = [cubes + heroes for cubes, heroes in pieces]
            own, sums[me] = sums[me], -1
            best = max(sums)
            other = sums.index(best)
            self.mine.append(own)
            self.rival.append(best)
            ahead = pieces[me][1] - pieces[other][1] or (0.5 if order[me] < order[other] else -0.5)
            self.tied.append(0.3 if ahead > 0 else -0.3)
        self.tokens: list[int] = [view["tokens"][name] for name in game.tables.regions]
        lying = sorted(((count, region) for region, count in enumerate(self.tokens) if count), reverse=True)
        worth = {reach: best_of(lying, reach) for reach in {*tables.reach.armies, *tables.reach.fleets}}
        self.land = [worth[reach] for reach in tables.reach.armies]
        self.sea = [worth[reach] for reach in tables.reach.fleets]
        self.hopes = [0.0] * tables.k
        for name in view["route_hands"][self.me]:
            route = tables.names.route[name]
            self.hopes[tables.route_kingdom[route]] += _ROUTE_HOPE * tables.route_value[route]
        self.reserve: int = view["reserve"][self.me]
        self.point: float = _INFAMY[view["round"]]
        self.doubt = 0.8 + 0.12 * view["group"]

    def lead(self, kingdom: int, more: float) -> float:
        """Return how likely control of a Kingdom is with so many pieces more."""
        own = self.mine[kingdom] + more
        return chance(own - self.rival[kingdom] + self.tied[kingdom], self.doubt) if own else 0.0

    def gain(self, kingdom: int, more: float, each: float) -> float:
        """Return what so many pieces more in a Kingdom are worth, if each of its pieces brings as much."""
        own, before, now = self.mine[kingdom], self.lead(kingdom, 0), self.lead(kingdom, more)
        prize = self.prize(kingdom)
        return now * ((own + more) * each + prize) - before * (own * each + prize)

    def hero(self, kingdom: int) -> float:
        """Return what a Hero is worth: a piece more that wins ties, but carries off no plunder of its own."""
        each = max(self.land[kingdom], self.sea[kingdom])
        now = self.lead(kingdom, 1.3)
        prize = self.prize(kingdom) + self.mine[kingdom] * each
        return (now - self.lead(kingdom, 0)) * prize + 0.3 * now * each

    def prize(self, kingdom: int) -> float:
        """Return what control of a Kingdom is worth beside what its pieces bring: routes, and others' forces gone."""
        return self.hopes[kingdom] + 0.2 * max(0, self.rival[kingdom])

    def card(self, card: int) -> float:
        """Return what playing a card is worth."""
        tables = self.tables
        kingdom, value = tables.suit[card], tables.value[card]
        data = tables.pack.cards[card]
        each = (data.soldiers * self.land[kingdom] + data.ships * self.sea[kingdom]) / value
        placed = min(value, self.reserve)
        worth = self.gain(kingdom, placed, each) + self.point * placed * (1.0 - self.lead(kingdom, placed))
        return worth + self.token(tables.token[card])

    def token(self, region: int) -> float:
        """Return what a token in a region is worth: more where own forces will come than where others' will."""
        if region < 0:
            return 0.0
        own = others = 1.0
        for kingdom, reach in enumerate(self.tables.reach.heroes):
            if reach >> region & 1:
                if self.mine[kingdom] > self.rival[kingdom]:
                    own += self.mine[kingdom]
                else:
                    others += self.rival[kingdom]
        return 0.8 * (own / (own + others) - 0.5)


def _rally_worth(rally: _Rally, view: Mapping[str, Any], actions: Sequence[act.Action]) -> Sequence[float]:
    if view["phase"] == "hire":
        kingdom = rally.tables.suit[rally.tables.names.card[view["card"]]]
        worth_more = rally.hero(kingdom) - 3 * rally.point
        return [worth_more if isinstance(action, act.Hire) else 0.0 for action in actions]
    worth = [rally.card(a.card) if isinstance(a, (act.Play, act.Take)) else None for a in actions]
    known = [w for w in worth if w is not None]
    unseen = sum(known) / len(known) if known else 0.0
    return [unseen if w is None else w for w in worth]


# -- marching -----------------------------------------------------------------------------------------


def _delay_worth(game: NorthmenGame, view: Mapping[str, Any]) -> float:
    """Return what a delay is worth: much is still to move, much to move with, and Infamy to spare."""
    me = game.seats.index(view["you"])
    here: int = sum(view["kingdoms"][view["kingdom"]][me])
    later = game.tables.kingdoms.index(view["kingdom"]) + 1
    others: int = sum(
        sum(map(sum, view["kingdoms"][name]))
        for name in game.tables.kingdoms[later:]
        if view["control"][name] not in (None, view["you"])
    )
    price: float = 5 * _INFAMY[view["round"]]
    return 0.4 * min(here, others) - price - 1.0


class _March:
    """What matters of a view in a march: for each region still to come, what more pieces there are worth."""

    def __init__(self, game: NorthmenGame, view: Mapping[str, Any]) -> None:
        self.game, self.view, self.tables = game, view, game.tables
        self.me = game.seats.index(view["you"])
        self.leader = game.seats.index(view["leader"])
        self.point: float = _INFAMY[view["round"]]
        self.tokens: list[int] = [view["tokens"][name] for name in game.tables.regions]
        self.pieces: list[list[list[int]]] = [view["regions"][name] for name in game.tables.regions]
        self.region = game.tables.regions.index(view["region"])
        self.kingdom = game.tables.kingdoms.index(view["kingdom"])
        self.cubes, self.heroes = view["kingdoms"][view["kingdom"]][self.me]
        self.routes = self._routes()
        self.threat = self._threat()

    def _routes(self) -> dict[int, int]:
        """Return by region the value of own routes that cubes there would complete."""
        tables, view = self.tables, self.view
        found: dict[int, int] = {}
        for name in view["route_hands"][view["you"]]:
            route = tables.names.route[name]
            if view["control"][tables.kingdoms[tables.route_kingdom[route]]] == view["you"]:
                region = tables.route_region[route]
                found[region] = found.get(region, 0) + tables.route_value[route]
        return found

    def _threat(self) -> list[float]:
        """Return by region about how many pieces of others may still come there."""
        view, tables, found = self.view, self.tables, [0.0] * self.tables.r
        for kingdom, name in enumerate(tables.kingdoms):
            owner = view["control"][name]
            if owner is None or owner == view["you"] or kingdom == self.kingdom:
                continue
            here = sum(map(sum, view["kingdoms"][name]))
            reach = tables.reach.heroes[kingdom]
            for region in range(tables.r) if here else ():
                if reach >> region & 1 and self.tokens[region]:
                    found[region] += here / 4
        return found

    def gains(self, region: int, most: int) -> list[float]:
        """Return what 0 to *most* pieces more in a region are worth."""
        tokens, threat, here = self.tokens[region], self.threat[region], self.pieces[region]
        own_cubes, own_heroes = here[self.me]
        own = own_cubes + own_heroes
        rival, led, other = max(((c + h, h, s) for s, (c, h) in enumerate(here) if s != self.me), default=(0, 0, 0))
        prize = tokens + self.routes.get(region, 0)
        tie = -0.5 if led > own_heroes else 0.5 if led < own_heroes or self._nearer(other) else -0.5
        doubt = 0.15 + 0.45 * threat
        found = []
        for more in range(most + 1):
            if not own + more:
                found.append(0.0)
                continue
            win = chance(own + more - rival + tie - 0.5 * threat, doubt) if rival or threat else 1.0
            found.append(win * prize + (1.0 - win) * self.point * (own + more))
        return found

    def _nearer(self, other: int) -> bool:
        return nearest((self.me, other), self.leader, self.game.players, self.game.clock) == self.me


def _march_worth(march: _March, actions: Sequence[act.Action]) -> Sequence[float]:
    """Return for each number of pieces what it is worth here, and the best that the others can do later."""
    total = march.cubes + march.heroes
    reach = march.tables.reach.heroes[march.kingdom]
    rest = [0.0] * (total + 1)
    for region in range(march.tables.r - 1, march.region, -1):
        if reach >> region & 1:
            gains = march.gains(region, total)
            if gains[total] > 0.0:
                rest = [max(map(float.__add__, gains[: n + 1], rest[n::-1])) for n in range(total + 1)]
    here = march.gains(march.region, total)
    held = march.pieces[march.region][march.me][0]
    return [_send_worth(action, here, rest, held, total) for action in actions]


def _send_worth(action: act.Action, here: list[float], rest: list[float], held: int, total: int) -> float:
    assert isinstance(action, act.Send)
    sent = action.cubes + action.heroes
    alone = -0.5 if action.heroes and not action.cubes and not held else 0.0
    return here[sent] + rest[total - sent] + alone - 0.01 * action.heroes


# -- routes and planning --------------------------------------------------------------------------------


def _planning_worth(game: NorthmenGame, view: Mapping[str, Any], action: act.Action) -> float:
    tables, infamy = game.tables, view["infamy"][view["you"]]
    last = view["round"] == game.law.rounds()
    match action:
        case act.Complete(route):
            return 1.0
        case act.Keep(route):
            return float(tables.route_value[route])
        case act.Buy(pairs):
            return 2.0 - 0.1 * pairs if not last and infamy >= 3 * pairs + 3 else -1.0
        case act.Hold(card):
            return tables.value[card] - 2.0 if not last and infamy >= 3 else -1.0
    return 0.0

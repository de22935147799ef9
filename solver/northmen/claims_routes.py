"""Claims about Trade Routes: whether any can be completed, and when their deck is too small for a purchase."""

from __future__ import annotations

from functools import cache, partial
from itertools import product
from typing import Any

import z3

from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position
from lawspeaker.solver.asking import Claim, Outcome, possible, require, solver

from .boxes import box, northmen
from .counts import CUBES, HEROES, PAIR_PRICE, PLAYERS, ROUTES, START_ROUTES, SUIT
from .rounds import Rally
from .staged import Direction, Stage

SPANS = ("frozen", "present", "present_tie")

# -- can a route be completed -----------------------------------------------------------------------------------


def completes(span: str, cubes_must: str, heroes_must: str, empty: str, leader: bool) -> bool:
    """Say whether z3 finds a completed route of a seat that leads, or does not, under these values.

    One Kingdom and one region, after all movement: what the seat had in the Kingdom when control was
    settled, what it still has there, what it has in the region.
    """
    first, last, there = (
        [z3.Int(f"{name}_{kind}") for kind in ("cubes", "heroes")] for name in ("first", "last", "there")
    )
    most = (CUBES, HEROES)
    said = [z3.And(n >= 0, n <= top) for group in (first, last, there) for n, top in zip(group, most, strict=True)]
    said += [end <= begin for end, begin in zip(last, first, strict=True)]
    if cubes_must == "must":
        said.append(last[0] == 0)
    if heroes_must == "must":
        said.append(last[1] == 0)
    # at step 1 every other piece has left, so whoever still has a piece there has most
    at_first = z3.Or(first[0] + first[1] > 0, z3.BoolVal(leader and empty == "leader"))
    present, at_zero = last[0] + last[1] > 0, z3.BoolVal(leader and span == "present_tie")
    controls = at_first if span == "frozen" else z3.Or(present, at_zero)
    others = [] if span == "frozen" else [z3.Or(at_first, last[0] + last[1] == 0)]
    return possible(solver(*said, *others, controls, there[0] > 0))


def _dead() -> Outcome:
    dead, cases = [], 0
    for span, cubes, heroes, empty in product(SPANS, ("must", "may"), ("must", "may"), ("none", "leader")):
        found = {who: completes(span, cubes, heroes, empty, who == "Leader") for who in ("Leader", "other")}
        played = {who: _completed(span, cubes, heroes, empty, who) for who in found}
        require(found == played, f"{span}, {cubes}, {heroes}, {empty}: {found}, on the model {played}")
        cases += 2
        if not any(found.values()):
            dead.append((span, cubes, heroes, empty))
    require(set(dead) == {("present", "must", "must", empty) for empty in ("none", "leader")}, "just these are dead")
    return Outcome(
        "proven", "under R_CONTROL_SPAN=present no Trade Route can ever be completed while cubes and Heroes must leave "
        "their Kingdoms; under frozen, under present_tie by the Leader alone, and if any may stay, some can",
        "one Kingdom, one region, any pieces; every value of R_CONTROL_SPAN, R_MUST_MOVE, R_HERO_STAY, R_EMPTY_KINGDOM",
        "each combination played on the model from the last Rally turn to step 6",
        {"R_CONTROL_SPAN": "present", "completed": 0}, cases=cases,
    )  # fmt: skip


@cache
def _marched(cubes: str, heroes: str, who: str) -> tuple[Stage, tuple[Position, ...]]:
    """Return what comes of each march of two cubes of the Normans, and of a Hero if one may stay.

    Their card is the seat's first of the game.  Marches that leave and bring the same to Kingdom and region
    are one.
    """
    seat, order = (0, ["NM1", "RU1"]) if who == "Leader" else (1, ["RU1", "NM1"])
    pack = box(symbols={"Normans": [(0, 2)] * SUIT})
    pack["routes"][0] = {"id": "T01", "kingdom": "Normans", "region": "Brittany", "value": 3}
    others = [one["id"] for one in pack["cards"] if one["kingdom"] not in ("Normans", "Rus")]
    game = northmen(pack, R_MUST_MOVE=cubes, R_HERO_STAY=heroes)
    hires = ["NM1"] if heroes == "may" else []
    stage = Stage(game, Direction([*order, *others], hires, {game.seats[seat]: ["T01"]}))
    places = [game.tables.names.place[name] for name in ("Normans", "Brittany")]
    marched = {
        tuple((after.cubes[place][seat], after.heroes[place][seat]) for place in places): after
        for after in stage.marches(stage.moves("Normans"))
    }
    return stage, tuple(marched.values())


def _completed(span: str, cubes: str, heroes: str, empty: str, who: str) -> bool:
    """Say whether a seat can complete a route of the Normans on the model after some march."""
    seat = 0 if who == "Leader" else 1
    stage, marched = _marched(cubes, heroes, who)
    chosen = {"R_CONTROL_SPAN": span, "R_MUST_MOVE": cubes, "R_HERO_STAY": heroes, "R_EMPTY_KINGDOM": empty}
    game = stage.game.varied(rulings=stage.game.catalogue.book.choose(chosen))
    there = Stage(game, stage.direction)
    for after in marched:
        step_6 = there.until(lambda p: p.phase in ("complete", "buy"), after)
        while step_6.phase == "complete":
            if step_6.seat == seat and game.parse("complete T01") in game.legal(step_6):
                return True
            step_6 = game.apply(step_6, there.choose(step_6))
    return False


# -- the deck of routes ------------------------------------------------------------------------------------------


def purchases_to_short(players: int) -> int:
    """Return after how many purchases fewer than two routes are in the deck, found by z3."""
    bought = z3.Int("bought")
    left = ROUTES - START_ROUTES * players - bought  # two are drawn, one goes back
    asked = solver(bought >= 0, left >= 0, left < 2)
    for number in range(ROUTES):
        if possible(asked, bought == number):
            require(not possible(asked, bought < number), "not before")
            return number
    raise AssertionError("the deck is never too small")


def _route_deck(players: int, wanted: int) -> Outcome:
    """*wanted*: the purchases of one Planning Phase to be shown affordable."""
    number = purchases_to_short(players)
    require(number == 19 - 2 * players and number <= wanted <= number + 1, "one card less for each purchase")
    rally = Rally(players)
    pairs = z3.Sum([infamy / PAIR_PRICE for infamy in rally.infamy_after()])
    idle = [cards == 0 for seat in rally.cards for cards in seat[players + 1 :]]
    asked = solver(*rally.possible(), *idle, pairs >= wanted)
    require(possible(asked), "so much Infamy can be had after one Marching Phase")
    end = rally.least(asked)
    shown: dict[str, Any] = {}
    for ruling in ("take_one", "refuse"):
        game = northmen(end.pack, players, R_ROUTE_SHORT=ruling)
        stage = Stage(game, end.direction)
        planning = stage.until(lambda p: p.phase == "buy")
        bought, last = _bought(game, stage, planning)
        require(bought[:number] == [2] * number, "so many purchases of a pair")
        if wanted > number:
            require(bought[number:] == ([1] if ruling == "take_one" else []), f"a short purchase under {ruling}")
            offered = game.parse("buy 1") in game.legal(last)
            require(offered == (ruling == "take_one"), f"the single route is for sale under {ruling}")
        shown = game.record(last if wanted > number else planning)
    said = f"{number} purchases ({PAIR_PRICE * number} Infamy) leave one route in the deck"
    when = "the short purchase itself can" if wanted > number else "all of them can"
    return Outcome(
        "witness", f"with {players} players {said}; {when} come in the first Planning Phase",
        f"round 1, nobody hires, up to {players + 1} Kingdoms entered, all cubes meeting in one region",
        "played on the model from the start through all purchases",
        {"purchases": number, "Infamy": PAIR_PRICE * number, "turns of the Rally Phase": len(end.order)},
        shown, end.pack, 1,
    )  # fmt: skip


def _bought(game: NorthmenGame, stage: Stage, position: Position) -> tuple[list[int], Position]:
    """Let every seat buy all it can; return what each purchase drew, and the first position with a deck too small."""
    drawn: list[int] = []
    last = position
    while position.phase in ("buy", "buying", "keep"):
        actions = [one for one in game.legal(position) if isinstance(one, (act.Buy, act.Keep, act.Route))]
        if position.phase == "keep":
            drawn.append(position.drawn.bit_count())
        if position.phase == "buy" and position.infamy[position.seat] >= PAIR_PRICE:
            last = position
        position = game.apply(position, actions[0] if actions else stage.choose(position))
    return drawn, last


_ROUTE = ("SN-CTRL-01", "SN-DELAY-03", "SN-DELAY-04", "SN-TRADE-03", "SN-ROUTE-04")
CLAIMS = (
    Claim("routes-dead", "can a Trade Route be completed at all", _ROUTE, _dead, "R_CONTROL_SPAN"),
    *(
        Claim(f"route-deck-{players}", f"when is the deck of routes too small for a purchase ({players} players)",
              ("SN-PLAN-03", "SN-PLAN-04", "SN-SETUP-06"), partial(_route_deck, players, wanted), "R_ROUTE_SHORT",
              "reachability", deep=players > 2)
        for players, wanted in zip(PLAYERS, (15, 14, 12), strict=True)
    ),
)  # fmt: skip

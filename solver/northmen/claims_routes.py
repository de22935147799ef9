"""Claims about Trade Routes: whether any can be completed, and when their deck is too small for a purchase."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import z3

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.solver.asking import Claim, Outcome, possible, require, solver

from .boxes import KINGDOMS, NO_TOKENS, box, card, game_of, options, record, replayed
from .counts import CUBES, HEROES, PAIR_PRICE, PLAYERS, ROUTES, START_ROUTES
from .rounds import End, Rally, quietly

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


def _completed(span: str, cubes: str, heroes: str, empty: str, who: str) -> bool:
    """Say whether a seat can complete a route of the Normans on the model after some march.

    Of two cubes, and a Hero if one may stay.
    """
    pack = box(symbols={"Normans": [(0, 2)] * 8})
    pack["routes"][0] = {"id": "T01", "kingdom": "Normans", "region": "Brittany", "value": 3}
    game = game_of(pack, R_CONTROL_SPAN=span, R_MUST_MOVE=cubes, R_HERO_STAY=heroes, R_EMPTY_KINGDOM=empty)
    seat = "A" if who == "Leader" else "B"
    whole = record(
        pack, 2, seat=seat, leader="A", phase="delay", kingdom="Normans", infamy={seat: 5},
        piles={seat: [card("Normans", 1)]}, kingdoms={"Normans": {seat: (2, int(heroes == "may"))}},
        control={**dict.fromkeys(KINGDOMS), "Normans": seat}, tokens=NO_TOKENS, group=0,
        route_hands={"A": ["T02", "T03"], "B": ["T04", "T05"], seat: ["T01"]},
        route_deck=[f"T{n:02}" for n in range(6, ROUTES + 1)] + (["T02", "T03"] if seat == "A" else ["T04", "T05"]),
    )  # fmt: skip
    todo = [replayed(game, game.position(whole), ["nodelay"])]
    while todo:
        now = todo.pop()
        if now.phase == "march":
            todo += [game.apply(now, action) for action in game.legal(now)]
        elif now.phase == "complete":
            if "complete T01" in options(game, now):
                return True
            if len(options(game, now)) == 1:
                todo.append(replayed(game, now, options(game, now)))
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
    nobody = [hero == 0 for seat in rally.heroes for hero in seat]
    asked = solver(*rally.possible(), *idle, *nobody, pairs >= wanted)
    require(possible(asked), "so much Infamy can be had after one Marching Phase")
    end = rally.least(asked)
    for ruling in ("refuse", "take_one"):
        game = game_of(end.pack, players, R_ROUTE_SHORT=ruling)
        bought, more = _bought(game, end)
        require(bought[:number] == [2] * number, "so many purchases of a pair")
        short = bought[number:] == [1] or more
        require(wanted == number or short == (ruling == "take_one"), f"a short purchase under {ruling}")
    said = f"{number} purchases ({PAIR_PRICE * number} Infamy) leave one route in the deck"
    when = "the short purchase itself can" if wanted > number else "all of them can"
    return Outcome(
        "witness", f"with {players} players {said}; {when} come in the first Planning Phase",
        "round 1, two or more seats fighting over up to five Kingdoms and then in one region, 30 cubes each",
        "played on the model from the last Rally turn through all purchases",
        {"purchases": number, "Infamy": PAIR_PRICE * number, "turns of the Rally Phase": end.turns},
        end.record(), end.pack, 1,
    )  # fmt: skip


def _bought(game: AnyGame, end: End) -> tuple[list[int], bool]:
    """Let every seat buy all it can; return how many routes each purchase drew, and whether one more was offered."""
    position = quietly(game, end.played(game), lambda r: r["phase"] == "buy")
    drawn: list[int] = []
    while True:
        shown: dict[str, Any] = game.record(position)
        if shown["round"] == 2:
            return drawn, False
        texts = options(game, position)
        if shown["phase"] == "keep":
            drawn.append(len(shown["drawn"]))
        pick = next((text for text in texts if text.split()[0] in ("buy", "keep", "route")), "done")
        position = replayed(game, position, [pick])


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

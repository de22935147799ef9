"""Claims about cubes, Infamy and Heroes: what is conserved, and when a supply is too small."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import z3

from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position
from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .boxes import box, northmen
from .counts import (
    CUBES,
    GROUP,
    INFAMY,
    PLAYERS,
    VALUES,
    between,
)
from .rounds import Rally
from .staged import Direction, Stage, plain_cards, played

Amounts = Sequence[Any]
"""Cubes of one seat: in the reserve, on the Infamy Card, on Kingdoms, in regions."""

# -- cubes are conserved -------------------------------------------------------------------------------------

EVENTS: dict[str, tuple[int, int, int, int]] = {
    "place": (-1, 0, 1, 0),  # SN-RALLY-06
    "spend": (1, -1, 0, 0),  # SN-RALLY-10
    "lose control": (0, 1, -1, 0),  # SN-CTRL-05
    "march": (0, 0, -1, 1),  # SN-MOVE-09, SN-MOVE-11
    "lose a battle": (0, 1, 0, -1),  # SN-BATTLE-06
    "clear": (1, 0, 0, -1),  # SN-CLEAN-01
    "stuck, to the reserve": (1, 0, -1, 0),  # R_STUCK
    "stuck, to Infamy": (0, 1, -1, 0),
}
"""What one cube does in each event: by how much reserve, Infamy, cubes on Kingdoms and in regions change."""


def _conserved() -> Outcome:
    now = [z3.Int(name) for name in ("reserve", "infamy", "kingdoms", "regions")]
    cubes = z3.Int("cubes")
    valid = [*between(now, 0, CUBES), z3.Sum(now) == CUBES, cubes >= 1]
    for name, change in EVENTS.items():
        then = [amount + each * cubes for amount, each in zip(now, change, strict=True)]
        taken = [amount >= cubes for amount, each in zip(now, change, strict=True) if each < 0]
        broken = z3.Or(z3.Sum(then) != CUBES, *[z3.Or(amount < 0, amount > CUBES) for amount in then])
        require(possible(solver(*valid, *taken)), f"{name} happens")
        require(not possible(solver(*valid, *taken, broken)), f"{name} breaks it")
    twice = _counted_twice(now, cubes, valid)
    return Outcome(
        "proven", "every event keeps a player's thirty cubes; if gained Infamy were laid down beside the lost cubes it "
        "would not: taken from the reserve it can be short, taken from nowhere there are more than thirty",
        "one seat, every event of the text, any amounts", "audited along play: each step of the model is such an event",
        twice, cases=len(EVENTS),
    )  # fmt: skip


def _counted_twice(now: Amounts, cubes: Any, valid: list[Any]) -> dict[str, Any]:
    """Losing cubes and laying down as many more: the least case in which the reserve is short."""
    reserve, infamy, kingdoms, _ = now
    more = infamy + 2 * cubes
    whole = reserve + more + (kingdoms - cubes) + now[3]
    require(not possible(solver(*valid, kingdoms >= cubes, whole == CUBES)), "more than thirty, from nowhere")
    asked = solver(*valid, kingdoms >= cubes, reserve < cubes)
    require(possible(asked), "short if from the reserve")
    found = least(asked, [cubes, reserve, kingdoms], range(CUBES + 1))
    return {"lost": found[0], "reserve": found[1], "on Kingdoms": found[2]}


# -- a reserve too small for a card --------------------------------------------------------------------------


@cache
def first_short(reserve: int) -> int:
    """Return the first own turn on which the reserve can be smaller than the card's value, found by z3."""
    values = [z3.Int(f"value_{n}") for n in range(CUBES)]
    for turn in range(1, CUBES + 1):
        placed = z3.Sum(values[: turn - 1]) if turn > 1 else z3.IntVal(0)
        said = [*between(values[:turn], VALUES[0], VALUES[-1]), placed <= reserve]
        if possible(solver(*said, reserve - placed < values[turn - 1])):
            return turn
    raise AssertionError("thirty cubes last for ever")


def _short_reserve() -> Outcome:
    found: dict[str, dict[str, int]] = {}
    pack = box(default=(1, 2), placing=GROUP)
    shown: dict[str, Any] = {}
    for players in PLAYERS:
        turns = []
        for seat, infamy in enumerate(INFAMY[players]):
            own = first_short(CUBES - infamy)
            turns.append((players * (own - 1) + seat + 1, seat, own))
        turn, seat, own = min(turns)
        found[str(players)] = {"turn": turn, "own turn": own, "seat": seat}
        game = northmen(pack, players)
        position = _first_short_in_play(game)
        require((played(position) + 1, position.seat) == (turn, seat), f"played out with {players} it is another turn")
        shown = game.record(position)
    later = [first_short(left) for left in range(3)]
    require(later == [1, 1, 1] and first_short(3) == 2, "in a later round on the first turn, with up to two cubes")
    for value, placed in (("partial", 1), ("all_or_nothing", 0)):
        game = northmen(pack, 4, R_PARTIAL=value)
        position = _first_short_in_play(game)
        after = game.apply(position, game.legal(position)[0])
        require((position.reserve[0], after.placed, after.reserve[0]) == (1, placed, 1 - placed), value)
    return Outcome(
        "witness", "the reserve can be smaller than a card's value: in round 1 at the earliest on turn "
        + ", ".join(f"{one['turn']} with {n} players" for n, one in found.items()) + "; in later rounds on the first",
        "any values of the cards, nothing hired, 2 to 4 players", "played on the model with every card of value "
        "3, under "
        "both values of R_PARTIAL", {"earliest": found}, shown, pack, sum(PLAYERS),
    )  # fmt: skip


def _first_short_in_play(game: NorthmenGame) -> Position:
    """Play a game of value-3 cards, those without a token first, to the first turn with fewer than three cubes."""
    stage = Stage(game, Direction(plain_cards(game)))
    return stage.until(lambda p: p.phase == "play" and p.reserve[p.seat] < VALUES[-1])


# -- locked out -----------------------------------------------------------------------------------


def _locked_out() -> Outcome:
    """Find the Rally Phase after which seat A has all thirty cubes as Infamy, and play on from it."""
    rally = Rally(2)
    asked = solver(*rally.possible(), rally.infamy_after()[0] == CUBES)
    require(possible(asked), "all cubes can be lost in one round")
    end = rally.least(asked)
    shown: dict[str, Any] = {}
    for value, offered in (("card_kingdom", True), ("needs_cube", False)):
        game = northmen(end.pack, 2, R_HERO_ZERO=value)
        stage = Stage(game, end.direction)
        planning = stage.until(lambda p: p.phase == "buy")
        require((planning.infamy[0], planning.reserve[0]) == (CUBES, 0), "thirty Infamy, no reserve")
        turn = stage.until(lambda p: (p.round, p.phase, p.seat) == (2, "play", 0), planning)
        for action in game.legal(turn):
            after = game.apply(turn, action)
            require((after.phase == "hire") == offered, f"a Hero under {value}")
            require(after.reserve[0] == 0 and after.cubes == turn.cubes, "nothing was placed")
        shown = game.record(turn)
    turns = len(end.order)
    return Outcome(
        "witness", f"seat A can lose all its cubes in round 1 ({turns} turns) and stand with {CUBES} Infamy and no "
        "reserve: in the next Rally Phase it places nothing and, under R_HERO_ZERO=needs_cube, hires nobody",
        "2 players, one round, nobody hires, all cubes meeting in one region", "played on the model from the "
        "start; every "
        "card of the hand tried in round 2", {"Infamy": CUBES, "turns of round 1": turns}, shown, end.pack, 1,
    )  # fmt: skip


CLAIMS: tuple[Claim, ...] = (
    Claim("cubes-conserved", "does anything but the text's double count break a player's thirty cubes",
          ("SN-SETUP-02", "SN-RALLY-10", "SN-CTRL-05", "SN-BATTLE-06", "SN-CLEAN-01", "SN-INFAMY-01"), _conserved),
    Claim("reserve-short", "when can the reserve be smaller than a card's value", ("SN-RALLY-06", "SN-RALLY-07",
          "SN-CARD-03"), _short_reserve, "R_PARTIAL", "reachability"),
    Claim("locked-out", "can a player be unable to do anything for a whole Rally Phase", ("SN-RALLY-07", "SN-RALLY-08",
          "SN-RALLY-09", "SN-CTRL-05", "SN-BATTLE-06"), _locked_out, "R_HERO_ZERO", "reachability"),
)  # fmt: skip

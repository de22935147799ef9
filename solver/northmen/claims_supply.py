"""Claims about cubes, Infamy and Heroes: what is conserved, and when a supply is too small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

from .boxes import box, game_of, options, record, replayed
from .counts import (
    CUBES,
    GROUP,
    INFAMY,
    PLAYERS,
    VALUES,
    between,
)
from .rounds import Rally, quietly

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
    for players in PLAYERS:
        for infamy in INFAMY[players]:
            require(CUBES - infamy + infamy == CUBES and infamy <= CUBES, "thirty at the start")
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
    for players in PLAYERS:
        turns = []
        for seat, infamy in enumerate(INFAMY[players]):
            own = first_short(CUBES - infamy)
            turns.append((players * (own - 1) + seat + 1, seat, own))
        turn, seat, own = min(turns)
        found[str(players)] = {"turn": turn, "own turn": own, "seat": seat}
        played = _first_short_in_play(players)
        require(played == (turn, seat), f"played out it is turn {played[0]} of seat {played[1]}, not {turn}, {seat}")
    later = [first_short(left) for left in range(3)]
    require(later == [1, 1, 1] and first_short(3) == 2, "in a later round on the first turn, with up to two cubes")
    _placed_by_the_model()
    return Outcome(
        "witness", "the reserve can be smaller than a card's value: in round 1 at the earliest on turn "
        + ", ".join(f"{one['turn']} with {n} players" for n, one in found.items()) + "; in later rounds on the first",
        "any values of the cards, nothing hired, 2 to 4 players", "played on the model with every card of value 3",
        {"earliest": found}, cases=sum(PLAYERS),
    )  # fmt: skip


def _first_short_in_play(players: int) -> tuple[int, int]:
    """Play a game of value-3 cards, those without a token first; return turn and seat of the first short card."""
    game = game_of(box(default=(1, 2), placing=GROUP), players)
    token = {one["id"]: one["region"] is not None for one in _cards(game)}
    position, turn = game.start(), 0
    while True:
        record_ = game.record(position)
        texts = options(game, position)
        pick = min(texts, key=lambda text: (token.get(text.split()[-1], False), text in ("hire", "draw"), text))
        if record_["phase"] == "play":
            turn += 1
            before = record_["reserve"][record_["seat"]]
            if before < VALUES[-1]:
                return turn, "ABCD".index(record_["seat"])
        require(record_["round"] == 1 and record_["phase"] != "over", "the reserve never runs short")
        position = replayed(game, position, [pick])


def _cards(game: AnyGame) -> list[dict[str, Any]]:
    return [{"id": one.id, "region": one.region} for one in game.pack.cards]  # type: ignore[attr-defined]  # a Northmen pack


def _placed_by_the_model() -> None:
    """One cube left and a card of three: one is placed, or none, as R_PARTIAL says."""
    pack = box(default=(1, 2))
    for value, placed in (("partial", 1), ("all_or_nothing", 0)):
        game = game_of(pack, R_PARTIAL=value)
        before = record(pack, 2, infamy={"A": 29}, hands={"A": ["NM1"]})
        after = game.record(replayed(game, game.position(before), ["play NM1"]))
        require(after["kingdoms"]["Normans"][0] == [placed, 0] and after["reserve"]["A"] == 1 - placed, value)


# -- locked out ----------------------------------------------------------------------------------------------


def _locked_out() -> Outcome:
    """Find the Rally Phase after which seat A has all thirty cubes as Infamy, and play on from it."""
    rally = Rally(2)
    nobody = [hero == 0 for seat in rally.heroes for hero in seat]
    asked = solver(*rally.possible(), *nobody, rally.infamy_after()[0] == CUBES)
    require(possible(asked), "all cubes can be lost in one round")
    end = rally.least(asked)
    for value, offered in (("needs_cube", False), ("card_kingdom", True)):
        game = game_of(end.pack, R_HERO_ZERO=value)
        planning = quietly(game, end.played(game), lambda r: r["phase"] == "buy")
        shown = game.record(planning)
        require(shown["infamy"]["A"] == CUBES and shown["reserve"]["A"] == 0, "thirty Infamy, no reserve")
        turn = quietly(game, planning, lambda r: (r["round"], r["phase"], r["seat"]) == (2, "play", "A"))
        after = game.record(replayed(game, turn, [options(game, turn)[0]]))
        require((after["phase"] == "hire") == offered, f"a Hero under {value}")
        require(after["reserve"]["A"] == 0 and after["placed"] == 0, "nothing was placed")
    cubes = sum(amount for amount, _ in end.pieces_of("A"))
    return Outcome(
        "witness", f"seat A can lose all its cubes in round 1 ({end.turns} turns) and stand with {CUBES} Infamy and "
        "no reserve: in the next Rally Phase it places nothing and, under R_HERO_ZERO=needs_cube, hires nobody",
        "2 players, one round, all pieces meeting in one region",
        "played on the model from the last turn of round 1 on",
        {"cubes lost": cubes, "turns": end.turns}, end.record(), end.pack, 1,
    )  # fmt: skip


CLAIMS: tuple[Claim, ...] = (
    Claim("cubes-conserved", "does anything but the text's double count break a player's thirty cubes",
          ("SN-SETUP-02", "SN-RALLY-10", "SN-CTRL-05", "SN-BATTLE-06", "SN-CLEAN-01", "SN-INFAMY-01"), _conserved),
    Claim("reserve-short", "when can the reserve be smaller than a card's value", ("SN-RALLY-06", "SN-RALLY-07",
          "SN-CARD-03"), _short_reserve, "R_PARTIAL", "reachability"),
    Claim("locked-out", "can a player be unable to do anything for a whole Rally Phase", ("SN-RALLY-07", "SN-RALLY-08",
          "SN-RALLY-09", "SN-CTRL-05", "SN-BATTLE-06"), _locked_out, "R_HERO_ZERO", "reachability"),
)  # fmt: skip

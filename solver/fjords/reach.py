"""Reachability over an abstract discovery: counters of tiles, who is on turn, who placed last.

The abstraction forgets the map: a drawn tile may or may not have a place, an open tile too.  So what
is proven of it holds of the game, if every step of the game is a step of it; ``audits`` checks that
along play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from lawspeaker.solver.asking import Claim, Outcome, possible, require, solver

PILE = 37
NOBODY = 2
MOMENTS = ("choose", "drawn", "farm", "land")


@dataclass(frozen=True)
class Abstract:
    """A moment of discovery: tiles in the pile and open, whose turn, who placed last, who opens land taking."""

    moment: str
    pile: int
    open: int
    seat: int
    placer: int
    from_pile: bool
    aside: bool
    first: int = NOBODY


def successors(now: Abstract, starter: int, last_open: str) -> Iterator[Abstract]:
    """Yield every next moment, the map being forgotten."""
    if now.moment == "choose":
        if now.pile:
            yield _with(now, moment="drawn", pile=now.pile - 1)
        if now.open and (now.pile or (now.aside and last_open != "end")):
            yield _with(now, moment="farm", open=now.open - 1, placer=now.seat, from_pile=False)
        if not now.pile:
            yield _with(now, moment="land", first=now.seat)
    elif now.moment == "drawn":
        yield _with(now, moment="farm", placer=now.seat, from_pile=True)
        yield _after_aside(now)
        if not now.pile and last_open != "end":
            yield _with(now, moment="choose", open=now.open + 1, aside=True)
    elif now.moment == "farm":
        yield _turn_over(now, last_open)


def _with(now: Abstract, **changes: Any) -> Abstract:
    return Abstract(**{**now.__dict__, **changes})


def _after_aside(now: Abstract) -> Abstract:
    if now.pile:
        return _with(now, moment="choose", open=now.open + 1, aside=True)
    return _with(now, moment="land", open=now.open + 1, aside=True, first=now.seat)


def _turn_over(now: Abstract, last_open: str) -> Abstract:
    if now.pile:
        return _with(now, moment="choose", seat=1 - now.seat, aside=False, from_pile=False)
    other = now.from_pile or last_open == "play_B"
    return _with(now, moment="land", first=1 - now.seat if other else now.seat)


# -- the same steps for z3 -------------------------------------------------------------------------


class Symbols:
    """The unknowns of one moment."""

    def __init__(self, name: str) -> None:
        self.pile, self.open = z3.Int(f"{name}_pile"), z3.Int(f"{name}_open")
        self.seat, self.placer = z3.Int(f"{name}_seat"), z3.Int(f"{name}_placer")
        self.aside = z3.Bool(f"{name}_aside")

    def bounds(self) -> Any:
        """Say that the values lie in their ranges."""
        ranges = ((self.pile, PILE), (self.open, PILE), (self.seat, 1), (self.placer, NOBODY))
        return z3.And([z3.And(v >= 0, v <= most) for v, most in ranges])


def _invariant(now: Symbols, starter: Any, last_open: str) -> Any:
    """At a choice: the last tile is not the mover's own; a tile can be drawn, or an open one taken."""
    before = z3.Or(now.placer == 1 - now.seat, z3.And(now.placer == NOBODY, now.seat == starter))
    left = now.pile >= 1 if last_open == "end" else z3.Or(now.pile >= 1, z3.And(now.aside, now.open >= 1))
    return z3.And(now.bounds(), before, left)


def _step(now: Symbols, then: Symbols, last_open: str) -> Any:
    """A way from one choice to the next: a tile set aside, or placed and the turn passed."""
    drawn = z3.And(now.pile >= 1, then.pile == now.pile - 1)
    goes_on = then.pile >= 1 if last_open == "end" else True
    aside = z3.And(
        drawn, goes_on, then.open == now.open + 1, then.seat == now.seat, then.placer == now.placer, then.aside
    )
    passed = z3.And(then.seat == 1 - now.seat, then.placer == now.seat, then.pile >= 1, z3.Not(then.aside))
    placed = z3.And(drawn, then.open == now.open, passed)
    took = z3.And(now.open >= 1, then.open == now.open - 1, then.pile == now.pile, passed)
    return z3.Or(aside, placed, took)


def _inductive(last_open: str) -> tuple[Symbols, Any]:
    now, then, starter = Symbols("now"), Symbols("then"), z3.Int("starter")
    who = z3.And(starter >= 0, starter <= 1)
    start = z3.And(now.pile == PILE, now.open == 0, now.seat == starter, now.placer == NOBODY, z3.Not(now.aside))
    require(not possible(solver(who, start, z3.Not(_invariant(now, starter, last_open)))), "it holds at the start")
    bounded = z3.And(_invariant(now, starter, last_open), _step(now, then, last_open), then.bounds())
    require(not possible(solver(who, bounded, z3.Not(_invariant(then, starter, last_open)))), "each step keeps it")
    return now, z3.And(who, _invariant(now, starter, last_open))


def reached(last_open: str, pile: int) -> set[Abstract]:
    """Return every moment reachable from a pile of this size, by plain search (A starts)."""
    start = Abstract("choose", pile, 0, 0, NOBODY, False, False)
    found, todo = {start}, [start]
    while todo:
        for then in successors(todo.pop(), 0, last_open):
            if then not in found:
                found.add(then)
                todo.append(then)
    return found


def _turn_has_action() -> Outcome:
    total = 0
    for last_open in ("end", "play_A", "play_B"):
        now, holds = _inductive(last_open)
        stuck = z3.And(now.pile == 0, now.open == 0)
        require(not possible(solver(holds, stuck)), "a player could be stuck")
        states = [s for s in reached(last_open, 5) if s.moment == "choose"]
        require(all(s.pile or (s.aside and s.open) for s in states), "plain search finds a stuck player")
        total += len(states)
    return Outcome(
        "proven", "whoever is to choose in discovery can draw, or may take or leave an open tile",
        f"a pile of {PILE}, any outcome of every draw, each value of R_LAST_OPEN", "induction by z3; plain search over "
        "piles of 5 agrees; steps of the abstraction are checked along play", cases=total,
    )  # fmt: skip


def _first_field(last_open: str) -> Outcome:
    """Who opens land taking against who placed the last tile: proven under end, refuted under play_A."""
    now, holds = _inductive(last_open)
    took = z3.Bool("took_open")
    first, placer = z3.Int("first"), z3.Int("last_placer")
    by_open = 1 - now.seat if last_open == "play_B" else now.seat
    ways = [
        z3.And(now.pile == 1, first == 1 - now.seat, placer == now.seat, z3.Not(took)),
        z3.And(now.pile == 1, first == now.seat, placer == now.placer, z3.Not(took)),
    ]
    if last_open != "end":
        ways.append(z3.And(now.pile <= 1, first == by_open, placer == now.seat, took))
    differs = z3.And(holds, z3.Or(ways), placer != NOBODY, first != 1 - placer)
    asked = solver(differs)
    holds_always = not possible(asked)
    ends = [s for s in reached(last_open, 5) if s.moment == "land" and s.placer != NOBODY]
    require(holds_always == all(s.first == 1 - s.placer for s in ends), "plain search says otherwise")
    bounds = f"a pile of {PILE}, any outcome of every draw, R_LAST_OPEN={last_open}"
    checked = "induction by z3; plain search over piles of 5 agrees; steps of the abstraction are checked along play"
    if holds_always:
        return Outcome(
            "proven", "the first field belongs to who did not place the last tile", bounds, checked, cases=len(ends)
        )
    bad = min((s for s in ends if s.first == s.placer), key=lambda s: (s.open, s.seat))
    return Outcome("refuted", "the player who placed the last tile of all also places the first field", bounds, checked,
                   {"placer": "AB"[bad.placer], "first": "AB"[bad.first], "open": bad.open},
                   cases=len(ends))  # fmt: skip


CLAIMS = (
    Claim("turn-has-action", "can a player in discovery always do something",
          ("FD-DISC-02", "FD-LAND-01", "FD-OPEN-04"),
          _turn_has_action, form="reachability"),
    *(
        Claim(f"first-field-{value}", f"does the first field always fall to who did not place the last tile ({value})",
              ("FD-LAND-05", "FD-LAND-06"), partial(_first_field, value), "R_LAST_OPEN", "reachability")
        for value in ("end", "play_A", "play_B")
    ),
)  # fmt: skip

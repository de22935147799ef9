"""Invariants of the phases of Fire & Axe: which fields stand when, and what a phase waits for."""

from __future__ import annotations

from lawspeaker.model.core.contract import facts

from . import voyage
from .actions import SEATS
from .position import WINTERING
from .stages import Found, Table
from .turns import NONE, can_respond, sits_out


def phase_fields(t: Table) -> Found:
    """I35: fields that belong to a phase stand in it and in no other."""
    p = t.position
    wrong = {
        "seat": (p.seat < 0) != (p.phase in ("flip", "over")),
        "turn": p.turn < 0 and p.phase not in ("flip", "deal"),
        "rolls": (p.rolls > 0) != ("raid" in (p.phase, p.back) or p.phase == "die") or p.rolls > 3,
        "dice": (p.dice > 0) != (p.phase == "dice"),
        "victim": (p.victim >= 0) != (p.phase == "drop"),
        "played": p.played >= 0 and p.phase not in ("drop", "deal"),
        "drawing": p.drawing > 0 and p.played < 0,
        "back": p.back != "main" and p.played < 0,
        "passes": (p.passes >= 0) != ("window" in (p.phase, p.back)),
        "offer": (p.offer != 0) and p.phase not in ("collect", "flip", "over"),
        "ended": (p.ended != "") != (p.phase == "over"),
    }
    if p.phase == "drop":
        wrong["played"] = p.played < 0
    if p.phase == "deal" and p.played >= 0:
        wrong["drawing"] = p.drawing == 0
    if p.phase == "collect":
        wrong["offer"] = p.offer == 0
    yield from (facts(phase=p.phase, field=field) for field, is_wrong in wrong.items() if is_wrong)
    own_turn = p.phase in ("main", "loss", "raid", "die", "dice", "treasure", "convert", "collect")
    drawn = p.phase == "deal" and p.turn >= 0 and p.back != "window"
    if (own_turn or drawn) and p.seat != p.turn:
        yield facts(phase=p.phase, seat=p.seat, turn=p.turn)


def setup(t: Table) -> Found:
    """I08: before the first turn all is as it was set up."""
    p = t.position
    if p.turn >= 0:
        return
    nothing = (0,) * t.n
    as_set_up = (
        set(p.places) == {WINTERING}
        and p.crew == p.axes == p.won == nothing
        and set(p.goods) == {-1} == set(p.settlers)
        and not any(any(cargo) for cargo in p.cargo)
        and p.prep == p.sailed == p.tasked == p.covered == p.pile == p.placed == 0
        and p.holder < 0
        and p.vp == t.game.law.starting_points(t.n)
        and p.chart_goods == NONE
    )
    if not as_set_up:
        yield facts(turn=None)
    early = any(p.hands) and p.phase == "flip"
    if early or any(hand.bit_count() > 1 for hand in p.hands):
        yield facts(hands=tuple(hand.bit_count() for hand in p.hands))
    if p.phase == "deal" and (p.hands[p.seat] or not all(p.hands[: p.seat])):
        yield facts(seat=SEATS[p.seat])


def losses(t: Table) -> Found:
    """I38: losses are taken while skulls are to be covered and anything is aboard."""
    p = t.position
    if p.phase != "loss":
        return
    due = voyage.losses_due(t.game, p)
    aboard = p.crew[p.turn] or any(p.cargo[p.turn])
    if not aboard or due <= p.covered or p.shelter or p.places[p.turn] == WINTERING:
        yield facts(due=due, covered=p.covered, shelter=p.shelter)


def window(t: Table) -> Found:
    """I42: in a window another seat is asked that could use a rune, under R_RUNE_TURN=any only."""
    p = t.position
    if p.passes < 0:
        return
    if not t.game.windows or p.seat == p.turn or p.passes >= t.n - 1:
        yield facts(passes=p.passes, seat=SEATS[p.seat])
    elif p.phase == "window" and not can_respond(t.game, p, p.seat):
        yield facts(seat=SEATS[p.seat], hand=p.hands[p.seat].bit_count())


def offered(t: Table) -> Found:
    """I44: what may be collected lies face up and is met; under R_COLLECT=auto nothing is offered."""
    p = t.position
    if p.offer and (t.game.collect == "auto" or p.offer & ~p.face or p.offer & ~t.met(p.offer)):
        yield facts(offer=t.saga_names(p.offer))
    if p.phase == "collect" and sits_out(t.game, p, p.turn) and p.places[p.turn] != WINTERING:
        yield facts(place=p.places[p.turn])

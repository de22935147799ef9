"""The checks of hidden and compound decisions find the fault each is for, planted in the game Hoards."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hoards import Hoards, Position, faulty, put
from msgspec.structs import replace

from lawspeaker.model.core.contract import OVER, Breach, facts
from lawspeaker.model.core.games import game_ids, make_game
from lawspeaker.model.core.play import sensible, steps
from lawspeaker.model.core.records import CheckRow
from lawspeaker.properties.checks import CHECKS
from lawspeaker.properties.playouts import run_playouts

REAL: Any = Hoards
NAMES = ("seen", "two-worlds", "commits", "compounds")


def row(game: Any, name: str, seeds: int = 6) -> CheckRow:
    dense = [replace(check, every=1) for check in CHECKS if check.id == name]
    return next(row for row in run_playouts(game, range(seeds), dense).rows if row.id == name)


def open_wagers(self: Any, p: Position, seat: int) -> Any:
    return {**REAL.observe(self, p, seat), "wagers": [list(w) for w in p.wagers]}


def open_sum(self: Any, p: Position, seat: int) -> Any:
    return {**REAL.observe(self, p, seat), "odd": bool(sum(p.cards) % 2)}


def told_cards(self: Any, p: Position, action: Any, by: int | None = None) -> Any:
    found = REAL.breaches(self, p, action, by)
    return tuple(Breach(b.clause, facts(seat=p.cards, what="")) if b.clause == "HD-TURN-01" else b for b in found)


def wary_march(self: Any, p: Position, action: Any, by: int | None = None) -> Any:
    found = REAL.breaches(self, p, action, by)
    rich = self.actor(p) == 0 and action[0] == "send" and p.cards[1:] > (3,)
    return found or ((Breach("HD-MARCH-01", facts(left=0)),) if rich and action[1] else ())


def greedy_worlds(self: Any, p: Position, seat: int, random: Random) -> Position:
    world = REAL.worlds(self, p, seat, random)
    return replace(world, cards=world.cards[:1] * len(world.cards))


def other_wagers(self: Any, p: Position, action: Any, by: int | None = None) -> Any:
    found = REAL.breaches(self, p, action, by)
    matched = action == ("wager", sum(p.wagers[0])) and self.turn(p) == ("wager", 1)
    return found or ((Breach("HD-WAGER-01", facts(card=0)),) if matched and action[1] else ())


def known_to_rich(self: Any, p: Position, action: Any) -> Any:
    if action[0] == "send":
        return (0, 1) if max(p.cards) < 5 else (self.actor(p),)
    return REAL.sees(self, p, action)


def losing_seats(self: Any, p: Position, action: Any) -> Any:
    return (1 - self.actor(p),) if action[0] == "send" else REAL.sees(self, p, action)


def shown_at_once(self: Any, p: Position, action: Any) -> Any:
    return (0, 1) if action[0] == "wager" else REAL.sees(self, p, action)


def last_open(self: Any, p: Position, action: Any) -> Any:
    return (0, 1) if REAL.reveals(self, p, action) else REAL.sees(self, p, action)


def late_sum(self: Any, p: Position, seat: int) -> Any:
    return open_sum(self, p, seat) if len(p.sent[0]) == 1 else REAL.observe(self, p, seat)


def same_world(self: Any, p: Position, seat: int, random: Random) -> Position:
    return p


def one_wager_if_none(self: Any, p: Position, action: Any) -> Position:
    after: Position = REAL.apply(self, p, action)
    return (
        replace(after, wagers=put(after.wagers, 0, (0, 0))) if action == ("wager", 0) and self.actor(p) == 0 else after
    )


def march_of_two(self: Any, p: Position, actions: Any) -> Any:
    text = REAL.compound(self, p, actions)
    return text and text.replace("3:1", "3:2")


FAULTS: dict[str, tuple[str, dict[str, Callable[..., Any]], str]] = {
    "a view of what is hidden": ("two-worlds", {"observe": open_wagers}, "the view of B differs"),
    "a view with something worked out": (
        "two-worlds",
        {"observe": open_sum},
        ", hidden from it: odd",
    ),
    "a view that tells for a moment": ("two-worlds", {"observe": late_sum}, "differs in another world: odd"),
    "words that tell": ("two-worlds", {"breaches": told_cards}, "is told of deal"),
    "a legal list that tells": (
        "two-worlds",
        {"breaches": wary_march},
        "the legal list of A depends on what is hidden",
    ),
    "worlds that cannot be": ("two-worlds", {"worlds": greedy_worlds}, "another world for A breaks HD-I1"),
    "seen or not by what is hidden": ("two-worlds", {"sees": known_to_rich}, "depends on what is hidden from it"),
    "what is turned up unsaid": (
        "two-worlds",
        {"reveals": lambda self, p, a: False, "sees": last_open},
        "`reveals` does not say",
    ),
    "a commit that ends another": ("two-worlds", {"apply": one_wager_if_none, "worlds": same_world}, "hidden from it"),
    "a commit that bounds the next": ("commits", {"breaches": other_wagers}, "what B may commit depends on wager"),
    "a commit in the open": ("commits", {"sees": shown_at_once}, "is a commit that others see"),
    "who does not see what it does": ("seen", {"sees": losing_seats}, "does not see send"),
    "nobody": ("seen", {"sees": lambda self, p, a: (0, 1, 2)}, "seats (0, 1, 2) see"),
    "no text": ("compounds", {"compound": lambda self, p, a: None}, "is a whole compound decision without a text"),
    "a text of something else": ("compounds", {"compound": march_of_two}, "does not stand for send"),
    "a text too early": ("compounds", {"compound": lambda self, p, a: "march"}, "there is a compound text before"),
    "an action that is none": ("compounds", {"parse": lambda self, text: ("send", 0)}, "is read as an action"),
    "an action read as compound": (
        "compounds",
        {"expand": lambda self, p, t: _any(self, p, t)},
        "read as a compound text",
    ),
    "a decision that never ends": ("compounds", {"inside": lambda self, p: len(p.cards) > 0}, "goes on with"),
}


def _any(game: Any, position: Position, text: str) -> Any:
    return (game.parse(text),) if text.startswith("send") else REAL.expand(game, position, text)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_check_finds_its_fault(fault: str) -> None:
    name, methods, said = FAULTS[fault]
    found = row(faulty(**methods), name)
    assert found.verdict == "fail" and said in found.said


@pytest.mark.parametrize("name", [check.id for check in CHECKS])
def test_a_check_passes_where_much_is_hidden(name: str) -> None:
    found = row(Hoards(), name, 20)
    assert (found.verdict, found.said) == ("pass", "")


def test_a_game_that_hides_and_knows_no_other_world_is_found() -> None:
    plain: Any = type("Plain", (Hoards,), {"worlds": super(Hoards, Hoards()).worlds.__func__})
    assert "knows no other world" in row(plain(), "seen").said


@pytest.mark.parametrize("game_id", game_ids())
def test_where_something_is_hidden_other_worlds_are_drawn(game_id: str) -> None:
    game = make_game(game_id)
    hidden, other = set[int](), set[int]()
    for number, step in enumerate(steps(game, 4, sensible, limit=400)):
        for seat in range(len(game.seats)):
            hidden |= {seat} - set(game.sees(step.before, step.action))
            if game.actor(step.after) != OVER and game.worlds(step.after, seat, Random(number)) != step.after:
                other.add(seat)
    assert other == hidden

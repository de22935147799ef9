"""Records that no play of Fjords leads to are refused; those from play are not (see properties)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import sensible, steps

OTHER = {"A": "B", "B": "A"}
Change = Callable[[dict[str, Any]], object]


@cache
def fjords(ruling: str = "") -> AnyGame:
    book = room("fjords").catalogue.book
    return make_game("fjords", None, book.parse([ruling] if ruling else []))


@cache
def _seen() -> dict[str, tuple[Any, int]]:
    """The last position of each phase of round 2 of one game."""
    found: dict[str, Any] = {"start": fjords().start()}
    for step in steps(fjords(), 3, sensible):
        if step.after.round == 2 or step.after.phase == "over":
            found.setdefault(step.after.phase, step.after)
        if len(step.after.board) == 20:
            found["mid " + step.after.phase] = step.after
    return found


def record(name: str) -> dict[str, Any]:
    return fjords().record(_seen()[name])


def broken(plain: dict[str, Any], ruling: str = "") -> set[str]:
    game = fjords(ruling)
    return {breach.clause for breach in game.broken_invariants(game.position(plain))}


IMPOSSIBLE: dict[str, tuple[str, Change, str]] = {
    "start, tiles missing": ("start", lambda r: r["pile"].pop(), "I01"),
    "start, a tile open": ("start", lambda r: r["open"].append(r["pile"].pop()), "I33"),
    "start, somebody placed": ("start", lambda r: r.update(placer="A"), "I33"),
    "start, though the round before had a loser": ("start", lambda r: r.update(round=2, points=[[5, 3]]), "I33"),
    "the winner begins": ("choose", lambda r: r.update(starter=OTHER[r["starter"]], seat=OTHER[r["seat"]]), "I31"),
    "who placed last is on turn": ("mid drawn", lambda r: r.update(placer=r["seat"]), "I34"),
    "a farm on another's tile": ("farm", lambda r: r.update(placer=OTHER[r["seat"]]), "I34"),
    "a farm on a start tile": ("farm", lambda r: r.update(last=r["board"][0][:2]), "I33"),
    "nobody can place a field": ("land", lambda r: r.update(farms={"A": [], "B": []}), "I33"),
    "over in round 2": ("over", lambda r: r.update(round=2, points=r["points"][1:]), "I33"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_position_that_cannot_be_is_named(name: str) -> None:
    phase, change, invariant = IMPOSSIBLE[name]
    plain = record(phase)
    assert broken(plain) == set()
    change(plain)
    assert invariant in broken(plain)


def test_nobody_is_asked_about_or_told_of_a_place_that_is_not_there() -> None:
    game, plain = fjords("R_PLAYABLE=subjective"), record("mid drawn")
    here = game.position(plain)
    tile = next(t for t in plain["pile"] if not game.places(here, game.tables.numbers[t]))  # type: ignore[attr-defined]
    plain["pile"][plain["pile"].index(tile)] = plain["drawn"]
    plain["drawn"] = tile
    assert broken(plain, "R_PLAYABLE=subjective") == set()
    assert broken({**plain, "told": True}, "R_PLAYABLE=subjective") == {"I33"}
    assert broken({**plain, "phase": "window"}, "R_PLAYABLE=subjective") == {"I33"}


@pytest.mark.parametrize("cell", [[0, 257], [-129, -3], [10**30, 0]])
def test_the_last_cell_lies_on_the_grid(cell: list[int]) -> None:
    with pytest.raises(BadInput, match=r"\$\.last"):
        fjords().position({**record("farm"), "last": cell})

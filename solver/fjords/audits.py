"""Checks along play that the abstractions and assumptions behind the claims are those of the game."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Step, steps
from lawspeaker.model.core.records import CheckRow
from lawspeaker.model.fjords import actions as act
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.model.fjords.position import Position

from .policies import policy_for
from .reach import NOBODY, Abstract, successors


def abstract(position: Position, first: int = NOBODY) -> Abstract | None:
    """Return the abstraction of a position of discovery; None where it has none of its own.

    A tile that is being drawn or talked about counts as drawn.
    """
    moments = {"choose": "choose", "drawn": "drawn", "farm": "farm", "land": "land"}
    if position.phase not in moments:
        return None
    placer = position.placer if position.placer >= 0 else NOBODY
    in_farm = position.phase == "farm"
    return Abstract(
        moments[position.phase], position.pile.bit_count(), position.open.bit_count(),
        position.seat, placer, in_farm and position.from_pile, position.set_aside, first,
    )  # fmt: skip


def follows(game: FjordsGame, before: Position, after: Position, starter: int) -> bool:
    """Say whether the abstraction allows what lies between two positions of discovery.

    The model passes over the decision about a farm where no farm can go, so two abstract steps may
    stand for one of the game's.
    """
    now, then = abstract(before), abstract(after)
    if now is None or then is None:
        return False
    reach = set(successors(now, starter, game.last_open))
    reach |= {two for one in reach if one.moment == "farm" for two in successors(one, starter, game.last_open)}
    return any(_same(one, then, after) for one in reach)


def _same(one: Abstract, then: Abstract, after: Position) -> bool:
    if one.moment != then.moment or (one.pile, one.open, one.placer) != (then.pile, then.open, then.placer):
        return False
    if one.moment == "land":
        return one.first == after.first
    return one.seat == then.seat and one.aside == then.aside and one.from_pile == then.from_pile


def abstraction_rows(game: AnyGame, seeds: Iterable[int]) -> list[CheckRow]:
    """Return whether every step of discovery in these games is a step of the abstraction.

    Played under each value of R_LAST_OPEN and R_PLAYABLE; R_DRAWN=switch is outside the abstraction.
    """
    assert isinstance(game, FjordsGame)
    book = game.catalogue.book
    wrong, times = "", 0
    choices = [{"R_LAST_OPEN": value} for value in book["R_LAST_OPEN"].values] + [{"R_PLAYABLE": "subjective"}]
    for seed in seeds:
        for number, chosen in enumerate(choices):
            varied = game.varied(rulings=book.choose(chosen))
            known: Position | None = None
            for step in steps(varied, seed, policy_for("", seed + number)):
                if step.before.phase in ("choose", "drawn", "farm"):
                    known = step.before
                if known is None or not _lands(step):
                    continue
                times += 1
                if not follows(varied, known, step.after, known.starter) and not wrong:
                    wrong = f"seed {seed}, {varied.rulings.text()}: {varied.text(step.action)}"
                known = None
    row = CheckRow(
        game.id, "audit-abstract-discovery", "each step of discovery is a step of the abstraction of the claims",
        "fail" if wrong or not times else "pass", times, wrong,
    )  # fmt: skip
    return [row]


def _lands(step: Step) -> bool:
    """Say whether a step ends in a moment that the abstraction knows, within the same round."""
    before, after = step.before, step.after
    if before.phase == "land" or before.round != after.round or after.phase in ("deal", "window", "over"):
        return False
    return not isinstance(step.action, (act.Start, act.Object))

"""Each general check finds the fault it is for, planted in a copy of Fjords."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from lawspeaker.model.core.contract import CHANCE, Breach, Effect, Result
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.records import CheckRow
from lawspeaker.model.fjords import actions as act
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.properties.checks import CHECKS, checks_of
from lawspeaker.properties.playouts import run_playouts

GAME = make_game("fjords")
assert isinstance(GAME, FjordsGame)
REAL: Any = FjordsGame


def faulty(**methods: Callable[..., Any]) -> Any:
    """Fjords with some methods replaced."""
    kind: Any = type("Faulty", (FjordsGame,), methods)
    return kind(GAME.catalogue, GAME.pack, GAME.rulings, GAME.law)


def rows(game: Any, name: str, limit: int = 150) -> CheckRow:
    dense = [replace(check, every=min(check.every, 5)) for check in CHECKS if check.id == name]
    report = run_playouts(game, [3], dense, limit=limit)
    return next(row for row in report.rows if row.id == name)


def stale_spots(self: Any, position: Any, action: Any) -> Any:
    after = REAL.apply(self, position, action)
    return replace(after, spots=after.spots[1:]) if after.phase == "farm" else after


def lossy_record(self: Any, position: Any) -> Any:
    return {**REAL.record(self, position), "set_aside": False, "told": False, "placer": None}


def later_record() -> Callable[..., Any]:
    asked = [0]

    def record(self: Any, position: Any) -> Any:
        asked[0] += 1
        return {**REAL.record(self, position), "round": 1 + asked[0] // 7}

    return record


def drifting_apply() -> Callable[..., Any]:
    asked = [0]

    def apply(self: Any, position: Any, action: Any) -> Any:
        asked[0] += 1
        return replace(REAL.apply(self, position, action), told=asked[0] % 3 == 0)

    return apply


def only_first(self: Any, position: Any) -> Any:
    actions = REAL.legal(self, position)
    return actions[:1] if position.phase == "drawn" else actions


def with_stop(self: Any, position: Any) -> Any:
    return (act.STOP, *REAL.legal(self, position))


FAULTS: dict[str, tuple[str, dict[str, Callable[..., Any]]]] = {
    "a stale cache": ("record", {"apply": stale_spots}),
    "a record that forgets": ("record", {"record": lossy_record}),
    "a position that changes": ("untouched", {"record": later_record()}),
    "an outcome that depends on more": ("repeats", {"apply": drifting_apply()}),
    "an action offered twice": ("legal-list", {"legal": lambda self, p: REAL.legal(self, p) + REAL.legal(self, p)[:1]}),
    "one text for two actions": ("texts", {"text": lambda self, a: REAL.text(self, a)[:5]}),
    "a text of another action": ("texts", {"parse": lambda self, t: REAL.parse(self, t.replace("r1", "r2"))}),
    "an illegal action offered": ("legal-law", {"legal": with_stop}),
    "legal actions missing, in full": ("legal-law-full", {"legal": only_first}),
    "a law that forbids nothing": ("legal-law", {"breaches": lambda self, p, a, by=None: ()}),
    "a breach of no clause": ("legal-law", {"breaches": lambda self, p, a, by=None: (Breach("FD-NONE-01"),)}),
    "everybody may act": ("other-seats", {"breaches": lambda self, p, a, by=None: REAL.breaches(self, p, a)}),
    "effects short of one": ("effects", {"effects": lambda self, p, a: REAL.effects(self, p, a)[1:]}),
    "an effect without facts": ("effects", {"effects": lambda self, p, a: _bare(REAL.effects(self, p, a))}),
    "odds over one": ("odds", {"odds": lambda self, p: (Fraction(1, 2),) * len(REAL.odds(self, p))}),
    "an unseen seat": ("odds", {"sees": lambda self, p, o: (0, 1, 2)}),
    "scores that do not add up": ("result", {"result": lambda self, p: _more(REAL.result(self, p))}),
    "winners before the end": ("result", {"result": lambda self, p: replace(REAL.result(self, p), winners=(0,))}),
}


def _bare(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    return tuple(Effect(effect.clause) for effect in effects)


def _more(result: Result) -> Result:
    return replace(result, scores=(result.scores[0] + 1, result.scores[1]))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_check_finds_its_fault(fault: str) -> None:
    name, methods = FAULTS[fault]
    row = rows(faulty(**methods), name)
    assert row.verdict in ("fail", "error"), row
    assert row.said and "never ran" not in row.said


@pytest.mark.parametrize("name", [check.id for check in CHECKS])
def test_a_check_passes_on_the_model(name: str) -> None:
    assert rows(GAME, name, limit=50).verdict == "pass"


def test_views_that_know_more_than_the_position_are_found() -> None:
    asked = [0]

    def observe(self: Any, position: Any, seat: int) -> Any:
        asked[0] += 1
        return {**REAL.observe(self, position, seat), "asked": asked[0]}

    assert rows(faulty(observe=observe), "views").verdict == "fail"


def test_an_invariant_broken_along_play_is_found() -> None:
    def apply(self: Any, position: Any, action: Any) -> Any:
        after = REAL.apply(self, position, action)
        return replace(after, pile=after.pile & (after.pile - 1)) if after.phase == "drawn" else after

    assert rows(faulty(apply=apply), "invariants").verdict == "fail"


def test_a_model_that_raises_ends_as_an_error_row_not_as_a_traceback() -> None:
    def apply(self: Any, position: Any, action: Any) -> Any:
        if position.phase == "farm":
            raise IndexError("planted")
        return REAL.apply(self, position, action)

    report = run_playouts(faulty(apply=apply), [0], CHECKS[:2])
    last = report.rows[-1]
    assert (last.id, last.verdict) == ("playout", "error")
    assert "planted" in last.said
    assert not report.green


def test_every_check_has_its_own_id_and_a_title() -> None:
    checks = checks_of(GAME)
    assert len({check.id for check in checks}) == len(checks)
    assert all(check.title for check in checks)


def test_the_actor_of_chance_is_no_seat() -> None:
    assert GAME.actor(GAME.start()) == CHANCE

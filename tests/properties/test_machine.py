"""The state machine plays every kind of action, and finds what is wrong."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.games import make_game
from lawspeaker.model.fjords.game import FjordsGame
from lawspeaker.properties.machine import STEPS, GameMachine, machine_for

GAME: Any = make_game("fjords")
BOOK = GAME.catalogue.book
SHORT = 12  # steps are enough from a drawn position
USUAL = {"start", "draw", "deal", "place", "open", "aside", "farm", "nofarm", "field"}
RULES = {"(refuse)", "(load)", "(undo)", "(look)"}


def run(machine: type[GameMachine], examples: int | None = None, steps: int = STEPS, **more: Any) -> None:
    """Run a machine with the profile's number of examples and the usual steps, or with others."""
    count = examples or settings().max_examples
    run_state_machine_as_test(
        machine, settings=settings(max_examples=count, stateful_step_count=steps, report_multiple_bugs=False, **more)
    )


def test_the_machine_finds_nothing_and_plays_every_kind() -> None:
    machine = machine_for([GAME])
    run(machine)
    assert {name for name in USUAL | RULES if not machine.counts[name]} == set()


def test_the_machine_plays_the_kinds_of_other_readings() -> None:
    choices = [["R_PLAYABLE=subjective"], ["R_PLAYABLE=subjective", "R_LAST_OPEN=play_B"], ["R_LAND=closed"]]
    games: list[AnyGame] = [GAME.varied(rulings=BOOK.parse(words)) for words in choices]
    machine = machine_for(games)
    run(machine, settings().max_examples // 2)
    assert {name for name in ("object", "silent", "field", "farm") if not machine.counts[name]} == set()


def stale_reach(self: Any, position: Any, action: Any) -> Any:
    """Forget what a field reaches: its neighbours are missing from then on."""
    after = FjordsGame.apply(self, position, action)
    return replace(after, near=position.near) if position.phase == after.phase == "land" else after


def law_by_half(self: Any, position: Any, action: Any, by: int | None = None) -> Any:
    """Find no fault with any placement."""
    return () if self.kind(action) in ("place", "open") else FjordsGame.breaches(self, position, action, by)


FAULTS: dict[str, dict[str, Callable[..., Any]]] = {"cache": {"apply": stale_reach}, "law": {"breaches": law_by_half}}


def faulty(fault: str) -> type[GameMachine]:
    kind: Any = type("Faulty", (FjordsGame,), dict(FAULTS[fault]))
    return machine_for([kind(GAME.catalogue, GAME.pack, GAME.rulings, GAME.law)], checks=lambda game: ())


@pytest.mark.parametrize("fault", FAULTS)
def test_the_machine_finds_a_planted_fault(fault: str) -> None:
    with pytest.raises(AssertionError):
        run(faulty(fault), 60, SHORT, phases=[Phase.generate])


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_shrinks_to_a_single_step_from_a_position(fault: str) -> None:
    with pytest.raises(AssertionError) as caught:
        run(faulty(fault), 60, SHORT)
    steps = [line for line in caught.value.__notes__ if "state." in line]
    assert sum(line.count("state.") for line in steps) <= 4  # set-up, at most two steps, teardown

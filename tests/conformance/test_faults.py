"""Planted faults: mutants are real, the checks catch them and never the right game, and each check matters."""

from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from lawspeaker.commands import faults as command_module
from lawspeaker.conformance import compare, fjords_faults, match
from lawspeaker.conformance.fault_runs import equivalent, examine, quantile, witnessed
from lawspeaker.conformance.faults import Fault, Site, Suite, catch, draw
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.mutation import mutations
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room

GAME = make_game("fjords")
HAND = {fault.id: fault for fault in fjords_faults.by_hand()}
ALL = HAND | {fault.id: fault for fault in fjords_faults.mechanical()}
WITNESSES = sorted((Path(__file__).parents[2] / "conformance" / "witnesses" / "fjords").glob("*.trace"))
RIGHT = Fault("right", "", "", "", "no fault at all", lambda game: game.varied())


@pytest.fixture(scope="module")
def suite():
    """Return one suite per set of layers, without the other rulings."""

    @cache
    def only(*layers):
        return Suite(GAME, 0, fjords_faults.fixtures, layers, searched=1, readings=False)

    return only


def strict(places, told):
    """A function to be mutated."""
    return not told and (places > 2 or places == 0)


def test_mutants_differ_from_their_function_and_say_how():
    made = mutations(strict)
    assert {"M01", "M04", "M05", "M48", "M69", "M71"} <= {m.operator for m in made}
    dropped = next(m for m in made if "drops 'not told'" in m.what)
    assert dropped.function(0, True) is True and strict(0, True) is False
    loose = next(m for m in made if "becomes 'places >= 2'" in m.what)
    assert loose.function(2, False) is True and strict(2, False) is False


def counting(values):
    """A function with a loop that must stay as it is."""
    found = 0
    while values:
        values = values[1:]
        found += 1
    return found


def test_loops_are_left_alone_so_that_no_mutant_hangs():
    for mutant in mutations(counting, updates=True):
        assert "values" not in mutant.what or "while" not in mutant.what
        assert mutant.function([1, 2]) in (1, 2, 3)


def test_a_draw_goes_through_the_classes_in_turn_and_depends_on_the_seed_alone():
    pool = fjords_faults.mechanical()
    classes = {fault.fault_class for fault in pool}
    drawn = draw(pool, 5, 2 * len(classes))
    assert drawn == draw(pool, 5, 2 * len(classes))
    assert drawn != draw(pool, 6, 2 * len(classes))
    assert set(Counter(f.fault_class for f in drawn)) == classes
    assert max(Counter(f.fault_class for f in drawn).values()) <= 3


def test_there_are_many_faults_of_many_classes_with_clauses_of_the_catalogue():
    assert len(HAND) >= 25 and len(ALL) == len(HAND) + len(fjords_faults.mechanical())
    assert len({fault.fault_class for fault in HAND.values()}) >= 12
    assert all(fault.clause in GAME.catalogue for fault in ALL.values())


def test_the_right_game_is_never_caught(suite):
    assert catch(RIGHT, suite("setup", "fixtures", "views", "undo", "save"), longer=False) is None


@pytest.mark.parametrize(
    ("layer", "name"),
    [
        ("setup", "canary"), ("setup", "stale-spot"), ("setup", "open-anywhere"), ("setup", "next_player-00"),
        ("setup", "lists-twice"), ("setup", "data-edge"), ("fixtures", "tie-one"), ("views", "shows-next"),
        ("undo", "undo-keeps-open"), ("save", "save-loses-flag"),
    ],
)  # fmt: skip
def test_a_fault_is_caught_with_a_witness_that_tells_it_from_the_game(suite, layer, name):
    row = examine(ALL[name], suite(layer), fjords_faults.DOMAINS, longer=False)
    assert row.outcome == "caught" and row.layer == layer and row.actions_to_catch > 0
    assert row.fault_class == ALL[name].fault_class
    assert witnessed(ALL[name], row.witness, GAME)
    assert not witnessed(RIGHT, row.witness, GAME)


def test_a_fault_that_the_layers_do_not_meet_is_found_by_the_longer_search(suite):
    quick = suite("views")
    assert catch(HAND["tie-first"], quick, longer=False) is None
    assert catch(ALL["farm_supply-00"], quick, longer=False) is None
    found = catch(ALL["farm_supply-00"], quick)
    assert found is not None and found.layer == "play, longer"


@pytest.mark.parametrize("path", WITNESSES, ids=lambda path: path.stem)
def test_a_stored_witness_still_tells_the_fault_from_the_game(path):
    assert witnessed(ALL[path.stem], path.read_text(encoding="utf-8"), GAME)


def test_equivalence_is_proved_by_enumeration_only():
    domains = {"strict": lambda: ((places, told) for places in range(7) for told in (False, True))}
    same = Site("strict", strict, lambda places, told: (not told) and places not in (1, 2))
    other = Site("strict", strict, lambda places, told: places not in (1, 2))
    assert equivalent(same, domains) == 14
    assert equivalent(other, domains) == 0
    assert equivalent(same, {}) == 0


def test_a_survivor_that_differs_in_play_is_missed_not_excused(suite):
    rule = GAME.law.rules["next_player"].function
    harmless = Fault(
        "odd", "M64", "ORD", "FD-DISC-01", "changed, but never asked for its change", lambda game: game.varied(),
        site=Site("next_player", rule, lambda seat: seat),
    )  # fmt: skip
    assert examine(harmless, suite("views"), {}, longer=False).outcome == "missed"
    alike = Fault("alike", "", "", "", "", lambda game: game.varied(), site=Site("next_player", rule, rule))
    assert examine(alike, suite("views"), {}, longer=False).outcome == "unreachable"


def test_without_the_comparison_of_lists_the_canary_lives(suite, monkeypatch):
    assert catch(HAND["canary"], suite("views"), longer=False) is not None
    monkeypatch.setattr(compare, "_compare_legal", lambda expected, listed, caps: [])
    assert catch(HAND["canary"], suite("views"), longer=False) is None


def test_without_one_viewer_a_fault_of_his_view_lives(suite, monkeypatch):
    assert catch(HAND["own-farms-lost"], suite("views"), longer=False) is not None
    look = match.Match._view
    monkeypatch.setattr(match.Match, "_view", lambda self, seat: look(self, seat) if seat == "A" else None)
    assert catch(HAND["own-farms-lost"], suite("views"), longer=False) is None


def test_without_the_comparison_after_loading_a_fault_of_saving_lives(suite, monkeypatch):
    assert catch(HAND["save-loses-flag"], suite("save"), longer=False) is not None
    monkeypatch.setattr(match, "compare", lambda *given: ())
    assert catch(HAND["save-loses-flag"], suite("save"), longer=False) is None


def test_without_the_digest_in_what_is_asked_for_a_fault_of_the_state_lives(suite, monkeypatch):
    assert catch(HAND["stale-flag"], suite("setup"), longer=False) is not None
    monkeypatch.setattr(match, "wanted", lambda caps: ("legal", "result"))
    assert catch(HAND["stale-flag"], suite("setup"), longer=False) is None


def test_quantiles_are_values_that_occur():
    assert quantile([], 50) == 0
    assert quantile([4, 1, 3, 2], 50) == 2
    assert quantile(list(range(1, 101)), 95) == 95


def test_the_command_prints_its_table_and_its_exit_code():
    result = CliRunner().invoke(command_module.command, ["fjords", "--only", "canary", "--only", "tie-one"],
                                standalone_mode=False)  # fmt: skip
    assert result.return_value == 0
    assert "2 of 2 faults that can show were caught" in result.output
    assert "caught by fixtures" in result.output


@pytest.mark.parametrize(("words", "said"), [
    (["fjords", "--only", "nothing"], "unknown fault 'nothing'"), (["chess"], "unknown game"),
])  # fmt: skip
def test_the_command_says_what_is_wrong(words, said):
    with pytest.raises(BadInput, match=said):
        CliRunner().invoke(command_module.command, words, standalone_mode=False, catch_exceptions=False)


@pytest.mark.deep
def test_every_fault_of_three_draws_is_caught_or_sorted():
    rows = []
    for seed in range(3):
        full = Suite(GAME, seed, fjords_faults.fixtures)
        faults = (*fjords_faults.by_hand(), *draw(fjords_faults.mechanical(), seed, 40))
        rows += [examine(fault, full, fjords_faults.DOMAINS) for fault in faults]
    assert not [row.id for row in rows if row.outcome == "missed" and not row.mechanical]
    assert sum(row.outcome == "caught" for row in rows) > 0.8 * len(rows)


def test_a_subject_that_says_yes_to_a_ruling_and_plays_another_fails() -> None:
    """A divergence that another reading explains is no excuse for who was told which reading to follow."""
    game = make_game("fjords")
    deaf = next(fault for fault in fjords_faults.by_hand() if fault.id == "amb-two")
    told = conform(game, lambda: InProcessSubject(Session(deaf.build(game), room("fjords"))), budget=SMALL)
    assert told.exit_code == 1
    assert {case.explained_by for case in told.failures} == {"R_TWO=exactly"}
    silent = msgspec.structs.replace(FULL, options=False)
    untold = conform(game, lambda: InProcessSubject(Session(deaf.build(game), offered=silent)), budget=SMALL)
    assert untold.exit_code == 0
    assert "another reading" in {case.verdict for case in untold.cases}

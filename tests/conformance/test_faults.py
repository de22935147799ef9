"""Planted faults: mutants are real, the checks catch them and never the right game, and each check matters."""

import sys
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from msgspec import structs

from lawspeaker.commands import faults as command_module
from lawspeaker.conformance import compare, explain, fjords_faults, match, northmen_faults, planted
from lawspeaker.conformance.fault_runs import equivalent, examine, quantile, witnessed
from lawspeaker.conformance.faults import Fault, Site, Suite, catch, draw, first_difference
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.match import Link
from lawspeaker.conformance.mutation import mutations
from lawspeaker.conformance.planting import with_rule
from lawspeaker.conformance.process import ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.second_order import fit, together
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import steps, uniform
from lawspeaker.model.core.records import CheckRow

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
    lines = result.output.splitlines()
    assert {"caught  fixtures  setup", "TIE            1      .", "LEG-           .      1"} <= set(lines)
    assert "2 of 2 faults that can show were caught (100.0 %), 2 of them by the layers alone" in result.output
    for said in ("operations until caught", "calls until caught", "calls to shrink", "actions after shrinking"):
        assert any(line.startswith(f"{said}: median ") and ", 95th percentile " in line for line in lines)


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
    short = {"budget": SMALL, "layers": ("setup",)}
    told = conform(game, lambda: InProcessSubject(Session(deaf.build(game), room("fjords"))), **short)
    assert told.exit_code == 1
    assert {case.explained_by for case in told.failures} == {"R_TWO=exactly"}
    silent = msgspec.structs.replace(FULL, options=False)
    untold = conform(game, lambda: InProcessSubject(Session(deaf.build(game), offered=silent)), **short)
    assert untold.exit_code == 0
    assert "another reading" in {case.verdict for case in untold.cases}


# -- second order, several processes, pipes --------------------------------------------------------------

GAMES = {"fjords": fjords_faults, "northmen": northmen_faults}


@pytest.mark.parametrize("game", GAMES)
def test_as_many_mutants_as_variants_by_hand_and_pairs_are_drawn_by_seed_alone(game):
    faults = planted.chosen(game, 3, None, 12)
    single, pairs = [f for f in faults if not f.parts], [f for f in faults if f.parts]
    assert sum(f.mechanical for f in single) >= len(single) / 2 >= 50
    assert [f.id for f in faults] == [f.id for f in planted.chosen(game, 3, None, 12)]
    assert [f.id for f in pairs] != [f.id for f in planted.chosen(game, 4, None, 12) if f.parts]
    classes = Counter(f.fault_class for f in pairs)
    assert len(pairs) == 12 and min(classes["END"], classes["PATH"]) >= 3


@pytest.mark.parametrize("game", GAMES)
def test_every_class_of_fault_is_planted_in_each_game(game):
    found = {f.fault_class for f in GAMES[game].by_hand()}
    assert len(found) == 22 and found == {f.fault_class for f in planted.chosen(game, 0, None, 0)}


def test_a_pair_has_both_faults_and_neither_puts_the_other_out():
    one, two = ALL["stale-flag"], ALL["open-stays"]
    built = together(one, two).build(GAME)
    for part in (one, two):
        kind = part.build.kind
        for name in part.changes:
            assert name in vars(kind) and isinstance(built, kind)
    assert together(one, ALL["next_player-00"]).build(GAME).law.next_player(0) == 0
    assert together(ALL["next_player-00"], one).build(GAME).law.next_player(0) == 0
    assert not fit(one, one) and not fit(ALL["next_player-00"], ALL["next_player-00"])
    same = [fault for fault in ALL.values() if fault.changes == one.changes and fault is not one]
    assert same and not any(fit(one, fault) for fault in same)
    assert not fit(ALL["lists-stop"], ALL["lists-twice"])


def test_one_fault_can_hide_the_other():
    """Who sets aside the last tile goes second, and the order of turns is wrong too: twice wrong is right."""
    witness = examine(ALL["next_player-00"], Suite(GAME, 0, fjords_faults.fixtures, ("setup",)), {}, longer=False)
    swapped = Fault("back", "M64", "ORD", "FD-DISC-01", "turned back", with_rule("next_player", lambda seat: 1 - seat))
    assert witnessed(ALL["next_player-00"], witness.witness, GAME)
    both = Fault("both", "", "", "", "", lambda game: swapped.build(ALL["next_player-00"].build(game)))
    assert not witnessed(both, witness.witness, GAME)


def test_a_pair_that_survives_is_excused_only_if_both_parts_are(suite):
    rule = GAME.law.rules["next_player"].function
    alike = Fault("alike", "", "", "", "", lambda game: game.varied(), site=Site("next_player", rule, rule))
    again = Fault("again", "", "", "", "", lambda game: game.varied(), site=Site("next_starter", rule, rule))
    changed = Site("next_player", rule, lambda seat: seat)
    other = Fault("other", "", "", "", "", lambda game: game.varied(), site=changed)
    assert examine(together(alike, again), suite("views"), {}, longer=False).outcome == "unreachable"
    assert examine(together(alike, other), suite("views"), {}, longer=False).outcome == "missed"


def test_names_of_pairs_are_read_and_wrong_ones_refused():
    assert planted.fault_named("fjords", "canary+tie-one").parts == (HAND["canary"], HAND["tie-one"])
    for wrong in ("canary+canary", "canary+tie-one+tie-first", "canary+nothing"):
        with pytest.raises(BadInput):
            planted.fault_named("fjords", wrong)


def test_several_processes_print_the_same_bytes():
    words = ["fjords", "--only", "canary+tie-one", "--only", "canary", "--only", "tie-one", "--json"]
    printed = [
        CliRunner().invoke(command_module.command, [*words, "--jobs", jobs], standalone_mode=False).output
        for jobs in ("1", "2")
    ]
    assert printed[0] == printed[1] and '"shrink_calls"' in printed[0]


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in GAMES for name in planted.SAMPLE[game]])
def test_over_a_pipe_a_fault_is_caught_by_the_same_with_the_same_witness(game, name):
    fault = planted.fault_named(game, name)
    right = make_game(game)
    one = Suite(right, 0, lambda *given: iter(()), ("setup", "undo", "save"), searched=1, readings=False)
    words = [sys.executable, "-m", "lawspeaker.conformance.planted", game, name]
    piped = Link(lambda: ProcessSubject(words), game)
    try:
        for layer in one.layers:
            inside = first_difference(fault.link(right), right, one.lines(layer))
            outside = first_difference(piped, right, one.lines(layer))
            assert outside == inside
            if inside[0] is not None:
                break
        assert inside[0] is not None
        assert explain.trace_text(right, outside[0].line) == explain.trace_text(right, inside[0].line)
    finally:
        piped.close()


@pytest.mark.parametrize("game", GAMES)
def test_reasons_are_given_for_mutants_that_there_are(game):
    assert set(GAMES[game].REASONS) <= {fault.what for fault in GAMES[game].mechanical()}


def test_an_invariant_forbids_what_a_reason_says_cannot_be():
    """A turn that goes on with an empty pile needs a tile that may be taken; while there is a deck the row is full."""
    start = next(s.before for s in steps(GAME, 0, uniform) if s.before.phase == "choose" and s.before.open)
    assert not GAME.broken_invariants(start)
    assert GAME.broken_invariants(structs.replace(start, pile=0, open=start.pile | start.open, set_aside=False))
    game = make_game("northmen")
    play = next(s.before for s in steps(game, 0, uniform) if s.before.phase == "play")
    ids = {b.clause for b in game.broken_invariants(structs.replace(play, row=0, deck=play.deck | play.row))}
    assert "I06" in ids
    deal = next(s.before for s in steps(game, 0, uniform) if s.before.phase == "routes")
    under = tuple((route, 0) for route in range(20) if deal.route_deck >> route & 1)
    assert game.broken_invariants(structs.replace(deal, route_deck=0, route_bottom=under))


@pytest.mark.parametrize(("verdict", "code", "said"), [("pass", 0, "1 of 1 checks"), ("fail", 1, "0 of 1 checks")])
def test_the_command_checks_the_harness(verdict, code, said, monkeypatch):
    row = CheckRow("fjords", "harness setup/step: digest", "a false step: digest is noticed", verdict, 2, "not in [3]")
    monkeypatch.setattr(command_module, "self_test", lambda game, place, seed: (row,))
    result = CliRunner().invoke(command_module.command, ["fjords", "--harness"], standalone_mode=False)
    assert result.return_value == code
    assert f"{said} of the harness hold; 2 false answers were given" in result.output
    assert ("fail: harness setup/step: digest: a false step: digest is noticed: not in [3]" in result.output) == code

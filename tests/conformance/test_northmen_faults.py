"""Planted faults of Northmen: caught with two, three and four players, and never where there is none."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawspeaker.commands import faults as command_module
from lawspeaker.conformance import northmen_faults, northmen_fixtures
from lawspeaker.conformance.fault_runs import examine, players_of, witnessed
from lawspeaker.conformance.faults import Fault, Site, Suite, catch, draw
from lawspeaker.model.core.games import make_game

GAMES = {n: make_game("northmen", players=n) for n in (2, 3, 4)}
HAND = {fault.id: fault for fault in northmen_faults.by_hand()}
ALL = HAND | {fault.id: fault for fault in northmen_faults.mechanical()}
WITNESSES = sorted((Path(__file__).parents[2] / "conformance" / "witnesses" / "northmen").glob("*.trace"))
UNSEEN = {"next_region-m18": "the seat that a march leaves behind is set anew by what always follows it"}
"""Mutants that change what a method returns and nothing that can be seen; why not."""
RIGHT = Fault("right", "", "", "", "no fault at all", lambda game: game.varied())


@cache
def lines(players, seed=0):
    """Return the crafted positions of two playouts."""
    return tuple(northmen_faults.fixtures(GAMES[players], seed, 2))


@cache
def suite(players, *layers):
    """Return a suite of some layers, its fixtures from two playouts, without the other rulings."""
    return Suite(GAMES[players], 0, lambda game, seed, games: lines(players), layers, searched=1, readings=False)


def test_there_are_many_faults_of_many_classes_with_clauses_of_the_catalogue():
    classes = Counter(fault.fault_class for fault in HAND.values())
    assert len(HAND) >= 60 and len(classes) >= 16 and min(classes[name] for name in ("HID", "RES", "SUP", "TIE")) >= 4
    assert len(ALL) == len(HAND) + len(northmen_faults.mechanical())
    assert all(fault.clause in GAMES[2].catalogue for fault in ALL.values())


@pytest.mark.parametrize("players", GAMES)
def test_crafted_positions_keep_the_invariants_and_reach_the_edges(players):
    game = GAMES[players]
    found = [game.position(line.record) for line in lines(players)]
    assert not [p for p in found if game.broken_invariants(p)]
    ties = frozenset().union(*(northmen_fixtures._ties(p, range(game.tables.k)) for p in found))
    tied = {len(first) for size, first, *_ in ties if isinstance(first, tuple)}
    assert set(range(1, players + 1)) <= tied
    assert {0, 1, 2} <= {p.reserve[p.seat] for p in found if p.phase == "play"}
    assert {2, 3, 4} <= {p.infamy[p.seat] for p in found if p.phase == "play"}
    assert {4, 5, 6} <= {p.infamy[s] for p in found if p.phase == "march" for s in range(players)}
    assert {0, 1, 2} <= {p.route_deck.bit_count() + len(p.route_bottom) for p in found if p.phase == "buy"}
    assert 0 in {p.supply[p.seat] for p in found if p.phase == "play"}


@pytest.mark.parametrize("players", GAMES)
def test_ends_are_crafted_with_every_tie(players):
    game = GAMES[players]
    seen = set()
    for line in lines(players):
        tries = [op for op in line.ops if op.kind == "try"]
        position = game.position(line.record)
        if len(tries) == 1 and position.round == 3 and tries[0].text == "done":
            after = game.apply(position, game.parse("done"))
            if after.phase == "over":
                scores = game.result(after).scores
                seen.add((scores.count(max(scores)), len(game.result(after).winners)))
    assert {(players, players), (players, 1), (2, 1)} <= seen


@pytest.mark.parametrize("players", GAMES)
def test_the_right_game_is_never_caught(players):
    quick = suite(players, "fixtures", "views", "undo", "save", "compound")
    assert catch(RIGHT, quick, longer=False) is None


@pytest.mark.parametrize(
    ("players", "layer", "name"),
    [
        (2, "setup", "canary"), (2, "setup", "ships-twice"), (2, "setup", "thr-hire-2"), (2, "setup", "lists-delay"),
        (2, "fixtures", "battles-in-order"), (2, "fixtures", "thirty-first-cube"), (2, "fixtures", "accepts-no-card"),
        (2, "views", "routes-shown"), (2, "undo", "undo-keeps-infamy"), (2, "save", "save-loses-armies"),
        (2, "compound", "accepts-march"), (2, "compound", "undo-one-part"), (2, "compound", "half-done"),
        (3, "fixtures", "tie-either-way"), (3, "fixtures", "tie-of-three"), (3, "fixtures", "mul-bonus-of-two"),
        (3, "fixtures", "second-loser-stays"), (3, "setup", "thr-mark-4"), (3, "play", "ord-leader-back"),
        (3, "fixtures", "tie-anticlockwise"), (4, "views", "wrong-you"), (4, "setup", "omit-mark-4"),
        (4, "perft", "data-fourth-seat"), (4, "fixtures", "tgt-fourth-blind"),
    ],
)  # fmt: skip
def test_a_fault_is_caught_with_a_witness_that_tells_it_from_the_game(players, layer, name):
    row = examine(HAND[name], suite(players, layer), northmen_faults.DOMAINS, longer=False)
    assert row.outcome == "caught" and row.layer == layer and row.actions_to_catch > 0
    assert witnessed(HAND[name], row.witness, GAMES[2])
    assert not witnessed(RIGHT, row.witness, GAMES[2])


@pytest.mark.parametrize("name", ["tie-of-three", "mul-bonus-of-two", "thr-mark-4", "tgt-fourth-blind", "wrong-you"])
def test_a_fault_of_three_or_four_players_is_not_seen_with_two(name):
    assert catch(HAND[name], suite(2, "fixtures", "views"), longer=False) is None


def test_suites_take_turns_and_the_row_names_the_players():
    every = [suite(n, "fixtures", "views") for n in GAMES]
    rows = {name: examine(HAND[name], every, northmen_faults.DOMAINS, longer=False)
            for name in ("canary", "tie-of-three", "wrong-you")}  # fmt: skip
    layers = {name: row.layer for name, row in rows.items()}
    assert layers == {"canary": "fixtures", "tie-of-three": "fixtures, 3 players", "wrong-you": "fixtures, 4 players"}
    assert [players_of(row, 2) for row in rows.values()] == [2, 3, 4]
    assert rows["wrong-you"].calls > rows["tie-of-three"].calls > rows["canary"].calls > 0
    printed = "\n".join(command_module.table(list(rows.values()), (2, 3, 4)))
    assert all(f"caught with {n} players{1:>20}" in printed for n in GAMES)
    assert "players" not in "\n".join(command_module.table([rows["canary"]], (2,)))


def test_a_survivor_is_judged_over_all_suites():
    every = [suite(n, "undo") for n in (2, 3)]
    rule = GAMES[2].law.rules["next_leader"].function
    odd = Fault("odd", "M64", "ORD", "SN-RESET-06", "changed, but never asked for its change",
                lambda game: game.varied(),
                site=Site("next_leader", rule, lambda leader, players: (leader - 1) % players))  # fmt: skip
    assert examine(odd, every[0], {}, longer=False).outcome == "unreachable"
    assert examine(odd, every, {}, longer=False).outcome == "missed"


def test_stored_witnesses_are_of_every_fault_made_by_hand():
    assert {path.stem for path in WITNESSES} >= set(HAND)


@pytest.mark.parametrize("path", WITNESSES, ids=lambda path: path.stem)
def test_a_stored_witness_still_tells_the_fault_from_the_game(path):
    assert witnessed(ALL[path.stem], path.read_text(encoding="utf-8"), GAMES[2])


def test_the_command_plays_with_each_number_of_players():
    words = ["northmen", "--only", "canary", "--only", "wrong-you"]
    result = CliRunner().invoke(command_module.command, words, standalone_mode=False)
    assert result.return_value == 0
    assert "2 of 2 faults that can show were caught" in result.output
    assert f"caught with 4 players{1:>20}" in result.output


@pytest.mark.deep
def test_every_fault_of_three_draws_is_caught_or_sorted():
    rows = []
    for seed in range(3):
        every = [Suite(game, seed, northmen_faults.fixtures) for game in GAMES.values()]
        faults = (*northmen_faults.by_hand(), *draw(northmen_faults.mechanical(), seed, 70))
        rows += [examine(fault, every, northmen_faults.DOMAINS) for fault in faults]
    assert {row.id for row in rows if row.outcome == "missed"} <= UNSEEN.keys()
    assert sum(row.outcome == "caught" for row in rows) > 0.9 * len(rows)

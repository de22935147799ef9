"""Shrinking: small, valid, of the same sort, and within its bound of calls."""

from functools import cache
from itertools import pairwise

import msgspec
import pytest
from toy import ROOM, Pebbles, faulty

from lawspeaker.conformance import fjords_variants as fv
from lawspeaker.conformance import messages as m
from lawspeaker.conformance import northmen_variants as nv
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.match import Diverged, Divergence, Line, Link, Match, Op, valid
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import FULL, Complaint, Session
from lawspeaker.conformance.shrink import (
    Shrinker,
    add,
    alike,
    at_path,
    counted,
    leaf,
    list_paths,
    repair,
    supplies,
    walk,
)
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.contract import OVER
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import Rare, sensible, steps, uniform
from lawspeaker.model.core.records import Difference

GAME = Pebbles()
LEVEL_1 = m.Capabilities(legal=True, result=True)


def ops(seed, limit=1000):
    return tuple(Op("try", GAME.actor_name(s.before), GAME.text(s.action)) for s in steps(GAME, seed, limit=limit))


def diverge(game, offered, seed=5, extra=()):
    link = Link(lambda: InProcessSubject(Session(game, ROOM, offered=offered)), "pebbles")
    link.connect()
    match = Match(link.ask, GAME, offered)
    with pytest.raises(Diverged) as caught:
        match.play(Line(None, (*ops(seed), *extra)))
    return link, caught.value.divergence


def shrunk(game, offered, seed=5, limit=2000, extra=()):
    link, divergence = diverge(game, offered, seed, extra)
    shrinker = Shrinker(link, GAME, offered, "dictated", limit=limit)
    return divergence, shrinker.shrink(divergence), shrinker


STAYS = faulty(pebbles_left=lambda pebbles, cell: pebbles)


TAKEN = {
    "stays": {"pebbles_left": lambda pebbles, cell: pebbles},
    "air": {"pebble_here": lambda cell, pebbles: True},
    "short": {"on_track": lambda cell, roll: cell + roll < 8},
    "twice": {"next_seat": lambda seat: seat},
    "first": {"pebbles_left": lambda pebbles, cell: pebbles[1:]},
    "none": {"pebbles_left": lambda pebbles, cell: ()},
}


def reproduced(shrinker, best, record, line_ops):
    found = shrinker.reproduce(Line(record, line_ops))
    return found is not None and alike(found, best)


def nothing_left_to_take_away(game, shrinker, best):
    """Assert that the position without any one entry, and the actions without any one, show it no more."""
    record = best.line.record
    for path in list_paths(record):
        for n in range(len(at_path(record, path))):
            less = msgspec.json.decode(m.encode(record))
            del at_path(less, path)[n]
            if valid(game, less) is not None and game.actor(game.position(less)) != OVER:
                assert not reproduced(shrinker, best, less, best.line.ops), (path, n)
    for n in range(len(best.line.ops) - 1):
        assert not reproduced(shrinker, best, record, best.line.ops[:n] + best.line.ops[n + 1 :]), n


@pytest.mark.parametrize("fault", sorted(TAKEN))
@pytest.mark.parametrize("seed", [2, 5, 7])
def test_of_a_position_nothing_is_left_to_take_away(fault, seed):
    before, after, shrinker = shrunk(faulty(**TAKEN[fault]), FULL, seed)
    assert after.line.record is not None
    assert len(after.line.ops) <= 1
    assert alike(before, after)
    nothing_left_to_take_away(GAME, shrinker, after)


FAULTS = [
    ("fjords", fv.FarmBeside), ("fjords", fv.OneTurn), ("fjords", fv.SmallTable), ("fjords", fv.NoHoleFilled),
    ("fjords", fv.OpenAnywhere), ("northmen", nv.Canary), ("northmen", nv.HiresAgain), ("northmen", nv.TopStays),
    ("northmen", nv.PlacedStays), ("northmen", nv.RefillKeepsTurn),
]  # fmt: skip


@pytest.mark.parametrize(("game_id", "kind"), FAULTS)
def test_of_a_fault_of_the_games_nothing_is_left_to_take_away(game_id, kind):
    game = make_game(game_id)
    link = Link(lambda: InProcessSubject(Session(game.recast(kind))), game_id)
    link.connect()
    divergence = first_difference(game, link)
    shrinker = Shrinker(link, game, FULL, "dictated", limit=3000)
    after = shrinker.shrink(divergence)
    assert shrinker.unshrunk == ""
    assert shrinker.calls <= 3000
    assert after.line.record is not None
    assert len(after.line.ops) <= 1
    nothing_left_to_take_away(game, shrinker, after)


def first_difference(game, link):
    """Play games until one differs."""
    for seed in range(12):
        picker = (uniform, sensible, Rare())[seed % 3]
        played = tuple(steps(game, seed, picker, limit=400))
        line = Line(None, tuple(Op("try", game.actor_name(s.before), game.text(s.action)) for s in played))
        try:
            Match(link.ask, game, FULL).play(line)
        except Diverged as diverged:
            return diverged.divergence
    raise AssertionError("the fault never showed")


@pytest.mark.parametrize("players", [(2, 3, 4), (4,)])
def test_without_setup_the_fewest_players_are_taken_that_the_subject_takes(players):
    class Only(Session):
        def _seated(self, names):
            if len(names) not in players:
                raise Complaint("bad_players", "not so many")
            return faulty_for(len(names))

    @cache
    def faulty_for(count):
        return make_game("northmen", players=count).recast(nv.Canary)

    game = make_game("northmen", players=4)
    link = Link(lambda: InProcessSubject(Only(faulty_for(4), offered=LEVEL_1)), "northmen")
    link.connect()
    played = tuple(steps(game, 3, uniform, limit=300))
    line = Line(None, tuple(Op("try", game.actor_name(s.before), game.text(s.action)) for s in played))
    with pytest.raises(Diverged) as caught:
        Match(link.ask, game, LEVEL_1).play(line)
    shrinker = Shrinker(link, game, LEVEL_1, "dictated", limit=1500)
    after = shrinker.shrink(caught.value.divergence)
    assert len(shrinker.game.seats) == min(players)
    assert len(after.line.ops) <= len(caught.value.divergence.line.ops)
    walk(shrinker.game, after.line)
    assert shrinker.calls <= 1500 + 400


@pytest.mark.parametrize("offered", [m.Capabilities(), LEVEL_1, FULL], ids=["level0", "level1", "level2"])
def test_each_level_shrinks_to_what_it_offers(offered):
    before, after, shrinker = shrunk(faulty(next_seat=lambda seat: seat), offered, seed=3, limit=1500)
    assert (after.line.record is not None) == offered.setup
    assert len(after.line.ops) <= (1 if offered.setup else 4)
    assert shrinker.calls <= 1500 + len(before.line.ops)
    if not offered.setup:  # no single step can be left out
        for n in range(len(after.line.ops) - 1):
            less = after.line.ops[:n] + after.line.ops[n + 1 :]
            assert not reproduced(shrinker, after, None, less)


def test_it_is_said_when_the_limit_left_something():
    _, _, stopped = shrunk(STAYS, FULL, limit=4)
    assert "limit of 4 calls" in stopped.unshrunk
    _, same, untouched = shrunk(STAYS, FULL, limit=0)
    assert "not made smaller" in untouched.unshrunk
    assert len(same.line.ops) > 1


def test_pieces_that_are_counted_are_found_and_moved():
    record = {"kingdoms": {"X": [[2, 0], [1, 0]]}, "reserve": {"A": 3}, "round": 1}
    assert ("kingdoms", "X", 0, 0) in counted(record)
    assert supplies(record) == [("reserve", "A")]
    add(record, ("kingdoms", "X", 0, 0), -1)
    assert leaf(record, ("kingdoms", "X", 0, 0)) == 1


def test_with_setup_it_is_a_position_and_one_action():
    before, after, _ = shrunk(STAYS, FULL)
    assert len(before.line.ops) > 3
    assert len(after.line.ops) == 1
    assert after.line.ops[0].text == "take"
    assert alike(before, after)


def test_pieces_that_do_not_matter_are_taken_away():
    _, after, _ = shrunk(STAYS, FULL)
    assert len(after.line.record["pebbles"]) == 1
    assert not GAME.broken_invariants(GAME.position(after.line.record))


def test_a_wrong_list_shows_without_any_action():
    _, after, _ = shrunk(faulty(on_track=lambda cell, roll: cell + roll < 8), FULL)
    assert after.line.ops == ()
    assert after.line.record is not None


def test_without_setup_it_is_a_short_game_from_the_start():
    before, after, _ = shrunk(STAYS, LEVEL_1, seed=8)
    assert after.line.record is None
    assert len(after.line.ops) <= len(before.line.ops)
    positions = walk(GAME, after.line)
    assert len(positions) == len(after.line.ops) + 1
    for op, position in zip(after.line.ops, positions, strict=False):
        assert op.text in {GAME.text(a) for a in GAME.legal(position)}


def test_a_game_from_the_start_gets_as_short_as_it_can_be():
    _, after, _ = shrunk(faulty(next_seat=lambda seat: seat), m.Capabilities(legal=True), seed=3)
    assert len(after.line.ops) <= 4
    _, wrong, _ = shrunk(faulty(pebble_here=lambda cell, pebbles: True), LEVEL_1, seed=3)
    assert len(wrong.line.ops) == 1


@pytest.mark.parametrize("limit", [0, 10, 60])
def test_the_number_of_calls_is_bounded(limit):
    before, _, shrinker = shrunk(STAYS, LEVEL_1, limit=limit)
    assert shrinker.calls <= limit + len(before.line.ops) + 2


def test_a_history_that_matters_is_kept():
    class Forgetful(Session):
        def _undo(self, message):
            reply = super()._undo(message)
            if message.count >= 2:
                self.history[-1] = msgspec.structs.replace(self.history[-1], taken=(9, 9))
                reply = self._report(message.want)
            return reply

    link = Link(lambda: InProcessSubject(Forgetful(GAME, ROOM)), "pebbles")
    link.connect()
    match = Match(link.ask, GAME, FULL)
    with pytest.raises(Diverged) as caught:
        match.play(Line(None, (*ops(5, 20), Op("undo", count=3))))
    small = Shrinker(link, GAME, FULL, "dictated", limit=500).shrink(caught.value.divergence)
    assert [op.kind for op in small.line.ops] == ["try", "try", "try", "undo"]


def test_walk_follows_every_operation():
    line = Line(
        None, (*ops(5, 4), Op("undo", count=2), Op("again"), Op("save"), Op("try", "A", "fly"), Op("load"))
    )
    found = walk(GAME, line)
    assert found[-1] == found[2]
    assert len(found) == len(line.ops) + 1


def test_a_line_that_goes_back_behind_its_beginning_is_refused():
    with pytest.raises(BadInput, match="behind the beginning"):
        walk(GAME, Line(None, (*ops(5, 2), Op("undo", count=3))))


def test_repair_makes_a_valid_game_or_gives_up():
    full = ops(5)
    last = full[-1]
    kept = repair(GAME, full[4:-1], last, True)
    assert kept is not None
    assert kept[-1] == last
    positions = walk(GAME, Line(None, kept[:-1]))
    assert all(a != b for a, b in pairwise(positions))
    assert repair(GAME, full, Op("try", "A", "fly"), True) is None


def test_only_the_same_sort_counts():
    def made(path):
        return Divergence(Line(None, ()), "step", None, None, (Difference(path),), ())

    assert alike(made("state.pebbles"), made("state.pebbles.x"))
    assert not alike(made("state.pebbles"), made("state.cells"))
    assert not alike(made("legal"), made("view.you"))


def test_list_paths_are_found_inside_records():
    assert list_paths({"b": {"x": [1], "y": []}, "a": [2], "c": 3}) == [("a",), ("b", "x")]


def test_a_report_says_how_far_it_was_shrunk_and_at_what_cost():
    report = conform(GAME, lambda: InProcessSubject(Session(STAYS, ROOM)), budget=SMALL, seed=1, layers=("play",))
    case = report.failures[0]
    assert case.actions == 1
    assert 0 < case.calls <= SMALL.shrink + 10
    assert "start: {" in case.trace

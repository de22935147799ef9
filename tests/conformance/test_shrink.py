"""Shrinking: small, valid, of the same sort, and within its bound of calls."""

from itertools import pairwise

import msgspec
import pytest
from toy import ROOM, Pebbles, faulty

from lawspeaker.conformance import messages as m
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.match import Diverged, Divergence, Line, Link, Match, Op
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.shrink import Shrinker, alike, list_paths, repair, walk
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.play import steps
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

"""The layer of seats: where the game is the same for exchanged seats, so must the subject be."""

import pytest
from toy import ROOM, Pebbles

from lawspeaker.conformance.layers import LAYERS, SMALL, Context, plans, sample
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.seats import orders
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.games import game_ids, make_game
from lawspeaker.model.core.play import Rare, steps


def check(game, **more):
    more = {"budget": SMALL, "seed": 1, **more}
    return conform(Pebbles(), lambda: InProcessSubject(Session(game, ROOM)), **more)


def partial():
    """Return Pebbles that forbid resting where B stands where A stood in a position drawn, and A where B did."""
    images, seen = set(), set()
    for place in sample(Pebbles(), 1, SMALL.positions):
        for step in place.steps:
            seen.add((step.before.cells, step.before.pebbles, step.before.taken, step.before.seat, step.before.turn))
    for place in sample(Pebbles(), 1, SMALL.positions)[: SMALL.others]:
        for step in place.steps[place.index : place.index + SMALL.follow]:
            image = Pebbles().permuted(step.before, (1, 0))
            key = (image.cells, image.pebbles, image.taken, image.seat, image.turn)
            if image.phase == "act" and key not in seen:
                images.add(key)
    assert images

    class Partial(Pebbles):
        def legal(self, p):
            here = p.phase == "act" and (p.cells, p.pebbles, p.taken, p.seat, p.turn) in images
            return tuple(a for a in super().legal(p) if a[0] != "rest") if here else super().legal(p)

    return Partial()


def test_a_subject_that_treats_one_seat_otherwise_is_caught_by_this_layer_alone():
    report = check(partial())
    assert [case.layer for case in report.failures] == ["seats"]
    assert report.failures[0].differences[0].only_reference == ("rest",)


def test_the_reference_is_the_same_to_all_seats():
    report = check(Pebbles(), layers=("seats",))
    assert [case.verdict for case in report.cases[1:]] == ["pass"] * SMALL.others
    assert "A as B" in report.cases[1].title


@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_and_its_image_are_played_in_step(game_id):
    game = make_game(game_id)
    tried = 0
    for step in list(steps(game, 3, Rare(), limit=2000))[::7]:
        for order in orders(game, step.before):
            image = game.permuted(step.before, order)
            action = game.permuted_action(step.action, order)
            legal = {game.permuted_action(a, order) for a in game.legal(step.before)}
            assert legal == set(game.legal(image))
            assert game.record(game.apply(image, action)) == game.record(game.permuted(step.after, order))
            assert game.position(game.record(image)) == image
            tried += 1
    assert tried > 50 or game_id != "fjords"


def test_a_game_that_is_not_the_same_for_other_seats_says_so():
    """In Northmen the Leader's seat follows from the round, so a rotated position breaks an invariant."""
    game = make_game("northmen")
    context = Context(game, FULL, "dictated", 0, SMALL, sample(game, 0, 6))
    assert list(plans("seats", context)) == []
    assert "seats" in LAYERS

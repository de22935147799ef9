"""Layers of a run and what they ask: counts by clause, the pack, weighted play."""

from toy import ROOM, Pebbles, faulty

from lawspeaker.conformance.layers import SMALL, sample
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.sampling import Seen, weighted
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.games import make_game
from lawspeaker.model.core.play import steps


def check(game=None, offered=FULL, session=Session, **more):
    more = {"budget": SMALL, "seed": 1, **more}
    return conform(Pebbles(), lambda: InProcessSubject(session(game or Pebbles(), ROOM, offered=offered)), **more)


def test_the_report_counts_for_each_clause_how_often_the_subject_was_asked():
    report = check(layers=("play",))
    steps = sum(case.title.count("steps") for case in report.cases)
    assert steps
    assert report.asked["PB-ROLL-01"] > 5
    assert report.asked["PB-WALK-02"] == 0  # another length than the die's is tried only among refusals
    assert "PB-WALK-02" in report.never_asked
    assert list(report.asked) == [clause.id for clause in Pebbles().catalogue.clauses]


def test_a_refusal_asks_about_the_clauses_that_are_broken():
    assert check(layers=("refusals",)).asked["PB-WALK-02"] > 0


def test_only_what_was_compared_and_agreed_on_counts():
    right = check(layers=("play",))
    wrong = check(faulty(next_seat=lambda seat: seat), layers=("play",))
    assert wrong.failures
    assert sum(wrong.asked.values()) < sum(right.asked.values())


def clauses_of(game, played):
    seen = Seen()
    for step in played:
        seen.count(game, step)
    return seen.clauses


def test_positions_drawn_exercise_more_clauses_than_as_much_play_does():
    game = make_game("northmen", players=3)
    drawn = clauses_of(game, (step for s in sample(game, 0, 60) for step in s.steps[s.index : s.index + 6]))
    played = clauses_of(game, steps(game, 0, limit=360))
    assert len(drawn) > 112 > len(played)


def test_weighted_play_prefers_what_was_seldom_seen_and_is_the_same_by_seed():
    game = make_game("fjords")
    first, again = list(weighted(game, 7, Seen(), 200)), list(weighted(game, 7, Seen(), 200))
    assert first == again
    tired = Seen()
    tired.kinds["nofarm"] = 10_000
    left = [sum(game.kind(step.action) == "nofarm" for step in p) for p in (first, weighted(game, 7, tired, 200))]
    assert left[0] > left[1]  # some tiles have no place for a farm

"""Layers of a run and what they ask: counts by clause, the pack, weighted play."""

from toy import ROOM, Pebbles, faulty

from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject


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

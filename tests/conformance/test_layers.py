"""Layers of a run and what they ask: counts by clause, the pack, weighted play."""

import msgspec
from toy import ROOM, Pebbles, faulty

from lawspeaker.conformance.layers import SMALL, sample
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.sampling import Seen, weighted
from lawspeaker.conformance.session import FULL, Complaint, Session
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


class Deaf(Session):
    """Takes the id of any pack, and then plays with no pebbles if it is not the usual one."""

    def _options(self, message):
        reply = super()._options(message)
        if reply.pack != "six":
            self.game = Pebbles(pack=msgspec.structs.replace(self.game.pack, pebbles=()))
        return reply


class Choosy(Session):
    """Knows the usual pack only; *lost* says that it forgets that one too when asked for another."""

    lost = False

    def _pack(self, choice):
        if choice.id != "six" or self.lost:
            type(self).lost = self.lost or self.forgets
            raise Complaint("unknown_pack", "not known here")
        return super()._pack(choice)

    forgets = False


class Forgetful(Choosy):
    forgets = True


def pack_case(session):
    return next(c for c in check(session=session, layers=("pack",)).cases if c.id == "another")


def test_a_subject_may_take_another_pack_or_refuse_it_as_unknown():
    assert (pack_case(Session).verdict, pack_case(Session).said) == ("pass", "")
    assert (pack_case(Choosy).verdict, pack_case(Choosy).said) == ("pass", "refuses it as unknown")


def test_one_that_takes_it_and_plays_with_another_is_caught_by_this_layer_alone():
    assert "state.pebbles" in pack_case(Deaf).said
    assert {c.layer for c in check(session=Deaf).failures} == {"pack"}


def test_one_that_does_not_come_back_to_its_own_pack_is_caught():
    assert "does not take this one any more" in pack_case(Forgetful).said


def test_the_pack_of_a_game_is_audited():
    game = make_game("fjords")
    right = conform(game, lambda: InProcessSubject(Session(game)), budget=SMALL, layers=("pack",))
    assert ("audit", "pass") in {(c.id, c.verdict) for c in right.cases}
    bad = game.varied(pack=msgspec.structs.replace(game.pack, tiles=game.pack.tiles[:-1]))
    wrong = conform(bad, lambda: InProcessSubject(Session(bad)), budget=SMALL, layers=("pack",))
    assert wrong.failures[0].id == "audit"
    assert "does not fit" in wrong.failures[0].said

"""The referee finds what is wrong, says which clause, tries other readings, and never turns green for nothing."""

import sys
from pathlib import Path

import msgspec
import pytest
from toy import CATALOGUE, ROOM, Pebbles, faulty

from lawspeaker.conformance import messages as m
from lawspeaker.conformance.layers import LAYERS, SMALL, layers_for, sample
from lawspeaker.conformance.process import ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.errors import BadInput

PEBBLES = [sys.executable, str(Path(__file__).parent / "subjects" / "pebbles.py")]
LEVEL_0 = m.Capabilities()
LEVEL_1 = m.Capabilities(legal=True, result=True)


def check(game, offered=FULL, room=ROOM, reference=None, **more):
    more.setdefault("budget", SMALL)
    more.setdefault("seed", 1)
    return conform(reference or Pebbles(), lambda: InProcessSubject(Session(game, room, offered=offered)), **more)


def verdicts(report):
    return {(c.layer, c.verdict) for c in report.cases}


def test_the_reference_conforms_to_itself_in_every_layer():
    report = check(Pebbles(), scenarios=[SCENARIO])
    ran = [layer for layer in ("handshake", *layers_for(Pebbles(), LAYERS)) if layer != "recorded"]
    assert verdicts(report) == {("recorded", "not applicable"), *((layer, "pass") for layer in ran)}
    assert report.exit_code == 0
    assert report.checked > 300


def test_the_reference_conforms_to_itself_over_a_pipe():
    report = conform(Pebbles(), lambda: ProcessSubject(PEBBLES), budget=SMALL, seed=2, layers=("setup", "play", "save"))
    assert report.exit_code == 0
    assert report.starts == 1


@pytest.mark.parametrize("mode", ["scripted", "reported"])
def test_the_other_two_ways_of_chance(mode):
    report = check(Pebbles(), msgspec.structs.replace(FULL, chance=(mode,)))
    assert report.mode == mode
    assert ("perft", "not applicable") in verdicts(report)
    assert {("play", "pass"), ("setup", "pass"), ("undo", "pass"), ("refusals", "pass")} <= verdicts(report)
    assert report.exit_code == 0


def test_an_outcome_that_cannot_happen_is_a_fault():
    class Loaded(Pebbles):
        def legal(self, p):
            return tuple(("roll", n) for n in (1, 2, 3, 4)) if p.phase == "roll" else super().legal(p)

        def odds(self, position):
            return super().odds(position)[:1] * 4

    offered = msgspec.structs.replace(LEVEL_1, chance=("reported",))
    report = check(Loaded(), offered, layers=("play",))
    assert report.failures[0].differences[0].path == "outcome"
    assert report.failures[0].differences[0].subject == "roll 4"


def test_what_is_not_offered_is_not_applicable_and_never_passes():
    report = check(Pebbles(), LEVEL_1)
    for layer in ("perft", "setup", "views", "undo", "save", "two-ways"):
        found = [c for c in report.cases if c.layer == layer]
        assert [c.verdict for c in found] == ["not applicable"]
        assert "not offered" in found[0].said or "offered" in found[0].said
    assert report.not_compared == Pebbles.fields


FAULTS = {
    "walks off": ({"on_track": lambda cell, roll: True}, "PB-WALK-01"),
    "stops short": ({"on_track": lambda cell, roll: cell + roll < 8}, "PB-WALK-01"),
    "takes air": ({"pebble_here": lambda cell, pebbles: True}, "PB-TAKE-01"),
    "pebble stays": ({"pebbles_left": lambda pebbles, cell: pebbles}, "PB-TAKE-02"),
    "plays twice": ({"next_seat": lambda seat: seat}, "PB-TURN-01"),
    "no bonus": ({"bonus": lambda choice: 0}, "PB-END-01"),
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
@pytest.mark.parametrize("offered", [FULL, LEVEL_1], ids=["level2", "level1"])
def test_each_fault_is_found_and_its_clause_named(fault, offered):
    functions, clause = FAULTS[fault]
    report = check(faulty(**functions), offered)
    assert report.exit_code == 1
    named = {name for case in report.failures for name in case.clauses}
    assert clause in named if offered is FULL else named  # without the state only the symptom shows
    for case in report.failures:
        assert case.blame == "engine"
        assert case.differences
        assert "--case" in case.repeat


def test_level_0_finds_what_is_refused_or_accepted_wrongly():
    assert check(Pebbles(), LEVEL_0).exit_code == 0
    too_strict = check(faulty(on_track=lambda cell, roll: cell + roll < 8), LEVEL_0).failures
    assert "refused 'walk" in too_strict[0].said
    too_lax = check(faulty(pebble_here=lambda cell, pebbles: True), LEVEL_0).failures
    assert "accepted 'take'" in too_lax[0].said
    assert "PB-TAKE-01: no pebble lies on" in " ".join(too_lax[0].worked)


def test_a_subject_that_sets_up_anything_is_found():
    class Gullible(Pebbles):
        def broken_invariants(self, p):
            return ()

    report = check(Gullible(), layers=("refusals",))
    assert report.failures[0].id.startswith("setup-")
    assert report.failures[0].differences[0].path == "setup"


@pytest.mark.parametrize("fields", [(), ("pebbles", "colour")])
def test_fields_that_no_record_has_are_no_way_out_of_comparison(fields):
    report = check(Pebbles(), msgspec.structs.replace(FULL, digest=False, fields=fields))
    assert report.exit_code == 3
    assert report.cases[0].said.startswith("bad_shape")


def test_the_fingerprint_of_nothing_is_empty():
    assert check(Pebbles(), layers=()).fingerprint == ()


class Careless(Session):
    """A session that does one thing wrong, chosen by name."""

    wrong = ""

    def _undo(self, message):
        if self.wrong == "undo":
            message = msgspec.structs.replace(message, count=max(message.count - 1, 1))
        return super()._undo(message)

    def _view(self, message):
        reply = super()._view(message)
        return msgspec.structs.replace(reply, view={**reply.view, "seed": 7}) if self.wrong == "view" else reply

    def _save(self, message):
        if self.wrong == "save" and len(self.history) > 1:
            self.history[-1] = self.history[-2]
        return super()._save(message)

    def _load(self, message):
        reply = super()._load(message)
        if self.wrong == "load":
            self.history[-1] = msgspec.structs.replace(self.history[-1], turn=1)
            reply = super()._report(message.want)
        return reply

    def _refuse_action(self, text):
        if self.wrong == "refusal":
            self.history[-1] = msgspec.structs.replace(self.history[-1], turn=self.history[-1].turn + 1)
        return super()._refuse_action(text)

    def _start(self, message):
        if self.wrong == "start" and self.history:
            self.game = Pebbles(pack=msgspec.structs.replace(self.game.pack, pebbles=(1,)))
        return super()._start(message)


@pytest.mark.parametrize(
    ("wrong", "layer"),
    [("view", "views"), ("load", "save"), ("refusal", "refusals"), ("start", "two-ways")],
)
def test_faults_of_the_surroundings_are_found_by_their_layer(wrong, layer):
    def subject():
        session = Careless(Pebbles(), ROOM)
        session.wrong = wrong
        return InProcessSubject(session)

    report = conform(Pebbles(), subject, budget=SMALL, seed=1)
    assert (layer, "fail") in verdicts(report)


class Evasive(Session):
    """A session that leaves out, or veils, what it says it can show whenever it is asked for that alone."""

    veiled = False

    def _state(self, message):
        reply = super()._state(message)
        if self.veiled:  # a token that only its own setup understands
            return msgspec.structs.replace(reply, state=reply.state and {"veiled": reply.state})
        return msgspec.structs.replace(reply, state=None, digest=None, legal=None)

    def _setup(self, message):
        state = message.state.get("veiled", message.state)
        return super()._setup(msgspec.structs.replace(message, state=state))

    def _legal(self, message):
        return msgspec.structs.replace(super()._legal(message), legal=None)


@pytest.mark.parametrize("offered", [FULL, LEVEL_1], ids=["level2", "level1"])
def test_what_is_left_out_after_a_refusal_is_missed(offered):
    def subject():
        return InProcessSubject(Evasive(Pebbles(), ROOM, offered=offered))

    report = conform(Pebbles(), subject, budget=SMALL, seed=1, layers=("refusals",))
    found = [c for c in report.failures if c.layer == "refusals"]
    assert found
    assert found[0].said.startswith("missing")


def test_a_state_is_compared_also_where_a_digest_stands_for_it_at_each_step():
    def subject():
        session = Evasive(Pebbles(), ROOM)
        session.veiled = True
        return InProcessSubject(session)

    report = conform(Pebbles(), subject, budget=SMALL, seed=1, layers=("two-ways",))
    assert report.failures[0].differences[0].path == "state"


def test_a_wrong_undo_never_passes():
    def subject():
        session = Careless(Pebbles(), ROOM)
        session.wrong = "undo"
        return InProcessSubject(session)

    report = conform(Pebbles(), subject, budget=SMALL, seed=1, layers=("undo",))
    assert report.exit_code == 1


@pytest.mark.parametrize("part", ["scores", "winners"])
def test_scores_and_winners_are_compared_each_for_itself(part):
    class Biased(Session):
        def _outcome(self):
            right = super()._outcome()
            wrong = {"scores": {s: n + 1 for s, n in right.scores.items()}, "winners": ("A", "B", *right.winners)}
            return msgspec.structs.replace(right, **{part: wrong[part]})

    report = conform(Pebbles(), lambda: InProcessSubject(Biased(Pebbles(), ROOM)), budget=SMALL, layers=("play",))
    assert [d.path for d in report.failures[0].differences] == [f"result.{part}"]


def test_who_is_next_is_compared_where_it_is_said():
    class Swapped(Session):
        def _report(self, want, outcome=None):
            right = super()._report(want, outcome)
            return msgspec.structs.replace(right, actor={"A": "B", "B": "A"}.get(right.actor, right.actor))

    report = conform(Pebbles(), lambda: InProcessSubject(Swapped(Pebbles(), ROOM)), budget=SMALL, layers=("play",))
    assert [d.path for d in report.failures[0].differences] == ["actor"]


@pytest.mark.parametrize("wrong", ["error", "digest"])
def test_no_reading_is_tried_on_what_is_wrong_under_every_one(wrong, monkeypatch):
    class Broken(Session):
        def _report(self, want, outcome=None):
            if wrong == "error":
                raise RuntimeError("no report")
            right = super()._report(want, outcome)
            return msgspec.structs.replace(right, digest=right.digest and "sha256:" + "0" * 64)

    def never(*_):
        raise AssertionError("readings were tried")

    monkeypatch.setattr("lawspeaker.conformance.referee.explaining", never)
    report = conform(Pebbles(), lambda: InProcessSubject(Broken(Pebbles(), ROOM)), budget=SMALL, layers=("play",))
    assert [c.verdict for c in report.failures] == ["fail"]


def test_a_result_before_the_end_is_a_difference():
    class Hasty(Session):
        def _report(self, want, outcome=None):
            return msgspec.structs.replace(super()._report(want, outcome), result=m.Outcome({"A": 0, "B": 0}, ("A",)))

    report = conform(Pebbles(), lambda: InProcessSubject(Hasty(Pebbles(), ROOM)), budget=SMALL, layers=("play",))
    assert [d.path for d in report.failures[0].differences] == ["result"]


class Sloppy(Session):
    """A session that shows one thing wrong, chosen by name."""

    wrong = ""

    def _report(self, want, outcome=None):
        right, actor = super()._report(want, outcome), self.game.actor(self.position)
        if self.wrong == "twice" and right.legal and actor >= 0:
            return msgspec.structs.replace(right, legal=(*right.legal, right.legal[0]))
        if self.wrong == "outcomes" and right.legal and actor < 0:
            return msgspec.structs.replace(right, legal=right.legal[1:])
        if self.wrong == "no result":
            return msgspec.structs.replace(right, result=None)
        if self.wrong == "order" and right.state:
            state = {k: v[::-1] if type(v) in (list, tuple) else v for k, v in right.state.items()}
            return msgspec.structs.replace(right, state=state)
        return right


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("twice", "legal"), ("outcomes", "legal"), ("no result", "has no result"), ("order", "state.")],
)
def test_each_part_of_a_report_is_looked_at(wrong, said):
    def subject():
        session = Sloppy(Pebbles(), ROOM, offered=msgspec.structs.replace(FULL, digest=False))
        session.wrong = wrong
        return InProcessSubject(session)

    report = conform(Pebbles(), subject, budget=SMALL, seed=1, layers=("play",))
    assert said in report.failures[0].said


@pytest.mark.parametrize("seat", ["A", "B"])
def test_every_seat_is_looked_at(seat):
    class Blurred(Session):
        def _view(self, message):
            right = super()._view(message)
            return msgspec.structs.replace(right, view={}) if message.seat == seat else right

    report = conform(Pebbles(), lambda: InProcessSubject(Blurred(Pebbles(), ROOM)), budget=SMALL, layers=("views",))
    assert [c.layer for c in report.failures] == ["views"]


def test_an_outcome_that_the_script_does_not_name_is_a_fault():
    class Misnaming(Session):
        def _own_chance(self, message):
            return msgspec.structs.replace(super()._own_chance(message), outcome="roll 9")

    offered = msgspec.structs.replace(FULL, chance=("scripted",))

    def subject():
        return InProcessSubject(Misnaming(Pebbles(), ROOM, offered=offered))

    report = conform(Pebbles(), subject, budget=SMALL, layers=("play",))
    assert [d.path for d in report.failures[0].differences] == ["outcome"]


def test_a_scenario_without_an_answer_is_not_green():
    class Mute(Session):
        def _setup(self, message):
            return msgspec.structs.replace(super()._setup(message), legal=None)

    def subject():
        return InProcessSubject(Mute(Pebbles(), ROOM))

    report = conform(Pebbles(), subject, budget=SMALL, layers=("scenarios",), scenarios=[SCENARIO])
    assert [(c.layer, c.verdict) for c in report.failures] == [("scenarios", "no answer")]


def test_partial_state_is_compared_in_its_fields_only():
    offered = msgspec.structs.replace(FULL, digest=False, fields=("pebbles", "cells"))
    assert check(Pebbles(), offered).exit_code == 0
    report = check(faulty(pebbles_left=lambda pebbles, cell: pebbles), offered)
    assert {d.path for c in report.failures for d in c.differences} >= {"state.pebbles"}
    assert report.not_compared == ("turn", "phase", "seat", "roll", "taken", "first")
    without = msgspec.structs.replace(offered, legal=False, result=False, fields=("cells",))
    assert check(faulty(bonus=lambda choice: 9), without, layers=("setup",)).exit_code == 0


def test_another_reading_is_named_and_is_no_fault():
    other = Pebbles(rulings=CATALOGUE.book.choose({"R_REST": "forced"}))
    report = check(other, msgspec.structs.replace(FULL, options=False))
    readings = [c for c in report.cases if c.verdict == "another reading"]
    assert {c.explained_by for c in readings} == {"R_REST=forced"}
    assert {c.blame for c in readings} == {"book"}
    assert report.exit_code == 0
    assert {f.ruling: f.fits for f in report.fingerprint}["R_REST"] == ("forced",)


def test_a_pair_of_readings_is_named():
    other = Pebbles(rulings=CATALOGUE.book.choose({"R_REST": "forced", "R_BONUS": "five"}))
    report = check(other, msgspec.structs.replace(FULL, options=False, legal=False), layers=("play",))
    named = {word for c in report.cases for word in c.explained_by.split()}
    assert named == {"R_REST=forced", "R_BONUS=five"}
    assert report.exit_code == 0


def test_a_fault_beside_another_reading_is_still_a_fault():
    stays = faulty(pebbles_left=lambda pebbles, cell: pebbles)
    both = stays.varied(rulings=CATALOGUE.book.choose({"R_REST": "forced"}))
    report = check(both, msgspec.structs.replace(FULL, options=False))
    assert report.exit_code == 1
    assert any("PB-TAKE-02" in case.clauses for case in report.failures)


def test_the_fingerprint_says_what_could_not_be_told_apart():
    report = check(Pebbles(), LEVEL_0, layers=("play",))
    assert {f.ruling: f.fits for f in report.fingerprint}["R_BONUS"] == ("three", "five")


def test_rulings_are_told_where_options_are_offered():
    report = check(Pebbles(), rulings=CATALOGUE.book.choose({"R_REST": "forced"}))
    assert report.exit_code == 0
    assert not any(c.verdict == "another reading" for c in report.cases)


SCENARIO = {
    "id": "pebbles.take.1",
    "title": "A pebble once taken is gone",
    "clauses": ["PB-TAKE-02"],
    "rulings": {"R_REST": "forced"},
    "record": {"turn": 1, "phase": "act", "seat": "A", "roll": 2, "cells": {"A": 3, "B": 3}, "pebbles": [3],
               "taken": {"A": 0, "B": 0}, "first": None},
    "actions": [("A", "take"), ("chance", "roll 1")],
    "expect": {"legal": ["walk 1"], "actor": "B", "refused": [{"do": "take"}, {"do": "rest", "by": "B"}],
               "state": {"pebbles": []}, "views": {"A": {"you": "A", "pebbles": []}}},
}  # fmt: skip


def test_a_scenario_finds_the_fault_it_is_about():
    report = check(faulty(pebbles_left=lambda pebbles, cell: pebbles), layers=("scenarios",), scenarios=[SCENARIO])
    assert [(c.id, c.verdict) for c in report.failures] == [("pebbles.take.1", "fail")]
    assert report.failures[0].actions == 1


def test_a_pack_that_does_not_serve_a_ruling_is_no_reading():
    class Picky(Pebbles):
        def varied(self, *, pack=None, rulings=None, law=None):
            if rulings is not None and rulings["R_BONUS"] == "five":
                raise BadInput("this pack has no five")
            return super().varied(pack=pack, rulings=rulings, law=law)

    report = check(faulty(bonus=lambda choice: 0), msgspec.structs.replace(FULL, options=False), reference=Picky())
    assert report.exit_code == 1
    assert {f.ruling: f.fits for f in report.fingerprint}["R_BONUS"] == ("three",)


def test_a_scenario_under_other_rulings_needs_options():
    offered = msgspec.structs.replace(FULL, options=False)
    report = check(Pebbles(), offered, layers=("scenarios", "play"), scenarios=[SCENARIO])
    assert ("scenarios", "not applicable") in verdicts(report)


def test_a_scenario_that_the_reference_does_not_meet_is_an_error_of_the_harness():
    wrong = {**SCENARIO, "expect": {"legal": ["rest"]}}
    case = check(Pebbles(), layers=("scenarios",), scenarios=[wrong]).failures[0]
    assert (case.verdict, case.blame) == ("error", "harness")


def test_a_malformed_scenario_is_bad_input():
    with pytest.raises(BadInput, match="scenario x"):
        check(Pebbles(), scenarios=[{"id": "x"}])


def test_nothing_applicable_is_not_green():
    report = check(Pebbles(), LEVEL_0, layers=("undo", "views"))
    assert report.exit_code == 3
    hopeless = check(Pebbles(), msgspec.structs.replace(FULL, chance=()))
    assert hopeless.exit_code == 3


def test_an_unknown_layer_is_bad_input():
    with pytest.raises(BadInput, match="layers are"):
        check(Pebbles(), layers=("thinking",))


def test_options_that_are_not_echoed_stop_the_run():
    class Deaf(Session):
        def _options(self, message):
            return msgspec.structs.replace(super()._options(message), rulings={})

    report = conform(Pebbles(), lambda: InProcessSubject(Deaf(Pebbles())), budget=SMALL)
    assert "not echoed" in report.cases[0].said
    assert report.exit_code == 3


def test_another_pack_than_the_one_told_stops_the_run():
    class Own(Session):
        def _options(self, message):
            return msgspec.structs.replace(super()._options(message), pack="my own")

    report = check_session(Own(Pebbles(), ROOM))
    assert "pack 'my own' in place of" in report.cases[0].said
    assert report.exit_code == 3


def test_an_error_in_answer_to_bye_is_no_success():
    class Clinging(Session):
        def _bye(self, message):
            raise RuntimeError("not yet")

    report = check_session(Clinging(Pebbles(), ROOM))
    assert report.exit_code == 1
    assert [(c.id, c.said[:31]) for c in report.failures] == [("bye", "bye: bye was answered with the ")]


def check_session(session):
    return conform(Pebbles(), lambda: InProcessSubject(session), budget=SMALL, seed=1, layers=("play",))


def test_a_case_found_under_an_adopted_reading_repeats_under_it():
    subject = faulty(pebbles_left=lambda pebbles, cell: pebbles)
    subject = subject.varied(rulings=CATALOGUE.book.choose({"R_REST": "forced"}))
    offered = msgspec.structs.replace(FULL, options=False)
    report = check(subject, offered, layers=("play", "setup"))
    adopted = next(n for n, c in enumerate(report.cases) if c.verdict == "another reading")
    assert "--ruling" not in report.cases[adopted].repeat
    later = [c for c in report.cases[adopted + 1 :] if c.verdict == "fail"]
    assert later
    assert all("--ruling R_REST=forced" in c.repeat for c in later)


def test_the_same_seed_gives_the_same_report_and_another_one_other_checks():
    broken = faulty(pebble_here=lambda cell, pebbles: True)
    assert m.encode(check(broken)) == m.encode(check(broken))
    assert m.encode(check(broken)) != m.encode(check(broken, seed=2))


def test_one_case_can_be_repeated_alone():
    broken = faulty(pebble_here=lambda cell, pebbles: True)
    for case in check(broken).failures:
        again = check(broken, case=f"{case.layer}/{case.id}").failures
        assert [(c.said, c.trace) for c in again] == [(case.said, case.trace)]


def test_a_run_can_stop_at_the_first_failure():
    report = check(faulty(pebble_here=lambda cell, pebbles: True), stop_at_first=True)
    assert [c.verdict for c in report.cases].count("fail") == 1
    assert "stopped" in report.cases[-1].said


def test_events_carry_the_cases():
    heard = []
    report = check(Pebbles(), emit=heard.append, layers=("play",))
    assert [e for e in heard if e in report.cases] == list(report.cases)


def test_samples_are_spread_over_rare_kinds():
    places = sample(Pebbles(), 1, 6)
    kinds = {Pebbles().kind(place.steps[place.index].action) for place in places}
    assert kinds == {"roll", "walk", "take", "rest"}

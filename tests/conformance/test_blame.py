"""A fault seeded in book, model, harness, adapter or engine is blamed on it, with the evidence."""

import msgspec
import pytest
from test_referee import SCENARIO
from toy import CATALOGUE, ROOM, Pebbles, faulty

from lawspeaker.conformance import compare, referee
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.process import innermost
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject

SHOWN = msgspec.structs.replace(FULL, digest=False)
STAYS = faulty(pebbles_left=lambda pebbles, cell: pebbles)


def run(session, reference=None, **more):
    more.setdefault("budget", SMALL)
    return conform(reference or Pebbles(), lambda: InProcessSubject(session), seed=1, **more)


def whose(report):
    assert all(c.evidence for c in report.failures if c.verdict == "fail")
    return {c.blame for c in report.failures}


def test_a_wrong_rule_is_the_engines_fault():
    report = run(Session(STAYS, ROOM))
    assert whose(report) == {"engine"}
    assert "no other reading" in report.failures[0].evidence


def test_another_reading_is_the_books_fault():
    other = Pebbles(rulings=CATALOGUE.book.choose({"R_REST": "forced"}))
    report = run(Session(other, ROOM, offered=msgspec.structs.replace(FULL, options=False)))
    assert {c.blame for c in report.cases if c.verdict == "another reading"} == {"book"}
    assert all(c.evidence for c in report.cases if c.verdict == "another reading")


def test_a_worked_example_that_the_books_own_clauses_contradict_is_the_books_fault():
    example = {**SCENARIO, "id": "pebbles.example.1", "expect": {"legal": ["rest"]}}
    case = run(Session(Pebbles(), ROOM), layers=("scenarios",), scenarios=[example]).failures[0]
    assert (case.verdict, case.blame) == ("error", "book")
    assert "here and in the subject" in case.evidence


@pytest.mark.parametrize("name", ["pebbles.take.1", "pebbles.example.1"])
def test_a_model_that_case_and_subject_agree_against_is_at_fault(name):
    case = {**SCENARIO, "id": name}
    report = run(Session(Pebbles(), ROOM), STAYS, layers=("scenarios", "setup"), scenarios=[case])
    assert report.failures[0].blame == "model"
    assert "the reference alone" in report.failures[0].evidence
    later = [c for c in report.failures[1:] if "PB-TAKE-02" in c.clauses]
    assert later
    assert {c.blame for c in later} == {"model or engine"}


def test_a_model_whose_list_and_law_disagree_is_at_fault():
    class Forgets(Pebbles):
        def legal(self, p):
            return tuple(a for a in super().legal(p) if a[0] != "take")

    report = run(Session(Pebbles(), ROOM), Forgets(), layers=("play", "setup", "perft"))
    assert whose(report) == {"model"}
    assert "does not list 'take'" in report.failures[0].evidence


def test_a_model_that_comes_to_an_impossible_position_is_at_fault():
    class Doubles(Pebbles):
        def apply(self, p, action):
            after = super().apply(p, action)
            twice = after.pebbles[:1] if action[0] == "take" else ()
            return msgspec.structs.replace(after, pebbles=after.pebbles + twice)

    report = run(Session(Pebbles(), ROOM), Doubles(), layers=("play",))
    assert whose(report) == {"model"}
    assert "PB-I2" in report.failures[0].evidence


class Breaks(Pebbles):
    """A model that raises where a pebble is taken, but not when a whole game is planned."""

    calm = True

    def apply(self, p, action):
        if action[0] == "take" and not self.calm:
            raise ZeroDivisionError("no such pebble")
        return super().apply(p, action)


def test_a_model_that_raises_is_at_fault(monkeypatch):
    def perform(match, plan, seed):
        match.game.calm = False
        try:
            right(match, plan, seed)
        finally:
            match.game.calm = True

    right = referee.perform
    monkeypatch.setattr(referee, "perform", perform)
    report = run(Session(Pebbles(), ROOM), Breaks(), layers=("play",))
    assert [(c.verdict, c.blame) for c in report.failures] == [("error", "model")]
    assert "ZeroDivisionError: no such pebble (raised at test_blame.py" in report.failures[0].evidence


def test_a_comparison_that_raises_is_the_harness_fault(monkeypatch):
    monkeypatch.setattr(compare, "_compare_legal", lambda *_: compare._deep_objects("state", {1: 2, "a": 3}, {}))
    report = run(Session(Pebbles(), ROOM), layers=("play",))
    assert [(c.verdict, c.blame) for c in report.failures] == [("error", "harness")]
    assert "TypeError" in report.failures[0].evidence


class Writes(Session):
    """A session that shows the right game in its own way, chosen by name."""

    way = ""

    def _report(self, want, outcome=None):
        right = super()._report(want, outcome)
        state = right.state and dict(right.state)
        if self.way == "unset" and state and state["first"] is None:
            state["first"] = ""
        elif self.way == "order" and state:
            state["pebbles"] = state["pebbles"][::-1]
        elif self.way == "type" and state:
            state["roll"] = str(state["roll"])
        elif self.way == "fields" and state:
            del state["first"]
        elif self.way == "case" and state:
            state["phase"] = state["phase"].upper()
        elif self.way == "texts" and right.legal:
            return msgspec.structs.replace(right, legal=tuple(text.upper() for text in right.legal))
        elif self.way == "actor" and right.actor in ("A", "B"):
            return msgspec.structs.replace(right, actor="player " + right.actor)
        return msgspec.structs.replace(right, state=state)


@pytest.mark.parametrize(
    ("way", "said"),
    [("unset", "nothing is there"), ("order", "another order"), ("type", "another type"), ("fields", "other fields"),
     ("case", "how it is written"), ("texts", "not the text of an action"), ("actor", "names no seat")],
)  # fmt: skip
def test_own_conventions_are_the_adapters_fault(way, said):
    session = Writes(Pebbles(), ROOM, offered=SHOWN)
    session.way = way
    report = run(session, layers=("play", "setup"))
    assert whose(report) == {"adapter"}
    assert said in report.failures[0].evidence


def test_a_wrong_digest_of_a_right_position_is_the_adapters_fault():
    class Miscounts(Session):
        def _report(self, want, outcome=None):
            right = super()._report(want, outcome)
            return msgspec.structs.replace(right, digest=right.digest and "sha256:" + "0" * 64)

    assert whose(run(Miscounts(Pebbles(), ROOM), layers=("play",))) == {"adapter"}


def test_an_order_that_may_mean_something_is_of_either():
    class Unsorted(Pebbles):
        def record(self, p):
            return {**super().record(p), "pebbles": list(p.pebbles)}

        def start(self):
            return msgspec.structs.replace(super().start(), pebbles=(3, 1, 2))

    class Sorts(Unsorted):
        def record(self, p):
            return {**super().record(p), "pebbles": sorted(p.pebbles)}

    report = run(Session(Sorts(), ROOM, offered=SHOWN), Unsorted(), layers=("play",))
    assert whose(report) == {"adapter or engine"}


def test_a_fault_of_rules_beside_one_of_conventions_is_the_engines():
    session = Writes(STAYS, ROOM, offered=SHOWN)
    session.way = "order"
    report = run(session, layers=("play", "setup"))
    assert whose(report) <= {"adapter", "engine"}


def test_malformed_answers_are_the_adapters_fault():
    class Garbled(Session):
        def answer(self, line):
            right = super().answer(line)
            return right.replace(b'"result"', b'"results"') if b'"legal":[' in right else right

    assert whose(run(Garbled(Pebbles(), ROOM), layers=("play",))) == {"adapter"}


def test_failures_of_one_sort_are_shown_once():
    twice = [{**SCENARIO, "id": f"pebbles.take.{n}"} for n in (1, 2, 3)]
    report = run(Session(STAYS, ROOM), layers=("scenarios",), scenarios=twice)
    assert [c.same_as for c in report.failures] == ["", "scenarios/pebbles.take.1", "scenarios/pebbles.take.1"]
    (cause,) = report.causes
    assert cause.cases == tuple(f"scenarios/pebbles.take.{n}" for n in (1, 2, 3))


def test_the_clauses_of_what_differs_come_alone():
    report = run(Session(STAYS, ROOM), layers=("setup",))
    assert report.failures[0].clauses == ("PB-TAKE-02",)
    assert len(report.failures[0].worked) == 1


def test_a_refused_position_names_the_invariant_that_the_subject_named():
    class Strict(Pebbles):
        def broken_invariants(self, p):
            wrong = super().broken_invariants(p)
            return wrong or tuple(m_breach() for _ in range(int(len(p.pebbles) > 3)))

    report = run(Session(Strict(), ROOM), layers=("setup",))
    assert "breaks PB-I1" in report.failures[0].differences[0].subject


def m_breach():
    from lawspeaker.model.core.contract import Breach, facts

    return Breach("PB-I1", facts(cells=()))


def test_an_answer_with_an_error_names_its_code():
    class Refuses(Session):
        def _step(self, message):
            from lawspeaker.conformance.session import Complaint

            raise Complaint("unknown_method", "no step here")

    report = run(Refuses(Pebbles(), ROOM, offered=m.Capabilities(legal=True)), layers=("play",))
    assert whose(report) == {"adapter"}


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["Traceback (most recent call last):", '  File "a.py", line 1, in <module>', '  File "b.py", line 9, in f',
          "    g()", "KeyError: 'x'"], 'File "b.py", line 9, in f'),
        (["TypeError: no", "    at move (engine.js:4:2)", "    at main (main.js:1:1)"], "at move (engine.js:4:2)"),
        (["out of cards"], ""),
    ],
)  # fmt: skip
def test_the_innermost_place_of_a_stack_is_shown(lines, place):
    assert place in innermost(lines)
    assert bool(place) == bool(innermost(lines))

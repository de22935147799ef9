"""The harness's check of itself notices a broken harness: a comparison left out, a viewer skipped, and so on."""

import hoards
import msgspec
import pytest
import toy

from lawspeaker.conformance import compare, layers, match, referee, shrink
from lawspeaker.conformance.faults import Fault, Suite, catch
from lawspeaker.conformance.layers import LAYERS
from lawspeaker.conformance.match import Line
from lawspeaker.conformance.selftest import ASKED, self_test, unnoticed
from lawspeaker.conformance.subjects import InProcessSubject, Timeout


def on_pebbles(*names):
    """Check the harness on Pebbles, in some layers."""
    return self_test(toy.Pebbles(), toy.ROOM, seed=1, layers=names)


def named(rows):
    """Return the ids of the rows that did not pass."""
    return {row.id.removeprefix("harness ") for row in unnoticed(rows)}


def test_every_false_answer_is_noticed_in_every_layer():
    rows = on_pebbles(*LAYERS)
    assert not unnoticed(rows)
    assert {row.id.split()[1].split("/")[0] for row in rows} >= set(ASKED) - {"compound"}
    assert {f"harness setup/step: state.{name}" for name in toy.Pebbles.fields} <= {row.id for row in rows}
    assert sum(row.times for row in rows) > 500


def test_every_false_answer_is_noticed_where_decisions_are_compound_and_hidden():
    rows = self_test(hoards.Hoards(), hoards.ROOM, seed=1, layers=("compound",))
    assert not unnoticed(rows)
    assert {"harness compound/step: accepted", "harness compound/step: refused"} <= {row.id for row in rows}


def test_the_same_seed_gives_the_same_rows():
    assert on_pebbles("undo") == on_pebbles("undo")


@pytest.mark.deep
@pytest.mark.parametrize("name", ["fjords", "northmen"])
def test_every_false_answer_is_noticed_in_a_real_game(name):
    from lawspeaker.model.core.games import make_game, room

    assert not unnoticed(self_test(make_game(name), room(name)))


# -- mutants -----------------------------------------------------------------------------------------

RIGHT_COMPARE, RIGHT_STATE, RIGHT_RESULT = match.compare, compare.compare_state, compare._compare_result
RIGHT_PLANS, RIGHT_ONCE, RIGHT_DO = layers.plans, referee.Run._once, match.Match.do


def left_out(name):
    """A comparison of the state without one field."""
    return lambda reference, subject, fields: [
        d for d in RIGHT_STATE(reference, subject, fields) if not d.path.startswith(f"state.{name}")
    ]


def without(path):
    """A comparison of the result without one of its parts."""
    return lambda expected, result: [d for d in RIGHT_RESULT(expected, result) if d.path != path]


def looks_at_a_only(self, seat):
    """A viewer skipped."""
    return RIGHT_VIEW(self, seat) if seat == "A" else None


RIGHT_VIEW = match.Match._view


def never_compared_after_undo(self, op):
    """Undo is asked for, but what comes of it is not looked at."""
    if op.kind != "undo":
        return RIGHT_DO(self, op)
    self.ops.append(op)
    self._reply(match.m.Undo(op.count, self.want))
    del self.positions[-op.count :]
    return None


def all_but(path):
    """A comparison of a report without one of its parts."""
    return lambda *given: tuple(d for d in RIGHT_COMPARE(*given) if d.path != path)


def first_plan_only(self, name):
    """A layer that returns early."""
    plans = referee.plans
    referee.plans = lambda layer, context: [next(iter(plans(layer, context)))]
    try:
        return RIGHT_ONCE(self, name)
    finally:
        referee.plans = plans


def half_of_each(layer, context):
    """Plans cut to the first half of what they do."""
    for plan in RIGHT_PLANS(layer, context):
        line = Line(plan.line.record, plan.line.ops[: len(plan.line.ops) // 2])
        yield msgspec.structs.replace(plan, line=line)


def no_difference_is_reported(self, layer, plan, divergence, game=None):
    """What differs is counted as what passed."""
    return referee.CaseResult(self.game.id, layer, plan.id, "pass", plan.title)


def silence_is_a_pass(self, layer, case_id, title, failure, trace, add=True):
    """No answer is counted as a pass."""
    return referee.CaseResult(self.game.id, layer, case_id, "pass", title)


def silence_is_a_difference(self, layer, case_id, title, failure, trace, add=True):
    """No answer is counted as a failure of the rules."""
    return referee.CaseResult(self.game.id, layer, case_id, "fail", title)


def all_is_a_reading(self, *given):
    """Every difference is excused as another reading of the book."""
    return referee.CaseResult(self.game.id, given[0], given[1].id, "another reading", given[1].title)


def not_applicable_is_a_pass(layer, caps, mode):
    """What is not offered is run all the same."""
    return ""


MUTANTS = {
    "lists are not compared": (compare, "_compare_legal", lambda *given: [], "setup", "setup/setup: legal.more"),
    "who is next is not compared": (match, "compare", all_but("actor"), "setup", "setup/step: actor"),
    "the digest is not compared": (match, "compare", all_but("digest"), "setup", "setup/step: digest"),
    "a field of the state is left out": (
        compare, "compare_state", left_out("cells"), "setup", "setup/step: state.cells",
    ),
    "the score is left out": (
        compare, "_compare_result", without("result.scores"), "play", "play/step: result.score of A",
    ),
    "the winners are left out": (
        compare, "_compare_result", without("result.winners"), "play", "play/step: result.winners",
    ),
    "a viewer is skipped": (match.Match, "_view", looks_at_a_only, "views", "views/asked"),
    "what is asked for lacks the digest": (
        match, "wanted", lambda caps: ("legal", "state") if not caps.digest else ("legal", "result"), "setup",
        "setup/asked",
    ),
    "the number of the step is not looked at": (
        match.Match, "_check_step", lambda self, reply: None, "undo", "undo/undo: step",
    ),
    "nothing is compared after a refusal": (
        match.Match, "_unchanged", lambda self, reply: None, "refusals", "refusals/asked",
    ),
    "a refusal to show something is no matter": (
        match.Match, "_shown", lambda self, message: self._report(message), "refusals", "refusals/state: accepted",
    ),
    "undo is not compared": (match.Match, "do", never_compared_after_undo, "undo", "undo/undo: legal.more"),
    "a layer has no plans": (layers._MAKERS, "save", lambda context: iter(()), "save", "save/right"),
    "a layer returns early": (referee.Run, "_once", first_plan_only, "views", "views/plans"),
    "plans do only half": (referee, "plans", half_of_each, "save", "save/asked"),
    "a capability is ignored": (referee, "lacking", not_applicable_is_a_pass, "views", "views/without"),
    "a difference is a pass": (referee.Run, "_differs", no_difference_is_reported, "setup", "setup/step: digest"),
    "a difference is always a reading": (referee.Run, "_differs", all_is_a_reading, "setup", "setup/step: digest"),
    "no answer is a pass": (referee.Run, "_no_answer", silence_is_a_pass, "setup", "setup/silence"),
    "no answer is a difference": (referee.Run, "_no_answer", silence_is_a_difference, "setup", "setup/silence"),
    "nothing is shrunk": (shrink.Shrinker, "shrink", lambda self, divergence: divergence, "play", "play/shrunk"),
    "options need no echo": (referee.Run, "tell", lambda self, game: "", "setup", "setup/asked"),
}  # fmt: skip
"""What is broken: where, the name, what stands there instead; the layer, and a row that must not pass."""


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_harness_does_not_pass_its_own_check(name, monkeypatch):
    where, what, broken, layer, row = MUTANTS[name]
    put = monkeypatch.setitem if isinstance(where, dict) else monkeypatch.setattr
    put(where, what, broken)
    assert row in named(on_pebbles(layer))


@pytest.mark.parametrize("layer", sorted(set(ASKED) - {"compound"}))
def test_no_layer_may_be_empty(layer, monkeypatch):
    monkeypatch.setitem(layers._MAKERS, layer, lambda context: iter(()))
    assert {f"{layer}/right", f"{layer}/asked"} <= named(on_pebbles(layer))


class HangingSubject(InProcessSubject):
    """Lets the silence through, as a pipe would."""

    def ask(self, message, meanwhile=None):
        if type(message).__name__ == "Step":
            raise Timeout("no answer within the limit")
        return super().ask(message, meanwhile)


def test_a_fault_that_only_keeps_silent_is_not_counted_as_caught(monkeypatch):
    game = toy.Pebbles()
    fault = Fault("silent", "", "", "", "never answers a step", lambda one: one.varied())
    monkeypatch.setattr("lawspeaker.conformance.faults.InProcessSubject", HangingSubject)
    suite = Suite(game, 0, lambda *given: iter(()), ("play", "setup"), searched=1, readings=False)
    assert catch(fault, suite, longer=False) is None

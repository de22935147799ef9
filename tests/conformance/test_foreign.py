"""A foreign program plays the reference: it is compared with, never trusted, and its faults are not the subject's."""

import re
import sys
from pathlib import Path

import pytest
from toy import ROOM, Pebbles, faulty

from lawspeaker.conformance import messages as m
from lawspeaker.conformance.foreign import foreign_game, narrowed
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.reference import ReferenceFailure, history
from lawspeaker.conformance.session import Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.contract import CHANCE, OVER
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.play import steps

BAD = Path(__file__).parent / "subjects" / "bad.py"
LIMITS = Limits(start=20.0, handshake=20.0, work=0.4, close=0.05)
LAYERS = ("perft", "setup", "play", "refusals", "views", "undo", "save", "two-ways")


class Changed(InProcessSubject):
    """The toy game's reference, with each reply changed by a function."""

    def __init__(self, change, game=None):
        super().__init__(Session(game or Pebbles(), ROOM))
        self.change = change

    def ask(self, message, meanwhile=None):
        return self.change(message, super().ask(message, meanwhile))


def honest(game=None):
    return InProcessSubject(Session(game or Pebbles(), ROOM))


def foreign(make=honest):
    return foreign_game(make, "pebbles")


def offering(**capabilities):
    """Return a maker of references that offer other capabilities than the model's."""

    def change(message, reply):
        if not isinstance(message, m.Hello):
            return reply
        return replace(reply, capabilities=replace(reply.capabilities, **capabilities))

    return lambda: Changed(change)


def replace(struct, **fields):
    return type(struct)(**{**{name: getattr(struct, name) for name in struct.__struct_fields__}, **fields})


# -- as a game -------------------------------------------------------------------------------------------


def test_it_is_the_game_that_its_program_plays():
    ours, theirs = Pebbles(), foreign()
    position = theirs.start()
    for step in steps(ours, 5):
        mine = step.before
        assert theirs.actor(position) == ours.actor(mine)
        assert list(theirs.legal(position)) == sorted(ours.text(a) for a in ours.legal(mine))
        assert theirs.record(position) == ours.record(mine)
        assert theirs.observe(position, 1) == ours.observe(mine, 1)
        position = theirs.apply(position, ours.text(step.action))
    assert theirs.actor(position) == OVER
    assert sum(theirs.result(position).scores) > 0
    assert len(history(position)) == len(list(steps(ours, 5)))
    assert theirs.position(theirs.record(position)).shown.actor == "over"


@pytest.mark.parametrize("lacking", ["undo", "setup", "state"])
def test_it_goes_back_to_any_position_by_whatever_is_offered(lacking):
    game = foreign(offering(**{lacking: False}))
    start = game.start()
    walked = [start]
    for _ in range(4):
        walked.append(game.apply(walked[-1], game.legal(walked[-1])[0]))
    game.reference.known.clear()
    for old in reversed(walked[:-1]):
        again = game.apply(old, game.legal(old)[-1])
        assert again.depth == old.depth + 1


def test_what_it_refuses_is_refused_in_its_words():
    game = foreign()
    start = game.start()
    assert game.actor(start) == CHANCE
    assert game.breaches(start, "roll 2") == ()
    (breach,) = game.breaches(start, "roll 9")
    assert "roll 9" in str(breach.fact("saying"))
    assert game.breaches(start, "take", 0)
    with pytest.raises(BadInput, match="is no action"):
        game.parse("dance wildly")


# -- against a subject -----------------------------------------------------------------------------------


def test_two_right_programs_agree_in_every_layer():
    report = conform(foreign(), honest, budget=SMALL, seed=3, layers=LAYERS)
    assert report.exit_code == 0
    assert [case.said for case in report.failures] == []
    assert {case.layer for case in report.cases if case.verdict == "pass"} >= set(LAYERS)


def test_a_subject_that_differs_is_told_where_and_with_what_the_reference_says():
    wrong = faulty(on_track=lambda cell, roll: True)
    report = conform(foreign(), lambda: honest(wrong), budget=SMALL, seed=3, layers=("setup", "play"))
    assert report.exit_code == 1
    failures = [case for case in report.failures if case.layer in ("setup", "play")]
    assert failures
    assert all(case.verdict == "fail" for case in failures), "no reading is known that could explain it"
    assert all(case.blame in ("engine", "adapter") for case in failures)
    assert any(re.search(r"refuses", "\n".join((case.said, *case.worked))) for case in failures)


def test_only_what_both_sides_offer_is_compared():
    game = foreign(offering(view=False, setup=False, undo=False))
    caps = narrowed(game, honest().ask(m.Hello((1,), "test", "pebbles")).capabilities)
    assert (caps.view, caps.setup, caps.state, caps.compound) == (False, False, True, False)
    report = conform(game, honest, budget=SMALL, seed=3, layers=("views", "play"))
    verdicts = {case.layer: case.verdict for case in report.cases}
    assert (verdicts["views"], verdicts["play"]) == ("not applicable", "pass")


# -- what it does wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capabilities", "lacks"),
    [({"legal": False}, "legal"), ({"chance": ("reported",)}, "dictated chance"), ({"outcomes": False}, "outcomes")],
)
def test_a_program_that_offers_too_little_is_no_reference(capabilities, lacks):
    with pytest.raises(BadInput, match=lacks):
        foreign(offering(**capabilities)).start()


def _twice(message, reply):
    legal = getattr(reply, "legal", None)
    return replace(reply, legal=legal + legal[:1]) if legal else reply


def _wrong_step(message, reply):
    return replace(reply, step=reply.step + 1) if isinstance(message, m.Step) else reply


def _nobody(message, reply):
    return replace(reply, actor="Z") if isinstance(message, m.Step) and reply.accepted else reply


def _accepts(message, reply):
    return replace(reply, accepted=True, code=None) if isinstance(message, m.Step) and not reply.accepted else reply


def _refuses(message, reply):
    listed = isinstance(message, m.Step) and reply.accepted
    return m.Report(step=reply.step - 1, accepted=False, code="illegal") if listed else reply


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_twice, "lists a legal action twice"),
        (_wrong_step, "its answer is for step"),
        (_nobody, "which is no seat"),
        (_accepts, "accepts .* which it does not list"),
        (_refuses, "refuses .* which it lists as legal"),
    ],
    ids=["twice", "wrong step", "nobody", "accepts", "refuses"],
)
def test_its_faults_are_its_own_and_end_the_run(change, said):
    report = conform(foreign(), honest, budget=SMALL, seed=3, layers=("play",))
    assert report.exit_code == 0
    try:
        report = conform(foreign(lambda: Changed(change)), honest, budget=SMALL, seed=3, layers=("play", "refusals"))
    except ReferenceFailure as failure:
        assert re.search(said, failure.said)
        return
    assert report.exit_code == 4
    blamed = [case for case in report.cases if re.search(said, case.said)]
    assert blamed, [case.said for case in report.cases]
    assert not [case for case in report.failures if case.blame in ("engine", "adapter")]


def test_one_that_contradicts_itself_is_found_out():
    seen = []

    def change(message, reply):
        if isinstance(message, m.Setup) and reply.accepted and reply.legal:
            seen.append(message)
            return replace(reply, legal=reply.legal[1:])
        return reply

    report = conform(foreign(lambda: Changed(change)), honest, budget=SMALL, seed=3, layers=("play", "setup", "undo"))
    assert seen
    assert report.exit_code == 4
    assert any("only one time of two" in case.said for case in report.cases)


@pytest.mark.parametrize("kind", ["exits", "garbage", "hangs", "wrong_id", "flood"])
def test_one_that_breaks_down_is_at_fault_and_is_ended(kind):
    made = []

    def start():
        made.append(ProcessSubject([sys.executable, "-S", "-E", str(BAD), f"{kind}@step"], LIMITS))
        return made[-1]

    with pytest.raises((ReferenceFailure, BadInput)) as caught:
        game = foreign(start)
        game.apply(game.start(), "roll 1")
    for found in made:
        found.close()
        assert found.process.poll() is not None
    assert caught.type is ReferenceFailure

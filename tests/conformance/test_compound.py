"""Compound decisions over the protocol, on the game Hoards: taken as one step, undone as one, refused whole."""

import msgspec
import pytest
from hoards import ROOM, Hoards

from lawspeaker.conformance import messages as m
from lawspeaker.conformance.explain import read_line, trace_text
from lawspeaker.conformance.layers import LAYERS, SMALL
from lawspeaker.conformance.match import Line, Op
from lawspeaker.conformance.referee import conform, replay
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.shrink import in_parts, walk
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.taking import take_compound
from lawspeaker.model.core.traces import read_trace

GAME = Hoards()
DEALT = (("chance", "deal 2"), ("chance", "deal 4"))

BUDGET = msgspec.structs.replace(SMALL, positions=24, others=8)


def begun(offered=FULL, kind=Session):
    session = kind(Hoards(), ROOM, offered=offered)
    session.handle(m.Hello((1,), "test", "hoards"))
    session.handle(m.Start(("A", "B")))
    for number, (by, text) in enumerate(DEALT, 1):
        session.handle(m.Step(number, by, text))
    return session


def check(kind=Session, offered=FULL, layers=("compound",), **more):
    make = lambda: InProcessSubject(kind(Hoards(), ROOM, offered=offered))  # noqa: E731
    return conform(Hoards(), make, budget=BUDGET, seed=1, layers=layers, **more)


def test_a_compound_step_is_one_step_and_answers_for_the_whole() -> None:
    session = begun()
    report = session.handle(m.Step(3, "A", "march 1:2 3:1", ("legal", "digest")))
    assert (report.step, report.accepted, report.actor) == (3, True, "B")
    parts = begun()
    for number, text in enumerate(("send 2", "send 0", "send 1"), 3):
        last = parts.handle(m.Step(number, "A", text, ("legal", "digest")))
    assert (report.legal, report.digest) == (last.legal, last.digest)
    undone = session.handle(m.Undo(1, ("digest",)))
    assert (undone.step, undone.actor) == (2, "A")
    assert undone.digest == begun().handle(m.State(("digest",))).digest


@pytest.mark.parametrize(
    ("by", "text", "code", "said"),
    [
        ("A", "march 1:2 3:2", "illegal", "part 3: 'send 2' is not legal: HD-MARCH-01: 1 men are left"),
        ("A", "wagers 1 0", "illegal", "part 1: 'wager 1' is not legal: HD-TURN-01"),
        ("A", "march 3:1 1:2", "malformed", "is not canonical; write 'march 1:2 3:1'"),
        ("A", "march home", "malformed", "cannot read 'march home'"),
        ("A", "sail 1:2", "malformed", "'sail 1:2' is no action"),
        ("B", "march 1:3", "not_your_turn", "A is next"),
    ],
)
def test_a_compound_step_is_refused_whole_and_changes_nothing(by: str, text: str, code: str, said: str) -> None:
    session = begun()
    before = session.handle(m.State(("digest", "legal")))
    report = session.handle(m.Step(3, by, text))
    assert (report.step, report.accepted, report.code) == (2, False, code)
    assert said in (report.message or "")
    assert session.handle(m.State(("digest", "legal"))) == before


def test_who_does_not_offer_compound_texts_refuses_them() -> None:
    session = begun(msgspec.structs.replace(FULL, compound=False))
    assert session.handle(m.Step(3, "A", "march 1:3")).code == "malformed"


def test_only_a_game_with_compound_texts_offers_them() -> None:
    from toy import ROOM as PEBBLES
    from toy import Pebbles

    def offers(game, room):
        return Session(game, room).handle(m.Hello((1,), "test", game.id)).capabilities.compound

    assert offers(Hoards(), ROOM)
    assert not offers(Pebbles(), PEBBLES)


@pytest.mark.parametrize("mode", ["dictated", "scripted", "reported"])
def test_the_reference_passes_in_every_mode_of_chance(mode: m.ChanceMode) -> None:
    report = check(offered=msgspec.structs.replace(FULL, chance=(mode,)), layers=LAYERS)
    assert report.exit_code == 0
    assert sum(c.layer == "compound" and c.verdict == "pass" for c in report.cases) == BUDGET.others


def test_without_the_capability_the_layer_is_not_applicable() -> None:
    report = check(offered=msgspec.structs.replace(FULL, compound=False))
    assert [(c.verdict, c.said) for c in report.cases if c.layer == "compound"] == [
        ("not applicable", "compound not offered")
    ]


# -- faulty subjects ---------------------------------------------------------------------------------------


class Halfway(Session):
    """Keeps the parts taken before the one that is not legal."""

    def _compound(self, message):
        report = super()._compound(message)
        if report is not None and not report.accepted:
            for action in self.game.expand(self.position, message.action):
                if action not in self.game.legal(self.position):
                    break
                self.history[-1] = self.game.apply(self.position, action)
            self.texts = None
        return report


class Counting(Session):
    """Counts a compound decision as one step, and takes back only its last part."""

    def _compound(self, message):
        report = super()._compound(message)
        if report is not None and report.accepted:
            self.history[-2] = take_compound(self.game, self.history[-2], message.action)[-1].before
        return report


class Lenient(Session):
    """Takes a decision although its last part is not legal."""

    def _compound(self, message):
        try:
            return super()._compound(message) if message.by != "A" or self._fits(message) else self._report(())
        finally:
            self.texts = None

    def _fits(self, message):
        report = super()._compound(message)
        if report is None or report.accepted:
            if report is not None:
                self.history.pop()
            return True
        self._push(self.position)
        return False


class Strict(Session):
    """Refuses marches of more than one part."""

    def _compound(self, message):
        report = super()._compound(message)
        if report is None or not report.accepted or not message.action.startswith("march 1:1"):
            return report
        self.history.pop()
        return self._refuse("illegal", "one hill at a time")


class Forgetful(Session):
    """Leaves out the first part."""

    def _compound(self, message):
        before = self.position
        report = super()._compound(message)
        if report is None or not report.accepted or not message.action.startswith("march 1:1"):
            return report
        self.history[-1] = msgspec.structs.replace(self.position, cards=before.cards[::-1])
        self.texts = None
        return self._report(message.want)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Halfway, "changed by a refusal"),
        (Counting, "after undo"),
        (Lenient, "accepted 'wagers "),
        (Strict, "which is legal: refused (illegal): one hill at a time"),
        (Forgetful, "state.cards"),
    ],
)
def test_a_faulty_subject_is_found(kind: type[Session], said: str) -> None:
    report = check(kind)
    failed = [c for c in report.cases if c.verdict == "fail"]
    assert len(failed) == 1 and said in failed[0].said, report.cases
    assert any(word in failed[0].trace for word in ("march ", "wagers ")), failed[0].trace


def test_a_failure_is_shrunk_and_told_by_its_parts() -> None:
    report = check(Forgetful)
    found = report.failures[0]
    trace = read_trace(found.trace)
    assert trace.start and [e.action for e in trace.entries] == ["march 1:1 2:2"]
    assert any("send 1: HD-TURN-01" in line for line in found.worked)


# -- lines -----------------------------------------------------------------------------------------------


OPS = (*(Op("try", by, text) for by, text in DEALT), Op("try", "A", "march 1:2 3:1"))


def test_a_line_with_a_compound_decision_is_a_trace_and_reads_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawspeaker.conformance.explain.game_for", lambda trace, pack: GAME)
    line = Line(None, (*OPS, Op("try", "B", "march 1:3 2:2"), Op("undo", count=1)))
    text = trace_text(GAME, line)
    assert "3 A march 1:2 3:1\n" in text and "# then: try B march 1:3 2:2\n# then: undo 1\n" in text
    assert read_line(text, "mail")[1] == line


def test_for_other_subjects_a_line_is_cut_into_parts() -> None:
    line = Line(None, (*OPS, Op("try", "B", "march 1:3 2:2"), Op("undo", count=2), Op("try", "chance", "deal 1")))
    cut = in_parts(GAME, line)
    assert [op.text or op.count for op in cut.ops] == [
        "deal 2", "deal 4", "send 2", "send 0", "send 1", "march 1:3 2:2", 4, "deal 1",
    ]  # fmt: skip
    assert walk(GAME, cut)[-1] == walk(GAME, line)[-1]
    offered = msgspec.structs.replace(FULL, compound=False)
    report = replay(GAME, lambda: InProcessSubject(Session(Hoards(), ROOM, offered=offered)), Line(None, OPS))
    assert report.exit_code == 0 and report.checked == 6

"""The reference as a server: never dies from a message, keeps its step numbers, undo, saves and chance."""

import io
import json
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from toy import PACK, ROOM, Pebbles

from lawspeaker.commands.serve import command
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.process import ProcessSubject
from lawspeaker.conformance.server import serve
from lawspeaker.conformance.session import FULL, Complaint, Session
from lawspeaker.conformance.subjects import InProcessSubject


@pytest.fixture
def asked():
    subject = InProcessSubject(Session(Pebbles(), ROOM))
    subject.ask(m.Hello((1,), "test", "pebbles"))
    return subject.ask


def begin(ask, **more):
    return ask(m.Start(("A", "B"), **more))


def walk(ask, *actions):
    for text in actions:
        by = "chance" if text.startswith("roll") else None
        now = ask(m.Legal())
        reply = ask(m.Step(now.step + 1, by or now.actor, text, ("digest", "legal")))
        assert reply.accepted, reply
    return reply


def test_a_step_moves_the_number_and_a_refusal_does_not(asked):
    begin(asked)
    assert asked(m.Step(1, "chance", "roll 2")).step == 1
    refused = asked(m.Step(2, "A", "take"))
    assert (refused.accepted, refused.code, refused.step) == (False, "illegal", 1)
    assert "PB-TAKE-01: no pebble lies on 0" in refused.message


@pytest.mark.parametrize(
    ("step", "by", "action", "code"),
    [
        (2, "B", "walk 2", "not_your_turn"),
        (2, "A", "walk 3", "illegal"),
        (2, "A", "walk  2", "malformed"),
        (2, "A", "fly", "malformed"),
        (2, "A", None, "malformed"),
        (3, "A", "walk 2", "wrong_step"),
        (1, "A", "walk 2", "wrong_step"),
    ],
)
def test_refusals_have_their_codes(asked, step, by, action, code):
    begin(asked)
    walk(asked, "roll 2")
    before = asked(m.State(("digest",)))
    assert asked(m.Step(step, by, action)).code == code
    assert asked(m.State(("digest",))) == before


def test_undo_save_and_load_come_back_to_the_same(asked):
    first = begin(asked, want=("digest", "legal"))
    middle = walk(asked, "roll 1", "walk 1", "roll 3")
    saved = asked(m.Save())
    walk(asked, "rest", "roll 1", "take")
    assert asked(m.Undo(3, ("digest", "legal"))) == middle
    assert asked(m.Load(saved.saved, ("digest", "legal"))) == middle
    assert asked(m.Undo(1)).code == "nothing_to_undo"
    assert begin(asked, want=("digest", "legal")) == first


def test_setup_names_broken_invariants_and_leaves_the_game_alone(asked):
    begin(asked)
    record = asked(m.State()).state
    reply = asked(m.Setup({**record, "pebbles": [1, 1], "cells": {"A": 0, "B": 99}}))
    assert not reply.accepted
    assert {b.invariant for b in reply.broken} == {"PB-I1", "PB-I2"}
    assert asked(m.Setup({**record, "roll": "two"})).broken[0].invariant == "form"
    assert asked(m.State()).state == record


def test_scripted_chance_follows_the_script_and_undo_gives_outcomes_back(asked):
    begin(asked, chance="scripted", script=("roll 3", "roll 1"))
    assert asked(m.Step(1, "chance")).outcome == "roll 3"
    asked(m.Step(2, "A", "rest"))
    assert asked(m.Step(3, "chance")).outcome == "roll 1"
    asked(m.Undo(1))
    assert asked(m.Step(3, "chance")).outcome == "roll 1"
    asked(m.Step(4, "B", "rest"))
    assert asked(m.Step(5, "chance")).code == "script_exhausted"
    assert asked(m.Step(5, "chance", "roll 1")).code == "malformed"


def test_reported_chance_is_drawn_by_seed():
    def outcomes(seed):
        session = Session(Pebbles(), seed=seed)
        ask = InProcessSubject(session).ask
        ask(m.Hello((1,), "test", "pebbles"))
        begin(ask, chance="reported")
        return [
            (ask(m.Step(n, "chance")).outcome, ask(m.Step(n + 1, "AB"[n // 2 % 2], "rest")))[0] for n in range(1, 20, 2)
        ]

    assert outcomes(1) == outcomes(1) != outcomes(2)


def test_options_are_echoed_and_unknown_ones_refused(asked):
    reply = asked(m.Options({"R_REST": "forced"}))
    assert reply.rulings == {"R_REST": "forced", "R_BONUS": "three"}
    assert asked(m.Options({"R_NONE": "x"})).code == "unknown_ruling"
    assert asked(m.Options({"R_REST": "x"})).code == "unknown_value"
    begin(asked)
    assert walk(asked, "roll 1").legal == ("walk 1",)


def test_a_pack_is_taken_inline_and_by_digest(asked):
    from lawspeaker.conformance.messages import PackChoice

    small = type(PACK)(format=PACK.format, game="pebbles", id="one", title="one", pebbles=(4,))
    import msgspec

    plain = msgspec.to_builtins(small)
    assert asked(m.Options({}, PackChoice("one", small.digest, plain))).pack == "one"
    assert begin(asked, want=("state",)).state["pebbles"] == [4]
    assert asked(m.Options({}, PackChoice("six", PACK.digest))).code == "unknown_pack"
    assert asked(m.Options({}, PackChoice("one", small.digest))).pack == "one"
    assert asked(m.Options({}, PackChoice("one", PACK.digest, plain))).code == "unknown_pack"
    assert asked(m.Options({}, PackChoice("one", "sha256:0", {"id": 5}))).code == "unknown_pack"


def test_what_is_not_offered_is_refused():
    offered = m.Capabilities(legal=True)
    ask = InProcessSubject(Session(Pebbles(), offered=offered)).ask
    hello = ask(m.Hello((1,), "test", "pebbles"))
    assert (hello.level, hello.capabilities) == (0, offered)
    begin(ask)
    for message in (m.Undo(1), m.Save(), m.View("A"), m.State(), m.Options({}), m.Setup({})):
        assert ask(message).code == "not_offered"
    assert begin(ask, chance="reported").code == "not_offered"


def test_messages_in_the_wrong_order_get_errors():
    ask = InProcessSubject(Session(Pebbles())).ask
    assert begin(ask).code == "hello_first"
    assert ask(m.Hello((7,), "test", "pebbles")).code == "invalid_params"
    assert ask(m.Hello((1,), "test", "chess")).code == "unknown_game"
    ask(m.Hello((1,), "test", "pebbles"))
    assert ask(m.Legal()).code == "no_game"
    assert ask(m.Start(("A",))).code == "bad_players"
    assert ask(m.Load("{}")).code == "bad_save"
    assert ask(m.Load("nonsense")).code == "bad_save"


def test_a_game_that_breaks_gives_an_internal_error_and_the_session_goes_on():
    class Broken(Pebbles):
        def apply(self, position, action):
            raise ZeroDivisionError("oops")

    ask = InProcessSubject(Session(Broken())).ask
    ask(m.Hello((1,), "test", "pebbles"))
    begin(ask)
    assert ask(m.Step(1, "chance", "roll 1")) == m.Refused("internal", "ZeroDivisionError: oops")
    assert begin(ask).step == 0


@given(st.lists(st.binary(max_size=60) | st.text(max_size=30).map(str.encode), max_size=6))
def test_no_bytes_end_the_loop(lines):
    source = io.BytesIO(b"".join(line.replace(b"\n", b" ") + b"\n" for line in lines) + HELLO)
    sink = io.BytesIO()
    serve(Session(Pebbles()), source, sink)
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert answers[-1]["result"]["name"] == "lawspeaker"
    assert all("error" in answer for answer in answers[:-1])


HELLO = m.request_line(9, m.Hello((1,), "test", "pebbles"))


@given(
    st.sampled_from(sorted(m.METHODS)),
    st.dictionaries(st.sampled_from(["step", "by", "action", "want", "count", "seat", "state", "saved"]), st.none()
                    | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=2)),
)  # fmt: skip
def test_no_params_end_the_session(method, params):
    session = Session(Pebbles())
    session.answer(HELLO)
    session.answer(m.request_line(1, m.Start(("A", "B"))))
    line = json.dumps({"jsonrpc": "2.0", "id": 4, "method": method, "params": params}).encode()
    answer = json.loads(session.answer(line))
    assert answer["id"] == 4
    assert answer.get("error", {}).get("code") != m.ERRORS["internal"]


def test_a_line_over_the_limit_is_answered_and_skipped():
    source = io.BytesIO(b"x" * (3 * m.LINE_LIMIT) + b"\n" + HELLO)
    sink = io.BytesIO()
    serve(Session(Pebbles()), source, sink)
    first, second = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert (first["error"]["data"]["code"], second["id"]) == ("parse_error", 9)


def test_bye_ends_the_loop():
    source = io.BytesIO(m.request_line(1, m.Bye()) + HELLO)
    sink = io.BytesIO()
    serve(Session(Pebbles()), source, sink)
    assert sink.getvalue().count(b"\n") == 1


def test_every_capability_that_is_asked_for_is_checked():
    session = Session(Pebbles(), offered=m.Capabilities())
    session.handle(m.Hello((1,), "test", "pebbles"))
    session.handle(m.Start(("A", "B")))
    for item in ("legal", "state", "digest", "result"):
        with pytest.raises(Complaint, match="not offered"):
            session.handle(m.Step(1, "chance", "roll 1", (item,)))
    assert {name for name in FULL.__struct_fields__ if getattr(FULL, name) is True} >= {"legal", "undo", "setup"}


def test_the_command_serves_fjords_over_a_pipe():
    argv = [sys.executable, "-m", "lawspeaker", "serve", "fjords", "--only", "legal,digest"]
    subject = ProcessSubject(argv)
    try:
        hello = subject.ask(m.Hello((1,), "test", "fjords"))
        assert hello.capabilities.legal
        assert not hello.capabilities.undo
        reply = subject.ask(m.Start(("A", "B"), want=("legal", "digest")))
        assert reply.digest.startswith("sha256:")
        assert isinstance(subject.ask(m.Bye()), m.ByeReply)
    finally:
        subject.close()


def test_the_command_refuses_wrong_words():
    for words in (["fjords", "--only", "flying"], ["fjords", "--chance", "fate"]):
        assert CliRunner().invoke(command, words).exit_code == 2



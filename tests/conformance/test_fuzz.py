"""Generated garbage in both directions: every line gets its answer, every answer its verdict."""

import io
import json
import os
import sys
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from toy import ROOM, Pebbles

from lawspeaker.conformance import messages as m
from lawspeaker.conformance.advice import ADVICE, FAULTS
from lawspeaker.conformance.layers import LAYERS, Budget
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.schemas import schemas
from lawspeaker.conformance.server import serve
from lawspeaker.conformance.session import Session
from lawspeaker.conformance.subjects import InProcessSubject, ProtocolError
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.records import CaseResult

GAMES = ("pebbles", "fjords", "northmen")
LONG = settings().max_examples > 100
MESSAGES = settings(max_examples=settings().max_examples * (1 if LONG else 3))
RUNS = settings(max_examples=settings().max_examples)
TINY = Budget("tiny", games=1, positions=2, follow=2, perft=6, probes=2, others=1, shrink=10, judged=50)
VERDICTS = ("pass", "fail", "another reading", "not applicable", "no answer", "error")


@cache
def game(name):
    return Pebbles() if name == "pebbles" else make_game(name)


def new_session(name):
    return Session(game(name), ROOM if name == "pebbles" else room(name))


def open_line(kind):
    return {"jsonrpc": "2.0", "id": 1, **kind}


# -- what is sent -------------------------------------------------------------------------------------

LIMIT_INTS = [0, -1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**30]
INTS = st.integers(-3, 5) | st.sampled_from(LIMIT_INTS)
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["A", "B", "chance", "roll 1", "walk 1", "take", "rest", "legal", "state", "digest", "result", "scripted",
     "reported", "draw", "start A", "\ud800", "\udfff\ud800", "\x00", "\u202e", "", " ", "R_REST", "free", "six"]
)  # fmt: skip
LEAVES = st.none() | st.booleans() | INTS | TEXTS | st.floats()
ANY_JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=10
)


def odd(usual):
    """The usual value, mostly; now and then anything."""
    return usual | usual | usual | ANY_JSON


WANT = st.lists(st.sampled_from(["legal", "state", "digest", "result"]), max_size=4)
CHANCE = st.sampled_from(["dictated", "scripted", "reported"])
STATE = st.fixed_dictionaries({}, optional={"turn": odd(INTS), "phase": odd(st.just("act")), "pebbles": ANY_JSON})
SCRIPT = st.lists(TEXTS, max_size=4)
PLAYERS = st.sampled_from([["A", "B"], ["A"], ["A", "B", "C"], ["B", "A"], ["A", "A"], []])
SAVED = st.builds(json.dumps, st.fixed_dictionaries(
    {"step": INTS, "drawn": INTS, "chance": CHANCE, "script": SCRIPT, "state": st.just("NOW") | STATE}
))  # fmt: skip
PARAMS = {
    "hello": {"protocol": st.lists(INTS, max_size=3), "referee": TEXTS, "game": st.sampled_from([*GAMES, "chess"])},
    "options": {"rulings": st.dictionaries(TEXTS, TEXTS, max_size=2),
                "pack": st.fixed_dictionaries({"id": TEXTS, "digest": TEXTS, "data": ANY_JSON})},
    "start": {"players": PLAYERS, "chance": CHANCE, "script": SCRIPT, "want": WANT},
    "setup": {"state": st.just("NOW") | STATE, "players": PLAYERS, "chance": CHANCE, "script": SCRIPT, "want": WANT},
    "step": {"step": st.just("NEXT") | INTS, "by": st.just("NEXT") | TEXTS, "action": st.just("NEXT") | TEXTS,
             "want": WANT},
    "legal": {}, "state": {"want": WANT}, "view": {"seat": st.sampled_from(["A", "B", "C"]) | TEXTS},
    "undo": {"count": INTS, "want": WANT}, "save": {}, "load": {"saved": SAVED, "want": WANT},
    "bye": {},
}  # fmt: skip
"""For each method what stands in its fields, for the most part."""


def request(method):
    fields = {name: odd(value) for name, value in PARAMS[method].items()}
    params = st.fixed_dictionaries({}, optional=fields) | st.fixed_dictionaries(fields)
    extra = {"id": odd(st.integers(1, 99)), "jsonrpc": odd(st.just("2.0"))}
    return st.fixed_dictionaries({**extra, "method": st.just(method), "params": params | params | ANY_JSON})


def shapely(method):
    """A request of the right shape, whatever its values; most of what fits the game is right, so that play goes on."""
    required = {field.name for field in msgspec.structs.fields(m.METHODS[method]) if field.required}
    fields = {name: FIT.get((method, name), value) for name, value in PARAMS[method].items()}
    params = st.fixed_dictionaries(
        {name: value for name, value in fields.items() if name in required},
        optional={name: value for name, value in fields.items() if name not in required | {"action"}},
    )
    if "action" in fields:
        params = st.builds(lambda found, action: {**found, "action": action}, params, fields["action"])
    return params.map(lambda found: open_line({"method": method, "params": found}))


def mostly(usual, other):
    return st.integers(0, 4).flatmap(lambda drawn: other if drawn == 4 else st.just(usual))


FIT = {
    ("step", "step"): mostly("NEXT", INTS),
    ("step", "by"): mostly("NEXT", TEXTS),
    ("step", "action"): mostly("NEXT", st.none() | TEXTS),
    ("setup", "state"): mostly("NOW", STATE),
    ("setup", "players"): mostly(["A", "B"], PLAYERS),
    ("start", "players"): mostly(["A", "B"], PLAYERS),
    ("undo", "count"): st.integers(1, 2) | INTS,
    ("options", "pack"): st.none() | PARAMS["options"]["pack"],
    ("options", "rulings"): st.just({}) | st.just({"R_REST": "forced"}) | PARAMS["options"]["rulings"],
}
"""What is sent in a request of the right shape, where only a few values make sense."""
SHAPELY = st.sampled_from(["step"] * 4 + [name for name in m.METHODS if name not in ("hello", "bye")]).flatmap(shapely)
REQUESTS = st.sampled_from([name for name in m.METHODS if name != "bye"]).flatmap(request)
SPOILED = st.sampled_from([
    b'{"jsonrpc":"2.0","id":1,"id":2,"method":"legal"}', b'{"jsonrpc":"2.0","id":NaN,"method":"legal"}',
    b'{"jsonrpc":"2.0","id":1,"method":"legal","params":' + b"[" * 100_000, b'{"a":' * 70 + b"1" + b"}" * 70,
    b'{"jsonrpc":"2.0","id":1,"method":"legal","params":{"a":1,"a":1}}', b"[]" * 40, b"\xff\xfe", b"1" * 5000,
    b'"' + b"\\ud800" * 9 + b'"', b"-", b"null", b"\xef\xbb\xbf{}", b'{"jsonrpc":"2.0","id":1e3,"method":"save"}',
])  # fmt: skip
LINES = (
    REQUESTS.map(json.dumps).map(str.encode)
    | SHAPELY.map(json.dumps).map(str.encode)
    | SHAPELY.map(json.dumps).map(str.encode)
    | SHAPELY.map(json.dumps).map(str.encode)
    | ANY_JSON.map(json.dumps).map(str.encode)
    | SPOILED
    | st.binary(max_size=80)
).map(lambda line: line.replace(b"\n", b" "))


@cache
def validator(method):
    return Draft202012Validator(schemas()[f"{method}.answer.json"])


def check_answer(line, answer):
    """See that an answer is one line, of the protocol, for the number asked, and no breakdown; return it."""
    assert answer.endswith(b"\n")
    assert answer.count(b"\n") == 1
    assert len(answer) <= m.LINE_LIMIT + 1
    value = m.decode_line(answer.strip())
    try:
        asked = m.decode_line(line.strip())
    except m.CodecError:
        asked = None
    method = asked.get("method") if isinstance(asked, dict) else None
    validator(method if isinstance(method, str) and method in m.METHODS else "legal").validate(value)
    number = asked.get("id") if isinstance(asked, dict) else None
    assert value["id"] == (number if type(number) is int else None)
    if "error" in value:
        assert value["error"]["code"] == m.ERRORS[value["error"]["data"]["code"]]
        assert value["error"]["data"]["code"] != "internal", value
    return value


def begin(session):
    ask = InProcessSubject(session).ask
    assert isinstance(ask(m.Hello((1,), "test", session.game.id)), m.HelloReply)
    assert ask(m.Start(tuple(session.game.seats))).step == 0


def filled(line, session):
    """Put what fits the game now where a line says so, so that some questions are right."""
    if not session.history:
        return line
    now, known = session.position, session.game
    legal = [known.text(action) for action in known.legal(now)]
    actor = known.actor_name(now)
    record = json.dumps(known.record(now)).encode()
    line = line.replace(b'"step": "NEXT"', b'"step": %d' % (session.step + 1))
    line = line.replace(b'"by": "NEXT"', b'"by": "%s"' % actor.encode())
    line = line.replace(b'"action": "NEXT"', b'"action": ' + json.dumps(legal[0] if legal else "none").encode())
    escaped = json.dumps(record.decode())[1:-1].encode()
    return line.replace(b'"state": "NOW"', b'"state": ' + record).replace(b'\\"NOW\\"', escaped)


def plays_rightly(session):
    """See that the session plays a few steps as the game does."""
    ask = InProcessSubject(session).ask
    found = ask(m.Hello((1,), "test", session.game.id))
    assert isinstance(found, m.HelloReply)
    seats = tuple(session.game.seats)
    assert ask(m.Start(seats)).step == 0
    known = session.game
    position = known.start()
    for number in range(1, 9):
        legal = known.legal(position)
        action = legal[number % len(legal)]
        reply = ask(m.Step(number, known.actor_name(position), known.text(action), ("digest", "legal")))
        position = known.apply(position, action)
        assert (reply.accepted, reply.digest) == (True, m.fast_digest(known.record(position)))
        assert set(reply.legal) == {known.text(action) for action in known.legal(position)}


# -- the reference as a server ------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_reference_answers_every_line_and_plays_on(name):
    @MESSAGES
    @given(st.lists(LINES, max_size=16), st.booleans())
    def check(lines, begun):
        session = new_session(name)
        if begun:
            begin(session)
        for line in lines:
            sent = filled(line, session)
            if sent.strip():
                check_answer(sent, session.answer(sent))
        assert not session.ended
        plays_rightly(session)

    check()


def test_the_loop_gives_one_answer_to_each_line():
    @settings(max_examples=settings().max_examples)
    @given(st.lists(LINES, max_size=6))
    def check(lines):
        sink = io.BytesIO()
        serve(new_session("pebbles"), io.BytesIO(b"\n".join(lines) + b"\n"), sink)
        sent = [line for line in lines if line.strip()]
        answers = sink.getvalue().splitlines(keepends=True)
        assert len(answers) == len(sent)
        for line, answer in zip(sent, answers, strict=True):
            check_answer(line, answer)

    check()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("options", {"rulings": {"\x7f" * 900_000: "x"}}),
        ("view", {"seat": "\x7f" * 900_000}),
        ("step", {"step": 1, "by": "chance", "action": "\x7f" * 900_000}),
        ("setup", {"state": {"\x7f" * 900_000: 1}}),
        ("load", {"saved": "\x7f" * 900_000}),
    ],
)
def test_what_is_quoted_from_a_long_question_stays_short(method, params):
    session = new_session("pebbles")
    begin(session)
    line = json.dumps(open_line({"method": method, "params": params}), ensure_ascii=False).encode()
    answer = session.answer(line)
    check_answer(line, answer)
    assert len(answer) < 10_000


def test_a_game_too_long_to_be_saved_on_one_line_is_an_error_and_no_longer_line():
    session = new_session("pebbles")
    begin(session)
    ask = InProcessSubject(session).ask
    assert ask(m.Start(("A", "B"), "scripted", ('"' * 500_000,))).step == 0
    answer = session.answer(m.request_line(7, m.Save()))
    assert len(answer) < m.LINE_LIMIT
    assert json.loads(answer)["error"]["message"].startswith("the answer has 2000")
    plays_rightly(session)


def test_a_saved_game_with_too_many_steps_is_refused():
    ask = InProcessSubject(new_session("pebbles")).ask
    ask(m.Hello((1,), "test", "pebbles"))
    ask(m.Start(("A", "B")))
    saved = json.loads(ask(m.Save()).saved)
    assert ask(m.Load(json.dumps(saved | {"step": 2**64 - 1}))).code == "bad_save"
    assert ask(m.Load(json.dumps(saved | {"step": 5}))).step == 5


def test_a_key_that_stands_twice_among_very_many_is_found_at_once():
    keys = b",".join(b'"k%d":0' % number for number in range(90_000))
    with pytest.raises(m.CodecError, match="'k89999' stands twice"):
        m.decode_line(b"{" + keys + b',"k89999":1}')


def test_over_a_pipe_the_reference_answers_every_line_too():
    subject = ProcessSubject([sys.executable, "-m", "lawspeaker", "serve", "fjords"], Limits(close=0.2))
    ask, source = subject.process.stdin, io.BufferedReader(subject.process.stdout)
    for descriptor in (subject.stdin, subject.stdout):
        os.set_blocking(descriptor, True)

    @settings(max_examples=settings().max_examples)
    @given(st.lists(LINES, max_size=6))
    def check(lines):
        for line in lines:
            if line.strip():
                ask.write(line + b"\n")
                check_answer(line, source.readline())

    try:
        check()
        ask.write(m.request_line(5, m.Bye()))
        assert json.loads(source.readline()) == open_line({"id": 5, "result": {}})
        assert subject.ended(20) == 0
    finally:
        subject.close()


def test_the_reference_ends_quietly_when_nobody_listens():
    subject = ProcessSubject([sys.executable, "-m", "lawspeaker", "serve", "fjords"], Limits(close=0.2))
    try:
        subject.ask(m.Hello((1,), "test", "fjords"))
        subject.process.stdout.close()
        os.write(subject.stdin, m.request_line(2, m.Legal()))
        assert subject.ended(20) == 0
        assert subject.error_lines() == ()
    finally:
        subject.close()


# -- the referee --------------------------------------------------------------------------------------


class Fuzzed:
    """The reference as subject, some of whose answers are exchanged: by number, and all from some number on."""

    def __init__(self, edits, rest):
        self.session = new_session("pebbles")
        self.edits, self.rest, self.number = edits, rest, 0

    def ask(self, message, meanwhile=None):
        self.number += 1
        line = self.session.answer(m.request_line(self.number, message))
        edit = self.edits.get(self.number)
        if edit is None and self.rest is not None and self.number >= self.rest[0]:
            edit = self.rest[1]
        try:
            return m.read_answer((line if edit is None else edited(line, edit)).strip(), self.number, type(message))
        except m.CodecError as error:
            raise ProtocolError(error.said, error.kind) from None

    def close(self):
        pass


def judged(edits, rest=None, layers=LAYERS):
    """Run the referee against the answers with these edits."""
    return conform(Pebbles(), lambda: Fuzzed(edits, rest), budget=TINY, seed=3, layers=layers)


def edited(line, edit):
    """An answer with one field exchanged or taken away, or another line altogether."""
    if isinstance(edit, bytes):
        return edit
    place, name, value = edit
    answer = json.loads(line)
    inner = answer if place == "line" else answer.setdefault("result", {})
    if place == "near" and inner:
        names = sorted(inner)
        name = names[name % len(names)]
        value = value.get(name, LEFT_OUT)
    if value is LEFT_OUT:
        inner.pop(name, None)
    else:
        inner[name] = value
    return json.dumps(answer).encode()


LEFT_OUT = "left out"
FIELDS = ("step", "accepted", "code", "actor", "legal", "state", "digest", "result", "outcome", "broken", "message",
          "protocol", "name", "version", "games", "level", "capabilities", "rulings", "pack", "view",
          "saved")  # fmt: skip
NEAR = {
    "step": INTS, "level": INTS, "accepted": st.booleans(), "actor": TEXTS, "code": TEXTS, "digest": TEXTS,
    "legal": st.lists(TEXTS, max_size=4), "state": STATE, "rulings": st.dictionaries(TEXTS, TEXTS, max_size=2),
    "capabilities": st.fixed_dictionaries({}, optional={
        **{name: st.booleans() for name in ("legal", "outcomes", "result", "state", "digest", "view", "undo", "save",
                                            "setup", "options", "compound")},
        "chance": st.lists(CHANCE, max_size=2), "fields": st.none() | st.lists(TEXTS, max_size=2),
    }),
    "result": st.fixed_dictionaries({"scores": st.dictionaries(TEXTS, INTS, max_size=2), "winners": SCRIPT}),
    "broken": st.lists(st.fixed_dictionaries({"invariant": TEXTS, "said": TEXTS}), max_size=2),
}  # fmt: skip
"""Values of the right shape, so that some garbage gets far."""
EDITS = (
    st.sampled_from(FIELDS).flatmap(
        lambda name: st.tuples(st.just("result"), st.just(name), NEAR.get(name, TEXTS) | ANY_JSON | st.just(LEFT_OUT))
    )
    | st.tuples(st.just("line"), st.sampled_from(["id", "jsonrpc", "error", "result", "more"]), ANY_JSON)
    | st.tuples(st.just("near"), st.integers(0, 9), st.fixed_dictionaries(NEAR))
    | SPOILED
    | st.binary(max_size=40)
)


def check_report(report):
    """See that a run ended in verdicts of the fixed list, and that its report can be written."""
    assert report.cases
    assert report.exit_code in (0, 1, 3)
    for case in report.cases:
        assert isinstance(case, CaseResult)
        assert case.verdict in VERDICTS
        assert case.verdict != "error", case
        assert case.said.isprintable() or case.verdict in ("fail", "another reading"), case.said
        if case.verdict == "no answer" and not case.said.startswith("not run: "):
            assert case.said.split(":")[0] in ADVICE
            assert case.blame in FAULTS
    assert len(m.encode(report)) < 2_000_000


@RUNS
@given(st.dictionaries(st.integers(1, 60), EDITS, max_size=3), st.none() | st.tuples(st.integers(1, 80), EDITS))
def test_the_referee_makes_a_verdict_of_every_answer(edits, rest):
    check_report(judged(edits, rest))


def test_a_bad_answer_when_the_options_are_told_again_after_the_scenarios_is_a_verdict_too():
    check_report(judged({3: b"[]"}))


def test_unedited_answers_pass_and_edited_ones_are_seen():
    def run(edits):
        report = judged(edits)
        check_report(report)
        return report.exit_code

    assert run({}) == 0
    assert run({20: ("result", "step", 99)}) == 1
    assert run({1: b"[]"}) == 3


@MESSAGES
@given(LINES | EDITS.filter(lambda edit: isinstance(edit, bytes)), st.sampled_from(sorted(m.METHODS)))
def test_reading_an_answer_gives_a_reply_or_says_what_is_wrong(line, method):
    try:
        reply = m.read_answer(line.strip(), 1, m.METHODS[method])
    except m.CodecError as error:
        assert error.kind in ADVICE
        assert len(error.said) < 600
        assert error.said.isprintable()
    else:
        assert isinstance(reply, (m.REPLIES[m.METHODS[method]], m.Refused))

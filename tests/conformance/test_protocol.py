"""The codec is strict, PROTOCOL.md says what the code does, and its example adapter works."""

import json
import os
import re
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy import Pebbles

import lawspeaker.conformance
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.compare import compare_state
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.session import Complaint, Session
from lawspeaker.model.core.canonical import canonical, digest

HOME = Path(lawspeaker.conformance.__path__[0])
PAGE = (HOME / "PROTOCOL.md").read_text(encoding="utf-8")
HERE = Path(__file__).parent

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), PLAIN, max_size=4))
def test_the_fast_encoder_writes_the_canonical_form(record):
    assert m.encode(record) == canonical(record)
    assert m.fast_digest(record) == digest(record)


@given(PLAIN)
def test_canonical_lines_read_back(value):
    if value is not None:
        assert m.decode_line(canonical(value)) == value


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"", "not_json"),
        (b"hello", "not_json"),
        (b'{"a":1} {"b":2}', "not_json"),
        (b'{"a":1', "not_json"),
        (b"'a'", "not_json"),
        (b'{"a":1,"a":1}', "duplicate_key"),
        (b'[{"b":{"a":1,"c":2,"a":3}}]', "duplicate_key"),
        (b"NaN", "not_a_number"),
        (b"[-Infinity]", "not_a_number"),
        (b"1.0", "not_whole"),
        (b"1e3", "not_whole"),
        (b'"\xff"', "invalid_utf8"),
        (b'"\\ud800"', "invalid_utf8"),
        (b"[" * 65 + b"]" * 65, "too_deep"),
        (b'{"a":' * 70_000 + b"1" + b"}" * 70_000, "too_deep"),
        (b"9" * 5000, "not_json"),
        (b'"' + b"x" * m.LINE_LIMIT + b'"', "line_too_long"),
    ],
)
def test_a_line_that_is_no_message_is_refused_by_kind(line, kind):
    with pytest.raises(m.CodecError) as caught:
        m.decode_line(line)
    assert caught.value.kind == kind


def test_64_levels_are_allowed_and_braces_in_texts_do_not_count():
    assert m.decode_line(b"[" * 64 + b"]" * 64)
    assert m.decode_line(b'["' + b"[" * 500 + b'"]')


REPORTS = st.builds(
    m.Report,
    step=st.integers(-2, 2**64),
    accepted=st.booleans(),
    code=st.none() | st.text(max_size=5),
    legal=st.none() | st.lists(st.text(max_size=5), max_size=3).map(tuple),
    state=st.none() | st.just({"a": 1}) | st.just({"a": 1.5}) | st.just({}),
    digest=st.none() | st.just("sha256:00"),
    result=st.none() | st.builds(m.Outcome, st.dictionaries(st.sampled_from("BA"), st.integers(0, 9)), st.just(("A",))),
)
STEPS = st.builds(
    m.Step, st.integers(-2, 2**64), st.text(max_size=5), st.none() | st.text(max_size=5),
    st.lists(st.sampled_from(["legal", "digest"]), max_size=3).map(tuple),
)  # fmt: skip
BITS = st.sampled_from([
    b"", b" ", b"\t", b"\x00", b"\x0b", b"\xff", b"\xef\xbb\xbf", b"0", b"-", b"1.0", b"e0", b"NaN", b"true", b"null",
    b"[", b"}", b'"', b"\\", b"\\ud800", b"\\u0041", b",", b"1,", b'"step":1,', b'"id":7,', b'"state":null,',
    b'"extra":0,', b'"A":2,', b"99999999999999999999",
])  # fmt: skip


def outcome(read):
    try:
        return read()
    except (m.CodecError, Complaint) as error:
        return type(error), getattr(error, "kind", getattr(error, "code", "")), str(error)


def same_both_ways(read, line):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(m, "_as_written", lambda line, decoder: None)
        strict = outcome(lambda: read(line))
    assert repr(outcome(lambda: read(line))) == repr(strict)
    return strict


def asked(line):
    return m.read_step(line) or Session(Pebbles())._read(m.decode_line(line))


@given(REPORTS | STEPS, st.integers(0, 400), st.integers(0, 3), BITS)
def test_what_is_read_quickly_is_read_the_same_strictly(message, place, gone, bit):
    is_step = isinstance(message, m.Step)
    body = {"method": "step", "params": message} if is_step else {"result": message}
    line = msgspec.json.encode({"jsonrpc": "2.0", "id": 7, **body}, order="deterministic")
    read = asked if is_step else lambda line: m.read_answer(line, 7, m.Step)
    place %= len(line) + 1
    same_both_ways(read, line)
    same_both_ways(read, line[:place] + bit + line[place + gone :])


@pytest.mark.parametrize(
    "rest",
    [
        b'"step":3,"step":3', b'"step":3.0', b'"step":3,"digest":null', b'"step":03', b'"step":99999999999999999999',
        b'"step":3,"state":{"a":1.5}', b'"step":3,"state":{"a":' + b"[" * 70 + b"]" * 70 + b"}",
        b'"step":3,"legal":["\xff"]',
        b'"step":3,"result":{"scores":{"A":1,"A":1},"winners":[]}', b'"step":3,"legal":["\\ud800"]', b'"step":-0',
        b'"step":3,"result":{"scores":{"A":99999999999999999999},"winners":[]}',
    ],
)  # fmt: skip
def test_what_only_the_strict_reading_refuses_is_refused(rest):
    line = b'{"id":7,"jsonrpc":"2.0","result":{' + rest + b"}}"
    strict = same_both_ways(lambda line: m.read_answer(line, 7, m.Step), line)
    assert isinstance(strict, m.Report) == (rest in (b'"step":3,"digest":null', b'"step":-0'))


def test_an_answer_as_it_is_written_is_read_without_the_strict_reading(monkeypatch):
    monkeypatch.setattr(m, "decode_line", None)
    report = m.Report(3, actor="A", legal=("a", "b"), digest="sha256:00")
    assert m.read_answer(m.result_line(7, report).strip(), 7, m.Step) == report
    step = m.Step(3, "A", "a", ("legal",))
    assert m.read_step(m.request_line(7, step).strip()) == (7, step)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"id": 5, "result": {"step": 0}}, "not_jsonrpc"),
        ({"jsonrpc": "2.0", "id": 4, "result": {"step": 0}}, "two_answers"),
        ({"jsonrpc": "2.0", "id": 6, "result": {"step": 0}}, "wrong_id"),
        ({"jsonrpc": "2.0", "id": None, "result": {"step": 0}}, "wrong_id"),
        ({"jsonrpc": "2.0", "id": True, "result": {"step": 0}}, "wrong_id"),
        ({"jsonrpc": "2.0", "id": 5}, "not_jsonrpc"),
        ({"jsonrpc": "2.0", "id": 5, "result": {"step": 0}, "extra": 1}, "not_jsonrpc"),
        ({"jsonrpc": "2.0", "id": 5, "error": "broken"}, "not_jsonrpc"),
        ({"jsonrpc": "2.0", "id": 5, "result": {}}, "bad_shape"),
        ({"jsonrpc": "2.0", "id": 5, "result": {"step": "0"}}, "bad_shape"),
        ({"jsonrpc": "2.0", "id": 5, "result": {"step": 0, "legal": "draw"}}, "bad_shape"),
        ({"jsonrpc": "2.0", "id": 5, "result": {"step": 0, "legal": [1]}}, "bad_shape"),
        ({"jsonrpc": "2.0", "id": 5, "result": [0]}, "bad_shape"),
        ([], "not_jsonrpc"),
    ],
)
def test_an_answer_of_another_form_is_refused_by_kind(answer, kind):
    with pytest.raises(m.CodecError) as caught:
        m.read_answer(json.dumps(answer).encode(), 5, m.Step)
    assert caught.value.kind == kind


def test_the_path_of_a_mistake_is_named():
    line = b'{"jsonrpc":"2.0","id":1,"result":{"step":0,"result":{"scores":{"A":"3"},"winners":[]}}}'
    with pytest.raises(m.CodecError, match=r"result\.scores"):
        m.read_answer(line, 1, m.Step)


def test_an_error_reads_with_or_without_its_word():
    with_word = {"code": -32010, "message": "no", "data": {"code": "nothing_to_undo"}}
    for error in (with_word, {"code": -32010, "message": "no"}):
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "error": error}).encode()
        assert m.read_answer(line, 1, m.Undo) == m.Refused("nothing_to_undo", "no")


def test_error_codes_are_distinct():
    assert len(set(m.ERRORS.values())) == len(m.ERRORS)


# -- the page ---------------------------------------------------------------------------------------


def test_the_page_names_every_method_capability_field_and_code():
    for method in m.METHODS:
        assert f'"method":"{method}"' in PAGE
    for name in m.Capabilities.__struct_fields__:
        assert f"| `{name}` |" in PAGE
    for name in m.Report.__struct_fields__:
        assert f"`{name}`" in PAGE
    for code in (*m.ERRORS, *m.REFUSALS):
        assert f"`{code}`" in PAGE
    for word, number in m.ERRORS.items():
        assert f"| {number} | `{word}` |" in PAGE
    assert f"{m.LINE_LIMIT:,}" in PAGE
    assert f"at most {m.DEPTH_LIMIT} deep" in PAGE


def test_the_page_states_the_default_limits():
    limits = Limits()
    assert f"First answer within {limits.start:g} s" in PAGE
    assert f"`options` and `bye` within {limits.handshake:g} s" in PAGE
    assert f"{limits.total:g} s (`--total`)" in PAGE
    assert f"At most {limits.blank} blank lines" in PAGE


def examples():
    """Each message on the page as (method, params) or (None, result), leaving out those with dots."""
    text = re.sub(r"\n {10,}", "", PAGE)
    method = ""
    for line in text.splitlines():
        asked = re.match(r'    > "method":"(\w+)","params":(.*)', line)
        answered = re.match(r'    < "result":(.*)', line)
        if asked:
            method = asked[1]
        if (asked or answered) and "..." not in line:
            yield method, bool(asked), json.loads(asked[2] if asked else answered[1])


def test_every_example_on_the_page_is_valid():
    seen = set()
    for method, asked, value in examples():
        kind = m.METHODS[method]
        m.typed(value, kind if asked else m.REPLIES[kind])
        seen.add((method, asked))
    assert {method for method, asked in seen if asked} >= set(m.METHODS) - {"options", "setup"}
    assert ("setup", False) in seen


def test_the_page_has_the_right_digest():
    assert digest({"b": [1, 2], "a": "é"}) in PAGE


def test_the_page_has_the_fields_and_actions_of_fjords():
    from lawspeaker.model.fjords.position import FIELDS

    for name in FIELDS:
        assert f"`{name}`" in PAGE


def test_the_adapter_on_the_page_is_the_example_and_conforms():
    block = re.search(r"```python\n(.*?)```", PAGE, re.S)
    example = (HOME / "examples" / "adapter.py").read_text(encoding="utf-8")
    assert block and block[1] == example.split("\n", 2)[2]
    assert len(block[1].splitlines()) <= 80
    environment = os.environ | {"PYTHONPATH": str(HERE / "subjects")}
    argv = ["env", f"PYTHONPATH={environment['PYTHONPATH']}", sys.executable]
    argv += [str(HOME / "examples" / "adapter.py"), "pebbles_engine", "pebbles"]
    report = conform(Pebbles(), lambda: ProcessSubject(argv), budget=SMALL, seed=3)
    verdicts = {(c.layer, c.verdict) for c in report.cases}
    assert report.exit_code == 0
    assert report.level == 1
    assert {("play", "pass"), ("refusals", "pass"), ("undo", "not applicable")} <= verdicts


def test_messages_round_trip():
    message = m.Setup({"a": 1}, "scripted", ("roll 1",), ("legal", "digest"))
    value = m.decode_line(m.request_line(3, message).strip())
    assert msgspec.convert(value["params"], m.Setup) == message


@pytest.mark.parametrize(
    ("reference", "subject"),
    [({"a": 1}, {"a": True}), ({"a": {"b": [0]}}, {"a": {"b": [False]}}), ({"a": ["1"]}, {"a": [1]}),
     ({"a": [[1]]}, {"a": [[True]]}), ({"a": None}, {"a": 0})],
)  # fmt: skip
def test_what_python_takes_for_equal_and_json_does_not_differs(reference, subject):
    assert compare_state(reference, subject, None)
    assert compare_state(subject, reference, None)
    assert not compare_state(reference, reference, None)

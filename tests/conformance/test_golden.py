"""Schemas and golden transcripts are current, agree with each other, and cover every message and error code."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import lawspeaker.conformance
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.golden import refreshed
from lawspeaker.conformance.schemas import schemas, text

HOME = Path(lawspeaker.conformance.__path__[0])
TRANSCRIPTS = sorted((HOME / "transcripts").glob("*.jsonl"))
PAGE = (HOME / "PROTOCOL.md").read_text(encoding="utf-8")
SCHEMAS = schemas()
NO_REQUEST = ("parse_error", "invalid_request", "unknown_method", "invalid_params")
"""Errors that answer a line which is no request of this protocol."""


def lines_of(path):
    return path.read_bytes().splitlines(keepends=True)


def is_valid(schema, line):
    return Draft202012Validator(SCHEMAS[schema]).is_valid(json.loads(line))


def pairs():
    for path in TRANSCRIPTS:
        lines = lines_of(path)
        for request, answer in zip(lines[::2], lines[1::2], strict=True):
            yield path.stem, json.loads(request).get("method"), request, answer


def test_the_schemas_of_the_checkout_are_those_of_the_message_types():
    found = {path.name: path.read_text(encoding="utf-8") for path in (HOME / "schemas").iterdir()}
    assert found == {name: text(schema) for name, schema in SCHEMAS.items()}, "run `make protocol`"
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_is_what_the_reference_answers_byte_for_byte(path):
    lines = lines_of(path)
    assert refreshed(path.name, lines) == lines, "if this is meant, run `make protocol`"


def test_every_message_of_the_transcripts_is_valid_by_its_schema():
    checked = 0
    for name, method, request, answer in pairs():
        ill = name.removeprefix("fjords-error-") in NO_REQUEST and b'"error"' in answer
        if method in m.METHODS:
            assert is_valid(f"{method}.request.json", request) is not (ill and "parse" not in name), request
            assert is_valid(f"{method}.answer.json", answer), answer
            checked += 1
    assert checked > 700


def test_schemas_refuse_what_the_codec_refuses():
    rejected = [
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "result": {"step": "0"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"step": 0, "legals": []}},
        {"jsonrpc": "2.0", "id": 1, "result": {"step": 0}, "error": {"code": 1, "message": ""}},
        {"jsonrpc": "2.0", "id": None, "result": {"step": 0}},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603}},
        {"jsonrpc": "2.0", "id": 1, "error": {"message": "oops"}},
    ]
    for value in rejected:
        line = json.dumps(value).encode()
        assert not is_valid("step.answer.json", line)
        with pytest.raises(m.CodecError):
            m.read_answer(line, 1, m.Step)


def test_transcripts_cover_every_method_error_code_refusal_code_and_way_of_chance():
    asked, codes, refusals, chance = set(), set(), set(), set()
    for _, method, request, answer in pairs():
        asked.add(method)
        told, said = json.loads(request).get("params", {}), json.loads(answer)
        codes |= {said["error"]["data"]["code"]} if "error" in said else set()
        refusals |= {said.get("result", {}).get("code")}
        chance |= {told.get("chance")}
    assert asked >= m.METHODS.keys()
    assert codes == m.ERRORS.keys() - {"internal"}  # the reference has no bug to show
    assert refusals - {None} == set(m.REFUSALS)
    assert chance >= {"scripted", "reported"}


def test_the_page_names_every_transcript_and_the_schemas():
    for path in TRANSCRIPTS:
        name = path.name.replace(path.stem.rpartition("-")[2], "CODE") if "-error-" in path.name else path.name
        assert f"`{name}`" in PAGE
    assert "`schemas/METHOD.request.json`" in PAGE
    assert "`schemas/METHOD.answer.json`" in PAGE

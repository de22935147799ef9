"""JSON Schemas of the protocol, made from the message types: one for each request and for each answer."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from . import messages as m

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """Return each schema by its file name, ``METHOD.request.json`` or ``METHOD.answer.json``.

    A schema is about a whole line.  What a schema cannot say (keys once, whole numbers written without a
    point, limits, the order of messages) stands in PROTOCOL.md.
    """
    found: dict[str, dict[str, Any]] = {}
    for method, kind in m.METHODS.items():
        found[f"{method}.request.json"] = _request(method, kind)
        found[f"{method}.answer.json"] = _answer(method, m.REPLIES[kind])
    return found


def text(schema: dict[str, Any]) -> str:
    """Return a schema as the text of its file."""
    return json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _request(method: str, kind: type[m.Message]) -> dict[str, Any]:
    (params,), parts = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    required = [field.encode_name for field in msgspec.structs.fields(kind) if field.required]
    return _line(
        f"{method}.request",
        {"method": {"const": method}, "id": {"type": "integer"}, "params": params},
        ["method", "id", *(["params"] if required else [])],
        parts,
    )


def _answer(method: str, kind: Any) -> dict[str, Any]:
    (result, error), parts = msgspec.json.schema_components((kind, m.ErrorBody), ref_template="#/$defs/{name}")
    shape = _line(
        f"{method}.answer",
        {"id": {"type": ["integer", "null"]}, "result": result, "error": error},
        ["id"],
        parts,
    )
    shape["oneOf"] = [
        {"required": ["result"], "properties": {"id": {"type": "integer"}}},
        {"required": ["error"]},
    ]
    parts["ErrorData"]["properties"]["code"] = {"enum": ["", *m.ERRORS], "default": ""}
    return shape


def _line(name: str, properties: dict[str, Any], required: list[str], parts: dict[str, Any]) -> dict[str, Any]:
    return {
        "$schema": DIALECT,
        "$id": f"urn:lawspeaker:protocol:{m.PROTOCOL}:{name}",
        "$defs": parts,
        "type": "object",
        "properties": {"jsonrpc": {"const": "2.0"}, **properties},
        "required": ["jsonrpc", *required],
        "additionalProperties": False,
    }

"""The JSON Schema of a line of a report file, from the record types (``python -m lawspeaker.reports.schema``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from lawspeaker.model.core.records import Event, Progress

from .events import FORMAT

FILE = Path(__file__).parent / "schemas" / "report-line.schema.json"


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str
    version: str


class FooterBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many events stand before, and their digest."""

    events: int
    digest: str


class Footer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of a run that came to its end."""

    footer: FooterBody


def schema() -> dict[str, Any]:
    """Return the schema of one line: the header, an event, or the footer."""
    kinds: tuple[Any, ...] = (Header, *(kind for kind in Event.__args__ if kind is not Progress), Footer)
    found, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    parts["Header"]["properties"]["format"] = {"const": FORMAT}
    for kind in kinds[1:-1]:
        parts[kind.__name__]["additionalProperties"] = False
        parts[kind.__name__]["required"] = sorted({"type", *parts[kind.__name__].get("required", [])})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:lawspeaker:{FORMAT}:line",
        "title": f"A line of a report file ({FORMAT})",
        "$defs": parts,
        "oneOf": list(found),
    }


def text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")

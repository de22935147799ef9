"""Strict reading of YAML and JSON files into typed records."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
import yaml

from .errors import BadInput

T = TypeVar("T")


class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Safe YAML in which a key that stands twice is a mistake, not a silent overwrite."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Build a mapping; a repeated key is an error with its line."""
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=deep)
            if isinstance(key, (str, int)) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} stands twice", key_node.start_mark
                )
            if isinstance(key, (str, int)):
                seen.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return mapping


LONGEST = 32_000_000
"""Characters that a file may have; no file for us comes near, and a device never ends."""


def read_text(path: Path) -> str:
    """Return the text of *path*; raises BadInput when it cannot be read, is not UTF-8, or too long."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1)
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror})", where=str(path)) from None
    except UnicodeDecodeError:
        raise BadInput("is not UTF-8 text", where=str(path)) from None
    if len(text) > LONGEST:
        raise BadInput(f"is longer than {LONGEST} characters", where=str(path))
    return text


def parse_yaml(text: str, where: str) -> Any:
    """Return the plain value of a YAML (or JSON) text; raises BadInput with line and column."""
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{where}, line {mark.line + 1}, column {mark.column + 1}" if mark else where
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise BadInput(str(problem), where=place) from None
    except (RecursionError, ValueError) as error:
        raise BadInput(f"not valid YAML ({type(error).__name__})", where=where) from None


def convert(value: Any, kind: type[T], where: str) -> T:
    """Turn a plain value into *kind*, strictly; raises BadInput with the path of the mistake."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        path = path.strip("`")
        hint = _right_format(kind) if path == "$.format" else ""
        raise BadInput(what[:1].lower() + what[1:], where=f"{where} {path}".strip(), hint=hint) from None


def _right_format(kind: Any) -> str:
    """Say which format a file of this *kind* has, if the kind fixes it."""
    fields = msgspec.structs.fields(kind) if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else ()
    known = [value for field in fields if field.name == "format" for value in get_args(field.type)]
    return f"a file for this has format {' or '.join(map(str, known))}" if known else ""


def load_yaml(path: Path, kind: type[T]) -> T:
    """Read a YAML or JSON file into *kind*."""
    return convert(parse_yaml(read_text(path), str(path)), kind, str(path))

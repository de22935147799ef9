"""Canonical JSON and digests: the same value gives the same bytes in any process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

type_names = (str, int, bool, type(None))


def canonical(value: Any) -> bytes:
    """Return *value* as canonical JSON: keys sorted, no blanks, UTF-8, no fractional numbers.

    Raises TypeError for anything but dict, list, tuple, str, int, bool and None.
    """
    _check(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(value: Any) -> str:
    """Return ``sha256:`` and the hexadecimal hash of the canonical form of *value*."""
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def _check(value: Any) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"canonical JSON has text keys only, not {key!r}")
            _check(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _check(item)
    elif not isinstance(value, type_names):
        raise TypeError(f"canonical JSON cannot hold {type(value).__name__}")

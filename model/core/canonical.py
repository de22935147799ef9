"""Canonical JSON and digests: the same value gives the same bytes in any process."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec

_PLAIN = frozenset((str, int, bool, type(None)))
_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """Return *value* as canonical JSON: keys sorted, no blanks, UTF-8, no fractional numbers.

    Raises TypeError for anything but dict, list, tuple, str, int, bool and None.
    """
    if type(value) not in _PLAIN:
        _check(value)
    try:
        return _ENCODER.encode(value)
    except OverflowError:  # a whole number of more than 64 bits
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(value: Any) -> str:
    """Return ``sha256:`` and the hexadecimal hash of the canonical form of *value*."""
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def _check(value: Any) -> None:
    """Raise TypeError for what has no canonical form; called for every step that is compared, so it is plain."""
    kind = type(value)
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise TypeError(f"canonical JSON has text keys only, not {key!r}")
            if type(item) not in _PLAIN:
                _check(item)
    elif kind is list or kind is tuple:
        for item in value:
            if type(item) not in _PLAIN:
                _check(item)
    else:
        raise TypeError(f"canonical JSON cannot hold {kind.__name__}")

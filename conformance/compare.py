"""Comparing what a subject reports with what the reference has: differences by path, both directions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import Difference
from lawspeaker.model.core.taking import Taken, take_compound

from . import messages as m
from .subjects import ProtocolError


class Expected:
    """What the reference has at one position, each part worked out once and only when asked for."""

    __slots__ = ("_digest", "_legal", "_record", "actor", "game", "position")

    def __init__(self, game: AnyGame, position: Any) -> None:
        self.game, self.position = game, position
        self.actor: int = game.actor(position)
        self._legal: dict[str, Any] | None = None
        self._record: dict[str, Any] | None = None
        self._digest = ""

    @property
    def actor_name(self) -> str:
        """A seat's name, ``chance`` or ``over``."""
        return self.game.seats[self.actor] if self.actor >= 0 else "chance" if self.actor == CHANCE else "over"

    @property
    def legal(self) -> dict[str, Any]:
        """The legal actions (or outcomes) by text."""
        if self._legal is None:
            text = self.game.text
            self._legal = {text(action): action for action in self.game.legal(self.position)}
        return self._legal

    @property
    def record(self) -> dict[str, Any]:
        """The position's record."""
        if self._record is None:
            self._record = self.game.record(self.position)
        return self._record

    @property
    def digest(self) -> str:
        """The record's digest."""
        if not self._digest:
            self._digest = m.fast_digest(self.record)
        return self._digest

    def after(self, by: str, text: str) -> Any:
        """Return the position after an action or a whole compound decision, None if it is not legal."""
        if by != self.actor_name:
            return None
        if text in self.legal:
            return self.game.apply(self.position, self.legal[text])
        taken = compound_parts(self.game, self.position, by, text)
        return taken[-1].after if taken else None

    def forget(self) -> None:
        """Let go of what can be worked out again: a whole game of lists and records is a burden."""
        self._legal = self._record = None

    def prepare(self, want: tuple[m.WantItem, ...]) -> None:
        """Work out what will be compared (while the subject is still busy)."""
        _ = self.legal if "legal" in want else None, self.digest if "digest" in want else None


def compound_parts(game: AnyGame, position: Any, by: str, text: str) -> tuple[Taken, ...]:
    """Return what a compound text does part by part; empty if it is none, or cannot be taken whole by *by*."""
    if by not in game.seats or by != game.actor_name(position) or not game.has_compounds():
        return ()
    try:
        return take_compound(game, position, text) or ()
    except BadInput:
        return ()


def compare(
    expected: Expected, reply: m.Report, want: tuple[m.WantItem, ...], caps: m.Capabilities
) -> tuple[Difference, ...]:
    """Return where a report differs from what the reference has; empty if it agrees.

    Raises ProtocolError when something asked for is missing.
    """
    found: list[Difference] = []
    if reply.actor is not None and reply.actor != expected.actor_name:
        found.append(Difference("actor", expected.actor_name, reply.actor))
    if "legal" in want:
        found += _compare_legal(expected, _needed(reply.legal, "legal"), caps)
    if "state" in want:
        found += compare_state(expected.record, _needed(reply.state, "state"), caps.fields)
    if "digest" in want and _needed(reply.digest, "digest") != expected.digest:
        found.append(Difference("digest", expected.digest, reply.digest))
    if "result" in want:
        found += _compare_result(expected, reply.result)
    return tuple(found)


def _needed(value: Any, item: str) -> Any:
    if value is None:
        raise ProtocolError(f"the answer lacks {item!r}, which was asked for and is offered in hello", "missing")
    return value


def _compare_legal(expected: Expected, listed: tuple[str, ...], caps: m.Capabilities) -> list[Difference]:
    if expected.actor == CHANCE and not caps.outcomes:
        return []
    found = set(listed)
    if len(found) != len(listed):
        twice = sorted(text for text, times in Counter(listed).items() if times > 1)
        return [Difference("legal", reference="each action once", subject=f"twice: {', '.join(twice[:5])}")]
    if found == expected.legal.keys():
        return []
    missing, extra = sorted(expected.legal.keys() - found), sorted(found - expected.legal.keys())
    return [Difference("legal", len(expected.legal), len(found), tuple(missing), tuple(extra))]


def _compare_result(expected: Expected, result: m.Outcome | None) -> list[Difference]:
    if expected.actor != OVER:
        return [] if result is None else [Difference("result", None, "a result before the end")]
    if result is None:
        raise ProtocolError("the game is over and the answer has no result", "missing")
    right = expected.game.result(expected.position)
    seats = expected.game.seats
    scores = dict(zip(seats, right.scores, strict=True))
    winners = sorted(seats[seat] for seat in right.winners)
    found = []
    if scores != result.scores:
        found.append(Difference("result.scores", scores, result.scores))
    if winners != sorted(result.winners):
        found.append(Difference("result.winners", winners, sorted(result.winners)))
    return found


def compare_state(
    reference: dict[str, Any], subject: dict[str, Any], fields: tuple[str, ...] | None
) -> list[Difference]:
    """Return the differences between two records, in the named top-level fields (None: in all)."""
    names = reference.keys() if fields is None else set(fields)
    known = {name: value for name, value in reference.items() if name in names}
    return list(_deep("state", known, subject))


def _deep(path: str, one: Any, two: Any) -> list[Difference]:
    if type(one) is tuple:
        one = list(one)
    if _same(one, two):
        return []
    if isinstance(one, dict) and isinstance(two, dict):
        return _deep_objects(path, one, two)
    if isinstance(one, list) and isinstance(two, list):
        left, right = [m.encode(item) for item in one], [m.encode(item) for item in two]
        one_set, two_set = set(left), set(right)
        only_left = tuple(_text(item) for item, key in zip(one, left, strict=True) if key not in two_set)
        only_right = tuple(_text(item) for item, key in zip(two, right, strict=True) if key not in one_set)
        if only_left or only_right:
            return [Difference(path, len(one), len(two), only_left, only_right)]
        return [Difference(path, one, two)]
    return [Difference(path, one, two)]


def _same(one: Any, two: Any) -> bool:
    """Whether two values are the same JSON: Python takes true for 1, also deep inside."""
    if type(one) is not type(two) or one != two:
        return False
    return not isinstance(one, (dict, list)) or m.encode(one) == m.encode(two)


def _deep_objects(path: str, one: dict[str, Any], two: dict[str, Any]) -> list[Difference]:
    found: list[Difference] = []
    if one.keys() != two.keys():
        found.append(
            Difference(
                path,
                "these fields",
                "other fields",
                tuple(sorted(one.keys() - two.keys())),
                tuple(sorted(two.keys() - one.keys())),
            )
        )
    for name in one:
        if name in two:
            found += _deep(f"{path}.{name}", one[name], two[name])
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else m.encode(value).decode()

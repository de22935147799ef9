"""The text of a trace, written and read; what it means in a game stands in ``traces``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from .canonical import canonical
from .errors import BadInput

FORMAT = "lawspeaker-trace 1"
ALL = "all"
CHANCE_NAME = "chance"
UNSEEN = "?"
"""What a masked trace has in place of an action that the seat does not see."""


class Entry(msgspec.Struct, frozen=True):
    """One line: who acted (a seat's name or ``chance``), an action's or a compound text, and who sees it.

    ``seen`` are the names of the seats that see an outcome of chance, or an action that not all seats
    see; empty for an outcome that nobody sees, and for a player's action that all see.  Of a compound
    decision they are the seats that see every part.
    """

    actor: str
    action: str
    seen: tuple[str, ...] = ()

    def visible(self, seat: str) -> bool:
        """Tell whether a seat, by name, sees what was done."""
        return seat in (self.actor, *self.seen) or (self.actor != CHANCE_NAME and not self.seen)


class End(msgspec.Struct, frozen=True):
    """How the trace ends: the last position's digest ("" in a masked trace) and the scores by seat."""

    digest: str
    scores: tuple[int, ...]


class Trace(msgspec.Struct, frozen=True):
    """A start and what was done from there, with all that is needed to do it again.

    ``start`` is the canonical record (JSON text) of a position that was set up, or "" for the game's
    own beginning.  ``place`` and ``lines`` say where the text stood, for messages.
    """

    game: str
    catalogue: int
    pack: str
    pack_digest: str
    players: tuple[str, ...]
    rulings: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]
    start: str = ""
    end: End | None = None
    masked: str = ""
    place: str = ""
    lines: tuple[int, ...] = ()

    def where(self, number: int) -> str:
        """Return where entry *number* (counted from 1) stands: place, line, number."""
        parts = [self.place] if self.place else []
        if 0 < number <= len(self.lines):
            parts.append(f"line {self.lines[number - 1]}")
        return ", ".join([*parts, f"action {number}"])


# -- writing ------------------------------------------------------------------------------------------


def write_trace(trace: Trace) -> str:
    """Return a trace as text; ``read_trace`` reads it back."""
    return "\n".join([*_head(trace), "", *_body(trace)]) + "\n"


def _head(trace: Trace) -> Iterator[str]:
    yield FORMAT
    yield f"game: {trace.game}"
    yield f"catalogue: {trace.catalogue}"
    yield f"pack: {trace.pack} {trace.pack_digest}"
    yield f"players: {' '.join(trace.players)}"
    yield from (f"ruling: {name}={value}" for name, value in trace.rulings)
    if trace.masked:
        yield f"masked: {trace.masked}"
    if trace.start:
        yield f"{'view' if trace.masked else 'start'}: {trace.start}"


def _body(trace: Trace) -> Iterator[str]:
    for number, entry in enumerate(trace.entries, 1):
        yield f"{number} {entry.actor} {entry.action}{seen_text(entry, trace.players)}"
    if trace.end:
        yield end_text(trace.end, trace.players)


def end_text(end: End, players: tuple[str, ...]) -> str:
    """Return the last line of a trace."""
    scores = (f"{seat}={score}" for seat, score in zip(players, end.scores, strict=True))
    return " ".join(["end:", *([end.digest] if end.digest else []), *scores])


def seen_text(entry: Entry, players: tuple[str, ...]) -> str:
    """Return who sees it as it is written behind an action; empty for a player's action that all see."""
    if entry.actor != CHANCE_NAME and not entry.seen:
        return ""
    return f" (seen by {ALL if entry.seen == players else ', '.join(entry.seen) or 'nobody'})"


# -- reading ------------------------------------------------------------------------------------------


_ONCE = ("game", "catalogue", "pack", "players", "masked", "start", "view")
_DIGEST = r"sha256:[0-9a-f]{64}"
_ACTION = re.compile(r"([1-9][0-9]{0,8}) (\S+) (.+?)(?: \(seen by ([^()]+)\))?")
_PACK = re.compile(rf"(\S+) ({_DIGEST})")
_END = re.compile(rf"(?:({_DIGEST}) )?(\S+=-?[0-9]{{1,9}}(?: \S+=-?[0-9]{{1,9}})*)")


def is_trace(text: str) -> bool:
    """Tell whether a text claims to be a trace, of whatever version."""
    return text.lstrip("\ufeff").startswith("lawspeaker-trace")


def read_trace(text: str, where: str = "trace") -> Trace:
    """Read a trace strictly; raises BadInput with the line of what is wrong.

    *where* names the source in messages.  Nothing is checked against a game here: see ``game_for``
    and ``replay``.
    """
    return _Reader(text, where).read()


class _Reader:
    """One pass over the lines: header, then actions, then at most one end."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        # not splitlines: it also splits at characters that may stand inside a record's text
        numbered = enumerate(text.split("\n"), 1)
        self.lines = [(n, line.rstrip()) for n, line in numbered if line.strip() and not line.startswith("#")]
        self.header: dict[str, tuple[int, str]] = {}
        self.rulings: dict[str, str] = {}
        self.entries: list[Entry] = []
        self.places: list[int] = []
        self.end: End | None = None

    def bad(self, line: int, what: str, hint: str = "") -> BadInput:
        return BadInput(what, where=f"{self.where}, line {line}", hint=hint)

    def read(self) -> Trace:
        self._check_format()
        for line, words in self.lines[1:]:
            if self.end:
                raise self.bad(line, "something follows the end", "the line `end:` is the last")
            if words[0].isdigit():
                self._action(line, words)
            else:
                self._field(line, words)
        pack = self._match(_PACK, "pack", "write pack: ID sha256:DIGEST")
        return Trace(
            game=self._need("game")[1],
            catalogue=self._catalogue(),
            pack=pack[1],
            pack_digest=pack[2],
            players=self._players(),
            rulings=tuple(self.rulings.items()),
            entries=tuple(self.entries),
            start=self._start(),
            end=self.end,
            masked=self._masked(),
            place=self.where,
            lines=tuple(self.places),
        )

    def _check_format(self) -> None:
        first = self.lines[0][1] if self.lines else ""
        if first != FORMAT:
            found = f"is {first[:40]!r}" if first else "is empty"
            raise BadInput(f"{found}, no trace of this version", where=self.where, hint=f"the first line is {FORMAT!r}")

    def _field(self, line: int, words: str) -> None:
        name, colon, value = words.partition(": ")
        if not colon or not value:
            raise self.bad(line, f"cannot read {words[:60]!r}", "write NAME: VALUE or NUMBER ACTOR ACTION")
        if name == "end":
            self._end(line, value)
        elif self.entries:
            raise self.bad(line, f"{name!r} after the first action", "the header comes first")
        elif name == "ruling":
            self._ruling(line, value)
        elif name not in _ONCE:
            raise self.bad(line, f"unknown field {name!r}", f"known are {', '.join((*_ONCE, 'ruling', 'end'))}")
        elif name in self.header:
            raise self.bad(line, f"{name!r} stands twice")
        else:
            self.header[name] = (line, value)

    def _ruling(self, line: int, value: str) -> None:
        name, equals, choice = value.partition("=")
        if not equals or not name or not choice:
            raise self.bad(line, f"{value!r} is no ruling", "write ruling: R_NAME=value")
        if name in self.rulings:
            raise self.bad(line, f"ruling {name} stands twice")
        self.rulings[name] = choice

    def _action(self, line: int, words: str) -> None:
        players = self._players()
        found = _ACTION.fullmatch(words)
        if not found:
            raise self.bad(line, f"cannot read {words[:60]!r}", "write NUMBER ACTOR ACTION")
        number, actor, action, seen = found.groups()
        if int(number) != len(self.entries) + 1:
            raise self.bad(line, f"action {number} where {len(self.entries) + 1} is next")
        if actor not in (*players, CHANCE_NAME):
            raise self.bad(line, f"unknown actor {actor!r}", f"it is one of {', '.join(players)}, chance")
        self.entries.append(Entry(actor, action, self._seen(line, actor, seen, players)))
        self.places.append(line)

    def _seen(self, line: int, actor: str, seen: str | None, players: tuple[str, ...]) -> tuple[str, ...]:
        if seen is None:
            if actor == CHANCE_NAME:
                raise self.bad(line, "who sees it is not said of chance", "write (seen by all)")
            return ()
        names = {ALL: players, "nobody": ()}.get(seen, tuple(seen.split(", ")))
        if names != tuple(p for p in players if p in names):
            raise self.bad(line, f"seen by {seen!r}", f"write all, nobody, or of {', '.join(players)} in this order")
        if actor != CHANCE_NAME and (names == players or actor not in names):
            hint = f"{actor} sees it at least; what all see is written without"
            raise self.bad(line, f"seen by {seen!r} is said of what {actor} does", hint)
        return names

    def _end(self, line: int, value: str) -> None:
        found = _END.fullmatch(value)
        players = self._players()
        pairs = [word.partition("=") for word in found[2].split(" ")] if found else []
        if not found or tuple(name for name, _, _ in pairs) != players:
            example = " ".join(f"{seat}=0" for seat in players)
            raise self.bad(line, f"cannot read the end {value[:60]!r}", f"write end: sha256:DIGEST {example}")
        self.end = End(found[1] or "", tuple(int(score) for _, _, score in pairs))

    def _need(self, name: str) -> tuple[int, str]:
        if name not in self.header:
            raise BadInput(f"has no line `{name}:`", where=self.where, hint="it stands in the header of each trace")
        return self.header[name]

    def _match(self, pattern: re.Pattern[str], name: str, hint: str) -> re.Match[str]:
        line, value = self._need(name)
        found = pattern.fullmatch(value)
        if not found:
            raise self.bad(line, f"cannot read {name} {value[:60]!r}", hint)
        return found

    def _catalogue(self) -> int:
        return int(self._match(re.compile("[0-9]{1,9}"), "catalogue", "it is a whole number")[0])

    def _players(self) -> tuple[str, ...]:
        line, value = self._need("players")
        names = tuple(value.split(" "))
        if len(set(names)) != len(names) or CHANCE_NAME in names or "" in names:
            raise self.bad(line, f"players {value!r}", "write the seats' names, each once")
        return names

    def _masked(self) -> str:
        line, value = self.header.get("masked", (0, ""))
        if value and value not in self._players():
            raise self.bad(line, f"masked for unknown seat {value!r}")
        return value

    def _start(self) -> str:
        name, other = ("view", "start") if "masked" in self.header else ("start", "view")
        if other in self.header:
            hint = "`view:` belongs to masked traces, `start:` to all others"
            raise self.bad(self.header[other][0], f"a line `{other}:`", hint)
        line, value = self.header.get(name, (0, ""))
        if not value:
            return ""
        try:
            return canonical(msgspec.json.decode(value, type=dict[str, Any])).decode()
        except (msgspec.DecodeError, TypeError, RecursionError) as error:
            raise self.bad(line, f"{name} is no record ({error})", "it is one canonical JSON object") from None

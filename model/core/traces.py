"""Traces: a game's start and its actions as text that a person can read and mail.

::

    lawspeaker-trace 1
    game: fjords
    catalogue: 1
    pack: retail-estimated sha256:0c1f...
    players: A B
    ruling: R_TWO=at_least
    start: {"...": "a position's canonical record, where play does not begin at the beginning"}

    1 chance start A (seen by all)
    2 A draw
    3 chance deal T07 (seen by A)
    end: sha256:77ab... A=12 B=10

Every ruling stands there in full, so a trace says the same under any later default.  A trace
*masked* for one seat has a line ``masked: B``; an outcome that the seat does not see is ``?``, a start
is what the seat sees of it (``view:``), and there is no digest at the end.  Blank lines and lines that
begin with ``#`` mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from .canonical import canonical
from .clauses import Catalogue
from .contract import CHANCE, OVER, AnyGame
from .errors import BadInput
from .games import make_game, room
from .packs import Pack
from .play import Picker, steps, uniform
from .rulings import Rulings

FORMAT = "lawspeaker-trace 1"
ALL = "all"
UNSEEN = "?"
"""What a masked trace has in place of an outcome."""


class Entry(msgspec.Struct, frozen=True):
    """One action: who acted (a seat's name or ``chance``), its canonical text, and who sees an outcome.

    ``seen`` is empty for a player's action and for an outcome that nobody sees.
    """

    actor: str
    action: str
    seen: tuple[str, ...] = ()


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
        """Return where action *number* (counted from 1) stands: place, line, number."""
        parts = [self.place] if self.place else []
        if 0 < number <= len(self.lines):
            parts.append(f"line {self.lines[number - 1]}")
        return ", ".join([*parts, f"action {number}"])


# -- making -------------------------------------------------------------------------------------------


def trace_of(game: AnyGame, actions: Iterable[Any], start: Any = None) -> Trace:
    """Return the trace of legal *actions* from *start* (default: the game's own beginning).

    Raises BadInput at the first action that is not legal.
    """
    position = game.start() if start is None else start
    entries = []
    for number, action in enumerate(actions, 1):
        refuse_illegal(game, position, action, f"action {number}")
        entries.append(entry_of(game, position, action))
        position = game.apply(position, action)
    return _assemble(game, tuple(entries), start, position)


def record_playout(
    game: AnyGame, seed: int, policy: Picker = uniform, start: Any = None, limit: int = 100_000
) -> Trace:
    """Play a game by *seed* and *policy* to its end (or *limit* actions) and return its trace."""
    entries = []
    position = game.start() if start is None else start
    for step in steps(game, seed, policy, start, limit):
        entries.append(entry_of(game, step.before, step.action))
        position = step.after
    return _assemble(game, tuple(entries), start, position)


def entry_of(game: AnyGame, position: Any, action: Any) -> Entry:
    """Return the line of a trace for an action that is applied to *position*."""
    if game.actor(position) != CHANCE:
        return Entry(game.actor_name(position), game.text(action))
    seen = tuple(game.seats[seat] for seat in sorted(game.sees(position, action)))
    return Entry("chance", game.text(action), seen)


def _assemble(game: AnyGame, entries: tuple[Entry, ...], start: Any, last: Any) -> Trace:
    return Trace(
        game=game.id,
        catalogue=game.catalogue.version,
        pack=game.pack.id,
        pack_digest=game.pack.digest,
        players=tuple(game.seats),
        rulings=tuple(game.rulings.items()),
        entries=entries,
        start="" if start is None else canonical(game.record(start)).decode(),
        end=End(game.digest(last), game.result(last).scores),
    )


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
        yield f"{number} {entry.actor} {entry.action}{_seen_text(entry, trace.players)}"
    if trace.end:
        scores = (f"{seat}={score}" for seat, score in zip(trace.players, trace.end.scores, strict=True))
        yield " ".join(["end:", *([trace.end.digest] if trace.end.digest else []), *scores])


def _seen_text(entry: Entry, players: tuple[str, ...]) -> str:
    if entry.actor != "chance":
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
        if actor not in (*players, "chance"):
            raise self.bad(line, f"unknown actor {actor!r}", f"it is one of {', '.join(players)}, chance")
        if (seen is None) == (actor == "chance"):
            raise self.bad(line, "who sees it is said of chance, and only of chance", "write (seen by all)")
        self.entries.append(Entry(actor, action, self._seen(line, seen, players)))
        self.places.append(line)

    def _seen(self, line: int, seen: str | None, players: tuple[str, ...]) -> tuple[str, ...]:
        if seen is None or seen == "nobody":
            return ()
        if seen == ALL:
            return players
        names = tuple(seen.split(", "))
        if names != tuple(p for p in players if p in names):
            raise self.bad(line, f"seen by {seen!r}", f"write all, nobody, or of {', '.join(players)} in this order")
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
        if len(set(names)) != len(names) or "chance" in names or "" in names:
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


# -- using --------------------------------------------------------------------------------------------


def game_for(trace: Trace, pack: Pack | None = None) -> AnyGame:
    """Build the game a trace was made with.

    *pack* defaults to the game's default pack.  Raises BadInput when game, catalogue version, pack,
    seats or rulings are not those that the trace names.
    """
    place = room(trace.game)
    if trace.catalogue != place.catalogue.version:
        raise BadInput(
            f"made with version {trace.catalogue} of the {trace.game} catalogue",
            where=trace.place,
            hint=f"this is version {place.catalogue.version}",
        )
    chosen = pack if pack is not None else place.load_pack(place.default_pack)
    if chosen.digest != trace.pack_digest:
        raise BadInput(
            f"made with pack {trace.pack} {trace.pack_digest[:19]}..., not {chosen.id} {chosen.digest[:19]}...",
            where=trace.place,
            hint="give its pack file",
        )
    game = make_game(trace.game, chosen, _rulings_for(trace, place.catalogue), len(trace.players))
    if tuple(game.seats) != trace.players:
        hint = f"its seats are {' '.join(game.seats)}"
        raise BadInput(f"unknown players {' '.join(trace.players)}", where=trace.place, hint=hint)
    return game


def _rulings_for(trace: Trace, catalogue: Catalogue) -> Rulings:
    missing = [r.id for r in catalogue.rulings if r.id not in dict(trace.rulings)]
    if missing:
        raise BadInput(f"does not say {', '.join(missing)}", where=trace.place, hint="a trace names every ruling")
    try:
        return catalogue.book.choose(dict(trace.rulings))
    except BadInput as error:
        raise error.within(trace.place) from None


def replay(trace: Trace, game: AnyGame) -> list[Any]:
    """Return the positions of a trace: the start, and one after each action.

    Raises BadInput for a masked trace, a start that breaks an invariant, the first action that is not
    legal (with the broken clauses in words), and an end that is not the one stated.
    """
    if trace.masked:
        raise BadInput(f"masked for {trace.masked}, so it cannot be replayed", where=trace.place)
    positions = [_begin(trace, game)]
    for number, entry in enumerate(trace.entries, 1):
        place = trace.where(number)
        action = _checked_action(game, positions[-1], entry, place)
        positions.append(game.apply(positions[-1], action))
    _check_end(trace, game, positions[-1])
    return positions


def actions_of(trace: Trace, game: AnyGame) -> list[Any]:
    """Return the actions of a trace, read but not checked; raises BadInput for one that does not parse."""
    return [_read_action(game, entry, trace.where(n)) for n, entry in enumerate(trace.entries, 1)]


def _checked_action(game: AnyGame, position: Any, entry: Entry, where: str) -> Any:
    action = _read_action(game, entry, where)
    actor = game.actor_name(position)
    if entry.actor != actor:
        hint = "the game is over" if game.actor(position) == OVER else f"{actor} is next"
        raise BadInput(f"{entry.action!r} by {entry.actor}", where=where, hint=hint)
    refuse_illegal(game, position, action, where)
    right = entry_of(game, position, action)
    if right != entry:
        hint = f"write{_seen_text(right, tuple(game.seats))}"
        raise BadInput(f"{entry.action!r} says wrongly who sees it", where=where, hint=hint)
    return action


def _begin(trace: Trace, game: AnyGame) -> Any:
    if not trace.start:
        return game.start()
    where = f"{trace.place}, start" if trace.place else "start"
    return valid_position(game, msgspec.json.decode(trace.start), where)


def valid_position(game: AnyGame, record: Any, where: str) -> Any:
    """Read a position's record; raises BadInput if it is malformed or breaks an invariant."""
    if not isinstance(record, dict):
        raise BadInput("is no record of a position", where=where, hint=f"its fields are {', '.join(game.fields)}")
    try:
        position = game.position(record)
    except BadInput as error:
        raise error.within(where) from None
    broken = game.broken_invariants(position)
    if broken:
        said = "; ".join(f"{b.clause}: {game.words(b)}" for b in broken)
        raise BadInput(f"is no valid position: {said}", where=where)
    return position


def _read_action(game: AnyGame, entry: Entry, where: str) -> Any:
    try:
        action = game.parse(entry.action)
    except BadInput as error:
        raise error.within(where) from None
    if game.text(action) != entry.action:
        raise BadInput(f"{entry.action!r} is not canonical", where=where, hint=f"write {game.text(action)!r}")
    return action


def refuse_illegal(game: AnyGame, position: Any, action: Any, where: str) -> None:
    """Raise BadInput with each broken clause in words unless *action* is legal."""
    if action in game.legal(position):
        return
    broken = game.breaches(position, action)
    said = "; ".join(f"{b.clause}: {game.words(b)}" for b in broken)
    raise BadInput(f"{game.text(action)!r} is not legal: {said or 'not among the legal actions'}", where=where)


def _check_end(trace: Trace, game: AnyGame, position: Any) -> None:
    if trace.end is None:
        return
    found = End(game.digest(position), game.result(position).scores)
    if found != trace.end:
        right = _body(msgspec.structs.replace(trace, entries=(), end=found))
        raise BadInput("does not end as it says", where=trace.place, hint=f"replayed, it is {next(right)!r}")


def mask(trace: Trace, seat: int, game: AnyGame) -> Trace:
    """Return what a seat may see of a trace: outcomes it does not see become ``?``.

    A start becomes the seat's view of it.  The end loses its digest (a digest tells secrets by trial),
    and the scores stay only if the game is over.  Raises BadInput like ``replay``.
    """
    positions = replay(trace, game)
    name = game.seats[seat]
    entries = tuple(
        entry if entry.actor != "chance" or name in entry.seen else msgspec.structs.replace(entry, action=UNSEEN)
        for entry in trace.entries
    )
    over = game.actor(positions[-1]) == OVER
    return msgspec.structs.replace(
        trace,
        entries=entries,
        masked=name,
        start=canonical(game.observe(positions[0], seat)).decode() if trace.start else "",
        end=End("", trace.end.scores) if trace.end and over else None,
    )

"""A foreign process that plays the reference: bringing it to a position, and blaming it for what it does wrong.

It is as little trusted as a subject.  What it says twice must be the same both times, what it lists it must
accept, what it does not list it must refuse.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import NoReturn

import msgspec

from lawspeaker.model.core.errors import BadInput

from . import messages as m
from .match import Link
from .subjects import HarnessFault, Subject, SubjectFailure

_KEPT = 50_000
"""So many answers are remembered at most,"""
_BYTES = 1 << 27
"""and so many bytes of texts and records in them."""
_SAID = 200


class ReferenceFailure(Exception):
    """The reference did something that no reference may do; the run says so and ends."""

    def __init__(self, said: str) -> None:
        self.said = m.printable(said, 1000)
        super().__init__(self.said)


class Opening(msgspec.Struct, frozen=True):
    """How a game begins: with which seats and options, and with which record ("" for the usual beginning)."""

    seats: tuple[str, ...]
    options: m.Options | None
    record: str = ""


class Said(msgspec.Struct, frozen=True):
    """What the reference says of one position; ``record`` is canonical JSON, "" where it shows none."""

    actor: str
    legal: tuple[str, ...]
    record: str = ""
    result: m.Outcome | None = None


class Broken(msgspec.Struct, frozen=True):
    """Why the reference does not set up a record."""

    invariants: tuple[m.Broken, ...]


class Position(msgspec.Struct, frozen=True, eq=False):
    """A position: how it is reached, and what the reference says there.

    ``key`` stands for the whole way there, so positions are equal if their ways are.  ``said`` is
    Broken for a record that the reference does not set up.
    """

    opening: Opening
    before: Position | None
    text: str
    depth: int
    key: bytes
    said: Said | Broken

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def shown(self) -> Said:
        """What the reference says here; raises BadInput where it refused to set this up."""
        if isinstance(self.said, Broken):
            raise BadInput("is no valid position: the reference does not set it up", where="position")
        return self.said


def key_of(opening: Opening) -> bytes:
    """Return the key of the position with which a game begins."""
    return sha256(m.encode(opening)).digest()


def key_after(before: bytes, text: str) -> bytes:
    """Return the key of the position that an action leads to."""
    return sha256(before + text.encode()).digest()


def history(position: Position) -> tuple[str, ...]:
    """Return the texts that lead from the opening to a position."""
    found: list[str] = []
    at = position
    while at.before is not None:
        found.append(at.text)
        at = at.before
    return tuple(reversed(found))


class Reference:
    """The connection to the process; ``connect`` comes first.

    ``calls`` of its link count the messages.  The answers to the newest positions are remembered.
    """

    def __init__(self, make: Callable[[], Subject], game_id: str) -> None:
        self.link = Link(make, game_id)
        self.caps = m.Capabilities()
        self.name = ""
        self.want: tuple[m.WantItem, ...] = ("legal",)
        self.told: m.Options | None = None
        self.stack: list[Position] = []
        self.places: dict[bytes, int] = {}
        self.known: OrderedDict[bytes, Position] = OrderedDict()
        self.size = 0
        self.refusals: dict[tuple[bytes, str, str], m.Report] = {}
        self.texts: set[str] = set()

    # -- beginning and ending -------------------------------------------------------------------

    def connect(self) -> None:
        """Shake hands.

        Raises BadInput if it cannot be started or offers less than a reference needs, and
        ReferenceFailure if it does not answer properly.
        """
        try:
            hello = self.link.connect()
        except SubjectFailure as failure:
            raise _failed(failure) from None
        except BadInput as error:
            raise BadInput(f"the reference: {error.what}", hint="--reference takes a command in one text") from None
        self.name = m.printable(f"{hello.name[:80]} {hello.version[:40]}".strip())
        caps = self.caps = hello.capabilities
        lacks = [] if caps.legal else ["legal"]
        lacks += [] if "dictated" in caps.chance else ["dictated chance"]
        if lacks:
            self.close()
            raise BadInput(f"the reference {self.name} does not offer {' and '.join(lacks)}",
                           hint="a reference lists its legal actions (level 1 at least)")  # fmt: skip
        more: tuple[tuple[bool, m.WantItem], ...] = ((caps.state, "state"), (caps.result, "result"))
        self.want = ("legal", *(item for offered, item in more if offered))

    @property
    def sets_up(self) -> bool:
        """Whether it shows whole records and sets them up again."""
        return self.caps.setup and self.caps.state and self.caps.fields is None

    def close(self) -> None:
        """Say goodbye, whatever it answers, and end it."""
        if self.link.subject is not None:
            with suppress(SubjectFailure):  # the run is over, nothing that it said is in question any more
                self.link.ask(m.Bye())
        self.link.close()

    # -- asking ---------------------------------------------------------------------------------

    def ask(self, message: m.Message) -> m.Reply:
        """Ask; raises ReferenceFailure if there is no proper answer.  An error is an answer."""
        if self.link.subject is None:
            raise ReferenceFailure("it has been ended")
        try:
            return self.link.ask(message)
        except HarnessFault:
            raise  # what was to be sent is our own mistake
        except SubjectFailure as failure:
            raise _failed(failure) from None

    def _report(self, message: m.Message) -> m.Report:
        reply = self.ask(message)
        method = type(message).__name__.lower()
        if isinstance(reply, m.Refused):
            raise ReferenceFailure(f"{method} was answered with the error {reply.code}: {reply.message[:_SAID]}")
        assert isinstance(reply, m.Report)
        return reply

    def _tell(self, options: m.Options | None) -> None:
        """Tell it the options of the game that is played next; raises BadInput if it does not take them."""
        if options is None or options == self.told:
            return
        self._stand([])
        reply = self.ask(options)
        if isinstance(reply, m.Refused):
            raise BadInput(f"the reference refuses these options ({reply.code}): {reply.message[:_SAID]}")
        assert isinstance(reply, m.OptionsReply)
        wrong = sorted(n for n, v in options.rulings.items() if reply.rulings.get(n) != v)
        if wrong:
            raise ReferenceFailure(f"options were not echoed: {', '.join(wrong)}")
        self.told = options

    # -- positions ------------------------------------------------------------------------------

    def begin(self, opening: Opening) -> Position:
        """Return the position with which a game begins; that of a refused record is Broken.

        Raises BadInput for seats or options that the reference does not take.
        """
        key = key_of(opening)
        found = self._remembered(key)
        return found if found is not None else self._open(opening, key)

    def _open(self, opening: Opening, key: bytes) -> Position:
        reply = self._opened(opening, opening.record)
        if isinstance(reply, m.Refused):
            if reply.code == "bad_players":
                raise BadInput(f"the reference takes no players {', '.join(opening.seats)}", hint="see --players")
            what = "setup" if opening.record else "start"
            raise ReferenceFailure(f"{what} was answered with the error {reply.code}: {reply.message[:_SAID]}")
        if not reply.accepted and opening.record:
            broken = reply.broken or (m.Broken("setup", (reply.message or reply.code or "refused")[:_SAID]),)
            return self._remember(Position(opening, None, "", 0, key, Broken(broken)))
        position = Position(opening, None, "", 0, key, self._read(reply, 0, opening.seats))
        self._stand([position])
        return self._remember(position)

    def after(self, before: Position, text: str) -> Position:
        """Return the position after a listed action."""
        key = key_after(before.key, text)
        found = self._remembered(key)
        if found is not None:
            return found
        self.bring(before)
        position = Position(before.opening, before, text, before.depth + 1, key, self._step(before, text))
        self._advance(position)
        return self._remember(position)

    def _step(self, before: Position, text: str) -> Said:
        reply = self._report(m.Step(self._steps + 1, before.shown.actor, text, self.want))
        if not reply.accepted:
            raise ReferenceFailure(f"refuses {text!r}, which it lists as legal: {(reply.message or '')[:_SAID]}")
        return self._read(reply, self._steps + 1, before.opening.seats)

    def refusal(self, position: Position, by: str, text: str) -> m.Report:
        """Return how the reference refuses what it does not list there; raises ReferenceFailure if it accepts it."""
        asked = (position.key, by, text)
        if asked not in self.refusals:
            self.bring(position)
            reply = self._report(m.Step(self._steps + 1, by, text, ()))
            if reply.accepted:
                whose = "which it does not list" if by == position.shown.actor else f"though {by} is not next"
                raise ReferenceFailure(f"accepts {text!r} by {by}, {whose}")
            if reply.step != self._steps:
                raise ReferenceFailure(f"says step {reply.step} in refusing {text!r} after {self._steps} steps")
            if len(self.refusals) >= _KEPT:
                self.refusals.clear()
            self.refusals[asked] = reply
        return self.refusals[asked]

    def view(self, position: Position, seat: str) -> dict[str, object]:
        """Return what a seat sees there."""
        self.bring(position)
        reply = self.ask(m.View(seat))
        if not isinstance(reply, m.ViewReply):
            raise ReferenceFailure(f"view was not answered with a view: {reply}"[:_SAID])
        return reply.view

    # -- the cheapest way -----------------------------------------------------------------------

    @property
    def _steps(self) -> int:
        """The steps taken since the process was last started or set up."""
        return len(self.stack) - 1

    def bring(self, target: Position) -> None:
        """Bring the process to a position by whatever takes the fewest messages.

        That is: step on from where it is, take back and step on, set up its own record, or begin again
        and play up to there.  Raises ReferenceFailure where it does not say the same as before.
        """
        if self.stack and self.stack[-1].key == target.key:
            return
        direct = bool(self.sets_up and target.shown.record)
        onward = self._onward(target, 1 if direct else target.depth + 1)
        if onward is None:
            way = [target] if direct else _way(target)
            first, onward = way[0], way[1:]
            self._check(first, self._reopen(first, first.shown.record if direct else first.opening.record))
            self._stand([first])
        for position in onward:
            assert position.before is not None
            self._check(position, self._step(position.before, position.text))
            self._advance(position)

    def _onward(self, target: Position, other: int) -> list[Position] | None:
        """Go back to where the way to a position leaves that to where the process is; return the rest of the way.

        None if that takes more messages than *other*, or if nothing can be taken back.
        """
        rest: list[Position] = []
        at: Position | None = target
        while at is not None and at.key not in self.places and len(rest) <= other:
            rest.append(at)
            at = at.before
        if at is None or at.key not in self.places:
            return None
        place = self.places[at.key]
        back = self._steps - place
        if len(rest) + bool(back) > other or (back and not self.caps.undo):
            return None
        if back:
            self._check(at, self._read(self._report(m.Undo(back, self.want)), place, at.opening.seats))
            self._stand(self.stack[: place + 1])
        return rest[::-1]

    def _reopen(self, target: Position, record: str) -> Said:
        reply = self._opened(target.opening, record)
        if isinstance(reply, m.Refused) or not reply.accepted:
            raise ReferenceFailure(f"refuses to set up what it showed or set up before: {record[:_SAID]}")
        return self._read(reply, 0, target.opening.seats)

    def _opened(self, opening: Opening, record: str) -> m.Report | m.Refused:
        """Begin a game; raises BadInput for options that are not taken."""
        self._tell(opening.options)
        message: m.Message = m.Start(opening.seats, want=self.want)
        if record:
            message = m.Setup(m.decode_line(record.encode()), want=self.want, players=opening.seats)
        reply = self.ask(message)
        assert isinstance(reply, (m.Report, m.Refused))
        return reply

    def _check(self, position: Position, now: Said) -> None:
        if position.said != now:
            raise ReferenceFailure(f"contradicts itself: {_contradiction(position, now)}")

    def _stand(self, stack: list[Position]) -> None:
        """Note where the process is: at the last of these, and what it has taken back to."""
        self.stack = stack
        self.places = {position.key: n for n, position in enumerate(stack)}

    def _advance(self, position: Position) -> None:
        """Note that the process has taken a step."""
        self.places[position.key] = len(self.stack)
        self.stack.append(position)

    # -- reading and remembering ----------------------------------------------------------------

    def _read(self, reply: m.Report, step: int, seats: tuple[str, ...]) -> Said:
        """Turn a report into what is kept of it; raises ReferenceFailure for one that cannot be right."""
        if not reply.accepted:
            raise ReferenceFailure(f"refuses what it must do ({reply.code}): {(reply.message or '')[:_SAID]}")
        if reply.step != step:
            raise ReferenceFailure(f"its answer is for step {reply.step}, not {step}")
        if reply.actor is None or reply.actor not in (*seats, "chance", "over"):
            raise ReferenceFailure(f"says {str(reply.actor)[:_SAID]!r} is next, which is no seat, chance or over")
        if reply.legal is None:
            _lacks("legal")
        self._check_legal(reply.legal, reply.actor)
        if self.caps.state and reply.state is None:
            _lacks("state")
        if len(self.texts) > _KEPT:
            self.texts.clear()
        self.texts.update(reply.legal)
        record = m.encode(reply.state).decode() if self.caps.state else ""
        over = self.caps.result and reply.actor == "over"
        return Said(reply.actor, tuple(sorted(reply.legal)), record, _result(reply, seats) if over else None)

    def _check_legal(self, listed: tuple[str, ...], actor: str) -> None:
        if len(set(listed)) != len(listed):
            raise ReferenceFailure("lists a legal action twice")
        strange = [text for text in listed if text.strip() != text or not text or not text.isprintable()]
        if strange:
            raise ReferenceFailure(f"lists {strange[0][:_SAID]!r}, which is no text of one line")
        if actor == "over" and listed:
            raise ReferenceFailure(f"the game is over and it lists {listed[0][:_SAID]!r}")
        if actor == "chance" and not self.caps.outcomes:
            raise BadInput("chance is next, and the reference does not offer outcomes",
                           hint="a reference of a game with chance lists the possible outcomes")  # fmt: skip
        if actor != "over" and not listed:
            raise ReferenceFailure(f"lists nothing that {actor} could do, and does not say that the game is over")

    def _remembered(self, key: bytes) -> Position | None:
        found = self.known.get(key)
        if found is not None:
            self.known.move_to_end(key)
        return found

    def _remember(self, position: Position) -> Position:
        self.known[position.key] = position
        self.size += _size(position)
        while len(self.known) > _KEPT or (self.size > _BYTES and len(self.known) > 1):
            _, old = self.known.popitem(last=False)
            self.size -= _size(old)
        return position


def _failed(failure: SubjectFailure) -> ReferenceFailure:
    return ReferenceFailure(f"{failure.kind}: {failure.said}")


def _lacks(item: str) -> NoReturn:
    raise ReferenceFailure(f"its answer lacks {item!r}, which was asked for and is offered in hello")


def _result(reply: m.Report, seats: tuple[str, ...]) -> m.Outcome:
    if reply.result is None:
        _lacks("result")
    if set(reply.result.scores) != set(seats) or not set(reply.result.winners) <= set(seats):
        raise ReferenceFailure(f"its result is not about the seats {', '.join(seats)}")
    return m.Outcome(dict(sorted(reply.result.scores.items())), tuple(sorted(set(reply.result.winners))))


def _way(target: Position) -> list[Position]:
    found, at = [target], target
    while at.before is not None:
        at = at.before
        found.append(at)
    return found[::-1]


def _contradiction(position: Position, now: Said) -> str:
    """Say in what a second answer about a position differs from the first."""
    first = position.shown
    where = f"step {position.depth}" + (f", after {position.text!r}" if position.text else "")
    if first.actor != now.actor:
        return f"at {where} first {first.actor} was next, then {now.actor}"
    if first.legal != now.legal:
        odd = sorted(set(first.legal) ^ set(now.legal))
        return f"at {where} {odd[0]!r} was legal only one time of two"
    return f"at {where} it showed {first.record[:_SAID]} first and {now.record[:_SAID]} then"


def _size(position: Position) -> int:
    said = position.said
    return len(said.record) + sum(map(len, said.legal)) if isinstance(said, Said) else 0

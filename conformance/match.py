"""One game played on both sides at once: each operation is done by reference and subject and compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.contract import CHANCE, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import Difference
from lawspeaker.model.core.taking import Taken

from . import messages as m
from .asked import Asked
from .compare import Expected, compare, compare_state, compound_parts
from .subjects import Crash, HarnessFault, ProtocolError, Subject, SubjectFailure

_KEPT = 300
_SPENT = "recorded"
_BROKEN = 3
"""So many broken invariants are named."""
_RESTARTS = 12
"""After so many failures to answer, those while shrinking included, a subject is not started again."""
_SAID, _TEXTS = 2000, 500
"""So many characters of one value, and so many texts, of what a subject said go into a difference."""
_LONGEST = 200_000
"""So many characters of legal actions are kept of one reply."""
UNKNOWN = "?"
"""In place of an outcome of chance that the subject is to report."""

OpKind = Literal["try", "view", "undo", "save", "load", "setup", "again"]


class Op(msgspec.Struct, frozen=True, gc=False):
    """One operation: what kind, by whom (or which seat looks), an action's text, how many steps.

    ``try`` is an action (or a whole compound decision) that is accepted exactly if the reference says so;
    ``setup`` sets up *record*; ``again`` asks for the position and sets that up.
    """

    kind: OpKind
    by: str = ""
    text: str = ""
    count: int = 0
    record: dict[str, Any] | None = None


class Line(msgspec.Struct, frozen=True):
    """Where it begins (a record, or None for the game's own beginning) and what is done."""

    record: dict[str, Any] | None
    ops: tuple[Op, ...]


class Divergence(msgspec.Struct, frozen=True):
    """The first place where both sides part.

    ``line`` ends with the operation at which it shows; ``before`` is the reference's position before
    that operation (None at the beginning), ``replies`` all that the subject said, for trying other
    readings on it.
    """

    line: Line
    kind: str
    before: Any
    after: Any
    differences: tuple[Difference, ...]
    replies: tuple[m.Reply, ...]
    said: str = ""


class Diverged(Exception):
    """Carries a divergence out of a match."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(divergence.kind)
        self.divergence = divergence


class Link:
    """The connection to one subject: what it offers, how much it was asked, and its ending."""

    def __init__(self, make_subject: Callable[[], Subject], game_id: str) -> None:
        self.make_subject, self.game_id = make_subject, game_id
        self.subject: Subject | None = None
        self.hello: m.HelloReply | None = None
        self.options: m.Options | None = None
        self.calls = self.starts = self.failures = 0
        self.spent = ""

    def connect(self) -> m.HelloReply:
        """Start the subject and shake hands; raises SubjectFailure, or BadInput if it cannot be started."""
        if self.spent:
            raise Crash(f"not started again: {self.spent}", "given_up")
        self.subject = self.make_subject()
        self.starts += 1
        reply = self.ask(m.Hello((m.PROTOCOL,), "lawspeaker", self.game_id))
        if isinstance(reply, m.Refused):
            raise self._drop(ProtocolError(f"hello was answered with {reply.code}: {reply.message}", "hello"))
        assert isinstance(reply, m.HelloReply)
        if reply.protocol != m.PROTOCOL:
            raise self._drop(ProtocolError(f"it speaks protocol {reply.protocol}, not {m.PROTOCOL}", "version"))
        if self.game_id not in reply.games:
            raise self._drop(ProtocolError(f"it does not play {self.game_id}", "game"))
        if self.hello is not None and reply != self.hello:
            raise self._drop(
                ProtocolError(f"started again it says another hello: {_changes(self.hello, reply)}", "changed")
            )
        self.hello = reply
        if self.options is not None:
            self._repeat(self.options)
        return reply

    def _repeat(self, options: m.Options) -> None:
        """Tell a subject that was started anew the options to which it agreed before."""
        reply = self.ask(options)
        if not isinstance(reply, m.OptionsReply) or not options.rulings.items() <= reply.rulings.items():
            raise self._drop(ProtocolError("started again it does not take the options that it took before", "changed"))

    def leftover(self) -> bytes:
        """Return what the subject has written unasked."""
        read = getattr(self.subject, "leftover", None)
        found: bytes = read() if read is not None else b""
        return found

    def ask(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        """Ask the subject, started anew if it failed before; raises SubjectFailure after ending it."""
        if self.subject is None:
            self.connect()
        assert self.subject is not None
        self.calls += 1
        undeclared = m.beyond(message, self.hello.capabilities) if self.hello else ()
        if undeclared:
            said = f"{type(message).__name__.lower()} asks for {', '.join(undeclared)}, which hello did not declare"
            raise self._drop(HarnessFault(said))
        try:
            return self.subject.ask(message, meanwhile)
        except SubjectFailure as failure:
            raise self._drop(failure) from None

    def _drop(self, failure: SubjectFailure) -> SubjectFailure:
        """End the subject after a failure, for good after many or when its time is up; return the failure."""
        self.close()
        self.failures += failure.kind != "given_up"
        if failure.kind == "total" or self.failures >= _RESTARTS:
            self.spent = self.spent or (
                failure.said if failure.kind == "total" else f"{self.failures} failures to answer"
            )
        return failure

    def close(self) -> None:
        """End the subject."""
        if self.subject is not None:
            self.subject.close()
        self.subject = None


class Recorded(Subject):
    """A subject made of replies given before, for judging them by other rulings."""

    def __init__(self, replies: tuple[m.Reply, ...]) -> None:
        self.replies = list(reversed(replies))

    def ask(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        """Return the next reply; raises ProtocolError when there is none left."""
        if not self.replies:
            raise ProtocolError("no recorded reply is left", _SPENT)
        return self.replies.pop()

    def close(self) -> None:
        """Nothing to end."""


class Match:
    """A game on both sides.  Every method raises Diverged at the first difference.

    *mode* says who makes chance.  ``checked`` counts the operations compared.
    """

    def __init__(
        self, ask: Callable[..., m.Reply], game: AnyGame, caps: m.Capabilities, mode: m.ChanceMode = "dictated"
    ) -> None:
        self.subject_ask, self.game, self.caps, self.mode = ask, game, caps, mode
        self.want = wanted(caps)
        self.record: dict[str, Any] | None = None
        self.ops: list[Op] = []
        self.replies: list[m.Reply] = []
        self.positions: list[Expected] = []
        self.base = self.checked = 0
        self.saved: tuple[str, Expected, int] | None = None
        self.asked: Asked | None = None

    # -- beginning ------------------------------------------------------------------------------

    def begin(self, line: Line) -> None:
        """Start the game, or set up the line's record, and compare."""
        self.record = line.record
        script = tuple(op.text for op in line.ops if op.by == "chance") if self.mode == "scripted" else ()
        if line.record is None:
            expected = Expected(self.game, self.game.start())
            message: m.Message = m.Start(tuple(self.game.seats), self.mode, script, self.want)
        else:
            expected = Expected(self.game, self.game.position(line.record))
            message = self._set_up(line.record, script)
        self._moved(message, expected, "setup" if line.record is not None else "start", [expected], 0)

    def _set_up(self, record: dict[str, Any], script: tuple[str, ...] = ()) -> m.Setup:
        return m.Setup(record, self.mode, script, self.want, tuple(self.game.seats))

    def play(self, line: Line) -> None:
        """Begin and do every operation of a line."""
        self.begin(line)
        for op in line.ops:
            self.do(op)

    def do(self, op: Op) -> None:
        """Do one operation on both sides and compare."""
        self.ops.append(op)
        if op.kind == "try":
            self._try(op)
        elif op.kind == "view":
            self._view(op.by)
        elif op.kind == "undo":
            kept = self.positions[: -op.count]
            if not kept or op.count < 1:
                raise BadInput(f"undo {op.count} after {len(self.positions) - 1} steps", where="line")
            self._moved(m.Undo(op.count, self.want), kept[-1], "undo", kept, self.base)
        elif op.kind == "save":
            self._save()
        elif op.kind == "load":
            self._load()
        elif op.kind == "setup":
            self._setup(op.record or {})
        else:
            self._again()

    # -- operations -----------------------------------------------------------------------------

    @property
    def now(self) -> Expected:
        """What the reference has now."""
        return self.positions[-1]

    @property
    def step(self) -> int:
        """The number of steps taken."""
        return self.base + len(self.positions) - 1

    def _try(self, op: Op) -> None:
        now = self.now
        open_outcome = now.actor == CHANCE and op.by == "chance" and self.mode != "dictated"
        if open_outcome and self.mode == "reported":
            return self._reported(op)
        legal = op.by == now.actor_name and op.text in now.legal
        whole = () if legal else compound_parts(self.game, now.position, op.by, op.text)
        taken = whole
        after: Expected | None = None

        def go_on() -> None:
            nonlocal after, taken
            if after is None:
                taken = whole or (self._taken(now, now.legal[op.text]),)
                after = Expected(self.game, taken[-1].after)
                after.prepare(self.want)

        message = m.Step(self.step + 1, op.by, None if open_outcome else op.text, self.want)
        reply = self._report(message, go_on if legal or whole else None)  # both sides work at once
        if legal or whole:
            go_on()
        if reply.accepted != (after is not None):
            self._differ("accepted" if reply.accepted else "refused", after, _acceptance(reply))
        if after is None:
            self._unchanged(reply)
            if self.asked is not None:
                self.asked.refused(self.game, now.position, op.by, op.text)
            return None
        self.positions.append(after)
        now.forget()
        self._agree(reply, "step", now)
        if open_outcome and reply.outcome != op.text:
            self._differ("outcome", after, (Difference("outcome", op.text, reply.outcome),))
        if self.asked is not None:
            self.asked.took(self.game, taken)
        return None

    def _reported(self, op: Op) -> None:
        now = self.now
        reply = self._report(m.Step(self.step + 1, op.by, None, self.want))
        if not reply.accepted:
            self._differ("refused", None, _acceptance(reply))
        action = now.legal.get(reply.outcome or "")
        if action is None:
            lost = Difference("outcome", f"one of {len(now.legal)} possible outcomes", reply.outcome)
            self._differ("outcome", None, (lost,))
        self.ops[-1] = msgspec.structs.replace(op, text=reply.outcome or "")
        taken = self._taken(now, action)
        self.positions.append(Expected(self.game, taken.after))
        self._agree(reply, "step", now)
        if self.asked is not None:
            self.asked.took(self.game, (taken,))

    def _taken(self, now: Expected, action: Any) -> Taken:
        return Taken(now.position, action, self.game.apply(now.position, action))

    def _unchanged(self, reply: m.Report) -> None:
        """Compare after a refusal: nothing may have changed."""
        self._check_step(reply)
        want: tuple[m.WantItem, ...] = self.want
        if self.caps.state or self.caps.digest:
            reply = self._shown(m.State(want))
        elif self.caps.legal:
            reply, want = self._shown(m.Legal()), ("legal",)
        else:
            self.checked += 1
            return
        self._agree(reply, "changed by a refusal", self.now, want)

    def _view(self, seat: str) -> None:
        reply = self._reply(m.View(seat))
        if not isinstance(reply, m.ViewReply):
            raise ProtocolError("view was not answered with a view", "bad_shape")
        self._check_step(reply)
        right = self.game.observe(self.now.position, self.game.seat(seat))
        found = compare_state(right, reply.view, None)
        if found:
            renamed = tuple(msgspec.structs.replace(d, path=d.path.replace("state", "view", 1)) for d in found)
            self._differ("view", self.now, renamed)
        self.checked += 1

    def _save(self) -> None:
        reply = self._reply(m.Save())
        if not isinstance(reply, m.SaveReply):
            raise ProtocolError("save was not answered with a saved game", "bad_shape")
        self._check_step(reply)
        self.saved = (reply.saved, self.now, self.step)

    def _load(self) -> None:
        if self.saved is None:
            raise BadInput("load before save", where="line")
        text, expected, step = self.saved
        self._moved(m.Load(text, self.want), expected, "load", [expected], step)

    def _setup(self, record: dict[str, Any]) -> None:
        """Set up a valid record, or see an invalid one refused."""
        message = self._set_up(record)
        position = valid(self.game, record)
        if position is not None:
            expected = Expected(self.game, position)
            return self._moved(message, expected, "setup", [expected], 0)
        reply = self._report(message)
        if reply.accepted:
            self._differ("accepted", None, (Difference("setup", "refused: no valid position", "accepted"),))
        self.checked += 1
        return None

    def _again(self) -> None:
        shown = self._shown(m.State(("state",)))
        if shown.state is None:
            raise ProtocolError("state was not answered with a state", "missing")
        expected = self.now
        self._agree(shown, "state", expected, ("state",))
        self._moved(self._set_up(shown.state), expected, "again", [expected], 0)

    # -- asking and comparing -------------------------------------------------------------------

    def _moved(self, message: m.Message, expected: Expected, kind: str, kept: list[Expected], base: int) -> None:
        """Ask for a move to a known position and compare there."""
        before = self.positions[-1] if self.positions else None
        reply = self._report(message)
        self.positions, self.base = kept, base
        if not reply.accepted:
            self._differ(kind, expected, _acceptance(reply))
        self._agree(reply, kind, before or expected)

    def _report(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Report:
        reply = self._reply(message, meanwhile)
        if not isinstance(reply, m.Report):
            raise ProtocolError(f"{type(message).__name__.lower()} was not answered with a report", "bad_shape")
        return reply

    def _shown(self, message: m.Message) -> m.Report:
        """Ask for what nobody may refuse."""
        reply = self._report(message)
        if not reply.accepted:
            self._differ("refused", self.now, _acceptance(reply))
        return reply

    def _reply(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        reply = self.subject_ask(message, meanwhile)
        self.replies.append(_brief(reply, ("legal",) if isinstance(message, m.Legal) else getattr(message, "want", ())))
        if isinstance(reply, m.Refused):
            said = f"{type(message).__name__.lower()} was answered with the error {reply.code}: {reply.message}"
            self._differ("error", None, (Difference("answer", "an answer", reply.code),), said)
        return reply

    def _check_step(self, reply: m.Report | m.ViewReply | m.SaveReply) -> None:
        if reply.step != self.step:
            raise ProtocolError(f"the answer is for step {reply.step}, the question was for step {self.step}", "step")

    def _agree(self, reply: m.Report, kind: str, before: Expected, want: tuple[m.WantItem, ...] | None = None) -> None:
        self._check_step(reply)
        found = compare(self.now, reply, self.want if want is None else want, self.caps)
        if found:
            self._differ(kind, self.now, self._detail(found), before=before)
        self.checked += 1

    def _detail(self, found: tuple[Difference, ...]) -> tuple[Difference, ...]:
        """Where only a digest tells that something differs, ask for the state."""
        if not self.caps.state or not any(d.path == "digest" for d in found):
            return found
        try:
            reply = self.subject_ask(m.State(("state",)))
        except SubjectFailure:
            return found
        if not isinstance(reply, m.Report) or reply.state is None:
            return found
        fields = compare_state(self.now.record, reply.state, self.caps.fields)
        return (*(d for d in found if d.path != "digest"), *fields) if fields else found

    def _differ(
        self,
        kind: str,
        after: Expected | None,
        differences: tuple[Difference, ...],
        said: str = "",
        before: Expected | None = None,
    ) -> None:
        start = before or (self.positions[-1] if self.positions else None)
        raise Diverged(
            Divergence(
                line=Line(self.record, tuple(self.ops)),
                kind=kind,
                before=start.position if start else None,
                after=after.position if after else None,
                differences=tuple(_bounded(d) for d in differences),
                replies=tuple(self.replies),
                said=said,
            )
        )


def valid(game: AnyGame, record: dict[str, Any]) -> Any:
    """Return the position of a record, None if it is malformed or breaks an invariant."""
    try:
        position = game.position(record)
    except BadInput:
        return None
    return None if game.broken_invariants(position) else position


def _brief(reply: m.Reply, want: tuple[m.WantItem, ...]) -> m.Reply:
    """Return what of a reply is kept: nothing unasked and no free text of any length, so that memory stays bounded."""
    if isinstance(reply, m.Report):
        listed = reply.legal if "legal" in want else None
        return msgspec.structs.replace(
            reply,
            code=reply.code and reply.code[:_KEPT],
            message=reply.message and reply.message[:_KEPT],
            actor=reply.actor and reply.actor[:_KEPT],
            outcome=reply.outcome and reply.outcome[:_KEPT],
            legal=listed if listed is None or sum(map(len, listed)) <= _LONGEST else (),
            state=reply.state if "state" in want else None,
            digest=reply.digest if "digest" in want else None,
            result=reply.result if "result" in want else None,
            broken=(),
        )
    if isinstance(reply, m.SaveReply):
        return msgspec.structs.replace(reply, saved=reply.saved[:_KEPT])
    return reply


def _changes(one: m.HelloReply, two: m.HelloReply) -> str:
    """Say in which fields two answers to hello differ."""
    before, after = ({**msgspec.structs.asdict(h), **msgspec.structs.asdict(h.capabilities)} for h in (one, two))
    changed = [name for name in before if name != "capabilities" and before[name] != after[name]]
    return ", ".join(f"{name} was {before[name]!r:.60} and is {after[name]!r:.60}" for name in changed)


def _bounded(found: Difference) -> Difference:
    """Cut what a subject said to a length that a report can bear."""
    texts = found.only_subject
    cut = tuple(m.printable(text, _SAID) for text in texts[:_TEXTS])
    more = (f"and {len(texts) - _TEXTS} more",) if len(texts) > _TEXTS else ()
    value = found.subject
    if isinstance(value, str):
        value = m.printable(value, _SAID)
    elif isinstance(value, (dict, list)) and len(m.encode(value)) > _SAID:
        value = m.printable(m.encode(value).decode(), _SAID)
    return msgspec.structs.replace(found, subject=value, only_subject=(*cut, *more))


def _acceptance(reply: m.Report) -> tuple[Difference, ...]:
    said = (
        "accepted"
        if reply.accepted
        else f"refused ({m.printable(reply.code or 'no code', 40)}): {m.printable(reply.message or '', 200)}"
    )
    if reply.broken and not reply.accepted:
        named = (f"{b.invariant}: {b.said}" if b.said else b.invariant for b in reply.broken[:_BROKEN])
        said += f"; it says that this breaks {m.printable('; '.join(named), 400)}"
    return (Difference("accepted", "refused" if reply.accepted else "accepted", said),)


def wanted(caps: m.Capabilities) -> tuple[m.WantItem, ...]:
    """Return what to ask for at each step: the digest where there is one, else the state."""
    want: list[m.WantItem] = []
    if caps.legal:
        want.append("legal")
    if caps.digest and caps.fields is None:
        want.append("digest")
    elif caps.state:
        want.append("state")
    if caps.result:
        want.append("result")
    return tuple(want)


def judge(game: AnyGame, caps: m.Capabilities, mode: m.ChanceMode, line: Line, replies: tuple[m.Reply, ...]) -> bool:
    """Say whether *game* (under other rulings, say) agrees with all that a subject once replied on a line."""
    match = Match(Recorded(replies).ask, game, caps, mode)
    try:
        match.play(line)
    except SubjectFailure as failure:
        return failure.kind == _SPENT  # up to the last reply there was, all was right
    except (Diverged, BadInput):
        return False
    return True

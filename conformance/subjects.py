"""Subjects: whoever answers the referee's questions, and how answering can fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from . import messages as m
from .session import Session


class SubjectFailure(Exception):
    """A question that got no usable answer: the kind in one word, a sentence, and whose fault it is.

    ``blame`` is ``engine`` (the program died or hung) or ``adapter`` (it talks, but not the protocol).
    """

    kind = "failure"
    blame = "engine"

    def __init__(self, said: str, kind: str = "", blame: str = "") -> None:
        self.said = m.printable(said, 1000)
        super().__init__(self.said)
        self.kind, self.blame = kind or type(self).kind, blame or type(self).blame


class Timeout(SubjectFailure):
    """No whole answer within the limit."""

    kind = "timeout"


class Crash(SubjectFailure):
    """The process ended, or closed its output, before it answered."""

    kind = "crash"


class ProtocolError(SubjectFailure):
    """An answer came, but it is not what the protocol says; ``kind`` says in what way."""

    kind = "protocol"
    blame = "adapter"


class HarnessFault(SubjectFailure):
    """What was to be sent is no message of the protocol, or asks for what was not declared: our own mistake."""

    kind = "harness"
    blame = "harness"


def line_to_send(number: int, message: m.Message) -> bytes:
    """Return a request as a line; raises HarnessFault, or ProtocolError for a saved text that is too long."""
    try:
        return m.request_line(number, message)
    except m.CodecError as error:
        if isinstance(message, m.Load) and error.kind == "line_too_long":
            said = f"its saved text has {len(message.saved)} characters: too long to be given back in one line"
            raise ProtocolError(said, error.kind) from None
        said = f"{type(message).__name__.lower()} was not sent, as it is no message of the protocol: {error.said}"
        raise HarnessFault(said) from None


class Subject(Protocol):
    """An implementation under test."""

    def ask(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        """Return the reply to a message; raises SubjectFailure.  *meanwhile* is done while it works."""

    def close(self) -> None:
        """End the subject; safe to call twice."""


class InProcessSubject:
    """A session asked without a process between, through the same lines of text."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.number = 0

    def ask(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        """Return the session's reply to a message; raises ProtocolError like a process would."""
        self.number += 1
        line = self.session.answer(line_to_send(self.number, message))
        try:
            return m.read_answer(line.strip(), self.number, type(message))
        except m.CodecError as error:
            raise ProtocolError(error.said, error.kind) from None

    def close(self) -> None:
        """Nothing to end."""

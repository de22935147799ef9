"""A subject under examination: where it fails to answer, a closer look says what it did instead."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from . import messages as m
from .advice import BLAME
from .process import ProcessSubject
from .subjects import SubjectFailure

_LONGER = 5.0
"""So many seconds, at most, a late answer is waited for."""
_AT_LEAST = 1.0
"""And so many at least, however short the limit: else what is late looks like what is not flushed."""
_CLOSED = 2.0
"""So many seconds are left for answering when the input has been closed."""


class Patient:
    """A process that is asked like any other; a failure of it is looked into before it is passed on."""

    def __init__(self, process: ProcessSubject) -> None:
        self.process = process
        self.last_words: tuple[str, ...] = ()

    def ask(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        """Return the reply; raises SubjectFailure, its kind made more exact where more can be seen."""
        try:
            return self.process.ask(message, meanwhile)
        except SubjectFailure as failure:
            found = self._look(failure, message)
            self.last_words = self.process.error_lines()
            raise found from None

    def _look(self, failure: SubjectFailure, message: m.Message) -> SubjectFailure:
        if failure.kind == "timeout":
            kind, said = self._silent(message) if not self.process.buffer else self._without_end(message)
        elif failure.kind == "half_line":
            kind, said = self._without_end(message)
        else:
            return failure
        if not kind:
            return failure
        return SubjectFailure(said, kind, BLAME[kind])

    def _silent(self, message: m.Message) -> tuple[str, str]:
        """Wait a little longer; then close the input and wait again."""
        process, limit = self.process, self.process.limit_for(message)
        if process.listen(min(max(limit, _AT_LEAST), _LONGER), whole_line=True):
            return "late", f"its answer came only after the limit of {limit:g} s{self._shown()}"
        process.end_input()
        if process.listen(_CLOSED, whole_line=True):
            return (
                "unflushed",
                f"nothing came within {limit:g} s, and as soon as its input was closed, this{self._shown()}",
            )
        return "", ""

    def _without_end(self, message: m.Message) -> tuple[str, str]:
        """Tell a whole answer that only lacks its line end from half an answer."""
        process = self.process
        with suppress(m.CodecError):
            m.read_answer(bytes(process.buffer).strip(), process.number, type(message))
            return "no_line_end", f"a whole answer came, but no line end after it{self._shown()}"
        return "", ""

    def _shown(self) -> str:
        text = bytes(self.process.buffer[:200]).decode("utf-8", "replace").strip()
        return f": {m.printable(text, 100)}" if text else ""

    def after_bye(self, seconds: float) -> tuple[int | None, bytes]:
        """Close the input; return how the process ended (None: it did not) and what it still wrote."""
        self.process.end_input()
        self.process.listen(seconds, whole_line=False)
        self.last_words = self.process.error_lines()
        return self.process.ended(seconds), bytes(self.process.buffer).strip()

    def close(self) -> None:
        """End the process."""
        self.process.close()

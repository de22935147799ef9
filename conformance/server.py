"""The reference as a process: a session between standard input and output."""

from __future__ import annotations

import os
import select
import stat
import time
from typing import BinaryIO

from .messages import LINE_LIMIT, error_line
from .session import Session

_LOOKOUT = 0.0005
"""So many seconds a request is looked for without sleeping."""


def serve(session: Session, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer each line of *source* on *sink*, flushed, until ``bye``, the end of input, or nobody listening.

    Blank lines are passed over; a line over the limit is answered with an error and skipped whole.
    """
    lookout = _Lookout(source)
    while not session.ended:
        lookout.look()
        line = source.readline(LINE_LIMIT + 2)
        if not line:
            return
        if len(line) > LINE_LIMIT + 1 and not line.endswith(b"\n"):
            _skip(source)
            answer = error_line(None, "parse_error", f"a line of more than {LINE_LIMIT} bytes")
        elif not line.strip():
            continue
        else:
            answer = session.answer(line)
        try:
            sink.write(answer)
            sink.flush()
        except BrokenPipeError:
            _let_go(sink)
            return


class _Lookout:
    """Looks again and again for what comes at once: to sleep and be woken takes as long as most answers do.

    How long is halved each time that nothing came, so that a slow referee costs little.  Only a pipe or a
    socket is looked at; people are slow.
    """

    def __init__(self, source: BinaryIO) -> None:
        self.seconds = _LOOKOUT
        self.poll: select.poll | None = None
        try:
            mode = os.fstat(source.fileno()).st_mode
        except OSError:  # no file at all
            return
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            self.poll = select.poll()
            self.poll.register(source.fileno(), select.POLLIN)

    def look(self) -> None:
        """Return as soon as something can be read, or when it is time to sleep."""
        if self.poll is None:
            return
        until = time.perf_counter() + self.seconds
        while not self.poll.poll(0):
            if time.perf_counter() > until:
                self.seconds = max(self.seconds / 2, _LOOKOUT / 64)
                return
            os.sched_yield()  # where cores are few, the referee goes first
        self.seconds = _LOOKOUT


def _let_go(sink: BinaryIO) -> None:
    """Send what could not be written to nowhere, so that ending does not stumble over it once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sink.fileno())
    finally:
        os.close(nowhere)


def _skip(source: BinaryIO) -> None:
    while True:
        rest = source.readline(LINE_LIMIT)
        if not rest or rest.endswith(b"\n"):
            return

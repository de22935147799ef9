"""The reference as a process: a session between standard input and output."""

from __future__ import annotations

import os
import select
import stat
from typing import BinaryIO

from .lookout import Lookout
from .messages import LINE_LIMIT, error_line
from .session import Session


def serve(session: Session, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer each line of *source* on *sink*, flushed, until ``bye``, the end of input, or nobody listening.

    Blank lines are passed over; a line over the limit is answered with an error and skipped whole.
    """
    lookout, poll = Lookout(), _poll(source)
    while not session.ended:
        if poll is not None:
            lookout.look(lambda: poll.poll(0))
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


def _poll(source: BinaryIO) -> select.poll | None:
    """Return what tells whether something can be read from a pipe or socket; None for all else: people are slow."""
    try:
        mode = os.fstat(source.fileno()).st_mode
    except OSError:  # no file at all
        return None
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return None
    found = select.poll()
    found.register(source.fileno(), select.POLLIN)
    return found


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

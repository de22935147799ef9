"""The reference as a process: a session between standard input and output."""

from __future__ import annotations

from typing import BinaryIO

from .messages import LINE_LIMIT, error_line
from .session import Session


def serve(session: Session, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer each line of *source* on *sink*, flushed, until ``bye`` or the end of input.

    Blank lines are passed over; a line over the limit is answered with an error and skipped whole.
    """
    while not session.ended:
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
        sink.write(answer)
        sink.flush()


def _skip(source: BinaryIO) -> None:
    while True:
        rest = source.readline(LINE_LIMIT)
        if not rest or rest.endswith(b"\n"):
            return

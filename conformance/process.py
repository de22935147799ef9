"""A subject in a process of its own: limits on time, lines and memory, and nothing left behind.

Nothing of what the process writes is trusted, kept beyond its limit, or evaluated.  Reading, writing
and the draining of standard error happen in one loop without threads; between two questions nothing is
read, so a process that floods only fills its own pipe.
"""

from __future__ import annotations

import os
import re
import resource
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from lawspeaker.model.core.errors import BadInput

from . import messages as m
from .leftovers import MARK, Found, descendants, end_leftovers, new_mark
from .lookout import Lookout
from .subjects import Crash, ProtocolError, Timeout, line_to_send

_CHUNK = 1 << 16
_SLICE = 0.1
_PLACE = re.compile(r'\s*File "[^"]+", line \d+|\s+at .*:\d+|\s+\S+\.go:\d+')
_OUTERMOST_FIRST = re.compile(r"\s*Traceback \(most recent call last\)")
_NAMES_ERROR = re.compile(r"[\w.]*(?:Error|Exception)\b")


class Limits(msgspec.Struct, frozen=True):
    """What a process may take: seconds for its first answer, for options, for any other answer, in all.

    ``memory`` is the address space of the process in MiB, 0 for no limit (some runtimes reserve far
    more than they use).  ``stderr`` is how many bytes of its standard error are kept, ``blank`` how
    many empty lines it may write in a row.
    """

    start: float = 20.0
    handshake: float = 10.0
    work: float = 10.0
    total: float = 1800.0
    close: float = 1.0
    line: int = m.LINE_LIMIT
    stderr: int = 4096
    blank: int = 100
    memory: int = 0


class ProcessSubject:
    """An implementation started by a command; raises BadInput when the command cannot be started."""

    def __init__(self, argv: Sequence[str], limits: Limits | None = None) -> None:
        self.argv, self.limits = tuple(argv), limits or Limits()
        self.number = 0
        self.waited = 0.0
        self.buffer = bytearray()
        self.scanned = 0
        self.writing = False
        self.lookout = Lookout()
        self.errors = b""
        self.closed = False
        self.left_behind = 0
        self.children: Found = {}
        self.mark = new_mark()
        if not self.argv:
            raise BadInput("no command given", hint="write it after --, as in: -- python3 my_engine.py")
        try:
            self.process = subprocess.Popen(
                self.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=os.environ | {MARK: self.mark},
                preexec_fn=self._limit_memory if self.limits.memory else None,
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise BadInput(
                f"{shlex.join(self.argv)!r} cannot be started ({reason})",
                hint="the command after -- is the program to test, with its arguments",
            ) from None
        self._watch()

    def _limit_memory(self) -> None:
        size = self.limits.memory << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    def _watch(self) -> None:
        process = self.process
        assert process.stdin and process.stdout and process.stderr
        self.stdin, self.stdout, self.stderr = (f.fileno() for f in (process.stdin, process.stdout, process.stderr))
        self.selector = selectors.DefaultSelector()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.selector.register(self.stdout, selectors.EVENT_READ)
        self.selector.register(self.stderr, selectors.EVENT_READ)

    # -- asking ---------------------------------------------------------------------------------

    def ask(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        """Send a message and return the answer; raises Timeout, Crash or ProtocolError.

        *meanwhile* is done after sending, so that both sides work at once; it is not part of the limit.
        """
        if self.closed:
            raise Crash("the process has been ended")
        self.number += 1
        if isinstance(message, m.Bye):  # once it has ended, nobody can tell whose its children were
            self.children = descendants(self.process.pid)
        limit = self.limit_for(message)
        line = line_to_send(self.number, message)
        pending = self._write(line)
        self.writing = bool(pending)
        if pending:
            self.selector.register(self.stdin, selectors.EVENT_WRITE)
        if meanwhile:
            meanwhile()
        began = time.monotonic()
        limit = min(limit, max(self.limits.total - self.waited, 0.0))
        try:
            answer = self._exchange(pending, began + limit, limit)
        finally:
            self.waited += time.monotonic() - began
            if self.writing:
                self._stop_writing()
        try:
            return m.read_answer(answer, self.number, type(message))
        except m.CodecError as error:
            raise self._protocol_error(error.kind, error.said) from None

    def limit_for(self, message: m.Message) -> float:
        """Return how many seconds the answer to a message may take."""
        if isinstance(message, m.Hello):
            return self.limits.start
        return self.limits.handshake if isinstance(message, (m.Options, m.Bye)) else self.limits.work

    def _write(self, data: bytes) -> bytes:
        try:
            return data[os.write(self.stdin, data) :]
        except BlockingIOError:
            return data
        except OSError:  # it closed its input; whether it answers decides
            return b""

    def _stop_writing(self) -> None:
        self.writing = False
        self.selector.unregister(self.stdin)

    def _exchange(self, pending: bytes, deadline: float, limit: float) -> bytes:
        blank = 0
        if not pending:
            self.lookout.look(self._came)
        while True:
            line = self._next_line()
            if line is not None:
                if line.strip():
                    return line.strip()
                blank += 1
                if blank > self.limits.blank:
                    raise self._protocol_error("flood", f"more than {self.limits.blank} empty lines in a row")
                continue
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._timeout(limit)
            pending = self._wait(pending, min(left, _SLICE))

    def _wait(self, pending: bytes, seconds: float) -> bytes:
        """Let one round of reading and writing happen; return what is still to be written."""
        ready = self.selector.select(seconds)
        for key, _ in ready:
            if key.fd == self.stdout:
                self._read_output()
            elif key.fd == self.stderr:
                self._read_errors()
            else:
                pending = self._write(pending)
                if not pending:
                    self._stop_writing()
        if not ready and self._has_ended():
            size = len(self.buffer)
            self._read_output()  # it may have answered just before it ended
            if len(self.buffer) == size:
                raise self._crash()
        return pending

    def _came(self) -> bool:
        """Read what is there already; say whether there was anything."""
        size = len(self.buffer)
        self._read_output()
        return len(self.buffer) != size

    def _next_line(self) -> bytes | None:
        end = self.buffer.find(b"\n", self.scanned)
        if end < 0:
            self.scanned = len(self.buffer)
            if len(self.buffer) > self.limits.line:
                said = f"{len(self.buffer)} bytes without a line end; a line has at most {self.limits.line}"
                raise self._protocol_error("line_too_long", said)
            return None
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 1]
        self.scanned = 0
        if len(line) > self.limits.line:
            raise self._protocol_error("line_too_long", f"a line of {len(line)} bytes; at most {self.limits.line}")
        return line

    def _read_output(self) -> None:
        try:
            data = os.read(self.stdout, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            raise self._crash()
        self.buffer += data

    def _read_errors(self) -> None:
        try:
            data = os.read(self.stderr, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.selector.unregister(self.stderr)
        self.errors = (self.errors + data)[-self.limits.stderr :]

    # -- failing --------------------------------------------------------------------------------

    def _protocol_error(self, kind: str, said: str) -> ProtocolError:
        hint = "; diagnostics belong on standard error" if kind == "not_json" else ""
        return ProtocolError(said + hint + self._last_words(), kind)

    def _timeout(self, limit: float) -> Timeout:
        if self.waited + limit >= self.limits.total:
            said = f"its answers have taken more than {self.limits.total:g} s in all"
            return Timeout(said + self._last_words(), "total")
        if self.buffer:
            said = f"{len(self.buffer)} bytes but no line end within {limit:g} s; each answer ends with a line end"
        else:
            said = f"no answer within {limit:g} s"
            if self.number == 1:
                said += "; a program that answers but does not flush its output looks like this"
        return Timeout(said + self._last_words())

    def _crash(self) -> Crash:
        for _ in range(64):  # what it wrote before it died
            before = self.errors
            if self.stderr not in self.selector.get_map():
                break
            self._read_errors()
            if self.errors == before:
                break
        status = self._wait_ended(0.5)
        how = "closed its output" if status is None else ending(status)
        half = f" in the middle of an answer ({len(self.buffer)} bytes without a line end)" if self.buffer else ""
        return Crash(f"the process {how}{half}{self._last_words()}", "half_line" if half else "")

    def _last_words(self) -> str:
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        if not lines:
            return ""
        named = [line for line in lines[:-1] if _NAMES_ERROR.match(line)]
        if named and not _NAMES_ERROR.match(lines[-1]):  # some languages print the stack after the error
            return f"; its standard error says: {named[-1][:200]}{innermost(lines)}"
        return f"; its standard error ends: {lines[-1][:200]}{innermost(lines)}"

    # -- ending ---------------------------------------------------------------------------------

    def _has_ended(self) -> bool:
        return self._wait_ended(0) is not None

    def _wait_ended(self, seconds: float) -> int | None:
        """Return how the process ended, without reaping it (so that its group's id stays taken)."""
        deadline = time.monotonic() + seconds
        while True:
            found = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is not None:
                return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.005)

    def close(self) -> None:
        """Close its input, give it a moment, end its process group and whatever else it started, and reap it."""
        if self.closed:
            return
        self.closed = True
        self.children |= descendants(self.process.pid)  # before its input ends, and it perhaps with it
        self.selector.close()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream
            with suppress(OSError):
                stream.close()
        if self._wait_ended(self.limits.close) is None:
            self._signal(signal.SIGTERM)
            self._wait_ended(0.3)
        self._signal(signal.SIGKILL)
        self.process.wait()
        self.left_behind = end_leftovers(self.mark, self.children)

    def kill(self) -> None:
        """End it at once: for a subject that has already failed."""
        if not self.closed:
            self._signal(signal.SIGTERM)
            self._wait_ended(0.1)
            self._signal(signal.SIGKILL)
            self.close()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    # -- looking closer -------------------------------------------------------------------------

    def listen(self, seconds: float, *, whole_line: bool) -> bool:
        """Read on for so long, after a failure or the end; say whether anything (or a *whole_line*) came."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and len(self.buffer) <= self.limits.line:
            for key, _ in self.selector.select(_SLICE):
                if key.fd == self.stderr:
                    self._read_errors()
                    continue
                try:
                    self._read_output()
                except Crash:  # the end of its output
                    return bool(self.buffer.strip())
            if whole_line and b"\n" in self.buffer:
                return bool(self.buffer.strip())
        return not whole_line and bool(self.buffer.strip())

    def end_input(self) -> None:
        """Close its input, so that it sees the end."""
        assert self.process.stdin
        with suppress(OSError):
            self.process.stdin.close()

    def ended(self, seconds: float) -> int | None:
        """Return its exit code (a signal as a negative number), None if it does not end within so many seconds."""
        return self._wait_ended(seconds)

    def error_lines(self, count: int = 5) -> tuple[str, ...]:
        """Return the last lines that it wrote to standard error."""
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        return tuple(m.printable(line, 200) for line in lines[-count:])

    def leftover(self) -> bytes:
        """Return what it has written that no question asked for (read without waiting)."""
        if self.closed:
            return b""
        with suppress(OSError):
            self.buffer += os.read(self.stdout, _CHUNK)
        return bytes(self.buffer).strip()


def innermost(lines: Sequence[str]) -> str:
    """Return the innermost place of the last stack trace in some lines, as words to add; empty if there is none.

    Python writes it last, most other languages first.
    """
    starts = [n for n, line in enumerate(lines) if _OUTERMOST_FIRST.match(line)]
    if starts:
        places = [line for line in lines[starts[-1] :] if _PLACE.match(line)]
        return f" (innermost: {places[-1].strip()[:200]})" if places else ""
    errors = [n for n, line in enumerate(lines) if _NAMES_ERROR.match(line)]
    places = [line for line in lines[errors[-1] if errors else 0 :] if _PLACE.match(line)]
    return f" (innermost: {places[0].strip()[:200]})" if places else ""


def ending(status: int) -> str:
    """Say how a process ended: by its exit code, or the signal whose number is given as a negative one."""
    if status >= 0:
        return f"ended with exit code {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"

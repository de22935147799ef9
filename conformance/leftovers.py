"""What a process left behind: children that outlive it, those in a session of their own included.

A subject is started with a mark of its own in its environment, which its children inherit.  Where the system
shows processes under /proc (Linux), whoever descends from the subject or bears its mark is found and ended;
elsewhere only its process group is (see ``process``).
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

MARK = "LAWSPEAKER_SUBJECT"
_PROC = Path("/proc")
_ROUNDS = 20
"""So often is looked again, since what is being ended may start more."""

Found = dict[int, str]
"""Processes by id, each with when it started: an id alone may be taken anew by another."""


def new_mark() -> str:
    """Return a mark that no other process bears."""
    return f"{os.getpid()}-{os.urandom(8).hex()}"


def descendants(pid: int) -> Found:
    """Return the processes that descend from one, itself left out; empty where they cannot be seen."""
    stats = {number: stat for number in _numbers() if (stat := _stat(number))}
    found: Found = {}
    layer = {pid}
    while layer:
        layer = {number for number, (parent, _, _) in stats.items() if parent in layer and number not in found}
        found |= {number: stats[number][1] for number in layer}
    return found


def end_leftovers(mark: str, known: Found) -> int:
    """End every process that bears the mark, and those known by id and start; return how many there were."""
    ended: set[int] = set()
    for _ in range(_ROUNDS):
        alive = known | _bearers(mark)
        alive = {pid: began for pid, began in alive.items() if _runs(pid, began)}
        if not alive:
            break
        ended |= {pid for pid, began in alive.items() if _end(pid, began)}
    return len(ended)


def _numbers() -> list[int]:
    try:
        return [int(entry) for entry in os.listdir(_PROC) if entry.isdigit()]  # noqa: PTH208 - names suffice
    except OSError:
        return []


def _stat(pid: int) -> tuple[int, str, str] | None:
    """Return parent, start and state of a process, None if there is none."""
    try:
        fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
        return int(fields[1]), fields[19].decode(), fields[0].decode()
    except (OSError, ValueError, IndexError):
        return None


def _runs(pid: int, began: str) -> bool:
    stat = _stat(pid)
    return stat is not None and stat[1] == began and stat[2] not in "ZX"


def _bearers(mark: str) -> Found:
    wanted = f"{MARK}={mark}".encode()
    found: Found = {}
    for pid in _numbers():
        with suppress(OSError):
            stat = _stat(pid)
            if stat and wanted in (_PROC / str(pid) / "environ").read_bytes().split(b"\0"):
                found[pid] = stat[1]
    return found


def _end(pid: int, began: str) -> bool:
    """Kill one process, by a handle that cannot come to mean another."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if _runs(pid, began):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
            return True
        return False
    except OSError:
        return False
    finally:
        os.close(handle)

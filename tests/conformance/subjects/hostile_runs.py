"""Runs the referee against each of ``bad.py``'s kinds named, and writes as JSON what came of it and what it cost.

A process of its own, so that the memory that it took at most is the referee's.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lawspeaker.conformance.layers import Budget
from lawspeaker.conformance.leftovers import end_leftovers
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.referee import conform

HERE = Path(__file__).parent
TINY = Budget("tiny", games=1, positions=4, follow=2, perft=20, probes=4, others=2, shrink=30, judged=100)
LIMITS = Limits(start=20.0, handshake=10.0, work=10.0, total=60.0, close=0.05)
"""Far from what any answer takes, also on a busy machine."""
SHORT = Limits(start=10.0, handshake=0.8, work=0.8, total=60.0, close=0.05)
WAITS = ("hangs", "ignores_sigterm", "half_line_then_hang", "no_newline", "unflushed", "drip", "stops_itself", "deaf",
         "out_of_order", "grandchild")  # fmt: skip
"""Kinds whose limit runs out in any case."""
IMPATIENT = {
    "hangs@hello": Limits(start=0.8, close=0.05),
    "silent_hello": Limits(start=0.8, close=0.05),
    "no_flush": Limits(start=0.8, close=0.05),
    "late": Limits(work=0.3, close=0.05),
    "slow": Limits(work=1.0, total=1.5, close=0.05),
}
"""Where other limits are what is tried."""


def limits_for(kind: str) -> Limits:
    """Return the limits for a kind: short where they run out in any case."""
    return IMPATIENT.get(kind, SHORT if kind.partition("@")[0] in WAITS else LIMITS)


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def peak() -> int:
    """Return the most memory that this process has taken, in KiB.

    Not ``getrusage``, which counts what the parent took before it started this one.
    """
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


def descriptors() -> int:
    """Return how many descriptors are open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def run(kind: str) -> dict[str, Any]:
    """Run the referee against one kind."""
    from toy import Pebbles

    started: list[ProcessSubject] = []
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "note"

        def start() -> ProcessSubject:
            argv = [sys.executable, "-S", "-E", str(HERE / "bad.py"), kind, str(note)]
            started.append(ProcessSubject(argv, limits_for(kind)))
            return started[-1]

        began = time.monotonic()
        report = conform(Pebbles(), start, budget=TINY, seed=2)
        seconds = time.monotonic() - began
        child = int(note.read_text() or 0) if note.exists() else 0
    left = [s.process.pid for s in started if alive(s.process.pid) or end_leftovers(s.mark, {})]
    return {
        "seconds": round(seconds, 2),
        "exit_code": report.exit_code,
        "starts": report.starts,
        "left": left + ([child] if child and alive(child) else []),
        "ended": sum(s.left_behind for s in started),
        "passed": [f"{c.layer}/{c.id}" for c in report.cases if c.verdict == "pass"],
        "bad": [
            (c.layer, c.verdict, c.said, c.blame) for c in report.cases if c.verdict not in ("pass", "not applicable")
        ],
        "others": [c.said for c in report.cases if c.verdict == "not applicable"],
        "length": sum(len(repr(c)) for c in report.cases),
        "printable": all(c.said.isprintable() for c in report.cases),
    }


def main(kinds: list[str]) -> None:
    """Run all kinds, a few at a time, and print what came of them."""
    sys.path.insert(0, str(HERE.parent))
    run("honest")  # what is opened once, such as modules, is open now
    before = descriptors()
    with ThreadPoolExecutor(12) as pool:
        found = dict(zip(kinds, pool.map(run, kinds), strict=True))
    open_more = descriptors() - before
    json.dump({"runs": found, "peak": peak(), "open": open_more}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])

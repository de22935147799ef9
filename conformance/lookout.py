"""Looking for what comes at once, without sleeping: to sleep and be woken takes as long as most answers do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

_LONGEST = 0.0005
"""So many seconds something is looked for without sleeping."""
_SHORTEST = _LONGEST / 64
_TAKEN = 0.00003
"""If to yield takes so many seconds, somebody else had the core."""
_RESTS = range(4, 257)
"""So often there is then no looking: twice as often each time that this comes again, half as often when not."""


class Lookout:
    """Looks again and again for something; how long and how often follows from what came of it before.

    How long is halved each time that nothing came, so that a slow other side costs little.  Where others
    want the core, looking would keep it from the very process that is waited for, and so there is none
    for a while.  None of this reaches a verdict: what comes later is waited for asleep.
    """

    def __init__(self) -> None:
        self.seconds = _LONGEST
        self.resting, self.rest = 0, _RESTS.start

    def look(self, came: Callable[[], object]) -> None:
        """Return as soon as *came* says so, or when it is time to sleep."""
        if came():
            self.seconds = _LONGEST
            return
        if self.resting:
            self.resting -= 1
            return
        now = time.perf_counter()
        until = now + self.seconds
        while not came():
            os.sched_yield()  # where cores are few, the other side goes first
            before, now = now, time.perf_counter()
            if now - before > _TAKEN:
                self.resting, self.rest = self.rest, min(self.rest * 2, _RESTS.stop - 1)
                return
            if now > until:
                self.seconds = max(self.seconds / 2, _SHORTEST)
                return
        self.seconds, self.rest = _LONGEST, max(self.rest // 2, _RESTS.start)

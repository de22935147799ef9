"""Looking without sleeping: how long and how often, on a clock of the test's own."""

import io
import os
from itertools import pairwise

import pytest

from lawspeaker.conformance import lookout, server
from lawspeaker.conformance.lookout import Lookout


class Clock:
    """Time passes by yielding alone, so long each time."""

    def __init__(self, step):
        self.now, self.step, self.yields = 0.0, step, 0

    def yielded(self):
        self.now += self.step
        self.yields += 1

    def spent(self, watch, came):
        before = self.yields
        watch.look(came)
        return self.yields - before


@pytest.fixture
def clock(monkeypatch):
    found = Clock(1 / (1 << 20))
    monkeypatch.setattr(lookout.time, "perf_counter", lambda: found.now)
    monkeypatch.setattr(lookout.os, "sched_yield", found.yielded)
    return found


def never():
    return False


def test_what_is_there_is_taken_at_once(clock):
    assert clock.spent(Lookout(), lambda: True) == 0


def test_what_comes_soon_is_waited_for(clock):
    watch = Lookout()
    assert clock.spent(watch, lambda: clock.yields == 100) == 100


def test_the_time_is_halved_while_nothing_comes_and_whole_again_when_something_does(clock):
    watch = Lookout()
    spent = [clock.spent(watch, never) for _ in range(8)]
    assert spent[0] > 500
    assert all(abs(one - 2 * two) <= 2 for one, two in pairwise(spent[:7]))
    assert spent[6] == spent[7] > 0
    watch.look(lambda: True)
    assert clock.spent(watch, never) == spent[0]


def test_where_others_want_the_core_there_is_no_looking_for_a_while(clock):
    clock.step, watch = 0.001, Lookout()
    assert [clock.spent(watch, never) for _ in range(16)] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    assert watch.rest == 32
    for _ in range(5000):
        watch.look(never)
    assert watch.rest == 256


def test_only_a_pipe_is_looked_at(tmp_path):
    assert server._poll(io.BytesIO()) is None
    with (tmp_path / "lines").open("w+b") as file:
        assert server._poll(file) is None
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb") as sink:
        poll = server._poll(source)
        assert not poll.poll(0)
        sink.write(b"\n")
        sink.flush()
        assert poll.poll(0)

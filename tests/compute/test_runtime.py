"""Limits, progress and cancelling, as every analysis uses them."""

import threading

import pytest

from kibitz.compute import runtime as module
from kibitz.compute.runtime import Info, Limit, Runtime

pytestmark = pytest.mark.plain


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


# --- Limit --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "3"])
@pytest.mark.parametrize("name", ["games", "iterations"])
def test_a_number_of_games_or_iterations_is_whole_and_at_least_1(name, bad):
    with pytest.raises(ValueError, match=f"^{name}={bad!r}: expected a whole number of at least 1$"):
        Limit(**{name: bad})


@pytest.mark.parametrize("bad", [0, -0.5, float("nan")])
def test_a_time_is_positive(bad):
    with pytest.raises(ValueError, match=f"^time={bad!r}: expected a number of seconds greater than 0$"):
        Limit(time=bad)


def test_the_smallest_limits_are_allowed():
    assert Limit(games=1, iterations=1, time=1e-9) == Limit(1, 1, 1e-9)


def test_a_limit_bounds_what_is_asked_for():
    assert Limit().of(10) == 10
    assert Limit(games=5, iterations=7).of(10) == 5
    assert Limit(games=50, time=2.0).of(10) == 10


# --- Info ---------------------------------------------------------------------------------------------------


def test_speed_and_what_is_left():
    info = Info(done=300, total=1200, elapsed=1.5)
    assert info.speed == 200
    assert info.eta == 4.5


def test_before_anything_is_done_nobody_knows_how_long_it_takes():
    assert Info(0, 100, 3.0).eta is None
    assert Info(0, 100, 0.0).eta is None
    assert Info(5, 100, 0.0).speed == 0


def test_at_the_end_nothing_is_left():
    assert Info(100, 100, 3.0).eta == 0


# --- Runtime ------------------------------------------------------------------------------------------------


def test_the_clock_starts_with_the_work(clock):
    runtime = Runtime(Limit(time=2.0))
    clock.now += 60  # loading, compiling
    assert runtime.elapsed == 0
    assert runtime.stopped is None
    runtime.begin()
    clock.now += 1.75
    assert runtime.elapsed == 1.75
    assert runtime.stopped is None
    clock.now += 0.25
    assert runtime.stopped == "time"


def test_without_a_limit_of_time_work_goes_on(clock):
    runtime = Runtime(Limit(games=1))
    runtime.begin()
    clock.now += 1e9
    assert runtime.stopped is None


def test_reports_reach_the_caller_with_the_time(clock):
    heard = []
    runtime = Runtime(on_info=heard.append)
    runtime.begin()
    clock.now += 2.0
    runtime.report(50, 150, ["V23"])
    clock.now += 1.0
    runtime.report(150, 150)
    assert heard == [Info(50, 150, 2.0, ["V23"]), Info(150, 150, 3.0)]


def test_another_thread_can_cancel():
    runtime = Runtime(Limit(time=3600.0))
    runtime.begin()
    begun, why = threading.Event(), []

    def work():
        while not runtime.stopped:
            begun.set()
        why.append(runtime.stopped)

    worker = threading.Thread(target=work)
    worker.start()
    assert begun.wait(10)
    runtime.cancel()
    worker.join(10)
    assert why == ["cancelled"]


def test_cancelling_counts_before_time_and_before_the_beginning(clock):
    runtime = Runtime(Limit(time=1.0))
    runtime.cancel()
    assert runtime.stopped == "cancelled"
    runtime.begin()
    clock.now += 5
    assert runtime.stopped == "cancelled"

"""The queue: order, places, stopping, bounds, and errors that do not end it."""

import threading
import time

import pytest

from kibitz.compute.runtime import Limit
from kibitz.web.jobs import LARGE, Jobs, JobState, QueueFull

pytestmark = pytest.mark.plain
SOON = 20.0


@pytest.fixture
def jobs():
    made = Jobs(workers=1, most=4, most_each=3)
    yield made
    made.close()


def busy(runtime):
    """Work that goes on until it is stopped, and says why it was."""
    runtime.begin()
    while not runtime.stopped:
        time.sleep(0.005)
    return runtime.stopped


def wait_until(condition):
    until = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_jobs_are_done_in_order_and_know_their_place(jobs):
    first = jobs.submit("first", busy)
    wait_until(lambda: first.state is JobState.RUNNING)
    second, third = jobs.submit("second", busy), jobs.submit("third", busy)
    assert [jobs.place(job) for job in (first, second, third)] == [0, 1, 2]
    assert jobs.busy() == (1, 2)
    jobs.cancel(first)
    wait_until(lambda: second.state is JobState.RUNNING)
    assert [jobs.place(job) for job in (second, third)] == [0, 1]


def test_a_running_job_is_stopped_with_what_it_has_and_a_waiting_one_never_begins(jobs):
    running = jobs.submit("running", busy)
    wait_until(lambda: running.state is JobState.RUNNING)
    waiting = jobs.submit("waiting", busy)
    jobs.cancel(waiting)
    assert waiting.over
    assert waiting.state is JobState.CANCELLED
    jobs.cancel(running)
    assert running.wait(SOON)
    assert (running.state, running.result) == (JobState.DONE, "cancelled")


def test_work_that_is_done_once_is_joined_by_whoever_asks_again(jobs):
    first = jobs.submit("review of a game", busy, "one", once=True)
    assert jobs.submit("review of a game", busy, "other", once=True) is first
    assert jobs.submit("review of a game", busy) is not first
    jobs.cancel(first)
    assert first.wait(SOON)
    assert jobs.submit("review of another game", busy, once=True) is not first


def test_a_job_outlives_a_page_that_was_refreshed(jobs):
    job = jobs.submit("long", busy, "the page before")
    jobs.follow(job, "the page after")
    jobs.leave(job, "the page before")
    assert not job.runtime.stopped
    jobs.leave(job, "the page after")
    assert job.wait(SOON)
    assert job.runtime.stopped == "cancelled"


def test_every_job_has_a_time(jobs):
    job = jobs.submit("short", busy, limit=Limit(time=0.05))
    assert job.wait(SOON)
    assert job.result == "time"


def test_the_time_of_the_queue_bounds_that_of_a_job():
    jobs = Jobs(workers=1, seconds=0.05)
    job = jobs.submit("endless", busy, limit=Limit(time=1e6))
    assert job.wait(SOON)
    assert job.result == "time"
    jobs.close()


def test_short_jobs_need_not_wait_for_long_ones():
    jobs = Jobs(workers=1, quick=1)
    long = [jobs.submit("long", busy) for _ in range(2)]
    short = [jobs.submit("short", lambda runtime: "done", limit=Limit(time=5)) for _ in range(3)]
    assert all(job.wait(SOON) for job in short)
    wait_until(lambda: long[0].state is JobState.RUNNING)
    assert long[1].state is JobState.WAITING
    assert [jobs.place(job) for job in long] == [0, 1]
    jobs.close()
    assert [job.state for job in long] == [JobState.DONE, JobState.CANCELLED]


def test_to_stop_twice_or_after_the_end_changes_nothing(jobs):
    running = jobs.submit("running", busy)
    waiting = jobs.submit("waiting", busy)
    wait_until(lambda: running.state is JobState.RUNNING)
    for _ in range(2):
        jobs.cancel(waiting)
        jobs.cancel(running)
    assert running.wait(SOON)
    jobs.cancel(running)
    assert waiting.state is JobState.CANCELLED
    assert running.state is JobState.DONE
    assert jobs.busy() == (0, 0)


def test_the_queue_is_full_for_one_before_it_is_full_for_all(jobs):
    for _ in range(3):
        jobs.submit("mine", busy, owner="me")
    with pytest.raises(QueueFull, match="you have 3 analyses"):
        jobs.submit("mine", busy, owner="me")
    jobs.submit("yours", busy, owner="you")
    with pytest.raises(QueueFull, match="4 analyses are waiting already"):
        jobs.submit("theirs", busy, owner="they")


def test_what_the_asker_can_mend_is_said_and_what_not_is_kept_in_the_log(jobs, caplog):
    def fail(error):
        raise error

    mine = jobs.submit("mine", lambda runtime: fail(ValueError("no such corner")), failures=(ValueError,))
    assert mine.wait(SOON)
    assert (mine.state, mine.error) == (JobState.FAILED, "no such corner")
    ours = jobs.submit("ours", lambda runtime: fail(KeyError("secret")), failures=(ValueError,))
    assert ours.wait(SOON)
    assert ours.state is JobState.FAILED
    assert "secret" not in ours.error
    assert "secret" in caplog.text
    after = jobs.submit("after", lambda runtime: "still there")
    assert after.wait(SOON)
    assert after.result == "still there"


def test_progress_is_seen_while_it_works(jobs):
    go_on = threading.Event()

    def work(runtime):
        runtime.begin()
        runtime.report(3, 10, ["V23"])
        go_on.wait(SOON)

    job = jobs.submit("reports", work)
    wait_until(lambda: job.info is not None)
    assert (job.info.done, job.info.total, job.info.ranking) == (3, 10, ["V23"])
    go_on.set()


def test_old_jobs_are_forgotten_only_once_they_are_over():
    jobs = Jobs(workers=1, keep=2)
    made = [jobs.submit(str(n), lambda runtime: None) for n in range(5)]
    for job in made:
        job.wait(SOON)
    last = jobs.submit("last", busy)
    assert [jobs.get(job.id) is not None for job in made] == [False, False, False, True, True]
    assert jobs.get(last.id) is last
    jobs.close()


def test_large_results_are_kept_for_a_short_time_only():
    jobs = Jobs(workers=1)
    small = jobs.submit("small", lambda runtime: None)
    made = [jobs.submit("large", lambda runtime: bytes(1000), large=True) for _ in range(LARGE + 2)]
    assert all(job.wait(SOON) for job in made)
    jobs.submit("last", lambda runtime: None)
    assert [jobs.get(job.id) is not None for job in made] == [False, False] + [True] * LARGE
    assert jobs.get(small.id) is small
    jobs.close()

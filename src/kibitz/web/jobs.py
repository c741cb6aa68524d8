"""Work that takes longer than a page may wait: a queue, a few threads, progress, and a way to stop.

>>> jobs = Jobs(workers=1)
>>> job = jobs.submit("count", lambda runtime: sum(range(10)))
>>> job.wait(5), job.state.value, job.result
(True, 'done', 45)
>>> jobs.close()
"""

import asyncio
import logging
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kibitz.compute.runtime import Info, Limit, Runtime
from kibitz.ground.texts import Mistake, shortened
from kibitz.play.faults import fault

#: How much less pressing work in the background is than an answer to a click, where the system knows such a thing. Not more:
#: a thread that hardly ever runs would hold Python's lock for long.
NICENESS = 5
#: Seconds between two looks of somebody who waits.
LOOK = 0.05
#: Jobs that take at most this many seconds are short ones.
SHORT = 60.0
#: Of a job that reads what somebody brings.
READING = Limit(time=SHORT)
#: This many large results are kept.
LARGE = 4

log = logging.getLogger(__name__)


class JobState(StrEnum):
    """Where a job stands. A job that was stopped is done, with what it had, or was cancelled before it began."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class QueueFull(Exception):
    """There is no room for another job; the message says so."""


@dataclass(eq=False)
class Job:
    """One piece of work. Its fields are written by the queue alone and may be read from any thread."""

    id: str
    title: str
    owner: str
    work: Callable[[Runtime], Any]
    runtime: Runtime
    failures: tuple[type[Exception], ...] = ()
    """Errors whose message is shown, as that of a `Mistake` always is."""
    large: bool = False
    """Whether its result takes much memory."""
    state: JobState = JobState.WAITING
    info: Info | None = None
    result: Any = None
    error: str = ""
    created: float = field(default_factory=time.time)
    _over: threading.Event = field(default_factory=threading.Event)

    @property
    def short(self) -> bool:
        """Whether it is over soon once it has begun."""
        return self.runtime.limit.time is not None and self.runtime.limit.time <= SHORT

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self._over.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, at most this long; whether it is."""
        return self._over.wait(seconds)

    async def finished(self) -> None:
        """Wait until it is over, without a thread."""
        while not self.over:
            await asyncio.sleep(LOOK)

    def end(self, state: JobState) -> None:
        """Say how it ended, after everything else has been written. What it worked on need not be kept any longer."""
        self.state, self.work = state, lambda runtime: None
        self._over.set()


class Jobs:
    """A queue with a bounded number of workers, a bounded length, and a bounded number of jobs for each owner."""

    def __init__(
        self, workers: int = 2, most: int = 64, most_each: int = 8, seconds: float = 600.0, keep: int = 200, quick: int = 0
    ) -> None:
        """`seconds` bounds every job; the last `keep` finished ones can still be asked about.

        `quick` further workers take short jobs only, so that these need not wait for long ones.
        """
        self.seconds = seconds
        self._most, self._most_each, self._keep = most, most_each, keep
        self._changed = threading.Condition()
        self._waiting: deque[Job] = deque()
        self._running: list[Job] = []
        self._known: OrderedDict[str, Job] = OrderedDict()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, args=(n >= workers,), name=f"job-{n}", daemon=True)
            for n in range(workers + quick)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        title: str,
        work: Callable[[Runtime], Any],
        owner: str = "",
        limit: Limit = Limit(),  # noqa: B008
        failures: tuple[type[Exception], ...] = (),
        large: bool = False,
        once: bool = False,
    ) -> Job:
        """Put work into the queue; it is handed a `Runtime` to report to and to heed. Raises `QueueFull`.

        The result of a `large` one is not kept for long. Work that is done `once` for all who ask is known by its title.
        """
        seconds = self.seconds if limit.time is None else min(limit.time, self.seconds)
        runtime = Runtime(Limit(limit.games, limit.iterations, seconds))
        job = Job(secrets.token_urlsafe(9), title, owner, work, runtime, failures, large)
        runtime.on_info = lambda info: setattr(job, "info", info)
        with self._changed:
            busy = [*self._waiting, *self._running]
            if once and (same := next((other for other in busy if other.title == title), None)):
                return same
            if len(busy) >= self._most:
                raise QueueFull(f"{len(busy)} analyses are waiting already: try again later")
            if owner and sum(other.owner == owner for other in busy) >= self._most_each:
                raise QueueFull(f"you have {self._most_each} analyses in the queue already: wait for one, or cancel it")
            self._waiting.append(job)
            self._known[job.id] = job
            self._forget()
            self._changed.notify_all()
        return job

    def _forget(self) -> None:
        over = [job for job in self._known.values() if job.over]
        large = [job for job in over if job.large]
        for job in {*over[: -self._keep], *large[:-LARGE]}:
            del self._known[job.id]

    def get(self, id: str) -> Job | None:
        """A job that is not forgotten yet."""
        return self._known.get(id)

    def place(self, job: Job) -> int:
        """How many jobs come before a waiting one, and itself: 1 is next; 0 once it has begun."""
        with self._changed:
            return self._waiting.index(job) + 1 if job in self._waiting else 0

    def busy(self) -> tuple[int, int]:
        """How many jobs run, and how many wait."""
        return len(self._running), len(self._waiting)

    def cancel(self, job: Job) -> None:
        """Stop a job: one that runs ends soon with what it has, one that waits never begins."""
        job.runtime.cancel()
        with self._changed:
            waiting = job in self._waiting
            if waiting:
                self._waiting.remove(job)
        if waiting:
            job.end(JobState.CANCELLED)

    def follow(self, job: Job, owner: str) -> None:
        """Somebody else waits for a job now, as the same visitor does after a refresh."""
        job.owner = owner

    def leave(self, job: Job, owner: str) -> None:
        """The `owner` has gone: stop the job, unless somebody else waits for it by now."""
        if job.owner == owner:
            self.cancel(job)

    def close(self) -> None:
        """Stop everything and wait for the threads."""
        with self._changed:
            self._closed = True
            jobs = [*self._waiting, *self._running]
            self._changed.notify_all()
        for job in jobs:
            self.cancel(job)
        for thread in self._threads:
            thread.join()

    def _serve(self, quick: bool) -> None:
        with ThreadPoolExecutor(1, "work", initializer=step_back) as hands:  # which hand over whatever goes wrong
            for job in self._due(quick):
                done = hands.submit(job.work, job.runtime)
                error = done.exception()
                if error is None:
                    job.result = done.result()
                elif isinstance(error, (Mistake, *job.failures)):
                    job.error = shortened(str(error))
                else:
                    log.error("job %r failed", job.title, exc_info=error)
                    job.error = fault(error) or "something went wrong in Kibitz itself; its log says what"
                with self._changed:
                    self._running.remove(job)
                job.end(JobState.DONE if error is None else JobState.FAILED)

    def _due(self, quick: bool) -> Iterator[Job]:
        """The next job (of the short ones), again and again, until the queue closes."""

        def first() -> Job | None:
            return next((job for job in self._waiting if job.short or not quick), None)

        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or first() is not None)
                job = first()
                if self._closed or job is None:
                    return
                self._waiting.remove(job)
                self._running.append(job)
                job.state = JobState.RUNNING
            yield job


def step_back() -> None:
    """Let this thread, and those that it starts, wait for those that answer clicks."""
    if sys.platform == "linux":  # elsewhere it would be the whole process
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

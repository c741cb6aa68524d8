"""How work that takes time is done: how long it goes on, what is heard of it meanwhile, how it is stopped, and who does it.

>>> heard = []
>>> runtime = Runtime(Limit(games=100), on_info=heard.append)
>>> runtime.report(40, 100, ["V23", "V41"])
>>> heard[0].done, heard[0].total, heard[0].ranking
(40, 100, ['V23', 'V41'])
>>> runtime.cancel()  # from any thread
>>> runtime.stopped
'cancelled'

`Workers` spread independent pieces of work, whatever they are and wherever they are done. A piece is a pure function of one
value, so that doing it twice (after a worker was lost) does no harm, and results carry the number of their piece, so that the
order in which they arrive does not matter. Only equal builds of Kibitz give equal results; `build` says which one this is.

>>> sorted(Threads(2).map(abs, [-3, 4, -5]))
[(0, 3), (1, 4), (2, 5)]
"""

import os
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import kibitz

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Limit:
    """When to stop: after so many games or iterations (the same result every time), or seconds (which is not).

    Nothing given means: as much as was asked for.
    """

    games: int | None = None
    iterations: int | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        for name in ("games", "iterations"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise ValueError(f"{name}={value!r}: expected a whole number of at least 1")
        if self.time is not None and not self.time > 0:
            raise ValueError(f"time={self.time!r}: expected a number of seconds greater than 0")

    def of(self, total: int) -> int:
        """How many of `total` games or iterations are allowed.

        >>> Limit(games=100).of(500), Limit(time=2.5).of(500)
        (100, 500)
        """
        return min(n for n in (total, self.games, self.iterations) if n is not None)


@dataclass(frozen=True)
class Info:
    """How far work has come: `done` of `total` games (or iterations) after `elapsed` seconds, and what leads so far.

    >>> info = Info(done=500, total=2000, elapsed=2.0)
    >>> info.speed, info.eta
    (250.0, 6.0)
    """

    done: int
    total: int
    elapsed: float
    ranking: Any = ()
    resumed: int = 0
    """How many of those done came from a checkpoint, in no time."""

    @property
    def speed(self) -> float:
        """Games (or iterations) a second."""
        return (self.done - self.resumed) / self.elapsed if self.elapsed else 0.0

    @property
    def eta(self) -> float | None:
        """Seconds that are left at this speed; None before anything is done."""
        return (self.total - self.done) / self.speed if self.speed else None


class Runtime:
    """What a caller hands to work that takes time.

    `on_info` hears of progress, in the thread that works. `cancel` may be called from any thread: the work then
    returns what it has, marked as partial. `checkpoint` names a file from which the same work goes on after a kill.
    """

    def __init__(
        self,
        limit: Limit = Limit(),  # noqa: B008
        on_info: Callable[[Info], None] = lambda info: None,
        checkpoint: Path | None = None,
    ) -> None:
        self.limit = limit
        self.on_info = on_info
        self.checkpoint = checkpoint
        self._cancelled = threading.Event()
        self._began: float | None = None

    def begin(self) -> None:
        """Start the clock; what was done before (loading, compiling) does not count."""
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since `begin`."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def cancel(self) -> None:
        """Ask the work to stop soon."""
        self._cancelled.set()

    @property
    def stopped(self) -> str | None:
        """Why the work should stop now: ``"cancelled"`` or ``"time"``; None while it may go on."""
        if self._cancelled.is_set():
            return "cancelled"
        if self.limit.time is not None and self.elapsed >= self.limit.time:
            return "time"
        return None

    def report(self, done: int, total: int, ranking: Any = (), resumed: int = 0) -> None:
        """Tell the caller how far the work has come; `resumed` of it was taken from a checkpoint."""
        self.on_info(Info(done, total, self.elapsed, ranking, resumed))


class Workers(Protocol):
    """Threads here, or the processes of a cluster."""

    def map(self, function: Callable[[T], R], pieces: Sequence[T]) -> Generator[tuple[int, R], None, None]:
        """``function(piece)`` for every piece, with the number of the piece, in the order in which they are finished.

        To close the iterator early cancels what has not begun.
        """


@dataclass(frozen=True)
class Threads:
    """Threads of this process; as many as there are cores by default. Compiled code runs in all of them at once."""

    jobs: int | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise ValueError(f"jobs={self.jobs!r}: expected at least 1")

    def map(self, function: Callable[[T], R], pieces: Sequence[T]) -> Generator[tuple[int, R], None, None]:
        """As `Workers.map`."""
        pool = ThreadPoolExecutor(self.jobs or os.cpu_count() or 1)
        try:
            numbers = {pool.submit(function, piece): number for number, piece in enumerate(pieces)}
            for future in as_completed(list(numbers)):
                yield numbers.pop(future), future.result()  # what was handed over is not kept
        finally:
            pool.shutdown(cancel_futures=True)  # on Ctrl-C: the pieces under way end, no other begins


@cache
def build() -> str:
    """The version of Kibitz in this process and a hash of all its sources."""
    from kibitz.ground.jit import PACKAGE, hash_of  # which loads the compiler

    return f"{kibitz.__version__} ({hash_of([*PACKAGE.rglob('*.py')], PACKAGE)})"

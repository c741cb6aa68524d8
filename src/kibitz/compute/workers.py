"""Who does the work: one way to spread independent pieces of it, whatever they are and wherever they are done.

A piece is a pure function of one value, so that doing it twice (after a worker was lost) does no harm, and results carry
the number of their piece, so that the order in which they arrive does not matter.

>>> sorted(Threads(2).map(abs, [-3, 4, -5]))
[(0, 3), (1, 4), (2, 5)]

Only equal builds of Kibitz give equal results; `build` says which one this is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar

import kibitz
from kibitz.ground.jit import PACKAGE, hash_of

T = TypeVar("T")
R = TypeVar("R")


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
    return f"{kibitz.__version__} ({hash_of([*PACKAGE.rglob('*.py')], PACKAGE)})"

"""Who listens to a training: what it is told on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np


class Progress(Protocol):
    """Is told what is being done and how far it is."""

    def begin(self, what: str, total: int, unit: str, known: int = 0) -> Callable[[int], None]:
        """Something begins that has so many parts, some of them done before; what is returned hears how many more are done."""

    def say(self, line: str) -> None:
        """Something is done."""


class Quiet:
    """Nobody listens."""

    def begin(self, what: str, total: int, unit: str, known: int = 0) -> Callable[[int], None]:
        """Something begins."""
        return lambda done: None

    def say(self, line: str) -> None:
        """Something is done."""


class Heard:
    """Listens to a pass: tells how far it is, and remembers the losses."""

    def __init__(self, advance: Callable[[int], None]) -> None:
        self._advance = advance
        self.losses: list[float] = []

    def __call__(self, done: int, loss: float) -> None:
        """So many positions more are learned."""
        self.losses.append(loss)
        self._advance(done)


def thinned(losses: Sequence[float], parts: int = 100) -> list[float]:
    """The means of up to so many parts of equal length.

    >>> thinned([4, 2, 1, 3], parts=2)
    [3.0, 2.0]
    """
    return [float(part.mean()) for part in np.array_split(np.array(losses, float), min(parts, len(losses)))]

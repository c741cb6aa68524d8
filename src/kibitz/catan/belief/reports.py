"""What a tracker of hands says: distributions, worlds, steals, contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from typing import Any

from kibitz.belief.kernels import Floats
from kibitz.catan.core.events import Cards, Event


class Contradiction(ValueError):
    """An event that is impossible in every world. The tracker is as it was."""

    def __init__(
        self, index: int, event: Event, player: int | None, needed: str, possible: str, names: Sequence[str] = ()
    ) -> None:
        self.index = index  # from 0; the message counts from 1
        self.event = event
        self.player = player
        self.needed = needed
        self.possible = possible
        self.names = tuple(names)
        super().__init__(f"event {index + 1} ({event.text(names)}) is impossible: it needs {needed}; possible: {possible}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Contradiction, (self.index, self.event, self.player, self.needed, self.possible, self.names)


class Marginal:
    """The distribution of one number.

    >>> import numpy as np
    >>> cards = Marginal(np.array([0.25, 0.5, 0.25]))
    >>> cards
    Marginal(expected=1.00, min=0, max=2)
    >>> cards.at_least
    (1.0, 0.75, 0.25)
    """

    __slots__ = ("_values",)
    _values: list[float]  # so few that NumPy would take longer

    def __init__(self, probabilities: Floats) -> None:
        self._values = probabilities.tolist()

    @property
    def distribution(self) -> dict[int, float]:
        """Every possible number with its probability."""
        return {n: p for n, p in enumerate(self._values) if p > 0}

    @property
    def expected(self) -> float:
        """The mean."""
        return fsum(n * p for n, p in enumerate(self._values))

    @property
    def min(self) -> int:
        """The smallest possible number."""
        return next(n for n, p in enumerate(self._values) if p)

    @property
    def max(self) -> int:
        """The largest possible number."""
        return max(n for n, p in enumerate(self._values) if p)

    @property
    def most_likely(self) -> int:
        """The number with the largest probability; of several the smallest."""
        return self._values.index(max(self._values))

    @property
    def at_least(self) -> tuple[float, ...]:
        """The ladder: at_least[n] is the probability of n or more, up to the largest possible number."""
        ladder = [*accumulate(reversed(self._values))][::-1]
        return (1.0, *ladder[1 : self.max + 1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marginal) and self.distribution == other.distribution

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Marginal(expected={self.expected:.2f}, min={self.min}, max={self.max})"


@dataclass(frozen=True)
class PossibleWorld:
    """One way in which the cards can lie."""

    hands: tuple[Cards, ...]
    probability: float


@dataclass(frozen=True)
class UnknownSteal:
    """A steal whose card the observer did not see."""

    #: For people and programs: ``s12`` is the steal of event 12, as people count, from 1.
    id: str
    thief: int
    victim: int
    turn: int
    #: The number of its event, from 0.
    event: int
    #: The posterior over the resources that are still possible.
    odds: dict[str, float]
    #: The resource, as soon as only one is left (or somebody said so: `by_hand`), and the event that made it so.
    resolved: str | None = None
    resolved_by: int | None = None
    by_hand: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the log has not settled it: a person may say which card it was, or has said so."""
        return self.resolved is None or self.by_hand


@dataclass(frozen=True)
class Repair:
    """A contradiction that was mended with some unknown cards; None: the event's evidence had to be ignored."""

    event: int
    cards: int | None
    reason: str

"""What a tracker of hands is told about itself, and what it says: settings, distributions, worlds, steals, contradictions.

>>> TrackerConfig(max_worlds=0)
Traceback (most recent call last):
...
ValueError: max_worlds=0: expected a whole number from 1 to 1000000000
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import fsum
from typing import ClassVar, Literal, get_args, get_type_hints

from kibitz.belief.kernels import Floats
from kibitz.catan.core.events import Cards, Event

#: The points that win, unless a log says otherwise.
USUAL_GOAL = 10


@dataclass(frozen=True)
class TrackerConfig:
    """The settings of a `kibitz.catan.belief.hands.HandTracker`. Raises a ValueError for a value out of its bounds."""

    victory_points: int | None = USUAL_GOAL
    """The points that win: whoever plays on has fewer. None where that is not known."""
    hidden_discards: Literal["cards", "bundles"] = "cards"
    """What a discard is of which only the number is known: any cards, each equally likely, or any different choice."""
    on_contradiction: Literal["raise", "repair"] = "raise"
    """What becomes of an impossible event: it is refused, or explained by the fewest unknown cards."""
    max_worlds: int | None = None
    """Of more worlds than this only the likeliest are kept; None keeps all."""
    prune_threshold: float = 0.0
    """Worlds that are less likely than this are dropped."""
    memory: int = 1 << 30
    """Bytes that the worlds may take; rather than outgrow them the least likely half is dropped."""

    _BOUNDS: ClassVar[dict[str, tuple[int, int]]] = {
        "victory_points": (3, 20),
        "max_worlds": (1, 10**9),
        "prune_threshold": (0, 1),
        "memory": (1, 2**40),
    }

    def __post_init__(self) -> None:
        for name in ("hidden_discards", "on_contradiction"):
            words = get_args(get_type_hints(TrackerConfig)[name])
            if getattr(self, name) not in words:
                raise ValueError(f"{name}={getattr(self, name)!r}: expected {' or '.join(map(repr, words))}")
        for name in ("victory_points", "max_worlds", "memory"):
            number, (low, high) = getattr(self, name), self._BOUNDS[name]
            if number is None and name != "memory":
                continue
            if type(number) is not int or not low <= number <= high:
                raise ValueError(f"{name}={number!r}: expected a whole number from {low} to {high}")
        if not 0 <= self.prune_threshold < 1:
            raise ValueError(f"prune_threshold={self.prune_threshold}: expected a probability below 1")


class Contradiction(ValueError):
    """An event that is impossible in every world. The tracker is as it was; `index` counts from 0, the message from 1."""

    def __init__(
        self, index: int, event: Event, player: int | None, needed: str, possible: str, names: Sequence[str] = ()
    ) -> None:
        super().__init__(index, event, player, needed, possible, tuple(names))
        self.index, self.event, self.player = index, event, player
        self.needed, self.possible, self.names = needed, possible, tuple(names)

    def __str__(self) -> str:
        what = self.event.text(self.names)
        return f"event {self.index + 1} ({what}) is impossible: it needs {self.needed}; possible: {self.possible}"


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
    odds: dict[str, float] = field(default_factory=dict)
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

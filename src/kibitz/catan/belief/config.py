"""How a tracker of hands follows a game: every setting, with its default and its bounds.

>>> TrackerConfig(max_worlds=0)
Traceback (most recent call last):
...
ValueError: max_worlds=0: expected a whole number from 1 to 1000000000
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args, get_type_hints

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

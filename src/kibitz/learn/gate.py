"""Is the pupil better? Wald's sequential test: games are played until the answer is clear, and no longer.

>>> test = SequentialTest.above(1 / 4)
>>> test.verdict(wins=30, games=100), test.verdict(wins=300, games=800), test.verdict(wins=200, games=800)
(None, True, False)
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class SequentialTest:
    """Whether a player wins as often as `equal` says, or at least as often as `better` says (Wald 1945)."""

    equal: float
    better: float
    error: float = 0.05
    """How often each of the two answers may be given where the other is true."""

    @classmethod
    def above(cls, share: float, margin: float = 0.04) -> SequentialTest:
        """Whether somebody wins more than their share; `margin` is the least gain that should be found."""
        return cls(share, share + margin)

    @property
    def bound(self) -> float:
        """How large the likelihood must become, or how small, for a verdict."""
        return math.log((1 - self.error) / self.error)

    def likelihood(self, wins: int, games: int) -> float:
        """The logarithm of how much likelier these wins are for a better player."""
        lost = games - wins
        return wins * math.log(self.better / self.equal) + lost * math.log((1 - self.better) / (1 - self.equal))

    def verdict(self, wins: int, games: int) -> bool | None:
        """True for better, False for not, None while it is open."""
        found = self.likelihood(wins, games)
        return True if found >= self.bound else False if found <= -self.bound else None


def points(share: float, seats: int) -> float:
    """By how many rating points somebody is stronger who wins this share alone against a table of equals.

    400 points are odds of 10 to 1 between two seats, as in chess.

    >>> round(points(1 / 4, seats=4)), round(points(10 / 13, seats=4))
    (0, 400)
    """
    share = min(max(share, 1e-4), 1 - 1e-4)
    return 400 * math.log10(share * (seats - 1) / (1 - share))

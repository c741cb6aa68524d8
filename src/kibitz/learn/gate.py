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

    def likelihood(self, wins: int, games: int) -> float:
        """The logarithm of how much likelier these wins are for a better player."""
        lost = games - wins
        return wins * math.log(self.better / self.equal) + lost * math.log((1 - self.better) / (1 - self.equal))

    def verdict(self, wins: int, games: int) -> bool | None:
        """True for better, False for not, None while it is open."""
        found, bound = self.likelihood(wins, games), math.log((1 - self.error) / self.error)
        return True if found >= bound else False if found <= -bound else None

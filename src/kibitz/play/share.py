"""A share of games, with the interval in which the truth lies."""

from dataclasses import dataclass
from typing import Any

from kibitz.ground.intervals import margin_of, wilson


@dataclass(frozen=True)
class Share:
    """A share of games with its 95 % interval (Wilson's, which stays between 0 and 1).

    >>> Share(30, 100)
    Share(won=30, games=100, fair=None, as_good_as=None)
    >>> f"{Share(30, 100).rate:.2f}", [f"{end:.3f}" for end in Share(30, 100).interval]
    ('0.30', ['0.219', '0.396'])
    """

    won: int
    games: int
    fair: float | None = None
    """The share without the luck in these games, where that was weighed: closer to the true share than ``won / games``."""
    as_good_as: float | None = None
    """How many independent games, counted as they are, would be as sure."""

    @property
    def rate(self) -> float:
        """The share itself, without luck where that was weighed."""
        if self.fair is not None:
            return self.fair
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, with 95 % confidence."""
        return wilson(self.rate, self.as_good_as or self.games) if self.games else (0.0, 1.0)

    @property
    def margin(self) -> float:
        """The number after the ±.

        >>> f"{Share(0, 15).rate:.0%} ± {Share(0, 15).margin:.0%}"
        '0% ± 20%'
        """
        return margin_of(self.rate, *self.interval)

    def to_json(self) -> dict[str, Any]:
        """The counts, the share and the interval."""
        counts = {"won": self.won, "games": self.games, "rate": self.rate, "interval": list(self.interval)}
        without_luck = {"fair": self.fair, "as_good_as": self.as_good_as}
        return counts | {name: number for name, number in without_luck.items() if number is not None}


@dataclass(frozen=True)
class Standing:
    """How something that is tried stands, while an analysis runs; `racing` until it is given up."""

    name: str
    win_rate: Share
    value: float
    racing: bool

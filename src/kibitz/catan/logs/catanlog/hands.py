"""What the hands hold at least and at most, where a log names neither stolen nor discarded cards.

How many cards of a resource lie in all hands together is known better than who has them: a theft changes nothing about it. So
what the bank cannot pay any more is mostly known, too.

>>> hands = Hands(2)
>>> hands.change(0, Cards(wood=2))
>>> hands.steal(1, 0)
>>> hands.of[0].low, hands.of[1].high
([1, 0, 0, 0, 0], [1, 1, 1, 1, 1])
>>> hands.in_bank()  # the fewest and the most
([17, 19, 19, 19, 19], [17, 19, 19, 19, 19])
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from kibitz.catan.core.events import Cards
from kibitz.catan.core.state import SUPPLY, Rules

_KINDS = len(Cards._fields)
_LIMIT = Rules().discard_limit


@dataclass
class Hand:
    """What a hand holds, at least and at most: cards of each resource, and in all."""

    low: list[int] = field(default_factory=lambda: [0] * _KINDS)
    high: list[int] = field(default_factory=lambda: [0] * _KINDS)
    least: int = 0
    most: int = 0

    def change(self, counts: Iterable[int]) -> None:
        """Known cards come (or, negative, go)."""
        steps = list(counts)
        self.low = [max(n + k, 0) for n, k in zip(self.low, steps, strict=True)]
        self.high = [max(n + k, 0) for n, k in zip(self.high, steps, strict=True)]
        self.resize(sum(steps), sum(steps))

    def gain(self, n: int) -> None:
        """Unknown cards come."""
        self.high = [k + n for k in self.high]
        self.resize(n, n)

    def lose(self, n: int) -> None:
        """Unknown cards go."""
        self.low = [max(k - n, 0) for k in self.low]
        self.resize(-n, -n)

    def resize(self, least: int, most: int) -> None:
        """The number of cards changes by `least` to `most`; the bounds are kept as tight as they are known to be."""
        self.least = max(self.least + least, sum(self.low))
        self.most = max(min(self.most + most, sum(self.high)), self.least)
        self.high = [min(n, self.most) for n in self.high]

    def sizes(self) -> list[int]:
        """How many cards it may have, as far as that matters to a seven: the numbers at which the answer can change."""
        return [n for n in {self.least, _LIMIT, _LIMIT + 1, self.most} if self.least <= n <= self.most]

    def discard(self) -> int | None:
        """Half of the hand goes, if it is too large: how many cards. None: that is not known."""
        sizes = self.sizes()
        counts = {_to_discard(n) for n in sizes}
        if len(counts) == 1:
            count = counts.pop()
            self.lose(count)
            return count
        self.low = [max(n - max(counts), 0) for n in self.low]
        left = [n - _to_discard(n) for n in sizes]
        self.least, self.most = min(left), max(left)
        self.resize(0, 0)
        return None


def _to_discard(size: int) -> int:
    return size // 2 if size > _LIMIT else 0


class Hands:
    """All hands, and of each resource how many cards are in them together, at least and at most."""

    def __init__(self, players: int) -> None:
        self.of = [Hand() for _ in range(players)]
        self.low = [0] * _KINDS
        self.high = [0] * _KINDS

    def in_bank(self) -> tuple[list[int], list[int]]:
        """The fewest and the most cards that the bank may hold of each resource."""
        return [SUPPLY - n for n in self.high], [SUPPLY - n for n in self.low]

    def change(self, seat: int, cards: Cards) -> None:
        """Known cards come or go; first what goes: nobody pays with what comes."""
        hand = self.of[seat]
        paid = [max(-n, 0) for n in cards]
        hand.low = [max(n, k) for n, k in zip(hand.low, paid, strict=True)]  # what is paid was there
        hand.high = [max(n, k) for n, k in zip(hand.high, paid, strict=True)]
        hand.resize(0, 0)
        self._tighten()
        for steps in ([-n for n in paid], [max(n, 0) for n in cards]):
            hand.change(steps)
            self.low = [max(n + k, 0) for n, k in zip(self.low, steps, strict=True)]
            self.high = [max(n + k, 0) for n, k in zip(self.high, steps, strict=True)]
        self._tighten()

    def maybe(self, seat: int, cards: Cards) -> None:
        """These cards came, or did not."""
        hand = self.of[seat]
        hand.high = [n + k for n, k in zip(hand.high, cards, strict=True)]
        hand.resize(0, cards.size)
        self.high = [n + k for n, k in zip(self.high, cards, strict=True)]
        self._tighten()

    def steal(self, thief: int, victim: int) -> None:
        """An unknown card changes hands."""
        self.of[victim].lose(1)
        self.of[thief].gain(1)

    def monopoly(self, seat: int, r: int) -> None:
        """All cards of a resource change hands; how many they are is written nowhere."""
        thief, low, high = self.of[seat], 0, 0
        for hand in self.of:
            if hand is not thief:
                low, high = low + hand.low[r], high + hand.high[r]
                lost = -hand.high[r], -hand.low[r]
                hand.low[r] = hand.high[r] = 0
                hand.resize(*lost)
        thief.low[r], thief.high[r] = max(thief.low[r] + low, self.low[r]), min(thief.high[r] + high, self.high[r])
        thief.resize(low, high)

    def discard(self, seat: int) -> int | None:
        """A seven: half of a hand goes, if it is too large. How many cards, where that is known."""
        hand = self.of[seat]
        counts = [_to_discard(n) for n in hand.sizes()]
        for r in range(_KINDS):
            others = hand.most - hand.low[r]  # so many of its cards, at most, are of other resources
            self.low[r] -= min(max(counts), hand.high[r])
            self.high[r] -= max(min(counts) - others, 0)
        count = hand.discard()
        self._tighten()
        return count

    def _tighten(self) -> None:
        """No fewer cards are in all hands than must be in each, and no more than the box has."""
        for r in range(_KINDS):
            self.low[r] = max(self.low[r], sum(hand.low[r] for hand in self.of))
            self.high[r] = max(min(self.high[r], sum(hand.high[r] for hand in self.of), SUPPLY), self.low[r])

"""How likely everybody holds which cards of one deck: an array of weights, and what drawing and giving up cards does to it.

>>> deals = Deals.start(seats=2, copies=(3, 3)).gain(0, 0).gain(1)  # the first hand is known, the second is any card
>>> deals.hands[1], deals.of(1).tolist()
(((1, 0), (0, 1)), [0.4, 0.6])
>>> deals.weigh(1, lambda hand: 1.0 if hand[0] else 0.5).of(1).round(4).tolist()
[0.5714, 0.4286]
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.int64]
#: How closely weights are fitted to what they should add up to, and in how many rounds at most.
FIT, ROUNDS = 1e-9, 1000
#: Cards counted by kind.
Hand: TypeAlias = tuple[int, ...]


class Deals(NamedTuple):
    """All ways in which the cards can lie, with their probabilities. What is changed is a new one."""

    hands: tuple[tuple[Hand, ...], ...]
    """By seat: what it can hold. Whose hand is known has one."""
    weights: Floats
    """The probability of each combination of hands, with an axis for each seat."""
    hidden: Hand
    """By kind: the cards that do not lie open."""

    @classmethod
    def start(cls, seats: int, copies: Hand) -> Self:
        """Before the deal: so many `copies` of each kind are in the deck."""
        return cls((((0,) * len(copies),),) * seats, np.ones((1,) * seats), copies)

    @property
    def possible(self) -> bool:
        """Whether there is any way left."""
        return bool(self.weights.size and self.weights.sum() > 0)

    def of(self, seat: int) -> Floats:
        """The probabilities of the hands of one seat."""
        axis: Floats = self.weights.sum(axis=tuple(other for other in range(len(self.hands)) if other != seat))
        return axis

    def fitted(self, cells: Numbers) -> tuple[Numbers, Floats, bool]:
        """Drawn combinations (`cells` of the flat array), weighed so that each hand of each seat is as likely as it is.

        For a hand that none of them has, the likeliest combination with it is added. The weights come from iterative
        proportional fitting (Deming and Stephan 1940); the last value says whether they were found.
        """
        drawn, times = np.unique(cells, return_counts=True)
        missing = np.unique(self._missing(drawn))
        weights = np.concatenate([times / len(cells), self.weights.ravel()[missing]])
        cells = np.concatenate([drawn, missing])
        axes = np.unravel_index(cells, self.weights.shape)
        margins = [self.of(seat) for seat in range(len(self.hands))]
        for _ in range(ROUNDS):
            worst = 0.0
            for axis, wanted in zip(axes, margins, strict=True):
                held = np.bincount(axis, weights, len(wanted))
                worst = max(worst, float(np.abs(held - wanted).max()))
                weights = weights * np.divide(wanted, held, out=np.zeros(len(wanted)), where=held > 0)[axis]
            if worst < FIT:
                return cells, weights, True
        return cells, weights, False

    def _missing(self, cells: Numbers) -> Numbers:
        """For each possible hand that is in none of some combinations, the likeliest one with it."""
        axes, places = np.unravel_index(cells, self.weights.shape), np.arange(self.weights.size).reshape(self.weights.shape)
        found = []
        for seat, axis in enumerate(axes):
            for hand in np.setdiff1d(np.flatnonzero(self.of(seat)), axis):
                here = np.take(self.weights, hand, seat).argmax()
                found.append(np.take(places, hand, seat).ravel()[here])
        return np.array(found, np.int64)

    def open(self, card: int) -> Self:
        """A card that is in no hand lies open from now on."""
        return self._replace(hidden=_with(self.hidden, card, -1))

    def weigh(self, seat: int, likelihood: Callable[[Hand], float]) -> Self:
        """Evidence: multiply by how likely each hand of a seat makes it."""
        factors = np.array([likelihood(hand) for hand in self.hands[seat]])
        return self._scaled(self.weights * factors.reshape([-1 if other == seat else 1 for other in range(len(self.hands))]))

    def gain(self, seat: int, card: int | None = None) -> Self:
        """A card of the deck comes into a hand: a known one, or any with the chance that the other hands leave it."""
        decks = self._decks(seat)
        cards = range(len(self.hidden)) if card is None else (card,)
        after = _in_order({_with(hand, c, 1) for hand in self.hands[seat] for c in cards})
        moves = [(i, after[_with(hand, c, 1)], decks[c, hand[c]]) for i, hand in enumerate(self.hands[seat]) for c in cards]
        return self._moved(seat, after, moves)

    def drop(self, seat: int, card: int | None, likelihood: Callable[[Hand, int], float]) -> Self:
        """A card leaves a hand: a known one, or any; `likelihood` says how likely a hand gives up a card."""
        cards = range(len(self.hidden)) if card is None else (card,)
        moves = [(i, hand, c) for i, hand in enumerate(self.hands[seat]) for c in cards if hand[c]]
        after = _in_order({_with(hand, c, -1) for _, hand, c in moves})
        return self._moved(seat, after, [(i, after[_with(hand, c, -1)], likelihood(hand, c)) for i, hand, c in moves])

    def change(self, seat: int, becomes: Callable[[Hand], Iterable[tuple[Hand, float]]]) -> Self:
        """Cards of a hand go back into the deck: `becomes` says what each hand may become, and how likely."""
        moves = [(i, left, chance) for i, hand in enumerate(self.hands[seat]) for left, chance in becomes(hand)]
        after = _in_order({left for _, left, _ in moves})
        return self._moved(seat, after, [(i, after[left], chance) for i, left, chance in moves])

    def _moved(self, seat: int, after: dict[Hand, int], moves: Sequence[tuple[int, int, Floats | float]]) -> Self:
        """Hands of a seat become others: each move takes the weights of a hand, times a chance, to another one."""
        weights = np.ascontiguousarray(np.moveaxis(self.weights, seat, 0))
        moved = np.zeros((len(after), *weights.shape[1:]))
        product = np.empty(weights.shape[1:])
        for source, to, chance in moves:
            moved[to] += np.multiply(weights[source], chance, out=product)
        hands = (*self.hands[:seat], tuple(after), *self.hands[seat + 1 :])
        return self._replace(hands=hands)._scaled(np.moveaxis(moved, 0, seat))

    def _scaled(self, weights: Floats) -> Self:
        total = weights.sum()
        return self._replace(weights=weights / total if total > 0 else weights)

    def _decks(self, seat: int) -> dict[tuple[int, int], Floats]:
        """By kind and how many of them a seat holds: the cards in the deck, for all combinations of the others' hands."""
        others = [hands for other, hands in enumerate(self.hands) if other != seat]
        decks = {}
        for card, hidden in enumerate(self.hidden):
            left = np.full((1,) * len(others), float(hidden))
            for axis, hands in enumerate(others):
                held = np.array([hand[card] for hand in hands])
                left = left - held.reshape([-1 if axis == other else 1 for other in range(len(others))])
            for count in {hand[card] for hand in self.hands[seat]}:
                decks[card, count] = np.maximum(left - count, 0)
        return decks


def _with(hand: Hand, card: int, change: int) -> Hand:
    return (*hand[:card], hand[card] + change, *hand[card + 1 :])


def _in_order(hands: set[Hand]) -> dict[Hand, int]:
    """The hands with their numbers: those with the most cards of the first kinds come first."""
    return {hand: number for number, hand in enumerate(sorted(hands, reverse=True))}

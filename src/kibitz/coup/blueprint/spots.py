"""Where the numbers of a two-player game lie while it is learned: by what both see, and then by the hands of both.

A *spot* is what both see at the start of a turn: who has how many cards, what is lost, the last claims, the coins. It holds a
number for each pair of hands. What a player does is kept by what that player sees, and then by slot and by hand, so that a
question is answered for all hands at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.coup.core.sets import BIG, BIG_HANDS, LEVELS, PAIR_NUMBER, RETURN_SLOTS, SLOTS
from kibitz.coup.core.state import KINDS, PAIR_KINDS, PAIRS
from kibitz.ground.jit import Grid, Vector, jit, table

#: Both have two cards; the first two and the second one; one and two; one and one.
STANDS = 4
#: How many hands the first and the second can have, and how many ways there are to have lost what is lost.
HANDS: Vector = table([15, 15, 5, 5], np.int64)
HANDS_TOO: Vector = table([15, 5, 15, 5], np.int64)
LOST: Vector = table([1, 5, 5, 15], np.int64)
CLAIMS = (KINDS + 1) ** 2
#: Coins up to the most that somebody has: nine, and a tax.
PURSE = 13
MOST_HANDS = PAIR_KINDS

_HANDS = [15, 15, 5, 5]
_PAIRS = [15 * 15, 15 * 5, 5 * 15, 5 * 5]
_LOST = [1, 5, 5, 15]
_VALUES = [0, *np.cumsum([_LOST[k] * CLAIMS * PURSE * PURSE * _PAIRS[k] for k in range(STANDS)]).tolist()]
_SLOTS = [0, *np.cumsum([_LOST[k] * CLAIMS * LEVELS * LEVELS * SLOTS * _HANDS[k] for k in range(STANDS)]).tolist()]
_SPOTS = [0, *np.cumsum([_LOST[k] * CLAIMS * PURSE * PURSE for k in range(STANDS)]).tolist()]
_KEPT = [0, *np.cumsum([_LOST[k] * _PAIRS[k] * _HANDS[k] for k in range(STANDS)]).tolist()]
_HELD = [0, *np.cumsum([_LOST[k] * _PAIRS[k] for k in range(STANDS)]).tolist()]
VALUES_AT: Vector = table(_VALUES[:STANDS], np.int64)
SLOTS_AT: Vector = table(_SLOTS[:STANDS], np.int64)
SPOTS_AT: Vector = table(_SPOTS, np.int64)
KEPT_AT: Vector = table(_KEPT[:STANDS], np.int64)
HELD_AT: Vector = table(_HELD[:STANDS], np.int64)
#: How many values, slots and spots there are; kernels of an exchange, and pairs of hands, for one class of purses.
ALL_VALUES, ALL_SLOTS, ALL_SPOTS, ALL_KEPT, ALL_HELD = _VALUES[-1], _SLOTS[-1], _SPOTS[-1], _KEPT[-1], _HELD[-1]
#: Classes of purses and opponents for what an exchange returns, and the slots of all of that.
CLASSES = 18
RETURN_ALL = CLASSES * BIG * RETURN_SLOTS


def _counts(cards: tuple[int, ...]) -> list[int]:
    return [cards.count(card) for card in range(KINDS)]


_SINGLES = [(card,) for card in range(KINDS)]
#: [influence - 1, hand, card] the cards of a hand.
HELD: Any = table([[_counts(hand) for hand in (hands + [()] * 15)[:15]] for hands in (_SINGLES, list(PAIRS))], np.int64)
#: [cards lost, number, card] what is lost.
GONE: Any = table([[_counts(lost) for lost in (all_ + [()] * 15)[:15]] for all_ in ([()], _SINGLES, list(PAIRS))], np.int64)
#: [influence - 1, hand, card] the hand without a card: none left (0) of one, a card of two; -1 if it is not held.
_LEFT = [[[-1] * KINDS for _ in range(15)] for _ in range(2)]
for _card in range(KINDS):
    _LEFT[0][_card][_card] = 0
for _number, (_a, _b) in enumerate(PAIRS):
    _LEFT[1][_number][_a], _LEFT[1][_number][_b] = _b, _a
LEFT: Any = table(_LEFT, np.int64)

# What an exchange makes of a hand: the numbers of the big hands, and what is left of them by answer.
_BIG_OF = {tuple(sorted(hand)): number for number, hand in enumerate(BIG_HANDS)}
_TAKEN = np.full((2, 15, PAIR_KINDS), -1, np.int16)
_EITHER: tuple[list[tuple[int, ...]], ...] = ([*_SINGLES], [*PAIRS])
for _n, _hands in enumerate(_EITHER):
    for _i, _hand in enumerate(_hands):
        for _j, _two in enumerate(PAIRS):
            _TAKEN[_n, _i, _j] = _BIG_OF.get(tuple(sorted(_hand + _two)), -1)
_AFTER = np.full((BIG, RETURN_SLOTS), -1, np.int8)
for _number, _hand in enumerate(BIG_HANDS):
    _answers = 0
    for _two in PAIRS:
        _rest = list(_hand)
        if all(_rest.count(card) >= _two.count(card) for card in _two):
            for _card in _two:
                _rest.remove(_card)
            _AFTER[_number, _answers] = _rest[0] if len(_rest) == 1 else PAIRS.index((_rest[0], _rest[1]))
            _answers += 1
#: [influence - 1, hand, two cards] the big hand with them, or -1; [big hand, answer] the hand after an exchange, or -1.
TAKEN: Any = table(_TAKEN, np.int64)
AFTER: Grid = table(_AFTER, np.int64)


@jit
def stand(mine: int, theirs: int) -> int:
    """Which of the four `STANDS`, by influence."""
    return (2 - mine) * 2 + 2 - theirs


@jit
def value_at(mine: int, theirs: int, lost: int, claims: int, coins: int, coins_too: int) -> int:
    """The first number of a spot: whose turn it is comes first."""
    k = stand(mine, theirs)
    spot = ((lost * CLAIMS + claims) * PURSE + coins) * PURSE + coins_too
    return VALUES_AT[k] + spot * HANDS[k] * HANDS_TOO[k]


@jit
def slot_at(own: int, other: int, lost: int, claims: int, coins: int, coins_too: int, slot: int) -> int:
    """The first number of a question to a player, by its first slot: the player's own things come first."""
    k = stand(own, other)
    purse = min(coins, LEVELS - 1) * LEVELS + min(coins_too, LEVELS - 1)
    return SLOTS_AT[k] + (((lost * CLAIMS + claims) * LEVELS * LEVELS + purse) * SLOTS + slot) * HANDS[k]


@jit
def claims_of(own: int, other: int) -> int:
    """Two claims, or none (-1), as one number."""
    return (own + 1) * (KINDS + 1) + other + 1


@jit
def lost_too(mine: int, theirs: int, lost: int, card: int) -> int:
    """What is lost when one more card is; before, the players had so many."""
    return card if mine + theirs == 4 else PAIR_NUMBER[lost * KINDS + card]

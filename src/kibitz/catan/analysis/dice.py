"""The compiled loop of the mode `monte_carlo`: many sequences of throws over one placement, counted in integers.

Sequence i depends on the seed and on i alone, and counts add up: any split over threads gives the same.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.catan.core.rules.costs import COSTS
from kibitz.catan.core.state import KINDS
from kibitz.ground.jit import Grid, Vector, jit, struct
from kibitz.ground.rng import below, child, reseed

#: What can be bought: a road, a settlement, a city, a development card (as in `kibitz.catan.core.rules.costs.COSTS`).
PURCHASES = 4

Counts = npt.NDArray[np.int64]


class Income(Protocol):
    """A placement as the dice see it, and the sequence that is being thrown."""

    seed: int
    random: int
    start: Vector  # [resource] cards before the first throw
    cards: Vector  # [resource] cards now
    yields: Grid  # [number, resource] cards that a throw brings
    rates: Vector  # [resource] how many buy one of another


INCOME = struct(
    "dice_income",
    [
        ("seed", np.uint64),
        ("random", np.uint64),
        ("start", np.int32, (KINDS,)),
        ("cards", np.int32, (KINDS,)),
        ("yields", np.int8, (13, KINDS)),
        ("rates", np.int8, (KINDS,)),
    ],
)


@jit
def pays_for(x: Income, item: int) -> bool:
    """Whether the cards pay for an item, what is left over being traded with the bank.

    A card that was traded for is needed, so that no card is traded twice.
    """
    missing, bought = 0, 0
    for resource in range(KINDS):
        left = x.cards[resource] - COSTS[item, resource]
        if left < 0:
            missing -= left
        else:
            bought += left // x.rates[resource]
    return bought >= missing


@jit
def note_waits(x: Income, waits: Counts, pending: int, now: int) -> int:
    """Count every purchase of the set `pending` that can be paid for now; those that cannot yet."""
    for item in range(PURCHASES):
        if pending >> item & 1 and pays_for(x, item):
            waits[item, now] += 1
            pending &= ~(1 << item)
    return pending


@jit
def throw_sequences(
    xs: npt.NDArray[np.void], sums: Counts, waits: Counts, seed: int, first: int, last: int, throws: int
) -> None:
    """Throw the sequences `first` to `last` - 1 over the placement ``xs[0]`` and add up what they bring.

    `sums` [2, resource]: cards earned in a whole sequence, and their squares; `waits` [purchase, throws + 2]: how often a
    purchase can first be paid for after so many throws; the last column counts the sequences in which it never can.
    """
    x: Income = xs[0]
    for i in range(first, last):
        reseed(x, child(seed, i))
        for resource in range(KINDS):
            x.cards[resource] = x.start[resource]
        pending = note_waits(x, waits, (1 << PURCHASES) - 1, 0)
        for throw in range(1, throws + 1):
            number = 2 + below(x, 6) + below(x, 6)
            for resource in range(KINDS):
                x.cards[resource] += x.yields[number, resource]
            if pending:
                pending = note_waits(x, waits, pending, throw)
        for item in range(PURCHASES):
            waits[item, throws + 1] += pending >> item & 1
        for resource in range(KINDS):
            earned = x.cards[resource] - x.start[resource]
            sums[0, resource] += earned
            sums[1, resource] += earned * earned

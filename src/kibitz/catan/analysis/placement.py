"""Dice over a placement: what the buildings of a seat earn, and how long the first purchases take.

A sequence begins with the cards that the seat holds (in the draft: those that a second settlement brings) and nothing is
ever spent or discarded. Every player's throw counts. The robber stays where it is and blocks its hex; a seven brings
nothing. A purchase can be paid for as soon as the cards suffice, the surplus being traded with the bank at the rates of the
harbours that the placement has. Neither a place to build on nor the size of the supply is asked for.

>>> from kibitz.catan import Board
>>> from kibitz.catan.analysis import Position
>>> report = throw_placement(Placement.of(Position.opening(Board.beginner()), 41), samples=1000, throws=40, seed=1)
>>> {resource: round(36 * cards) for resource, cards in report.income.items()}
{'wood': 0, 'brick': 4, 'sheep': 0, 'wheat': 5, 'ore': 2}
>>> report.waiting["road"].mean < report.waiting["settlement"].mean
True

Sequence i depends on the seed and on i alone, and everything is counted in integers: any split over threads gives the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from kibitz.catan.analysis.types import PlacementReport, Waiting
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.rules.costs import COSTS
from kibitz.catan.core.rules.trade import rate_at
from kibitz.catan.core.state import DESERT, KINDS
from kibitz.catan.core.topology import CORNER_HEXES, CORNERS, NONE
from kibitz.game import States, structs
from kibitz.ground.jit import Grid, Vector, jit, struct, uint64
from kibitz.ground.rng import below, child, reseed

if TYPE_CHECKING:
    from kibitz.catan.analysis.position import Position

#: The purchases, in the order of `kibitz.catan.core.rules.costs.COSTS`.
PURCHASE_NAMES = ("road", "settlement", "city", "development card")
#: Throws in a piece of work: about a tenth of a second of one core.
PIECE_THROWS = 1_000_000
PURCHASES = len(PURCHASE_NAMES)

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
        *((name, np.uint64) for name in ("seed", "random")),
        *((name, np.int32, (KINDS,)) for name in ("start", "cards")),
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
def throw_sequences(xs: States, sums: Counts, waits: Counts, seed: int, first: int, last: int, throws: int) -> None:
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


@dataclass(frozen=True)
class Placement:
    """Buildings as the dice see them; tuples, so that it can be sent anywhere."""

    corner: int | None
    start: tuple[int, ...]
    yields: tuple[tuple[int, ...], ...]
    rates: tuple[int, ...]

    @classmethod
    def of(cls, position: Position, corner: int | None, following: int | None = None) -> Self:
        """What the seat has, and a settlement on `corner`; in the draft perhaps also its next one, `following`."""
        row = np.asarray(position.states)[0]
        terrain, number, robber = row["terrain"].tolist(), row["number"].tolist(), int(row["robber"])
        settlements, cities = int(row["settlements"][position.seat]), int(row["cities"][position.seat])
        start = row["hand"][position.seat].tolist()
        for new in (corner, following):
            if new is not None:
                settlements |= 1 << new
        second = following if position.picks_made < position.seats else corner
        if position.in_draft and second is not None:  # it pays at once, one card for each hex
            for hex in _hexes(second):
                if terrain[hex] != DESERT:
                    start[terrain[hex]] += 1
        yields = [[0] * KINDS for _ in range(13)]
        for at in range(CORNERS):
            for hex in _hexes(at):
                if terrain[hex] != DESERT and hex != robber:
                    yields[number[hex]][terrain[hex]] += (settlements >> at & 1) + 2 * (cities >> at & 1)
        s: Any = position.states[0]
        rates = (int(rate_at(s, settlements | cities, resource)) for resource in range(KINDS))
        return cls(corner, tuple(start), tuple(map(tuple, yields)), tuple(rates))


def _hexes(corner: int) -> list[int]:
    return [hex for hex in CORNER_HEXES.tolist()[corner] if hex != NONE]


@dataclass(frozen=True)
class Piece:
    """Sequences `first` to `last` - 1 of `throws` throws over one placement: work for one of the workers."""

    placement: Placement
    seed: int
    first: int
    last: int
    throws: int


def throw_piece(piece: Piece) -> tuple[Counts, Counts]:
    """The sums and the waits that `kibitz.catan.analysis.placement.throw_sequences` counts."""
    xs = structs(INCOME)
    for name in ("start", "yields", "rates"):
        xs[name][0] = getattr(piece.placement, name)
    sums = np.zeros((2, KINDS), np.int64)
    waits = np.zeros((PURCHASES, piece.throws + 2), np.int64)
    throw_sequences(xs, sums, waits, uint64(piece.seed), piece.first, piece.last, piece.throws)
    return sums, waits


def cut(placement: Placement, seed: int, samples: int, throws: int) -> list[Piece]:
    """All sequences of a placement, in pieces."""
    size = max(1, PIECE_THROWS // throws)
    return [Piece(placement, seed, first, min(first + size, samples), throws) for first in range(0, samples, size)]


def throw_placement(placement: Placement, samples: int, throws: int, seed: int) -> PlacementReport:
    """What dice bring to a placement, in the calling thread."""
    return report_of(placement.corner, [throw_piece(piece) for piece in cut(placement, seed, samples, throws)])


def report_of(corner: int | None, counts: Sequence[tuple[Counts, Counts]]) -> PlacementReport:
    """What all pieces together have counted, as figures for people."""
    sums, waits = (np.sum(parts, axis=0) for parts in zip(*counts, strict=True))
    samples, throws = int(waits[0].sum()), waits.shape[1] - 2
    means, deviations = {}, {}
    for resource, total, squares in zip(RESOURCES, *sums.tolist(), strict=True):
        means[resource.value] = total / (samples * throws)
        deviations[resource.value] = sqrt(samples * squares - total * total) / samples
    return PlacementReport(
        vertex_id=corner,
        income=means,
        income_deviation=deviations,
        waiting={name: waiting(row.tolist()) for name, row in zip(PURCHASE_NAMES, waits, strict=True)},
    )


def waiting(counts: list[int]) -> Waiting:
    """The distribution of a waiting time; the last count is of those that waited for more than all throws.

    >>> waiting([0, 3, 0, 1])
    Waiting(mean=1.25, median=1, distribution=(0.0, 0.75, 0.0), later=0.25)
    """
    samples, last = sum(counts), len(counts) - 2
    reached = [throw for throw, n in enumerate(accumulate(counts[:-1])) if 2 * n >= samples]
    return Waiting(
        mean=sum(min(throw, last) * n for throw, n in enumerate(counts)) / samples,
        median=reached[0] if reached else None,
        distribution=tuple(n / samples for n in counts[:-1]),
        later=counts[-1] / samples,
    )

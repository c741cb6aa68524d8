"""What was learned for all hands at once, as the cells of the blueprint (`kibitz.coup.core.sets`), and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint import spots
from kibitz.coup.core.equilibrium import ROW, ROW_AT, SURE
from kibitz.coup.core.sets import (
    CLAIMED,
    LEVELS,
    LOST_ONE,
    ONE_ONE,
    ONE_TWO,
    PURSES,
    QUESTIONS,
    SLOTS,
    STANDINGS,
    TWO_ONE,
)  # fmt: skip
from kibitz.coup.core.state import KINDS, PAIR_KINDS
from kibitz.game.tables import TableFile

Floats = npt.NDArray[np.float32]
#: Where the standings of each stand begin, those with something lost (or nothing, where there is nothing to lose).
_FIRST = (0, TWO_ONE + PAIR_KINDS, ONE_TWO + KINDS, ONE_ONE + LOST_ONE * KINDS)


def parts(slots: npt.NDArray[Any]) -> Iterator[tuple[slice, npt.NDArray[Any]]]:
    """By stand: its standings, and [lost, claims, purses, slots, hands] what is kept for them (a view)."""
    for k in range(spots.STANDS):
        hands, lost, first = int(spots.HANDS[k]), int(spots.LOST[k]), int(spots.SLOTS_AT[k])
        size = lost * CLAIMED * PURSES * SLOTS * hands
        yield (
            slice(_FIRST[k], _FIRST[k] + lost * hands),
            slots[first : first + size].reshape(lost, CLAIMED, PURSES, SLOTS, hands),
        )


def to_cells(slots: Floats) -> Floats:
    """[standings, claims, purses, slots] from what is kept by hand; zeros where it knows nothing."""
    cells = np.zeros((STANDINGS, CLAIMED, PURSES, SLOTS), np.float32)
    for place, part in parts(slots):
        cells[place] = np.moveaxis(part, 4, 1).reshape(-1, CLAIMED, PURSES, SLOTS)
    return cells


def from_cells(cells: Floats) -> Floats:
    """The other way round."""
    slots = np.zeros(spots.ALL_SLOTS, np.float32)
    for place, part in parts(slots):
        lost, hands = part.shape[0], part.shape[4]
        part[:] = np.moveaxis(cells[place].reshape(lost, hands, CLAIMED, PURSES, SLOTS), 1, 4)
    return slots


def mass_of(likely: Floats) -> Floats:
    """[standings, claims, purses] how likely a player is in a cell at the start of a turn, its own or the other's."""
    found = np.zeros((STANDINGS, CLAIMED, PURSES), np.float32)
    wide, side = spots.PURSE, KINDS + 1
    for k in range(spots.STANDS):
        first, second, lost = int(spots.HANDS[k]), int(spots.HANDS_TOO[k]), int(spots.LOST[k])
        at, size = int(spots.VALUES_AT[k]), lost * CLAIMED * wide * wide * first * second
        pairs = likely[at : at + size].reshape(lost, side, side, wide, wide, first, second)
        other = (k % 2) * 2 + k // 2  # how the opponent stands
        swapped = pairs.transpose(0, 2, 1, 4, 3, 6, 5)
        for stand, own in ((k, pairs.sum(axis=6)), (other, swapped.sum(axis=6))):
            few = np.zeros((*own.shape[:3], LEVELS, LEVELS, own.shape[5]), np.float32)
            for mine in range(wide):
                for theirs in range(wide):
                    few[:, :, :, min(mine, LEVELS - 1), min(theirs, LEVELS - 1)] += own[:, :, :, mine, theirs]
            hands = own.shape[5]
            place = slice(_FIRST[stand], _FIRST[stand] + lost * hands)
            found[place] += np.moveaxis(few.reshape(lost, CLAIMED, PURSES, hands), 3, 1).reshape(-1, CLAIMED, PURSES)
    return found


def slots_of(rows: npt.NDArray[np.uint8]) -> Floats:
    """[cells, SLOTS] how often each answer is given, from rows [cells, ROW] of a file."""
    found = np.zeros((len(rows), SLOTS), np.float32)
    for at, n in QUESTIONS.values():
        row, first = int(ROW_AT[at]), 0 if at == 0 else 1
        found[:, at + first : at + n] = rows[:, row : row + n - first] / np.float32(SURE)
        if first:
            found[:, at] = 1.0 - found[:, at + 1 : at + n].sum(axis=1)
    return found


def played_by(file: TableFile) -> Floats:
    """What a blueprint for two players does far from the turn limit, by hand."""
    coarse = np.asarray(file.arrays["coarse"]).reshape(-1, ROW)[: STANDINGS * PURSES].reshape(STANDINGS, 1, PURSES, ROW)
    rows = np.broadcast_to(coarse, (STANDINGS, CLAIMED, PURSES, ROW)).reshape(-1, ROW).copy()
    cells = np.asarray(file.arrays["cells"])
    far = cells < len(rows)
    rows[cells[far]] = np.asarray(file.arrays["rows"]).reshape(-1, ROW)[far]
    return from_cells(slots_of(rows).reshape(STANDINGS, CLAIMED, PURSES, SLOTS))

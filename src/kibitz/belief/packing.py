"""How counts and rules are packed for the kernels: a world's row of small counts is a few 64-bit words."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.belief.kernels import BITS, PER_WORD, Ints


class Rule(NamedTuple):
    """Evidence: how many cards some cells hold together."""

    cells: tuple[int, ...]
    at_least: int = 0
    at_most: int = 1 << 30


@lru_cache(4096)
def packed(counts: tuple[int, ...]) -> Ints:
    """A row of counts (or of changes to them, which may be negative) as words."""
    words = [0] * -(-len(counts) // PER_WORD)
    for cell, n in enumerate(counts):
        words[cell // PER_WORD] += n << (BITS * (cell % PER_WORD))
    array = np.array(words, np.int64)
    array.flags.writeable = False
    return array


def packed_rows(counts: npt.NDArray[np.int64]) -> Ints:
    """Many rows of counts as words."""
    keys = np.zeros((len(counts), -(-counts.shape[1] // PER_WORD)), np.int64)
    for cell in range(counts.shape[1]):
        keys[:, cell // PER_WORD] += counts[:, cell] << (BITS * (cell % PER_WORD))
    return keys


@lru_cache(4096)
def packed_rules(rules: tuple[Rule, ...]) -> Ints:
    """Rules as the kernels take them: a row [low, high, number of cells, cells ...] each."""
    width = 3 + max((len(cells) for cells, _, _ in rules), default=0)
    table = np.zeros((len(rules), width), np.int64)
    for row, (cells, low, high) in zip(table, rules, strict=True):
        row[:3] = low, high, len(cells)
        row[3 : 3 + len(cells)] = cells
    table.flags.writeable = False
    return table

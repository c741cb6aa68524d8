"""What a weighted set of worlds is made of: rows and rules packed for the kernels, layers of edges, draws by weight.

A world's row of small counts is a few 64-bit words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.belief.kernels import BITS, PER_WORD, Edges, Floats, Indices, Ints
from kibitz.ground.rng import Stream


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


@dataclass(slots=True)
class Layer:
    """The edges between the worlds before a branch and those after it (see `kibitz.belief.worlds`)."""

    #: Names the question that its labels answer; None where nobody asks.
    tag: int | None
    parents: int
    parent: Indices
    child: Indices
    label: npt.NDArray[np.int8]
    share: Floats

    @property
    def edges(self) -> Edges:
        """What the kernels take."""
        return self.parent, self.child, self.label, self.share

    @property
    def nbytes(self) -> int:
        """The memory of its edges."""
        return self.parent.nbytes + self.child.nbytes + self.label.nbytes + self.share.nbytes

    def wanted(self, answers: Mapping[int, int]) -> int:
        """The label that one of the answers asks for; -1 if there is none."""
        return -1 if self.tag is None else answers.get(self.tag, -1)


def fractions(stream: Stream, size: int) -> Floats:
    """Random numbers from 0 to 1, without the 1."""
    return np.array([stream.below(1 << 53) for _ in range(size)], np.float64) / float(1 << 53)


def pick(weights: Floats, points: Floats) -> npt.NDArray[np.intp]:
    """For each point, from 0 to 1, the number of the weight on which it falls; never one that is zero."""
    limits = np.cumsum(weights)
    places: npt.NDArray[np.intp] = np.searchsorted(limits, points * limits[-1], side="right")
    return places


def most_likely_first(probabilities: Floats) -> npt.NDArray[np.intp]:
    """The numbers of the possible worlds by descending probability; equally likely ones stay in order."""
    order = np.argsort(-probabilities, kind="stable")
    return order[probabilities[order] > 0]

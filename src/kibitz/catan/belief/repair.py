"""When a log contradicts itself (a line is missing): the fewest unknown cards that explain it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from kibitz.belief.packing import Rule
from kibitz.belief.worlds import Impossible, Resolved, WeightedWorlds

#: How likely a card that nobody noticed lies in each of some cells, given the counts [worlds, cells] -> [worlds, places].
Guess = Callable[[npt.NDArray[np.int64], Sequence[int]], npt.NDArray[np.float64]]

#: Evidence that would take more unknown cards than this says nothing.
MOST_CARDS = 12
#: Unknown cards branch quickly; the least likely of more worlds than this are dropped (more where whole hands are unknown).
MOST_WORLDS, MOST_DEALS = 10_000, 100_000


def repair(worlds: WeightedWorlds, rules: Sequence[Rule], guess: Guess) -> tuple[int, list[Resolved]]:
    """Change the worlds so that the rules hold in some of them, with the fewest cards; how many, and what that resolved.

    Only the worlds that need the fewest are kept. Cards that are missing are added to the cells as `guess` says, cards
    too many are taken away, each with the same chance. Raises `Impossible` if that would take more than `MOST_CARDS`, or
    does not help.
    """
    counts = worlds.counts().astype(np.int64)
    away = sum((_away(counts, rule) for rule in rules), start=np.zeros(len(worlds), np.int64))
    fewest = int(away.min())
    if fewest > MOST_CARDS:
        raise Impossible
    resolved = worlds.weigh((away == fewest).astype(np.float64))
    for rule in rules:
        while True:
            counts = worlds.counts().astype(np.int64)
            if not _away(counts, rule).any():
                break
            resolved += _change_one(worlds, counts, rule, guess)
            resolved += worlds.prune(MOST_WORLDS)
    return fewest, resolved


def deal_unknown(worlds: WeightedWorlds, cells: tuple[int, ...], size: int, guess: Guess) -> list[Resolved]:
    """Put cards that nobody saw into some cells, one after the other, as `guess` says; what that resolved.

    They branch quickly: the least likely worlds are dropped (see `Worlds.error_bound`).
    """
    resolved: list[Resolved] = []
    for _ in range(size):
        counts = worlds.counts().astype(np.int64)
        held = counts[:, list(cells)].sum(axis=1)
        resolved += _change_one(worlds, counts, Rule(cells, at_least=int(held.max()) + 1), guess)
        resolved += worlds.prune(MOST_DEALS)
    return resolved


def _away(counts: npt.NDArray[np.int64], rule: Rule) -> npt.NDArray[np.int64]:
    """How many cards each world is away from a rule."""
    held = counts[:, list(rule.cells)].sum(axis=1)
    away: npt.NDArray[np.int64] = np.maximum(rule.at_least - held, 0) + np.maximum(held - rule.at_most, 0)
    return away


def _change_one(worlds: WeightedWorlds, counts: npt.NDArray[np.int64], rule: Rule, guess: Guess) -> list[Resolved]:
    """Add one card to each world that has too few, and take one from each that has too many; what that resolved."""
    cells = np.array(rule.cells)
    held = counts[:, cells].sum(axis=1)
    by = np.where(held < rule.at_least, 1, np.where(held > rule.at_most, -1, 0))
    weights = np.where((by > 0)[:, None], guess(counts, rule.cells), counts[:, cells].astype(np.float64))
    weights[by == 0] = 0.0
    weights[by == 0, 0] = 1.0  # nothing to change: one way, and no card moves
    parents, places = np.nonzero(weights)
    if not len(parents):
        raise Impossible
    fresh = counts[parents]
    fresh[np.arange(len(parents)), cells[places]] += by[parents]
    flow = worlds.prob[parents] * weights[parents, places] / weights.sum(axis=1)[parents]
    return worlds.branch(parents.astype(np.int32), fresh, flow)

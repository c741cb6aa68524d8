"""When a log contradicts itself (a line is missing): the fewest unknown cards that explain it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from kibitz.belief.worlds import Impossible, Rule, Worlds

#: How likely a card that nobody noticed lies in each of some cells, given the counts [worlds, cells] -> [worlds, places].
Guess = Callable[[npt.NDArray[np.int64], Sequence[int]], npt.NDArray[np.float64]]


def repair(worlds: Worlds, rules: Sequence[Rule], guess: Guess) -> int:
    """Change the worlds so that the rules hold in some of them, with the fewest cards; how many that took.

    Only the worlds that need the fewest are kept. Cards that are missing are added to the cells as `guess` says, cards too many
    are taken away, each with the same chance. Raises `Impossible` if even that does not help.
    """
    counts = worlds.counts().astype(np.int64)
    excess = sum((_excess(counts, rule) for rule in rules), start=np.zeros(len(worlds), np.int64))
    fewest = int(excess.min())
    worlds.weigh((excess == fewest).astype(np.float64))
    for rule in rules:
        while True:
            counts = worlds.counts().astype(np.int64)
            held = counts[:, list(rule.cells)].sum(axis=1)
            if ((held >= rule.at_least) & (held <= rule.at_most)).all():
                break
            _change_one(worlds, counts, rule, held, guess)
    return fewest


def _excess(counts: npt.NDArray[np.int64], rule: Rule) -> npt.NDArray[np.int64]:
    """How many cards each world is away from a rule."""
    held = counts[:, list(rule.cells)].sum(axis=1)
    away: npt.NDArray[np.int64] = np.maximum(rule.at_least - held, 0) + np.maximum(held - rule.at_most, 0)
    return away


def _change_one(worlds: Worlds, counts: npt.NDArray[np.int64], rule: Rule, held: npt.NDArray[np.int64], guess: Guess) -> None:
    """Add one card to each world that has too few, and take one from each that has too many."""
    cells = list(rule.cells)
    weights = np.where((held < rule.at_least)[:, None], guess(counts, cells), counts[:, cells].astype(np.float64))
    by = np.where(held < rule.at_least, 1, -1)
    fine = (held >= rule.at_least) & (held <= rule.at_most)
    weights[fine] = 0.0
    if (weights.sum(axis=1)[~fine] <= 0).all() and not fine.any():
        raise Impossible
    parents, fresh, flows = [], [], []
    for i in range(len(worlds)):
        if fine[i]:
            parents.append(i)
            fresh.append(counts[i])
            flows.append(worlds.prob[i])
            continue
        for cell, weight in zip(cells, weights[i], strict=True):
            if weight > 0:
                parents.append(i)
                fresh.append(counts[i].copy())
                fresh[-1][cell] += by[i]
                flows.append(worlds.prob[i] * weight / weights[i].sum())
    worlds.branch(np.array(parents, np.int32), np.array(fresh), np.array(flows))

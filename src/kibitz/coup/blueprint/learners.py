"""What is trained: the tables of a blueprint, its workers, and the file that comes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint import duel, table
from kibitz.coup.core import table_sets
from kibitz.coup.core.blueprint import LAYOUT, TABLE, TWO
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.equilibrium import ROW, ROW_AT, SURE
from kibitz.coup.core.sets import CELLS, FINE, LAYERS, QUESTIONS, RETURN_SLOTS, SLOTS
from kibitz.coup.core.state import new_states
from kibitz.coup.core.table_sets import PARTS as TABLE_PARTS
from kibitz.coup.core.table_sets import TABLE_SLOTS
from kibitz.game import structs
from kibitz.game.tables import TableFile
from kibitz.ground.jit import uint64
from kibitz.ground.memory import keep
from kibitz.learn.regrets import WORKERS

#: Decisions in the log of a worker.
LOG = 16384
#: What is rarer is never done: of what is sampled, where most of it is noise (thresholding: Ganzfried et al. 2012; with 0.2
#: instead of 0.015 a young blueprint won 51 % instead of 45 % against `honest`), and of what is solved.
RARE, RARE_SOLVED = 0.2, 0.015
#: How many cells a file keeps, of those far from the turn limit and of those near it.
KEPT, KEPT_LATE = 220_000, 160_000
#: How often an answer must have been wrong by a whole game to be tried seldom.
PRUNED = 8
#: The value of a turn is a running mean of so many at most.
MEMORY = 60

Weights = npt.NDArray[np.float64]
# Sums of strategies and which questions they answer, as `kibitz.coup.blueprint.late` makes them.
LateTables = tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]


def bytes_of(weights: Weights, rare: float = RARE) -> npt.NDArray[np.uint8]:
    """[..., answers] mixtures in parts of 255, from sums of strategies; zeros where nothing is known.

    >>> bytes_of(np.array([[3.0, 1.0], [0.0, 0.0], [1.0, 1000.0]])).tolist()
    [[191, 64], [0, 0], [0, 255]]
    """
    total = weights.sum(axis=-1, keepdims=True)
    shares = weights / np.where(total > 0, total, 1.0)
    shares = np.where(shares < np.minimum(rare, shares.max(axis=-1, keepdims=True)), 0.0, shares)
    shares /= np.maximum(shares.sum(axis=-1, keepdims=True), 1e-9)
    made = np.round(shares * SURE).astype(np.int64)
    most = shares.argmax(axis=-1)[..., None]
    left = np.where(total > 0, SURE - made.sum(axis=-1, keepdims=True), 0)
    np.put_along_axis(made, most, np.take_along_axis(made, most, -1) + left, -1)
    return made.astype(np.uint8)


def rows_of(cells: Weights, spare: npt.NDArray[np.uint8] | None = None, rare: float = RARE) -> npt.NDArray[np.uint8]:
    """[cells, ROW] the rows of cells [cells, SLOTS]; of what was never met, those of `spare`."""
    rows = np.zeros((len(cells), ROW), np.uint8)
    for at, n in QUESTIONS.values():
        made, row = bytes_of(cells[:, at : at + n], rare), int(ROW_AT[at])
        known = cells[:, at : at + n].sum(axis=1) > 0
        first = 0 if at == 0 else 1
        place = slice(row, row + n - first)
        rows[:, place] = made[:, first:]
        if spare is not None:
            rows[~known, place] = spare[~known, place]
    return rows


def coarse_rows(cells: Weights) -> npt.NDArray[np.uint8]:
    """[cells, ROW] the rows of the coarse cells; what was never met near the turn limit is played as far from it."""
    far, *late = np.split(cells, LAYERS + 1)
    first = rows_of(far)
    return np.concatenate([first, *(rows_of(one, first, RARE_SOLVED) for one in late)])


class Duel:
    """The blueprint for two players."""

    def __init__(self, deals: int = 900, late: int = 0, explore: int = 100, log: int = LOG) -> None:
        """Of 1000 walks so many begin with a deal, and so many with few turns left; an explorer looks around so often."""
        self.facts: Mapping[str, Any] = {
            "game": "coup", "variant": TWO, "layout": LAYOUT, "deals": deals, "late": late, "explore": explore, "log": log,
        }  # fmt: skip
        self._tables = duel.Tables(
            sums=np.zeros(2 * duel.ALL_SLOTS, np.float32),
            seen=np.zeros(duel.ALL_SLOTS, np.uint8),
            worth=np.zeros(2 * duel.V_ALL, np.float32),
        )
        self.tables: Mapping[str, npt.NDArray[Any]] = self._tables._asdict()
        self.desks = structs(duel.DESK)
        for name, numbers in self.tables.items():
            self.desks[name] = keep(numbers)
        self.desks["deals"], self.desks["late"], self.desks["explore"] = deals, late, explore
        self._workers = [_Worker(log) for _ in range(WORKERS)]

    def play(self, worker: int, seed: int, number: int) -> None:
        """Fill the log of a worker."""
        one = self._workers[worker]
        self.desks["pruned"] = -PRUNED * number / 100
        one.met = duel.walk(one.states, one.branches, one.xs, self.desks, one.log, uint64(seed))

    def learn(self, worker: int, number: int) -> int:
        """Learn from it: regrets count in proportion to their round, strategies in proportion to its square."""
        rows, turns = self._workers[worker].met
        weight = number / 100
        duel.merge(self._tables, self._workers[worker].log, rows, turns, weight, weight * weight, 1 / MEMORY)
        return int(rows)

    def file(
        self, about: Mapping[str, Any], late: tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]] | None = None
    ) -> TableFile:
        """The blueprint as it is now, with what is known of the last turns (`kibitz.coup.blueprint.late`)."""
        total, seen = self._tables.sums[1::2].copy(), self._tables.seen
        if late is not None:
            total[: duel.RETURN_AT] += late[0]
            seen = np.concatenate([np.maximum(seen[: duel.RETURN_AT], late[1]), seen[duel.RETURN_AT :]])
        coarse = coarse_rows(total[duel.COARSE_AT : duel.RETURN_AT].reshape(-1, SLOTS).astype(np.float64))
        fine = total[: duel.COARSE_AT].reshape(FINE, SLOTS)
        met = seen[: duel.COARSE_AT].reshape(FINE, SLOTS).max(axis=1)
        candidates = np.flatnonzero(met >= duel.ENOUGH)
        weight = fine[candidates].sum(axis=1)
        cells: list[npt.NDArray[np.int64]] = []
        for part, most in ((candidates < CELLS, KEPT), (candidates >= CELLS, KEPT_LATE)):
            heavy = np.argsort(-weight[part], kind="stable")[:most]
            cells.append(candidates[part][heavy])
        chosen = np.sort(np.concatenate(cells))
        rows = np.concatenate([
            rows_of(fine[part].astype(np.float64), coarse[duel.coarse_of(part)], rare)
            for part, rare in ((chosen[chosen < CELLS], RARE), (chosen[chosen >= CELLS], RARE_SOLVED))
        ])  # fmt: skip
        returns = bytes_of(total[duel.RETURN_AT :].reshape(-1, RETURN_SLOTS).astype(np.float64))
        arrays: dict[str, npt.NDArray[Any]] = {
            "cells": chosen.astype(np.int32), "rows": rows.ravel(), "coarse": coarse.ravel(), "returns": returns.ravel(),
        }  # fmt: skip
        return TableFile("coup", TWO, LAYOUT, arrays, {**self.facts, **about})


class Exploiter(Duel):
    """Learns to beat the blueprint at hand, which does not change. Its sets are all fine cells, whatever a file leaves out."""

    def __init__(self, log: int = LOG) -> None:
        super().__init__(deals=1000, late=0, explore=50, log=log)
        self.desks["frozen"] = 1

    def wins(self, games: int, seed: int) -> int:
        """How many of so many games it wins, in either seat."""
        one = self._workers[0]
        return int(duel.contest(one.states, one.xs, self.desks, uint64(seed), games))


class Table:
    """The blueprint for three to six players."""

    def __init__(self, explore: int = 50, log: int = LOG // 8) -> None:
        """A learner looks around so often, in parts of 1000."""
        self.facts: Mapping[str, Any] = {
            "game": "coup", "variant": TABLE, "layout": LAYOUT, "explore": explore, "log": log,
        }  # fmt: skip
        self._tables = duel.Tables(
            sums=np.zeros(2 * TABLE_SLOTS, np.float32),
            seen=np.zeros(TABLE_SLOTS, np.uint8),
            worth=np.zeros(2, np.float32),
        )
        self.tables: Mapping[str, npt.NDArray[Any]] = self._tables._asdict()
        self.desks = structs(duel.DESK)
        self.desks["sums"], self.desks["explore"] = keep(self._tables.sums), explore
        self._workers = [_Worker(log) for _ in range(WORKERS)]

    def play(self, worker: int, seed: int, number: int) -> None:
        """Fill the log of a worker."""
        one = self._workers[worker]
        one.met = table.play_table(one.states, one.xs, self.desks, one.log, uint64(seed)), 0

    def learn(self, worker: int, number: int) -> int:
        """Learn from it, as for two."""
        rows, _ = self._workers[worker].met
        weight = number / 100
        duel.merge(self._tables, self._workers[worker].log, rows, 0, weight, weight * weight, 1 / MEMORY)
        return int(rows)

    def file(self, about: Mapping[str, Any]) -> TableFile:
        """The blueprint as it is now."""
        made = np.zeros(TABLE_SLOTS, np.uint8)
        for start, end, width in TABLE_PARTS:
            shares = bytes_of(self._tables.sums[1::2][start:end].reshape(-1, width).astype(np.float64))
            spread = width in (table_sets.ACTION_WIDTH, table_sets.RETURN_WIDTH)
            made[start:end] = (shares if spread else np.roll(shares, -1, axis=1)).ravel()
        return TableFile("coup", TABLE, LAYOUT, {"table": made}, {**self.facts, **about})


class _Worker:
    """Room to play in."""

    def __init__(self, log: int) -> None:
        n = duel.NODES
        self.states = structs(GAME.state, n + 1)
        self.states[n] = new_states(2)[0]
        for seats in range(table.FEWEST, table.MOST + 1):
            self.states[2 + seats - table.FEWEST] = new_states(seats)[0]
        self.xs = GAME.scratches()
        first, children, place, seat, answer = (np.zeros(n, np.int32) for _ in range(5))
        likely, worth, reach = np.zeros(n, np.float32), np.zeros(n, np.float32), np.zeros((n, 3), np.float32)
        self.branches = duel.Branches(first, children, place, seat, answer, likely, reach, worth)
        self.log = duel.Log(
            np.zeros((log, 2), np.int32),
            np.zeros((log, duel.WIDEST), np.float32),
            np.zeros((log, duel.WIDEST), np.float32),
            np.zeros((log, 4), np.int32),
            np.zeros(log, np.float32),
        )
        self.met = (0, 0)

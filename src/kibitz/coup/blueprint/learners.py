"""What is trained: the tables of a blueprint, its workers, and the file that comes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint import matrices, spots, sweep, table
from kibitz.coup.blueprint.cells import mass_of, parts, to_cells
from kibitz.coup.blueprint.lone import Floats, no_lone
from kibitz.coup.blueprint.matrices import Board
from kibitz.coup.core import table_sets
from kibitz.coup.core.blueprint import LAYOUT, TABLE, TWO, coarse_of
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.equilibrium import ROW, ROW_AT, SURE
from kibitz.coup.core.sets import (
    BIG,
    CELLS,
    FINE,
    LAYERS,
    LOST_ONE,
    LOST_TWO,
    ONE_ONE,
    ONE_TWO,
    PURSES,
    QUESTIONS,
    RETURN_SLOTS,
    SLOTS,
    STANDINGS,
    TWO_ONE,
)  # fmt: skip
from kibitz.coup.core.state import INFLUENCES, KINDS, PAIR_KINDS, new_states
from kibitz.coup.core.table_sets import PARTS as TABLE_PARTS
from kibitz.coup.core.table_sets import TABLE_SLOTS
from kibitz.game import structs
from kibitz.game.tables import TableFile
from kibitz.ground.jit import uint64
from kibitz.ground.memory import keep
from kibitz.learn.regrets import WORKERS

#: Decisions in the log of a worker.
LOG = 2048
#: What is rarer is never done (thresholding: Ganzfried et al. 2012), of what is learned by self-play and of what is solved.
RARE, RARE_SOLVED = 0.02, 0.015
#: The same for tables of three and more, where games are sampled and most of what is rare is noise.
RARE_TABLE = 0.2
#: How many cells a file keeps, of those far from the turn limit and of those near it.
KEPT, KEPT_LATE = 350_000, 500_000
#: How often play must have come to a spot before it is swept again; games that begin elsewhere weigh so many floors.
FLOOR = 3e-6
SCATTERED = 10
#: How much of the visits of all rounds before is kept after one.
FORGOTTEN = 0.98
#: How much of a strategy is any answer, in reaches, at first and later.
TREMBLE = 0.02, 0.002

Weights = npt.NDArray[np.floating[Any]]
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


class Half:
    """What one player does and has learned: for all cells, and for exchanges."""

    def __init__(self) -> None:
        slots, kept = spots.ALL_SLOTS, spots.CLASSES * spots.ALL_KEPT
        self.how, self.regrets, self.sums = zeros(slots), zeros(slots), zeros(slots)
        self.returns, self.return_regrets = sweep.begin_returns(), zeros(spots.RETURN_ALL)
        self.return_sums = zeros(spots.RETURN_ALL)
        held = spots.CLASSES * spots.ALL_HELD
        self.side = matrices.Side(self.how, zeros(slots), zeros(slots), zeros(kept), zeros(kept), zeros(held))
        self._room = zeros(spots.RETURN_ALL + spots.CLASSES * BIG)
        self._draws = sweep.every_draw()
        sweep.begin(self.how)
        self.spread()

    def play_as(self, told: Told) -> None:
        """Do what a strategy says; where it is silent, anything."""
        for (_, mine), (_, theirs) in zip(parts(self.how), parts(told.how), strict=True):
            for at, n in QUESTIONS.values():
                known = theirs[:, :, :, at : at + n].sum(axis=3, keepdims=True) > 0
                np.copyto(mine[:, :, :, at : at + n], theirs[:, :, :, at : at + n], where=known)
        sweep.take_over(self.returns, told.returns)
        self.spread()

    def step(self, number: int) -> None:
        """Move on after a sweep."""
        sweep.step(self.side, self.regrets, self.sums, number)
        sweep.gather(self.side, self._draws, self._room)
        sweep.step_returns(self.side, self.returns, self.return_regrets, self.return_sums, self._room, number)
        self.spread()

    def spread(self) -> None:
        """What exchanges make of hands follows from what is returned."""
        sweep.spread(self.returns, self._draws, self.side.returns)


class Field:
    """How likely play comes to each spot on somebody's turn, and what that is worth."""

    def __init__(self, weight: float) -> None:
        self.start = zeros(spots.ALL_VALUES)
        sweep.deal_all(self.start, INFLUENCES, INFLUENCES, 0, 1, 2, weight)
        self.likely, self.now = zeros(spots.ALL_VALUES), zeros(spots.ALL_VALUES)
        self.values, self.visits = zeros(spots.ALL_VALUES), zeros(spots.ALL_VALUES)

    @property
    def value(self) -> float:
        """What the start of the game is worth to who begins, times its weight."""
        return float((self.values * self.start).sum())

    def board(self, other: Field, room: Floats, tremble: Floats, learning: tuple[bool, bool]) -> Board:
        """For the turns of this player; after them comes the turn of the other."""
        return Board(
            other.values, self.likely, self.now, self.values, other.likely, self.visits, room, tremble,
            np.array(learning, np.int64), True, False, no_lone(),
        )  # fmt: skip

    def begin(self) -> None:
        """A game more is dealt; what came long ago counts less and less."""
        self.likely += self.start
        self.visits *= FORGOTTEN


class Told(NamedTuple):
    """A strategy for two players that does not change; zeros where it says nothing."""

    name: str
    how: Floats
    """[slots] by hand."""
    returns: Floats
    """[classes, big hands, answers] what an exchange returns."""


class Duel:
    """The blueprint for two players: sweeps over the whole game (`kibitz.coup.blueprint.sweep`)."""

    workers = 1

    def __init__(self, floor: float = FLOOR) -> None:
        """A spot waits until play has come to it so often since it was last swept."""
        self.facts: Mapping[str, Any] = {"game": "coup", "variant": TWO, "layout": LAYOUT, "floor": floor}
        self._side, self._field, self._floor = Half(), Field(1.0), floor
        side = self._side
        self.tables: Mapping[str, npt.NDArray[Any]] = {
            "how": side.how, "regrets": side.regrets, "sums": side.sums, "returns": side.returns,
            "return_regrets": side.return_regrets, "return_sums": side.return_sums, "values": self._field.values,
            "likely": self._field.likely, "visits": self._field.visits,
        }  # fmt: skip
        self._room, self._met, self._groups = matrices.new_room(), 0, groups_of_spots()

    @property
    def value(self) -> float:
        """What the game is worth to who begins, if both play as they do now: from -1 to 1."""
        return self._field.value

    def play(self, worker: int, seed: int, number: int) -> None:
        """One sweep. Nothing in it is random."""
        field, side = self._field, self._side.side
        field.begin()
        sweep.scatter(field.likely, number, SCATTERED * self._floor)
        self._side.spread()
        board = field.board(field, self._room, _tremble(number), (True, True))
        met = [sweep.lead(board, side, side, group, self._floor, played) for group, played in self._groups]
        board = board._replace(ahead=False)
        for (_, played), many in zip(reversed(self._groups), reversed(met), strict=True):
            sweep.look_back(board, side, side, played, many)
        self._met = sum(met)

    def learn(self, worker: int, number: int) -> int:
        """Learn from it; how many spots were swept."""
        self._side.step(number)
        return int(self._met)

    @property
    def told(self) -> Told:
        """The strategy as it is now, on average: all of it, nothing rounded or left out."""
        how = np.zeros_like(self._side.sums)
        for (_, mine), (_, sums) in zip(parts(how), parts(self._side.sums), strict=True):
            for at, n in QUESTIONS.values():
                total = sums[:, :, :, at : at + n].sum(axis=3, keepdims=True)
                np.divide(sums[:, :, :, at : at + n], total, out=mine[:, :, :, at : at + n], where=total > 0)
        sums = self._side.return_sums.reshape(-1, RETURN_SLOTS)
        total = sums.sum(axis=1, keepdims=True)
        returns = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
        return Told("itself", how, returns.ravel())

    def file(self, about: Mapping[str, Any], late: LateTables | None = None) -> TableFile:
        """The blueprint as it is now, with what is known of the last turns (`kibitz.coup.blueprint.late`)."""
        fine = shares_of(to_cells(self._side.sums))
        mass = mass_of(self._field.visits)
        far = (fine * mass[..., None]).sum(axis=1)
        far = np.where(far.any(axis=-1, keepdims=True), far, without_lost(far))
        coarse, heavy = far.reshape(-1, SLOTS), np.argsort(-mass.ravel(), kind="stable")[:KEPT]
        chosen = np.sort(heavy[mass.ravel()[heavy] > 0])
        late_coarse, late_cells, late_rows = _late_parts(late)
        first = rows_of(coarse)
        all_coarse = np.concatenate([first, *(rows_of(one, first, RARE_SOLVED) for one in late_coarse)])
        rows = rows_of(fine.reshape(-1, SLOTS)[chosen], first[coarse_of(chosen)])
        spare = all_coarse[coarse_of(late_cells)]
        late_bytes = rows_of(late_rows, spare, RARE_SOLVED)
        other = (late_bytes != spare).any(axis=1)  # where the claims change nothing, the coarse cell is enough
        returns = np.tile(bytes_of(self._side.return_sums.reshape(-1, RETURN_SLOTS)), (LAYERS + 1, 1))
        arrays: dict[str, npt.NDArray[Any]] = {
            "cells": np.concatenate([chosen, late_cells[other]]).astype(np.int32),
            "rows": np.concatenate([rows, late_bytes[other]]).ravel(),
            "coarse": all_coarse.ravel(),
            "returns": returns.ravel(),
        }
        return TableFile("coup", TWO, LAYOUT, arrays, {**self.facts, **about})


def groups_of_spots() -> list[tuple[sweep.Spots, sweep.Spots]]:
    """All spots in the order in which games go on, in groups, with room for those of a group that are played."""
    return [(group, np.zeros_like(group)) for group in sweep.ordered()]


def zeros(n: int) -> npt.NDArray[np.float32]:
    """[n] zeros."""
    return np.zeros(n, np.float32)


def _tremble(number: int) -> npt.NDArray[np.float32]:
    """How much of a strategy is any answer, in reaches: less and less."""
    return np.array([max(TREMBLE[1], min(TREMBLE[0], 1 / number))], np.float32)


def shares_of(cells: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """[..., SLOTS] how often each answer is given, from sums; zeros where nothing is known."""
    found = np.zeros_like(cells)
    for at, n in QUESTIONS.values():
        total = cells[..., at : at + n].sum(axis=-1, keepdims=True)
        np.divide(cells[..., at : at + n], total, out=found[..., at : at + n], where=total > 0)
    return found


def without_lost(far: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """[standings, purses, SLOTS] what is done on average where somebody has lost a card: for when nobody knows which."""
    found = np.zeros_like(far)
    for first, hands, lost in ((TWO_ONE, PAIR_KINDS, LOST_ONE), (ONE_TWO, KINDS, LOST_ONE), (ONE_ONE, KINDS, LOST_TWO)):
        part = far[first : first + lost * hands].reshape(lost, hands, *far.shape[1:])
        found[first : first + lost * hands] = np.broadcast_to(part.sum(axis=0), part.shape).reshape(-1, *far.shape[1:])
    return found


def _late_parts(late: LateTables | None) -> tuple[list[Weights], npt.NDArray[np.int64], Weights]:
    """By turns left: sums of the coarse cells; then the fine cells that are kept, and their sums."""
    coarse = np.zeros((LAYERS, STANDINGS * PURSES, SLOTS), np.float32)
    if late is None:
        return list(coarse), np.zeros(0, np.int64), np.zeros((0, SLOTS), np.float32)
    fine = late[0][: FINE * SLOTS].reshape(FINE, SLOTS)
    coarse[:] = late[0][FINE * SLOTS :].reshape(LAYERS + 1, -1, SLOTS)[1:]
    known = CELLS + np.flatnonzero(late[1][CELLS * SLOTS : FINE * SLOTS].reshape(-1, SLOTS).any(axis=1))
    heavy = known[np.argsort(-fine[known].sum(axis=1), kind="stable")[:KEPT_LATE]]
    cells = np.sort(heavy)
    return list(coarse), cells, fine[cells]


class Table:
    """The blueprint for three to six players."""

    workers = WORKERS

    def __init__(self, explore: int = 50, log: int = LOG) -> None:
        """A learner looks around so often, in parts of 1000."""
        self.facts: Mapping[str, Any] = {
            "game": "coup", "variant": TABLE, "layout": LAYOUT, "explore": explore, "log": log, "prior": table.PRIOR,
        }  # fmt: skip
        self._sums = zeros(2 * TABLE_SLOTS)
        self.tables: Mapping[str, npt.NDArray[Any]] = {"sums": self._sums}
        self.desks = structs(table.DESK)
        self.desks["sums"], self.desks["explore"] = keep(self._sums), explore
        self._workers = [_Worker(log) for _ in range(WORKERS)]

    def play(self, worker: int, seed: int, number: int) -> None:
        """Fill the log of a worker."""
        one = self._workers[worker]
        one.met = table.play_table(one.states, one.xs, self.desks, one.log, uint64(seed))

    def learn(self, worker: int, number: int) -> int:
        """Learn from it; strategies count in proportion to their round."""
        one = self._workers[worker]
        table.merge(self._sums, one.log, one.met, number / 100)
        return int(one.met)

    def file(self, about: Mapping[str, Any]) -> TableFile:
        """The blueprint as it is now."""
        made = np.zeros(TABLE_SLOTS, np.uint8)
        for start, end, width in TABLE_PARTS:
            shares = bytes_of(self._sums[1::2][start:end].reshape(-1, width).astype(np.float64), RARE_TABLE)
            spread = width in (table_sets.ACTION_WIDTH, table_sets.RETURN_WIDTH)
            made[start:end] = (shares if spread else np.roll(shares, -1, axis=1)).ravel()
        return TableFile("coup", TABLE, LAYOUT, {"table": made}, {**self.facts, **about})


class _Worker:
    """Room to play in."""

    def __init__(self, log: int) -> None:
        self.states = structs(GAME.state, 2 + table.MOST - table.FEWEST + 1)
        for seats in range(table.FEWEST, table.MOST + 1):
            self.states[2 + seats - table.FEWEST] = new_states(seats)[0]
        self.xs = GAME.scratches()
        self.log = table.Log(
            np.zeros(log, np.int32), np.zeros((log, table.WIDEST), np.float32), np.zeros((log, table.WIDEST), np.float32)
        )
        self.met = 0

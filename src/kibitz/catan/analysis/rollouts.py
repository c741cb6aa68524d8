"""Whole games of Catan from a position, many of them, wherever there is somebody to play them.

A *unit* is a piece of work of its own: some consecutive games of one series. It is a value that can be sent anywhere, and
what comes back are a few integers a game. Game i of a series depends on the seed of the series, on i and on its start alone:
any split into units and any workers give the same.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.state import new_states
>>> unit = Unit(new_states(Board.beginner()), seed=7, first=0, count=100, policies=(1, 1, 1, 1))
>>> outcomes = play_unit(unit)
>>> int(outcomes["turn"].min()) > 20, sorted(set(outcomes["winner"].tolist()))
(True, [0, 1, 2, 3])
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.catan.core.engine import GAME
from kibitz.catan.core.state import SEATS
from kibitz.compute import cuda, local
from kibitz.compute.workers import Workers
from kibitz.game.definition import as_structs
from kibitz.game.doors import number_seeds
from kibitz.ground.jit import integers, uint64
from kibitz.loops import watch
from kibitz.loops.config import Config

#: What is kept of a game: who won (-1: nobody within the limit; `DRAWN`), in which turn, and what each seat lost to the robber.
OUTCOME = np.dtype([("winner", np.int8), ("turn", np.int16), ("lost", np.int16, (SEATS,))])
Outcomes = npt.NDArray[np.void]
#: The winner of a game that is a draw by the loop rule.
DRAWN = -2

#: Games in a unit: a few hundredths of a second of one core.
UNIT = 64
#: Games that a GPU is handed at once.
GPU_GAMES = 1 << 20


@dataclass(frozen=True)
class Unit:
    """Games `first` to ``first + count - 1`` of the series with this `seed`.

    Game `first + i` begins at ``starts[i % len(starts)]``. With a `guard` they are played under its loop rules.
    """

    starts: npt.NDArray[np.void]
    seed: int
    first: int
    count: int
    policies: tuple[int, ...]
    guard: Config | None = None

    def games(self) -> local.Games:
        """The games as a list."""
        return local.series(GAME, as_structs(self.starts), self.count, self.seed, self.policies, self.first)


def split(
    starts: npt.NDArray[np.void], seed: int, first: int, count: int, policies: tuple[int, ...], guard: Config | None = None
) -> Iterator[Unit]:
    """Cut a stretch of a series into units, at multiples of `UNIT`; its game i begins at ``starts[i % len(starts)]``."""
    at, last = first, first + count
    while at < last:
        size = min(UNIT - at % UNIT, last - at)
        own = np.asarray(starts)[(at + np.arange(min(size, len(starts)))) % len(starts)]
        yield Unit(own, seed, at, size, policies, guard)
        at += size


def play_unit(unit: Unit) -> Outcomes:
    """Play the games of a unit, in the calling thread."""
    return play_list(unit.games(), unit.guard)


def play_list(games: local.Games, guard: Config | None = None) -> Outcomes:
    """Play some games, in the calling thread."""
    if guard is None:
        return _outcomes(local.play(games, jobs=1))
    watched = watch.play(games, guard, jobs=1)
    outcomes = _outcomes(watched.batch)
    outcomes["winner"][watched.drawn] = DRAWN
    return outcomes


def play_units(units: Sequence[Unit], workers: Workers | cuda.Gpu) -> Generator[tuple[int, Outcomes], None, None]:
    """The outcomes of all units with their numbers, in the order in which they are finished."""
    if isinstance(workers, cuda.Gpu):
        return _on_gpu(units)
    return workers.map(play_unit, units)


def _on_gpu(units: Sequence[Unit]) -> Generator[tuple[int, Outcomes], None, None]:
    """Many units in one go: a GPU wants more games at once than a unit holds. Loops are not looked for there."""
    if any(unit.guard for unit in units):
        raise ValueError("a GPU plays without a loop guard")
    first = 0
    while first < len(units):
        last, games = first, 0
        while last < len(units) and (last == first or games + units[last].count <= GPU_GAMES):
            if units[last].policies != units[first].policies:
                break
            games += units[last].count
            last += 1
        outcomes = _outcomes(cuda.play(_joined(units[first:last])))
        at = 0
        for number in range(first, last):
            yield number, outcomes[at : at + units[number].count]
            at += units[number].count
        first = last


def _joined(units: Sequence[Unit]) -> local.Games:
    """The games of all units as one list."""
    n = sum(unit.count for unit in units)
    which, seeds = np.zeros(n, np.int32), integers(np.zeros(n, np.uint64))
    series = {seed: uint64(local.series_seed(seed)) for seed in {unit.seed for unit in units}}
    at = offset = 0
    for unit in units:
        games = slice(at, at + unit.count)
        number_seeds(seeds[games], series[unit.seed], unit.first)
        which[games] = offset + np.arange(unit.count) % len(unit.starts)
        at += unit.count
        offset += len(unit.starts)
    # As bytes: NumPy compares the fields of structs for every array anew, which takes seconds for a million games.
    starts = np.concatenate([np.asarray(unit.starts).view(np.uint8) for unit in units]).view(GAME.state)
    return local.Games(GAME, as_structs(starts), which, seeds, units[0].policies)


def _outcomes(batch: local.Batch) -> Outcomes:
    found = np.zeros(len(batch.states), OUTCOME)
    found["winner"] = np.asarray(batch.states["winner"])
    found["turn"] = np.asarray(batch.states["turn"])
    found["lost"] = batch.tallies
    return found

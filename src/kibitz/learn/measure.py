"""How good an evaluator is, against what really comes of positions: games that are played on from them, many from each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.compute import local
from kibitz.game import Game, States, seats_of
from kibitz.game.doors import door, number_seeds
from kibitz.game.evaluator import SURE
from kibitz.game.nets import NoNetwork
from kibitz.game.verbs import value
from kibitz.ground.jit import integers, uint64
from kibitz.ground.rng import derive_seed

Floats = npt.NDArray[np.float64]
#: Games that are played before progress is told.
BATCH = 20_000


def win_rates(
    game: Game, starts: States, games: int, policies: Sequence[int], seed: int = 0, jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Floats:  # fmt: skip
    """[position, seat] how often each seat wins when each position is played on so many times."""
    seats = seats_of(starts)
    which = np.repeat(np.arange(len(starts), dtype=np.int32), games)
    seeds = integers(np.zeros(len(which), np.uint64))
    number_seeds(seeds, uint64(derive_seed(seed, "played on")), 0)
    won = np.zeros((len(starts), seats))
    for first in range(0, len(which), BATCH):
        part = slice(first, first + BATCH)
        batch = local.play(local.Games(game, starts, which[part], seeds[part], tuple(policies)), jobs, progress)
        winner = np.asarray(batch.states)["winner"]
        np.add.at(won, (which[part][winner >= 0], winner[winner >= 0]), 1)
    return won / games


@door
def value_all(states: Any, xs: Any, values: Any) -> int:
    """The `value` of every seat in every state, into ``values[state, seat]``; how many states could be judged."""
    judged = 0
    for i in range(len(states)):
        judged += value(states[i], xs[0])
        for seat in range(values.shape[1]):
            values[i, seat] = xs[0].values[seat]
    return judged


def evaluated(game: Game, states: States, book: int = 0) -> Floats:
    """[position, seat] what the evaluator says of whole states. Raises `NoNetwork` where it has no network for them."""
    xs = game.scratches()
    xs["book"] = book
    found = np.zeros((len(states), seats_of(states)), np.int32)
    if value_all(states, xs, found) < len(states):
        raise NoNetwork(f"{game.name}: there is no network for these rules")
    return found / SURE


def error_of(values: Floats, rates: Floats, games: int) -> float:
    """The root mean square error of values beside rates from so many games each, the noise of the rates taken out.

    >>> rng = np.random.default_rng(1)
    >>> truth = np.full((4000, 2), 0.5)
    >>> rates = rng.binomial(100, truth) / 100
    >>> round(error_of(truth + 0.1, rates, 100), 2), error_of(truth, rates, 100) < 0.01
    (0.1, True)
    """
    noise = rates * (1 - rates) / (games - 1)
    return math.sqrt(max(0.0, float(np.mean((values - rates) ** 2 - noise))))


def error_of_games(rates: Floats, games: int, played: int) -> float:
    """What the root mean square error of `played` games a position would be, where the rates are from so many `games`."""
    spread = rates * (1 - rates) * games / (games - 1)
    return math.sqrt(float(np.mean(spread)) / played)


@dataclass(frozen=True)
class Bin:
    """Positions whose values are alike: what the evaluator says of them, and what comes of them."""

    positions: int
    said: float
    seen: float
    error: float
    """The standard error of what is seen."""

    @property
    def holds(self) -> bool:
        """Whether the two agree within the 95 % interval."""
        return abs(self.said - self.seen) <= 1.96 * self.error


def calibration(values: Floats, rates: Floats, bins: int = 10) -> list[Bin]:
    """Of positions called 30 %, how many are won? All seats of all positions, by what is said of them."""
    said, seen = values.ravel(), rates.ravel()
    place = np.minimum((said * bins).astype(int), bins - 1)
    found = []
    for number in range(bins):
        here = place == number
        if here.sum() >= 2:
            off = seen[here] - said[here]
            error = float(off.std(ddof=1) / math.sqrt(here.sum()))
            found.append(Bin(int(here.sum()), float(said[here].mean()), float(seen[here].mean()), error))
    return found

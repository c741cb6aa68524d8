"""The weights of the policy `builder`, found by evolution: candidates play alone against three others, in compiled games.

Every candidate of a generation plays the same games, on the same boards with the same dice, against several kinds of opponents;
the next generation plays others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.catan.core.board import Board
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.habits import NAMES, TODAY_WEIGHTS
from kibitz.catan.core.policy import BUILDER, BUILDER_0_1, SEED, TUNED
from kibitz.catan.core.state import Rules, new_states
from kibitz.compute import local
from kibitz.ground.rng import derive_seed
from kibitz.learn.evolution import Weights

#: Who a candidate plays against, and how many of eight games.
OPPONENTS = {BUILDER_0_1: 4, BUILDER: 3, SEED: 1}
#: The least that each weight can be; the others may be anything.
LEAST = {"soon": 1, "offers": 0, "barter": 0, "monopoly": 1, "last points": 1, "no trade": 0}


def widths() -> list[float]:
    """How far candidates of the first generation are apart, by weight."""
    return [max(0.6, 0.18 * abs(weight)) for weight in TODAY_WEIGHTS]


def within_bounds(weights: Sequence[int]) -> list[int]:
    """The weights as the policy takes them."""
    return [max(weight, LEAST.get(name, -30_000)) for name, weight in zip(NAMES, weights, strict=True)]


@dataclass(frozen=True)
class Arena:
    """Where candidates meet: so many games of one candidate against three others, all with the same seed."""

    games: int
    seed: int
    rules: Rules = Rules()  # noqa: RUF009
    seats: int = 4
    jobs: int | None = None

    def wins(self, weights: Weights, opponent: int, games: int) -> float:
        """The share of games that a candidate wins alone against others."""
        won = 0
        many = -(-games // self.seats)
        boards = [Board.random(derive_seed(self.seed, "board", i)) for i in range(many)]
        starts = new_states(boards, self.seats, self.rules)
        for seat in range(self.seats):
            table = [opponent] * self.seats
            table[seat] = TUNED
            series = local.series(GAME, starts, many, derive_seed(self.seed, opponent), table)
            given = {"candidate": np.array(within_bounds(weights), np.int32)}
            ends = local.play(local.Games(GAME, starts, series.which, series.seeds, tuple(table), given), self.jobs).states
            won += int(np.count_nonzero(ends["winner"] == seat))
        return won / (many * self.seats)

    def fitness(self, candidates: Sequence[Weights], tell: Callable[[], None] = lambda: None) -> list[float]:
        """How good each candidate is: what it wins against all kinds of opponents."""
        found = []
        for weights in candidates:
            parts = [
                self.wins(weights, opponent, self.games * share // 8) * share / 8 for opponent, share in OPPONENTS.items()
            ]
            found.append(sum(parts))
            tell()
        return found

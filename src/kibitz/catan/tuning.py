"""The weights of the policy `builder`, found by evolution: candidates play alone against three others, in compiled games.

Every candidate of a generation plays the same games, on the same boards with the same dice, against several kinds of opponents;
the next generation plays others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from kibitz.catan.core.board import Board
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.habits import BUILDER, BUILDER_0_1, EVOLVED_WEIGHTS, NAMES
from kibitz.catan.core.policy import CANDIDATE_BUILDER, SEED
from kibitz.catan.core.state import Rules, new_states
from kibitz.compute import local
from kibitz.game.files import replacing
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import Mistake
from kibitz.learn import evolution
from kibitz.learn.evolution import Generation, Weights

#: Who a candidate plays against, and how many of eight games.
OPPONENTS = {BUILDER_0_1: 4, BUILDER: 3, SEED: 1}
OPPONENT_NAMES = {BUILDER_0_1: "builder-0.1", BUILDER: "builder", SEED: "seed"}
#: The least that each weight can be; the others may be anything.
LEAST = {"soon": 1, "offers": 0, "barter": 0, "monopoly": 1, "last points": 1, "no trade": 1, "last settlement": 1}


class InvalidTuning(Mistake):
    """A file that holds another run; the message is one line for people."""


def widths() -> list[float]:
    """How far candidates of the first generation are apart, by weight."""
    return [max(0.6, 0.18 * abs(weight)) for weight in EVOLVED_WEIGHTS]


def within_bounds(weights: Sequence[int]) -> list[int]:
    """The weights as the policy takes them."""
    return [max(weight, LEAST.get(name, -30_000)) for name, weight in zip(NAMES, weights, strict=True)]


@dataclass(frozen=True)
class Arena:
    """Where candidates meet: games of one candidate against three others, all with the same seed."""

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
            table[seat] = CANDIDATE_BUILDER
            series = local.series(GAME, starts, many, derive_seed(self.seed, opponent), table)
            given = {"candidate": np.array(within_bounds(weights), np.int32)}
            ends = local.play(local.Games(GAME, starts, series.which, series.seeds, tuple(table), given), self.jobs).states
            won += int(np.count_nonzero(ends["winner"] == seat))
        return won / (many * self.seats)

    def fitness(self, candidates: Sequence[Weights], tell: Callable[[], None] = lambda: None) -> list[float]:
        """How good each candidate is: what it wins against all kinds of opponents."""
        found = []
        for weights in candidates:
            parts = [self.wins(weights, opponent, self.games * share // 8) * share / 8 for opponent, share in OPPONENTS.items()]
            found.append(math.fsum(parts))
            tell()
        return found


def tuned(
    generations: int, games: int, population: int, seed: int, jobs: int | None = None, state: Path | None = None,
    tell: Callable[[], None] = lambda: None,
) -> Generation:  # fmt: skip
    """The weights after this many generations; if a file holds earlier ones of the same run, it continues from there."""
    settings = {"games": games, "population": population, "seed": seed}
    now = None
    if state is not None and state.exists():
        known = json.loads(state.read_text())
        if known["settings"] != settings:
            raise InvalidTuning(f"{state}: holds a run with other settings ({known['settings']}); name another file")
        now = Generation.from_json(known["generation"])
        for _ in range(now.number * population):
            tell()

    def fitness(candidates: Sequence[Weights]) -> list[float]:
        return Arena(games, derive_seed(seed, "arena", now.number if now else 0), jobs=jobs).fitness(candidates, tell)

    run = evolution.generations(EVOLVED_WEIGHTS, widths(), fitness, population=population, seed=seed, after=now)
    while now is None or now.number < generations:
        now = next(run)
        if state is not None:
            with replacing(state) as partial:
                partial.write_text(json.dumps({"settings": settings, "generation": asdict(now)}) + "\n")
    return now

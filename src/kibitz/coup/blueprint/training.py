"""``kibitz train coup FOLDER --blueprint``: a blueprint by self-play, and the file that holds it.

The file can take the place of the one that comes with Kibitz (``kibitz/coup/blueprints``), or a bot is named after it:
``equilibrium:FOLDER/2-players.blueprint``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kibitz.coup.blueprint.learners import Duel, Table
from kibitz.coup.core.blueprint import SUFFIX, TABLE, TWO
from kibitz.learn.regrets import Progressed, train


def train_blueprint(
    folder: Path,
    players: int,
    *,
    rounds: int | None,
    seconds: float | None,
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[Progressed], None] = lambda done: None,
) -> tuple[Path, Progressed]:
    """Train a blueprint for two players, or for three to six (one serves all of these); its file, and what was done for it."""
    learner = Duel() if players == 2 else Table()
    done = train(learner, folder, rounds=rounds, seconds=seconds, seed=seed, jobs=jobs, progress=progress)
    path = folder / f"{TWO if players == 2 else TABLE}{SUFFIX}"
    learner.file({"seed": seed, "rounds": done.rounds, "decisions": done.decisions}).save(path)
    return path, done

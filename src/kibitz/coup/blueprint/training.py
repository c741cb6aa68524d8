"""``kibitz train coup FOLDER --blueprint``: a blueprint by self-play, and the file that holds it.

A bot is named after the file, ``equilibrium:FOLDER/2-players.blueprint``; in ``kibitz/coup/blueprints`` it takes the place of
the one that comes with Kibitz.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kibitz.coup.blueprint.bluffs import measured_bluffs
from kibitz.coup.blueprint.learners import Duel, Table
from kibitz.coup.core.blueprint import BLUEPRINT, SUFFIX, TABLE, TWO
from kibitz.game.tables import TableFile
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
    with_bluffs(learner, {"seed": seed, "rounds": done.rounds, "decisions": done.decisions}, players).save(path)
    return path, done


def with_bluffs(learner: Duel | Table, about: Mapping[str, Any], players: int) -> TableFile:
    """What was learned as a file, which tells how often its player bluffs."""
    file, before = learner.file(about), BLUEPRINT.files
    try:
        BLUEPRINT.use([file])
        bluffs = measured_bluffs((2,) if players == 2 else (3, 4, 6))
    finally:
        BLUEPRINT.use(before)
    return replace(file, about={**file.about, "bluffs": bluffs})

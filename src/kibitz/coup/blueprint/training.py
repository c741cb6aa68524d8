"""``kibitz train coup FOLDER --blueprint``: a blueprint by self-play, and the file that holds it.

A bot is named after the file, ``equilibrium:FOLDER/2-players.blueprint``; in ``kibitz/coup/blueprints`` it takes the place of
the one that comes with Kibitz.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from kibitz.coup.blueprint.bluffs import measured_bluffs
from kibitz.coup.blueprint.late import batches, learn_late
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
    endgames: bool = True,
    progress: Callable[[Progressed], None] = lambda done: None,
) -> tuple[Path, Progressed]:
    """Train a blueprint for two players, or for three to six (one serves all of these); its file, and what was done for it.

    For two players the endgames near the turn limit are solved once, after the first self-play: in some
    twenty minutes of one core.
    """
    learner = Duel() if players == 2 else Table()
    done = train(learner, folder, rounds=rounds, seconds=seconds, seed=seed, jobs=jobs, progress=progress)
    path = folder / f"{TWO if players == 2 else TABLE}{SUFFIX}"
    about = {"seed": seed, "rounds": done.rounds, "decisions": done.decisions}
    if isinstance(learner, Duel):
        file = learner.file(about, learn_late(folder, batches() if endgames else [], jobs))
    else:
        file = learner.file(about)
    with_bluffs(file, players).save(path)
    return path, done


def with_bluffs(file: TableFile, players: int) -> TableFile:
    """The same file, which also tells how often its player bluffs."""
    before = BLUEPRINT.files
    try:
        BLUEPRINT.use([file])
        bluffs = measured_bluffs((2,) if players == 2 else (3, 4, 6))
    finally:
        BLUEPRINT.use(before)
    return replace(file, about={**file.about, "bluffs": bluffs})

"""Self-play in rounds: workers play by what is known at the start of a round, and then everything they met is learned in order.

How many threads there are changes nothing: the workers are a fixed number, each has the seed of its round, and what they bring
is learned one after the other. The same seed and the same number of rounds therefore give the same tables. Everything is kept
in a folder; the same command goes on where it was stopped or killed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from kibitz.game.files import replacing
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import Mistake

#: How many workers play in a round where games are sampled.
WORKERS = 8
#: Seconds after which what was learned is written to the folder.
KEEP = 600.0
KEPT = "tables.npz"


class Learner(Protocol):
    """What learns: its tables, and how a worker plays and is learned from."""

    facts: Mapping[str, Any]
    """What it learns, and how: a folder holds one."""
    tables: Mapping[str, npt.NDArray[Any]]
    """Flat arrays."""
    workers: int
    """How many play in a round, whatever the number of threads."""

    def play(self, worker: int, seed: int, number: int) -> None:
        """Play with one worker in round `number` (from 1), and keep what it met."""

    def learn(self, worker: int, number: int) -> int:
        """Learn what a worker met in round `number`; how many decisions that were."""


@dataclass(frozen=True)
class Progressed:
    """How far a training is."""

    rounds: int
    decisions: int
    seconds: float


class InvalidFolder(Mistake):
    """A folder that holds another training; the message is one line for people."""


def train(
    learner: Learner,
    folder: Path,
    *,
    rounds: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[Progressed], None] = lambda done: None,
) -> Progressed:
    """Learn until so many rounds are done in all, or for so long; what is in the folder already counts."""
    if rounds is None and seconds is None:
        raise ValueError("expected a number of rounds, or of seconds")
    folder.mkdir(parents=True, exist_ok=True)
    work = {**learner.facts, "seed": seed, "workers": learner.workers}
    done = _resume(learner, folder, work)
    began = kept = time.monotonic()
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        while (rounds is None or done.rounds < rounds) and (seconds is None or done.seconds < seconds):
            number = done.rounds + 1
            workers = range(learner.workers)
            list(pool.map(lambda worker, n=number: learner.play(worker, derive_seed(seed, n, worker), n), workers))
            met = sum(learner.learn(worker, number) for worker in workers)
            now = time.monotonic()
            done = Progressed(number, done.decisions + met, done.seconds + now - began)
            began = now
            progress(done)
            if now - kept > KEEP:
                _keep(learner, folder, work, done)
                kept = time.monotonic()
    _keep(learner, folder, work, done)
    return done


def _keep(learner: Learner, folder: Path, work: Mapping[str, Any], done: Progressed) -> None:
    """Write the tables: where most of one is zero, only what is not, and where."""
    arrays: dict[str, Any] = {}
    for name, table in learner.tables.items():
        at = np.flatnonzero(table)
        if 2 * len(at) < len(table):
            arrays[f"{name}-at"], arrays[name] = at.astype(np.uint32), table[at]
        else:
            arrays[name] = table
    head = json.dumps({"work": work, "done": vars(done)})
    with replacing(folder / KEPT) as partial, partial.open("wb") as file:
        np.savez(file, head=np.frombuffer(head.encode(), np.uint8), **arrays)


def _resume(learner: Learner, folder: Path, work: Mapping[str, Any]) -> Progressed:
    """Take over what the folder holds."""
    path = folder / KEPT
    if not path.exists():
        return Progressed(0, 0, 0.0)
    try:
        with np.load(path) as kept:
            head = json.loads(kept["head"].tobytes())
            if head["work"] != json.loads(json.dumps(work)):
                raise InvalidFolder(f"{folder}: holds a training with other settings; name another folder")
            for name, table in learner.tables.items():
                if f"{name}-at" in kept:
                    table[:] = 0
                    table[kept[f"{name}-at"]] = kept[name]
                else:
                    table[:] = kept[name]
    except (OSError, EOFError, BadZipFile, ValueError, KeyError) as error:
        if isinstance(error, InvalidFolder):
            raise
        raise InvalidFolder(f"{path}: damaged; name another folder") from None
    return Progressed(**head["done"])

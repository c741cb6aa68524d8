"""What every analyser has in common: how it is asked, what it refuses, and what every answer says first.

An `Analysis` runs in the background while its caller listens:

>>> from kibitz.catan.analysis.full_game import FullGameAnalyzer
>>> from kibitz.catan import Board
>>> position, config = Position.opening(Board.beginner()), AnalysisConfig(full_game_rollouts=20)
>>> with Analysis(FullGameAnalyzer(), position, config) as analysis:
...     last = [info.done for info in analysis][-1]
>>> last, analysis.result().games
(200, 200)
"""

import queue
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import ClassVar, Self

from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import SETTINGS, AnalysisConfig, AnalysisMode, AnalysisResult, InvalidConfig
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Info, Limit, Runtime, Threads, Workers


class Analyzer(ABC):
    """One of the five modes. Analysers hold no state: everything is in the position, the config and the runtime."""

    mode: ClassVar[AnalysisMode]
    #: Whether a GPU can do the work.
    ON_GPU: ClassVar[bool] = False
    #: Whether the work can go on from a checkpoint.
    RESUMES: ClassVar[bool] = False

    def analyze(
        self,
        position: Position,
        config: AnalysisConfig = AnalysisConfig(),  # noqa: B008
        runtime: Runtime | None = None,
        workers: Workers | Gpu | None = None,
    ) -> AnalysisResult:
        """The answer. `runtime` is told about progress and can stop it; `workers` (all cores by default) do the work."""
        runtime = runtime or Runtime()
        if config.guard is not None and "guard" not in SETTINGS[self.mode]:
            raise InvalidConfig(f"guard: {self.mode} plays no games under a loop guard")
        if isinstance(workers, Gpu) and not self.ON_GPU:
            raise InvalidConfig(f"{self.mode}: runs on CPUs only")
        if runtime.checkpoint is not None and not self.RESUMES:
            raise InvalidConfig(f"{self.mode}: cannot go on from a checkpoint")
        return self._answer(position, config, runtime, workers or Threads())

    @abstractmethod
    def _answer(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> AnalysisResult:
        """The answer to a question that this mode can be asked."""


def asked(mode: AnalysisMode, position: Position, config: AnalysisConfig) -> AnalysisResult:
    """What was asked: an answer that says nothing yet."""
    return AnalysisResult(
        mode=mode,
        board=position.board.to_text(),
        seats=position.seats,
        seat=position.seat,
        position=dict(position.origin),
        seed=config.mc_seed,
        config=config,
    )


class Analysis:
    """Iterate for the latest `Info`; `cancel` to stop early; `result` waits for the answer.

    Leaving the ``with`` block before the end cancels it.
    """

    def __init__(
        self,
        analyzer: Analyzer,
        position: Position,
        config: AnalysisConfig = AnalysisConfig(),  # noqa: B008
        limit: Limit = Limit(),  # noqa: B008
        workers: Workers | Gpu | None = None,
        checkpoint: Path | None = None,
    ) -> None:
        """Start at once, in a thread."""
        self._infos: queue.SimpleQueue[Info | None] = queue.SimpleQueue()
        self._runtime = Runtime(limit, self._infos.put, checkpoint)
        pool = ThreadPoolExecutor(1, "analysis")
        self._answer = pool.submit(analyzer.analyze, position, config, self._runtime, workers)
        self._answer.add_done_callback(lambda _: self._infos.put(None))
        pool.shutdown(wait=False)

    def __iter__(self) -> Iterator[Info]:
        """What is heard of it, until it ends. May be asked again: then it tells only what is new."""
        while (info := self._infos.get()) is not None:
            yield info
        self._infos.put(None)

    def cancel(self) -> None:
        """Stop soon, with the results so far; can be called from any thread."""
        self._runtime.cancel()

    def result(self) -> AnalysisResult:
        """The answer, once it is there. An error of the analysis is raised here."""
        return self._answer.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.cancel()
        wait([self._answer])

"""What every analyser has in common: how it is asked, what it refuses, and what every answer says first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.settings import heeds
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, InvalidConfig
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Runtime
from kibitz.compute.workers import Threads, Workers


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
        """Answer; `runtime` hears of progress and can stop it, `workers` (all cores by default) do the work."""
        runtime = runtime or Runtime()
        if config.guard is not None and not heeds(self.mode, "guard"):
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

"""What every analyser has in common."""

from __future__ import annotations

from typing import Protocol

from kibitz.analysis.position import Position
from kibitz.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Runtime
from kibitz.compute.workers import Workers


class Analyzer(Protocol):
    """One of the five modes. Analysers hold no state: everything is in the position, the config and the runtime."""

    mode: AnalysisMode

    def analyze(
        self,
        position: Position,
        config: AnalysisConfig = ...,
        runtime: Runtime | None = None,
        workers: Workers | Gpu | None = None,
    ) -> AnalysisResult:
        """Answer; `runtime` hears of progress and can stop it, `workers` (all cores by default) do the work."""

"""An analysis that runs in the background while its caller listens.

>>> from kibitz.catan.analysis.full_game import FullGameAnalyzer
>>> from kibitz.catan import Board
>>> position, config = Position.opening(Board.beginner()), AnalysisConfig(full_game_rollouts=20)
>>> with Analysis(FullGameAnalyzer(), position, config) as analysis:
...     last = [info.done for info in analysis][-1]
>>> last, analysis.result().games
(200, 200)
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from types import TracebackType

from kibitz.catan.analysis.base import Analyzer
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisResult
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Info, Limit, Runtime
from kibitz.compute.workers import Workers


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
        """Stop soon, with what there is; from any thread."""
        self._runtime.cancel()

    def result(self) -> AnalysisResult:
        """The answer, once it is there. An error of the analysis is raised here."""
        return self._answer.result()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.cancel()
        wait([self._answer])

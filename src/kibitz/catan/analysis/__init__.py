"""What should I play, and why: openings and full games of Catan, analysed.

>>> from kibitz.catan import Board
>>> analyzer = create_analyzer("full_game")
>>> result = analyzer.analyze(Position.opening(Board.beginner()), AnalysisConfig(full_game_rollouts=50))
>>> result.games, result.full_game_summary.rollout_count, len(result.global_ranking)
(500, 500, 54)
"""

from kibitz.catan.analysis.base import Analysis, Analyzer
from kibitz.catan.analysis.corners import MonteCarloAnalyzer, StaticAnalyzer
from kibitz.catan.analysis.full_game import FullGameAnalyzer
from kibitz.catan.analysis.ismcts import IsmctsAnalyzer
from kibitz.catan.analysis.mcts import MctsAnalyzer
from kibitz.catan.analysis.position import InvalidPosition, Position
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, InvalidConfig
from kibitz.compute.runtime import Info, Limit
from kibitz.compute.runtime import Runtime as AnalysisRuntime

__all__ = [
    "Analysis", "AnalysisConfig", "AnalysisMode", "AnalysisResult", "AnalysisRuntime", "Info", "InvalidConfig",
    "InvalidPosition", "Limit", "Position", "create_analyzer",
]  # fmt: skip

_ANALYZERS: dict[str, type[Analyzer]] = {
    kind.mode: kind for kind in (StaticAnalyzer, MonteCarloAnalyzer, MctsAnalyzer, FullGameAnalyzer, IsmctsAnalyzer)
}


def create_analyzer(mode: AnalysisMode | str) -> Analyzer:
    """The analyser of a mode.

    >>> create_analyzer("guess")
    Traceback (most recent call last):
    ...
    kibitz.catan.analysis.types.InvalidConfig: mode='guess': expected static, monte_carlo, mcts, full_game or ismcts
    """
    return _ANALYZERS[AnalysisMode.named(mode)]()

"""The mode `static`: what every corner is worth by what lies around it, term by term.

The scores are those of `kibitz.catan.core.scores` on the scale of `kibitz.catan.analysis.draft.POINTS`: ten pips of wheat
are 1. The best corners then have about 1.4, little enough beside the eight points of a win rate that whole games decide where
games are played.

>>> from kibitz.catan import Board
>>> best = rank_corners(Position.opening(Board.beginner()))[0]
>>> best.vertex_id, round(best.total, 3), round(best.terms["pips: wheat"], 3)
(41, 1.432, 0.5)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kibitz.catan.analysis.base import Analyzer, asked
from kibitz.catan.analysis.draft import POINTS, corner_score, predict
from kibitz.catan.analysis.explain import explain
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, VertexScore
from kibitz.catan.core.scores import SCALE, WEIGHTS_BY_NAME, corner_pips, terms
from kibitz.catan.core.topology import CORNERS
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Runtime
from kibitz.compute.workers import Workers

#: How many throws the static tempo looks at; of 36 throws, a pip is one.
TEMPO_THROWS = 10


def vertex_score(position: Position, corner: int) -> VertexScore:
    """What a settlement on a corner is worth to the seat that asks.

    The total is the sum of the terms, rounded down to a multiple of 1 / `POINTS`.
    """
    s: Any = position.states[0]
    weighted = {
        name: WEIGHTS_BY_NAME[name] * value / (SCALE * POINTS) for name, value in terms(s, position.seat, corner).items()
    }
    total = corner_score(position.states, position.seat, corner)
    return VertexScore(
        vertex_id=corner,
        total=total,
        baseline_total=total,
        terms=weighted,
        tempo_score=corner_pips(s, corner) * TEMPO_THROWS / 36,
        recipe_coverage_score=sum(value for name, value in weighted.items() if name.startswith("coverage")),
        robber_penalty=abs(weighted["exposure"]),
    )


def rank_corners(position: Position) -> tuple[VertexScore, ...]:
    """All corners where the distance rule allows a settlement now, the best first; ties go to the lowest corner."""
    free = int(position.states["open"][0])
    found = [vertex_score(position, corner) for corner in range(CORNERS) if free >> corner & 1]
    return tuple(sorted(found, key=lambda score: (-score.total, score.vertex_id)))


class StaticAnalyzer(Analyzer):
    """Scores every corner by what lies around it; dice fall only for the last sentence of a line."""

    mode = AnalysisMode.STATIC

    def _answer(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> AnalysisResult:
        """Rank the corners. It takes no time: nobody has to be told, and nobody has to help."""
        ranking = rank_corners(position)
        top = ranking[: config.top]
        return replace(
            asked(self.mode, position, config),
            global_ranking=ranking,
            predicted_sequence=predict(position, config.policy, top[0].vertex_id) if top else (),
            top_recommendations=top,
            explain_lines=tuple(explain("ST", number, score, position, config) for number, score in enumerate(top, start=1)),
            warnings=corner_warnings(position),
        )


def corner_warnings(position: Position) -> tuple[str, ...]:
    """What a ranking of corners does not say in a running game."""
    return () if position.in_draft else ("Corners for a next settlement, whether or not a road leads there",)

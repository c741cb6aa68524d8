"""The mode `monte_carlo`: dice over each of the best corners (see `kibitz.catan.analysis.placement` for what is counted).

A corner is worth the more, the sooner it pays for things: its total is the sum over the four purchases of weight / (1 + mean
waiting time), in rounds of the table; its tempo is 100 / (1 + mean waiting time), in throws, of the settlement or the city,
whichever comes sooner. What the dice do not say (recipe coverage, robber) stays the static score's.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace

from kibitz.catan.analysis.base import Analyzer, asked
from kibitz.catan.analysis.dice import Counts
from kibitz.catan.analysis.draft import predict
from kibitz.catan.analysis.explain import explain
from kibitz.catan.analysis.placement import Placement, cut, report_of, throw_piece
from kibitz.catan.analysis.position import Position, analysis_seed
from kibitz.catan.analysis.static import corner_warnings, rank_corners
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, PlacementReport, VertexScore
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Runtime
from kibitz.compute.workers import Workers
from kibitz.ground.rng import derive_seed
from kibitz.play.share import Share, Standing

#: What it is worth to be able to pay for a purchase at once.
PURCHASE_WEIGHTS = {"road": 1.0, "settlement": 3.0, "city": 3.2, "development card": 2.2}

Reports = dict[int | None, PlacementReport]


class MonteCarloAnalyzer(Analyzer):
    """Throws dice over each of the best corners (and over what the seat has already) and ranks by how soon they pay."""

    mode = AnalysisMode.MONTE_CARLO

    def _answer(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> AnalysisResult:
        """Rank the corners; a limit bounds the sequences of all placements together (one each at least)."""
        assert not isinstance(workers, Gpu)
        static = rank_corners(position)
        corners: list[int | None] = [score.vertex_id for score in static[: config.full_game_candidate_vertices]]
        if position.states["settlements"][0, position.seat] or position.states["cities"][0, position.seat]:
            corners.append(None)
        reports, stopped = _throw_all(position, corners, static, config, runtime, workers)
        ranking = ranked(static, reports, position.seats)
        top = ranking[: config.top]
        return replace(
            asked(self.mode, position, config),
            global_ranking=ranking,
            predicted_sequence=predict(position, config.policy, top[0].vertex_id) if top else (),
            top_recommendations=top,
            explain_lines=tuple(
                explain("MC", number, score, position, config, reports.get(score.vertex_id))
                for number, score in enumerate(top, start=1)
            ),
            placements=tuple(reports[at] for at in (*(score.vertex_id for score in ranking), None) if at in reports),
            warnings=corner_warnings(position),
            stopped=stopped,
        )


def ranked(static: Iterable[VertexScore], reports: Reports, seats: int) -> tuple[VertexScore, ...]:
    """The simulated corners by what the dice say, then the others by their static score; ties go to the lowest corner."""
    scores = (simulated_score(s, reports[s.vertex_id], seats) if s.vertex_id in reports else s for s in static)
    return tuple(sorted(scores, key=lambda score: (not score.simulated, -score.total, score.vertex_id)))


def simulated_score(score: VertexScore, report: PlacementReport, seats: int) -> VertexScore:
    """A static score with what the dice say."""
    throws = {name: waiting.mean for name, waiting in report.waiting.items()}
    return replace(
        score,
        total=sum(weight / (1 + throws[name] / seats) for name, weight in PURCHASE_WEIGHTS.items()),
        tempo_score=100 / (1 + min(throws["settlement"], throws["city"])),
        simulated=True,
    )


def _throw_all(
    position: Position,
    corners: list[int | None],
    static: tuple[VertexScore, ...],
    config: AnalysisConfig,
    runtime: Runtime,
    workers: Workers,
) -> tuple[Reports, str | None]:
    """The reports of all placements, or of those that were ready when the work was stopped, and why it was."""
    base = analysis_seed(position.board, config.mc_seed, "monte_carlo")
    samples = max(1, runtime.limit.of(config.mc_samples * len(corners)) // len(corners))
    pieces = []
    for corner in corners:
        own_dice = derive_seed(base, "candidate", "none" if corner is None else corner)
        seed = base if config.common_random_numbers else own_dice
        pieces += cut(Placement.of(position, corner), seed, samples, config.mc_throws)
    pieces_each = len(pieces) // len(corners)
    counts: dict[int | None, list[tuple[Counts, Counts]]] = {corner: [] for corner in corners}
    reports: Reports = {}
    done, total = 0, samples * len(corners)
    runtime.begin()
    with closing(workers.map(throw_piece, pieces)) as results:
        for number, found in results:
            corner = pieces[number].placement.corner
            counts[corner].append(found)
            if len(counts[corner]) == pieces_each:
                reports[corner] = report_of(corner, counts.pop(corner))
            done += pieces[number].last - pieces[number].first
            runtime.report(done, total, _standings(ranked(static, reports, position.seats)))
            if done < total and runtime.stopped:
                return reports, runtime.stopped
    return reports, None


def _standings(ranking: Iterable[VertexScore]) -> tuple[Standing, ...]:
    """Who leads; there are no games to win."""
    return tuple(Standing(f"V{score.vertex_id}", Share(0, 0), score.total, True) for score in ranking if score.simulated)

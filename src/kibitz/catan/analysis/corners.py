"""The modes that look at corners and play no games: `static` and `monte_carlo`.

`static`: what every corner is worth by what lies around it, term by term. The scores are those of `kibitz.catan.core.scores` on
the scale of `kibitz.catan.analysis.draft.POINTS`: ten pips of wheat are 1. The best corners then have about 1.4, little enough
beside the eight points of a win rate that whole games decide where games are played.

>>> from kibitz.catan import Board
>>> best = rank_corners(Position.opening(Board.beginner()))[0]
>>> best.vertex_id, round(best.total, 3), round(best.terms["pips: wheat"], 3)
(41, 1.432, 0.5)

`monte_carlo`: dice over each of the best corners (see `kibitz.catan.analysis.placement` for what is counted). The sooner a
corner pays for things, the more it is worth: its total is the sum over the four purchases of weight / (1 + mean waiting time),
in rounds of the table; its tempo is 100 / (1 + mean waiting time), in throws, of the settlement or the city, whichever comes
sooner. What the dice do not say (recipe coverage, robber) stays as the static score has it.
"""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from math import fsum
from typing import Any

from kibitz.catan.analysis.base import Analyzer, asked
from kibitz.catan.analysis.draft import POINTS, corner_score, predict
from kibitz.catan.analysis.explain import explain, label
from kibitz.catan.analysis.placement import Counts, Placement, cut, report_of, throw_piece
from kibitz.catan.analysis.position import Position, analysis_seed
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, PlacementReport, VertexScore
from kibitz.catan.core.scores import SCALE, WEIGHTS_BY_NAME, corner_pips, terms
from kibitz.catan.core.topology import CORNERS
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Runtime, Workers
from kibitz.ground.rng import derive_seed
from kibitz.play.share import Share, Standing

#: How many throws the static tempo looks at; of 36 throws, a pip is one.
TEMPO_THROWS = 10
#: What it is worth to be able to pay for a purchase at once.
PURCHASE_WEIGHTS = {"road": 1.0, "settlement": 3.0, "city": 3.2, "development card": 2.2}

#: What a ranking of corners does not say in a running game.
OFF_THE_ROAD = "Corners for a next settlement, whether or not a road leads there"

Reports = dict[int | None, PlacementReport]
_NONE: Reports = {}


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
        recipe_coverage_score=fsum(value for name, value in weighted.items() if name.startswith("coverage")),
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
        return with_corners(asked(self.mode, position, config), position, "ST", rank_corners(position))


def with_corners(
    base: AnalysisResult, position: Position, prefix: str, ranking: tuple[VertexScore, ...], reports: Reports = _NONE
) -> AnalysisResult:
    """An answer with a ranking of corners: the best of them, why (with the `reports` of dice), and the draft to come."""
    config = base.config
    top = ranking[: config.top]
    lines = [
        explain(label(prefix, number, score), score, position, config, reports.get(score.vertex_id))
        for number, score in enumerate(top, start=1)
    ]
    return replace(
        base,
        global_ranking=ranking,
        predicted_sequence=predict(position, config.policy, [top[0].vertex_id], top[0].road) if top else (),
        top_recommendations=top,
        explain_lines=tuple(lines),
        warnings=(*base.warnings, *(() if position.in_draft else [OFF_THE_ROAD])),
    )


class MonteCarloAnalyzer(Analyzer):
    """Throws dice over each of the best corners (and over what the seat has already) and ranks by how soon they pay."""

    mode = AnalysisMode.MONTE_CARLO

    def _answer(self, position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers | Gpu) -> AnalysisResult:
        """Rank the corners; a limit bounds the sequences of all placements together (one each at least)."""
        assert not isinstance(workers, Gpu)
        static, reports, stopped = _throw_all(position, config, runtime, workers)
        ranking = ranked(static, reports, position.seats)
        placements = tuple(reports[at] for at in (*(score.vertex_id for score in ranking), None) if at in reports)
        base = replace(asked(self.mode, position, config), placements=placements, stopped=stopped)
        return with_corners(base, position, "MC", ranking, reports)


def ranked(static: Iterable[VertexScore], reports: Reports, seats: int) -> tuple[VertexScore, ...]:
    """The simulated corners by what the dice say, then the others by their static score; ties go to the lowest corner."""
    scores = (simulated_score(s, reports[s.vertex_id], seats) if s.vertex_id in reports else s for s in static)
    return tuple(sorted(scores, key=lambda score: (not score.simulated, -score.total, score.vertex_id)))


def simulated_score(score: VertexScore, report: PlacementReport, seats: int) -> VertexScore:
    """A static score with what the dice say."""
    throws = {name: waiting.mean for name, waiting in report.waiting.items()}
    return replace(
        score,
        total=fsum(weight / (1 + throws[name] / seats) for name, weight in PURCHASE_WEIGHTS.items()),
        tempo_score=100 / (1 + min(throws["settlement"], throws["city"])),
        simulated=True,
    )


def _throw_all(
    position: Position, config: AnalysisConfig, runtime: Runtime, workers: Workers
) -> tuple[tuple[VertexScore, ...], Reports, str | None]:
    """The static ranking; the reports of all placements, or of those that were ready when the work was stopped; why it was."""
    static = rank_corners(position)
    corners: list[int | None] = [score.vertex_id for score in static[: config.full_game_candidate_vertices]]
    if position.states["settlements"][0, position.seat] or position.states["cities"][0, position.seat]:
        corners.append(None)
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
                return static, reports, runtime.stopped
    return static, reports, None


def _standings(ranking: Iterable[VertexScore]) -> tuple[Standing, ...]:
    """Who leads; there are no games to win."""
    return tuple(Standing(f"V{score.vertex_id}", Share(0, 0), score.total, True) for score in ranking if score.simulated)

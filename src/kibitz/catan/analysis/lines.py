"""The lines of an answer: a corner with all that there is to say about it."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.catan.analysis.draft import predict
from kibitz.catan.analysis.explain import first_purchases, label, next_pick, sentences
from kibitz.catan.analysis.placement import Placement, throw_placement
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.seeding import analysis_seed
from kibitz.catan.analysis.types import AnalysisConfig, DraftPick, LineExplanation, PlacementReport, VertexScore

#: Sequences of dice that a sentence is worth.
SAMPLES = 400


def explain(
    prefix: str,
    number: int,
    score: VertexScore,
    position: Position,
    config: AnalysisConfig,
    report: PlacementReport | None = None,
) -> LineExplanation:
    """The line of the `number`-th corner, where the draft goes on as the config's bot would play it."""
    picks = predict(position, config.policy, score.vertex_id, score.road)
    said = all_sentences(position, score, picks, config, report)
    return LineExplanation(label=label(prefix, number, score), sentences=said, vertex_id=score.vertex_id, value=score.total)


def all_sentences(
    position: Position,
    score: VertexScore,
    picks: Sequence[DraftPick],
    config: AnalysisConfig,
    report: PlacementReport | None = None,
) -> tuple[str, ...]:
    """What there is to say about a corner if the draft goes on by `picks`.

    What the dice bring first is that of `report` or, without one, of the corner with the seat's next pick (if there is one).
    """
    said = sentences(position, score, picks, report)
    if report is not None:
        return said
    following = next_pick(position, score.vertex_id, picks)
    placement = Placement.of(position, score.vertex_id, following)
    seed = analysis_seed(position.board, config.mc_seed, "explain")
    thrown = throw_placement(placement, min(config.mc_samples, SAMPLES), config.mc_throws, seed)
    return (*said, first_purchases(thrown, following))

"""A decision that is tried again: what somebody would play instead is measured against the best move, in games of its own."""

from kibitz.catan.analysis.position import analysis_seed
from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.actions import Action
from kibitz.catan.core.record import Record
from kibitz.catan.review.decisions import decision_at
from kibitz.catan.review.measure import Measure
from kibitz.catan.review.types import ReviewConfig, Verdict
from kibitz.compute.runtime import Threads, Workers

_USUAL = ReviewConfig()


def loss_of(
    record: Record, verdict: Verdict, move: str, config: ReviewConfig = _USUAL, workers: Workers | None = None
) -> Difference:
    """How much less often a move wins than the best one of a verdict; what was measured already is not played again."""
    if move == verdict.best:
        return Difference(0.0, 0.0, 0.0)
    if move == verdict.played and verdict.games:
        return verdict.loss
    case = decision_at(record, verdict.step, analysis_seed(record.board, config.seed, "review"))
    best, other = Action.from_text(verdict.best).code, Action.from_text(move).code
    return Measure(config, workers or Threads()).compare(case, best, other)

"""What is known of boards: strong corners are found, poor ones are not, and a turned or mirrored board is the same board."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from kibitz.catan import GAME, Board, Rules
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import predict
from kibitz.catan.analysis.explain import hexes_at, production
from kibitz.catan.analysis.full_game import FullGameAnalyzer
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisResult, VertexScore
from kibitz.catan.core.state import new_states
from kibitz.catan.core.topology import CORNERS, HEX_OUTLINES
from kibitz.compute.local import play, series
from tests.catan.analysis.symmetry import SYMMETRIES, Symmetry

BEGINNER = Board.beginner()
#: Sentences take no time.
BRIEF = AnalysisConfig(top=1, mc_samples=1, mc_throws=1)


def config(rollouts: int, candidates: int, **changes: Any) -> AnalysisConfig:
    return replace(BRIEF, full_game_rollouts=rollouts, full_game_candidate_vertices=candidates, **changes)


def analyze(position: Position, config: AnalysisConfig) -> AnalysisResult:
    return FullGameAnalyzer().analyze(position, config)


@cache
def opening() -> Position:
    return Position.opening(BEGINNER)


def rate(score: VertexScore) -> float:
    assert score.win_rate is not None
    return score.win_rate.rate


# --- what is known of boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rank_by", ["score", "win_rate"])
def test_the_best_opening_of_the_beginner_board(rank_by):
    """Four corners have three hexes and 11 pips, more than any other: wood 8 with wheat 9 and wood 11 (V29) or with brick 5
    and ore 3 (V40), wheat 6 with the same two (V41), ore 8 with sheep 5 and wood 3 (V35). A city engine of wheat 6, wheat 4 and
    ore 3 (V42) has 10.
    """
    strong = [c for c in range(CORNERS) if len(hexes_at(BEGINNER, c)) == 3 and sum(production(BEGINNER, c).values()) >= 11]
    assert strong == [29, 35, 40, 41]
    assert analyze(opening(), config(250, 10, rank_by=rank_by)).global_ranking[0].vertex_id in [*strong, 42]


def test_a_coast_corner_of_one_hex_ranks_below_the_inland_corners_of_that_hex():
    result = analyze(opening(), config(40, CORNERS, rank_by="win_rate", adaptive=False))
    rates = {score.vertex_id: rate(score) for score in result.global_ranking}
    place = {score.vertex_id: n for n, score in enumerate(analyze(opening(), config(12, CORNERS)).global_ranking)}
    poor_rates, rich_rates = [], []
    for outline in HEX_OUTLINES:
        poor = [c for c in outline if len(hexes_at(BEGINNER, c)) == 1]
        rich = [c for c in outline if len(hexes_at(BEGINNER, c)) == 3]
        if poor:
            poor_rates.append(np.mean([rates[c] for c in poor]))
            rich_rates.append(np.mean([rates[c] for c in rich]))
            assert np.mean([place[c] for c in poor]) > np.mean([place[c] for c in rich])
    assert len(poor_rates) == 12
    assert np.mean(rich_rates) > 2 * np.mean(poor_rates)


# --- turned and mirrored boards -----------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_symmetries_are_symmetries():
    board = Board.random(3)
    for symmetry in SYMMETRIES:
        turned = symmetry.board(board)
        assert sorted(symmetry.corner(c) for c in range(CORNERS)) == list(range(CORNERS))
        for hex, outline in enumerate(HEX_OUTLINES):
            assert {symmetry.corner(c) for c in outline} == set(HEX_OUTLINES[symmetry.hex(hex)])
        for c in range(CORNERS):
            assert production(board, c) == production(turned, symmetry.corner(c))
    assert len({symmetry.board(board).to_text() for symmetry in SYMMETRIES}) == 12


def test_static_scores_turn_with_the_board():
    for seed, symmetry in enumerate(SYMMETRIES):
        board = Board.random(seed)
        scores = {score.vertex_id: score.total for score in rank_corners(Position.opening(board))}
        turned = {score.vertex_id: score.total for score in rank_corners(Position.opening(symmetry.board(board)))}
        assert {symmetry.corner(c): total for c, total in scores.items()} == turned


@pytest.mark.parametrize("symmetry", [Symmetry(1, False), Symmetry(2, True), Symmetry(3, False)])
def test_win_rates_turn_with_the_board_for_players_who_know_no_numbers(symmetry):
    """All 54 corners. Players who act at random break no ties, so that both boards are the same game.

    The squares of 54 independent differences, each in units of its spread, add up to 54, give or take 10.
    """
    rules, seats, rollouts = Rules(victory_points=4), 3, 250
    settings = config(
        rollouts, CORNERS, policy="random", adaptive=False, rank_by="win_rate",
        common_random_numbers=False, full_game_trade_offer_limit=0,
    )  # fmt: skip
    board = Board.random(9)
    rates, turned = (
        {score.vertex_id: rate(score) for score in analyze(Position.opening(b, seats, rules=rules), settings).global_ranking}
        for b in (board, symmetry.board(board))
    )

    def distance(corners: dict[int, int]) -> float:
        pairs = [(rates[c], turned[d]) for c, d in corners.items()]
        return sum((p - q) ** 2 * rollouts / (p * (1 - p) + q * (1 - q)) for p, q in pairs)

    assert distance({c: symmetry.corner(c) for c in range(CORNERS)}) < CORNERS + 4 * 10.4
    assert distance({c: c for c in range(CORNERS)}) > 5 * CORNERS, "rates differ between corners, so that this says something"


@pytest.mark.parametrize("symmetry", [Symmetry(1, False), Symmetry(2, False), Symmetry(0, True), Symmetry(3, True)])
def test_builders_play_the_same_games_on_a_turned_board(symmetry):
    """They break ties by what lies around a place, not by its number: only places that are alike in all that can differ."""
    same = 0
    for seed in (3, 7, 9):
        board = Board.random(seed)
        here, there = (
            play(series(GAME, new_states(b, 4), 100, 1, [GAME.policies["builder"]] * 4)).states["winner"]
            for b in (board, symmetry.board(board))
        )
        same += int((here == there).sum())
    assert same >= 0.97 * 300


@pytest.mark.parametrize(("seed", "symmetry"), [(3, Symmetry(1, False)), (9, Symmetry(2, False)), (7, Symmetry(0, True))])
def test_the_ranking_turns_with_the_board(seed, symmetry):
    board = Board.random(seed)
    here, there = Position.opening(board), Position.opening(symmetry.board(board))
    settings = config(500, 4, rank_by="win_rate", adaptive=False)
    rates = {score.vertex_id: score.win_rate for score in analyze(here, settings).global_ranking[:4]}
    turned = {score.vertex_id: score.win_rate for score in analyze(there, settings).global_ranking[:4]}
    assert {symmetry.corner(c) for c in rates} == set(turned)
    for corner, share in rates.items():
        line = [(symmetry.corner(p.vertex_id), symmetry.edge(p.road or 0)) for p in predict(here, "builder", [corner])]
        assert line == [(p.vertex_id, p.road) for p in predict(there, "builder", [symmetry.corner(corner)])]
        other = turned[symmetry.corner(corner)]
        assert share is not None
        assert other is not None
        spread = np.sqrt((share.rate * (1 - share.rate) + other.rate * (1 - other.rate)) / 500)
        assert abs(share.rate - other.rate) < 2.87 * spread, "one of twelve beyond this: 5 %"

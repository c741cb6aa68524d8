"""The static mode: totals are the scores of the corners, every term is visible, and every open corner is ranked once.

The beginner board by hand: corner 20 touches brick 6 (5 pips), wood 11 (2 pips) and the desert (see test_scores).
"""

from functools import cache

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis.corners import StaticAnalyzer, rank_corners, vertex_score
from kibitz.catan.analysis.draft import POINTS
from kibitz.catan.analysis.explain import hexes_at, production
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, VertexScore
from kibitz.catan.core.topology import CORNER_NEIGHBOURS, CORNERS, HEX_OUTLINES, NONE
from tests.catan.analysis.drafts import setup_plan
from tests.catan.positions import Table

BEGINNER = Board.beginner()
QUICK = AnalysisConfig(mc_samples=2, mc_throws=5)


@cache
def opening() -> Position:
    return Position.opening(BEGINNER)


@cache
def ranking() -> tuple[VertexScore, ...]:
    return rank_corners(opening())


@pytest.mark.plain
def test_every_term_of_a_corner_by_hand():
    score = vertex_score(opening(), 20)
    assert {name: value for name, value in score.terms.items() if value} == pytest.approx(
        {
            "pips: wood": 2 * 0.09,
            "pips: brick": 5 * 0.09,
            "diversity": 2 * 0.06,
            "scarcity": -0.42 * 0.03,
            "coverage: road": 0.04,
            "coverage: settlement": 0.5 * 0.06,
            "room": (9 + 5 + 9 + 5 + 9 + 7) * 0.004,
            "exposure": -5 * 0.02,
        }
    )
    assert score.total == score.baseline_total == 0.883  # 0.8834, cut after the third digit
    assert score.recipe_coverage_score == pytest.approx(0.04 + 0.03)
    assert score.robber_penalty == pytest.approx(0.1)
    assert score.tempo_score == pytest.approx(10 * 7 / 36)
    assert not score.simulated


@pytest.mark.plain
def test_ten_pips_of_wheat_are_one():
    """Corner 43 touches wheat 6 and wheat 4: 8 pips."""
    assert vertex_score(opening(), 43).terms["pips: wheat"] == pytest.approx(0.8)


@pytest.mark.plain
def test_terms_add_up_to_the_total():
    for score in ranking():
        assert 0 <= sum(score.terms.values()) - score.total + 1e-9 < 1 / POINTS + 2e-9
        assert score.total == score.baseline_total
        assert score.robber_penalty >= 0


@pytest.mark.plain
def test_every_open_corner_is_ranked_once_best_first_and_ties_by_number():
    assert sorted(score.vertex_id for score in ranking()) == list(range(CORNERS))
    for better, worse in zip(ranking(), ranking()[1:], strict=False):
        assert (-better.total, better.vertex_id) < (-worse.total, worse.vertex_id)
    totals = [score.total for score in ranking()]
    assert len(set(totals)) < len(totals), "the beginner board has ties, so that the rule above is tested"


def test_corners_beside_a_building_are_not_ranked():
    position = Position.of(setup_plan(opening(), 41), seat=1)
    closed = {41, *CORNER_NEIGHBOURS.tolist()[41]}
    assert {score.vertex_id for score in rank_corners(position)} == set(range(CORNERS)) - closed


def test_a_second_settlement_is_judged_with_the_first():
    """With corner 20, corner 10 (ore, sheep, brick) adds two resources, not three."""
    state = Table(seats=2).build(0, settlements=[20]).main(player=0)
    own, other = vertex_score(Position.of(state), 10), vertex_score(Position.of(Table(seats=2).main(player=0)), 10)
    assert own.terms["diversity"] == pytest.approx(0.12)
    assert other.terms["diversity"] == pytest.approx(0.18)


@pytest.mark.parametrize("seed", range(12))
def test_a_coast_corner_of_one_hex_ranks_below_the_inland_corners_of_that_hex(seed):
    board = Board.random(seed)
    place = {score.vertex_id: number for number, score in enumerate(rank_corners(Position.opening(board)))}
    compared = 0
    for hex, corners in enumerate(HEX_OUTLINES):
        poor = [c for c in corners if len(hexes_at(board, c)) == 1]
        rich = [c for c in corners if len(hexes_at(board, c)) == 3 and sum(production(board, c).values()) > 2]
        for c in poor if board.hexes[hex].resource else []:
            assert all(place[c] > place[inland] for inland in rich), (hex, c, rich)
            compared += len(rich)
    assert compared > 30


@pytest.mark.plain
def test_the_answer_in_the_draft():
    config = AnalysisConfig(top=2, mc_samples=2, mc_throws=5)
    result = StaticAnalyzer().analyze(opening(), config)
    assert result.mode is StaticAnalyzer.mode is AnalysisMode.STATIC
    assert result.global_ranking == ranking()
    assert result.top_recommendations == ranking()[:2]
    assert [line.label for line in result.explain_lines] == ["ST#1 V41", "ST#2 V35"]
    assert [line.value for line in result.explain_lines] == [score.total for score in ranking()[:2]]
    assert (result.seat, result.seats, result.board) == (0, 4, BEGINNER.to_text())
    assert [pick.seat for pick in result.predicted_sequence] == [0, 1, 2, 3, 3, 2, 1, 0]
    assert result.predicted_sequence[0].vertex_id == 41
    assert AnalysisResult.from_json(result.to_json()) == result


def test_the_best_opening_of_the_beginner_board_is_one_of_its_richest_corners():
    """Nothing has more than 11 pips there: corners 29, 35, 40 and 41."""
    pips = {corner: sum(production(BEGINNER, corner).values()) for corner in range(CORNERS)}
    assert ranking()[0].vertex_id in [corner for corner in pips if pips[corner] == max(pips.values())]


def test_another_seat_in_the_draft():
    result = StaticAnalyzer().analyze(Position.opening(BEGINNER, seats=3, seat=1), QUICK)
    assert result.seat == 1
    (first, *_, last) = result.predicted_sequence
    assert (first.seat, last.seat) == (0, 0)
    assert result.predicted_sequence[1].vertex_id == result.global_ranking[0].vertex_id
    near_the_first = {first.vertex_id, *CORNER_NEIGHBOURS.tolist()[first.vertex_id]} - {NONE}
    assert not near_the_first & {score.vertex_id for score in result.global_ranking}


def test_a_running_game_has_no_draft():
    state = Table(seats=2).build(0, settlements=[20, 40]).build(1, settlements=[10]).main(player=0)
    result = StaticAnalyzer().analyze(Position.of(state), QUICK)
    assert result.predicted_sequence == ()
    assert len(result.explain_lines) == len(result.top_recommendations) == 5
    assert not any("next pick" in line.text for line in result.explain_lines)
    assert len(result.global_ranking) == int(state.states["open"][0]).bit_count()
    assert result.warnings == ("Corners for a next settlement, whether or not a road leads there",)
    assert StaticAnalyzer().analyze(opening(), QUICK).warnings == ()

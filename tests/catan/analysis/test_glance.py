"""A glance of the evaluator: the same dice for all, the obvious is seen, and games are played only for what it chose."""

import numpy as np
import pytest

from kibitz.catan import Board, GameState, Rules
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import place
from kibitz.catan.analysis.full_game import FullGameAnalyzer, candidate_actions
from kibitz.catan.analysis.glance import believed, choose_finalists, glance, left_out
from kibitz.catan.analysis.mcts import LOOKED_AT, MctsAnalyzer, best_corners
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.report import NO_GAMES, below_the_line, chance
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisResult
from kibitz.catan.core.actions import Action, end_turn
from kibitz.catan.core.codes import PLACE_SETTLEMENT
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import MAIN, new_states
from kibitz.compute.runtime import Threads
from tests.catan.positions import Table

plain = pytest.mark.plain
CITY, END = Action.from_text("build_city 20").code, end_turn().code


def about_to_win() -> GameState:
    """Both have nine points and the cards for a city; it is the first seat's turn."""
    table = Table(2).build(0, settlements=[20, 45, 49], cities=[7, 12, 33]).give(0, wheat=2, ore=3)
    return table.build(1, settlements=[29, 35, 51], cities=[2, 16, 37]).give(1, wheat=2, ore=3).main()


def busy() -> Position:
    """A turn of a recorded game with many choices."""
    record = simulate(Board.random(5), ["builder"] * 4, 5)
    for step, states in enumerate(record.states()):
        if states["phase"][0] == MAIN and states["turn"][0] > 20:
            position = Position.at(record, step)
            if len(candidate_actions(position, AnalysisConfig())) > 5:
                return position
    raise AssertionError("no such turn")


def answer(position: Position, **settings: int) -> AnalysisResult:
    return FullGameAnalyzer().analyze(position, AnalysisConfig(**settings), workers=Threads(1))


@plain
def test_a_move_that_wins_is_seen_and_so_is_one_that_loses():
    found = glance(about_to_win().states, [(CITY,), (END,)], seat=0, seed=1, looks=2)
    assert found[0].tolist() == [1.0, 1.0]
    assert found[1].tolist() == [0.0, 0.0]  # the other one wins


@plain
def test_all_candidates_have_the_same_dice():
    found = glance(about_to_win().states, [(END,), (CITY,), (END,)], seat=0, seed=3, looks=3)
    assert found[0].tolist() == found[2].tolist()


@plain
def test_without_a_number_or_a_network_all_candidates_are_kept():
    start = new_states(Board.beginner())
    corners = [(PLACE_SETTLEMENT + corner,) for corner in range(5)]
    assert choose_finalists(start, corners, 0, 1, 0, "builder").kept == tuple(range(5))
    assert choose_finalists(start, corners, 0, 1, 5, "builder").kept == tuple(range(5))
    other_rules = new_states(Board.beginner(), 4, Rules(victory_points=12))
    assert choose_finalists(other_rules, corners, 0, 1, 2, "builder").kept == tuple(range(5))


def test_of_what_comes_to_the_same_thing_only_one_is_kept():
    states = about_to_win().states
    found = choose_finalists(states, [(END,), (END,), (CITY,)], 0, 1, 2, "builder")
    assert found.kept == (0, 2)
    assert found.values[0] == found.values[1] < found.values[2] == 1.0
    named = choose_finalists(states, [(END,), (CITY,), (CITY,)], 0, 1, 1, "builder", same="abb")
    assert named.kept == (1,)


@plain
def test_what_was_left_out_is_told_without_a_win_rate():
    city, ending = left_out({CITY: 0.9, END: 0.25, 1: 0.95}, [1], Position.of(about_to_win()))
    assert (city.visits, city.value, city.difference, city.interval) == (0, 0.9, None, believed(0.9))
    assert ending.reason == "End the turn: no games. To the evaluator it is 70.0 points worse than what it likes best."
    assert chance(ending) == "~ 25 %"
    assert believed(0.9)[1] == 1.0 > believed(0.25)[1] > 0.4


def test_games_are_played_for_the_finalists_alone():
    position = busy()
    every = answer(position, full_game_rollouts=4)
    result = answer(position, full_game_rollouts=40, finalists=3)
    assert result.games == 3 * 40
    first, rest = result.options[:3], result.options[3:]
    assert all(option.visits and option.difference for option in first)
    assert not any(option.visits or option.difference for option in rest)
    assert {option.action for option in result.options} == {option.action for option in every.options}
    assert list(below_the_line(result, [])) == [NO_GAMES]
    assert [option.value for option in rest] == sorted((option.value for option in rest), reverse=True)
    assert AnalysisResult.from_json(result.to_json()) == result


def test_in_the_draft_a_corner_comes_with_one_road():
    position = Position.opening(Board.random(2), seats=2, seat=1)
    states = position.states.copy()
    place(states, rank_corners(position)[0].vertex_id, None, "builder")
    result = answer(Position.of(states, 1), full_game_rollouts=8, finalists=1)
    tried = [score for score in result.global_ranking if score.simulated]
    assert len({score.vertex_id for score in tried if score.road is not None}) == len(tried) == 2
    assert result.games == 16


@pytest.mark.parametrize(("rules", "by_evaluator"), [(Rules(), True), (Rules(victory_points=12), False)])
def test_a_search_of_the_draft_begins_with_what_the_evaluator_likes(rules, by_evaluator):
    position = Position.opening(Board.random(3), rules=rules)
    corners = best_corners(position.states, 0, LOOKED_AT)
    config = AnalysisConfig(mcts_iterations=40, mcts_candidates=3, mcts_trees=1)
    result = MctsAnalyzer().analyze(position, config, workers=Threads(1))
    tried = {score.vertex_id for score in result.global_ranking if score.simulated}
    assert len(tried) == 3
    assert tried <= set(corners)
    if by_evaluator:
        found = glance(position.states, [(PLACE_SETTLEMENT + corner,) for corner in corners], 0, seed=1).mean(axis=1)
        likes = [corners[number] for number in np.argsort(-found)]
        assert likes[0] in tried
        assert likes[-1] not in tried
    else:
        assert tried == set(corners[:3])

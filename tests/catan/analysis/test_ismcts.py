"""The mode `ismcts`: whole searches of small positions, what is said about them, and that hidden cards do not matter."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.analysis import Analysis, AnalysisConfig, AnalysisResult, InvalidConfig, Limit, Position, create_analyzer
from kibitz.catan.analysis.ismcts import CLOSELY, IsmctsAnalyzer, search_config
from kibitz.catan.analysis.position import bot_action
from kibitz.catan.analysis.report import explained
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import BUILD_CITY, BUY_DEV
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.state import MAIN, ROBBER_MOVE
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Info, Runtime, Threads
from kibitz.game.doors import redeal_at, sensible_actions
from kibitz.play.advice import IN_DOUBT, NOT_INDEPENDENT

CONFIG = AnalysisConfig(ismcts_iterations=120, ismcts_trees=3)


@cache
def record() -> Record:
    return simulate(Board.random(3), ["builder"] * 3, seed=3, rules=Rules(victory_points=7))


def step_of(phase: int, after: int = 0, choices: int = 2) -> int:
    """The first step in a phase at which a player has a choice."""
    for step, states in enumerate(record().states()):
        if step >= after and states["phase"][0] == phase and len(sensible_actions(states)) >= choices:
            return step
    raise AssertionError(f"no such step in phase {phase}")


def analyze(
    position: Position, config: AnalysisConfig = CONFIG, jobs: int = 2, runtime: Runtime | None = None
) -> AnalysisResult:
    return IsmctsAnalyzer().analyze(position, config, runtime, Threads(jobs))


@cache
def answer() -> tuple[Position, AnalysisResult]:
    position = Position.at(record(), step_of(MAIN, after=100, choices=4))
    return position, analyze(position)


# --- the answer -------------------------------------------------------------------------------------------------


def test_every_sensible_action_is_tried_and_all_games_are_counted():
    position, result = answer()
    tried = {Action.from_text(move.action).code for move in result.options}
    assert tried == set(sensible_actions(position.states))
    assert sum(move.share.games for move in result.options) == result.games == 120
    assert (result.mode, result.stopped, result.position["step"]) == ("ismcts", None, position.origin["step"])


def test_in_doubt_the_habit_of_the_bot_is_the_first():
    """With so few games nothing is better beyond doubt; the others follow by their visits."""
    position, result = answer()
    assert result.options[0].action == Action.from_code(bot_action(position.states, "builder")).to_text()
    better = any(move.share.rate > result.options[0].share.rate for move in result.options)
    assert (IN_DOUBT in result.warnings) == better
    visits = [move.share.games for move in result.options[1:]]
    assert visits == sorted(visits, reverse=True)
    assert all(move.difference is None and move.summary is None for move in result.options)
    assert all(0 <= move.share.won <= move.share.games for move in result.options)


def test_lines_say_what_follows():
    """A line begins with its action, goes on with decisions alone, and is told only where enough games went."""
    _, result = answer()
    first = result.best
    assert explained(result)[0].label == f"IS#1 {first.name}"
    assert f"of its {first.visits} games (± {100 * first.margin:.1f})." in first.reason
    for option in result.options:
        assert option.line[0].action == option.action
        kinds = [Action.from_text(step.action or "").kind for step in option.line]
        assert not any(kind.startswith(("rolled", "stolen", "drawn")) for kind in kinds)
        if option.visits < CLOSELY:
            assert len(kinds) == 1


def test_a_robber_robs_in_the_next_step():
    position = Position.at(record(), step_of(ROBBER_MOVE, after=60))
    result = analyze(position, replace(CONFIG, ismcts_iterations=300))
    robbing = [option for option in result.options if len(option.line) > 1]
    assert robbing
    assert all((option.line[1].action or "").startswith("steal_resource") for option in robbing)
    assert any("Then: rob seat" in option.reason for option in robbing)


def test_what_is_uncertain_is_said():
    _, result = answer()
    assert NOT_INDEPENDENT in result.warnings
    assert any("cannot be told apart" in warning for warning in result.warnings)


def test_a_low_turn_cap_is_said():
    position = Position.at(record(), step_of(MAIN, after=20))
    states = position.states.copy()
    states["max_turns"] = states["turn"] + 1
    result = analyze(replace(position, states=states))
    assert any("of the games had no winner by turn" in warning for warning in result.warnings)


def test_to_json_and_back():
    _, result = answer()
    assert AnalysisResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_a_city_that_wins_is_the_first_move():
    step = next(
        step
        for step, states in enumerate(record().states())
        if game.actor_at(states, 0) >= 0 and any(BUILD_CITY <= code < BUY_DEV for code in game.legal_actions(states))
    )
    position = Position.at(record(), step)
    won = position.states.copy()
    won["victory_points"] = game.score_at(won, 0, position.seat) + 1
    result = analyze(replace(position, states=won, tracker=None))
    assert result.options[0].kind == "build_city"
    assert result.options[0].share.rate == 1.0


def test_a_move_that_is_the_only_one():
    step = next(
        step
        for step, states in enumerate(record().states())
        if step > 30 and game.actor_at(states, 0) >= 0 and len(sensible_actions(states)) == 1
    )
    result = analyze(Position.at(record(), step))
    assert len(result.options) == 1
    assert "It is the only move." in result.best.reason
    assert result.warnings == ()


# --- the draft --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 2])
def test_the_draft_is_about_corners(seat):
    result = analyze(Position.opening(Board.beginner(), seats=3, seat=seat))
    assert {move.kind for move in result.options} == {"place_setup_settlement"}
    assert len(result.options) == 8
    best = result.top_recommendations[0]
    assert result.options[0].action == f"place_setup_settlement {best.vertex_id}"
    assert best.win_rate == result.options[0].share


# --- the same answer everywhere ---------------------------------------------------------------------------------


def test_any_number_of_threads_gives_the_same():
    position, result = answer()
    assert analyze(position, jobs=1) == result
    assert analyze(position, jobs=3) == result
    assert analyze(position, replace(CONFIG, mc_seed=1)).options != result.options


def test_what_is_hidden_does_not_matter():
    """Other cards in the others' hands: the same answer."""
    position, result = answer()
    other = position.states.copy()
    xs = game.game_of(other).scratches()
    redeal_at(other, 0, xs, 0, position.seat)
    assert not np.array_equal(other["hand"], position.states["hand"])
    again = Position.seen(other, position.seat, position.tracker)
    assert analyze(replace(again, origin=position.origin)) == result


def test_the_search_has_the_settings_of_the_analysis():
    config = search_config(AnalysisConfig(policy="seed", ismcts_trees=7, ismcts_exploration=0.25), 50, 9)
    assert (config.iterations, config.trees, config.exploration, config.seed) == (50, 7, 0.25, 9)
    assert (config.policy, config.guide, config.others) == (BOTS["seed"],) * 3
    by_chance = search_config(AnalysisConfig(policy="random"), 1, 0)
    assert (by_chance.guide, by_chance.others, by_chance.caution) == (None, None, 0.0)


# --- limits and stopping ----------------------------------------------------------------------------------------


def test_a_limit_of_iterations():
    position, _ = answer()
    assert analyze(position, runtime=Runtime(Limit(iterations=30))).games == 30


def test_the_time_may_be_limited():
    position, _ = answer()
    endless = replace(CONFIG, ismcts_iterations=AnalysisConfig.MOST_ITERATIONS)
    result = analyze(position, endless, runtime=Runtime(Limit(time=0.2)))
    assert result.stopped == "time"
    assert result.games > 0


def test_it_is_heard_of_and_cancelled():
    position, _ = answer()
    endless = replace(CONFIG, ismcts_iterations=AnalysisConfig.MOST_ITERATIONS)
    infos: list[Info] = []
    with Analysis(create_analyzer("ismcts"), position, endless, workers=Threads(1)) as analysis:
        for info in analysis:
            infos.append(info)
            analysis.cancel()
    result = analysis.result()
    assert result.stopped == "cancelled"
    assert result.games == infos[-1].done
    heard = {standing.name: standing.win_rate for standing in infos[-1].ranking}
    assert heard == {move.action: move.share for move in result.options}


def test_what_it_cannot_do(tmp_path):
    position, _ = answer()
    with pytest.raises(InvalidConfig, match="CPUs only"):
        IsmctsAnalyzer().analyze(position, CONFIG, None, Gpu.__new__(Gpu))
    with pytest.raises(InvalidConfig, match="checkpoint"):
        IsmctsAnalyzer().analyze(position, CONFIG, Runtime(checkpoint=tmp_path / "file"))

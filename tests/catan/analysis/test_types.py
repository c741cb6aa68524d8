"""What an analysis may be asked: every bound, each violation named; and what it answers, to JSON and back."""

import json
import re
from dataclasses import fields, replace
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.catan import Board
from kibitz.catan.analysis import create_analyzer
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.types import (
    LEAST_TURNS,
    AnalysisConfig,
    AnalysisMode,
    AnalysisResult,
    Difference,
    DraftPick,
    FullGameSummary,
    InvalidConfig,
    LineExplanation,
    MoveScore,
    PlacementReport,
    VertexScore,
    Waiting,
)
from kibitz.catan.core.actions import Action
from kibitz.catan.core.policy import BOTS
from kibitz.compute.runtime import Runtime
from kibitz.loops.config import MODELS
from kibitz.play.advice import Advice, LineStep
from kibitz.play.share import Share

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[3]

fixed = settings(derandomize=True, database=None, deadline=None)
#: The bounds of the whole numbers, written down once more.
BOUNDS = {
    "mc_seed": (-(2**63), 2**63 - 1),
    "top": (1, 54),
    "full_game_rollouts": (1, 10**7),
    "full_game_max_turns": (20, 30000),
    "full_game_candidate_vertices": (1, 54),
    "full_game_trade_offer_limit": (0, 100),
    "finalists": (0, 54),
    "mc_samples": (1, 10**7),
    "mc_throws": (1, 10**4),
    "mcts_iterations": (1, 10**7),
    "mcts_candidates": (1, 54),
    "mcts_trees": (1, 1024),
    "ismcts_iterations": (1, 10**9),
    "ismcts_trees": (1, 1024),
}
OTHERS = {"policy", "rank_by", "common_random_numbers", "adaptive", "mcts_exploration", "ismcts_exploration", "guard"}


def config(**settings: Any) -> AnalysisConfig:
    return AnalysisConfig(**settings)


def test_loop_rules_are_a_model_or_the_text_of_a_file():
    assert config().guard_rules is None
    assert config(guard="draw").guard_rules == MODELS["draw"]
    own = replace(MODELS["declare"], max_repeats=7)
    assert config(guard=json.dumps(own.to_json())).guard_rules == own
    for value in ("nope", "{}", 3, '{"infiniteLoopRules": {"maxRepeats": 0}}'):
        with pytest.raises(InvalidConfig, match=r"^guard=.*: expected onepiece, declare, seed, draw, cap or"):
            config(guard=value)


# --- settings -----------------------------------------------------------------------------------------------


def test_every_setting_is_checked_here():
    assert {f.name for f in fields(AnalysisConfig)} == {*BOUNDS, *OTHERS}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_whole_number_out_of_its_bounds_is_named(name):
    low, high = BOUNDS[name]
    for value in (low, high):
        assert getattr(config(**{name: value}), name) == value
    for value in (low - 1, high + 1, True, float(low), str(low), None):
        with pytest.raises(InvalidConfig) as error:
            config(**{name: value})
        assert str(error.value) == f"{name}={value!r}: expected a whole number from {low} to {high}"


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("full_game_rollouts", 1),
        ("full_game_max_turns", 20),
        ("full_game_candidate_vertices", 1),
        ("full_game_trade_offer_limit", 0),
        ("finalists", 0),
    ],
)
def test_the_bounds_of_the_full_game(name, least):
    assert getattr(config(**{name: least}), name) == least
    with pytest.raises(InvalidConfig, match=f"^{name}={least - 1}: "):
        config(**{name: least - 1})


@pytest.mark.parametrize(
    ("name", "bad", "expected"),
    [
        ("policy", ["nobody", "", None, 1, []], f"no such bot; these are {', '.join(BOTS)}"),
        ("rank_by", ["luck", None, 0], "expected 'score' or 'win_rate'"),
        ("common_random_numbers", [0, 1, None, "yes"], "expected true or false"),
        ("adaptive", [0, 1, None, "yes"], "expected true or false"),
        ("mcts_exploration", [-0.1, 100.5, nan, inf, True, "1", None], "expected a number from 0 to 100"),
        ("ismcts_exploration", [-0.1, 100.5, nan, inf, True, "1", None], "expected a number from 0 to 100"),
    ],
)
def test_another_setting_out_of_its_bounds_is_named(name, bad, expected):
    for value in bad:
        with pytest.raises(InvalidConfig) as error:
            config(**{name: value})
        assert str(error.value) == f"{name}={value!r}: {expected}"


def test_what_is_allowed():
    for name, values in {"policy": ["random", "builder", "seed"], "rank_by": ["score", "win_rate"]}.items():
        for value in values:
            assert getattr(config(**{name: value}), name) == value
    for value in (0, 0.0, 100, 0.7):
        assert config(mcts_exploration=value).mcts_exploration == value


@pytest.mark.parametrize(("asked", "played"), [(20, 40), (39, 40), (40, 40), (41, 41), (300, 300), (30000, 30000)])
def test_rollouts_play_at_least_forty_turns(asked, played):
    assert LEAST_TURNS == 40
    assert config(full_game_max_turns=asked).turn_cap == played


def test_settings_to_json_and_back():
    changed = config(
        mc_seed=-5,
        policy="seed",
        rank_by="win_rate",
        top=3,
        full_game_rollouts=7,
        full_game_max_turns=20,
        common_random_numbers=False,
        adaptive=False,
        mcts_exploration=1.5,
    )
    for one in (AnalysisConfig(), changed):
        assert AnalysisConfig.from_json(json.loads(json.dumps(one.to_json()))) == one
    assert AnalysisConfig.from_json({}) == AnalysisConfig()
    assert AnalysisConfig.from_json({"top": 2}).top == 2


def test_an_unknown_or_bad_setting_in_json_is_refused():
    with pytest.raises(InvalidConfig, match=r"^unknown setting 'rollouts'; the settings are mc_seed, policy, "):
        AnalysisConfig.from_json({"rollouts": 3, "top": 2})
    with pytest.raises(InvalidConfig, match=r"^full_game_max_turns=19: "):
        AnalysisConfig.from_json({"full_game_max_turns": 19})


def test_every_mode_says_what_it_does():
    assert [str(mode) for mode in AnalysisMode] == ["static", "monte_carlo", "mcts", "full_game", "ismcts"]
    sentences = [mode.describe for mode in AnalysisMode]
    assert len(set(sentences)) == 5
    assert all(text.endswith(".") and text[0].isupper() for text in sentences)


# --- answers ------------------------------------------------------------------------------------------------

SUMMARY = FullGameSummary(10, {0: 0.3, 1: 0.0}, {0: (0.1, 0.6), 1: (0.0, 0.3)}, {0: 61.5, 1: None}, 70.2, unfinished=7)
SCORE = VertexScore(23, 1.5, 1.0, {"pips: ore": 0.4}, 1.6, 1.5, 3.0, True, Share(3, 10), 31, SUMMARY)
CITY = MoveScore(
    **Action("build_city", {"corner": 23}).to_json(),
    action="build_city 23",
    name="a city on V23",
    value=0.25,
    interval=Share(1, 4).interval,
    visits=4,
)
RESULT = AnalysisResult(
    mode=AnalysisMode.FULL_GAME,
    board="a board",
    seats=2,
    seat=1,
    config=AnalysisConfig(top=2),
    global_ranking=(SCORE, replace(SCORE, vertex_id=4, simulated=False, win_rate=None, road=None, summary=None)),
    predicted_sequence=(DraftPick(0, 0, 23, 31, 1.0), DraftPick(1, 1, 40, None, 0.5)),
    top_recommendations=(SCORE,),
    explain_lines=(LineExplanation("FG#1 V23 (sim)", ("Ore 8.", "No brick."), 23, ("build_city 23",), 1.5, 12),),
    full_game_summary=SUMMARY,
    options=(
        replace(CITY, difference=Difference(-0.1, -0.2, 0.0), summary=SUMMARY),
        replace(CITY, line=(LineStep(seat=1, action="build_city 23", visits=4), LineStep(seat=None, action=None, visits=2))),
    ),
    placements=(PlacementReport(None, {"ore": 0.2}, {"ore": 1.1}, {"city": Waiting(3.0, None, (0.5, 0.25), 0.25)}),),
    warnings=("V4 cannot be told apart from V23 yet",),
    games=20,
    stopped="cancelled",
    position={"phase": "MAIN", "turn": 17, "step": 240},
)


def test_a_result_to_json_text_and_back():
    for result in (RESULT, AnalysisResult(mode=AnalysisMode.STATIC, board="a board", seats=4, seat=0, config=AnalysisConfig())):
        assert AnalysisResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_the_json_has_the_names_of_the_seed():
    data = json.loads(json.dumps(RESULT.to_json()))
    assert {"global_ranking", "predicted_sequence", "top_recommendations", "explain_lines", "full_game_summary"} <= set(data)
    summary = data["full_game_summary"]
    assert summary["rollout_count"] == 10
    assert summary["player_win_rates"] == {"0": 0.3, "1": 0.0}
    assert summary["expected_turns_to_victory"] == {"0": 61.5, "1": None}
    assert summary["average_game_length_turns"] == 70.2
    first = data["global_ranking"][0]
    assert {"total", "tempo_score", "recipe_coverage_score", "robber_penalty"} <= set(first)
    assert first["win_rate"]["rate"] == 0.3
    assert first["win_rate"]["interval"] == pytest.approx([0.108, 0.603], abs=0.001)


@fixed
@given(
    st.builds(
        FullGameSummary,
        rollout_count=st.integers(0, 10**6),
        player_win_rates=st.dictionaries(st.integers(0, 3), st.floats(0, 1)),
        player_win_intervals=st.dictionaries(st.integers(0, 3), st.tuples(st.floats(0, 1), st.floats(0, 1))),
        expected_turns_to_victory=st.dictionaries(st.integers(0, 3), st.none() | st.floats(1, 300)),
        average_game_length_turns=st.floats(0, 300),
        unfinished=st.integers(0, 10**6),
    )
)
def test_any_summary_survives_json(summary):
    result = replace(RESULT, full_game_summary=summary)
    assert AnalysisResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_a_line_as_one_text():
    assert RESULT.explain_lines[0].text == "FG#1 V23 (sim): Ore 8. No brick."


@pytest.mark.parametrize("mode", ["static", "monte_carlo", "ismcts"])
def test_a_loop_guard_is_refused_where_no_games_are_played_under_one(mode):
    with pytest.raises(InvalidConfig, match=f"guard: {mode} plays no games under a loop guard"):
        create_analyzer(mode).analyze(Position.opening(Board.beginner()), AnalysisConfig(guard="draw"))


@pytest.mark.parametrize("mode", ["static", "monte_carlo", "ismcts"])
def test_a_checkpoint_is_refused_where_nothing_can_go_on_from_it(mode, tmp_path):
    with pytest.raises(InvalidConfig, match=f"{mode}: cannot go on from a checkpoint"):
        create_analyzer(mode).analyze(
            Position.opening(Board.beginner()), AnalysisConfig(), Runtime(checkpoint=tmp_path / "file")
        )


def test_the_docs_name_every_field_of_the_json():
    page = (ROOT / "docs/analysis.md").read_text(encoding="utf-8").partition("\n## JSON\n")[2]
    rows = dict(re.findall(r"^\| (.*?) \| (.*) \|$", page, re.MULTILINE))
    named = {name for cell in rows for name in re.findall(r"`(\w+)`", cell)}
    assert named == {field.name for field in fields(AnalysisResult)} - {field.name for field in fields(Advice)} | {"config"}
    parts = {
        "`global_ranking`": [VertexScore],
        "`predicted_sequence`": [DraftPick],
        "`explain_lines`": [LineExplanation],
        "`full_game_summary`": [FullGameSummary],
        "`placements`": [PlacementReport, Waiting],
    }
    for row, kinds in parts.items():
        told = {*re.findall(r"`([a-z_]+)`", rows[row])} - {*AnalysisMode}
        assert told == {field.name for kind in kinds for field in fields(kind)}, row

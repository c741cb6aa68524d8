"""Saved analyses are opened again."""

import json

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, create_analyzer
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.core import record
from kibitz.catan.pages.analyses import Answer, reopened


@pytest.fixture(scope="module")
def saved():
    played = record.simulate(Board.beginner(), ["builder"] * 3, seed=1)
    step = next(n for n, states in enumerate(played.states()) if n > 40 and played.moment(states)[1] == "MAIN")
    config = AnalysisConfig(full_game_rollouts=2)
    question = Question(Board.beginner(), 3, moves=played.codes[:step], mode=AnalysisMode.FULL_GAME, config=config)
    position = question.position()
    answer = Answer(question, position, create_analyzer(question.mode).analyze(position, config), "x")
    return answer, json.loads(json.dumps(answer.to_json()))


def test_what_was_saved_is_opened_again(saved):
    answer, data = saved
    assert reopened("x", data).result == answer.result


@pytest.mark.parametrize("result", [None, 3, {}, {"options": [1]}, {"options": [{"action": "dance"}]}])
def test_what_is_no_result_is_refused_in_one_line(saved, result):
    with pytest.raises(InvalidQuestion, match="the result cannot be read"):
        reopened("x", {**saved[1], "result": result})

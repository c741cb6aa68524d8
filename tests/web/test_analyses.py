"""Saved analyses are opened again, also those of the time when options were called moves."""

import json
from dataclasses import replace

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, create_analyzer
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.core import record
from kibitz.catan.pages.analyses import Answer, reopened, title_of


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


def test_an_answer_with_the_names_of_before(saved):
    answer, data = saved
    result = {name: value for name, value in data["result"].items() if name not in ("options", "stopped", "advice", "version")}
    kept = ("action", "kind", "difference", "summary")
    moves = [
        {**{name: getattr(move, name) for name in ("action", "kind")}, "win_rate": move.share.to_json()}
        for move in answer.result.options
    ]
    for move, option in zip(moves, data["result"]["options"], strict=True):
        move |= {name: option[name] for name in kept}
    found = reopened("x", {**data, "result": {**result, "moves": moves, "partial": "time"}}).result
    assert found.stopped == "time"
    assert [replace(option, name="", line=(), reason="") for option in answer.result.options] == [
        replace(option, name="", line=(), reason="") for option in found.options
    ]
    assert title_of(answer.question, found) == title_of(answer.question, answer.result)


NO_TEXT = {"moves": [{"action": 5, "win_rate": {"rate": 0.5, "interval": [0, 1], "games": 9}}]}


@pytest.mark.parametrize("result", [None, 3, {}, {"moves": [1]}, {"moves": [{"action": "dance"}]}, {"moves": []}, NO_TEXT])
def test_what_is_no_result_is_refused_in_one_line(saved, result):
    with pytest.raises(InvalidQuestion, match="the result cannot be read"):
        reopened("x", {**saved[1], "result": result})

"""Advice looks alike in all three games: the same names, in the same order, with the same meaning."""

import json
from dataclasses import fields, replace

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis import AnalysisConfig, Position, create_analyzer
from kibitz.catan.core import record as catan
from kibitz.compute.runtime import Limit
from kibitz.coup import advise as coup_advise
from kibitz.coup.core.situation import read_situation
from kibitz.game import CHANCE, OVER, actor_at
from kibitz.onepiece import bots as onepiece_bots
from kibitz.onepiece.core import record as onepiece
from kibitz.onepiece.core.game_state import GameState
from kibitz.play.advice import NOT_INDEPENDENT, Advice, Option


def in_catan(mode):
    record = catan.simulate(Board.beginner(), ["builder"] * 3, seed=1)
    step = next(n for n, states in enumerate(record.states()) if n > 40 and record.moment(states)[1] == "MAIN")
    config = AnalysisConfig(mc_seed=7, ismcts_iterations=40, full_game_rollouts=2)
    return create_analyzer(mode).analyze(Position.at(record, step), config), step


def in_coup():
    told = read_situation("coins 3 3; cards duke captain; 2 claimed duke")
    config = replace(coup_advise.CONFIG, iterations=200, seed=7)
    return coup_advise.advise(told.states, coup_advise.belief_of(told), config, step=5), 5


def in_one_piece():
    record = onepiece.simulate(["greedy", "greedy"], seed=3)
    step = next(n for n, s in enumerate(record.states()) if s[0].turn == 6 and actor_at(s, 0) not in (CHANCE, OVER))
    return onepiece_bots.advise(GameState(record.before(step)), Limit(iterations=20), 7, step=step), step


ASKED = {
    "catan": lambda: in_catan("ismcts"),
    "catan, whole games": lambda: in_catan("full_game"),
    "coup": in_coup,
    "onepiece": in_one_piece,
}


@pytest.fixture(params=ASKED)
def asked(request):
    advice, step = ASKED[request.param]()
    return advice, step, json.loads(json.dumps(advice.to_json()))


def test_the_header_and_what_was_asked(asked):
    advice, step, told = asked
    names = ["advice", "version", *(f.name for f in fields(Advice))]
    assert list(told)[: len(names)] == names
    assert (told["advice"], told["version"]) == (advice.NAME, 1)
    assert 0 <= told["seat"] < told["seats"]
    assert set(told["position"]) == {"phase", "turn", "step"}
    assert (told["position"]["step"], told["seed"], told["stopped"]) == (step, 7, None)
    assert told["games"] > 0
    assert "config" in told
    assert (NOT_INDEPENDENT in told["warnings"]) == (told["mode"] == "ismcts")


def test_the_options(asked):
    advice, _, told = asked
    names = [f.name for f in fields(Option)]
    assert len(told["options"]) > 1
    assert advice.best is advice.options[0]
    for option in told["options"]:
        assert list(option)[: len(names)] == names
        assert option["action"].startswith(option["kind"])
        assert 0 <= option["interval"][0] <= option["value"] <= option["interval"][1] <= 1
        assert option["line"][0]["action"] == option["action"]
        assert option["line"][0]["seat"] == told["seat"]
        assert option["reason"].startswith(f"{option['name'][0].upper()}{option['name'][1:]}: wins ")
        assert "(± " in option["reason"]

"""The rules file: the seed's own is read, a bad one is refused with the name of the key."""

from __future__ import annotations

import json

import pytest

from kibitz.loops.config import MODELS, Config, Consequence, InvalidRules, Resolution

pytestmark = pytest.mark.plain

SEED = {
    "infiniteLoopRules": {
        "maxRepeats": 4,
        "resolution": {
            "bothCanStop": "game_continues",
            "oneCanStop": "stopping_player_must_stop",
            "neitherCanStop": "draw",
        },
    }
}


def test_the_file_of_the_seed_is_the_default() -> None:
    assert Config.from_json(SEED) == Config() == MODELS["seed"]


@pytest.mark.parametrize("name", MODELS)
def test_every_model_survives_the_file(name: str) -> None:
    assert Config.from_json(json.loads(json.dumps(MODELS[name].to_json()))) == MODELS[name]


def test_a_model_is_a_base_that_the_file_changes() -> None:
    config = Config.from_json({"infiniteLoopRules": {"model": "declare", "maxRepeats": 2}, "deckSize": 50})
    assert config.max_repeats == 2
    assert (
        config.resolution
        == MODELS["declare"].resolution
        == Resolution(Consequence.SMALLER, Consequence.DECLARES, only_together=Consequence.DRAW)
    )


def test_everything_can_be_set() -> None:
    rules = {
        "maxRepeats": 9, "cap": 50, "window": None, "maxAge": 10, "suspect": True, "actionLimits": {"offer": 3},
        "oncePerLoop": True, "searchNodes": 100, "horizon": 3, "resolution": {"unknown": "draw"},
    }  # fmt: skip
    config = Config.from_json({"infiniteLoopRules": rules})
    assert (config.cap, config.window, config.max_age, config.suspect) == (50, None, 10, True)
    assert (config.action_limits, config.once_per_loop, config.search_nodes, config.horizon) == ({"offer": 3}, True, 100, 3)
    assert config.resolution == Resolution(unknown=Consequence.DRAW)


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        ([], "infiniteLoopRules"),
        ({}, "infiniteLoopRules"),
        ({"infiniteLoopRules": 4}, "infiniteLoopRules"),
        ({"infiniteLoopRules": {"maxRepeats": 0}}, "infiniteLoopRules.maxRepeats"),
        ({"infiniteLoopRules": {"maxRepeats": True}}, "infiniteLoopRules.maxRepeats"),
        ({"infiniteLoopRules": {"maxRepeats": "4"}}, "infiniteLoopRules.maxRepeats"),
        ({"infiniteLoopRules": {"window": 1.5}}, "infiniteLoopRules.window"),
        ({"infiniteLoopRules": {"suspect": 1}}, "infiniteLoopRules.suspect"),
        ({"infiniteLoopRules": {"maxrepeats": 4}}, "infiniteLoopRules.maxrepeats"),
        ({"infiniteLoopRules": {"model": "magic"}}, "infiniteLoopRules.model"),
        ({"infiniteLoopRules": {"actionLimits": {"offer": -1}}}, "infiniteLoopRules.actionLimits.offer"),
        ({"infiniteLoopRules": {"actionLimits": {"offer  wood": 1}}}, "infiniteLoopRules.actionLimits.offer  wood"),
        ({"infiniteLoopRules": {"actionLimits": {"": 1}}}, "infiniteLoopRules.actionLimits."),
        ({"infiniteLoopRules": {"oncePerLoop": 1}}, "infiniteLoopRules.oncePerLoop"),
        ({"infiniteLoopRules": {"actionLimits": 3}}, "infiniteLoopRules.actionLimits"),
        ({"infiniteLoopRules": {"maxRepeats": 4, "cap": 3}}, "infiniteLoopRules.cap"),
        ({"infiniteLoopRules": {"model": "cap", "maxRepeats": 101}}, "infiniteLoopRules.cap"),
        ({"infiniteLoopRules": {"resolution": "draw"}}, "infiniteLoopRules.resolution"),
        ({"infiniteLoopRules": {"resolution": {"bothCanStop": "argue"}}}, "infiniteLoopRules.resolution.bothCanStop"),
        ({"infiniteLoopRules": {"resolution": {"nobody": "draw"}}}, "infiniteLoopRules.resolution.nobody"),
        (
            {"infiniteLoopRules": {"resolution": {"neitherCanStop": "stopping_player_must_stop"}}},
            "infiniteLoopRules.resolution.neitherCanStop",
        ),
    ],
)
def test_a_bad_file_is_refused_with_the_key(rules: object, key: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        Config.from_json(rules)
    assert str(refused.value).startswith(f"{key}: ")


def test_the_text_of_a_file_is_read() -> None:
    assert Config.from_text(json.dumps(SEED)) == Config()
    with pytest.raises(InvalidRules, match="not JSON"):
        Config.from_text("{")

"""Results as JSON: the same keys for the same things in every game, and nothing else on standard output."""

import json
from typing import Any

import pytest

from tests.cli.results import done

SIMULATED = ["seed", "seats", "games", "unfinished", "drawn", "players", "turns", "steps", "loops", "conduct"]
MET = ["seed", "seats", "games", "tables", "unfinished", "drawn", "bots"]
BOTS = {"catan": "builder,random", "coup": "heuristic,random", "onepiece": "greedy,random"}
SHARE = ["won", "games", "rate", "interval"]


def found(kibitz, *arguments: object) -> dict[str, Any]:
    out = done(kibitz(*arguments, "--json"))
    result: dict[str, Any] = json.loads(out)
    assert out == json.dumps(result, indent=2) + "\n"
    return result


@pytest.mark.plain
@pytest.mark.parametrize("game", BOTS)
def test_simulations_of_all_games_look_alike(kibitz, game, tmp_path):
    file = tmp_path / "games.jsonl"
    result = found(kibitz, game, "simulate", "--players", BOTS[game], "--games", 3, "--guard", "draw", "--record", file)
    assert [key for key in result if key in SIMULATED] == SIMULATED
    assert [player["bot"] for player in result["players"]] == BOTS[game].split(",")
    assert [player["seat"] for player in result["players"]] == [0, 1]
    assert all(list(player["wins"]) == SHARE for player in result["players"])
    won = sum(player["wins"]["won"] for player in result["players"])
    assert won + result["unfinished"] + result["drawn"] == result["games"] == 3
    assert result["turns"]["least"] <= result["turns"]["mean"] <= result["turns"]["most"]
    assert file.exists()


@pytest.mark.parametrize("game", BOTS)
def test_tournaments_of_all_games_look_alike(kibitz, game):
    result = found(kibitz, game, "tournament", "--players", BOTS[game], "--games", 4)
    assert [key for key in result if key in MET] == MET
    for bot in result["bots"]:
        assert list(bot) == ["name", "rating", "margin", "wins", "seats", "above"]
        assert list(bot["wins"]) == SHARE


def test_the_rules_are_told_where_a_game_has_options(kibitz):
    for game in ("catan", "coup"):
        result = found(kibitz, game, "simulate", "--players", "2", "--rule", "max_turns=9")
        assert result["rules"]["max_turns"] == 9


@pytest.mark.parametrize(
    "arguments",
    [
        ("analyze", "beginner", "--mode", "static"),
        ("coup", "advise", "cards duke captain; coins 3 5", "--iterations", 50),
        ("coup", "solve", "--open", "--coins", "3,3", "--cards", "duke,captain"),
        ("doctor",),
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_answers_are_json_alone(kibitz, arguments):
    assert found(kibitz, *arguments)


def test_a_solved_endgame_has_a_line_for_each_decision(kibitz):
    out = done(kibitz("coup", "solve", "--coins", "6,6", "--turns", 1, "--no-store", "--json"))
    lines = {line.strip().removesuffix(",") for line in out.splitlines()}
    decisions = json.loads(out)["strategy"]
    assert decisions
    assert all(json.dumps(decision) in lines for decision in decisions)

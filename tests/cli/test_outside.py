"""Bots from outside on the command line."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/my_bot.py:MyBot"


@pytest.fixture
def kibitz(kibitz, monkeypatch):
    """Run a command in the folder of the project."""
    monkeypatch.chdir(ROOT)
    return kibitz


@pytest.fixture(scope="module")
def raises(tmp_path_factory):
    file = tmp_path_factory.mktemp("bots") / "raises.py"
    file.write_text(
        "class Bot:\n    def decide(self, state, actions, events):\n        raise ValueError('oops')\n", encoding="utf-8"
    )
    return f"{file}:Bot"


def test_the_example_plays_and_loses_no_decision(kibitz):
    code, out, _ = kibitz("coup", "simulate", "--players", f"{EXAMPLE},heuristic", "--games", 20, "--jobs", 1)
    assert code == 0
    assert EXAMPLE in out
    assert "lost" not in out


def test_a_series_says_which_decisions_were_lost(kibitz, raises):
    code, out, _ = kibitz("coup", "simulate", "--players", f"{raises},honest", "--games", 2, "--jobs", 1)
    assert code == 0
    assert f"{raises} lost " in out
    assert "first: turn 1: ValueError: oops (line 3)" in out


def test_tournaments_report_it_too(kibitz, raises):
    options = ("--players", f"{raises},honest", "--games", 2, "--seats", 2, "--jobs", 1)
    code, out, _ = kibitz("coup", "tournament", *options)
    assert code == 0
    assert "ValueError: oops" in out
    code, out, _ = kibitz("coup", "tournament", *options, "--json")
    (conduct,) = [bot["conduct"] for bot in json.loads(out)["bots"] if bot["name"] == raises]
    assert conduct["lost"] == {"raised": conduct["decisions"]}
    code, out, _ = kibitz("coup", "tournament", *options, "--json", "--one-against")
    assert set(json.loads(out)["conduct"]) == {raises}


def test_catan_and_its_records(kibitz, raises, tmp_path):
    record = tmp_path / "games.jsonl"
    options = ("--players", f"{raises},builder", "--rule", "max_turns=6", "--record", record)
    code, out, _ = kibitz("catan", "simulate", *options)
    assert code == 0
    assert "first: turn 0: ValueError: oops (line 3)" in out
    assert kibitz("catan", "replay", record)[0] == 0


def test_one_piece_and_its_records(kibitz, raises, tmp_path):
    record = tmp_path / "games.jsonl"
    code, out, _ = kibitz("onepiece", "simulate", "--players", f"{raises},greedy", "--games", 1, "--record", record)
    assert code == 0
    assert "ValueError: oops" in out
    assert kibitz("onepiece", "replay", record)[0] == 0


@pytest.mark.parametrize("command", ["catan", "coup", "onepiece"])
def test_what_is_no_bot_is_one_line(kibitz, command):
    code, out, err = kibitz(command, "simulate", "--players", "nothing.py:Bot,random")
    assert (code, out) == (2, "")
    assert err == "kibitz: --players 'nothing.py:Bot': nothing.py: no such file\n"

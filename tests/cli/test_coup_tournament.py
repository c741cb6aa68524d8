"""``kibitz coup tournament``: its tables, one against the rest, its JSON, and what it refuses."""

import json
import re
from functools import partial

import pytest


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "coup", "tournament")


@pytest.mark.plain
def test_the_tables(kibitz):
    code, out, err = kibitz("--players", "random,honest,heuristic", "--seats", 2, "--games", 18)
    assert (code, err) == (0, "")
    assert "18 games, 6 tables of 2" in out
    names = [line.split()[0] for line in out.splitlines() if line.startswith(("random", "honest", "heuristic"))]
    assert sorted(names) == sorted(["random", "honest", "heuristic"] * 2)
    assert max(map(len, out.splitlines())) <= 80


def test_one_against_the_rest(kibitz):
    code, out, err = kibitz("--players", "honest,random", "--one-against", "--seats", 6, "--games", 300)
    assert (code, err) == (0, "")
    assert "honest against 5 random, 50 games from each seat" in out
    won = re.search(r"won (\d+) of 300: [\d.]+ % \([\d.]+-[\d.]+\); an equal bot would win 16.7 %", out)
    assert won
    data = json.loads(kibitz("--players", "honest,random", "--one-against", "--seats", 6, "--games", 300, "--json")[1])
    assert (data["bot"], data["against"], data["wins"]["won"], data["games"]) == ("honest", "random", int(won[1]), 300)
    assert data["wins"]["interval"][0] > data["parity"] == 1 / 6
    assert data["duels"][0]["wins"] == data["wins"]
    assert f"by seat: {100 * data['by_seat'][0]['rate']:.1f} %" in out


def test_of_more_than_two_each_plays_alone_against_tables_of_each_other(kibitz):
    arguments = ("--players", "honest,random,heuristic", "--one-against", "--seats", 3, "--games", 90, "--seed", 2)
    code, out, err = kibitz(*arguments)
    assert (code, err) == (0, "")
    assert "One against a table of 2 others, 5 games from each seat of each pair" in out
    assert "an equal bot wins 33.3 %." in out
    data = json.loads(kibitz(*arguments, "--json", "--jobs", 1)[1])
    assert data == json.loads(kibitz(*arguments, "--json", "--jobs", 2)[1])
    assert (data["games"], data["seats"], len(data["duels"])) == (90, 3, 6)
    assert "bot" not in data
    for one in data["duels"]:
        assert one["wins"]["games"] == sum(seat["games"] for seat in one["by_seat"]) == 15
        rate, (low, high) = one["wins"]["rate"], one["wins"]["interval"]
        assert low <= rate <= high
        assert f"{100 * rate:.1f} % ({100 * low:.1f}-{100 * high:.1f})" in out


def test_games_without_a_winner_are_told_of_a_duel_too(kibitz):
    code, out, _ = kibitz("--players", "honest,random", "--one-against", "--seats", 2, "--games", 2, "--rule", "max_turns=1")
    assert code == 0
    assert "2 games without a winner" in out


def test_json_is_the_same_on_any_number_of_threads(kibitz):
    arguments = ("--players", "ismcts:30,honest", "--seats", 2, "--games", 6, "--seed", 5, "--json")
    code, first, _ = kibitz(*arguments, "--jobs", 1)
    assert code == 0
    assert kibitz(*arguments, "--jobs", 2)[1] == first
    data = json.loads(first)
    assert (data["seed"], data["seats"], data["games"], data["tables"]) == (5, 2, 6, 2)
    assert {bot["name"] for bot in data["bots"]} == {"ismcts:30", "honest"}
    assert kibitz(*arguments[:-3], "--seed", 6, "--json")[1] != first


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "honest"], "name at least two bots, each once"),
        (["--players", "honest,honest"], "name at least two bots, each once"),
        (["--players", "honest,nobody"], "--players 'nobody': no such bot; these are random, honest, heuristic, heuristic-0.1"),
        (["--players", "honest,ismcts:1h"], "--players '1h': expected a number of iterations (2000) or of seconds (0.5s)"),
        (["--players", "honest,random:3"], "random takes no parameter"),
        (["--one-against", "--players", "honest"], "name at least two bots, each once"),
        (["--rule", "nonsense=1"], "unknown rule 'nonsense'"),
        (["--seats", "7"], "--seats"),
    ],
)
def test_what_the_user_can_mend_is_one_line(kibitz, arguments, message):
    code, out, err = kibitz(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("kibitz: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.plain
def test_unfinished_games_are_told(kibitz):
    code, out, _ = kibitz("--players", "honest,random", "--seats", 2, "--games", 2, "--rule", "max_turns=1")
    assert code == 0
    assert "2 games without a winner" in out

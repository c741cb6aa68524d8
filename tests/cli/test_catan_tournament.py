"""``kibitz catan tournament``: its tables, its JSON, and what it refuses."""

import json
import re
from functools import partial

import pytest

from kibitz.ground.signs import MINUS

SHORT = ("--rule", "max_turns=30", "--rule", "victory_points=4")


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "catan", "tournament", columns=100)


def test_the_tables(kibitz):
    code, out, err = kibitz("--games", 30, "--seed", 2, *SHORT)
    assert (code, err.strip()) == (0, "")
    assert "78 games, 78 tables of 4" in out
    names = [line.split()[0] for line in out.splitlines() if line.startswith(("builder", "seed", "random"))]
    assert sorted(names) == sorted(["builder", "seed", "random"] * 2)
    assert "How often the row finished above" in out


def test_a_narrow_terminal_breaks_no_figure(kibitz):
    wide, narrow = (kibitz("--games", 30, "--seed", 2, *SHORT, columns=columns)[1] for columns in (100, 40))
    assert max(map(len, narrow.splitlines())) <= 40
    figures = re.findall(rf"\d+\.\d % \(\d+\.\d-\d+\.\d\)|[+{MINUS}]\d+ ± \d+|\d+ of \d+", wide)
    assert len(figures) == 3 * (1 + 1 + 1 + 2)
    assert all(figure in narrow for figure in figures)


def test_json_is_the_same_on_any_number_of_threads(kibitz):
    arguments = ("--players", "seed,random", "--games", 12, "--seats", 2, "--seed", 5, "--json", *SHORT)
    code, first, _ = kibitz(*arguments, "--jobs", 1)
    assert code == 0
    assert kibitz(*arguments, "--jobs", 2)[1] == first
    data = json.loads(first)
    assert (data["seed"], data["seats"], data["games"], data["tables"]) == (5, 2, 12, 2)
    assert data["rules"]["max_turns"] == 30
    assert [bot["name"] for bot in data["bots"]] == sorted(
        (bot["name"] for bot in data["bots"]), key=lambda name: -next(b["rating"] for b in data["bots"] if b["name"] == name)
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "seed"], "name at least two bots, each once"),
        (["--players", "seed,seed"], "name at least two bots, each once"),
        (["--players", "seed,nobody"], "'nobody': no such bot; these are random, builder, seed"),
        (["--rule", "nonsense=1"], "unknown rule 'nonsense'"),
        (["--board", "nowhere"], "no such file"),
    ],
)
def test_what_the_user_can_mend_is_one_line(kibitz, arguments, message):
    code, out, err = kibitz(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("kibitz: ")
    assert message in err
    assert err.count("\n") == 1


def test_unfinished_games_are_told(kibitz):
    code, out, _ = kibitz("--players", "seed,random", "--games", 2, "--seats", 2, "--rule", "max_turns=2")
    assert code == 0
    assert "2 games without a winner" in out


def test_a_level_plays_alone_against_a_table(kibitz):
    arguments = ("--players", "medium,random", "--one-against", "--games", 8, "--seed", 1, *SHORT)
    code, out, err = kibitz(*arguments)
    assert (code, err.strip()) == (0, "")
    assert "medium against 3 random, 2 games from each seat" in out
    level = json.loads(kibitz(*arguments, "--json")[1])
    bot = json.loads(kibitz("--players", "builder,random", *arguments[2:], "--json")[1])
    assert level["wins"] == bot["wins"]

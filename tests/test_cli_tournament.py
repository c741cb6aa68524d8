"""``kibitz catan tournament``: its tables, its JSON, and what it refuses."""

import json
import sys

import pytest

from kibitz import cli

SHORT = ("--rule", "max_turns=30", "--rule", "victory_points=4")


@pytest.fixture(scope="module", autouse=True)
def warm():
    """Compile or load the rules first, so that no test sees the notice about it."""
    from kibitz.cli.common import warm_up

    warm_up()


@pytest.fixture
def kibitz(capsys, monkeypatch):
    """Run a command inside this process: (exit code, standard output, standard error)."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kibitz", "catan", "tournament", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", "100")
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


def test_the_tables(kibitz):
    code, out, err = kibitz("--games", 30, "--seed", 2, *SHORT)
    assert (code, err.strip()) == (0, "")
    assert "78 games, 78 tables of 4" in out
    rows = [line.replace("│", " ").split() for line in out.splitlines() if line.startswith("│")]
    assert sorted(row[0] for row in rows) == sorted(["builder", "seed", "random"] * 2)
    assert "finished above" in out


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
    assert "2 games at the turn limit" in out

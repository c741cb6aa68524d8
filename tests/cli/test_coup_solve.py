"""``kibitz coup solve``: what it prints, keeps and refuses."""

import json
import re
from functools import partial
from itertools import takewhile
from pathlib import Path

import pytest

from kibitz.coup.core.actions import parse
from kibitz.coup.endgames import open_hands
from kibitz.coup.endgames.solve import Endgame
from kibitz.coup.endgames.strategy import Decision, StrategyStep, act, share, strategy_lines
from kibitz.ground.signs import MINUS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def kibitz(kibitz, monkeypatch, tmp_path):
    monkeypatch.setenv("KIBITZ_ENDGAMES", str(tmp_path / "endgames"))
    return partial(kibitz, "coup", "solve")


# --- hidden cards -----------------------------------------------------------------------------------------


def test_value_proof_and_strategies(kibitz):
    code, out, err = kibitz("--coins", "6,6", "--turns", 3)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:4] == [
        "one influence each, coins 6 and 6, nothing revealed; no exchange;",
        "a draw after 3 turns",
        "28,456 nodes",
        f"value for player 1: 4/7 = +0.571429 (a win is +1, a loss {MINUS}1)",
    ]
    low, high = map(float, re.search(r"proven: between (\S+) and (\S+)", out).groups())
    assert low <= 4 / 7 + 1e-7
    assert 4 / 7 - 1e-7 <= high <= low + 3e-6
    assert "player 1 begins\n  duke        tax\n" in out
    assert re.search(r"after player 1: income -> player 2 \(\d+\.\d %\)", out)
    assert "(a bluff)" in out
    assert max(map(len, lines)) <= 80


def test_the_same_question_is_answered_from_its_file(kibitz, tmp_path):
    first = kibitz("--coins", "6,6", "--turns", 1)[1]
    (file,) = (tmp_path / "endgames").iterdir()
    again = kibitz("--coins", "6,6", "--turns", 1)[1]
    assert f"solved earlier: {file}" in again
    assert "solved before" not in first
    assert first.splitlines()[3:] == again.splitlines()[3:]
    assert "solved before" not in kibitz("--coins", "6,6", "--turns", 1, "--no-store")[1]
    assert "solved before" not in kibitz("--coins", "6,5", "--turns", 1)[1]
    code, _, err = kibitz("--coins", "6,5", "--turns", 1, "--max-nodes", 5)
    assert code == 2
    assert "allowed are 5 nodes: lower --turns, or raise --max-nodes" in err


def test_a_file_of_ones_own(kibitz, tmp_path):
    file = tmp_path / "mine.endgame"
    kibitz("--coins", "6,6", "--turns", 1, "--store", file)
    assert not (tmp_path / "endgames").exists()
    assert f"solved earlier: {file}" in kibitz("--coins", "6,6", "--turns", 1, "--store", file)[1]
    assert kibitz("--coins", "6,5", "--turns", 1, "--store", file) == (
        2,
        "one influence each, coins 6 and 5, nothing revealed; no exchange;\na draw after 1 turn\n",
        f"kibitz: {file}: holds the solution of another endgame\n",
    )
    file.write_bytes(file.read_bytes()[:-3])
    code, _, err = kibitz("--coins", "6,6", "--turns", 1, "--store", file)
    assert code == 2
    assert err.startswith(f"kibitz: {file}: is damaged")


def test_a_folder_that_cannot_be_written_to_costs_only_the_store(kibitz, tmp_path):
    (tmp_path / "endgames").write_text("in the way")
    code, out, err = kibitz("--coins", "6,6", "--turns", 1)
    assert code == 0
    assert "value for player 1" in out
    assert re.fullmatch(r"kibitz: the solution could not be saved: .*endgames.*\n", err)


def test_json_has_the_whole_strategy(kibitz):
    code, out, _ = kibitz("--coins", "6,6", "--turns", 2, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["fraction"] == "1/35"
    assert answer["low"] <= answer["value"] <= answer["high"]
    assert answer["exploitability"] < 1e-6
    assert len(answer["strategy"]) == answer["information_sets"] == 495
    for decision in answer["strategy"]:
        assert sum(decision["actions"].values()) == pytest.approx(1)
    assert len(json.loads(kibitz("--coins", "6,6", "--turns", 2, "--json", "--depth", 1)[1])["strategy"]) == 5


def test_much_json_is_announced_with_a_way_to_have_less(kibitz, monkeypatch):
    code, out, err = kibitz("--coins", "6,6", "--turns", 2, "--json")
    assert (code, err) == (0, "")
    monkeypatch.setattr("kibitz.coup.commands.solve.LARGE", 10_000)
    code, large, err = kibitz("--coins", "6,6", "--turns", 2, "--json")
    assert (code, large.replace('"stored": true', '"stored": false')) == (0, out)
    size = re.fullmatch(r"kibitz: writing 495 decisions, about (\d+) MB; --depth D stops after the first D decisions\n", err)
    assert size is not None
    assert kibitz("--coins", "6,6", "--turns", 2, "--json", "--depth", 1)[2] == ""


def test_only_what_is_done_with_some_cards(kibitz):
    out = kibitz("--coins", "6,6", "--turns", 3, "--cards", "Duke, contessa")[1]
    assert "player 1 with duke against player 2 with contessa: +" in out
    assert set(re.findall(r"^  (\w+)", out, re.MULTILINE)) == {"duke", "contessa"}


def test_two_influences_and_the_exchange(kibitz):
    out = kibitz("--coins", "2,3", "--turns", 1, "--influence", "2,1", "--exchange", "--revealed", "contessa,duke")[1]
    assert out.startswith("influence two against one, coins 2 and 3, revealed: duke, contessa;\nwith exchange;")
    assert "duke captain" in out
    assert max(map(len, out.splitlines())) <= 80


def test_what_is_out_of_time_says_so_and_is_not_kept(kibitz, tmp_path):
    code, out, _ = kibitz("--coins", "2,2", "--turns", 4, "--time", 0.05)
    assert code == 0
    assert re.search(r"out of time after \d+ iterations: the strategies below are not yet optimal", out)
    assert "proven: between" in out
    assert not (tmp_path / "endgames").exists()


def test_the_tree_for_other_programs(kibitz, tmp_path):
    file = tmp_path / "coup.efg"
    kibitz("--coins", "6,6", "--turns", 1, "--efg", file)
    lines = file.read_text().splitlines()
    assert lines[0].startswith('EFG 2 R "Coup: one influence each, coins 6 and 6')
    assert len(lines) == 2 + Endgame((6, 6), 1).count()


# --- open hands -------------------------------------------------------------------------------------------


def test_open_hands(kibitz):
    code, out, err = kibitz("--open", "--cards", "captain,duke", "--coins", "2,1")
    assert (code, err) == (0, "")
    assert out.startswith("open hands; player 1, to move: captain, 2 coins; player 2: duke, 1 coin\n")
    assert re.search(r"player 1 wins in \d+ turns", out)
    assert "  tax          loses in this turn\n" in out
    told = json.loads(kibitz("--open", "--cards", "captain,duke", "--coins", "2,1", "--json")[1])
    assert told["winner"] == 0


def test_the_table_of_open_hands(kibitz, monkeypatch):
    """With two roles only; the numbers of the whole table are those of tests/coup/endgames/test_open_hands.py."""
    roles, coins = open_hands.ROLES[2:], range(2, 4)
    found = open_hands.open_table(roles, coins)
    monkeypatch.setattr(open_hands, "ROLES", roles)
    monkeypatch.setattr(open_hands, "TABLE_COINS", coins)
    monkeypatch.setattr(open_hands, "open_table", lambda rules, progress: found)
    out = kibitz("--open", "--table")[1]
    assert out.startswith("open hands, 2 to 3 coins each: how often the player to move wins against\n")
    assert re.search(r"^mover +duke +contessa +of 8 *$", out, re.MULTILINE)
    told = json.loads(kibitz("--open", "--table", "--json")[1])
    for mover in roles:
        won = [sum(position.winner == 0 for position in found[mover, other]) for other in roles]
        assert [pair["won"] for pair in told["pairs"] if pair["mover"] == mover] == won
        assert re.search(rf"^{mover} +{won[0]} +{won[1]} +{sum(won)} *$", out, re.MULTILINE)
    assert {pair["of"] for pair in told["pairs"]} == {4}
    assert "no draws" in out
    assert max(map(len, out.splitlines())) <= 80


# --- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--turns", 3], "--coins A,B is missing, as in --coins 6,5"),
        (["--coins", "6", "--turns", 3], "--coins 6: expected two numbers"),
        (["--coins", "6,x", "--turns", 3], "--coins 6,x: expected two numbers"),
        (["--coins", "6,6"], "--turns T is missing"),
        (["--coins", "60,6", "--turns", 3], "player 1 has 60 coins"),
        (
            ["--coins", "6,6", "--turns", 3, "--revealed", "duke,duke,duke,duke"],
            "four Dukes are revealed: there are only three",
        ),
        (["--coins", "6,6", "--turns", 3, "--revealed", "king"], "'king' is not a character"),
        (["--coins", "6,6", "--turns", 3, "--influence", "1"], "--influence 1: expected two numbers, as in --influence 1,1"),
        (["--coins", "6,6", "--turns", 3, "--influence", "3,1"], "player 1 cannot have 3 cards"),
        (["--coins", "6,6", "--turns", 3, "--cards", "duke"], "--cards duke: expected 2 cards, first those of player 1"),
        (["--coins", "6,6", "--turns", 3, "--cards", "duke,king"], "--cards duke,king: 'king' is not a character"),
        (
            ["--coins", "6,6", "--turns", 3, "--revealed", "duke,duke,duke", "--cards", "contessa,duke"],
            "--cards contessa,duke: with the revealed cards, that makes 4 Dukes: there are only three",
        ),
        (["--coins", "6,6", "--turns", 3, "--max-nodes", 1000], "the tree has 28,456 nodes and needs about 4 MiB; allowed are"),
        (["--coins", "6,6", "--turns", 3, "--time", -1], "--time -1.0: expected a number of seconds"),
        (
            ["--coins", "6,6", "--turns", 3, "--store", "x", "--no-store"],
            "--store and --no-store: ",
        ),
        (["--coins", "6,6", "--turns", 3, "--rule", "max_turns=5"], "--rule max_turns: use --turns T instead"),
        (["--coins", "6,6", "--turns", 3, "--efg", "none/x.efg"], "none/x.efg: there is no folder none"),
        (["--open", "--coins", "6,6"], "--open: expected one card of each player"),
        (["--open", "--cards", "duke,duke", "--coins", "6,6", "--turns", 3], "--turns does not go with --open"),
        (["--open", "--cards", "duke,king", "--coins", "6,6"], "'king' is not a character"),
        (["--open", "--cards", "duke,duke", "--coins", "6,6", "--influence", "2,1"], "--influence does not go with --open"),
        (["--open", "--cards", "duke,duke", "--coins", "6,6", "--time", 3], "--time does not go with --open"),
        (["--open", "--table", "--cards", "duke,duke"], "--cards does not go with --table"),
    ],
)
def test_errors_are_one_line(kibitz, arguments, message):
    code, _, err = kibitz(*arguments)
    assert code == 2
    assert err.startswith(f"kibitz: {message}")
    assert err.count("\n") == 1


# --- words ------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_probabilities_and_actions_in_words():
    assert [share(p) for p in (1.0, 0.5, 2 / 3 - 1e-6, 0.123)] == ["always", "1/2", "2/3", "12.3 %"]
    words = {text: act(parse(text)) for text in ("foreign_aid", "steal 2", "block captain", "return_cards duke duke")}
    assert list(words.values()) == ["foreign aid", "steal", "block with captain", "return duke and duke"]


@pytest.mark.plain
def test_a_decision_in_words():
    history = (StrategyStep(0, parse("steal 2")), StrategyStep(1, parse("allow")))
    actions = {parse("block captain"): 0.4, parse("block ambassador"): 0.2, parse("allow"): 0.4}
    lines = list(strategy_lines([Decision(1, ("ambassador",), history, 0.25, actions)], 80))
    assert lines == [
        "",
        "after player 1: steal, player 2: allow -> player 2 (25.0 %)",
        "  ambassador  block with captain 2/5 (a bluff), allow 2/5,",
        "              block with ambassador 1/5",
    ]


# --- the pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", ["--coins 6,6 --turns 3", "--open --cards captain,duke --coins 2,3"])
def test_the_page_shows_what_is_printed(kibitz, arguments):
    """To show the new output where this fails: ``COLUMNS=80 kibitz coup solve`` with these arguments."""
    page = (ROOT / "docs/endgames.md").read_text(encoding="utf-8")
    shown = page.partition(f"    $ kibitz coup solve {arguments}\n")[2]
    lines = [line[4:] for line in takewhile(lambda line: line.startswith("    ") or not line, shown.splitlines())]
    expected = "\n".join(lines).strip().removesuffix("...")
    assert expected
    assert kibitz(*arguments.split())[1].startswith(expected)

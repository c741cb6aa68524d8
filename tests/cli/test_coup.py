"""``kibitz coup``: what it prints and writes, and what it refuses in one line."""

import re
from functools import partial

import pytest

from kibitz.coup.core.record import read


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "coup", columns=200)


@pytest.fixture
def record(kibitz, tmp_path):
    file = tmp_path / "games.jsonl"
    code, out, err = kibitz("simulate", "--games", 3, "--players", "heuristic,honest,random", "--record", file, "--full")
    assert (code, err) == (0, "")
    assert f"written: {file}" in out
    return file


@pytest.mark.plain
def test_simulate_sums_games_up(kibitz):
    code, out, err = kibitz(
        "simulate", "--games", 20, "--players", 3, "--policy", "honest", "--rule", "max_turns=9", "--seed", 4
    )
    assert (code, err) == (0, "")
    assert "20 games, 3 players" in out
    rows = re.findall(r"^(\d) +honest +(\d+) +([\d.]+) %", out, re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "2", "3"]
    limit = re.search(r"(\d+) without a winner", out)
    assert sum(int(row[1]) for row in rows) + (int(limit[1]) if limit else 0) == 20
    assert "games/s" not in out


def test_simulate_says_how_fast_it_was(kibitz):
    assert re.search(r"[\d,]+ games/s", kibitz("simulate", "--games", 2000)[1])


@pytest.mark.plain
def test_the_recorded_games_are_the_played_ones(kibitz, record):
    played = kibitz("simulate", "--games", 3, "--players", "heuristic,honest,random")[1]
    winners = [list(found.states())[-1]["winner"][0] for found in read(record)]
    for seat, bot in enumerate(("heuristic", "honest", "random")):
        assert re.search(rf"{bot} +{winners.count(seat)} ", played)


@pytest.mark.plain
def test_replay_verifies_every_step(kibitz, record):
    code, out, err = kibitz("replay", record)
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"{re.escape(str(record))}: 3 games, \d+ steps, all according to the rules\n", out)


@pytest.mark.plain
def test_show_prints_a_position_and_its_turn(kibitz, record):
    code, out, err = kibitz("show", record, "--game", 1, "--turn", 2)
    assert (code, err) == (0, "")
    assert re.search(r"game 1: turn 3, player \d to act", out)
    assert "1 heuristic" in out
    first = re.search(r"^step (\d+) turn 2 P2 \w+", out, re.MULTILINE)
    assert "turn 1 " not in out
    before = kibitz("show", record, "--game", 1, "--at", first[1])[1]
    assert "game 1: turn 2, player 2 to act" in before
    assert "step " not in before  # nothing has happened in that turn
    after = kibitz("show", record, "--game", 1, "--at", int(first[1]) + 1)[1]
    assert after.splitlines()[-1] == first.string[first.start() :].splitlines()[0]
    deal = kibitz("show", record, "--turn", 0)[1]
    assert deal.count("turn 0 P") == 3
    assert re.search(r"over after turn \d+, player \d won", kibitz("show", record)[1])


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--full"], "--record"),
        (["--players", "1"], "2 to 6 players"),
        (["--players", "7"], "2 to 6 players"),
        (["--players", "random,nobody"], "'nobody': no such bot; these are random, honest, heuristic"),
        (["--players", "honest,random", "--policy", "honest"], "--policy"),
        (["--rule", "dragons"], "unknown rule 'dragons'; the rules are target_may_block_after_failed_challenge"),
        (["--rule", "max_turns=0"], "max_turns=0: expected a whole number from 1 to 30000"),
        (["--rule", "steal_from_zero=5"], "steal_from_zero=5: expected true or false"),
    ],
)
def test_simulate_refuses_in_one_line(kibitz, arguments, words):
    code, out, err = kibitz("simulate", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.plain
def test_files_that_are_no_records_are_refused_in_one_line(kibitz, record, tmp_path):
    empty, catan = tmp_path / "empty", tmp_path / "catan"
    empty.touch()
    catan.write_text('{"record": "catan"}\n')
    for arguments, words in (
        (["replay", tmp_path / "nowhere"], "no such file"),
        (["replay", empty], "the file holds no game"),
        (["replay", catan], 'line 1: expected the header of a game, with "record": "coup"'),
        (["show", catan], "line 1: expected the header"),
        (["show", record, "--game", 3], "there is no game 3; the file holds 3"),
        (["show", record, "--turn", 999], "--turn 999: the game has turns 0 to"),
        (["show", record, "--at", 9999], "--at 9999: the game has steps 0 to"),
        (["show", record, "--at", 1, "--turn", 1], "give one of the two"),
    ):
        code, out, err = kibitz(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err

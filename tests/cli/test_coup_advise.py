"""``kibitz coup advise``: the transcripts of the docs, files, records, JSON, and what it refuses in one line.

After a deliberate change of the search or of the words, write the transcripts anew and read the diff:

    python -m tests.cli.test_coup_advise --write
"""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from kibitz.coup.core.record import simulate
from kibitz.game import actor_at

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "coup_advise.md"
COMMAND = re.compile(r"^\$ kibitz coup (.+)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
TEXT = "cards duke captain; coins 3 3"
#: As wide as the pages.
WIDTH = "80"


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "coup")


# --- what the docs promise ------------------------------------------------------------------------------------------


def transcripts() -> list[tuple[str, str]]:
    return COMMAND.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("command", "promised"), transcripts(), ids=[command[:40] for command, _ in transcripts()])
def test_the_docs_show_what_is_printed(kibitz, command, promised):
    _, out, err = kibitz(*shlex.split(command))
    assert clean(out + err) == promised


def clean(printed: str) -> str:
    """Without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in printed.splitlines())


def test_everything_fits_into_80_columns():
    for command, printed in transcripts():
        assert printed, command
        lines = printed.splitlines()
        assert all(len(line) <= 80 for line in lines if not line.startswith("kibitz: "))


@pytest.mark.parametrize("done", [("4 5", "2 exchanges"), ("4 8", "2 taxes")], ids=["an exchange", "no coup, with eight coins"])
def test_what_the_tree_of_an_endgame_leaves_out_is_searched_all_the_same(kibitz, done):
    code, out, err = kibitz(
        "advise", f"cards contessa; coins {done[0]}; I lost duke; 2 lost captain; {done[1]}", "--iterations", 200
    )
    assert (code, err) == (0, "")
    assert "The search advises" in out


# --- options --------------------------------------------------------------------------------------------------------


def test_json_holds_everything(kibitz):
    code, out, err = kibitz("advise", TEXT, "--iterations", 500, "--json", "--bluff", 0.25)
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert (data["names"], data["bluff"], data["games"]) == (["1", "2"], 0.25, 500)
    assert {option["action"] for option in data["options"]} == {
        "income", "foreign_aid", "tax", "exchange", "assassinate 2", "steal 2",
    }  # fmt: skip


def test_the_text_may_stand_in_a_file_or_come_from_a_pipe(kibitz, tmp_path):
    file = tmp_path / "now.txt"
    file.write_text("cards duke captain\ncoins 3 3\n", encoding="utf-8")
    typed = kibitz("advise", TEXT, "--iterations", 500)
    assert kibitz("advise", file, "--iterations", 500) == typed
    assert kibitz("advise", "-", "--iterations", 500, typed=TEXT) == typed
    assert kibitz("advise", TEXT, "--iterations", 500, "--jobs", 1) == typed
    assert kibitz("advise", TEXT, "--iterations", 500, "--seed", 1) != typed


def test_a_time_limit_is_told(kibitz):
    code, out, _ = kibitz("advise", TEXT, "--time", 0.05)
    assert code == 0
    assert "iterations, until the time was up" in out


def test_iterations_of_several_searches_are_told_as_such(kibitz):
    """Who lets a theft pass is asked at once whether to block it, and then has the next turn: a search for each."""
    out = kibitz("advise", "cards contessa captain; coins 2 2; 2 steals from me", "--iterations", 100)[1]
    assert "\n300 iterations in 3 searches; ± is a rough 95 %" in out
    assert "\n100 iterations; ± is a rough 95 %" in kibitz("advise", TEXT, "--iterations", 100)[1]


def test_a_rule_option_counts(kibitz):
    text = "cards duke captain; coins 2 0"
    assert "steal 2" not in kibitz("advise", text, "--iterations", 300)[1]
    assert "steal 2" in kibitz("advise", text, "--iterations", 300, "--rule", "steal_from_zero")[1]


@pytest.fixture
def record(tmp_path):
    file = tmp_path / "games.jsonl"
    games = [simulate(["heuristic"] * 3, seed=seed, number=seed) for seed in (0, 1)]
    file.write_text("".join(f"{line}\n" for game in games for line in game.lines()), encoding="utf-8")
    return file


def test_a_recorded_position(kibitz, record):
    steps = [json.loads(line) for line in record.read_text().splitlines()]
    second = steps[[step.get("game") for step in steps].index(1) + 1 :]
    number, actor = next((step["step"], step["actor"]) for step in second[8:] if isinstance(step.get("actor"), int))
    code, out, err = kibitz("advise", record, "--game", 1, "--at", number, "--iterations", 500, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["seat"] == actor
    assert json.loads(out)["position"]["step"] == number
    assert kibitz("advise", record, "--at", 0)[2] == "kibitz: --at 0: nobody decides there, chance does\n"
    other = kibitz("advise", record, "--game", 1, "--at", number, "--seat", actor % 3 + 2 if actor < 2 else 1)
    assert re.search(rf"--at {number} and --seat \d: it is seat {actor + 1} to move, not seat \d", other[2])


def test_the_end_of_a_record_that_was_broken_off(kibitz, tmp_path):
    whole = simulate(["heuristic"] * 3, seed=1)
    step = next(n for n, states in enumerate(whole.states()) if n > 12 and actor_at(states, 0) >= 0)
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in replace(whole, codes=whole.codes[:step]).lines()), encoding="utf-8")
    code, out, err = kibitz("advise", file, "--iterations", 100, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["position"]["step"] == step
    file.write_text("".join(f"{line}\n" for line in whole.lines()), encoding="utf-8")
    last = len(whole.codes) - 1
    assert kibitz("advise", file)[2].endswith(
        f"the game is over: choose a position before its end with --at STEP (0 to {last})\n"
    )


def test_a_record_with_bluffs_contradicts_who_thinks_that_nobody_bluffs(kibitz, record):
    def complaint(step: int) -> str:
        return kibitz("advise", record, "--at", step, "--bluff", 0, "--iterations", 10)[2]

    told = next(error for error in map(complaint, range(9, 200)) if error and "--at" not in error)
    assert re.fullmatch(r"kibitz: player \d claimed \w+: that cannot be, .*if nobody bluffs\n", told)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "missing argument 'TEXT|FILE|RECORD|-'"),
        ([""], "the text is empty; one looks like"),
        ([TEXT, "--at", 3], "--at: only for game records"),
        ([TEXT, "--game", 3], "--game: only for game records"),
        (["nowhere.txt"], "nowhere.txt: no such file; a text looks like"),
        ([TEXT, "--time", 0], "--time 0.0: expected a number of seconds greater than 0"),
        ([TEXT, "--bluff", 2], "--bluff 2.0: expected a number from 0 to 1"),
        ([TEXT, "--rule", "dragons"], "unknown rule 'dragons'"),
        ([TEXT, "--seat", 3], "there is no player 3 at this table of 2"),
        ([f"{TEXT}; turn 2"], "player 2 decides now, and you are player 1"),
        (
            [f"{TEXT}; claims: 2 duke, 2 captain, 2 contessa", "--bluff", 0],
            "player 2 claimed contessa: that cannot be, player 2 can hold duke, captain, if nobody bluffs",
        ),
        (["nowhere.jsonl", "--at", 3], "nowhere.jsonl: no such file"),
        (["nowhere.jsonl"], "nowhere.jsonl: no such file"),
        (["nowhere.jsonl", "--at", 3, "--rule", "steal_from_zero"], "--rule: only for texts; a record has its own"),
    ],
)
def test_mistakes_are_one_line(kibitz, arguments, words):
    code, out, err = kibitz("advise", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_file_that_is_no_text_is_refused(kibitz, tmp_path):
    (tmp_path / "odd").write_bytes(b"\xff\xfe\x00")
    code, _, err = kibitz("advise", tmp_path / "odd")
    assert (code, err) == (2, f"kibitz: {tmp_path / 'odd'}: not a text in UTF-8\n")
    assert "is a folder" in kibitz("advise", tmp_path)[2]


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:

    def renewed(found: re.Match[str]) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "kibitz", "coup", *shlex.split(found[1])],
            env=os.environ | {"COLUMNS": WIDTH}, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        return f"$ kibitz coup {found[1]}\n{clean(ran.stdout + ran.stderr)}"

    PAGE.write_text(COMMAND.sub(renewed, PAGE.read_text(encoding="utf-8")), encoding="utf-8")

"""``kibitz catan advise``: records, logs of other programs, and what is refused."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz import game
from kibitz.catan import Board
from kibitz.catan import logs as formats
from kibitz.catan.analysis import AnalysisResult
from kibitz.catan.core.record import Record, simulate
from kibitz.game.doors import sensible_actions
from tests.catan.logs import writers

ROOT = Path(__file__).parents[2]
RECORD = simulate(Board.random(2), ["builder"] * 3, seed=2)


def told(kibitz, *arguments: object) -> str:
    code, out, err = kibitz("catan", "advise", *arguments)
    assert (code, err) == (0, "")
    return out


def answered(kibitz, *arguments: object) -> AnalysisResult:
    return AnalysisResult.from_json(json.loads(told(kibitz, *arguments, "--json")))


def refused(kibitz, *arguments: object) -> str:
    code, out, err = kibitz("catan", "advise", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err.removeprefix("kibitz: ").rstrip("\n")


def decisions(seat: int, after: int) -> int:
    """The first step after `after` at which a seat has a choice in its turn."""
    for step, states in enumerate(RECORD.states()):
        if step > after and game.actor_at(states, 0) == seat and len(sensible_actions(states)) > 2:
            return step
    raise AssertionError("no such step")


STEP = decisions(seat=1, after=150)


def written(record: Record, path: Path) -> Path:
    path.write_text("\n".join([*record.lines(), ""]))
    return path


@pytest.fixture
def record(tmp_path) -> Path:
    return written(RECORD, tmp_path / "game.jsonl")


@pytest.fixture
def unfinished(tmp_path) -> Path:
    return written(replace(RECORD, codes=RECORD.codes[:STEP]), tmp_path / "unfinished.jsonl")


# --- records ----------------------------------------------------------------------------------------------------


def test_what_to_do_now(kibitz, unfinished):
    out = told(kibitz, unfinished, "--iterations", 120)
    assert out.startswith(f"unfinished.jsonl, game 0 · step {STEP}, turn ")
    assert "seat 2 of 3" in out
    assert "win rate" in out
    assert "IS#1 " in out
    assert max(map(len, out.splitlines())) <= 80


def test_another_moment_of_a_finished_game(kibitz, record, unfinished):
    now = answered(kibitz, unfinished, "--iterations", 60)
    then = answered(kibitz, record, "--iterations", 60, "--at", STEP)
    assert then == now
    assert (then.mode, then.seat, then.games) == ("ismcts", 1, 60)
    assert answered(kibitz, record, "--iterations", 60, "--at", STEP, "--seat", 2, "--jobs", 1) == then
    assert answered(kibitz, record, "--iterations", 60, "--at", STEP, "--seed", 1).options != then.options


def test_it_is_the_analysis_of_a_running_game(kibitz, record):
    """Both commands go through the same function."""
    advised = answered(kibitz, record, "--iterations", 60, "--at", STEP)
    code, out, _ = kibitz("analyze", record, "--mode", "ismcts", "--iterations", 60, "--at", STEP, "--json")
    assert code == 0
    assert AnalysisResult.from_json(json.loads(out)) == advised


def test_the_evaluator_chooses_and_whole_games_are_played(kibitz, record):
    result = answered(kibitz, record, "--at", STEP, "--time", 1)
    assert (result.mode, result.config.finalists) == ("full_game", 3)
    with_games = [option for option in result.options if option.visits]
    assert 2 <= len(with_games) <= 3
    assert result.options[: len(with_games)] == tuple(with_games)
    assert answered(kibitz, record, "--at", STEP, "--mode", "full_game", "--time", 1).config == result.config


def test_by_the_clock(kibitz, record):
    out = told(kibitz, record, "--at", STEP, "--time", 0.3)
    assert "in the time limit; another run may differ" in out
    assert " of 1,000" not in out


def test_docs_show_what_is_printed(kibitz):
    """To show the new output where this fails: ``COLUMNS=100 kibitz catan advise ...`` as in docs/analysis.md."""
    page = (ROOT / "docs/analysis.md").read_text()
    command, shown = re.findall(r"    kibitz catan advise (\S+ --at .*)\n\n```text\n(.*?)```", page, re.DOTALL)[0]
    file, *options = command.split()
    code, out, _ = kibitz("catan", "advise", ROOT / file, *options, columns=100)
    assert code == 0
    printed = {line.rstrip() for line in out.splitlines()}
    assert {line for line in shown.splitlines() if line != " ..."} <= printed


# --- logs -------------------------------------------------------------------------------------------------------


def exported(tmp_path: Path, format: str, observer: int | None = 1, codes: int = STEP) -> Path:
    path = tmp_path / f"log.{format}"
    path.write_text(writers.write(replace(RECORD, codes=RECORD.codes[:codes]), format, observer))
    return path


def test_captured_messages_of_one_player(kibitz, tmp_path, unfinished):
    """What the others hold is not in the file, and the answer is the one that the record gives."""
    log = exported(tmp_path, "colonist-frames")
    assert formats.read_path(log).everything is None
    result = answered(kibitz, log, "--iterations", 60)
    assert replace(result, position={}) == replace(answered(kibitz, unfinished, "--iterations", 60), position={})
    assert told(kibitz, log, "--iterations", 60).startswith("log.colonist-frames · turn ")


def test_a_log_is_known_by_its_content(kibitz, tmp_path):
    """Captured messages are JSON Lines, too."""
    log = exported(tmp_path, "colonist-frames")
    renamed = log.rename(tmp_path / "frames.jsonl")
    assert answered(kibitz, renamed, "--iterations", 30).seat == 1


def test_a_log_that_becomes_a_record(kibitz, tmp_path, unfinished):
    result = answered(kibitz, exported(tmp_path, "jsettlers"), "--iterations", 60, "--seat", 2)
    assert result.options == answered(kibitz, unfinished, "--iterations", 60).options


def test_who_asks_by_name(kibitz, tmp_path):
    log = exported(tmp_path, "jsettlers")
    name = formats.read_path(log).log.players[1]
    assert answered(kibitz, log, "--iterations", 30, "--me", name) == answered(kibitz, log, "--iterations", 30, "--seat", 2)


def test_who_asks_by_the_name_of_a_bot(kibitz, record):
    asked = "--at", STEP, "--iterations", 30
    assert answered(kibitz, record, *asked, "--me", "Bob") == answered(kibitz, record, *asked, "--seat", 2)


# --- what is refused --------------------------------------------------------------------------------------------


def test_options_that_mean_nothing(kibitz, record):
    at = "--at", STEP
    assert refused(kibitz, record, *at, "--mode", "luck") == "--mode luck: expected full_game or ismcts"
    assert refused(kibitz, record, *at, "--mode", "full_game", "--iterations", 5) == (
        "--iterations: only for ismcts, not for full_game"
    )
    assert refused(kibitz, record, *at, "--seat", 1, "--me", "x").startswith("--seat and --me: ")
    assert refused(kibitz, record, *at, "--time", 0) == "--time 0.0: expected a number of seconds greater than 0"
    assert refused(kibitz, record, *at, "--iterations", 0).startswith("--iterations: ")
    for me in ("Zoe", "builder"):  # all three are one
        assert refused(kibitz, record, *at, "--me", me).endswith(f": there is no player '{me}'; the players are Ann, Bob, Cid")
    assert refused(kibitz, record, "--at", 10**6).startswith("--at 1000000: the game has steps 0 to ")
    assert refused(kibitz, record, "--game", 1).endswith("there is no game 1; the file holds 1")
    assert refused(kibitz, "nowhere.jsonl") == "nowhere.jsonl: no such file"


def test_a_file_that_is_no_game(kibitz, tmp_path):
    for content in (b"", b"hello", b"\x1f\x8b damaged", b"[1]", b"\xff\xfe"):
        (tmp_path / "file.jsonl").write_bytes(content)
        assert refused(kibitz, tmp_path / "file.jsonl").startswith(f"{tmp_path / 'file.jsonl'}: line 1: ")


def test_it_must_be_the_turn_of_whoever_asks(kibitz, record, tmp_path):
    assert refused(kibitz, record, "--at", STEP, "--seat", 1) == (f"--at {STEP} and --seat 1: it is seat 2 to move, not seat 1")
    log = exported(tmp_path, "colonist-frames", observer=0)
    assert refused(kibitz, log, "--seat", 1).endswith("it is seat 2 to move, not seat 1")


def test_a_game_that_is_over(kibitz, record):
    steps = len(RECORD.codes)
    assert refused(kibitz, record) == (f"the game is over: choose a position before its end with --at STEP (0 to {steps - 1})")


def test_a_chat_without_a_board(kibitz, tmp_path):
    log = exported(tmp_path, "colonist-text")
    error = refused(kibitz, log)
    assert "holds no board" in error
    assert "kibitz track" in error


def test_other_eyes_than_those_of_the_log(kibitz, tmp_path):
    """Messages to one player do not show another's cards."""
    log = exported(tmp_path, "colonist-frames", observer=1)
    assert refused(kibitz, log, "--seat", 7) == "--seat 7: the seats are 1 to 3"
    assert refused(kibitz, log, "--seat", 3).endswith("these are the messages to Player 2, not to Player 3")
    assert refused(kibitz, log, "--at", 5).startswith("--at: only for complete games")
    assert refused(kibitz, log, "--game", 1).startswith("--game: only for records")

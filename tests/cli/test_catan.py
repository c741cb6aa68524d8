"""The command line: what it prints and writes, and that whatever the user can mend is one line and exit code 2."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from kibitz.catan import GAME, Board
from kibitz.catan.core.record import read
from kibitz.compute import cuda
from tests.cli.results import refused

SHORT = ("--rule", "max_turns=5")


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, columns=200)


def simulated(kibitz, *arguments: object) -> str:
    code, out, err = kibitz("catan", "simulate", *arguments)
    assert (code, err.strip()) == (0, "")
    return out


def table(out: str) -> list[list[str]]:
    """The words of the lines about players, whatever is drawn around them: number, bot, and so on."""
    lines = [re.findall(r"[\w.%()]+", line) for line in out.splitlines()]
    return [words for words in lines if len(words) > 2 and words[0].isdigit() and words[1] in GAME.policies]


# --- simulate -------------------------------------------------------------------------------------------------


def interruptible() -> None:
    """Tests that run in the background inherit that Ctrl-C is ignored; who is interrupted here must not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.plain
def test_simulate_plays_one_game_of_four_random_players(kibitz):
    out = simulated(kibitz)
    assert "1 game, 4 players" in out
    rows = table(out)
    assert [row[:2] for row in rows] == [[str(n), "random"] for n in (1, 2, 3, 4)]
    assert sum(int(row[2]) for row in rows) == 1
    assert re.search(r"turns: \d+; steps: [\d,]+$", out, re.MULTILINE)


def test_the_same_seed_gives_the_same_table(kibitz):
    def games(*more: object) -> list[list[str]]:
        return table(simulated(kibitz, "--games", 70, "--seed", 3, "--rule", "max_turns=60", "--policy", "builder", *more))

    first = games("--jobs", 1)
    assert first == games("--jobs", 2) == games()
    assert first != table(simulated(kibitz, "--games", 70, "--seed", 4, "--rule", "max_turns=60", "--policy", "builder"))


def test_recording_plays_the_same_games(kibitz, tmp_path):
    arguments = ("--games", 5, "--seed", 6, "--policy", "builder", "--rule", "max_turns=40")
    file = tmp_path / "games.jsonl"
    assert table(simulated(kibitz, *arguments)) == table(simulated(kibitz, *arguments, "--record", file))
    assert len(list(read(file))) == 5


@pytest.mark.plain
@pytest.mark.parametrize(
    ("players", "policy", "bots"),
    [
        ("2", "random", ["random"] * 2),
        ("3", "builder", ["builder"] * 3),
        ("4", None, ["random"] * 4),
        ("builder,random", None, ["builder", "random"]),
        ("builder, random,random ,builder", None, ["builder", "random", "random", "builder"]),
    ],
)
def test_players_by_number_or_by_name(kibitz, players, policy, bots):
    more = [] if policy is None else ["--policy", policy]
    assert [row[1] for row in table(simulated(kibitz, "--players", players, *more, *SHORT))] == bots


@pytest.mark.plain
@pytest.mark.parametrize(
    ("option", "name", "value"),
    [
        ("friendly_robber", "friendly_robber", True),
        ("friendly_robber=on", "friendly_robber", True),
        ("phased_turns=TRUE", "phased_turns", True),
        ("domestic_trade=off", "domestic_trade", False),
        ("domestic_trade=no", "domestic_trade", False),
        ("victory_points=5", "victory_points", 5),
        ("discard_limit=9", "discard_limit", 9),
    ],
)
def test_rules_by_name_and_value(kibitz, tmp_path, option, name, value):
    file = tmp_path / "game.jsonl"
    simulated(kibitz, *SHORT, "--rule", option, "--record", file)
    (record,) = read(file)
    assert record.rules.to_json()[name] == value
    assert record.rules.max_turns == 5


@pytest.mark.plain
def test_boards_by_name_text_and_file(kibitz, tmp_path):
    board = Board.random(77, tokens="random")
    (tmp_path / "board.txt").write_text(board.to_text() + "\n")
    (tmp_path / "board.json").write_text(json.dumps(board.to_json(), indent=1))
    record = tmp_path / "games.jsonl"

    def boards(*arguments: object) -> list[Board]:
        simulated(kibitz, *SHORT, "--games", 2, "--record", record, *arguments)
        return [game.board for game in read(record)]

    assert boards("--board", "beginner") == [Board.beginner()] * 2
    assert boards("--board", board.to_text()) == [board] * 2
    assert boards("--board", tmp_path / "board.txt") == [board] * 2
    assert boards("--board", tmp_path / "board.json") == [board] * 2
    first, second = boards()
    assert first != second
    assert boards("--seed", 1) != [first, second]
    assert boards("--seed", 0, "--board", "random") == [first, second]


@pytest.mark.plain
def test_a_record_in_full_and_compressed(kibitz, tmp_path):
    file = tmp_path / "games.jsonl.gz"
    out = simulated(kibitz, *SHORT, "--games", 3, "--record", file, "--full")
    assert f"written: {file}" in re.sub(r"\s+", " ", out)
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert [line["game"] for line in lines if "record" in line] == [0, 1, 2]
    assert all("state" in line and "legal" in line for line in lines if "step" in line)
    assert list(file.parent.iterdir()) == [file]


# --- replay and show ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded() -> list[bytes]:
    """The record, once a test has made it; empty before."""
    return []


@pytest.fixture
def record(kibitz, tmp_path, recorded) -> Path:
    file = tmp_path / "games.jsonl.gz"
    if recorded:
        file.write_bytes(recorded[0])
        return file
    simulated(kibitz, "--games", 2, "--seed", 5, "--policy", "builder", "--rule", "max_turns=6", "--record", file, "--full")
    recorded.append(file.read_bytes())
    return file


@pytest.mark.plain
def test_replay_verifies_every_step(kibitz, record):
    code, out, err = kibitz("catan", "replay", record)
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"{re.escape(str(record))}: 2 games, \d+ steps, all according to the rules\n", out)


@pytest.mark.plain
def test_show_prints_a_position_and_draws_it(kibitz, record, tmp_path):
    picture = tmp_path / "game.svg"
    code, out, err = kibitz("catan", "show", record, "--game", 1, "--svg", picture)
    assert (code, err) == (0, "")
    assert re.search(r"game 1\W+.*turn 6", out)
    assert [row[:2] for row in table(out)] == [[str(n), "builder"] for n in (1, 2, 3, 4)]
    assert "bank" in out
    second = list(read(record))[1]
    assert second.board.to_text() in re.sub(r"\s+", " ", out)
    assert picture.read_text().startswith("<svg")
    again = tmp_path / "again.svg"
    kibitz("catan", "show", record, "--game", 1, "--svg", again)
    assert again.read_bytes() == picture.read_bytes()


@pytest.mark.plain
def test_show_a_turn(kibitz, record):
    assert re.search(r"game 0\W+.*turn 4\b.* to roll", kibitz("catan", "show", record, "--turn", 3)[1])
    assert "player 1 to roll" in kibitz("catan", "show", record, "--turn", 0)[1]
    first, last = kibitz("catan", "show", record, "--turn", 6)[1], kibitz("catan", "show", record)[1]
    assert first == last


@pytest.mark.plain
def test_show_a_step(kibitz, record):
    steps = len(next(iter(read(record))).codes)
    assert "player 1 to place a settlement" in kibitz("catan", "show", record, "--at", 0)[1]
    assert "player 1 to place a road" in kibitz("catan", "show", record, "--at", 1)[1]
    assert kibitz("catan", "show", record, "--at", steps)[1] == kibitz("catan", "show", record)[1]


# --- what the user can mend -----------------------------------------------------------------------------------

LONG = "x" * 300


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--full"], "--record"),
        (["--players", "1"], "2 to 4 players"),
        (["--players", "5"], "2 to 4 players"),
        (["--players", "0"], "2 to 4 players"),
        (["--players", "99999999"], "2 to 4 players"),
        (["--players", "99999999999999"], "--players"),
        (["--players", "random"], "2 to 4 players"),
        (["--players", "random,nobody"], "'nobody': no such bot; these are random, builder, seed"),
        (["--players", ""], "no such bot"),
        (["--players", "-2"], "no such bot"),
        (["--players", "²"], "--players"),
        (["--players", "builder,random", "--policy", "builder"], "--policy"),
        (["--policy", "nobody"], "'nobody': no such bot; these are random, builder, seed"),
        (["--rule", "dragons"], "unknown rule 'dragons'; the rules are victory_points, discard_limit"),
        (["--rule", ""], "unknown rule ''"),
        (["--rule", "max_turns"], "max_turns"),
        (["--rule", "max_turns=0"], "max_turns=0: expected a whole number from 1 to 30000"),
        (["--rule", "victory_points=many"], "victory_points='many': expected a whole number from 3 to 20"),
        (["--rule", "victory_points=-4"], "victory_points='-4': expected a whole number from 3 to 20"),
        (["--rule", "victory_points=³"], "victory_points='³': expected a whole number from 3 to 20"),
        (["--rule", "victory_points=" + "9" * 5000], "expected a whole number from 3 to 20"),
        (["--rule", "friendly_robber=5"], "friendly_robber=5: expected true or false"),
        (["--rule", "friendly_robber=maybe"], "friendly_robber='maybe': expected true or false"),
        (["--board", "nowhere.txt"], "no such file"),
        (["--board", ""], "no such file"),
        (["--board", "."], "--board .: is a folder"),
        (["--board", LONG], "x" * 80),
        (["--board", f"{LONG} /x/x/x/"], "expected rows of 3, 4, 5, 4 and 3 hexes"),
        (["--record", ""], ""),
        (["--record", "."], ""),
        (["--record", "/"], "/"),
        (["--record", LONG], "File name too long"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)  # fmt: skip
def test_simulate_refuses_in_one_line(kibitz, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert words in refused(kibitz("catan", "simulate", *SHORT, *arguments))
    assert list(tmp_path.iterdir()) == []


def bad_boards() -> dict[str, tuple[bytes, str]]:
    text, data = Board.beginner().to_text(), Board.beginner().to_json()
    without_hex = {**data, "hexes": data["hexes"][:-1]}
    return {
        "letter": (text.replace("o10", "q10", 1).encode(), "hex 0: cannot read 'q10'"),
        "token": (text.replace("o10", "o6", 1).encode(), "one token 6 too many"),
        "harbour": (text[:-1].encode(), "expected 9 harbours, found 8"),
        "json": (b"{", "not JSON"),
        "hex": (json.dumps(without_hex).encode(), "hex 18: missing"),
        "empty": (b"", "expected the hexes"),
        "binary": (b"\xff\xfe\x00", "not a text in UTF-8"),
    }


@pytest.mark.plain
@pytest.mark.parametrize("name", bad_boards())
def test_a_bad_board_file_is_refused_in_one_line(kibitz, tmp_path, name):
    content, message = bad_boards()[name]
    file = tmp_path / "board"
    file.write_bytes(content)
    error = refused(kibitz("catan", "simulate", *SHORT, "--board", file))
    assert error.startswith(f"--board {file}: ")
    assert message in error


@pytest.mark.plain
def test_records_that_cannot_be_written_are_refused(kibitz, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder.jsonl").mkdir()
    for target in ("file/below.jsonl", "folder.jsonl"):
        assert str(tmp_path / target) in refused(kibitz("catan", "simulate", *SHORT, "--record", tmp_path / target))
    assert sorted(f.name for f in tmp_path.iterdir()) == ["file", "folder.jsonl"]


@pytest.mark.plain
def test_a_gpu_that_is_not_there_is_said_in_one_line(kibitz, monkeypatch, tmp_path):
    def missing() -> None:
        raise cuda.NoGpu("no GPU: none here")

    monkeypatch.setattr(cuda, "require_gpu", missing)
    assert refused(kibitz("catan", "simulate", "--device", "cuda")) == "--device cuda: no GPU: none here"
    assert refused(kibitz("catan", "simulate", "--device", "tpu")) == "--device tpu: expected cpu or cuda"
    file = tmp_path / "games.jsonl"
    assert refused(kibitz("catan", "simulate", "--device", "cuda", "--record", file)).startswith(
        "--device cuda keeps only the results"
    )


@pytest.mark.plain
@pytest.mark.parametrize("command", ["replay", "show"])
def test_missing_and_damaged_records_are_refused(kibitz, record, tmp_path, command):
    file = tmp_path / "other.jsonl.gz"
    assert refused(kibitz("catan", command, file)) == f"{file}: no such file"
    assert refused(kibitz("catan", command, tmp_path)).startswith(f"{tmp_path}: ")
    content = record.read_bytes()
    file.write_bytes(content[:200])
    assert re.match(re.escape(str(file)) + r": line 1: the file is damaged here", refused(kibitz("catan", command, file)))
    file.write_bytes(content[:40] + b"???" + content[43:])
    assert refused(kibitz("catan", command, file)).startswith(f"{file}: line ")
    file.write_bytes(b"")
    assert refused(kibitz("catan", command, file)).startswith(f"{file}: ")
    plain = tmp_path / "other.jsonl"
    plain.write_text("no record\n")
    assert refused(kibitz("catan", command, plain)).startswith(f"{plain}: line 1: not JSON: Expecting value")


@pytest.mark.plain
def test_replay_names_the_first_difference(kibitz, record, tmp_path):
    lines = gzip.decompress(record.read_bytes()).decode().splitlines()
    file = tmp_path / "wrong.jsonl"
    step = json.loads(lines[30])
    step["state"]["hands"][2]["ore"] += 1
    file.write_text("\n".join([*lines[:30], json.dumps(step), *lines[31:]]) + "\n")
    ore = step["state"]["hands"][2]["ore"]
    assert refused(kibitz("catan", "replay", file)) == (
        f"{file}: line 31: step 29: state.hands[2].ore is {ore} in the record, {ore - 1} by the rules"
    )
    file.write_text("\n".join(lines[:30]))
    assert (
        refused(kibitz("catan", "replay", file))
        == f"{file}: line 30: the record breaks off: the game of line 1 has no end line"
    )


@pytest.mark.plain
def test_show_refuses_what_is_not_there(kibitz, record, tmp_path):
    assert refused(kibitz("catan", "show", record, "--game", 2)) == f"{record}: there is no game 2; the file holds 2"
    assert refused(kibitz("catan", "show", record, "--turn", 7)) == "--turn 7: the game has turns 0 to 6"
    steps = len(next(iter(read(record))).codes)
    assert refused(kibitz("catan", "show", record, "--at", steps + 1)) == f"--at {steps + 1}: the game has steps 0 to {steps}"
    assert refused(kibitz("catan", "show", record, "--at", 3, "--turn", 1)).startswith("--turn and --at: ")
    (tmp_path / "file").touch()
    assert refused(kibitz("catan", "show", record, "--svg", tmp_path / "file" / "below.svg")).startswith(
        f"{tmp_path}/file/below"
    )


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["catan", "simulate", "--games", "0"], "--games: "),
        (["catan", "simulate", "--games", "x"], "--games: "),
        (["catan", "simulate", "--jobs", "0"], "--jobs: "),
        (["catan", "simulate", "--nonsense"], "--nonsense"),
        (["catan", "simulate", "--seed"], "'--seed' requires an argument"),
        (["catan", "simulate", "extra"], "unexpected extra argument"),
        (["catan", "show"], "missing argument 'RECORD'"),
        (["catan", "dance"], "no such command 'dance'"),
        (["track"], "missing argument 'LOG'"),
        (["--nonsense"], "--nonsense"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_line_that_cannot_be_read_is_refused_in_one_line(kibitz, arguments, words):
    error = refused(kibitz(*arguments))
    assert words in error
    assert re.search(r"\(see kibitz [\w ]*--help\)$", error)


# --- the program itself ---------------------------------------------------------------------------------------


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "kibitz.cli", *arguments], capture_output=True, text=True, check=False)


def test_errors_leave_no_traceback():
    done = program("catan", "replay", "/nowhere.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "kibitz: /nowhere.jsonl: no such file\n")


def test_an_interrupt_leaves_no_traceback(tmp_path):
    command = [
        sys.executable,
        "-m",
        "kibitz.cli",
        "catan",
        "simulate",
        "--games",
        "1000000",
        "--record",
        str(tmp_path / "games.jsonl"),
    ]
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, preexec_fn=interruptible)  # noqa: PLW1509
    partial = f".games.jsonl.{running.pid}.partial"
    for _ in range(600):
        if (tmp_path / partial).exists():
            break
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert "Traceback" not in out + err
    kept = [file.name for file in tmp_path.iterdir()]
    if "stopped before the first game was finished" in err:
        assert (running.returncode, kept) == (2, [])
    else:
        assert "of 1,000,000 games; these are kept" in err
        assert (running.returncode, kept) == (0, ["games.jsonl"])


HEAVY = """
import sys
from kibitz import cli
sys.argv = ["kibitz", *sys.argv[1:]]
try:
    cli.main()
except SystemExit as left:
    heavy = [name for name in ("numba", "numpy", "llvmlite", "kibitz.ground.jit") if name in sys.modules]
    print("HEAVY", left.code, heavy)
"""


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--help"], 0), (["catan", "--help"], 0), (["catan", "simulate", "--help"], 0), (["--version"], 0), (["catan"], 2)],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_help_answers_without_loading_the_compiler(arguments, code):
    done = subprocess.run(
        [sys.executable, "-c", HEAVY, *arguments], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert done.stdout.splitlines()[-1] == f"HEAVY {code} []"

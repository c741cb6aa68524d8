"""No command writes over what somebody may need, and what was played is there after Ctrl-C or a kill."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.play import series
from tests.cli.results import refused

SERIES = ("coup", "simulate", "--games", "30", "--seed", "4", "--policy", "heuristic")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_export_does_not_write_over_the_record_that_it_reads(kibitz, tmp_path):
    kibitz("catan", "simulate", "--rule", "max_turns=9", "--record", "game.jsonl")
    before = Path("game.jsonl").read_bytes()
    for force in ([], ["--force"]):
        assert "is the file being read" in refused(kibitz("export", "game.jsonl", "game.jsonl", *force))
    assert Path("game.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ["show", "catan", "game.jsonl", "--svg"],
        ["tree", "catan", "game.jsonl", "--at", "4", "--out"],
        ["analyze", "game.jsonl", "--at", "4", "--rollouts", "1", "--svg"],
        ["catan", "review", "game.jsonl", "--save"],
        ["export", "game.jsonl"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_no_command_writes_over_the_file_that_it_reads_by_whatever_name(kibitz, tmp_path, command):
    kibitz("catan", "simulate", "--rule", "max_turns=9", "--record", "game.jsonl")
    before = Path("game.jsonl").read_bytes()
    Path("linked.jsonl").symlink_to("game.jsonl")
    Path("also.jsonl").hardlink_to("game.jsonl")
    for name in ("game.jsonl", "linked.jsonl", "also.jsonl", tmp_path / "game.jsonl"):
        assert "is the file being read; choose another one" in refused(kibitz(*command, name, "--force"))
    assert Path("game.jsonl").read_bytes() == before


def test_a_log_is_not_imported_into_one_file_twice(kibitz):
    chat = Path(__file__).parents[2] / "examples" / "chat.txt"
    told = refused(kibitz("import", chat, "--record", "game.jsonl", "--events", "./game.jsonl"))
    assert told == "game.jsonl: name two different files for --record and --events"
    assert not Path("game.jsonl").exists()


def test_a_file_that_holds_something_else_is_replaced_only_by_force(kibitz):
    Path("notes.txt").write_text("buy milk\n")
    assert "holds something else; use --force" in refused(kibitz(*SERIES, "--record", "notes.txt"))
    assert Path("notes.txt").read_text() == "buy milk\n"
    assert kibitz(*SERIES, "--record", "notes.txt", "--force")[0] == 0
    assert kibitz(*SERIES, "--record", "notes.txt")[0] == 0  # a record by a record
    assert Path("notes.txt").read_text().startswith('{"record": "coup"')


def test_a_game_that_was_left_is_not_replaced_by_a_new_one(kibitz):
    play = ("coup", "play", "--bots", "random", "--seed", "1", "--record", "mine.jsonl")
    kibitz(*play, typed="1\nq\n")
    left = Path("mine.jsonl").read_bytes()
    assert "--resume mine.jsonl, or replace it with --force" in refused(kibitz(*play, typed="q\n"))
    assert "holds an unfinished game" in refused(kibitz(*SERIES, "--record", "mine.jsonl"))
    assert Path("mine.jsonl").read_bytes() == left
    assert kibitz(*play, "--force", typed="q\n")[0] == 0


def test_a_game_in_the_terminal_is_on_disk_after_every_turn_and_can_be_taken_up(kibitz, tmp_path):
    command = [sys.executable, "-m", "kibitz", "coup", "play", "--bots", "random", "--seed", "1"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=os.environ.copy(), text=True
    ) as player:
        player.stdin.write("1\n")
        player.stdin.flush()
        kept: list[Path] = []
        began = time.monotonic()
        while not kept and time.monotonic() - began < 60:
            kept = [*(tmp_path / "data" / "under way").glob("coup-*.jsonl")]
            time.sleep(0.05)
        player.send_signal(signal.SIGKILL)
    assert "--resume" in kibitz("coup", "play", "--bots", "random", typed="q\n")[1]
    code, out, _ = kibitz("coup", "play", "--resume", kept[0], typed="q\n")
    assert code == 0
    assert "Go on: kibitz play coup --resume" in out


@pytest.fixture
def heeded():
    """Ctrl-C counts, even where the tests run in the background of a shell, which lets them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("record", [[], ["--record", "games.jsonl"]], ids=["summed up", "recorded"])
def test_ctrl_c_keeps_the_games_that_are_over(kibitz, monkeypatch, heeded, record):
    played = series.play_plan

    def interrupted(plan, *, until, progress, **how):
        heard = []

        def told(games: int) -> None:
            progress(games)
            heard.append(games)
            if sum(heard) >= 5 and not until():
                os.kill(os.getpid(), signal.SIGINT)

        return played(plan, until=until, progress=told, **how)

    monkeypatch.setattr(series, "play_plan", interrupted)
    code, out, err = kibitz("coup", "simulate", "--games", "40000", "--policy", "heuristic", *record)
    assert code == 0
    kept = int(err.split("stopped after ")[1].split(" of 40,000")[0].replace(",", ""))
    assert 5 <= kept < 40_000
    assert out.startswith(f"{kept:,} games, 2 players")
    if record:
        assert f"{kept:,} games" in kibitz("coup", "replay", "games.jsonl")[1]


@pytest.mark.parametrize("more", [[], ["--one-against"], ["--json"]], ids=["all tables", "one against", "json"])
def test_ctrl_c_in_a_tournament_keeps_the_games_that_are_over(kibitz, monkeypatch, heeded, more):
    played = series.play_plan
    tables = []

    def interrupted(plan, **how):
        tables.append(plan)
        if len(tables) == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return played(plan, **how)

    monkeypatch.setattr(series, "play_plan", interrupted)
    command = ("coup", "tournament", "--players", "honest,random,heuristic", "--seats", 2, "--games", 600_000, *more)
    code, out, err = kibitz(*command)
    assert code == 0
    kept = int(err.split("stopped after ")[1].split(" of 600,000")[0].replace(",", ""))
    assert 0 < kept < 600_000
    if more == ["--json"]:
        assert json.loads(out)["games"] == kept
    elif more:
        assert " games from each seat" in out
    else:
        assert out.startswith(f"{kept:,} games, 6 tables of 2")


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_after_a_kill_the_same_command_takes_up_what_is_there(kibitz, tmp_path, monkeypatch, gone, name):
    whole = kibitz(*SERIES, "--record", name)
    packed = Path(name).read_bytes()
    text = (gzip.decompress(packed) if name.endswith(".gz") else packed).decode()
    part = text[: len(text) * 2 // 3].encode()
    left = tmp_path / f".{name}.{gone}.partial"
    left.write_bytes(gzip.compress(part)[:-9] if name.endswith(".gz") else part)
    Path(name).unlink()
    played = []
    again = series.recorded_games

    def counted(what, jobs=None):
        for one in again(what, jobs):
            played.append(one)
            yield one

    monkeypatch.setattr(series, "recorded_games", counted)
    assert kibitz(*SERIES, "--record", name)[1].split("\n")[:7] == whole[1].split("\n")[:7]
    assert Path(name).read_bytes() == packed
    assert not left.exists()
    assert 0 < len(played) < 15


def test_a_seat_from_which_nobody_has_played_has_no_win_rate(kibitz, monkeypatch, heeded):
    played = series.play_plan
    tables = []

    def interrupted(plan, **how):
        tables.append(plan)
        if len(tables) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return played(plan, **how)

    monkeypatch.setattr(series, "play_plan", interrupted)
    code, out, _ = kibitz("coup", "tournament", "--players", "honest,random", "--seats", 2, "--games", 600, "--one-against")
    assert code == 0
    assert "0 to 1 games from each seat" in out
    assert out.splitlines()[2] in ("by seat: 0.0 %, -", "by seat: 100.0 %, -")


@pytest.mark.parametrize(
    "damage", [b"\0" * 500, b"\xff\xfe\n", b'{"step": \n', b"{}\n", b"null\n"], ids=["zeros", "bytes", "half", "empty", "null"]
)
@pytest.mark.parametrize("between_games", [True, False], ids=["between games", "in a game"])
def test_what_a_power_cut_has_damaged_is_taken_up_as_far_as_it_is_whole(kibitz, tmp_path, gone, damage, between_games):
    kibitz(*SERIES, "--record", "games.jsonl")
    whole = Path("games.jsonl").read_bytes()
    lines = whole[: len(whole) // 2].splitlines(keepends=True)[:-1]
    last = max(number for number, line in enumerate(lines) if line.startswith(b'{"end"'))
    left = tmp_path / f".games.jsonl.{gone}.partial"
    left.write_bytes(b"".join(lines[: last + 1 if between_games else last]) + damage + b"".join(lines[last:]))
    Path("games.jsonl").unlink()
    assert kibitz(*SERIES, "--record", "games.jsonl")[0] == 0
    assert Path("games.jsonl").read_bytes() == whole
    assert not left.exists()


def test_what_another_run_left_is_named_and_discarded_only_by_force(kibitz, tmp_path, gone):
    kibitz(*SERIES, "--record", "games.jsonl")
    left = tmp_path / f".games.jsonl.{gone}.partial"
    Path("games.jsonl").rename(left)
    other = ("coup", "simulate", "--games", "3", "--seed", "5", "--record", "games.jsonl")
    assert str(left) in refused(kibitz(*other))
    assert left.exists()
    assert kibitz(*other, "--force")[0] == 0
    assert not left.exists()

"""kibitz track, import and export: what they print and write, and one clear line for what the user can mend."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from kibitz.catan import Board, Rules, logs
from kibitz.catan.core.events import Build, Cards, Discard, EndTurn, EventLog, Gain, Offer, Roll, Steal, read_log
from kibitz.catan.core.record import check, simulate
from kibitz.catan.core.transcript import events_of
from tests.catan.logs.writers import WRITERS, write
from tests.cli.results import done, refused
from tests.cli.test_catan import interruptible

Run = Callable[..., tuple[int, str, str]]
#: Short enough to be played without the compiler, too.
RECORD = simulate(Board.random(1), ["builder"] * 3, 1, Rules(max_turns=40))
CHAT = Path(__file__).parents[2] / "examples" / "chat.txt"
#: What the bots of the record are called.
NAMES = ("Ann", "Bob", "Cid")
ANN, BOB, CEM = range(3)
STORY = EventLog(
    ("Ann", "Bob", "Cem"),
    (Roll(ANN, 8, {ANN: Cards(wood=3, ore=1)}), EndTurn(ANN), Roll(BOB, 7), Steal(BOB, ANN), EndTurn(BOB)),
)


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, columns=200)


@pytest.fixture
def record(tmp_path) -> Path:
    return lines_into(tmp_path / "game.jsonl", RECORD.lines())


@pytest.fixture
def story(tmp_path) -> Path:
    return lines_into(tmp_path / "story.jsonl", STORY.lines())


def lines_into(path: Path, lines) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def rows(out: str) -> dict[str, list[str]]:
    """The lines of the first table by their first word."""
    found: dict[str, list[str]] = {}
    for line in out.splitlines():
        words = re.split(r"\s{2,}", line.strip())
        if len(words) > 1:
            found.setdefault(words[0], words[1:])
    return found


# --- track ----------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_track_shows_hands_bank_open_steals_and_dice(kibitz, story):
    out = done(kibitz("track", story))
    assert "after event 5 of 5, turn 3: 2 possible worlds" in out
    found = rows(out)
    assert found["player"] == ["cards", "wood", "brick", "sheep", "wheat", "ore", "known", "points"]
    assert found["Ann"][:2] == ["3", "2 75 %"]
    assert found["Bob"][:2] == ["1", "1 75 %"]
    assert found["Cem"][:7] == ["0", "0", "0", "0", "0", "0", "100 %"]
    assert found["bank"][:5] == ["16", "19", "19", "19", "18"]
    assert "steals that nobody saw" in out
    assert re.search(r"s4\s+Bob\s+Ann\s+2\s+75 %\s+-\s+-\s+-\s+25 %", out)
    assert "dice: 2 rolls" in out
    assert re.search(r"^\s*7\s+1\s+0\.3\s+#", out, re.MULTILINE)
    assert "approximate" not in out


@pytest.mark.plain
def test_track_reads_a_record_as_a_spectator_or_as_a_player(kibitz, record):
    out = done(kibitz("track", record))
    assert "(you)" not in out
    mine = done(kibitz("track", record, "--me", "Bob"))
    assert re.search(r"Bob \(builder\) \(you\).*100 %", mine)


@pytest.mark.plain
def test_track_and_export_call_bots_as_the_pages_do(kibitz, tmp_path):
    record = tmp_path / "game.jsonl"
    seats = ("you", "random", "bots/careful.py:Careful")
    record.write_text("\n".join(replace(RECORD, seats=seats).lines()), encoding="utf-8")
    out = done(kibitz("track", record))
    assert {"You", "Bob (random)", "Cid (bots/careful.…)"} <= rows(out).keys()
    assert "careful" not in out.partition("steals")[2]
    log = tmp_path / "chat.txt"
    done(kibitz("export", record, log))
    found = json.loads(done(kibitz("track", log, "--json")))
    assert [player["name"] for player in found["players"]] == ["You", "Bob", "Cid"]


@pytest.mark.parametrize("format", WRITERS)
def test_track_reads_every_format(kibitz, record, tmp_path, format):
    log = tmp_path / "game.log"
    if format in logs.WRITERS:
        assert done(kibitz("export", record, log, "--format", format)) == f"written: {log}\n"
    else:
        log.write_text(write(RECORD, format, players=NAMES))
    found = json.loads(done(kibitz("track", log, "--json")))
    assert found["format"] == format
    assert [player["name"] for player in found["players"]] == [*NAMES]
    assert (found["problems"], found["repairs"], found["approximate"]) == ([], [], False)
    expected = json.loads(done(kibitz("track", record, "--json")))
    for one, other in zip(found["players"], expected["players"], strict=True):
        assert one["cards"]["expected"] == pytest.approx(other["cards"]["expected"])


@pytest.mark.plain
def test_track_as_json_has_everything(kibitz, story):
    found = json.loads(done(kibitz("track", story, "--json")))
    assert list(found) == [
        "format",
        "events",
        "turn",
        "observer",
        "worlds",
        "players",
        "bank",
        "steals",
        "dice",
        "approximate",
        "error_bound",
        "repairs",
        "incomplete",
        "missing",
        "problems",
    ]
    assert (found["format"], found["events"], found["worlds"]) == ("kibitz", 5, 2)
    assert found["steals"][0]["odds"] == pytest.approx({"wood": 3 / 4, "ore": 1 / 4})


@pytest.mark.plain
def test_track_stops_at_an_event(kibitz, story):
    assert "after event 3 of 5, turn 2: 1 possible world" in done(kibitz("track", story, "--at", 3))
    assert json.loads(done(kibitz("track", story, "--at", 0, "--json")))["events"] == 0
    assert refused(kibitz("track", story, "--at", 6)) == "--at 6: the log has 5 events"


@pytest.mark.plain
def test_track_shows_the_ladder(kibitz, story):
    out = done(kibitz("track", story, "--ladder"))
    assert "chances of 1 or more, 2 or more ... cards" in out
    table = out[out.index("chances") :]
    assert re.search(r"Ann +sure +none +none +none +75 %\n +sure *\n +25 %", table)


@pytest.mark.plain
def test_track_shows_the_likeliest_worlds_and_where_stolen_cards_can_be(kibitz, story):
    out = done(kibitz("track", story, "--worlds", 1))
    assert "the most likely 1 of 2 possible worlds" in out
    worlds = out[out.index("the most likely") :]
    assert re.search(r"75 % +Ann +2 +0 +0 +0 +1 +s4 wood *\n +Bob +1 +0 +0 +0 +0 *\n +Cem +0 +0 +0 +0 +0", worlds)
    assert re.search(r"s4 +wood +75 % +Ann sure · Bob sure", worlds)
    assert re.search(r"s4 +ore +25 % +Bob sure", worlds)
    assert "the most likely 2 of 2 possible worlds" in done(kibitz("track", story, "--worlds", 9))
    assert "carriers" not in json.loads(done(kibitz("track", story, "--json")))
    found = json.loads(done(kibitz("track", story, "--worlds", 1, "--json")))
    assert (found["worlds"], [world["steals"] for world in found["likeliest"]]) == (2, [{"s4": {"wood": 1.0}}])
    assert [card["resource"] for card in found["carriers"]] == ["wood", "ore"]


def test_worlds_of_many_names_and_steals_fit_a_terminal(kibitz):
    out = done(kibitz("track", CHAT, "--at", 337, "--worlds", 5, columns=80))
    assert "the most likely 5 of 50 possible worlds" in out
    assert max(map(len, out.splitlines())) <= 80
    assert not re.search(r"^\s*%", out, re.MULTILINE)  # no figure is broken


@pytest.mark.plain
def test_a_steal_is_resolved_by_hand(kibitz, story):
    out = done(kibitz("track", story, "--resolve", "s4=ore"))
    assert "1 possible world" in out
    assert rows(out)["Bob"][:6] == ["1", "0", "0", "0", "0", "1"]
    (steal,) = json.loads(done(kibitz("track", story, "--resolve", "s4=ore", "--json")))["steals"]
    assert (steal["id"], steal["event"], steal["resolved"], steal["by_hand"]) == ("s4", 3, "ore", True)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("s4", "expected a steal and its card, as in s12=ore"),
        ("s3=ore", "there is no steal 's3'; these are s4"),
        ("s4=gold", "'gold': not a resource; these are wood, brick, sheep, wheat, ore"),
        ("s4=brick", "steal s4 cannot have been brick; possible: wood, ore"),
    ],
)
def test_a_wrong_resolution_is_refused_in_one_line(kibitz, story, typed, message):
    assert refused(kibitz("track", story, "--resolve", typed)) == f"--resolve {typed}: {message}"


@pytest.mark.plain
def test_the_settings_of_the_tracker_are_options(kibitz, tmp_path):
    events = Gain(ANN, Cards(4, 3, 2, 1)), Steal(BOB, ANN), Discard(ANN, count=4)
    log = lines_into(tmp_path / "log", EventLog(("Ann", "Bob", "Cem"), events).lines())
    whole = json.loads(done(kibitz("track", log, "--json")))
    assert (whole["error_bound"], whole["worlds"] > 20) == (0.0, True)
    for option in (("--max-worlds", 3), ("--prune-threshold", 0.05)):
        few = json.loads(done(kibitz("track", log, "--json", *option)))
        assert few["worlds"] < whole["worlds"]
        assert few["approximate"] is True
        assert few["error_bound"] > 0
    out = done(kibitz("track", log, "--max-worlds", 3))
    assert "the chances are estimates" in out  # so few worlds say nothing about the others
    assert "off by" not in out
    assert "percentage point" in done(kibitz("track", log, "--max-worlds", 20))
    assert json.loads(done(kibitz("track", log, "--json", "--memory", 1))) == whole
    bundles = json.loads(done(kibitz("track", log, "--json", "--hidden-discards", "bundles")))
    assert bundles["worlds"] == whole["worlds"]
    assert bundles["players"][ANN]["hand"] != whole["players"][ANN]["hand"]
    assert refused(kibitz("track", log, "--hidden-discards", "all")) == "--hidden-discards all: expected cards or bundles"
    assert refused(kibitz("track", log, "--prune-threshold", 1)) == "--prune-threshold 1: expected a probability below 1"


def test_track_shows_hidden_development_cards(kibitz, tmp_path, record):
    found = json.loads(done(kibitz("track", record, "--json")))
    out = done(kibitz("track", record))
    assert ("hidden development cards" in out) == any(player["dev_card_count"] for player in found["players"])


def test_a_window_from_the_middle_says_so_at_the_top(kibitz, tmp_path):
    log = tmp_path / "chat.txt"
    log.write_text("Ann rolled 5 1\nBob got wool\n<hr>\nBob rolled 2 2\nBob built a road\nBob waved\nAnn waved\n")
    out = done(kibitz("track", log))
    first, table = out.index("the log begins in the middle of the game"), out.index("after event")
    assert first < table
    assert out.index("2 lines of the log could not be read") < table
    assert "not a sentence of the game log: Bob waved (2 times) (skipped)" in " ".join(out.split())
    assert "100 %" not in out
    assert "0+" in out  # points from before are not known
    found = json.loads(done(kibitz("track", log, "--json")))
    assert (found["incomplete"], found["approximate"]) == (True, True)
    assert found["missing"].startswith("the log begins in the middle of the game")
    assert found["problems"] == [
        {"line": 6, "reason": "not a sentence of the game log", "text": "Bob waved", "count": 2},
    ]
    assert all(player["confidence"] < 1 and player["cards"]["min"] < player["cards"]["max"] for player in found["players"])


@pytest.mark.plain
def test_a_settled_steal_stays_with_its_card_and_the_event_that_proved_it(kibitz, tmp_path):
    events = Gain(ANN, Cards(wood=1, ore=1)), Steal(BOB, ANN), Steal(CEM, ANN), Offer(BOB, Cards(ore=1), Cards(brick=1))
    log = lines_into(tmp_path / "log", EventLog(("Ann", "Bob", "Cem"), events).lines())
    out = done(kibitz("track", log))
    for id, thief, card in (("s2", "Bob", 4), ("s3", "Cem", 0)):
        cells = next(line for line in out.splitlines() if line.startswith(f"{id} ")).split()
        assert cells[:3] == [id, thief, "Ann"]
        assert [n for n, cell in enumerate(cells[4:9]) if cell == "sure"] == [card]
        assert cells[9:] == ["event", "4"]


@pytest.mark.plain
def test_a_hand_of_one_card_that_may_be_any_is_not_five_zeros(kibitz, tmp_path):
    events = Gain(ANN, Cards(1, 1, 1, 1, 1)), Steal(BOB, ANN)
    log = lines_into(tmp_path / "log", EventLog(("Ann", "Bob", "Cem"), events).lines())
    row = next(line for line in done(kibitz("track", log)).splitlines() if line.startswith("Bob "))
    assert row.split()[1:17] == ["1", *["1", "20", "%"] * 5]


@pytest.mark.plain
def test_track_mends_a_contradiction_and_says_so(kibitz, tmp_path):
    log = lines_into(tmp_path / "log", EventLog(("Ann", "Bob"), (Gain(0, Cards(wood=1)), Build(0, "road"))).lines())
    out = done(kibitz("track", log))
    assert "line 3: event 2 (Ann built a road) is impossible: it needs at least 1 brick with Ann; possible: 0 brick" in out
    assert "(repaired with 1 unknown card)" in out
    assert "The figures are approximate: the log contradicts itself" in out
    found = json.loads(done(kibitz("track", log, "--json")))
    assert found["approximate"] is True
    assert (found["repairs"][0]["event"], found["repairs"][0]["cards"]) == (1, 1)


@pytest.mark.plain
def test_strict_stops_at_a_contradiction_with_line_and_event(kibitz, tmp_path):
    events = EventLog(("Ann", "Bob"), (Gain(0, Cards(wood=1)), Build(0, "road"))).lines()
    log = lines_into(tmp_path / "log", ["", *events])
    assert refused(kibitz("track", log, "--strict")) == (
        f"{log}: line 4: event 2 (Ann built a road) is impossible: it needs at least 1 brick with Ann; possible: 0 brick"
    )


@pytest.mark.plain
def test_unreadable_lines_are_told_and_with_strict_an_error(kibitz, story):
    story.write_text(story.read_text() + "garbage\n")
    out = done(kibitz("track", story))
    assert "kibitz: line 7: " in out
    assert "garbage (skipped)" in out
    assert json.loads(done(kibitz("track", story, "--json")))["problems"][0]["line"] == 7
    assert refused(kibitz("track", story, "--strict")).startswith(f"{story}: line 7: ")


def test_odd_names_do_no_harm(kibitz, tmp_path):
    names = ("[bold]Ann[/bold]", "李\x1b[31m", "x" * 300)
    log = lines_into(tmp_path / "log", EventLog(names, STORY.events).lines())
    out = done(kibitz("track", log, "--ladder"))
    assert "[bold]Ann[/bold]" in out
    assert "\x1b[31m" not in out
    assert "x" * 21 not in out


# --- what the user can mend -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["track", "import"])
def test_files_that_are_no_logs_are_refused_in_one_line(kibitz, tmp_path, command):
    file = tmp_path / "file"
    assert refused(kibitz(command, tmp_path)) == f"{tmp_path}: is a folder"
    assert refused(kibitz(command, file)) == f"{file}: no such file"
    for data in (b"", b"hello\n", b"{}", b"[1, 2]", b"<html></html>"):
        file.write_bytes(data)
        assert refused(kibitz(command, file)).startswith(f"{file}: line 1: no known format of game logs")
    for data in (b"\xff\x00\xfe" * 50, b"\x1f\x8b\x08broken"):
        file.write_bytes(data)
        assert refused(kibitz(command, file)).startswith(f"{file}: line 1: the file is damaged, or not text in UTF-8")


@pytest.mark.parametrize("command", ["track", "import"])
def test_unknown_formats_and_players_are_refused(kibitz, story, command):
    assert refused(kibitz(command, story, "--format", "chess")).startswith("--format chess: expected kibitz, colonist-replay,")
    assert (
        refused(kibitz(command, story, "--me", "Zoe"))
        == f"{story}: line 1: there is no player 'Zoe'; the players are Ann, Bob, Cem"
    )


@pytest.mark.plain
def test_wrong_targets_and_seats_of_an_export_are_refused(kibitz, record, story, tmp_path):
    out = tmp_path / "out"
    assert refused(kibitz("export", record, out, "--format", "chess")) == "--format chess: expected kibitz or colonist-text"
    assert refused(kibitz("export", record, out, "--seat", 4)) == "--seat 4: the seats are 1 to 3"
    assert refused(kibitz("export", record, out, "--game", 1)).endswith("there is no game 1; the file holds 1")
    assert "line 1" in refused(kibitz("export", story, out))
    assert "no folder" in refused(kibitz("export", record, tmp_path / "no" / "out"))
    assert "is not a file" in refused(kibitz("export", record, tmp_path))
    assert not out.exists()


def test_a_packed_log_is_read(kibitz, story, tmp_path):
    packed = tmp_path / "log.gz"
    packed.write_bytes(gzip.compress(story.read_bytes()))
    assert done(kibitz("track", packed, "--json")) == done(kibitz("track", story, "--json"))


# --- import and export ----------------------------------------------------------------------------------------


@pytest.mark.plain
def test_import_describes_a_log_and_writes_its_events(kibitz, record, tmp_path):
    events = tmp_path / "events.jsonl"
    out = done(kibitz("import", record, "--events", events, "--me", "Cid"))
    log = events_of(RECORD, 2, players=NAMES)
    assert out == (
        f"{record}: kibitz, 3 players (Ann, Bob, Cid), "
        f"{len(log.events):,} events as Cid saw them, with the board\nwritten: {events}\n"
    )
    assert read_log(events.read_text(encoding="utf-8").splitlines()) == log
    packed = tmp_path / "events.jsonl.gz"
    done(kibitz("import", record, "--events", packed))
    assert read_log(gzip.decompress(packed.read_bytes()).decode().splitlines()) == events_of(RECORD, players=NAMES)


@pytest.mark.parametrize("format", ["kibitz", "colonist-replay", "jsettlers"])
def test_import_writes_a_record_that_replays(kibitz, record, tmp_path, format):
    source = record
    if format != "kibitz":
        source = tmp_path / "log"
        source.write_text(write(RECORD, format))
    target = tmp_path / "again.jsonl"
    assert f"written: {target}\n" in done(kibitz("import", source, "--record", target))
    assert kibitz("catan", "replay", target)[0] == 0
    (again,) = check(target.read_text().splitlines())
    wanted, found = (events_of(one, all_seeing=True).events for one in (RECORD, again))
    assert [event for event in found if isinstance(event, (Build, Roll))] == [
        event for event in wanted if isinstance(event, (Build, Roll))
    ]


@pytest.mark.plain
def test_import_refuses_a_record_of_what_one_observer_saw(kibitz, story, tmp_path):
    target = tmp_path / "out.jsonl"
    code, out, err = kibitz("import", story, "--record", target)
    assert code == 2
    assert out.startswith(f"{story}: kibitz, 3 players")
    assert err == f"kibitz: {story}: line 1: this kibitz log holds no board: it cannot become a record\n"
    assert not target.exists()


@pytest.mark.plain
def test_import_tells_problems_on_standard_error(kibitz, story):
    story.write_text(story.read_text() + "garbage\n")
    code, out, err = kibitz("import", story)
    assert code == 0
    assert "5 events as a spectator saw them" in out
    assert err.startswith(f"kibitz: {story}: line 7: ")
    assert err.endswith("garbage (skipped)\n")
    assert err.count("\n") == 1


@pytest.mark.plain
def test_export_as_a_player_saw_it(kibitz, record, tmp_path):
    log = tmp_path / "log"
    done(kibitz("export", record, log, "--format", "kibitz", "--seat", 2))
    assert read_log(log.read_text(encoding="utf-8").splitlines()) == events_of(RECORD, 1, players=NAMES)


def test_export_takes_one_game_of_a_file(kibitz, record, tmp_path):
    other = simulate(Board.random(5), ["random", "builder"], 5, Rules(max_turns=3), number=1)
    lines_into(record, [*RECORD.lines(), *other.lines()])
    log = tmp_path / "log"
    done(kibitz("export", record, log, "--format", "kibitz", "--game", 1))
    assert read_log(log.read_text(encoding="utf-8").splitlines()) == events_of(other, players=NAMES[:2])


def test_the_default_format_of_an_export_is_the_text_of_the_chat(kibitz, record, tmp_path):
    log = tmp_path / "log"
    done(kibitz("export", record, log))
    assert json.loads(done(kibitz("track", log, "--json")))["format"] == "colonist-text"


# --- follow ---------------------------------------------------------------------------------------------------


class Followed:
    """A program that follows a file, and the lines that it prints."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "kibitz.cli", "track", "--follow", *map(str, arguments)]
        environment = {**os.environ, "COLUMNS": "200"}
        self.program = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            encoding="utf-8",
            preexec_fn=interruptible,  # noqa: PLW1509
        )

    def until(self, text: str) -> str:
        assert self.program.stdout is not None
        for line in self.program.stdout:
            if text in line:
                return line
        raise AssertionError(f"it ended: {self.program.stderr.read() if self.program.stderr else ''}")

    def stop(self) -> tuple[int, str]:
        self.program.send_signal(signal.SIGINT)
        out, err = self.program.communicate(timeout=60)
        return self.program.returncode, out + err


@pytest.fixture
def followed():
    programs: list[Followed] = []

    def start(*arguments: object) -> Followed:
        programs.append(Followed(*arguments))
        return programs[-1]

    yield start
    for followed in programs:
        if followed.program.poll() is None:
            followed.program.kill()
        followed.program.communicate()


def test_follow_prints_a_line_of_json_whenever_the_file_has_grown(followed, tmp_path):
    header, *lines = STORY.lines()
    log = lines_into(tmp_path / "log", [header, *lines[:1]])
    program = followed(log, "--json")
    assert json.loads(program.until("{"))["events"] == 1
    with log.open("a") as stream:
        stream.write("".join(f"{line}\n" for line in lines[1:4]))
    found = json.loads(program.until("{"))
    while found["events"] < 4:  # it may have looked while the lines were written
        found = json.loads(program.until("{"))
    assert found["steals"][0]["resolved"] is None
    code, rest = program.stop()
    assert code in (0, 130)
    assert "Traceback" not in rest


def test_follow_prints_the_tables_again_and_ends_quietly(followed, tmp_path):
    header, *lines = STORY.lines()
    log = lines_into(tmp_path / "log", [header, lines[0]])
    program = followed(log)
    program.until("after event 1 of 1")
    time.sleep(0.01)  # so that the time of the file differs
    lines_into(log, [header, *lines])
    program.until("after event 5 of 5")
    code, rest = program.stop()
    assert code in (0, 130)
    assert "Traceback" not in rest


def test_follow_of_a_file_that_is_not_there_is_refused(followed, tmp_path):
    program = followed(tmp_path / "log").program
    out, err = program.communicate(timeout=60)
    assert (program.returncode, out) == (2, "")
    assert err == f"kibitz: {tmp_path / 'log'}: no such file\n"


@pytest.mark.parametrize("start", [b"", b"{header}\n", b"{header}\n{line}\n\xc3"], ids=["empty", "header", "half"])
def test_follow_waits_while_the_file_is_being_written(followed, tmp_path, start):
    """Somebody starts to follow when the log is still empty, or a letter is only half written."""
    header, *lines = STORY.lines()
    log = tmp_path / "log"
    log.write_bytes(start.replace(b"{header}", header.encode()).replace(b"{line}", lines[0].encode()))
    program = followed(log, "--json")
    time.sleep(1.5)
    lines_into(log, STORY.lines())
    while json.loads(program.until("{"))["events"] < 5:
        pass
    assert program.stop()[0] in (0, 130)

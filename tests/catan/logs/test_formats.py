"""Logs of any format: their content tells which, files may be packed, and our own files are logs too."""

import gzip
import json
import pickle
from dataclasses import replace
from functools import cache

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core.events import EventLog, Roll, Steal, Win, read_log
from kibitz.catan.core.record import Record, check, simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import FORMATS, LogError, Problem, read, read_path, recognise
from tests.catan.logs.writers import WRITERS, write

NAMES = ["Ann", "Bob", "Cem"]
#: What the bots of the record are called.
CALLED = ("Ann", "Bob", "Cid")


@cache
def recorded() -> Record:
    return simulate(Board.random(1), ["builder"] * 3, 1)


@cache
def written(format: str, observer: int | None = None) -> str:
    return write(recorded(), format, observer)


def record_text() -> str:
    return "\n".join(recorded().lines()) + "\n"


# --- detection ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", WRITERS)
def test_what_we_write_is_recognised_by_its_content(format):
    assert recognise(written(format)) == format
    assert recognise("\n\n" + written(format)) == format


@pytest.mark.parametrize("format", WRITERS)
def test_a_given_format_reads_as_the_recognised_one(format):
    assert read(written(format), format=format) == read(written(format))


def test_records_and_event_files_are_ours():
    assert recognise(record_text()) == recognise("\n".join(events_of(recorded()).lines())) == "kibitz"


@pytest.mark.plain
@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "hello world",
        "{}",
        "[]",
        "null",
        "{" * 10_000,
        "[" * 10_000,
        "\x00\x01",
        "\ud800",
        '{"a": 1}\n{"b": 2}',
        "<p>hi</p>",
    ],
    ids=range(12),
)
def test_what_is_no_log_is_refused(text):
    with pytest.raises(LogError, match="line 1: no known format of game logs; these are kibitz, colonist-replay"):
        recognise(text)
    with pytest.raises(LogError):
        read(text)


@pytest.mark.parametrize("format", list(FORMATS))
@pytest.mark.parametrize("text", ["", "\x00", "{", "[]", "null", "{}", "Player 1", "[" * 5000], ids=range(8))
def test_a_format_that_is_forced_upon_nonsense_fails_cleanly(format, text):
    try:
        events = read(text, format=format).log.events
    except LogError:
        events = ()
    assert not events


def test_an_unknown_format_is_named():
    with pytest.raises(LogError, match="format 'chess': expected one of kibitz, colonist-replay"):
        read("x", format="chess")
    with pytest.raises(LogError, match="format 'catanatron': expected one of kibitz, colonist-text"):
        write(recorded(), "catanatron")


# --- our own files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("observer", [None, 0, 2])
def test_an_event_file_reads_back(observer):
    found = read(written("kibitz", observer))
    assert found.log == events_of(recorded(), observer)
    assert found.lines == tuple(range(2, len(found.log.events) + 2))
    assert (found.format, found.problems, found.board, found.everything) == ("kibitz", (), None, None)


def test_a_record_is_the_log_of_a_spectator_or_of_the_player_who_is_named():
    found = read(record_text())
    assert found.log == events_of(recorded(), players=CALLED)
    assert found.board == recorded().board
    assert found.everything == events_of(recorded(), all_seeing=True).events
    for me in ("Bob", "bob", "Player 2"):
        assert read(record_text(), me=me).log == events_of(recorded(), 1, players=CALLED)
    with pytest.raises(LogError, match="there is no player 'Zoe'; the players are Ann, Bob, Cid"):
        read(record_text(), me="Zoe")
    with pytest.raises(LogError, match="there is no player 'builder'"):  # all three are one
        read(record_text(), me="builder")


@pytest.mark.plain
def test_the_players_of_a_record_are_called_as_on_the_pages():
    seats = ("you", "ismcts:300", "Player 1", "bots/mine.py:Mine")
    record = simulate(Board.random(1), ["random"] * 4, 1, Rules(max_turns=4))
    text = "\n".join(replace(record, seats=seats).lines())
    assert read(text).log.players == ("You", "Bob", "Player 1", "Dora")
    eyes = {"you": 0, "Bob": 1, "ismcts:300": 1, "Player 1": 2, "Dora": 3, "bots/mine.py:Mine": 3, "Player 4": 3}
    assert {me: read(text, me=me).log.observer for me in eyes} == eyes
    assert read(text).record().seats == seats


def test_a_record_becomes_a_record_of_the_same_game():
    again = read(record_text()).record()
    assert events_of(again, all_seeing=True) == events_of(recorded(), all_seeing=True)  # the cards of a discard have no order
    assert (again.board, again.rules, again.seats) == (recorded().board, recorded().rules, recorded().seats)
    assert list(check(again.lines())) == [again]


def test_what_one_observer_saw_does_not_become_a_record():
    with pytest.raises(LogError, match="this kibitz log holds no board: it cannot become a record"):
        read(written("kibitz")).record()


@pytest.mark.plain
def test_the_observer_of_an_event_file_can_be_named():
    text = "\n".join(EventLog(tuple(NAMES), (Roll(0, 6),)).lines())
    assert read(text).log.observer is None
    assert read(text, me="Bob").log.observer == 1
    with pytest.raises(LogError, match="there is no player 'Dan'; the players are Ann, Bob, Cem"):
        read(text, me="Dan")


@pytest.mark.plain
def test_lines_that_cannot_be_read_are_problems_or_with_strict_an_error():
    header, *lines = EventLog(tuple(NAMES), (Roll(0, 6), Steal(0, 1), Win(2))).lines()
    text = "\n".join([header, lines[0], "nonsense", "", lines[1], '{"event": "win", "player": 3}', lines[2]])
    found = read(text)
    assert found.log.events == (Roll(0, 6), Steal(0, 1), Win(2))
    assert found.lines == (2, 5, 7)
    assert [problem.line for problem in found.problems] == [3, 6]
    assert str(found.problems[1]) == 'line 6: win: there is no seat 3, only 0 to 2: {"event": "win", "player": 3}'
    with pytest.raises(LogError, match=r"^line 3: ") as caught:
        read(text, strict=True)
    assert (caught.value.line, pickle.loads(pickle.dumps(caught.value)).args) == (3, caught.value.args)


@pytest.mark.plain
def test_a_problem_without_a_text_is_its_reason():
    assert str(Problem(4, "it is odd", "")) == "line 4: it is odd"


def test_a_damaged_record_is_refused_with_its_line():
    lines = record_text().splitlines()
    lines[5] = "{"
    with pytest.raises(LogError, match=r"^line 6: "):
        read("\n".join(lines))
    with pytest.raises(LogError, match="breaks off"):
        read("\n".join(lines[:3]))
    with pytest.raises(LogError):
        read('{"record": "catan"}')


@pytest.mark.plain
def test_a_wrong_header_is_refused():
    with pytest.raises(LogError, match="line 2: version 7 of the format is unknown"):
        read('\n{"events": "catan", "version": 7, "players": ["A", "B"]}')
    with pytest.raises(LogError, match="the file is empty"):
        read("", format="kibitz")


def test_a_header_may_be_written_without_spaces():
    for text in (written("kibitz"), record_text()):
        header, _, rest = text.partition("\n")
        assert recognise(json.dumps(json.loads(header), separators=(",", ":")) + "\n" + rest) == "kibitz"


def test_names_with_odd_spaces_survive():
    log = EventLog(("Ann\u2028B", "C\x85D"), (Win(0),))
    assert read_log(log.lines()) == log
    assert read("\n".join(log.lines())).log == log


# --- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", WRITERS)
def test_files_may_be_packed_and_have_a_byte_order_mark(format, tmp_path):
    expected = read(written(format))
    data = written(format).encode()
    for name, content in (
        ("a.log", data),
        ("a.gz", gzip.compress(data)),
        ("packed.txt", gzip.compress(data)),
        ("wide.txt", data.decode().encode("utf-16")),
        ("bom", b"\xef\xbb\xbf" + data),
        ("dos", data.replace(b"\n", b"\r\n")),
    ):
        file = tmp_path / name
        file.write_bytes(content)
        found = read_path(file)
        assert (found.format, found.log) == (expected.format, expected.log), name


@pytest.mark.plain
@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", b"\x1f\x8b", b"\x1f\x8b\x08\x00broken", gzip.compress(b"\xff" * 9)], ids=range(4)
)
def test_a_damaged_file_is_refused(data, tmp_path):
    file = tmp_path / "log"
    file.write_bytes(data)
    with pytest.raises(LogError, match="line 1: the file is damaged, or not text in UTF-8"):
        read_path(file)


@pytest.mark.plain
def test_a_file_that_is_not_there_is_an_ordinary_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_path(tmp_path / "nowhere")


# --- writing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", WRITERS)
def test_every_writer_tells_the_same_hands(format):
    """Whatever a format cannot say, the tracker ends with the true number of cards in every hand."""
    from kibitz.catan.belief.hands import HandTracker

    found = read(written(format))
    assert not found.problems
    assert len(found.log.players) == 3
    assert found.log.events[-1] == Win(events_of(recorded()).events[-1].player)
    tracker = HandTracker(3)
    tracker.process_all(found.log.events)
    exact = HandTracker(3)
    exact.process_all(events_of(recorded()).events)
    for seat in range(3):
        assert tracker.total(seat).distribution == pytest.approx(exact.total(seat).distribution)


@pytest.mark.parametrize("format", ["kibitz", "colonist-text", "colonist-html", "colonist-frames"])
def test_an_observer_is_told_more_than_a_spectator(format):
    spectator, seat = read(written(format)), read(written(format, 1), me=None if format == "kibitz" else "Player 2")
    hidden = [event for event in spectator.log.events if isinstance(event, Steal) and event.resource is None]
    seen = [event for event in seat.log.events if isinstance(event, Steal) and event.resource is None]
    assert len(seen) < len(hidden)
    assert all(1 not in (event.player, event.victim) for event in seen)


@pytest.mark.parametrize("format", WRITERS)
def test_players_keep_their_names(format):
    text = write(simulate(Board.random(2), ["builder"] * 3, 2, Rules(max_turns=9)), format, None, NAMES)
    assert set(read(text).log.players) == set(NAMES)

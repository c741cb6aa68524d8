"""Logs that are too long for a game are refused before anybody spends time on them."""

import gzip
import multiprocessing

import pytest

from kibitz.catan import Board, logs
from kibitz.catan.core.events import EventLog
from kibitz.catan.core.record import simulate
from kibitz.catan.logs import LogError
from kibitz.catan.tracking.followed import Followed, InvalidGame, Source
from kibitz.compute.runtime import Runtime
from kibitz.web.services import Options
from tests.catan.logs.writers import write


@pytest.fixture(scope="module")
def game():
    return simulate(Board.beginner(), ["builder"] * 4, seed=3)


@pytest.mark.parametrize("line_end", ["\n", "\r", "\u2028"])
def test_a_log_of_too_many_lines(game, line_end):
    chat = write(game, "colonist-text", 0).replace("\n", line_end)
    with pytest.raises(LogError, match="at most 40,000 lines"):
        logs.read_bounded(chat * (1 + logs.MOST_LINES // 400))


def test_a_page_of_too_many_elements(game, monkeypatch):
    monkeypatch.setattr(logs, "MOST_TAGS", 300_000)
    page = write(game, "colonist-html", 0)
    assert logs.read_bounded(page).log.events
    with pytest.raises(LogError, match="at most 300,000 elements"):
        logs.read_bounded(page + "<div>" * 300_000)


def test_a_text_that_is_too_large(monkeypatch, tmp_path):
    """The same on a page and on the command line, packed or not."""
    assert logs.MOST_BYTES == Options().body == 64 << 20
    monkeypatch.setattr(logs, "MOST_BYTES", 1 << 20)
    large = "x" * (2 << 20)
    plain, packed = tmp_path / "log.txt", tmp_path / "log.txt.gz"
    plain.write_text(large)
    packed.write_bytes(gzip.compress(large.encode()))
    for reading in (lambda: logs.read_bounded(large), lambda: logs.read_path(plain), lambda: logs.read_path(packed)):
        with pytest.raises(LogError, match="too large for a game log: at most 1 MB"):
            reading()


def test_a_name_that_is_no_name():
    for name, fits in (("x" * 100, True), ("x" * 101, False)):
        text = "\n".join(EventLog((name, "Bob"), ()).lines())
        if fits:
            assert logs.read_bounded(text).log.players == (name, "Bob")
        else:
            with pytest.raises(LogError, match="too long: at most 100 letters"):
                logs.read_bounded(text)


@pytest.fixture
def apart(monkeypatch):
    """Every log is a long one."""
    monkeypatch.setattr(logs, "SHORT", 10)


def test_a_long_log_is_read_apart_and_all_the_same(game, apart):
    chat = write(game, "colonist-text", 0)
    assert logs.read_bounded(chat, runtime=Runtime()) == logs.read_bounded(chat)
    with pytest.raises(LogError, match="no known format"):
        logs.read_bounded("no log at all", runtime=Runtime())


def test_reading_a_long_log_is_stopped_at_once(game, apart):
    runtime = Runtime()
    runtime.cancel()
    with pytest.raises(LogError, match="was stopped"):
        logs.read_bounded(write(game, "colonist-text", 0) * 50, runtime=runtime)
    assert multiprocessing.active_children() == []


def test_a_log_that_takes_too_long_is_refused(game, apart, monkeypatch):
    monkeypatch.setattr(logs, "SECONDS", 0.0)
    with pytest.raises(LogError, match="takes too long to read"):
        logs.read_bounded(write(game, "colonist-text", 0) * 50, runtime=Runtime())


def test_the_longest_log_that_is_read_ends_with_what_can_be_followed(game, monkeypatch):
    monkeypatch.setattr("kibitz.catan.tracking.followed.MOST_EVENTS", 100)
    with pytest.raises(InvalidGame, match="at most 100 can be followed"):
        Followed.read(Source(write(game, "colonist-text", 0)))

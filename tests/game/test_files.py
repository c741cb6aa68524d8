"""Record files are written whole or not at all, and what killed writers left is cleared away."""

import os
import subprocess
import sys

import pytest

from kibitz.game.files import replacing, writing

pytestmark = pytest.mark.plain


@pytest.fixture
def gone():
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path, gone):
    path = tmp_path / "games[1].jsonl"
    left = tmp_path / f".{path.name}.{gone}.partial"
    left.write_text("half a game")
    with writing(path) as write_line:
        write_line("a game")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == "a game\n"


def test_what_is_being_written_and_what_belongs_to_others_stays(tmp_path, gone):
    path = tmp_path / "games.jsonl"
    kept = [f".{path.name}.{os.getppid()}.partial", f".other.jsonl.{gone}.partial", f".{path.name}.mine.partial"]
    for name in kept:
        (tmp_path / name).touch()
    with writing(path) as write_line:
        write_line("a game")
    assert {file.name for file in tmp_path.iterdir()} == {path.name, *kept}


def test_nothing_is_left_of_what_fails(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")

    def fail():
        with replacing(path) as partial:
            partial.write_text("new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("file", "old")]

"""Checkpoints: after a kill at any moment nothing that was put is lost, and a file of something else is left alone."""

import pytest

from kibitz.compute.checkpoint import Checkpoint, CheckpointError

pytestmark = pytest.mark.plain

WORK = {"mode": "full_game", "seed": 7, "corners": [3, 23], "bots": ("seed", "builder")}
RESULTS = {f"V{i} 0+64": bytes([i, 0, 255, 10]) * i for i in range(6)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "work.checkpoint"


def write(path, results=RESULTS, work=WORK):
    with Checkpoint(path, work) as checkpoint:
        for key, result in results.items():
            checkpoint.put(key, result)


def content(path, work=WORK):
    with Checkpoint(path, work) as checkpoint:
        return {key: checkpoint.get(key) for key in RESULTS if checkpoint.get(key) is not None}


def test_results_are_there_again(path):
    write(path)
    assert content(path) == RESULTS
    with Checkpoint(path, WORK) as checkpoint:
        assert len(checkpoint) == len(RESULTS)
        assert checkpoint.get("V9 0+64") is None


def test_a_result_is_in_the_file_when_put_returns(path):
    killed = Checkpoint(path, WORK)
    assert path.exists()
    for n, (key, result) in enumerate(RESULTS.items(), start=1):
        killed.put(key, result)
        assert path.read_bytes().count(b"\n") == 1 + n
    killed.close()
    assert content(path) == RESULTS


def test_a_last_line_cut_at_any_byte_costs_that_line_alone(path):
    write(path)
    whole = path.read_bytes()
    last_line = whole[:-1].rindex(b"\n") + 1
    *others, last = RESULTS
    for size in range(last_line, len(whole)):
        path.write_bytes(whole[:size])
        with Checkpoint(path, WORK) as checkpoint:
            assert checkpoint.get(last) is None
            assert all(checkpoint.get(key) == RESULTS[key] for key in others)
            checkpoint.put(last, RESULTS[last])
        assert path.read_bytes() == whole


def test_a_first_line_cut_at_any_byte_begins_again(path):
    write(path, {})
    header = path.read_bytes()
    for size in range(len(header)):
        path.write_bytes(header[:size])
        write(path, {})
        assert path.read_bytes() == header


def test_equal_results_are_written_once(path):
    write(path)
    once = path.read_bytes()
    write(path)
    write(path)
    assert path.read_bytes() == once


def test_two_lines_with_one_key_do_no_harm(path):
    write(path)
    *_, last = path.read_bytes().splitlines(keepends=True)
    with path.open("ab") as file:
        file.write(last)
    assert content(path) == RESULTS


def test_without_a_file_nothing_is_kept():
    with Checkpoint(None, WORK) as checkpoint:
        checkpoint.put("a", b"1")
        assert checkpoint.get("a") is None
        assert len(checkpoint) == 0


def test_two_runs_do_not_write_to_one_file(path):
    with Checkpoint(path, WORK) as first:
        with pytest.raises(CheckpointError, match="another run is writing to this checkpoint"):
            Checkpoint(path, WORK)
        first.put("V1 0+64", b"1")
    assert content(path) == {"V1 0+64": b"1"}


def test_other_work_is_refused_with_what_differs(path):
    write(path)
    before = path.read_bytes()
    with pytest.raises(
        CheckpointError, match=r"work.checkpoint: the checkpoint of another analysis \(different: seed, bots\)$"
    ):
        Checkpoint(path, WORK | {"seed": 8, "bots": ["seed", "seed"]})
    with pytest.raises(CheckpointError, match=r"\(different: players\)$"):
        Checkpoint(path, WORK | {"players": 4})
    with pytest.raises(CheckpointError, match=r"\(different: more fields\)$"):
        Checkpoint(path, {"mode": "full_game"})
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        b"my notes",
        b"my notes\nsecond line\n",
        b"\n",
        b"[1, 2]\n",
        b'{"a": 1}\n',
        b'{"a": 1}',
        b"\x89PNG\r\n\x1a\n\x00\xff",
        b"[" * 100_000 + b"\n",
    ],
    ids=["word", "text", "blank", "list", "object", "object without end", "picture", "deep"],
)
def test_a_file_of_something_else_is_refused_and_left_alone(path, text):
    path.write_bytes(text)
    with pytest.raises(CheckpointError, match="line 1 is not that of a checkpoint"):
        Checkpoint(path, WORK)
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish\n",
        b"{}\n",
        b'{"key": "a"}\n',
        b'{"key": ["a"], "result": ""}\n',
        b'{"key": "a", "result": 5}\n',
        b'{"key": "a", "result": "?!"}\n',
        b'{"key": "a", "result": "\xc3\xa9"}\n',
    ],
)
def test_a_line_of_something_else_is_refused_with_its_number(path, line):
    write(path)
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:3], line, *lines[3:]])
    path.write_bytes(damaged)
    with pytest.raises(CheckpointError, match=r"line 4 (is not that of a checkpoint|does not hold a result)$"):
        Checkpoint(path, WORK)
    assert path.read_bytes() == damaged

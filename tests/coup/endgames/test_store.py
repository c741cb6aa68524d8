"""Solutions in files: the same comes back, and what is damaged is named."""

import json

import numpy as np
import pytest

from kibitz.coup.endgames import store as endgame_store
from kibitz.coup.endgames.solve import Endgame, solve_endgame
from kibitz.coup.endgames.store import StoreError, load, save, store_folder, store_path

ENDGAME = Endgame((6, 6), turns=1)


@pytest.fixture(scope="module")
def solved():
    return solve_endgame(ENDGAME)


@pytest.fixture
def file(solved, tmp_path):
    path = tmp_path / "folder" / "one.endgame"
    save(solved, path)
    return path


def test_the_same_comes_back(solved, file):
    found = load(ENDGAME, file)
    assert found.stored
    assert (found.slots == solved.slots).all()
    for name in ("endgame", "value", "low", "high", "iterations", "nodes", "sets", "fraction"):
        assert getattr(found, name) == getattr(solved, name)
    assert found.strategy(0, ["duke"]) == solved.strategy(0, ["duke"])
    assert [path.name for path in file.parent.iterdir()] == ["one.endgame"]


def test_the_first_line_can_be_read(file):
    header = json.loads(file.read_bytes().split(b"\n")[0])
    assert header["question"]["coins"] == [6, 6]
    assert -1 <= header["low"] <= header["high"] <= 1


def test_nothing_there_and_another_build(file, tmp_path, monkeypatch):
    assert load(ENDGAME, tmp_path / "none") is None
    monkeypatch.setattr(endgame_store, "build", lambda: "another")
    assert load(ENDGAME, file) is None


def damaged(data: bytes, how: str) -> bytes:
    head, _, payload = data.partition(b"\n")
    return {
        "empty": b"",
        "no JSON": b"\xff\xfe" + data,
        "another format": b'{"record": "coup"}\n',
        "version": data.replace(b'"version": 1', b'"version": 2'),
        "cut short": data[:-5],
        "one byte": head + b"\n" + payload[:-1] + bytes([payload[-1] ^ 1]),
        "no value": head.replace(b'"low"', b'"law"') + b"\n" + payload,
        "other question": data.replace(b'"turns": 1', b'"turns": 2'),
    }[how]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("empty", "is not the file of a solved endgame"),
        ("no JSON", "is not the file of a solved endgame"),
        ("another format", "is not the file of a solved endgame"),
        ("version", "version 2 of the format is unknown"),
        ("cut short", "is damaged"),
        ("one byte", "is damaged"),
        ("no value", "is damaged"),
        ("other question", "holds the solution of another endgame"),
    ],
)
def test_what_is_damaged_is_named(file, how, message):
    file.write_bytes(damaged(file.read_bytes(), how))
    with pytest.raises(StoreError, match=f"one.endgame: {message}"):
        load(ENDGAME, file)


def test_a_failed_write_leaves_the_old_file(solved, file, monkeypatch):
    before = file.read_bytes()
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        save(solved, file)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["one.endgame"]


@pytest.mark.plain
def test_every_question_has_a_file_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("KIBITZ_ENDGAMES", str(tmp_path))
    assert store_folder() == tmp_path
    endgames = [
        ENDGAME,
        Endgame((6, 6), turns=2),
        Endgame((6, 6), turns=1, exchange=True),
        Endgame((6, 6), turns=1, revealed=("duke",)),
        Endgame((6, 6), turns=1, influence=(2, 1)),
    ]
    assert len({store_path(endgame) for endgame in endgames}) == len(endgames)
    assert store_path(Endgame((6, 6), 1, ("duke", "contessa"))) == store_path(Endgame((6, 6), 1, ("contessa", "duke")))
    monkeypatch.delenv("KIBITZ_ENDGAMES")
    assert store_folder().name == "endgames"


def test_strategies_are_kept_to_the_last_bit(solved, tmp_path):
    path = tmp_path / "two.endgame"
    save(solved, path)
    save(load(ENDGAME, path), path)
    assert load(ENDGAME, path).slots.dtype == np.float64
    assert (load(ENDGAME, path).slots == solved.slots).all()

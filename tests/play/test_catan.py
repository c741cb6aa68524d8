"""A series of games is the same, however it is played: threads, batches, processes that record."""

import numpy as np
import pytest

from kibitz.catan import Board, Rules
from kibitz.play import catan

RULES = Rules(domestic_trade=False, max_turns=60)


def board(number: int) -> Board:
    return Board.random(number)


def test_batches_and_jobs_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = catan.play(board, ["builder", "random"], 7, RULES, games=30, jobs=1)
    monkeypatch.setattr(catan._in_batches, "__defaults__", (7,))
    split = catan.play(board, ["builder", "random"], 7, RULES, games=30, jobs=3)
    assert np.array_equal(whole.states, split.states)
    assert whole.steps == split.steps


def test_recording_processes_do_not_matter(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catan, "WORTH_A_PROCESS", 4)
    files = [tmp_path / f"{jobs}.jsonl" for jobs in (1, 2)]
    results = [catan.write(file, board, ["random"] * 3, 7, RULES, games=20, jobs=j) for j, file in enumerate(files, start=1)]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert np.array_equal(results[0].states, results[1].states)
    played = catan.play(board, ["random"] * 3, 7, RULES, games=20)
    assert np.array_equal(played.states, results[0].states)
    assert np.array_equal(played.points(), results[1].points())

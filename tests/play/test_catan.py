"""A series of games is the same, however it is played: threads, batches, step by step for a record."""

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


def test_recorded_games_are_the_games_that_are_played(tmp_path) -> None:
    recorded = catan.write(tmp_path / "games.jsonl", board, ["random"] * 3, 7, RULES, games=20)
    played = catan.play(board, ["random"] * 3, 7, RULES, games=20)
    assert np.array_equal(played.states, recorded.states)
    assert np.array_equal(played.points(), recorded.points())
    assert played.steps == recorded.steps

"""A series of games is the same, however it is played: threads, batches, step by step for a record."""

import numpy as np

from kibitz import game
from kibitz.catan import GAME, Board, Rules
from kibitz.catan import series as catan
from kibitz.catan.core.codes import END_TURN
from kibitz.catan.core.record import read
from kibitz.catan.core.state import new_states
from kibitz.play.match import Results
from kibitz.play.series import play_series

RULES = Rules(domestic_trade=False, max_turns=60)


def board(number: int) -> Board:
    return Board.random(number)


def test_batches_and_jobs_do_not_matter() -> None:
    whole = catan.play(board, ["builder", "random"], 7, RULES, games=30, jobs=1)
    parts = catan.batches(board, ["builder", "random"], 7, RULES, 30, size=7)
    split = Results.joined([play_series(part, jobs=3) for part in parts])
    assert np.array_equal(whole.states, split.states)
    assert whole.steps == split.steps


def test_recorded_games_are_the_games_that_are_played(tmp_path) -> None:
    recorded = catan.write(tmp_path / "games.jsonl", board, ["random"] * 3, 7, RULES, games=20)
    played = catan.play(board, ["random"] * 3, 7, RULES, games=20)
    assert np.array_equal(played.states, recorded.states)
    assert np.array_equal(played.scores(), recorded.scores())
    assert played.steps == recorded.steps


def test_a_search_plays_by_name(tmp_path) -> None:
    """The same games on any number of threads, and the same when they are recorded."""
    bots, rules = ["ismcts:10", "builder", "random"], Rules(max_turns=3)
    played = catan.play(board, bots, 7, rules, games=2, jobs=2)
    recorded = catan.write(tmp_path / "games.jsonl", board, bots, 7, rules, games=2, jobs=1)
    assert np.array_equal(played.states, recorded.states)
    games = list(read(tmp_path / "games.jsonl"))
    assert [game.seats for game in games] == [tuple(bots)] * 2


def test_what_a_bot_may_not_do_is_said_in_words() -> None:
    states = new_states(board(1), 2)
    for code, words in ((10**9, "1000000000 is no action"), (END_TURN, "the game waits for SETUP_SETTLEMENT")):
        assert words in str(GAME.refuse(states, code, game.why_not_at(states, 0, code)))

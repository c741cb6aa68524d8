"""A series of games is the same, however it is played: threads, batches, step by step for a record."""

import numpy as np

from kibitz import game
from kibitz.catan import GAME, Board, Rules
from kibitz.catan.bots import bot_named
from kibitz.catan.core.codes import END_TURN
from kibitz.catan.core.record import read
from kibitz.catan.core.state import new_states
from kibitz.catan.setup import setup
from kibitz.play.match import Results
from kibitz.play.series import Plan, play, play_series

RULES = Rules(domestic_trade=False, max_turns=60)


def board(number: int) -> Board:
    return Board.random(number)


def test_batches_and_jobs_do_not_matter() -> None:
    whole = play("catan", ["builder", "random"], 7, 30, rules=RULES, board=board, jobs=1)
    parts = Plan(setup(rules=RULES, board=board), (bot_named("builder"), bot_named("random")), 7, 30).parts(size=7)
    split = Results.joined([play_series(part, jobs=3) for part in parts])
    assert np.array_equal(whole.states, split.states)
    assert whole.steps == split.steps


def test_recorded_games_are_the_games_that_are_played(tmp_path) -> None:
    recorded = play("catan", ["random"] * 3, 7, 20, rules=RULES, board=board, record=tmp_path / "games.jsonl")
    played = play("catan", ["random"] * 3, 7, 20, rules=RULES, board=board)
    assert np.array_equal(played.states, recorded.states)
    assert np.array_equal(played.scores(), recorded.scores())
    assert played.steps == recorded.steps


def test_a_search_plays_by_name(tmp_path) -> None:
    """The same games on any number of threads, and the same when they are recorded."""
    bots, rules = ["ismcts:10", "builder", "random"], Rules(max_turns=3)
    played = play("catan", bots, 7, 2, rules=rules, board=board, jobs=2)
    recorded = play("catan", bots, 7, 2, rules=rules, board=board, jobs=1, record=tmp_path / "games.jsonl")
    assert np.array_equal(played.states, recorded.states)
    games = list(read(tmp_path / "games.jsonl"))
    assert [game.seats for game in games] == [tuple(bots)] * 2


def test_what_a_bot_may_not_do_is_said_in_words() -> None:
    states = new_states(board(1), 2)
    for code, words in ((10**9, "1000000000 is not an action"), (END_TURN, "the game waits for SETUP_SETTLEMENT")):
        assert words in str(GAME.refuse(states, code, game.why_not_at(states, 0, code)))

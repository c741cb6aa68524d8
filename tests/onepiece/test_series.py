"""Series of One Piece games: played, recorded, split and guarded, they are the same games."""

import pytest

from kibitz.compute.local import game_seed
from kibitz.loops.config import MODELS
from kibitz.onepiece.bots import bot_named
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import game_with
from kibitz.onepiece.core.record import check, simulate
from kibitz.onepiece.setup import Setup
from kibitz.play.bots import Bot
from kibitz.play.guarded import check_guards
from kibitz.play.match import IllegalDecision, play_game
from kibitz.play.series import play
from kibitz.play.tournament import ends_of

DECKS = starter("tide"), starter("ember")
GREEDY = ["greedy", "random"]


def exact(results):
    return [state.exact() for state in results.states]


@pytest.mark.parametrize(("bots", "games"), [(GREEDY, 3), (["ismcts:3", "greedy"], 1)])
@pytest.mark.parametrize("guard", [None, MODELS["declare"]])
def test_recorded_games_are_the_played_ones_and_replay(bots, games, guard, tmp_path):
    heard: list[int] = []
    written = play("onepiece", bots, 5, games, record=tmp_path / "games.jsonl", progress=heard.append, guard=guard)
    played = play("onepiece", bots, 5, games, progress=heard.append, guard=guard)
    assert exact(written) == exact(played)
    assert written.steps == played.steps
    assert heard == [1] * 2 * games
    records = list(check_guards(check((tmp_path / "games.jsonl").read_text().splitlines())))
    assert [record.seed for record in records] == [game_seed(5, i) for i in range(games)]
    assert [(record.game, record.first, record.seats) for record in records] == [(i, i % 2, tuple(bots)) for i in range(games)]


def test_games_of_policies_are_recorded_as_by_themselves(tmp_path):
    play("onepiece", GREEDY, 5, 2, record=tmp_path / "games.jsonl")
    lines = [line for i in range(2) for line in simulate(GREEDY, game_seed(5, i), DECKS, i % 2, i).lines()]
    assert (tmp_path / "games.jsonl").read_text().splitlines() == lines


def test_a_guard_changes_nothing_where_nothing_goes_round():
    free, guarded = play("onepiece", GREEDY, 2, 4), play("onepiece", GREEDY, 2, 4, guard=MODELS["declare"])
    assert exact(free) == exact(guarded)
    assert free.steps == guarded.steps
    assert guarded.loops is not None
    assert not guarded.loops.found.any()


def test_a_series_may_be_split():
    whole = play("onepiece", GREEDY, 2, 4)
    parts = [play("onepiece", GREEDY, 2, games, first=first) for first, games in ((0, 1), (1, 3))]
    assert exact(whole) == exact(parts[0]) + exact(parts[1])
    assert [state.first for state in whole.states] == [0, 1, 0, 1]
    ends = ends_of(whole)
    assert ends.winners.tolist() == [state.winner for state in whole.states]
    assert ends.points.tolist() == [[1, -1] if winner == 0 else [-1, 1] for winner in ends.winners]


def test_a_bot_that_wants_something_that_is_no_action_is_named():
    class Confused:
        def begin(self, game, seat, view, seed):
            pass

        def saw(self, before, code, after):
            pass

        def decide(self, view):
            return 123_456

    bots = [Bot("confused", Confused), bot_named("greedy")]
    with pytest.raises(IllegalDecision, match=r"confused .*: 123456 is not an action"):
        play_game(game_with(*DECKS), Setup(DECKS).starts(2, 0, 1), bots, 1)

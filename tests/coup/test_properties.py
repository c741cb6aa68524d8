"""What holds in every game: cards and coins add up, games end, and what is over stays within the declared bounds."""

import numpy as np
import pytest

from kibitz import game
from kibitz.compute.local import play, series
from kibitz.coup import GAME, Rules
from kibitz.coup.core.cards import hand_size
from kibitz.coup.core.rules import window
from kibitz.coup.core.state import BLOCK, CHALLENGE, new_states
from kibitz.game import OVER
from kibitz.game.doors import decide_at, reseed_at, score_all
from kibitz.ground.jit import uint64
from tests.coup.positions import cards_and_coins_add_up

GAMES = 20_000
OPTIONS = {
    "official": Rules(),
    "strict": Rules(target_may_block_after_failed_challenge=False, refund_on_caught_bluff=False),
    "loose": Rules(steal_from_zero=True),
}


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("name", OPTIONS)
def test_random_games_end_with_one_winner(seats, name):
    ends = play(series(GAME, new_states(seats, OPTIONS[name]), GAMES, 11, [0] * seats), jobs=1).states
    assert cards_and_coins_add_up(ends)
    alive = ends["influence"][:, :seats] > 0
    assert (alive.sum(axis=1) == 1).all()
    assert (ends["winner"] == np.argmax(alive, axis=1)).all()
    assert (ends["coins"][:, :seats][~alive] == 0).all()
    scores = np.zeros((GAMES, seats), np.int64)
    score_all(ends, scores)
    assert (scores.sum(axis=1) == 60).all()


@pytest.mark.parametrize("bots", [[1, 1], [2, 2, 2], [2, 1, 0, 2], [2] * 6])
def test_bots_games_keep_cards_and_coins(bots):
    ends = play(series(GAME, new_states(len(bots)), 300, 5, bots), jobs=1).states
    assert cards_and_coins_add_up(ends)
    over = ends["winner"] >= 0
    assert (ends["turn"][~over] == 1000).all()
    assert over.mean() > 0.95


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_step_keeps_cards_coins_and_hands(seats):
    xs = GAME.scratches()
    for seed in range(3):
        states = new_states(seats)
        reseed_at(xs, 0, uint64(seed))
        while game.actor_at(states, 0) != OVER:
            assert cards_and_coins_add_up(states)
            sizes = states["hand"][0].sum(axis=1).tolist()
            assert sizes[:seats] == [hand_size(states[0], seat) for seat in range(seats)]
            asked = int(window(states[0]))
            assert bool(asked) == (int(states["phase"][0]) in (CHALLENGE, BLOCK))
            assert not asked or asked >> int(states["active"][0]) & 1
            game.apply_at(states, 0, decide_at(states, 0, xs, 0))


def test_any_number_of_jobs_gives_the_same_games():
    ends = [play(series(GAME, new_states(4), 500, 3, [0, 1, 2, 0]), jobs=jobs).states.tobytes() for jobs in (1, 3)]
    assert ends[0] == ends[1]

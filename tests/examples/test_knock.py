"""Knock, a plain game on the bare verbs: it keeps the promises of every game, and its rules are those that it tells."""

import pytest

from kibitz import game
from kibitz.search.cfr import solve
from kibitz.search.flat import flatten
from kibitz.testing import check_game
from tests.examples.knock import DEAL, KNOCK, SWAP, game_of

pytestmark = pytest.mark.plain


def dealt(first: int, second: int, middle: int, turns: int = 6):
    states = game_of(turns).new(2, 0)
    for card in (first, second, middle):
        game.apply_at(states, 0, DEAL + card - 1)
    return states


@pytest.mark.parametrize("policies", [[0, 0], [0, 1], [1, 0], [1, 1]])
def test_it_keeps_its_promises(policies):
    assert check_game(game_of(6), 2, range(10), policies) > 30


def test_the_higher_card_wins_after_a_knock():
    states = dealt(2, 4, 5)
    game.apply_at(states, 0, KNOCK)
    assert [states[0].score(seat) for seat in (0, 1)] == [-1, 1]
    assert game.actor_at(states, 0) == game.OVER


def test_a_swap_shows_the_card_and_passes_the_turn():
    states = dealt(2, 4, 5)
    game.apply_at(states, 0, SWAP)
    assert (states[0].places, game.actor_at(states, 0)) == ([5, 4, 2], 1)
    game.hide_at(states, 0, 1)
    assert states[0].places == [5, 4, 2]


def test_the_other_card_is_hidden_until_then():
    states = dealt(2, 4, 5)
    game.hide_at(states, 0, 0)
    assert states[0].places == [2, -1, 5]


def test_it_is_a_draw_after_the_last_turn():
    states = dealt(2, 4, 5, turns=2)
    game.apply_at(states, 0, SWAP)
    game.apply_at(states, 0, SWAP)
    assert game.actor_at(states, 0) == game.OVER
    assert states[0].score(0) == 0


@pytest.mark.untraced
def test_the_first_player_wins_a_point_in_three_games():
    solution = solve(flatten(game_of(6).new(2, 0)), "dcfr", iterations=200)
    assert solution.value == pytest.approx(1 / 3, abs=1e-4)

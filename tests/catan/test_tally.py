"""What the robber costs each seat, counted while games are played, beside a count over their records."""

from itertools import pairwise

import numpy as np
import pytest

from kibitz.catan import GAME, Board, GameState, Rules
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import new_states
from kibitz.compute.local import game_seed, play, series


def losses(record) -> list[int]:
    """The same by way of the friendly layer: what hexes, thieves and sevens took from each seat."""
    lost = [0] * len(record.seats)
    for before, now in pairwise(GameState(states.copy()) for states in record.states()):
        blocked = before.board.hexes[before.robber_hex]
        if before.phase == "ROLLING" and now.dice_roll == blocked.number:
            for seat, player in enumerate(before.players):
                corners = before.board.to_json()["hexes"][before.robber_hex]["corners"]
                lost[seat] += sum(c in player.settlements for c in corners) + 2 * sum(c in player.cities for c in corners)
        if before.phase in ("ROBBER_DISCARD", "STEALING"):
            for seat in range(len(record.seats)):
                fewer = sum(before.players[seat].hand.values()) - sum(now.players[seat].hand.values())
                lost[seat] += max(0, fewer)
    return lost


@pytest.mark.untraced
@pytest.mark.parametrize("bots", [["builder"] * 4, pytest.param(["random", "seed", "builder"], marks=pytest.mark.plain)])
def test_losses_to_the_robber_equal_a_count_over_the_record(bots):
    board, rules, seed = Board.beginner(), Rules(max_turns=30), 5
    batch = play(series(GAME, new_states(board, len(bots), rules), 2, seed, [GAME.policies[bot] for bot in bots]), jobs=1)
    for number in range(2):
        record = simulate(board, bots, game_seed(seed, number), rules)
        expected = losses(record)
        assert sum(expected) > 0
        assert batch.tallies[number].tolist() == expected + [0] * (4 - len(bots))


def test_each_game_of_a_batch_is_counted_from_zero():
    starts = new_states(Board.beginner(), 4, Rules(max_turns=40))
    together = play(series(GAME, starts, 4, 5, [1] * 4), jobs=1).tallies
    alone = [play(series(GAME, starts, 1, 5, [1] * 4, number=i), jobs=1).tallies[0] for i in range(4)]
    assert np.array_equal(together, np.array(alone))

"""Open hands: the known table, positions by hand, and an independent search with a limit of turns."""

from functools import cache

import numpy as np
import pytest

from kibitz import game
from kibitz.coup.core.actions import exchange
from kibitz.coup.core.setup import SetupError, setup
from kibitz.coup.core.state import Character, Rules
from kibitz.coup.endgames.open_hands import ROLES, open_table, solve_open
from kibitz.game.definition import as_structs

KNOWN = {"captain": 163, "assassin": 134, "duke": 110, "contessa": 74}


def test_the_known_table():
    steps = []
    table = open_table(progress=steps.append)
    assert sum(steps) == len(table) == 16
    for role in ROLES:
        positions = [position for pair, found in table.items() if pair[0] == role for position in found]
        assert len(positions) == 196
        assert all(position.winner is not None for position in positions)
        assert sum(position.winner == 0 for position in positions) == KNOWN[role]


def moves(position):
    return {move.action.to_text(): (move.winner, move.turns) for move in position.moves}


def test_a_coup_wins_in_this_turn():
    position = solve_open(("contessa", "captain"), (7, 6))
    assert (position.winner, position.turns) == (0, 1)
    assert [move.action.to_text() for move in position.best] == ["coup 2"]
    assert moves(position)["tax"] == (1, 1)  # a false claim is caught
    assert len(moves(position)) == 6  # all but the exchange


def test_the_last_coin_is_a_matter_of_time():
    # Income, income, coup: nobody has anything better.
    position = solve_open(("contessa", "contessa"), (6, 6))
    assert (position.winner, position.turns) == (0, 3)
    position = solve_open(("contessa", "contessa"), (5, 6))
    assert position.turns == 3  # foreign aid makes seven
    assert [move.action.to_text() for move in position.best] == ["foreign_aid"]


@pytest.mark.parametrize(
    "cards", [("captain", "duke"), ("assassin", "contessa"), ("duke", "assassin"), ("ambassador", "captain")]
)
@pytest.mark.parametrize("coins", [(2, 3), (4, 5)])
def test_no_faster_win_and_no_longer_defence(cards, coins):
    @cache
    def winner_within(turns, raw):
        """Who can force a win within so many turns: plain recursion over bytes of states."""
        states = as_structs(np.frombuffer(bytearray(raw), start.dtype))
        seat = game.actor_at(states, 0)
        if seat == game.OVER:
            return int(states["winner"][0])
        found = set()
        for action in game.legal_actions(states):
            if action != exchange().code:
                after = as_structs(np.frombuffer(bytearray(states.tobytes()), start.dtype))
                game.apply_at(after, 0, action)
                left = turns - int(after["turn"][0]) + 1
                after["turn"] = 1
                found.add(winner_within(left, after.tobytes()) if left > 0 else None)
        if seat in found:
            return seat
        return next(iter(found)) if len(found) == 1 else None

    position = solve_open(cards, coins)
    start = setup(coins, hands={0: [cards[0]], 1: [cards[1]]}, influence=[1, 1])
    assert winner_within(position.turns, start.tobytes()) == position.winner
    assert winner_within(position.turns - 1, start.tobytes()) is None


def test_options_and_limits():
    with pytest.raises(SetupError, match="is not a character"):
        solve_open(("duke", "joker"), (1, 1))
    with pytest.raises(SetupError, match="13 coins"):
        solve_open(("duke", "duke"), (13, 1))
    assert solve_open(("duke", "duke"), (6, 6), Rules(max_turns=1)) == solve_open(("duke", "duke"), (6, 6))


def test_json_names_everything():
    told = solve_open((Character.DUKE, Character.CONTESSA), (6, 1)).to_json()
    assert told["cards"] == ["duke", "contessa"]
    assert told["moves"][0].keys() == {"action", "winner", "turns"}

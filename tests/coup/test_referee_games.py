"""The compiled rules against the slow referee: every legal set, every weight and every position of whole games.

The test plays some games; for more: ``python -m tests.coup.test_referee_games 2000``.
"""

import sys
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from kibitz import game
from kibitz.coup import GAME, Action, Rules
from kibitz.coup.core.game_state import position
from kibitz.coup.core.state import new_states
from kibitz.game import CHANCE, OVER
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import uint64
from tests.coup.referee import COURT, Referee

OPTIONS = list(product([True, False], [True, False], [False, True]))
POLICIES = list(GAME.policies.values())


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=COURT.index)


def check_position(states: Any, referee: Referee) -> None:
    here = position(states)
    assert here["hands"] == [in_order(player.cards) for player in referee.players]
    assert here["revealed"] == [in_order(player.lost) for player in referee.players]
    assert here["deck"] == in_order(referee.deck)
    assert here["coins"] == [player.coins for player in referee.players]
    assert (here["treasury"], here["turn"], here["player"]) == (referee.treasury, referee.turn, referee.player)


def check_question(states: Any, referee: Referee) -> None:
    question = referee.question
    actor = game.actor_at(states, 0)
    if question is None:
        assert actor == OVER
        left = referee.survivors()
        assert position(states)["winner"] == (left[0] if len(left) == 1 else None)
        assert [game.score_at(states, 0, seat) for seat in left] == [60 // len(left)] * len(left)
        return
    assert actor == (CHANCE if question.who == "chance" else question.who)
    assert {Action.from_code(a).to_text() for a in game.legal_actions(states)} == set(question.answers)
    if actor == CHANCE:
        total = sum(question.answers.values())
        odds = {Action.from_code(a).to_text(): p for a, p in game.outcomes(states)}
        assert odds == {text: Fraction(n, total) for text, n in question.answers.items()}


def referee_game(number: int) -> int:
    """Game `number`: seats, options and bots vary; how many steps were compared."""
    seats = 2 + number % 5
    may_block, refund, from_zero = OPTIONS[number // 5 % len(OPTIONS)]
    turns = 12 if number % 7 == 0 else 300
    rules = Rules(may_block, refund, from_zero, turns)
    states, referee = new_states(seats, rules), Referee(seats, may_block, refund, from_zero, turns)
    xs = GAME.scratches()
    xs["policy"][0, :seats] = [POLICIES[(number // 3 + seat) % 3 if number % 2 else 0] for seat in range(seats)]
    reseed_at(xs, 0, uint64(number))
    steps = 0
    while True:
        check_position(states, referee)
        check_question(states, referee)
        if referee.question is None:
            return steps
        action = int(decide_at(states, 0, xs, 0))
        referee.answer(Action.from_code(action).to_text())
        game.apply_at(states, 0, action)
        steps += 1


@pytest.mark.parametrize("first", range(0, 160, 40))
def test_the_referee_agrees(first: int) -> None:
    assert sum(referee_game(number) for number in range(first, first + 40)) > 40 * 25


@pytest.mark.plain
def test_the_referee_agrees_without_the_compiler() -> None:
    assert sum(referee_game(number) for number in range(0, 20, 2)) > 100


if __name__ == "__main__":
    games = int(sys.argv[1])
    print(f"{games:,} games, {sum(referee_game(number) for number in range(games)):,} steps: the referee agrees on all of them")

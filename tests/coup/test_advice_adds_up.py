"""Advice on Coup agrees with itself from one decision to the next, over 500 positions."""

from dataclasses import replace

import pytest

from kibitz.coup import assassinate, steal
from kibitz.coup.advise import CONFIG, advise
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.core.setup import setup
from kibitz.coup.core.state import ALLOW, CHARACTERS
from kibitz.game import actor_at, apply_at, hide_at
from kibitz.ground.rng import Stream
from kibitz.play.search_bot import Here

POSITIONS = 500
#: Enough to try everything; that the numbers agree does not depend on how good they are.
CONFIGURED = replace(CONFIG, iterations=24, trees=1)


def attacked(number):
    """Player 1 with some cards and coins, whom somebody robs or assassinates: the position, and what player 1 can know."""
    draw = Stream(number)
    seats = 2 + draw.below(2)
    deck = [str(card) for card in CHARACTERS for _ in range(3)]
    cards = [deck.pop(draw.below(len(deck))) for _ in range(2 * seats)]
    single = draw.below(2)
    hands, revealed = {0: cards[: 2 - single]}, {0: cards[1 : 1 + single]}
    for seat in range(1, seats):
        gone = draw.below(2)
        revealed[seat] = cards[2 * seat : 2 * seat + gone]
    coins = [draw.below(7) for _ in range(seats)]
    coins[1] = 3 + draw.below(4)
    states = setup(coins, hands=hands, revealed={seat: lost for seat, lost in revealed.items() if lost}, player=1)
    hide_at(states, 0, 0)
    belief = InfluenceBelief.at(states, 0)
    attack = assassinate(0) if draw.below(2) or coins[0] == 0 else steal(0)
    for code in (attack.code, *[ALLOW] * (seats - 2)):
        belief = belief.see(states, 0, code)
        apply_at(states, 0, code)
    assert actor_at(states, 0) == 0
    return states, belief


def asked(states, belief):
    return advise(states, belief, CONFIGURED, worlds=24, workers=Here())


@pytest.mark.parametrize("part", range(4))
def test_to_let_it_pass_is_worth_the_best_that_comes_then(part):
    solved = 0
    for number in range(part * POSITIONS // 4, (part + 1) * POSITIONS // 4):
        states, belief = attacked(number)
        after, later = states.copy(), belief.see(states, 0, ALLOW)
        apply_at(after, 0, ALLOW)
        assert actor_at(after, 0) == 0  # whether to block
        now, then = asked(states, belief), asked(after, later)
        for advice in (now, then):
            assert not {option.action for option in advice.options} & {*advice.lost}
        (passed,) = [option for option in now.options if option.action == "allow"]
        if then.equilibrium is None:
            assert passed.value == then.best.value, number
        else:
            solved += 1
            assert now.solved_values["allow"] == pytest.approx(max(then.solved_values.values()), abs=1e-12), number
    assert solved

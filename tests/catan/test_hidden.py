"""What a seat can know: worlds that are dealt at random are possible ones."""

import numpy as np
import pytest

from kibitz.catan import GAME, Board
from kibitz.catan.core.state import ACCEPTED, DECLINED, TRADE_CHOICE, new_states
from kibitz.game.doors import redeal_at, reseed_at
from kibitz.ground.jit import uint64
from tests.catan.positions import Table

pytestmark = pytest.mark.plain


def test_no_random_world_has_won_already() -> None:
    """Player 1 is on turn with 9 visible points and one hidden card: it is no victory point."""
    state = Table().build(0, settlements=[49], cities=[20, 22, 35, 45]).cards(0, knight=1).main()
    assert state.visible_victory_points(0) == 9
    xs = GAME.scratches()
    dealt = set()
    for seed in range(60):
        states = state._states.copy()
        reseed_at(xs, 0, uint64(seed))
        redeal_at(states, 0, xs, 0, 1)
        assert states["dev"][0, 0, 1] == 0
        dealt.add(int(np.argmax(states["dev"][0, 0])))
    assert {0, 2} <= dealt <= {0, 2, 3, 4}


def table_with_an_offer(hands: list[list[int]], offer: list[int], answers: list[int]):
    states = new_states(Board.beginner(), len(hands))
    for name, value in {"phase": TRADE_CHOICE, "roll": 5, "turn": 30}.items():
        states[name] = value
    held = np.zeros((4, 5), int)
    held[: len(hands)] = hands
    states["hand"], states["hand_size"], states["bank"] = held, held.sum(axis=1), 19 - held.sum(axis=0)
    states["offer"], states["answers"][0, : len(answers)] = offer, answers
    return states


def test_who_offers_or_accepts_holds_the_cards():
    """Seat 1 offered wood for ore and seat 2 accepted: seen from seat 0, both hold one at least."""
    xs = GAME.scratches()
    for seed in range(50):
        hands = [[0, 2, 0, 0, 0], [1, 1, 0, 0, 2], [1, 0, 2, 0, 1]]
        states = table_with_an_offer(hands, [1, 0, 0, 0, -1], [DECLINED, 0, ACCEPTED])
        states["player"] = 1
        reseed_at(xs, 0, uint64(seed))
        redeal_at(states, 0, xs, 0, 0)
        assert states["hand"][0, 1, 0] >= 1
        assert states["hand"][0, 2, 4] >= 1
        assert states["hand"][0].sum(axis=1).tolist() == [2, 4, 4, 0]


def test_an_offer_that_hardly_a_deal_allows():
    """Ten ore of ten cards, where a million deals would not have them: they are dealt first."""
    hands = [[1, 0, 0, 0, 0], [0, 0, 0, 0, 10], [4, 4, 4, 4, 0], [4, 4, 4, 4, 0]]
    states = table_with_an_offer(hands, [1, 0, 0, 0, -10], [0, ACCEPTED, DECLINED, DECLINED])
    redeal_at(states, 0, GAME.scratches(), 0, 0)
    assert states["hand"][0, 1].tolist() == [0, 0, 0, 0, 10]
    assert states["hand"][0].sum(axis=0).tolist() == [9, 8, 8, 8, 10]

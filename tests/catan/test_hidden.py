"""What a seat can know: worlds that are dealt at random are possible ones."""

import numpy as np
import pytest

from kibitz import game
from kibitz.catan import GAME
from kibitz.jit import uint64
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
        game.reseed_at(xs, 0, uint64(seed))
        game.redeal_at(states, 0, xs, 0, 1)
        assert states["dev"][0, 0, 1] == 0
        dealt.add(int(np.argmax(states["dev"][0, 0])))
    assert {0, 2} <= dealt <= {0, 2, 3, 4}

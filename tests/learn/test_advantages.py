"""What the decisions of several seats in turn have taught, beside sums written out for each seat."""

import numpy as np
import pytest

from kibitz.learn.advantages import advantages

pytestmark = pytest.mark.plain


def by_hand(values, rewards, actors, over, discount, share, place):
    """The same, seat by seat: its decisions in order, what it got until the next one, and what it expected there."""
    steps, _, seats = rewards.shape
    found, known = {}, {}
    for seat in range(seats):
        own = [t for t in range(steps + 1) if actors[t, place] == seat]
        gain, follows = 0.0, None
        for t in reversed(own):
            if t == steps:
                follows = t
                continue
            until = steps if follows is None else follows
            ends = [k for k in range(t, until) if over[k, place]]
            last = ends[0] + 1 if ends else until
            got = sum(float(rewards[k, place, seat]) for k in range(t, last))
            known[t] = bool(ends) or follows is not None
            beyond = 0.0 if ends or follows is None else float(values[follows, place])
            if ends:
                gain = 0.0
            found[t] = got + discount * beyond - float(values[t, place]) + discount * share * gain
            gain, follows = found[t] if known[t] else 0.0, t
    return found, known


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_each_seat_learns_from_its_own_chain(discount):
    dice = np.random.default_rng(5)
    steps, places, seats = 40, 6, 3
    values, actors = dice.random((steps + 1, places), np.float32), dice.integers(0, seats, (steps + 1, places))
    rewards, over = dice.random((steps, places, seats), np.float32), dice.random((steps, places)) < 0.1
    lessons = advantages(values, rewards, actors, over, discount, 0.8)
    for place in range(places):
        found, known = by_hand(values, rewards, actors, over, discount, 0.8, place)
        for t in range(steps):
            assert lessons.known[t, place] == known[t]
            if known[t]:
                assert lessons.advantages[t, place] == pytest.approx(found[t], abs=1e-4)
                assert lessons.returns[t, place] == pytest.approx(found[t] + values[t, place], abs=1e-4)
    assert lessons.known.mean() > 0.9
    assert not lessons.known.all()

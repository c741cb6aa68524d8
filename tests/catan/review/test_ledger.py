"""Where every change of the chances comes from: luck, one's own decisions, those of the others; exactly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz import game
from kibitz.catan.core.board import Board
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.review.kernels import worth_all
from kibitz.catan.review.ledger import Ledger
from kibitz.game import CHANCE
from kibitz.game.evaluator import SURE
from kibitz.ground.jit import COMPILED, integers

SOON = Rules(victory_points=3)


def ledger(seed, seats=4, rules=SOON, bot="builder-0.1"):
    return Ledger.of(simulate(Board.random(seed), [bot] * seats, seed, rules))


@pytest.mark.plain
@settings(max_examples=20 if COMPILED else 1, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.integers(2, 4), own=st.dictionaries(st.integers(0, 9), st.integers(0, SURE)))
def test_start_and_luck_and_decisions_make_the_result_to_the_last_unit(seed, seats, own):
    found = ledger(seed, seats)
    for seat in range(seats):
        account = found.account(seat, own)
        assert account.start + account.dice + account.stolen + account.drawn + account.own + account.others == account.result
        assert account.own == account.correction - account.losses
        assert account.losses == sum(own.values())
        assert account.adjusted == account.result - account.luck
    assert sum(int(worth == SURE) for worth in found.worth[-1]) == 1  # the winner is sure of it


@pytest.mark.plain
def test_luck_is_nothing_on_average():
    """Over all that might have happened, by its weight; but for what is lost by rounding."""
    found = ledger(3, 2)
    for step in [step for step, actor in enumerate(found.actors) if actor == CHANCE][:3]:
        outcomes = game.doors.outcomes(found.states[step : step + 1])
        total = np.zeros(2)
        for code, probability in outcomes:
            after = found.states[step : step + 1].copy()
            game.apply_at(after, 0, code)
            worth = integers(np.zeros((1, 2), np.int64))
            worth_all(after, GAME.room(1), GAME.scratches(), worth)
            total += float(probability) * (np.asarray(worth)[0] - found.worth[step])
        assert np.all(total >= 0)
        assert np.all(total < 1)


def test_every_roll_and_every_card_is_told():
    found = ledger(5, rules=Rules(), bot="builder")
    kinds = [fortune.kind for fortune in found.fortunes]
    assert kinds.count("dice") == sum(code_kind(found, f.step) == "rolled" for f in found.fortunes)
    assert {"dice", "stolen card", "drawn card"} == {*kinds}
    for fortune in found.fortunes:
        assert found.actors[fortune.step] == CHANCE
        assert fortune.worth == tuple(found.changes[fortune.step])
    moments = found.moments
    assert [moment.pick for moment in moments[:8]] == [*range(1, 9)]  # the draft is turns, too
    assert [moment.turn for moment in moments[8:-1]] == [*range(1, moments[-1].turn + 1)]
    assert moments[0].luck == (0, 0, 0, 0)
    totals = tuple(sum(fortune.worth[seat] for fortune in found.fortunes) for seat in range(4))
    assert moments[-1].luck == totals


def code_kind(found, step):
    return found.record.action(found.record.codes[step]).kind

"""Reviews of games: chances, costly moves, and that luck is not taken for skill."""

from dataclasses import replace

import pytest

from kibitz.catan.analysis.review import Review, ReviewConfig, review
from kibitz.catan.core.board import Board
from kibitz.catan.core.codes import END_TURN
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.compute.runtime import Runtime, Threads
from kibitz.game import actor_at, legal_actions

SMALL = ReviewConfig(games=24, tries=8, pairs=24, finals=4, final_pairs=48)
SOON = Rules(victory_points=3, offer_limit=1)


def short(seed=3, seats=2):
    return simulate(Board.beginner(), ["builder"] * seats, seed, SOON)


@pytest.fixture(scope="module")
def found():
    return review(short(), SMALL)


def test_there_is_a_moment_for_every_turn_and_the_end_is_certain(found):
    record = short()
    *_, last = record.states()
    assert [moment.turn for moment in found.moments[:-1]] == list(range(int(last["turn"][0]) + 1))
    assert found.moments[0].step == 0
    assert found.moments[-1].step == len(record.codes)
    assert found.moments[-1].chances[int(last["winner"][0])] == 1.0
    assert all(sum(moment.chances) <= 1 + 1e-9 for moment in found.moments)
    assert found.partial is None


def test_the_costliest_move_comes_first(found):
    losses = [slip.loss.mean for slip in found.slips]
    assert losses == sorted(losses, reverse=True)
    assert len(losses) <= SMALL.finals
    assert all(slip.played != slip.better for slip in found.slips)


def test_who_misses_a_win_is_told_so():
    for seed in range(50):
        record = short(seed, seats=4)
        states = [s.copy() for s in record.states()][-2]
        if actor_at(states, 0) >= 0 and END_TURN in legal_actions(states):
            break
    missed = replace(record, codes=(*record.codes[:-1], END_TURN))
    slips = review(missed, replace(SMALL, finals=20, tries=16)).slips
    (slip,) = (slip for slip in slips if slip.step == len(missed.codes) - 1)
    assert (slip.seat, slip.played) == (int(states["player"][0]), "end_turn")
    assert slip.loss.tells_apart
    assert slip.loss.mean > 0.1


def test_any_number_of_threads_finds_the_same(found):
    assert review(short(), SMALL, workers=Threads(1)) == found


def test_it_reports_and_can_be_stopped():
    heard = []

    def hear(info):
        heard.append(info)
        if len(heard) == 5:
            runtime.cancel()

    runtime = Runtime(on_info=hear)
    stopped = review(short(), SMALL, runtime)
    assert len(heard) == 5
    assert [info.done for info in heard] == [1, 2, 3, 4, 5]
    assert heard[-1].ranking.partial == "running"
    assert stopped.partial == "cancelled"
    assert len(stopped.moments) == 5


def test_a_review_is_the_same_from_json(found):
    assert Review.from_json(found.to_json()) == found

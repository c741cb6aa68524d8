"""Work spread over threads: every piece once, errors heard, nothing begun after the caller has turned away."""

import threading
import time

import pytest

from kibitz.compute.runtime import Threads

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("jobs", [None, 1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 30])
def test_every_piece_comes_back_once_with_its_number(jobs, n):
    assert sorted(Threads(jobs).map(lambda piece: 10 * piece, range(n))) == [(i, 10 * i) for i in range(n)]


def test_results_come_in_the_order_in_which_they_are_finished():
    last_is_done = threading.Event()

    def piece_0_waits_for_piece_1(piece):
        if piece == 0:
            assert last_is_done.wait(10)
        return piece

    results = Threads(2).map(piece_0_waits_for_piece_1, [0, 1])
    assert next(results) == (1, 1)
    last_is_done.set()
    assert list(results) == [(0, 0)]


def test_as_many_threads_work_as_there_are_jobs_and_no_more():
    at_work, most = set(), 0
    both_are_there = threading.Barrier(2, timeout=10)

    def look_around(piece):
        nonlocal most
        at_work.add(threading.get_ident())
        both_are_there.wait()
        most = max(most, len(at_work))
        both_are_there.wait()
        at_work.discard(threading.get_ident())

    list(Threads(2).map(look_around, range(20)))
    assert most == 2


def test_closing_early_begins_no_other_piece_and_waits_for_those_under_way():
    begun, ended = [], []

    def work(piece):
        begun.append(piece)
        time.sleep(0.02)
        ended.append(piece)

    results = Threads(2).map(work, range(200))
    next(results)
    results.close()
    assert sorted(begun) == sorted(ended)
    assert len(begun) < 100


def test_what_a_piece_raises_is_raised_and_ends_the_work():
    begun = []

    def fails_at_3(piece):
        begun.append(piece)
        if piece == 3:
            raise KeyError("piece 3")
        time.sleep(0.01)

    with pytest.raises(KeyError, match="piece 3"):
        list(Threads(2).map(fails_at_3, range(200)))
    assert len(begun) < 100

"""What the players repeat: against brute force, as a value, and what counts as progress."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.loops.lap import MARKS, MOST_MOVES, Repeated, Streak

pytestmark = pytest.mark.plain
fixed = settings(derandomize=True, database=None, deadline=None)
MOVES = st.lists(st.integers(0, 2), max_size=60)


def after(moves: Sequence[int]) -> Streak:
    streak = Streak()
    for move in moves:
        streak.add(move)
    return streak


@given(MOVES)
@fixed
def test_what_is_said_to_be_repeated_is(moves: list[int]) -> None:
    streak = after(moves)
    if streak.lag:
        assert 0 < streak.run <= len(moves) - streak.lag
        assert moves[len(moves) - streak.run :] == moves[len(moves) - streak.run - streak.lag : -streak.lag]


@given(MOVES, st.lists(st.integers(0, 5), min_size=1, max_size=8))
@fixed
def test_a_lap_is_found_before_it_has_been_played_four_times(before: list[int], lap: list[int]) -> None:
    """Whatever was played before. (Laps in which the same two moves come twice may be found later.)"""
    pairs = list(zip(lap, lap[1:] + lap[:1], strict=True))
    if len({*pairs}) < len(pairs):
        return
    streak = after([*before, *lap * 4])
    assert streak.lag == len(lap)
    assert streak.run >= 2 * len(lap)


@pytest.mark.parametrize("lap", [[1], [1, 2], [1, 1, 2], [1, 1, 2, 2], [1, 1, 1, 2, 2, 2], [1, 2, 1, 3], list(range(500))])
def test_laps_in_which_moves_come_twice(lap: list[int]) -> None:
    streak = after([*lap * 4, lap[0]])
    assert streak.lag == len(lap)


@given(MOVES, MOVES)
@fixed
def test_saved_and_restored_it_goes_on_as_before(first: list[int], then: list[int]) -> None:
    streak = after(first)
    streak.mark(("core", 1), {"coins": 3}, 4)
    restored = Streak.from_json(json.loads(json.dumps(streak.to_json())))
    copied = deepcopy(streak)
    for move in then:
        for one in (streak, restored, copied):
            one.add(move)
    assert streak.to_json() == restored.to_json() == copied.to_json()


def test_memory_is_bounded_and_a_late_lap_is_found() -> None:
    streak = after(range(3 * MOST_MOVES))
    assert MOST_MOVES // 2 <= len(streak.moves) < MOST_MOVES
    for move in [-1, -2, -3] * 4:
        streak.add(move)
    assert streak.lag == 3
    assert Streak.from_json(streak.to_json()).to_json() == streak.to_json()


def coins(values: Sequence[int], cores: Sequence[str] | None = None) -> list[Repeated | None]:
    """The same move again and again, which leads to these numbers of coins (and cores)."""
    streak, found = Streak(), []
    for number, value in enumerate(values):
        streak.add(7)
        found.append(streak.mark(cores[number] if cores else "main", {"coins": value}, 4) if streak.due else None)
    return found


def test_even_changes_are_progress_after_four_laps_and_said_once() -> None:
    assert coins([9, 8, 7, 6, 5, 4]) == [None, None, None, Repeated((7,), {"coins": -1}, 4), None, None]


def test_uneven_changes_are_none_until_they_are_even() -> None:
    assert coins([9, 8, 6, 5, 3, 2]) == [None] * 6
    assert coins([1, 1, 1, 2, 3, 4])[-2:] == [Repeated((7,), {"coins": 1}, 5), None]


def test_what_changes_nothing_is_no_progress() -> None:
    assert coins([5] * 9) == [None] * 9


def test_another_core_is_another_state() -> None:
    """Two states in turn, told apart by their cores: the lap has two moves."""
    assert coins([9, 8, 7, 6, 5, 4, 3, 2], "abababab")[:6] == [None] * 6
    assert Repeated((7, 7), {"coins": -2}, 4) in coins([9, 8, 7, 6, 5, 4, 3, 2], "abababab")
    assert coins([9, 8, 7, 6, 5], "abcde") == [None] * 5


def test_only_so_many_states_are_kept() -> None:
    streak = Streak()
    for number in range(3 * MARKS):
        streak.add(7)
        streak.mark(number, {}, 4)
    assert len(streak.marks) == MARKS


def test_another_move_breaks_the_streak() -> None:
    streak = after([7, 7, 7])
    streak.mark("main", {"coins": 1}, 4)
    streak.add(8)
    assert not streak.marks
    assert not streak.due

"""Laps: the shortest repetition, against brute force; and where a lap leads that makes progress."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.game import CHANCE
from kibitz.loops.lab import LAB, Machine, Move, State
from kibitz.loops.lap import Ending, Lap, Step, period, project
from kibitz.loops.memory import NO_ACTION, History
from kibitz.loops.protocol import PlainGame
from tests.loops.games import Walk, walk

pytestmark = pytest.mark.plain
fixed = settings(derandomize=True, database=None, deadline=None)


@given(st.lists(st.integers(0, 2), max_size=40), st.integers(2, 5), st.integers(0, 12))
@fixed
def test_the_period_is_the_shortest_that_repeats_so_often(actions: list[int], laps: int, least: int) -> None:
    def repeats(length: int) -> bool:
        needed = max(laps * length, least)
        tail = actions[len(actions) - needed :]
        return needed <= len(actions) and all(tail[i] == tail[i - length] for i in range(length, needed))

    found = [length for length in range(1, len(actions) // laps + 1) if repeats(length)]
    assert period(array("q", actions), laps, least) == (found[0] if found else 0)


def test_a_lap_from_history_leaves_out_what_the_engine_did_by_itself() -> None:
    history = History()
    for number, (action, by) in enumerate([(5, 0), (6, 1), (NO_ACTION, 0), (7, CHANCE)]):
        history.record(number, action, by, 0, lambda: 0)
    lap = Lap.between(history, 1, 4)
    assert lap.steps == (Step(1, 6), Step(CHANCE, 7))
    assert lap.seats == (1,)


def test_a_lap_is_followed_only_where_every_step_is_legal() -> None:
    ring = walk([[1], [2], [0, 3], []])
    there = Lap((Step(0, 0), Step(0, 0), Step(0, 0)))
    assert there.returns(ring)
    assert [position.key() for position in there.follow(ring) or []] == [0, 1, 2, 0]
    assert ring.key() == 0
    assert Lap((Step(0, 1),)).follow(ring) is None
    assert Lap((Step(1, 0),)).follow(ring) is None
    assert not Lap((Step(0, 0),)).returns(ring)


def played(name: str, steps: int, flipped: bool = False) -> PlainGame:
    position = LAB[name].start(flipped)
    for _ in range(steps):
        position.apply(position.actions()[0])
    return position


def test_damage_and_growth_end_with_the_life() -> None:
    """40 life, one a lap: the 40th damage is the first step of the lap after 39 whole ones."""
    progress = project(played("growth", 0), [0, 1])
    assert progress is not None
    assert progress.lap == Lap((Step(0, 0), Step(1, 1)))
    assert progress.changes == {"life of player 2": -1, "counters": 1}
    assert (progress.first, progress.laps, progress.ending) == ("life of player 2", 39, Ending.GAME_OVER)


def test_a_finite_supply_blocks_the_ring() -> None:
    progress = project(played("ring", 0), [0, 1])
    assert progress is not None
    assert (progress.first, progress.laps, progress.ending) == ("coins", 40, Ending.BLOCKED)


def test_a_drain_that_nobody_loses_by_becomes_a_circle() -> None:
    progress = project(played("drain", 0, flipped=True), [0, 1])
    assert progress is not None
    assert (progress.laps, progress.ending) == (40, Ending.CIRCLE)


def test_growth_without_bound_is_not_within_sight_and_a_slow_drain_is_reckoned() -> None:
    up = Move("main", "main", "grow", {"power": 2})
    progress = project(PlainGame(State(Machine((up,), {}, {"power": 0}))), [0], max_steps=10)
    assert progress is not None
    assert (progress.changes, progress.ending, progress.first, progress.laps) == ({"power": 2}, Ending.FAR, None, None)
    down = Move("main", "main", "pay", {"coins": -3}, {"coins": 3})
    progress = project(PlainGame(State(Machine((down,), {}, {"coins": 3_001}))), [0], max_steps=10)
    assert progress is not None
    assert (progress.ending, progress.first, progress.laps) == (Ending.FAR, "coins", 1_001)


def test_the_first_threshold_is_named_among_several() -> None:
    both = Move("main", "main", "pay", {"coins": -2, "cards": -1}, {"coins": 2, "cards": 1})
    progress = project(PlainGame(State(Machine((both,), {}, {"coins": 20, "cards": 30}))), [0])
    assert progress is not None
    assert (progress.first, progress.laps, progress.ending) == ("coins", 10, Ending.BLOCKED)


class Counting(Walk):
    def resources(self) -> dict[str, int]:
        return {"clock": self.clock}


class Toggling(Walk):
    def resources(self) -> dict[str, int]:
        return {"power": self.node % 2}


def test_uneven_changes_are_no_progress() -> None:
    """The same action again and again, but power goes up, down, up."""
    assert project(PlainGame(Toggling(((1,), (2,), (3,), (0,)))), [0]) is None


def test_what_the_game_does_not_count_is_no_progress() -> None:
    assert project(walk([[1], [2], [3], []]), [0]) is None


def test_chance_may_do_something_else_each_time() -> None:
    """Each lap a player takes a step, and chance, from node 1, 3 or 5, one of two ways to the next even node."""
    game = Counting(((1, 1), (2, 4), (3,), (4, 0), (5,), (0, 2)), (0, CHANCE) * 3)
    progress = project(PlainGame(game), [0])
    assert progress is not None
    assert progress.lap == Lap((Step(0, 0),))
    assert progress.changes == {"clock": 2}


def test_what_wins_is_named_even_if_something_else_drains() -> None:
    race = Move("main", "main", "advance", {"points": 1, "cards": -1})
    progress = project(PlainGame(State(Machine((race,), {}, {"points": 0, "cards": 99}, {"points": 10}))), [0])
    assert progress is not None
    assert (progress.first, progress.laps, progress.ending) == ("points", 10, Ending.GAME_OVER)


def test_chance_that_never_ends_is_given_up() -> None:
    assert project(PlainGame(Counting(((1,), (1, 0)), (0, CHANCE))), [0]) is None


def test_a_strict_loop_is_no_progress() -> None:
    assert project(played("mandatory", 0), [0, 1]) is None
    assert project(played("mandatory", 0), [5]) is None

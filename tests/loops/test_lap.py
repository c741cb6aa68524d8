"""Laps: what they are made of, and where one leads that makes progress."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kibitz.game import CHANCE
from kibitz.loops.lab import LAB, Machine, MachineState, Move
from kibitz.loops.lap import SEAT_BITS, Ending, Lap, LapStep, Progress, Repeated, project
from kibitz.loops.memory import NO_ACTION, History
from kibitz.loops.protocol import PlainGame, WatchedGame
from tests.loops.games import Walk, walk

pytestmark = pytest.mark.plain


def test_a_lap_from_history_leaves_out_what_the_engine_did_by_itself() -> None:
    history = History()
    for number, (action, by) in enumerate([(5, 0), (6, 1), (NO_ACTION, 0), (7, CHANCE)]):
        history.record(number, action, by, 0, lambda: 0)
    lap = history.lap(1)
    assert lap.steps == (LapStep(1, 6), LapStep(CHANCE, 7))
    assert lap.seats == (1,)


def test_a_lap_is_followed_only_where_every_step_is_legal() -> None:
    ring = walk([[1], [2], [0, 3], []])
    there = Lap((LapStep(0, 0), LapStep(0, 0), LapStep(0, 0)))
    assert there.returns(ring)
    assert [position.key() for position in there.follow(ring) or []] == [0, 1, 2, 0]
    assert ring.key() == 0
    assert Lap((LapStep(0, 1),)).follow(ring) is None
    assert Lap((LapStep(1, 0),)).follow(ring) is None
    assert not Lap((LapStep(0, 0),)).returns(ring)


def start(name: str, flipped: bool = False) -> WatchedGame:
    return LAB[name].start(flipped)


def counters(*moves: Move, have: Mapping[str, int], ends: Mapping[str, int] | None = None) -> PlainGame:
    return PlainGame(MachineState(Machine(moves, {}, have, ends or {})))


def led(position: WatchedGame, steps: list[tuple[int, int]], changes: Mapping[str, int], **more: int) -> Progress | None:
    """Where a lap leads that has been played four times."""
    return project(position, Repeated(tuple(action << SEAT_BITS | seat for seat, action in steps), changes, 4), **more)


def test_a_step_is_a_number_and_back() -> None:
    for step in (LapStep(0, 0), LapStep(5, 7), LapStep(3, 2**40)):
        assert LapStep.from_move(step.action << SEAT_BITS | step.seat) == step


def test_damage_and_growth_end_with_the_life() -> None:
    """40 life, one a lap: the 40th damage is the first step of the lap after 39 whole ones."""
    changes = {"life of player 2": -1, "counters": 1}
    progress = led(start("growth"), [(0, 0), (1, 1)], changes)
    assert progress is not None
    assert progress.lap == Lap((LapStep(0, 0), LapStep(1, 1)))
    assert progress.changes == changes
    assert (progress.first, progress.done, progress.laps) == ("life of player 2", 4, 39)
    assert progress.ending == Ending.GAME_OVER
    assert not progress.bounded


def test_a_finite_supply_blocks_the_ring() -> None:
    progress = led(start("supply"), [(0, 0), (0, 1)], {"coins": -1})
    assert progress is not None
    assert (progress.first, progress.laps, progress.ending) == ("coins", 40, Ending.BLOCKED)
    assert progress.bounded


def test_a_supply_that_has_just_run_out_is_named_too() -> None:
    pay = Move("main", "main", "pay", {"coins": -1}, {"coins": 1})
    progress = led(counters(pay, have={"coins": 0}), [(0, 0)], {"coins": -1})
    assert progress is not None
    assert (progress.first, progress.done, progress.laps, progress.bounded) == ("coins", 4, 0, True)


def test_a_drain_that_nobody_loses_by_becomes_a_circle() -> None:
    progress = led(start("drain", flipped=True), [(0, 0), (1, 1)], {"life of player 1": -1, "life of player 2": -1})
    assert progress is not None
    assert (progress.laps, progress.ending) == (40, Ending.CIRCLE)


def test_growth_without_bound_is_not_within_sight_and_a_slow_drain_is_reckoned() -> None:
    up = Move("main", "main", "grow", {"power": 2})
    progress = led(counters(up, have={"power": 0}), [(0, 0)], {"power": 2}, max_steps=10)
    assert progress is not None
    assert (progress.changes, progress.ending, progress.first, progress.laps) == ({"power": 2}, Ending.FAR, None, None)
    down = Move("main", "main", "pay", {"coins": -3}, {"coins": 3})
    progress = led(counters(down, have={"coins": 3_001}), [(0, 0)], {"coins": -3}, max_steps=10)
    assert progress is not None
    assert (progress.ending, progress.first, progress.laps) == (Ending.FAR, "coins", 1_001)


def test_the_first_threshold_is_named_among_several() -> None:
    both = Move("main", "main", "pay", {"coins": -2, "cards": -1}, {"coins": 2, "cards": 1})
    progress = led(counters(both, have={"coins": 20, "cards": 30}), [(0, 0)], {"coins": -2, "cards": -1})
    assert progress is not None
    assert (progress.first, progress.laps, progress.ending) == ("coins", 10, Ending.BLOCKED)


def test_what_wins_is_named_even_if_something_else_drains() -> None:
    race = Move("main", "main", "advance", {"points": 1, "cards": -1})
    progress = led(counters(race, have={"points": 0, "cards": 99}, ends={"points": 10}), [(0, 0)], {"points": 1, "cards": -1})
    assert progress is not None
    assert (progress.first, progress.laps, progress.ending) == ("points", 10, Ending.GAME_OVER)


def test_what_cannot_be_repeated_though_nothing_has_run_out_is_not_bounded_by_a_supply() -> None:
    up = Move("main", "aside", "grow", {"power": 1})
    progress = led(counters(up, Move("aside", "aside", "wait"), have={"power": 0, "cards": 9}), [(0, 0)], {"power": 1})
    assert progress is not None
    assert (progress.ending, progress.bounded, progress.laps) == (Ending.BLOCKED, False, 1)


class Counting(Walk):
    """A clock that can be seen; seat 1 wins where there is nowhere to go."""

    winner = 1

    def resources(self) -> dict[str, int]:
        return {"clock": self.clock}


def test_a_lap_that_goes_on_to_change_something_else_is_no_progress() -> None:
    assert led(PlainGame(Counting(((1,), (2,), (3,), ()))), [(0, 0)], {"clock": 2}) is None


def test_who_wins_in_the_end() -> None:
    progress = led(PlainGame(Counting(((1,), (2,), ()))), [(0, 0)], {"clock": 1})
    assert progress is not None
    assert (progress.winner, progress.laps) == (1, 2)


def test_chance_may_do_something_else_each_time() -> None:
    """Each lap a player takes a step, and chance, from node 1, 3 or 5, one of two ways to the next even node."""
    game = Counting(((1, 1), (2, 4), (3,), (4, 0), (5,), (0, 2)), (0, CHANCE) * 3)
    progress = led(PlainGame(game), [(0, 0)], {"clock": 2})
    assert progress is not None
    assert progress.ending == Ending.FAR


def test_chance_that_never_ends_is_given_up() -> None:
    progress = led(PlainGame(Counting(((1,), (1, 0)), (0, CHANCE))), [(0, 0)], {"clock": 2})
    assert progress is not None
    assert progress.ending == Ending.BLOCKED

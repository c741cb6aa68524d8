"""Verdicts: every case under every model, numbers declared in turn, laps that are skipped and laps that are played."""

from __future__ import annotations

import pytest

from kibitz.loops.config import MODELS, Consequence
from kibitz.loops.lab import LAB, Machine, MachineState, Move
from kibitz.loops.lap import Lap, LapStep
from kibitz.loops.protocol import PlainGame
from kibitz.loops.stopping import Answer, Stopping
from kibitz.loops.verdict import Case, Verdict, case_of, declared, judge, repeat, settle
from tests.loops.games import Walk, walk

pytestmark = pytest.mark.plain
YES, NO, UNKNOWN = Answer.YES, Answer.NO, Answer.UNKNOWN

CASES = {
    Case.BOTH: Stopping({0: YES, 1: YES}),
    Case.ONE: Stopping({0: NO, 1: YES}),
    Case.NEITHER: Stopping({0: NO, 1: NO}),
    Case.TOGETHER: Stopping({0: NO, 1: NO}, together=(0, 1)),
    Case.UNKNOWN: Stopping({0: NO, 1: UNKNOWN}),
    Case.CHANCE: Stopping({0: YES, 1: NO}, by_chance=YES),
}
C, M, D, S, X = Consequence.CONTINUES, Consequence.MUST_STOP, Consequence.DECLARES, Consequence.SMALLER, Consequence.DRAW


@pytest.mark.parametrize("case", CASES)
def test_the_case(case: Case) -> None:
    assert case_of(CASES[case]) == case


def test_one_who_surely_can_is_enough_where_the_other_is_unknown() -> None:
    assert case_of(Stopping({0: YES, 1: UNKNOWN})) == Case.ONE
    assert case_of(Stopping({0: YES, 1: NO}, by_chance=UNKNOWN)) == Case.UNKNOWN
    assert case_of(Stopping(by_chance=UNKNOWN)) == Case.UNKNOWN


def test_where_only_a_group_is_unknown_it_matters_only_to_rules_that_ask_for_groups() -> None:
    unknown = Stopping({0: NO, 1: NO}, together=None)
    assert case_of(unknown) == Case.UNKNOWN
    assert judge(unknown, 5, MODELS["seed"]) == Verdict(Case.UNKNOWN, C)
    assert judge(unknown, 5, MODELS["declare"]) == Verdict(Case.NEITHER, X)
    assert judge(Stopping({0: NO, 1: NO}, None, UNKNOWN), 5, MODELS["declare"]).case == Case.UNKNOWN


@pytest.mark.parametrize(
    ("model", "outcomes"),
    [
        ("declare", (S, D, X, X, C, C)),
        ("seed", (C, M, X, C, C, C)),
        ("draw", (X, X, X, X, X, C)),
        ("cap", (C, C, C, C, C, C)),
    ],
)
def test_every_case_under_every_model(model: str, outcomes: tuple[Consequence, ...]) -> None:
    assert tuple(judge(stopping, 5, MODELS[model]).outcome for stopping in CASES.values()) == outcomes


def test_the_cap_is_a_draw_whoever_could_stop() -> None:
    assert judge(CASES[Case.ONE], 100, MODELS["cap"]).outcome == C
    assert judge(CASES[Case.ONE], 101, MODELS["cap"]).outcome == X


def test_who_has_to_stop() -> None:
    assert judge(CASES[Case.ONE], 5, MODELS["seed"]).stopping_player == 1
    assert judge(CASES[Case.ONE], 5, MODELS["declare"]).stopping_player == 1
    assert judge(CASES[Case.BOTH], 5, MODELS["declare"]).stopping_player is None


def test_the_turn_player_declares_first_and_the_other_knows_the_number() -> None:
    asked: list[tuple[int, int | None]] = []

    def declare(seat: int, lap: Lap, smallest: int | None) -> int:
        asked.append((seat, smallest))
        return 3 + seat

    verdict = Verdict(Case.BOTH, S, (0, 1, 2))
    assert declared(verdict, Lap(()), 1, declare) == (0, 3)
    assert asked == [(1, None), (2, 4), (0, 4)]
    assert declared(Verdict(Case.BOTH, S, (0, 1)), Lap(()), 1, lambda *_: 5) == (1, 5)
    assert declared(Verdict(Case.ONE, M, (1,)), Lap(()), 0, lambda *_: 5) == (1, 0)


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match="player 2 declares -1 laps"):
        declared(Verdict(Case.ONE, D, (1,)), Lap(()), 0, lambda *_: -1)


class Counted(Walk):
    """Counts how often anything is done."""

    done = 0

    def apply(self, a: int) -> None:
        Counted.done += 1
        super().apply(a)


def test_a_billion_laps_that_change_nothing_are_skipped() -> None:
    position = PlainGame(Counted(((1,), (0,))))
    assert repeat(position, Lap((LapStep(0, 0), LapStep(0, 0))), 10**9)[:2] == (1, 10**9 - 1)
    assert position.key() == 0
    assert Counted.done == 2
    assert repeat(position, Lap((LapStep(0, 0), LapStep(0, 0))), 0)[:2] == (0, 0)


def test_laps_that_change_something_are_played_exactly() -> None:
    position = LAB["growth"].start()
    lap = Lap((LapStep(0, 0), LapStep(1, 1)))
    assert repeat(position, lap, 7)[:2] == (7, 0)
    assert position.resources() == {"life of player 2": 33, "counters": 7}
    assert repeat(position, lap, 100)[:2] == (32, 0)
    assert position.resources()["life of player 2"] == 0


def test_a_lap_that_ends_the_game_is_the_last() -> None:
    last = Move("main", "main", "pay", {"coins": -1})
    position = PlainGame(MachineState(Machine((last,), {}, {"coins": 3}, {"coins": 0})))
    assert repeat(position, Lap((LapStep(0, 0),)), 10)[:2] == (3, 0)


def test_after_the_laps_the_game_stands_where_its_player_can_stop() -> None:
    from kibitz.loops.stopping import who_can_stop

    position = walk([[1], [2], [0, 3], []], [0, 1, 1, 0])
    lap = Lap((LapStep(0, 0), LapStep(1, 0), LapStep(1, 0)))
    settlement = settle(position, lap, who_can_stop(position, lap), seat=1, laps=4)
    assert position.key() == 2
    assert settlement.steps == (*lap.steps, *lap.steps[:2])  # the other three laps would change nothing
    assert (settlement.way, settlement.banned) == (lap.steps[:2], (0,))

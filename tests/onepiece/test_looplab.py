"""The table of loops with real cards: every row played in the engine under the guard, and each with one card changed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from kibitz.game import OVER
from kibitz.loops.config import MODELS, Consequence
from kibitz.loops.guard import LoopGuard, LoopResult
from kibitz.loops.lab import LAB, Trial, try_out
from kibitz.loops.lap import Ending
from kibitz.loops.memory import Memory
from kibitz.loops.protocol import WatchedGame
from kibitz.loops.stopping import Answer, break_loop
from kibitz.loops.verdict import Settlement
from kibitz.onepiece.looplab import CARD_LAB

pytestmark = pytest.mark.plain

ONE_PIECE = MODELS["declare"]
BOTH = "the smaller of two declared numbers"
#: The table of loops: who can stop a row, the verdict, and the same with one card changed; None: nothing repeats.
TABLE = {
    "mandatory": ((), "draw", (0,), "player 1 declares"),
    "activate": ((0,), "player 1 declares", None, "no loop"),
    "both": ((0, 1), BOTH, (0,), "player 1 declares"),
    "other": ((1,), "player 2 declares", (), "draw"),
    "choices": ((), "draw", (0,), "player 1 declares"),
    "permanent": ((), "draw", None, "no loop"),
    "once": ((0,), "player 1 declares", None, "no loop"),
    "growth": (None, "progress", (), "draw"),
    "drain": (None, "progress", (), "draw"),
    "harmless": ((), "draw", None, "progress"),
    "supply": (None, "bounded", (0,), "player 1 declares"),
    "hidden": (None, "suspected only", (0,), "player 1 declares"),
}
CASES = [(name, flipped) for name in TABLE for flipped in (False, True)]
LOOPS = [(name, flipped) for name, flipped in CASES if TABLE[name][2 * flipped] is not None]
STOPPED = [(name, flipped) for name, flipped in LOOPS if TABLE[name][2 * flipped]]


@cache
def tried(name: str, flipped: bool = False, *numbers: int) -> Trial:
    return try_out(CARD_LAB[name], ONE_PIECE, flipped, lambda seat, lap, smallest: numbers[seat] if numbers else 0)


@cache
def judged(name: str, flipped: bool) -> tuple[Memory, WatchedGame, LoopResult]:
    """A row played until its loop is judged: played once for all tests."""
    row = CARD_LAB[name]
    guard, position, choose = LoopGuard(ONE_PIECE), row.start(flipped), row.choose(flipped)
    result = guard.observe(position)
    while not result.loop_detected:
        by, action = position.actor(), choose(position, position.actions())
        position.apply(action)
        result = guard.observe(position, action, by)
    return guard.memory, position, result


def looped(name: str, flipped: bool) -> tuple[LoopGuard, WatchedGame, LoopResult]:
    memory, position, result = judged(name, flipped)
    return LoopGuard(ONE_PIECE, memory.copy()), position.copy(), result


def stopped(name: str, flipped: bool, laps: int = 0) -> tuple[LoopGuard, WatchedGame, LoopResult, Settlement]:
    """A loop played on to where somebody has to stop."""
    guard, position, result = looped(name, flipped)
    settlement = guard.settle(position, result, lambda seat, lap, smallest: laps)
    assert settlement is not None
    return guard, position, result, settlement


# --- the table ----------------------------------------------------------------------------------------------------------


def test_the_names_are_the_same_everywhere() -> None:
    assert list(TABLE) == list(CARD_LAB) == list(LAB) == list(CARD_LAB)


def test_the_table_in_the_docs_is_this_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "loops.md").read_text(encoding="utf-8")
    for name, row in CARD_LAB.items():
        assert f"| `{name}` | {row.title} | {row.expected} | {row.change} | {row.flipped_to} |" in page


@pytest.mark.parametrize(("name", "flipped"), CASES)
def test_the_verdict(name: str, flipped: bool) -> None:
    verdict = TABLE[name][2 * flipped + 1]
    trial = tried(name, flipped)
    assert trial.verdict == verdict == (CARD_LAB[name].flipped_to if flipped else CARD_LAB[name].expected)
    assert (trial.ending == "the game is a draw") == (verdict == "draw")
    assert trial.ending != "broken off"


@pytest.mark.untraced
@pytest.mark.parametrize(("name", "flipped"), LOOPS)
def test_who_can_stop_it(name: str, flipped: bool) -> None:
    _, _, result = looped(name, flipped)
    able = TABLE[name][2 * flipped]
    assert result.stopping is not None
    assert result.stopping.able == able
    assert Answer.UNKNOWN not in result.stopping.answers.values()
    assert result.stopping_player == (able[0] if able and len(able) == 1 else None)


@pytest.mark.parametrize(("name", "flipped"), CASES)
def test_a_warning_comes_one_lap_before_the_verdict(name: str, flipped: bool) -> None:
    notes = tried(name, flipped).notes
    warnings = [note for note in notes if note.result.warning]
    loops = [note for note in notes if note.result.loop_detected]
    assert len(warnings) == len(loops)
    for warning, loop in zip(warnings, loops, strict=True):
        assert (warning.result.count, loop.result.count) == (4, 5)
        assert loop.after - warning.after == len(loop.lap)


# --- stopping it --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "flipped"), STOPPED)
def test_every_suggestion_breaks_the_loop_when_it_is_played(name: str, flipped: bool) -> None:
    """Whoever can stop makes the suggested move; until the turn ends no state of the lap comes back."""
    _, position, result = looped(name, flipped)
    assert result.lap is not None
    assert result.stopping is not None
    around = result.lap.follow(position)
    assert around is not None
    keys = {there.key() for there in around}
    go_on = CARD_LAB[name].go_on()
    for seat in result.stopping.able:
        assert result.stopping.breaks_of(seat)
    for way in result.stopping.breaks:
        game = around[way.step].copy()
        assert game.actor() == way.seat
        turn, steps, action = game.turn(), 0, way.action
        while True:
            game.apply(action)
            steps += 1
            assert game.key() not in keys
            if game.actor() == OVER or game.turn() != turn:
                break
            action = go_on(game, game.actions())
            assert steps < 100


@pytest.mark.untraced
@pytest.mark.parametrize(("name", "flipped"), LOOPS)
def test_going_back_to_the_latest_decision_finds_a_way_out_where_there_is_one(name: str, flipped: bool) -> None:
    _, position, result = looped(name, flipped)
    assert result.lap is not None
    around = result.lap.follow(position)
    assert around is not None
    escape = break_loop(position, result.lap)
    assert (escape is not None) == bool(TABLE[name][2 * flipped])
    if escape:
        game = around[escape.step].copy()
        for seat, action in escape.line:
            assert game.actor() == seat
            assert game.may(action)
            game.apply(action)
        assert game.key() not in {there.key() for there in around}


@pytest.mark.parametrize(("name", "flipped"), STOPPED)
def test_the_loop_cannot_be_started_again_while_there_is_anything_else_to_do(name: str, flipped: bool) -> None:
    guard, position, _, settlement = stopped(name, flipped)
    assert position.actor() == settlement.seat
    assert settlement.banned[0] in position.actions()
    assert settlement.banned[0] not in guard.allowed(position)
    assert guard.allowed(position)
    assert guard.allowed(position, list(settlement.banned)) == list(settlement.banned)  # forced
    elsewhere = position.copy()
    elsewhere.apply(guard.allowed(position)[0])
    assert guard.allowed(elsewhere) == elsewhere.actions()


# --- declared numbers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "flipped"), STOPPED)
def test_a_million_laps_lead_to_the_same_state_as_one(name: str, flipped: bool) -> None:
    _, one, _, _ = stopped(name, flipped, 1)
    _, million, _, settlement = stopped(name, flipped, 1_000_000)
    assert settlement.laps == 1_000_000
    assert million.key() == one.key()
    assert million.turn() == one.turn()


@pytest.mark.parametrize(
    ("numbers", "seat", "laps"),
    [((9, 4), 1, 4), ((4, 9), 0, 4), ((5, 5), 0, 5), ((0, 10**6), 0, 0), ((10**6, 10**5), 1, 10**5)],
)
def test_the_smaller_of_two_declared_numbers_is_played(numbers: tuple[int, int], seat: int, laps: int) -> None:
    """Who named it stops; the turn player, who declares first, if both named the same."""
    settlement = next(note.settlement for note in tried("both", False, *numbers).notes if note.settlement)
    assert (settlement.seat, settlement.laps) == (seat, laps)


def test_of_two_declared_laps_that_are_the_same_only_one_is_played() -> None:
    few, many = tried("both", False, 1, 1), tried("both", False, 10**9, 10**9)
    assert [step.text for step in few.steps] == [step.text for step in many.steps]
    assert [one.settlement and one.settlement.laps_played for one in (few.notes[-1], many.notes[-1])] == [1, 1]


# --- what is no loop ----------------------------------------------------------------------------------------------------


def test_damage_and_growth_say_what_wins_and_for_whom() -> None:
    trial = tried("growth")
    (note,) = trial.notes
    progress = note.result.progress
    assert progress is not None
    assert progress.changes == {"player 1 power": 1000, "player 2 life": -1, "player 2 hand": 1}
    assert (progress.first, progress.ending, progress.winner) == ("player 2 life", Ending.GAME_OVER, 0)
    assert trial.ending == "player 1 wins"


def test_mutual_drain_says_whose_deck_is_empty_first_and_that_comes_true() -> None:
    trial = tried("drain")
    (note,) = trial.notes
    progress = note.result.progress
    assert progress is not None
    assert (progress.first, progress.winner, progress.done) == ("player 1 deck", 1, 4)
    assert progress.laps is not None
    assert len(trial.steps) - note.after == 2 * progress.laps + 1
    assert trial.ending == "player 2 wins"


def test_a_drain_that_nobody_loses_by_leads_into_a_loop() -> None:
    notes = tried("harmless").notes
    assert [note.result.words for note in notes] == ["progress", "", "draw"]
    assert notes[0].result.progress is not None
    assert notes[0].result.progress.ending == Ending.CIRCLE


def test_a_finite_supply_says_what_pays_and_for_how_many_laps() -> None:
    (note,) = tried("supply").notes
    progress = note.result.progress
    assert progress is not None
    assert (progress.bounded, progress.first, progress.done, progress.laps) == (True, "player 1 don", 4, 0)


def test_hidden_changes_are_never_judged_and_without_suspicion_nothing_is_said() -> None:
    row = CARD_LAB["hidden"]
    guard, position, choose = LoopGuard(ONE_PIECE), row.start(), row.choose()
    guard.observe(position)
    for _ in range(60):
        action = choose(position, position.actions())
        position.apply(action)
        result = guard.observe(position, action)
        assert (result.resolution, result.words, result.warning) == (Consequence.CONTINUES, "", False)

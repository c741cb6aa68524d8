"""Rows of a lab played out: what is noted, what is demanded, how it ends."""

from __future__ import annotations

import pytest

from kibitz.loops.config import MODELS
from kibitz.loops.lab import LAB, MOST_STEPS, try_out
from kibitz.loops.lap import who

pytestmark = pytest.mark.plain
ONE_PIECE = MODELS["declare"]


def test_the_steps_and_what_was_demanded_of_them() -> None:
    """Four laps of two; then two declared ones, of which one is played, and the way to where player 2 stops."""
    trial = try_out(LAB["other"], ONE_PIECE, declare=lambda seat, lap, smallest: 2, escapes=True)
    assert [step.demanded for step in trial.steps] == [False] * 8 + [True] * 3 + [False] * 2
    assert [step.text for step in trial.steps[-2:]] == ["leave the card rested", "end the turn"]
    *_, note = trial.notes
    assert (note.after, note.settlement and note.settlement.laps_played, note.banned) == (8, 1, ("set the card active",))
    assert note.escape == ("player 2: leave the card rested", "player 1: end the turn")
    assert trial.ending == "the game is over"


def test_each_thing_is_noted_once() -> None:
    trial = try_out(LAB["both"], MODELS["seed"])
    assert [note.result.words for note in trial.notes] == ["", "the game continues"]
    assert len(trial.steps) == MOST_STEPS
    assert trial.ending == "broken off"


def test_a_cap_is_noted_after_what_it_ends() -> None:
    trial = try_out(LAB["both"], MODELS["cap"])
    assert [note.result.words for note in trial.notes] == ["", "the game continues", "draw"]
    assert trial.notes[-1].result.count == 101
    assert (trial.verdict, trial.ending) == ("draw", "the game is a draw")


def test_where_nothing_can_be_done_there_is_no_way_out() -> None:
    note = try_out(LAB["mandatory"], ONE_PIECE, escapes=True).notes[-1]
    assert (note.ways, note.escape, note.settlement) == ((), (), None)


def test_suspicion_ends_what_goes_round_and_judges_nothing() -> None:
    trial = try_out(LAB["hidden"], ONE_PIECE)
    assert [note.result.words for note in trial.notes] == ["suspected only"]


def test_seats_as_people_read_them() -> None:
    assert [who(seat) for seat in (0, 1, -1)] == ["player 1", "player 2", "chance"]

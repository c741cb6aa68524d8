"""Every row of the loop table, played under a guard, and each with one thing changed so that the verdict flips."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.loops.config import MODELS, Consequence
from kibitz.loops.drive import Ending, Guarded, play
from kibitz.loops.guard import LoopGuard
from kibitz.loops.lab import LAB
from kibitz.loops.protocol import OMNISCIENT, PUBLIC

pytestmark = pytest.mark.plain

#: The rows of the table in the rules' words: the verdict, how the game ends, and the same with one thing changed.
TABLE = {
    "mandatory": ("draw", Ending.DRAW, "player 2 declares", Ending.OVER),
    "activate": ("player 1 declares", Ending.OVER, "no loop", Ending.OVER),
    "both": ("the smaller of two declared numbers", Ending.OVER, "player 1 declares", Ending.OVER),
    "other": ("player 2 declares", Ending.OVER, "draw", Ending.DRAW),
    "choices": ("draw", Ending.DRAW, "player 1 declares", Ending.OVER),
    "permanent": ("draw", Ending.DRAW, "no loop", Ending.OVER),
    "once": ("player 1 declares", Ending.OVER, "no loop", Ending.OVER),
    "growth": ("progress", Ending.OVER, "draw", Ending.DRAW),
    "drain": ("progress", Ending.OVER, "draw", Ending.DRAW),
    "harmless": ("draw", Ending.DRAW, "progress", Ending.OVER),
    "supply": ("bounded", Ending.OVER, "player 1 declares", Ending.OVER),
    "hidden": ("suspected only", Ending.OVER, "draw", Ending.DRAW),
}


def played(name: str, flipped: bool, model: str = "declare") -> tuple[Guarded, Ending]:
    hook = Guarded(LoopGuard(replace(MODELS[model], suspect=True)), lambda seat, lap, smallest: 10 - seat)
    ending, _ = play(LAB[name].start(flipped), LAB[name].choose(flipped), hook, max_steps=500)
    return hook, ending


def test_the_lab_has_all_rows() -> None:
    assert list(LAB) == list(TABLE)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", TABLE)
def test_the_verdict(name: str, flipped: bool) -> None:
    verdict, end = TABLE[name][2 * flipped : 2 * flipped + 2]
    hook, ending = played(name, flipped)
    assert hook.verdict == verdict == (LAB[name].flipped_to if flipped else LAB[name].expected)
    assert ending == end


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", TABLE)
def test_there_is_never_a_draw_that_is_not_a_loop(name: str, flipped: bool) -> None:
    hook, _ = played(name, flipped)
    for result in hook.found:
        assert result.loop_detected or result.resolution == Consequence.CONTINUES
        if result.loop_detected:
            assert result.stopping is not None
            assert result.stopping.exact


@pytest.mark.parametrize("name", TABLE)
def test_the_models_of_the_seed_and_of_the_plain_draw(name: str) -> None:
    """The seed lets the game continue where both can stop it, and makes one stop at once; a plain draw is always a draw."""
    verdict = TABLE[name][0]
    loop = verdict not in ("progress", "bounded", "suspected only")
    seed = {"the smaller of two declared numbers": "the game continues"}.get(verdict, verdict.replace("declares", "must stop"))
    assert played(name, False, "seed")[0].verdict == seed
    assert played(name, False, "draw")[0].verdict == ("draw" if loop else verdict)


def test_the_smaller_of_two_declared_numbers_is_played_and_its_player_stops() -> None:
    hook, _ = played("both", False)
    (settlement,) = hook.settled
    assert (settlement.seat, settlement.laps) == (1, 9)


def test_hidden_counters_are_seen_by_their_owner_alone() -> None:
    start = LAB["hidden"].start()
    keys = [start.key(view) for view in (OMNISCIENT, 0, 1, PUBLIC)]
    start.apply(0)
    start.apply(1)
    changed = [start.key(view) for view in (OMNISCIENT, 0, 1, PUBLIC)]
    assert [one == other for one, other in zip(keys, changed, strict=True)] == [False, False, True, True]

"""A guard that is saved and restored in the loops of the cards; not in plain mode, where tests/loops/test_memory.py is run."""

from __future__ import annotations

import json

import pytest

from kibitz.game import OVER
from kibitz.loops.guard import LoopGuard
from kibitz.loops.memory import Memory
from kibitz.onepiece.looplab import CARD_LAB
from tests.onepiece.test_looplab import CASES, ONE_PIECE


@pytest.mark.parametrize(("name", "flipped"), [case for case in CASES if case != ("hidden", False)])
def test_saved_and_restored_at_every_step_the_guard_says_the_same(name: str, flipped: bool) -> None:
    row = CARD_LAB[name]
    guard, position, choose = LoopGuard(ONE_PIECE), row.start(flipped), row.choose(flipped)
    through = [guard.observe(position)]
    restored = LoopGuard(ONE_PIECE)
    again = [restored.observe(position)]
    for _ in range(18):
        if position.actor() == OVER or through[-1].loop_detected:
            break
        by, action = position.actor(), choose(position, position.actions())
        position.apply(action)
        through.append(guard.observe(position, action, by))
        restored = LoopGuard(ONE_PIECE, Memory.from_json(json.loads(json.dumps(restored.memory.to_json()))))
        again.append(restored.observe(position, action, by))
    assert [(r.words, r.count, r.lap, r.progress) for r in again] == [(r.words, r.count, r.lap, r.progress) for r in through]

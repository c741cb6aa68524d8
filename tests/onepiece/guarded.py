"""Games of One Piece under a guard: what it says about games that are no loops, which should be nothing."""

from collections.abc import Iterable
from typing import Any

from kibitz.game import OVER
from kibitz.loops.config import MODELS
from kibitz.loops.guard import LoopGuard, LoopResult
from kibitz.loops.protocol import PlainGame
from kibitz.onepiece.core.engine import OnePieceState, decide


def said(s: OnePieceState, x: Any) -> list[LoopResult]:
    """Everything that a guard has to say while a game is played to its end; warnings count."""
    guard, position = LoopGuard(MODELS["declare"]), PlainGame(s)
    results = [guard.observe(position)]
    while s.actor() != OVER:
        code, by = decide(s, x), s.actor()
        s.apply(code)
        results.append(guard.observe(position, code, by))
    return [result for result in results if result.loop_detected or result.warning or result.progress]


def prove_silence(games: Iterable[tuple[OnePieceState, Any]]) -> int:
    """No loop, no warning and no progress is found in any of these games; how many there were."""
    count = 0
    for s, x in games:
        found = said(s, x)
        assert not found, f"game {count}: {found[0]}"
        count += 1
    return count

"""Playing a game under a guard: the hook that a driver takes, and a driver for any game.

A driver asks the hook what may be chosen, and tells it what was done; a guard with its declarations is such a hook. A driver
without a hook pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from kibitz.game import OVER, Game, decide_at, reseed_at
from kibitz.loops.guard import LoopGuard, LoopResult
from kibitz.loops.lap import Lap
from kibitz.loops.protocol import Position, StructGame
from kibitz.loops.verdict import Declare, Outcome, Settlement

#: Chooses among the allowed actions (or draws one of chance's outcomes).
Choose = Callable[[Position, list[int]], int]


class Hook(Protocol):
    """What a driver needs of whoever watches over a game."""

    def begin(self, position: Position) -> None:
        """The game begins here."""

    def allowed(self, position: Position, actions: list[int]) -> list[int]:
        """Those of the legal actions that may be chosen."""

    def after(self, position: Position, action: int, by: int) -> bool:
        """Hear of an action that has been done, and change `position` where the rules say so; True: the game is a draw."""


def stop_at_once(seat: int, lap: Lap, smallest: int | None) -> int:
    """Declare no further laps."""
    return 0


@dataclass
class Guarded:
    """A guard as a hook: it carries out its verdicts and keeps what it found."""

    guard: LoopGuard
    declare: Declare = stop_at_once
    found: list[LoopResult] = field(default_factory=list)
    """Loops, progress, suspicions and warnings, in their order."""
    settled: list[Settlement] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """What the guard had to say in all, in a few words: of the first loop, else of the first other thing."""
        texts = [in_words(result) for result in sorted(self.found, key=lambda result: not result.loop_detected)]
        return next((text for text in texts if text), "no loop")

    def begin(self, position: Position) -> None:
        """The first state."""
        self.guard.observe(position)

    def allowed(self, position: Position, actions: list[int]) -> list[int]:
        """Without what the guard bans or limits."""
        return self.guard.allowed(position, actions)

    def after(self, position: Position, action: int, by: int) -> bool:
        """Observe, and make a loop stop."""
        result = self.guard.observe(position, action, by)
        if result.loop_detected or result.warning or result.suspected or result.progress:
            self.found.append(result)
        if result.resolution == Outcome.DRAW:
            return True
        settlement = self.guard.settle(position, result, self.declare)
        if settlement:
            self.settled.append(settlement)
        return False


def in_words(result: LoopResult) -> str:
    """A result in a few words; none where there is nothing to say but a warning."""
    if not result.loop_detected:
        return "suspected only" if result.suspected else "progress" if result.progress else ""
    player = f"player {(result.stopping_player or 0) + 1}"
    return {
        Outcome.CONTINUE: "the game continues",
        Outcome.MUST_STOP: f"{player} must stop",
        Outcome.DECLARES: f"{player} declares",
        Outcome.SMALLER: "the smaller declared number",
        Outcome.DRAW: "draw",
    }[result.resolution]


class Ending(StrEnum):
    """How a game under a guard came to its end."""

    OVER = "over"
    DRAW = "draw"
    LIMIT = "limit"


def play(position: Position, choose: Choose, hook: Hook | None = None, max_steps: int = 100_000) -> tuple[Ending, int]:
    """Play `position` to its end (a draw, or so many steps at most): how it ended, and after how many steps.

    Whatever is chosen against the hook's will is replaced by the first allowed action.
    """
    if hook:
        hook.begin(position)
    for step in range(max_steps):
        seat = position.actor()
        if seat == OVER:
            return Ending.OVER, step
        action = _choice(position, choose, hook if seat >= 0 else None)
        position.apply(action)
        if hook and hook.after(position, action, seat):
            return Ending.DRAW, step + 1
    return Ending.LIMIT, max_steps


def _choice(position: Position, choose: Choose, hook: Hook | None) -> int:
    """What is chosen, as far as it is allowed; else the first allowed action.

    Not every legal action is in the list of legal actions (in Catan there are too many offers), so the hook is asked again.
    """
    actions = position.actions()
    allowed = hook.allowed(position, actions) if hook else actions
    wanted = choose(position, allowed)
    if wanted in allowed:
        return wanted
    unlisted = wanted not in actions and position.may(wanted)
    permitted = unlisted and (hook is None or wanted in hook.allowed(position, [*actions, wanted]))
    return wanted if permitted else allowed[0]


def choose_first(position: Position, actions: list[int]) -> int:
    """The first allowed action."""
    return actions[0]


class Policies:
    """Chooses by the policies of a compiled game.

    >>> from kibitz.coup import GAME
    >>> position = StructGame(GAME.new(2, 0))
    >>> play(position, Policies(GAME, ["random", "random"], seed=1))[0]
    <Ending.OVER: 'over'>
    """

    def __init__(self, game: Game, names: Sequence[str], seed: int) -> None:
        self._scratch = game.scratches()
        self._scratch["policy"][0, : len(names)] = [game.policies[name] for name in names]
        reseed_at(self._scratch, 0, seed)

    def __call__(self, position: Position, actions: list[int]) -> int:
        """The action of the policy whose turn it is, or chance's draw."""
        if not isinstance(position, StructGame):
            raise TypeError("only compiled games have policies")
        return int(decide_at(position.states, 0, self._scratch, 0))

"""Playing a game under a guard: the hook that a driver takes, and a driver for any game.

A driver tells the hook (`Guarded`) of everything that is done, and hears what the rules make of it. The hook never moves the
position: what it demands (laps that were declared, the way to where somebody has to stop) the driver plays in its own way, so
that every player sees it and the record holds it. A driver without a hook pays nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

import numpy as np

from kibitz.game import CHANCE, OVER, Game
from kibitz.game.definition import seat_policies
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.codec import decode, encode_fields
from kibitz.ground.jit import uint64
from kibitz.ground.plain_states import PlainStates
from kibitz.loops.config import Config, Consequence
from kibitz.loops.guard import LoopGuard, LoopResult
from kibitz.loops.lap import Lap, LapStep
from kibitz.loops.memory import Memory
from kibitz.loops.protocol import PlainGame, StructGame, WatchedGame
from kibitz.loops.stopping import Statistics
from kibitz.loops.verdict import Declare, Settlement

#: Chooses among the allowed actions (or draws one of chance's outcomes).
Choose = Callable[[WatchedGame, list[int]], int]


def stop_at_once(seat: int, lap: Lap, smallest: int | None) -> int:
    """Declare no further laps."""
    return 0


@dataclass
class Guarded:
    """A guard as a hook, for one game: it says what its verdicts demand, and keeps what it found.

    >>> from kibitz.loops.config import MODELS
    >>> from kibitz.loops.lab import LAB
    >>> hook = Guarded(LoopGuard(MODELS["declare"]))
    >>> play(LAB["mandatory"].start(), choose_first, hook)[0], hook.verdict
    (<Ending.DRAW: 'draw'>, 'draw')

    All of it that matters to the rest of the game can be saved in the middle, and restored:

    >>> Guarded.from_json(hook.to_json()).guard.config == MODELS["declare"]
    True
    """

    guard: LoopGuard
    declare: Declare = stop_at_once
    found: list[LoopResult] = field(default_factory=list)
    """Loops, progress, suspicions and warnings, in their order."""
    settled: list[Settlement] = field(default_factory=list)
    due: tuple[LapStep, ...] = ()
    """What is still to be played of the latest ruling, without anybody being asked: the declared laps, as far as they change
    anything, and on to where a player has to stop. Chance is not forced: where it does something else, the rest is dropped."""
    loops: int = 0
    """How often a loop was detected."""

    @property
    def verdict(self) -> str:
        """What the guard had to say in all, in a few words: of the first loop, else of the first other thing."""
        texts = [result.words for result in sorted(self.found, key=lambda result: not result.loop_detected)]
        return next((text for text in texts if text), "no loop")

    def begin(self, position: WatchedGame) -> None:
        """The first state; a restored game goes on."""
        if not self.guard.memory.states.now:
            self.guard.observe(position)

    def demanded(self, position: WatchedGame) -> int | None:
        """The next step of the latest ruling, if it can be done; chance is not told what to do."""
        if not self.due:
            return None
        seat, action = self.due[0]
        if position.actor() == seat and position.may(action):
            return None if seat == CHANCE else action
        self.due = ()
        return None

    def allowed(self, position: WatchedGame, actions: list[int]) -> list[int]:
        """Without what the guard bans or limits."""
        return self.guard.allowed(position, actions)

    def may_choose(self, position: WatchedGame, action: int) -> bool:
        """Whether a legal action may be chosen.

        Not every legal action need be in the list of legal actions (there may be too many offers of a trade), so it is asked
        for by itself.
        """
        return action in self.allowed(position, [*position.actions(), action])

    def after(self, position: WatchedGame, action: int, by: int) -> bool:
        """Observe what `by` has done, and judge: whether the game ends here as a draw.

        A step that was demanded is remembered and not judged again.
        """
        if self.due:
            step, self.due = self.due[0], self.due[1:]
            if step == (by, action):
                self.guard.record_state(position, action, by)
                return False
            self.due = ()
        result = self.guard.observe(position, action, by)
        if result.loop_detected or result.warning or result.suspected or result.progress:
            self._keep(result)
        settlement = self.guard.plan(position, result, self.declare)
        if settlement:
            self.settled.append(settlement)
            self.due = settlement.steps
        return result.resolution == Consequence.DRAW

    def _keep(self, result: LoopResult) -> None:
        """Keep a finding; of a loop that is allowed to go on, not every lap again."""
        self.loops += result.loop_detected
        latest = self.found[-1] if self.found else None
        again = latest is not None and latest.loop_detected and result.loop_detected and latest.verdict == result.verdict
        if not again or result.resolution != Consequence.CONTINUES:
            self.found.append(result)

    def to_json(self) -> dict[str, Any]:
        """The rules, the guard's memory and what is due: what belongs into a saved game."""
        return {
            "guard": self.guard.config.to_json(),
            "memory": self.guard.memory.to_json(),
            "statistics": encode_fields(self.guard.statistics),
            "due": [list(step) for step in self.due],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], declare: Declare = stop_at_once) -> Self:
        """The hook that `to_json` described; what it had found before is not in it."""
        config, memory = Config.from_json(data["guard"]), Memory.from_json(data["memory"])
        guard = LoopGuard(config, memory, statistics=decode(Statistics, data["statistics"]))
        return cls(guard, declare, due=tuple(LapStep(*step) for step in data["due"]))


class Ending(StrEnum):
    """How a game under a guard came to its end."""

    OVER = "over"
    DRAW = "draw"
    LIMIT = "limit"


def play(
    position: WatchedGame,
    choose: Choose,
    hook: Guarded | None = None,
    max_steps: int = 100_000,
    told: Callable[[int], None] = lambda action: None,
) -> tuple[Ending, int]:
    """Play `position` to its end (a draw, or so many steps at most): how it ended, and after how many steps.

    Whatever is chosen against the hook's will is replaced by the first allowed action. `told` hears of every action.
    """
    if hook:
        hook.begin(position)
    for step in range(max_steps):
        seat = position.actor()
        if seat == OVER:
            return Ending.OVER, step
        action = _choice(position, choose, hook if seat >= 0 else None)
        position.apply(action)
        told(action)
        if hook and hook.after(position, action, seat):
            return Ending.DRAW, step + 1
    return Ending.LIMIT, max_steps


def _choice(position: WatchedGame, choose: Choose, hook: Guarded | None) -> int:
    """What is demanded; else what is chosen, as far as it is allowed; else the first allowed action."""
    demanded = hook.demanded(position) if hook else None
    if demanded is not None:
        return demanded
    actions = position.actions()
    allowed = hook.allowed(position, actions) if hook else actions
    wanted = choose(position, allowed)
    unlisted = wanted not in actions and position.may(wanted) and (hook is None or hook.may_choose(position, wanted))
    return wanted if wanted in allowed or unlisted else allowed[0]


class LoopRuleBroken(ValueError):
    """A recorded game that its guard would not have let happen: the number of the step, and what is wrong with it."""

    def __init__(self, step: int, message: str) -> None:
        self.step = step
        super().__init__(f"step {step}: {message}")


def replay(position: WatchedGame, actions: Sequence[int], hook: Guarded) -> bool:
    """Play recorded actions under a hook; whether the last of them makes it a draw. Raises `LoopRuleBroken`.

    >>> from kibitz.loops.config import MODELS
    >>> from kibitz.loops.lab import LAB
    >>> start, hook = LAB["mandatory"].start(), Guarded(LoopGuard(MODELS["draw"]))
    >>> replay(start, [0, 1] * 5, hook)
    Traceback (most recent call last):
    ...
    kibitz.loops.drive.LoopRuleBroken: step 8: the game was a draw by the loop rule before
    """
    hook.begin(position)
    draw = False
    for step, action in enumerate(actions):
        if draw:
            raise LoopRuleBroken(step, "the game was a draw by the loop rule before")
        seat = position.actor()
        if seat >= 0:
            demanded = hook.demanded(position)
            if demanded is not None and action != demanded:
                raise LoopRuleBroken(step, f"{position.describe(action)}: the loop rule demands {position.describe(demanded)}")
            if demanded is None and not hook.may_choose(position, action):
                raise LoopRuleBroken(step, f"{position.describe(action)}: the loop rule forbids it here")
        position.apply(action)
        draw = hook.after(position, action, seat)
    return draw


def choose_first(position: WatchedGame, actions: list[int]) -> int:
    """The first allowed action."""
    return actions[0]


def position_of(state: Any) -> WatchedGame:
    """A game under way as a guard sees it: an array of one state, or a state of a game in plain Python. It is not copied."""
    if isinstance(state, PlainStates):
        return PlainGame(state[0])
    return StructGame(state) if isinstance(state, np.ndarray) else PlainGame(state)


class Policies:
    """Chooses by the policies of a game, as `kibitz.game.drivers.play_out` does.

    >>> from kibitz.coup import GAME
    >>> position = position_of(GAME.new(2, 0))
    >>> play(position, Policies(GAME, ["random", "random"], seed=1))[0]
    <Ending.OVER: 'over'>
    """

    def __init__(self, game: Game, policies: Sequence[str | int], seed: int) -> None:
        self._game = game
        self._scratch = game.scratches()
        seat_policies(self._scratch, [game.policies[one] if isinstance(one, str) else one for one in policies])
        reseed_at(self._scratch, 0, uint64(seed))

    def __call__(self, position: WatchedGame, actions: list[int]) -> int:
        """The action of the policy whose turn it is, or chance's draw."""
        if isinstance(position, StructGame):
            return int(decide_at(position.states, 0, self._scratch, 0))
        if isinstance(position, PlainGame) and self._game.is_plain:
            return int(decide_at(PlainStates(self._game, [position.state]), 0, self._scratch, 0))
        raise TypeError(f"only a game of {self._game.name} has its policies")

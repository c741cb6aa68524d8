"""A first look at the candidates: what the evaluator says of each, two rounds later.

Each candidate is tried in the same worlds with the same dice and cards; everybody plays on as the bot of the analysis would
(`builder-0.1`, or else `builder`) until this turn and two rounds are over, and then the evaluator is asked. That takes some
hundredths of a second for each candidate. It says well which candidates are worth whole games, and less well how often they
win: its own error does not shrink with the number of worlds. To ask it sooner is worse, for it would not see what the bot makes
of a move.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.codes import PLACE_SETTLEMENT
>>> from kibitz.catan.core.state import new_states
>>> found = glance(new_states(Board.beginner()), [(PLACE_SETTLEMENT + 41,), (PLACE_SETTLEMENT + 0,)], seat=0, seed=1, looks=8)
>>> found.shape, bool(found[0].mean() > found[1].mean())
((2, 8), True)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.rollouts import after
from kibitz.catan.analysis.types import MoveScore
from kibitz.catan.core.actions import Action
from kibitz.catan.core.builder_policy import choose_builder
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.evaluator import check_served, value
from kibitz.catan.core.habits import BY_HAND, EVOLVED
from kibitz.catan.core.state import GAME_OVER, TURN_START
from kibitz.catan.core.verbs import actor, apply
from kibitz.catan.words import say
from kibitz.game import CHANCE, States, seats_of, structs
from kibitz.game.doors import door, number_seeds
from kibitz.game.drivers import begin, draw
from kibitz.game.evaluator import SURE
from kibitz.game.nets import NoNetwork
from kibitz.ground.intervals import Z
from kibitz.ground.jit import integers, uint64
from kibitz.ground.texts import capitalised

Floats = npt.NDArray[np.float64]
#: Advice plays whole games for so many moves (or twice as many corners), and so many for each: with so few candidates halving
#: would save little, and half of its games would decide nothing.
FINALISTS, ROLLOUTS = 3, 2000
#: In so many worlds each candidate is tried.
LOOKS = 192
#: The evaluator's own error (``python benchmarks/evaluator.py``).
ERROR = 0.09
#: How many rounds are played on after this turn.
ROUNDS = 2


def is_served(states: States) -> bool:
    """Whether the evaluator can judge games by the rules of ``states[0]``."""
    try:
        check_served(states, 0)
    except NoNetwork:
        return False
    return True


@door
def look(starts: Any, seeds: Any, xs: Any, room: Any, seat: int, turns: int, style: int, values: Any) -> None:
    """What the evaluator says for a seat, `turns` turns after each of the starts, into `values`; who plays on has a `style`."""
    x, s = xs[0], room[0]
    for i in range(len(values)):
        room[0] = starts[i % len(starts)]
        begin(x, seeds[i])
        last = s.turn + turns
        while s.phase != GAME_OVER and (s.turn < last or s.phase != TURN_START):
            player = actor(s)
            apply(s, draw(s, x) if player == CHANCE else choose_builder(s, x, player, style))
        value(s, x)
        values[i] = x.values[seat]


def glance(
    worlds: States, candidates: Sequence[Sequence[int]], seat: int, seed: int, looks: int = LOOKS, policy: str = "builder"
) -> Floats:
    """``[candidate, look]`` a seat's chances after the actions of each candidate, in the same worlds with the same dice."""
    seeds = integers(np.zeros(looks, np.uint64))
    number_seeds(seeds, uint64(seed), 0)
    turns, style = 1 + ROUNDS * seats_of(worlds), BY_HAND if policy == "builder-0.1" else EVOLVED
    xs, room, found = GAME.scratches(), structs(GAME.state), np.zeros((len(candidates), looks), np.int32)
    some = worlds[: min(looks, len(worlds))]
    for candidate, actions in enumerate(candidates):
        look(after(some, actions), seeds, xs, room, seat, turns, style, found[candidate])
    return found / SURE


@dataclass(frozen=True)
class Glance:
    """Which candidates are worth whole games, and what the evaluator says of all."""

    kept: tuple[int, ...]
    """The numbers of those, ascending."""
    values: tuple[float, ...] = ()
    """By candidate; nothing where it was not asked."""


def choose_finalists(
    worlds: States, candidates: Sequence[Sequence[int]], seat: int, seed: int, n: int, policy: str, same: Sequence[object] = ()
) -> Glance:
    """The best `n` candidates by what the evaluator says of them; all where it has no network for these rules, or `n` is 0.

    Of candidates to which ``same[candidate]`` gives equal names (the roads of one corner), and of those that come to the same
    thing whatever the dice (the same purchases in another order), only the best is kept, of equals the first.
    """
    if not n or len(candidates) <= n or not is_served(worlds):
        return Glance(tuple(range(len(candidates))))
    found = glance(worlds, candidates, seat, seed, policy=policy)
    values = found.mean(axis=1)
    kept: list[int] = []
    for number in sorted(range(len(candidates)), key=lambda number: (-values[number], number)):
        alike = any((found[number] == found[other]).all() or (same and same[number] == same[other]) for other in kept)
        if not alike and len(kept) < n:
            kept.append(number)
    return Glance(tuple(sorted(kept)), tuple(values.tolist()))


def believed(value: float) -> tuple[float, float]:
    """Where a chance lies that the evaluator gives, with 95 % confidence, by what its errors were.

    >>> [round(end, 2) for end in believed(0.05)]
    [0.0, 0.23]
    """
    return max(0.0, value - Z * ERROR), min(1.0, value + Z * ERROR)


def left_out(values: Mapping[int, float], racing: Sequence[int], position: Position) -> list[MoveScore]:
    """The moves that no whole games were played for, the best first, with what the evaluator says of them."""
    found = []
    most = max(values.values(), default=0.0)
    for code in sorted(set(values) - set(racing), key=lambda code: (-values[code], code)):
        action, value = Action.from_code(code), values[code]
        name = say(action.to_text(), position.board)
        gap = 100 * (most - value)
        found.append(
            MoveScore(
                action=action.to_text(),
                **action.to_json(),
                name=name,
                value=value,
                interval=believed(value),
                visits=0,
                reason=f"{capitalised(name)}: no games. To the evaluator it is {gap:.1f} points worse than what it likes best.",
            )
        )
    return found

"""How a game goes on: chance draws, policies choose, and a whole game is played to its end."""

from typing import Any

from kibitz.game.definition import CHANCE, OVER, RANDOM, Scratch
from kibitz.game.verbs import actor, apply, choose, legal, luck, moment, news, seen, tally, weights
from kibitz.ground.jit import jit
from kibitz.ground.rng import below, chance, reseed


@jit
def draw(s: Any, x: Scratch) -> int:
    """One outcome of chance, by its weight: the same for the same seed and moment, whatever came before."""
    n = weights(s, x)
    total = 0
    for i in range(n):
        total += x.weights[i]
    at = chance(x, moment(s), total)
    for i in range(n - 1):
        at -= x.weights[i]
        if at < 0:
            return x.actions[i]
    return x.actions[n - 1]


@jit
def decide_by(s: Any, x: Scratch, seat: int, policy: int) -> int:
    """What comes next: chance's draw, or the choice of a policy."""
    if seat == CHANCE:
        return draw(s, x)
    if policy == RANDOM:
        return x.actions[below(x, legal(s, x))]
    return choose(s, x, policy)


@jit
def decide(s: Any, x: Scratch, seat: int) -> int:
    """What comes next at this table, where each seat has its policy."""
    return decide_by(s, x, seat, x.policy[max(seat, 0)])


@jit
def perceived(s: Any, a: int, seat: int) -> int:
    """All that `seat` learns from `a`, before it is applied: its label and the news, as one number.

    What a seat has perceived since the start is what it knows: states after equal sequences are one information set.
    """
    return seen(s, a, seat) + (news(s, a, seat) << 32)


def action_in(label: int | None) -> int | None:
    """The action (or what `seen` says in its place) in what somebody perceived.

    >>> [action_in(label) for label in (7, 7 + (3 << 32), -1, -1 + (3 << 32), None)]
    [7, 7, -1, -1, None]
    """
    return None if label is None else (label + (1 << 31)) % (1 << 32) - (1 << 31)


@jit
def begin(x: Scratch, seed: int) -> None:
    """Make the scratch struct ready for the game with this seed."""
    reseed(x, seed)
    for i in range(len(x.tally)):
        x.tally[i] = 0
        x.luck[i] = 0


@jit
def do(s: Any, x: Scratch, a: int) -> None:
    """Count an action, weigh the luck in it if that is wanted, and apply it."""
    if x.weighing:
        luck(s, x, a)
    do_unweighed(s, x, a)


@jit
def do_unweighed(s: Any, x: Scratch, a: int) -> None:
    """Count an action and apply it."""
    tally(s, x, a)
    apply(s, a)


@jit
def play_out(s: Any, x: Scratch) -> int:
    """Play the game to its end with the policies in ``x.policy``; how many steps that took."""
    steps = 0
    seat = actor(s)
    while seat != OVER:
        do(s, x, decide(s, x, seat))
        seat = actor(s)
        steps += 1
    return steps

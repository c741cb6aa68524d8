"""The policy `net`: it tries what makes sense, lets everybody finish the turn as `builder-tuned` would, and asks the evaluator.

What it cannot know it deals anew: some worlds are drawn, all actions are tried in each of them with the same dice and cards,
and the action with the highest chances on average is taken. After some worlds only the best few actions are tried further.
"""

from kibitz.catan.core.builder_policy import choose_builder
from kibitz.catan.core.evaluator import value
from kibitz.catan.core.habits import EVOLVED
from kibitz.catan.core.hidden import redeal
from kibitz.catan.core.state import GAME_OVER, TURN_START, CatanState, Notes
from kibitz.catan.core.trying import sensible
from kibitz.catan.core.verbs import actor, apply
from kibitz.game import CHANCE
from kibitz.game.drivers import draw
from kibitz.ground.jit import jit
from kibitz.ground.rng import child

#: How many worlds are drawn for a decision: in so many all actions are tried, and in so many more those that are left.
FIRST_WORLDS, MORE_WORLDS = 4, 8
#: How many actions are left after the first worlds.
LEFT = 3
#: How many turns are played before the evaluator is asked: this one, or a whole round.
TURNS = 1


@jit
def play_on(s: CatanState, x: Notes, turns: int) -> None:
    """Let everybody play as `builder-tuned` until so many turns have ended (or the game)."""
    last = s.turn + turns
    while s.phase != GAME_OVER and (s.turn < last or s.phase != TURN_START):
        seat = actor(s)
        apply(s, draw(s, x) if seat == CHANCE else choose_builder(s, x, seat, EVOLVED))


@jit
def try_all(s: CatanState, x: Notes, seat: int, n: int, worlds: int, turns: int) -> None:
    """Try the first `n` actions of ``x.tries`` in so many worlds; what they are worth is added to ``x.merits``.

    In one world all have the same dice and cards.
    """
    for _ in range(worlds):
        x.world[0] = s
        redeal(x.world[0], x, seat)
        x.seed = child(x.random, 0)
        for i in range(n):
            x.world[1] = x.world[0]
            tried = x.world[1]
            apply(tried, x.tries[i])
            play_on(tried, x, turns)
            value(tried, x)
            x.merits[i] += x.values[seat]


@jit
def keep_best(x: Notes, n: int, left: int) -> int:
    """Move the best of `n` tried actions to the front, the best first; how many are left."""
    left = min(n, left)
    for place in range(left):
        best = place
        for i in range(place + 1, n):
            if x.merits[i] > x.merits[best]:
                best = i
        x.tries[place], x.tries[best] = x.tries[best], x.tries[place]
        x.merits[place], x.merits[best] = x.merits[best], x.merits[place]
    return left


@jit
def choose_net(s: CatanState, x: Notes, seat: int, book: int) -> int:
    """The action of the policy `net`."""
    n = sensible(s, x)
    if n == 1:
        return x.actions[0]
    for i in range(n):
        x.tries[i], x.merits[i] = x.actions[i], 0
    x.book = book
    if value(s, x) == 0:  # there is no network for these rules
        return choose_builder(s, x, seat, EVOLVED)
    seed = x.seed
    try_all(s, x, seat, n, FIRST_WORLDS, TURNS)
    n = keep_best(x, n, LEFT)
    try_all(s, x, seat, n, MORE_WORLDS, TURNS)
    keep_best(x, n, 1)
    x.seed = seed
    return x.tries[0]

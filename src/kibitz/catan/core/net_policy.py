"""The policy `net`: it tries plans, plays this turn to its end as `builder` would, and asks the evaluator.

A plan is an action, or an action and what the seat does next, where that is not what `builder` would do. What it cannot
know it deals anew: some worlds are drawn, all plans are tried in each of them with the same dice and cards, and the one with
the highest chances on average is taken. After some worlds only the best few plans are tried further.
"""

from kibitz.catan.core.builder_policy import choose_builder
from kibitz.catan.core.codes import OFFER
from kibitz.catan.core.evaluator import value
from kibitz.catan.core.habits import EVOLVED
from kibitz.catan.core.hidden import redeal
from kibitz.catan.core.state import GAME_OVER, MAIN, TURN_START, CatanState, Notes
from kibitz.catan.core.trying import sensible
from kibitz.catan.core.verbs import actor, apply, why_not
from kibitz.game import CHANCE
from kibitz.game.drivers import draw
from kibitz.ground.jit import jit
from kibitz.ground.rng import child

#: In so many worlds all plans are tried, in so many more the best `MANY`, and in so many more the best `LEFT`.
ALL_WORLDS, MANY_WORLDS, LEFT_WORLDS = 6, 6, 24
MANY, LEFT = 12, 3
#: In so many worlds `hasty` tries all actions, and in as many more the best `LEFT`.
HASTY_WORLDS = 2
#: What follows an action as the rest of its plan: what `builder` does.
AS_USUAL = -1


@jit
def play_on(s: CatanState, x: Notes, last: int) -> None:
    """Let everybody play as `builder` until this turn begins (or the game is over)."""
    while s.phase != GAME_OVER and (s.turn < last or s.phase != TURN_START):
        seat = actor(s)
        apply(s, draw(s, x) if seat == CHANCE else choose_builder(s, x, seat, EVOLVED))


@jit
def try_all(s: CatanState, x: Notes, seat: int, n: int, worlds: int) -> None:
    """Try the first `n` plans in so many worlds; what they are worth is added to ``x.merits``.

    In one world all have the same dice and cards, and are judged at the end of the same turn.
    """
    for _ in range(worlds):
        x.world[0] = s
        redeal(x.world[0], x, seat)
        x.seed = child(x.random, 0)
        for i in range(n):
            x.world[1] = x.world[0]
            tried = x.world[1]
            apply(tried, x.tries[i])
            if x.then[i] != AS_USUAL and actor(tried) == seat and why_not(tried, x.then[i]) == 0:
                apply(tried, x.then[i])
            play_on(tried, x, s.turn + 1)
            value(tried, x)
            x.merits[i] += x.values[seat]


@jit
def keep_best(x: Notes, n: int, left: int) -> int:
    """Move the best of `n` tried plans to the front, the best first; how many are left."""
    left = min(n, left)
    for place in range(left):
        best = place
        for i in range(place + 1, n):
            if x.merits[i] > x.merits[best]:
                best = i
        x.tries[place], x.tries[best] = x.tries[best], x.tries[place]
        x.then[place], x.then[best] = x.then[best], x.then[place]
        x.merits[place], x.merits[best] = x.merits[best], x.merits[place]
    return left


@jit
def add_plans(s: CatanState, x: Notes, seat: int, n: int) -> int:
    """Behind `n` actions, write what could be done after each in the same turn, offers left aside; how many plans there are.

    What the seat can do then follows from what it knows: the rest is dealt.
    """
    plans = n
    x.world[0] = s
    redeal(x.world[0], x, seat)
    for i in range(n):
        x.world[1] = x.world[0]
        after = x.world[1]
        apply(after, x.tries[i])
        if after.phase != MAIN or after.player != seat:
            continue
        usual = choose_builder(after, x, seat, EVOLVED)
        for j in range(sensible(after, x)):
            if plans == len(x.tries):
                return plans
            if x.actions[j] != usual and x.actions[j] < OFFER:
                x.tries[plans], x.then[plans], x.merits[plans] = x.tries[i], x.actions[j], 0
                plans += 1
    return plans


@jit
def list_actions(s: CatanState, x: Notes, n: int, book: int) -> int:
    """Write the first `n` actions as plans that have not been tried; 0 where there is no network for these rules."""
    for i in range(n):
        x.tries[i], x.then[i], x.merits[i] = x.actions[i], AS_USUAL, 0
    x.book = book
    return value(s, x)


@jit
def choose_net(s: CatanState, x: Notes, seat: int, book: int) -> int:
    """The action of the policy `net`."""
    n = sensible(s, x)
    if n == 1:
        return x.actions[0]
    if list_actions(s, x, n, book) == 0:
        return choose_builder(s, x, seat, EVOLVED)
    seed = x.seed
    if s.phase == MAIN:
        n = add_plans(s, x, seat, n)
    try_all(s, x, seat, n, ALL_WORLDS)
    n = keep_best(x, n, MANY)
    try_all(s, x, seat, n, MANY_WORLDS)
    n = keep_best(x, n, LEFT)
    try_all(s, x, seat, n, LEFT_WORLDS)
    keep_best(x, n, 1)
    x.seed = seed
    return x.tries[0]


@jit
def choose_hasty(s: CatanState, x: Notes, seat: int, book: int) -> int:
    """The action of the policy `hasty`, which tries single actions in a few worlds.

    It plays the games that networks learn from: a dozen of them take as long as one of `net`.
    """
    n = sensible(s, x)
    if n == 1:
        return x.actions[0]
    if list_actions(s, x, n, book) == 0:
        return choose_builder(s, x, seat, EVOLVED)
    seed = x.seed
    try_all(s, x, seat, n, HASTY_WORLDS)
    n = keep_best(x, n, LEFT)
    try_all(s, x, seat, n, HASTY_WORLDS)
    keep_best(x, n, 1)
    x.seed = seed
    return x.tries[0]

"""The policy `net`: it tries every action that makes sense in some deals, and asks the evaluator when the turn is over.

What it cannot know it deals anew; deals in which the other does not hold what it claims are seldom taken. All actions meet the
same deals and the same luck; until the next turn begins everybody goes on as `heuristic` would.
"""

from kibitz.coup.core import policy
from kibitz.coup.core.cards import claimant, redeal
from kibitz.coup.core.evaluator import value
from kibitz.coup.core.layout import Notes
from kibitz.coup.core.policy import HEURISTIC
from kibitz.coup.core.rules import actor, apply
from kibitz.coup.core.sensible import sensible
from kibitz.coup.core.state import ACTION, GAME_OVER, NO_ACTION, NONE, CoupState
from kibitz.game import CHANCE
from kibitz.game.drivers import draw
from kibitz.ground.jit import jit
from kibitz.ground.rng import below, child

#: How many deals are drawn for a decision.
DEALS = 24
#: Of so many deals in which a claim is a bluff one is taken; after so many tries any is.
BLUFFS, TRIES = 5, 12


@jit
def finish_turn(s: CoupState, x: Notes) -> None:
    """Let everybody play as `heuristic` until the next turn begins (or the game is over)."""
    turn = s.turn
    while s.phase != GAME_OVER and (s.turn == turn or s.phase != ACTION):
        apply(s, draw(s, x) if actor(s) == CHANCE else policy.choose(s, x, HEURISTIC))


@jit
def bluffs(s: CoupState, seat: int) -> bool:
    """Whether a seat lacks the character that it claims now, or claimed last."""
    pending = s.action != NO_ACTION and s.claim != NONE and claimant(s) == seat and s.hand[seat, s.claim] == 0
    return pending or (s.claimed[seat] != NONE and s.hand[seat, s.claimed[seat]] == 0)


@jit
def imagine(s: CoupState, x: Notes, seat: int) -> None:
    """A deal that `seat` thinks possible, into ``x.world[0]``."""
    for _ in range(TRIES):
        x.world[0] = s
        redeal(x.world[0], x, seat)
        if not bluffs(x.world[0], 1 - seat) or below(x, BLUFFS) == 0:
            return


@jit
def choose_net(s: CoupState, x: Notes, book: int) -> int:
    """The action of the policy `net`; where there is no network, that of `heuristic`."""
    seat = actor(s)
    n = sensible(s, x)
    if n == 1:
        return x.actions[0]
    for i in range(n):
        x.tries[i], x.merits[i] = x.actions[i], 0
    x.book = book
    if value(s, x) == 0:
        return policy.choose(s, x, HEURISTIC)
    seed = x.seed
    for _ in range(DEALS):
        imagine(s, x, seat)
        x.seed = child(x.random, 0)
        for i in range(n):
            x.world[1] = x.world[0]
            tried = x.world[1]
            apply(tried, x.tries[i])
            finish_turn(tried, x)
            value(tried, x)
            x.merits[i] += x.values[seat]
    x.seed = seed
    best = 0
    for i in range(1, n):
        if x.merits[i] > x.merits[best]:
            best = i
    return x.tries[best]

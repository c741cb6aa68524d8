"""Compiled ways to choose an action: the bots by number.

Scores are integers, ties go to the lowest action: the same on every device. No policy looks at anything that its seat may not
know.
"""

from kibitz.catan.core.builder_policy import choose_builder
from kibitz.catan.core.habits import BUILDER, BUILDER_0_1, BY_HAND, CANDIDATE, EVOLVED
from kibitz.catan.core.net_policy import choose_hasty, choose_net
from kibitz.catan.core.seed_policy import choose_seed
from kibitz.catan.core.state import CatanState, Notes
from kibitz.catan.core.verbs import actor
from kibitz.game import RANDOM
from kibitz.game.nets import BOOKS
from kibitz.ground.jit import jit

#: CANDIDATE_BUILDER has the weights of a candidate in evolution.
SEED, CANDIDATE_BUILDER = 2, 4
#: The player that asks the evaluator; the numbers after it ask the networks of further books.
NET = 16
#: The one that plays games to learn from, in haste, and those for further books.
HASTY = NET + BOOKS
#: The policies by their short names; random play is the driver's own.
BOTS = {"random": RANDOM, "builder": BUILDER, "seed": SEED, "net": NET, "builder-0.1": BUILDER_0_1}


@jit
def choose(s: CatanState, x: Notes, policy: int) -> int:
    """What a policy does for the player to move."""
    seat = actor(s)
    if NET <= policy < NET + BOOKS:
        return choose_net(s, x, seat, policy - NET)
    if HASTY <= policy < HASTY + BOOKS:
        return choose_hasty(s, x, seat, policy - HASTY)
    if policy == SEED:
        return choose_seed(s, x, seat)
    style = EVOLVED
    if policy == BUILDER_0_1:
        style = BY_HAND
    elif policy == CANDIDATE_BUILDER:
        style = CANDIDATE
    return choose_builder(s, x, seat, style)

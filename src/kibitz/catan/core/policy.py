"""Compiled ways to choose an action: the bots. Scores are integers, ties go to the lowest action: the same on every device.

No policy looks at anything that its seat may not know.
"""

from __future__ import annotations

from kibitz.catan.core.builder_policy import choose_builder
from kibitz.catan.core.seed_policy import choose_seed
from kibitz.catan.core.state import Notes, CatanState
from kibitz.catan.core.verbs import actor
from kibitz.game import RANDOM
from kibitz.ground.jit import jit

BUILDER, SEED = 1, 2
#: The policies by their short names; random play is the driver's own.
BOTS = {"random": RANDOM, "builder": BUILDER, "seed": SEED}


@jit
def choose(s: CatanState, x: Notes, policy: int) -> int:
    """What a policy does for the player to move."""
    seat = actor(s)
    return choose_seed(s, x, seat) if policy == SEED else choose_builder(s, x, seat)

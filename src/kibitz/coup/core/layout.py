"""Which number the evaluator is told where, for each seat; and the scratch struct that has room for them."""

import hashlib
from typing import Protocol

import numpy as np

from kibitz.coup.core.state import ACTIONS, INFLUENCES, KINDS, MAX_ACTIONS, MAX_OUTCOMES, SEATS, STATE
from kibitz.game import scratch_fields
from kibitz.game.evaluator import Judging, evaluator_fields
from kibitz.ground.jit import Structs, Vector, struct

#: How many seats there are in the games that it knows.
DUEL = 2
#: Coins are told apart up to this number.
RICH = 12

_sizes = {
    "coins": RICH + 1,  # one-hot
    "influence": INFLUENCES,  # one-hot: one, two
    "hand": KINDS,
    "holds": KINDS,  # whether there is at least one
    "lost": KINDS,
    "claimed": KINDS,  # one-hot: what it claimed last, while nothing speaks against it
    "its turn": 1,
    "asked": 1,  # whether it decides now
    "announced": len(ACTIONS),  # one-hot: what it has announced in this turn
    "target": 1,
    "claims": 2,  # one-hot: a card that it does not hold, one that it holds
    "blocks": 1,
    "question": 5,  # one-hot: what it is asked: to challenge, to block, to show, to lose, to return cards
    "can coup": 1,
    "other's coins": RICH + 1,  # one-hot
    "other's influence": INFLUENCES,  # one-hot
    "other holds": KINDS,
}
AT = {name: sum(list(_sizes.values())[:i]) for i, name in enumerate(_sizes)}
(
    COINS_AT, INFLUENCE_AT, HAND_AT, HOLDS_AT, LOST_AT, CLAIMED_AT, ITS_TURN, ASKED, ANNOUNCED_AT, TARGET_AT, CLAIMS_AT,
    BLOCKS_AT, QUESTION_AT, CAN_COUP, OTHERS_COINS, OTHERS_INFLUENCE, OTHER_HOLDS,
) = AT.values()  # fmt: skip
#: How many numbers there are for a seat.
INPUTS = sum(_sizes.values())
#: How many hidden numbers they become.
WIDE = 64
#: A short hash of what all these numbers mean; raise the version whenever one of them changes its meaning.
MEANING = 1
LAYOUT = hashlib.blake2b(f"{MEANING} {_sizes}".encode(), digest_size=4).hexdigest()


class Notes(Judging, Protocol):
    """The scratch struct of Coup: what the generic drivers and the evaluator need, and what `net` works with."""

    world: Structs  # whole states in which a policy tries what it might do
    tries: Vector  # the actions that are tried
    merits: Vector  # what came of each


SCRATCH = struct(
    "coup_scratch",
    [
        *scratch_fields(SEATS, MAX_ACTIONS, MAX_OUTCOMES),
        ("tries", np.int32, (MAX_ACTIONS,)),
        ("merits", np.int32, (MAX_ACTIONS,)),
        *evaluator_fields(DUEL, INPUTS, WIDE),
        ("world", STATE, (2,)),
    ],
)

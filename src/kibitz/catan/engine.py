"""Catan as one of Kibitz's games: the struct, the verbs and the declared facts, registered under the name ``catan``."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import numpy.typing as npt

from kibitz.catan import hidden, policy, rules
from kibitz.catan.board import Board
from kibitz.catan.state import SCRATCH, STATE, WORLD, Rules, new_states
from kibitz.game import RANDOM, Game, register

VERBS = SimpleNamespace(
    actor=rules.actor, legal=rules.legal, why_not=rules.why_not, apply=rules.apply, weights=rules.weights,
    moment=rules.moment, score=rules.score, seen=hidden.seen, hide=hidden.hide, peek=hidden.peek, deal=hidden.deal,
    redeal=hidden.redeal, choose=policy.choose,
)  # fmt: skip

#: The policies by their short names.
POLICIES = {"random": RANDOM, "builder": policy.BUILDER}


def new(seats: int, seed: int) -> npt.NDArray[np.void]:
    """A fresh game on a random board."""
    return new_states(Board.random(seed), seats)

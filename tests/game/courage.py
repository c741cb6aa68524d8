"""A toy verb, and a game that has it: Kuhn poker in which courage is counted."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.examples import kuhn
from kibitz.game.verbs import register, verb
from kibitz.ground.jit import jit, struct

DTYPE = struct("brave_kuhn", [("card", np.int8, (2,)), ("moves", np.int8, (3,)), ("done", np.int8)])


@jit
def courage_of_bets(s: Any, seat: int) -> int:
    """How often a seat has bet."""
    return s.moves[seat] + (s.moves[2] if seat == 0 else 0)


@jit
def no_courage(s: Any, seat: int) -> int:
    """None."""
    return 0


@verb(default=no_courage)
def courage(s: Any, seat: int) -> int:
    """How brave a seat has been."""


@jit
def courage_at(states: Any, i: int, seat: int) -> int:
    """In compiled code."""
    return courage(states[i], seat)


BRAVE = register(
    replace(kuhn.GAME, name="brave_kuhn", state=DTYPE, rules=SimpleNamespace(**vars(kuhn.RULES), courage=courage_of_bets))
)

"""What a game's end does not tell: how many cards each seat lost to the robber on the way."""

from __future__ import annotations

from kibitz.catan.core.codes import DISCARD, DRAWN, MOVE_ROBBER, ROLLED, STOLEN
from kibitz.catan.core.rules.production import earned
from kibitz.catan.core.state import State
from kibitz.catan.core.verbs import actor
from kibitz.game import Scratch
from kibitz.ground.jit import jit


@jit
def tally(s: State, x: Scratch, a: int) -> None:
    """Count the cards that each seat loses to a blocked hex, to a steal and to a seven.

    A blocked hex counts with what it would have paid, whether or not the supply could have paid it.
    """
    if ROLLED <= a < STOLEN:
        if s.number[s.robber] == a - ROLLED + 2:
            for seat in range(s.seats):
                x.tally[seat] += earned(s, seat, 1 << s.robber)
    elif STOLEN <= a < DRAWN:
        x.tally[s.victim] += 1
    elif DISCARD <= a < MOVE_ROBBER:
        x.tally[actor(s)] += 1

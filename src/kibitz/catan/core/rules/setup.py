"""The set-up: two settlements and two roads each."""

from kibitz.catan.core.rules.costs import take
from kibitz.catan.core.rules.turn import begin_turn
from kibitz.catan.core.state import DESERT, NOBODY, SETUP_ROAD, SETUP_SETTLEMENT, CatanState
from kibitz.catan.core.topology import CORNER_HEXES, NEAR_MASK, NONE
from kibitz.ground.jit import jit


@jit
def place_settlement(s: CatanState, seat: int, corner: int) -> None:
    """Put a settlement on the board; the distance rule closes its corner and the neighbouring ones."""
    s.settlements[seat] |= 1 << corner
    s.open &= ~NEAR_MASK[corner]


@jit
def setup_settlement(s: CatanState, corner: int) -> None:
    """Set-up: the second settlement yields one card for each terrain hex around it."""
    place_settlement(s, s.player, corner)
    s.placed += 1
    if s.placed > s.seats:
        for i in range(3):
            hex = CORNER_HEXES[corner, i]
            if hex != NONE and s.terrain[hex] != DESERT:
                take(s, s.player, s.terrain[hex], 1)
    s.corner = corner
    s.phase = SETUP_ROAD


@jit
def next_setup(s: CatanState) -> None:
    """Set-up goes around the table once, then back in reverse; whoever began takes the first turn."""
    s.corner = NOBODY
    if s.placed == 2 * s.seats:
        begin_turn(s, 0)
        return
    s.phase = SETUP_SETTLEMENT
    if s.placed < s.seats:
        s.player += 1
    elif s.placed > s.seats:
        s.player -= 1

"""The roll and what it yields."""

from kibitz.ground.bits import count, lowest
from kibitz.catan.core.rules.costs import take
from kibitz.catan.core.rules.turn import resume
from kibitz.catan.core.state import KINDS, NOBODY, ROBBER_DISCARD, ROBBER_MOVE, CatanState
from kibitz.catan.core.topology import HEX_MASK
from kibitz.ground.jit import Vector, jit, table

#: Of 36 throws of two dice, how many give 2, 3, ... 12.
DICE: Vector = table([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])


@jit
def earned(s: CatanState, seat: int, hexes: int) -> int:
    """The cards that `hexes` yield: one for each settlement, two for each city on them."""
    cards = 0
    while hexes:
        corners = HEX_MASK[lowest(hexes)]
        cards += count(s.settlements[seat] & corners) + 2 * count(s.cities[seat] & corners)
        hexes &= hexes - 1
    return cards


@jit
def produce(s: CatanState, number: int) -> None:
    """Resource production: every hex with this number pays, except the robber's.

    If the supply cannot serve everybody, nobody gets that resource; a single claimant takes what is left.
    """
    hexes = s.tokens[number] & ~(1 << s.robber)
    if hexes == 0:
        return
    for resource in range(KINDS):
        sources = hexes & s.land[resource]
        if sources:
            pay_out(s, resource, sources)


@jit
def pay_out(s: CatanState, resource: int, hexes: int) -> None:
    """Pay one resource to all who have earned it on `hexes`, as far as the supply allows."""
    owed, claimants, claimant = 0, 0, NOBODY
    for seat in range(s.seats):
        cards = earned(s, seat, hexes)
        if cards:
            owed += cards
            claimants += 1
            claimant = seat
    if claimants == 0:
        return
    if owed > s.bank[resource]:
        if claimants == 1 and not s.all_or_nothing_bank:
            take(s, claimant, resource, s.bank[resource])
    elif claimants == 1:
        take(s, claimant, resource, owed)
    else:
        for seat in range(s.seats):
            take(s, seat, resource, earned(s, seat, hexes))


@jit
def rolled(s: CatanState, number: int) -> None:
    """A seven: everyone with more than 7 cards discards half, rounded down; then the robber moves."""
    s.roll = number
    if number != 7:
        produce(s, number)
        resume(s)
        return
    s.phase = ROBBER_MOVE
    for seat in range(s.seats):
        if s.hand_size[seat] > s.discard_limit:
            s.discards[seat] = s.hand_size[seat] // 2
            s.phase = ROBBER_DISCARD

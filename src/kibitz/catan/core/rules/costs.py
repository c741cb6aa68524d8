"""What things cost, and how resource cards change hands."""

from kibitz.catan.core.state import KINDS, CatanState
from kibitz.ground.jit import Grid, jit, table

#: What things cost, by wood, brick, sheep, wheat, ore.
ROAD_COST = (1, 1, 0, 0, 0)
SETTLEMENT_COST = (1, 1, 1, 1, 0)
CITY_COST = (0, 0, 0, 2, 3)
DEV_COST = (0, 0, 1, 1, 1)
A_ROAD, A_SETTLEMENT, A_CITY, A_CARD = range(4)
COSTS: Grid = table([ROAD_COST, SETTLEMENT_COST, CITY_COST, DEV_COST])


@jit
def take(s: CatanState, seat: int, resource: int, n: int) -> None:
    """From the supply into a hand."""
    s.bank[resource] -= n
    s.hand[seat, resource] += n
    s.hand_size[seat] += n


@jit
def affords(s: CatanState, seat: int, item: int) -> bool:
    """Whether a hand holds what a road, settlement, city or development card costs."""
    for resource in range(KINDS):
        if s.hand[seat, resource] < COSTS[item, resource]:
            return False
    return True


@jit
def pay(s: CatanState, seat: int, item: int) -> None:
    """From a hand into the supply."""
    for resource in range(KINDS):
        take(s, seat, resource, -COSTS[item, resource])

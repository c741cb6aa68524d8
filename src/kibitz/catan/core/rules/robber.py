"""The robber: discards after a seven, its move, and the steal."""

from kibitz.catan.core import reasons as no
from kibitz.catan.core.codes import DISCARD, SKIP_STEAL, STEAL
from kibitz.catan.core.rules.costs import take
from kibitz.catan.core.rules.turn import resume, visible_points
from kibitz.catan.core.state import FRIENDLY_POINTS, KINDS, NOBODY, ROBBER_MOVE, ROBBER_STEAL, STEALING, CatanState
from kibitz.catan.core.topology import HEX_MASK, HEXES
from kibitz.game import Scratch
from kibitz.ground.jit import jit


@jit
def discarder(s: CatanState) -> int:
    """Who discards next: from the roller clockwise (0 to `seats` - 1), `NOBODY` when all are done."""
    for i in range(s.seats):
        seat = (s.player + i) % s.seats
        if s.discards[seat]:
            return seat
    return NOBODY


@jit
def list_discards(s: CatanState, x: Scratch) -> int:
    """One card of each resource in the hand of the player who discards."""
    n, seat = 0, discarder(s)
    for resource in range(KINDS):
        if s.hand[seat, resource]:
            x.actions[n] = DISCARD + resource
            n += 1
    return n


@jit
def discard(s: CatanState, resource: int) -> None:
    """One card of the player's own choice."""
    seat = discarder(s)
    take(s, seat, resource, -1)
    s.discards[seat] -= 1
    if discarder(s) == NOBODY:
        s.phase = ROBBER_MOVE


@jit
def protected_corners(s: CatanState) -> int:
    """Under the friendly robber: the buildings of players with fewer than 3 visible points."""
    corners = 0
    if s.friendly_robber:
        for seat in range(s.seats):
            if visible_points(s, seat) < FRIENDLY_POINTS:
                corners |= s.settlements[seat] | s.cities[seat]
    return corners


@jit
def robber_hexes(s: CatanState) -> int:
    """Where the robber may go: any other hex, the desert too (if the friendly robber leaves none: any other hex)."""
    elsewhere = ((1 << HEXES) - 1) & ~(1 << s.robber)
    protected = protected_corners(s)
    if protected == 0:
        return elsewhere
    hexes = 0
    for hex in range(HEXES):
        if not HEX_MASK[hex] & protected:
            hexes |= 1 << hex
    hexes &= elsewhere
    return hexes if hexes else elsewhere


@jit
def refuse_hex(s: CatanState, hex: int) -> int:
    """The counterpart of `robber_hexes` for one hex."""
    if hex == s.robber:
        return no.ROBBER_MUST_MOVE
    return 0 if robber_hexes(s) >> hex & 1 else no.FRIENDLY_ROBBER


@jit
def move_robber(s: CatanState, hex: int) -> None:
    """To another hex; then one of the players who have built there is robbed."""
    s.robber = hex
    if somebody_to_rob(s) or s.phased_turns:
        s.phase = ROBBER_STEAL
    else:
        resume(s)


@jit
def can_be_robbed(s: CatanState, seat: int) -> bool:
    """An opponent with a building at the robber's hex (in phased turns: who also holds a card)."""
    if seat == s.player or (s.phased_turns and s.hand_size[seat] == 0):
        return False
    return (s.settlements[seat] | s.cities[seat]) & HEX_MASK[s.robber] != 0


@jit
def somebody_to_rob(s: CatanState) -> bool:
    """Whether anyone can be robbed where the robber stands."""
    for seat in range(s.seats):
        if can_be_robbed(s, seat):
            return True
    return False


@jit
def list_victims(s: CatanState, x: Scratch) -> int:
    """Who can be robbed."""
    n = 0
    for seat in range(s.seats):
        if can_be_robbed(s, seat):
            x.actions[n] = STEAL + seat
            n += 1
    if n == 0:
        x.actions[n] = SKIP_STEAL
        n += 1
    return n


@jit
def refuse_victim(s: CatanState, seat: int) -> int:
    """The counterpart of `list_victims` for one seat."""
    return 0 if seat < s.seats and can_be_robbed(s, seat) else no.NOBODY_TO_ROB


@jit
def steal(s: CatanState, victim: int) -> None:
    """One random card; a victim without cards yields nothing."""
    if s.hand_size[victim]:
        s.victim = victim
        s.phase = STEALING
    else:
        resume(s)


@jit
def stolen(s: CatanState, resource: int) -> None:
    """The card changes hands."""
    s.hand[s.victim, resource] -= 1
    s.hand_size[s.victim] -= 1
    s.hand[s.player, resource] += 1
    s.hand_size[s.player] += 1
    s.victim = NOBODY
    resume(s)

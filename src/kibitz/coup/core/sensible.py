"""What a search should try: not what loses by force, and nothing beside what wins at once.

Decisive moves (Teytaud and Teytaud, *On the huge benefit of decisive moves in Monte-Carlo tree search algorithms*, 2010), for
the seat that asks and for everybody in its trees. Only cards and coins that everybody sees are looked at.
"""

from kibitz.coup.core.rules import actor, legal
from kibitz.coup.core.state import (
    ACTION,
    ALLOW,
    ASSASSINATE,
    BLOCK,
    COST,
    COUP,
    DO_ASSASSINATE,
    DO_COUP,
    DO_STEAL,
    GAIN,
    NOBODY,
    STEAL,
    CoupState,
)  # fmt: skip
from kibitz.game import Scratch
from kibitz.ground.jit import jit


@jit
def sensible(s: CoupState, x: Scratch) -> int:
    """The legal actions less those that lose by force; where a coup wins at once, that alone. Never none."""
    n = int(legal(s, x))
    seat = int(actor(s))
    rival = only_rival(s, seat)
    if rival == NOBODY:
        return n
    if s.phase == ACTION:
        if s.influence[rival] == 1 and s.coins[seat] >= COST[COUP]:
            x.actions[0] = DO_COUP + rival
            return 1
        if s.influence[seat] == 1 and s.coins[rival] >= COST[COUP] and s.turn < s.max_turns:
            return keep_defences(s, x, n, rival)
    elif s.phase == BLOCK and s.action == ASSASSINATE and s.influence[seat] == 1 and x.actions[0] == ALLOW:
        x.actions[0] = x.actions[1]
        return 1
    return n


@jit
def only_rival(s: CoupState, seat: int) -> int:
    """The other player, if only two are left."""
    found = NOBODY
    for other in range(s.seats):
        if other != seat and s.influence[other] > 0:
            if found != NOBODY:
                return NOBODY
            found = other
    return found


@jit
def keep_defences(s: CoupState, x: Scratch, n: int, rival: int) -> int:
    """Against a rival whose coup would win: what may take the coins for it, or the last card; all, if nothing can."""
    kept = 0
    for i in range(n):
        a = int(x.actions[i])
        robs = a == DO_STEAL + rival and s.coins[rival] - GAIN[STEAL] < COST[COUP]
        kills = a == DO_ASSASSINATE + rival and s.influence[rival] == 1
        if robs or kills:
            x.actions[kept] = a
            kept += 1
    return kept if kept > 0 else int(legal(s, x))

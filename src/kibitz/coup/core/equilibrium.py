"""The policy `equilibrium`: it draws from the mixture that the blueprint gives for what it knows.

The blueprint lies in memory as bytes, at ``x.tables`` (`kibitz.coup.core.blueprint`). Everything is an integer: a mixture is a
weight from 0 to 255 for each answer.
"""

from kibitz.coup.core import policy
from kibitz.coup.core.layout import Notes
from kibitz.coup.core.net_policy import choose_net
from kibitz.coup.core.policy import EQUILIBRIUM, HEURISTIC, NET, unseen
from kibitz.coup.core.rules import actor
from kibitz.coup.core.sets import (
    COARSE,
    FINE,
    QUESTIONS,
    RETURN_SLOTS,
    RETURNS,
    SLOTS,
    answers,
    coarse_cell,
    fine_cell,
    layer,
    question,
    return_cell,
)  # fmt: skip
from kibitz.coup.core.state import ACTION, BLOCK, CHALLENGE, DO_SHOW, RETURN, SHOW, CoupState
from kibitz.coup.core.table_sets import (
    ACTION_WIDTH,
    BLOCK_WIDTH,
    LOSS_WIDTH,
    RETURN_WIDTH,
    TABLE_SLOTS,
    purse_of,
    table_set,
    victim_of,
)  # fmt: skip
from kibitz.game import Scratch
from kibitz.game.nets import BOOKS
from kibitz.ground.jit import Vector, jit, table
from kibitz.ground.memory import byte
from kibitz.ground.rng import below

#: After so many rounds it takes what it gets: no thefts, no exchanges (`heuristic` is tired by then).
ENDLESS = 100
#: Certainty.
SURE = 255
#: The bytes of a row: seven for the action, then one for each answer but the first.
ROW = 20
_PLACES, _next = [0] * SLOTS, 0
for _at, _n in QUESTIONS.values():
    _PLACES[_at] = _next
    _next += _n if _at == 0 else _n - 1
ROW_AT: Vector = table(_PLACES)
#: In the image: which parts there are (a bit for two seats, one for more), three bytes for each fine cell (the number of its
#: row, 0 for none), the rows of the coarse cells, those of exchanges, of larger tables, and the rows of fine cells.
HEAD = 16
INDEX_AT = HEAD
COARSE_AT = INDEX_AT + 3 * FINE
RETURNS_AT = COARSE_AT + ROW * COARSE
TABLE_AT = RETURNS_AT + RETURN_SLOTS * RETURNS
ROWS_AT = TABLE_AT + TABLE_SLOTS
#: The parts, by their bits.
DUEL, MORE = 1, 2


@jit
def choose(s: CoupState, x: Notes, policy_: int) -> int:
    """What a policy does for the player to move."""
    if policy_ == EQUILIBRIUM:
        return choose_equilibrium(s, x)
    if NET <= policy_ < NET + BOOKS:
        return choose_net(s, x, policy_ - NET)
    return policy.choose(s, x, policy_)


@jit
def serves(s: CoupState, x: Scratch) -> bool:
    """Whether the blueprint has a part for this number of seats."""
    if x.tables == 0:
        return False
    return byte(x.tables, 0) & (DUEL if s.seats == 2 else MORE) != 0


@jit
def choose_equilibrium(s: CoupState, x: Scratch) -> int:
    """Draw from the mixture; without a blueprint, or where it has never been, play as `heuristic`.

    So it does on its turns in a game that has lasted far too long: thieves and ambassadors could go on for ever.
    """
    if not serves(s, x) or (s.seats > 2 and not practised(s, x, actor(s))):
        return policy.choose(s, x, HEURISTIC)
    if s.phase == ACTION and s.turn > ENDLESS * s.seats and layer(s) == 0:
        return policy.choose(s, x, HEURISTIC)
    n = mixture(s, x, actor(s))
    total = 0
    for j in range(n):
        total += x.weights[j]
    at = below(x, total)
    for j in range(n - 1):
        at -= x.weights[j]
        if at < 0:
            return x.actions[j]
    return x.actions[n - 1]


@jit
def practised(s: CoupState, x: Scratch, seat: int) -> bool:
    """Whether the blueprint for three and more has anything to say."""
    width = LOSS_WIDTH  # and that of a challenge
    if s.phase == ACTION:
        width = ACTION_WIDTH
    elif s.phase == RETURN:
        width = RETURN_WIDTH
    elif s.phase == BLOCK:
        width = BLOCK_WIDTH
    at = x.tables + place(s, x, seat)
    for j in range(width):
        if byte(at, j) > 0:
            return True
    return False


@jit
def mixture(s: CoupState, x: Scratch, seat: int) -> int:
    """What the blueprint does: actions into ``x.actions``, their weights into ``x.weights``; how many there are.

    Where a table of three to six was never practised all are alike, though `choose_equilibrium` plays as ``heuristic`` there.
    """
    if s.phase == SHOW and s.hand[seat, s.claim] > 0:
        x.actions[0], x.weights[0] = DO_SHOW + s.claim, 1
        return 1
    victim, purse = 1 - seat, 1 - seat
    if s.seats > 2:
        victim, purse = victim_of(s, seat), purse_of(s, seat)
    n = answers(s, x, seat, victim, purse)
    if n == 1:
        x.weights[0] = 1
        return 1
    if s.phase == CHALLENGE and unseen(s, seat, s.claim) == 0:
        x.weights[0], x.weights[1] = 0, 1
        return 2
    if s.seats > 2 and not practised(s, x, seat):
        for j in range(n):
            x.weights[j] = 0
        return possible(x, n)
    at = x.tables + place(s, x, seat)
    rest = SURE
    spread = s.phase == ACTION or s.phase == RETURN
    for j in range(0 if spread else 1, n):
        x.weights[j] = byte(at, j if spread else j - 1)
        rest -= x.weights[j]
    if not spread:
        x.weights[0] = max(rest, 0)
    return possible(x, n)


@jit
def possible(x: Scratch, n: int) -> int:
    """Move the `n` answers that can be given to the front, all alike if none has a weight; how many they are."""
    total, left = 0, 0
    for j in range(n):
        if x.actions[j] >= 0:
            x.actions[left], x.weights[left] = x.actions[j], x.weights[j]
            total += x.weights[j]
            left += 1
    if total == 0:
        for j in range(left):
            x.weights[j] = 1
    return left


@jit
def place(s: CoupState, x: Scratch, seat: int) -> int:
    """Where the bytes of a decision begin in the image."""
    if s.seats > 2:
        return TABLE_AT + table_set(s, seat)
    other = 1 - seat
    if s.phase == RETURN:
        return RETURNS_AT + return_cell(s, seat, other) * RETURN_SLOTS
    at, asked = x.tables + INDEX_AT + 3 * fine_cell(s, seat, other), ROW_AT[question(s)]
    row = byte(at, 0) + 256 * byte(at, 1) + 65536 * byte(at, 2)
    if row > 0:
        return ROWS_AT + (row - 1) * ROW + asked
    return COARSE_AT + coarse_cell(s, seat, other) * ROW + asked

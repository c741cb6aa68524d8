"""Compiled ways to choose an action: the bots. Everything is an integer: the same on every device.

No policy looks at anything that its seat may not know, and none remembers who claimed what.
"""

from kibitz.coup.core.cards import claimant
from kibitz.coup.core.rules import actor, holds_pair
from kibitz.coup.core.state import (
    ACTION, ALLOW, AMBASSADOR, ASSASSIN, ASSASSINATE, BLOCK, BLOCKED_BY, BLOCKED_BY_TOO, CAPTAIN, CHALLENGE, CONTESSA,
    COPIES, COST, COUP, DO_ASSASSINATE, DO_BLOCK, DO_CHALLENGE, DO_COUP, DO_EXCHANGE, DO_FOREIGN_AID, DO_INCOME, DO_LOSE,
    DO_RETURN, DO_SHOW, DO_STEAL, DO_TAX, DUKE, KINDS, NOBODY, NONE, PAIR_FIRST, PAIR_KINDS, PAIR_SECOND, RETURN, SHOW, STEAL,
    CoupState,
)  # fmt: skip
from kibitz.game import RANDOM, Scratch
from kibitz.ground.jit import Vector, jit, table
from kibitz.ground.rng import below

#: `RESTLESS` is `HEURISTIC` as it was in 0.1, for comparison: thieves never rest, and where all hold Captains nothing ends.
HONEST, HEURISTIC, RESTLESS = 1, 2, 5
#: The one that plays by the blueprint (`kibitz.coup.core.equilibrium`).
EQUILIBRIUM = 3
#: The one that asks the evaluator (`kibitz.coup.core.net_policy`); the numbers after it ask the networks of further books.
NET = 16
#: The policies by their short names; random play is the driver's own.
BOTS = {"random": RANDOM, "honest": HONEST, "heuristic": HEURISTIC, "heuristic-0.1": RESTLESS, "equilibrium": EQUILIBRIUM,
        "net": NET}  # fmt: skip

#: What a card is worth to keep, by character; a second card of the same kind is worth a third of that.
WORTH: Vector = table([30, 24, 27, 15, 21])
#: What an influence counts, in coins, for who is the strongest opponent, who is closest to a coup, and who is the richest.
STRONGEST, CLOSEST, RICHEST = 100, 1, 0
#: After so many rounds one of four thefts, assassinations and exchanges is left out, after twice as many two, and so on.
PATIENCE = 20
#: Chances are counted in parts of this.
ONE = 4096


@jit
def choose(s: CoupState, x: Scratch, policy: int) -> int:
    """What a policy does for the player to move."""
    seat = actor(s)
    if s.phase == ACTION:
        if s.coins[seat] >= COST[COUP]:
            return DO_COUP + foremost(s, seat, STRONGEST if policy == HONEST else CLOSEST)
        return honest_action(s, x, seat) if policy == HONEST else bold_action(s, x, seat, policy)
    if s.phase == CHALLENGE:
        doubts = is_impossible(s, seat) if policy == HONEST else is_doubtful(s, seat)
        return DO_CHALLENGE if doubts else ALLOW
    if s.phase == BLOCK:
        card = honest_block(s, seat)
        if card == NONE and policy != HONEST:
            card = bold_block(s, x, seat)
        return ALLOW if card == NONE else DO_BLOCK + card
    if s.phase == RETURN:
        return DO_RETURN + least_pair(s, seat)
    if s.phase == SHOW and s.hand[seat, s.claim] > 0:
        return DO_SHOW + s.claim
    return DO_LOSE + least_card(s, seat)


@jit
def unseen(s: CoupState, seat: int, card: int) -> int:
    """How many cards of a character `seat` does not see."""
    left = COPIES - s.hand[seat, card]
    for other in range(s.seats):
        left -= s.revealed[other, card]
    return left


@jit
def chance_of(s: CoupState, seat: int, other: int, card: int) -> int:
    """The chance (in parts of `ONE`) that `other` holds a character, from all that `seat` does not see alike."""
    rest = 0
    for kind in range(KINDS):
        rest += unseen(s, seat, kind)
    copies = unseen(s, seat, card)
    without = ONE
    for i in range(s.influence[other]):
        without = without * max(rest - copies - i, 0) // (rest - i)
    return ONE - without


@jit
def foremost(s: CoupState, seat: int, influence: int) -> int:
    """The opponent with the most coins, each influence counting as so many; of equal ones the next in turn."""
    best, found = -1, NOBODY
    for i in range(1, s.seats):
        other = (seat + i) % s.seats
        danger = s.influence[other] * influence + s.coins[other]
        if s.influence[other] > 0 and danger > best:
            best, found = danger, other
    return found


@jit
def worth(s: CoupState, seat: int, card: int) -> int:
    """What one card fewer of this character would cost."""
    return WORTH[card] if s.hand[seat, card] == 1 else WORTH[card] // 3


@jit
def least_card(s: CoupState, seat: int) -> int:
    """The card to lose: the one that is worth least."""
    best, found = 1000, NONE
    for card in range(KINDS):
        if s.hand[seat, card] > 0 and worth(s, seat, card) < best:
            best, found = worth(s, seat, card), card
    return found


@jit
def least_pair(s: CoupState, seat: int) -> int:
    """The two cards to return in an exchange."""
    best, found = 1000, 0
    for pair in range(PAIR_KINDS):
        if holds_pair(s, seat, pair):
            first, second = PAIR_FIRST[pair], PAIR_SECOND[pair]
            cost = worth(s, seat, first) + worth(s, seat, second)
            if first == second:
                cost = worth(s, seat, first) + (WORTH[first] if s.hand[seat, first] == 2 else WORTH[first] // 3)
            if cost < best:
                best, found = cost, pair
    return found


@jit
def honest_action(s: CoupState, x: Scratch, seat: int) -> int:
    """The best action that a player's own cards allow. Thefts and exchanges alone would go on for ever, hence the income."""
    if s.hand[seat, ASSASSIN] > 0 and s.coins[seat] >= COST[ASSASSINATE]:
        return DO_ASSASSINATE + foremost(s, seat, STRONGEST)
    if s.hand[seat, DUKE] > 0:
        return DO_TAX
    if below(x, 3) == 0:
        return DO_INCOME
    victim = foremost(s, seat, RICHEST)
    if s.hand[seat, CAPTAIN] > 0 and s.coins[victim] > 1:
        return DO_STEAL + victim
    if s.hand[seat, AMBASSADOR] > 0:
        return DO_EXCHANGE
    return DO_FOREIGN_AID


@jit
def honest_block(s: CoupState, seat: int) -> int:
    """A character in hand that blocks the action, or none. Aid to another is blocked like any other action."""
    card = BLOCKED_BY[s.action]
    if s.hand[seat, card] > 0:
        return card
    card = BLOCKED_BY_TOO[s.action]
    return card if card != NONE and s.hand[seat, card] > 0 else NONE


@jit
def is_impossible(s: CoupState, seat: int) -> bool:
    """Whether all cards of the claimed character are in sight."""
    return unseen(s, seat, s.claim) == 0


@jit
def bold_action(s: CoupState, x: Scratch, seat: int, policy: int) -> int:
    """Tax, theft or assassination, held or feigned: whatever promises most after the risk of being caught.

    Counted in tenths of a coin. Against a Contessa, or where everybody left holds a Captain, nothing would ever end: an
    assassin rests now and then, and the longer a game lasts the less often anything is tried that others may stop.
    """
    tired = 0 if policy == RESTLESS else s.turn // (PATIENCE * s.seats)
    best, found = 14, DO_INCOME
    aid = 20
    for i in range(1, s.seats):
        other = (seat + i) % s.seats
        aid = aid * (ONE - chance_of(s, seat, other, DUKE)) // ONE
    if aid > best:
        best, found = aid, DO_FOREIGN_AID
    value = 30 - risk(s, x, seat, DUKE)
    if value > best:
        best, found = value, DO_TAX
    victim = foremost(s, seat, RICHEST)
    takes = min(s.coins[victim], 2)
    value = takes * 14 - risk(s, x, seat, CAPTAIN)
    if takes > 0 and value > best and (tired == 0 or below(x, 4) >= tired):
        best, found = value, DO_STEAL + victim
    value = 40 - risk(s, x, seat, ASSASSIN)
    if s.coins[seat] >= COST[ASSASSINATE] and below(x, 4) >= max(tired, 1) and value > best:
        best, found = value, DO_ASSASSINATE + foremost(s, seat, CLOSEST)
    value = 45 - hand_worth(s, seat) - risk(s, x, seat, AMBASSADOR)
    return DO_EXCHANGE if value > best and (tired == 0 or below(x, 4) >= tired) else found


@jit
def hand_worth(s: CoupState, seat: int) -> int:
    """What the cards in a hand are worth."""
    total = 0
    for card in range(KINDS):
        if s.hand[seat, card] > 0:
            total += WORTH[card] + (s.hand[seat, card] - 1) * WORTH[card] // 3
    return total


@jit
def risk(s: CoupState, x: Scratch, seat: int, card: int) -> int:
    """What a claim costs: nothing if it is true; more the fewer cards of the character can be about, and by chance."""
    if s.hand[seat, card] > 0:
        return 0
    return 6 * (COPIES - unseen(s, seat, card)) + below(x, 24)


@jit
def bold_block(s: CoupState, x: Scratch, seat: int) -> int:
    """A character to feign in order to block, or none."""
    card = BLOCKED_BY[s.action]
    if s.action == STEAL and unseen(s, seat, AMBASSADOR) > unseen(s, seat, CAPTAIN):
        card = AMBASSADOR
    if unseen(s, seat, card) == 0:
        return NONE
    if s.action == ASSASSINATE:
        return card if s.influence[seat] == 1 or below(x, 2) == 0 else NONE
    if s.action == STEAL:
        return card if below(x, 3) == 0 else NONE
    return card if below(x, 6) == 0 else NONE


@jit
def is_doubtful(s: CoupState, seat: int) -> bool:
    """Whether a claim is worth a challenge.

    Somebody who claims a card holds it more often than chance says: a bluff counts half. Only whom the claim concerns takes
    the risk, at long odds; who is out without a Contessa, at even ones.
    """
    if is_impossible(s, seat):
        return True
    holds = chance_of(s, seat, claimant(s), s.claim)
    bluffs = (ONE - holds) // 2
    doomed = (
        s.action == ASSASSINATE and s.blocker == NOBODY and s.target == seat and s.influence[seat] == 1
        and s.hand[seat, CONTESSA] == 0
    )  # fmt: skip
    if doomed:
        return bluffs > holds
    concerned = s.target == seat or s.player == seat
    return concerned and bluffs > holds * 4

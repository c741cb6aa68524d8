"""The cards of Coup: what chance draws from the deck, and what a seat knows of hands and deck.

Cards are drawn for the deal, for a card that was shown, for an exchange. Hidden are the other hands and the deck; how many
cards everybody has is public.
"""

from kibitz.coup.core import reasons as no
from kibitz.coup.core.state import (
    COPIES, DEAL, DO_RETURN, DRAW, DRAWN, DRAWN_TWO, KINDS, LOSE, NOBODY, PAIR_FIRST, PAIR_KINDS, PAIR_SECOND, REPLACE, RETURN,
    UNSEEN_CARD, UNSEEN_CARDS, UNSEEN_RETURN, CoupState, CoupWorld,
)  # fmt: skip
from kibitz.game import Scratch
from kibitz.ground.jit import jit
from kibitz.ground.rng import below

#: Chance events of one turn are told apart by their place among this many (the deal has one for each seat).
MOMENTS = 8


@jit
def draws_two(s: CoupState) -> bool:
    """Whether chance draws two cards at once: a hand at the start (unless it is of one card), or an exchange."""
    return s.phase == DRAW or (s.phase == DEAL and s.influence[s.active] == 2)


@jit
def weights(s: CoupState, x: Scratch) -> int:
    """Cards from the deck, each as likely as any other: two at once count the ways to pick them."""
    n = 0
    if draws_two(s):
        for pair in range(PAIR_KINDS):
            ways = ways_to_draw(s, pair)
            if ways > 0:
                x.actions[n], x.weights[n] = DRAWN_TWO + pair, ways
                n += 1
        return n
    for card in range(KINDS):
        if s.deck[card] > 0:
            x.actions[n], x.weights[n] = DRAWN + card, s.deck[card]
            n += 1
    return n


@jit
def ways_to_draw(s: CoupState, pair: int) -> int:
    """In how many ways two cards of the deck make a pair."""
    first, second = PAIR_FIRST[pair], PAIR_SECOND[pair]
    if first == second:
        return s.deck[first] * (s.deck[first] - 1) // 2
    return s.deck[first] * s.deck[second]


@jit
def why_not_outcome(s: CoupState, a: int) -> int:
    """Whether chance can bring about `a` now."""
    if a < DRAWN:
        return no.WRONG_PHASE
    if draws_two(s):
        possible = a >= DRAWN_TWO and ways_to_draw(s, a - DRAWN_TWO) > 0
    else:
        possible = a < DRAWN_TWO and s.deck[min(a - DRAWN, KINDS - 1)] > 0
    return 0 if possible else no.NO_SUCH_OUTCOME


@jit
def moment(s: CoupState) -> int:
    """The chance event by its name: the turn, and the seat (deal) or the purpose."""
    if s.phase == DEAL:
        return s.active
    if s.phase == DRAW:
        return s.turn * MOMENTS
    return s.turn * MOMENTS + (1 if s.blocker == NOBODY else 2)


@jit
def draw_card(s: CoupState, seat: int, card: int) -> None:
    """A card of the deck goes into a hand."""
    s.deck[card] -= 1
    s.hand[seat, card] += 1


@jit
def take_drawn(s: CoupState, a: int) -> None:
    """One or two cards come into the hand of the active player."""
    if a < DRAWN_TWO:
        draw_card(s, s.active, a - DRAWN)
    else:
        draw_card(s, s.active, PAIR_FIRST[a - DRAWN_TWO])
        draw_card(s, s.active, PAIR_SECOND[a - DRAWN_TWO])


@jit
def deal_next(s: CoupState) -> bool:
    """Go on to the next player who is dealt a hand; whether there is one."""
    while s.active + 1 < s.seats:
        s.active += 1
        if s.influence[s.active] > 0:
            return True
    return False


@jit
def claimant(s: CoupState) -> int:
    """Whose claim is on the table: the blocker's, or that of the player whose turn it is."""
    return s.player if s.blocker == NOBODY else s.blocker


@jit
def seen(s: CoupState, a: int, seat: int) -> int:
    """Only who draws or returns cards sees them; everything else is public."""
    if a < DO_RETURN or seat == s.active:
        return a
    if a < DRAWN:
        return UNSEEN_RETURN
    return UNSEEN_CARD if a < DRAWN_TWO else UNSEEN_CARDS


@jit
def hand_size(s: CoupState, seat: int) -> int:
    """How many cards a seat holds face down."""
    if s.phase == DEAL:
        return s.influence[seat] if seat < s.active else 0
    if seat == s.active:
        if s.phase == RETURN:
            return s.influence[seat] + 2
        if s.phase == REPLACE:
            return s.influence[seat] - 1
    return s.influence[seat]


@jit
def hide(s: CoupState, seat: int) -> None:
    """Blank the other hands and what the deck holds."""
    for card in range(KINDS):
        for other in range(s.seats):
            if other != seat:
                s.hand[other, card] = 0
        s.deck[card] = 0


@jit
def peek(s: CoupState, w: CoupWorld) -> None:
    """The hands (the observer's own, too, so that one world serves every seat)."""
    for card in range(KINDS):
        for seat in range(s.seats):
            w.hand[seat, card] = s.hand[seat, card]


@jit
def deal(s: CoupState, w: CoupWorld) -> None:
    """Give everybody the cards of a world; the deck holds the rest."""
    for card in range(KINDS):
        s.deck[card] = COPIES
        for seat in range(s.seats):
            s.hand[seat, card] = w.hand[seat, card]
            s.deck[card] -= w.hand[seat, card] + s.revealed[seat, card]


@jit
def redeal(s: CoupState, x: Scratch, seat: int) -> None:
    """Deal the cards that `seat` does not see at random, all possible deals being equally likely.

    A card that was shown is still in the hand while the challenger loses one.
    """
    hide(s, seat)
    unseen = 0
    for card in range(KINDS):
        s.deck[card] = COPIES
        for other in range(s.seats):
            s.deck[card] -= s.hand[other, card] + s.revealed[other, card]
        unseen += s.deck[card]
    shown = NOBODY
    if s.phase == LOSE and s.challenger != NOBODY and seat != claimant(s):
        shown = claimant(s)
        draw_card(s, shown, s.claim)
        unseen -= 1
    for other in range(s.seats):
        if other != seat:
            for _ in range(hand_size(s, other) - (1 if other == shown else 0)):
                at = below(x, unseen)
                card = 0
                while at >= s.deck[card]:
                    at -= s.deck[card]
                    card += 1
                draw_card(s, other, card)
                unseen -= 1

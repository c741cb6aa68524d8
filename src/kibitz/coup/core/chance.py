"""Chance in Coup: cards from the deck, for the deal, for a card that was shown, for an exchange."""

from __future__ import annotations

from kibitz.coup.core import reasons as no
from kibitz.coup.core.state import DEAL, DRAW, DRAWN, DRAWN_TWO, KINDS, NOBODY, PAIR_FIRST, PAIR_KINDS, PAIR_SECOND, CoupState
from kibitz.game import Scratch
from kibitz.ground.jit import jit

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

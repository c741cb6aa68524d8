"""What a seat knows: hidden are the other hands and the deck; how many cards everybody has is public."""

from __future__ import annotations

from kibitz.coup.core.chance import draw_card
from kibitz.coup.core.rules import claimant
from kibitz.coup.core.state import (
    COPIES, DEAL, DO_RETURN, DRAWN, DRAWN_TWO, KINDS, LOSE, NOBODY, REPLACE, RETURN, UNSEEN_CARD, UNSEEN_CARDS, UNSEEN_RETURN,
    CoupState, CoupWorld,
)  # fmt: skip
from kibitz.game import Scratch
from kibitz.ground.jit import jit
from kibitz.ground.rng import below


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

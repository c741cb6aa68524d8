"""What an action tells about the cards of who does it, if that is a player of the blueprint.

>>> from kibitz.coup import tax
>>> from kibitz.coup.core.setup import setup
>>> view = setup([2, 2], hands={0: ["contessa", "contessa"]})
>>> odds = dict(odds_of(view, 0, tax().code))
>>> odds[1, 1, 0, 0, 0] > odds[0, 1, 1, 0, 0]  # with a Duke, and without
True
"""

from functools import cache
from typing import Any, TypeAlias

import numpy as np

from kibitz.coup.blueprint.bluffs import CLAIM
from kibitz.coup.core.blueprint import BLUEPRINT
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.equilibrium import mixture, serves
from kibitz.coup.core.rules import action_of
from kibitz.coup.core.state import ALLOW, COPIES, DO_RETURN, KINDS, PAIR_KINDS, PAIRS, RETURN, CoupState
from kibitz.coup.core.tree import HANDS
from kibitz.game import States, structs
from kibitz.ground.jit import integers, jit

#: Cards counted by character.
Hand: TypeAlias = tuple[int, ...]
#: How likely a player with some hand acts as it did: for all hands.
Odds: TypeAlias = tuple[tuple[Hand, float], ...]
#: What a player would keep of a hand in an exchange, and how likely: for all hands.
Kept: TypeAlias = tuple[tuple[Hand, tuple[tuple[Hand, float], ...]], ...]
#: How far somebody is taken for a player of the blueprint; else any answer is as likely as another, but for bluffs, which are
#: so much rarer.
TRUST, BLUFFS = 0.6, 0.2


@jit
def like(a: int, b: int) -> bool:
    """Whether two actions are the same but for whom they are aimed at."""
    if a < ALLOW and b < ALLOW:
        return action_of(a) == action_of(b)
    return a == b


@jit
def answers_by_hand(states: Any, xs: Any, hands: Any, seat: int, code: int, trust: float, found: Any) -> int:
    """Write to `found` [hands] how likely a seat does `code` in ``states[0]``, by its hand; 0 where no blueprint says so."""
    s, x = states[0], xs[0]
    if not serves(s, x):
        return 0
    for h in range(len(hands)):
        for card in range(KINDS):
            s.hand[seat, card] = hands[h, card]
        n = mixture(s, x, seat)
        total = same = 0
        anything = alike = 0.0
        for j in range(n):
            usual = BLUFFS if is_bluff(s, seat, x.actions[j]) else 1.0
            total += x.weights[j]
            anything += usual
            if like(x.actions[j], code):
                same += x.weights[j]
                alike += usual
        if alike == 0.0:  # what the blueprint never considers, such as not to win at once
            alike = BLUFFS if is_bluff(s, seat, code) else 1.0
            anything += alike
        found[h] = trust * same / total + (1.0 - trust) * alike / anything
    return 1


@jit
def is_bluff(s: CoupState, seat: int, a: int) -> bool:
    """Whether an answer claims a character that a seat does not hold."""
    return CLAIM[a] >= 0 and s.hand[seat, CLAIM[a]] == 0


@jit
def returns_by_hand(states: Any, xs: Any, hands: Any, seat: int, trust: float, found: Any) -> int:
    """Write to `found` [hands, pairs] how likely a seat returns which cards in an exchange; 0 where no blueprint says so."""
    s, x = states[0], xs[0]
    if not serves(s, x):
        return 0
    for h in range(len(hands)):
        for card in range(KINDS):
            s.hand[seat, card] = hands[h, card]
        n = mixture(s, x, seat)
        total = 0
        for j in range(n):
            total += x.weights[j]
        for j in range(n):
            found[h, x.actions[j] - DO_RETURN] = trust * x.weights[j] / total + (1.0 - trust) / n
    return 1


def bluff_rates() -> tuple[float, ...]:
    """By character: how often a player of the blueprint claims it without holding it, for each time that one who does.

    It is measured when a blueprint is made (`kibitz.coup.blueprint.learners`); one half where nobody did.
    """
    told = {file.variant: file.about["bluffs"] for file in BLUEPRINT.files if "bluffs" in file.about}
    return tuple(told[min(told)]) if told else (0.5,) * KINDS  # that of two players, if there is one


@cache
def hands_of(size: int) -> tuple[Hand, ...]:
    """All hands of so many cards that there can be."""
    return tuple(tuple(hand) for hand in HANDS[size] if max(hand) <= COPIES)


def odds_of(states: States, i: int, code: int, trust: float = TRUST) -> Odds:
    """By hand: how likely the player who decides in ``states[i]`` does `code`; empty where there is no blueprint.

    Only what is public in the position is read.
    """
    room, seat, hands = _asked(states, i)
    found = np.zeros(len(hands))
    if not answers_by_hand(room, GAME.scratches(), integers(np.array(hands, np.int8)), seat, code, trust, found):
        return ()
    return tuple(zip(hands, found.tolist(), strict=True))


def returns_of(states: States, i: int, trust: float = TRUST) -> Kept:
    """By hand: what is left of it after an exchange, and how likely; empty where there is no blueprint."""
    room, seat, hands = _asked(states, i)
    found = np.zeros((len(hands), PAIR_KINDS))
    if not returns_by_hand(room, GAME.scratches(), integers(np.array(hands, np.int8)), seat, trust, found):
        return ()
    return tuple(
        (hand, tuple((_without(hand, PAIRS[pair]), float(row[pair])) for pair in np.flatnonzero(row)))
        for hand, row in zip(hands, found, strict=True)
    )


def _asked(states: States, i: int) -> tuple[States, int, tuple[Hand, ...]]:
    """Room for the position, who decides there, and what it can hold."""
    room = structs(GAME.state)
    room[0] = np.asarray(states)[i]
    seat = int(room["active"][0])
    extra = 2 if room["phase"][0] == RETURN else 0
    return room, seat, hands_of(int(room["influence"][0, seat]) + extra)


def _without(hand: Hand, cards: tuple[int, int]) -> Hand:
    return tuple(n - cards.count(card) for card, n in enumerate(hand))

"""How the tree of a game of Coup looks: the names of its nodes, what others could do, how likely, and a value at the horizon.

`kibitz.search.tree` asks for these through the field `tree` of the game, where it finds `WORDS`. States are arrays of one,
as an observer sees them (the hands of others and the deck are blank).

>>> from kibitz.coup.core.state import new_states
>>> kind(new_states(2))
<NodeKind.DEAL: 'Deal'>
>>> describe(-1)
'draws a card'
"""

from enum import StrEnum
from itertools import combinations_with_replacement
from math import comb, fsum, prod
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt

from kibitz.coup.core import rules
from kibitz.coup.core.actions import describe as describe_action
from kibitz.coup.core.cards import claimant, draws_two, hand_size
from kibitz.coup.core.policy import WORTH
from kibitz.coup.core.state import (
    ACTION, ALLOW, BLOCK, CHALLENGE, COPIES, DEAL, DO_LOSE, DO_RETURN, DO_SHOW, DRAW, DRAWN, DRAWN_TWO,
    GAME_OVER, KINDS, LOSE, NOBODY, PAIRS, PAIR_FIRST, PAIR_SECOND, PRIZE, REPLACE, RETURN, UNSEEN_CARD, UNSEEN_CARDS,
    UNSEEN_RETURN, WORLD, cards_of,
)  # fmt: skip
from kibitz.game import States, structs


class NodeKind(StrEnum):
    """The kinds of nodes, named after the parts of a turn."""

    DEAL = "Deal"
    """The hands are dealt."""
    PRIMARY_ACTION = "PrimaryAction"
    """A player announces the action of the turn."""
    CHALLENGE = "Challenge"
    """Anybody may doubt the claim on the table."""
    CHALLENGE_RESULT = "ChallengeResult"
    """A challenged player shows the card or loses another: one child for each card that can be turned up."""
    REPLACEMENT = "Replacement"
    """A card that was shown goes back, and another one is drawn."""
    REVEALED_CARD = "RevealedCard"
    """A player loses an influence: one child for each card that it can be."""
    COUNTER_ACTION_PLAYER = "CounterActionPlayer"
    """Who blocks: anybody foreign aid, the target an assassination or a theft. Where one character blocks it is named, too."""
    COUNTER_ACTION_CHOICE = "CounterActionChoice"
    """With which character a theft is blocked."""
    EXCHANGE = "Exchange"
    """Two cards are drawn; two go back."""
    GAME_END = "GameEnd"
    """One player is left, or the turn limit is reached."""
    OBSERVER_OUT = "ObserverOut"
    """The observer has lost the last card: the others play on without it, and what they win is only estimated."""


#: By phase.
_KINDS = (
    NodeKind.DEAL, NodeKind.PRIMARY_ACTION, NodeKind.CHALLENGE, NodeKind.CHALLENGE_RESULT, NodeKind.REPLACEMENT,
    NodeKind.REVEALED_CARD, NodeKind.COUNTER_ACTION_PLAYER, NodeKind.EXCHANGE, NodeKind.EXCHANGE, NodeKind.GAME_END,
)  # fmt: skip
_UNSEEN = {UNSEEN_CARD: "draws a card", UNSEEN_CARDS: "draws two cards", UNSEEN_RETURN: "returns two cards"}
#: How likely a challenged player who holds the claimed card is to lose another instead of showing it.
DECLINES = 0.0
# What strength is made of at the horizon: round numbers near the best of a coarse grid (see docs/tree.md).
#: What no card, one card and two cards of average worth count.
INFLUENCE_WORTH = (0.0, 1.0, 3.0)
#: What a coin counts.
COIN_WORTH = 0.1
#: How far the characters of the cards matter: with 0 all cards would be alike.
CHARACTER_WORTH = 0.6


def kind(states: States, speaking: bool = False) -> NodeKind:
    """The name of a node. `speaking`: a player blocks, but has not named the character."""
    return NodeKind.COUNTER_ACTION_CHOICE if speaking else _KINDS[int(states["phase"][0])]


def describe(label: int | None) -> str:
    """What is seen of an action; None is a block whose character is not named yet."""
    return "block" if label is None else _UNSEEN.get(label) or describe_action(label)


def turn(states: States) -> int:
    """The number of the turn."""
    return int(states["turn"][0])


def is_open(states: States) -> bool:
    """Whether the next step is an announcement: an action, a challenge or a block, for which nobody needs the cards."""
    return int(states["phase"][0]) in (ACTION, CHALLENGE, BLOCK)


def is_out(states: States, observer: int) -> bool:
    """Whether the observer has lost all influence."""
    return int(states["influence"][0, observer]) == 0


def window(states: States) -> int:
    """The seats that may challenge or block."""
    return int(rules.window(states[0])) if int(states["phase"][0]) in (CHALLENGE, BLOCK) else 0


def hand(states: States, observer: int) -> tuple[str, ...]:
    """The observer's cards, by name."""
    if observer < 0:
        return ()
    return tuple(cards_of(states["hand"][0, observer].tolist()))


def unseen(states: States, observer: int) -> list[int]:
    """How many cards of each character the observer does not see: neither lost, nor its own, nor shown just now."""
    gone = states["revealed"][0].tolist()
    if observer >= 0:
        gone.append(states["hand"][0, observer].tolist())
    left = [COPIES - sum(cards) for cards in zip(*gone, strict=True)]
    if _shows(states) not in (NOBODY, observer):
        left[int(states["claim"][0])] -= 1
    return left


def _shows(states: States) -> int:
    """Who has shown the claimed card and still holds it, while the challenger loses one."""
    if int(states["phase"][0]) != LOSE or int(states["challenger"][0]) == NOBODY:
        return NOBODY
    return int(claimant(states[0]))


def options(states: States, observer: int) -> list[int]:
    """What another player, or chance, could do with cards that the observer does not see.

    A character can turn up as long as the observer does not see all of its cards. Of cards that only others get to see
    there is one action for all.
    """
    phase, active = int(states["phase"][0]), int(states["active"][0])
    if phase == RETURN:
        return [DO_RETURN]
    chance = phase in (DEAL, REPLACE, DRAW)
    two = phase == DRAW or (phase == DEAL and draws_two(states[0]))
    if chance and active != observer:
        return [DRAWN_TWO if two else DRAWN]
    left = unseen(states, observer)
    if two:
        return [DRAWN_TWO + pair for pair, (a, b) in enumerate(PAIRS) if left[a] > (a == b) and left[b] > 0]
    cards = [card for card in range(KINDS) if left[card] > 0]
    if chance:
        return [DRAWN + card for card in cards]
    if phase == LOSE:
        return [DO_LOSE + card for card in cards]
    claim = int(states["claim"][0])
    return [DO_SHOW + card for card in cards if card == claim] + [DO_LOSE + card for card in cards if card != claim]


def odds(states: States, codes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """How likely the active player is to do ``codes[i]`` in the whole state ``states[i]``.

    Who holds the claimed card shows it (but for `DECLINES`). Otherwise any of the cards in hand is as likely to be lost as
    any other, and in an exchange any two to be returned.
    """
    rows = np.arange(len(codes))
    phase, active = int(states["phase"][0]), states["active"].astype(np.int64)
    held = states["hand"][rows, active].astype(np.float64)
    if phase == RETURN:
        first, second = np.asarray(PAIR_FIRST)[codes - DO_RETURN], np.asarray(PAIR_SECOND)[codes - DO_RETURN]
        a, b = held[rows, first], held[rows, second]
        cards = held.sum(axis=1)
        return np.asarray(np.where(first == second, a * (a - 1) / 2, a * b) / (cards * (cards - 1) / 2))
    lost = np.maximum(codes - DO_LOSE, 0)
    if phase == LOSE:
        return np.asarray(held[rows, lost] / held.sum(axis=1))
    claim = states["claim"].astype(np.int64)
    others = held.sum(axis=1) - held[rows, claim]
    declines = np.where(held[rows, claim] > 0, np.where(others > 0, DECLINES, 0.0), 1.0)
    return np.asarray(np.where(codes < DO_LOSE, 1 - declines, declines * held[rows, lost] / np.maximum(others, 1)))


def deals(states: States, observer: int, limit: int) -> tuple[States, list[int]] | None:
    """Every way to give the others their cards, and how many ways it is with the cards told apart; None if over `limit`."""
    left, shows = unseen(states, observer), _shows(states)
    found: list[tuple[list[list[int]], list[int], int]] = [([], left, 1)]
    for seat in range(int(states["seats"][0])):
        size = int(hand_size(states[0], seat))
        if seat == observer:
            found = [([*hands, states["hand"][0, seat].tolist()], rest, ways) for hands, rest, ways in found]
            continue
        known = [0] * KINDS
        if seat == shows:
            known[int(states["claim"][0])] = 1
            size -= 1
        found = [
            ([*hands, [a + b for a, b in zip(known, drawn, strict=True)]], [a - b for a, b in zip(rest, drawn, strict=True)], w)
            for hands, rest, ways in found
            for drawn in HANDS[size]
            if (w := ways * prod(map(comb, rest, drawn)))
        ]
        if len(found) > limit:
            return None
    worlds = structs(WORLD, len(found))
    for i, (hands, _, _) in enumerate(found):
        worlds["hand"][i, : len(hands)] = hands
    return worlds, [ways for _, _, ways in found]


#: [size][hand, character] all hands of so many cards.
HANDS = [
    [[cards.count(card) for card in range(KINDS)] for cards in combinations_with_replacement(range(KINDS), size)]
    for size in range(5)
]


def heuristic(states: States, observer: int) -> tuple[float, ...]:
    """The chance of each seat to win, estimated by its share of everybody's strength; at the end the prize itself.

    Strength is influence (less one that is about to be lost) and coins. The observer's cards count more or less by their
    characters, those that it does not see by the average of all unseen ones. More influence, more coins or better cards
    are never worse, and never better for anybody else.
    """
    seats, phase = range(int(states["seats"][0])), int(states["phase"][0])
    if phase == GAME_OVER:
        return tuple(rules.score(states[0], seat) / PRIZE for seat in seats)
    influence, coins = states["influence"][0].tolist(), states["coins"][0].tolist()
    if phase == LOSE:
        influence[int(states["active"][0])] -= 1
    worth = [_worth(unseen(states, observer))] * len(seats)
    if observer >= 0:
        worth[observer] = _worth(states["hand"][0, observer].tolist())
    strength = [
        INFLUENCE_WORTH[influence[seat]] * worth[seat] + COIN_WORTH * coins[seat] if influence[seat] else 0.0 for seat in seats
    ]
    return tuple(one / fsum(strength) for one in strength)


def _worth(cards: list[int]) -> float:
    """What some cards, counted by character, are worth on the average, where a card of any character is worth 1."""
    if not sum(cards):
        return 1.0
    mean = sum(n * worth for n, worth in zip(cards, WORTH.tolist(), strict=True)) / sum(cards)
    return 1 + CHARACTER_WORTH * (mean / (sum(WORTH.tolist()) / KINDS) - 1)


#: All of this, as the tree of any game asks for it (`kibitz.search.tree_words`); a window passes when everybody allows it.
WORDS = SimpleNamespace(
    nobody=ALLOW, out=NodeKind.OBSERVER_OUT, kind=kind, describe=describe, turn=turn, is_open=is_open, is_out=is_out,
    window=window, options=options, odds=odds, deals=deals, hand=hand, heuristic=heuristic,
)  # fmt: skip

"""What the blueprint does, in tables for players: made from the file, so that they cannot drift from it.

>>> heads, rows = opening()
>>> heads[:3], len(rows)
(('your cards', 'income', 'foreign aid'), 15)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np

from kibitz.coup.core.actions import Action
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.equilibrium import mixture
from kibitz.coup.core.state import CHARACTERS, COINS, COPIES, INFLUENCES, KINDS, PAIRS, new_states
from kibitz.game import States, actor_at, apply_at

Table = tuple[Sequence[str], list[list[str]]]
#: Two cards as people say them.
ACTIONS = ("income", "foreign_aid", "tax", "exchange", "steal", "assassinate", "coup")


def mixed(states: States, seat: int) -> dict[str, float]:
    """How often the blueprint takes each kind of action in ``states[0]``; only the seat's own cards are looked at."""
    xs = GAME.scratches()
    n = mixture(states[0], xs[0], seat)
    weights = [int(weight) for weight in xs["weights"][0][:n]]
    found: dict[str, float] = {}
    for code, weight in zip(xs["actions"][0][:n].tolist(), weights, strict=True):
        kind = Action.from_code(code).kind
        found[kind] = found.get(kind, 0.0) + weight / sum(weights)
    return found


def at(hand: Sequence[int], coins: tuple[int, int], theirs: int = INFLUENCES) -> States:
    """Player 1, who holds `hand`, is to move; the other holds so many cards."""
    states = new_states(2)
    states["coins"][0, :2] = coins
    states["treasury"] = COINS - sum(coins)
    states["influence"][0, :2] = len(hand), theirs
    for card in hand:
        states["hand"][0, 0, card] += 1
    states["deck"][0] = COPIES - states["hand"][0, 0]
    states["turn"], states["phase"] = 1, 1
    return states


def asked(hand: Sequence[int], steps: Sequence[str], coins: tuple[int, int], theirs: int = INFLUENCES) -> States:
    """The same, but the other moves first and does these steps, after which player 1 decides."""
    states = at(hand, coins, theirs)
    states["player"] = states["active"] = 1
    for step in steps:
        apply_at(states, 0, Action.from_text(step).code)
    assert actor_at(states, 0) == 0, "player 1 decides"
    return states


def hands(size: int) -> list[tuple[int, ...]]:
    """All hands of one card or of two."""
    return [(card,) for card in range(KINDS)] if size == 1 else list(PAIRS)


def chance(hand: Sequence[int]) -> int:
    """In how many ways a hand is dealt."""
    return int(np.prod([comb(COPIES, hand.count(card)) for card in set(hand)]))


def average(size: int, fits: Callable[[Sequence[int]], bool], ask: Callable[[Sequence[int]], States], kind: str) -> float:
    """How often an action is taken, over the hands that fit, as often as they are dealt."""
    total = often = 0.0
    for hand in hands(size):
        if fits(hand):
            total += chance(hand)
            often += chance(hand) * mixed(ask(hand), 0).get(kind, 0.0)
    return often / total


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.0), percent(0.004), percent(0.256)
    ('', '1 %', '26 %')
    """
    return f"{max(round(100 * share), 1)} %" if share else ""


def named(hand: Sequence[int]) -> str:
    """Cards by name."""
    return ", ".join(CHARACTERS[card].title() for card in hand)


def opening() -> Table:
    """The first turn of a game: one coin, and nothing is known."""
    shown = ACTIONS[:5]
    rows = []
    for hand in hands(2):
        found = mixed(at(hand, (1, 2)), 0)
        rows.append([named(hand), *(percent(found.get(kind, 0.0)) for kind in shown)])
    return ("your cards", *(kind.replace("_", " ") for kind in shown)), rows


def claims() -> Table:
    """How often each character is claimed at the start of a turn, with it and without, by coins."""
    what = {"tax": 0, "steal": 2, "exchange": 3, "assassinate": 1}
    rows = []
    for coins in (1, 2, 3, 4, 5, 6):
        row = [str(coins)]
        for kind, card in what.items():
            for held in (True, False):
                known = average(2, lambda hand, c=card, h=held: (c in hand) == h, lambda hand, n=coins: at(hand, (n, 3)), kind)  # type: ignore[misc]
                row.append(percent(known))
        rows.append(row)
    heads = [f"{kind}, {how}" for kind in what for how in ("true", "bluff")]
    return ("your coins", *heads), rows


def challenges() -> Table:
    """How often a claim is challenged, by how many of the cards one holds oneself."""
    what = {"tax": ("tax", 0), "steal": ("steal 1", 2), "exchange": ("exchange", 3), "assassinate": ("assassinate 1", 1)}
    rows = []
    for kind, (step, card) in what.items():
        for size, label in ((2, "two cards"), (1, "one card")):
            row = [kind, label]
            for held in range(2):
                fits = lambda hand, c=card, h=held: min(hand.count(c), 1) == h  # noqa: E731
                ask = lambda hand, s=step, z=size: asked(hand, [s], (3, 4), z)  # noqa: E731
                row.append(percent(average(size, fits, ask, "challenge")))
            rows.append(row)
    return ("they claim", "both have", "you hold none", "you hold one"), rows


def blocks() -> Table:
    """How often something is blocked, with the card and without."""
    what = {"foreign aid": (["foreign_aid"], (0,)), "steal": (["steal 1", "allow"], (2, 3)),
            "assassinate": (["assassinate 1", "allow"], (4,))}  # fmt: skip
    rows = []
    for kind, (steps, cards) in what.items():
        for size, label in ((2, "two cards"), (1, "one card")):
            row = [kind, label]
            for held in (True, False):
                fits = lambda hand, cs=cards, h=held: any(c in hand for c in cs) == h  # noqa: E731
                ask = lambda hand, s=steps, z=size: asked(hand, s, (3, 4), z)  # noqa: E731
                row.append(percent(average(size, fits, ask, "block")))
            rows.append(row)
    return ("they do", "both have", "blocked with the card", "without it"), rows


TABLES: dict[str, Callable[[], Table]] = {
    "opening": opening, "claims": claims, "challenges": challenges, "blocks": blocks,
}  # fmt: skip

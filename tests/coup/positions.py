"""Positions made by hand: who holds what, who has lost what, and the coins."""

from typing import Any

import numpy as np

from kibitz import game
from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import ACTION, CHARACTERS, COINS, COPIES, Rules, new_states

OFFICIAL = Rules()
LETTERS = {"D": 0, "A": 1, "C": 2, "M": 3, "T": 4}
"""Duke, Assassin, Captain, aMbassador, conTessa."""


def position(*hands: str, coins: list[int] | None = None, player: int = 0, turn: int = 1, rules: Rules = OFFICIAL) -> Any:
    """A position at the start of a turn: ``position("DA", "T/C")`` has a second player who has lost a Captain."""
    states = new_states(len(hands), rules)
    for seat, text in enumerate(hands):
        held, _, lost = text.partition("/")
        for letter in held:
            states["hand"][0, seat, LETTERS[letter]] += 1
        for letter in lost:
            states["revealed"][0, seat, LETTERS[letter]] += 1
        states["influence"][0, seat] = len(held)
    states["deck"][0] = COPIES - states["hand"][0].sum(axis=0) - states["revealed"][0].sum(axis=0)
    assert (states["deck"][0] >= 0).all()
    states["coins"][0, : len(hands)] = coins or [2] * len(hands)
    states["treasury"] = COINS - states["coins"].sum()
    states["phase"], states["player"], states["active"], states["turn"] = ACTION, player, player, turn
    return states


def do(states: Any, *texts: str) -> Any:
    """The position after some actions and outcomes, each of which must be legal."""
    states = states.copy()
    for text in texts:
        code = Action.from_text(text).code
        assert game.why_not_at(states, 0, code) == 0, f"{text} is illegal: reason {game.why_not_at(states, 0, code)}"
        game.apply_at(states, 0, code)
    return states


def options(states: Any) -> list[str]:
    """What may be done now, as texts."""
    return [Action.from_code(a).to_text() for a in game.legal_actions(states)]


def lost(states: Any, seat: int) -> list[str]:
    """The cards that a seat has lost."""
    return [CHARACTERS[c].value for c in range(5) for _ in range(int(states["revealed"][0, seat, c]))]


def cards_and_coins_add_up(states: Any) -> bool:
    """15 cards, three of each; 50 coins, none owed."""
    cards = states["hand"].sum(axis=1) + states["revealed"].sum(axis=1) + states["deck"]
    coins = states["coins"].sum(axis=1) + states["treasury"]
    owed = (
        (states["coins"] < 0).any()
        or (states["treasury"] < 0).any()
        or (states["hand"] < 0).any()
        or (states["deck"] < 0).any()
    )
    return bool((cards == COPIES).all() and (coins == COINS).all()) and not bool(np.asarray(owed))

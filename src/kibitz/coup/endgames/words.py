"""Endgames in words: the question, what has happened, how often something is done."""

from __future__ import annotations

from fractions import Fraction

from kibitz.coup.core.actions import Action
from kibitz.coup.endgames.solve import Endgame
from kibitz.coup.endgames.strategy import Step
from kibitz.ground.figures import percent

#: What is done less often than this is not worth a word.
SELDOM = 5e-4
#: A probability is shown as a fraction with a denominator up to this if it is as close to it as that.
MAX_DENOMINATOR, CLOSE = 12, 1e-4


def share(p: float) -> str:
    """A probability as a small fraction where one fits.

    >>> share(3 / 7 + 1e-5), share(0.4123), share(0.99999)
    ('3/7', '41.2 %', 'always')
    """
    if p > 1 - SELDOM:
        return "always"
    fraction = Fraction(p).limit_denominator(MAX_DENOMINATOR)
    return str(fraction) if 0 < fraction < 1 and abs(fraction - p) < CLOSE else percent(p)


def act(code: int) -> str:
    """An action in words: the target is always the other player."""
    action = Action.from_code(code)
    cards = " and ".join(action.cards)
    verb = {"block": "block with", "return_cards": "return", "drawn": "draw"}.get(action.kind, action.kind.replace("_", " "))
    return f"{verb} {cards}" if cards else verb


def question(endgame: Endgame) -> str:
    """The endgame in one sentence.

    >>> from kibitz.coup.endgames.solve import Endgame
    >>> question(Endgame((6, 5), turns=3, revealed=("duke", "duke")))
    'one influence each, coins 6 and 5, revealed: duke, duke; no exchange; a draw after 3 turns'
    """
    mine, theirs = (("no", "one", "two")[n] for n in endgame.influence)
    influence = f"{mine} influence each" if mine == theirs else f"influence {mine} against {theirs}"
    revealed = f"revealed: {', '.join(endgame.revealed)}" if endgame.revealed else "nothing revealed"
    turns = "1 turn" if endgame.turns == 1 else f"{endgame.turns} turns"
    exchange = "with exchange" if endgame.exchange else "no exchange"
    return f"{influence}, coins {endgame.coins[0]} and {endgame.coins[1]}, {revealed}; {exchange}; a draw after {turns}"


def history_words(history: tuple[Step, ...], seat: int, reach: float) -> str:
    """What has happened, who decides then, and how often play comes there."""
    if not history:
        return f"player {seat + 1} begins"
    steps = (f"player {step.seat + 1}: {act(step.code) if step.code >= 0 else step.text}" for step in history)
    return f"after {', '.join(steps)} -> player {seat + 1} ({percent(reach)})"

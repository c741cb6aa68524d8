"""Solved endgames in words: the value, and what to do with which cards."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.play.endgame_strategy import Decision, Step
    from kibitz.play.endgames import Endgame, SolvedEndgame
    from kibitz.play.open_hands import OpenMove, OpenPosition

#: What is done less often than this is not worth a word.
SELDOM = 5e-4
#: A probability is shown as a fraction with a denominator up to this if it is as close to it as that.
MAX_DENOMINATOR, CLOSE = 12, 1e-4
#: A space at which no line ends.
UNBROKEN = "\N{NO-BREAK SPACE}"
#: The column of the cards.
CARDS_WIDTH = 12


def share(p: float) -> str:
    """A probability as a small fraction where one fits.

    >>> share(3 / 7 + 1e-5), share(0.4123), share(0.99999)
    ('3/7', '41.2 %', 'always')
    """
    if p > 1 - SELDOM:
        return "always"
    fraction = Fraction(p).limit_denominator(MAX_DENOMINATOR)
    return str(fraction) if 0 < fraction < 1 and abs(fraction - p) < CLOSE else f"{100 * p:.1f} %"


def act(code: int) -> str:
    """An action in words: the target is always the other player."""
    from kibitz.coup.actions import Action

    action = Action.from_code(code)
    cards = " and ".join(action.cards)
    verb = {"block": "block with", "return_cards": "return", "drawn": "draw"}.get(action.kind, action.kind.replace("_", " "))
    return f"{verb} {cards}" if cards else verb


def question(endgame: Endgame) -> str:
    """The endgame in one sentence.

    >>> from kibitz.play.endgames import Endgame
    >>> question(Endgame((6, 5), turns=3, revealed=("duke", "duke")))
    'one influence each, coins 6 and 5, revealed: duke, duke; no exchange; a draw after 3 turns'
    """
    mine, theirs = (("no", "one", "two")[n] for n in endgame.influence)
    influence = f"{mine} influence each" if mine == theirs else f"influence {mine} against {theirs}"
    revealed = f"revealed: {', '.join(endgame.revealed)}" if endgame.revealed else "nothing revealed"
    turns = "1 turn" if endgame.turns == 1 else f"{endgame.turns} turns"
    exchange = "with exchange" if endgame.exchange else "no exchange"
    return f"{influence}, coins {endgame.coins[0]} and {endgame.coins[1]}, {revealed}; {exchange}; a draw after {turns}"


def question_lines(endgame: Endgame, width: int) -> Iterator[str]:
    """The same, no wider than `width`."""
    yield from _wrapped(question(endgame), width)


def value_lines(solved: SolvedEndgame) -> Iterator[str]:
    """The value, what is proven of it, and how it was found."""
    value = solved.value if solved.fraction is None else float(solved.fraction)
    exact = "" if solved.fraction is None or solved.fraction.denominator == 1 else f"{solved.fraction} = "
    yield f"value for player 1: {exact}{_signed(value, 6)} (a win is +1, a loss -1)"
    yield f"proven: between {_signed(solved.low, 7)} and {_signed(solved.high, 7)}"
    if solved.stopped:
        why = {"cancelled": "stopped", "time": "out of time", "iterations": "out of iterations"}[solved.stopped]
        yield f"{why} after {solved.iterations:,} iterations: the strategies below are not the best yet"


def _signed(value: float, digits: int) -> str:
    """A number with its sign; zero has none that would be negative."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def strategy_lines(found: Iterable[Decision], width: int) -> Iterator[str]:
    """What is done, by what has happened; cards with which the same is done share a line."""
    for (history, seat), group in groupby(found, key=lambda decision: (decision.history, decision.seat)):
        decisions = list(group)
        yield ""
        yield from textwrap.wrap(_heading(history, seat, sum(decision.reach for decision in decisions)), width)
        hands: dict[str, list[str]] = {}
        for decision in decisions:
            hands.setdefault(_choice(decision), []).append(" ".join(decision.cards))
        for choice, cards in hands.items():
            yield from _row(", ".join(cards), choice, width)


def _row(cards: str, choice: str, width: int) -> Iterator[str]:
    """The cards, and beside (or below) them what is done; what belongs together is not broken."""
    first = indent = " " * (2 + CARDS_WIDTH)
    if len(cards) < CARDS_WIDTH:
        first = f"  {cards:{CARDS_WIDTH}}"
    else:
        yield from textwrap.wrap(cards, width, initial_indent="  ", subsequent_indent="  ")
    yield from _wrapped(choice, width, first, indent)


def _wrapped(text: str, width: int, first: str = "", indent: str = "") -> Iterator[str]:
    """Lines that end only behind a comma or a semicolon, if they can."""
    unbroken = re.sub(f"(?<=[,;]){UNBROKEN}", " ", text.replace(" ", UNBROKEN))
    for line in textwrap.wrap(unbroken, width, initial_indent=first, subsequent_indent=indent):
        yield line.replace(UNBROKEN, " ")


def _heading(history: tuple[Step, ...], seat: int, reach: float) -> str:
    if not history:
        return f"player {seat + 1} begins"
    steps = (f"player {step.seat + 1}: {act(step.code) if step.code >= 0 else step.text}" for step in history)
    return f"after {', '.join(steps)} -> player {seat + 1} ({100 * reach:.1f} %)"


def _choice(decision: Decision) -> str:
    parts = []
    for code, p in sorted(decision.actions.items(), key=lambda item: -item[1]):
        if p > SELDOM:
            often = share(p)
            bluff = " (a bluff)" if decision.bluffs(code) else ""
            parts.append(f"{act(code)}{'' if often == 'always' else f' {often}'}{bluff}")
    return ", ".join(parts)


# --- open hands -------------------------------------------------------------------------------------------


def open_lines(position: OpenPosition) -> Iterator[str]:
    """Who wins, and what comes of each action."""
    mine, theirs = (
        f"{card}, {coins} {'coin' if coins == 1 else 'coins'}"
        for card, coins in zip(position.cards, position.coins, strict=True)
    )
    yield f"open hands; player 1, to move: {mine}; player 2: {theirs}"
    if position.winner is None:
        yield "a draw: neither can force a win"
    else:
        yield f"player {position.winner + 1} wins {_in_turns(position.turns)}"
    for move in position.moves:
        yield f"  {act(move.action.code):{CARDS_WIDTH}} {_outcome(move)}"


def _outcome(move: OpenMove) -> str:
    return "draws" if move.winner is None else f"{'wins' if move.winner == 0 else 'loses'} {_in_turns(move.turns)}"


def _in_turns(turns: int | None) -> str:
    return "in this turn" if turns == 1 else f"in {turns} turns"

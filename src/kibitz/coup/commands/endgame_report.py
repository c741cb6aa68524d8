"""Solved endgames in words: the value, and what to do with which cards."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from kibitz.ground.figures import counted

if TYPE_CHECKING:
    from kibitz.coup.endgames.open_hands import OpenMove, OpenPosition
    from kibitz.coup.endgames.solve import Endgame, SolvedEndgame
    from kibitz.coup.endgames.strategy import Decision

#: A space at which no line ends.
UNBROKEN = "\N{NO-BREAK SPACE}"
#: The column of the cards.
CARDS_WIDTH = 12


def question_lines(endgame: Endgame, width: int) -> Iterator[str]:
    """The endgame in one sentence, no wider than `width`."""
    from kibitz.coup.endgames.strategy import question

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
    from kibitz.coup.endgames.strategy import history_words

    for (history, seat), group in groupby(found, key=lambda decision: (decision.history, decision.seat)):
        decisions = list(group)
        yield ""
        yield from textwrap.wrap(history_words(history, seat, sum(decision.reach for decision in decisions)), width)
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


def _choice(decision: Decision) -> str:
    from kibitz.coup.endgames.strategy import SELDOM, act, share

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
    from kibitz.coup.endgames.strategy import act

    mine, theirs = (f"{card}, {counted(coins, 'coin')}" for card, coins in zip(position.cards, position.coins, strict=True))
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

"""What the solution of an endgame does, decision by decision, as a person reads it.

>>> from kibitz.coup.endgames.solve import Endgame, solve_endgame
>>> solved = solve_endgame(Endgame(coins=(6, 6), turns=3))
>>> for decision in decisions(solved, depth=1, rare=0.01):
...     print(decision.cards, {action: round(p, 3) for action, p in decision.named.items() if p > 0.001})
('duke',) {'tax': 1.0}
('assassin',) {'assassinate 2': 1.0}
('captain',) {'income': 1.0}
('ambassador',) {'income': 1.0}
('contessa',) {'income': 1.0}

Below stand the words for endgames (the question, what is done, how often), and the lines that
``kibitz coup solve`` prints.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import CHARACTERS, cards_of
from kibitz.coup.core.tree import describe
from kibitz.coup.endgames.solve import Endgame, SolvedEndgame
from kibitz.game import CHANCE, States, apply_at, seen_at
from kibitz.ground.signs import MINUS, signed
from kibitz.ground.texts import percent
from kibitz.search.flat import Flat, Floats


class StrategyStep(NamedTuple):
    """What a seat has seen somebody do: `code` as the verb `seen` gives it."""

    seat: int
    code: int

    @property
    def text(self) -> str:
        """In words, without who it was."""
        return describe(self.code)


@dataclass(frozen=True)
class Decision:
    """One information set: who decides, holding what, after what; how likely play comes there, and what is done then."""

    seat: int
    cards: tuple[str, ...]
    history: tuple[StrategyStep, ...]
    """What the seat has seen since the deal."""
    reach: float
    """How likely both strategies and the cards lead here."""
    actions: dict[int, float]
    """How often each action is taken, by its code."""

    @property
    def named(self) -> dict[str, float]:
        """The same by the texts of the actions."""
        return {Action.from_code(action).to_text(): p for action, p in self.actions.items()}

    def bluffs(self, action: int) -> bool:
        """Whether an action claims a character that the seat does not hold."""
        claim = Action.from_code(action).claim
        return claim is not None and claim not in self.cards

    def to_json(self) -> dict[str, Any]:
        """Everything by name; seats count from 0, in the texts from 1."""
        return {
            "seat": self.seat,
            "cards": list(self.cards),
            "history": [{"seat": step.seat, "action": step.text} for step in self.history],
            "reach": self.reach,
            "actions": self.named,
        }


def reaches(flat: Flat, strategy: Floats) -> Floats:
    """[nodes] how likely chance and both seats, who play `strategy`, come to each node."""
    reach = np.ones(len(flat.actor))
    parent = flat.parent[1:]
    decided = flat.actor[parent] >= 0
    slot = flat.slot[parent] + np.arange(1, len(flat.actor)) - flat.first[parent]
    factor = flat.probability[1:].copy()
    factor[decided] = strategy[slot[decided]]
    for begin, end in pairwise(flat.level[1:]):
        reach[begin:end] = reach[flat.parent[begin:end]] * factor[begin - 1 : end - 1]
    return reach


def decisions(solved: SolvedEndgame, depth: int | None = None, rare: float = 0.0) -> Iterator[Decision]:
    """The decisions, each before those that can follow it; the cards of a seat one after another.

    With `depth` only those before which fewer decisions were made since the deal; none that play comes to less often than
    `rare`.
    """
    flat = solved.flat
    reach = reaches(flat, solved.slots)
    deciding = np.flatnonzero(flat.actor >= 0)
    often = np.bincount(flat.infoset[deciding], reach[deciding], len(flat.set_seat))
    leaders = np.full(len(flat.set_seat), -1)
    leaders[flat.infoset[deciding[::-1]]] = deciding[::-1]
    needed = np.zeros(len(flat.actor), np.bool_)
    needed[leaders[often >= rare]] = True
    for begin, end in reversed(list(pairwise(flat.level[1:]))):
        needed[flat.parent[begin:end][needed[begin:end]]] = True

    found: dict[int, list[Decision]] = {}
    waiting: list[tuple[int, States, tuple[tuple[StrategyStep, ...], tuple[StrategyStep, ...]], int]]
    waiting = [(0, solved.endgame.states, ((), ()), 0)]
    while waiting:
        node, states, seen, made = waiting.pop()
        seat = int(flat.actor[node])
        infoset = int(flat.infoset[node])
        if seat >= 0:
            if made == depth:
                continue
            if leaders[infoset] == node and often[infoset] >= rare:
                cards = tuple(cards_of(states["hand"][0, seat].tolist()))
                decision = Decision(seat, cards, seen[seat], float(often[infoset]), solved.choices(node))
                found.setdefault(made, []).append(decision)
        dealt = int(states["turn"][0]) > 0  # the deal itself is not part of the history
        mover = int(states["active"][0]) if seat == CHANCE else seat
        for child in reversed(range(flat.first[node], flat.first[node] + flat.children[node])):
            if needed[child]:
                action = int(flat.action[child])
                after = states.copy()
                apply_at(after, 0, action)
                both = tuple((*seen[s], StrategyStep(mover, seen_at(states, 0, action, s))) if dealt else () for s in range(2))
                waiting.append((child, after, (both[0], both[1]), made + (seat >= 0)))
    for made in sorted(found):
        yield from sorted(found[made], key=lambda one: (one.history, [CHARACTERS.index(card) for card in one.cards]))


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
    """An action, or what is seen of it, in words: the target is always the other player."""
    if code < 0:
        return describe(code)
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


#: A space at which no line ends.
UNBROKEN = "\N{NO-BREAK SPACE}"
#: The column of the cards.
CARDS_WIDTH = 12


def value_lines(solved: SolvedEndgame) -> Iterator[str]:
    """The value, what is proven of it, and how it was found."""
    value = solved.value if solved.fraction is None else float(solved.fraction)
    exact = "" if solved.fraction is None or solved.fraction.denominator == 1 else f"{solved.fraction} = ".replace("-", MINUS)
    yield f"value for player 1: {exact}{signed(value, 6)} (a win is +1, a loss {MINUS}1)"
    if solved.proven is not None:
        yield "proven exactly, by strategies of simple fractions for both players"
    elif solved.fraction is not None:
        yield "the fraction is the simplest between the bounds, far simpler than chance would explain; not proven exactly"
    yield f"proven: between {signed(solved.low, 7)} and {signed(solved.high, 7)}"
    if solved.stopped:
        why = {"cancelled": "stopped", "time": "out of time", "iterations": "out of iterations"}[solved.stopped]
        yield f"{why} after {solved.iterations:,} iterations: the strategies below are not yet optimal"


def strategy_lines(found: Iterable[Decision], width: int) -> Iterator[str]:
    """What is done, by what has happened; cards with which the same is done share a line."""
    for (history, seat), group in groupby(found, key=lambda decision: (decision.history, decision.seat)):
        decisions = list(group)
        steps = ", ".join(f"player {step.seat + 1}: {act(step.code)}" for step in history)
        reach = percent(fsum(decision.reach for decision in decisions))
        yield ""
        yield from textwrap.wrap(
            f"after {steps} -> player {seat + 1} ({reach})" if steps else f"player {seat + 1} begins", width
        )
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
    yield from wrapped(choice, width, first, indent)


def wrapped(text: str, width: int, first: str = "", indent: str = "") -> Iterator[str]:
    """Lines that end only after a comma or a semicolon, if they can."""
    unbroken = re.sub(f"(?<=[,;]){UNBROKEN}", " ", text.replace(" ", UNBROKEN))
    for line in textwrap.wrap(unbroken, width, initial_indent=first, subsequent_indent=indent):
        yield line.replace(UNBROKEN, " ")


def _choice(decision: Decision) -> str:
    parts = []
    for code, p in sorted(decision.actions.items(), key=lambda item: -item[1]):
        if p > SELDOM:
            often = share(p)
            bluff = " (a bluff)" if decision.bluffs(code) else ""
            parts.append(f"{act(code)}{'' if often == 'always' else f' {often}'}{bluff}")
    return ", ".join(parts)

"""A slow reference for the tree of Coup: all deals of fifteen cards told apart, played step by step with the verbs.

It knows nothing of nodes, windows or interning: every seat is asked by itself, as the rules ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from kibitz import game
from kibitz.coup.core import tree as words
from kibitz.coup.core.state import ACTION, BLOCK, CHALLENGE, DO_LOSE, DO_RETURN, DO_SHOW, LOSE, PAIRS, RETURN, SHOW
from kibitz.game import CHANCE, OVER

#: What is possible: states with their weights, by their bytes.
Possible = dict[bytes, tuple[Any, Fraction]]


def add(possible: Possible, states: Any, weight: Fraction) -> None:
    key = states.tobytes()
    before = possible[key][1] if key in possible else Fraction(0)
    possible[key] = states, before + weight


def all_deals(states: Any, observer: int) -> Possible:
    """Every deal that agrees with what the observer sees at the start of a turn, equally likely."""
    seats = int(states["seats"][0])
    deck = [card for card in range(5) for _ in range(3)]
    for seat in range(seats):
        for card in range(5):
            gone = int(states["revealed"][0, seat, card]) + (int(states["hand"][0, seat, card]) if seat == observer else 0)
            for _ in range(gone):
                deck.remove(card)
    others = [seat for seat in range(seats) if seat != observer]
    found: Possible = {}

    def deal(at: int, left: list[int], dealt: Any) -> None:
        if at == len(others):
            for card in range(5):
                dealt["deck"][0, card] = left.count(card)
            add(found, dealt.copy(), Fraction(1))
            return
        seat = others[at]
        for those in combinations(range(len(left)), int(states["influence"][0, seat])):
            with_hand = dealt.copy()
            with_hand["hand"][0, seat] = 0
            for i in those:
                with_hand["hand"][0, seat, left[i]] += 1
            deal(at + 1, [card for i, card in enumerate(left) if i not in those], with_hand)

    deal(0, deck, states.copy())
    total = sum(weight for _, weight in found.values())
    return {key: (world, weight / total) for key, (world, weight) in found.items()}


def likelihoods(states: Any, observer: int) -> Iterator[tuple[int, Fraction]]:
    """What may be done in one world, and how likely it is as far as the observer cares."""
    seat = game.actor_at(states, 0)
    phase = int(states["phase"][0])
    if seat == CHANCE:
        yield from game.outcomes(states)
        return
    legal = game.legal_actions(states)
    if seat == observer or phase in (ACTION, CHALLENGE, BLOCK):
        yield from ((a, Fraction(1)) for a in legal)
        return
    cards = [card for card in range(5) for _ in range(int(states["hand"][0, seat, card]))]
    if phase == SHOW:
        claim = int(states["claim"][0])
        choices = [DO_SHOW + claim] if claim in cards else [DO_LOSE + card for card in cards]
    elif phase == LOSE:
        choices = [DO_LOSE + card for card in cards]
    else:
        assert phase == RETURN
        choices = [DO_RETURN + PAIRS.index((min(pair), max(pair))) for pair in combinations(cards, 2)]
    yield from ((a, Fraction(choices.count(a), len(choices))) for a in legal)


def follow(possible: Possible, observer: int) -> dict[int, Possible]:
    """What the observer may see next; the weights add up to how likely that is."""
    found: dict[int, Possible] = {}
    for states, weight in possible.values():
        for action, likely in likelihoods(states, observer):
            if likely:
                after = states.copy()
                label = int(game.seen_at(states, 0, action, observer))
                game.apply_at(after, 0, action)
                add(found.setdefault(label, {}), after, weight * likely)
    return found


def share(possible: Possible) -> Fraction:
    return sum((weight for _, weight in possible.values()), Fraction(0))


def normal(possible: Possible) -> Possible:
    total = share(possible)
    return {key: (states, weight / total) for key, (states, weight) in possible.items()}


def maxn(possible: Possible, observer: int, last_turn: int) -> tuple[float, ...]:
    """What it is worth to everybody if all do what is best for them until `last_turn` begins."""
    view = next(iter(possible.values()))[0].copy()
    game.hide_at(view, 0, observer)
    seat = game.actor_at(view, 0)
    if seat == OVER or int(view["turn"][0]) >= last_turn or int(view["influence"][0, observer]) == 0:
        return words.heuristic(view, observer)
    found = follow(possible, observer)
    values = {label: maxn(normal(after), observer, last_turn) for label, after in found.items()}
    open_step = int(view["phase"][0]) in (ACTION, CHALLENGE, BLOCK)
    if seat == CHANCE or not (open_step or seat == observer):
        chances = {label: float(share(after)) for label, after in found.items()}
        return tuple(sum(chances[label] * values[label][i] for label in values) for i in range(int(view["seats"][0])))
    best = min(values)
    for label in sorted(values):
        if values[label][seat] > values[best][seat] + 1e-12:
            best = label
    return values[best]

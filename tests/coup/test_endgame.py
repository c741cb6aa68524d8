"""The last influence of two players, six coins each, no exchange, a draw after three turns: worth 4/7 to the mover.

Counterfactual regrets on the public tree, which the compiled rules span, for all hands at once: with one influence each a
challenge ends the game. The best answers to the average strategies enclose the value.
"""

from typing import Any

import numpy as np

from kibitz import game
from kibitz.coup import Rules
from kibitz.coup.core.actions import exchange
from kibitz.coup.core.state import SHOW
from kibitz.game import OVER
from tests.coup.positions import position

EXCHANGE = exchange().code
#: [hand of the mover, hand of the other]: each is dealt one card of the full 15.
DEAL = np.array([[3 / 15 * (2 if i == j else 3) / 14 for j in range(5)] for i in range(5)])
ITERATIONS = 60


class Node:
    """A public position: an end with its payoffs to the mover by hands, or a decision with regrets and sums by hand."""

    def __init__(self, states: Any) -> None:
        self.actor = int(game.actor_at(states, 0))
        self.children: list[Node] = []
        if self.actor == OVER:
            self.payoff = DEAL * {-1: 0, 0: 1, 1: -1}[int(states["winner"][0])]
        elif int(states["phase"][0]) == SHOW:
            proved = np.where(np.arange(5) == int(states["claim"][0]), 1, -1)
            self.payoff = DEAL * (proved[:, None] if self.actor == 0 else -proved[None, :])
        else:
            for action in game.legal_actions(states):
                if action != EXCHANGE:
                    after = states.copy()
                    game.apply_at(after, 0, action)
                    self.children.append(Node(after))
        self.regrets = np.zeros((5, len(self.children)))
        self.sums = np.zeros((5, len(self.children)))

    def worth(self, seat: int, other: Any) -> Any:
        """What an end is worth to each hand of a seat, given how likely each hand of the other comes here."""
        return self.payoff @ other if seat == 0 else -(other @ self.payoff)


def shares(weights: Any) -> Any:
    total = weights.sum(axis=1, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / weights.shape[1])


def learn(node: Node, seat: int, own: Any, other: Any, weight: int) -> Any:
    """One update of the regrets of a seat (CFR+ with linear averaging); the value of each of its hands."""
    if not node.children:
        return node.worth(seat, other)
    strategy = shares(node.regrets)
    if node.actor != seat:
        return sum(learn(child, seat, own, other * strategy[:, i], weight) for i, child in enumerate(node.children))
    values = np.stack([learn(c, seat, own * strategy[:, i], other, weight) for i, c in enumerate(node.children)], axis=1)
    value = (values * strategy).sum(axis=1)
    node.regrets = np.maximum(node.regrets + values - value[:, None], 0)
    node.sums += weight * own[:, None] * strategy
    return value


def best_answer(node: Node, seat: int, other: Any) -> Any:
    """What each hand of a seat can get against the average strategy of the other."""
    if not node.children:
        return node.worth(seat, other)
    if node.actor == seat:
        return np.max([best_answer(child, seat, other) for child in node.children], axis=0)
    strategy = shares(node.sums)
    return sum(best_answer(child, seat, other * strategy[:, i]) for i, child in enumerate(node.children))


def test_one_influence_each_and_three_turns_are_worth_four_sevenths():
    root = Node(position("T", "T", coins=[6, 6], rules=Rules(max_turns=3)))
    everything = np.ones(5)
    for iteration in range(1, ITERATIONS + 1):
        for seat in (0, 1):
            learn(root, seat, everything, everything, iteration)
    high, low = best_answer(root, 0, everything).sum(), -best_answer(root, 1, everything).sum()
    assert low <= 4 / 7 <= high
    assert high - low < 0.01

"""One influence each, all cards open, no exchange: retrograde analysis with the compiled rules.

Every announcement, challenge and block is there to be chosen; who sees all cards doubts every false claim and no true one.
Known: nothing is a draw; of 196 positions (four roles of the opponent, 0 to 6 coins each) a mover with a Captain wins so many.
"""

from typing import Any

from kibitz import game
from kibitz.coup.core.actions import exchange
from kibitz.game import OVER
from tests.coup.positions import position

WINS = 163
ROLES = "CADT"
EXCHANGE = exchange().code


class Graph:
    """Everything that can come of some positions; turns are not counted."""

    def __init__(self) -> None:
        self.actor: list[int] = []
        self.winner: list[int | None] = []
        self.children: list[list[int]] = []
        self.numbers: dict[bytes, int] = {}
        self.waiting: list[Any] = []

    def add(self, states: Any) -> int:
        states["turn"] = 1
        key = states.tobytes()
        if key not in self.numbers:
            self.numbers[key] = len(self.actor)
            self.actor.append(int(game.actor_at(states, 0)))
            self.winner.append(int(states["winner"][0]) if self.actor[-1] == OVER else None)
            self.children.append([])
            self.waiting.append(states)
        return self.numbers[key]

    def grow(self) -> None:
        while self.waiting:
            states = self.waiting.pop()
            number = self.numbers[states.tobytes()]
            for action in game.legal_actions(states):
                if action != EXCHANGE:
                    after = states.copy()
                    game.apply_at(after, 0, action)
                    self.children[number].append(self.add(after))

    def solve(self) -> list[int | None]:
        """Who wins each position, as far as anybody can force it."""
        winner = list(self.winner)
        parents: list[list[int]] = [[] for _ in winner]
        for number, children in enumerate(self.children):
            for child in children:
                parents[child].append(number)
        open_children = [len(children) for children in self.children]
        decided = [number for number, who in enumerate(winner) if who is not None]
        for child in decided:
            for number in parents[child]:
                open_children[number] -= 1
                if winner[number] is None and (winner[child] == self.actor[number] or open_children[number] == 0):
                    winner[number] = winner[child]
                    decided.append(number)
        return winner


def test_open_hands() -> None:
    """With a Captain, whose thefts move the most coins; `tests/coup/endgames/test_open_hands.py` has all roles."""
    graph = Graph()
    starts = [
        graph.add(position("C/M", f"{theirs}/M", coins=[own, other]))
        for theirs in ROLES
        for own in range(7)
        for other in range(7)
    ]
    graph.grow()
    winner = graph.solve()
    assert len(starts) == 196
    assert None not in winner
    assert sum(winner[start] == 0 for start in starts) == WINS

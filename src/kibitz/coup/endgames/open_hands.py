"""Endgames of Coup with open cards: two players with one influence each who see everything, without the exchange.

Who sees all cards doubts every false claim and no true one, so nothing is left to chance, and positions are solved backwards
from the ends (retrograde analysis): who wins whatever the other does, and in how many turns.

>>> position = solve_open(("captain", "duke"), (2, 3))
>>> position.winner, position.turns
(0, 7)
>>> [move.action.to_text() for move in position.best]
['income', 'steal 2']
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from kibitz.coup.core.actions import Action
from kibitz.coup.core.setup import setup
from kibitz.coup.core.state import CHARACTERS, DO_EXCHANGE, NOBODY, Character, Rules
from kibitz.coup.endgames.strategy import CARDS_WIDTH, act
from kibitz.game import States, actor_at
from kibitz.game.definition import as_structs
from kibitz.ground.texts import counted
from kibitz.search.walk import children, prune

#: The characters that can do something on their own with open cards and without the exchange.
ROLES = (Character.CAPTAIN, Character.ASSASSIN, Character.DUKE, Character.CONTESSA)
#: The coins of the table, for both players.
TABLE_COINS = range(7)


class OpenMove(NamedTuple):
    """What comes of an action: who wins then (None: nobody can force it), and in how many turns, this one included."""

    action: Action
    winner: int | None
    turns: int | None


@dataclass(frozen=True)
class OpenPosition:
    """Who wins, seen at the start of a turn of player 1 (seat 0)."""

    cards: tuple[str, str]
    coins: tuple[int, int]
    winner: int | None
    """A seat; None for a draw: neither can force a win."""
    turns: int | None
    """How many turns, of both, the winner needs at most, this one included; the loser makes it last."""
    moves: tuple[OpenMove, ...]
    """All actions, the best first: fast wins, draws, slow losses."""

    @property
    def best(self) -> tuple[OpenMove, ...]:
        """The actions that are as good as any."""
        return tuple(move for move in self.moves if move[1:] == (self.winner, self.turns))

    def to_json(self) -> dict[str, Any]:
        """Everything by name; seats count from 0, in the texts of the actions from 1."""
        return {
            "cards": list(self.cards),
            "coins": list(self.coins),
            "winner": self.winner,
            "turns": self.turns,
            "moves": [{"action": move.action.to_text(), "winner": move.winner, "turns": move.turns} for move in self.moves],
        }


def solve_open(cards: Sequence[str], coins: Sequence[int], rules: Rules = Rules()) -> OpenPosition:  # noqa: B008
    """The position in which player 1 is to move. Raises `kibitz.coup.core.setup.SetupError` for what cannot be."""
    return _Graph([_start(cards, coins, rules)]).position(0)


def open_table(
    roles: Sequence[Character] = ROLES,
    coins: Iterable[int] = TABLE_COINS,
    rules: Rules = Rules(),  # noqa: B008
    progress: Callable[[int], None] = lambda done: None,
) -> dict[tuple[str, str], list[OpenPosition]]:
    """All positions with these roles and coins, by the cards of the mover and of the other.

    >>> positions = open_table([Character.CONTESSA, Character.DUKE], range(3))
    >>> sum(position.winner == 0 for position in positions["contessa", "duke"])
    0
    """
    table, numbers = {}, list(coins)
    for mine in roles:
        for theirs in roles:
            cards = (mine.value, theirs.value)
            graph = _Graph([_start(cards, (own, other), rules) for own in numbers for other in numbers])
            table[cards] = [graph.position(i) for i in range(len(numbers) ** 2)]
            progress(1)
    return table


def _start(cards: Sequence[str], coins: Sequence[int], rules: Rules) -> States:
    hands = {seat: [card] for seat, card in enumerate(cards)}
    return setup(coins, hands=hands, influence=[1] * len(cards), rules=replace(rules, max_turns=Rules.max_turns))


class _Graph:
    """Everything that can come of some positions; turns are not counted, so that it is finite."""

    def __init__(self, starts: Sequence[States]) -> None:
        self.states: list[States] = []
        """The nodes, a few at a time."""
        self.children: list[list[tuple[int, int, int]]] = []
        """Of each node: the action, the node it leads to, and whether (1) the turn ends with it."""
        self.numbers: dict[bytes, int] = {}
        found = as_structs(np.concatenate(starts))
        self.starts, fresh = self._add(found)
        pruning = prune(without=(DO_EXCHANGE,))
        while len(fresh):
            first = len(self.children) - len(fresh)
            found, parent, action = children(fresh, pruning)
            passed = found["turn"] - 1
            found["turn"] = 1
            numbers, fresh = self._add(found)
            for above, *child in zip(parent.tolist(), action.tolist(), numbers, passed.tolist(), strict=True):
                self.children[first + above].append((child[0], child[1], child[2]))
        self._solve()

    def _add(self, found: States) -> tuple[list[int], States]:
        """The numbers of these positions, and those of them that are new."""
        raw, size = found.tobytes(), found.dtype.itemsize
        numbers, new = [], []
        for i in range(len(found)):
            key = raw[i * size : (i + 1) * size]
            if key not in self.numbers:
                self.numbers[key] = len(self.numbers)
                new.append(i)
            numbers.append(self.numbers[key])
        fresh = as_structs(np.asarray(found)[new])
        self.states.append(fresh)
        self.children.extend([] for _ in new)
        return numbers, fresh

    def _solve(self) -> None:
        """Decide positions in the order of how soon they end (Dijkstra): a win by its fastest, a loss by its slowest child."""
        self.rows = as_structs(np.concatenate(self.states))
        n = len(self.rows)
        self.winner: list[int | None] = [None] * n
        self.turns = [0] * n
        actors = [actor_at(self.rows, i) for i in range(n)]
        parents: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        for number, below in enumerate(self.children):
            for _, child, passed in below:
                parents[child].append((number, passed))
        undecided, wins = [len(below) for below in self.children], [False] * n
        waiting = [(1, number, winner) for number, winner in enumerate(self.rows["winner"].tolist()) if winner != NOBODY]
        while waiting:
            turns, child, winner = heapq.heappop(waiting)
            if self.winner[child] is not None:
                continue
            self.winner[child], self.turns[child] = winner, turns
            for number, passed in parents[child]:
                undecided[number] -= 1
                wins[number] |= actors[number] == winner
                if actors[number] == winner or (undecided[number] == 0 and not wins[number]):
                    heapq.heappush(waiting, (turns + passed, number, winner))

    def position(self, i: int) -> OpenPosition:
        """Start number `i`."""
        number = self.starts[i]
        row = np.asarray(self.rows)[number]
        cards = [CHARACTERS[int(row["hand"][seat].argmax())].value for seat in range(2)]
        moves = [
            OpenMove(Action.from_code(action), self.winner[child], self.turns[child] + passed if self.turns[child] else None)
            for action, child, passed in self.children[number]
        ]
        return OpenPosition(
            cards=(cards[0], cards[1]),
            coins=(int(row["coins"][0]), int(row["coins"][1])),
            winner=self.winner[number],
            turns=self.turns[number] or None,
            moves=tuple(sorted(moves, key=_rank)),
        )


def _rank(move: OpenMove) -> tuple[int, int, int]:
    """Wins before draws before losses; fast wins, slow losses first."""
    turns = move.turns or 0
    if move.winner == 0:
        return 0, turns, move.action.code
    return (1, 0, move.action.code) if move.winner is None else (2, -turns, move.action.code)


def open_lines(position: OpenPosition) -> Iterator[str]:
    """Who wins, and what comes of each action."""
    mine, theirs = (f"{card}, {counted(coins, 'coin')}" for card, coins in zip(position.cards, position.coins, strict=True))
    yield f"open hands; player 1, to move: {mine}; player 2: {theirs}"
    if position.winner is None:
        yield "a draw: neither can force a win"
    else:
        yield f"player {position.winner + 1} wins {_in_turns(position.turns)}"
    for move in position.moves:
        outcome = "draws" if move.winner is None else f"{'wins' if move.winner == 0 else 'loses'} {_in_turns(move.turns)}"
        yield f"  {act(move.action.code):{CARDS_WIDTH}} {outcome}"


def _in_turns(turns: int | None) -> str:
    return "in this turn" if turns == 1 else f"in {turns} turns"

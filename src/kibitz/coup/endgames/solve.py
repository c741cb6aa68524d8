"""Exact endgames of Coup: two players, hidden cards, as seen before the deal.

>>> from kibitz.coup.endgames.solve import Endgame, solve_endgame
>>> solved = solve_endgame(Endgame(coins=(6, 6), turns=2))
>>> str(solved.fraction), solved.high - solved.low < 2e-6
('1/35', True)

Everybody is dealt from the 15 cards less those that are revealed; player 1 moves first. A win counts 1, a loss -1, and a
draw, after the last turn, 0. The solution is an equilibrium but for what `SolvedEndgame.exploitability` says: best responses
to its two strategies prove that the value of the game lies between `low` and `high`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import log
from typing import Any

from kibitz.compute.runtime import Info, Runtime
from kibitz.coup.core.actions import drawn
from kibitz.coup.core.setup import SetupError, card_number, in_words, refuse_if, setup
from kibitz.coup.core.state import (
    CHARACTERS, COPIES, DO_COUP, DO_EXCHANGE, INFLUENCES, PRIZE, SEATS, UNSEEN_CARD, UNSEEN_CARDS, Character, Rules,
)  # fmt: skip
from kibitz.game import States, apply_at, legal_actions, seen_at
from kibitz.search.cfr import solve
from kibitz.search.exact import MAX_NODES as PROOF_NODES
from kibitz.search.exact import proven_value, simplest_between
from kibitz.search.flat import MAX_NODES, Flat, Floats, NotSolvable, flatten
from kibitz.search.response import back_up, best_response
from kibitz.search.walk import count_nodes

#: Half of what there is to win: values are counted in it, so that a win is 1 and a loss -1.
UNIT = PRIZE / 2
#: What a perfect opponent may gain against a solution. The value is then known to within as much.
TARGET = 1e-6
#: Nobody waits for more.
MAX_ITERATIONS = 1_000_000
#: How much memory a node takes while the tree is made.
NODE_BYTES = 155
#: Nodes are counted no further than to so many times what is allowed.
FAR = 1000
#: A fraction is shown if one that small would hardly fit by accident: denominator^2 times the width of the interval.
ACCIDENT = 0.1
#: Where none is that small, work goes on until a perfect opponent gains no more than this, on trees of so many nodes at most.
FINEST, FINE_NODES = 1e-8, 600_000


class TooLarge(NotSolvable):
    """The tree has more nodes than are allowed; `nodes` says how many, or `at_least` how many."""

    def __init__(self, nodes: int, max_nodes: int, at_least: bool = False) -> None:
        self.nodes = nodes
        self.at_least = at_least
        memory = nodes * NODE_BYTES / 2**30
        needs = f"{memory:,.0f} GiB" if memory >= 1 else f"{memory * 1024:,.0f} MiB"
        many, much = ("at least ", "at least") if at_least else ("", "about")
        super().__init__(f"the tree has {many}{nodes:,} nodes and needs {much} {needs}; allowed are {max_nodes:,} nodes")
        self._made_from = nodes, max_nodes, at_least

    def __reduce__(self) -> tuple[type[TooLarge], tuple[int, int, bool]]:
        return TooLarge, self._made_from


def leave_out(influence: Sequence[int], exchange: bool) -> dict[str, Any]:
    """What is left out of a tree: the exchange, and all else that might be done by somebody who can win with a coup."""
    return {
        "without": () if exchange else (DO_EXCHANGE,),
        "decisive": [DO_COUP + seat for seat in range(2) if influence[seat] == 1],
        "short": True,
    }


@dataclass(frozen=True)
class Endgame:
    """What is known before the deal. Raises `kibitz.coup.core.setup.SetupError` for what cannot be.

    >>> Endgame((3, 2), turns=4, revealed=("duke",) * 4)
    Traceback (most recent call last):
    ...
    kibitz.coup.core.setup.SetupError: four Dukes are revealed: there are only three
    """

    coins: tuple[int, int]
    """Of the mover and of the other."""
    turns: int
    """How many turns, of both players together, are left before the draw."""
    revealed: tuple[str, ...] = ()
    """The cards that are known to be out of play, whoever lost them."""
    influence: tuple[int, int] = (1, 1)
    """How many cards each is dealt."""
    exchange: bool = False
    """Whether the Ambassador exchanges cards (it always blocks); the tree is far larger then."""
    rules: Rules = Rules()  # noqa: RUF009
    """The options; the turn limit is `turns`."""

    def __post_init__(self) -> None:
        possible = type(self.turns) is int and 1 <= self.turns <= 1000
        refuse_if(not possible, f"turns={self.turns!r}: expected a whole number from 1 to 1000")
        refuse_if(len(self.coins) != 2 or len(self.influence) != 2, "an endgame has two players: expected two numbers")
        refuse_if(min(self.influence) < 1, "who has no influence is out: expected 1 or 2 for each player")
        object.__setattr__(self, "revealed", _in_order(self.revealed))
        object.__setattr__(self, "rules", replace(self.rules, max_turns=self.turns))
        most = INFLUENCES * SEATS - sum(self.influence)
        known = len(self.revealed)
        refuse_if(known > most, f"{known} cards are revealed: with {SEATS} players that can be {most} at most")
        setup(self.coins, influence=self.influence, rules=self.rules)

    @property
    def states(self) -> States:
        """The position before the deal, as an array of one."""
        states = setup(self.coins, influence=self.influence, rules=self.rules)
        for name in self.revealed:
            card = CHARACTERS.index(Character(name))
            states["revealed"][0, 0, card] += 1  # who lost a card changes nothing
            states["deck"][0, card] -= 1
        return states

    @property
    def pruning(self) -> dict[str, Any]:
        """What the tree leaves out, as `kibitz.search.flat.flatten` takes it."""
        return leave_out(self.influence, self.exchange)

    def count(self, max_nodes: int | None = None) -> int:
        """How many nodes the tree has; raises `TooLarge` if they are more than `max_nodes`.

        >>> Endgame((6, 6), turns=3).count()
        28456
        """
        enough = FAR * (max_nodes or 10**12)
        nodes = count_nodes(self.states, **self.pruning, enough=enough)
        if max_nodes is not None and nodes > max_nodes:
            raise TooLarge(nodes, max_nodes, at_least=nodes > enough)
        return nodes

    def tree(self, max_nodes: int = MAX_NODES) -> Flat:
        """The game as arrays."""
        return flatten(self.states, max_nodes=max_nodes, **self.pruning)

    def to_json(self) -> dict[str, Any]:
        """The question by names."""
        rules = self.rules.to_json()
        del rules["max_turns"]
        return {
            "coins": list(self.coins),
            "turns": self.turns,
            "revealed": list(self.revealed),
            "influence": list(self.influence),
            "exchange": self.exchange,
            "rules": rules,
        }


def _in_order(cards: Sequence[str]) -> tuple[str, ...]:
    """The names of cards, checked, in the order of the characters."""
    ordered = tuple(sorted(map(str, cards), key=card_number))
    for name in ordered:
        if (count := ordered.count(name)) > COPIES:
            raise SetupError(f"{in_words(count)} {name.title()}s are revealed: there are only three")
    return ordered


@dataclass(frozen=True, eq=False)
class SolvedEndgame:
    """The solution of an endgame. All values are player 1's: 1 for a win, -1 for a loss, 0 for a draw."""

    endgame: Endgame
    value: float
    """What the two strategies give against each other."""
    low: float
    """What the strategy of player 1 secures against every opponent."""
    high: float
    """What the strategy of player 2 concedes at most."""
    iterations: int
    nodes: int
    sets: int
    slots: Floats = field(repr=False)
    """[slots] of `flat`: the strategies of both."""
    stopped: str | None = None
    """What ended the work before the target was reached."""
    stored: bool = False
    """Whether it was read from a file."""

    @cached_property
    def flat(self) -> Flat:
        """The tree; made again when it is first asked for if the solution was read from a file."""
        return self.endgame.tree(self.nodes)

    @cached_property
    def proven(self) -> Fraction | None:
        """The value itself, where strategies of simple fractions secure it for both (`kibitz.search.exact`).

        >>> str(solve_endgame(Endgame(coins=(6, 6), turns=2)).proven)
        '1/35'
        """
        if self.nodes > PROOF_NODES or self.stopped:
            return None
        found = proven_value(self.flat, self.slots)
        return None if found is None else found / round(UNIT)

    @property
    def exploitability(self) -> float:
        """What a perfect opponent gains on average over the two seats; a win instead of a loss is 2."""
        return (self.high - self.low) / 2

    @property
    def fraction(self) -> Fraction | None:
        """The simplest fraction between the bounds, unless it may be there by accident and is not `proven`."""
        if self.proven is not None:
            return self.proven
        return None if self.stopped else likely_fraction(self.low, self.high)

    def strategy(self, seat: int, cards: Sequence[str], history: Sequence[int] = ()) -> dict[int, float]:
        """How often `seat`, which was dealt `cards`, takes each action after what it has `seen` since the deal.

        >>> from kibitz.coup import steal
        >>> solved = solve_endgame(Endgame(coins=(6, 6), turns=2))
        >>> [round(p, 3) for p in solved.strategy(1, ["assassin"], [steal(1).code]).values()]  # allow, challenge
        [1.0, 0.0]
        """
        found = self._seen(seat, cards, history)
        node, states = found[0]
        if self.flat.children[node]:
            if self.flat.actor[node] != seat:
                raise ValueError(f"seat {seat} has nothing to decide there")
            return self.choices(node)
        # The tree ends where all is decided; the game itself may go on for a few steps without a choice.
        actions = legal_actions(states)
        forced = [a for a in actions if a in self.endgame.pruning["decisive"]] or actions[:1]
        return dict.fromkeys(forced, 1.0)

    def choices(self, node: int) -> dict[int, float]:
        """How often each action is taken at a node of the tree."""
        slots = slice(self.flat.slot[node], self.flat.slot[node] + self.flat.children[node])
        return dict(zip(self.flat.slot_action[slots].tolist(), self.slots[slots].tolist(), strict=True))

    def value_of_deal(self, mine: Sequence[str], theirs: Sequence[str]) -> float:
        """What the two strategies give player 1, holding `mine`, against player 2, holding `theirs`."""
        worth = self.flat.value.copy()
        back_up(self.flat, self.slots, worth)
        return float(worth[self.flat.follow([drawn(*mine).code, drawn(*theirs).code])]) / UNIT

    def _seen(self, seat: int, cards: Sequence[str], history: Sequence[int]) -> list[tuple[int, States]]:
        """The nodes between which the seat cannot tell, with their states."""
        unseen = (UNSEEN_CARD, UNSEEN_CARDS)
        dealt = [drawn(*cards).code if s == seat else unseen[n - 1] for s, n in enumerate(self.endgame.influence)]
        nodes = [(0, self.endgame.states)]
        for code in (*dealt, *history):
            below = []
            for node, states in nodes:
                for child in range(self.flat.first[node], self.flat.first[node] + self.flat.children[node]):
                    action = int(self.flat.action[child])
                    if seen_at(states, 0, action, seat) == code:
                        after = states.copy()
                        apply_at(after, 0, action)
                        below.append((child, after))
            nodes = below
        if not nodes:
            raise KeyError(f"seat {seat} with {', '.join(cards)} cannot see {list(history)} in this endgame")
        return nodes


def likely_fraction(low: float, high: float) -> Fraction | None:
    """The simplest fraction between two bounds, unless one that simple may well be there by accident.

    >>> str(likely_fraction(0.5714285, 0.5714287)), likely_fraction(0.0890108, 0.0890111)
    ('4/7', None)
    """
    found = simplest_between(low, high)
    return found if found.denominator**2 * (high - low) < ACCIDENT else None


def falling() -> Callable[[Info], tuple[float, str]]:
    """How far a solver is, as a share and in words: on a scale of logarithms its exploitability falls evenly to `TARGET`."""
    first = 0.0

    def told(info: Info) -> tuple[float, str]:
        nonlocal first
        gap = float(info.ranking.exploitability) / UNIT
        left = log(max(gap / TARGET, 1.0))
        first = first or left or 1.0
        return 1 - left / first, f"exploitability {gap:.1e} after {info.done:,} iterations"

    return told


def solve_endgame(
    endgame: Endgame,
    *,
    target: float = TARGET,
    max_nodes: int = MAX_NODES,
    iterations: int = MAX_ITERATIONS,
    runtime: Runtime | None = None,
    flat: Flat | None = None,
) -> SolvedEndgame:
    """Solve an endgame until its exploitability is at most `target`, or `runtime` says stop.

    `flat` is its tree, where the caller has made it before. Raises `TooLarge` for more than `max_nodes` nodes.
    """
    if flat is None:
        flat = endgame.tree(endgame.count(max_nodes))

    def enough(strategy: Floats) -> bool:
        if target > TARGET or len(flat.actor) > FINE_NODES:
            return True
        low, high = bounds(flat, strategy)
        return high - low <= 2 * FINEST or likely_fraction(low, high) is not None

    solution = solve(flat, "pdcfr+", iterations, target=target * UNIT, enough=enough, runtime=runtime)
    low, high = bounds(flat, solution.strategy)
    solved = SolvedEndgame(
        endgame=endgame,
        value=solution.value / UNIT,
        low=low,
        high=high,
        iterations=solution.iterations,
        nodes=len(flat.actor),
        sets=len(flat.set_seat),
        slots=solution.strategy,
        stopped=solution.stopped or ("iterations" if (high - low) / 2 > target else None),
    )
    solved.__dict__["flat"] = flat  # what the cached property would make again
    return solved


def bounds(flat: Flat, strategy: Floats) -> tuple[float, float]:
    """What a strategy secures for player 1 against everybody, and what it concedes at most as player 2."""
    return -best_response(flat, strategy, 1)[0] / UNIT, best_response(flat, strategy, 0)[0] / UNIT

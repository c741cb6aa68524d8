"""The bot `resolver`: with two players it solves every turn anew, from what both know of the cards."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

import numpy as np

from kibitz.coup.blueprint.lone import NOT_SHOWN, PATHS
from kibitz.coup.core.policy import EQUILIBRIUM
from kibitz.coup.core.sets import LAYERS
from kibitz.coup.core.state import (
    ACTION,
    ALLOW,
    BLOCK,
    BLOCKED_BY,
    BLOCKED_BY_TOO,
    CHALLENGE,
    DO_ASSASSINATE,
    DO_BLOCK,
    DO_CHALLENGE,
    DO_COUP,
    DO_EXCHANGE,
    DO_FOREIGN_AID,
    DO_INCOME,
    DO_LOSE,
    DO_STEAL,
    DO_TAX,
    KINDS,
    LOSE,
    RETURN,
    SHOW,
    STEAL,
    Rules,
    rules_of,
)  # fmt: skip
from kibitz.coup.resolving.network import Network, shipped
from kibitz.coup.resolving.table import START, WALKS, Start, Table, number_of, public_start, step_on
from kibitz.game import Game, States, to_dict
from kibitz.game.doors import legal_actions
from kibitz.ground.rng import Stream, derive_seed
from kibitz.play.bots import PolicyPlayer

#: Mixed strategies are drawn from in parts of this.
FINE = 1 << 20


class Resolver:
    """A player who keeps the public belief and draws from the solution of the present turn.

    Where that does not serve, it plays as `equilibrium`: with more than two at the table, under other rules, in the last turns
    before the limit, which the blueprint has solved to their end, and for what an exchange returns.
    """

    def __init__(self, network: Network | None = None, walks: int = WALKS) -> None:
        """`network` is the one that comes with Kibitz unless another is given; a turn is walked so many times."""
        self._network, self._walks = network, walks
        self._spare = PolicyPlayer(EQUILIBRIUM)

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Nothing is known but what lies open."""
        self._spare.begin(game, seat, view, seed)
        self._seat, self._seed, self._steps = seat, seed, 0
        self._table: Table | None = None
        if serves(view):
            self._table = Table(self._network or shipped())
        self._start: Start | None = None
        self._path, self._solved = START, False

    def saw(self, before: States, code: int, after: States) -> None:
        """What a step tells both."""
        self._steps += 1
        if self._table is None:
            return
        old, new = to_dict(before), to_dict(after)
        if old["phase"] == ACTION:
            self._solve(self._table, before)
        self._path = step_on(self._path, before, code)
        if new["phase"] == ACTION and (old["turn"], old["player"]) != (new["turn"], new["player"]):
            self._start = (self._table.after(self._path) if self._solved else None) or public_start(after)
            self._path, self._solved = START, False

    def _solve(self, table: Table, view: States) -> None:
        """Solve the turn that begins in a view."""
        if not self._solved:
            table.solve(self._start or public_start(view), self._walks)
            self._solved = True

    def decide(self, view: States) -> int:
        """Draw from the solution."""
        if self._table is None:
            return self._spare.decide(view)
        legal = legal_actions(view)
        if len(legal) == 1:
            return legal[0]
        found = self.mixture(view)
        if not found:
            return self._spare.decide(view)
        return drawn(found, derive_seed(self._seed, "resolver", self._steps))

    def mixture(self, view: States) -> dict[int, float]:
        """How often each action should be taken, by its code; empty where it is the blueprint that says so."""
        row = to_dict(view)
        table = self._table
        if table is None or row["phase"] == RETURN or row["max_turns"] - row["turn"] < LAYERS:
            return {}
        if row["phase"] == SHOW and row["hand"][self._seat][row["claim"]] > 0:
            return {next(code for code in legal_actions(view) if code < DO_LOSE): 1.0}
        if row["phase"] == ACTION:
            self._solve(table, view)
        # Which card is lost instead of the one that is not shown is asked one step later.
        path = step_on_unshown(self._path) if row["phase"] == SHOW else self._path
        how = table.question(path) if self._solved else None
        if how is None:
            return {}
        hand = number_of(row["hand"][self._seat])
        legal = set(legal_actions(view))
        found = {
            code: float(share)
            for code, share in zip(answers_of(row, self._seat), how[:, hand], strict=False)
            if code in legal and share > 0
        }
        total = fsum(found.values())
        return {code: share / total for code, share in found.items()} if total > 0 else {}


def drawn(mixture: Mapping[int, float], seed: int) -> int:
    """An action from a mixed strategy.

    >>> [drawn({3: 0.25, 7: 0.75}, seed) for seed in range(10, 20)]
    [7, 7, 7, 7, 3, 7, 3, 7, 7, 3]
    """
    ladder, at = np.cumsum(list(mixture.values())), Stream(seed).below(FINE)
    return list(mixture)[int(np.searchsorted(ladder, at / FINE * ladder[-1], side="right"))]


def serves(view: States) -> bool:
    """Whether turns of this game can be solved: two players and the usual rules, but for the turn limit."""
    rules = rules_of(view)
    return int(np.asarray(view)["seats"][0]) == 2 and rules == Rules(max_turns=rules.max_turns)


def step_on_unshown(path: int) -> int:
    """The path after a challenged card was not shown."""
    return path * PATHS + NOT_SHOWN


def answers_of(row: Any, seat: int) -> list[int]:
    """The answers to a question as the turn numbers them, by code."""
    other = 1 - seat
    if row["phase"] == ACTION:
        return [DO_INCOME, DO_FOREIGN_AID, DO_TAX, DO_EXCHANGE, DO_COUP + other, DO_ASSASSINATE + other, DO_STEAL + other]
    if row["phase"] == CHALLENGE:
        return [ALLOW, DO_CHALLENGE]
    if row["phase"] == BLOCK:
        blocks = [DO_BLOCK + int(BLOCKED_BY[row["action"]])]
        return [ALLOW, *blocks, *([DO_BLOCK + int(BLOCKED_BY_TOO[STEAL])] if row["action"] == STEAL else [])]
    if row["phase"] in (LOSE, SHOW):
        return [DO_LOSE + card for card in range(KINDS) if row["hand"][seat][card] > 0]
    raise ValueError(f"nothing is asked in phase {row['phase']}")

"""What both players know in a game of two, turn by turn: how likely each pair of hands is, and how both play this turn.

Whoever sees the same steps comes to the same *public belief*: everything in it follows from what both have seen, and nothing
from what one of them holds. So both can know how a turn is played, each with every hand, and what a step tells of the cards.

>>> from kibitz.coup.core.setup import setup
>>> start = public_start(setup([1, 2]))
>>> start.position, start.likely.shape
((2, 2, 0, 1, 2), (15, 15))
>>> f"{start.likely[0].sum():.4f}"  # two Dukes: three of 105 hands
'0.0286'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, fsum, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint import sweep
from kibitz.coup.blueprint.exploiter import returns_of
from kibitz.coup.blueprint.lone import ANSWERED, DOUBT, LET_STAND, NOT_SHOWN, PATHS, Floats
from kibitz.coup.blueprint.matrices import ANSWERS_BEST, LEARNS, PLAYS
from kibitz.coup.blueprint.spots import ALL_KEPT, CLASSES, GONE, HANDS, HANDS_TOO, HELD, stand
from kibitz.coup.core.blueprint import BLUEPRINT, TWO
from kibitz.coup.core.rules import action_of
from kibitz.coup.core.sets import PAIR_NUMBER
from kibitz.coup.core.state import (
    ACTION,
    ALLOW,
    BLOCK,
    BLOCKED_BY,
    CHALLENGE,
    COPIES,
    DO_BLOCK,
    DO_LOSE,
    DO_RETURN,
    DO_SHOW,
    KINDS,
    LOSE,
    SHOW,
)  # fmt: skip
from kibitz.coup.resolving.network import Network, judge
from kibitz.coup.resolving.turns import (
    BEGIN,
    ENDS,
    FEATURES,
    GO_BACK,
    LOOK_AHEAD,
    SETTLE,
    VALUE,
    Desk,
    act,
    new_desk,
    new_turns,
)  # fmt: skip
from kibitz.game import States, to_dict

#: How often a turn is walked, and before every how many walks the network is asked.
WALKS, EVERY = 192, 4
#: How much of a strategy is any answer, in reaches.
TREMBLE = 0.004
#: The same where only best answers are looked for.
HARDLY = 1e-6
#: How much of every belief is what counting cards alone says.
DOUBTED = 0.002
#: The first step of a path.
START = 1


#: `exchanges`, by blueprint.
_EXCHANGES: dict[str, Floats] = {}


class Start(NamedTuple):
    """The start of a turn, as both see it; whose turn it is comes first."""

    position: tuple[int, int, int, int, int]
    """Own cards, the other's, the number of the lost cards, own coins, the other's."""
    likely: Floats
    """[hands, hands of the other] how likely they are; all together 1."""


def exchanges() -> Floats:
    """What exchanges make of hands, as the blueprint in use returns cards (`kibitz.coup.blueprint.matrices.Side`)."""
    file = next(file for file in BLUEPRINT.files if file.variant == TWO)
    if file.checksum not in _EXCHANGES:
        returns = sweep.begin_returns()
        sweep.take_over(returns, returns_of(file))
        _EXCHANGES[file.checksum] = np.zeros(CLASSES * ALL_KEPT, np.float32)
        sweep.spread(returns, sweep.every_draw(), _EXCHANGES[file.checksum])
    return _EXCHANGES[file.checksum]


@cache
def counted(mine: int, theirs: int, lost: int) -> Floats:
    """[hands, hands of the other] how likely hands are by counting cards alone."""
    k, gone = stand(mine, theirs), GONE[4 - mine - theirs][lost]
    own, other = HELD[mine - 1][: HANDS[k]], HELD[theirs - 1][: HANDS_TOO[k]]

    def ways(g: int, a: int, b: int) -> int:
        """In how many ways two hands have so many of a character, if so many are lost."""
        return comb(COPIES - g, a) * comb(COPIES - g - a, b) if g + a <= COPIES else 0

    deals = [[prod(map(ways, gone, p, r)) for r in other] for p in own]
    return np.array(deals, np.float32) / np.float32(sum(map(sum, deals)))


def doubted(likely: Floats, mine: int, theirs: int, lost: int) -> Floats:
    """A belief that adds up to one, and rules out nothing that the cards allow."""
    total = fsum(likely.ravel().tolist())
    by_count = counted(mine, theirs, lost)
    if total <= 0.0:
        return by_count
    return np.asarray(likely / np.float32(total) * np.float32(1 - DOUBTED) + np.float32(DOUBTED) * by_count)


class Table:
    """A turn, solved: what the next one begins with, and how each question is answered."""

    def __init__(self, network: Network) -> None:
        self._network, self._turns = network, new_turns(1)
        self._desk: Desk = new_desk(exchanges(), TREMBLE)
        self._seen = np.zeros((ENDS, FEATURES), np.float32)
        self._root, self._hidden = np.zeros(FEATURES, np.float32), np.zeros((2, len(network.first_bias)), np.float32)

    def solve(self, start: Start, walks: int = WALKS) -> None:
        """Solve the turn that begins so."""
        t = self._turns
        t.position[0] = start.position
        t.start[0] = 0.0
        t.start[0, : start.likely.size] = start.likely.ravel()
        self._act(BEGIN)
        self._act(LOOK_AHEAD)
        for first in range(1, walks + 1, EVERY):
            judge(t, 0, self._network, self._seen, self._hidden)
            self._act(GO_BACK, first, min(EVERY, walks + 1 - first))
            self._act(LOOK_AHEAD if first + EVERY <= walks else SETTLE)

    def _act(self, what: int, number: int = 0, times: int = 1) -> None:
        act(self._turns, 0, self._desk, what, self._seen, self._root, number, times)

    def gains(self) -> tuple[float, float]:
        """What the player to move and the opponent would gain by the best answers, in the turn that was solved."""
        t, start = self._turns, self._turns.start[0].astype(float)
        judge(t, 0, self._network, self._seen, self._hidden)
        how, worth = t.how[0].copy(), []
        self._desk.tremble[:] = HARDLY
        for doing in ((PLAYS, PLAYS), (ANSWERS_BEST, PLAYS), (PLAYS, ANSWERS_BEST)):
            self._desk.learning[:] = doing
            self._act(VALUE)
            t.how[0], self._desk.learning[:] = how, LEARNS
            worth.append(fsum((start * t.after[0]).tolist()))
        self._desk.tremble[:] = TREMBLE
        return worth[1] - worth[0], worth[0] - worth[2]

    def question(self, path: int) -> npt.NDArray[np.float32] | None:
        """[answers, hands] how the question at the end of a path is answered; None if nothing is asked there."""
        t = self._turns
        asked = np.flatnonzero(t.asked[0, : t.met[0, 1], 3] == path)
        if not len(asked):
            return None
        at, answers, hands = t.asked[0, asked[0], :3].tolist()
        return t.how[0, at : at + answers * hands].reshape(answers, hands)

    def ends(self) -> dict[int, float]:
        """By path: how likely the turn leads to each of its ends. All together 1, but for games that end with it."""
        paths, mass = self._turns.ends[0, :, 5].tolist(), self._turns.mass[0]
        return {paths[e]: float(mass[e].sum()) for e in range(int(self._turns.met[0, 2]))}

    def after(self, path: int) -> Start | None:
        """The start of the next turn, if a path ends this one."""
        t = self._turns
        ends = np.flatnonzero(t.ends[0, : t.met[0, 2], 5] == path)
        if not len(ends):
            return None
        mine, theirs, lost, coins, coins_too = t.ends[0, ends[0], :5].tolist()
        k = stand(mine, theirs)
        n, m = int(HANDS[k]), int(HANDS_TOO[k])
        likely = doubted(t.mass[0, ends[0], : n * m].reshape(n, m), mine, theirs, lost)
        return Start((mine, theirs, lost, coins, coins_too), likely)


def step_on(path: int, before: States, code: int) -> int:
    """The path after a step that both see; chance, and what an exchange returns, leave it as it is.

    >>> from kibitz.coup.core.setup import setup
    >>> view = setup([1, 2], hands={0: ["duke", "duke"], 1: ["duke", "contessa"]})
    >>> f"{step_on(START, view, 2):x}"  # 1, and 1 more than the number of the action: a tax
    '13'
    """
    row = to_dict(before)
    phase = row["phase"]
    if phase == ACTION:
        return path * PATHS + ANSWERED + int(action_of(code))
    if phase == CHALLENGE:
        return path * PATHS + ANSWERED + (LET_STAND if code == ALLOW else DOUBT)
    if phase == BLOCK:
        answer = 0 if code == ALLOW else 1 if code - DO_BLOCK == BLOCKED_BY[row["action"]] else 2
        return path * PATHS + ANSWERED + answer
    if phase == SHOW:
        if DO_SHOW <= code < DO_LOSE:
            return path * PATHS + NOT_SHOWN + 1
        return (path * PATHS + NOT_SHOWN) * PATHS + ANSWERED + code - DO_LOSE
    if phase == LOSE and DO_LOSE <= code < DO_RETURN:
        return path * PATHS + ANSWERED + code - DO_LOSE
    return path


def public_start(view: States) -> Start:
    """The start of a turn of which nothing is known but what lies open."""
    row = to_dict(view)
    me, other = row["player"], 1 - row["player"]
    lost = lost_of(view)
    mine, theirs = row["influence"][me], row["influence"][other]
    position = (mine, theirs, lost, row["coins"][me], row["coins"][other])
    return Start(position, counted(mine, theirs, lost))


def lost_of(view: States) -> int:
    """The number of the lost cards, among all that as many cards can be (`kibitz.coup.blueprint.spots.GONE`)."""
    return number_of(np.asarray(view)["revealed"][0].sum(axis=0).tolist())


def number_of(counts: Sequence[int]) -> int:
    """The number of up to two cards, by how many there are of each character.

    >>> number_of([0, 0, 0, 0, 0]), number_of([0, 0, 1, 0, 0]), number_of([1, 0, 1, 0, 0])
    (0, 2, 2)
    """
    cards = [card for card in range(KINDS) for _ in range(counts[card])]
    return 0 if not cards else cards[0] if len(cards) == 1 else int(PAIR_NUMBER[cards[0] * KINDS + cards[1]])

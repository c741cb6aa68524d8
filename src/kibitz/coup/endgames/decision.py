"""An endgame of Coup as one of its players sees it: whether it is one, and how often to do what.

>>> from kibitz.coup.belief import InfluenceBelief
>>> from kibitz.coup.core.setup import setup
>>> view = setup([6, 5], hands={0: ["duke"]}, revealed={0: ["duke"], 1: ["captain"]})
>>> is_endgame(view)
True
>>> solved = equilibrium(view, InfluenceBelief.at(view, 0))
>>> solved.turns, solved.actions[2] > 0.99  # tax
(3, True)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.core.state import CHARACTERS, COST, RETURN, Character
from kibitz.coup.endgames.policy import EndgamePolicy, deal_number, endgame_policy, possible_worlds
from kibitz.coup.endgames.solve import TooLarge
from kibitz.game import States, to_dict

#: How far an endgame is solved, and how large it may be for that: under a second of one core. Exchanges, which would make
#: it a hundred times as large, are left out.
TURNS = 3
NODES = 60_000
ITERATIONS = 300
#: With so many coins each, three turns decide most games. With fewer most would be undecided, and a search plays better.
COINS = 4
#: However unlikely a card is, it is not thought impossible.
LEAST = 1e-3


def is_endgame(view: States) -> bool:
    """Whether two players with one influence each are left, near enough to the end to be solved; not during an exchange.

    What the action on the table has cost counts as if it were not spent: it is about to decide the game.
    """
    row = to_dict(view)
    left = [seat for seat, influence in enumerate(row["influence"]) if influence]
    if [row["influence"][seat] for seat in left] != [1, 1] or row["phase"] == RETURN:
        return False
    spent = int(COST[row["action"]]) if row["action"] >= 0 else 0
    return all(row["coins"][seat] + (spent if seat == row["player"] else 0) >= COINS for seat in left)


def equilibrium(view: States, belief: InfluenceBelief) -> EndgamePolicy | None:
    """How often the observer of a belief, who is to decide, should do what, so that nobody can make use of it.

    The next `TURNS` turns are solved, without exchanges; what is undecided then counts a little by coins. The deals are
    those that the *public* takes for possible (the opponent does not know the own card either), weighed by what both have
    claimed. None if it is no endgame, or too large a one.
    """
    seat = belief.observer
    if seat is None or not is_endgame(view):
        return None
    worlds, weights = possible_worlds(view)
    (opponent,) = (int(other) for other in np.flatnonzero(view["influence"][0]) if other != seat)
    hands = np.asarray(worlds)["hand"]
    told = _news(view, belief, opponent)[hands[:, opponent].argmax(axis=1)] * fits_claims(belief, hands[:, seat])
    try:
        return endgame_policy(
            worlds,
            (np.array(weights) * told).tolist(),
            asked=deal_number(worlds, view, seat),
            turns=TURNS,
            max_nodes=NODES,
            iterations=ITERATIONS,
            exchange=False,
        )
    except TooLarge:
        return None


def _news(view: States, belief: InfluenceBelief, opponent: int) -> npt.NDArray[np.float64]:
    """By character: how much more likely than by counting alone all that happened makes it that the opponent holds it."""
    believed = belief.marginal(opponent)
    counted = InfluenceBelief.at(view, belief.observer).marginal(opponent)
    return np.array([max(believed[c] / counted[c], LEAST) if counted[c] else 1.0 for c in CHARACTERS])


def fits_claims(belief: InfluenceBelief, held: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """How likely each of these hands of the observer makes what it has claimed since its cards last changed.

    However true claims are thought to be, no hand is impossible: the observer may know better.
    """
    likely, bluff = np.ones(len(held)), max(belief.bluff, LEAST)
    for event in reversed(belief.events):
        if event.seat == belief.observer:
            if event.kind != "claimed":
                break
            likely *= np.where(held[:, CHARACTERS.index(Character(event.cards[0]))] > 0, 1.0, bluff)
    return likely

"""What to do in an endgame that is under way: the rest of the game, solved from now on.

A subgame is solved from what everybody knows: the deals that are possible as the *public* sees it, each with its weight, so
that the opponent does not know the asker's cards either. The answer is then looked up for the cards that the asker holds.

>>> from kibitz.coup.core.setup import setup
>>> states = setup([6, 6], hands={0: ["duke"], 1: ["contessa"]}, revealed={0: ["duke"], 1: ["captain"]})
>>> worlds, weights = possible_worlds(states)
>>> mine = deal_number(worlds, states, 0)
>>> policy = endgame_policy(worlds, weights, asked=mine, turns=3, exchange=False)
>>> policy.turns, policy.actions[2] > 0.99  # tax
(3, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.coup.core.cards import COPIES, KINDS
from kibitz.coup.core.codes import ALLOW, DO_COUP
from kibitz.coup.core.hidden import hand_size
from kibitz.coup.core.state import GAME_OVER, NOBODY, SEATS
from kibitz.coup.endgames.solve import UNIT, TooLarge, leave_out
from kibitz.game import States, actor_at, structs
from kibitz.search.cfr import solve
from kibitz.search.flat import Flat, flatten
from kibitz.search.walk import count_nodes, node_states, prune

#: Accurate enough to play by, and soon enough.
PLAYING_TARGET = 1e-3
PLAYING_ITERATIONS = 500
PLAYING_NODES = 100_000
PLAYING_TURNS = 4
#: What a coin is worth in a position that is still undecided when the search ends, and the most that all are.
LEAD, MOST = 0.05, 0.5


class EndgamePolicy(NamedTuple):
    """What to do in an endgame."""

    actions: dict[int, float]
    """How often each action should be taken, by its code."""
    turns: int
    """How many turns were looked ahead, this one included."""


def endgame_policy(
    worlds: States,
    weights: Sequence[float] | None = None,
    views: Sequence[tuple[int, int]] | None = None,
    *,
    asked: int = 0,
    turns: int = PLAYING_TURNS,
    max_nodes: int = PLAYING_NODES,
    exchange: bool = True,
    target: float = PLAYING_TARGET,
    iterations: int = PLAYING_ITERATIONS,
    lead: float = LEAD,
) -> EndgamePolicy:
    """How often each action should be taken by the player to move, who sees what there is to see in ``worlds[asked]``.

    `worlds` are the states that everybody takes for possible, all alike but for the hands, with two players left; `views[i]`
    names what each of the two knows at state i (by default, what the verb `hide` leaves it). As many turns as `max_nodes`
    allows are looked ahead, `turns` at most; the answer says how many. What is undecided then is not quite a draw: a coin
    more than the other has is worth `lead`, where a win is 1, so that there is something to play for. Raises `TooLarge` if
    not even one turn fits.
    """
    seats = np.flatnonzero(worlds["influence"][0] > 0)
    if len(seats) != 2:
        raise ValueError(f"{len(seats)} players are left: an endgame has two")
    states = two_seats(worlds)
    seat = actor_at(states, 0)
    if seat < 0:
        raise ValueError("nobody is to decide now")
    pruning = leave_out(states["influence"][0, :2].tolist(), exchange)
    now = int(states["turn"][0])
    for ahead in range(turns, 0, -1):
        states["max_turns"] = now + ahead - 1
        nodes = count_nodes(states, **pruning, enough=max_nodes)
        if nodes <= max_nodes:
            break
    else:
        raise TooLarge(nodes, max_nodes)
    flat = flatten(states, weights, views, max_nodes, **pruning)
    _count_coins(flat, node_states(states, prune(**pruning)), lead)
    solution = solve(flat, "pdcfr+", iterations, target=target * UNIT)
    found = solution.probabilities(asked + 1 if len(states) > 1 else 0)
    return EndgamePolicy({_at_the_table(action, seats): p for action, p in found.items()}, ahead)


def _count_coins(flat: Flat, positions: States, lead: float) -> None:
    """Give the ends without a winner a value."""
    rows = np.asarray(positions)
    undecided = np.flatnonzero((rows["phase"] == GAME_OVER) & (rows["winner"] == NOBODY))
    coins = rows["coins"][undecided].astype(np.float64)
    flat.value[undecided + len(flat.actor) - len(rows)] = UNIT * np.clip(lead * (coins[:, 0] - coins[:, 1]), -MOST, MOST)


def possible_worlds(states: States) -> tuple[States, list[float]]:
    """Every deal of the hands that a spectator of ``states[0]`` takes for possible, weighed by counting cards alone.

    Claims are not looked at; a belief (`kibitz.coup.belief`) gives better weights.
    """
    seats = [int(seat) for seat in np.flatnonzero(np.asarray(states)["influence"][0] > 0)]
    unseen = COPIES - np.asarray(states)["revealed"][0].sum(axis=0)
    hands = [list(combinations_with_replacement(range(KINDS), int(hand_size(states[0], seat)))) for seat in seats]
    found, weights = [], []
    for one in hands[0]:
        for other in hands[1]:
            mine, theirs = (np.bincount(np.array(h, np.int64), minlength=KINDS) for h in (one, other))
            ways = 1
            for card in range(KINDS):
                ways *= comb(int(unseen[card]), int(mine[card])) * comb(int(unseen[card] - mine[card]), int(theirs[card]))
            if ways:
                found.append((mine, theirs))
                weights.append(float(ways))
    worlds = structs(states.dtype, len(found))
    worlds[:] = states[0]
    for i, pair in enumerate(found):
        for seat, hand in zip(seats, pair, strict=True):
            worlds["hand"][i, seat] = hand
        worlds["deck"][i] = unseen - pair[0] - pair[1]
    return worlds, weights


def deal_number(worlds: States, states: States, seat: int) -> int:
    """The first of `worlds` in which `seat` holds the same cards as in ``states[0]``."""
    same = (np.asarray(worlds)["hand"][:, seat] == np.asarray(states)["hand"][0, seat]).all(axis=1)
    return int(np.flatnonzero(same)[0])


def two_seats(worlds: States) -> States:
    """The same positions at a table where only the two who are left ever sat."""
    rows = np.asarray(worlds)
    seats = np.flatnonzero(rows["influence"][0] > 0)
    states = structs(worlds.dtype, len(worlds))
    states[:] = worlds
    place = np.full(SEATS + 1, NOBODY)  # the last one is for NOBODY
    place[seats] = range(len(seats))
    for field in ("hand", "revealed", "coins", "influence"):
        states[field] = 0
        states[field][:, : len(seats)] = rows[field][:, seats]
    states["revealed"][:, 0] = rows["revealed"].sum(axis=1) - rows["revealed"][:, seats[1]]
    for field in ("player", "active", "target", "blocker", "challenger"):
        states[field] = place[rows[field]]
    states["seats"] = len(seats)
    return states


def _at_the_table(action: int, seats: npt.NDArray[np.int64]) -> int:
    """An action at the table of two as one at the real table: its target sits elsewhere there."""
    if not DO_COUP <= action < ALLOW:
        return action
    base = action - (action - DO_COUP) % SEATS
    return int(base + seats[(action - DO_COUP) % SEATS])

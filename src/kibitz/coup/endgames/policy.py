"""What to do in an endgame that is under way: the rest of the game, solved.

A subgame is solved from what everybody knows: the deals that are possible as the *public* sees it, each with its weight, so
that the opponent does not know the asker's cards either. The answer is then looked up for the cards that the asker holds.

>>> from kibitz.coup.core.setup import setup
>>> states = setup([6, 6], hands={0: ["duke"], 1: ["contessa"]}, revealed={0: ["duke"], 1: ["captain"]})
>>> worlds, weights = possible_worlds(states)
>>> mine = deal_number(worlds, states, 0)
>>> policy = endgame_policy(worlds, weights, asked=mine, turns=3, exchange=False)
>>> policy.turns, policy.actions[2] > 0.99  # tax
(3, True)

`equilibrium` asks for one of its players, who has seen the game so far:

>>> view = setup([6, 5], hands={0: ["duke"]}, revealed={0: ["duke"], 1: ["captain"]})
>>> is_endgame(view)
True
>>> solved = equilibrium(view, InfluenceBelief.at(view, 0))
>>> solved.turns, solved.actions[2] > 0.99
(3, True)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.core.state import ALLOW, CHARACTERS, COST, DO_COUP, GAME_OVER, NOBODY, NONE, RETURN, SEATS
from kibitz.coup.core.tree import deals
from kibitz.coup.endgames.solve import UNIT, TooLarge, leave_out
from kibitz.game import States, actor_at, structs, to_dict
from kibitz.game.doors import deal_all
from kibitz.search.cfr import solve
from kibitz.search.flat import MAX_NODES, Flat, flatten
from kibitz.search.walk import count_nodes, node_states, prune

#: Accurate enough to play by.
TARGET = 1e-3
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
    *,
    asked: int = 0,
    turns: int = 4,
    max_nodes: int = 100_000,
    exchange: bool = True,
    target: float = TARGET,
    iterations: int = 500,
    lead: float = LEAD,
) -> EndgamePolicy:
    """How often each action should be taken by the player to move, who sees what there is to see in ``worlds[asked]``.

    `worlds` are the states that everybody takes for possible, all alike but for the hands, with two players left. As many
    turns as `max_nodes` allows are looked ahead, `turns` at most; the answer says how many. What is undecided then is not
    quite a draw: a coin more than the other has is worth `lead`, where a win is 1, so that there is something to play for.
    Raises `TooLarge` if not even one turn fits.
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
    flat = flatten(states, weights, max_nodes=max_nodes, **pruning)
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
    found = deals(states, NOBODY, MAX_NODES)
    assert found is not None, "two hands have no more than a few hundred deals"
    hands, ways = found
    worlds = structs(states.dtype, len(hands))
    worlds[:] = states[0]
    deal_all(worlds, hands)
    return worlds, list(map(float, ways))


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
    for field in ("hand", "revealed", "coins", "influence", "claimed"):
        states[field] = NONE if field == "claimed" else 0
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


#: How far a player solves an endgame, and how large it may be for that: under a second of one core. Exchanges, which would
#: make it a hundred times as large, are left out.
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
    those that the *public* takes for possible (the opponent does not know the observer's card either), weighed by what both
    have claimed. None if it is not an endgame, or too large a one.
    """
    seat = belief.observer
    if seat is None or not is_endgame(view):
        return None
    worlds, weights = possible_worlds(view)
    (opponent,) = (int(other) for other in np.flatnonzero(view["influence"][0]) if other != seat)
    hands = np.asarray(worlds)["hand"]
    told = _news(view, belief, opponent)[hands[:, opponent].argmax(axis=1)] * fits_claims(belief, hands[:, seat])
    likely = (np.array(weights) * told).tolist()
    asked = deal_number(worlds, view, seat)
    try:
        return endgame_policy(worlds, likely, asked=asked, turns=TURNS, max_nodes=NODES, iterations=ITERATIONS, exchange=False)
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
    likely = np.ones(len(held))
    for event in reversed(belief.events):
        if event.seat == belief.observer:
            if event.kind not in ("claimed", "acted"):
                break
            told = belief.likely(event)
            likely *= [max(told(tuple(hand)), LEAST) for hand in held.tolist()]
    return likely

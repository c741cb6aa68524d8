"""What to do in an endgame that is under way: the rest of the game, solved.

A subgame is solved from what everybody knows: the deals that are possible as the *public* sees it, each with its weight, so
that the opponent does not know the asker's cards either. And it begins where the turn began: what else the opponent might have
done counts, so that an announcement tells just what it would tell in an equilibrium, whatever a belief makes of claims. The
answer is then looked up for the cards that the asker holds, after what has happened in this turn.

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

from kibitz.coup.belief import Event, InfluenceBelief
from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import (
    ACTION,
    ALLOW,
    BLOCK,
    CLAIMS,
    COST,
    COUP,
    DO_ASSASSINATE,
    DO_BLOCK,
    DO_CHALLENGE,
    DO_COUP,
    DO_STEAL,
    GAME_OVER,
    NO_ACTION,
    NOBODY,
    NONE,
    RETURN,
    SEATS,
)  # fmt: skip
from kibitz.coup.core.tree import deals
from kibitz.coup.endgames.safely import blueprint_strategy
from kibitz.coup.endgames.solve import UNIT, TooLarge, leave_out
from kibitz.game import CHANCE, States, actor_at, legal_actions, structs, to_dict
from kibitz.game.doors import deal_all
from kibitz.search.cfr import solve
from kibitz.search.flat import MAX_NODES, Flat, Floats, flatten, hidden_views
from kibitz.search.resolving import PLAIN, Resolved, resolve
from kibitz.search.response import back_up
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
    values: dict[int, float]
    """What each action is worth to the player who asks, from 0 (lost) to 1 (won), if both go on by the solution; none of that
    where there is only one action."""


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
    path: Sequence[int] = (),
    safely: bool = False,
) -> EndgamePolicy:
    """How often each action should be taken by the player to move, who sees what there is to see in ``worlds[asked]``.

    `worlds` are the states that everybody takes for possible, all alike but for the hands, with two players left; the public
    actions of a `path` lead from there to the decision that is asked for. As many
    turns as `max_nodes` allows are looked ahead, `turns` at most; the answer says how many. What is undecided then is not
    quite a draw: a coin more than the other has is worth `lead`, where a win is 1, so that there is something to play for.
    After the turn limit of the game, it is one. Raises `TooLarge` if not even one turn fits.

    An answer that is found `safely` leaves no hand of the opponent more than the blueprint would, over these turns.
    """
    seats = np.flatnonzero(worlds["influence"][0] > 0)
    if len(seats) != 2:
        raise ValueError(f"{len(seats)} players are left: an endgame has two")
    states = two_seats(worlds)
    if actor_at(states, 0) < 0:
        raise ValueError("nobody is to decide now")
    pruning = leave_out(states["influence"][0, :2].tolist(), exchange)
    now, limit = int(states["turn"][0]), int(states["max_turns"][0])
    for ahead in range(min(turns, limit - now + 1), 0, -1):
        states["max_turns"] = now + ahead - 1
        nodes = count_nodes(states, **pruning, enough=max_nodes)
        if nodes <= max_nodes:
            break
    else:
        raise TooLarge(nodes, max_nodes, at_least=True)
    flat, positions = flatten(states, weights, max_nodes=max_nodes, **pruning), node_states(states, prune(**pruning))
    if now + ahead - 1 < limit:
        _count_coins(flat, positions, lead)
    here = [code if not DO_COUP <= code < ALLOW else _from_the_table(code, seats) for code in path]
    try:
        node = flat.follow([asked, *here] if len(states) > 1 else here)
    except KeyError:
        raise NotDecided("the tree leaves out what was done: an exchange, or not to win at once") from None
    if flat.infoset[node] < 0:
        raise NotDecided("all is decided before that: somebody could have won at once")
    positions["max_turns"] = limit
    trunk = blueprint_strategy(flat, positions) if safely and len(states) > 1 else None
    seat, accuracy = int(flat.actor[node]), target * UNIT
    if trunk is None:
        found = Resolved(solve(flat, "pdcfr+", iterations, target=accuracy).strategy, 0.0, PLAIN)
    else:
        theirs = [view[1 - seat] for view in hidden_views(states)]
        found = resolve(flat, trunk, seat, theirs, iterations=iterations, target=accuracy, tolerance=2 * accuracy)
    slots = slice(flat.slot[node], flat.slot[node] + flat.children[node])
    actions = [_at_the_table(action, seats) for action in flat.slot_action[slots].tolist()]
    return EndgamePolicy(
        dict(zip(actions, found.strategy[slots].tolist(), strict=True)),
        ahead,
        dict(zip(actions, _values(flat, found.strategy, node), strict=True)),
    )


class NotDecided(ValueError):
    """A decision that the tree of an endgame leaves out, since nobody would come there."""


def _values(flat: Flat, strategy: Floats, node: int) -> list[float]:
    """What each action at a decision is worth to who decides, from 0 to 1, by all that may be hidden from it there.

    Where the opponent's strategy never leads there, its cards are taken to be as likely as the deals are. Where the same player
    decides again at once, an action is worth the best that can be done then.
    """
    worth = flat.value.copy()
    back_up(flat, strategy, worth)
    seat = int(flat.actor[node])
    alike = np.flatnonzero(flat.infoset == flat.infoset[node])
    weights = np.array([_likelihood(flat, strategy, int(one), seat) for one in alike])
    chances = weights[:, 0] if weights[:, 0].sum() > NEVER * weights[:, 1].sum() else weights[:, 1]
    won = np.array([worth[flat.first[one] : flat.first[one] + flat.children[one]] for one in alike])
    mean = chances @ won / chances.sum() / UNIT * (1 if seat == 0 else -1)
    values: list[float] = ((1 + mean) / 2).tolist()
    below = range(int(flat.first[node]), int(flat.first[node] + flat.children[node]))
    return [
        max(_values(flat, strategy, child)) if flat.actor[child] == seat else value
        for child, value in zip(below, values, strict=True)
    ]


def _likelihood(flat: Flat, strategy: Floats, node: int, seat: int) -> tuple[float, float]:
    """How likely chance and the opponent of `seat` come to a node, and how likely chance alone does."""
    both = chance = 1.0
    while (above := int(flat.parent[node])) >= 0:
        if flat.actor[above] == CHANCE:
            chance *= float(flat.probability[node])
            both *= float(flat.probability[node])
        elif flat.actor[above] != seat:
            both *= float(strategy[flat.slot[above] + node - flat.first[above]])
        node = above
    return both, chance


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


def _from_the_table(action: int, seats: npt.NDArray[np.int64]) -> int:
    """An action at the real table as one at the table of two."""
    base = action - (action - DO_COUP) % SEATS
    return int(base + np.flatnonzero(seats == (action - DO_COUP) % SEATS)[0])


#: How far a player solves an endgame, and how large it may be for that: under a second of one core. Exchanges, which would
#: make it a hundred times as large, are left out.
TURNS = 3
NODES = 60_000
ITERATIONS = 300
#: With so many coins each, three turns decide most games. With fewer most would be undecided, and a search plays better.
COINS = 4
#: However unlikely a card is, it is not thought impossible.
LEAST = 1e-3
#: What the opponent does less often than this in a solution, it never does.
NEVER = 1e-6


def is_endgame(view: States, coins: int = COINS) -> bool:
    """Whether two players with one influence and so many coins each are left; not during an exchange.

    What the action on the table has cost counts as if it were not spent: it is about to decide the game.
    """
    row = to_dict(view)
    left = [seat for seat, influence in enumerate(row["influence"]) if influence]
    if [row["influence"][seat] for seat in left] != [1, 1] or row["phase"] == RETURN:
        return False
    spent = int(COST[row["action"]]) if row["action"] >= 0 else 0
    return all(row["coins"][seat] + (spent if seat == row["player"] else 0) >= coins for seat in left)


def equilibrium(
    view: States, belief: InfluenceBelief, turns: int | None = None, max_nodes: int | None = None
) -> EndgamePolicy | None:
    """How often the observer of a belief, who is to decide, should do what, so that nobody can make use of it.

    The next `turns` turns (`TURNS`) are solved from the beginning of this one, without exchanges (fewer, where they have more
    than `max_nodes` nodes, `NODES`); what is undecided then counts a little by coins. The deals are those that the *public*
    took for possible when the turn began (the opponent does not know the observer's card either). The observer's cards are
    weighed by what it had claimed before, as the opponent sees them. The opponent's are only counted: nobody is talked into
    anything. None of its cards wins more against the answer than against the blueprint (`kibitz.search.resolving`): what it
    might have done in earlier turns instead counts, too. What is done in this turn tells what it tells in the equilibrium. None
    if it is not an endgame, or too large a one; one that is asked for by its `turns` may have any number of coins.
    """
    seat = belief.observer
    if seat is None or not is_endgame(view, COINS if turns is None else 0):
        return None
    if len(forced := legal_actions(view)) == 1:
        return EndgamePolicy({forced[0]: 1.0}, turns or TURNS, {})
    start, path = turn_start(view)
    worlds, weights = possible_worlds(start)
    likely = np.array(weights) * fits_claims(belief, np.asarray(worlds)["hand"][:, seat], _before(belief, path))
    asked = deal_number(worlds, view, seat)
    try:
        size: dict[str, Any] = {"turns": turns or TURNS, "max_nodes": max_nodes or NODES, "iterations": ITERATIONS}
        return endgame_policy(worlds, likely.tolist(), asked=asked, exchange=False, path=path, safely=True, **size)
    except (TooLarge, NotDecided):
        return None


def turn_start(view: States) -> tuple[States, list[int]]:
    """The beginning of the turn in which two players with one card each are, and what was done since, by codes.

    With one card each a challenge ends the game, so that all that can have happened is still to be seen.

    >>> from kibitz.coup.core.situation import read_situation
    >>> told = read_situation("cards contessa; coins 4 5; I lost duke; 2 lost captain; 2 assassinates me; I allow")
    >>> start, path = turn_start(told.states)
    >>> start["coins"][0, :2].tolist(), [Action.from_code(code).to_text() for code in path]
    ([4, 5], ['assassinate 1', 'allow'])
    """
    row, start = to_dict(view), view[:1].copy()
    if row["phase"] == ACTION:
        return start, []
    action, player = row["action"], row["player"]
    target = 0 if row["target"] == NOBODY else row["target"]
    path = [action if action < COUP else (DO_COUP, DO_ASSASSINATE, DO_STEAL)[action - COUP] + target]
    if row["blocker"] != NOBODY or row["phase"] == BLOCK:
        path += [ALLOW] if CLAIMS[action] != NONE else []
    if row["blocker"] != NOBODY:
        path.append(DO_BLOCK + row["claim"])
    if row["challenger"] != NOBODY:
        path.append(DO_CHALLENGE)
    start["coins"][0, player] += COST[action]
    start["treasury"] -= COST[action]
    start["phase"], start["active"], start["action"], start["claim"] = ACTION, player, NO_ACTION, NONE
    for field in ("target", "blocker", "challenger"):
        start[field] = NOBODY
    return start, path


def _before(belief: InfluenceBelief, path: Sequence[int]) -> list[Event]:
    """What the observer had seen before some steps, of which none moved a card."""
    events = list(belief.events)
    for code in reversed(path):
        if events and events[-1].kind == ("acted" if Action.from_code(code).claim is None else "claimed"):
            events.pop()
    return events


def fits_claims(
    belief: InfluenceBelief, held: npt.NDArray[Any], events: Sequence[Event] | None = None
) -> npt.NDArray[np.float64]:
    """How likely each of these hands of the observer makes what it has claimed since its cards last changed.

    `events` are those that count, if not all that the belief has seen. However true claims are thought to be, no hand is
    impossible: the observer may know better.
    """
    likely = np.ones(len(held))
    for event in reversed(belief.events if events is None else events):
        if event.seat == belief.observer:
            if event.kind not in ("claimed", "acted"):
                break
            told = belief.likely(event)
            likely *= [max(told(tuple(hand)), LEAST) for hand in held.tolist()]
    return likely

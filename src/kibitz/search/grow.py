"""The compiled walk of information-set MCTS: down the trees, one node more, to the end of the game, and back up.

A node is what one viewer has perceived so far, a child is one thing more that it may perceive (a *label*: what the verb
`seen` says). What else an action tells, its `news`, is a child of the action's own: nobody chooses by it. Node 0 stands for
*none*; the nodes after it are the roots of the trees. The children of a node are a list in ascending order of their labels,
which is also the order of the legal actions, so that the two are compared side by side. The same source runs on games in plain
Python.

What the hot functions work with is one array of nodes and structs: every further array would cost reference counts.
"""

from functools import cache
from math import sqrt
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, Scratch
from kibitz.game.drivers import decide, draw
from kibitz.game.evaluator import SURE
from kibitz.game.verbs import actor, apply, choose, copy, legal, news, prize, seen, sensible, settled, value
from kibitz.ground.jit import Vector, jit, struct
from kibitz.ground.rng import below, child, reseed

Numbers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

NONE = 0
#: No tree.
NOWHERE = -1
#: A walk goes at most so much deeper than the deepest before it (one decision, and what chance does around it).
DEEPER = 64
#: What else is learned from an action has the label NEWS + its `news`: below NO_NEWS, as no label of an action is.
NEWS, NO_NEWS = -(1 << 31), -(1 << 30)
#: The number of the seed from which paired openings have their worlds and their luck.
PAIRS = -1


class Node(Protocol):
    """What one viewer has perceived; all zero before it is used."""

    won: int  # the sum of the prizes of the mover
    worth: int  # the sum of the prizes of the viewer
    label: int  # what was perceived last
    mover: int  # whose doing that was: a seat, or CHANCE
    parent: int
    first: int  # the child with the lowest label
    next: int  # the sibling with the next higher label
    visits: int
    available: int  # how often whoever decides could have come here, from the first visit on


NODE = struct("search_node", [(name, np.int64 if name in ("won", "worth") else np.int32) for name in Node.__annotations__])


class Walk(Protocol):
    """Where a walk is, and how it goes."""

    spread: float  # the weight of what is uncertain, in prizes
    guide: int  # the policy whose choice is tried first; 0 where nobody guides
    others: int  # the policy of all seats but the one that asks; 0 where they decide for themselves
    asks: int  # the seat that asks
    horizon: int  # after so many settled positions beyond the trees the evaluator is asked; below 0: it never is
    looks: int  # at so many settled positions it is asked, one after the other; the mean counts
    paired: int  # whether the actions of the seat that asks meet the same worlds and the same luck
    halving: int  # whether they are chosen by sequential halving
    widening: int  # below them another action is tried after so many visits for each that was; 0: at once
    planning: int  # whether the trees end at the first settled position
    unit: int  # what a prize is multiplied by, so that it compares with what the evaluator says
    least: int  # the least prize, times the unit
    span: int  # what the highest one has more
    learner: int  # the tree that learns from this iteration; `NOWHERE`: all do
    trees: int  # how many there are: one for each seat, or one in all
    nodes: int  # how many nodes are numbered, node 0 and the roots included
    depth: int  # how deep the deepest walk went
    width: int  # how many of the openings are still compared in this pass of halving
    times: int  # how often each of these is to be taken before half of them are left out
    place: int  # how many were taken since the last half was left out
    many: int  # how many openings make sense
    viewer: Vector  # [trees] whose eyes a tree is seen with
    at: Vector  # [trees] the node at which the walk is
    prize: Vector  # [seats] what the end is worth to each
    actions: Vector  # [actions] what can be done at the decision at hand, in ascending order of the labels
    labels: Vector  # [actions] their labels
    untried: Vector  # [actions] the places of the labels that have no node yet
    order: Vector  # [actions] the places of the openings that make sense, the best of the last comparison first


@cache
def walk_struct(seats: int, actions: int) -> np.dtype[np.void]:
    """The struct of a `Walk`, with room for so many seats and legal actions."""
    by_seat, by_action = ("viewer", "at", "prize"), ("actions", "labels", "untried", "order")
    rooms = dict.fromkeys(by_seat, (seats,)) | dict.fromkeys(by_action, (actions,))
    kinds = {"spread": np.float64}
    fields = [(name, kinds.get(name, np.int64), rooms.get(name, ())) for name in Walk.__annotations__]
    return struct(f"search_walk_{seats}_{actions}", fields)


class WorldDraws(NamedTuple):
    """What the worlds are to the search; the states themselves are handed over separately."""

    until: Numbers
    """[worlds] the sum of the integer weights up to and including each world."""
    views: Numbers
    """[worlds and doubts, trees] a number for what the viewer of each tree knows of each world."""
    shares: int
    """Of so many iterations one takes a world, the others take doubts; 1 where there are none."""


class Openings(NamedTuple):
    """What came of each legal action of the seat that asks."""

    actions: Numbers
    """[actions] in ascending order."""
    visits: Numbers
    """[actions]"""
    sums: Numbers
    """[actions, seats] the prizes of each seat."""
    squares: Numbers
    """[actions, seats] their squares."""


@jit
def grow(
    states: Any,
    xs: Any,
    walks: Any,
    nodes: Any,
    worlds: WorldDraws,
    openings: Openings,
    logs: Floats,
    seed: int,
    first: int,
    last: int,
) -> int:
    """The iterations `first` to `last - 1`; the number of the first one for which there was no room, or `last`.

    `states` are the worlds, then the doubts, then room for the one that is played. Iteration i depends on its seed and on the
    iterations before it alone. `logs` are the logarithms of all numbers up to `last`.
    """
    playing = len(states) - 1
    x, w = xs[0], walks[0]
    for i in range(first, last):
        if w.nodes + w.trees * (w.depth + DEEPER) > len(nodes):
            return i
        doubting = i % worlds.shares > 0
        own = len(worlds.until)
        forced = NOWHERE
        reseed(x, child(seed, i))
        if w.paired > 0 and not doubting:
            forced = next_opening(w, openings, logs)
            reseed(x, child(child(seed, PAIRS), int(openings.visits[forced])))
        world = own + below(x, playing - own) if doubting else draw_world(x, worlds.until)
        w.learner = NOWHERE if doubting or worlds.shares == 1 else w.asks
        copy(states, playing, world)
        s = states[playing]
        for tree in range(w.trees):
            w.at[tree] = step(w, nodes, 1 + tree, int(worlds.views[world, tree]), CHANCE)
        opening = descend(s, x, w, nodes, logs, int(openings.actions[forced]) if forced != NOWHERE else NOWHERE)
        play_on(s, x, w, openings.sums.shape[1])
        if not doubting:
            record(w, openings, opening)
        back_up(w, nodes)
    return last


@jit
def play_on(s: Any, x: Scratch, w: Walk, seats: int) -> None:
    """Let the policies play the rest of the game, or so much of it that the evaluator is asked: what it is worth to each seat.

    That is the mean of several looks of the evaluator; after the end of the game all look at the end.
    """
    passed, looked = 0, 0
    for k in range(seats):
        w.prize[k] = 0
    seat = actor(s)
    while seat != OVER and looked < w.looks:
        if w.horizon >= 0 and seat != CHANCE and settled(s):
            if passed >= w.horizon and value(s, x) > 0:
                looked += 1
                for k in range(seats):
                    w.prize[k] += w.least + x.values[k] * w.span // SURE
            passed += 1
        if looked < w.looks:
            apply(s, decide(s, x, seat))
            seat = actor(s)
    for k in range(seats):
        if looked < w.looks:
            w.prize[k] += (w.looks - looked) * w.unit * prize(s, k)
        w.prize[k] //= w.looks


@jit
def draw_world(x: Scratch, until: Numbers) -> int:
    """The number of a world, drawn by weight."""
    at = below(x, int(until[len(until) - 1]))
    low, high = 0, len(until) - 1
    while low < high:
        middle = (low + high) // 2
        if until[middle] > at:
            high = middle
        else:
            low = middle + 1
    return low


@jit
def learns(w: Walk, tree: int) -> bool:
    """Whether what comes of this iteration is remembered in a tree."""
    return w.learner == NOWHERE or w.learner == tree


@jit
def descend(s: Any, x: Scratch, w: Walk, nodes: Any, logs: Floats, forced: int) -> int:
    """Walk down until the tree of a player who decides has a new node, or the game is over; the first action.

    That is the `forced` one, where there is one.
    """
    deepest = w.depth + DEEPER
    depth, opening = 1, -1
    while depth + 1 < deepest:
        seat = actor(s)
        if seat == OVER:
            break
        own = tree_of(w, seat)
        if seat == CHANCE:
            a = int(draw(s, x))
        elif own == NOWHERE:
            a = int(choose(s, x, w.others))
        elif opening < 0 and forced != NOWHERE:
            a = forced
            w.at[own] = enter(w, nodes, w.at[own], int(seen(s, a, w.viewer[own])), seat)
        else:
            a = int(select(s, x, w, nodes, logs, seat, own))
        for tree in range(w.trees):
            if tree != own:
                w.at[tree] = step(w, nodes, w.at[tree], int(seen(s, a, w.viewer[tree])), seat)
        if tell(s, w, nodes, a):
            depth += 1
        apply(s, a)
        depth += 1
        if opening < 0:
            opening = a
        if own != NOWHERE and nodes[w.at[own]].visits == 0:
            break
        if w.planning > 0 and seat != CHANCE and settled(s):
            break
    w.depth = max(w.depth, depth)
    return opening


@jit
def tell(s: Any, w: Walk, nodes: Any, a: int) -> bool:
    """Let the walk go on, in every tree, to what else its viewer learns from `a`; whether anybody does."""
    told = False
    for tree in range(w.trees):
        new = int(news(s, a, w.viewer[tree]))
        if new > 0:
            w.at[tree] = step(w, nodes, w.at[tree], NEWS + new, CHANCE)
            told = True
    return told


@jit
def tree_of(w: Walk, seat: int) -> int:
    """The tree in which a seat decides: its own, or the only one; `NOWHERE` for chance and for who follows a policy."""
    if seat == CHANCE or (w.others > 0 and seat != w.asks):
        return NOWHERE
    return min(seat, w.trees - 1)


@jit
def step(w: Walk, nodes: Any, parent: int, label: int, mover: int) -> int:
    """The child of a node with this label; a new one where there is none."""
    before, node = NONE, int(nodes[parent].first)
    while node != NONE and nodes[node].label < label:
        before, node = node, int(nodes[node].next)
    if node != NONE and nodes[node].label == label:
        return node
    new = w.nodes
    w.nodes = new + 1
    nodes[new].label, nodes[new].mover, nodes[new].parent, nodes[new].next = label, mover, parent, node
    if before == NONE:
        nodes[parent].first = new
    else:
        nodes[before].next = new
    return new


@jit
def select(s: Any, x: Scratch, w: Walk, nodes: Any, logs: Floats, seat: int, tree: int) -> int:
    """What the player to move does: something untried or, if there is nothing, what has the highest upper confidence bound.

    Every label that is possible in this world counts as available (Cowling, Powley, Whitehouse 2012). Of several actions
    that the viewer of the tree cannot tell apart each is as likely as the others. The walk goes on to its node in this tree.
    """
    n = list_labels(s, x, w, w.viewer[tree])
    node = int(nodes[w.at[tree]].first)
    untried, tried, chosen, after, best = 0, 0, 0, NONE, -np.inf
    for i in range(n):
        label = w.labels[i]
        if i > 0 and label == w.labels[i - 1]:
            continue
        while node != NONE and nodes[node].label < label:
            node = int(nodes[node].next)
        if node == NONE or nodes[node].label != label or nodes[node].visits == 0:
            w.untried[untried] = i
            untried += 1
        else:
            if learns(w, tree):
                nodes[node].available += 1
            tried += 1
            visits = nodes[node].visits
            bound = nodes[node].won / visits + w.spread * sqrt(logs[nodes[node].available] / visits)
            if bound > best:
                chosen, after, best = i, node, bound
    if untried > 0 and (tried == 0 or nodes[w.at[tree]].visits >= w.widening * tried):
        chosen = pick_untried(s, x, w, w.viewer[tree], untried)
        after = step(w, nodes, w.at[tree], w.labels[chosen], seat)
        nodes[after].available = 1
    w.at[tree] = after
    alike = 1
    while chosen + alike < n and w.labels[chosen + alike] == w.labels[chosen]:
        alike += 1
    return w.actions[chosen + below(x, alike)] if alike > 1 else w.actions[chosen]


@jit
def enter(w: Walk, nodes: Any, parent: int, label: int, seat: int) -> int:
    """The child of a node that was chosen beforehand; those that were tried before were available, too."""
    node = int(nodes[parent].first)
    while node != NONE:
        if nodes[node].visits > 0 and learns(w, tree_of(w, seat)):
            nodes[node].available += 1
        node = int(nodes[node].next)
    node = step(w, nodes, parent, label, seat)
    nodes[node].available = max(1, nodes[node].available)
    return node


@jit
def next_opening(w: Walk, openings: Openings, logs: Floats) -> int:
    """The place of the action with which the next iteration begins: by halving, or by upper confidence bounds."""
    if w.halving > 0:
        if w.place == w.width * w.times:
            sort_openings(w, openings)
            w.place = 0
            if w.width <= 2:
                w.width, w.times = w.many, 1
            else:
                w.width, w.times = (w.width + 1) // 2, 2 * w.times
        at = w.order[w.place % w.width]
        w.place += 1
        return at
    chosen, best, total = NOWHERE, -np.inf, 0
    for i in range(w.many):
        total += int(openings.visits[w.order[i]])
    for i in range(w.many):
        at = w.order[i]
        visits = openings.visits[at]
        if visits == 0:
            return at
        bound = openings.sums[at, w.asks] / visits + w.spread * sqrt(logs[total] / visits)
        if bound > best:
            chosen, best = at, bound
    return chosen


@jit
def sort_openings(w: Walk, openings: Openings) -> None:
    """Put those that were just compared in order, the best first; of equals the one that was ahead."""
    for i in range(1, w.width):
        this = w.order[i]
        mean = openings.sums[this, w.asks] / openings.visits[this]
        at = i
        while at > 0 and openings.sums[w.order[at - 1], w.asks] / openings.visits[w.order[at - 1]] < mean:
            w.order[at] = w.order[at - 1]
            at -= 1
        w.order[at] = this


@jit
def list_labels(s: Any, x: Scratch, w: Walk, viewer: int) -> int:
    """Write the actions that are worth a try and their labels in ascending order of the labels; how many there are."""
    n = int(sensible(s, x))
    for i in range(n):
        a = x.actions[i]
        label = int(seen(s, a, viewer))
        at = i
        while at > 0 and w.labels[at - 1] > label:
            w.labels[at], w.actions[at] = w.labels[at - 1], w.actions[at - 1]
            at -= 1
        w.labels[at], w.actions[at] = label, a
    return n


@jit
def pick_untried(s: Any, x: Scratch, w: Walk, viewer: int, untried: int) -> int:
    """The place of a label that has no node yet: that of the guide's choice, if it is one of them, else any."""
    if w.guide > 0:
        label = int(seen(s, choose(s, x, w.guide), viewer))
        for i in range(untried):
            if w.labels[w.untried[i]] == label:
                return w.untried[i]
    return w.untried[below(x, untried)]


@jit
def record(w: Walk, openings: Openings, action: int) -> None:
    """Count the end of a game for the action that it began with."""
    at = 0
    while openings.actions[at] != action:
        at += 1
    openings.visits[at] += 1
    for seat in range(openings.sums.shape[1]):
        openings.sums[at, seat] += w.prize[seat]
        openings.squares[at, seat] += w.prize[seat] * w.prize[seat]


@jit
def back_up(w: Walk, nodes: Any) -> None:
    """Count the end of a game in all nodes that led to it, in the trees that learn from it."""
    for tree in range(w.trees):
        if not learns(w, tree):
            continue
        mine = w.prize[w.viewer[tree]]
        node = w.at[tree]
        while node != NONE:
            nodes[node].visits += 1
            nodes[node].worth += mine
            if nodes[node].mover != CHANCE:
                nodes[node].won += w.prize[nodes[node].mover]
            node = int(nodes[node].parent)


# --- before the search ------------------------------------------------------------------------------------


@jit
def list_openings(states: Any, xs: Any, seat: int, actions: Numbers, labels: Numbers) -> int:
    """Write the legal actions of `seat` in world 0, and what it perceives of them; how many, or -1 if it is not to move."""
    if actor(states[0]) != seat:
        return -1
    n = int(legal(states[0], xs[0]))
    for i in range(n):
        actions[i] = xs[0].actions[i]
        labels[i] = seen(states[0], int(actions[i]), seat)
    return n


@jit
def list_sensible(states: Any, xs: Any, order: Numbers, actions: Numbers) -> int:
    """Write the places, among all legal actions, of those that make sense in world 0; how many they are."""
    n = int(sensible(states[0], xs[0]))
    at = 0
    for i in range(n):
        while actions[at] != xs[0].actions[i]:
            at += 1
        order[i] = at
    return n


@jit
def find_stranger(states: Any, xs: Any, worlds: int, seat: int, actions: Numbers) -> int:
    """The first state in which `seat` is not to move, of the worlds also with other legal actions; -1 if there is none.

    Behind so many worlds come the doubts, and room for one state.
    """
    for i in range(len(states) - 1):
        if actor(states[i]) != seat:
            return i
        if i >= worlds:
            continue
        if legal(states[i], xs[0]) != len(actions):
            return i
        for j in range(len(actions)):
            if xs[0].actions[j] != actions[j]:
                return i
    return -1

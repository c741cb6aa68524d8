"""The compiled walk through a game that writes its tree down, and how large that tree will be.

The walk goes depth first with one state for each depth, so that it needs no more memory than the tree itself. Where room
runs out it returns `FULL`, and goes on when it is called again with longer arrays. The same source walks through games in
plain Python. Of the legal actions, `Pruning` leaves those that are looked at. `kibitz.search.flat` provides the room.

Before a tree is made its nodes can be counted. Many lines of play lead to the same position, and below equal positions the
trees are equal. So each depth is counted with every position once, and how often it occurs:

>>> from kibitz.examples import kuhn, leduc
>>> count_nodes(kuhn.GAME.new(2, 0)), count_nodes(leduc.GAME.new(2, 0))
(58, 1939)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, game_of, structs
from kibitz.game.definition import as_structs
from kibitz.game.drivers import perceived
from kibitz.game.verbs import actor, apply, copy, legal, score, weights
from kibitz.ground.jit import jit

Indices: TypeAlias = npt.NDArray[np.int32]
Numbers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

DONE, FULL, NOT_TWO, NOT_CONSTANT, EMPTY = range(5)
#: What is wrong with a game, by what `walk` returns.
WRONG = {
    NOT_TWO: "a third player is to move: only games of two players are solved",
    NOT_CONSTANT: "the sum of the two scores is not the same at every end",
    EMPTY: "nobody can move, and the game is not over",
}
#: What the array `cursor` holds, which says where the walk is: the depth at which it began, how deep it is, how many nodes and
#: how many sequences of perceptions are numbered, how many ends were met, and the sum of the scores there.
BASE, DEPTH, NODES, VIEWS, ENDS, SUM = range(6)
#: How many positions are looked at in one go where nodes are only counted.
BATCH = 4096


class Stack(NamedTuple):
    """The nodes above the walk."""

    node: Indices
    """[depths] the node at each depth."""
    next: Indices
    """[depths] which of its children comes next (-1: it was not looked at yet)."""
    known: Numbers
    """[depths, 2] what each seat has perceived on the way to it."""


class Walked(NamedTuple):
    """The nodes in the order of the walk; see `kibitz.search.flat.Flat` for their meaning. All have shape [nodes]."""

    actor: npt.NDArray[np.int8]
    first: Indices
    children: Indices
    parent: Indices
    action: Indices
    depth: Indices
    known: Numbers
    """What the player who decides has perceived (nothing where nobody does)."""
    probability: Floats
    value: Floats


class Views(NamedTuple):
    """A hash table of sequences: `number` [room] (-1: free) is the sequence `prefix` [room] and then `last` [room]."""

    prefix: Numbers
    last: Numbers
    number: Numbers


class Pruning(NamedTuple):
    """What is left out of a tree, as `kibitz.search.flat.flatten` explains it."""

    without: Numbers
    """[any] the actions that nobody takes."""
    decisive: Numbers
    """[any] the actions next to which no other is looked at."""
    short: int
    """Whether (1) what is forced up to the end is left out."""


def prune(without: Sequence[int] = (), decisive: Sequence[int] = (), short: bool = False) -> Pruning:
    """What is left out of a tree, as compiled code takes it."""
    return Pruning(np.array(without, np.int64), np.array(decisive, np.int64), int(short))


@jit
def choices(s: Any, x: Any, seat: int, pruning: Pruning) -> int:
    """Write the actions (or outcomes) that are looked at to ``x.actions``; how many they are."""
    if seat == CHANCE:
        return int(weights(s, x))
    n, kept = int(legal(s, x)), 0
    for i in range(n):
        action = int(x.actions[i])
        if among(pruning.decisive, action):
            x.actions[0] = action
            return 1
        if not among(pruning.without, action):
            x.actions[kept] = action
            kept += 1
    return kept


@jit
def among(actions: Numbers, action: int) -> bool:
    """Whether an action is one of a few."""
    for i in range(len(actions)):
        if actions[i] == action:
            return True
    return False


@jit
def run_out(states: Any, at: int, spare: int, x: Any, pruning: Pruning) -> None:
    """Play ``states[at]`` to its end if there is no choice until then; ``states[spare]`` is overwritten."""
    seat = int(actor(states[at]))
    if seat == OVER or choices(states[at], x, seat, pruning) != 1:
        return
    copy(states, spare, at)
    while seat != OVER and choices(states[spare], x, seat, pruning) == 1:
        apply(states[spare], int(x.actions[0]))
        seat = int(actor(states[spare]))
    if seat == OVER:
        copy(states, at, spare)


@jit
def place(views: Views, prefix: int, last: int) -> int:
    """Where a sequence stands in the table, or a free place for it."""
    mask = len(views.number) - 1
    at = (((prefix * 0x9E3779B1) ^ (last * 0x85EBCA77)) >> 14) & mask
    while views.number[at] >= 0 and (views.prefix[at] != prefix or views.last[at] != last):
        at = (at + 1) & mask
    return at


@jit
def put(views: Views, at: int, prefix: int, last: int, number: int) -> None:
    """Fill a free place."""
    views.prefix[at], views.last[at], views.number[at] = prefix, last, number


@jit
def rehash(old: Views, new: Views) -> None:
    """Move all sequences to a larger table."""
    for i in range(len(old.number)):
        if old.number[i] >= 0:
            prefix, last = int(old.prefix[i]), int(old.last[i])
            put(new, place(new, prefix, last), prefix, last, int(old.number[i]))


@jit
def walk(states: Any, xs: Any, cursor: Numbers, stack: Stack, nodes: Walked, views: Views, pruning: Pruning, room: int) -> int:
    """Go on until the tree below ``cursor[BASE]`` is written down (`DONE`), room is lacking (`FULL`), or something is wrong.

    A node may have up to `room` children. There is one state more than depths in the stack.
    """
    while cursor[DEPTH] >= cursor[BASE]:
        depth = int(cursor[DEPTH])
        lacking = cursor[NODES] + room > len(nodes.actor) or 2 * (cursor[VIEWS] + 2) > len(views.number)
        if lacking or depth + 2 > len(stack.node):
            return FULL
        node = int(stack.node[depth])
        if stack.next[depth] < 0:
            status = write(states[depth], xs[0], cursor, stack, nodes, pruning, node, depth)
            if status != DONE:
                return status
            stack.next[depth] = 0
        if stack.next[depth] == nodes.children[node]:
            cursor[DEPTH] = depth - 1
            continue
        below = int(nodes.first[node] + stack.next[depth])
        stack.next[depth] += 1
        action = int(nodes.action[below])
        for seat in range(2):
            prefix, last = int(stack.known[depth, seat]), int(perceived(states[depth], action, seat))
            at = place(views, prefix, last)
            if views.number[at] < 0:
                put(views, at, prefix, last, int(cursor[VIEWS]))
                cursor[VIEWS] += 1
            stack.known[depth + 1, seat] = views.number[at]
        copy(states, depth + 1, depth)
        apply(states[depth + 1], action)
        if pruning.short == 1:
            run_out(states, depth + 1, depth + 2, xs[0], pruning)
        stack.node[depth + 1], stack.next[depth + 1] = below, -1
        cursor[DEPTH] = depth + 1
    return DONE


@jit
def write(s: Any, x: Any, cursor: Numbers, stack: Stack, nodes: Walked, pruning: Pruning, node: int, depth: int) -> int:
    """Write one node down and number its children."""
    seat = int(actor(s))
    nodes.actor[node] = seat
    if seat == OVER:
        mine, theirs = int(score(s, 0)), int(score(s, 1))
        if cursor[ENDS] == 0:
            cursor[SUM] = mine + theirs
        cursor[ENDS] += 1
        nodes.value[node] = (mine - theirs) / 2
        return DONE if cursor[SUM] == mine + theirs else NOT_CONSTANT
    if seat > 1:
        return NOT_TWO
    n = int(choices(s, x, seat, pruning))
    if n == 0:
        return EMPTY
    total = 0
    if seat == CHANCE:
        for i in range(n):
            total += int(x.weights[i])
    else:
        nodes.known[node] = stack.known[depth, seat]
    first = int(cursor[NODES])
    nodes.first[node], nodes.children[node] = first, n
    for i in range(n):
        nodes.parent[first + i], nodes.action[first + i], nodes.depth[first + i] = node, x.actions[i], depth + 1
        nodes.probability[first + i] = x.weights[i] / total if seat == CHANCE else 1.0
    cursor[NODES] = first + n
    return DONE


def count_nodes(
    start: npt.NDArray[np.void],
    *,
    without: Sequence[int] = (),
    decisive: Sequence[int] = (),
    short: bool = False,
    enough: float = 1e15,
) -> int:
    """How many nodes `kibitz.search.flat.flatten` would make of these states of a compiled game.

    Counting ends once there are more than `enough`: then there are at least as many as it says.
    """
    pruning = prune(without, decisive, short)
    states, often = start, np.ones(len(start))
    total = float(len(start) + (len(start) > 1))
    while len(states) and total <= enough:
        states, parent, _ = children(states, pruning)
        often = often[parent]
        total += often.sum()
        states, often = _distinct(states, often)
    return int(total)


def children(states: npt.NDArray[np.void], pruning: Pruning) -> tuple[npt.NDArray[np.void], Indices, Indices]:
    """What can come after each of these positions, in order; for each of those, which one it comes after and by what."""
    xs = game_of(states).scratches()
    room = len(xs["actions"][0]) * BATCH
    found, parents, actions = [], [], []
    for first in range(0, len(states), BATCH):
        below, parent, action = structs(states.dtype, room + 1), np.zeros(room, np.int32), np.zeros(room, np.int32)
        n = expand(states[first : first + BATCH], xs, pruning, below, parent, action)
        found.append(np.asarray(below[:n]).copy())
        parents.append(parent[:n] + first)
        actions.append(action[:n])
    return as_structs(np.concatenate(found)), np.concatenate(parents), np.concatenate(actions)


def node_states(start: npt.NDArray[np.void], pruning: Pruning) -> npt.NDArray[np.void]:
    """The position at every node of the tree that `flatten` makes of these states, in its order.

    (With several states the root above them has none: the first position is then that of node 1.)
    """
    levels = [np.asarray(start)]
    while len(levels[-1]):
        below, _, _ = children(as_structs(levels[-1]), pruning)
        levels.append(np.asarray(below))
    return as_structs(np.concatenate(levels))


def _distinct(states: npt.NDArray[np.void], often: Floats) -> tuple[npt.NDArray[np.void], Floats]:
    """Each of these positions once, and how often it occurs."""
    raw = np.frombuffer(states.tobytes(), f"S{states.dtype.itemsize}")
    _, first, which = np.unique(raw, return_index=True, return_inverse=True)
    distinct = structs(states.dtype, len(first))
    distinct[:] = states[first]
    return distinct, np.asarray(np.bincount(which, often, len(first)), np.float64)


@jit
def expand(states: Any, xs: Any, pruning: Pruning, below: Any, parent: Indices, action: Indices) -> int:
    """Write what comes after each of `states` to `below` [room + 1]; how many that are.

    `parent` and `action` [room] say after which state, and by which action.
    """
    n = 0
    for i in range(len(states)):
        seat = int(actor(states[i]))
        if seat != OVER:
            count = int(choices(states[i], xs[0], seat, pruning))
            for j in range(count):
                parent[n + j], action[n + j] = i, xs[0].actions[j]
                below[n + j] = states[i]
                apply(below[n + j], int(xs[0].actions[j]))
            if pruning.short == 1:
                for j in range(count):
                    run_out(below, n + j, n + count, xs[0], pruning)
            n += count
    return n

"""The compiled iterations of CFR over a whole tree, leaving out what cannot change anything.

In an iteration for one seat only those nodes matter to which chance and the opponent come at all: below what the opponent's
present strategy never does, the seat regrets nothing, and what it would win there counts for nothing above (Lanctot et al.
2009). A list of the other nodes is made from above, parents before children, and gone through backwards. Near an equilibrium it
holds a small part of the tree; the result is that of full sweeps. A strategy enters its average by information sets, not
by nodes: a player who forgets nothing comes to all nodes of a set with the same probability of its own.
"""

from typing import NamedTuple

import numpy as np

from kibitz.game import CHANCE, OVER
from kibitz.ground.jit import jit
from kibitz.search.flat import Flat, Floats, Indices, Offsets

#: The columns of `Course.nodes`.
ACTOR, FIRST, SLOT, CHILDREN = range(4)


class Course(NamedTuple):
    """A tree as the sweeps take it, and room for one of them."""

    nodes: Indices
    """[nodes, 4] what is needed of a node, side by side: its actor, first child, first slot, number of children."""
    probability: Floats
    """[nodes] how likely chance is to choose this node."""
    worth: Floats
    """[nodes] the values of the ends, and of all other nodes as last computed, for seat 0."""
    infoset: Indices
    """[nodes]"""
    set_seat: Indices
    """[sets]"""
    set_slot: Indices
    """[sets + 1]"""
    before: Indices
    """[sets] the slot with which the same player decided last (-1: it had not decided)."""
    before_set: Indices
    """[sets] the information set of that slot."""
    own: Floats
    """[sets] how likely its player comes to a set of its own doing."""
    queue: Indices
    """[nodes] those that are visited, parents before children."""
    reach: Floats
    """[nodes] for each entry of the queue: how likely chance and the opponent come there."""
    touched: Indices
    """[2, sets] by seat, the sets that were met in the last iteration."""
    met: Offsets
    """[sets] in which iteration a set was met last."""
    since: Offsets
    """[sets] up to which iteration the regrets of a set are discounted."""
    counts: Offsets
    """[2] how many sets `touched` holds for each seat."""


def course(flat: Flat) -> Course:
    """Room for the sweeps over a tree."""
    nodes, sets = len(flat.actor), len(flat.set_seat)
    last, before = np.full((nodes, 2), -1, np.int32), np.full(sets, -1, np.int32)
    decided_before(flat, last, before)
    of_slot = np.repeat(np.arange(sets, dtype=np.int32), np.diff(flat.set_slot))
    return Course(
        nodes=np.column_stack([flat.actor.astype(np.int32), flat.first, flat.slot, flat.children]),
        probability=flat.probability,
        worth=flat.value.copy(),
        infoset=flat.infoset,
        set_seat=flat.set_seat.astype(np.int32),
        set_slot=flat.set_slot,
        before=before,
        before_set=np.where(before >= 0, of_slot[before], -1).astype(np.int32) if sets else before,
        own=np.zeros(sets),
        queue=np.zeros(nodes, np.int32),
        reach=np.zeros(nodes),
        touched=np.zeros((2, sets), np.int32),
        met=np.full(sets, -2, np.int64),
        since=np.zeros(sets, np.int64),
        counts=np.zeros(2, np.int64),
    )


@jit
def decided_before(flat: Flat, last: Indices, before: Indices) -> None:
    """Fill `before` [sets]; `last` [nodes, 2], all -1, becomes the last slot of each seat above a node."""
    for node in range(len(flat.actor)):
        seat = flat.actor[node]
        if seat >= 0:
            before[flat.infoset[node]] = last[node, seat]
        for j in range(flat.children[node]):
            child = flat.first[node] + j
            last[child, 0], last[child, 1] = last[node, 0], last[node, 1]
            if seat >= 0:
                last[child, seat] = flat.slot[node] + j


@jit
def iterate(
    c: Course, regret: Floats, latest: Floats, current: Floats, total: Floats, schedule: Floats, first: int, predictive: bool
) -> int:
    """One iteration for each row of `schedule` (see `Method.schedule`); how many nodes were visited.

    `latest` [slots], all zeros, is where the regrets of one iteration are summed. The first iteration has the number `first`.
    """
    visits = 0
    for t in range(len(schedule)):
        now = first + t
        for seat in range(2):
            enter_average(c, current, total, seat, schedule[t, 2])
            length = list_nodes(c, current, seat)
            visits += length
            met = sum_regrets(c, latest, current, seat, length, now)
            count = met
            for i in range(c.counts[seat]):
                # Met in the last iteration and not in this one: what it expects now is no longer what it met then.
                if c.met[c.touched[seat, i]] < now:
                    c.queue[count] = c.touched[seat, i]
                    count += 1
            learn(c, regret, latest, current, schedule, count, first, t, predictive)
            for i in range(met):
                c.touched[seat, i] = c.queue[i]
            c.counts[seat] = met
    settle(c, regret, schedule, first)
    return visits


@jit
def enter_average(c: Course, current: Floats, total: Floats, seat: int, weight: float) -> None:
    """The current strategy of `seat` enters its average, weighed by how likely it leads to each of its sets."""
    for infoset in range(len(c.set_seat)):
        if c.set_seat[infoset] == seat:
            own, before = 1.0, c.before[infoset]
            if before >= 0:
                own = c.own[c.before_set[infoset]]
                if own > 0.0:
                    own *= current[before]
            c.own[infoset] = own
            if own > 0.0:
                for slot in range(c.set_slot[infoset], c.set_slot[infoset + 1]):
                    total[slot] += weight * own * current[slot]


@jit
def list_nodes(c: Course, current: Floats, seat: int) -> int:
    """List the nodes that are no ends and to which chance and the opponent of `seat` come; how many they are."""
    c.queue[0] = 0
    c.reach[0] = 1.0
    length, at = 1 if c.nodes[0, ACTOR] != OVER else 0, 0
    while at < length:
        node, reach = c.queue[at], c.reach[at]
        at += 1
        actor, first, slot = c.nodes[node, ACTOR], c.nodes[node, FIRST], c.nodes[node, SLOT]
        for j in range(c.nodes[node, CHILDREN]):
            child, likely = first + j, reach
            if actor == CHANCE:
                likely *= c.probability[child]
            elif actor != seat:
                likely *= current[slot + j]
            if likely > 0.0 and c.nodes[child, ACTOR] != OVER:
                c.queue[length], c.reach[length] = child, likely
                length += 1
    return length


@jit
def sum_regrets(c: Course, latest: Floats, current: Floats, seat: int, length: int, now: int) -> int:
    """The values of the listed nodes, from below; `seat` regrets what its actions would have won more than its strategy.

    The sets of `seat` that were met are then at the beginning of the queue; how many they are.
    """
    sign = 1.0 if seat == 0 else -1.0
    met = length
    for at in range(length - 1, -1, -1):
        node = c.queue[at]
        actor, first, slot, n = c.nodes[node, ACTOR], c.nodes[node, FIRST], c.nodes[node, SLOT], c.nodes[node, CHILDREN]
        mean = 0.0
        if actor == CHANCE:
            for j in range(n):
                mean += c.probability[first + j] * c.worth[first + j]
        else:
            for j in range(n):
                mean += current[slot + j] * c.worth[first + j]
            if actor == seat:
                weight = sign * c.reach[at]
                for j in range(n):
                    latest[slot + j] += weight * (c.worth[first + j] - mean)
                infoset = c.infoset[node]
                if c.met[infoset] != now:
                    c.met[infoset] = now
                    met -= 1
                    c.queue[met] = infoset  # the place of a node that was looked at already
        c.worth[node] = mean
    for i in range(length - met):
        c.queue[i] = c.queue[met + i]
    return length - met


@jit
def learn(
    c: Course,
    regret: Floats,
    latest: Floats,
    current: Floats,
    schedule: Floats,
    count: int,
    first: int,
    t: int,
    predictive: bool,
) -> None:
    """The regrets of one iteration join those of the first `count` sets of the queue, which decide anew.

    All is written out here: a function for each set would cost more than what it does.
    """
    for i in range(count):
        infoset = c.queue[i]
        begin, end = c.set_slot[infoset], c.set_slot[infoset + 1]
        positive, negative = 1.0, 1.0
        for past in range(c.since[infoset] - first, t):
            positive *= schedule[past, 0]
            negative *= schedule[past, 1]
        c.since[infoset] = first + t + 1
        total = 0.0
        for slot in range(begin, end):
            new = latest[slot]
            kept = regret[slot]
            kept = kept * (positive if kept > 0.0 else negative) + new
            kept *= schedule[t, 0] if kept > 0.0 else schedule[t, 1]
            regret[slot] = kept
            latest[slot] = 0.0
            expected = kept + new if predictive else kept
            current[slot] = max(expected, 0.0)
            total += current[slot]
        for slot in range(begin, end):
            current[slot] = current[slot] / total if total > 0.0 else 1.0 / (end - begin)


@jit
def settle(c: Course, regret: Floats, schedule: Floats, first: int) -> None:
    """Discount the regrets of sets that were not met for some iterations, as they would have been one by one."""
    for infoset in range(len(c.set_seat)):
        positive, negative = 1.0, 1.0
        for past in range(c.since[infoset] - first, len(schedule)):
            positive *= schedule[past, 0]
            negative *= schedule[past, 1]
        for slot in range(c.set_slot[infoset], c.set_slot[infoset + 1]):
            regret[slot] *= positive if regret[slot] > 0.0 else negative
        c.since[infoset] = first + len(schedule)


@jit
def match(regret: Floats, current: Floats, begin: int, end: int) -> None:
    """Regret matching (Hart and Mas-Colell 2000): play in proportion to the positive regrets; uniformly if there are none."""
    total = 0.0
    for slot in range(begin, end):
        total += max(regret[slot], 0.0)
    for slot in range(begin, end):
        current[slot] = max(regret[slot], 0.0) / total if total > 0.0 else 1.0 / (end - begin)

"""The compiled iterations of CFR, in the sequence form: all ends of the tree as one sparse matrix.

A *sequence* is the last thing a player did (a slot), or nothing yet; with perfect recall it stands for all that the player did
before. An end is worth something to a pair of sequences, one of each seat, times how likely chance leads there; ends with
the same pair are one entry, and those that are worth nothing are none (Koller, Megiddo and von Stengel 1994). An iteration for
one seat is then short: the opponent's strategy as the likelihood of its sequences (its *plan*), what each sequence of the seat
gains against it (a product with the matrix, in which what the opponent never does is skipped), and one sweep over the seat's
own information sets from below. The nodes between are never looked at. The result is that of sweeps over the whole tree.
"""

from typing import NamedTuple

import numpy as np

from kibitz.game import CHANCE, OVER
from kibitz.ground.jit import jit
from kibitz.search.flat import Bytes, Flat, Floats, Indices, Offsets

#: Errors of rounding, where the ends are worth 1.
ROUNDING = 4e-15


class Course(NamedTuple):
    """A tree as the sweeps take it, and room for one of them. Sequence 0 is to have done nothing yet, sequence k slot k - 1."""

    set_slot: Indices
    """[sets + 1] where the slots of each information set begin."""
    before: Indices
    """[sets] the sequence of its player above a set."""
    own: Indices
    """[sets] the sets of seat 0, parents before children, then those of seat 1."""
    parts: Offsets
    """[3] where the sets of each seat begin in `own`."""
    begin: Offsets
    """[2, sequences + 1] for a seat, where the entries of each sequence of its opponent begin."""
    row: Indices
    """[2, entries] the sequence of the seat."""
    worth: Floats
    """[2, entries] what the ends of the two sequences are worth to the seat, times chance."""
    plan: Floats
    """[sequences] how likely its player comes to a sequence of its own doing, by the present strategies."""
    lives: Bytes
    """[sets] whether its player comes to a set of its own doing."""
    gain: Floats
    """[sequences] what a sequence of the seat gains, in a sweep; zeros between two."""
    met: Bytes
    """[sets] whether the opponent came to a set in the last iteration."""
    since: Offsets
    """[sets] up to which iteration the regrets of a set are discounted."""
    noise: Floats
    """[1] regrets below this are errors of rounding: they must not decide between actions that are equally good."""


def course(flat: Flat) -> Course:
    """The sequence form of a tree."""
    nodes, sets, many = len(flat.actor), len(flat.set_seat), len(flat.slot_action) + 1
    last, chance, before = np.zeros((nodes, 2), np.int32), np.ones(nodes), np.zeros(sets, np.int32)
    come(flat, last, chance, before)
    ends = np.flatnonzero((flat.actor == OVER) & (flat.value * chance != 0.0))
    # By pairs of sequences, first by that of seat 1, which is the opponent of seat 0.
    pairs = last[ends, 1].astype(np.int64) * many + last[ends, 0]
    order = np.argsort(pairs, kind="stable")
    found, opening = np.unique(pairs[order], return_index=True)
    won = (flat.value * chance)[ends][order]
    won = np.add.reduceat(won, opening) if len(won) else won
    one, two = (found % many).astype(np.int32), (found // many).astype(np.int32)
    back = np.argsort(one, kind="stable")
    of_seat = [np.flatnonzero(flat.set_seat == seat).astype(np.int32) for seat in range(2)]
    return Course(
        set_slot=flat.set_slot,
        before=before,
        own=np.concatenate(of_seat),
        parts=np.array([0, len(of_seat[0]), sets]),
        begin=np.array([np.searchsorted(two, np.arange(many + 1)), np.searchsorted(one[back], np.arange(many + 1))]),
        row=np.array([one, two[back]]),
        worth=np.array([won, -won[back]]),
        plan=np.ones(many),
        lives=np.zeros(sets, np.int8),
        gain=np.zeros(many),
        met=np.zeros(sets, np.int8),
        since=np.zeros(sets, np.int64),
        noise=np.array([ROUNDING * float(np.abs(flat.value).max())]),
    )


@jit
def come(flat: Flat, last: Indices, chance: Floats, before: Indices) -> None:
    """Fill `last` [nodes, 2] with the sequence of each seat at a node, `chance` [nodes], and `before` [sets]."""
    for node in range(len(flat.actor)):
        seat = flat.actor[node]
        if seat >= 0:
            before[flat.infoset[node]] = last[node, seat]
        for j in range(flat.children[node]):
            child = flat.first[node] + j
            last[child, 0], last[child, 1], chance[child] = last[node, 0], last[node, 1], chance[node]
            if seat >= 0:
                last[child, seat] = flat.slot[node] + j + 1
            elif seat == CHANCE:
                chance[child] *= flat.probability[child]


@jit
def iterate(c: Course, regret: Floats, current: Floats, total: Floats, schedule: Floats, first: int, predictive: bool) -> int:
    """One iteration for each row of `schedule` (see `Method.schedule`), of which the first has the number `first`.

    How many entries of the matrix and how many sets were looked at.
    """
    looked = 0
    for seat in range(2):
        make_plan(c, current, seat, True)
    for t in range(len(schedule)):
        for seat in range(2):
            enter_average(c, total, seat, schedule[t, 2])
            looked += sum_gains(c, seat)
            looked += learn(c, regret, current, seat, schedule, first, t, predictive)
            make_plan(c, current, seat, False)
    settle(c, regret, schedule, first)
    return looked


@jit
def make_plan(c: Course, strategy: Floats, seat: int, anew: bool) -> None:
    """How likely a strategy of `seat` leads to each of its sequences; unless `anew`, what was and is never done stays 0."""
    for i in range(c.parts[seat], c.parts[seat + 1]):
        infoset = c.own[i]
        above = c.plan[c.before[infoset]]
        if above > 0.0:
            c.lives[infoset] = 1
            for slot in range(c.set_slot[infoset], c.set_slot[infoset + 1]):
                c.plan[slot + 1] = above * strategy[slot]
        elif anew or c.lives[infoset] > 0:
            c.lives[infoset] = 0
            for slot in range(c.set_slot[infoset], c.set_slot[infoset + 1]):
                c.plan[slot + 1] = 0.0


@jit
def enter_average(c: Course, total: Floats, seat: int, weight: float) -> None:
    """The present strategy of `seat` enters its average, weighed by how likely it leads to each of its sets."""
    for i in range(c.parts[seat], c.parts[seat + 1]):
        infoset = c.own[i]
        if c.lives[infoset] > 0:
            for slot in range(c.set_slot[infoset], c.set_slot[infoset + 1]):
                total[slot] += weight * c.plan[slot + 1]


@jit
def sum_gains(c: Course, seat: int) -> int:
    """What each sequence of `seat` gains at the ends right after it, against the plan of the opponent.

    How many entries were looked at.
    """
    looked = add_gains(c, seat, 0)
    other = 1 - seat
    for i in range(c.parts[other], c.parts[other + 1]):
        infoset = c.own[i]
        if c.lives[infoset] > 0:
            for slot in range(c.set_slot[infoset], c.set_slot[infoset + 1]):
                looked += add_gains(c, seat, slot + 1)
    return int(looked)


@jit
def add_gains(c: Course, seat: int, sequence: int) -> int:
    """What all gain against one sequence of the opponent of `seat`; how many entries that took."""
    likely = c.plan[sequence]
    if likely == 0.0:
        return 0
    begin, end = c.begin[seat, sequence], c.begin[seat, sequence + 1]
    for k in range(begin, end):
        c.gain[c.row[seat, k]] += likely * c.worth[seat, k]
    return int(end - begin)


@jit
def learn(c: Course, regret: Floats, current: Floats, seat: int, schedule: Floats, first: int, t: int, predictive: bool) -> int:
    """From below, `seat` regrets what its actions would have gained more than its strategy, and decides anew.

    Sets to which the opponent does not come regret nothing, and are left out: what they forget meanwhile is made up for when
    their turn comes. All is written out here: a function for each set would cost more than what it does. How many sets were
    looked at.
    """
    looked = 0
    for i in range(c.parts[seat + 1] - 1, c.parts[seat] - 1, -1):
        infoset = c.own[i]
        begin, end = c.set_slot[infoset], c.set_slot[infoset + 1]
        mean, met = 0.0, 0
        for slot in range(begin, end):
            if c.gain[slot + 1] != 0.0:
                met = 1
                mean += current[slot] * c.gain[slot + 1]
        if met + c.met[infoset] == 0:
            continue
        c.met[infoset] = met  # once more after it was met: what it expects is then no longer what it met
        looked += 1
        c.gain[c.before[infoset]] += mean
        positive = 0.0
        for slot in range(begin, end):
            new = c.gain[slot + 1] - mean
            if abs(new) < c.noise[0]:
                new = 0.0
            c.gain[slot + 1] = 0.0
            kept = regret[slot]
            for past in range(c.since[infoset] - first, t):
                kept *= schedule[past, 0] if kept > 0.0 else schedule[past, 1]
            kept += new
            kept *= schedule[t, 0] if kept > 0.0 else schedule[t, 1]
            regret[slot] = kept
            expected = kept + new if predictive else kept
            current[slot] = max(expected, 0.0)
            positive += current[slot]
        c.since[infoset] = first + t + 1
        for slot in range(begin, end):
            current[slot] = current[slot] / positive if positive > 0.0 else 1.0 / (end - begin)
    c.gain[0] = 0.0
    return looked


@jit
def settle(c: Course, regret: Floats, schedule: Floats, first: int) -> None:
    """Discount the regrets of sets that were not met for some iterations, as they would have been one by one."""
    for infoset in range(len(c.before)):
        for slot in range(c.set_slot[infoset], c.set_slot[infoset + 1]):
            kept = regret[slot]
            if kept != 0.0:
                for past in range(c.since[infoset] - first, len(schedule)):
                    kept *= schedule[past, 0] if kept > 0.0 else schedule[past, 1]
                regret[slot] = kept
        c.since[infoset] = first + len(schedule)


@jit
def gained(c: Course, strategy: Floats, seat: int, best: bool) -> float:
    """What `seat` wins with its part of a strategy, or at `best`, against the other part."""
    make_plan(c, strategy, 1 - seat, True)
    sum_gains(c, seat)
    for i in range(c.parts[seat + 1] - 1, c.parts[seat] - 1, -1):
        infoset = c.own[i]
        begin, end = c.set_slot[infoset], c.set_slot[infoset + 1]
        mean, most = 0.0, c.gain[begin + 1]
        for slot in range(begin, end):
            mean += strategy[slot] * c.gain[slot + 1]
            most = max(most, c.gain[slot + 1])
            c.gain[slot + 1] = 0.0
        c.gain[c.before[infoset]] += most if best else mean
    won = float(c.gain[0])
    c.gain[0] = 0.0
    return won


@jit
def match(regret: Floats, current: Floats, begin: int, end: int) -> None:
    """Regret matching (Hart and Mas-Colell 2000): play in proportion to the positive regrets; uniformly if there are none."""
    total = 0.0
    for slot in range(begin, end):
        total += max(regret[slot], 0.0)
    for slot in range(begin, end):
        current[slot] = max(regret[slot], 0.0) / total if total > 0.0 else 1.0 / (end - begin)

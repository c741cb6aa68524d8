"""The compiled loops over all worlds of a `kibitz.belief.worlds.WeightedWorlds`.

A world is a row of 64-bit words that hold small counts ("cells"), five bits each, ten to a word. Shapes: `key`
[worlds, words], in ascending order and all different, `prob` [worlds]; an edge of a layer is (`parent`, `child`, `label`,
`share`), see `worlds`.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.ground.jit import jit

#: Bits of one cell, cells in one word, the largest count.
BITS, PER_WORD = 5, 10
MOST = (1 << BITS) - 1

#: The label of an edge that stands for no question anybody asks.
UNLABELLED = -1

Ints: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.int32]
Labels: TypeAlias = npt.NDArray[np.int8]
Floats: TypeAlias = npt.NDArray[np.float64]
Edges: TypeAlias = tuple[Indices, Indices, Labels, Floats]


@jit
def cell_of(key: Ints, i: int, cell: int) -> int:
    """One count of world `i`."""
    return int(key[i, cell // PER_WORD] >> (BITS * (cell % PER_WORD))) & MOST


@jit
def holds(key: Ints, i: int, rule: Ints) -> bool:
    """Whether world `i` keeps every row of a rule: low <= the sum of some cells <= high.

    A row is [low, high, number of cells, cells ...].
    """
    for j in range(rule.shape[0]):
        total = 0
        for c in range(rule[j, 2]):
            total += cell_of(key, i, rule[j, 3 + c])
        if total < rule[j, 0] or total > rule[j, 1]:
            return False
    return True


@jit
def shift(key: Ints, delta: Ints) -> None:
    """Add packed counts to every world."""
    for i in range(key.shape[0]):
        for w in range(key.shape[1]):
            key[i, w] += delta[w]


@jit
def judge(key: Ints, prob: Floats, rule: Ints, alive: Indices) -> tuple[int, float]:
    """How many worlds keep a rule and their probability; `alive` says which."""
    kept = 0
    mass = 0.0
    for i in range(key.shape[0]):
        if holds(key, i, rule):
            alive[i] = 1
            kept += 1
            mass += prob[i]
        else:
            alive[i] = 0
    return kept, mass


@jit
def compact(key: Ints, prob: Floats, alive: Indices, mass: float) -> int:
    """Move the worlds that are alive to the front and normalise them; `alive` becomes their new places (-1: none)."""
    n = 0
    for i in range(key.shape[0]):
        if alive[i] != 0:
            for w in range(key.shape[1]):
                key[n, w] = key[i, w]
            prob[n] = prob[i] / mass
            alive[i] = n
            n += 1
        else:
            alive[i] = -1
    return n


@jit
def renumber(parent: Indices, child: Indices, label: Labels, share: Floats, places: Indices) -> int:
    """Drop the edges to children without a place and number the others anew."""
    m = 0
    for e in range(child.shape[0]):
        place = places[child[e]]
        if place >= 0:
            parent[m], child[m], label[m], share[m] = parent[e], place, label[e], share[e]
            m += 1
    return m


@jit
def find_parents(parent: Indices, places: Indices) -> int:
    """Number the parents that still have a child, in order; the others get -1."""
    places[:] = -1
    for e in range(parent.shape[0]):
        places[parent[e]] = 1
    n = 0
    for i in range(places.shape[0]):
        if places[i] >= 0:
            places[i] = n
            n += 1
    return n


@jit
def only_label(label: Labels) -> int:
    """The label that all edges carry; -2 if there are several."""
    first = int(label[0])
    for e in range(label.shape[0]):
        if label[e] != first:
            return -2
    return first


@jit
def find_or_add(key: Ints, n: int, slots: Indices, row: Ints) -> int:
    """The place of `row` among the first `n` of `key` by open addressing; n if it is new (and then it is added)."""
    mixed = 0
    for w in range(row.shape[0]):
        half = int(row[w]) & 0x1FFFFFF
        mixed += half * (0x9E3779B1 + 2 * w) + (int(row[w]) >> 25) * (0x85EBCA77 + 2 * w)
        mixed ^= mixed >> 23
    at = (mixed ^ (mixed >> 17)) & (slots.shape[0] - 1)
    while True:
        place = int(slots[at])
        if place < 0:
            slots[at] = n
            for w in range(row.shape[0]):
                key[n, w] = row[w]
            return n
        same = True
        for w in range(row.shape[0]):
            if key[place, w] != row[w]:
                same = False
                break
        if same:
            return place
        at = (at + 1) & (slots.shape[0] - 1)


@jit
def slots_for(n: int) -> Indices:
    """An empty hash table for `n` worlds."""
    size = 16
    while size < 2 * n:
        size *= 2
    return np.full(size, -1, np.int32)


@jit
def to_shares(child: Indices, share: Floats, prob: Floats) -> None:
    """From the flow over each edge to the share that it has in what its child gets."""
    for e in range(child.shape[0]):
        share[e] /= prob[child[e]]


@jit
def next_holder(key: Ints, i: int, cell: int) -> int:
    """The first world, at `i` or later, that holds a card in a cell."""
    while i < key.shape[0] and cell_of(key, i, cell) == 0:
        i += 1
    return i


@jit
def move_one(key: Ints, prob: Floats, source: int, target: int, labels: int) -> tuple[Ints, Floats, Edges]:
    """One of the cards in the cells `source` ... is drawn at random and moves to the like cell of `target` ...

    Returns the new worlds, their probabilities (worlds without a card to draw die, so they may sum to less than 1) and
    the edges, labelled by the offset of the cell. The worlds are in order, so those after a move of one kind of card are in
    order, too: it is enough to merge as many lists as there are kinds.
    """
    worlds, words = key.shape
    count = 0
    each = np.empty(worlds, np.float64)
    for i in range(worlds):
        total = 0
        for r in range(labels):
            held = cell_of(key, i, source + r)
            total += held
            count += held > 0
        each[i] = prob[i] / total if total > 0 else 0.0
    parent, child = np.empty(count, np.int32), np.empty(count, np.int32)
    label, share = np.empty(count, np.int8), np.empty(count, np.float64)
    fresh, mass = np.empty((count, words), np.int64), np.zeros(count, np.float64)
    step, head, at = np.zeros((labels, words), np.int64), np.empty((labels, words), np.int64), np.empty(labels, np.int64)
    for r in range(labels):
        step[r, (source + r) // PER_WORD] -= np.int64(1) << (BITS * ((source + r) % PER_WORD))
        step[r, (target + r) // PER_WORD] += np.int64(1) << (BITS * ((target + r) % PER_WORD))
        at[r] = next_holder(key, 0, source + r)
        if at[r] < worlds:
            for w in range(words):
                head[r, w] = key[at[r], w] + step[r, w]
    n = -1
    for e in range(count):
        first = -1
        for r in range(labels):
            if at[r] < worlds and (first < 0 or precedes(head, r, first)):
                first = r
        new = n < 0
        for w in range(words):
            new = new or fresh[n, w] != head[first, w]
        if new:
            n += 1
            for w in range(words):
                fresh[n, w] = head[first, w]
        i = int(at[first])
        flow = each[i] * cell_of(key, i, source + first)
        mass[n] += flow
        parent[e], child[e], label[e], share[e] = i, n, first, flow
        i = next_holder(key, i + 1, source + first)
        at[first] = i
        if i < worlds:
            for w in range(words):
                head[first, w] = key[i, w] + step[first, w]
    to_shares(child, share, mass)
    return fresh[: n + 1], mass[: n + 1], (parent, child, label, share)


@jit
def precedes(rows: Ints, i: int, j: int) -> bool:
    """Whether row `i` comes before row `j` in the order of worlds."""
    for w in range(rows.shape[1]):
        if rows[i, w] != rows[j, w]:
            return bool(rows[i, w] < rows[j, w])
    return False


@jit
def fractions(key: Ints, cell: int, first: int, kinds: int, out: Floats) -> None:
    """Into `out`: which part of the cards in the cells `first` ... lies in `cell` (0 where there are none)."""
    for i in range(key.shape[0]):
        total = 0
        for r in range(kinds):
            total += cell_of(key, i, first + r)
        out[i] = cell_of(key, i, cell) / total if total > 0 else 0.0


@jit
def binomial(n: int, k: int) -> float:
    """How many ways there are to choose k of n."""
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


@jit
def next_bundle(bundle: Ints, held: Ints, size: int) -> bool:
    """The next way to take `size` cards out of `held` (lexicographic); False after the last. All zero: the first."""
    kinds = held.shape[0]
    if bundle.sum() != 0:
        # Give one more to the last place that can take one from the places after it
        after = 0
        at = kinds - 1
        while at >= 0 and (after == 0 or bundle[at] == held[at]):
            after += bundle[at]
            at -= 1
        if at < 0:
            return False
        bundle[at] += 1
        size = after - 1
    else:
        at = -1
    for r in range(at + 1, kinds):
        bundle[r] = 0
    r = kinds - 1
    while size > 0 and r > at:
        bundle[r] = min(size, held[r])
        size -= bundle[r]
        r -= 1
    return size == 0


@jit
def count_ways(held: Ints, size: int) -> int:
    """How many different bundles of `size` cards can be taken out of `held`."""
    ways = np.zeros(size + 1, np.int64)
    ways[0] = 1
    for r in range(held.shape[0]):
        for s in range(size, -1, -1):
            for take in range(1, min(held[r], s) + 1):
                ways[s] += ways[s - take]
    return int(ways[size])


@jit
def count_bundles(key: Ints, first: int, kinds: int, size: int) -> int:
    """The same for the cells `first` ..., summed over all worlds."""
    held = np.empty(kinds, np.int64)
    total = 0
    for i in range(key.shape[0]):
        for r in range(kinds):
            held[r] = cell_of(key, i, first + r)
        total += count_ways(held, size)
    return total


@jit
def take_some(
    key: Ints, prob: Floats, first: int, kinds: int, size: int, count: int, by_card: bool
) -> tuple[Ints, Floats, Edges]:
    """`size` of the cards in the cells `first` ... are taken away (`count` edges, as counted).

    All cards are equally likely or, if not `by_card`, all different bundles.
    """
    parent, child = np.empty(count, np.int32), np.empty(count, np.int32)
    label, share = np.full(count, UNLABELLED, np.int8), np.empty(count, np.float64)
    fresh, mass = np.empty((count, key.shape[1]), np.int64), np.zeros(count, np.float64)
    row = np.empty(key.shape[1], np.int64)
    held, bundle = np.empty(kinds, np.int64), np.zeros(kinds, np.int64)
    slots = slots_for(count)
    n = e = 0
    for i in range(key.shape[0]):
        total = 0
        for r in range(kinds):
            held[r] = cell_of(key, i, first + r)
            total += held[r]
        if total < size:
            continue
        bundle[:] = 0
        each = prob[i] / (binomial(total, size) if by_card else count_ways(held, size))
        while next_bundle(bundle, held, size):
            ways = 1.0
            for w in range(key.shape[1]):
                row[w] = key[i, w]
            for r in range(kinds):
                if by_card:
                    ways *= binomial(held[r], bundle[r])
                row[(first + r) // PER_WORD] -= bundle[r] << (BITS * ((first + r) % PER_WORD))
            flow = each * ways
            place = find_or_add(fresh, n, slots, row)
            n += place == n
            mass[place] += flow
            parent[e], child[e], share[e] = i, place, flow
            e += 1
            if size == 0:
                break
    to_shares(child[:e], share[:e], mass)
    return fresh[:n], mass[:n], (parent[:e], child[:e], label[:e], share[:e])


@jit
def gather(key: Ints, sources: Ints, target: int) -> None:
    """All cards of the cells `sources` move into the cell `target`."""
    for i in range(key.shape[0]):
        for c in sources:
            held = cell_of(key, i, c)
            key[i, c // PER_WORD] -= np.int64(held) << (BITS * (c % PER_WORD))
            key[i, target // PER_WORD] += np.int64(held) << (BITS * (target % PER_WORD))


@jit
def merge(key: Ints, prob: Floats, child: Indices) -> tuple[Ints, Floats]:
    """The different rows of `key` in order of appearance with their probabilities; `child` is where each row went."""
    fresh, mass = np.empty_like(key), np.zeros(key.shape[0], np.float64)
    slots = slots_for(key.shape[0])
    n = 0
    for i in range(key.shape[0]):
        place = find_or_add(fresh, n, slots, key[i])
        n += place == n
        mass[place] += prob[i]
        child[i] = place
    return fresh[:n], mass[:n]


@jit
def tally(key: Ints, prob: Floats, out: Floats) -> None:
    """Into `out` [cells, counts]: the distribution of each cell."""
    out[:] = 0.0
    for i in range(key.shape[0]):
        for c in range(out.shape[0]):
            out[c, cell_of(key, i, c)] += prob[i]


@jit
def tally_sums(key: Ints, prob: Floats, which: Ints, out: Floats) -> None:
    """Into `out` [counts]: the distribution of the sum of some cells."""
    out[:] = 0.0
    for i in range(key.shape[0]):
        total = 0
        for c in which:
            total += cell_of(key, i, c)
        out[total] += prob[i]


@jit
def backward(edges: Edges, after: Floats, before: Floats, odds: Floats) -> None:
    """One step of the backward sweep: from the probabilities of the children to those of the parents and of the labels."""
    parent, child, label, share = edges
    before[:] = 0.0
    odds[:] = 0.0
    for e in range(parent.shape[0]):
        flow = after[child[e]] * share[e]
        before[parent[e]] += flow
        if label[e] >= 0:
            odds[label[e]] += flow


@jit
def forward(edges: Edges, before: Floats, after: Floats, wanted: int) -> None:
    """For each child the share of its past that passes `before` and, if `wanted` is a label, carries that label."""
    parent, child, label, share = edges
    after[:] = 0.0
    for e in range(parent.shape[0]):
        if wanted < 0 or label[e] == wanted:
            after[child[e]] += share[e] * before[parent[e]]


@jit
def unpack(key: Ints, cells: int) -> npt.NDArray[np.uint8]:
    """All counts as a matrix [worlds, cells]."""
    out = np.empty((key.shape[0], cells), np.uint8)
    for i in range(key.shape[0]):
        for c in range(cells):
            out[i, c] = cell_of(key, i, c)
    return out

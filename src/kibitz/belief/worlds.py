"""A weighted set of worlds: every way in which the hidden things can lie, with its exact probability.

A world is a row of small counts ("cells": the cards of each kind in each hand, say). Every event transforms,
filters or branches all worlds at once, and equal worlds merge:

>>> worlds = WeightedWorlds([2, 1, 0, 0], labels=2)  # somebody holds 2 of one kind and 1 of another, somebody else nothing
>>> worlds.draw(source=0, target=2, kinds=2, tag=1)  # one card changes hands, nobody says which
[]
>>> [(row.tolist(), round(p, 3)) for row, p in worlds]
[([1, 1, 1, 0], 0.667), ([2, 0, 0, 1], 0.333)]
>>> worlds.odds(1).round(3).tolist()
[0.667, 0.333]

Nothing is forgotten: each draw adds a *layer*, whose edges lead from a world before (the parent) to a world after it
(the child), labelled with the card that moved. The *share* of an edge is the part that it has in its child's
probability, that is the probability that this child came about by this edge. So one sweep backward, from the
worlds of today, gives the posterior of every card ever drawn, and an answer that is known to somebody is a mask on edges.
A layer of which one label is left is resolved, and folds away:

>>> worlds.filter((Rule((3,), at_least=1),))  # the second holds one of the other kind
[Resolved(tag=1, label=1)]
>>> len(worlds), worlds.layers
(1, [])
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.belief import kernels
from kibitz.belief.kernels import MOST, UNLABELLED, Edges, Floats, Indices, Ints
from kibitz.belief.pieces import Layer, Rule, fractions, most_likely_first, packed, packed_rows, packed_rules, pick
from kibitz.ground.rng import Stream

#: Bytes of an edge, and of a world while a branch is computed (old and new row, probabilities, hash table).
EDGE_BYTES, WORLD_BYTES = 17, 64
#: Its multiples are spread evenly, without any period.
GOLDEN = (5**0.5 - 1) / 2
#: What counts as dropped, relative to what is left, where a sample stands for all worlds: so much that the bound says nothing.
SAMPLED = 1e9


class Impossible(ValueError):
    """No world is left: the evidence contradicts all of them. The set is as it was."""


class Resolved(NamedTuple):
    """A question of which only one answer is left."""

    tag: int
    label: int


class WeightedWorlds:
    """All possible worlds with their probabilities. It starts with one; `labels` is how many answers a question has."""

    __slots__ = ("_answers", "_conditional", "cells", "dropped", "key", "labels", "layers", "prob")

    def __init__(self, counts: Sequence[int], labels: int = 5) -> None:
        self.cells = len(counts)
        self.labels = labels
        self.key: Ints = packed(tuple(counts)).reshape(1, -1).copy()
        self.prob: Floats = np.ones(1)
        self.layers: list[Layer] = []
        #: What pruning has thrown away, relative to what is left (see `error_bound`).
        self.dropped = 0.0
        self._answers: dict[int, int] = {}
        self._conditional: Floats | None = None

    def copy(self) -> WeightedWorlds:
        """The same set, to try something out."""
        other = WeightedWorlds((), self.labels)
        other.cells, other.dropped = self.cells, self.dropped
        other.key, other.prob = self.key.copy(), self.prob.copy()
        other.layers = [
            Layer(layer.tag, layer.parents, layer.parent.copy(), layer.child.copy(), layer.label.copy(), layer.share.copy())
            for layer in self.layers
        ]
        other._answers = dict(self._answers)
        return other

    def __len__(self) -> int:
        return len(self.prob)

    def __iter__(self) -> Iterator[tuple[npt.NDArray[np.uint8], float]]:
        """Each world (its counts) with its probability, most likely first."""
        probabilities = self.probabilities()
        counts = self.counts()
        for i in most_likely_first(probabilities):
            yield counts[i], float(probabilities[i])

    def find(self, counts: Sequence[int]) -> int:
        """The number of the world with these counts. Raises `Impossible` if there is none."""
        found = np.flatnonzero((self.key == packed(tuple(counts))).all(axis=1))
        if not len(found) or self.probabilities()[found[0]] <= 0:
            raise Impossible
        return int(found[0])

    def counts(self, places: npt.NDArray[np.intp] | None = None) -> npt.NDArray[np.uint8]:
        """The counts of all worlds [worlds, cells], in the order of `probabilities`; or of those with some numbers."""
        return kernels.unpack(self.key if places is None else self.key[places], self.cells)

    @property
    def nbytes(self) -> int:
        """The memory of worlds and layers."""
        return self.key.nbytes + self.prob.nbytes + sum(layer.nbytes for layer in self.layers)

    @property
    def error_bound(self) -> float:
        """No probability is off by more than this: 0 unless worlds were pruned.

        What was dropped could have explained everything seen since, so each piece of evidence raises the bound.
        """
        if not self.dropped:
            return 0.0
        left = float((self.prob * self._pasts(self._answers)[-1]).sum()) if self._answers else 1.0
        return self.dropped / (left + self.dropped)

    def check(self) -> None:
        """Assert that this is a probability distribution over different worlds, now and in every layer."""
        assert abs(self.prob.sum() - 1) < 1e-9, f"the probabilities sum to {self.prob.sum()}"
        assert (self.prob > 0).all(), "a world without probability"
        rows = [tuple(row) for row in self.key.tolist()]
        assert all(a < b for a, b in itertools.pairwise(rows)), "the worlds are not in order, or one appears twice"
        after = len(self)
        for layer in reversed(self.layers):
            shares = np.bincount(layer.child, layer.share, minlength=after)
            assert np.allclose(shares, 1, atol=1e-9), f"layer {layer.tag}: the shares of a world do not sum to 1"
            assert len(np.unique(layer.parent)) == layer.parents, f"layer {layer.tag}: a parent without children"
            after = layer.parents

    # --- evidence and change ------------------------------------------------------------------------------------

    def filter(self, rules: tuple[Rule, ...], change: tuple[int, ...] = ()) -> list[Resolved]:
        """Keep the worlds in which all rules hold, then add `change` to the counts; what this resolved."""
        alive = np.empty(len(self.prob), np.int32)
        kept, mass = kernels.judge(self.key, self.prob, packed_rules(rules), alive)
        if not kept:
            raise Impossible
        resolved = [] if kept == len(alive) else self._keep(alive, mass)
        if change:
            self.shift(change)
        return resolved

    def shift(self, change: tuple[int, ...]) -> None:
        """Add `change` to the counts of every world."""
        kernels.shift(self.key, packed(change))

    def weigh(self, likelihood: Floats, change: tuple[int, ...] = ()) -> list[Resolved]:
        """Evidence with a likelihood for each world, then `change`; what this resolved."""
        weight = self.prob * likelihood
        mass = float(weight.sum())
        if mass <= 0:
            raise Impossible
        alive = (weight > 0).astype(np.int32)
        self._must_agree(alive)
        self.prob = weight
        resolved = self._keep(alive, mass)
        if change:
            self.shift(change)
        return resolved

    def weigh_draw(self, cell: int, first: int, kinds: int, change: tuple[int, ...]) -> list[Resolved]:
        """A card of `cell` was drawn at random from the `kinds` cells at `first`: the more of them it holds, the likelier."""
        likelihood = np.empty(len(self))
        kernels.fractions(self.key, cell, first, kinds, likelihood)
        return self.weigh(likelihood, change)

    def gather(self, sources: Sequence[int], target: int) -> None:
        """All cards of some cells move to another; equal worlds merge, in a layer that remembers which they were."""
        self._conditional = None
        kernels.gather(self.key, np.array(sources, np.int64), target)
        child = np.empty(len(self), np.int32)
        key, prob = kernels.merge(self.key, self.prob, child)
        if len(prob) < len(self):
            parent = np.arange(len(self), dtype=np.int32)
            label = np.full(len(self), UNLABELLED, np.int8)
            self._add_layer(None, key, prob, (parent, child, label, self.prob / prob[child]))
        else:
            self._put_in_order()

    def _put_in_order(self) -> None:
        """Sort the worlds by their rows, as the kernels want them."""
        order = np.lexsort(self.key.T[::-1])
        places = np.empty(len(order), np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        self.key, self.prob = self.key[order], self.prob[order]
        if self.layers:
            self.layers[-1].child = places[self.layers[-1].child]

    def draw(self, source: int, target: int, kinds: int, tag: int, memory: int | None = None) -> list[Resolved]:
        """One card of the `kinds` cells that begin at `source` moves at random to the like cell of those at `target`.

        Worlds with no card to draw die, by the likelihood of the draw. Should the layer need more bytes than are left
        of `memory`, only the most likely worlds are branched, and the rest is dropped.
        """
        _, resolved = self._make_room(lambda: kinds * len(self), memory)
        return resolved + self._branched(tag, *kernels.move_one(self.key, self.prob, source, target, kinds))

    def take(self, first: int, kinds: int, size: int, *, by_card: bool = True, memory: int | None = None) -> list[Resolved]:
        """`size` cards of the `kinds` cells that begin at `first` go away, unseen.

        Every card has the same chance or, if not `by_card`, every different bundle. `memory` is as in `draw`.
        """
        edges, resolved = self._make_room(lambda: kernels.count_bundles(self.key, first, kinds, size), memory)
        return resolved + self._branched(None, *kernels.take_some(self.key, self.prob, first, kinds, size, edges, by_card))

    def _make_room(self, count_edges: Callable[[], int], memory: int | None) -> tuple[int, list[Resolved]]:
        """Drop the less likely half of the worlds until the edges of a layer fit, or get no fewer; their number."""
        resolved: list[Resolved] = []
        edges, before = count_edges(), len(self) + 1
        while memory is not None and len(self) < before and self.nbytes + edges * (EDGE_BYTES + WORLD_BYTES) > memory:
            before = len(self)
            resolved += self.prune(max(1, before // 2))
            edges = count_edges()
        return edges, resolved

    def branch(self, parent: Indices, counts: npt.NDArray[np.int64], flow: Floats) -> list[Resolved]:
        """Any other branching: new worlds `counts` [edges, cells] with the `flow` of probability from each parent."""
        keys = packed_rows(counts)
        child = np.empty(len(keys), np.int32)
        key, prob = kernels.merge(keys, flow, child)
        label = np.full(len(keys), UNLABELLED, np.int8)
        return self._branched(None, key, prob, (parent, child, label, flow / prob[child]))

    def _branched(self, tag: int | None, key: Ints, prob: Floats, edges: Edges) -> list[Resolved]:
        mass = float(prob.sum())
        if mass <= 0:
            raise Impossible
        if self._answers:
            alive = np.zeros(len(self), np.int32)
            alive[edges[0]] = 1
            self._must_agree(alive)
        self.dropped /= mass
        return self._add_layer(tag, key, prob / mass, edges)

    def _add_layer(self, tag: int | None, key: Ints, prob: Floats, edges: Edges) -> list[Resolved]:
        if len(key) < len(edges[0]) // 2:
            key, prob = key.copy(), prob.copy()  # they are the beginnings of arrays with room for every edge
        self.layers.append(Layer(tag, len(self), *edges))
        self.key, self.prob = key, prob
        if tag is None:  # a draw keeps them in order
            self._put_in_order()
        self._conditional = None
        return self._fold(self._forget_parents())

    # --- forgetting ---------------------------------------------------------------------------------------------

    def keep_only(self, places: npt.NDArray[np.intp]) -> list[Resolved]:
        """Drop all worlds but these, and remember how much that was (`error_bound`)."""
        alive = np.zeros(len(self), np.int32)
        alive[places] = 1
        mass = float(self.prob[places].sum())
        resolved = self._keep(alive, mass)
        self.dropped += max(0.0, 1.0 - mass) / mass
        return resolved

    def prune(self, most: int | None = None, threshold: float = 0.0) -> list[Resolved]:
        """Keep the `most` likely worlds, and of those the ones not less likely than `threshold`."""
        few = len(self) if most is None else min(most, len(self))
        if few == len(self) and self.prob.min() >= threshold:
            return []
        order = np.lexsort((np.arange(len(self)), -self.prob))
        kept = order[:few][self.prob[order[:few]] >= threshold]
        agreeing = order[self.probabilities()[order] > 0]
        if not np.isin(agreeing, kept).any():  # at least one world stays that agrees with all answers
            kept = np.append(kept, agreeing[0])
        return self.keep_only(kept)

    def thin(self, most: int) -> list[Resolved]:
        """Keep at most so many worlds, as a sample; each that is kept by chance has the weight of those it stands for.

        No figure is then off on average (P. Fearnhead, P. Clifford: On-line inference for hidden Markov models via particle
        filters, 2003), but there is no bound on how far one may be off. The same worlds lead to the same sample.
        """
        if len(self) <= most:
            return []
        falling = np.sort(self.prob)[::-1]
        rest = falling[::-1].cumsum()[::-1]
        weights = rest[:most] / (most - np.arange(most))
        weight = float(weights[np.argmax(falling[:most] <= weights)])
        likely = self.prob > weight
        steps = np.where(likely, 0.0, self.prob / weight).cumsum()
        points = np.arange(round(steps[-1]))
        points = points + points * GOLDEN % 1.0  # one in each stretch, at a place that has nothing to do with the others
        drawn = np.bincount(np.minimum(steps.searchsorted(points, side="right"), len(self) - 1), minlength=len(self))
        kept = likely | (drawn > 0)
        agreeing = self.probabilities() > 0
        if not (kept & agreeing).any():
            kept[np.argmax(agreeing)] = True
        self.prob = np.where(likely, self.prob, weight * np.maximum(drawn, 1))
        resolved = self._keep(kept.astype(np.int32), float(self.prob[kept].sum()))
        self.dropped = max(self.dropped, SAMPLED)
        return resolved

    def _keep(self, alive: Indices, mass: float) -> list[Resolved]:
        """Keep the worlds that are alive, and in every layer what still leads to one of them; what this resolved."""
        self._must_agree(alive)
        n = kernels.compact(self.key, self.prob, alive, mass)
        self.key, self.prob = self.key[:n], self.prob[:n]
        self._conditional = None
        self.dropped /= mass
        if n == len(alive):
            return []
        if n < len(alive) // 4:
            self.key, self.prob = self.key.copy(), self.prob.copy()  # let go of the rest
        if self.layers:
            self._renumber(self.layers[-1], alive)
        return self._fold(self._forget_parents())

    def _renumber(self, layer: Layer, places: Indices) -> None:
        """Give the children of a layer new numbers; edges to those without one are dropped."""
        m = kernels.renumber(*layer.edges, places)
        layer.parent, layer.child = layer.parent[:m].copy(), layer.child[:m].copy()
        layer.label, layer.share = layer.label[:m].copy(), layer.share[:m].copy()

    def _forget_parents(self) -> int:
        """Drop, from the last layer backward, the nodes that lead nowhere any more; the first layer that changed."""
        for at in range(len(self.layers) - 1, -1, -1):
            layer = self.layers[at]
            places = np.empty(layer.parents, np.int32)
            parents = kernels.find_parents(layer.parent, places)
            if parents == layer.parents:
                return at
            layer.parent, layer.parents = places[layer.parent], parents
            if at > 0:
                self._renumber(self.layers[at - 1], places)
        return 0

    def _fold(self, first: int) -> list[Resolved]:
        """Remove the layers, `first` or later, that have one label left, and those at the root that nobody asks about.

        A layer with an answer from outside stays, so that the answer can be taken back; that it is resolved is told.
        """
        resolved = []
        at = first
        while at < len(self.layers):
            layer = self.layers[at]
            label = kernels.only_label(layer.label)
            if layer.tag is not None and label >= 0:
                resolved.append(Resolved(layer.tag, label))
            if layer.tag is None or label < 0 or layer.tag in self._answers:
                at += 1
                continue
            if at > 0:  # with one label left each parent has one child: the nodes take the children's numbers
                child_of = np.empty(layer.parents, np.int32)
                child_of[layer.parent] = layer.child
                before = self.layers[at - 1]
                before.child = child_of[before.child]
            del self.layers[at]
        while self.layers and self.layers[0].tag is None:
            del self.layers[0]
        return resolved

    # --- answers from outside -----------------------------------------------------------------------------------

    def answer(self, tag: int, label: int) -> None:
        """Somebody tells which card was drawn: from now on only the pasts with that label count."""
        if float((self.prob * self._pasts({**self._answers, tag: label})[-1]).sum()) <= 0:
            raise Impossible
        self._answers[tag] = label
        self._conditional = None

    def unanswer(self, tag: int) -> list[Resolved]:
        """Take an answer back; a layer that has one label left anyway now folds."""
        del self._answers[tag]
        self._conditional = None
        return self._fold(0)

    def forget_answers(self) -> None:
        """As if nothing had been told."""
        self._answers.clear()
        self._conditional = None

    @property
    def answers(self) -> dict[int, int]:
        """What was told."""
        return dict(self._answers)

    def _pasts(self, answers: Mapping[int, int]) -> list[Floats]:
        """For the nodes of each layer, and at last the worlds, the part of the past that agrees with `answers`."""
        pasts: list[Floats] = [np.ones(self.layers[0].parents if self.layers else len(self))]
        for layer, nodes in zip(self.layers, [*(layer.parents for layer in self.layers[1:]), len(self)], strict=True):
            after = np.empty(nodes)
            kernels.forward(layer.edges, pasts[-1], after, layer.wanted(answers))
            pasts.append(after)
        return pasts

    def _must_agree(self, alive: Indices) -> None:
        """Refuse evidence that the worlds would survive, but not those pasts that the answers allow."""
        if self._answers and float((self.prob * self._pasts(self._answers)[-1])[alive != 0].sum()) <= 0:
            raise Impossible

    def probabilities(self) -> Floats:
        """The probability of each world, given the answers. Do not change it."""
        if not self._answers:
            return self.prob
        if self._conditional is None:
            joint = self.prob * self._pasts(self._answers)[-1]
            self._conditional = joint / joint.sum()
        return self._conditional

    # --- questions ----------------------------------------------------------------------------------------------

    def probability(self, rules: tuple[Rule, ...]) -> float:
        """How likely it is that all rules hold."""
        alive = np.empty(len(self), np.int32)
        return kernels.judge(self.key, self.probabilities(), packed_rules(rules), alive)[1]

    def distributions(self) -> Floats:
        """The distribution of every cell [cells, counts]."""
        out = np.empty((self.cells, MOST + 1))
        kernels.tally(self.key, self.probabilities(), out)
        return out

    def distribution_of_sum(self, cells: Sequence[int]) -> Floats:
        """The distribution of the sum of some cells."""
        out = np.empty(MOST * len(cells) + 1)
        kernels.tally_sums(self.key, self.probabilities(), np.array(cells, np.int64), out)
        return out

    def odds(self, tag: int, world: int | None = None) -> Floats:
        """The posterior of a question over its labels; given that world number `world` is the true one, if asked."""
        return self.all_odds(world)[tag]

    def all_odds(self, world: int | None = None) -> dict[int, Floats]:
        """The posterior of every open question, in order, by one sweep backward."""
        after = self.prob.copy() if world is None else np.eye(1, len(self), world)[0]
        found: dict[int, Floats] = {}
        pasts = self._pasts(self._answers) if self._answers else None
        if pasts is not None:
            after = after * pasts[-1]
            after /= after.sum()
        for at in range(len(self.layers) - 1, -1, -1):
            layer = self.layers[at]
            before, odds = np.empty(layer.parents), np.empty(self.labels)
            kernels.backward(self._masked(at, pasts), after, before, odds)
            if layer.tag is not None:
                found[layer.tag] = odds
            after = before
        return dict(reversed(found.items()))

    def _masked(self, at: int, pasts: list[Floats] | None) -> Edges:
        """The edges of a layer with their shares given the answers."""
        parent, child, label, share = self.layers[at].edges
        if pasts is None:
            return parent, child, label, share
        wanted = self.layers[at].wanted(self._answers)
        kept = share * pasts[at][parent]
        if wanted >= 0:
            kept[label != wanted] = 0.0
        total = pasts[at + 1][child]
        return parent, child, label, np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)

    def carriers(self, tag: int, label: int) -> Floats:
        """For each world the probability that it is the true one and that the answer to a question is `label`."""
        if self._answers.get(tag, label) != label:
            return np.zeros(len(self))
        joint = self.prob * self._pasts({**self._answers, tag: label})[-1]
        return joint / float((self.prob * self._pasts(self._answers)[-1]).sum())

    def sample(self, stream: Stream, size: int, rules: tuple[Rule, ...] = ()) -> npt.NDArray[np.intp]:
        """The numbers of `size` worlds drawn at random from those that keep the rules. Raises `Impossible` if none does."""
        chances = self.probabilities()
        if rules:
            alive = np.empty(len(self), np.int32)
            _, mass = kernels.judge(self.key, chances, packed_rules(rules), alive)
            if mass <= 0:
                raise Impossible
            chances = chances * alive
        return pick(chances, fractions(stream, size))

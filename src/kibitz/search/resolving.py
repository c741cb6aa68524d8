"""Re-solving part of a game without being worse than the previous strategy.

Somebody has a strategy for the whole game, the *trunk*, and solves what is left of it more finely where play has come to. What
the opponent may hold there follows from what it did before, and nobody knows that. An answer that is best against some guess
may lose to hands that the guess thinks rare, which the opponent then brings along more often: then it is worse than the trunk.
It is *safe* if no hand of the opponent wins more against it than against the trunk. (Burch, Johanson and Bowling 2014;
Moravcik et al. 2016; Brown and Sandholm 2017.)

`resolve` solves with the guess, and looks whether that is safe; a best response tells. If it is not, it solves once more with a
*gadget*: in half of the games, or more, the opponent may choose, hand by hand, between playing on and being paid what it would
win against the trunk. Then it pays to leave no hand more than that. If even so the answer is not safe, the trunk stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kibitz.game import CHANCE, OVER
from kibitz.search.cfr import solve
from kibitz.search.flat import Flat, Floats, Indices, in_order
from kibitz.search.response import respond
from kibitz.search.walk import Walked

#: How often the opponent has the choice of the gadget: what is tried, one after the other.
SHARES = 0.5, 0.9, 0.98
#: How an answer was found.
PLAIN, GUARDED, TRUNK = "plain", "guarded", "trunk"


class Resolved(NamedTuple):
    """The answer to a part of a game."""

    strategy: Floats
    """[slots] of both seats; only that of the one who asks is an answer."""
    excess: float
    """What all hands of the opponent together win more than against the trunk; what they win less does not count."""
    how: str
    """``plain``: by solving it, which turned out to be safe; ``guarded``: with the gadget; ``trunk``: nothing was better."""


def resolve(
    flat: Flat,
    trunk: Floats,
    seat: int,
    views: Sequence[int] | Indices,
    *,
    iterations: int = 2000,
    target: float = 0.0,
    tolerance: float = 0.0,
) -> Resolved:
    """Solve a part of a game again for `seat`, so that the opponent wins no more than against `trunk` [slots].

    `flat` begins with a chance event: all states that the public takes for possible, each as likely as chance and the past
    strategy of `seat` make it, times whatever is guessed of the opponent's. ``views[i]`` is a number for what the opponent
    knows of state i. Work ends after so many `iterations`, or when exploitability is at most `target`; an `excess` of up to
    `tolerance` counts as none.
    """
    seen = np.asarray(views)
    allowed = hand_values(flat, trunk, 1 - seat, seen)

    def answer(strategy: Floats, how: str) -> Resolved:
        more = hand_values(flat, strategy, 1 - seat, seen) - allowed
        return Resolved(strategy, float(np.maximum(more, 0.0).sum()), how)

    found = answer(solve(flat, "pdcfr+", iterations, target=target).strategy, PLAIN)
    for share in SHARES:
        if found.excess <= tolerance:
            return found
        guarded, places = with_gadget(flat, seat, seen, allowed, share)
        solved = solve(guarded, "pdcfr+", iterations, target=target).strategy
        found = answer(solved[places], GUARDED)
    return found if found.excess <= tolerance else Resolved(trunk, 0.0, TRUNK)


def hand_values(flat: Flat, strategy: Floats, seat: int, views: Indices) -> Floats:
    """[views] what `seat` wins at best against a strategy, by what it knows at the beginning, times how likely that is."""
    nodes, gain = len(flat.actor), np.zeros(len(flat.slot_action))
    worth, best = np.zeros(nodes), np.zeros(len(flat.set_seat), np.int32)
    respond(flat, strategy, seat, np.zeros(nodes), worth, gain, best, strategy.copy())
    return np.asarray(np.bincount(views, worth[1 : 1 + len(views)]), np.float64)


def with_gadget(flat: Flat, seat: int, views: Indices, allowed: Floats, share: float) -> tuple[Flat, Indices]:
    """The same part of a game, in a `share` of which the opponent may be paid off; and the place of each slot where it may not.

    To be paid off is worth to a hand what all its states together are `allowed` to be worth.
    """
    n, many = int(flat.children[0]), len(flat.actor)
    worlds, rest = np.arange(1, n + 1), np.arange(n + 1, many)
    weight = np.bincount(views, flat.probability[worlds])
    payoff = (allowed / np.where(weight > 0, weight, 1.0))[views] * (1 if seat == 1 else -1)
    # The root; n states that are played on, n with the choice; the whole part; n pairs of payoff and state; the part again.
    copy, pairs = 2 * n, 2 * n + many
    again = pairs + 2 * n - (n + 1)
    ones, zeros = np.ones(n), np.zeros(n)
    played = slice(1, None)

    def below(first: Indices, shift: int) -> Indices:
        return np.where(first > 0, first + shift, 0)

    def merged(*parts: object) -> np.ndarray:
        return np.concatenate([np.atleast_1d(np.asarray(part)) for part in parts])

    def known(number: int) -> Indices:
        """Those of `seat` are the same in both copies, those of the opponent are not."""
        sets, own = flat.infoset.astype(np.int64), flat.actor == seat
        return np.where(own, sets, sets + number * len(flat.set_seat))

    twice = np.stack([np.full(n, OVER), flat.actor[worlds]], axis=1).ravel()
    state_pairs = pairs + 2 * np.arange(n)
    nodes = Walked(
        actor=merged(CHANCE, np.full(n, CHANCE), np.full(n, 1 - seat), flat.actor[played], twice, flat.actor[rest]).astype(
            np.int8
        ),
        first=merged(
            1, copy + worlds, state_pairs, below(flat.first[played], copy),
            np.stack([zeros, below(flat.first[worlds], again)], axis=1).ravel(), below(flat.first[rest], again),
        ).astype(np.int32),
        children=merged(
            2 * n, ones, 2 * ones, flat.children[played], np.stack([zeros, flat.children[worlds]], axis=1).ravel(),
            flat.children[rest],
        ).astype(np.int32),
        parent=merged(
            -1, zeros, zeros, np.arange(1, n + 1), flat.parent[rest] + copy, np.repeat(n + worlds, 2),
            np.where(flat.parent[rest] <= n, pairs + 2 * flat.parent[rest] - 1, flat.parent[rest] + again),
        ).astype(np.int32),
        action=merged(
            -1, worlds - 1, n + worlds - 1, zeros, flat.action[rest], np.tile([0, 1], n), flat.action[rest]
        ).astype(np.int32),
        depth=merged(0, ones, ones, _depths(flat)[played] + 1, 2 * ones, 2 * ones, _depths(flat)[rest] + 1).astype(np.int32),
        known=merged(
            -1, -ones, -2 - views, known(0)[played], np.stack([-ones, known(1)[worlds]], axis=1).ravel(), known(1)[rest]
        ).astype(np.int64),
        probability=merged(
            1, flat.probability[worlds] * (1 - share), flat.probability[worlds] * share, ones, flat.probability[rest],
            ones, ones, flat.probability[rest],
        ).astype(np.float64),
        value=merged(
            0, zeros, zeros, flat.value[played], np.stack([payoff, flat.value[worlds]], axis=1).ravel(), flat.value[rest]
        ).astype(np.float64),
    )  # fmt: skip
    made, place = in_order(nodes)
    counts = np.diff(flat.set_slot)
    here = made.slot[place[copy + _leaders(flat)]]
    return made, (np.repeat(here - flat.set_slot[:-1], counts) + np.arange(len(flat.slot_action))).astype(np.int32)


def subgame(flat: Flat, nodes: Indices, weights: Floats) -> tuple[Flat, Indices]:
    """What is left of a game at these nodes, of which everybody knows that play has come to one of them, by their weights.

    For each of its slots, the slot of the whole game. All nodes have the same depth.
    """
    levels = [np.asarray(nodes)]
    while len(levels[-1]):
        counts = flat.children[levels[-1]]
        begins = np.repeat(flat.first[levels[-1]] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        levels.append((begins + np.arange(len(begins))).astype(np.int64))
    old, n = np.concatenate(levels), len(nodes)
    place = np.zeros(len(flat.actor), np.int32)
    place[old] = np.arange(1, len(old) + 1)
    depth = np.repeat(np.arange(1, len(levels) + 1), [len(level) for level in levels])
    parent, likely = place[flat.parent[old]], flat.probability[old].copy()
    parent[:n], likely[:n] = 0, weights / weights.sum()
    walked = Walked(
        actor=np.concatenate([[CHANCE], flat.actor[old]]).astype(np.int8),
        first=np.concatenate([[1], np.where(flat.children[old] > 0, place[flat.first[old]], 0)]).astype(np.int32),
        children=np.concatenate([[n], flat.children[old]]).astype(np.int32),
        parent=np.concatenate([[-1], parent]).astype(np.int32),
        action=np.concatenate([[-1], np.arange(n), flat.action[old[n:]]]).astype(np.int32),
        depth=np.concatenate([[0], depth]).astype(np.int32),
        known=np.concatenate([[-1], flat.infoset[old]]).astype(np.int64),
        probability=np.concatenate([[1.0], likely]),
        value=np.concatenate([[0.0], flat.value[old]]),
    )
    made, _ = in_order(walked)
    first = flat.slot[old[_leaders(made) - 1]]
    slots = np.repeat(first - made.set_slot[:-1], np.diff(made.set_slot)) + np.arange(len(made.slot_action))
    return made, slots.astype(np.int32)


def _leaders(flat: Flat) -> Indices:
    """[sets] the first node of each information set."""
    sets, first = np.unique(flat.infoset, return_index=True)
    return first[sets >= 0].astype(np.int32)


def _depths(flat: Flat) -> Indices:
    """[nodes] how deep each node lies."""
    return np.repeat(np.arange(len(flat.level) - 1), np.diff(flat.level)).astype(np.int32)

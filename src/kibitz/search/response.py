"""What a pair of strategies is worth, and how much a perfect opponent would win against it.

A *strategy* is an array of shape [slots]: for every information set of a `kibitz.search.flat.Flat`, of either seat, the
probabilities of its actions. Values are those of seat 0; seat 1 has the opposite.

>>> from kibitz.examples import kuhn
>>> from kibitz.search.flat import flatten
>>> flat = flatten(kuhn.GAME.new(2, 0))
>>> round(value(flat, uniform(flat)), 6), round(exploitability(flat, uniform(flat)), 6)
(0.125, 0.458333)
"""

import numpy as np

from kibitz.game import CHANCE, OVER
from kibitz.ground.jit import jit
from kibitz.search.flat import Flat, Floats, Indices


def normalised(flat: Flat, weights: Floats) -> Floats:
    """[slots] the shares of weights within each information set; all alike where there are none."""
    counts = np.diff(flat.set_slot)
    sums = np.repeat(np.add.reduceat(weights, flat.set_slot[:-1]), counts) if len(counts) else weights
    found: Floats = np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), uniform(flat))
    return found


def uniform(flat: Flat) -> Floats:
    """The strategy that takes all actions equally often."""
    counts = np.diff(flat.set_slot)
    return np.repeat(1.0 / counts, counts)


def value(flat: Flat, strategy: Floats) -> float:
    """What seat 0 wins on average when both play `strategy`."""
    return back_up(flat, strategy, flat.value.copy())


def best_response(flat: Flat, strategy: Floats, seat: int) -> tuple[float, Floats]:
    """The most that `seat` can win against `strategy`, and a strategy that does (pure; ties go to the first action).

    The part of the result that belongs to the other seat is that of `strategy`.
    """
    nodes, response = len(flat.actor), strategy.copy()
    gain, reach = np.zeros(len(flat.slot_action)), np.zeros(nodes)
    won = respond(flat, strategy, seat, reach, np.zeros(nodes), gain, np.zeros(len(flat.set_seat), np.int32), response)
    return won, response


def exploitability(flat: Flat, strategy: Floats) -> float:
    """How much a perfect opponent gains on average over the two seats: NashConv / 2, and 0 for an equilibrium."""
    return (best_response(flat, strategy, 0)[0] + best_response(flat, strategy, 1)[0]) / 2


@jit
def back_up(flat: Flat, strategy: Floats, worth: Floats) -> float:
    """Fill `worth` [nodes], which holds the values of the ends, from below; the value of the game."""
    for node in range(len(flat.actor) - 1, -1, -1):
        actor = flat.actor[node]
        if actor == OVER:
            continue
        first, slot = flat.first[node], flat.slot[node]
        total = 0.0
        for j in range(flat.children[node]):
            weight = flat.probability[first + j] if actor == CHANCE else strategy[slot + j]
            total += weight * worth[first + j]
        worth[node] = total
    return float(worth[0])


@jit
def respond(
    flat: Flat, strategy: Floats, seat: int, reach: Floats, worth: Floats, gain: Floats, best: Indices, response: Floats
) -> float:
    """Write the best response of `seat` into `response` [slots]; what it wins.

    `reach` [nodes] becomes how likely chance and the opponent are to come to a node, `worth` [nodes] the value below it for
    `seat` times that, `gain` [slots] (zeros) the sum of this over an information set, `best` [sets] the index of its action.
    An information set lies within one depth, so that one sweep from below can decide all of them.
    """
    reach[0] = 1.0
    for node in range(len(flat.actor)):
        actor, first, slot = flat.actor[node], flat.first[node], flat.slot[node]
        for j in range(flat.children[node]):
            weight = 1.0
            if actor == CHANCE:
                weight = flat.probability[first + j]
            elif actor != seat:
                weight = strategy[slot + j]
            reach[first + j] = weight * reach[node]
    sign = 1.0 if seat == 0 else -1.0
    for depth in range(len(flat.level) - 2, -1, -1):
        for node in range(flat.level[depth], flat.level[depth + 1]):
            if flat.actor[node] == seat:
                for j in range(flat.children[node]):
                    gain[flat.slot[node] + j] += worth[flat.first[node] + j]
        for infoset in range(flat.set_level[depth], flat.set_level[depth + 1]):
            if flat.set_seat[infoset] == seat:
                begin, end = flat.set_slot[infoset], flat.set_slot[infoset + 1]
                choice = begin
                for slot in range(begin, end):
                    response[slot] = 0.0
                    if gain[slot] > gain[choice]:
                        choice = slot
                response[choice] = 1.0
                best[infoset] = choice - begin
        for node in range(flat.level[depth], flat.level[depth + 1]):
            actor, first = flat.actor[node], flat.first[node]
            if actor == OVER:
                worth[node] = sign * flat.value[node] * reach[node]
            elif actor == seat:
                worth[node] = worth[first + best[flat.infoset[node]]]
            else:
                total = 0.0
                for j in range(flat.children[node]):
                    total += worth[first + j]
                worth[node] = total
    return float(worth[0])

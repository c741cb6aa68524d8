"""Proofs in fractions: what strategies secure on a whole tree, without any rounding.

A solver ends near an equilibrium, and its bounds are floating-point numbers. Near it there are strategies of simple fractions,
and what these secure is computed exactly, by best responses in integers and fractions. If what seat 0 secures equals what
seat 1 concedes, that number *is* the value of the game, however it was found.

>>> from kibitz.examples import kuhn
>>> from kibitz.search.cfr import solve
>>> from kibitz.search.flat import flatten
>>> flat = flatten(kuhn.GAME.new(2, 0))
>>> str(proven_value(flat, solve(flat, "pdcfr+", 2000).strategy))
'-1/18'
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from kibitz.game import CHANCE, OVER
from kibitz.search.flat import MAX_DENOMINATOR, Flat, Floats

#: How far a probability may be moved to become a simpler fraction; from fine to coarse, the first that proves something counts.
TOLERANCES = 1e-6, 1e-5, 1e-4, 1e-3, 5e-3, 2e-2
#: Larger trees are not gone through one fraction at a time: that takes seconds.
MAX_NODES = 60_000


def proven_value(flat: Flat, strategy: Floats, tolerances: Sequence[float] = TOLERANCES) -> Fraction | None:
    """The value of the game for seat 0, if strategies near `strategy` prove it; None if none that is tried does.

    The two seats are tried separately: each needs one strategy that secures the value.
    """
    chances = _chances(flat)
    if chances is None or len(flat.actor) > MAX_NODES:
        return None
    low: Fraction | None = None
    high: Fraction | None = None
    for tolerance in tolerances:
        simple = list(_simple(flat, strategy, tolerance))
        secured, conceded = -response(flat, simple, chances, 1), response(flat, simple, chances, 0)
        low = secured if low is None else max(low, secured)
        high = conceded if high is None else min(high, conceded)
        if low == high:
            return low
    return None


def response(flat: Flat, strategy: Sequence[Fraction | int], chances: Sequence[Fraction], seat: int) -> Fraction:
    """The most that `seat` can win against the strategy of the other, exactly (see `kibitz.search.response.respond`)."""
    actor, first, children, slot = flat.actor.tolist(), flat.first.tolist(), flat.children.tolist(), flat.slot.tolist()
    infoset, n = flat.infoset.tolist(), len(flat.actor)
    reach: list[Fraction | int] = [0] * n
    reach[0] = 1
    for node in range(n):
        likely = reach[node]
        if likely and actor[node] != OVER:
            for j in range(children[node]):
                child = first[node] + j
                if actor[node] == CHANCE:
                    reach[child] = likely * chances[child]
                else:
                    reach[child] = likely if actor[node] == seat else likely * strategy[slot[node] + j]
    sign = 1 if seat == 0 else -1
    worth: list[Fraction | int] = [0] * n
    gain: list[Fraction | int] = [0] * len(flat.slot_action)
    begins, level = flat.set_slot.tolist(), flat.level.tolist()
    for depth in range(len(level) - 2, -1, -1):
        nodes = [node for node in range(level[depth], level[depth + 1]) if reach[node]]
        for node in nodes:
            if actor[node] == seat:
                for j in range(children[node]):
                    gain[slot[node] + j] += worth[first[node] + j]
        best: dict[int, int] = {}
        for node in nodes:
            if actor[node] == OVER:
                worth[node] = sign * reach[node] * Fraction(float(flat.value[node]))
            elif actor[node] == seat:
                known = infoset[node]
                if known not in best:
                    begin, end = begins[known], begins[known + 1]
                    best[known] = max(range(end - begin), key=lambda j: gain[begin + j])
                worth[node] = worth[first[node] + best[known]]
            else:
                worth[node] = sum(worth[first[node] : first[node] + children[node]])
    return Fraction(worth[0])


def _simple(flat: Flat, strategy: Floats, tolerance: float) -> Iterator[Fraction | int]:
    """The probabilities of every information set as simple fractions that sum to 1, none farther off than need be."""
    begins, given = flat.set_slot.tolist(), strategy.tolist()
    for known in range(len(flat.set_seat)):
        probabilities = given[begins[known] : begins[known + 1]]
        largest = max(range(len(probabilities)), key=probabilities.__getitem__)
        near = [Fraction(0) if p <= tolerance else simplest_between(p - tolerance, p + tolerance) for p in probabilities]
        near[largest] = Fraction(1 - sum(near[:largest]) - sum(near[largest + 1 :]))
        if near[largest] < 0:
            near = [Fraction(j == largest) for j in range(len(near))]
        yield from near


def _chances(flat: Flat) -> list[Fraction] | None:
    """The probabilities of chance as the fractions that they are; None where they are no simple ones."""
    found = [Fraction(1)] * len(flat.actor)
    for node in (flat.actor == CHANCE).nonzero()[0].tolist():
        below = range(int(flat.first[node]), int(flat.first[node] + flat.children[node]))
        for child in below:
            found[child] = Fraction(float(flat.probability[child])).limit_denominator(MAX_DENOMINATOR)
            if abs(found[child] - Fraction(float(flat.probability[child]))) > 1e-12:
                return None
        if sum(found[child] for child in below) != 1:
            return None
    return found


def simplest_between(low: float | Fraction, high: float | Fraction) -> Fraction:
    """The fraction with the smallest denominator in an interval (and of those the one nearest to 0), by continued fractions.

    >>> str(simplest_between(0.571427, 0.571430)), str(simplest_between(-0.34, -0.33)), str(simplest_between(-1, 2))
    ('4/7', '-1/3', '0')
    """
    a, b = sorted((Fraction(low), Fraction(high)))
    if a <= 0 <= b:
        return Fraction(0)
    if b < 0:
        return -simplest_between(-b, -a)
    whole = floor(a)
    if ceil(a) <= b:
        return Fraction(ceil(a))
    return whole + 1 / simplest_between(1 / (b - whole), 1 / (a - whole))

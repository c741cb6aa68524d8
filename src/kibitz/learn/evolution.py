"""Evolution of a list of whole numbers: many candidates around a mean, of which the better half moves it.

A separable evolution strategy (after Ros and Hansen 2008, sep-CMA-ES): every number has a step width of its own, which grows
where good candidates agree on a direction and shrinks where they do not.

>>> found = generations([0, 50], [10, 10], lambda many: [-((a - 7) ** 2) - (b - 30) ** 2 for a, b in many])
>>> [next(found) for _ in range(25)][-1].weights
(7, 30)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.ground.rng import Stream, derive_seed

Weights = tuple[int, ...]
#: How good each of many candidates is; all are judged in the same way, and noise that they share does no harm.
Fitness = Callable[[Sequence[Weights]], Sequence[float]]

#: How fast means of steps are forgotten, and how fast widths change.
MEMORY, LEARNING = 0.3, 0.3


@dataclass(frozen=True)
class Generation:
    """Where evolution stands after some generations."""

    number: int
    mean: tuple[float, ...]
    widths: tuple[float, ...]
    path: tuple[float, ...]
    best: float = -math.inf
    """The fitness of the best candidate of this generation."""

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Generation:
        """What `dataclasses.asdict` gave, read from JSON."""
        return cls(kept["number"], tuple(kept["mean"]), tuple(kept["widths"]), tuple(kept["path"]), kept["best"])

    @property
    def weights(self) -> Weights:
        """The mean in whole numbers."""
        return tuple(round(x) for x in self.mean)


def normal(stream: Stream) -> float:
    """A normally distributed number (Box and Muller)."""
    first, second = (stream.below(1 << 30) + 1) / (1 << 30), stream.below(1 << 30) / (1 << 30)
    return math.sqrt(-2 * math.log(first)) * math.cos(2 * math.pi * second)


def generations(
    start: Sequence[int],
    widths: Sequence[float],
    fitness: Fitness,
    *,
    population: int = 0,
    seed: int = 0,
    after: Generation | None = None,
) -> Iterator[Generation]:
    """One generation after the other, from `start` or from where an earlier run stopped."""
    n = len(start)
    size = population or 8 + 2 * int(3 * math.log(n + 1) / 2)
    parents = size // 2
    raw = [math.log(parents + 0.5) - math.log(i + 1) for i in range(parents)]
    shares = [share / math.fsum(raw) for share in raw]
    power = 1 / math.fsum(share * share for share in shares)
    now = after or Generation(0, tuple(map(float, start)), tuple(map(float, widths)), (0.0,) * n)
    while True:
        stream = Stream(derive_seed(seed, "generation", now.number))
        steps = [[normal(stream) for _ in range(n)] for _ in range(size)]
        many = [
            tuple(round(mean + width * z) for mean, width, z in zip(now.mean, now.widths, step, strict=True)) for step in steps
        ]
        scores = fitness(many)
        order = sorted(range(size), key=lambda i: (-scores[i], i))[:parents]
        drift = [math.fsum(share * steps[i][k] for share, i in zip(shares, order, strict=True)) for k in range(n)]
        spread = [math.fsum(share * steps[i][k] ** 2 for share, i in zip(shares, order, strict=True)) for k in range(n)]
        path = tuple(
            (1 - MEMORY) * old + math.sqrt(MEMORY * (2 - MEMORY) * power) * new
            for old, new in zip(now.path, drift, strict=True)
        )
        mean = tuple(m + w * d for m, w, d in zip(now.mean, now.widths, drift, strict=True))
        grown = tuple(
            max(w * math.exp(LEARNING / 2 * (math.log(max(v, 1e-3)) / 2 + (min(p * p, 4) - 1) / n)), least / 8)
            for w, v, p, least in zip(now.widths, spread, path, widths, strict=True)
        )
        now = Generation(now.number + 1, mean, grown, path, max(scores))
        yield now

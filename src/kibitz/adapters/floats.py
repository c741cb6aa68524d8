"""Observations as networks want them: 32-bit floats, scaled by what each number can be, or standardised.

>>> from kibitz.adapters.setting import setting
>>> coup = setting("coup", seats=2)
>>> observation = coup.layout.observe(coup.start(0), seat=1)
>>> scaled = Floats(coup.layout)
>>> scaled.size, coup.layout.split(scaled(observation)[0])["coins"].tolist()  # of 50
(64, [0.019999999552965164, 0.03999999910593033, 0.0, 0.0, 0.0, 0.0])

*Scaled*, every number lies between 0, the least that its part of the layout declares, and 1, the most. *One-hot*, a number
that is a name and not an amount (a phase, a seat: `kibitz.adapters.observations.Part.choice`) becomes one number for each name.
*Standardised*, every number has mean 0 and variance 1 over all that has been seen so far; `Floats.moments` is what was learnt
of that, to be kept beside the weights of a network.

>>> Floats.of(coup.layout, "one-hot+standardised").size
128
"""

from __future__ import annotations

from math import prod
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
from numpy import float32

from kibitz.adapters.observations import Layout
from kibitz.ground.jit import integers, jit, uint64

FloatArray = npt.NDArray[np.float32]
#: The words of `Floats.of`.
WORDS = ("scaled", "one-hot", "standardised")
#: Standardised numbers are cut off here: what was hardly ever seen would otherwise drown the rest.
FAR = 10.0
#: So many observations of a step are enough to learn from what is standard.
SAMPLE = 256


class Moments(TypedDict):
    """How many observations were seen, and the mean and the sum of squared deviations of each scaled number."""

    count: float
    mean: npt.NDArray[np.float64]
    squares: npt.NDArray[np.float64]


@jit
def mapped(observations: Any, runs: Any, factor: Any, shift: Any, far: Any, out: Any) -> None:
    """Write ``[n, size]`` integers as ``[n, floats]``: amounts times their factor plus their shift, names as one of many.

    ``runs[run]`` says where it begins and in `out` goes to, how many floats it has, whether these are the names of one number,
    and the first name.
    """
    for row in range(len(observations)):
        i = uint64(row)
        for r in range(len(runs)):
            source, to, n, names, least = runs[r, 0], runs[r, 1], runs[r, 2], runs[r, 3], runs[r, 4]
            if names:
                for k in range(n):
                    out[i, to + k] = min(max(shift[to + k], -far), far)
                name = observations[i, source] - least
                if 0 <= name < n:
                    out[i, to + name] = min(max(factor[to + name] + shift[to + name], -far), far)
            else:
                for k in range(n):  # unsigned: no check for an index below 0, and so several at once
                    at = uint64(to) + uint64(k)
                    value = float32(observations[i, uint64(source) + uint64(k)]) * factor[at] + shift[at]
                    out[i, at] = min(max(value, -far), far)


class Floats:
    """Makes floats of the observations of a layout."""

    def __init__(self, layout: Layout, *, one_hot: bool = False, standardised: bool = False) -> None:
        self.layout, self.one_hot, self.standardised = layout, one_hot, standardised
        self.frozen = False
        """Whether what is seen from now on changes nothing more about what is standard."""
        self._runs = _runs(layout, one_hot)
        low, high = (bound.astype(np.float64) for bound in layout.bounds())
        self._factor, self._shift = np.ones(self.size), np.zeros(self.size)
        for source, to, n, names, _ in self._runs.tolist():
            if not names:
                self._factor[to : to + n] = 1 / np.maximum(high - low, 1)[source : source + n]
                self._shift[to : to + n] = -low[source : source + n] * self._factor[to : to + n]
        self._moments: Moments = {"count": 0.0, "mean": np.zeros(self.size), "squares": np.zeros(self.size)}
        self._prepare()

    @classmethod
    def of(cls, layout: Layout, words: str) -> Floats:
        """What some of `WORDS` mean, with ``+`` between them. Raises a ValueError for another word."""
        chosen = words.split("+")
        if strange := [word for word in chosen if word not in WORDS]:
            raise ValueError(f"floats {strange[0]!r}: expected {', '.join(WORDS)}, or several with + between them")
        return cls(layout, one_hot="one-hot" in chosen, standardised="standardised" in chosen)

    @property
    def size(self) -> int:
        """How many numbers an observation becomes."""
        return int(self._runs[:, 2].sum())

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that a number can become."""
        return (-FAR, FAR) if self.standardised else (0.0, 1.0)

    @property
    def moments(self) -> Moments:
        """What was learnt about all numbers; set it to go on with what was learnt before."""
        return self._moments

    @moments.setter
    def moments(self, moments: Moments) -> None:
        if np.shape(moments["mean"]) != (self.size,):
            raise ValueError(f"moments of {len(moments['mean'])} numbers: there are {self.size}")
        self._moments = {
            "count": float(moments["count"]),
            "mean": np.array(moments["mean"], np.float64),
            "squares": np.array(moments["squares"], np.float64),
        }
        self._prepare()

    def __call__(self, observations: npt.NDArray[Any], out: FloatArray | None = None) -> FloatArray:
        """``[..., floats]`` for ``[..., size]``, in `out` or in a new array.

        Standardised, what is seen counts from now on, unless `frozen`.
        """
        flat = np.ascontiguousarray(observations, np.int16).reshape(-1, self.layout.size)
        if self.standardised and not self.frozen:
            self.learn(flat[:: -(-len(flat) // SAMPLE) or 1])
        room = np.empty((*observations.shape[:-1], self.size), np.float32) if out is None else out
        self._map(flat, self._own, room.reshape(-1, self.size))
        return room

    def learn(self, observations: npt.NDArray[Any]) -> None:
        """Take ``[n, size]`` observations into account (the parallel form of Welford's sums, Chan et al. 1979)."""
        if not len(observations):
            return
        scaled = np.empty((len(observations), self.size), np.float32)
        self._map(np.ascontiguousarray(observations, np.int16), self._plain, scaled)
        here, new = self._moments, len(scaled)
        mean = scaled.mean(axis=0, dtype=np.float64)
        count, apart = here["count"] + new, mean - here["mean"]
        squares = ((scaled - mean) ** 2).sum(axis=0) + apart**2 * (here["count"] * new / count)
        self._moments = {
            "count": count,
            "mean": here["mean"] + apart * (new / count),
            "squares": here["squares"] + squares,
        }
        self._prepare()

    def _map(self, flat: npt.NDArray[Any], how: tuple[FloatArray, FloatArray], out: FloatArray) -> None:
        mapped(integers(flat), integers(self._runs), *how, np.float32(self.bounds[1]), out)

    def _prepare(self) -> None:
        """Fold scaling and standardising into one factor and one shift."""
        self._plain = self._factor.astype(np.float32), self._shift.astype(np.float32)
        factor, shift = self._factor, self._shift
        if self.standardised and self._moments["count"]:
            spread = np.sqrt(self._moments["squares"] / self._moments["count"])
            divisor = np.where(spread > 1e-6, spread, 1.0)  # what never changes is 0
            factor, shift = factor / divisor, (shift - self._moments["mean"]) / divisor
        self._own = factor.astype(np.float32), shift.astype(np.float32)


def _runs(layout: Layout, one_hot: bool) -> npt.NDArray[np.int64]:
    """What `mapped` is told: amounts in runs as long as they can be, and the names of each number that is one."""
    runs: list[list[int]] = []
    to = 0
    for part in layout.parts:
        first, numbers = layout.slices[part.name].start, prod(part.shape)
        if one_hot and part.choice:
            found = [
                [first + k, to + k * (part.high - part.low + 1), part.high - part.low + 1, 1, part.low] for k in range(numbers)
            ]
        elif runs and not runs[-1][3]:
            found, runs[-1][2] = [], runs[-1][2] + numbers
            to += numbers
        else:
            found = [[first, to, numbers, 0, 0]]
        runs += found
        to += sum(run[2] for run in found)
    return np.array(runs, np.int64)

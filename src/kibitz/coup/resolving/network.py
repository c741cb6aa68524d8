"""The network that says what a position at the start of a turn is worth: by what both know, for each pair of hands.

It is small, and its sums are made in one order, so that it says the same to the last bit everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.coup.blueprint.lone import Floats
from kibitz.coup.blueprint.spots import HANDS, HANDS_TOO, STANDS, stand
from kibitz.coup.resolving.turns import FEATURES, Turns
from kibitz.game.tables import InvalidTable, TableFile
from kibitz.ground.jit import Vector, jit, table

#: Where the outputs of each stand begin: one for each pair of hands.
_HEADS = [0, *np.cumsum([int(HANDS[k] * HANDS_TOO[k]) for k in range(STANDS)]).tolist()]
HEADS: Vector = table(_HEADS, np.int64)
OUTPUTS = _HEADS[-1]
#: The file that comes with Kibitz, and what its places mean.
VARIANT = "2-players"
SUFFIX = ".resolver"
PATH = Path(__file__).parents[1] / "blueprints" / f"{VARIANT}{SUFFIX}"
LAYOUT = hashlib.blake2b(repr((FEATURES, _HEADS, 1)).encode(), digest_size=4).hexdigest()


class Network(NamedTuple):
    """Weights [inputs, outputs] and biases of two hidden layers, and of the outputs."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    heads: Floats
    heads_bias: Floats

    def file(self, about: Mapping[str, Any]) -> TableFile:
        """As a file."""
        arrays = {name: np.ascontiguousarray(array).ravel().view(np.int32) for name, array in self._asdict().items()}
        return TableFile("coup", VARIANT, LAYOUT, arrays, about)

    @classmethod
    def of(cls, file: TableFile) -> Network:
        """From a file. Raises a ValueError where the arrays are of other sizes."""
        parts = {name: np.asarray(array).view(np.float32) for name, array in file.arrays.items()}
        width = len(parts["first_bias"])
        return cls(
            parts["first"].reshape(FEATURES, width), parts["first_bias"].reshape(width), parts["second"].reshape(width, width),
            parts["second_bias"].reshape(width), parts["heads"].reshape(width, OUTPUTS), parts["heads_bias"].reshape(OUTPUTS),
        )  # fmt: skip


def read(path: Path) -> Network:
    """A network from a file. Raises `InvalidTable`, which names what is wrong with it."""
    file = TableFile.load(path, "coup", LAYOUT)
    try:
        if file.variant != VARIANT or set(file.arrays) != set(Network._fields):
            raise ValueError
        network = Network.of(file)
        if not all(np.isfinite(one).all() for one in network):
            raise ValueError
        return network
    except ValueError:
        raise InvalidTable(f"{path}: not a network of the bot resolver") from None


@cache
def shipped() -> Network:
    """The network that comes with Kibitz."""
    return read(PATH)


def named(text: str) -> Network:
    """A network in a file, or the one that comes with Kibitz, by the name of its rules. Raises `InvalidTable`."""
    path = Path(text)
    if path.is_file():
        return read(path)
    if text == VARIANT:
        return shipped()
    raise InvalidTable(f"{text}: neither a file nor the network that comes with Kibitz ({VARIANT})")


@jit
def judge(t: Turns, k: int, net: Network, seen: Floats, hidden: Floats) -> None:
    """Write what the ends of a turn are worth; `seen` [ends, features] is what the network sees, `hidden` [2, width] room."""
    width = len(net.first_bias)
    for e in range(t.met[k, 2]):
        for h in range(width):
            hidden[0, h] = net.first_bias[h]
            hidden[1, h] = net.second_bias[h]
        for f in range(FEATURES):
            one = seen[e, f]
            if one != 0.0:
                for h in range(width):
                    hidden[0, h] += one * net.first[f, h]
        for f in range(width):
            one = hidden[0, f]
            if one > 0.0:
                for h in range(width):
                    hidden[1, h] += one * net.second[f, h]
        stands = stand(t.ends[k, e, 0], t.ends[k, e, 1])
        first, pairs = HEADS[stands], HEADS[stands + 1] - HEADS[stands]
        for p in range(pairs):
            t.worth[k, e, p] = net.heads_bias[first + p]
        for f in range(width):
            one = hidden[1, f]
            if one > 0.0:
                for p in range(pairs):
                    t.worth[k, e, p] += one * net.heads[f, first + p]
        for p in range(pairs):
            t.worth[k, e, p] = min(max(t.worth[k, e, p], -1.0), 1.0)

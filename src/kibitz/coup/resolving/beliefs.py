"""Positions and beliefs for games to begin with, in batches (PyTorch)."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint import spots
from kibitz.coup.core.state import INFLUENCES
from kibitz.coup.resolving.table import DOUBTED, counted
from kibitz.coup.resolving.turns import PAIRS_OF_HANDS
from kibitz.learn.fit import torch_or_say

#: PyTorch, which mypy does not know here.
Tensor: TypeAlias = Any
#: How far beliefs of games that begin anywhere are from counting cards: how much the logarithms of two hands differ, at most.
TILT = 2.0


@cache
def all_counted() -> npt.NDArray[np.float32]:
    """[stands, lost, pairs of hands] how likely hands are by counting cards alone."""
    found = np.zeros((spots.STANDS, 15, PAIRS_OF_HANDS), np.float32)
    for k in range(spots.STANDS):
        for lost in range(int(spots.LOST[k])):
            likely = counted(2 - k // 2, 2 - k % 2, lost).ravel()
            found[k, lost, : likely.size] = likely
    return found


def stands_of(position: Tensor) -> Tensor:
    """[positions] who has how many cards, by number (`kibitz.coup.blueprint.spots.stand`)."""
    return (2 - position[:, 0]) * 2 + 2 - position[:, 1]


class Beliefs:
    """Makes them; `random` is where chance comes from."""

    def __init__(self, device: str) -> None:
        self._torch = torch = torch_or_say()
        self._device = device
        self._counted = torch.as_tensor(all_counted(), device=device)
        self.random = torch.Generator(device=device)

    def deals(self, n: int) -> tuple[Tensor, Tensor]:
        """Games that begin: positions [n, 5] and beliefs [n, pairs of hands]."""
        position = self._torch.tensor([INFLUENCES, INFLUENCES, 0, 1, 2], device=self._device).repeat(n, 1)
        return position, self._counted[0, 0].repeat(n, 1)

    def anywhere(self, n: int) -> tuple[Tensor, Tensor]:
        """Any cards and coins, and beliefs that somebody might have."""
        torch, device, random = self._torch, self._device, self.random

        def below(m: int) -> Tensor:
            return torch.randint(0, m, (n,), generator=random, device=device)

        stand = below(spots.STANDS)
        lost = below(1 << 20) % torch.as_tensor(np.array(spots.LOST), device=device)[stand]
        position = torch.stack([2 - stand // 2, 2 - stand % 2, lost, below(spots.PURSE), below(spots.PURSE)], 1)
        start = self._counted[stand, lost].clone()
        tilts = []
        for _ in range(2):
            far = TILT * torch.rand((n, 1), generator=random, device=device)
            tilts.append((torch.randn((n, spots.MOST_HANDS), generator=random, device=device) * far).exp())
        for k in range(spots.STANDS):
            hands, others = int(spots.HANDS[k]), int(spots.HANDS_TOO[k])
            rows = (stand == k).nonzero()[:, 0]
            pairs = tilts[0][rows, :hands, None] * tilts[1][rows, None, :others]
            start[rows, : hands * others] *= pairs.reshape(len(rows), hands * others)
        return position, self.doubted(position, start)

    def doubted(self, position: Tensor, mass: Tensor) -> Tensor:
        """Beliefs that add up to one and rule nothing out that the cards allow (`kibitz.coup.resolving.table.doubted`)."""
        total = mass.sum(1, keepdim=True)
        by_count = self._counted[stands_of(position), position[:, 2]]
        likely = mass / self._torch.where(total > 0, total, 1.0) * (1 - DOUBTED) + DOUBTED * by_count
        return self._torch.where(total > 0, likely, by_count)

"""What observations are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Observations: TypeAlias = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation that belong together: their shape, and the least and the most that they can be."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    bits: int = 0
    """If not 0, the field holds masks, each of so many bits."""
    own: bool = False
    """Whether only the observer's row of the field is shown."""

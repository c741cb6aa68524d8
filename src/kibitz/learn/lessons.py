"""What a generation learns from: positions with what came of them, and others with what networks said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from kibitz.learn.folder import InvalidTraining
from kibitz.learn.positions import Positions
from kibitz.learn.targets import lambda_returns, outcomes

Inputs = npt.NDArray[np.int8]
Values = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Judged:
    """Positions that networks have judged."""

    inputs: Inputs
    """[position, seat, input]"""
    values: Values
    """[position, seat] each seat's chance to win."""

    def __len__(self) -> int:
        return len(self.values)

    @staticmethod
    def joined(parts: Sequence[Judged]) -> Judged:
        """Those of all parts."""
        return Judged(np.concatenate([part.inputs for part in parts]), np.concatenate([part.values for part in parts]))


@dataclass(frozen=True)
class Lessons:
    """All that a generation learns from: the judged positions first, if there are any.

    >>> played = Positions(np.zeros((2, 3, 4), np.int8), np.array([1, 1], np.int8), np.array([7, 7]))
    >>> judged = Judged(np.ones((1, 3, 4), np.int8), np.array([[0.5, 0.25, 0.25]], np.float32))
    >>> Lessons(played, judged).targets(None, 0.6).tolist()
    [[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    """

    played: Positions
    judged: Judged | None = None

    def __len__(self) -> int:
        return len(self.played) + (len(self.judged) if self.judged else 0)

    @cached_property
    def inputs(self) -> Inputs:
        """``[position, seat, input]`` what the evaluator is told of them."""
        return np.concatenate([self.judged.inputs, self.played.inputs]) if self.judged else self.played.inputs

    def targets(self, values: Callable[[Inputs], Values] | None, share: float) -> Values:
        """[position, seat] what each position is worth; with `values`, a part of it is what these say of the next one.

        That is so of positions with a result (`kibitz.learn.targets`); what was said of the others does not change.
        """
        played = self.played
        if values is None:
            found = outcomes(played.winner, played.inputs.shape[1])
        else:
            found = lambda_returns(values(played.inputs), played.winner, played.game, share)
        return np.concatenate([self.judged.values, found]) if self.judged else found


# --- in files ---------------------------------------------------------------------------------------------------------


@contextmanager
def opened(path: Path) -> Iterator[Mapping[str, npt.NDArray[Any]]]:
    """The arrays of a file that a training has kept."""
    try:
        with path.open("rb") as file, np.load(file) as kept:
            yield kept
    except (ValueError, KeyError, EOFError, BadZipFile):
        raise InvalidTraining(f"{path}: damaged; remove it, and the same command makes a new one") from None


def arrays_of(played: Positions | None, judged: Judged | None) -> dict[str, npt.NDArray[Any]]:
    """As they lie in a file."""
    found: dict[str, npt.NDArray[Any]] = {}
    if played is not None:
        found |= {"inputs": played.inputs, "winner": played.winner, "game": played.game}
    if judged is not None:
        found |= {"looked": judged.inputs, "worth": judged.values}
    return found


def read_played(path: Path) -> Positions:
    """The positions with results in a file."""
    with opened(path) as kept:
        return Positions(kept["inputs"], kept["winner"], kept["game"])


def read_judged(path: Path) -> Judged:
    """The judged positions in a file."""
    with opened(path) as kept:
        return Judged(kept["looked"], kept["worth"])

"""A stand-in for whoever learns, where PyTorch is not installed; and trainings so small that they take a second."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from kibitz.catan.core.layout import INPUTS, POINTS, WIDE
from kibitz.game.evaluator import MIDDLE, NARROW
from kibitz.game.nets import FloatLayers
from kibitz.learn import fit, generation
from kibitz.learn.gate import SequentialTest


class Pupil:
    """Learns nothing: whoever has more points is thought to win, almost for certain, and nothing else counts."""

    taught: ClassVar[int] = 0
    begun_with: ClassVar[list[FloatLayers | None]] = []

    def __init__(self, scale: npt.NDArray[np.float64], wide: int, seed: int, start: FloatLayers | None) -> None:
        Pupil.begun_with.append(start)
        self.passes = 0

    @staticmethod
    def scale_of(inputs: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        return np.ones(inputs.shape[2])

    def values(self, inputs: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        return np.full(inputs.shape[:2], 1 / inputs.shape[1], np.float32)

    def learn(self, inputs: Any, targets: Any, schedule: Any, progress: Callable[[int, float], None]) -> float:
        assert targets.shape == inputs.shape[:2]
        Pupil.taught += 1
        self.passes += 1
        progress(len(inputs), 1.0)
        return 1.0 / self.passes

    @property
    def state(self) -> dict[str, npt.NDArray[Any]]:
        return {"passes": np.array(self.passes)}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        self.passes = int(state["passes"])

    @property
    def layers(self) -> FloatLayers:
        first = np.zeros((INPUTS, WIDE))
        first[POINTS] = 0.3 + 0.01 * self.passes
        second, third = np.zeros((3 * WIDE, MIDDLE)), np.full((MIDDLE, NARROW), 0.05)
        second[:WIDE] = 0.05
        biases = np.zeros(WIDE), np.zeros(MIDDLE), np.zeros(NARROW)
        return FloatLayers(first, biases[0], second, biases[1], third, biases[2], np.full(NARROW, 0.1), np.zeros(1))


class Lenient(SequentialTest):
    """Takes everybody over in the end, so that there is a second generation to learn from the first."""

    def verdict(self, wins: int, games: int) -> bool | None:
        return True if games >= generation.LONGEST_MATCH else None


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever trains from now on teaches a `Pupil`, in small steps."""
    Pupil.taught = 0
    Pupil.begun_with.clear()
    monkeypatch.setattr(fit, "Learner", Pupil)
    monkeypatch.setattr(fit, "torch_or_say", lambda: None)
    for name, value in {"PART": 10, "LATER_PART": 5, "GROUP": 3, "ROUND": 8, "LONGEST_MATCH": 16}.items():
        monkeypatch.setattr(generation, name, value)

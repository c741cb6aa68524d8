"""What became of a generation: the figures that are kept in the folder of a training and told in its report."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from kibitz.learn.folder import InvalidTraining, read
from kibitz.learn.measure import Floats, calibration, error_of, error_of_games

#: The error is told beside what so many games from each position would give.
BESIDE = (1, 10, 100)


@dataclass(frozen=True)
class Report:
    """What became of a generation."""

    generation: int
    teacher: str
    positions: int
    loss: list[float]
    error: float
    """Root mean square, against games that were played on from the same positions, without the noise of these games."""
    games_error: dict[int, float]
    """What so many games from each position would give instead."""
    calibration: list[dict[str, float]]
    by_phase: dict[str, float]
    match: dict[str, Any]
    seconds: dict[str, float]
    checksum: str
    accepted: bool = field(default=False)
    curve: list[list[float]] = field(default_factory=list)
    """Of each pass, the loss on the way: the means of up to a hundred parts of it."""
    phases: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By phase of the game: how many positions were measured, and what `games_error` is there."""
    calibration_by: dict[str, dict[Any, list[dict[str, float]]]] = field(default_factory=dict)
    """The calibration by ``phase``, and by ``seat`` (from 1)."""
    processor: dict[str, float] = field(default_factory=dict)
    """As `seconds`: the processor time of all cores."""
    judges: list[str] = field(default_factory=list)
    """The networks that judged positions, if there were any."""
    judged: int = 0
    """How many of the positions they judged."""

    @classmethod
    def read(cls, path: Path) -> Report:
        """A report that was kept. Raises `InvalidTraining` for a file that is damaged."""
        try:
            return cls(**_numbered(read(path)))
        except TypeError:
            raise InvalidTraining(f"{path}: damaged; remove it, or name another folder") from None


def errors(values: Floats, rates: Floats, games: int, phases: npt.NDArray[Any], turns: npt.NDArray[Any]) -> dict[str, Any]:
    """What a `Report` says of the errors: `values` against how often seats won (`rates`) in so many games from each position.

    ``values [position, seat]``, ``rates [position, seat]``; the phases are told in the order of their turns.
    """
    names = sorted(dict.fromkeys(phases.tolist()), key=lambda phase: float(turns[phases == phase].mean()))
    places = {phase: phases == phase for phase in names}
    return {
        "error": error_of(values, rates, games),
        "games_error": _of_games(rates, games),
        "calibration": _bins(values, rates),
        "by_phase": {phase: error_of(values[here], rates[here], games) for phase, here in places.items()},
        "phases": {
            phase: {"positions": int(here.sum()), "games_error": _of_games(rates[here], games)}
            for phase, here in places.items()
        },
        "calibration_by": {
            "phase": {phase: _bins(values[here], rates[here]) for phase, here in places.items()},
            "seat": {seat + 1: _bins(values[:, seat], rates[:, seat]) for seat in range(values.shape[1])},
        },
    }


def _of_games(rates: Floats, games: int) -> dict[int, float]:
    return {n: error_of_games(rates, games, n) for n in BESIDE}


def _bins(values: Floats, rates: Floats) -> list[dict[str, float]]:
    return [asdict(one) for one in calibration(values, rates)]


def _numbered(found: Any) -> Any:
    """JSON has no numbers as keys."""
    if isinstance(found, dict):
        return {int(key) if key.isdecimal() else key: _numbered(value) for key, value in found.items()}
    return found

"""Which kinds of action have broken laps before: a small value that orders what is tried first.

>>> seen = Statistics().counted("end", broke=True).counted("offer", broke=False)
>>> seen.rate("end") > seen.rate("build") > seen.rate("offer")
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self


def label(text: str) -> str:
    """What kind of action a text describes: its first word."""
    return text.partition(" ")[0]


@dataclass(frozen=True)
class Statistics:
    """How often actions of a kind left a lap, and how often the game then really was somewhere else."""

    tried: Mapping[str, int] = field(default_factory=dict)
    broke: Mapping[str, int] = field(default_factory=dict)

    def counted(self, kind: str, broke: bool) -> Statistics:
        """With one more action that left a lap."""
        tried = {**self.tried, kind: self.tried.get(kind, 0) + 1}
        return Statistics(tried, {**self.broke, kind: self.broke.get(kind, 0) + broke})

    def rate(self, kind: str) -> float:
        """How often such an action breaks a lap; one half where nothing is known."""
        return (self.broke.get(kind, 0) + 1) / (self.tried.get(kind, 0) + 2)

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {"tried": dict(self.tried), "broke": dict(self.broke)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What `to_json` described."""
        return cls(dict(data["tried"]), dict(data["broke"]))


NO_STATISTICS = Statistics()

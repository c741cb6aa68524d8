"""How bots from outside behaved: how many decisions they were asked for, how many they lost, and why.

>>> one = Conduct(decisions=10, lost={"raised": 2}, first="turn 3: ValueError: oops")
>>> (one + Conduct(decisions=5, lost={"late": 1}, first="turn 1: took longer than 5 s")).lost
{'raised': 2, 'late': 1}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True)
class Conduct:
    """How a bot behaved in some games; of several, the earlier first."""

    decisions: int = 0
    """How many it was asked for."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """How many of them something else was done instead of its choice, by why (see ``docs/outside_bots.md``)."""
    first: str = ""
    """What was wrong the first time."""

    def __add__(self, later: Conduct) -> Conduct:
        lost = dict(Counter(self.lost) + Counter(later.lost))
        return Conduct(self.decisions + later.decisions, lost, self.first or later.first)

    def to_json(self) -> dict[str, Any]:
        """Everything, by name."""
        return {"decisions": self.decisions, "lost": dict(self.lost), "first": self.first or None}


#: The conduct of those bots that can misbehave, by name.
Conducts = Mapping[str, Conduct]


@runtime_checkable
class Watched(Protocol):
    """A player whose conduct is counted."""

    @property
    def conduct(self) -> Conduct:
        """How it has behaved in this game."""


def together(parts: Iterable[Conducts]) -> dict[str, Conduct]:
    """The conduct in all these games, which come in their order.

    >>> together([{"a": Conduct(1)}, {"a": Conduct(2), "b": Conduct(3)}])["a"].decisions
    3
    """
    total: dict[str, Conduct] = {}
    for part in parts:
        for name, conduct in part.items():
            total[name] = total.get(name, Conduct()) + conduct
    return total


def at_table(names: Iterable[str], players: Iterable[object]) -> dict[str, Conduct]:
    """The conduct of those players at a table that can misbehave, by the names of their bots."""
    return together({name: player.conduct} for name, player in zip(names, players, strict=True) if isinstance(player, Watched))

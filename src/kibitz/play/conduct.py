"""How bots from outside behaved: how many decisions they were asked for, how many they lost, and why.

>>> one = Conduct(decisions=10, lost={"raised": 2}, first="turn 3: ValueError: oops")
>>> (one + Conduct(decisions=5, lost={"late": 1}, first="turn 1: took longer than 5 s")).lost
{'raised': 2, 'late': 1}
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

#: The most letters in a line for people.
WIDTH = 78


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


def about_conduct(conducts: Conducts) -> str:
    """How many decisions each bot lost, why, and what was wrong the first time; nothing where none was lost.

    >>> print(about_conduct({"my_bot.py:MyBot": Conduct(420, {"raised": 3, "late": 1}, "turn 3: KeyError: 'ore' (line 12)")}))
    my_bot.py:MyBot lost 4 of 420 decisions (3 raised, 1 late)
      first: turn 3: KeyError: 'ore' (line 12)
    """
    lines = []
    for name, conduct in conducts.items():
        if conduct.lost:
            counts = ", ".join(f"{n:,} {why}" for why, n in conduct.lost.items())
            lines.append(f"{name} lost {sum(conduct.lost.values()):,} of {conduct.decisions:,} decisions ({counts})")
            lines += textwrap.wrap(f"first: {conduct.first}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in "\n".join(lines))

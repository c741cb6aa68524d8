"""Who can sit at a table: players, which are told what their seat sees and answer with actions, and bots, which name them.

Nothing hidden ever reaches a player. It is handed copies of the state from which the verb `hide` has taken what its seat cannot
know, and of each step what `seen` gives. Where a player is somebody else's code, its conduct is counted: how many decisions it
was asked for, how many it lost, and why.

>>> effort("2000")
Limit(games=None, iterations=2000, time=None)
>>> effort("0.5s")
Limit(games=None, iterations=None, time=0.5)
>>> effort("soon")
Traceback (most recent call last):
...
kibitz.play.bots.UnknownBot: 'soon': expected a number of iterations (2000) or of seconds (0.5s)
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, runtime_checkable

from kibitz.compute.runtime import Limit
from kibitz.game import Game, States
from kibitz.game.definition import seat_policies
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import uint64

#: The most letters in a line for people.
WIDTH = 78


class UnknownBot(ValueError):
    """A name that no bot has, or a parameter that it does not take; the message is one line for people."""


class Player(Protocol):
    """Somebody at a table, for one game."""

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """The game starts here, as `seat` sees it. Whatever is random in this player comes from `seed`."""

    def saw(self, before: States, code: int, after: States) -> None:
        """A step was taken, its own included: what the seat perceived of it, and its views before and after."""

    def decide(self, view: States) -> int:
        """It is this seat's move: the code of an action."""


@runtime_checkable
class ChoosesAmong(Protocol):
    """A player who can be asked again, where a loop rule forbids what it wants; others then take the first allowed action."""

    def decide_among(self, view: States, allowed: Sequence[int]) -> int:
        """Another choice, out of these actions."""


@dataclass(frozen=True)
class Bot:
    """A name, and how to make a player of it; `policy` is its number where it is one of the game's compiled policies."""

    name: str
    player: Callable[[], Player]
    policy: int | None = None


class PolicyPlayer:
    """A compiled policy at a table with others: it remembers nothing and looks at its view alone."""

    def __init__(self, policy: int) -> None:
        self._policy = policy

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Seed the stream from which the policy draws. Raises `NoNetwork` where it asks an evaluator that there is not."""
        if game.school:
            game.school.check_policy(self._policy, view)
        self._xs = game.scratches()
        seat_policies(self._xs, [self._policy] * game.seats[1])
        reseed_at(self._xs, 0, uint64(seed))

    def saw(self, before: States, code: int, after: States) -> None:
        """A policy has no memory."""

    def decide(self, view: States) -> int:
        """What the policy does."""
        return int(decide_at(view, 0, self._xs, 0))


def policy_bot(name: str, policy: int) -> Bot:
    """The bot of a compiled policy."""
    return Bot(name, lambda: PolicyPlayer(policy), policy)


def bot_of(text: str, policies: Mapping[str, int], searches: Mapping[str, Callable[[Limit | None], Player]]) -> Bot:
    """The bot that a text names: one of a game's policies, or of its searches, whose names may end in an `effort`.

    >>> bot_of("random", {"random": 0}, {}).policy
    0
    >>> bot_of("random:5", {"random": 0}, {})
    Traceback (most recent call last):
    ...
    kibitz.play.bots.UnknownBot: 'random:5': random takes no parameter
    """
    name, colon, parameter = text.partition(":")
    if name in searches:
        return Bot(text, partial(searches[name], effort(parameter) if colon else None))
    if name not in policies:
        raise UnknownBot(f"{text[:40]!r}: no such bot; these are {', '.join([*policies, *searches])}")
    if colon:
        raise UnknownBot(f"{text[:40]!r}: {name} takes no parameter")
    return policy_bot(name, policies[name])


def effort(text: str) -> Limit:
    """How long a search may think, as it is typed after the name of a bot: ``2000`` iterations, or ``0.5s``."""
    number = re.fullmatch(r"(\d{1,9})|(\d{1,6}(?:\.\d{1,6})?)s", text, re.ASCII)
    if number is None or float(number[1] or number[2]) == 0:
        raise UnknownBot(f"{text[:40]!r}: expected a number of iterations (2000) or of seconds (0.5s)")
    return Limit(iterations=int(number[1])) if number[1] else Limit(time=float(number[2]))


@dataclass(frozen=True)
class Conduct:
    """How a bot behaved in some games; of several, the earlier first.

    >>> one = Conduct(decisions=10, lost={"raised": 2}, first="turn 3: ValueError: oops")
    >>> (one + Conduct(decisions=5, lost={"late": 1}, first="turn 1: took longer than 5 s")).lost
    {'raised': 2, 'late': 1}
    """

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

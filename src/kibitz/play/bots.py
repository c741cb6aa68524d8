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
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from kibitz.compute.runtime import Limit
from kibitz.game import Game, States
from kibitz.game.definition import seat_policies
from kibitz.game.doors import decide_at, reseed_at, sensible_actions
from kibitz.game.nets import InvalidNetwork, NoNetwork
from kibitz.ground.jit import uint64
from kibitz.ground.rng import Stream, derive_seed
from kibitz.play.profile import Level

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
    spare: int | None = None
    """The policy that takes its place under rules for which there is no network."""


def served(game: Game, states: States, policy: int, spare: int | None = None) -> int:
    """The policy, or its spare where it asks a network that there is not for the rules of ``states[0]``.

    Raises `NoNetwork` where there is no spare, either.
    """
    if game.school:
        try:
            game.school.check_policy(policy, states)
        except NoNetwork:
            if spare is None:
                raise
            return spare
    return policy


class PolicyPlayer:
    """A compiled policy at a table with others: it remembers nothing and looks at its view alone."""

    def __init__(self, policy: int, spare: int | None = None) -> None:
        self._policy, self._spare = policy, spare

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Seed the stream from which the policy draws. Raises `NoNetwork` where it asks an evaluator that there is not."""
        self._xs = game.scratches()
        seat_policies(self._xs, [served(game, view, self._policy, self._spare)] * game.seats[1])
        reseed_at(self._xs, 0, uint64(seed))

    def saw(self, before: States, code: int, after: States) -> None:
        """A policy has no memory."""

    def decide(self, view: States) -> int:
        """What the policy does."""
        return int(decide_at(view, 0, self._xs, 0))


class Careless:
    """Somebody who does not always look: now and then any sensible action, all equally likely, instead of the player's choice.

    When that happens depends on the seed and on how many steps were seen, so that a game that is played again from its steps
    goes on in the same way.
    """

    def __init__(self, player: Player, slips: int) -> None:
        """`slips` is how many decisions of a hundred go wrong (some of those hit upon the right action all the same)."""
        self._player, self._slips = player, slips

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Both begin."""
        self._seed, self._steps = derive_seed(seed, "careless"), 0
        self._player.begin(game, seat, view, seed)

    def saw(self, before: States, code: int, after: States) -> None:
        """Both saw it."""
        self._steps += 1
        self._player.saw(before, code, after)

    def decide(self, view: States) -> int:
        """What the player would do, or something else that makes sense."""
        chosen = self._player.decide(view)
        stream = Stream(derive_seed(self._seed, self._steps))
        if stream.below(100) >= self._slips:
            return chosen
        actions = sensible_actions(view)
        return actions[stream.below(len(actions))]


def policy_bot(name: str, policy: int, spare: int | None = None) -> Bot:
    """The bot of a compiled policy, perhaps with a spare one."""
    return Bot(name, lambda: PolicyPlayer(policy, spare), policy, spare)


def net_bot(game: Game, name: str, policy: int, path: Path) -> Bot:
    """The bot that asks a network from a file, in a book of its own; `policy` asks those that come with Kibitz."""
    try:
        return policy_bot(name, policy + game.nets.add([game.nets.read(path)]))
    except (InvalidNetwork, NoNetwork) as error:
        raise UnknownBot(f"{name!r}: {error}") from None


def level_bot(level: Level, named: Callable[[str], Bot]) -> Bot:
    """The bot of a level, made from those that it names.

    >>> level_bot(Level("easy", "random", "Does anything.", slips=50), lambda name: policy_bot(name, 0)).policy is None
    True
    """
    bot = named(level.bot)
    if level.slips:
        return Bot(level.name, lambda: Careless(bot.player(), level.slips))
    if bot.policy is not None:
        return policy_bot(level.name, bot.policy, named(level.spare).policy if level.spare else None)
    return Bot(level.name, bot.player)


def bot_of(
    text: str,
    policies: Mapping[str, int],
    searches: Mapping[str, Callable[[Limit | None], Player]],
    levels: Iterable[Level] = (),
) -> Bot:
    """The bot that a text names: one of a game's policies or levels, or of its searches, whose names may end in an `effort`.

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
    known = {level.name: level for level in levels}
    if name not in policies and name not in known:
        raise UnknownBot(f"{text[:40]!r}: no such bot; these are {', '.join([*policies, *searches, *known])}")
    if colon:
        raise UnknownBot(f"{text[:40]!r}: {name} takes no parameter")
    if name in known:
        return level_bot(known[name], lambda bot: bot_of(bot, policies, searches))
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

"""Bots from outside: ``my_bot.py:MyBot`` wherever a bot is named, ``my_bot.py:MyBot:2s`` with another time for a decision.

Such a bot is handed friendly objects alone: what its seat may know of the state, its legal actions, and the events that it saw
since its last decision. It lives in a process of its own (`kibitz.play.outside_process`), where nothing hidden is. A decision
that it loses (it raises, is late, or wants what the rules forbid) is taken for it, by `Friendly.default`, and counted in its
`Conduct`. ``docs/outside_bots.md`` is the page for authors.

>>> name = parse("bots/my_bot.py:MyBot:0.5s")
>>> name.file.name, name.bot, name.limit
('my_bot.py', 'MyBot', 0.5)
>>> parse("builder") is None
True
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.compute.runtime import Limit
from kibitz.game import Game, States, legal_actions
from kibitz.game.doors import sensible_actions
from kibitz.game.state import FriendlyState
from kibitz.play.bots import Bot, Player, UnknownBot, bot_of, effort
from kibitz.play.conduct import Conduct
from kibitz.play.outside_process import Gone, Host, Late, LoadFailed, Pool, Source, pool_of

#: Seconds that a decision may take unless the name of the bot says something else.
LIMIT = 5.0
#: A bot whose process had to be started again so often in one game is not asked again in it.
PATIENCE = 3


class Name(NamedTuple):
    """The name of a bot from outside, in parts."""

    file: Path
    bot: str
    limit: float


@dataclass(frozen=True)
class Event:
    """Something that happened, as a seat saw it."""

    turn: int
    seat: int
    """Who did it; of an outcome of chance, whom it concerns."""
    action: Any
    """The action or outcome; None where the seat did not see which."""
    text: str
    """The same in the words of the game's notation, also of what was not seen."""


@dataclass(frozen=True)
class Friendly:
    """The friendly objects of a game, for bots from outside."""

    state: type[FriendlyState[Any]]
    action: Callable[[str], Any]
    """The action that a text means; a ValueError says why there is none."""
    quiet: tuple[str, ...]
    """Kinds of actions that commit to nothing: of a lost decision, the first of them that is legal is done."""

    @property
    def module(self) -> str:
        """Where they are imported from."""
        return self.state.__module__

    def observe(self, view: States, seat: int) -> FriendlyState[Any]:
        """What a seat sees."""
        return self.state(view, observer=seat)

    def actions(self, view: States, codes: Sequence[int]) -> list[Any]:
        """Actions as objects."""
        state = self.state(view)
        return [state.action_of(code) for code in codes]

    def event(self, before: States, code: int) -> Event:
        """What a seat perceived, in the view before it."""
        state = self.state(before)
        action = None if state.unseen(code) is not None else state.action_of(code)
        return Event(state.turn_number, state.concerns(), action, state.words_of(code))


class OutsidePlayer:
    """A bot from outside at a table, for one game."""

    def __init__(self, pool: Pool, friendly: Friendly, limit: float) -> None:
        self._pool, self._friendly, self._limit = pool, friendly, limit
        self._host: Host | None = None
        self.conduct = Conduct()

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Take a process; the bot itself is made at its first decision."""
        self._game, self._seat = game, seat
        # Seeds are derived by steps that can be undone, and chance follows from the same one: what a bot gets cannot be.
        self._seed = int.from_bytes(blake2b(seed.to_bytes(8), digest_size=8).digest())
        self._events: list[Event] = []
        self._told = 0
        self._fresh = True
        self._restarts = 0
        self._host = self._pool.take()
        weakref.finalize(self, self._pool.give_back, self._host)

    def saw(self, before: States, code: int, after: States) -> None:
        """Keep an event until the bot is asked."""
        self._events.append(self._friendly.event(before, code))

    def decide(self, view: States) -> int:
        """What the bot wants, or the default."""
        return self._decide(view, legal_actions(view), listed=False)

    def decide_among(self, view: States, allowed: Sequence[int]) -> int:
        """The same, where a loop rule allows only some of the legal actions."""
        return self._decide(view, list(allowed), listed=True)

    def _decide(self, view: States, codes: list[int], listed: bool) -> int:
        observation = self._friendly.observe(view, self._seat)
        try:
            if self._restarts >= PATIENCE:
                raise _Lost("not asked", f"its process was lost {PATIENCE} times in this game")
            code = self._judged(observation, self._answer(observation, self._friendly.actions(view, codes)))
            if listed and code not in codes:
                raise _Lost("illegal", f"{self._game.describe(code)}: the loop rule forbids it here")
        except _Lost as lost:
            self.conduct += Conduct(1, {lost.why: 1}, f"turn {observation.turn_number}: {lost}")
            return self._default(view, codes)
        self.conduct += Conduct(1)
        return code

    def _answer(self, observation: Any, actions: list[Any]) -> str:
        """What the bot answers, as text."""
        assert self._host is not None
        if self._fresh:
            self._told = 0
        events = self._events[self._told :]
        began = False
        try:
            reply = self._host.ask((self._fresh, self._seat, self._seed), observation, actions, events, self._limit)
            began = bool(reply.get("began"))
        except (Late, Gone, LoadFailed) as lost:
            self._restarts += 1
            raise _Lost("late" if isinstance(lost, Late) else "died", str(lost)) from None
        finally:
            self._fresh, self._told = not began, len(self._events)
        if "raised" in reply:
            raise _Lost("raised", str(reply["raised"]))
        return str(reply.get("action"))

    def _judged(self, observation: Any, text: str) -> int:
        """The code of an action that the rules allow."""
        try:
            reason = observation.why_not(self._friendly.action(text))
            if reason is None:
                return self._game.parse(text)
        except ValueError as error:
            reason = str(error)
        raise _Lost("illegal", reason)

    def _default(self, view: States, codes: list[int]) -> int:
        """What is done in its place: the first quiet action, else the first sensible one."""
        kinds = {self._game.describe(code).split()[0]: code for code in reversed(codes)}
        for kind in self._friendly.quiet:
            if kind in kinds:
                return kinds[kind]
        return next((code for code in sensible_actions(view) if code in codes), codes[0])


class _Lost(Exception):
    """A decision is lost: why, in the word that is counted, and what was wrong."""

    def __init__(self, why: str, message: str) -> None:
        self.why = why
        super().__init__(message)


def parse(text: str) -> Name | None:
    """The parts of the name of a bot from outside; None if it is another name."""
    found = re.fullmatch(r"(.+\.py)(?::(\w+)(?::(.*))?)?", text.strip())
    if found is None:
        return None
    file, bot, time = found.groups()
    if bot is None:
        raise UnknownBot(f"{text!r}: which bot of the file? Expected {file}:CLASS")
    limit = LIMIT if time is None else effort(time).time
    if limit is None:
        raise UnknownBot(f"{text!r}: expected seconds for a decision behind the class, as in {file}:{bot}:2s")
    return Name(Path(file), bot, limit)


def any_bot(
    text: str, policies: Mapping[str, int], searches: Mapping[str, Callable[[Limit | None], Player]], friendly: Friendly
) -> Bot:
    """The bot that a text names: one of the game's own (`kibitz.play.bots.bot_of`), or one from outside, which is loaded."""
    name = parse(text)
    if name is None:
        return bot_of(text, policies, searches)
    if not name.file.is_file():
        raise UnknownBot(f"{text!r}: {name.file}: {'is a folder' if name.file.is_dir() else 'no such file'}")
    try:
        pool = pool_of(Source(name.file.resolve(), name.bot, friendly.module, name.file.stat().st_mtime_ns))
    except LoadFailed as error:
        raise UnknownBot(f"{text!r}: {error}") from None
    return Bot(text, partial(OutsidePlayer, pool, friendly, name.limit))

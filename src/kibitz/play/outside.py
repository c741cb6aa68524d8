"""Bots from outside: ``my_bot.py:MyBot`` wherever a bot is named, ``my_bot.py:MyBot:2s`` with another time for a decision.

Such a bot gets only friendly objects: what its seat may know of the state, its legal actions, and the events that it saw
since its last decision. It lives in a process of its own (`kibitz.play.outside_host`), where nothing hidden is: a thread that
hangs cannot be ended in Python, a process can. A decision that it loses (it raises, is late, or wants what the rules forbid) is
taken for it, by `OutsidePlayer.default`, and counted in its `Conduct`. ``docs/outside_bots.md`` is the page for authors.

>>> name = parse("bots/my_bot.py:MyBot:0.5s")
>>> name.file.name, name.bot, name.limit
('my_bot.py', 'MyBot', 0.5)
>>> parse("builder") is None
True
"""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, NamedTuple

from kibitz.compute.runtime import Limit
from kibitz.game import Game, States, legal_actions
from kibitz.game.doors import sensible_actions
from kibitz.game.state import FriendlyState
from kibitz.play import outside_host
from kibitz.play.bots import Bot, Conduct, Player, UnknownBot, bot_of, effort
from kibitz.play.profile import Level

#: Seconds that a decision may take unless the name of the bot says something else.
LIMIT = 5.0
#: A bot whose process had to be started again so often in one game is not asked again in it.
PATIENCE = 3
#: Seconds that loading a bot may take.
LOAD_WITHIN = 60.0
#: Seconds until the pipe of a process that was ended is closed.
CLOSED_WITHIN = 1.0


class Lost(Exception):
    """A decision is lost: why, in the word that is counted, and what was wrong."""

    def __init__(self, why: str, message: str) -> None:
        self.why = why
        super().__init__(message)


# --- the player -----------------------------------------------------------------------------------------------------


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

    def event(self, before: States, code: int) -> Event:
        """What a seat perceived, in the view before it."""
        state = self.state(before)
        action = None if state.unseen(code) is not None else state.action_of(code)
        return Event(state.turn_number, state.concerns(), action, state.words_of(code))


class OutsidePlayer:
    """A bot from outside at a table, for one game."""

    def __init__(self, pool: Pool, friendly: Friendly, limit: float) -> None:
        self._pool, self._friendly, self._limit = pool, friendly, limit
        self.conduct = Conduct()

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Take a process; the bot itself is made at its first decision."""
        self._game, self._seat = game, seat
        # Seeds are derived by steps that can be undone, and chance follows from the same one: what a bot gets cannot be.
        self._seed = int.from_bytes(blake2b(seed.to_bytes(8), digest_size=8).digest())
        self._events: list[Event] = []
        self._told = self._restarts = 0
        self._fresh = True
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
        observation = self._friendly.state(view, observer=self._seat)
        try:
            code = self._judged(observation, self._answer(observation, codes))
            if listed and code not in codes:
                raise Lost("illegal", f"{self._game.describe(code)}: the loop rule forbids it here")
        except Lost as lost:
            when = f"turn {observation.turn_number}: " if observation.counts_turns else ""
            self.conduct += Conduct(1, {lost.why: 1}, f"{when}{lost}")
            return self.default(view, codes)
        self.conduct += Conduct(1)
        return code

    def _answer(self, observation: FriendlyState[Any], codes: Sequence[int]) -> str:
        """What the bot answers, as text."""
        if self._restarts >= PATIENCE:
            raise Lost("not asked", f"its process was lost {PATIENCE} times in this game")
        actions = [observation.action_of(code) for code in codes]
        events = self._events[0 if self._fresh else self._told :]
        reply: dict[str, Any] = {}
        try:
            reply = self._host.ask((self._fresh, self._seat, self._seed), observation, actions, events, self._limit)
        except Lost:
            self._restarts += 1
            raise
        finally:
            self._fresh, self._told = not reply.get("began"), len(self._events)
        if "raised" in reply:
            raise Lost("raised", str(reply["raised"]))
        return str(reply.get("action"))

    def _judged(self, observation: FriendlyState[Any], text: str) -> int:
        """The code of an action that the rules allow."""
        try:
            reason = observation.why_not(self._friendly.action(text))
            if reason is None:
                return self._game.parse(text)
        except ValueError as error:
            reason = str(error)
        raise Lost("illegal", reason)

    def default(self, view: States, codes: list[int]) -> int:
        """What is done in its place: the first quiet action, else the first sensible one."""
        kinds = {self._game.describe(code).split()[0]: code for code in reversed(codes)}
        for kind in self._friendly.quiet:
            if kind in kinds:
                return kinds[kind]
        return next((code for code in sensible_actions(view) if code in codes), codes[0])


# --- its process ----------------------------------------------------------------------------------------------------


class Source(NamedTuple):
    """Where a bot comes from."""

    file: Path
    name: str
    module: str
    """What the process imports before: where the observations of the game come from."""
    changed: int
    """When the file was written: an edited bot is another one."""


class Host:
    """One process with one bot, which is started when it is first asked, and again when it has ended."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._stop: weakref.finalize[Any, Any] | None = None

    def start(self) -> None:
        """Start the process and load the bot. Raises `Lost`."""
        source = self._source
        # -P: the folder where Kibitz was started has no say in what is imported
        command = [sys.executable, "-P", "-m", outside_host.__name__, str(source.file), source.name, source.module]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        reader = Thread(target=_read, args=(self._process.stdout, self._answers), daemon=True)
        reader.start()
        self._stop = weakref.finalize(self, _end, self._process, reader)
        self._warm = False
        failed: str | None = "it was interrupted"
        try:
            failed = self._answer(LOAD_WITHIN).get("failed")
        except Lost as lost:
            slow, gone = f"it is not loaded after {LOAD_WITHIN:.0f} s", "its process ended while it was loading"
            failed = slow if lost.why == "late" else gone
        finally:
            if failed is not None:
                self.stop()
        if failed is not None:
            raise Lost("died", failed)

    def ask(self, fresh: tuple[bool, int, int], observation: Any, actions: Any, events: Any, limit: float) -> dict[str, Any]:
        """The answer to a request (see `kibitz.play.outside_host.Seat`) within `limit` seconds.

        Raises `Lost` where there is none in time, where the process ends, and where it cannot be started: that is done at the
        first request, and at the next one after such a loss.
        """
        if self._stop is None or not self._stop.alive:
            self.start()
        answer = None
        try:
            if not self._warm:
                self._send(("warm", fresh, observation, actions, events))
                self._answer(LOAD_WITHIN)
                self._warm = True
            self._send(("decide", fresh, observation, actions, events))
            answer = self._answer(limit)
            return answer
        finally:
            if answer is None:  # late, gone, or interrupted: an answer that comes yet would be taken for the next one
                self.stop()

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._stop is not None:
            self._stop()

    def _send(self, request: tuple[Any, ...]) -> None:
        data = pickle.dumps(request, pickle.HIGHEST_PROTOCOL)
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(len(data).to_bytes(outside_host.LENGTH) + data)
            pipe.flush()
        except OSError:
            raise Lost("died", "its process has ended") from None

    def _answer(self, limit: float) -> dict[str, Any]:
        try:
            answer = json.loads(self._answers.get(timeout=limit))
        except Empty:
            raise Lost("late", f"took longer than {limit:g} s") from None
        except ValueError:  # the end of the pipe, or something that no host writes
            raise Lost("died", "its process has ended") from None
        return answer  # type: ignore[no-any-return]


def _read(pipe: IO[bytes], answers: SimpleQueue[bytes]) -> None:
    """Hand on each answer, and at the end an empty one."""
    for line in pipe:
        answers.put(line)
    answers.put(b"")


def _end(process: subprocess.Popen[bytes], reader: Thread) -> None:
    """End a process and those that it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin is not None:
        with suppress(BrokenPipeError):  # what it did not read any more
            process.stdin.close()
    reader.join(CLOSED_WITHIN)
    if process.stdout is not None and not reader.is_alive():
        process.stdout.close()


class Pool:
    """The processes of one bot: as many as play at once."""

    def __init__(self, source: Source) -> None:
        """Start the first, so that what cannot be loaded is told at once."""
        self._source = source
        first = Host(source)
        first.start()
        self._idle = deque([first])

    def take(self) -> Host:
        """A process for one game."""
        try:
            return self._idle.pop()
        except IndexError:
            return Host(self._source)

    def give_back(self, host: Host) -> None:
        """The game is over."""
        self._idle.append(host)

    def close(self) -> None:
        """End all processes that nobody uses."""
        while self._idle:
            self._idle.pop().stop()


@cache
def pool_of(source: Source) -> Pool:
    """The processes of a bot; the first is started here. Raises `Lost`."""
    return Pool(source)


# --- names ----------------------------------------------------------------------------------------------------------


class Name(NamedTuple):
    """The name of a bot from outside, in parts."""

    file: Path
    bot: str
    limit: float


def parse(text: str) -> Name | None:
    """The parts of the name of a bot from outside; None if it is another name."""
    found = re.fullmatch(r"(.+\.py)(?::(\w+)(?::(.*))?)?", text.strip())
    if found is None:
        return None
    file, bot, time = found.groups()
    if bot is None:
        raise UnknownBot(f"{text!r}: which bot in the file? Expected {file}:CLASS")
    limit = LIMIT if time is None else effort(time).time
    if limit is None:
        raise UnknownBot(f"{text!r}: expected a time limit in seconds after the class, as in {file}:{bot}:2s")
    return Name(Path(file), bot, limit)


def any_bot(
    text: str,
    policies: Mapping[str, int],
    searches: Mapping[str, Callable[[Limit | None], Player]],
    friendly: Friendly,
    levels: Iterable[Level] = (),
) -> Bot:
    """The bot that a text names: one of the game's own (`kibitz.play.bots.bot_of`), or one from outside, which is loaded."""
    name = parse(text)
    if name is None:
        return bot_of(text, policies, searches, levels)
    if not name.file.is_file():
        raise UnknownBot(f"{text!r}: {name.file}: {'is a folder' if name.file.is_dir() else 'no such file'}")
    try:
        pool = pool_of(Source(name.file.resolve(), name.bot, friendly.module, name.file.stat().st_mtime_ns))
    except Lost as error:
        raise UnknownBot(f"{text!r}: {error}") from None
    return Bot(text, partial(OutsidePlayer, pool, friendly, name.limit))

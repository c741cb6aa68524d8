"""Processes for bots from outside: started, asked with a deadline, ended when they are late, and used again for later games.

A thread that hangs cannot be ended in Python, a process can.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import weakref
from collections import deque
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, NamedTuple

from kibitz.play import outside_host

#: Seconds that loading a bot may take.
LOAD_WITHIN = 60.0
#: Seconds until the pipe of a process that was ended is closed.
CLOSED_WITHIN = 1.0


class LoadFailed(RuntimeError):
    """A bot could not be loaded; the message says why."""


class Late(RuntimeError):
    """There was no answer in time; the process has been ended."""


class Gone(RuntimeError):
    """The process of a bot has ended by itself."""


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
        """Start the process and load the bot. Raises `LoadFailed`."""
        host = outside_host.__name__
        # -P: the folder where Kibitz was started has no say in what is imported
        command = [sys.executable, "-P", "-m", host, str(self._source.file), self._source.name, self._source.module]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        reader = Thread(target=_read, args=(self._process.stdout, self._answers), daemon=True)
        reader.start()
        self._stop = weakref.finalize(self, _end, self._process, reader)
        self._warm = False
        failed: str | None = "it was interrupted"
        try:
            failed = self._answer(LOAD_WITHIN).get("failed")
        except Late:
            failed = f"it is not loaded after {LOAD_WITHIN:.0f} s"
        except Gone:
            failed = "its process ended while it was loaded"
        finally:
            if failed is not None:
                self.stop()
        if failed is not None:
            raise LoadFailed(failed)

    def ask(self, fresh: tuple[bool, int, int], observation: Any, actions: Any, events: Any, limit: float) -> dict[str, Any]:
        """The answer to a request (see `kibitz.play.outside_host.Seat`) within `limit` seconds.

        Raises `Late` or `Gone`, and at the first request, and after these at the next, which starts the process, `LoadFailed`
        if that is not possible.
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
            raise Gone("its process has ended") from None

    def _answer(self, limit: float) -> dict[str, Any]:
        try:
            answer = json.loads(self._answers.get(timeout=limit))
        except Empty:
            raise Late(f"took longer than {limit:g} s") from None
        except ValueError:  # the end of the pipe, or something that no host writes
            raise Gone("its process has ended") from None
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
    """The processes of a bot; the first is started here. Raises `LoadFailed`."""
    return Pool(source)

"""What a part of the soak is given: chance, a folder, the ledger, and processes that are its own.

Every process is started here and killed by its id, and all of them end with the soak.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.soak.ledger import Ledger
from kibitz.ground.rng import derive_seed

ROOT = Path(__file__).parents[2]
#: Seconds between two looks at a process.
LOOK = 0.02
#: Seconds after which something that should have happened will not happen any more; a busy machine is slow.
PATIENCE = 600.0


class TimeIsUp(Exception):
    """The soak ends: a part lets everything lie."""


class Hangs(Exception):
    """Something did not happen in time."""


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    out: str
    err: str

    @property
    def fine(self) -> bool:
        return self.code == 0

    @property
    def last_words(self) -> str:
        return f"exit code {self.code}: {self.err.strip()[-300:]}"


class Child:
    """A process that writes to files of its own."""

    def __init__(self, work: Work, command: Sequence[str], name: str) -> None:
        self._work = work
        self._out, self._err = (work.folder / f"{name}.{suffix}" for suffix in ("out", "err"))
        environment = {**os.environ, "KIBITZ_DATA": str(work.folder / "data"), "KIBITZ_ENDGAMES": str(work.folder / "endgames")}
        if work.plain:
            environment["KIBITZ_JIT"] = "0"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, cwd=ROOT,
                start_new_session=True,  # Ctrl-C is for the soak alone
            )  # fmt: skip

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    @property
    def said(self) -> str:
        """What it has written so far, to both."""
        return "".join(path.read_text(errors="replace") for path in (self._out, self._err))

    def wait(self) -> Ended:
        """Wait for the end."""
        self._work.wait_for(lambda: not self.runs, f"{self.process.args!r} does not end")
        return Ended(self.process.wait(), *(path.read_text(errors="replace") for path in (self._out, self._err)))

    def wait_for(self, sign: Callable[[], object]) -> bool:
        """Wait for a sign, or for the end; whether it still runs."""
        self._work.wait_for(lambda: sign() or not self.runs, f"{self.process.args!r} gives no sign")
        return self.runs

    def kill(self) -> bool:
        """SIGKILL; whether it still ran."""
        self.process.kill()
        return self.process.wait() < 0

    def children(self) -> list[psutil.Process]:
        """The processes that it has started."""
        try:
            return [*psutil.Process(self.process.pid).children()]
        except psutil.NoSuchProcess:
            return []


def lives(process: psutil.Process) -> bool:
    """Whether a process does anything yet; one that has ended may still be in the list."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@dataclass
class Work:
    """One part's share of the soak."""

    name: str
    seed: int
    folder: Path
    ledger: Ledger
    stop: threading.Event
    plain: bool = False
    """Whether its processes run without the compiler: they start in a third of the time, and games last longer."""
    ends: ExitStack = field(default_factory=ExitStack)
    """What ends with this part, beside its processes."""
    _children: list[Child] = field(default_factory=list)

    def chance(self, number: int) -> random.Random:
        """Where the choices of a round come from."""
        return random.Random(derive_seed(self.seed, "soak", self.name, number))

    def start(self, *command: str, name: str = "command") -> Child:
        """A process; what it writes replaces what the last one with this name wrote."""
        self._children = [child for child in self._children if child.runs]
        child = Child(self, command, name)
        self._children.append(child)
        return child

    def kibitz(self, *words: str) -> Child:
        """A command of Kibitz."""
        return self.start(sys.executable, "-m", "kibitz", *words)

    def pause(self, seconds: float) -> None:
        """Let time pass."""
        if self.stop.wait(seconds):
            raise TimeIsUp

    def wait_for(self, happened: Callable[[], object], otherwise: str) -> None:
        """Wait until something has happened."""
        until = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > until:
                raise Hangs(otherwise)
            self.pause(LOOK)

    def end(self) -> None:
        """End this part, with all its processes."""
        for child in self._children:
            child.kill()
        self.ends.close()

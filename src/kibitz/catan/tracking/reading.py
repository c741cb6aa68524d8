"""Logs as strangers bring them, within bounds: how long one may be, and how long it may take to read."""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.connection import Connection

from kibitz.catan.logs import ImportedLog, LogError, read
from kibitz.compute.runtime import Runtime

#: Characters of a log.
MOST_CHARACTERS = 8 << 20
#: Lines of a log; the longest games that we have seen have 5,000. So many take a few seconds.
MOST_LINES = 40_000
#: Elements of a page that was saved.
MOST_TAGS = 300_000
#: A text of so many characters is read in a moment; a longer one in a process of its own, for so many seconds at most.
SHORT, SECONDS = 256 << 10, 60.0
#: Seconds between two looks at that process.
_LOOK = 0.05
#: Letters of a player's name.
LONGEST_NAME = 100


def read_log(text: str, me: str | None = None, runtime: Runtime | None = None) -> ImportedLog:
    r"""Read a log of any known format; `runtime` can stop it. Raises `LogError`, as it does for one that is too long.

    >>> read_log("Ann got wood\n" * 50_000)
    Traceback (most recent call last):
        ...
    kibitz.catan.logs.base.LogError: line 40001: this is too long for one game: at most 40,000 lines
    """
    if len(text) > MOST_CHARACTERS:
        raise LogError(1, f"this is too large for a game log: at most {MOST_CHARACTERS >> 20} MB")
    if len(text.splitlines()) > MOST_LINES:
        raise LogError(MOST_LINES + 1, f"this is too long for one game: at most {MOST_LINES:,} lines")
    if text.count("<") > MOST_TAGS:
        raise LogError(1, f"this is too long for one game: at most {MOST_TAGS:,} elements of a page")
    found = read(text, me=me) if runtime is None or len(text) <= SHORT else _read_apart(text, me, runtime)
    if any(len(name) > LONGEST_NAME for name in found.log.players):
        raise LogError(1, f"the name of a player is too long: at most {LONGEST_NAME} letters")
    return found


def _read_apart(text: str, me: str | None, runtime: Runtime) -> ImportedLog:
    """Read a text in a process, which can be ended at any moment and does not keep visitors from Python's lock."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_send, args=(theirs, text, me), daemon=True)
    process.start()
    theirs.close()
    until = time.monotonic() + SECONDS
    try:
        while not ours.poll(_LOOK):
            if runtime.stopped:
                raise LogError(1, "reading it was stopped")
            if time.monotonic() > until:
                raise LogError(1, f"this takes too long to read: more than {SECONDS:.0f} seconds")
        found: ImportedLog | LogError = ours.recv()
    except EOFError:
        raise LogError(1, "reading it failed, perhaps for want of memory") from None
    finally:
        ours.close()
        process.kill()
        process.join()
    if isinstance(found, LogError):
        raise found
    return found


def _send(to: Connection, text: str, me: str | None) -> None:
    """What the process does: read, and hand over what was found or what is wrong."""
    try:
        to.send(read(text, me=me))
    except LogError as error:
        to.send(error)

"""Game logs of other programs, read; and our games as the chat that colonist.io would show.

>>> text = '{"events": "catan", "version": 1, "players": ["Ann", "Bob"], "observer": null, "victory_points": 10}'
>>> recognise(text)
'kibitz'
>>> read(text).log.players
('Ann', 'Bob')
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from kibitz.catan.logs.base import ImportedLog, LogError, Problem, Reader, decoded
from kibitz.compute.runtime import Runtime

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from kibitz.catan.core import record as games  # not by the name alone: every game has records

__all__ = [
    "FORMATS", "WRITERS", "ImportedLog", "LogError", "Problem", "read", "read_bounded", "read_path", "recognise", "write",
]  # fmt: skip

#: Every format, in the order in which they are tried, with the module that reads it.
FORMATS = {
    "kibitz": "kibitz",
    "colonist-replay": "colonist.replay",
    "colonist-frames": "colonist.frames",
    "catanatron": "catanatron",
    "jsettlers": "jsettlers",
    "catanlog": "catanlog",
    "colonist-html": "colonist.html",
    "colonist-text": "colonist.text",
}

#: The formats that games can be written in.
WRITERS = ("kibitz", "colonist-text")


def reader(name: str) -> Reader:
    """The module that reads a format."""
    return cast("Reader", import_module(f"kibitz.catan.logs.{FORMATS[name]}"))


def recognise(text: str) -> str:
    """The name of a log's format, found by its content. Raises `LogError` for anything else."""
    for name in FORMATS:
        if reader(name).recognises(text):
            return name
    from kibitz.catan.logs.colonist.seeming import seeming

    if other := seeming(text[: 1 << 20].splitlines()):
        raise LogError(1, f"the log seems to be {other}; languages that can be read: {languages()}")
    raise LogError(1, f"no known format of game logs; these are {', '.join(FORMATS)}")


def languages() -> str:
    """The languages of colonist.io's chat that can be read, for people."""
    from kibitz.catan.logs.colonist.wordings import readable

    return readable()


def read(text: str, format: str | None = None, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a log whose format is given or recognised. `me` is the observer's name, where the log does not say it.

    Unreadable lines are skipped and listed as `problems`; with `strict` the first raises a `LogError`.
    """
    if format is not None and format not in FORMATS:
        raise LogError(1, f"format {format!r}: expected one of {', '.join(FORMATS)}")
    if len(text) > MOST_BYTES:
        raise _too_large()
    found = format or recognise(text)
    if found in _BY_LINE and len(text.splitlines()) > MOST_LINES:
        raise LogError(MOST_LINES + 1, f"this is too long for one game: at most {MOST_LINES:,} lines")
    if found == "colonist-html" and text.count("<") > MOST_TAGS:
        raise LogError(1, f"this is too long for one game: at most {MOST_TAGS:,} elements of a page")
    return reader(found).read(text, me=me, strict=strict)


def _too_large() -> LogError:
    return LogError(1, f"this is too large for a game log: at most {MOST_BYTES >> 20} MB")


def read_path(path: Path, format: str | None = None, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a log file (UTF-8, or UTF-16 with its mark; .gz too)."""
    import gzip
    import zlib

    with path.open("rb") as file:
        packed = file.peek(2)[:2] == b"\x1f\x8b"
        try:
            with gzip.open(file) if packed else file as whole:
                data = whole.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise _too_large()
            text = decoded(data)
        except UnicodeDecodeError:
            raise LogError(1, "the file is damaged, or not text in UTF-8") from None
        except (EOFError, zlib.error, OSError) as error:
            raise LogError(1, f"the file is damaged, or not text in UTF-8 ({error})") from None
    return read(text, format, me, strict)


def write(record: games.Record, format: str, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A recorded game as a log of another format, as `observer` (None: a spectator) would have got it."""
    if format not in WRITERS:
        raise LogError(1, f"format {format!r}: expected one of {', '.join(WRITERS)}")
    text: str = import_module(f"kibitz.catan.logs.{FORMATS[format]}").write(record, observer, players)
    return text


#: Bytes of a log, unpacked: in the pages and on the command line.
MOST_BYTES = 64 << 20
#: Lines of a chat; the longest games that we have seen have 5,000. So many take a few seconds.
MOST_LINES = 40_000
_BY_LINE = ("jsettlers", "catanlog", "colonist-text")
#: Elements of a page that was saved.
MOST_TAGS = 2_000_000
#: A text of so many characters is read in a moment; a longer one in a process of its own, for so many seconds at most.
SHORT, SECONDS = 256 << 10, 60.0
#: Seconds between two looks at that process.
_LOOK = 0.05
#: Letters of a player's name.
LONGEST_NAME = 100


def read_bounded(text: str, me: str | None = None, runtime: Runtime | None = None) -> ImportedLog:
    r"""Read a log that a stranger brings: `runtime` can stop it, and one that is too long is refused, too. Raises `LogError`.

    >>> read_bounded("Ann got wood\n" * 50_000)
    Traceback (most recent call last):
        ...
    kibitz.catan.logs.base.LogError: line 40001: this is too long for one game: at most 40,000 lines
    """
    if len(text) > MOST_BYTES:
        raise _too_large()
    found = read(text, me=me) if runtime is None or len(text) <= SHORT else _read_apart(text, me, runtime)
    if any(len(name) > LONGEST_NAME for name in found.log.players):
        raise LogError(1, f"the name of a player is too long: at most {LONGEST_NAME} letters")
    return found


def _read_apart(text: str, me: str | None, runtime: Runtime) -> ImportedLog:
    """Read a text in a process, which can be ended at any moment and does not keep visitors from Python's lock."""
    import multiprocessing

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

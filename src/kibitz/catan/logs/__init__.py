"""Game logs of other programs, read; and our games as the chat that colonist.io would show.

>>> text = '{"events": "catan", "version": 1, "players": ["Ann", "Bob"], "observer": null, "victory_points": 10}'
>>> recognise(text)
'kibitz'
>>> read(text).log.players
('Ann', 'Bob')
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from kibitz.catan.logs.base import ImportedLog, LogError, Problem, Reader, decoded

if TYPE_CHECKING:
    from kibitz.catan.core import record as games  # not by the name alone: every game has records

__all__ = ["FORMATS", "WRITERS", "ImportedLog", "LogError", "Problem", "read", "read_path", "recognise", "write"]

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
    raise LogError(1, f"no known format of game logs; these are {', '.join(FORMATS)}")


def read(text: str, format: str | None = None, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a log whose format is given or recognised. `me` is the observer's name, where the log does not say it.

    Unreadable lines are skipped and listed as `problems`; with `strict` the first raises a `LogError`.
    """
    if format is not None and format not in FORMATS:
        raise LogError(1, f"format {format!r}: expected one of {', '.join(FORMATS)}")
    return reader(format or recognise(text)).read(text, me=me, strict=strict)


def read_path(path: Path, format: str | None = None, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a log file (UTF-8, or UTF-16 with its mark; .gz too)."""
    import gzip
    import zlib

    data = path.read_bytes()
    try:
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        text = decoded(data)
    except (EOFError, zlib.error, OSError, UnicodeDecodeError) as error:
        raise LogError(1, f"the file is damaged, or not text in UTF-8 ({error})") from None
    return read(text, format, me, strict)


def write(record: games.Record, format: str, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A recorded game as a log of another format, as `observer` (None: a spectator) would have got it."""
    if format not in WRITERS:
        raise LogError(1, f"format {format!r}: expected one of {', '.join(WRITERS)}")
    text: str = import_module(f"kibitz.catan.logs.{FORMATS[format]}").write(record, observer, players)
    return text

"""What the record files of all games share: lines of JSON, a header, a line for each step, an end line.

The format is described in ``docs/record.md``; a game's own `record` module says what its lines hold.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from glob import escape
from pathlib import Path
from typing import IO, Any

from kibitz.ground.codec import parse_json

#: How a game ends that a loop guard declares a draw.
LOOP = "loop"
#: How a game ends that was left, or broken off.
UNFINISHED = "unfinished"
#: Characters of the longest line that is read: more is not a record, but perhaps a small file that unpacks to a huge one.
LONGEST_LINE = 16 << 20
#: Letters of a value in a message.
LONGEST_TOLD = 120


class RecordError(ValueError):
    """A record that cannot be read, or does not replay; the message begins with the line."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        #: What was read of the game with the mistake, if it had begun: a `kibitz.game.record.GameRecord`.
        self.begun: Any = None
        super().__init__(f"line {line}: {message}")

    def __reduce__(self) -> tuple[type[RecordError], tuple[int, str]]:
        return RecordError, (self.line, self.message)


def check_target(path: Path) -> None:
    """Raise an OSError where `path` cannot be a file: a folder, a device, a circle of links, or nothing to put it into."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a file", str(path))
    if Path(os.path.realpath(path)).is_symlink():
        raise OSError(errno.ELOOP, "is a symbolic link to itself", str(path))
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, f"there is no folder {path.parent}", str(path))


def beginning_of(path: Path, characters: int = 1 << 12) -> str:
    """How the text of a file begins, unpacked where it is gzipped; what is not text counts as an unreadable mark."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    try:
        with gzip.open(path) if packed else path.open("rb") as raw:
            return raw.read(characters).decode("utf-8", errors="replace")
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return "\ufffd"


def is_left(path: Path) -> bool:
    """Whether a record ends with a game that somebody left before its end."""
    last = ""
    try:
        for _, line in read_file(path):
            last = line
        entry = parse_json(last)
    except (RecordError, ValueError):
        return False
    return isinstance(entry, dict) and entry.get("termination") == UNFINISHED


@contextmanager
def writing(path: Path) -> Iterator[Callable[[str], None]]:
    """Write lines, gzipped where the name says so, to a file that appears only when it is complete."""
    path = path.resolve()
    check_target(path)
    with replacing(path) as partial, partial.open("wb") as raw, _text_stream(raw, path) as stream:
        yield lambda line: print(line, file=stream)


def left_behind(path: Path) -> list[Path]:
    """The unfinished files that writers of `path` left who were killed."""
    return [
        left
        for left in sorted(path.parent.glob(f".{escape(path.name)}.*.partial"))
        if (writer := left.name.removesuffix(".partial").rpartition(".")[2]).isdecimal()
        and (int(writer) == os.getpid() or not lives(int(writer)))  # in a container the next process often has the same number
    ]


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`, renamed at the end: nothing is ever half-written.

    What writers left there that were killed is removed, when there is something better.
    """
    left = left_behind(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(path)
        for one in left:
            with suppress(PermissionError):  # where open files cannot be removed, and it is open
                one.unlink(missing_ok=True)
    finally:
        partial.unlink(missing_ok=True)


def lives(process: int) -> bool:
    """Whether there is a process of this number, as far as that can be asked."""
    if sys.platform == "win32":  # to ask would be to end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OverflowError, PermissionError):  # not the number of a process; somebody else's
        pass
    return True


@contextmanager
def _text_stream(raw: IO[bytes], path: Path) -> Iterator[IO[str]]:
    binary = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else raw
    stream = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
    try:
        yield stream
    finally:
        stream.flush()
        stream.detach()
        if binary is not raw:
            binary.close()


def read_file(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a record file with their numbers."""
    number = 1
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as stream:
        try:
            while line := stream.readline(LONGEST_LINE):
                if len(line) == LONGEST_LINE:
                    raise RecordError(number, f"the line is longer than {LONGEST_LINE >> 20} MB")
                yield number, line
                number += 1
        except UnicodeDecodeError:
            raise RecordError(number, "the file is not UTF-8 text from here on") from None
        except (EOFError, zlib.error, OSError) as error:  # a broken gzip file is an OSError too
            raise RecordError(number, f"the file is damaged here ({error})") from None


def _told(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 4]} ..."


class Part(Enum):
    """What a line of a record is."""

    HEADER = "header"
    STEP = "step"
    END = "end"


def parsed(name: str, version: int, lines: Iterable[str]) -> Iterator[tuple[int, Part, dict[str, Any]]]:
    """Every line of a record of `name`, with its number and what it is. Each game goes from a header to an end line."""
    first: int | None = None
    number = 0
    for number, text in enumerate(lines, start=1):
        try:
            entry = parse_json(text, strict=True)
        except ValueError as error:
            raise RecordError(number, str(error).replace(" at line 1, column", " at column")) from None
        if not isinstance(entry, dict):
            raise RecordError(number, "expected an object")
        if first is None:
            first = number
            if entry.get("record") != name:
                raise RecordError(number, f'expected the header of a game, with "record": "{name}"')
            found = entry.get("version")
            if type(found) is not int or found != version:
                raise RecordError(number, f"version {found!r} of the format is unknown; this is version {version}")
            yield number, Part.HEADER, entry
        elif "record" in entry:
            raise RecordError(number, f"a new game begins, but the one of line {first} has no end line")
        elif "end" in entry:
            first = None
            yield number, Part.END, entry
        else:
            yield number, Part.STEP, entry
    if first is not None:
        raise RecordError(number, f"the record breaks off: the game of line {first} has no end line")


def get(line: int, entry: dict[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    """A field of an entry, which must be there and of this kind."""
    if name not in entry:
        raise RecordError(line, f"the field {name} is missing")
    if not isinstance(entry[name], kind) or (kind is not bool and isinstance(entry[name], bool)):
        raise RecordError(line, f"{name}: {entry[name]!r} is not what belongs there")
    return entry[name]


def compare(line: int, where: str, recorded: Any, actual: Any) -> None:
    """Name the first field that differs; 1, 1.0 and true are three things."""
    if recorded == actual and repr(recorded) == repr(actual):
        return
    if isinstance(recorded, dict) and isinstance(actual, dict):
        for name in {**actual, **recorded}:
            if name not in recorded or name not in actual:
                raise RecordError(line, f"{where}.{name} is {'missing' if name in actual else 'unknown'}")
            compare(line, f"{where}.{name}", recorded[name], actual[name])
    elif isinstance(recorded, list) and isinstance(actual, list):
        for i, (a, b) in enumerate(zip(recorded, actual, strict=False)):
            compare(line, f"{where}[{i}]", a, b)
        if len(recorded) != len(actual):
            raise RecordError(line, f"{where} has {len(recorded)} entries in the record, {len(actual)} by the rules")
    elif recorded != actual or type(recorded) is not type(actual):
        raise RecordError(line, f"{where} is {_told(recorded)} in the record, {_told(actual)} by the rules")

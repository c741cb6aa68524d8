"""What every reader of game logs shares: the result, the errors, and the notebook that it is written into."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Event, EventLog, InvalidEvent, check_seats
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import Rules

_SHOWN = 120


class LogError(ValueError):
    """A log that cannot be read; the message begins with the line."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"line {line}: {message}")

    def found_in(self, lines: Sequence[int]) -> LogError:
        """The error with a line of the file, where it counted events: people look for lines."""
        return LogError(lines[self.line - 1] if 0 < self.line <= len(lines) else 1, self.message)

    def __reduce__(self) -> tuple[type[LogError], tuple[int, str]]:
        return LogError, (self.line, self.message)


def only_the_base_game(line: int, expansion: str) -> LogError:
    """Why a game of an expansion is refused: its cards would be counted wrongly."""
    return LogError(line, f"this is a game of {expansion}; only the base game can be read")


@dataclass(frozen=True)
class Problem:
    """A line that could not be read and was skipped: the first, and how many are like it."""

    line: int
    reason: str
    text: str
    count: int = 1

    def __str__(self) -> str:
        told = f"line {self.line}: {self.reason}" + (f": {self.text}" if self.text else "")
        return told if self.count == 1 else f"{told} ({self.count:,} times)"


@dataclass(frozen=True)
class Doubts:
    """Why a log's figures may be wrong: what was not understood, and what is known to be missing."""

    problems: tuple[Problem, ...] = ()
    #: What of the game is not there, as a sentence; empty where nothing is known to be missing.
    missing: str = ""

    def __bool__(self) -> bool:
        return bool(self.problems or self.missing)

    def added_to(self, told: dict[str, Any]) -> dict[str, Any]:
        """What is known, as `kibitz.catan.belief.summary` tells it, together with these doubts."""
        return {
            **told,
            "approximate": told["approximate"] or bool(self),
            "incomplete": bool(self.missing),
            "missing": self.missing,
            "problems": [asdict(problem) for problem in self.problems],
        }


_NUMBER = re.compile("[0-9]+")


def distinct(problems: Iterable[Problem], names: Sequence[str] = ()) -> tuple[Problem, ...]:
    """One problem for all that differ only by the line, by players and by numbers in the text, in the order of the lines.

    >>> distinct([Problem(4, "not read", "Bob waved 2 times"), Problem(2, "not read", "Ann waved 1 times")], ["Ann", "Bob"])
    (Problem(line=2, reason='not read', text='Ann waved 1 times', count=2),)
    """
    found: dict[tuple[str, str], Problem] = {}
    for problem in sorted(problems, key=lambda problem: problem.line):
        shape = problem.text
        for name in sorted(names, key=len, reverse=True):
            shape = shape.replace(name, "\0")
        key = problem.reason, _NUMBER.sub("0", shape)
        first = found.get(key)
        found[key] = problem if first is None else replace(first, count=first.count + problem.count)
    return tuple(found.values())


@dataclass(frozen=True)
class ImportedLog:
    """What a file held: the events as its observer saw them, and whatever else its format carries."""

    format: str
    log: EventLog
    #: Where each event was read: the line of a text, the row of a page, the index of a log entry.
    lines: tuple[int, ...]
    problems: tuple[Problem, ...] = ()
    board: Board | None = None
    rules: Rules | None = None
    #: The same game with nothing hidden, where the file holds it: what a record can be rebuilt from; and its lines.
    everything: tuple[Event, ...] | None = None
    everything_lines: tuple[int, ...] | None = None
    #: What of the game is known to be missing, as a sentence: figures made from it may be wrong.
    missing: str = ""
    #: Who sat there as our records tell it, which name bots by what they are (``ismcts:300``); empty for all other logs.
    seats: tuple[str, ...] = ()

    @property
    def incomplete(self) -> bool:
        """Whether a part of the game is known to be missing."""
        return bool(self.missing)

    @property
    def doubts(self) -> Doubts:
        """Why figures made from it may be wrong."""
        return Doubts(self.problems, self.missing)

    def record(self) -> Record:
        """The complete game under our rules. Raises `LogError` where the file does not hold it, or breaks a rule."""
        from kibitz.catan.logs.rebuild import rebuild

        if self.board is None or self.everything is None:
            missing = "no board" if self.board is None else "not everything that was hidden (or has problems)"
            raise LogError(1, f"this {self.format} log holds {missing}: it cannot become a record")
        try:
            return rebuild(self.board, self.rules or Rules(), self.seats or self.log.players, self.everything)
        except LogError as error:
            lines = self.everything_lines or self.lines
            raise error.found_in(lines if len(lines) == len(self.everything) else ()) from None


class Reader(Protocol):
    """A module of this package that reads one format."""

    def recognises(self, text: str) -> bool:
        """Whether the text is of this format, from its content; never raises."""

    def read(self, text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
        """Read a whole log. `me` names the observer, where the log does not.

        A line that cannot be read is a `Problem` and skipped, with `strict` a `LogError`. Nothing else is ever raised.
        """


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 if its mark says so. Raises `UnicodeDecodeError`."""
    return data.decode("utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")


def seat_of(me: str, players: Sequence[str]) -> int:
    """The seat of a name, whose capitals do not matter if nobody else has it. Raises `LogError`."""
    if me in players:
        return players.index(me)
    alike = [seat for seat, name in enumerate(players) if name.casefold() == me.strip().casefold()]
    if len(alike) != 1:
        raise LogError(1, f"there is no player {me!r}; the players are {', '.join(players)}")
    return alike[0]


@dataclass
class Notebook:
    """Collects events with their lines, and problems, while a log is read."""

    players: int
    strict: bool = False
    events: list[Event] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def add(self, line: int, event: Event) -> int | None:
        """One more event; its place among them, or None if it names a seat that does not exist, which is a problem."""
        try:
            check_seats(event, self.players)
        except InvalidEvent as error:
            self.problem(line, str(error))
            return None
        self.events.append(event)
        self.lines.append(line)
        return len(self.events) - 1

    def note(self, line: int, reason: str) -> None:
        """Something that is missing or odd, but hides no event: never fatal, and said once."""
        if (problem := Problem(line, reason, "")) not in self.problems:
            self.problems.append(problem)

    def problem(self, line: int, reason: str, text: str = "") -> None:
        """A line that cannot be read."""
        if self.strict:
            raise LogError(line, f"{reason}: {text[:_SHOWN]}" if text else reason)
        self.problems.append(Problem(line, reason, text[:_SHOWN]))

    def imported(self, format: str, log: EventLog, **extras: Any) -> ImportedLog:
        """The result, with the problems in the order of their lines, each kind once."""
        return ImportedLog(format, log, tuple(self.lines), distinct(self.problems, log.players), **extras)

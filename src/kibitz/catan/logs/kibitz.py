"""Our own files: event logs (`kibitz.catan.core.events`) and game records (`kibitz.catan.core.record`)."""

from collections.abc import Sequence
from dataclasses import replace

from kibitz.catan.core.events import InvalidEvent, read_event, read_header
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.record import Record, RecordError, check
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook, seat_of
from kibitz.ground.codec import parse_json


def recognises(text: str) -> bool:
    """The first line is one of our headers."""
    return _header(text) is not None


def _header(text: str) -> str | None:
    """Of which of our files the first line is the header."""
    try:
        header = parse_json(text.lstrip().partition("\n")[0])
    except ValueError:
        return None
    if not isinstance(header, dict):
        return None
    return next((kind for kind in ("events", "record") if header.get(kind) == "catan"), None)


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read an event log, or the first game of a record as a spectator (or `me`, "Player 1" ...) saw it."""
    if _header(text) == "record":
        return _read_record(text, me)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise LogError(1, "the file is empty")
    try:
        header = read_header(lines[0][1])
    except InvalidEvent as error:
        raise LogError(lines[0][0], str(error)) from None
    if me is not None:
        header = replace(header, observer=seat_of(me, header.players))
    notebook = Notebook(len(header.players), strict)
    for number, line in lines[1:]:
        try:
            notebook.add(number, read_event(line, len(header.players)))
        except InvalidEvent as error:
            notebook.problem(number, str(error), line)
    return notebook.imported("kibitz", replace(header, events=tuple(notebook.events)))


def _read_record(text: str, me: str | None) -> ImportedLog:
    try:
        record = next(check(text.strip().split("\n")))
    except RecordError as error:
        raise LogError(error.line, error.message) from None
    except StopIteration:
        raise LogError(1, "the file holds no game") from None
    players = _names(record)
    log = events_of(record, None if me is None else seat_of(me, players), players=players)
    everything = events_of(record, all_seeing=True).events
    lines = tuple(range(1, len(log.events) + 1))
    return ImportedLog("kibitz", log, lines, (), record.board, record.rules, everything)


def _names(record: Record) -> tuple[str, ...]:
    """The names of the seats, if they are names (and not the bots that sat there)."""
    if len(set(record.seats)) < len(record.seats) or set(record.seats) <= set(BOTS):
        return tuple(f"Player {seat + 1}" for seat in range(len(record.seats)))
    return record.seats


def write(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """The events of a game as a file."""
    return "\n".join([*events_of(record, observer, players=players).lines(), ""])

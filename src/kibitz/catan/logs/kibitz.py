"""Our own files: event logs (`kibitz.catan.core.events`) and game records (`kibitz.catan.core.record`)."""

from collections.abc import Sequence
from dataclasses import replace

from kibitz.catan.core.events import InvalidEvent, read_event, read_header
from kibitz.catan.core.record import Record, RecordError, check
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook, seat_of
from kibitz.catan.profile import PROFILE
from kibitz.ground.codec import parse_json
from kibitz.play.names import names_of


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
    """Read an event log, or the first game of a record as a spectator saw it, or as `me` did.

    The players of a record are called as everywhere (`names`).
    """
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
    log = events_of(record, None if me is None else seat_in(record, me), players=names(record))
    everything = events_of(record, all_seeing=True).events
    lines = tuple(range(1, len(log.events) + 1))
    return ImportedLog("kibitz", log, lines, (), record.board, record.rules, everything, seats=record.seats)


def names(record: Record) -> tuple[str, ...]:
    """What the players of a record are called, bots by the names of people."""
    return names_of(record.seats, PROFILE.bot_names)


def seat_in(record: Record, me: str) -> int:
    """The seat of a player: by name, as the record calls it if no other is called so, or "Player 2". Raises `LogError`."""
    try:
        return seat_of(me, names(record))
    except LogError:
        numbers = [f"Player {seat + 1}" for seat in range(len(record.seats))]
        for called in (record.seats, numbers):
            if called.count(me) == 1:
                return called.index(me)
        raise


def write(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """The events of a game as a file."""
    return "\n".join([*events_of(record, observer, players=players).lines(), ""])

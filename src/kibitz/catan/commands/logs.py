"""``kibitz import`` and ``kibitz export``: game logs of other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.catan.commands.options import WRITTEN_LOGS, LogArgument, LogFormatOption, MeOption, StrictOption, find_game
from kibitz.cli.common import UserError, check_seat, check_writable, compile_notice, readable
from kibitz.cli.options import GameOption, RecordArgument, choice, file_option, seat_option
from kibitz.cli.records import write_lines

if TYPE_CHECKING:
    from kibitz.catan.logs import ImportedLog


def import_log(
    log: LogArgument,
    record: Annotated[Path | None, file_option("Write the whole game as a record (.jsonl or .jsonl.gz).")] = None,
    events: Annotated[Path | None, file_option("Write its events (.jsonl or .jsonl.gz).")] = None,
    me: MeOption = None,
    format: LogFormatOption = None,
    strict: StrictOption = False,
) -> None:
    """Read a game log of another program; write its events, or the whole game as a record that replays under our rules."""
    with compile_notice():
        from kibitz.catan.logs import LogError

        check_writable(record)
        check_writable(events)
        imported = read_log(log, me, format, strict)
        print(_headline(log, imported))
        for problem in imported.problems:
            print(f"kibitz: {log}: {problem} (skipped)", file=sys.stderr)
        if events is not None:
            write_lines(events, imported.log.lines())
        if record is not None:
            try:
                game = imported.record()
            except LogError as error:
                raise UserError(f"{log}: {error}") from None
            write_lines(record, game.lines())


def export(
    record: RecordArgument,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The log to write.")],
    format: Annotated[str, choice(WRITTEN_LOGS, "The format of the log.", "--format")] = "colonist-text",
    seat: Annotated[int | None, seat_option("a spectator's")] = None,
    game: GameOption = None,
) -> None:
    """Write a recorded game as the log of another program."""
    with compile_notice():
        from kibitz.catan.logs import write

        check_writable(out)
        found = find_game(record, game)
        check_seat(seat, len(found.seats))
        write_lines(out, write(found, format, None if seat is None else seat - 1).splitlines())


def read_log(log: Path, me: str | None, format: str | None, strict: bool) -> ImportedLog:
    """A log of any known format, as somebody saw it."""
    from kibitz.catan.logs import LogError, read_path

    try:
        return read_path(readable(log), format, me, strict)
    except LogError as error:
        raise UserError(f"{log}: {error}") from None


def _headline(log: Path, imported: ImportedLog) -> str:
    observer = imported.log.observer
    eyes = "a spectator" if observer is None else imported.log.players[observer]
    board = "" if imported.board is None else ", with the board"
    return (
        f"{log}: {imported.format}, {len(imported.log.players)} players ({', '.join(imported.log.players)}), "
        f"{len(imported.log.events):,} events as {eyes} saw them{board}"
    )

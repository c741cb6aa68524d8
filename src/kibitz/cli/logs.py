"""``kibitz track``, ``kibitz import`` and ``kibitz export``: game logs of other programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.catan_input import find_game
from kibitz.cli.common import UserError, check_seat, check_writable, compile_notice, print_json, progress, readable
from kibitz.cli.names import WRITTEN_LOGS
from kibitz.cli.options import (
    GameOption,
    JsonOption,
    LogArgument,
    LogFormatOption,
    MeOption,
    RecordArgument,
    StrictOption,
    choice,
    seat_option,
)
from kibitz.cli.record_files import write_lines

if TYPE_CHECKING:
    from kibitz.belief.hands import HandTracker
    from kibitz.formats import ImportedLog

#: How often --follow looks at the file, in seconds.
PAUSE = 0.5


def track(
    log: LogArgument,
    me: MeOption = None,
    follow: Annotated[bool, typer.Option("--follow", help="Go on as the file grows, until Ctrl-C.")] = False,
    as_json: JsonOption = False,
    at: Annotated[int | None, typer.Option(metavar="EVENT", help="Stop after this many events.", min=0)] = None,
    points: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The points that win, where the log does not tell.",
            show_default="10; unknown for two",
            min=3,
            max=20,
        ),
    ] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Show the chances of 1 or more, 2 or more ... cards, too.")] = False,
    format: LogFormatOption = None,
    strict: StrictOption = False,
) -> None:
    """Who holds what: exact probabilities for every hand, from a game log.

    Lines that cannot be read are skipped and named. What contradicts the log so far (a line is missing, then) is explained
    with the fewest unknown cards, and the figures are marked as approximate. With --follow, --json prints one line for each
    change.
    """
    if follow:
        _follow(log, me, as_json, at, points, ladder, format, strict)
        return
    imported = _read(log, me, format, strict)
    if at is not None and at > len(imported.log.events):
        raise UserError(f"--at {at}: the log has {len(imported.log.events)} events")
    tracker = _track(log, imported, at, points, strict)
    if as_json:
        print_json(_told(imported, tracker))
        return
    from rich.console import Console

    from kibitz.cli.track_report import report

    Console().print(report(imported, tracker, ladder))


def import_log(
    log: LogArgument,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the whole game as a record (.jsonl or .jsonl.gz).")
    ] = None,
    events: Annotated[Path | None, typer.Option(metavar="FILE", help="Write its events (.jsonl or .jsonl.gz).")] = None,
    me: MeOption = None,
    format: LogFormatOption = None,
    strict: StrictOption = False,
) -> None:
    """Read a game log of another program; write its events, or the whole game as a record that replays under our rules."""
    with compile_notice():
        from kibitz.formats import LogError

        check_writable(record)
        check_writable(events)
        imported = _read(log, me, format, strict)
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
        from kibitz.formats import write

        check_writable(out)
        found = find_game(record, game)
        check_seat(seat, len(found.seats))
        write_lines(out, write(found, format, None if seat is None else seat - 1).splitlines())


# --- reading ----------------------------------------------------------------------------------------------------


def _read(log: Path, me: str | None, format: str | None, strict: bool) -> ImportedLog:
    from kibitz.formats import LogError, read_path

    try:
        return read_path(readable(log), format, me, strict)
    except LogError as error:
        raise UserError(f"{log}: {error}") from None


def _track(log: Path, imported: ImportedLog, at: int | None, points: int | None, strict: bool) -> HandTracker:
    """A tracker that has followed a log (up to the event `at`)."""
    with compile_notice():
        from dataclasses import replace

        from kibitz.belief.hands import Contradiction, HandTracker

        goal = {} if points is None else {"victory_points": points}
        start = replace(imported.log, events=())
        tracker = HandTracker.of(start, on_contradiction="raise" if strict else "repair", **goal)
        events = imported.log.events[:at]
        try:
            with progress("tracking", len(events), "events") as advance:
                for event in events:
                    tracker.process(event)
                    advance(1)
        except Contradiction as error:
            raise UserError(f"{log}: line {imported.lines[error.index]}: {error}") from None
        return tracker


def _follow(
    log: Path,
    me: str | None,
    as_json: bool,
    at: int | None,
    points: int | None,
    ladder: bool,
    format: str | None,
    strict: bool,
) -> None:
    """Read the file again whenever it has changed; what cannot be read yet may be complete the next time."""
    import time

    from rich.console import Console
    from rich.live import Live

    from kibitz.cli.track_report import report

    readable(log)
    seen: tuple[int, float] | None = None
    said = ""
    out = Console()
    with Live(console=out, auto_refresh=False, vertical_overflow="visible") as live:
        try:
            while True:
                time.sleep(PAUSE if seen else 0)
                try:
                    found = readable(log).stat()
                    if (found.st_size, found.st_mtime) == seen:
                        continue
                    seen = found.st_size, found.st_mtime
                    imported = _read(log, me, format, strict)
                except UserError as error:
                    seen = seen or (-1, 0.0)
                    if str(error) != said:
                        said = str(error)
                        print(f"kibitz: {said}; waiting", file=sys.stderr, flush=True)
                    continue
                tracker = _track(log, imported, at, points, strict)
                if as_json:
                    print(json.dumps(_told(imported, tracker)), flush=True)
                elif out.is_terminal:
                    live.update(report(imported, tracker, ladder), refresh=True)
                else:
                    out.print(report(imported, tracker, ladder))
                    sys.stdout.flush()
        except KeyboardInterrupt:
            return


# --- telling ----------------------------------------------------------------------------------------------------


def _told(imported: ImportedLog, tracker: HandTracker) -> dict[str, Any]:
    from kibitz.belief.summary import summary

    problems = [{"line": problem.line, "reason": problem.reason, "text": problem.text} for problem in imported.problems]
    told = summary(tracker)
    told["approximate"] = told["approximate"] or imported.incomplete or bool(problems)
    return {"format": imported.format, **told, "incomplete": imported.incomplete, "problems": problems}


def _headline(log: Path, imported: ImportedLog) -> str:
    observer = imported.log.observer
    eyes = "a spectator" if observer is None else imported.log.players[observer]
    board = "" if imported.board is None else ", with the board"
    return (
        f"{log}: {imported.format}, {len(imported.log.players)} players ({', '.join(imported.log.players)}), "
        f"{len(imported.log.events):,} events as {eyes} saw them{board}"
    )

"""``kibitz import`` and ``kibitz export``: game logs of other programs; ``kibitz track``: who holds what, from such a log."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.catan.commands.options import WRITTEN_LOGS, LogArgument, LogFormatOption, MeOption, StrictOption, find_game
from kibitz.cli.common import (
    RECORD,
    UserError,
    check_seat,
    check_writable,
    compile_notice,
    print_json,
    progress,
    readable,
)
from kibitz.cli.options import ForceOption, GameOption, JsonOption, RecordArgument, choice, file_option, number, seat_option
from kibitz.cli.records import write_lines

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kibitz.catan.belief.hands import HandTracker
    from kibitz.catan.core.record import Record
    from kibitz.catan.logs import ImportedLog

#: How a file of events begins.
EVENTS = '{"events": "'
#: How often --follow looks at the file, in seconds.
PAUSE = 0.5


def import_log(
    log: LogArgument,
    record: Annotated[Path | None, file_option("Write the whole game as a record (.jsonl or .jsonl.gz).")] = None,
    events: Annotated[Path | None, file_option("Write its events (.jsonl or .jsonl.gz).")] = None,
    me: MeOption = None,
    format: LogFormatOption = None,
    strict: StrictOption = False,
    force: ForceOption = False,
) -> None:
    """Read another program's game log, and write its events, or the whole game as a record."""
    with compile_notice():
        for written, begins in ((record, RECORD), (events, EVENTS)):
            check_writable(written, begins, force, readable(log))
        if record is not None and events is not None and record.resolve() == events.resolve():
            raise UserError(f"{record}: name two different files for --record and --events")
        imported = read_log(log, me, format, strict)
        print(_headline(log, imported))
        for problem in imported.problems:
            print(f"kibitz: {log}: {problem} (skipped)", file=sys.stderr)
        if events is not None:
            write_lines(events, imported.log.lines())
        if record is not None:
            write_lines(record, record_of(log, imported).lines())


def export(
    record: RecordArgument,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The log to write.")],
    format: Annotated[str, choice(WRITTEN_LOGS, "The format of the log.", "--format")] = "colonist-text",
    seat: Annotated[int | None, seat_option("a spectator's")] = None,
    game: GameOption = None,
    force: ForceOption = False,
) -> None:
    """Write a recorded game as a log in another program's format."""
    with compile_notice():
        from kibitz.catan.logs import write
        from kibitz.catan.logs.kibitz import names

        check_writable(out, EVENTS if format == "kibitz" else None, force, readable(record))
        found = find_game(record, game)
        check_seat(seat, len(found.seats))
        write_lines(out, write(found, format, None if seat is None else seat - 1, names(found)).splitlines())


def read_log(log: Path, me: str | None, format: str | None = None, strict: bool = False) -> ImportedLog:
    """A log of any known format, as somebody saw it."""
    from kibitz.catan.logs import LogError, read_path

    try:
        return read_path(readable(log), format, me, strict)
    except LogError as error:
        raise UserError(f"{log}: {error}") from None


def record_of(log: Path, imported: ImportedLog) -> Record:
    """The whole game of a log."""
    from kibitz.catan.logs import LogError

    try:
        return imported.record()
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


def track(
    log: LogArgument,
    me: MeOption = None,
    follow: Annotated[bool, typer.Option("--follow", help="Keep reading as the file grows, until Ctrl-C.")] = False,
    as_json: JsonOption = False,
    at: Annotated[int | None, number("Stop after this many events.", metavar="EVENT", min=0)] = None,
    points: Annotated[
        int | None, number("How many points win, if the log does not say.", "10; unknown for two players", min=3, max=20)
    ] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Also show the chances of 1 or more, 2 or more ... cards.")] = False,
    worlds: Annotated[int, number("Show the N most likely worlds, and who can hold the stolen cards now.", min=0)] = 0,
    resolve: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEAL=CARD",
            help="Which card a steal took, if you know: s12=ore for the steal in event 12. May be repeated.",
        ),
    ] = None,
    hidden_discards: Annotated[
        str,
        choice(
            ("cards", "bundles"),
            "For discards of which only the number is known: whether each card or each choice is equally likely.",
        ),
    ] = "cards",
    max_worlds: Annotated[int | None, number("Keep only the N most likely worlds.", "all", max=10**9)] = None,
    prune_threshold: Annotated[float, typer.Option(metavar="P", help="Drop worlds that are less likely than this.")] = 0.0,
    memory: Annotated[
        int, number("Memory for the worlds; those that do not fit are dropped.", metavar="MB", max=1 << 20)
    ] = 1024,
    format: LogFormatOption = None,
    strict: StrictOption = False,
) -> None:
    """Work out who holds what from a game log, with exact probabilities.

    Lines that cannot be read are skipped and named. What contradicts the log so far (a line is missing, then) is explained
    with the fewest unknown cards, and the figures are marked as approximate. With --follow, --json prints one line for each
    change.
    """
    if not 0 <= prune_threshold < 1:
        raise UserError(f"--prune-threshold {prune_threshold:g}: expected a probability below 1")
    settings: dict[str, Any] = {
        "hidden_discards": hidden_discards,
        "on_contradiction": "raise" if strict else "repair",
        "max_worlds": max_worlds,
        "prune_threshold": prune_threshold,
        "memory": memory << 20,
        **({} if points is None else {"victory_points": points}),
    }
    question = _Question(log, me, format, strict, at, settings, [_answer(text) for text in resolve or ()], ladder, worlds)
    if follow:
        _follow(question, as_json)
        return
    imported = question.read()
    if at is not None and at > len(imported.log.events):
        raise UserError(f"--at {at}: the log has {len(imported.log.events)} events")
    tracker = question.tracked(imported)
    if as_json:
        print_json(question.told(imported, tracker))
    else:
        from rich.console import Console

        Console().print(question.shown(imported, tracker))


def _answer(text: str) -> tuple[str, str]:
    id, found, resource = text.partition("=")
    if not found:
        raise UserError(f"--resolve {text}: expected a steal and its card, as in s12=ore")
    return id.strip(), resource.strip()


@dataclass(frozen=True)
class _Question:
    """Which log, up to where, under which settings, and what is to be shown."""

    log: Path
    me: str | None
    format: str | None
    strict: bool
    at: int | None
    settings: dict[str, Any]
    answers: list[tuple[str, str]]
    ladder: bool
    worlds: int

    def read(self) -> ImportedLog:
        return read_log(self.log, self.me, self.format, self.strict)

    def tracked(self, imported: ImportedLog) -> HandTracker:
        """A tracker that has followed the log, and knows what steals took."""
        with compile_notice():
            from kibitz.catan.belief.hands import Contradiction, HandTracker

            tracker = HandTracker.of(replace(imported.log, events=()), **self.settings)
            events = imported.log.events[: self.at]
            try:
                with progress("tracking", len(events), "events") as advance:
                    for event in events:
                        tracker.process(event)
                        advance(1)
            except Contradiction as error:
                raise UserError(f"{self.log}: line {imported.lines[error.index]}: {error}") from None
            for id, resource in self.answers:
                try:
                    tracker.resolve(id, resource)
                except ValueError as error:
                    raise UserError(f"--resolve {id}={resource}: {error}") from None
            return tracker

    def told(self, imported: ImportedLog, tracker: HandTracker) -> dict[str, Any]:
        """Everything, as JSON."""
        from kibitz.catan.belief.summary import possible_worlds, summary

        told = summary(tracker)
        if self.worlds:
            told |= possible_worlds(tracker, self.worlds)
        return imported.doubts.added_to({"format": imported.format, **told})

    def shown(self, imported: ImportedLog, tracker: HandTracker) -> RenderableType:
        """Everything, as tables."""
        from kibitz.catan.commands.track_report import report

        return report(imported, tracker, self.ladder, self.worlds)


def _follow(question: _Question, as_json: bool) -> None:
    """Read the file again whenever it has changed; what cannot be read yet may be complete the next time."""
    import time

    from rich.console import Console
    from rich.live import Live

    log = readable(question.log)
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
                    imported = question.read()
                except UserError as error:
                    seen = seen or (-1, 0.0)
                    if str(error) != said:
                        said = str(error)
                        print(f"kibitz: {said}; waiting", file=sys.stderr, flush=True)
                    continue
                tracker = question.tracked(imported)
                if as_json:
                    print(json.dumps(question.told(imported, tracker)), flush=True)
                elif out.is_terminal:
                    live.update(question.shown(imported, tracker), refresh=True)
                else:
                    out.print(question.shown(imported, tracker))
                    sys.stdout.flush()
        except KeyboardInterrupt:
            return

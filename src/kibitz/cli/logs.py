"""``kibitz track``, ``kibitz import`` and ``kibitz export``: game logs of other programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, progress, readable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from kibitz.belief.hands import HandTracker, Marginal
    from kibitz.catan.record import Record
    from kibitz.formats import ImportedLog

LogArgument = Annotated[
    Path, typer.Argument(metavar="LOG", help="A game log of any known format (.gz too); its content tells which.")
]
FormatOption = Annotated[str | None, typer.Option("--format", help="The format, where its content does not tell it.")]
MeOption = Annotated[
    str | None, typer.Option("--me", help="Whose eyes: the name of the player who saw the log.", metavar="NAME")
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Stop at the first line that cannot be read or contradicts what came before.")
]

#: How often --follow looks at the file, in seconds.
PAUSE = 0.5


def track(
    log: LogArgument,
    me: MeOption = None,
    follow: Annotated[bool, typer.Option("--follow", help="Go on as the file grows, until Ctrl-C.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as one line of JSON, for other programs.")] = False,
    at: Annotated[int | None, typer.Option(help="Stop after this many events.", min=0, metavar="EVENT")] = None,
    points: Annotated[
        int | None, typer.Option(help="The points that win, where the log does not tell (10; unknown for two).", min=3, max=20)
    ] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Show the chances of 1 or more, 2 or more ... cards, too.")] = False,
    format: FormatOption = None,
    strict: StrictOption = False,
) -> None:
    """Who holds what: exact probabilities for every hand, from a game log.

    Lines that cannot be read are skipped and named. What contradicts the log so far (a line is missing, then) is explained
    with the fewest unknown cards, and the figures are marked as approximate.
    """
    if follow:
        _follow(log, me, as_json, at, points, ladder, format, strict)
        return
    imported = _read(log, me, format, strict)
    if at is not None and at > len(imported.log.events):
        raise UserError(f"--at {at}: the log has {len(imported.log.events)} events")
    tracker = _track(log, imported, at, points, strict)
    if as_json:
        print(_as_json(imported, tracker))
        return
    from rich.console import Console

    Console().print(_report(imported, tracker, ladder))


def import_log(
    log: LogArgument,
    record: Annotated[Path | None, typer.Option(help="Write the whole game as a record (.jsonl or .jsonl.gz).")] = None,
    events: Annotated[Path | None, typer.Option(help="Write its events (.jsonl or .jsonl.gz).")] = None,
    me: MeOption = None,
    format: FormatOption = None,
    strict: StrictOption = False,
) -> None:
    """Read a game log of another program; write its events, or the whole game as a record that replays under our rules."""
    with compile_notice():
        from kibitz.catan.record import check_target, writing
        from kibitz.formats import LogError

        for target in (record, events):
            if target is not None:
                check_target(target)
        imported = _read(log, me, format, strict)
        print(_headline(log, imported))
        for problem in imported.problems:
            print(f"kibitz: {log}: {problem} (skipped)", file=sys.stderr)
        if events is not None:
            _write_lines(events, imported.log.lines())
        if record is not None:
            try:
                game = imported.record()
            except LogError as error:
                raise UserError(f"{log}: {error}") from None
            with writing(record) as write_line:
                for line in game.lines():
                    write_line(line)
            print(f"written: {record}")


def export(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A game record (JSON Lines, .gz too).")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The log to write.")],
    format: Annotated[
        str, typer.Option("--format", help="As what: colonist-text, colonist-html, jsettlers ...")
    ] = "colonist-text",
    seat: Annotated[int | None, typer.Option(help="As this player saw it, from 1; a spectator by default.", min=1)] = None,
    game: Annotated[int, typer.Option(help="Which game of the file, from 0.", min=0)] = 0,
) -> None:
    """Write a recorded game as the log of another program."""
    with compile_notice():
        from kibitz.cli.catan import find_game
        from kibitz.formats import WRITERS, write

        if format not in WRITERS:
            raise UserError(f"--format {format}: expected one of {', '.join(WRITERS)}")
        found: Record = find_game(record, game)
        if seat is not None and seat > len(found.seats):
            raise UserError(f"--seat {seat}: the game has {len(found.seats)} players")
        _write_lines(out, iter(write(found, format, None if seat is None else seat - 1).splitlines()))


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
                    print(_as_json(imported, tracker), flush=True)
                elif out.is_terminal:
                    live.update(_report(imported, tracker, ladder), refresh=True)
                else:
                    out.print(_report(imported, tracker, ladder))
                    sys.stdout.flush()
        except KeyboardInterrupt:
            return


def _write_lines(path: Path, lines: Iterator[str]) -> None:
    from kibitz.catan.record import writing

    with writing(path) as write_line:
        for line in lines:
            write_line(line)
    print(f"written: {path}")


# --- telling ----------------------------------------------------------------------------------------------------


def _as_json(imported: ImportedLog, tracker: HandTracker) -> str:
    from kibitz.belief.summary import summary

    problems = [{"line": problem.line, "reason": problem.reason, "text": problem.text} for problem in imported.problems]
    told = summary(tracker)
    told["approximate"] = told["approximate"] or imported.incomplete or bool(problems)
    return json.dumps({"format": imported.format, **told, "incomplete": imported.incomplete, "problems": problems})


def _headline(log: Path, imported: ImportedLog) -> str:
    observer = imported.log.observer
    eyes = "a spectator" if observer is None else imported.log.players[observer]
    board = "" if imported.board is None else ", with the board"
    return (
        f"{log}: {imported.format}, {len(imported.log.players)} players ({', '.join(imported.log.players)}), "
        f"{len(imported.log.events):,} events as {eyes} saw them{board}"
    )


def _report(imported: ImportedLog, tracker: HandTracker, ladder: bool) -> RenderableType:
    """All tables below each other."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [_hands(imported, tracker)]
    if ladder:
        parts.append(_ladder(tracker))
    if any(tracker.dev_card_count(seat) for seat in range(len(tracker.names))):
        parts.append(_dev_cards(tracker))
    if any(steal.resolved is None or steal.by_hand for steal in tracker.steals):
        parts.append(_open_steals(tracker))
    parts.append(_dice(tracker))
    parts += [Text(f"{imported.format}: {problem} (skipped)", style="yellow") for problem in imported.problems]
    for mended in tracker.repairs:
        how = "ignored" if mended.cards is None else f"mended with {mended.cards} unknown card{'s' * (mended.cards != 1)}"
        parts.append(Text(f"line {imported.lines[mended.event]}: {mended.reason} ({how})", style="yellow"))
    if tracker.repairs:
        parts.append(Text("The figures are approximate: the log contradicts itself (see above).", style="bold yellow"))
    if imported.incomplete or imported.problems:
        parts.append(Text("The figures are approximate: a part of the log is missing (see above).", style="bold yellow"))
    if tracker.error_bound:
        parts.append(Text(f"The figures are approximate: each may be off by {tracker.error_bound:.2g}.", style="bold yellow"))
    return Group(*parts)


def _table(title: str, *headings: str) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), box=SIMPLE, title_justify="left")
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left", no_wrap=True)
    return table


def _name(tracker: HandTracker, seat: int) -> str:
    from kibitz.catan.svg import printable

    return printable(tracker.names[seat])[:20] + (" (you)" if seat == tracker.observer else "")


def _hands(imported: ImportedLog, tracker: HandTracker) -> Table:
    """The most likely number of each card, with its chance where that is not certain."""
    from rich.text import Text

    from kibitz.belief.evidence import RESOURCES

    worlds = tracker.world_count
    title = (
        f"after event {len(tracker.events)} of {len(imported.log.events)}, turn {tracker.turn}: "
        f"{worlds:,} possible {'world' if worlds == 1 else 'worlds'}"
    )
    table = _table(title, "player", "cards", *RESOURCES, "known", "points")
    rows = [(_name(tracker, seat), tracker.total(seat), tracker.marginals(seat)) for seat in range(len(tracker.names))]
    for seat, (name, total, marginals) in enumerate(rows):
        points = f"{tracker.visible_points(seat)}"
        table.add_row(
            Text(name), _cell(total), *(_cell(m) for m in marginals.values()), f"{tracker.confidence(seat):.0%}", points
        )
    table.add_row("bank", "", *(_cell(marginal) for marginal in tracker.bank().values()), "", "")
    return table


def _cell(marginal: Marginal) -> Text:
    from rich.text import Text

    from kibitz.belief.reports import percent

    chance = marginal.distribution[marginal.most_likely]
    if chance > 1 - 1e-9:
        return Text(str(marginal.most_likely), style="bold" if marginal.most_likely else "dim")
    return Text.assemble((str(marginal.most_likely), "bold"), (f" {percent(chance)}", "cyan"))


def _ladder(tracker: HandTracker) -> Table:
    from rich.text import Text

    from kibitz.belief.evidence import RESOURCES
    from kibitz.belief.reports import percent

    table = _table("chances of 1 or more, 2 or more ... cards", "player", *RESOURCES)
    for seat in range(len(tracker.names)):
        ladders = [marginal.at_least[1:] for marginal in tracker.marginals(seat).values()]
        cells = [" ".join("sure" if p > 1 - 1e-9 else percent(p) for p in ladder) or "none" for ladder in ladders]
        table.add_row(Text(_name(tracker, seat)), *cells)
    return table


def _dev_cards(tracker: HandTracker) -> Table:
    from rich.text import Text

    from kibitz.belief.reports import percent

    table = _table("hidden development cards, chance of at least one", "player", "held", *_DEV_HEADINGS.values(), "wins now")
    for seat in range(len(tracker.names)):
        if tracker.dev_card_count(seat):
            marginals = tracker.dev_cards(seat)
            chances = [1 - marginals[card].distribution.get(0, 0.0) for card in _DEV_HEADINGS]
            cells = ["-" if p < 1e-12 else "sure" if p > 1 - 1e-9 else percent(p) for p in [*chances, tracker.wins_now(seat)]]
            table.add_row(Text(_name(tracker, seat)), str(tracker.dev_card_count(seat)), *cells)
    return table


_DEV_HEADINGS = {
    "knight": "knight",
    "victory_point": "point",
    "road_building": "roads",
    "year_of_plenty": "plenty",
    "monopoly": "monopoly",
}


def _open_steals(tracker: HandTracker) -> Table:
    from rich.text import Text

    from kibitz.belief.evidence import RESOURCES
    from kibitz.belief.reports import percent

    table = _table("steals that nobody saw", "thief", "victim", "turn", "event", *RESOURCES, "id")
    for steal in tracker.steals:
        if steal.resolved is None or steal.by_hand:
            odds = [percent(steal.odds[r]) if r in steal.odds else "-" for r in RESOURCES]
            names = Text(_name(tracker, steal.thief)), Text(_name(tracker, steal.victim))
            table.add_row(*names, str(steal.turn), str(steal.event + 1), *odds, steal.id)
    return table


def _dice(tracker: HandTracker) -> Table:
    """How often each sum was rolled, beside what is to be expected."""
    from kibitz.belief.summary import dice

    rolls = dice(tracker)
    total = sum(rolls.values())
    table = _table(f"dice: {total} rolls", "sum", "rolled", "expected", "")
    table.columns[-1].justify = "left"
    for name, n in rolls.items():
        table.add_row(name, str(n), f"{total * (6 - abs(7 - int(name))) / 36:.1f}", "#" * n)
    return table

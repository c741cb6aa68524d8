"""``kibitz catan review``: a finished game looked back on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.catan.commands.logs import read_log
from kibitz.catan.commands.options import MeOption, find_game
from kibitz.cli import options
from kibitz.cli.common import (
    UserError,
    check_seat,
    check_writable,
    compile_notice,
    late_bar,
    print_json,
    read_limit,
    readable,
    stops_on_interrupt,
)  # fmt: skip
from kibitz.cli.records import is_record

if TYPE_CHECKING:
    from kibitz.catan.core.record import Record
    from kibitz.catan.review import Review, ReviewConfig
    from kibitz.compute.runtime import Info

#: So many bytes tell what a file is.
BEGINNING = 200


def review(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A game record, a log that holds the board, or a shared review.")
    ],
    seat: Annotated[int | None, options.seat_option("everybody")] = None,
    time: Annotated[float | None, options.time_option("as long as it takes")] = None,
    save: Annotated[Path | None, options.file_option("Save the review to a file that Kibitz can open again.")] = None,
    me: MeOption = None,
    game: options.GameOption = None,
    force: options.ForceOption = False,
    seed: options.SeedOption = 0,
    jobs: options.JobsOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Review a finished game: everybody's luck and accuracy, and the costliest decisions with the reasons.

    Ctrl-C ends it with the results so far.
    """
    with compile_notice():
        from rich.console import Console

        from kibitz.catan.commands.review_report import report
        from kibitz.catan.review import ReviewConfig
        from kibitz.catan.review.shared import KIND, shared_text
        from kibitz.game.files import writing

        check_writable(save, f'{{"format": "{KIND}"', force, file)
        record, found = _read(file, game, me)
        check_seat(seat, len(record.seats))
        who = None if seat is None else seat - 1
        if found is None:
            found = _reviewed(record, ReviewConfig(seed=seed, seat=who), time, jobs)
        if save is not None:
            with writing(save) as write_line:
                write_line(shared_text(record, found).removesuffix("\n"))
        if as_json:
            print_json({"players": list(record.seats), **found.to_json()})
            return
        out = Console()
        out.print(report(file.name, record, found, who, out.width))
        if save is not None:
            print(f"written: {save}")


def _read(file: Path, game: int | None, me: str | None) -> tuple[Record, Review | None]:
    """The game, and its review where the file holds one."""
    from kibitz.catan.review.shared import InvalidReview, is_shared, read_shared

    with readable(file).open("rb") as opened:
        beginning = opened.read(BEGINNING)
    if is_shared(beginning.decode("utf-8", "replace")):
        _one_game(game)
        try:
            return read_shared(file.read_text(encoding="utf-8", errors="replace"))
        except InvalidReview as error:
            raise UserError(f"{file}: {error}") from None
    if is_record(file):
        return find_game(file, game), None
    _one_game(game)
    return _likely(file, me), None


def _likely(file: Path, me: str | None) -> Record:
    """The game of a log; which cards are the likeliest ones is said."""
    from kibitz.catan.logs import LogError
    from kibitz.catan.logs.likely import likely_game

    try:
        found = likely_game(read_log(file, me))
    except LogError as error:
        raise UserError(f"{file}: {error}") from None
    if found.assumed:
        print(f"kibitz: {file}: {found.assumed}", file=sys.stderr)
    return found.record


def _one_game(game: int | None) -> None:
    if game is not None:
        raise UserError("--game: only for records; this file holds one game")


def _reviewed(record: Record, config: ReviewConfig, time: float | None, jobs: int | None) -> Review:
    from kibitz.catan.review import look_back
    from kibitz.compute.runtime import Runtime, Threads

    with late_bar("reviewing", 1.0) as show:

        def hear(info: Info) -> None:
            found = len(info.ranking.entries)
            show(info.done / max(1, info.total), f"{found} found" if found else "")

        runtime = Runtime(read_limit(time), hear)
        with stops_on_interrupt(runtime.cancel):
            return look_back(record, config, runtime, Threads(jobs))

"""``kibitz catan advise``: what to do now, in a recorded game or in one that another program logs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.catan.commands.analyze import Show, answer, position_at, read_config
from kibitz.catan.commands.logs import read_log, record_of
from kibitz.catan.commands.options import MeOption, find_game
from kibitz.cli import options
from kibitz.cli.common import UserError, check_one, check_seat, compile_notice, read_limit, readable
from kibitz.cli.records import end_of, is_record

if TYPE_CHECKING:
    from kibitz.catan.analysis import AnalysisConfig, Position
    from kibitz.catan.core.record import Record
    from kibitz.catan.logs import ImportedLog

ADVISERS = ("full_game", "ismcts")
#: Seconds that an answer takes at most unless something else is asked for.
USUAL_TIME = 5.0


def advise(
    log: Annotated[Path, typer.Argument(metavar="RECORD|LOG", help="A game record, or a game log in any known format.")],
    seat: Annotated[int | None, options.seat_option("the seat to move, or the player who saw the log")] = None,
    me: MeOption = None,
    time: Annotated[float | None, options.time_option("5, unless --iterations are given")] = None,
    iterations: Annotated[int | None, options.iterations_option("as many as time allows")] = None,
    at: Annotated[int | None, options.at_option("the last one")] = None,
    game: options.GameOption = None,
    mode: Annotated[str | None, options.choice(ADVISERS, "The method.", default="full_game; with --iterations ismcts")] = None,
    seed: options.SeedOption = 0,
    guard: options.GuardOption = None,
    jobs: options.JobsOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Advise on the next decision of a game: the best moves with win rates, from what one player can know.

    The evaluator chooses three moves, and complete games show how often each of them wins. Ctrl-C ends it with the answer so
    far.
    """
    mode = mode or ("full_game" if iterations is None else "ismcts")
    if iterations is not None and mode != "ismcts":
        raise UserError(f"--iterations: only for ismcts, not for {mode}")
    if guard is not None and mode != "full_game":
        raise UserError(f"--guard: only for full_game, not for {mode}")
    check_one({"--seat": seat, "--me": me}, "one player asks")
    if time is None and iterations is None:
        time = USUAL_TIME
    with compile_notice():
        from kibitz.catan.analysis.glance import FINALISTS, ROLLOUTS
        from kibitz.compute.runtime import Threads

        settings = {"--iterations": iterations, "--seed": seed, "--guard": guard}
        if mode == "full_game":
            settings |= {"--finalists": FINALISTS, "--rollouts": ROLLOUTS, "--uniform": True}
        given = {option: value for option, value in settings.items() if value is not None}
        config, limit = read_config(mode, given, time), read_limit(time)
        name, position = _position(log, config, seat, me, at, game)
        answer(Show(name, position, config, mode, as_json), limit, Threads(jobs))


def _position(
    log: Path, config: AnalysisConfig, seat: int | None, me: str | None, at: int | None, game: int | None
) -> tuple[str, Position]:
    """The position, and its name for people."""
    if is_record(readable(log)):
        record = find_game(log, game)
        return f"{log.name}, game {game or 0}", _recorded(record, config, seat, me, at)
    if game is not None:
        raise UserError("--game: only for records; a log holds one game")
    imported = _read(log, seat, me)
    if imported.everything is None or imported.board is None:
        return log.name, _reconstructed(log, imported, config, at)
    return log.name, _recorded(record_of(log, imported), config, seat, me, at)


def _recorded(record: Record, config: AnalysisConfig, seat: int | None, me: str | None, at: int | None) -> Position:
    """A position of a game that is known from its beginning; the last one by default."""
    if me is not None:
        from kibitz.catan.logs import LogError
        from kibitz.catan.logs.kibitz import seat_in

        try:
            seat = seat_in(record, me) + 1
        except LogError as error:
            raise UserError(f"--me {me}: {error.message}") from None
    return position_at(record, at, end_of(record) if at is None else at, seat, config.policy)


def _read(log: Path, seat: int | None, me: str | None) -> ImportedLog:
    """The log as the player who asks saw it."""
    imported = read_log(log, me)
    if seat is None or imported.log.observer == seat - 1:
        return imported
    check_seat(seat, len(imported.log.players))
    return read_log(log, imported.log.players[seat - 1])


def _reconstructed(log: Path, imported: ImportedLog, config: AnalysisConfig, at: int | None) -> Position:
    """The position now, from a log that hides what its observer did not see."""
    from kibitz.catan.analysis import InvalidPosition, Position
    from kibitz.catan.logs import LogError
    from kibitz.catan.logs.reconstruct import reconstruct_log

    if imported.board is None:
        raise UserError(
            f"{log}: this {imported.format} log holds no board, so there is no advice (kibitz track still works); use a "
            "record, captured messages or a JSettlers log"
        )
    if at is not None:
        raise UserError("--at: only for complete games; this log hides something, so only its last position can be used")
    if imported.log.observer is None:
        raise UserError(f"{log}: say who is asking with --seat or --me; the players are {', '.join(imported.log.players)}")
    try:
        found = reconstruct_log(imported)
        position = Position.seen(found.states, imported.log.observer, found.tracker, config.policy)
    except (LogError, InvalidPosition) as error:
        raise UserError(f"{log}: {error}") from None
    for problem in imported.problems:
        print(f"kibitz: {log}: {problem} (skipped)", file=sys.stderr)
    if found.bank_assumed:
        print(f"kibitz: {log}: not all discards were shown, so a likely bank is assumed", file=sys.stderr)
    return position

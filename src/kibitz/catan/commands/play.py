"""``kibitz catan play``: a game against bots in the terminal."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.catan.commands.given import app, find_game
from kibitz.catan.commands.options import BoardOption
from kibitz.catan.profile import PROFILE
from kibitz.cli.common import UserError, check_seat, check_writable, compile_notice, readable
from kibitz.cli.guards import guarded, read_guard
from kibitz.cli.keyboard import YOU, ask_for_file, play_at, rehearse, take_up
from kibitz.cli.options import FreshSeedOption, GuardOption, RecordOption, bots_option, rule_option, seat_option
from kibitz.cli.players import read_bot, read_opponents
from kibitz.cli.record_files import write_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kibitz.catan.core.record import Record

USUAL_BOT = "builder"


@app.command()
def play(
    bots: Annotated[
        str, bots_option(PROFILE, "Your opponents in the order of their seats, or one for all: ismcts:200,my_bot.py:MyBot.")
    ] = USUAL_BOT,
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many play, you included.", show_default="as --bots asks for, else 4", min=2, max=4),
    ] = None,
    seat: Annotated[int, seat_option("1", "Your seat, from 1; seat 1 begins.")] = 1,
    seed: FreshSeedOption = None,
    board: BoardOption = "random",
    hints: Annotated[bool, typer.Option("--hints", help="Show the best moves with every choice, as `why` does.")] = False,
    rule: Annotated[list[str] | None, rule_option(PROFILE)] = None,
    guard: GuardOption = None,
    record: RecordOption = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RECORD", help="Go on with a game that you left; it says who plays, and how.")
    ] = None,
) -> None:
    """Play Catan against bots. Type numbers or words; ? helps, q leaves."""
    with compile_notice():
        from kibitz.catan.bots import bot_named
        from kibitz.catan.commands.human import Human
        from kibitz.catan.core.engine import GAME
        from kibitz.loops.config import Config
        from kibitz.play.bots import Bot
        from kibitz.play.match import Table

        check_writable(record or resume)
        if resume is None:
            begun = _fresh(bots, seats, seat, seed, board, rule, guard)
        elif bots != USUAL_BOT or seat != 1 or board != "random" or seats or seed is not None or rule or guard:
            raise UserError("--resume: the record says who plays, and how; only --hints and --record go with it")
        elif record is None and not _holds_one(resume):
            raise UserError(f"{resume}: it holds more than one game; name another file for this one with --record")
        else:
            begun, record = _left(resume), record or resume
        you = Human(begun.seats, hints)
        players = [Bot(YOU, lambda: you) if bot == YOU else read_bot(bot, "--resume", bot_named) for bot in begun.seats]
        rehearse(GAME, begun.start())
    loop_rules = None if begun.guard is None else Config.from_json(begun.guard)
    dice = begun.seed or 0
    print(f"Catan for {len(players)} players; --seed {dice} has the same dice again. ? helps, q leaves.")
    table = Table(GAME, begun.start(), players, dice, guarded(loop_rules, begun.seats.index(YOU)))
    take_up(table, begun.codes)
    over = play_at(table, players, lambda: you.farewell(table.states, table.drawn))
    record = record or ask_for_file()
    if record is not None:
        write_lines(record, replace(begun, codes=tuple(table.codes), drawn=table.drawn).lines())
        look = f"Look back: kibitz catan show {record} --turn N, or open it in kibitz web for a review."
        print(look if over else f"Go on: kibitz catan play --resume {record}")


def _fresh(
    bots: str, seats: int | None, seat: int, seed: int | None, board: str, rule: Sequence[str] | None, guard: str | None
) -> Record:
    """A game before its first step."""
    from kibitz.catan.bots import bot_named
    from kibitz.catan.core.engine import GAME
    from kibitz.catan.core.record import Record
    from kibitz.catan.setup import typed
    from kibitz.ground.rng import derive_seed, fresh_seed

    names = [bot.name for bot in read_opponents(bots, seats, bot_named, "Catan", GAME.seats)]
    check_seat(seat, len(names) + 1)
    names.insert(seat - 1, YOU)
    loop_rules = read_guard(guard)
    seed = fresh_seed() if seed is None else seed
    setup = typed({"board": board, "rule": rule}, seed)
    return Record(
        setup.board_of(0), setup.rules, tuple(names), (), derive_seed(seed), guard=loop_rules.to_json() if loop_rules else None
    )


def _left(file: Path) -> Record:
    """A game that somebody left."""
    from kibitz.game import OVER, actor_at

    found = find_game(file, None)
    if found.seats.count(YOU) != 1:
        raise UserError(f"{file}: nobody at this table is called {YOU}")
    *_, states = found.states()
    if found.drawn or actor_at(states, 0) == OVER:
        raise UserError(f"{file}: the game is over")
    return found


def _holds_one(file: Path) -> bool:
    """Whether nothing is lost when the first game of a file is written back alone."""
    from kibitz.catan.core.record import read
    from kibitz.game.files import RecordError

    try:
        return len([*islice(read(readable(file)), 2)]) == 1
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None

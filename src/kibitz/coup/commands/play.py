"""``kibitz coup play``: a game against bots in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli.common import check_seat, check_writable, compile_notice
from kibitz.cli.guards import guarded, read_guard
from kibitz.cli.keyboard import YOU, ask_for_file, play_at, rehearse
from kibitz.cli.options import FreshSeedOption, GuardOption, RecordOption, bots_option, rule_option, seat_option
from kibitz.cli.players import read_opponents
from kibitz.cli.record_files import write_lines
from kibitz.coup.commands.given import app
from kibitz.coup.profile import PROFILE
from kibitz.play.profile import rules_typed


@app.command()
def play(
    bots: Annotated[
        str, bots_option(PROFILE, "Your opponents in the order of their seats, or one for all: ismcts:2000,my_bot.py:MyBot.")
    ] = "heuristic",
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many play, you included.", show_default="as --bots asks for, else 4", min=2, max=6),
    ] = None,
    seat: Annotated[int, seat_option("1", "Your seat, from 1; seat 1 begins.")] = 1,
    seed: FreshSeedOption = None,
    hints: Annotated[bool, typer.Option("--hints", help="Show your chances with every choice, as `why` does.")] = False,
    rule: Annotated[list[str] | None, rule_option(PROFILE)] = None,
    guard: GuardOption = None,
    record: RecordOption = None,
) -> None:
    """Play Coup against bots. Type numbers or words; ? helps, q leaves."""
    with compile_notice():
        from kibitz.coup.bots import bot_named
        from kibitz.coup.commands.human import Human
        from kibitz.coup.core.engine import GAME
        from kibitz.coup.core.record import Record
        from kibitz.coup.core.state import Rules, new_states
        from kibitz.coup.words import Words
        from kibitz.ground.rng import derive_seed, fresh_seed
        from kibitz.play.bots import Bot
        from kibitz.play.match import Table

        others = read_opponents(bots, seats, bot_named, "Coup", GAME.seats)
        check_seat(seat, len(others) + 1)
        rules, loop_rules = rules_typed(Rules, rule), read_guard(guard)
        check_writable(record)
        seed = fresh_seed() if seed is None else seed
        names = [bot.name for bot in others]
        names.insert(seat - 1, YOU)
        you = Human(Words(seat - 1, tuple(names)), hints)
        others.insert(seat - 1, Bot(YOU, lambda: you))
        start = new_states(len(names), rules)
        rehearse(GAME, start)
    print(f"Coup for {len(names)} players; --seed {seed} deals the same cards again. ? helps, q leaves.\n")
    table = Table(GAME, start, others, seed, guarded(loop_rules, seat - 1))

    def farewell() -> None:
        nonlocal record
        you.farewell(table.states, table.drawn)
        record = record or ask_for_file()

    play_at(table, others, farewell)
    if record is not None:
        header = loop_rules.to_json() if loop_rules else None
        played = Record(rules, tuple(names), tuple(table.codes), derive_seed(seed), guard=header, drawn=table.drawn)
        write_lines(record, played.lines())

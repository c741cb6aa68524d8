"""``kibitz onepiece play``: a game in the terminal against a bot."""

from __future__ import annotations

from typing import Annotated

from kibitz.cli.common import UserError, check_seat, check_writable
from kibitz.cli.guards import guarded, read_guard
from kibitz.cli.keyboard import YOU, play_at
from kibitz.cli.options import FreshSeedOption, RecordOption, bots_option, guard_option, seat_option
from kibitz.cli.players import read_bots
from kibitz.cli.record_files import write_lines
from kibitz.onepiece.commands.given import app
from kibitz.onepiece.commands.options import CardsOption, DecksOption
from kibitz.onepiece.profile import PROFILE


@app.command()
def play(
    bots: Annotated[str, bots_option(PROFILE, "Your opponent: ismcts:200, or my_bot.py:MyBot.")] = "greedy",
    decks: DecksOption = "tide,ember",
    cards: CardsOption = None,
    seat: Annotated[int, seat_option("1", "Your seat, from 1; seat 1 begins.")] = 1,
    seed: FreshSeedOption = None,
    guard: Annotated[str, guard_option("onepiece")] = "onepiece",
    record: RecordOption = None,
) -> None:
    """Play a game against a bot. Type numbers or words; ? helps, q leaves."""
    from kibitz.ground.rng import derive_seed, fresh_seed
    from kibitz.onepiece.bots import bot_named
    from kibitz.onepiece.commands.human import HELP, Human
    from kibitz.onepiece.core.record import Record
    from kibitz.onepiece.looplab.rows import at_position
    from kibitz.onepiece.setup import typed
    from kibitz.play.bots import Bot
    from kibitz.play.match import Table

    named = read_bots(bots, "--bots", bot_named)
    if len(named) != 1:
        raise UserError(f"--bots {bots}: One Piece is for 2 players")
    check_seat(seat, 2)
    setup, loop_rules = typed({"decks": decks, "cards": cards}, 0), read_guard(guard)
    check_writable(record)
    seed = fresh_seed() if seed is None else seed
    you = Human(named[0].name)
    at_table = list(named)
    at_table.insert(seat - 1, Bot(YOU, lambda: you))
    print(f"One Piece for 2 players; --seed {seed} deals the same cards again.\n{HELP}")
    table = Table(setup.game, setup.starts(2, 0, 1)[:1], at_table, seed, guarded(loop_rules, seat - 1, at_position))
    play_at(table, at_table, lambda: you.farewell(table.states[0], table.drawn))
    if record is not None:
        header = loop_rules.to_json() if loop_rules else None
        played = Record(setup.decks, you.names, tuple(table.codes), 0, derive_seed(seed), guard=header, drawn=table.drawn)
        write_lines(record, played.lines())

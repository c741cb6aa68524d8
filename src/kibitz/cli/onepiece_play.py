"""``kibitz onepiece play``: a game in the terminal against a bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common import UserError
from kibitz.cli.conduct import print_conduct
from kibitz.cli.guards import HELP as GUARD_HELP
from kibitz.cli.guards import guarded, read_guard
from kibitz.cli.keyboard import YOU, Left, play_on
from kibitz.cli.onepiece import CardsOption, DecksOption, _bots, _cards, _decks, app


@app.command()
def play(
    bot: Annotated[
        str, typer.Option(help="Who plays against you: random, greedy, ismcts (ismcts:200, ismcts:2s) or my_bot.py:MyBot.")
    ] = "greedy",
    decks: DecksOption = "tide,ember",
    cards: CardsOption = None,
    seat: Annotated[int, typer.Option(help="Your seat: 1 begins.", min=1, max=2)] = 1,
    seed: Annotated[int, typer.Option(help="What the draws depend on.")] = 0,
    guard: Annotated[str, typer.Option(metavar="MODEL|FILE", help=GUARD_HELP)] = "onepiece",
    record: Annotated[Path | None, typer.Option(help="Write the game to this file when it ends.")] = None,
) -> None:
    """Play a game against a bot."""
    from kibitz.cli.onepiece_human import HELP, Human
    from kibitz.onepiece.engine import game_with
    from kibitz.onepiece.record import Record
    from kibitz.play.bots import Bot
    from kibitz.play.match import Table
    from kibitz.play.onepiece import starts
    from kibitz.play.onepiece_bots import bot_named
    from kibitz.records import check_target, writing
    from kibitz.rng import derive_seed

    (name,) = _bots(bot, 1, 1, "--bot")
    pair, loop_rules = _decks(decks, _cards(cards)), read_guard(guard)
    if record is not None:
        check_target(record)
    you, other = Human(name), bot_named(name)
    bots = [Bot(YOU, lambda: you), other] if seat == 1 else [other, Bot(YOU, lambda: you)]
    print(HELP)
    table = Table(game_with(*pair), starts(pair)[:1], bots, seed, guarded(loop_rules))
    try:
        play_on(table, bots)
        you.farewell(table.states[0], table.drawn)
    except (Left, KeyboardInterrupt):
        print("\nleft before the end")
    print_conduct(table.conduct)
    if record is None:
        return
    header = loop_rules.to_json() if loop_rules else None
    played = Record(pair, you.names, tuple(table.codes), 0, derive_seed(seed), guard=header, drawn=table.drawn)
    try:
        with writing(record) as write_line:
            for line in played.lines():
                write_line(line)
    except OSError as error:
        raise UserError(f"{record}: {error.strerror}") from None
    print(f"written: {record}")

"""``kibitz coup play``: a game against bots in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, rules_from
from kibitz.cli.conduct import print_conduct
from kibitz.cli.coup import app
from kibitz.cli.coup_input import known_bot
from kibitz.cli.guards import GuardOption, guarded, read_guard
from kibitz.cli.keyboard import YOU, Left, play_on

if TYPE_CHECKING:
    from kibitz.play.bots import Bot

#: A game without --seed takes one below this, so that it can be typed again.
FRESH_SEEDS = 1_000_000


@app.command()
def play(
    players: Annotated[
        int | None, typer.Option(help="How many play, you included; by default as --bots asks for, else 4.", min=2, max=6)
    ] = None,
    bots: Annotated[
        str, typer.Option(help="Your opponents in the order of their seats, or one for all: ismcts:2000,my_bot.py:MyBot.")
    ] = "heuristic",
    seat: Annotated[int, typer.Option(help="Where you sit; player 1 begins.", min=1, max=6)] = 1,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same deal; by default a new one each time.")] = None,
    hints: Annotated[bool, typer.Option("--hints", help="Show your chances with every choice, as `why` does.")] = False,
    rule: Annotated[
        list[str] | None, typer.Option(help="A rule option: NAME or NAME=VALUE. May be repeated.", metavar="NAME[=VALUE]")
    ] = None,
    guard: GuardOption = None,
    record: Annotated[Path | None, typer.Option(help="Write the game to this file (.jsonl or .jsonl.gz).")] = None,
) -> None:
    """Play Coup against bots. Type numbers or words; ? helps, q leaves."""
    with compile_notice():
        from kibitz.cli.coup_human import Human
        from kibitz.coup.engine import GAME
        from kibitz.coup.record import Record
        from kibitz.coup.state import Rules, new_states
        from kibitz.play.bots import Bot
        from kibitz.play.coup_words import Words
        from kibitz.play.match import Table
        from kibitz.records import check_target, writing
        from kibitz.rng import derive_seed

        others = _opponents(bots, players)
        if seat > len(others) + 1:
            raise UserError(f"--seat {seat}: there are only {len(others) + 1} players")
        rules, loop_rules = rules_from(Rules, rule or []), read_guard(guard)
        if record is not None:
            check_target(record)
        seed = secrets.randbelow(FRESH_SEEDS) if seed is None else seed
        names = [bot.name for bot in others]
        names.insert(seat - 1, YOU)
        you = Human(Words(seat - 1, tuple(names)), hints)
        others.insert(seat - 1, Bot(YOU, lambda: you))
        print(f"Coup for {len(names)} players; --seed {seed} deals the same cards again. ? helps, q leaves.\n")
        table = Table(GAME, new_states(len(names), rules), others, seed, guarded(loop_rules))
        try:
            play_on(table, others)
            you.farewell(table.states, table.drawn)
            record = record or you.ask_for_file()
        except (Left, KeyboardInterrupt):
            print("\nYou leave the table.")
        print_conduct(table.conduct)
        if record is not None:
            with writing(record) as write_line:
                header = loop_rules.to_json() if loop_rules else None
                played = Record(rules, tuple(names), tuple(table.codes), derive_seed(seed), guard=header, drawn=table.drawn)
                for line in played.lines():
                    write_line(line)
            print(f"written: {record}")


def _opponents(bots: str, players: int | None) -> list[Bot]:
    named = [known_bot(name.strip(), "--bots") for name in bots.split(",")]
    seats = players or (len(named) + 1 if len(named) > 1 else 4)
    if len(named) == 1:
        named *= seats - 1
    if len(named) != seats - 1:
        raise UserError(f"--bots {bots}: {len(named)} bots and you are not {seats} players")
    if seats > 6:
        raise UserError(f"--bots {bots}: Coup is for 2 to 6 players")
    return named

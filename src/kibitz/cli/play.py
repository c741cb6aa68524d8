"""``play``: a game against bots in the terminal, of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import RECORD, UserError, check_seat, check_writable, compile_notice, console, print_conduct
from kibitz.cli.games import PerGame
from kibitz.cli.keyboard import YOU, Left, TakeBack, ask_for_file
from kibitz.cli.options import (
    ForceOption,
    FreshSeedOption,
    RecordOption,
    bots_example,
    bots_option,
    guard_option,
    level_option,
    number,
    seat_option,
)
from kibitz.cli.players import guarded, read_bot, read_guard, read_opponents
from kibitz.cli.records import game_of_file, games_in, write_lines

if TYPE_CHECKING:
    from kibitz.cli.kept import Kept
    from kibitz.cli.person import Person
    from kibitz.game import States
    from kibitz.game.record import GameRecord
    from kibitz.loops.config import Config
    from kibitz.play.bots import Bot
    from kibitz.play.match import TakebackTable
    from kibitz.play.profile import Profile, Typed


def _bots(profile: Profile) -> tuple[object, None]:
    levels = ",".join([*(level.name for level in profile.levels[1:3]), "my_bot.py:MyBot"])
    example = levels if profile.levels else bots_example(profile)
    help = f"Your opponents in seat order, or one bot for all: {example}."
    return bots_option(profile, help, profile.tournament.bots[0]), None


def _guard(profile: Profile) -> tuple[object, None]:
    return guard_option(next(iter(profile.guards), "none")), None


def play(
    profile: Profile,
    level: Annotated[str | None, PerGame(level_option)] = None,
    bots: Annotated[str | None, PerGame(_bots)] = None,
    seats: Annotated[
        int | None, number("How many players, including you.", "to fit --bots, else the usual number", min=2)
    ] = None,
    seat: Annotated[int, seat_option("1", "Your seat, from 1; seat 1 moves first.")] = 1,
    seed: FreshSeedOption = None,
    chosen: Typed = {},  # noqa: B006
    hints: Annotated[bool, typer.Option("--hints", help="Show your chances with every choice, as `why` does.")] = False,
    guard: Annotated[str | None, PerGame(_guard)] = None,
    record: RecordOption = None,
    force: ForceOption = False,
    resume: Annotated[
        Path | None, typer.Option(metavar="RECORD", help="Continue a game that you left; the record says who plays, and how.")
    ] = None,
) -> None:
    """Play against bots. Type numbers or words, ? for help, q to leave."""
    with compile_notice():
        from kibitz.cli.kept import Kept, say_broken_off
        from kibitz.cli.person import Person
        from kibitz.ground.folders import from_here
        from kibitz.loops.config import Config
        from kibitz.play.bots import Bot
        from kibitz.play.registry import source_of

        check_writable(record, RECORD, force)
        check_writable(resume, force=True)  # it is played on
        if level is not None:
            if bots is not None:
                raise UserError("--level and --bots both say who your opponents are; give one of the two")
            bots = level
        if resume is None:
            begun = _fresh(profile, chosen, bots, seats, seat, seed, guard)
        elif seats or seat != 1 or seed is not None or guard or _differs(profile, chosen, bots):
            raise UserError("--resume: the record says who plays, and how; you can only add --hints and --record")
        else:
            begun, record = _left(profile, chosen, resume, record), record or resume
        you: Person = (profile.person or Person)(profile, begun.seats, hints)
        others = {bot: profile.with_person(read_bot(bot, "--resume", profile.bot_named)) for bot in begun.seats if bot != YOU}
        players = [Bot(YOU, lambda: you) if bot == YOU else others[bot] for bot in begun.seats]
        start = begun.start()
        _rehearse(start, len(players))
    print(
        f"{profile.title} for {len(players)} players; --seed {begun.seed} deals the same again.\nType ? for help, q to leave."
    )
    game = from_here(source_of(profile.name))
    say_broken_off(game)
    kept = Kept(begun, record, game)
    table, over = _play(begun, start, players, you, None if begun.guard is None else Config.from_json(begun.guard), kept)
    try:
        record = record or ask_for_file()
    except Left:  # without an answer the game stays where it is
        kept.stay(over)
        return
    if record is not None:
        write_lines(record, replace(begun, codes=tuple(table.codes), drawn=table.drawn).lines())
        print(f"Look back: kibitz show {game} {record} --turn N" if over else f"Go on: kibitz play {game} --resume {record}")
    kept.forget()


def _play(
    begun: GameRecord, start: States, players: Sequence[Bot], you: Person, rules: Config | None, kept: Kept
) -> tuple[TakebackTable, bool]:
    """Play on from where a game was left, until it is over or the person leaves; the table, and whether it is over."""
    from kibitz.game import game_of
    from kibitz.play.match import TakebackTable

    seat = begun.seats.index(YOU)

    def sit(codes: Sequence[int]) -> TakebackTable:
        """The table after some steps; nobody is told again what everybody has seen."""
        hook = guarded(rules, seat, you.describe)
        table = TakebackTable(game_of(start), start, players, begun.seed or 0, hook, seat=seat)
        with redirect_stdout(StringIO()):
            for code in codes:
                table.step(code)
        return table

    table, over = sit(begun.codes), False
    try:
        while not over:
            try:
                _play_on(table, players, kept)
                you.farewell(table.states, table.drawn)
                over = True
            except TakeBack:
                if (step := table.can_return_to) is None:
                    print("You cannot take that back: something has been revealed since.")
                else:
                    table = sit(table.codes[:step])
                    print("Taken back.")
    except (Left, KeyboardInterrupt):
        print("\nYou leave the table.")
    print_conduct(table.conduct)
    return table, over


def _play_on(table: TakebackTable, bots: Sequence[Bot], kept: Kept) -> None:
    """Play to the end; a bot that searches is seen to think, and what the person has done is kept at once."""
    from kibitz.game import OVER

    out = console()
    while (seat := table.actor) != OVER:
        if seat >= 0 and bots[seat].policy is None and bots[seat].name != YOU:
            with out.status(f"player {seat + 1} thinks"):
                table.step()
        else:
            table.step()
        if seat >= 0 and bots[seat].name == YOU:
            kept.keep(table.codes)


def _rehearse(start: States, seats: int) -> None:
    """Compile or load what every step needs, before somebody is asked: nothing may move on the screen while a person types."""
    from kibitz.game import RANDOM, game_of, legal_actions
    from kibitz.play.bots import policy_bot
    from kibitz.play.match import play_game

    game = game_of(start)
    if game.is_plain:
        return
    short = start.copy()
    if "max_turns" in (start.dtype.names or ()):
        short["max_turns"] = 1
    play_game(game, short, [policy_bot("random", RANDOM)] * seats, seed=0)
    legal_actions(start)


def _fresh(
    profile: Profile, chosen: Typed, bots: str | None, seats: int | None, seat: int, seed: int | None, guard: str | None
) -> GameRecord:
    """A game before its first step."""
    from kibitz.ground.rng import derive_seed, fresh_seed

    seed = fresh_seed() if seed is None else seed
    setup = profile.typed(chosen, seed)
    names = [bot.name for bot in read_opponents(bots or profile.tournament.bots[0], seats, profile)]
    check_seat(seat, len(names) + 1)
    names.insert(seat - 1, YOU)
    # the loop rules that are asked for; else those of the setup, or those that are named after the game
    rules = read_guard(guard or setup.guard or next(iter(profile.guards), None))
    guarded_by = rules.to_json() if rules else None
    return setup.record(0, {"seats": tuple(names), "codes": (), "seed": derive_seed(seed), "guard": guarded_by})


def _differs(profile: Profile, chosen: Typed, bots: str | None) -> bool:
    """Whether something else was chosen than what is usual (cards without which a record cannot be read do not count)."""
    usual = {option.name: option.default for option in profile.options if not option.reads}
    return bots is not None or any(chosen.get(name) not in (None, usual[name]) for name in usual)


def _left(profile: Profile, chosen: Typed, file: Path, record: Path | None) -> GameRecord:
    """A game that somebody left; where it is written back to the same file, nothing else may be lost."""
    from kibitz.game import OVER, actor_at

    check = profile.records(chosen).check
    if record is None and len([*islice(games_in(file, check), 2)]) > 1:
        raise UserError(f"{file}: it holds more than one game; name another file for this one with --record")
    found = game_of_file(file, None, check)
    if found.seats.count(YOU) != 1:
        raise UserError(f"{file}: nobody at this table is called {YOU}")
    *_, states = found.states()
    if found.drawn or actor_at(states, 0) == OVER:
        raise UserError(f"{file}: the game is over")
    return found

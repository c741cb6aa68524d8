"""``kibitz coup``: simulate, replay and show games of Coup; the other commands have modules of their own."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, is_number, progress, rules_from
from kibitz.cli.conduct import print_conduct
from kibitz.cli.coup_input import find_game, known_bot
from kibitz.cli.guards import GuardOption, about_loops, at_the_limit, read_guard
from kibitz.cli.record_files import replay_file

if TYPE_CHECKING:
    from kibitz.coup.record import Record
    from kibitz.play.match import Results

app = typer.Typer(help="Coup: what should I do, solved endgames, games against bots and between them.", no_args_is_help=True)

#: A speed from fewer games would mostly measure the start.
ENOUGH_FOR_A_SPEED = 1000
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A game record (JSON Lines, .gz too).")]


@app.command()
def simulate(
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games, byte for byte.")] = 0,
    players: Annotated[
        str, typer.Option(help="A number of seats, or one bot name per seat: ismcts:500,my_bot.py:MyBot.")
    ] = "2",
    policy: Annotated[
        str | None, typer.Option(help="The bot on every seat: random (the default), honest, heuristic, ismcts or solver.")
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option(help="A rule option: NAME or NAME=VALUE. May be repeated.", metavar="NAME[=VALUE]")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Write the games to this file (.jsonl or .jsonl.gz).")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Record the legal actions and the whole state of every step, too.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(help="Threads that play; all cores by default. (Policies are recorded by one.)", min=1),
    ] = None,
    guard: GuardOption = None,
) -> None:
    """Play games between bots and sum them up."""
    import time

    if full and record is None:
        raise UserError("--full describes what --record writes; name a file with --record FILE")
    bots, loop_rules = _bots(players, policy), read_guard(guard)
    with compile_notice():
        from kibitz.coup.state import Rules
        from kibitz.play.coup import play, write
        from kibitz.records import check_target

        rules = rules_from(Rules, rule or [])
        if record is not None:
            check_target(record)
        play(["random"] * 2, 0, Rules(max_turns=1), games=1, jobs=1)  # compile or load the rules before the clock starts
        began = time.monotonic()
        with progress("playing" if record is None else "recording", games, "games") as advance:
            if record is None:
                results = play(bots, seed, rules, games, jobs, advance, guard=loop_rules)
            else:
                results = write(record, bots, seed, rules, games, full, jobs, advance, loop_rules)
        seconds = time.monotonic() - began
    _print_results(results, bots, seconds)
    if record:
        print(f"written: {record}")


@app.command()
def replay(file: FileArgument) -> None:
    """Replay a record under the rules and verify every step; the first difference is named."""
    with compile_notice():
        from kibitz.coup.record import check

        replay_file(file, check)


@app.command()
def show(
    file: FileArgument,
    game: Annotated[int, typer.Option(help="Which game of the file, from 0.", min=0)] = 0,
    turn: Annotated[
        int | None, typer.Option(help="The position after this turn (0: after the deal); the end by default.", min=0)
    ] = None,
    step: Annotated[int | None, typer.Option(help="The position before this step, as advise --step has it.", min=0)] = None,
) -> None:
    """Show a position of a recorded game, and what happened in its turn."""
    if turn is not None and step is not None:
        raise UserError("--turn and --step: one position is shown; give one of the two")
    with compile_notice():
        found = find_game(file, game)
        turns = [int(states["turn"][0]) for states in found.states()]
        if step is None:
            last = turns[-1] if turn is None else turn
            if last > turns[-1]:
                raise UserError(f"{file}: game {game} has only {turns[-1]} turns")
            step = next((number for number, at in enumerate(turns) if at > last), len(found.codes))
        elif step >= len(found.codes):
            raise UserError(f"--step {step}: the game has steps 0 to {len(found.codes) - 1}")
        else:
            last = turns[step]
        _print_position(found, step, [number for number in range(step) if turns[number] == last])


def _bots(players: str, policy: str | None) -> list[str]:
    from kibitz.coup.state import SEATS

    if is_number(players):
        seats, bots = int(players), [known_bot(policy or "random", "--policy").name] * min(int(players), SEATS)
    else:
        bots = [known_bot(name.strip(), "--players").name for name in players.split(",")]
        seats = len(bots)
        if policy is not None:
            raise UserError("--policy is for all seats; --players names a bot for each: give one of the two")
    if not 2 <= seats <= SEATS:
        raise UserError(f"--players {players}: Coup is for 2 to {SEATS} players")
    return bots


def _print_results(results: Results, bots: list[str], seconds: float) -> None:
    from rich.console import Console
    from rich.table import Table

    games = len(results.states)
    turns, winners = results.states["turn"], results.states["winner"]
    table = Table(title=f"{games:,} {'game' if games == 1 else 'games'}, {len(bots)} players")
    for heading in ("player", "bot", "won", "win rate"):
        table.add_column(heading, justify="left" if heading in ("player", "bot") else "right")
    for seat, bot in enumerate(bots):
        won = int((winners == seat).sum())
        table.add_row(str(seat + 1), bot, f"{won:,}", f"{won / games:.1%}")
    out = Console()
    out.print(table)
    unfinished = at_the_limit(results, int((winners >= 0).sum()))
    limit = f", {unfinished:,} at the turn limit" if unfinished else ""
    length = f"{turns.mean():.1f} on average, {turns.min()} to {turns.max()}{limit}"
    out.print(f"turns: {length}; steps: {results.steps / games:,.0f} a game", highlight=False)
    if found := about_loops(results.loops):
        out.print(found, highlight=False)
    if games >= ENOUGH_FOR_A_SPEED:
        out.print(f"{games / seconds:,.0f} games/s", highlight=False)
    print_conduct(results.conduct)


def _print_position(found: Record, step: int, events: list[int]) -> None:
    """The position before a step, and which steps led there."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from kibitz.coup.actions import describe
    from kibitz.coup.game_state import GameState

    state = GameState(next(islice(found.states(), step, None)))
    table = Table(title=Text(f"game {found.game}: {repr(state)[12:-1]}"), box=SIMPLE)
    for heading in ("player", "coins", "cards", "lost"):
        table.add_column(heading, justify="right" if heading == "coins" else "left")
    for player, bot in zip(state.players, found.seats, strict=True):
        name = "".join(letter for letter in bot if letter.isprintable())[:20]
        mark = " <" if player.seat == state.current_player_id else ""
        cards, lost = " ".join(player.cards or ()), " ".join(player.revealed)
        table.add_row(Text(f"{player.seat + 1} {name}{mark}"), str(player.coins), cards or "-", lost or "-")
    table.caption = f"treasury {state.treasury}; deck {' '.join(state.deck or ())}; < whose turn it is"
    out = Console()
    out.print(table)
    for number, states in enumerate(found.states()):
        if number in events:
            when = f"step {number} turn {int(states['turn'][0])} P{int(states['active'][0]) + 1}"
            out.print(Text(f"{when} {describe(found.codes[number])}"))


# Commands in modules of their own, which register themselves.
from kibitz.cli import coup_advise, coup_play, coup_solve, coup_tournament, coup_tree  # noqa: E402, F401

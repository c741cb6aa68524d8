"""``kibitz catan``: play, record, replay and show games; tournaments of bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.catan.commands.given import find_game
from kibitz.cli.common import (
    UserError,
    check_writable,
    compile_notice,
    print_json,
    progress,
)
from kibitz.cli.guards import read_guard
from kibitz.cli.names import BOTS
from kibitz.cli.options import (
    BoardOption,
    DeviceOption,
    FullOption,
    GameOption,
    GamesInAllOption,
    GamesOption,
    GuardOption,
    JobsOption,
    JsonOption,
    RecordArgument,
    RecordOption,
    SeedOption,
    SvgOption,
    TurnOption,
    at_option,
    bots_option,
    group,
    policy_option,
    rule_option,
)
from kibitz.cli.players import read_field, read_seats
from kibitz.cli.record_files import check_full, moment_of, print_position, replay_file

if TYPE_CHECKING:
    from kibitz.catan.core.game_state import GameState
    from kibitz.catan.core.record import Record

app = group("Settlers of Catan: play, record, replay and show games.")


@app.command()
def simulate(
    games: GamesOption = 1,
    seed: SeedOption = 0,
    players: Annotated[
        str, bots_option("catan", "How many seats, or who sits there: ismcts:200,builder,my_bot.py:MyBot.")
    ] = "4",
    policy: Annotated[str | None, policy_option(BOTS["catan"], "random")] = None,
    board: BoardOption = "random",
    rule: Annotated[list[str] | None, rule_option("catan")] = None,
    record: RecordOption = None,
    full: FullOption = False,
    jobs: JobsOption = None,
    device: DeviceOption = "cpu",
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play games between bots and sum them up."""
    import time

    check_full(full, record)
    from kibitz.catan.bots import bot_named

    bots = read_seats(players, policy, "random", bot_named, "Catan", (2, 4))
    loop_rules = read_guard(guard)
    if device == "cuda":
        _require_gpu(record, bots, guarded=loop_rules is not None)
    with compile_notice():
        from kibitz.catan.setup import typed
        from kibitz.cli.simulation import Simulation
        from kibitz.play.series import Plan, play_plan, warm_up

        setup = typed({"board": board, "rule": rule}, seed)
        check_writable(record)
        warm_up(setup, 2)
        plan = Plan(setup, tuple(bot_named(bot) for bot in bots), seed, games, guard=loop_rules)
        began = time.monotonic()
        with progress("playing" if record is None else "recording", games, "games") as advance:
            results = play_plan(plan, jobs=jobs, device=device, record=record, full=full, progress=advance)
        seconds = time.monotonic() - began
    played = Simulation(
        results,
        bots,
        facts={"seed": seed, "seats": len(bots), **setup.facts()},
        figures=setup.summary(results).figures,
    )
    played.print(seconds, record, as_json)


@app.command()
def tournament(
    players: Annotated[str, bots_option("catan", "Who meets: ismcts:200,builder,my_bot.py:MyBot.")] = "builder,seed,random",
    games: GamesInAllOption = 4000,
    seed: SeedOption = 0,
    seats: Annotated[int, typer.Option(metavar="N", help="How many sit at a table.", min=2, max=4)] = 4,
    board: BoardOption = "random",
    rule: Annotated[list[str] | None, rule_option("catan")] = None,
    jobs: JobsOption = None,
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots meet at every table, equally often on every seat, and rate them."""
    from kibitz.catan.bots import bot_named

    names = read_field(players, bot_named)
    loop_rules = read_guard(guard)
    with compile_notice():
        from kibitz.catan.setup import typed
        from kibitz.cli.standings import print_standings
        from kibitz.play.series import Plan, play_plan, warm_up
        from kibitz.play.tournament import Ends, ends_of, tables
        from kibitz.play.tournament import tournament as meet

        setup = typed({"board": board, "rule": rule}, seed)
        warm_up(setup, 2)
        count = len(tables(names, seats))
        rounds = -(-games // count)
        with progress("playing", rounds * count, "games") as advance:

            def at(table: Sequence[str], seed: int, rounds: int) -> Ends:
                plan = Plan(setup, tuple(bot_named(bot) for bot in table), seed, rounds, guard=loop_rules)
                return ends_of(play_plan(plan, jobs=jobs, progress=advance))

            standings = meet(names, at, seed, rounds, seats)
    if as_json:
        print_json({"seed": seed, "seats": seats, **setup.facts(), **standings.to_json()})
    else:
        print_standings(standings, seats)


@app.command()
def replay(file: RecordArgument) -> None:
    """Replay a record under the rules and verify every step; the first difference is named."""
    with compile_notice():
        from kibitz.catan.core.record import check

        replay_file(file, check)


@app.command()
def show(
    file: RecordArgument,
    game: GameOption = None,
    turn: TurnOption = None,
    at: Annotated[int | None, at_option("the end")] = None,
    svg: SvgOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a position of a recorded game, as a table and as a picture."""
    with compile_notice():
        from kibitz.catan.core.game_state import GameState
        from kibitz.catan.core.svg import draw_state
        from kibitz.game.files import writing

        check_writable(svg)
        found = find_game(file, game)
        step, _ = moment_of(found, turn, at)
        states = found.before(step)
        if svg is not None:
            with writing(svg) as write_line:
                write_line(draw_state(states, names=[f"Player {i} ({bot})" for i, bot in enumerate(found.seats, start=1)]))
        if as_json:
            print_position(found, step, GameState(states))
            return
        _show(found, GameState(states))
        if svg is not None:
            print(f"drawn: {svg}")


def _require_gpu(record: Path | None, bots: Sequence[str], guarded: bool) -> None:
    from kibitz.catan.core.policy import BOTS
    from kibitz.compute.cuda import NoGpu, require_gpu

    if guarded:
        raise UserError("--device cuda: games there are played without a loop guard; use --device cpu with --guard")
    for bot in bots:
        if bot not in BOTS:
            raise UserError(f"--device cuda: {bot} is no compiled policy; it plays on the cpu")
    if record is not None:
        raise UserError("--device cuda plays whole games and keeps their ends; --record needs every step: use --device cpu")
    try:
        require_gpu()
    except NoGpu as error:
        raise UserError(f"--device cuda: {error}") from None


def _show(found: Record, state: GameState) -> None:
    from rich.console import Console
    from rich.text import Text

    from kibitz.catan.commands.table import board_text, players_table

    table = players_table(state, found.seats)
    table.title = Text(f"game {found.game}: {state.title}")
    out = Console()
    out.print(table)
    print()
    out.print(board_text(state.states), soft_wrap=True, highlight=False)
    print(f"board: {found.board.to_text()}")

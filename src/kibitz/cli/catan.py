"""``kibitz catan``: play, record, replay and show games; tournaments of bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import UserError, compile_notice, is_number, progress, read_board, read_rules, warm_up
from kibitz.cli.conduct import print_conduct
from kibitz.cli.guards import GuardOption, about_loops, at_the_limit, read_guard
from kibitz.cli.record_files import game_of_file, replay_file
from kibitz.cli.standings import print_standings

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.catan.board import Board
    from kibitz.catan.record import Record

app = typer.Typer(help="Settlers of Catan: play, record, replay and show games.", no_args_is_help=True)

#: A speed from fewer games would mostly measure the start.
ENOUGH_FOR_A_SPEED = 100
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A game record (JSON Lines, .gz too).")]


@app.command()
def simulate(
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games, byte for byte.")] = 0,
    players: Annotated[
        str, typer.Option(help="A number of seats, or one bot name per seat: ismcts:200,builder,my_bot.py:MyBot.")
    ] = "4",
    policy: Annotated[str | None, typer.Option(help="The bot on every seat: random (the default), builder or seed.")] = None,
    board: Annotated[str, typer.Option(help="A board file or text, beginner, or random (a new one for each game).")] = "random",
    rule: Annotated[
        list[str] | None, typer.Option(help="A rule option: NAME or NAME=VALUE. May be repeated.", metavar="NAME[=VALUE]")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Write the games to this file (.jsonl or .jsonl.gz).")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Record the legal actions and the whole state of every step, too.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(help="Threads that play; all cores by default. (Recording is the work of one.)", min=1)
    ] = None,
    device: Annotated[str, typer.Option(help="Where to play: cpu or cuda (one NVIDIA GPU). The games are the same.")] = "cpu",
    guard: GuardOption = None,
) -> None:
    """Play games between bots and sum them up."""
    import time

    if full and record is None:
        raise UserError("--full describes what --record writes; name a file with --record FILE")
    if device not in ("cpu", "cuda"):
        raise UserError(f"--device {device}: expected cpu or cuda")
    bots = _bots(players, policy)
    loop_rules = read_guard(guard)
    if device == "cuda":
        if loop_rules is not None:
            raise UserError("--device cuda: games there are played without a loop guard; use --device cpu with --guard")
        _require_gpu(record, bots)
    rules = read_rules(rule or [])
    with compile_notice():
        from kibitz.catan.record import check_target
        from kibitz.play.catan import play, play_on_gpu, write

        boards = _boards(board, seed)
        if record is not None:
            check_target(record)
        warm_up()
        began = time.monotonic()
        with progress("playing" if record is None else "recording", games, "games") as advance:
            if device == "cuda":
                results = play_on_gpu(boards, bots, seed, rules, games, advance)
            elif record is None:
                results = play(boards, bots, seed, rules, games, jobs, advance, loop_rules)
            else:
                results = write(record, boards, bots, seed, rules, games, full, advance, loop_rules)
        seconds = time.monotonic() - began
    _print_results(results, bots, seconds, record)


@app.command()
def tournament(
    players: Annotated[
        str, typer.Option(help="The bots that meet, by name: ismcts:200,builder,my_bot.py:MyBot.")
    ] = "builder,seed,random",
    games: Annotated[int, typer.Option(help="How many games in all (rounded up: every table plays as many).", min=1)] = 4000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    seats: Annotated[int, typer.Option(help="How many sit at a table.", min=2, max=4)] = 4,
    board: Annotated[str, typer.Option(help="A board file or text, beginner, or random (a new one for each game).")] = "random",
    rule: Annotated[
        list[str] | None, typer.Option(help="A rule option: NAME or NAME=VALUE. May be repeated.", metavar="NAME[=VALUE]")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Threads that play; all cores by default.", min=1)] = None,
    guard: GuardOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Let bots meet at every table, equally often on every seat, and rate them."""
    import json

    names = [_known_bot(name.strip(), "--players") for name in players.split(",")]
    if len(set(names)) != len(names) or len(names) < 2:
        raise UserError(f"--players {players}: name at least two bots, each once")
    rules, loop_rules = read_rules(rule or []), read_guard(guard)
    with compile_notice():
        from kibitz.play.catan import play
        from kibitz.play.tournament import Ends, ends_of, tables
        from kibitz.play.tournament import tournament as meet

        boards = _boards(board, seed)
        warm_up()
        count = len(tables(names, seats))
        rounds = -(-games // count)
        with progress("playing", rounds * count, "games") as advance:

            def at(table: Sequence[str], seed: int, rounds: int) -> Ends:
                results = play(boards, table, seed, rules, rounds, jobs, advance, loop_rules)
                return ends_of(results, results.states["winner"])

            standings = meet(names, at, seed, rounds, seats)
    if as_json:
        print(json.dumps({"seed": seed, "seats": seats, "rules": rules.to_json(), **standings.to_json()}, indent=2))
    else:
        print_standings(standings, seats)


@app.command()
def replay(file: FileArgument) -> None:
    """Replay a record under the rules and verify every step; the first difference is named."""
    with compile_notice():
        from kibitz.catan.record import check

        replay_file(file, check)


@app.command()
def show(
    file: FileArgument,
    game: Annotated[int, typer.Option(help="Which game of the file, from 0.", min=0)] = 0,
    turn: Annotated[
        int | None, typer.Option(help="The position at the end of this turn (0: after set-up); the end by default.", min=0)
    ] = None,
    step: Annotated[int | None, typer.Option(help="The position before this step, as analyze --at has it.", min=0)] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw it into this file.")] = None,
) -> None:
    """Show a position of a recorded game, as a table and as a picture."""
    if turn is not None and step is not None:
        raise UserError("--turn and --step: one position is shown; give one of the two")
    with compile_notice():
        found = find_game(file, game)
        from kibitz.catan.record import writing
        from kibitz.catan.svg import draw_state

        if step is None:
            states = found.at_turn(found.rules.max_turns if turn is None else turn)
            if turn is not None and int(states["turn"][0]) < turn:
                raise UserError(f"{file}: game {game} has only {int(states['turn'][0])} turns")
        else:
            check_step(found, step, "--step")
            states = next(islice(found.states(), step, None))
        _print_position(states, found)
        if svg is not None:
            with writing(svg) as write_line:
                write_line(draw_state(states, names=_names(found.seats)))
            print(f"drawn: {svg}")


def _require_gpu(record: Path | None, bots: Sequence[str]) -> None:
    from kibitz.catan.policy import BOTS
    from kibitz.compute.cuda import NoGpu, require_gpu

    for bot in bots:
        if bot not in BOTS:
            raise UserError(f"--device cuda: {bot} is no compiled policy; it plays on the cpu")
    if record is not None:
        raise UserError("--device cuda plays whole games and keeps their ends; --record needs every step: use --device cpu")
    try:
        require_gpu()
    except NoGpu as error:
        raise UserError(f"--device cuda: {error}") from None


def _known_bot(name: str, option: str) -> str:
    from kibitz.play.bots import UnknownBot
    from kibitz.play.catan_bots import bot_named

    try:
        return bot_named(name).name
    except UnknownBot as error:
        raise UserError(f"{option} {error}") from None


def _bots(players: str, policy: str | None) -> list[str]:
    if is_number(players):
        seats, bots = int(players), [_known_bot(policy or "random", "--policy")] * min(int(players), 5)
    else:
        bots = [_known_bot(name.strip(), "--players") for name in players.split(",")]
        seats = len(bots)
        if policy is not None:
            raise UserError("--policy is for all seats; --players names a bot for each: give one of the two")
    if not 2 <= seats <= 4:
        raise UserError(f"--players {players}: Catan is for 2 to 4 players")
    return bots


def _boards(board: str, seed: int) -> Callable[[int], Board]:
    """The board of each game of a series."""
    from kibitz.catan.board import Board
    from kibitz.rng import derive_seed

    if board == "random":
        return lambda number: Board.random(derive_seed(seed, "board", number))
    found = read_board(board, f"--board {board[:80]}")
    return lambda number: found


def find_game(file: Path, game: int) -> Record:
    """One game of a record file, verified."""
    from kibitz.catan.record import check

    return game_of_file(file, game, check)


def check_step(record: Record, step: int, option: str) -> None:
    """Refuse a step that a game does not have; `option` is what asks for it."""
    if not 0 <= step <= len(record.codes):
        raise UserError(f"{option} {step}: the game has steps 0 to {len(record.codes)}")


def _names(bots: tuple[str, ...]) -> list[str]:
    return [f"Player {seat + 1} ({bot})" for seat, bot in enumerate(bots)]


def _print_results(results: Any, bots: list[str], seconds: float, record: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    games = len(results.states)
    turns, winners = results.states["turn"], results.states["winner"]
    table = Table(title=f"{games:,} {'game' if games == 1 else 'games'}, {len(bots)} players")
    for heading in ("player", "bot", "won", "win rate", "points"):
        table.add_column(heading, justify="left" if heading in ("player", "bot") else "right")
    points = results.scores().mean(axis=0)
    for seat, bot in enumerate(bots):
        won = int((winners == seat).sum())
        table.add_row(str(seat + 1), bot, f"{won:,}", f"{won / games:.1%}", f"{points[seat]:.1f}")
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
    if record:
        print(f"written: {record}")


def _cards(counts: Mapping[Any, int]) -> str:
    """A hand in the letters of the board's text: wood, brick, sheep, grain, ore."""
    return " ".join(f"{n:2}{letter}" for n, letter in zip(counts.values(), "wbsgo", strict=True))


def _print_position(states: Any, found: Record) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from kibitz.analysis.report import moment
    from kibitz.catan.game_state import GameState
    from kibitz.catan.svg import printable

    state = GameState(states)
    table = Table(title=Text(f"game {found.game}: {moment(states)}"), box=SIMPLE)
    for heading in ("player", "points", "hand", "cards", "army", "road", "built"):
        table.add_column(heading, justify="left" if heading in ("player", "hand") else "right", no_wrap=True)
    for player, bot in zip(state.players, found.seats, strict=True):
        table.add_row(
            Text(f"{player.seat + 1} {printable(bot)[:20]}{' <' if player.seat == state.current_player_id else ''}"),
            f"{player.visible_victory_points} ({player.total_victory_points})",
            _cards(player.hand or {}),
            str(player.dev_card_count),
            f"{player.played_knights}{'*' if state.largest_army_owner == player.seat else ' '}",
            f"{player.longest_road_length}{'*' if state.longest_road_owner == player.seat else ' '}",
            f"{len(player.roads)}r {len(player.settlements)}s {len(player.cities)}c",
        )
    table.caption = f"robber on hex {state.robber_tile_id}; < whose turn it is; * holds the card"
    table.add_row("bank", "", _cards(state.bank), str(state.dev_deck_size))
    out = Console()
    out.print(table)
    print(f"board: {found.board.to_text()}")


# A command in a module of its own, which registers itself.
from kibitz.cli import catan_advise  # noqa: E402, F401

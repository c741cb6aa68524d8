"""``kibitz analyze``: what should I play, and why."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.catan.commands.given import find_game
from kibitz.catan.commands.options import BOARDS, MODES, POLICIES, RANKINGS
from kibitz.catan.profile import PROFILE
from kibitz.cli.common import (
    UserError,
    check_one,
    check_seat,
    check_step,
    check_writable,
    compile_notice,
    joined,
    print_json,
    progress,
    read_limit,
    stops_on_interrupt,
)
from kibitz.cli.guards import guard_setting
from kibitz.cli.options import (
    SEED,
    ClusterOption,
    DeviceOption,
    GameOption,
    GuardOption,
    JobsOption,
    JsonOption,
    SvgOption,
    at_option,
    choice,
    iterations_option,
    one_of,
    policy_option,
    rule_option,
    seat_option,
    time_option,
)
from kibitz.cli.record_files import is_record
from kibitz.play.profile import rules_typed

if TYPE_CHECKING:
    from kibitz.catan.analysis import Analysis, AnalysisConfig, AnalysisResult, Limit, Position
    from kibitz.catan.core.record import Record
    from kibitz.compute.cuda import Gpu
    from kibitz.compute.workers import Workers

#: The field of `AnalysisConfig` that an option sets, by the modes in which it means something.
SETTINGS: Mapping[str, Mapping[str, str]] = {
    "--rollouts": {"full_game": "full_game_rollouts"},
    "--candidates": {
        "full_game": "full_game_candidate_vertices",
        "monte_carlo": "full_game_candidate_vertices",
        "mcts": "mcts_candidates",
    },
    "--max-turns": dict.fromkeys(("full_game", "mcts", "ismcts"), "full_game_max_turns"),
    "--trade-offers": dict.fromkeys(("full_game", "mcts", "ismcts"), "full_game_trade_offer_limit"),
    "--rank-by": dict.fromkeys(("full_game", "mcts"), "rank_by"),
    "--uniform": {"full_game": "adaptive"},
    "--guard": dict.fromkeys(("full_game", "mcts"), "guard"),
    "--samples": {"monte_carlo": "mc_samples"},
    "--throws": {"monte_carlo": "mc_throws"},
    "--iterations": {"mcts": "mcts_iterations", "ismcts": "ismcts_iterations"},
    "--policy": dict.fromkeys(MODES, "policy"),
    "--top": dict.fromkeys(MODES, "top"),
    "--seed": dict.fromkeys(MODES, "mc_seed"),
}
#: Options of which one is given, and why.
EXCLUSIVE = {
    ("--guard", "--device cuda"): "games on a GPU are played without a loop guard",
    ("--cluster", "--device cuda"): "games are played in one place",
    ("--cluster", "--jobs"): "games are played in one place",
}
#: Options about the work itself, with the modes that have such work.
WORK = {
    "--device cuda": ("full_game",),
    "--checkpoint": ("mcts", "full_game"),
    "--cluster": ("monte_carlo", "mcts", "full_game"),
    "--jobs": ("monte_carlo", "mcts", "full_game", "ismcts"),
    "--time": ("monte_carlo", "mcts", "full_game", "ismcts"),
}


def analyze(
    board: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOARD|RECORD]",
            help="A board file or text, beginner, random (the default), or a game record.",
            autocompletion=one_of(BOARDS),
        ),
    ] = None,
    mode: Annotated[str, choice(MODES, "How to find out.")] = "full_game",
    seat: Annotated[int | None, seat_option("1; in a record the seat to move")] = None,
    seats: Annotated[int | None, typer.Option(metavar="N", help="How many play on a board.", show_default="4")] = None,
    rollouts: Annotated[
        int | None, typer.Option(metavar="N", help="Games for each candidate (corner or move), on average.", show_default="800")
    ] = None,
    candidates: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="How many corners are simulated; with mcts: considered at each pick.", show_default="10; mcts: 6"
        ),
    ] = None,
    max_turns: Annotated[
        int | None, typer.Option(metavar="N", help="The turn cap of simulated games.", show_default="300")
    ] = None,
    trade_offers: Annotated[
        int | None, typer.Option(metavar="N", help="Offers a turn in simulated games.", show_default="4")
    ] = None,
    policy: Annotated[str | None, policy_option(POLICIES, "builder")] = None,
    rank_by: Annotated[str | None, choice(RANKINGS, "What the best is the best by.", show_default="score")] = None,
    uniform: Annotated[bool, typer.Option("--uniform", help="As many games for every candidate.")] = False,
    samples: Annotated[
        int | None, typer.Option(metavar="N", help="monte_carlo: sequences of dice for each placement.", show_default="2000")
    ] = None,
    throws: Annotated[
        int | None, typer.Option(metavar="N", help="monte_carlo: throws in a sequence.", show_default="60")
    ] = None,
    iterations: Annotated[int | None, iterations_option("mcts: 4000; ismcts: 20000")] = None,
    guard: GuardOption = None,
    top: Annotated[
        int | None, typer.Option(metavar="N", help="How many recommendations are explained.", show_default="5")
    ] = None,
    at: Annotated[int | None, at_option("0")] = None,
    game: GameOption = None,
    rule: Annotated[list[str] | None, rule_option(PROFILE)] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help=SEED, show_default="0; of a random board any")] = None,
    time: Annotated[float | None, time_option()] = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    device: DeviceOption = "cpu",
    checkpoint: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on from this file after a kill.")] = None,
    as_json: JsonOption = False,
    svg: SvgOption = None,
) -> None:
    """Where to settle, or which move to make, and why: win rates from whole games.

    Ctrl-C ends the analysis with what there is, marked as partial; pressed twice, it ends the program.
    """
    settings = {
        "--rollouts": rollouts, "--candidates": candidates, "--max-turns": max_turns, "--trade-offers": trade_offers,
        "--rank-by": rank_by, "--uniform": False if uniform else None, "--samples": samples, "--throws": throws,
        "--iterations": iterations, "--policy": policy, "--top": top, "--seed": seed,
        "--guard": guard_setting(guard),
    }  # fmt: skip
    work = {
        "--device cuda": True if device == "cuda" else None, "--checkpoint": checkpoint, "--cluster": cluster,
        "--jobs": jobs, "--time": time,
    }  # fmt: skip
    _check_options(mode, {**settings, **work})
    if board in (None, "random") and seed is None:
        if checkpoint is not None:
            raise UserError("--checkpoint: give a board or --seed too, or the same command would go on with another board")
        from kibitz.ground.rng import fresh_seed

        settings["--seed"] = fresh_seed()
    with compile_notice():
        check_writable(svg)
        check_writable(checkpoint)
        config, limit = read_config(mode, settings, time), read_limit(time)
        name, position = _position("random" if board is None else board, config, seat, seats, rule, at, game)
        if candidates is not None and mode == "full_game" and not position.in_draft:
            raise UserError("--candidates: means corners; in a running game every sensible move is tried")
        with _workers(jobs, cluster, device) as workers:
            answer(Show(name, position, config, mode, as_json, svg), limit, workers, checkpoint)


def answer(show: Show, limit: Limit, workers: Workers | Gpu, checkpoint: Path | None = None) -> None:
    """Analyse a position and print the answer: for every command that asks what to do."""
    from kibitz.catan.analysis import Analysis, create_analyzer
    from kibitz.catan.setup import setup
    from kibitz.play.series import warm_up

    warm_up(setup(), 2)
    known = _known_games(checkpoint)
    if known:
        show = replace(show, taken_over=f"{checkpoint}: {known:,} games taken over")
    analysis = Analysis(create_analyzer(show.mode), show.position, show.config, limit, workers, checkpoint)
    result, total = _follow(analysis, show, known, limit.time)
    show.ended(result, total)


@dataclass(frozen=True)
class Show:
    """What is printed: at the beginning what will be done, at the end what came of it. With --json only the result."""

    name: str
    position: Position
    config: AnalysisConfig
    mode: str
    as_json: bool
    svg: Path | None = None
    taken_over: str = ""

    def begun(self, total: int) -> None:
        """Say what is analysed, and how much work it will be."""
        from rich.console import Console
        from rich.text import Text

        from kibitz.catan.analysis.report import assumed, headline

        if self.taken_over:
            print(f"kibitz: {self.taken_over}", file=sys.stderr, flush=True)
        if not self.as_json:
            lines = headline(self.name, self.position, self.config, self.mode, total), assumed(self.position)
            Console().print(Text("\n".join(line for line in lines if line)))
            sys.stdout.flush()

    def ended(self, result: AnalysisResult, total: int) -> None:
        """Print and draw the answer."""
        from rich.console import Console

        from kibitz.catan.analysis.picture import draw_result
        from kibitz.catan.commands.analysis_report import report
        from kibitz.catan.core.record import writing

        if self.svg is not None:
            with writing(self.svg) as write_line:
                write_line(draw_result(result, self.position))
        if self.as_json:
            print_json(result.to_json())
            return
        out = Console()
        out.print(report(result, self.position, total, out.width))
        if self.svg is not None:
            print(f"drawn: {self.svg}")


# --- what is asked --------------------------------------------------------------------------------------------


def _check_options(mode: str, options: Mapping[str, Any]) -> None:
    """Refuse options that mean nothing here, or contradict each other."""
    for option, value in options.items():
        modes = tuple(SETTINGS[option]) if option in SETTINGS else WORK[option]
        if value is not None and mode not in modes:
            raise UserError(f"{option}: only for {joined(modes)}, not for {mode}")
    for names, reason in EXCLUSIVE.items():
        check_one({name: options[name] for name in names}, reason)


def read_config(mode: str, settings: Mapping[str, Any], time: float | None) -> AnalysisConfig:
    """The settings of some options. A search by the clock goes on as long as it may, unless its games are limited too."""
    from kibitz.catan.analysis import AnalysisConfig, InvalidConfig

    given = {option: value for option, value in settings.items() if value is not None}
    if mode == "ismcts" and time is not None:
        given.setdefault("--iterations", AnalysisConfig.MOST_ITERATIONS)
    try:
        return AnalysisConfig(**{SETTINGS[option][mode]: value for option, value in given.items()})
    except InvalidConfig as error:
        field, _, problem = str(error).partition("=")
        (option,) = (option for option in given if SETTINGS[option][mode] == field)
        raise UserError(f"{option} {problem}") from None


def _position(
    board: str,
    config: AnalysisConfig,
    seat: int | None,
    seats: int | None,
    rule: list[str] | None,
    at: int | None,
    game: int | None,
) -> tuple[str, Position]:
    """The position, and its name for people."""
    from kibitz.catan.analysis import Position
    from kibitz.catan.core.board import Board
    from kibitz.catan.core.state import Rules
    from kibitz.catan.setup import is_board_text, read_board

    of_record = _is_record(board)
    other = {"--seats": seats, "--rule": rule} if of_record else {"--at": at, "--game": game}
    for option, value in other.items():
        if value is not None:
            raise UserError(f"{option}: only for {'boards; a record has its own' if of_record else 'game records'}")
    if of_record:
        record = find_game(Path(board), game)
        return f"{Path(board).name}, game {game or 0}", position_at(record, at, at or 0, seat, config.policy)
    if seats is not None and not 2 <= seats <= 4:
        raise UserError(f"--seats {seats}: Catan is for 2 to 4 players")
    check_seat(seat, seats or 4)
    rules = rules_typed(Rules, rule)
    if board == "random":
        name, found = f"Board {config.mc_seed} (random, spiral)", Board.random(config.mc_seed)
    else:
        name = "Board as typed" if is_board_text(board) else f"Board {Path(board).name}"
        found = read_board(board, board[:80] or "''")
    return name, Position.opening(found, seats or 4, (seat or 1) - 1, rules, config.policy)


def position_at(record: Record, at: int | None, step: int, seat: int | None, policy: str) -> Position:
    """A position of a recorded game; `at` and `seat` (from 1) are what was typed, if it was."""
    from kibitz.catan.analysis import InvalidPosition, Position

    check_seat(seat, len(record.seats))
    check_step(step, len(record.codes))
    try:
        return Position.at(record, step, None if seat is None else seat - 1, policy)
    except InvalidPosition as error:
        options = [f"{option} {value}" for option, value in (("--at", at), ("--seat", seat)) if value is not None]
        raise UserError(f"{joined(options)}: {error}" if options else str(error)) from None


def _is_record(board: str) -> bool:
    """Whether a file holds games, by its name or by its first line."""
    from kibitz.catan.setup import is_board_text

    if board in BOARDS or is_board_text(board) or not Path(board).is_file():
        return False
    return Path(board).suffix in (".jsonl", ".gz") or is_record(Path(board))


# --- the work -------------------------------------------------------------------------------------------------


@contextmanager
def _workers(jobs: int | None, cluster: str | None, device: str) -> Iterator[Workers | Gpu]:
    from kibitz.compute.cluster import Cluster, NoCluster
    from kibitz.compute.cuda import Gpu, NoGpu
    from kibitz.compute.workers import Threads

    if cluster is not None:
        try:
            joined = Cluster(cluster)
        except NoCluster as error:
            raise UserError(f"--cluster {cluster}: {error}") from None
        with joined:
            yield joined
    elif device == "cuda":
        try:
            gpu = Gpu()
        except NoGpu as error:
            raise UserError(f"--device cuda: {error}") from None
        yield gpu
    else:
        yield Threads(jobs)


def _known_games(checkpoint: Path | None) -> int:
    """How many games a checkpoint holds; what is wrong with it the analysis will say."""
    from kibitz.catan.analysis.rollouts import OUTCOME

    size = 0
    if checkpoint is not None and checkpoint.exists():
        with checkpoint.open("rb") as file:
            for line in file:
                with suppress(ValueError, KeyError, TypeError, RecursionError):  # the header, or a line cut short by a kill
                    size += len(base64.b64decode(json.loads(line)["result"]))
    return size // OUTCOME.itemsize


def _follow(analysis: Analysis, show: Show, known: int, time: float | None) -> tuple[AnalysisResult, int]:
    """Show how far it is until it ends; the answer, and how much work there would have been in all (0: only time counts)."""
    from kibitz.catan.analysis import InvalidConfig, InvalidPosition
    from kibitz.compute.checkpoint import CheckpointError
    from kibitz.compute.cluster import NoCluster

    with analysis, stops_on_interrupt(analysis.cancel):
        infos = iter(analysis)
        first = next(infos, None)
        total = 0 if first is None or _is_endless(first.total) else first.total
        if first is not None:
            show.begun(total)
            what, unit = ("throwing", "sequences") if show.mode == "monte_carlo" else ("playing", "games")
            if not total:
                what = f"{what} for {time:g} s"
            with progress(what, total or None, unit, known) as advance:
                done = known
                for info in chain([first], infos):
                    advance(info.done - done)
                    done = info.done
        try:
            result = analysis.result()
        except (InvalidConfig, InvalidPosition, CheckpointError, NoCluster) as error:
            raise UserError(str(error)) from None
    if first is None:
        show.begun(0)
    return result, total


def _is_endless(total: int) -> bool:
    """Whether so much work means: as much as there is time for."""
    from kibitz.catan.analysis import AnalysisConfig

    return total == AnalysisConfig.MOST_ITERATIONS

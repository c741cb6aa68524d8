"""``kibitz analyze``: what should I play, and why."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.catan.commands.options import BOARDS, MODES, POLICIES, RANKINGS, find_game
from kibitz.catan.profile import PROFILE
from kibitz.cli import common, options
from kibitz.cli.common import UserError, check_seat, check_writable, joined
from kibitz.cli.options import choice, number
from kibitz.cli.players import read_guard
from kibitz.cli.records import is_record
from kibitz.play.profile import rules_typed

if TYPE_CHECKING:
    from kibitz.catan.analysis import Analysis, AnalysisConfig, AnalysisResult, Limit, Position
    from kibitz.catan.core.record import Record
    from kibitz.compute.cuda import Gpu
    from kibitz.compute.runtime import Workers

#: The field of `AnalysisConfig` that an option sets, by the modes in which it means something.
SETTINGS: Mapping[str, Mapping[str, str]] = {
    "--rollouts": {"full_game": "full_game_rollouts"},
    "--candidates": {
        "full_game": "full_game_candidate_vertices",
        "monte_carlo": "full_game_candidate_vertices",
        "mcts": "mcts_candidates",
    },
    "--finalists": {"full_game": "finalists"},
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
    ("--guard", "--device cuda"): "loop guards do not run on a GPU",
    ("--cluster", "--device cuda"): "games run in only one place",
    ("--cluster", "--jobs"): "games run in only one place",
}
#: Options about the work itself, with the modes that have such work.
WORK = {
    "--device cuda": ("full_game",),
    "--checkpoint": ("mcts", "full_game"),
    "--cluster": ("monte_carlo", "mcts", "full_game"),
    "--jobs": ("monte_carlo", "mcts", "full_game", "ismcts"),
    "--time": ("monte_carlo", "mcts", "full_game", "ismcts"),
}


@dataclass(frozen=True)
class Settings:
    """Options that are settings of the analysis, each in some modes."""

    rollouts: Annotated[int | None, number("Games for each candidate (corner or move), on average.", "800", min=None)] = None
    candidates: Annotated[
        int | None, number("How many corners to simulate; with mcts, to consider at each pick.", "10; mcts: 6", min=None)
    ] = None
    finalists: Annotated[
        int | None,
        number(
            "Play games only for this many moves, or twice as many corners, chosen by the evaluator.", "0: for all", min=None
        ),
    ] = None
    max_turns: Annotated[int | None, number("The turn cap of simulated games.", "300", min=None)] = None
    trade_offers: Annotated[int | None, number("Trade offers per turn in simulated games.", "4", min=None)] = None
    policy: Annotated[str | None, options.policy_option(POLICIES, "builder")] = None
    rank_by: Annotated[str | None, choice(RANKINGS, "What to rank by.", default="score")] = None
    uniform: Annotated[bool, typer.Option("--uniform", help="Play equally many games for every candidate.")] = False
    samples: Annotated[int | None, number("monte_carlo: dice sequences for each placement.", "2000", min=None)] = None
    throws: Annotated[int | None, number("monte_carlo: rolls in a sequence.", "60", min=None)] = None
    iterations: Annotated[int | None, options.iterations_option("mcts: 4000; ismcts: 20000")] = None
    guard: options.GuardOption = None
    top: Annotated[int | None, number("How many recommendations to explain.", "5", min=None)] = None
    seed: Annotated[int | None, number(options.SEED, "0; for a random board, any", min=None)] = None


@dataclass(frozen=True)
class Place:
    """Options that say which position is meant: on a board, or in a record."""

    seat: Annotated[int | None, options.seat_option("1; in a record, the seat to move")] = None
    seats: Annotated[int | None, number("How many players, on a board.", "4", min=None)] = None
    rule: Annotated[list[str] | None, options.rule_option(PROFILE)] = None
    at: Annotated[int | None, options.at_option("0")] = None
    game: options.GameOption = None


@dataclass(frozen=True)
class Work:
    """Options about the work itself: how long, and where it is done."""

    time: Annotated[float | None, options.time_option()] = None
    jobs: options.JobsOption = None
    cluster: options.ClusterOption = None
    device: options.DeviceOption = "cpu"
    checkpoint: Annotated[Path | None, options.file_option("Save progress in this file, and resume from it.")] = None


def analyze(
    board: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOARD|RECORD]",
            help="A board file or text, beginner, random (the default), or a game record.",
            autocompletion=options.one_of(BOARDS),
        ),
    ] = None,
    mode: Annotated[str, choice(MODES, "The method.")] = "full_game",
    place: Place = Place(),  # noqa: B008
    settings: Settings = Settings(),  # noqa: B008
    work: Work = Work(),  # noqa: B008
    as_json: options.JsonOption = False,
    svg: options.SvgOption = None,
    force: options.ForceOption = False,
) -> None:
    """Find out where to settle or which move to make, and why, by playing complete games.

    Ctrl-C ends the analysis with the results so far, marked as partial; press it twice to quit.
    """
    given = _typed(settings)
    _check_options(mode, {**given, **_typed(work)})
    if board in (None, "random") and settings.seed is None:
        if work.checkpoint is not None:
            raise UserError("--checkpoint: also give a board or --seed, or the same command would continue with another board")
        from kibitz.ground.rng import fresh_seed

        given["--seed"] = fresh_seed()
    with common.compile_notice():
        check_writable(svg, common.PICTURE, force, board)
        check_writable(work.checkpoint, force=True)  # it refuses what is not its own
        config, limit = read_config(mode, given, work.time), common.read_limit(work.time)
        name, position = _position("random" if board is None else board, config, place)
        if settings.candidates is not None and mode == "full_game" and not position.in_draft:
            raise UserError("--candidates: is for corners; after the draft, every sensible move is tried")
        with _workers(work) as workers:
            answer(Show(name, position, config, mode, as_json, svg), limit, workers, work.checkpoint)


def answer(show: Show, limit: Limit, workers: Workers | Gpu, checkpoint: Path | None = None) -> None:
    """Analyse a position and print the answer: for every command that asks what to do."""
    from kibitz.catan.analysis import Analysis, create_analyzer
    from kibitz.catan.setup import setup
    from kibitz.play.series import warm_up

    warm_up(setup(), 2)
    known = _known_games(checkpoint)
    if known:
        show = replace(show, taken_over=f"{checkpoint}: {known:,} games resumed")
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

        from kibitz.catan.analysis.report import draw_result
        from kibitz.catan.commands.analysis_report import report
        from kibitz.catan.core.record import writing

        if self.svg is not None:
            with writing(self.svg) as write_line:
                write_line(draw_result(result, self.position))
        if self.as_json:
            common.print_json(result.to_json())
            return
        out = Console()
        out.print(report(result, self.position, total, out.width))
        if self.svg is not None:
            print(f"drawn: {self.svg}")


# --- what is asked --------------------------------------------------------------------------------------------


def _typed(given: Any) -> dict[str, Any]:
    """What was typed, by option: the fields of a set of options that are not as they are by default."""
    values = {f.name: getattr(given, f.name) for f in fields(given) if getattr(given, f.name) != f.default}
    return {f"--{name.replace('_', '-')}{' cuda' if name == 'device' else ''}": value for name, value in values.items()}


def _check_options(mode: str, given: Mapping[str, Any]) -> None:
    """Refuse options that mean nothing here, or contradict each other."""
    for option in given:
        modes = tuple(SETTINGS[option]) if option in SETTINGS else WORK[option]
        if mode not in modes:
            raise UserError(f"{option}: only for {joined(modes)}, not for {mode}")
    for names, reason in EXCLUSIVE.items():
        common.check_one({name: given.get(name) for name in names}, reason)


def read_config(mode: str, given: Mapping[str, Any], time: float | None) -> AnalysisConfig:
    """The settings of some options. A search by the clock goes on as long as it may, unless its games are limited too."""
    from kibitz.catan.analysis import AnalysisConfig, InvalidConfig

    endless = {"--iterations": AnalysisConfig.MOST_ITERATIONS} if mode == "ismcts" and time is not None else {}
    values: dict[str, Any] = {**endless, **given}
    if "--uniform" in values:
        values["--uniform"] = False  # whether it is adaptive
    if "--guard" in values:
        values["--guard"] = _guard(values["--guard"])
    try:
        return AnalysisConfig(**{SETTINGS[option][mode]: value for option, value in values.items()})
    except InvalidConfig as error:
        field, _, problem = str(error).partition("=")
        (option,) = (option for option in values if SETTINGS[option][mode] == field)
        raise UserError(f"{option} {problem}") from None


def _guard(guard: str) -> str | None:
    """The loop rules as a setting: the name of a model, or the text of its file's rules."""
    from kibitz.play.guarded import guards

    rules = read_guard(guard)
    return guard if rules is None or guard in guards() else json.dumps(rules.to_json())


def _position(board: str, config: AnalysisConfig, place: Place) -> tuple[str, Position]:
    """The position, and its name for people."""
    from kibitz.catan.analysis import Position
    from kibitz.catan.core.board import Board
    from kibitz.catan.core.state import Rules
    from kibitz.catan.setup import is_board_text, read_board

    is_text = is_board_text(board)
    of_record = board not in BOARDS and not is_text and Path(board).is_file()
    of_record = of_record and (Path(board).suffix in (".jsonl", ".gz") or is_record(Path(board)))
    for option in ("--seats", "--rule") if of_record else ("--at", "--game"):
        if option in _typed(place):
            raise UserError(f"{option}: only for {'boards; a record has its own' if of_record else 'game records'}")
    seat, seats, at = place.seat, 4 if place.seats is None else place.seats, place.at
    if of_record:
        record = find_game(Path(board), place.game)
        return f"{Path(board).name}, game {place.game or 0}", position_at(record, at, at or 0, seat, config.policy)
    if not 2 <= seats <= 4:
        raise UserError(f"--seats {seats}: Catan is for 2 to 4 players")
    check_seat(seat, seats)
    rules = rules_typed(Rules, place.rule)
    if board == "random":
        name, found = f"Board {config.mc_seed} (random, spiral)", Board.random(config.mc_seed)
    else:
        name, found = "Board as typed" if is_text else f"Board {Path(board).name}", read_board(board, board[:80] or "''")
    return name, Position.opening(found, seats, (seat or 1) - 1, rules, config.policy)


def position_at(record: Record, at: int | None, step: int, seat: int | None, policy: str) -> Position:
    """A position of a recorded game; `at` and `seat` (from 1) are what was typed, if it was."""
    from kibitz.catan.analysis import InvalidPosition, Position

    check_seat(seat, len(record.seats))
    common.check_step(step, len(record.codes))
    try:
        return Position.at(record, step, None if seat is None else seat - 1, policy)
    except InvalidPosition as error:
        options = [f"{option} {value}" for option, value in (("--at", at), ("--seat", seat)) if value is not None]
        raise UserError(f"{joined(options)}: {error}" if options else str(error)) from None


# --- the work -------------------------------------------------------------------------------------------------


@contextmanager
def _workers(work: Work) -> Iterator[Workers | Gpu]:
    from kibitz.compute.cluster import Cluster, NoCluster
    from kibitz.compute.cuda import Gpu, NoGpu
    from kibitz.compute.runtime import Threads

    try:
        cluster = Cluster(work.cluster) if work.cluster is not None else nullcontext()
        workers = Gpu() if work.device == "cuda" else Threads(work.jobs)
    except NoCluster as error:
        raise UserError(f"--cluster {work.cluster}: {error}") from None
    except NoGpu as error:
        raise UserError(f"--device cuda: {error}") from None
    with cluster as found:
        yield found or workers


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
    from kibitz.catan.analysis import AnalysisConfig, InvalidConfig, InvalidPosition
    from kibitz.compute.checkpoint import CheckpointError
    from kibitz.compute.cluster import NoCluster

    with analysis, common.stops_on_interrupt(analysis.cancel):
        infos = iter(analysis)
        first = next(infos, None)
        total = 0 if first is None or first.total == AnalysisConfig.MOST_ITERATIONS else first.total
        if first is not None:
            show.begun(total)
            what, unit = ("throwing", "sequences") if show.mode == "monte_carlo" else ("playing", "games")
            if not total:
                what = f"{what} for {time:g} s"
            with common.progress(what, total or None, unit, known) as advance:
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

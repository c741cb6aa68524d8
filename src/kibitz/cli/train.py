"""``train``: an evaluator for a game, from games that it plays with itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import UserError, compile_notice, late_bar, print_json, progress
from kibitz.cli.games import PerGame
from kibitz.cli.options import DEVICES, JsonOption, SeedOption, choice, number
from kibitz.cli.simulate import JobsOption, device_of
from kibitz.ground.texts import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from kibitz.learn.results import Report
    from kibitz.play.profile import Profile, Typed


#: How many games are played: of the first teacher, and of those who ask a network; and with --from.
GAMES, GAMES_FROM = (200_000, 40_000), (50_000, 5_000)
#: The same as it is told.
USUALLY = [f"{usual:,}, with --from {less:,}" for usual, less in zip(GAMES, GAMES_FROM, strict=True)]
#: Positions that the error of an evaluator is measured with.
MEASURED = 300
#: How long a blueprint or a resolver is trained unless somebody says so.
USUAL_SECONDS = 600
#: What a game may have beside an evaluator.
EITHER = ("blueprint", "resolver")


def _seats(game: Profile) -> tuple[object, int] | None:
    low, high = game.seats
    return (number("How many players.", min=low, max=high), game.usual_seats) if low < high else None


def _games(game: Profile) -> tuple[object, None]:
    help = "Games that the first generation learns from; with --from, games that the networks judge"
    by_side = "; with --resolver, games that are played side by side" if game.resolver else ""
    return number(f"{help}{by_side}.", USUALLY[0]), None


def _from(game: Profile) -> tuple[object, None]:
    resolver = " With --resolver: go on from this one network." if game.resolver else ""
    help = (
        "Begin with these networks: improve the first one by what all of them say a round later. Each is a file, or one that "
        f"comes with Kibitz, such as 2-players.{resolver}"
    )
    return typer.Option("--from", metavar="NET[,NET...]", help=help), None


def _device(game: Profile) -> tuple[object, str] | None:
    train = "Where to train with --resolver; cuda is an NVIDIA GPU."
    return device_of(game) or ((choice(DEVICES, train), DEVICES[0]) if game.resolver else None)


def _with(things: Sequence[str], option: object, default: object) -> Callable[[Profile], tuple[object, object] | None]:
    """An option that only a game with one of these things has: a blueprint, a resolver."""
    return lambda game: (option, default) if any(getattr(game, one) for one in things) else None


def _with_rounds(what: str, default: str) -> Callable[[Profile], tuple[object, object] | None]:
    """An option that says how long a blueprint or a resolver is trained."""
    return _with(EITHER, number(f"With --blueprint or --resolver: {what} of self-play in all.", default), None)


def train(
    profile: Profile,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where everything is kept; run the same command again to continue.")
    ],
    players: Annotated[int, PerGame(_seats)] = 2,
    begin_with: Annotated[str | None, PerGame(_from)] = None,
    generations: Annotated[int, number("How many generations; each learns from games that ask the best one so far.")] = 1,
    games: Annotated[int | None, PerGame(_games)] = None,
    later_games: Annotated[
        int | None,
        number(
            "Games that ask the best network so far, for each later generation; with --from, for every one.",
            USUALLY[1],
        ),
    ] = None,
    measured: Annotated[int, number("Positions to measure the error with, each played on 200 times.", min=10)] = MEASURED,
    evaluator: Annotated[
        bool,
        PerGame(_with(EITHER, typer.Option("--evaluator", help="Train an evaluator (the default)."), False)),
    ] = False,
    blueprint: Annotated[
        bool, PerGame(_with(["blueprint"], typer.Option("--blueprint", help="Train a mixed strategy instead."), False))
    ] = False,
    resolver: Annotated[
        bool,
        PerGame(_with(["resolver"], typer.Option("--resolver", help="Train the network of the bot resolver instead."), False)),
    ] = False,
    rounds: Annotated[int | None, PerGame(_with_rounds("rounds", "none"))] = None,
    seconds: Annotated[int | None, PerGame(_with_rounds("seconds", str(USUAL_SECONDS)))] = None,
    seed: SeedOption = 0,
    chosen: Typed = {},  # noqa: B006
    jobs: JobsOption = None,
    device: Annotated[str, PerGame(_device)] = "cpu",
    as_json: JsonOption = False,
) -> None:
    """Train an evaluator by self-play, and test whether it plays better than the last one.

    With --from, training begins with existing networks, and a new evaluator must beat the first of them.

    Needs PyTorch (pip install 'kibitz[train]'). A result is a file, FOLDER/generation-1.net, and a bot is named after it:
    net:FOLDER/generation-1.net.
    """
    kinds = {"--evaluator": evaluator, "--blueprint": blueprint, "--resolver": resolver}
    asked = [name for name, wanted in kinds.items() if wanted]
    if len(asked) > 1:
        raise UserError(f"{asked[0]} and {asked[1]} train different things: choose one")
    if blueprint or resolver:
        _refuse(profile, chosen, asked[0], {
            "--from": blueprint and begin_with is not None, "--generations": generations != 1,
            "--later-games": later_games is not None, "--measured": measured != MEASURED,
            "--games": blueprint and games is not None,
        })  # fmt: skip
    if resolver:
        _resolver(profile, folder, players, rounds, seconds, seed, jobs, games, begin_with, device, as_json)
        return
    if device != "cpu" and (blueprint or device not in profile.devices):
        raise UserError(f"--device {device} is not for {'--blueprint' if blueprint else 'an evaluator of this game'}")
    if blueprint:
        _blueprint(profile, folder, players, rounds, seconds, seed, jobs, as_json)
        return
    if rounds or seconds:
        raise UserError("--rounds and --seconds need --blueprint or --resolver")
    with compile_notice():
        from kibitz.learn.fit import torch_or_say
        from kibitz.learn.judges import Judges
        from kibitz.learn.training import Settings, Training

        setup = profile.typed(chosen, seed)
        game = setup.game
        if not game.nets:
            raise UserError(f"{profile.name}: there is no evaluator for this game, so there is nothing to train")
        torch_or_say()
        usual = GAMES if begin_with is None else GAMES_FROM
        judges = None if begin_with is None else Judges.named(game, begin_with.split(","), setup.starts(players, 0, 1))
        settings = Settings(
            generations=generations, games=games or usual[0], later_games=later_games or usual[1], measured=measured, seed=seed
        )
        with _Bars() as bars:
            training = Training(
                game,
                lambda first, n: setup.starts(players, first, n),
                setup.facts(),
                settings,
                folder,
                judges=judges,
                jobs=jobs,
                gpu=device == "cuda" and gpu_is_there(),
                progress=bars,
            )
            reports = training.run()
    if as_json:
        print_json([vars(report) for report in reports])
    else:
        _print(reports, folder)


def _refuse(profile: Profile, chosen: Typed, kind: str, given: Mapping[str, bool]) -> None:
    """Refuse options that are only for evaluators; rules are among them, since all else is trained for the usual ones."""
    usual = {option.name: option.default for option in profile.options}
    rules = {f"--{name.replace('_', '-')}": chosen.get(name) not in (None, usual[name]) for name in usual}
    for option in (option for option, is_given in {**given, **rules}.items() if is_given):
        raise UserError(f"{option} is for training an evaluator, not for {kind}")


def gpu_is_there() -> bool:
    """Whether games can be played on a GPU; where not, that is said, and the cores play."""
    from kibitz.compute.cuda import NoGpu, require_gpu

    try:
        require_gpu()
    except NoGpu as error:
        typer.echo(f"{error}; playing on the CPU instead", err=True)
        return False
    return True


def _blueprint(
    profile: Profile, folder: Path, players: int, rounds: int | None, seconds: int | None, seed: int, jobs: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Train a blueprint: for so many rounds, or for so long."""
    from kibitz.play.profile import load

    def work(**more: Any) -> Any:
        return load(profile.blueprint)(folder, players, seed=seed, jobs=jobs, **more)

    _self_play(work, rounds, seconds, lambda n: f"{n / 1e6:,.1f} million decisions", "decision", as_json)


def _resolver(
    profile: Profile, folder: Path, players: int, rounds: int | None, seconds: int | None, seed: int, jobs: int | None,
    games: int | None, begin_with: str | None, device: str, as_json: bool,
) -> None:  # fmt: skip
    """Train the network of a resolver: for so many rounds, or for so long."""
    from kibitz.learn.fit import torch_or_say
    from kibitz.play.profile import load

    if players != 2:
        raise UserError(f"--resolver is for two players, not for {players}")
    torch = torch_or_say()
    gpu = device == "cuda" and gpu_is_there()
    if gpu and not torch.cuda.is_available():
        typer.echo("no GPU: PyTorch is installed without CUDA; playing on the CPU instead", err=True)
        gpu = False

    def work(**more: Any) -> Any:
        return load(profile.resolver)(folder, seed=seed, jobs=jobs, gpu=gpu, games=games, begin_with=begin_with, **more)

    _self_play(work, rounds, seconds, lambda n: f"{counted(n, 'turn')} solved", "turn", as_json)


def _self_play(
    work: Callable[..., Any],
    rounds: int | None,
    seconds: int | None,
    done_so_far: Callable[[int], str],
    unit: str,
    as_json: bool,
) -> None:
    """Train for so many rounds, or for so long, and print what was made."""
    total = rounds or seconds or USUAL_SECONDS
    with compile_notice(), late_bar("self-play", total) as show:

        def told(done: Any) -> None:
            show(done.rounds if rounds else done.seconds, done_so_far(done.decisions))

        path, done = work(rounds=rounds, seconds=float(total) if rounds is None else seconds, progress=told)
    if as_json:
        print_json({"file": str(path), **vars(done)})
    else:
        typer.echo(f"{path}: {counted(done.rounds, 'round')}, {counted(done.decisions, unit)}")


class _Bars:
    """One progress bar after the other."""

    def __init__(self) -> None:
        self._open: AbstractContextManager[Callable[[int], None]] | None = None

    def __enter__(self) -> _Bars:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._open:
            self._open.__exit__(None, None, None)
            self._open = None

    def begin(self, what: str, total: int, unit: str, known: int = 0) -> Callable[[int], None]:
        """The next one."""
        self._close()
        self._open = progress(what, total, unit, known)
        return self._open.__enter__()

    def say(self, line: str) -> None:
        """Something is done: a line that stays, in a log as well."""
        self._close()
        typer.echo(line, err=True)


def _print(reports: Sequence[Report], folder: Path) -> None:
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.ground.texts import percent
    from kibitz.learn.report import spent, taught_by

    out = Console(highlight=False, markup=False)
    rows = []
    for report in reports:
        won = report.match["wins"] / report.match["games"]
        rows.append({
            "generation": str(report.generation),
            "learned from": taught_by(report),
            "error": f"{report.error:.3f}",
            "10 games": f"{report.games_error[10]:.3f}",
            "wins": f"{percent(won)} of {report.match['games']:,}",
            "equals": percent(report.match["equal"]),
            "taken": "yes" if report.accepted else "no",
        })  # fmt: skip
    out.print(fitted(rows, tuple(rows[0]), width=out.width, names=2, left=("generation", "learned from")))
    for report in reports:
        out.print(f"generation {report.generation}: {spent(report)}")
    best = [report.generation for report in reports if report.accepted]
    if best:
        out.print(f"the best player: net:{folder / f'generation-{best[-1]}.net'}")
    else:
        out.print("no generation beat the player it learned from; more --games, in another folder, may help")

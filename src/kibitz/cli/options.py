"""The options and arguments that several commands have: one name, one meaning, one wording; and what a shell completes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.common import UserError, joined
from kibitz.play.profile import Profile, SetupOption
from kibitz.play.registry import profiles

SEED = "The same seed gives the same result."
#: More names are listed in the help of an option, not beside it.
WIDE = 24
#: Where games can be played.
DEVICES = ("cpu", "cuda")
#: More games than anybody can wait for.
MOST_GAMES = 10**9
#: Loop rules that belong to no game.
GUARDS = ("declare", "seed", "draw", "cap")


def group(help: str, **more: Any) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(
        help=help,
        no_args_is_help=True,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode="markdown",  # lines of a paragraph are joined
        pretty_exceptions_enable=False,
        **more,
    )


def one_of(names: Sequence[str]) -> Callable[[str], list[str]]:
    """Completes a name.

    >>> one_of(["static", "mcts", "monte_carlo"])("m")
    ['mcts', 'monte_carlo']
    """
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


def some_of(names: Sequence[str]) -> Callable[[str], list[str]]:
    """Completes the last name of a list.

    >>> some_of(["random", "builder"])("random,b")
    ['random,builder']
    """

    def complete(incomplete: str) -> list[str]:
        begun, comma, last = incomplete.rpartition(",")
        return [f"{begun}{comma}{name}" for name in names if name.startswith(last)]

    return complete


# --- kinds of options: `default` is what the help says of it where the value alone does not --------------------------


def number(help: str, default: str | bool = True, metavar: str = "N", min: int | None = 1, max: int | None = None) -> Any:
    """An option that is a number."""
    return typer.Option(metavar=metavar, help=help, show_default=default, min=min, max=max)


def choice(names: Sequence[str], help: str, *option: str, default: bool | str = True) -> Any:
    """An option that is one of some names."""

    def check(param: typer.CallbackParam, value: str | None) -> str | None:
        if value is not None and value not in names:
            raise UserError(f"{param.opts[0]} {value}: expected {joined(names, 'or')}")
        return value

    all_names = "|".join(names)
    metavar, said = (all_names, help) if len(all_names) < WIDE else ("NAME", f"{help.rstrip('.')}: {joined(names, 'or')}.")
    return typer.Option(*option, help=said, metavar=metavar, autocompletion=one_of(names), callback=check, show_default=default)


def listed(names: Sequence[str], metavar: str, help: str, default: bool | str = True) -> Any:
    """An option that lists some names."""
    return typer.Option(metavar=metavar, help=help, autocompletion=some_of(names), show_default=default)


def file_option(help: str) -> Any:
    """An option that names a file."""
    return typer.Option(metavar="FILE", help=help)


def bots_option(game: Profile, help: str, default: bool | str = True) -> Any:
    """An option that names bots of a game, from outside too."""
    return listed(game.bot_names, "BOT,...", help, default)


def level_option(game: Profile) -> tuple[Any, None] | None:
    """An option that says how strong the others are, where the game has levels."""
    names = [level.name for level in game.levels]
    return (choice(names, "How strong your opponents are.", default="as --bots says"), None) if names else None


def bots_example(game: Profile) -> str:
    """How bots are named: a search, the best of the others, one from outside."""
    searches = ["ismcts:200"] if "ismcts" in game.bots else []
    return ",".join([*searches, game.tournament.bots[0], "my_bot.py:MyBot"])


def policy_option(bots: Sequence[str], default: str) -> Any:
    """An option that names one of some bots for all seats."""
    help = f"The bot on every seat: {joined(bots, 'or')}."
    return typer.Option(metavar="BOT", help=help, autocompletion=one_of(bots), show_default=default)


def setup_option(option: SetupOption, without: Sequence[str] = ()) -> Any:
    """An option of a game's setup; some names may be left out of what a shell completes."""
    names = [name for name in option.names if name not in without]
    complete = (some_of if option.listed else one_of)(names) if names else None
    return typer.Option(metavar=option.metavar, help=option.help, autocompletion=complete)


def rule_option(game: Profile, *, without: Sequence[str] = ()) -> Any:
    """The option that sets rule options of a game, but for some that the command sets by an option of their own."""
    return setup_option(next(option for option in game.options if option.name == "rule"), without)


def guard_names() -> tuple[str, ...]:
    """The names of all loop rules: those that games bring, and the others."""
    return (*(name for game in profiles() for name in game.guards), *GUARDS)


def guard_option(default: str = "none") -> Any:
    """An option that names loop rules."""
    names = guard_names()
    help = f"Play under a loop guard: {', '.join(names)}, a rules file, or none."
    return typer.Option(metavar="MODEL|FILE", help=help, autocompletion=one_of([*names, "none"]), show_default=default)


def device_option(devices: Sequence[str] = DEVICES) -> Any:
    """An option that says where games are played."""
    return choice(devices, "Where to play the games; cuda is an NVIDIA GPU. The results are the same.")


def seat_option(default: str, help: str = "Whose point of view: a seat, from 1.") -> Any:
    """An option that names a seat."""
    return number(help, default, "SEAT", min=None)


def at_option(default: str | bool) -> Any:
    """An option that chooses a position of a record."""
    return number("In a record: the position before this step, from 0.", default, "STEP", min=None)


def time_option(default: str | bool = False) -> Any:
    """An option that limits work by the clock."""
    return number("Stop after this time, with the results so far.", default, "SECONDS", min=None)


def iterations_option(default: str) -> Any:
    """An option that limits a search by its games."""
    return number("How many games the search plays.", default)


#: Those that some games do not have.
JOBS = number("Threads.", "all cores")
SVG = file_option("Save a picture to this file.")

GamesOption = Annotated[int, number("How many games.", max=MOST_GAMES)]
SeedOption = Annotated[int, number(SEED, min=None)]
FreshSeedOption = Annotated[int | None, number(SEED, "a new one each time", min=None)]
RecordOption = Annotated[Path | None, file_option("Record the games in this file (.jsonl or .jsonl.gz).")]
FullOption = Annotated[bool, typer.Option("--full", help="Also record the legal actions and the complete state at every step.")]
GuardOption = Annotated[str | None, guard_option()]
JobsOption = Annotated[int | None, JOBS]
DeviceOption = Annotated[str, device_option()]
ClusterOption = Annotated[str | None, typer.Option(metavar="ADDRESS", help="A Dask cluster to play on: tcp://host:8786.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
SvgOption = Annotated[Path | None, SVG]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite an existing file, whatever it holds.")]
OutOption = Annotated[Path | None, file_option("Write the output to this file.")]
GameOption = Annotated[int | None, number("Which game of a record file, from 0.", "0", min=0)]
TurnOption = Annotated[int | None, number("Show the position after this turn (0: before the first one).", min=0)]
RecordArgument = Annotated[Path, typer.Argument(metavar="RECORD", help="A game record (.jsonl or .jsonl.gz).")]

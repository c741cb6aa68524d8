"""The options and arguments that several commands have: one name, one meaning, one wording; and what a shell completes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.common import UserError, joined
from kibitz.cli.names import BOARDS, BOTS, DECKS, DEVICES, GUARDS, LOGS, PRESETS, RULES

SEED = "The same seed gives the same result."
#: More names are listed in the help of an option, not beside it.
WIDE = 24


def group(help: str) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(
        help=help,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode="markdown",  # lines of a paragraph are joined
        pretty_exceptions_enable=False,
    )


# --- what a shell completes -----------------------------------------------------------------------------------------


def one_of(names: Sequence[str]) -> Callable[[str], list[str]]:
    """Completes a name.

    >>> one_of(["static", "mcts", "monte_carlo"])("m")
    ['mcts', 'monte_carlo']
    """

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


def some_of(names: Sequence[str]) -> Callable[[str], list[str]]:
    """Completes the last name of a list.

    >>> some_of(["random", "builder"])("random,b")
    ['random,builder']
    """

    def complete(incomplete: str) -> list[str]:
        begun, comma, last = incomplete.rpartition(",")
        return [f"{begun}{comma}{name}" for name in names if name.startswith(last)]

    return complete


# --- kinds of options -----------------------------------------------------------------------------------------------


def choice(names: Sequence[str], help: str, *option: str, show_default: bool | str = True) -> Any:
    """An option that is one of some names."""

    def check(param: typer.CallbackParam, value: str | None) -> str | None:
        if value is not None and value not in names:
            raise UserError(f"{param.opts[0]} {value}: expected {joined(names, 'or')}")
        return value

    all_names = "|".join(names)
    metavar, said = (all_names, help) if len(all_names) < WIDE else ("NAME", f"{help.rstrip('.')}: {joined(names, 'or')}.")
    return typer.Option(
        *option, help=said, metavar=metavar, autocompletion=one_of(names), callback=check, show_default=show_default
    )


def bots_option(game: str, help: str) -> Any:
    """An option that names bots of a game, from outside too."""
    return typer.Option(metavar="BOT,...", help=help, autocompletion=some_of(BOTS[game]))


def policy_option(bots: Sequence[str], default: str) -> Any:
    """An option that names one of some bots for all seats."""
    help = f"The bot on every seat: {joined(bots, 'or')}."
    return typer.Option(metavar="BOT", help=help, autocompletion=one_of(bots), show_default=default)


def rule_option(game: str, *, without: Sequence[str] = ()) -> Any:
    """An option that sets rule options of a game, but for some that the command sets by an option of their own."""
    named = f", or rules by name: {joined(PRESETS[game], 'or')}" if PRESETS[game] else ""
    return typer.Option(
        metavar="NAME[=VALUE]",
        help=f"A rule option: NAME or NAME=VALUE{named}. May be repeated.",
        autocompletion=one_of([name for name in (*PRESETS[game], *RULES[game]) if name not in without]),
    )


def guard_option(default: str = "none") -> Any:
    """An option that names loop rules."""
    return typer.Option(
        metavar="MODEL|FILE",
        help=f"Play under a loop guard: {', '.join(GUARDS)}, a rules file, or none.",
        autocompletion=one_of([*GUARDS, "none"]),
        show_default=default,
    )


def seat_option(default: str, help: str = "Through whose eyes, from 1.") -> Any:
    """An option that names a seat."""
    return typer.Option(metavar="SEAT", help=help, show_default=default)


def at_option(default: str | bool) -> Any:
    """An option that chooses a position of a record."""
    return typer.Option(metavar="STEP", help="Of a record: the position before this step, from 0.", show_default=default)


def time_option(default: str | bool = False) -> Any:
    """An option that limits work by the clock."""
    return typer.Option(metavar="SECONDS", help="Stop after so long, with what there is.", show_default=default)


def iterations_option(default: str) -> Any:
    """An option that limits a search by its games."""
    return typer.Option(metavar="N", help="How many games a search plays in its mind.", show_default=default, min=1)


# --- options --------------------------------------------------------------------------------------------------------

GamesOption = Annotated[int, typer.Option(metavar="N", help="How many games.", min=1)]
GamesInAllOption = Annotated[
    int, typer.Option(metavar="N", help="How many games in all (rounded up: every table plays as many).", min=1)
]
SeedOption = Annotated[int, typer.Option(metavar="N", help=SEED)]
FreshSeedOption = Annotated[int | None, typer.Option(metavar="N", help=SEED, show_default="a new one each time")]
BoardOption = Annotated[
    str,
    typer.Option(
        metavar="BOARD",
        help="A board file or text, beginner, or random (a new one for each game).",
        autocompletion=one_of(BOARDS),
    ),
]
DecksOption = Annotated[
    str,
    typer.Option(
        metavar="DECK,DECK",
        help=f"The decks of both players: {', '.join(DECKS)}, or a deck file for each.",
        autocompletion=some_of(DECKS),
    ),
]
CardsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A file with the cards of decks that do not come with Kibitz.")
]
RecordOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write what is played to this file (.jsonl or .jsonl.gz).")
]
FullOption = Annotated[bool, typer.Option("--full", help="Record the legal actions and the whole state of every step, too.")]
GuardOption = Annotated[str | None, guard_option()]
JobsOption = Annotated[int | None, typer.Option(metavar="N", help="Threads.", show_default="all cores", min=1)]
DeviceOption = Annotated[str, choice(DEVICES, "Where to play; cuda is one NVIDIA GPU. The games are the same.")]
ClusterOption = Annotated[str | None, typer.Option(metavar="ADDRESS", help="A Dask cluster to play on: tcp://host:8786.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
SvgOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it into this file.")]
OutOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Write it to this file.")]
GameOption = Annotated[
    int | None, typer.Option(metavar="N", help="Which game of a record file, from 0.", show_default="0", min=0)
]
TurnOption = Annotated[
    int | None, typer.Option(metavar="N", help="The position after this turn (0: before the first one).", min=0)
]
MeOption = Annotated[str | None, typer.Option("--me", metavar="NAME", help="Whose eyes: the name of a player in the log.")]
LogFormatOption = Annotated[str | None, choice(LOGS, "The format of the log.", "--format", show_default="its content tells")]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Stop at the first line that cannot be read or contradicts what came before.")
]
BluffOption = Annotated[
    float | None,
    typer.Option(
        metavar="P", help="How often a claim is made without the card, for one made with it: 0 to 1.", show_default="0.5"
    ),
]

# --- arguments ------------------------------------------------------------------------------------------------------

RecordArgument = Annotated[Path, typer.Argument(metavar="RECORD", help="A game record (JSON Lines, .gz too).")]
LogArgument = Annotated[
    Path, typer.Argument(metavar="LOG", help="A game log of any known format (.gz too); its content tells which.")
]

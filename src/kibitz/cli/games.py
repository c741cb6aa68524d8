"""The commands that every game has: each is written once, and made for a game from its profile.

Such a command is a function ``verb(profile, chosen, ...)``: the game, what was typed for the options of its setup, and the
options of the command itself. `command` makes of it what Typer takes:

- `profile` is filled in;
- `chosen` becomes the game's own options (`kibitz.play.profile.SetupOption`); a parameter called `reading` becomes only those
  without which its records cannot be read;
- an option whose annotation holds a `PerGame` is made from the profile, or left out where the game has no use for it.

`VERBS` says where these functions are. ``kibitz GAME VERB`` and ``kibitz VERB GAME`` are the same command; GAME may be a file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from types import FunctionType
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

import kibitz
from kibitz.cli.options import group, setup_option
from kibitz.play.profile import Profile, SetupOption, load
from kibitz.play.registry import SUFFIX, known, profile

#: The commands that every game has, and where they are.
VERBS = {
    "simulate": "kibitz.cli.simulate:simulate",
    "tournament": "kibitz.cli.tournament:tournament",
    "replay": "kibitz.cli.records:replay",
    "show": "kibitz.cli.records:show",
    "play": "kibitz.cli.play:play",
    "tree": "kibitz.cli.tree:tree",
    "advise": "kibitz.cli.advise:advise",
}
GAME_OR_FILE = f"GAME|FILE{SUFFIX}"


@dataclass(frozen=True)
class PerGame:
    """An option that is not the same for all games: how it is made from a profile, with its default; None leaves it out."""

    make: Callable[[Profile], tuple[Any, Any] | None]


# --- a command of a game --------------------------------------------------------------------------------------------


def command(verb: Callable[..., None], game: Profile) -> Callable[..., None]:
    """The function that Typer takes for a command of a game."""
    parameters: list[inspect.Parameter] = []
    typed: dict[str, str] = {}
    hints = _hints(verb)
    for name, parameter in inspect.signature(verb).parameters.items():
        if name in ("chosen", "reading"):
            options = [option for option in game.options if name == "chosen" or option.reads]
            parameters += [_setup_parameter(option) for option in options]
            typed |= {option.name: name for option in options}
        elif name != "profile":
            parameters += _parameter(game, name, hints[name], parameter.default)

    def run(**given: Any) -> None:
        for name in ("chosen", "reading"):
            if name in inspect.signature(verb).parameters:
                given[name] = {option: given.pop(option) for option, kind in typed.items() if kind == name}
        verb(game, **given)

    run.__name__, run.__doc__, run.__module__ = verb.__name__, verb.__doc__, verb.__module__
    # required ones first, as Python wants it
    ordered = sorted(parameters, key=lambda parameter: parameter.default is not inspect.Parameter.empty)
    run.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    return run


def _hints(verb: Callable[..., None]) -> dict[str, Any]:
    """The types of a function's options; those of a profile and of what was chosen may be known to mypy alone."""
    twin = FunctionType(verb.__code__, verb.__globals__)
    left_out = ("profile", "chosen", "reading", "return")
    twin.__annotations__ = {name: hint for name, hint in verb.__annotations__.items() if name not in left_out}
    return get_type_hints(twin, include_extras=True)


def _parameter(game: Profile, name: str, hint: Any, default: Any) -> list[inspect.Parameter]:
    kind = inspect.Parameter.KEYWORD_ONLY
    per_game = next((part for part in getattr(hint, "__metadata__", ()) if isinstance(part, PerGame)), None)
    if per_game is None:
        return [inspect.Parameter(name, kind, default=default, annotation=hint)]
    made = per_game.make(game)
    if made is None:
        return []
    option, default = made
    return [inspect.Parameter(name, kind, default=default, annotation=Annotated[hint.__origin__, option])]


def _setup_parameter(option: SetupOption) -> inspect.Parameter:
    hint: Any = Annotated[list[str] | None if option.repeated else str | None, setup_option(option)]
    default = None if option.repeated else option.default
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


# --- groups of commands ---------------------------------------------------------------------------------------------


class Later(TyperCommand):
    """A command or a group that is made when it is called; what it says of itself is read when somebody asks."""

    def __init__(self, name: str, about: str | Callable[[], str | None], make: Callable[[], Any]) -> None:
        self._about, self._make = about, make
        super().__init__(name=name, callback=None)

    @cached_property
    def real(self) -> Any:
        """The command itself."""
        return self._make()

    @property
    def help(self) -> str | None:
        """What it says of itself."""
        return self._about() if callable(self._about) else self._about

    @help.setter
    def help(self, text: str | None) -> None:
        """Nothing is kept."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """That of the command itself, which takes over."""
        return self.real.make_context(info_name, args, parent, **extra)


class GameGroup(TyperGroup):
    """A group in which games are named, also those that are not listed: examples, and files."""

    of_game: Callable[[Profile], Any]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command that is listed, or the one of a game."""
        found = super().get_command(ctx, cmd_name)
        if found is None and (cmd_name in kibitz.EXAMPLES or cmd_name.endswith(SUFFIX)) and not ctx.resilient_parsing:
            return self.of_game(profile(cmd_name))
        return found


class VerbGroup(GameGroup):
    """A command that every game has: the games are what follows it."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """That of a game; an unknown name is refused with the names that are known."""
        found = super().get_command(ctx, cmd_name)
        return found if found is not None or ctx.resilient_parsing else self.of_game(profile(cmd_name))


def verb_of(name: str, game: Profile) -> Any:
    """``kibitz VERB GAME``: the game's own command of this name, if it has one."""
    where = game.commands.get(name)
    return made(command(load(VERBS[name]), game) if where is None else load(where), name)


def verb_group(name: str) -> Any:
    """``kibitz VERB``: the games."""
    app = group(help_at(VERBS[name]) or "", subcommand_metavar=f"{GAME_OR_FILE} [ARGS]...", cls=VerbGroup)
    app.callback()(lambda: None)
    found = typer.main.get_command(app)
    assert isinstance(found, VerbGroup)
    found.name, found.of_game = name, partial(verb_of, name)
    for game in (*kibitz.GAMES, *kibitz.EXAMPLES):
        about = f"an example: kibitz.examples.{game}" if game in kibitz.EXAMPLES else known(game).title
        found.add_command(Later(game, about, partial(_verb_of_known, name, game)))
    return found


def _verb_of_known(name: str, game: str) -> Any:
    return verb_of(name, known(game))


def game_group(game: Profile) -> Any:
    """``kibitz GAME``: its own commands, and those that every game has."""
    app = group(game.about)
    app.callback()(lambda: None)
    found = typer.main.get_command(app)
    assert isinstance(found, TyperGroup)
    found.name = game.name
    for name, where in VERBS.items():
        found.add_command(Later(name, partial(help_at, where), partial(verb_of, name, game)))
    for name, where in game.commands.items():
        found.add_command(command_at(name, where))
    return found


def command_at(name: str, where: str) -> Later:
    """The command or group that is there."""
    return Later(name, partial(help_at, where), lambda: made(load(where), name))


def help_at(where: str) -> str | None:
    """What the command or group that is there says of itself."""
    what = load(where)
    return what.info.help if isinstance(what, typer.Typer) else inspect.getdoc(what)


def made(what: Callable[..., None] | typer.Typer, name: str) -> Any:
    """A command of a function, or a group."""
    app = what
    if not isinstance(app, typer.Typer):
        app = group("")
        app.command(name)(what)
    found: Any = typer.main.get_command(app)
    found.name = name
    return found

"""The commands that every game has: each is written once, and made for a game from its profile.

Such a command is a function ``verb(profile, chosen, ...)``: the game, what was typed for the options of its setup, and the
options of the command itself. `command` makes of it what Typer takes:

- `profile` is filled in;
- `chosen` becomes the game's own options (`kibitz.play.profile.SetupOption`); a parameter called `reading` becomes only those
  without which its records cannot be read;
- a parameter whose type is a dataclass becomes an option for each of its fields;
- an option whose annotation holds a `PerGame` is made from the profile, or left out where the game has no use for it.

`VERBS` says where these functions are. ``kibitz GAME VERB`` and ``kibitz VERB GAME`` are the same command; GAME may be a file.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property, partial
from inspect import Parameter
from types import FunctionType
from typing import Annotated, Any, cast, get_type_hints

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
    "bots": "kibitz.cli.bots:bots",
    "replay": "kibitz.cli.records:replay",
    "show": "kibitz.cli.records:show",
    "play": "kibitz.cli.play:play",
    "tree": "kibitz.cli.positions:tree",
    "advise": "kibitz.cli.positions:advise",
    "train": "kibitz.cli.train:train",
}
#: The one that only games with an evaluator have.
TRAIN = "train"
GAME_OR_FILE = f"GAME|FILE{SUFFIX}"
KEYWORD = Parameter.KEYWORD_ONLY


@dataclass(frozen=True)
class PerGame:
    """An option that is not the same for all games: how it is made from a profile, with its default; None leaves it out."""

    make: Callable[[Profile], tuple[Any, Any] | None]


def command(verb: Callable[..., None], game: Profile | None = None) -> Callable[..., None]:
    """The function that Typer takes for a command, of a game or of none."""
    parameters: list[Parameter] = []
    sets: dict[str, tuple[Callable[..., Any], dict[str, str]]] = {}  # made of options: how, and what it calls each of them
    hints = _hints(verb)
    for name, parameter in inspect.signature(verb).parameters.items():
        if name in ("chosen", "reading"):
            own = [option for option in game.options if name == "chosen" or option.reads] if game else []
            typed = [*map(_setup_parameter, own)]
            parameters += typed
            sets[name] = dict, {one.name: option.name for one, option in zip(typed, own, strict=True)}
        elif is_dataclass(hint := hints.get(name)):
            of_fields = get_type_hints(hint, include_extras=True)
            parameters += [Parameter(f.name, KEYWORD, default=f.default, annotation=of_fields[f.name]) for f in fields(hint)]
            sets[name] = cast("type[Any]", hint), {f.name: f.name for f in fields(hint)}
        elif name != "profile":
            parameters += _own_parameter(game, name, hint, parameter.default)

    def run(**given: Any) -> None:
        made = {name: make(**{to: given.pop(option) for option, to in names.items()}) for name, (make, names) in sets.items()}
        verb(*([game] if game else []), **given, **made)

    run.__name__, run.__doc__, run.__module__ = verb.__name__, verb.__doc__, verb.__module__
    # required ones first, as Python wants it
    ordered = sorted(parameters, key=lambda parameter: parameter.default is not Parameter.empty)
    run.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    return run


def _hints(verb: Callable[..., None]) -> dict[str, Any]:
    """The types of a function's options; those of a profile and of what was chosen may be known to mypy alone."""
    twin = FunctionType(verb.__code__, verb.__globals__)
    left_out = ("profile", "chosen", "reading", "return")
    twin.__annotations__ = {name: hint for name, hint in verb.__annotations__.items() if name not in left_out}
    return get_type_hints(twin, include_extras=True)


def _own_parameter(game: Profile | None, name: str, hint: Any, default: Any) -> list[Parameter]:
    per_game = next((part for part in getattr(hint, "__metadata__", ()) if isinstance(part, PerGame)), None)
    if per_game is not None and game is not None:
        made = per_game.make(game)
        if made is None:
            return []
        option, default = made
        hint = Annotated[hint.__origin__, option]
    return [Parameter(name, KEYWORD, default=default, annotation=hint)]


def _setup_parameter(option: SetupOption) -> Parameter:
    hint: Any = Annotated[list[str] | None if option.repeated else str | None, setup_option(option)]
    default = None if option.repeated else option.default
    return Parameter(option.name.replace("-", "_"), KEYWORD, default=default, annotation=hint)


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
    #: Whether nothing but games is named in it: then an unknown name is refused with the names of the games.
    only_games = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command that is listed, or the one of a game."""
        found = super().get_command(ctx, cmd_name)
        is_game = self.only_games or cmd_name in kibitz.EXAMPLES or cmd_name.endswith(SUFFIX)
        return self.of_game(profile(cmd_name)) if found is None and is_game and not ctx.resilient_parsing else found


def verb_of(name: str, game: str | Profile) -> Any:
    """``kibitz VERB GAME``: the game's own command of this name, if it has one."""
    game = known(game) if isinstance(game, str) else game
    return made(name, game.commands[name]) if name in game.commands else made(name, VERBS[name], game)


def new_group(name: str, help: str, **more: Any) -> Any:
    """A group of this name, still empty."""
    app = group(help, **more)
    app.callback()(lambda: None)
    found = typer.main.get_command(app)
    found.name = name
    return found


def verb_group(name: str) -> Any:
    """``kibitz VERB``: the games."""
    metavar = f"{GAME_OR_FILE} [ARGS]..."
    found = new_group(name, help_at(VERBS[name]) or "", subcommand_metavar=metavar, cls=GameGroup)
    found.of_game, found.only_games = partial(verb_of, name), True
    for game in (*kibitz.GAMES, *kibitz.EXAMPLES):
        if name == TRAIN and (game in kibitz.EXAMPLES or not known(game).trains):
            continue
        about = f"an example: kibitz.examples.{game}" if game in kibitz.EXAMPLES else known(game).title
        found.add_command(Later(game, about, partial(verb_of, name, game)))
    return found


def game_group(game: Profile) -> Any:
    """``kibitz GAME``: its own commands, and those that every game has."""
    found = new_group(game.name, game.about)
    for name, where in VERBS.items():
        if name != TRAIN or game.trains:
            found.add_command(Later(name, partial(help_at, where), partial(verb_of, name, game)))
    for name, where in game.commands.items():
        found.add_command(command_at(name, where))
    return found


def command_at(name: str, where: str) -> Later:
    """The command or group that is there."""
    return Later(name, partial(help_at, where), partial(made, name, where))


def help_at(where: str) -> str | None:
    """What the command or group that is there says of itself."""
    what = load(where)
    return what.info.help if isinstance(what, typer.Typer) else inspect.getdoc(what)


def made(name: str, where: str, game: Profile | None = None) -> Any:
    """The command of the function that is there, or the group."""
    app = load(where)
    if not isinstance(app, typer.Typer):
        function, app = app, group("")
        app.command(name)(command(function, game))
    found: Any = typer.main.get_command(app)
    found.name = name
    return found

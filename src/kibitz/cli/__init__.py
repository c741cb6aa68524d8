"""The command line. Nothing heavy is imported until a command needs it, so that ``--help`` answers at once."""

import atexit
import gc
import re
import sys
import warnings
from functools import partial
from io import TextIOWrapper
from typing import Annotated, Any, NoReturn, cast

import typer

from kibitz import __version__
from kibitz.__main__ import INTERRUPTED
from kibitz.cli.common import UserError
from kibitz.cli.games import VERBS, GameGroup, Later, command_at, game_group, help_at, verb_group
from kibitz.cli.options import group
from kibitz.ground.texts import Mistake, printable
from kibitz.play.profile import InvalidSetup
from kibitz.play.registry import UnknownGame, profiles

#: What is wrong with a command line, in the words of the library below Typer; Typer names only this child of it.
UsageError = cast("type[Exception]", typer.BadParameter.__mro__[1])


def create_app() -> GameGroup:
    """All commands: those of every game, those that every game has, and those that belong to none."""
    app = group("An analysis engine for tabletop games with hidden information.", cls=GameGroup)
    app.callback()(top)
    root = typer.main.get_command(app)
    assert isinstance(root, GameGroup)
    root.of_game = game_group
    root.params += typer.main.get_install_completion_arguments()
    for game in profiles():
        root.add_command(Later(game.name, game.about, partial(game_group, game)))
    for verb, where in VERBS.items():
        root.add_command(Later(verb, partial(help_at, where), partial(verb_group, verb)))
    for game in profiles():
        for name, where in game.top_commands.items():
            root.add_command(command_at(name, where))
    for name in ("doctor", "web"):
        root.add_command(command_at(name, f"kibitz.cli.{name}:{name}"))
    return root


def main() -> NoReturn:
    """Run a command; what the user can mend becomes one clear line and exit code 2.

    Ctrl-C is a KeyboardInterrupt here as everywhere; `kibitz.__main__` answers it.
    """
    # Python looks for garbage once more when a process ends: a fifth of a second with the compiler loaded, unless it is frozen.
    atexit.register(gc.freeze)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that lacks a letter shows a question mark
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _said
            # or usage errors would be printed in a box
            code = create_app().main(sys.argv[1:], prog_name="kibitz", standalone_mode=False)
    except (UserError, Mistake, InvalidSetup, UnknownGame) as error:
        fail(str(error))
    except UsageError as error:
        fail(_usage(error))
    except OSError as error:
        fail(f"{error.filename or 'output'}: {error.strerror}")
    except Exception as error:
        from kibitz.play.faults import fault

        if (told := fault(error)) is None:
            raise
        fail(told)
    if code == INTERRUPTED:  # Typer's word for it
        raise KeyboardInterrupt
    sys.exit(code or 0)


def _said(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning as one line for people, without the place in the code where it arose."""
    print(f"kibitz: {message}", file=sys.stderr)


def _usage(error: Any) -> str:
    """A usage error as one line; where no command was given, the help has been printed already."""
    text = " ".join(error.format_message().split()).removesuffix(".")
    if not text:
        sys.exit(error.exit_code)
    of_value = re.fullmatch("Invalid value for '(.*?)': (.*)", text)
    name, problem = (f"{of_value[1]}: ", of_value[2]) if of_value else ("", text)
    where = error.ctx.command_path if error.ctx else "kibitz"
    return f"{name}{problem[:1].lower()}{problem[1:]} (see {where} --help)"


def fail(message: str, code: int = 2) -> NoReturn:
    """Say what is wrong, in one line whatever it quotes, and leave."""
    print(f"kibitz: {printable(' '.join(message.splitlines()))}", file=sys.stderr)
    sys.exit(code)


def version(value: bool) -> None:
    """Print the version."""
    if value:
        print(f"kibitz {__version__}")
        raise typer.Exit


def top(
    _: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """An analysis engine for tabletop games with hidden information."""

"""The command line. Nothing heavy is imported until a command needs it, so that ``--help`` answers at once."""

from __future__ import annotations

import re
import sys
from io import TextIOWrapper
from typing import Annotated, Any, NoReturn, cast

import typer

from kibitz import __version__
from kibitz.cli import catan, coup, logs, loops, onepiece
from kibitz.cli.analyze import analyze
from kibitz.cli.common import UserError
from kibitz.cli.doctor import doctor
from kibitz.cli.options import group
from kibitz.cli.renamed import current
from kibitz.cli.track import track
from kibitz.cli.web import web

#: What is wrong with a command line, in the words of the library below Typer; Typer names only this child of it.
UsageError = cast("type[Exception]", typer.BadParameter.__mro__[1])

app = group("An analysis engine for tabletop games with hidden information.")
app.add_typer(catan.app, name="catan")
app.add_typer(coup.app, name="coup")
app.add_typer(loops.app, name="loops")
app.add_typer(onepiece.app, name="onepiece")
app.command("analyze")(analyze)
app.command("track")(track)
app.command("import")(logs.import_log)
app.command("export")(logs.export)
app.command("doctor")(doctor)
app.command("web")(web)


def main() -> NoReturn:
    """Run a command; what the user can mend becomes one clear line and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that lacks a letter shows a question mark
    words = current(sys.argv[1:])
    try:
        code = app(words, prog_name="kibitz", standalone_mode=False)  # or usage errors would be printed in a box
    except UserError as error:
        fail(str(error))
    except UsageError as error:
        fail(_usage(error))
    except OSError as error:
        fail(f"{error.filename or 'output'}: {error.strerror}")
    sys.exit(code or 0)


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
    """Say what is wrong and leave."""
    print(f"kibitz: {message}", file=sys.stderr)
    sys.exit(code)


def version(value: bool) -> None:
    """Print the version."""
    if value:
        print(f"kibitz {__version__}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """An analysis engine for tabletop games with hidden information."""

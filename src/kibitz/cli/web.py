"""``kibitz web``: the app in the browser."""

import sys
from typing import Annotated

import typer

from kibitz.cli.common import UserError
from kibitz.ground.extras import MissingExtra

NEEDS = "Kibitz in the browser needs an extra: pip install 'kibitz[web]'"


def web(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Your own games to serve as well: my_game.py.", show_default=False),
    ] = None,
    port: Annotated[int, typer.Option(metavar="PORT", help="The port to listen on.", min=1, max=65535)] = 8477,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on: this machine only, or 0.0.0.0 for all.")
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Open Kibitz in the browser and serve it until Ctrl-C: all built-in games, and those in the files that you name.

    Other machines on the network can connect only with --host, and need the token in the link that is then printed.
    """
    try:
        from kibitz.web.server import CannotListen, serve
    except MissingExtra:
        raise UserError(NEEDS) from None
    from kibitz.play.registry import UnknownGame
    from kibitz.web.server import AlreadyServed
    from kibitz.web.services import Options
    from kibitz.web.store import StoreError

    options = Options(host, port, games=tuple(games or ()))

    def announce() -> None:
        if options.token is not None:
            print(
                "kibitz: others on the network can reach this server; anybody with the link below can use it", file=sys.stderr
            )
        print(f"Kibitz is at {options.shared_url}  (press Ctrl-C to stop)", flush=True)

    try:
        serve(options, open_browser=not no_open, on_ready=announce)
    except MissingExtra:
        raise UserError(NEEDS) from None
    except (AlreadyServed, CannotListen, StoreError, UnknownGame) as error:
        raise UserError(str(error)) from None

"""``kibitz web``: the app in the browser."""

import sys
from typing import Annotated

import typer

from kibitz.cli.common import UserError
from kibitz.ground.extras import MissingExtra

NEEDS = "the app in the browser needs its extra: pip install 'kibitz[web]'"


def web(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Other games to serve, too: my_game.py.", show_default=False)
    ] = None,
    port: Annotated[int, typer.Option(metavar="PORT", help="Where to listen.", min=1, max=65535)] = 8477,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Who is served: this machine, or all (0.0.0.0).")] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Kibitz in the browser, until Ctrl-C: all games of this house, and those in the files that you name.

    Others on the network are served only with --host, and need the token in the link that is printed then.
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
            print("kibitz: others on the network can reach this; whoever has the link below may use it", file=sys.stderr)
        print(f"Kibitz is at {options.shared_url}  (Ctrl-C ends it)", flush=True)

    try:
        serve(options, open_browser=not no_open, on_ready=announce)
    except MissingExtra:
        raise UserError(NEEDS) from None
    except (AlreadyServed, CannotListen, StoreError, UnknownGame) as error:
        raise UserError(str(error)) from None

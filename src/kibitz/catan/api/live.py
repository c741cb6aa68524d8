"""What the browser extension may ask: to be paired once with a code, and then to hand over messages.

These routes are only for a paired browser extension on this machine. Anybody else (another origin, a page, a program, a
machine on the network) is refused with 403. They change nothing but games that are followed.
"""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from kibitz import __version__
from kibitz.catan.api.tracked import Tracked
from kibitz.catan.logs import MOST_BYTES
from kibitz.catan.tracking.live import live_games
from kibitz.web.api import models
from kibitz.web.companions import is_extension
from kibitz.web.security import COMPANIONS
from kibitz.web.services import Services, is_loopback

#: Messages of one request.
MOST = 2_000

#: The header with the token that pairing gave.
TOKEN = "X-Kibitz-Companion"
_REFUSED = models.errors(400, 403, 413, 422, 507)


class Pair(models.Strict):
    """The code that Kibitz shows."""

    code: Annotated[str, Field(max_length=40)]


class Paired(BaseModel):
    """A token that only this extension can use."""

    token: str


class Hello(BaseModel):
    """Kibitz is running, and knows who is asking."""

    version: str


class Heard(models.Strict):
    """Messages of one connection of a page, in their order, as they came: `b` and bytes in Base 64, or `t` and a text."""

    connection: Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9-]+$")]
    first: Annotated[int, Field(ge=0, lt=1 << 31, description="The number of the first message; the connection's first has 0.")]
    messages: Annotated[list[Annotated[str, Field(max_length=MOST_BYTES)]], Field(max_length=MOST)]


class Live(Tracked):
    """A live game: everything that is known about it, and where it is shown."""

    title: str
    trouble: Annotated[str, Field(description="Why it is no longer followed, if so.")]
    lost: Annotated[int, Field(description="Messages that never arrived.")]
    advice: Annotated[bool, Field(description="Whether Kibitz now gives advice in this game.")]
    page: Annotated[str, Field(description="Where Kibitz shows it.")]
    review: Annotated[str | None, Field(description="Where it can be reviewed, once it is over.")]


class Taken(BaseModel):
    """Which messages have been received, and the game that the connection now belongs to."""

    next: Annotated[int, Field(description="The number of the next message expected: all before it are stored.")]
    trouble: Annotated[str, Field(description="Why the game cannot be followed, if so.")]
    game: Live | None


def live(services: Services) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix=COMPANIONS.removeprefix("/api").removesuffix("/"), tags=["live"])
    games = services.one(live_games)

    def extension_of(request: Request) -> str:
        """The origin of an extension, which browsers name and pages cannot choose."""
        origin = request.headers.get("origin", "")
        if request.client is None or not is_loopback(request.client.host) or not is_extension(origin):
            raise HTTPException(403, "only a browser extension on this machine may ask this")
        return origin

    def check_paired(request: Request) -> None:
        origin = extension_of(request)
        if not games.companions.known(request.headers.get(TOKEN, ""), origin):
            raise HTTPException(403, "this extension is not paired with Kibitz: type the code that Kibitz shows")

    @routes.post("/pair", responses=_REFUSED)
    def pair(ask: Pair, request: Request) -> Paired:
        """Pair an extension, once, with the code that Kibitz shows; the token goes into the header `X-Kibitz-Companion`."""
        token = games.companions.pair(ask.code, extension_of(request))
        if token is None:
            raise HTTPException(403, "this is not the code, or it is too old: let Kibitz show a new one")
        return Paired(token=token)

    @routes.post("/hello", responses=models.errors(403))
    def hello(request: Request) -> Hello:
        """Whether Kibitz is running, and knows who is asking."""
        check_paired(request)
        return Hello(version=__version__)

    @routes.post("/messages", response_model=Taken, responses=_REFUSED)
    def messages(ask: Heard, request: Request) -> JSONResponse:
        """Take messages, each only once however often it is sent; the answer says who holds what now."""
        check_paired(request)
        taken: dict[str, Any] = games.take(ask.connection, ask.first, ask.messages)
        return JSONResponse(taken)

    return routes

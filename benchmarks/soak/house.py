"""The server of ``kibitz web`` with doors through which a program can play: ``python -m benchmarks.soak.house PORT``.

Pages play through sockets of their own; these routes do what the pages do, with the same sessions and the same library.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import uvicorn
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

from kibitz.catan.tracking.followed import Followed, InvalidGame, Source
from kibitz.compute.runtime import Runtime
from kibitz.game.doors import sensible_actions
from kibitz.onepiece.pages.matches import OnePieceMatch
from kibitz.web.games import NotNow, Session
from kibitz.web.security import App, Receive, Scope, Send
from kibitz.web.services import Options, Services

PREFIX = "/soak"
#: Seconds that bots have to move before an answer comes.
BOTS = 2.0


class Begin(BaseModel):
    """A new game."""

    game: str
    setup: dict[str, Any]


class Decide(BaseModel):
    """What the person does, having seen so many steps."""

    code: int
    at: int


class Log(BaseModel):
    """A log to be followed and kept, as the Track page does."""

    text: str


def doors(services: Services) -> FastAPI:
    """Routes to begin, look at and play games."""
    app = FastAPI()

    @app.post(f"{PREFIX}/games")
    def begin(ask: Begin) -> dict[str, Any]:
        return seen(services.games.new(ask.game, ask.setup, pace=0))

    @app.get(f"{PREFIX}/games/{{id}}")
    def look(id: str) -> dict[str, Any]:
        session = services.games.open(id)
        if session is None:
            return {"id": None}
        session.pace = 0
        return seen(session)

    @app.post(f"{PREFIX}/games/{{id}}")
    def decide(id: str, ask: Decide) -> dict[str, Any]:
        session = services.games.open(id)
        if session is None:
            return {"id": None}
        session.pace = 0
        try:
            session.play([ask.code], ask.at)
        except NotNow as refused:
            return {**seen(session), "refused": str(refused)}
        return seen(session)

    @app.post(f"{PREFIX}/logs")
    def keep(ask: Log) -> dict[str, Any]:
        try:
            game = Followed.read(Source(ask.text), runtime=Runtime())  # as long as it takes: the same on a busy machine
        except InvalidGame as error:
            raise HTTPException(422, str(error)) from None
        return {"id": services.store.save("log", game.title, game.to_json()), "told": game.moment(len(game)).told}

    @app.get(f"{PREFIX}/logs/{{id}}")
    def reopen(id: str) -> dict[str, Any]:
        found = services.store.load(id)
        if found is None:
            return {"id": None}
        game = Followed.from_json(found.data, Runtime())
        return {"id": id, "told": game.moment(len(game)).told}

    return app


def seen(session: Session[Any]) -> dict[str, Any]:
    """What a page would show: all steps, and what the person may do."""
    session.wait(BOTS)
    with session.lock:
        match = session.match
        asks = session.asks
        choices = []
        if asks:
            choices = match.allowed() if isinstance(match, OnePieceMatch) else sensible_actions(match.view(match.actor))
        return {
            "id": session.id,
            "moves": list(session.moves[: session.version]),
            "over": session.over,
            "choices": [int(code) for code in choices],
            "trouble": session.trouble,
        }


def main() -> None:
    """Serve until the process is killed."""
    options = Options(port=int(sys.argv[1]))
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(options.data / "nicegui"))
    from kibitz.web.app import create_app

    services = Services.start(options)
    app, more = create_app(services), doors(services)

    async def either(scope: Scope, receive: Receive, send: Send) -> None:
        chosen: App = more if scope["type"] == "http" and scope["path"].startswith(PREFIX) else app
        await chosen(scope, receive, send)

    uvicorn.run(either, host=options.host, port=options.port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()

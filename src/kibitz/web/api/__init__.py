"""The JSON API under ``/api``: the same functions as the pages, for a program in any language (see ``docs/web.md``)."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException

from kibitz import __version__
from kibitz.ground.messages import Mistake, shortened, writable
from kibitz.web.api import general
from kibitz.web.jobs import QueueFull
from kibitz.web.layout import STATIC
from kibitz.web.security import App, Receive, Scope, Send
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

_ABOUT = "What should I play, who holds what, what may be done: Kibitz for other programs. Seats count from 0."


def create_api(services: Services) -> FastAPI:
    """The API, an app of its own."""
    api = FastAPI(
        title="Kibitz", version=__version__, description=_ABOUT, docs_url=None, redoc_url=None, root_path_in_servers=False,
        servers=[{"url": "/api"}],
    )  # fmt: skip
    for router in (general.router(services), *(router for game in services.profiles for router in game.routes(services))):
        api.include_router(router)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _refused)
    api.add_exception_handler(QueueFull, _full)
    api.add_exception_handler(NotSaved, _unsaved)
    api.add_exception_handler(Mistake, _mistaken)
    page = (STATIC / "api.html").read_text(encoding="utf-8")

    @api.get("/", include_in_schema=False)
    async def describe() -> HTMLResponse:
        return HTMLResponse(page)

    return api


def at_api(api: App, others: App) -> App:
    """Everything below ``/api``, however odd its path, goes to the API, and the rest to `others`."""
    to_api = RedirectResponse("/api/", 308)

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            scope["root_path"] = scope.get("root_path", "") + "/api"
            await api(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == "/api":
            await to_api(scope, receive, send)
        else:
            await others(scope, receive, send)

    return choose


def _say(status: int, message: str) -> JSONResponse:
    """One line, without halves of letters: what was sent may be quoted in it."""
    return JSONResponse({"error": shortened(" ".join(writable(message).split()))}, status)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    """The first thing that is wrong with a request, with its place."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return _say(422, f"{place}: {first['msg']}" if place else str(first["msg"]))


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail)}, error.status_code, headers=error.headers)


async def _full(request: Request, error: Exception) -> JSONResponse:
    return _say(429, str(error))


async def _unsaved(request: Request, error: Exception) -> JSONResponse:
    return _say(507, str(error))


async def _mistaken(request: Request, error: Exception) -> JSONResponse:
    return _say(422, str(error))

"""The JSON API under ``/api``: the same functions as the pages, for a program in any language (see ``docs/web.md``).

Here are the app and the routes that belong to no game: health, jobs, the library.
"""

import asyncio
import time
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Annotated, Any, Protocol, Union, cast, runtime_checkable

from fastapi import APIRouter, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from pydantic import Field, create_model
from starlette.exceptions import HTTPException

from kibitz import __version__
from kibitz.compute.runtime import Info
from kibitz.ground.texts import Mistake, shortened, writable
from kibitz.play import profile, share
from kibitz.play.advice import Advice
from kibitz.web.api import models
from kibitz.web.jobs import LOOK, Job, JobState, QueueFull
from kibitz.web.layout import STATIC
from kibitz.web.security import App, Receive, Scope, Send
from kibitz.web.services import Services
from kibitz.web.store import Item, NotSaved

_ABOUT = "What should I play, who holds what, what may be done: Kibitz for other programs. Seats count from 0."
#: Seconds that a question about a job may wait.
LONGEST_WAIT = 30.0
#: How many of those that lead are told while a job runs.
LEADERS = 54
#: Of something in the library: a review has the name of its game with a suffix.
ItemId = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+(\.review)?$")]


def create_api(services: Services) -> FastAPI:
    """The API, an app of its own."""
    api = FastAPI(
        title="Kibitz", version=__version__, description=_ABOUT, docs_url=None, redoc_url=None, root_path_in_servers=False,
        servers=[{"url": "/api"}],
    )  # fmt: skip
    for routes in (router(services), *(routes for game in services.profiles for routes in game.routes(services))):
        api.include_router(routes)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _refused)
    for kind, status in ((QueueFull, 429), (NotSaved, 507), (Mistake, 422)):
        api.add_exception_handler(kind, partial(_said, status))
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


async def _said(status: int, request: Request, error: Exception) -> JSONResponse:
    return _say(status, str(error))


def router(services: Services) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["general"])
    told_of: Any = described([profile.load(game.answer) for game in services.profiles if game.answer])

    @routes.get("/health")
    async def health() -> models.Health:
        """That the server is there, and how busy it is."""
        running, waiting = services.jobs.busy()
        return models.Health(version=__version__, running=running, waiting=waiting)

    @routes.get("/jobs/{id}", response_model=told_of, responses=models.errors(404, 422))
    async def job(id: models.Id, wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0.0) -> models.JobModel:
        """How a job stands; with `wait`, answer when it is over, or after so many seconds."""
        found = services.jobs.get(id)
        if found is None:
            raise models.missing("job")
        until = time.monotonic() + wait
        while not found.over and time.monotonic() < until:
            await asyncio.sleep(LOOK)
        return job_model(services, found)

    @routes.delete("/jobs/{id}", response_model=told_of, responses=models.errors(404, 422))
    def cancel(id: models.Id) -> models.JobModel:
        """Stop a job: one that runs ends soon with what it has, one that waits never begins."""
        found = services.jobs.get(id)
        if found is None:
            raise models.missing("job")
        services.jobs.cancel(found)
        return job_model(services, found)

    @routes.get("/library", responses=models.errors(422))
    def library(
        kind: Annotated[str | None, Query(max_length=20)] = None,
        words: Annotated[str, Query(max_length=100, description="What the title holds.")] = "",
        first: Annotated[int, Query(ge=0, lt=2**31, description="How many to leave out.")] = 0,
        most: Annotated[int, Query(ge=1, le=500)] = 100,
    ) -> list[models.ItemModel]:
        """What was saved, the latest first."""
        return [models.ItemModel(**_item(item)) for item in services.store.items(kind, most, first, words=words)]

    @routes.get("/library/{id}", response_model=models.LoadedModel, responses=models.errors(404, 409, 422))
    def load(id: ItemId, unfinished: bool = False) -> JSONResponse:
        """One thing with its content; a game that is still played, with what is hidden in it, only with `unfinished`."""
        found = services.store.load(id)
        if found is None:
            raise models.missing("thing in the library")
        if found.kind == "game" and found.over is False and not unfinished:
            raise HTTPException(409, "this game is still being played, and this would tell what is hidden: set unfinished")
        return JSONResponse({**_item(found), "data": found.data})  # written here, not in the event loop: it may be large

    @routes.delete("/library/{id}", status_code=204, responses=models.errors(404, 422))
    def delete(id: ItemId) -> None:
        """Delete something for ever."""
        if not services.games.delete(id):
            raise models.missing("thing in the library")

    return routes


@runtime_checkable
class Kept(Protocol):
    """Advice that may be in the library, with its name there."""

    id: str
    result: Advice


def described(answers: Sequence[type[Advice]]) -> type[models.JobModel]:
    """A model of a job whose result is one of these; the field `advice` says which."""
    kinds = tuple(models.answer_model(cast("Hashable", answer)) for answer in answers)
    result: Any = Annotated[Union[kinds], Field(discriminator="advice")]  # noqa: UP007 - of types that are not known before
    return create_model("FinishedJob", __base__=models.JobModel, __doc__=models.JobModel.__doc__, result=(result | None, None))


def job_model(services: Services, job: Job) -> models.JobModel:
    """A job with its result, if it has one."""
    saved, advice = (job.result.id, job.result.result) if isinstance(job.result, Kept) else ("", job.result)
    return models.JobModel(
        id=job.id,
        state=job.state,
        place=services.jobs.place(job),
        progress=None if job.info is None else _progress(job.info),
        error=job.error if job.state is JobState.FAILED else None,
        saved=saved or None,
        result=advice.to_json() if isinstance(advice, Advice) else None,  # a page may have asked for something else
    )


def _progress(info: Info) -> models.Progress:
    leaders = info.ranking[:LEADERS] if isinstance(info.ranking, Sequence) else ()  # a page may be told something else
    ranking = [
        models.Standing(
            name=s.name, value=s.value, win_rate=s.win_rate.rate if s.win_rate.games else None, games=s.win_rate.games
        )
        for s in leaders
        if isinstance(s, share.Standing)
    ]
    return models.Progress(done=info.done, total=info.total, elapsed=info.elapsed, eta=info.eta, ranking=ranking)


def _item(item: Item) -> dict[str, Any]:
    times = {"created": item.created.isoformat(), "changed": item.changed.isoformat()}
    return {"id": item.id, "kind": item.kind, "title": item.title, "size": item.size, "over": item.over, **times}

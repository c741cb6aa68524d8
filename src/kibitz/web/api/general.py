"""Routes that belong to no game: health, jobs, the library."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable, Sequence
from typing import Annotated, Any, Protocol, Union, cast, runtime_checkable

from fastapi import APIRouter, HTTPException, Path, Query
from fastapi.responses import JSONResponse
from pydantic import Field, create_model

from kibitz import __version__
from kibitz.play.advice import Advice
from kibitz.web.api.answers import Id, errors, missing, told
from kibitz.web.api.models import Health, ItemModel, JobModel, LoadedModel
from kibitz.web.api.schema import answer_model
from kibitz.web.jobs import LOOK, Job
from kibitz.web.services import Services
from kibitz.web.store import Item

#: Seconds that a question about a job may wait.
LONGEST_WAIT = 30.0

#: Of something in the library: a review has the name of its game with a suffix.
ItemId = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+(\.review)?$")]


def router(services: Services) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["general"])
    told_of: Any = described([game.answer() for game in services.profiles if game.answer is not None])

    @routes.get("/health")
    async def health() -> Health:
        """That the server is there, and how busy it is."""
        running, waiting = services.jobs.busy()
        return Health(version=__version__, running=running, waiting=waiting)

    @routes.get("/jobs/{id}", response_model=told_of, responses=errors(404, 422))
    async def job(id: Id, wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0.0) -> JobModel:
        """How a job stands; with `wait`, answer when it is over, or after so many seconds."""
        found = services.jobs.get(id)
        if found is None:
            raise missing("job")
        until = time.monotonic() + wait
        while not found.over and time.monotonic() < until:
            await asyncio.sleep(LOOK)
        return job_model(services, found)

    @routes.delete("/jobs/{id}", response_model=told_of, responses=errors(404, 422))
    def cancel(id: Id) -> JobModel:
        """Stop a job: one that runs ends soon with what it has, one that waits never begins."""
        found = services.jobs.get(id)
        if found is None:
            raise missing("job")
        services.jobs.cancel(found)
        return job_model(services, found)

    @routes.get("/library", responses=errors(422))
    def library(
        kind: Annotated[str | None, Query(max_length=20)] = None,
        words: Annotated[str, Query(max_length=100, description="What the title holds.")] = "",
        first: Annotated[int, Query(ge=0, lt=2**31, description="How many to leave out.")] = 0,
        most: Annotated[int, Query(ge=1, le=500)] = 100,
    ) -> list[ItemModel]:
        """What was saved, the latest first."""
        return [ItemModel(**_item(item)) for item in services.store.items(kind, most, first, words=words)]

    @routes.get("/library/{id}", response_model=LoadedModel, responses=errors(404, 409, 422))
    def load(id: ItemId, unfinished: bool = False) -> JSONResponse:
        """One thing with its content; a game that is still played, with what is hidden in it, only with `unfinished`."""
        found = services.store.load(id)
        if found is None:
            raise missing("thing in the library")
        if found.item.over is False and not unfinished:
            raise HTTPException(409, "this game is still being played, and this would tell what is hidden: set unfinished")
        return JSONResponse({**_item(found.item), "data": found.data})  # written here, not in the event loop: it may be large

    @routes.delete("/library/{id}", status_code=204, responses=errors(404, 422))
    def delete(id: ItemId) -> None:
        """Delete something for ever."""
        if not services.games.delete(id):
            raise missing("thing in the library")

    return routes


@runtime_checkable
class Kept(Protocol):
    """Advice that may be in the library, with its name there."""

    id: str
    result: Advice


def described(answers: Sequence[type[Advice]]) -> type[JobModel]:
    """A model of a job whose result is one of these; the field `advice` says which."""
    models = tuple(answer_model(cast("Hashable", answer)) for answer in answers)
    result: Any = Annotated[Union[models], Field(discriminator="advice")]  # noqa: UP007 - of types that are not known before
    return create_model("FinishedJob", __base__=JobModel, __doc__=JobModel.__doc__, result=(result | None, None))


def job_model(services: Services, job: Job) -> JobModel:
    """A job with its result, if it has one."""
    saved, advice = (job.result.id, job.result.result) if isinstance(job.result, Kept) else ("", job.result)
    result = advice.to_json() if isinstance(advice, Advice) else None  # a page may have asked for something else
    return JobModel(**told(services, job), saved=saved or None, result=result)


def _item(item: Item) -> dict[str, Any]:
    times = {"created": item.created.isoformat(), "changed": item.changed.isoformat()}
    return {"id": item.id, "kind": item.kind, "title": item.title, "size": item.size, "over": item.over, **times}

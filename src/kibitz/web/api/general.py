"""Routes that belong to no game: health, jobs, the library."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query

from kibitz import __version__
from kibitz.play.coup_advise import Advice
from kibitz.web.analyses import Answer
from kibitz.web.api.answers import Id, errors, missing, told
from kibitz.web.api.models import AnalysisJob, CoupJob, Health, ItemModel, LoadedModel
from kibitz.web.games import NotNow, check_open
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

    @routes.get("/health")
    async def health() -> Health:
        """That the server is there, and how busy it is."""
        running, waiting = services.jobs.busy()
        return Health(version=__version__, running=running, waiting=waiting)

    @routes.get("/jobs/{id}", responses=errors(404, 422))
    async def job(id: Id, wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0.0) -> AnalysisJob | CoupJob:
        """How a job stands; with `wait`, answer when it is over, or after so many seconds."""
        found = services.jobs.get(id)
        if found is None:
            raise missing("job")
        until = time.monotonic() + wait
        while not found.over and time.monotonic() < until:
            await asyncio.sleep(LOOK)
        return job_model(services, found)

    @routes.delete("/jobs/{id}", responses=errors(404, 422))
    def cancel(id: Id) -> AnalysisJob | CoupJob:
        """Stop a job: one that runs ends soon with what it has, one that waits never begins."""
        found = services.jobs.get(id)
        if found is None:
            raise missing("job")
        services.jobs.cancel(found)
        return job_model(services, found)

    @routes.get("/library", responses=errors(422))
    def library(kind: Annotated[str | None, Query(max_length=20)] = None) -> list[ItemModel]:
        """What was saved, the latest first."""
        return [ItemModel(**_item(item)) for item in services.store.items(kind)]

    @routes.get("/library/{id}", responses=errors(404, 409, 422))
    def load(id: ItemId) -> LoadedModel:
        """One thing with its content; a game that is played here only once it is over."""
        found = services.store.load(id)
        if found is None:
            raise missing("thing in the library")
        try:
            check_open(found.data)
        except NotNow as error:
            raise HTTPException(409, str(error)) from None
        return LoadedModel(**_item(found.item), data=found.data)

    @routes.delete("/library/{id}", status_code=204, responses=errors(404, 422))
    def delete(id: ItemId) -> None:
        """Delete something for ever."""
        if not services.games.delete(id):
            raise missing("thing in the library")

    return routes


def job_model(services: Services, job: Job) -> AnalysisJob | CoupJob:
    """A job with its result, if it has one."""
    result = job.result
    if isinstance(result, Answer):
        return AnalysisJob(**told(services, job), saved=result.id or None, result=result.result.to_json())
    if isinstance(result, tuple) and isinstance(result[0], Advice):
        advice, names = result
        return CoupJob(**told(services, job), result={"names": list(names), **advice.to_json()})  # type: ignore[arg-type]
    return AnalysisJob(**told(services, job))


def _item(item: Item) -> dict[str, Any]:
    times = {"created": item.created.isoformat(), "changed": item.changed.isoformat()}
    return {"id": item.id, "kind": item.kind, "title": item.title, "size": item.size, **times}

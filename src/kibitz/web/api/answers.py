"""What routes share: ids, how a job is told, and the errors that a description names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import HTTPException, Path, Request

from kibitz.compute.runtime import Info
from kibitz.play import share
from kibitz.web.api.models import Problem, Progress, Standing
from kibitz.web.jobs import Job, JobState
from kibitz.web.services import Services

#: Of a job or a session.
Id = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
#: How many of those that lead are told while a job runs.
LEADERS = 54

_MEANINGS = {
    400: "The request cannot be read.",
    404: "There is no such thing.",
    409: "It cannot be told yet.",
    413: "The request is too large.",
    422: "Something in the request is wrong; the message names it.",
    429: "The queue is full.",
    507: "The disk did not take it; nothing is changed.",
}


def errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route, for its description."""
    return {code: {"model": Problem, "description": _MEANINGS[code]} for code in codes}


def missing(what: str) -> HTTPException:
    """There is no such thing."""
    return HTTPException(404, f"there is no such {what} (any more)")


def owner_of(request: Request) -> str:
    """Who asks, as far as the queue is concerned."""
    return request.client.host if request.client is not None else ""


def told(services: Services, job: Job) -> dict[str, Any]:
    """A job, as every answer about one begins."""
    return {
        "id": job.id,
        "state": job.state,
        "place": services.jobs.place(job),
        "progress": None if job.info is None else _progress(job.info),
        "error": job.error if job.state is JobState.FAILED else None,
    }


def _progress(info: Info) -> Progress:
    leaders = info.ranking[:LEADERS] if isinstance(info.ranking, Sequence) else ()  # a page may be told something else
    ranking = [
        Standing(name=s.name, value=s.value, win_rate=s.win_rate.rate if s.win_rate.games else None, games=s.win_rate.games)
        for s in leaders
        if isinstance(s, share.Standing)
    ]
    return Progress(done=info.done, total=info.total, elapsed=info.elapsed, eta=info.eta, ranking=ranking)

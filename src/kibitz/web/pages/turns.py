"""Files that are read in the queue: a large one must not hold up others, and whoever waits for one can stop it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from nicegui import context, ui

from kibitz.compute.runtime import Runtime
from kibitz.ground.messages import Mistake
from kibitz.web.jobs import READING, JobState
from kibitz.web.parts import button, patience
from kibitz.web.services import Services

T = TypeVar("T")

#: Seconds after which is said that something goes on.
SOON = 0.4


async def in_turn(services: Services, work: Callable[[Runtime], T], said: ui.element) -> T:
    """What reading finds; meanwhile `said` shows that it goes on. Raises `QueueFull` or `Mistake`."""
    client = context.client
    job = services.jobs.submit("reading a file", work, client.id, READING, large=True)
    client.on_delete(lambda: services.jobs.leave(job, client.id))
    finished = asyncio.ensure_future(job.finished())
    await asyncio.wait([finished], timeout=SOON)
    if not finished.done():
        said.clear()
        with said:
            patience("The file is read.")
            button("Cancel", lambda: services.jobs.cancel(job), "stop")
        await finished
        said.clear()
    if job.runtime.stopped == "cancelled":  # even if a part was read
        raise Mistake("reading was stopped")
    if job.state is not JobState.DONE:
        raise Mistake(job.error)
    found: T = job.result
    return found

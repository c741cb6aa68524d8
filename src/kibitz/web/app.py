"""The app put together: pages, API, static files, and the gate in front of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from nicegui import core, ui

from kibitz.web import layout, pages
from kibitz.web.api import at_api, create_api
from kibitz.web.security import App, Gate
from kibitz.web.services import Services

#: Threads for what pages may not do in the event loop. Python's usual number, a few more than there are cores, would let a
#: handful of slow visitors hold up all others.
THREADS = 32


def create_app(services: Services) -> App:
    """The whole app. NiceGUI knows only one for each process."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "page"))
        yield
        services.stop()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.mount("/static", StaticFiles(directory=layout.STATIC))
    layout.add_head([page.LINK for page in pages.PAGES if page.LINK is not None])
    for page in pages.PAGES:
        page.register(services)
    ui.run_with(
        app,
        title="Kibitz",
        favicon=layout.MARK.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '),
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=30.0,
    )
    core.sio.eio.max_http_buffer_size = services.options.body  # a log may be pasted
    return Gate(at_api(create_api(services), app), services.options)

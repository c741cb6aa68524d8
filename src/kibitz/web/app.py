"""The app put together: pages, API, static files, and the gate in front of them."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import resources
from mimetypes import guess_type

from kibitz.ground.extras import missing

try:
    from anyio import to_thread
    from fastapi import FastAPI, Request
    from fastapi.exceptions import HTTPException
    from fastapi.middleware.gzip import GZipMiddleware
    from fastapi.responses import Response
    from nicegui import core, ui
except ImportError as error:
    raise missing(error, "web") from None

from kibitz.play.profile import Profile
from kibitz.web import layout
from kibitz.web.api import at_api, create_api
from kibitz.web.pages import pages
from kibitz.web.security import App, Gate
from kibitz.web.services import Services

#: Threads for what pages may not do in the event loop. Python's usual number, a few more than there are cores, would let a
#: handful of slow visitors hold up all others.
THREADS = 32
#: Threads for the API. Each may hold Python's lock for a moment before the event loop has its turn, so that more of them
#: would only make everybody wait longer.
API_THREADS = 8


def create_app(services: Services) -> App:
    """The whole app. NiceGUI knows only one for each process."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = API_THREADS
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "page"))
        yield
        services.stop()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    files = static_files(services.profiles)
    _serve_static(app, files)
    shown = pages(services.profiles)
    layout.add_head([link for _, link in shown], files)
    for page, _ in shown:
        page.register(services)
    core.app.add_middleware(GZipMiddleware)  # by ourselves: NiceGUI leaves it out where it takes us for a test
    ui.run_with(
        app,
        title="Kibitz",
        favicon=layout.MARK.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '),
        dark=None,
        language="en-US",
        gzip_middleware_factory=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=30.0,
    )
    core.sio.eio.max_http_buffer_size = services.options.body  # a log may be pasted
    return Gate(at_api(create_api(services), app), services.options)


def static_files(profiles: Iterable[Profile]) -> dict[str, bytes]:
    """Our few files by name, from memory, since a disk may be slow: ours, then the style sheets that games bring."""
    files = {path.name: path.read_bytes() for path in sorted(layout.STATIC.iterdir())}
    for profile in profiles:
        if profile.style:
            package, _, place = profile.style.partition(":")
            files[f"{profile.name}.css"] = (resources.files(package) / place).read_bytes()
    return files


def _serve_static(app: FastAPI, files: Mapping[str, bytes]) -> None:
    """What is asked for by its version never changes. All are packed once, for the browsers that take them so: all do."""
    packed = {name: gzip.compress(content, mtime=0) for name, content in files.items()}

    @app.get("/static/{name}")
    async def static(request: Request, name: str, v: str = "") -> Response:
        if name not in files:
            raise HTTPException(404, "there is no such file")
        headers = {"cache-control": "max-age=31536000, immutable" if v else "no-cache", "vary": "accept-encoding"}
        kind = guess_type(name)[0] or "text/plain"
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(packed[name], media_type=kind, headers={**headers, "content-encoding": "gzip"})
        return Response(files[name], media_type=kind, headers=headers)

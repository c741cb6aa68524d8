"""What is shown where there is no page, or where one failed."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response
from nicegui import Client, core, ui

from kibitz.web.layout import Link, frame
from kibitz.web.parts import box, text
from kibitz.web.services import Services

LINK: Link | None = None
NOT_FOUND = "There is no such page"


def register(services: Services) -> None:
    """Make the pages known."""

    @core.app.exception_handler(404)
    async def missing(request: Request, error: Exception) -> Response:
        if "text/html" not in request.headers.get("accept", ""):  # a program, or the browser itself
            return PlainTextResponse(NOT_FOUND, 404)
        with Client(ui.page(""), request=request) as client:
            _show(NOT_FOUND, "The address may be misspelt, or what it led to was deleted.")
        return client.build_response(request, 404)

    core.app.on_page_exception(lambda: _show("Something went wrong in Kibitz itself", "Its log, in the terminal, says what."))


def _show(title: str, about: str) -> None:
    with frame(title, ""), box("stack narrow"):
        text("h1", title)
        text("p", about, "muted")
        with box("line"):
            text("a", "To the start page", "q-btn k-btn primary").props('href="/"')
            text("a", "To the library", "q-btn k-btn").props('href="/library"')

"""What is shown where there is no page, or where one failed."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response
from nicegui import Client, core, ui

from kibitz.web.layout import Link, frame
from kibitz.web.parts import box, text
from kibitz.web.services import Services

LINK: Link | None = None


def register(services: Services) -> None:
    """Make the pages known."""

    @core.app.exception_handler(404)
    async def missing(request: Request, error: Exception) -> Response:
        return _page(request, 404, "There is no such page", "The address may be misspelt, or what it led to was deleted.")

    @core.app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return _page(request, 500, "Something went wrong in Kibitz itself", "Its log, in the terminal, says what.")


def _page(request: Request, status: int, title: str, about: str) -> Response:
    """A page of our own for a person; one line for a program."""
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(title, status)
    with Client(ui.page(""), request=request) as client, frame(title, ""), box("stack narrow"):
        text("h1", title)
        text("p", about, "muted")
        with box("line"):
            text("a", "To the start page", "q-btn k-btn primary").props('href="/"')
            text("a", "To the library", "q-btn k-btn").props('href="/library"')
    return client.build_response(request, status)

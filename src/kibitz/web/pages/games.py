"""The way from the library to a game: each kind of game has a page of its own."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from kibitz.web.layout import Link, frame, opened_at, page_at
from kibitz.web.parts import box, note, text
from kibitz.web.services import Services

LINK: Link | None = None


def register(services: Services) -> None:
    """Make the way known."""

    @page_at("/game")
    async def game(request: Request) -> Response | None:
        id = request.query_params.get("id", "")
        found = await asyncio.to_thread(services.store.load, id)
        if found is not None and isinstance(found.data, str) and (page := opened_at("record")):  # a file that was loaded
            return RedirectResponse(f"{page}{quote(id)}")
        data = found.data if found is not None and isinstance(found.data, dict) else {}
        kind = services.games.kind(str(data.get("game", "")))
        if kind is not None:
            return RedirectResponse(kind.address(id, data["setup"]))
        with frame("Game", "/game"), box("stack narrow"):
            note("This game is not in the library any more.", "warn")
            text("a", "To the library").props('href="/library"')
        return None

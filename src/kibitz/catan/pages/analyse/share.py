"""How a position or an answer leaves the page: a link, a file, a picture."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nicegui import ui

from kibitz.web.parts import box, button, say, text

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage


class SharePanel:
    """The line below the button that starts an analysis."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        with box("line tight"):
            self._link = button("Copy link", self._copy, "link", "quiet")
            button("SVG", self._svg, "image", "quiet")
            self._json = button("JSON", self._download, "data_object", "quiet")
        self._play = button("Play from here", self._play_on, "extension", "quiet")
        self._play.props["title"] = "Begin a game against bots on this board, with what stands on it"
        self._saved = text("p", "", "muted small")

    def refresh(self) -> None:
        """Say whether the answer is in the library."""
        answer = self._page.answer
        saved = answer is not None and bool(answer.id)
        self._saved.set_text("Saved to the library." if saved else "")
        self._saved.set_visibility(saved)
        for made in (self._play, self._link, self._json):
            made.set_enabled(not self._page.desk.trouble())

    def _play_on(self) -> None:
        ui.navigate.to(f"/play?{urlencode(self._page.desk.query())}")

    def _copy(self) -> None:
        """The position and the settings, not the answer: whoever opens the link can run it."""
        query = urlencode(self._page.desk.query())
        ui.run_javascript(f"kibitz.copy(location.origin + '/analyse?' + {query!r})")
        say("link copied", "positive")

    async def _svg(self) -> None:
        drawing = await asyncio.to_thread(self._page.drawing())
        ui.download.content(drawing, "kibitz-board.svg", "image/svg+xml")

    def _download(self) -> None:
        page = self._page
        data = page.desk.question().to_json() if page.answer is None else page.answer.to_json()
        name = "kibitz-question.json" if page.answer is None else "kibitz-analysis.json"
        ui.download.content(json.dumps(data, indent=2), name, "application/json")

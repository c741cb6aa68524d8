"""Where a game comes from: a log that is pasted or dropped, a game at the table, or one that was followed before."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from kibitz.catan.core.events import MOST_PLAYERS, EventLog, InvalidEvent, read_header
from kibitz.catan.pages.files import unpacked
from kibitz.catan.tracking.followed import KNOWN, InvalidGame, Source, board_of
from kibitz.web.pages.house import offer
from kibitz.web.pages.work import PasteField
from kibitz.web.parts import box, button, card, hint, refuse, text

if TYPE_CHECKING:
    from kibitz.catan.pages.track.page import TrackPage

_EXAMPLE = Path(__file__).parent / "example.txt"
#: The longest list of games that were followed before.
_RECENT = 6


class StartPanel:
    """The page before there is a game."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        self.root = box("tk-start")
        with self.root:
            with box("stack"):
                text("h1", "Who holds what?")
                about = (
                    "Give Kibitz the log of a game of Catan, or click what happens at your table. At every moment it knows all "
                    "hands that are possible, each with its exact probability."
                )
                text("p", about, "muted")
                with box("line"):
                    live = text("a", "Follow games live, while you play on the site", "tk-to-live")
                    live.props["href"] = "/track/live"
            self.said = box("stack tk-said")
            with box("tk-ways"):
                with card("A game log"):
                    self._log()
                with box("stack"):
                    with card("A game at the table"):
                        self._table()
                    self._recent = box("stack")

    def _log(self) -> None:
        limit = self._page.services.options.body
        field = PasteField("The log of a game", limit, self._arrived, self.say, rows=9)
        with box("line"):
            field.read_button("Follow it", "play_arrow")
            field.file_button()
            button("Try an example", lambda: self._page.load(_EXAMPLE.read_text(encoding="utf-8")), "auto_stories", "quiet")
        hint(f"{', '.join(KNOWN.values())}: recognised by its content, gzipped or not; up to {limit >> 20} MB.")

    async def _arrived(self, data: bytes) -> None:
        try:
            content = await asyncio.to_thread(unpacked, data)
        except ValueError as error:
            self.say(str(error))
            return
        self._page.load(content)

    def _table(self) -> None:
        hint("Click what you see: rolls, builds, trades, steals. Every event can be taken back.")
        self._names = ui.input("Players, in the order of the seats", value="Ann, Bob, Cem, Dora").props("outlined dense")
        self._points = ui.number("Points to win", value=10, min=3, max=20, format="%.0f").props("outlined dense")
        self._board = ui.input("Board (optional)").props("outlined dense")
        self._board.props["hint"] = "Its text, or a link from Analyse: then rolls bring their cards automatically."
        button("Begin", self._begin, "casino", "primary").classes("tk-begin")

    def _begin(self) -> None:
        names = [name.strip() for name in str(self._names.value or "").split(",") if name.strip()]
        try:
            header = next(EventLog(tuple(names), (), None, int(self._points.value or 10)).lines())
            read_header(header)
            board = board_of(str(self._board.value or ""))
        except (InvalidEvent, InvalidGame) as error:
            self.say(str(error))
            return
        if board is not None and len(names) > 4:
            self.say(f"With a board, up to 4 can play; without one, up to {MOST_PLAYERS}.")
            return
        self._page.load(Source(header, board=board))

    async def refresh(self) -> None:
        """Show the latest games of the library."""
        items = await asyncio.to_thread(self._page.services.store.items, "log", _RECENT)
        self._recent.clear()
        if items:
            with self._recent:
                offer("Resume a game", items, "/track?saved=")

    def say(self, message: str) -> None:
        """Say what is wrong."""
        refuse(self.said, message)

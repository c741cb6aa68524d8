"""The library: everything that was saved, to open, to download, to delete."""

from __future__ import annotations

import asyncio
import json
from functools import partial

from nicegui import ui

from kibitz.web.games import NotNow
from kibitz.web.layout import Link, frame
from kibitz.web.pages.offers import when
from kibitz.web.parts import box, button, card, say, text
from kibitz.web.services import Services
from kibitz.web.store import KINDS, Item

LINK: Link | None = Link("/library", "Library", "inventory_2", "Your games, logs, analyses and reviews, saved by themselves.")

#: Where something is opened, by its kind; the rest of the address is its id.
OPENED = {"analysis": "/analyse?saved=", "game": "/game?id=", "log": "/track?saved=", "review": "/review?game="}
#: What may be shown, as the buttons call it.
FILTERS: dict[str | None, str] = {None: "All", "analysis": "Analyses", "game": "Games", "log": "Logs", "review": "Reviews"}
ICONS = {"analysis": "insights", "game": "casino", "log": "list_alt", "review": "show_chart"}


def register(services: Services) -> None:
    """Make the page known."""

    @ui.page("/library")
    async def library() -> None:
        with frame("Library", "/library"):
            page = LibraryPage(services)
        await page.refresh()


class LibraryPage:
    """One visitor's view of it."""

    def __init__(self, services: Services) -> None:
        self._store, self._games = services.store, services.games
        self._kind: str | None = None
        with box("stack"):
            text("h1", "Library")
            text("p", f"Kept in {self._store.path}", "muted small")
            self._filters = box("line").props('role=group aria-label="Show"')
            with card():
                self._list = box("stack")

    async def refresh(self) -> None:
        """Show what there is."""
        items = await asyncio.to_thread(self._store.items, self._kind)
        self._filters.clear()
        with self._filters:
            for kind, name in FILTERS.items():

                async def choose(kind: str | None = kind) -> None:
                    self._kind = kind
                    await self.refresh()

                made = button(name, choose, classes="chosen" if kind == self._kind else "")
                made.props(f"aria-pressed={str(kind == self._kind).lower()}")
        self._list.clear()
        with self._list:
            if not items:
                none = "Nothing here yet" if self._kind is None else f"No {FILTERS[self._kind].lower()} yet"
                text("p", f"{none}: what you analyse, track, play or review is saved here by itself.", "muted")
            else:
                with box("shelf"):
                    for item in items:
                        self._row(item)

    def _row(self, item: Item) -> None:
        with ui.element("div").props(f'data-id="{item.id}"'):
            ui.icon(ICONS[item.kind]).props('aria-hidden="true"')
            with box("grow"):
                if item.kind in OPENED:
                    text("a", item.title, "title").props(f'href="{OPENED[item.kind]}{item.id}"')
                else:
                    text("span", item.title, "title")
                text("div", f"{KINDS[item.kind]}, {when(item)}, {max(1, item.size >> 10):,} kB", "muted small num")
            for icon, does, act in (("download", "Download", self._export), ("delete", "Delete", self._delete)):
                made = button("", partial(act, item), icon, "quiet").props(f'title="{does}"')
                made.props["aria-label"] = f"{does}: {item.title}"

    async def _export(self, item: Item) -> None:
        found = await asyncio.to_thread(self._store.load, item.id)
        try:
            record = await asyncio.to_thread(self._games.record, found.data) if found is not None else ""
        except NotNow as error:
            say(str(error), "negative")
            return
        if found is None:
            say("it is not there any more", "negative")
        elif record:
            ui.download.content(record, f"kibitz-{item.kind}-{item.id}.jsonl", "application/x-ndjson")
        elif isinstance(found.data, str):  # a record or a log, line by line
            ui.download.content(found.data, f"kibitz-{item.kind}-{item.id}.jsonl", "application/x-ndjson")
        else:
            ui.download.content(json.dumps(found.data, indent=2), f"kibitz-{item.kind}-{item.id}.json", "application/json")

    async def _delete(self, item: Item) -> None:
        with ui.dialog() as dialog, ui.card().classes("stack"):
            text("h2", "Delete this?")
            text("p", item.title)
            with box("line"):
                button("Delete", lambda: dialog.submit(True), "delete", "danger")
                button("Keep", lambda: dialog.submit(False), classes="quiet")
        if await dialog:
            await asyncio.to_thread(self._games.delete, item.id)
            await self.refresh()

"""The library: everything that was saved, to open, to download, to delete; and the way from it to each thing's own page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from functools import partial
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from nicegui import ui

from kibitz.web.layout import Link, frame, links, opened_at, page_at
from kibitz.web.parts import box, button, card, choice, emptied, hint, note, say, text
from kibitz.web.services import Services
from kibitz.web.store import KINDS, TITLE, Item, NotSaved

LINK: Link | None = Link(
    "/library",
    "Library",
    "inventory_2",
    "Your games, logs, analyses and reviews, saved by themselves.",
    opens={"game": "/game?id="},
)

#: What may be shown, as the buttons call it.
FILTERS: dict[str | None, str] = {None: "All", "analysis": "Analyses", "game": "Games", "log": "Logs", "review": "Reviews"}
#: Rows of one page.
PAGE = 50
#: What is to be known before a game that goes on is downloaded.
UNFINISHED = "This game is not over", "Its record tells what is hidden from you: the others' cards, and the seed of what comes."
ICONS = {"analysis": "insights", "game": "casino", "log": "list_alt", "review": "show_chart"}


def register(services: Services) -> None:
    """Make the page known, and the way from it to a game: each kind has a page of its own."""

    @page_at("/library")
    async def library() -> None:
        with frame("Library", "/library"):
            page = LibraryPage(services)
        await page.refresh()

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
            note("This game is no longer in the library.", "warn")
            text("a", "To the library").props('href="/library"')
        return None


def when(item: Item) -> str:
    """When something was changed last, by the clock of this machine."""
    return item.changed.astimezone().strftime("%Y-%m-%d %H:%M")


def offer(title: str, items: Iterable[Item], page: str | None = None, prefix: str = "") -> None:
    """A card with links: `page` is the address up to the id (None: by the kind), `prefix` what nobody need read in a title."""
    with card(title), box("offers"):
        for item in items:
            with box("offer", "a") as made:
                text("span", item.title.removeprefix(prefix))
                text("span", when(item), "muted small num")
            made.props["href"] = f"{page or opened_at(item.kind)}{item.id}"


class LibraryPage:
    """One visitor's view of it."""

    def __init__(self, services: Services) -> None:
        self._store, self._games = services.store, services.games
        self._kind: str | None = None
        self._words, self._first = "", 0
        with box("stack"):
            text("h1", "Library")
            hint(f"Kept in {self._store.path}")
            with box("line"):
                self._filters = box("line").props('role=group aria-label="Show"')
                search = ui.input("Search", on_change=lambda event: self._look(self._kind, event.value or ""))
                search.props(f"outlined dense clearable debounce=300 maxlength={TITLE}").classes("library-search")
            with card():
                self._list = box("stack")
            self._pages = box("line")

    async def _look(self, kind: str | None, words: str) -> None:
        """Look at something else, from its first page on."""
        self._kind, self._words, self._first = kind, words, 0
        await self.refresh()

    async def _turn(self, by: int) -> None:
        self._first = max(0, self._first + by)
        await self.refresh()

    async def refresh(self) -> None:
        """Show what there is."""
        found = await asyncio.to_thread(self._store.items, self._kind, PAGE + 1, self._first, words=self._words)
        if not found and self._first:  # the last one of this page was deleted
            await self._turn(-PAGE)
            return
        with emptied(self._filters):
            for kind, name in FILTERS.items():
                choice(name, partial(self._look, kind, self._words), kind == self._kind)
        with emptied(self._list):
            if found:
                with box("shelf"):
                    for item in found[:PAGE]:
                        self._row(item)
            elif self._words:
                text("p", "Nothing with these words.", "muted")
            else:
                none = "Nothing here yet" if self._kind is None else f"No {FILTERS[self._kind].lower()} yet"
                text("p", f"{none}: what you analyse, track, play or review is saved here by itself.", "muted")
                with box("line"):
                    for link in links():
                        if link.begin:
                            text("a", link.begin, "q-btn k-btn").props(f'href="{link.path}"')
        with emptied(self._pages):
            if self._first:
                button("Newer", partial(self._turn, -PAGE), "chevron_left")
            if self._first or len(found) > PAGE:
                text("span", f"{self._first + 1} to {self._first + len(found[:PAGE])}", "muted num")
            if len(found) > PAGE:
                button("Older", partial(self._turn, PAGE), "chevron_right")

    def _row(self, item: Item) -> None:
        with ui.element("div").props(f'data-id="{item.id}"'):
            ui.icon(ICONS[item.kind]).props('aria-hidden="true"')
            with box("grow"):
                if page := opened_at(item.kind):
                    text("a", item.title, "title").props(f'href="{page}{item.id}"')
                else:
                    text("span", item.title, "title")
                text("div", f"{KINDS[item.kind]}, {when(item)}, {max(1, item.size >> 10):,} kB", "muted small num")
            for icon, does, act in (("download", "Download", self._export), ("delete", "Delete", self._delete)):
                button("", partial(act, item), icon, "quiet", name=f"{does}: {item.title}").props["title"] = does

    async def _export(self, item: Item) -> None:
        if item.over is False and not await _sure(*UNFINISHED, "Download", "Not now"):
            return
        found = await asyncio.to_thread(self._store.load, item.id)
        if found is None:
            say("it is not there any more", "negative")
            return
        lines = found.data if isinstance(found.data, str) else await asyncio.to_thread(self._games.record, found.data)
        if lines:
            ui.download.content(lines, f"kibitz-{item.kind}-{item.id}.jsonl", "application/x-ndjson")
        else:
            content = await asyncio.to_thread(json.dumps, found.data, indent=2)
            ui.download.content(content, f"kibitz-{item.kind}-{item.id}.json", "application/json")

    async def _delete(self, item: Item) -> None:
        if await _sure("Delete this?", item.title, "Delete", "Keep"):
            try:
                await asyncio.to_thread(self._games.delete, item.id)
            except NotSaved as error:
                say(str(error), "negative")
            await self.refresh()


async def _sure(title: str, about: str, yes: str, no: str) -> bool:
    """Ask once more."""
    with ui.dialog() as dialog, ui.card().classes("stack"):
        text("h2", title)
        text("p", about)
        with box("line"):
            button(yes, lambda: dialog.submit(True), classes="danger")
            button(no, lambda: dialog.submit(False), classes="quiet")
    return bool(await dialog)

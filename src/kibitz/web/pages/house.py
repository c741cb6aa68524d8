"""The pages that belong to no game: the start page, the library, and what is shown where there is no page."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache, partial
from html import escape
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from nicegui import Client, core, ui

from kibitz.web.layout import Link, frame, links, opened_at, page_at
from kibitz.web.parts import box, button, card, choice, emptied, hint, note, press, say, text
from kibitz.web.services import Services
from kibitz.web.store import KINDS, TITLE, Item, NotSaved, Store

LINK = Link(
    "/library",
    "Library",
    "inventory_2",
    "Your games, logs, analyses and reviews, saved automatically.",
    opens={"game": "/game?id="},
)

#: What may be shown, as the buttons call it.
FILTERS: dict[str | None, str] = {None: "All", "analysis": "Analyses", "game": "Games", "log": "Logs", "review": "Reviews"}
#: Rows of one page.
PAGE = 50
#: What is to be known before a game that goes on is downloaded.
UNFINISHED = "This game is not over", "Its record shows what is hidden from you: the others' cards, and the luck to come."
#: What stands for something without a picture, by its kind: a chart, a die, lines of text, a curve.
_SIGNS = {
    "analysis": "M20 52V36M36 52V24M52 52V14",
    "game": "M16 14H56V54H16ZM27 25h.1M45 25h.1M27 43h.1M45 43h.1M36 34h.1",
    "log": "M18 18H54M18 30H54M18 42H44M18 54H50",
    "review": "M14 48L28 30L40 40L58 16",
}
SIGN = {
    kind: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 65"><rect width="72" height="65" rx="6" fill="#7F8B93" '
    f'fill-opacity=".15"/><path d="{path}" fill="none" stroke="#7F8B93" stroke-width="5" stroke-linecap="round"/></svg>'
    for kind, path in {**_SIGNS, "": ""}.items()
}
NOTHING = SIGN[""]
#: Things of the library that are offered to go on with.
LATEST = 4
NOT_FOUND = "There is no such page"
#: For those who want to go on from here in a program.
API = Link("/api/", "API", "api", "The same answers for programs: a JSON API with its description.")


def register(services: Services) -> None:
    """Make the pages known, and the way from the library to a game: each kind has a page of its own."""
    shown = links()
    front = next((link for link in shown if link.picture), None)
    picture = front.picture() if front and front.picture else ""

    @page_at("/")
    async def home() -> None:
        latest = await asyncio.to_thread(services.store.items, None, LATEST)
        with frame("Start", "/"), box("home-page"):
            with box("home-hero"):
                with box("stack"):
                    text("h1", "Somebody at your shoulder who has played it a thousand times.")
                    text("p", "Kibitz knows the rules exactly, works out what the others can be holding, plays thousands of "
                         "futures a second, and says what to do and why. All of it on this machine.")  # fmt: skip
                    with box("line"):
                        for link in shown:
                            if link.begin and (front is None or link.game == front.game):
                                look = " primary" if link is front else ""
                                text("a", link.begin, f"q-btn k-btn big{look}").props(f'href="{link.path}"')
                ui.html(picture, sanitize=False).classes("board").props('aria-hidden="true"')
            if latest:
                offer("Pick up where you left off", latest)
            large = [title for title, pages in Counter(link.game for link in shown).items() if title and pages > 1]
            for title in large:
                _tiles(title, [link for link in shown if link.game == title])
            _tiles("Other games and your library", [*(link for link in shown if link.game not in large), API])

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

    pictures = Thumbnails(services.store)

    @core.app.get("/thumbnail/{id}")
    async def thumbnail(id: str) -> Response:
        drawing = await asyncio.to_thread(pictures.of, id)
        keep = {"cache-control": "private, max-age=86400"}  # the address changes with the content
        return Response(drawing, media_type="image/svg+xml", headers=keep)

    @core.app.exception_handler(404)
    async def missing(request: Request, error: Exception) -> Response:
        if "text/html" not in request.headers.get("accept", ""):  # a program, or the browser itself
            return PlainTextResponse(NOT_FOUND, 404)
        with Client(ui.page(""), request=request) as client:
            _explain(NOT_FOUND, "The address may be misspelt, or what it led to was deleted.")
        return client.build_response(request, 404)

    core.app.on_page_exception(
        lambda: _explain("Something went wrong in Kibitz itself", "Its log, in the terminal, says what.")
    )


def _tiles(title: str, links: list[Link]) -> None:
    text("h2", title)
    ui.html("".join(map(_tile, links)), sanitize=False).classes("home-tiles")


def _tile(link: Link) -> str:
    return (
        f'<a class="home-tile" href="{link.path}"><i class="q-icon material-icons" aria-hidden="true">{link.icon}</i>'
        f'<h3>{escape(link.name)}</h3><p class="muted">{escape(link.about)}</p></a>'
    )


def _explain(title: str, about: str) -> None:
    with frame(title, ""), box("stack narrow"):
        text("h1", title)
        text("p", about, "muted")
        with box("line"):
            text("a", "To the start page", "q-btn k-btn primary").props('href="/"')
            text("a", "To the library", "q-btn k-btn").props('href="/library"')


def when(item: Item) -> str:
    """When something was changed last, by the clock of this machine."""
    return item.changed.astimezone().strftime("%Y-%m-%d %H:%M")


def day_of(moment: datetime, now: datetime) -> str:
    """A day as people call it, up to a week ago.

    >>> from datetime import timedelta
    >>> friday = datetime(2026, 11, 20, 12)
    >>> [day_of(friday - timedelta(days=n), friday) for n in (0, 1, 3, 30)]
    ['Today', 'Yesterday', 'Tuesday', '21 October']
    """
    ago = (now.date() - moment.date()).days
    if ago < 7:
        return {0: "Today", 1: "Yesterday"}.get(max(0, ago), f"{moment:%A}")
    return f"{moment.day} {moment:%B}" + (f" {moment.year}" if moment.year != now.year else "")


def named(item: Item, prefix: str = "") -> str:
    """What something is called: a game after its day, the rest after what it says. `prefix` need not be read in a title."""
    title = item.title.removeprefix(prefix)
    if item.kind != "game":
        return title
    return f"{day_of(item.created.astimezone(), datetime.now().astimezone())}'s game · {title}"


def thumb(item: Item) -> None:
    """A small picture of something, which the browser asks for when it comes into view."""
    address = f"/thumbnail/{quote(item.id)}?v={item.changed.timestamp():.0f}"
    made = ui.element("img").classes(f"thumb {item.kind}").props("alt='' loading=lazy width=72 height=65")
    made.props["src"] = address


def offer(title: str, items: Iterable[Item], page: str | None = None, prefix: str = "") -> None:
    """A card with links: `page` is the address up to the id (None: by the kind), `prefix` what nobody need read in a title."""
    with card(title), box("offers"):
        for item in items:
            with box("offer", "a") as made:
                thumb(item)
                text("span", named(item, prefix), "grow")
                text("span", when(item), "muted small num")
            made.props["href"] = f"{page or opened_at(item.kind)}{item.id}"


class Thumbnails:
    """Pictures of what the library holds; the latest few are kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = lru_cache(maxsize=PAGE)(self._draw)

    def of(self, id: str) -> str:
        """The picture of something, as it is now; the sign of its kind where nobody can draw it."""
        changed = self._store.changed(id)
        return NOTHING if changed is None else self._kept(id, changed)

    def _draw(self, id: str, changed: datetime) -> str:
        found = self._store.load(id)
        if found is None:
            return NOTHING
        kind, data = found.kind, found.data
        parent = data.get("game") if kind == "review" and isinstance(data, dict) else None
        if parent and (game := self._store.load(str(parent))) is not None:  # a review looks like its game
            kind, data = game.kind, game.data
        drawn = (link.thumbnail(kind, data) for link in links() if link.thumbnail is not None)
        return next(filter(None, drawn), "") or SIGN[found.kind]


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
                with box("line").props('role=group aria-label="Show"'):
                    self._filters = {kind: choice(name, partial(self._filter, kind), False) for kind, name in FILTERS.items()}
                search = ui.input("Search", on_change=lambda event: self._look(self._kind, event.value or ""))
                search.props(f"outlined dense clearable debounce=300 maxlength={TITLE}").classes("library-search")
            with card():
                self._list = box("stack")
            self._pages = box("line")

    async def _filter(self, kind: str | None) -> None:
        await self._look(kind, self._words)

    async def _look(self, kind: str | None, words: str) -> None:
        """Look at something else, from its first page on."""
        self._kind, self._words, self._first = kind, words, 0
        await self.refresh()

    async def _turn(self, by: int) -> None:
        self._first = max(0, self._first + by)
        await self.refresh()

    async def refresh(self) -> None:
        """Show what there is."""
        asked = self._kind, self._words, self._first
        found = await asyncio.to_thread(self._store.items, self._kind, PAGE + 1, self._first, words=self._words)
        if asked != (self._kind, self._words, self._first):  # something else was asked for meanwhile
            return
        if not found and self._first:  # the last one of this page was deleted
            await self._turn(-PAGE)
            return
        for kind, made in self._filters.items():
            press(made, kind == self._kind)
        with emptied(self._list):
            if found:
                with box("shelf"):
                    for item in found[:PAGE]:
                        self._row(item)
            elif self._words:
                text("p", "Nothing matches your search.", "muted")
            else:
                none = "Nothing here yet" if self._kind is None else f"No {FILTERS[self._kind].lower()} yet"
                text("p", f"{none}: what you analyse, track, play or review is saved here automatically.", "muted")
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
            thumb(item)
            with box("grow"):
                if page := opened_at(item.kind):
                    text("a", named(item), "title").props(f'href="{page}{item.id}"')
                else:
                    text("span", named(item), "title")
                text("div", f"{KINDS[item.kind]}, {when(item)}, {max(1, item.size >> 10):,} kB", "muted small num")
            for icon, does, act in (("download", "Download", self._export), ("delete", "Delete", self._delete)):
                button("", partial(act, item), icon, "quiet", name=f"{does}: {item.title}").props["title"] = does

    async def _export(self, item: Item) -> None:
        if item.kind == "game" and item.over is False and not await _sure(*UNFINISHED, "Download", "Not now"):
            return
        found = await asyncio.to_thread(self._store.load, item.id)
        if found is None:
            say("It is no longer there.", "negative")
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
    with ui.dialog() as asked, ui.card().classes("stack"):
        text("h2", title)
        text("p", about)
        with box("line"):
            button(yes, lambda: asked.submit(True), classes="danger")
            button(no, lambda: asked.submit(False), classes="quiet")
    return bool(await asked)

"""The frame of every page: header, navigation, theme, and a way to skip to the content."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

from fastapi import Request
from nicegui import Client, ui

from kibitz.web.painting import head, paint_early
from kibitz.web.parts import box, hint, text

T = TypeVar("T")

STATIC = Path(__file__).parent / "static"
#: Seconds that a page may take, on however busy a machine, before an error is shown instead; and after how many the visitor
#: sees what there is of it.
LONGEST, SOON = 60.0, 1.0
#: The mark of Kibitz: an eye over a hex.
MARK = (
    '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M16 2 28 9v14L16 30 4 23V9Z" fill="#0067A8"/>'
    '<path d="M6 16q10-11 20 0q-10 11-20 0Z" fill="#fff"/><circle cx="16" cy="16" r="4.4" fill="#D55E00"/>'
    '<circle cx="16" cy="16" r="1.7" fill="#1F2A30"/></svg>'
)
_MOON = (
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">'
    '<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5a8.5 8.5 0 0 1 0 17Z" fill="currentColor"/></svg>'
)


@dataclass(frozen=True)
class Link:
    """A page in the navigation: its address, its name, an icon and one sentence about it."""

    path: str
    name: str
    icon: str
    about: str
    begin: str = ""
    """The words of a button that leads there, where something can be begun."""
    opens: Mapping[str, str] = field(default_factory=dict)
    """What it opens from the library, by kind: the address up to the id."""
    picture: Callable[[], str] | None = None
    """A drawing (SVG) for the start page."""
    thumbnail: Callable[[str, Any], str] | None = None
    """Draws something of the library (SVG) by its kind and content; nothing where it cannot. It may take a moment."""
    game: str = ""
    """The title of the game that it belongs to, if it belongs to one."""


def add_head(links: list[Link], files: Mapping[str, bytes]) -> None:
    """What every page loads, once for the whole app."""
    _LINKS[:] = links
    _header.cache_clear()
    paint_early(files)
    if (made := head(files)) not in Client.shared_head_html:
        ui.add_head_html(made, shared=True)


def links() -> list[Link]:
    """The pages in the navigation."""
    return list(_LINKS)


def opened_at(kind: str) -> str | None:
    """Where something of the library is opened, up to its id; None where no page opens such things."""
    return next((link.opens[kind] for link in _LINKS if kind in link.opens), None)


_LINKS: list[Link] = []


def page_at(path: str) -> ui.page:
    """Make a function the page at an address."""
    return ui.page(path, response_timeout=LONGEST)


class Visit(Protocol):
    """A page that one visitor looks at."""

    async def begin(self, query: dict[str, str]) -> None:
        """Show what the address asks for."""


def visited(path: str, framed: Callable[[str], AbstractContextManager[None]], make: Callable[[], Visit]) -> None:
    """Make a page known: `make` builds it in its frame for each visitor, and it begins with what the address asks for."""

    @page_at(path)
    async def visit(request: Request) -> None:
        with framed(path):
            page = make()
        await page.begin({**request.query_params, **request.path_params})


def left(client: Client) -> bool:
    """Whether the visitor is gone, and with them all that was on the page."""
    return client.id not in Client.instances


async def patiently(client: Client, work: Awaitable[T]) -> T:
    """Wait for work that is done elsewhere. If it takes long, the page is sent as it is, and goes on once it is there."""
    found = asyncio.ensure_future(work)
    done, _ = await asyncio.wait([found], timeout=SOON)
    if not done:
        await client.connected()
    return await found


@contextmanager
def frame(title: str, path: str) -> Iterator[None]:
    """A page: `title` is for the window, `path` tells which link is this page.

    On a small screen the links are behind a button, and the name of the page stands beside the mark.
    """
    ui.page_title(f"{title} · Kibitz")
    ui.colors(primary="#0067A8", info="#0067A8", positive="#00704C", negative="#B3261E")  # white can be read on each
    ui.add_body_html(
        f'<a class="skip" href="#content">Skip to the content</a><header class="k-header">{_header(path)}</header>'
        f'<div class="k-main k-splash" role="status"><h1>{escape(title)}</h1><p class="muted">Loading…</p></div>'
    )
    with box("k-main").props("id=content tabindex=-1"):
        yield


def note_address(client: Client, query: Mapping[str, str]) -> None:
    """Keep the address of the window in step, so that a refresh comes back here."""
    if client.has_socket_connection:
        client.run_javascript(f"kibitz.address({urlencode(query)!r})")


def arrive(client: Client, title: str) -> None:
    """A page shows something else now: its window is named after that, and the keyboard begins at its top."""
    with client:
        ui.page_title(f"{title} · Kibitz")
    if client.has_socket_connection:
        client.run_javascript("kibitz.arrive()")


@cache
def _header(path: str) -> str:
    """The bar at the top, in one piece: it is there before everything else, and stays."""
    here = next((link.name for link in _LINKS if link.path == path), "Kibitz")
    current = ' aria-current="page"'
    pages = "".join(f'<a href="{link.path}"{current if link.path == path else ""}>{escape(link.name)}</a>' for link in _LINKS)
    theme = "Theme: as the system, light, dark"
    return (
        '<div class="k-bar">'
        f'<a class="k-brand" href="/" aria-label="Kibitz, start page"><span>{MARK}</span><span>Kibitz</span></a>'
        f'<span class="k-here" aria-hidden="true">{escape(here)}</span>'
        '<button class="k-menu" type="button" aria-expanded="false" aria-controls="pages">Menu</button>'
        f'<nav class="k-nav" id="pages" aria-label="Pages">{pages}</nav>'
        f'<button class="k-icon k-theme" type="button" aria-label="{theme}" title="{theme}">{_MOON}</button></div>'
    )


@contextmanager
def family(game: str, pages: Mapping[str, tuple[str, str]], classes: str, path: str) -> Iterator[None]:
    """The frame of one of several pages about a game; `pages` are their addresses, names and what each is about."""
    name, about = pages[path]
    current = ' aria-current="page"'
    tabs = "".join(f'<a href="{to}"{current if to == path else ""}>{escape(other)}</a>' for to, (other, _) in pages.items())
    with frame(f"{name} · {game}", next(iter(pages))), box(f"{classes} stack"):
        with box("k-family"):
            text("h1", game)
            ui.html(tabs, sanitize=False, tag="nav").classes("k-tabs").props(f'aria-label="{game}"')
            hint(about)
        yield

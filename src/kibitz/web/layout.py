"""The frame of every page: header, navigation, theme, and a way to skip to the content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from nicegui import ui

from kibitz.web.parts import box, text

STATIC = Path(__file__).parent / "static"
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


#: Before the page itself: the way to the content, and a header that is painted while the rest is loaded.
_BODY = (
    '<a class="skip" href="#content">Skip to the content</a>'
    '<div class="k-splash" aria-hidden="true"><div class="k-bar">'
    f'<span class="k-brand">{MARK}<span>Kibitz</span></span></div></div>'
)


class Link(NamedTuple):
    """A page in the navigation: its address, its name, an icon and one sentence about it."""

    path: str
    name: str
    icon: str
    about: str


def add_head(links: list[Link]) -> None:
    """What every page loads, once for the whole app. Addresses change with the content, so that browsers may keep them."""
    _LINKS[:] = links
    versions = {name: hashlib.blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest() for name in _FILES}
    ui.add_head_html(
        f'<script src="/static/kibitz.js?v={versions["kibitz.js"]}"></script>'
        f'<link rel="stylesheet" href="/static/kibitz.css?v={versions["kibitz.css"]}">',
        shared=True,
    )
    ui.add_body_html(_BODY, shared=True)


def links() -> list[Link]:
    """The pages in the navigation."""
    return list(_LINKS)


_FILES = ("kibitz.js", "kibitz.css")
_LINKS: list[Link] = []


@contextmanager
def frame(title: str, path: str) -> Iterator[None]:
    """A page: `title` is for the window, `path` tells which link is this page.

    On a small screen the links are behind a button, and the name of the page stands beside the mark.
    """
    ui.page_title(f"{title} · Kibitz")
    ui.colors(primary="#0067A8")
    with ui.header(elevated=False).classes("k-header"), box("k-bar"):
        with box("k-brand", "a").props('href="/" aria-label="Kibitz, start page"'):
            ui.html(MARK, sanitize=False, tag="span")
            text("span", "Kibitz")
        text("span", next((link.name for link in _LINKS if link.path == path), "Kibitz"), "k-here").props('aria-hidden="true"')
        menu = text("button", "Menu", "k-menu").props("type=button aria-expanded=false aria-controls=pages")
        menu.on("click", js_handler="() => kibitz.menu()")
        with box("k-nav", "nav").props('id=pages aria-label="Pages"'):
            for link in _LINKS:
                made = text("a", link.name).props(f'href="{link.path}"')
                if link.path == path:
                    made.props('aria-current="page"')
        _theme_switch()
    with box("k-main").props("id=content tabindex=-1"):
        yield


def _theme_switch() -> None:
    button = ui.html(_MOON, sanitize=False, tag="button").classes("k-icon")
    button.props('type=button aria-label="Theme: as the system, light, dark" title="Theme: as the system, light, dark"')
    button.on("click", js_handler="(event) => kibitz.nextTheme(event.currentTarget)")
